"""The answer about a table whose place takes no posts: it says so, and shows the board to its reader alone."""

from msgspec.structs import replace

from bot.chat import Reply, Role
from bot.replies import notes
from bot.repository.repository import Repository
from bot.runtime.clock import Clock
from bot.service.context import Context
from bot.service.playing import Playing
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot


class UnreachableAnswers:
    """Completes the answers about such tables."""

    def __init__(self, repository: Repository, playing: Playing, clock: Clock) -> None:
        self._repository = repository
        self._playing = playing
        self._clock = clock

    async def completed(self, context: Context, reply: Reply | None) -> Reply | None:
        """Return *reply* with the reason why the table's place takes no posts, if it takes none.

        A line that would vanish, or that promises a board, becomes a note with the reader's own view of the board.
        """
        if context.about is None or not context.about.table.is_unreachable:
            return reply
        snapshot = await self._repository.find(context.about.table.id)
        if snapshot is None or not snapshot.table.is_unreachable or snapshot.table.lacks_game:
            return reply
        why = notes.unreachable(snapshot.table, self._clock.now(), context.lang)
        if reply is not None and not reply.role.is_toast:
            return replace(reply, text=_joined(reply.text, why), brief="")
        said = "" if reply is None or reply.role is Role.PROMISE else reply.text
        board = await self._board(context, snapshot)
        return replace(board, text=_joined(said, why, board.text))

    async def _board(self, context: Context, snapshot: Snapshot) -> Reply:
        """Return the reader's own view; of a lobby, and of a board that may not stay, only an empty note."""
        if snapshot.state is None or tables.forgets(snapshot.table, snapshot.state):
            return Reply()
        return await self._playing.view(context.update, snapshot, context.lang)


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
