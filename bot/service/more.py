"""The menu of everything else that a person can do at a table now."""

from msgspec.structs import replace

from bot.chat import Reply
from bot.replies import more
from bot.replies.more import Ways
from bot.repository.turn_rights import who_acts
from bot.requests import More
from bot.service.agreements import Agreements
from bot.service.context import Context
from bot.service.due import Due
from bot.service.feature import answers
from bot.service.guesses import Guesses
from bot.service.history import HistoryAnswers
from bot.service.undos import Undos
from bot.service.voting import VoteAnswers
from bot.tables import plans, substitutes
from bot.tables.table import Denied, Phase, require
from bot.tables.votes import all_agree, ask


class MoreAnswers:
    """Answers the button *More*."""

    def __init__(
        self,
        agreements: Agreements,
        due: Due,
        history: HistoryAnswers,
        undos: Undos,
        votes: VoteAnswers,
        guesses: Guesses,
    ) -> None:
        self._votes = votes
        self._guesses = guesses
        self._agreements = agreements
        self._due = due
        self._undos = undos
        self._history = history

    @answers(More)
    async def answer(self, context: Context, _: More) -> Reply:
        """Show the menu. Denied: over, not_running."""
        if context.snapshot.table.phase == Phase.OVER and context.snapshot.state is not None:
            plays = context.snapshot.table.seat_of(context.update.person.id) is not None
            plays_on = await self._history.has_starts(context.snapshot.table)
            return more.after(context.snapshot.table, context.lang, plays=plays, plays_on=plays_on)
        context = replace(context, about=await self._due.note_silence(context.snapshot, context.update.person.id))
        snapshot, person = context.snapshot, context.update.person.id
        require(snapshot.table, Phase.RUNNING)
        assert snapshot.state is not None
        seat = snapshot.table.seat_of(person)
        ways = Ways(
            plays=seat is not None,
            acts=who_acts(snapshot, person) is not None,
            plans=plans.may_plan(snapshot.table, snapshot.state, person),
            offers=substitutes.may_offer(snapshot.table, person),
            undo=await self._undoes(context),
            history=await self._has_history(context),
            end=await self._ends(context),
            moderates=self._votes.moderating(context),
            guesses=await self._guesses.may_guess(snapshot, person),
            concedes=context.update.may_manage and snapshot.table.twin is not None,
        )
        return more.more(snapshot.table, snapshot.state.view(seat), ways, context.lang)

    async def _undoes(self, context: Context) -> bool | None:
        """Return whether a step can be taken back without a question; None: not at all now."""
        snapshot, person = context.snapshot, context.update.person.id
        freely = None if snapshot.table.ask is not None else await self._undos.can_undo(snapshot, person)
        if freely or freely is None:
            return freely
        return None if snapshot.table.has_channel else all_agree(ask(snapshot.table, person, "undo"))

    async def _has_history(self, context: Context) -> bool:
        try:
            return bool(await self._history.visible_log(context.update, context.snapshot))
        except Denied:
            return False

    async def _ends(self, context: Context) -> bool | None:
        try:
            step = await self._agreements.end_step(context.update, context.snapshot)
            return step.table.phase == Phase.OVER or step.table.ask is None
        except Denied:
            return None
