"""What players may want beside the game: take back, draw, resign, end, and what to do with somebody who is late.

Every method gives a change, to be applied to the table as it is by then.
"""

from cachetools import LRUCache

from bot.chat import PersonId, Reply, Update
from bot.replies import notes
from bot.replies.tree import draw_of, knows_draws
from bot.replies.words import game_name
from bot.repository.repository import Change, Repository
from bot.repository.turn_rights import who_acts
from bot.requests import Stamp
from bot.service.not_acting import not_acting
from bot.tables import absence, afterwards, logbook, votes
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Step, TableId

KEPT = 256  # answers to the question whether a step can be taken back


class Agreements:
    """Changes that people ask each other for, or decide for themselves."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._free = LRUCache[tuple[TableId, str, PersonId], tuple[bool | None]](KEPT)  # by save

    def undoing(self, update: Update, lang: str) -> Change:
        async def apply(seen: Snapshot) -> tuple[Step, Reply]:
            log = await self._repository.log(seen.table)
            if tables.forgets(seen.table, seen.state) and logbook.has_played(seen.table, log, update.person.id):
                raise Denied("forgets")
            undo = logbook.undo(seen.table, log, update.person.id)
            if undo.freely:
                return undo.step, notes.toast("undone", lang)
            asked = votes.ask(seen.table, update.person.id, "undo")
            if votes.all_agree(asked):
                return undo.step, notes.toast("undone", lang)
            return Step(asked, seen.state), notes.asked(seen.table, update.person.id, lang)

        return apply

    def drawing(self, update: Update, lang: str) -> Change:
        """A draw is an action like others, where the game knows it."""

        async def apply(seen: Snapshot) -> tuple[Step | None, Reply | None]:
            if not knows_draws(seen.table.game):
                raise Denied("no_draws", game=game_name(seen.table.game, lang))
            acting = who_acts(seen, update.person.id)
            if acting is None:
                return None, not_acting(seen, update, lang)
            view = acting.state.view(acting.seat)
            action = draw_of(seen.table.game, view)
            if action is None:
                raise Denied("no_draw")
            question = acting.state.warns(action)
            if question is not None:
                index, secret = acting.state.actions().index(action), tables.hides(acting.state, acting.seat)
                return None, notes.sure(seen.table, view, action, question, index, lang, secret)
            now_ms = self._repository.now_ms()
            offered = tables.play(seen.table, acting.state, action, now_ms)
            step = afterwards.play_on(offered, seen.table.turn, now_ms)
            if step.table.phase == Phase.RUNNING and step.table.turn == seen.table.turn:
                return step, notes.drawn(seen.table.game, view, action, lang)
            return step, notes.played(seen.table.game, (action,), lang)  # nothing else was left to do

        return apply

    def resigning(self, update: Update, sure: bool, lang: str) -> Change:
        async def apply(seen: Snapshot) -> tuple[Step | None, Reply]:
            if seen.table.phase != Phase.RUNNING or seen.state is None:
                raise Denied("not_running" if seen.table.phase == Phase.LOBBY else "over")
            tables.require_seat(seen.table, update.person.id)
            if not sure:
                return None, notes.resign(seen.table, seen.state.actor, lang)
            now_ms = self._repository.now_ms()
            step = await self._repository.without_unsent(
                seen, lambda table, state: absence.resign(table, state, update.person.id, now_ms)
            )
            return step, notes.toast("resigned", lang)

        return apply

    def ending(self, update: Update, sure: bool, lang: str) -> Change:
        async def apply(seen: Snapshot) -> tuple[Step | None, Reply]:
            step = await self.end(update, seen)
            running = seen.table.phase == Phase.RUNNING  # a lobby closes unasked: nobody loses anything
            if running and step.table.phase == Phase.OVER and not sure:
                up = None if seen.state is None else seen.state.actor
                return None, notes.end(seen.table, up, step.table, lang)
            if step.table.phase != Phase.OVER:
                return step, notes.asked(seen.table, update.person.id, lang)
            return step, notes.toast("lobby.closed" if seen.table.phase == Phase.LOBBY else "ended", lang)

        return apply

    async def end(self, update: Update, seen: Snapshot) -> Step:
        """What comes of it when the person of *update* wants the table to end. Denied: see `votes.end`."""
        person, may = update.person.id, update.may_manage
        if seen.table.phase != Phase.RUNNING or seen.state is None:
            return votes.end(seen.table, seen.state, person, may)
        return await self._repository.without_unsent(seen, lambda table, state: votes.end(table, state, person, may))

    def agreeing(self, update: Update, asked: Stamp, yes: bool, lang: str) -> Change:
        """Yes or no to what was asked; when all agree, it happens."""

        async def apply(seen: Snapshot) -> tuple[Step, Reply]:
            person = update.person.id
            ask = seen.table.ask
            if ask is not None and (ask.revision, ask.mark) != (asked.number, asked.mark):
                raise Denied("stale")
            if not yes:
                table = votes.refuse(seen.table, person)
                if table.ask is not None and seen.state is not None:
                    table = votes.settled(table, seen.state)
                answer = notes.refused_vote(seen.table, table, seen.state, person, lang)
                return Step(votes.noted(seen.table, table, person), seen.state), answer
            agreed = votes.agree(seen.table, seen.state, person)
            assert agreed.ask is not None
            assert seen.state is not None
            step = Step(agreed, seen.state)
            if agreed.ask.what == "end":
                step = await self._repository.without_unsent(
                    seen, lambda table, state: Step(votes.settled(votes.agree(table, state, person), state), state)
                )
            elif votes.all_agree(agreed):
                step = logbook.undo(agreed, await self._repository.log(seen.table), agreed.ask.agreed[0]).step
            return step, notes.agreed(seen.table, step.table, lang)

        return apply

    def deciding(self, update: Update, stamp: Stamp, choice: int, sure: bool, lang: str) -> Change:
        """What the others want, now that somebody's time is up. What is for good is asked before."""

        async def apply(seen: Snapshot) -> tuple[Step | None, Reply]:
            table, state = seen.table, seen.state
            if state is None or not stamp.fits(table) or not table.overdue or state.actor is None:
                raise Denied("stale")
            seat = tables.require_seat(table, update.person.id)
            if seat == state.actor:
                raise Denied("not_yours_to_decide")
            now_ms = self._repository.now_ms()
            match choice:
                case 0:
                    step = absence.wait_again(table, state, seat, now_ms)
                case 1:
                    step = await self._repository.without_unsent(seen, absence.play_turn)
                case 2:
                    step = await self._repository.without_unsent(
                        seen, lambda table, state: absence.take_seat(table, state, now_ms)
                    )
                    if not sure:
                        return None, notes.taking(table, state.actor, step.table, lang)
                case _:
                    raise Denied("stale")
            return step, notes.decided(step.table, state.actor, lang)

        return apply

    async def can_undo(self, seen: Snapshot, person: PersonId) -> bool | None:
        """Whether *person* may take a step back without asking; None where there is nothing to take back."""
        if tables.forgets(seen.table, seen.state):
            return None
        key = (seen.table.id, seen.save, person)
        known = self._free.get(key)
        if known is None:  # a menu of several parts asks at each of them
            log = logbook.this_turn(seen.table, seen.recent)
            try:
                undo = logbook.undo(seen.table, await self._repository.log(seen.table) if log is None else log, person)
                known = (undo.freely,)
            except Denied:
                known = (None,)
            self._free[key] = known
        return known[0]
