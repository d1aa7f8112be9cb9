"""The message that shows a table in a place, and the stale messages that it replaced. Pure.

`bot.tables.showing` plans how the message changes; `bot.delivery` carries the plan out.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from bot.chat import MessageId, PlaceId
from bot.tables.table import Table

RESTORED = "restored"
"""The mark of a message from a backup: its content is unknown, and newer messages may exist."""
MOST_STALE = 8
"""How many stale messages are remembered; older ones are out of sight."""


class Removal(StrEnum):
    """How a stale message ends: it loses its buttons, it is deleted, or its content is deleted or covered."""

    STRIP = "strip"
    DELETE = "delete"
    COVER = "cover"


class Venue(Struct, frozen=True, omit_defaults=True):
    """Where and how a table is shown.

    *place*: "" for the table's own. *lang*: of the texts there. *theme*: of the pictures, "" for the bot's.
    """

    place: PlaceId
    lang: str
    theme: str = ""


class StaleMessage(Struct, frozen=True, omit_defaults=True):
    """A former message whose removal is still to be done. *relocations*: `Table.relocations` when it was posted."""

    message: MessageId
    ending: Removal
    relocations: int = field(default=0, name="moves")


class BoardMessage(Struct, frozen=True, omit_defaults=True):
    """The newest message that shows a table, *at* a venue (None: unknown, the table's own).

    - *revision*, *mark*: of the table that it shows.
    - *subject*: see `bot.tables.table.subject`; a new subject is a new message.
    - *news_since*: it tells the news after this revision; *events_since*: the events beside the game after this one.
    - *first_revision*: the revision with which it was posted first.
    - *opens*: it is the first board of its game and tells how the game begins.
    - *relocations*: `Table.relocations` when it was posted; `bot.tables.table.place_of_message` gives its place.
    - *fades*: it may not stay visible while the game forgets. *warned*: players have been told that such messages stay.
    - *asks*: it shows a question to all players.
    - *unpictured*: the place refuses pictures, and players have been told so.
    - *voters*: the number of people of a channel who had voted.
    - *offered*: the seats that it offers to substitutes.
    - *stale*: former messages whose removal is still to be done.

    Stored without a schema number: fields may only be added, with defaults.
    """

    message: MessageId
    revision: int
    subject: str = field(name="page")
    news_since: int = field(default=0, name="since")
    events_since: int = field(default=0, name="heard")
    first_revision: int = field(default=0, name="began")
    opens: bool = False
    relocations: int = field(default=0, name="moves")
    fades: bool = False
    warned: bool = field(default=False, name="told")
    asks: bool = False
    mark: str = ""
    unpictured: bool = False
    voters: int = 0
    offered: tuple[int, ...] = ()
    stale: tuple[StaleMessage, ...] = field(default=(), name="litter")
    at: Venue | None = None

    def shows(self, table: Table) -> bool:
        """Return whether it shows *table* as it is, in the table's language and theme."""
        return self.revision == table.revision and self.mark in ("", table.mark) and self.looks_like(table)

    def looks_like(self, table: Table) -> bool:
        """Return whether it has the language and theme of *table*, as far as they are known."""
        return self.at is None or (self.at.lang, self.at.theme) == (table.lang, table.theme)


def with_stale(message: BoardMessage, *stale: StaleMessage) -> BoardMessage:
    """Return *message* with more *stale* messages, at most `MOST_STALE`; the oldest are dropped."""
    return replace(message, stale=(*message.stale, *stale)[-MOST_STALE:])


def without_stale(message: BoardMessage, removed: Iterable[StaleMessage]) -> BoardMessage:
    """Return *message* without the stale messages that are *removed*."""
    done = set(removed)
    return replace(message, stale=tuple(stale for stale in message.stale if stale not in done))


def newest(known: Sequence[BoardMessage | None], table: Table) -> BoardMessage | None:
    """Return the message that shows *table* now, from several sources, the most reliable last.

    Among equally new messages the more reliable source wins. A message that shows a newer revision than *table* shows
    a lost save: it counts only if no message shows *table*.
    """
    best = None
    for message in known:
        if message is None or not message.message:
            continue
        if best is None or message.shows(table) or (message.revision >= best.revision and not best.shows(table)):
            best = message
    return best
