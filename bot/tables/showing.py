"""Where a table is shown, and what becomes of that when the table changes. Pure: `bot.delivery` carries it out.

A *showing* is a table at one venue, by one message at a time. What that is about is its *page*: on the same page the
message is edited, a new page is a new message, and the former one loses its buttons, or goes where the game forgets::

    nothing ──post──▶ shown ──edit (same page)──▶ shown ──post (new page, or wanted again)──▶ shown
                        │                                                                       │
                        └── up to date, or a step that the others do not see: stays             └──▶ the former: litter

What could not be taken away of former messages is litter, which is tried again until it is gone.

Its own venue is where a table is played. Another one is a showing beside it, of the table as it is to be seen there
(`seen_at`); neither knows of the other.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.chat import MessageId, PlaceId
from bot.tables import logbook
from bot.tables import table as tables
from bot.tables.table import Entry, Phase, Table, forgets, page
from rules import GAMES, State

RESTORED = "restored"
"""The mark of a showing that comes from a backup: what stands there, nobody knows, nor what was posted since."""
MOST_LITTER = 8  # messages that are remembered; older ones are out of sight


class Removal(StrEnum):
    """What becomes of a former message: it loses its buttons, it goes, or nothing may be seen of it any more."""

    STRIP = "strip"
    DELETE = "delete"
    COVER = "cover"


class Venue(Struct, frozen=True, omit_defaults=True):
    """Where a table is shown, and how: a *place*, "" for the one where it is played; the language of what stands there,
    and the *theme* of its pictures, "" for the bot's."""

    place: PlaceId
    lang: str
    theme: str = ""


class Litter(Struct, frozen=True, omit_defaults=True):
    """A former message that is not as it should be yet. *moves*: of the table when it was posted."""

    message: MessageId
    ending: Removal
    moves: int = 0


class Showing(Struct, frozen=True, omit_defaults=True):
    """The newest message that shows a table, *at* its venue (None where that was not noted: the table's own).
    *page*: what it is about; a new page is a new message.

    It shows the revision and *mark* of the table; it tells the news after the revision *since*, and what people did
    beside the game after the revision *heard*; *began* is the revision that it was first posted with. *opens*: it is
    the first board of its game, and tells what that begins with. *moves*: of the table by then; after another one it
    stands elsewhere, or cannot be reached any more (`bot.tables.table.stood_in`).
    *fades*: it may not stay visible while the game forgets; *told*: it has been said that such messages do stay here.
    *asks*: it shows a question to all. *unpictured*: pictures are not allowed here, and this has been said.
    """

    message: MessageId
    revision: int
    page: str
    since: int = 0
    heard: int = 0
    began: int = 0
    opens: bool = False
    moves: int = 0
    fades: bool = False
    told: bool = False
    asks: bool = False
    mark: str = ""
    unpictured: bool = False
    litter: tuple[Litter, ...] = ()
    at: Venue | None = None

    def shows(self, table: Table) -> bool:
        """Whether *table* can be seen there as it is, in its language and theme."""
        return self.revision == table.revision and self.mark in ("", table.mark) and self.speaks_for(table)

    def speaks_for(self, table: Table) -> bool:
        """Whether it is in the language and theme of *table*, as far as that was noted."""
        return self.at is None or (self.at.lang, self.at.theme) == (table.lang, table.theme)


class Unnoted(Struct, frozen=True):
    """A board that may have been posted, as whoever was to do that may have died before it was noted: of which revision
    and *mark*."""

    revision: int
    mark: str


class Wanted(Struct, frozen=True):
    """A table as it is to be shown. *entries*: the newest of its log, the last ones at the end. *unnoted*: the board
    before it, where nobody knows whether that was posted.

    *elsewhere*: the place, where that is not the table's own; see `seen_at`.

    *again*: a new message is wanted at the bottom of the place, whatever stands there. *lost*: nothing stands there any
    more; whoever is up is called once more, as that call is gone, too.
    """

    table: Table
    state: State | None
    entries: tuple[Entry, ...]
    again: bool = False
    lost: bool = False
    unnoted: Unnoted | None = None
    elsewhere: PlaceId = PlaceId("")


def seen_at(at: Venue, wanted: Wanted) -> Wanted:
    """*wanted* as it is to be seen *at* a venue that is not the table's own: what is said there is in that language."""
    # How often its own place got another id is no matter there.
    table = replace(wanted.table, place=at.place, lang=at.lang, theme=at.theme, moves=0)
    return replace(wanted, table=table, elsewhere=at.place)


class Stay(Struct, frozen=True):
    """Nothing is to be done; *showing* is what stands there."""

    showing: Showing


class Edit(Struct, frozen=True):
    """The message is to be edited to what *showing* says."""

    showing: Showing


class New(Struct, frozen=True):
    """A new message is to be posted, which *showing* describes but for its id.

    *calls*: whoever is up may be called. *former*: what is to be ended, and how.
    """

    showing: Showing
    calls: bool = True
    former: Showing | None = None
    ending: Removal = Removal.STRIP


def planned(wanted: Wanted, former: Showing | None, *, gone: bool = False) -> Stay | Edit | New:
    """What is to be done so that *wanted* is shown where *former* stands. *gone*: that cannot be edited any more."""
    table = wanted.table
    about, at = page(table), Venue(wanted.elsewhere, table.lang, table.theme)
    same = former is not None and former.page == about
    gone = gone or wanted.lost
    if table.resting:
        return _resting(table, at, None if gone or former is None or former.moves != table.moves else former)
    if former is not None and former.moves == table.moves and not wanted.again and not gone:
        if former.shows(table):
            return Stay(former)
        # What is left unanswered goes; and what the others can decide, they decide of the table as it is now.
        stays = not former.asks and not table.overdue and former.speaks_for(table)
        if same and former.revision < table.revision and _waits(wanted, former.revision) and stays:
            return Stay(replace(former, revision=table.revision, mark=table.mark))
        if same:
            return Edit(replace(former, revision=table.revision, mark=table.mark, asks=table.ask is not None, at=at))
    since, heard, began = 0, 0, _tells_until(wanted)
    opens = table.phase == Phase.RUNNING and (table.turn == 0 if former is None else former.page == Phase.LOBBY)
    if former is not None and same:  # shown again, it tells the same news
        since, heard, began, opens = former.since, former.heard, former.began, former.opens
    elif former is not None:  # what people did beside the game is told once
        since, heard = min(former.began, table.revision), former.revision
    here = former is not None and tables.stood_in(table, former.moves) != table.left
    showing = Showing(
        MessageId(""),
        table.revision,
        about,
        since=since,
        heard=heard,
        began=began,
        opens=opens,
        moves=table.moves,
        fades=forgets(table, wanted.state),
        told=here and former is not None and former.told,
        asks=table.ask is not None,
        mark=table.mark,
        unpictured=here and former is not None and former.unpictured,
        litter=() if former is None else former.litter,
        at=at,
    )
    calls = not (wanted.again and same)  # one call a turn
    if former is None:
        return New(showing, calls)
    closed = former.page == Phase.LOBBY and table.phase == Phase.OVER and wanted.state is None
    if former.fades and showing.fades:
        ending = Removal.COVER
    else:  # a lobby that closed offers seats that nobody can take any more
        ending = Removal.DELETE if (wanted.again and same and here) or closed else Removal.STRIP
    return New(showing, calls, former, ending)


def _resting(table: Table, at: Venue, former: Showing | None) -> Stay | Edit:
    """What stands in a place that is another table's by now is changed, where it can be; nothing comes anew. What
    people did beside the game is not told again: it is old by the time the game goes on."""
    over = table.phase == Phase.OVER
    stands = former or Showing(MessageId(""), table.revision, page(table))
    began = table.revision if over else stands.began
    now = replace(stands, revision=table.revision, mark=table.mark, page=page(table), at=at)
    changed = replace(now, began=began, heard=table.revision, asks=False)
    return Stay(changed) if former is None or former.shows(table) else Edit(changed)


def littered(showing: Showing, *more: Litter) -> Showing:
    """*showing* with *more* to be taken away, the oldest let go where it is too much."""
    return replace(showing, litter=(*showing.litter, *more)[-MOST_LITTER:])


def cleaned(showing: Showing, gone: Iterable[Litter]) -> Showing:
    """*showing* without the litter that is *gone*."""
    left = set(gone)
    return replace(showing, litter=tuple(each for each in showing.litter if each not in left))


def newest(known: Sequence[Showing | None], table: Table) -> Showing | None:
    """The message that shows *table* now, of what is known by different ways, the surest last.

    Among equally new ones the surest counts. One that shows more than there is shows what was lost.
    """
    found = None
    for each in known:
        if each is None or not each.message:
            continue
        if found is None or each.shows(table) or (each.revision >= found.revision and not found.shows(table)):
            found = each
    return found


def _waits(wanted: Wanted, since: int) -> bool:
    """Whether all that happened after the revision *since* are steps of a turn that the others see as a whole."""
    table = wanted.table
    fresh = [entry for entry in wanted.entries if entry.revision > since]
    if not fresh or fresh[-1].revision != table.revision or table.phase != Phase.RUNNING:
        return False
    steps = all((entry.action or entry.back) and entry.turn == table.turn for entry in fresh)
    return steps and not GAMES[table.game].shows_steps


def _tells_until(wanted: Wanted) -> int:
    """The revision up to which a post of *wanted* tells everything: not beyond the turn that goes on unseen."""
    table = wanted.table
    if not logbook.is_begun(table, wanted.entries):
        return table.revision
    return next(entry.revision for entry in wanted.entries if entry.action and entry.turn == table.turn) - 1
