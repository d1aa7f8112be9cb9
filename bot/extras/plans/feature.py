"""Plans of next turns: a player decides while the others act; see `bot.tables.plans`.

A plan is an attachment of the table that belongs to the person (`bot.store.keys.own`), so keeping one changes nothing
that others can see, and it is exported and deleted with the person's data. A save removes it together with its turn,
so it is played once. The save that begins the turn makes the table due after a random delay (`Repository`).
"""

import asyncio
import logging
import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import MarkedPicture, PersonId, Picture, Reply, Update
from bot.delivery.painting import Pictures
from bot.extras.plans import replies
from bot.extras.plans.replies import OfPlan
from bot.house.suggesting import likely
from bot.replies import menus, notes, pointing, wording
from bot.replies.buttons import button
from bot.replies.favourites import favourites
from bot.replies.tree import Path, Tree
from bot.replies.words import game_name, names, say
from bot.repository.repository import Repository
from bot.requests import KeepPlan, KeepStanding, PlanIf, PlanTurn, Stamp, WithdrawPlan, payload
from bot.runtime.retry import SAVES
from bot.service.context import Context
from bot.service.feature import Beside, Feature, answers
from bot.service.history import HistoryAnswers
from bot.store import StoreDown
from bot.tables import logbook, plans
from bot.tables.plans import Misfit, Plan, Walk
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Entry, Phase, Step, Table, require, require_seat
from rules import GAMES, Action, BadNotation, IllegalAction, State

log = logging.getLogger(__name__)

MOST_LIKELY = 5
CONSIDERED = 96


class Draft(Struct, frozen=True):
    """A plan in the making. *seat*: whose turn it is. *seen*: the seat's view of the position. *start*: the position
    of the plan after *given*."""

    seat: int
    seen: State
    start: State
    given: tuple[Action, ...]


class Plans(Feature):
    """Answers ``/plan``, and plays planned turns."""

    def __init__(self, repository: Repository, history: HistoryAnswers, painter: Pictures) -> None:
        self._repository = repository
        self._history = history
        self._painter = painter

    # Making one

    @answers(PlanTurn)
    async def plan(self, context: Context, request: PlanTurn) -> Reply:
        """Show the person's plan or the choices of one, or keep a typed one. Denied: see `plans.require_planning`,
        plan_nothing, plan_long."""
        snapshot, lang, person = context.snapshot, context.lang, context.update.person.id
        table = snapshot.table
        require(table, Phase.RUNNING)
        require_seat(table, person)
        if request.text is not None:
            return await self._typed(context, request.text)
        said = list[str]()
        if request.stamp is None:
            known = await self._settled(snapshot, person)
            if isinstance(known, Plan):
                is_up = _is_due(snapshot, known, person)
                again = PlanTurn(table.id, moment(table)) if plans.may_plan(table, snapshot.state, person) else None
                return replies.kept(table, _unbegun(snapshot, person), known, lang, is_up=is_up, again=again)
            if isinstance(known, Misfit):
                said.append(replies.missed(table, _unbegun(snapshot, person), known, lang))
        plans.require_planning(table, snapshot.state, person)
        given, made, path = _split(request.steps, request.given, request.made)
        if request.stamp not in (None, moment(table)):
            said.append(say("plan.moved_on", lang))
            given, made, path = (), (), ()
        return await self._choices(context, given, made, path, request.page, said)

    async def _choices(
        self,
        context: Context,
        given: tuple[int, ...],
        made: tuple[int, ...],
        path: Path,
        page: int,
        said: Sequence[str] = (),
    ) -> Reply:
        """Show the next choices of a plan, or the question whether to keep it."""
        snapshot, lang = context.snapshot, context.lang
        table = snapshot.table
        draft = self._draft(snapshot, context.update.person.id, given)
        if draft is None:
            if given:
                raise Denied("plan_nothing")
            return await self._conditions(context)
        lines = list(said)
        walk = await asyncio.to_thread(plans.walked, table, draft.start, draft.seat, made)
        if walk.misfit is not None:
            lines.append(replies.why(table, draft.start, walk.misfit, lang))
            made, path, page = made[: len(made) - 1], (), 0
            walk = await asyncio.to_thread(plans.walked, table, draft.start, draft.seat, made)
            if walk.misfit is not None:
                raise Denied("plan_nothing")
        lines.append(_head(table, draft, walk, lang))
        decision = OfPlan(table, moment(table), given, made, draft.seat)
        if walk.is_whole:
            picture = await self._picture(context.update, table, walk.view, draft.seat, lang)
            return replies.whole(table, decision, lines, picture, lang)
        if payload.read(decision.part((99, 99)).payload) is None:
            raise Denied("plan_long")
        tree = Tree.of(table.game, walk.view)
        at, choices = tree.arrived(path)
        first = await asyncio.to_thread(favourites, walk.view, tree, at) if len(choices) > menus.ON_A_PAGE else ()
        only_if = decision.only_if() if not path else None
        more = () if only_if is None else (button(only_if, lang), *replies.standings(table, draft.start, lang))
        menu = menus.menu(decision, walk.view, tree, path, page, lang, can_undo=bool(made), more=more, first=first)
        if walk.known is not None:
            picture = await self._picture(context.update, table, walk.known, draft.seat, lang)
            return replies.choosing(table, menu, lines, picture, lang)
        look = await self._history.look(context.update, table, draft.seat, lang)
        look = replace(look, hand=draft.seat, chosen=pointing.chosen(tree, path))
        spots = await self._painter.spots(walk.view, look)
        reach = pointing.reach(tree, path, spots)
        picture = await self._painter.picture(walk.view, replace(look, choices=tuple(reach.choices)))
        marked = MarkedPicture.of(picture, pointing.targets(decision, walk.view, reach, spots, lang))
        return replies.choosing(table, menu, lines, marked, lang)

    def _seen(self, snapshot: Snapshot, person: PersonId) -> tuple[int, State]:
        """Return the seat of *person*, and its view of the position that all may see. Denied: see
        `plans.require_planning`."""
        table, state = snapshot.table, snapshot.state
        seat = plans.require_planning(table, state, person)
        assert state is not None
        return seat, logbook.public_position(table, state, snapshot.recent).view(seat)

    def _draft(self, snapshot: Snapshot, person: PersonId, given: Sequence[int]) -> Draft | None:
        """Return the beginning of a plan after the actions with the numbers *given*; None if nothing can be planned.
        Denied: see `plans.require_planning`."""
        seat, seen = self._seen(snapshot, person)
        actions = _numbered(seen, given)
        return None if actions is None else _drafted(seat, seen, actions)

    @answers(PlanIf)
    async def conditions(self, context: Context, request: PlanIf) -> Reply:
        """Show likely turns of the actor. Denied: see `plans.require_planning`, plan_nothing."""
        if request.stamp != moment(context.snapshot.table):
            return await self._choices(context, (), (), (), 0, (say("plan.moved_on", context.lang),))
        return await self._conditions(context)

    async def _conditions(self, context: Context) -> Reply:
        table = context.snapshot.table
        seat, seen = self._seen(context.snapshot, context.update.person.id)
        if seen.actor is None or seen.actor == seat:
            raise Denied("plan_nothing")
        listed = seen.actions()
        chosen = await asyncio.to_thread(likely, seen, MOST_LIKELY, CONSIDERED)
        usable = [(listed.index(one), one) for one in chosen if plans.base(seen, seat, (one,)) is not None]
        if not usable:
            raise Denied("plan_nothing")
        return replies.conditions(table, moment(table), seen, usable, context.lang)

    async def _typed(self, context: Context, text: str) -> Reply:
        """Keep a typed turn, with or without a condition; only a condition: show the choices after it."""
        table, lang = context.snapshot.table, context.lang
        turn, condition = _with_condition(text)
        seat, seen = self._seen(context.snapshot, context.update.person.id)
        try:
            given = _foreseen(table, seen, condition) if condition else ()
            draft = _drafted(seat, seen, given)
            if draft is None:
                raise Denied("plan_nothing")
            if not turn:
                return await self._choices(context, _numbers(seen, given), (), (), 0)
            steps = [str(action) for action in wording.read(table.game, draft.start, turn)]
        except BadNotation as no:
            return replies.refused(table, replies.unread(table, no, lang), lang)
        except IllegalAction as no:
            return replies.refused(
                table, replies.why(table, seen, Misfit("refused", "", no.code, no.detail), lang), lang
            )
        walk = await asyncio.to_thread(plans.walked, table, draft.start, draft.seat, steps)
        if walk.misfit is None and not walk.is_whole:
            walk = replace(walk, misfit=Misfit("unfinished"))
        if walk.misfit is not None:
            return replies.refused(table, replies.why(table, draft.start, walk.misfit, lang), lang)
        return await self._keep(context, draft, walk)

    @answers(KeepPlan)
    async def keep(self, context: Context, request: KeepPlan) -> Reply:
        """Keep a plan. Denied: see `plans.require_planning`, plan_nothing."""
        table = context.snapshot.table
        given, made, _ = _split(request.steps, request.given, len(request.steps) - request.given)
        if request.stamp != moment(table):
            plans.require_planning(table, context.snapshot.state, context.update.person.id)
            return await self._choices(context, (), (), (), 0, (say("plan.moved_on", context.lang),))
        draft = self._draft(context.snapshot, context.update.person.id, given)
        if draft is None:
            raise Denied("plan_nothing")
        walk = await asyncio.to_thread(plans.walked, table, draft.start, draft.seat, made)
        if walk.misfit is not None or not walk.is_whole:
            return await self._choices(context, given, made, (), 0)
        return await self._keep(context, draft, walk)

    async def _keep(self, context: Context, draft: Draft, walk: Walk) -> Reply:
        """Store the plan, unless the position that it was made for is over meanwhile. Raises StoreDown."""
        snapshot, person, lang = context.snapshot, context.update.person.id, context.lang
        made_for = moment(snapshot.table)
        for _ in range(SAVES.tries):
            plan = _plan(snapshot, draft, walk)
            if await self._repository.keep_plan(snapshot, person, plans.encoded(plan)):
                again = PlanTurn(snapshot.table.id, made_for)
                return replies.kept(snapshot.table, draft.start, plan, lang, again=again)
            snapshot = await self._repository.load(snapshot.table.id)
            plans.require_planning(snapshot.table, snapshot.state, person)
            if moment(snapshot.table) != made_for:
                said = (say("plan.moved_on", lang),)
                return await self._choices(replace(context, about=snapshot), (), (), (), 0, said)
        raise StoreDown(f"table {snapshot.table.id} changed too often")

    @answers(KeepStanding)
    async def stand(self, context: Context, request: KeepStanding) -> Reply:
        """Keep a standing turn as a plan. Denied: see `plans.require_planning`, plan_nothing."""
        snapshot, person, lang = context.snapshot, context.update.person.id, context.lang
        for _ in range(SAVES.tries):
            table = snapshot.table
            draft, known = self._draft(snapshot, person, ()), GAMES[table.game].standings
            chosen = known[request.standing].id if request.standing < len(known) else ""
            if draft is None or chosen not in plans.standings(table.game, draft.start):
                raise Denied("plan_nothing")
            plan = Plan(table.turn, standing=chosen)
            if await self._repository.keep_plan(snapshot, person, plans.encoded(plan)):
                return replies.kept(table, draft.start, plan, lang, again=PlanTurn(table.id, moment(table)))
            snapshot = await self._repository.load(table.id)
        raise StoreDown(f"table {snapshot.table.id} changed too often")

    @answers(WithdrawPlan)
    async def withdraw(self, context: Context, _: WithdrawPlan) -> Reply:
        """Remove the person's plan. Denied: not_running, over, not_playing, house_plays."""
        require(context.snapshot.table, Phase.RUNNING)
        require_seat(context.snapshot.table, context.update.person.id)
        await self._repository.withdraw_plan(context.snapshot.table.id, context.update.person.id)
        return notes.toast("plan.withdrawn", context.lang)

    async def _picture(self, update: Update, table: Table, view: State, seat: int, lang: str) -> Picture:
        look = await self._history.look(update, table, seat, lang)
        return await self._painter.picture(view, replace(look, hand=seat))

    # Showing it to its person

    async def beside(self, snapshot: Snapshot, person: PersonId, lang: str) -> Beside:
        """Return the plan, or why it was dropped, or the button that makes one."""
        table = snapshot.table
        known = await self._known(snapshot, person)
        lines = self._lines(snapshot, known, person, lang)
        if isinstance(known, Plan):
            return Beside(lines, (replies.withdraw(table, lang),))
        if not plans.may_plan(table, snapshot.state, person):
            return Beside(lines)
        return Beside(lines, (button(PlanTurn(table.id), lang),))

    async def in_games(self, snapshot: Snapshot, person: PersonId, lang: str) -> Beside:
        """Return the plan or why it was dropped, with the name of the game."""
        table = snapshot.table
        if table.phase != Phase.RUNNING or table.seat_of(person) is None or snapshot.state is None:
            return Beside()
        known, game = await self._known(snapshot, person), game_name(table.game, lang)
        lines = tuple(say("plan.of", lang, game=game, plan=line) for line in self._lines(snapshot, known, person, lang))
        if not isinstance(known, Plan):
            return Beside(lines)
        return Beside(lines, (replies.withdraw(table, lang, say("button.unplan.of", lang, game=game)),))

    def _lines(self, snapshot: Snapshot, known: Plan | Misfit | None, person: PersonId, lang: str) -> tuple[str, ...]:
        view = _unbegun(snapshot, person)
        match known:
            case Misfit():
                return (replies.missed(snapshot.table, view, known, lang),)
            case Plan():
                line = replies.line(snapshot.table, view, known, lang)
                return (line, say("plan.soon", lang)) if _is_due(snapshot, known, person) else (line,)
            case None:
                return ()

    async def _known(self, snapshot: Snapshot, person: PersonId) -> Plan | Misfit | None:
        """Return `_settled`, or None if the store does not answer: a saved move is confirmed all the same."""
        try:
            return await self._settled(snapshot, person)
        except StoreDown:
            return None

    async def _settled(self, snapshot: Snapshot, person: PersonId) -> Plan | Misfit | None:
        """Return the person's plan, or why it was dropped: also now, if it is their turn and the plan does not fit."""
        content = await self._repository.plan(snapshot, person)
        plan = plans.decoded(content)
        if not isinstance(plan, Plan) or not _is_due(snapshot, plan, person):
            return plan
        entries = await self._repository.log(snapshot.table)
        return await self._judged(snapshot, entries, person, plan, content) or plan

    async def _judged(
        self, snapshot: Snapshot, entries: Sequence[Entry], person: PersonId, plan: Plan, content: bytes
    ) -> Misfit | None:
        """Return why *plan*, which is due, does not fit, after dropping it; None if it fits. *entries*: the log."""
        table, state = snapshot.table, snapshot.state
        assert state is not None
        misfit = await asyncio.to_thread(plans.misfit, plan, table, state, entries)
        if misfit is not None:
            await self._repository.keep_plan(snapshot, person, plans.encoded(misfit), content)
        return misfit

    # Playing it

    async def plays_for(self, snapshot: Snapshot) -> bool:
        """Play the planned turn of the actor, if it fits; otherwise drop it."""
        table, state = snapshot.table, snapshot.state
        person = plans.waits_for(_step(snapshot))
        if person is None or state is None:
            return False
        content = await self._repository.plan(snapshot, person)
        plan = plans.decoded(content)
        if not isinstance(plan, Plan) or not _is_due(snapshot, plan, person):
            return False
        entries = await self._repository.log(table)
        if await self._judged(snapshot, entries, person, plan, content) is not None:
            return False
        step = plans.played(plan, table, state, logbook.effective(entries), self._repository.now_ms())
        if not step.entries:
            return False
        done = await self._repository.play_plan(snapshot, person, step, content, stays=bool(plan.standing))
        if done is not None and not done.is_saved and done.snapshot.save == snapshot.save:
            return False  # it was withdrawn just now: the clock goes on
        if done is not None and done.is_saved and plans.waits_for(step) == person and step.table.turn == table.turn:
            stopped = Misfit("stopped", step.entries[-1].action)
            await self._repository.keep_plan(done.snapshot, person, plans.encoded(stopped))
        return True


def moment(table: Table) -> Stamp:
    """Return the stamp of the position that all players see: of the save if they see each step, else of the turn."""
    return Stamp.of(table) if GAMES[table.game].shows_steps else Stamp(table.turn, table.turn_mark)


def _step(snapshot: Snapshot) -> Step:
    return Step(snapshot.table, snapshot.state)


def _is_due(snapshot: Snapshot, plan: Plan, person: PersonId) -> bool:
    """Return whether *plan* is for the turn that goes on."""
    table, state = snapshot.table, snapshot.state
    if state is None or plans.waits_for(_step(snapshot)) != person or table.turn <= plan.turn:
        return False
    return not plans.is_ahead(plan, table, state)


def _unbegun(snapshot: Snapshot, person: PersonId) -> State:
    """Return the view of *person*, if possible of a position in which no turn is begun."""
    table, state = snapshot.table, snapshot.state
    assert state is not None
    seat = table.seat_of(person)
    view = logbook.public_position(table, state, snapshot.recent).view(seat)
    return view if seat is None else view.turn_of(seat) or view


def _split(steps: tuple[int, ...], given: int, made: int) -> tuple[tuple[int, ...], tuple[int, ...], Path]:
    return steps[:given], steps[given : given + made], steps[given + made :]


def _plan(snapshot: Snapshot, draft: Draft, walk: Walk) -> Plan:
    table, actor = snapshot.table, draft.seen.actor
    assert actor is not None
    if not draft.given:
        return Plan(table.turn, walk.steps)
    public = logbook.public_actions(table, snapshot.recent)
    begun = [entry.action for entry in public if entry.turn == table.turn]
    return Plan(table.turn, walk.steps, (*begun, *map(str, draft.given)), actor)


def _head(table: Table, draft: Draft, walk: Walk, lang: str) -> str:
    """Return the first line of a plan in the making: its condition, and its steps so far."""
    assert draft.seen.actor is not None
    steps = wording.steps_text(table.game, draft.start, walk.steps, lang)
    if draft.given:
        given = wording.steps_text(table.game, draft.seen, tuple(map(str, draft.given)), lang)
        head = say("plan.begin.if", lang, who=names(table, lang)[draft.seen.actor], given=given)
    else:
        head = say("plan.begin", lang)
    return "\n".join(filter(None, (head, say("plan.so_far", lang, steps=steps) if steps else "")))


def _with_condition(text: str) -> tuple[str, str]:
    """Return the turn and the condition in a typed plan.

    >>> _with_condition("b3-c4 if a1-a2"), _with_condition("if a1-a2"), _with_condition("b3-c4")
    (('b3-c4', 'a1-a2'), ('', 'a1-a2'), ('b3-c4', ''))
    """
    known = {word for lang in texts.languages() for word in say("plan.if.words", lang).split()}
    pattern = rf"(?:^|\s)(?:{'|'.join(map(re.escape, sorted(known)))})\s"
    turn, *condition = re.split(pattern, text, maxsplit=1, flags=re.IGNORECASE)
    return turn.strip(), condition[0].strip() if condition else ""


def _foreseen(table: Table, seen: State, text: str) -> tuple[Action, ...]:
    """Return the typed actions of the actor of *seen*, as far as they belong to this turn. Raises BadNotation,
    IllegalAction."""
    actions, view, actor = list[Action](), seen, seen.actor
    for action in wording.read(table.game, seen, text):
        try:
            after = view.play(action)
        except IllegalAction:
            if action not in view.actions():
                raise
            actions.append(action)
            break
        actions.append(action)
        if after.actor != actor or view.ends_turn(after):
            break
        view = after
    return tuple(actions)


def _drafted(seat: int, seen: State, given: tuple[Action, ...]) -> Draft | None:
    start = plans.base(seen, seat, given)
    return None if start is None else Draft(seat, seen, start, given)


def _numbered(seen: State, numbers: Sequence[int]) -> tuple[Action, ...] | None:
    """Return the actions with these *numbers*, as far as their results can be foreseen; None if there are none such.
    The inverse of `_numbers`."""
    actions, view = list[Action](), seen
    for number in numbers:
        listed = view.actions()
        if number >= len(listed):
            return None
        actions.append(listed[number])
        try:
            view = view.play(actions[-1])
        except IllegalAction:  # the result is hidden
            break
    return tuple(actions)


def _numbers(seen: State, given: Sequence[Action]) -> tuple[int, ...]:
    """Return the numbers of *given* actions. Denied: plan_nothing."""
    numbers, view = list[int](), seen
    for number, action in enumerate(given):
        listed = view.actions()
        if action not in listed:
            raise Denied("plan_nothing")
        numbers.append(listed.index(action))
        if number + 1 < len(given):
            view = view.play(action)
    return tuple(numbers)
