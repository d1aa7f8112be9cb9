"""The request to see the board again."""

from bot.chat import Reply
from bot.delivery.outbox import Outbox
from bot.replies import notes
from bot.requests import Board
from bot.service.context import Context
from bot.service.due import Due
from bot.service.feature import answers
from bot.service.lobbies import Lobbies


class Boards:
    """Posts boards again."""

    def __init__(self, lobbies: Lobbies, outbox: Outbox, due: Due) -> None:
        self._lobbies = lobbies
        self._outbox = outbox
        self._due = due

    @answers(Board)
    async def post_again(self, context: Context, _: Board) -> Reply:
        """Post the board as a new message; a resting table goes on here."""
        if context.snapshot.table.is_resting:
            woken, reply = await self._lobbies.wake(context.update, context.snapshot, context.lang)
            if woken is not None:
                self._outbox.show(woken, again=True)
            return reply
        self._outbox.show(await self._due.note_silence(context.snapshot, context.update.person.id), again=True)
        return notes.promise("board.again", context.lang)
