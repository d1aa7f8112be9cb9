"""A table with its position, as it was loaded or saved: the one value that travels from the store to a post. Pure."""

from collections.abc import Mapping

from msgspec import Struct, field

from bot.chat import PlaceId
from bot.tables.board_message import BoardMessage
from bot.tables.table import Entry, Table
from rules import State


class UnrecordedPost(Struct, frozen=True):
    """A board of this revision and *mark* that may be in the place: its process may have died before it recorded it."""

    revision: int
    mark: str


class Snapshot(Struct, frozen=True, kw_only=True):
    """A table and its position at one save.

    *state*: None in a lobby, and as the store loads it; the repository adds it. *recent*: the newest entries of the
    log, oldest first. *board_message*: the message that shows the table, None before the first. *elsewhere*: the
    messages that show it at other venues, by place.

    *count*: of the votes of a channel, as it is stored (`bot.tables.voting.Count`).

    *save*: the unique name of the save, "" before the first. *unrecorded*: a former post with an unknown fate, or None.
    """

    table: Table
    state: State | None = None
    recent: tuple[Entry, ...] = ()
    board_message: BoardMessage | None = None
    elsewhere: Mapping[PlaceId, BoardMessage] = field(default_factory=dict)
    count: bytes = b""
    save: str = ""
    unrecorded: UnrecordedPost | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the board message shows the table as it is."""
        return self.board_message is not None and self.board_message.shows(self.table)
