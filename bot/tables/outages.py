"""Outages: times in which the bot could reach no player of a platform, or no player could answer. Pure.

    since ──── time runs ────┤ outage ├──── time runs ────▶ up
                             └────────┘
                  its length is added to the moment since which time runs

The store keeps the outages of each platform. A table adds them when it is loaded, so no outage needs a sweep over all
tables. `Table.excused_ms` is the end of the newest one that is added: no outage is added twice.
"""

from collections.abc import Iterable
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from bot.tables.deadlines import GATHERING, LOBBY, LONGEST_UNREACHABLE, SILENCE, turn_length
from bot.tables.preferences import VOTINGS, hours
from bot.tables.table import Phase, Table
from bot.tables.waiting import OfTurn, OnClock, Overdue, Resting, Unreachable, Voting, Waiting

FAIR_LEAST = timedelta(hours=1)
FAIR_SHARE, FAIR_MOST_SHARE = 8, 4
"""After an outage at least an eighth of a time remains: an hour or more, but at most a quarter of it. That is more than
the tenth before which people are reminded."""


class Outage(Struct, frozen=True):
    """The time from *start_ms* to *end_ms*, in milliseconds since 1970."""

    start_ms: int
    end_ms: int

    @property
    def length(self) -> timedelta:
        return timedelta(milliseconds=self.end_ms - self.start_ms)


def fair(length: timedelta) -> timedelta:
    """Return the least time that remains of *length* after an outage.

    >>> fair(timedelta(days=1)), fair(timedelta(hours=8)), fair(timedelta(hours=1))
    (datetime.timedelta(seconds=10800), datetime.timedelta(seconds=3600), datetime.timedelta(seconds=900))
    """
    return min(max(FAIR_LEAST, length / FAIR_SHARE), length / FAIR_MOST_SHARE)


def excused(table: Table, outages: Iterable[Outage], actor: int | None = None) -> Table:
    """Return *table* with the time of *outages*, the oldest first, added to all that it waits for.

    *actor*: the seat that must act, whose time may be its own (`bot.tables.banks`)."""
    if table.phase == Phase.OVER:
        return table
    for outage in outages:
        if outage.end_ms > table.excused_ms:
            table = _excused(table, outage, actor)
    return table


def lost_ms(outages: Iterable[Outage], since_ms: int) -> int:
    """Return the milliseconds of all *outages*, the oldest first, after *since_ms*."""
    lost, until_ms = 0, since_ms
    for outage in outages:
        lost += max(0, outage.end_ms - max(outage.start_ms, until_ms))
        until_ms = max(until_ms, outage.end_ms)
    return lost


def _excused(table: Table, outage: Outage, actor: int | None) -> Table:
    """Return *table* with the time of *outage* added, or *table* itself if nothing waited then."""

    def later(since_ms: int, length: timedelta | None = None) -> int:
        begins_ms = max(outage.start_ms, table.excused_ms, since_ms)
        if not since_ms or outage.end_ms <= begins_ms:
            return since_ms
        later_ms = since_ms + outage.end_ms - begins_ms
        if length is None:
            return later_ms
        return max(later_ms, outage.end_ms - _ms(length - fair(length)))

    waiting, gathered_ms, moved_ms = table.waiting, table.gathered_ms, table.gathered_ms
    if table.phase == Phase.LOBBY:
        gathered_ms = gathered_ms or table.created_ms
        moved_ms = later(gathered_ms, GATHERING)
    match waiting:
        case Unreachable(since_ms, turn):
            added_ms = later(since_ms) - since_ms
            on = replace(turn, since_ms=turn.since_ms and turn.since_ms + added_ms)
            moved: Waiting = replace(waiting, since_ms=since_ms + added_ms, turn=on)
        case Resting(since_ms):
            moved = Resting(later(since_ms, LONGEST_UNREACHABLE))
        case OnClock() | Overdue() | Voting():
            moved = replace(waiting, since_ms=later(waiting.since_ms, _length(table, waiting, actor)))
        case _:
            moved = waiting
    if (moved, moved_ms) == (waiting, gathered_ms):
        return table
    return replace(table, waiting=moved, gathered_ms=moved_ms, excused_ms=outage.end_ms)


def _length(table: Table, turn: OfTurn, actor: int | None) -> timedelta | None:
    """Return the time after which something is decided about *turn*, or None."""
    if table.phase == Phase.LOBBY:
        return LOBBY
    if isinstance(turn, Voting):
        return VOTINGS[table.voting]
    length = hours(table.clock) if actor is None else turn_length(table, actor)
    return length if length is not None or isinstance(turn, Overdue) else SILENCE


def _ms(length: timedelta) -> int:
    return round(length.total_seconds() * 1000)
