"""How much of a turn's time has passed: from the table and the copies of its people's settings. Pure.

begins ──(no time runs in quiet hours and on days away)──▶ half ──▶ a tenth remains ──▶ up
without a clock, if others play ──────────▶ two days of silence ──▶ three ──▶ four weeks
"""

from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import Struct

from bot.runtime.clock import from_ms
from bot.tables.banks import bank
from bot.tables.preferences import PINGS, VOTINGS, Calm, calm_of, chosen, hours
from bot.tables.table import Seat, Table
from bot.tables.waiting import Overdue, Resting, StandIn, Unreachable, Voting, of_turn
from rules import State

SILENCE = timedelta(days=3)
"""Time of silence at a table without a clock, after which the others may decide."""

FIRST = timedelta(days=1)
"""Longest time for the first turn of a seat at a table with a clock, and for the others to decide about it."""

DESERTED = timedelta(days=28)
"""Time of silence at such a table after which it rests, if the others have not decided."""

WARNED = timedelta(days=2)
"""Time of silence after which the silent person is reminded."""

LONGEST_UNREACHABLE = timedelta(days=7)
"""Time for which a table waits for a place that takes no posts, or for people who no longer act; then it ends without a
result."""

LOBBY = timedelta(days=1)
"""Time after the last change of a lobby, after which it closes."""

GATHERING = timedelta(days=3)
"""The same after the last new person."""


class Stage(StrEnum):
    """How far the time of a turn has run.

    EARLY: nothing to do. CALLED: the turn began in calm times, and now the person can be called. HALF: half of the time
    is over. LAST: a tenth remains. SILENT: without a clock, a day before the others may decide. UP: no time remains.
    """

    EARLY = "early"
    CALLED = "called"
    HALF = "half"
    LAST = "last"
    SILENT = "silent"
    UP = "up"


class TurnTime(Struct, frozen=True):
    """The time of a turn. *next*: when to look again, if ever. *up*: when the clock runs out, None without one."""

    stage: Stage
    next: datetime | None
    up: datetime | None = None


def turn_time(table: Table, state: State, now: datetime) -> TurnTime:
    """Return the time of the unfinished turn at *now*."""
    turn = table.waiting
    if isinstance(turn, Unreachable):
        return TurnTime(Stage.EARLY, given_up(table))
    if state.actor is None or isinstance(turn, StandIn | Resting):
        return TurnTime(Stage.EARLY, None)
    since, length = from_ms(turn.since_ms), turn_length(table, state.actor)
    calm = Calm() if isinstance(turn, Overdue) else calm_of(table.seats[state.actor].settings)
    begins = calm.ends(since)
    moments = [(begins, Stage.CALLED)] if begins is not None and turn.is_hushed else []
    if length is not None:
        half, last = (calm.after(since, length * share) for share in (0.5, 0.9))
        moments += [  # a moment at the very beginning of a calm time waits for its end
            (calm.ends(half) or half, Stage.HALF),
            (calm.ends(last) or last, Stage.LAST),
            (calm.after(since, length), Stage.UP),
        ]
    elif turn.since_ms and _others(table, state.actor):
        warned = calm.after(since, WARNED)
        moments += [(calm.ends(warned) or warned, Stage.SILENT), (calm.after(since, SILENCE), Stage.UP)]
    if isinstance(turn, Overdue):  # the others' time to decide, without reminders
        moments = moments[-1:] if length or not moments else [(since + DESERTED, Stage.UP)]
    past = [stage for moment, stage in moments if moment <= now]
    coming = [moment for moment, _ in moments if moment > now]
    return TurnTime(past[-1] if past else Stage.EARLY, min(coming, default=None), moments[-1][0] if length else None)


def turn_length(table: Table, actor: int) -> timedelta | None:
    """Return the time for the turn of *actor*, or of the others to decide about it; None without a clock."""
    left = None if isinstance(of_turn(table.waiting), Overdue) else bank(table, actor)
    length = hours(table.clock) if left is None else left
    return length if length is None or not is_first_move(table, actor) else min(length, FIRST)


def is_first_move(table: Table, actor: int) -> bool:
    """Return whether *actor* moves in the first round at a table with a clock, and another person waits. They may have
    forgotten the game, so its end would count for no one."""
    waits = any(seat.is_played_by_person for number, seat in enumerate(table.seats) if number != actor)
    return waits and hours(table.clock) is not None and table.turn < len(table.seats)


def given_up(table: Table) -> datetime | None:
    """Return when *table* ends because its place takes no posts, or because it is unattended; None if it does not.

    A table waits for its game forever.
    """
    match table.waiting:
        case Unreachable(since_ms, of_game=False):
            return from_ms(since_ms) + LONGEST_UNREACHABLE
        case Resting(since_ms) if since_ms:
            return from_ms(since_ms) + LONGEST_UNREACHABLE
        case _:
            return None


def voting_closes(table: Table) -> datetime | None:
    """Return when the vote of a channel closes at the latest; None if no vote is open, or if its place takes no posts.
    A vote knows no calm times."""
    turn = table.waiting
    return from_ms(turn.since_ms) + VOTINGS[table.voting] if isinstance(turn, Voting) else None


def lobby_closes(table: Table) -> datetime:
    """Return when the lobby *table*, whose place takes posts, closes by itself."""
    turn, gathered_ms = of_turn(table.waiting), table.gathered_ms or table.created_ms
    changed_ms = turn.since_ms if turn is not None else 0
    return min(from_ms(changed_ms or gathered_ms) + LOBBY, from_ms(gathered_ms) + GATHERING)


def _others(table: Table, actor: int) -> bool:
    """Return whether another person or a channel plays."""
    return any(not seat.house for number, seat in enumerate(table.seats) if number != actor)


def is_hushed(table: Table, state: State, now: datetime) -> bool:
    """Return whether a turn that begins *now* begins in calm times of its person."""
    return state.actor is not None and calm_of(table.seats[state.actor].settings).ends(now) is not None


def may_ping(table: Table, seat: Seat, now: datetime) -> bool:
    """Return whether the person of *seat* may be called now."""
    return table.pings and chosen(PINGS, seat.settings) == "on" and calm_of(seat.settings).ends(now) is None
