"""The answer about a table whose place takes no posts: it says so, and shows the board to its reader alone."""

import asyncio

from msgspec.structs import replace

from bot.chat import Reply, Role
from bot.delivery.outbox import Outbox
from bot.replies import notes
from bot.replies.words import say
from bot.repository.repository import Repository
from bot.runtime.clock import Clock
from bot.service.context import Context
from bot.service.playing import Playing
from bot.tables.snapshot import Snapshot
from bot.tables.table import Phase, Table

PROMISE_S = 2.0
"""Longest wait for the board that an answer announces. Then the answer only says that it takes longer."""


class UnreachableAnswers:
    """Completes the answers about such tables."""

    def __init__(self, repository: Repository, outbox: Outbox, playing: Playing, clock: Clock) -> None:
        self._repository = repository
        self._outbox = outbox
        self._playing = playing
        self._clock = clock

    async def completed(self, context: Context, reply: Reply | None) -> Reply | None:
        """Return *reply* with the reason why the table's place takes no posts, if it takes none.

        A line that would vanish, or that promises a board, becomes a note with the reader's own view of the board. A
        promise waits until delivery knows whether the board is shown.
        """
        promises = reply is not None and reply.role is Role.PROMISE
        about = context.about
        if promises and (about is None or about.table.phase == Phase.OVER):  # a new table was opened
            about = await self._repository.on(context.update.place.id)
        if about is None or not (promises or about.table.is_unreachable):
            return reply
        shown = await self._is_shown(about.table) if promises else True
        snapshot = await self._repository.find(about.table.id)
        if snapshot is None or snapshot.table.lacks_game:
            return reply
        if not snapshot.table.is_unreachable:
            if shown is None:
                return notes.promise("board.slow", context.lang)
            return reply if shown else await self._board(context, snapshot, say("board.later", context.lang))
        why = notes.unreachable(snapshot.table, self._clock.now(), context.lang)
        if reply is not None and not reply.role.is_toast:
            return replace(reply, text=_joined(reply.text, why), brief="")
        return await self._board(context, snapshot, "" if reply is None or promises else reply.text, why)

    async def _is_shown(self, table: Table) -> bool | None:
        """Return whether the newest board of *table* is shown, or None if that stays unknown for a while. Where the bot
        is no member, answers come first."""
        if table.replies_only:
            return True
        tried = asyncio.ensure_future(self._outbox.until_tried(table.id))
        pause = asyncio.ensure_future(self._clock.sleep(PROMISE_S))
        try:
            await asyncio.wait((tried, pause), return_when=asyncio.FIRST_COMPLETED)
            return tried.result() if tried.done() else None
        finally:
            tried.cancel()
            pause.cancel()

    async def _board(self, context: Context, snapshot: Snapshot, *before: str) -> Reply:
        """Return the reader's own view after the texts *before*; of a lobby only these."""
        if snapshot.state is None:
            return Reply(text=_joined(*before))
        board = await self._playing.shown_alone(context.update, snapshot, context.lang)
        return replace(board, text=_joined(*before, board.text))


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
