"""Votes: the people of a place choose the turns of a channel; see `bot.tables.voting`.

A vote is stored before it is acknowledged, with one script that also makes the table due: its post then counts the new
votes, in one edit for all of them, and a vote closes early if the usual voters have voted. The save that closes a vote
fails if another vote came first. So each vote either counts or gets the answer that the vote is over.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from cachetools import LRUCache
from msgspec.structs import replace

from bot.chat import Button, MarkedPicture, PersonId, Reply, Target, Update
from bot.delivery.outbox import Outbox
from bot.delivery.painting import Pictures
from bot.replies import menus, notes, pointing, wording, words
from bot.replies import voting as replies
from bot.replies.favourites import favourites
from bot.replies.tree import Path, Tree, draw_of
from bot.replies.voting import OfVote
from bot.replies.words import names, say
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.requests import CastVote, CloseVote, DropVoter, Stamp, Vote, Voters, payload
from bot.requests.arguments import LONGEST_TEXT
from bot.runtime.clock import Clock
from bot.runtime.names import shown
from bot.runtime.retry import ELSEWHERE_S, SAVES
from bot.service.context import Context
from bot.service.feature import answers
from bot.service.history import HistoryAnswers
from bot.store import StoreDown
from bot.tables import deadlines, plans, voting
from bot.tables import table as tables
from bot.tables.plans import Walk
from bot.tables.preferences import BALLOT, NEWCOMERS, chosen
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Table
from bot.tables.voting import Ballot
from bot.tables.waiting import Voting
from renderers import Look, Theme
from rules import BadNotation, IllegalAction, State

MOST_NUMBER = 10**9
KEPT = 128
"""Menus and turns of the newest votes in memory."""


class VoteAnswers:
    """Answers the requests of votes, and closes votes that are due."""

    def __init__(
        self,
        repository: Repository,
        preferences: Preferences,
        history: HistoryAnswers,
        painter: Pictures,
        outbox: Outbox,
        clock: Clock,
    ) -> None:
        self._repository = repository
        self._preferences = preferences
        self._history = history
        self._painter = painter
        self._outbox = outbox
        self._clock = clock
        self._walks = LRUCache[tuple[str, tuple[int, ...]], Walk](KEPT)
        self._menus = LRUCache[tuple[object, ...], Reply](KEPT)

    # Voting

    @answers(Vote)
    async def vote(self, context: Context, request: Vote) -> Reply:
        """Show the person's vote, or the choices of one. Denied: see `_require`, vote_long."""
        snapshot, lang = context.snapshot, context.lang
        ballot = await self._ballot(context)
        state = await self._require(context, snapshot, ballot)
        if request.stamp is None:
            count = voting.counted(snapshot)
            if ballot is not None and ballot.poll == count.poll:
                steps = ballot.turns[voting.key(snapshot)].split(" ")
                return _kept(snapshot, state, steps, count.voters, lang)
            return await self._choices(context, snapshot, state, (), (), 0)
        if request.stamp != _stamp(snapshot):
            return await self._choices(context, snapshot, state, (), (), 0, (say("plan.moved_on", lang),))
        made, path = request.steps[: request.made], request.steps[request.made :]
        return await self._choices(context, snapshot, state, made, path, request.page, sure=request.sure)

    def votes_here(self, context: Context) -> bool:
        """Return whether a move of the person, who has and had no seat, is a vote for the turn of a channel: now, or
        of two channels that play alone the one that will be up."""
        table, state = context.snapshot.table, context.snapshot.state
        later = table.twin is not None and table.phase == Phase.RUNNING
        return context.update.person.id not in table.sat and (later or voting.is_open(table, state))

    async def typed(self, context: Context, text: str) -> Reply:
        """Ask whether to cast a typed vote, or show the choices after its actions. Denied: see `_require`."""
        snapshot, lang = context.snapshot, context.lang
        state = await self._require(context, snapshot, await self._ballot(context))
        view, made = state.view(state.actor), list[int]()
        try:
            for action in wording.read(snapshot.table.game, view, text[:LONGEST_TEXT]):
                walk = await self._walk(snapshot, view, tuple(made))
                if walk.is_whole:
                    break
                if str(action) in walk.steps[len(made) :]:  # it follows by itself
                    continue
                walk.view.play(action)
                made.append(walk.view.actions().index(action))
        except (IllegalAction, BadNotation) as no:
            refused = notes.refused(snapshot.table, view, no, [], lang, secret=True, meant=text)
            return replace(refused, rows=replies.to_vote(snapshot.table, lang))
        return await self._choices(context, snapshot, state, tuple(made), (), 0)

    async def targets(self, context: Context) -> tuple[Target, ...]:
        """Return the places at which the person can begin a vote on the public board. Denied: see `_require`."""
        snapshot, lang = context.snapshot, context.lang
        state = await self._require(context, snapshot, await self._ballot(context))
        assert state.actor is not None
        table, view = snapshot.table, (await self._walk(snapshot, state.view(state.actor), ())).view
        spots = await self._painter.spots(view, words.look(table, None, Theme.DARK, lang))
        reach = pointing.reach(Tree.of(table.game, view), (), spots)
        return pointing.targets(OfVote(table, _stamp(snapshot), (), state.actor), view, reach, spots, lang)

    async def _ballot(self, context: Context) -> Ballot | None:
        """Return the person's ballot at this table. Raises StoreDown."""
        return voting.ballot(await self._repository.ballot(context.snapshot.table.id, context.update.person.id))

    async def _require(self, context: Context, snapshot: Snapshot, ballot: Ballot | None) -> State:
        """Return the position on which the person with *ballot* may vote. An exclusion and a block read the same.

        Denied: not_running, over, vote_none, vote_seated, vote_later, vote_new, vote_dropped.
        """
        table, state, person = snapshot.table, snapshot.state, context.update.person.id
        tables.require(table, Phase.RUNNING)
        if not table.has_channel or state is None:
            raise Denied("vote_none")
        if person in table.sat:
            raise Denied("vote_seated")
        if state.actor is None or not voting.is_open(table, state):
            raise Denied("vote_later", who="" if state.actor is None else names(table, context.lang)[state.actor])
        if await self._is_new(context.update, table):
            raise Denied("vote_new")
        is_dropped = ballot is not None and ballot.dropped
        if is_dropped or await self._repository.store.blocks.keep_apart(person, (), table.place):
            raise Denied("vote_dropped")
        return state

    async def _is_new(self, update: Update, table: Table) -> bool:
        """Return whether the place refuses the vote of a person who joined it just now."""
        if update.joined is None or self._clock.now() - update.joined >= voting.NEWCOMER:
            return False
        return chosen(NEWCOMERS, await self._preferences.place(table.place)) == "wait"

    async def _choices(
        self,
        context: Context,
        snapshot: Snapshot,
        state: State,
        made: tuple[int, ...],
        path: Path,
        page: int,
        said: Sequence[str] = (),
        *,
        sure: bool = False,
    ) -> Reply:
        """Show the next choices of a vote, the question before its last action, or the question whether to cast it.

        A menu is the same for all people with the same language and theme.
        """
        table, lang, seat = snapshot.table, context.lang, state.actor
        assert seat is not None
        look = await self._history.look(context.update, table, seat, lang)
        anonymous = await self._is_anonymous(table)
        key = (snapshot.save, made, path, page, sure, look, anonymous, *said)
        menu = self._menus.get(key)
        if menu is None:
            menu = self._menus[key] = await self._menu(
                snapshot, state.view(seat), look, made, path, page, said, sure=sure, anonymous=anonymous
            )
        return menu

    async def _menu(
        self,
        snapshot: Snapshot,
        view: State,
        look: Look,
        made: tuple[int, ...],
        path: Path,
        page: int,
        said: Sequence[str],
        *,
        sure: bool,
        anonymous: bool,
    ) -> Reply:
        table, lang, seat = snapshot.table, look.lang, view.actor
        assert seat is not None
        walk = await self._walk(snapshot, view, made)
        if walk.misfit is not None:
            said = (say("plan.moved_on", lang),)
            return await self._menu(snapshot, view, look, (), (), 0, said, sure=False, anonymous=anonymous)
        lines = [*said, replies.head(table, view, walk.steps, lang, anonymous=anonymous)]
        decision = OfVote(table, _stamp(snapshot), made, seat)
        question = None if sure else await asyncio.to_thread(_question, table, view, seat, made)
        if walk.is_whole:
            picture = await self._painter.picture(walk.view, look)
            return replies.whole(table, decision, lines, question, picture, lang)
        if question is not None:
            return replies.asked(table, decision, lines, question, lang)
        if payload.read(decision.part((99, 99)).payload) is None:
            raise Denied("vote_long")
        tree = Tree.of(table.game, walk.view)
        at, choices = tree.arrived(path)
        first = await asyncio.to_thread(favourites, walk.view, tree, at) if len(choices) > menus.ON_A_PAGE else ()
        draw = None if path else draw_of(table.game, walk.view)  # it is no part of the tree
        more = () if draw is None else (replies.draw(decision, table, walk.view, draw, lang),)
        menu = menus.menu(decision, walk.view, tree, path, page, lang, can_undo=bool(made), more=more, first=first)
        look = replace(look, hand=seat, chosen=pointing.chosen(tree, path))
        spots = await self._painter.spots(walk.view, look)
        reach = pointing.reach(tree, path, spots)
        picture = await self._painter.picture(walk.view, replace(look, choices=tuple(reach.choices)))
        marked = MarkedPicture.of(picture, pointing.targets(decision, walk.view, reach, spots, lang))
        return replies.choosing(table, menu, lines, marked, lang)

    async def _walk(self, snapshot: Snapshot, view: State, made: tuple[int, ...]) -> Walk:
        """Return the turn with the actions of these numbers, as the whole crowd walks it."""
        walk = self._walks.get((snapshot.save, made))
        if walk is None:
            assert view.actor is not None
            walk = await asyncio.to_thread(_walked, snapshot.table, view, view.actor, made)
            self._walks[snapshot.save, made] = walk
        return walk

    @answers(CastVote)
    async def cast(self, context: Context, request: CastVote) -> Reply | None:
        """Store a vote. Denied: see `_require`."""
        update, lang = context.update, context.lang
        person = update.person

        async def apply(snapshot: Snapshot, before: Ballot | None) -> tuple[Ballot | None, Reply | None]:
            state = await self._require(context, snapshot, before)
            if request.stamp != _stamp(snapshot):
                said = (say("plan.moved_on", lang),)
                return None, await self._choices(context, snapshot, state, (), (), 0, said)
            walk = await self._walk(snapshot, state.view(state.actor), request.steps)
            if walk.misfit is not None or not walk.is_whole:
                return None, await self._choices(context, snapshot, state, request.steps, (), 0)
            name = shown(person.name) or shown(person.handle)
            ballot = voting.cast(before, name, snapshot, walk.steps)
            voters = voting.counted(snapshot).voters + (before is None or before.poll != ballot.poll)
            kept = _kept(snapshot, state, walk.steps, voters, lang)
            return (None if ballot is before else ballot), kept

        done = await self._repository.change_ballot(context.snapshot, person.id, apply, update.id)
        return await self.vote(context, Vote(context.snapshot.table.id)) if done is None else done.reply

    # Moderating

    @answers(CloseVote)
    async def close_early(self, context: Context, request: CloseVote) -> Reply:
        """Close the vote at once. Denied: see `_require_open`, stale, vote_few."""
        snapshot = context.snapshot
        for _ in range(SAVES.tries):
            _require_open(context, snapshot)
            if request.stamp != _stamp(snapshot):
                raise Denied("stale")
            box = await self._repository.votes(snapshot)
            if (await asyncio.to_thread(voting.standing, box, snapshot.table))[0] < voting.LEAST:
                raise Denied("vote_few")
            if await self._close(snapshot, box):
                return notes.toast("vote.closed", context.lang)
            snapshot = await self._repository.load(snapshot.table.id)
        raise StoreDown(f"table {snapshot.table.id} changed too often")

    @answers(Voters)
    async def voters(self, context: Context, request: Voters) -> Reply:
        """List the people who have voted in this game. Denied: see `_people`."""
        box = await self._people(context)
        people = sorted(box, key=lambda person: (box[person].name.casefold(), person))
        pages = max(1, -(-len(people) // replies.ON_A_PAGE))
        page = min(request.page, pages - 1)
        on_page = people[page * replies.ON_A_PAGE : (page + 1) * replies.ON_A_PAGE]
        numbers = {await self._number(person): box[person].name for person in on_page}
        return replies.voters(context.snapshot.table, numbers, page, pages, context.lang)

    @answers(DropVoter)
    async def drop(self, context: Context, request: DropVoter) -> Reply | None:
        """Exclude a person from the votes of this game, after a question. Denied: see `_people`, stale."""
        people = await self._people(context)
        numbers = ((person, await self._number(person)) for person in people)
        person = await anext((person async for person, number in numbers if number == request.number), None)
        if person is None:
            raise Denied("stale")
        if not request.sure:
            return replies.dropping(context.snapshot.table, request.number, people[person].name, context.lang)

        async def apply(_: Snapshot, before: Ballot | None) -> tuple[Ballot | None, Reply | None]:
            dropped = notes.note("voter.dropped", context.lang)
            return (None if before is None or before.dropped else replace(before, dropped=True)), dropped

        done = await self._repository.change_ballot(context.snapshot, person, apply, context.update.id)
        return None if done is None else done.reply

    async def _number(self, person: PersonId) -> int:
        """Return a number for *person* in buttons, from which no one learns who it is."""
        return int(await self._repository.store.blocks.mark(person), 16) % MOST_NUMBER

    async def _people(self, context: Context) -> Mapping[PersonId, Ballot]:
        """Return the people who may vote and have voted. Denied: managers_vote, vote_judge, vote_none."""
        _require_judge(context, context.snapshot)
        if not context.snapshot.table.has_channel:
            raise Denied("vote_none")
        box = await self._repository.votes(context.snapshot)
        return {person: ballot for person, ballot in box.ballots.items() if not ballot.dropped}

    def moderating(self, context: Context) -> tuple[tuple[Button, ...], ...]:
        """Return the buttons of a moderator while a vote is open; () for other people."""
        snapshot = context.snapshot
        if not _is_judge(context, snapshot) or not voting.is_open(snapshot.table, snapshot.state):
            return ()
        return replies.moderating(snapshot.table, _stamp(snapshot), voting.counted(snapshot).voters, context.lang)

    # Due work

    async def due(self, snapshot: Snapshot) -> datetime | None:
        """Close the vote if it is time, or count its votes in the post. Return when to look again, if the table did not
        change."""
        table, state, now = snapshot.table, snapshot.state, self._clock.now()
        closes = deadlines.voting_closes(table)
        if state is None or closes is None:
            return deadlines.given_up(table)
        box = await self._repository.votes(snapshot)
        number, early = await asyncio.to_thread(voting.standing, box, table)  # a channel may have very many people
        is_again = isinstance(table.waiting, Voting) and table.waiting.again
        if min(closes, early or closes) <= now:
            now_ms = self._repository.now_ms()
            if number >= voting.LEAST or (number and is_again):
                saved = await self._close(snapshot, box)
            elif is_again:
                saved = await self._repository.close_vote(snapshot, box, voting.left_to_house(table, state, now_ms))
            else:
                step = tables.Step(voting.vote_again(table, now_ms), state)
                saved = await self._repository.close_vote(snapshot, box, step)
            return None if saved else now
        coming = min(closes, early or closes)
        message = snapshot.board_message
        if message is not None and message.voters != voting.counted(snapshot).voters:
            if not self._outbox.serves(table.place):
                return min(coming, now + timedelta(seconds=ELSEWHERE_S))
            self._outbox.show(snapshot)
        return coming

    async def _close(self, snapshot: Snapshot, box: voting.Box) -> bool:
        """Play the turn with the most votes, unless another vote or save came first. Return whether it is saved."""
        anonymous = await self._is_anonymous(snapshot.table)
        now_ms = self._repository.now_ms()
        step = await asyncio.to_thread(voting.close, snapshot, box, now_ms, anonymous=anonymous)
        step = replace(step, table=await self._without_hidden(step.table))
        return await self._repository.close_vote(snapshot, box, step)

    async def _is_anonymous(self, table: Table) -> bool:
        """Return whether the place of *table* keeps the names of voters to itself."""
        return chosen(BALLOT, await self._preferences.place(table.place)) == "anonymous"

    async def _without_hidden(self, table: Table) -> Table:
        """Return *table* with a tally that does not name people who are hidden from statistics."""
        if table.tally is None or not table.tally.people:
            return table
        people = table.tally.people
        hidden = await self._preferences.hidden([voter.person for voter in people])
        named = tuple(replace(voter, name="") if voter.person in hidden else voter for voter in people)
        return replace(table, tally=replace(table.tally, people=named))


def _require_open(context: Context, snapshot: Snapshot) -> None:
    """Raise Denied unless the person may moderate, and a vote is open: managers_vote, vote_judge, vote_later."""
    _require_judge(context, snapshot)
    if not voting.is_open(snapshot.table, snapshot.state):
        state = snapshot.state
        up = None if state is None else state.actor
        raise Denied("vote_later", who="" if up is None else names(snapshot.table, context.lang)[up])


def _require_judge(context: Context, snapshot: Snapshot) -> None:
    """Raise Denied unless the person manages the place and plays no part in the game: managers_vote, vote_judge."""
    if not context.update.may_manage:
        raise Denied("managers_vote")
    if not _is_judge(context, snapshot):
        raise Denied("vote_judge")


def _is_judge(context: Context, snapshot: Snapshot) -> bool:
    """Return whether the person manages the place, and has and had no seat."""
    return context.update.may_manage and context.update.person.id not in snapshot.table.sat


def _stamp(snapshot: Snapshot) -> Stamp:
    return Stamp(*voting.moment(snapshot))


def _kept(snapshot: Snapshot, state: State, steps: Sequence[str], voters: int, lang: str) -> Reply:
    again = Vote(snapshot.table.id, _stamp(snapshot))
    return replies.kept(snapshot.table, state.view(None), steps, voters, again, lang)


def _walked(table: Table, view: State, seat: int, made: Sequence[int]) -> Walk:
    """Return the turn with the actions of these numbers. It ends with an action whose result is hidden."""
    walk = plans.walked(table, view, seat, made, asks=False)
    if walk.misfit is None or walk.misfit.code != "hidden":
        return walk
    action = next(action for action in walk.view.actions() if str(action) == walk.misfit.action)
    return replace(walk, actions=(*walk.actions, action), is_whole=True, misfit=None)


def _question(table: Table, view: State, seat: int, made: Sequence[int]) -> str | None:
    """Return the code of the question before the last of the actions with these numbers, or None."""
    if not made:
        return None
    before = plans.walked(table, view, seat, made[:-1], asks=False)
    actions = before.view.actions()
    return tables.question_before(table, before.view, actions[made[-1]]) if made[-1] < len(actions) else None
