"""Plan how the message that shows a table changes when the table changes. Pure: `bot.delivery` carries the plan out.

A table is shown at a venue by one message at a time. As long as the *subject* stays the same, the
message is edited. A new subject is a new message; the former one loses its buttons, or is deleted if the game forgets::

    nothing ──post──▶ shown ──edit (same subject)──▶ shown ──post (new subject, or a repost)──▶ shown
                        │                                                                   │
                        └── up to date, or a step that only the actor sees: stays           └──▶ the former: stale

A board with a seat that is newly offered to a substitute is posted again: it invites people.

A removal that fails leaves a stale message, and it is tried again until it succeeds.

The plan also works for messages at other venues (`seen_at`); the bot shows a table at one venue only.
"""

from msgspec import Struct
from msgspec.structs import replace

from bot.chat import MessageId, PlaceId
from bot.tables import forced_actions, logbook, voting
from bot.tables import table as tables
from bot.tables.board_message import BoardMessage, Removal, Venue
from bot.tables.snapshot import Snapshot
from bot.tables.table import RESTS, By, Phase, Step, Table, forgets, subject
from rules import GAMES


class PendingPost(Struct, frozen=True):
    """A table that is to be shown: the entry of the queue.

    *again*: as a new message at the bottom of the place (a repost). *lost*: the platform has lost the former message,
    and with it the call of the actor, who is called once more.

    *elsewhere*: the place, if it is not the table's own; see `seen_at`.

    *since_s*: when the first board that this one replaces was queued, on a monotonic clock. *repost*: the sequence
    number of the repost request, 0 for none.
    """

    snapshot: Snapshot
    again: bool = False
    lost: bool = False
    elsewhere: PlaceId = PlaceId("")
    since_s: float = 0.0
    repost: int = 0


def seen_at(at: Venue, post: PendingPost) -> PendingPost:
    """Return *post* for the venue *at*, which is not the table's own, in the venue's language and theme."""
    # The id changes of the table's own place do not matter at another venue.
    table = replace(post.snapshot.table, place=at.place, lang=at.lang, theme=at.theme, relocations=0)
    return replace(post, snapshot=replace(post.snapshot, table=table), elsewhere=at.place)


class Stay(Struct, frozen=True):
    """Leave the message in the place as it is; *board_message* describes it."""

    board_message: BoardMessage


class Edit(Struct, frozen=True):
    """Edit the message to the content that *board_message* describes."""

    board_message: BoardMessage


class New(Struct, frozen=True):
    """Post a new message, which *board_message* describes except for its id.

    *calls*: the actor may be called. *former*: the message that it replaces, which ends by *ending*.
    """

    board_message: BoardMessage
    calls: bool = True
    former: BoardMessage | None = None
    ending: Removal = Removal.STRIP


Plan = Stay | Edit | New


def is_interim(snapshot: Snapshot) -> bool:
    """Return whether the board is shown in the former message while the house thinks: after a person's own move."""
    table, message = snapshot.table, snapshot.board_message
    newest = snapshot.recent[-1] if snapshot.recent else None
    if message is None or message.subject == Phase.LOBBY or table.is_resting or newest is None:
        return False
    is_own = newest.revision == table.revision and newest.by == By.PERSON and bool(newest.action)
    return is_own and forced_actions.decides(Step(table, snapshot.state)) == By.HOUSE


def planned(post: PendingPost, former: BoardMessage | None, *, gone: bool = False) -> Plan:
    """Return the plan by which *post* takes the place of *former*. *gone*: *former* can no longer be edited."""
    table = post.snapshot.table
    about, at = subject(table), Venue(post.elsewhere, table.lang, table.theme)
    voters = voting.counted(post.snapshot).voters
    same = former is not None and former.subject == about
    gone = gone or post.lost
    is_news = table.is_unattended and table.phase == Phase.RUNNING and not same  # told once, by a new message
    if table.is_resting and not is_news:
        return _resting(
            table, at, None if gone or former is None or former.relocations != table.relocations else former
        )
    again = post.again or (former is not None and not {*table.offered} <= {*former.offered})
    if former is not None and former.relocations == table.relocations and not again and not gone:
        if former.shows(table) and former.voters == voters:
            return Stay(former)
        # An open question and the choices of the others are always shown for the newest save.
        stays = not former.asks and not table.is_overdue and former.looks_like(table)
        stays = stays and former.offered == table.offered
        if same and former.revision < table.revision and _are_steps(post.snapshot, former.revision) and stays:
            return Stay(replace(former, revision=table.revision, mark=table.mark))
        if same or (is_interim(post.snapshot) and former.subject != Phase.LOBBY):
            now = replace(former, revision=table.revision, mark=table.mark, asks=table.ask is not None, at=at)
            return Edit(replace(now, voters=voters, offered=table.offered))
    if former is not None and same and gone and table.turned is not None:  # an analysis posts no old board anew
        return Stay(replace(former, revision=table.revision, mark=table.mark))
    news_since, events_since, first = 0, 0, _tells_until(post.snapshot)
    opens = table.phase == Phase.RUNNING and (table.turn == 0 if former is None else former.subject == Phase.LOBBY)
    woken = former is not None and former.subject == f"{about}{RESTS}"
    if former is not None and (same or woken):  # shown again, it tells the same news
        news_since, events_since = former.news_since, former.revision if woken else former.events_since
        first, opens = former.first_revision, former.opens
    elif former is not None:  # events beside the game are told once
        news_since, events_since = min(former.first_revision, table.revision), former.revision
    here = former is not None and tables.place_of_message(table, former.relocations) != table.former_place
    message = BoardMessage(
        MessageId(""),
        table.revision,
        about,
        news_since=news_since,
        events_since=events_since,
        first_revision=first,
        opens=opens,
        relocations=table.relocations,
        fades=forgets(table, post.snapshot.state),
        warned=here and former is not None and former.warned,
        asks=table.ask is not None,
        mark=table.mark,
        unpictured=here and former is not None and former.unpictured,
        voters=voters,
        offered=table.offered,
        stale=() if former is None else former.stale,
        at=at,
    )
    calls = not (again and same)  # one call a turn
    if former is None:
        return New(message, calls)
    closed = former.subject == Phase.LOBBY and table.phase == Phase.OVER and post.snapshot.state is None
    if former.fades and message.fades:
        ending = Removal.COVER
    else:  # a lobby that closed must not offer seats
        ending = Removal.DELETE if (again and same and here) or closed else Removal.STRIP
    return New(message, calls, former, ending)


def _resting(table: Table, at: Venue, former: BoardMessage | None) -> Stay | Edit:
    """Return the plan for a resting table, whose place another table may have: edit *former*, never post anew.

    Events beside the game are not told later: they will be old when the game goes on.
    """
    over = table.phase == Phase.OVER
    message = former or BoardMessage(MessageId(""), table.revision, subject(table))
    first = table.revision if over else message.first_revision
    now = replace(message, revision=table.revision, mark=table.mark, subject=subject(table), at=at)
    changed = replace(now, first_revision=first, events_since=table.revision, asks=False)
    return Stay(changed) if former is None or former.shows(table) else Edit(changed)


def _are_steps(snapshot: Snapshot, since: int) -> bool:
    """Return whether all entries after the revision *since* are steps of a turn that the others see as a whole."""
    table = snapshot.table
    fresh = [entry for entry in snapshot.recent if entry.revision > since]
    if not fresh or fresh[-1].revision != table.revision or table.phase != Phase.RUNNING:
        return False
    steps = all((entry.action or entry.back) and entry.turn == table.turn for entry in fresh)
    return steps and not GAMES[table.game].shows_steps


def _tells_until(snapshot: Snapshot) -> int:
    """Return the revision up to which a post tells everything: the one before an unfinished turn that is hidden."""
    table = snapshot.table
    if not logbook.is_begun(table, snapshot.recent):
        return table.revision
    return next(entry.revision for entry in snapshot.recent if entry.action and entry.turn == table.turn) - 1
