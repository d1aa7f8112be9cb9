"""The time of outages is added to all that a table waits for, once."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.tables.outages import Outage, excused, fair, lost_ms
from bot.tables.preferences import CLOCKS
from bot.tables.table import Phase, Table, TableId
from bot.tables.waiting import OnClock, Overdue, Unreachable

HOUR = 3_600_000
START = 1_700_000_000_000
TABLE = Table(
    id=TableId("abcdefghij"),
    game="kabooom",
    place=PlaceId("room:hall"),
    host=PersonId("room:anna"),
    lang="en",
    created_ms=START,
    phase=Phase.RUNNING,
    clock="1d",
    waiting=OnClock(START),
)


def between(start: float, end: float) -> Outage:
    return Outage(START + round(start * HOUR), START + round(end * HOUR))


def test_only_the_time_of_the_outage_is_added() -> None:
    assert excused(TABLE, [between(1, 3)]).waiting == OnClock(START + 2 * HOUR)
    assert excused(TABLE, [between(-3, 3)]).waiting == OnClock(START + 3 * HOUR)
    assert excused(TABLE, [between(-3, -1)]) is TABLE


def test_a_fair_time_remains_after_an_outage() -> None:
    late = replace(TABLE, waiting=Overdue(START))
    for table in (TABLE, late):
        assert excused(table, [between(23.9, 30)]).waiting == replace(table.waiting, since_ms=START + (30 - 21) * HOUR)


def test_a_fair_time_is_at_least_an_hour_and_at_most_a_quarter() -> None:
    for length in (kind.length for kind in CLOCKS.values() if kind is not None):
        assert min(timedelta(hours=1), length / 4) <= fair(length) <= length / 4
        assert fair(length) > length / 10, "the last reminder comes before a decision"


def test_a_stopped_clock_keeps_the_time_that_remained() -> None:
    away = replace(TABLE, waiting=Unreachable(START + HOUR, OnClock(START)))
    moved = excused(away, [between(2, 5)]).waiting
    assert moved == Unreachable(START + 4 * HOUR, OnClock(START + 3 * HOUR))


def test_a_lobby_gets_the_time_for_its_last_change_and_for_new_people() -> None:
    lobby = replace(TABLE, phase=Phase.LOBBY, waiting=OnClock(START + HOUR))
    moved = excused(lobby, [between(2, 4)])
    assert (moved.waiting, moved.gathered_ms) == (OnClock(START + 3 * HOUR), START + 2 * HOUR)


def test_a_finished_game_is_left_alone() -> None:
    over = replace(TABLE, phase=Phase.OVER)
    assert excused(over, [between(1, 3)]) is over


def test_overlapping_outages_count_once() -> None:
    assert lost_ms([between(1, 4), between(2, 5)], START + 3 * HOUR) == 2 * HOUR
    assert excused(TABLE, [between(1, 4), between(2, 5)]).waiting == OnClock(START + 4 * HOUR)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20), st.booleans()), max_size=6))
def test_outages_are_added_once_however_often_the_table_is_saved(steps: list[tuple[int, int, bool]]) -> None:
    """Also in the middle of an outage, which ends later than it seemed."""
    known, table, end = list[Outage](), TABLE, 0.0
    for pause, length, saved_within in steps:
        start = end + pause
        if saved_within:
            table = excused(table, [*known, between(start, start + length / 2)])
        end = start + length
        known.append(between(start, end))
    assert excused(table, known).waiting == excused(TABLE, known).waiting
    assert excused(excused(table, known), known) == excused(table, known)
