"""Banks of time: a turn takes its time from the bank of its seat, and adds some."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.chat import Refused
from bot.replies import words
from bot.runtime.clock import from_ms, to_ms
from bot.store import documents
from bot.store.store import Store
from bot.tables import absence, banks, deadlines, outages, seating
from bot.tables.banks import bank
from bot.tables.deadlines import Stage
from bot.tables.outages import Outage, fair
from bot.tables.preferences import CLOCKS, QUIET, Calm
from bot.tables.table import By, Entry, Table, with_seat
from bot.tables.waiting import OnClock
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import Crowd, RecordingChat
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_outages import Power, power
from tests.bot.talk.test_service import table_here
from tests.bot.talk.test_time import begun, later
from tests.bot.test_table import ANNA, BEN, lobby, started

__all__ = ["power"]

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BANKS = {name: kind for name, kind in CLOCKS.items() if kind is not None and kind.gain}


def hours_of(table: Table) -> list[float]:
    return [round((bank(table, seat) or timedelta(0)) / HOUR, 2) for seat in range(len(table.seats))]


# The sum by hand

TURNS = st.lists(
    st.tuples(
        st.integers(0, 3000),  # minutes that the turn lasts
        st.integers(0, 600),  # minutes of an outage in it
        st.sampled_from(["by hand", "by itself", "taken back", "waited", "stand-in"]),
    ),
    max_size=12,
)


@pytest.mark.parametrize("clock", BANKS)
@given(turns=TURNS, is_quiet=st.booleans())
def test_a_bank_is_the_sum_by_hand_and_never_above_its_cap(
    clock: str, turns: list[tuple[int, int, str]], is_quiet: bool
) -> None:
    kind, seats = BANKS[clock], 2
    table = replace(started(ANNA, BEN).table, clock=clock, waiting=OnClock(to_ms(START)))
    if is_quiet:
        table = with_seat(table, 0, settings={QUIET.name: "22-7"})
    first = started(ANNA, BEN).position
    positions = first, first.play(first.actions()[0])
    now, known, sums = START, list[Outage](), [kind.length] * seats
    for number, (minutes, lost, how) in enumerate(turns):
        actor, began = number % seats, now
        calm = Calm((22, 7)) if is_quiet and actor == 0 else Calm()
        if lost:  # first the platform is away, then the person thinks
            now += lost * MINUTE
            known.append(Outage(to_ms(began), to_ms(now)))
            before = [bank(table, seat) for seat in range(seats)]
            table = outages.excused(table, known, actor)
            assert [bank(table, seat) for seat in range(seats)] == before, "an outage takes nothing"
        thinks, now = now, now + minutes * MINUTE
        spent = calm.spent(thinks, now)
        if how in ("waited", "stand-in"):
            turn = positions[actor]
            table = absence.time_is_up(table, turn, to_ms(now)).table
            sums[actor] = max(sums[actor] - spent, timedelta(0))
            now += HOUR  # in which the others decide
            if how == "waited":
                table = absence.wait_again(table, turn, 1 - actor, to_ms(now)).table
                sums[actor] = max(sums[actor], kind.length)
            else:
                table = absence.play_turn(table, turn).table
            spent = timedelta(0)
        taken_back = how == "taken back" and number > 0
        entry = Entry(1, actor, "" if taken_back else "pass", 0, By.TABLE if how == "by itself" else By.PERSON)
        after = replace(table, turn=table.turn + (-1 if taken_back else 1))
        table = banks.after_turn(table, actor, after, (entry,), to_ms(now))
        if not taken_back and how != "by itself":
            sums[actor] = min(max(sums[actor] - spent, timedelta(0)) + kind.gain, kind.most)
        table = replace(table, waiting=OnClock(to_ms(now)), excused_ms=0)
        known.clear()
        if taken_back:  # the seat before plays again; here, the other seats follow as they would
            table = replace(table, turn=table.turn + 2)
        assert [bank(table, seat) for seat in range(seats)] == sums
        assert all(timedelta(0) <= left <= kind.most for left in sums)


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_the_time_that_was_spent_is_the_time_after_which_it_is_up(begins: int, length: int) -> None:
    calm, start = Calm((22, 7), "Europe/Berlin"), START + begins * MINUTE
    assert calm.spent(start, calm.after(start, length * MINUTE)) == length * MINUTE


# At the table


async def test_a_turn_takes_its_time_and_adds_the_gain(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "12h+12h")
    await later(crowd, clock, hours=5)
    await crowd.says("anna", "/move b1-c1")
    assert hours_of(await table_here(store)) == [19, 12]


def test_a_channel_has_no_bank() -> None:
    table = replace(seating.seat_channel(lobby(ANNA), ANNA, "lobby"), clock="12h+12h")
    said = words.banks_of_all(table, "en")
    assert "Anna" in said
    assert "lobby" not in said


async def test_an_outage_costs_no_bank(crowd: Crowd, clock: HandClock, store: Store, power: Power) -> None:
    await begun(crowd, "12h+12h")
    await later(crowd, clock, hours=1)
    await power.fails(days=2)
    await crowd.says("anna", "/move b1-c1")
    assert hours_of(await table_here(store)) == [23, 12]


def test_a_fair_time_of_a_small_bank_remains_after_an_outage() -> None:
    table = replace(started(ANNA, BEN).table, clock="12h+12h", waiting=OnClock(to_ms(START)))
    table = with_seat(table, 0, bank_ms=4 * HOUR // banks.MS)
    ends = START + 6 * HOUR
    table = outages.excused(table, [Outage(to_ms(ends - 3 * HOUR), to_ms(ends))], 0)
    up = deadlines.turn_time(table, started(ANNA, BEN).position, ends).up
    assert up is not None
    assert up - ends == fair(4 * HOUR) == HOUR


async def test_a_place_that_takes_no_posts_costs_no_bank(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "12h+12h")
    await later(crowd, clock, hours=2)
    chat.refuses["post"] = chat.refuses["edit"] = Refused("missing permissions")
    await crowd.says("ben", "/board")
    assert (await table_here(store)).is_unreachable
    await later(crowd, clock, hours=9)
    await crowd.says("anna", "/move b1-c1")
    assert hours_of(await table_here(store)) == [22, 12]


@pytest.mark.parametrize("is_planned", [True, False])
async def test_the_bank_does_not_tell_that_a_turn_was_planned(
    crowd: Crowd, clock: HandClock, store: Store, is_planned: bool
) -> None:
    await begun(crowd, "1h+10m")
    if is_planned:
        await crowd.says("ben", "/plan f1-e1")
    await later(crowd, clock, minutes=20)
    await crowd.says("anna", "/move b1-c1")
    await later(crowd, clock, seconds=91)
    if not is_planned:
        await crowd.says("ben", "/move f1-e1")
    table = await table_here(store)
    assert table.turn == 2
    assert bank(table, 0) == 50 * MINUTE
    assert bank(table, 1) == 70 * MINUTE - timedelta(seconds=91)


def test_a_table_that_rested_goes_on_with_the_whole_bank() -> None:
    step = started(ANNA, BEN)
    table = with_seat(replace(step.table, clock="1h+10m"), 0, bank_ms=1)
    woken = absence.wake(absence.rest(table), step.state, table.place, to_ms(START))
    assert bank(woken, 0) == HOUR


async def test_an_undo_takes_no_time_from_the_seat_that_it_interrupts(
    crowd: Crowd, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "12h+12h")
    await crowd.says("anna", "/move b1-c1")
    await later(crowd, clock, hours=3)
    await crowd.says("anna", "/undo")
    await crowd.says("ben", "[I agree]")
    assert (await table_here(store)).turn == 0
    assert hours_of(await table_here(store)) == [24, 12]


async def test_the_house_that_plays_a_turn_leaves_the_gain_for_the_next(
    crowd: Crowd, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "12h+12h")
    await crowd.says("anna", "/move b1-c1")
    await later(crowd, clock, hours=13)
    await crowd.says("anna", "[Let the house play this turn]")
    assert hours_of(await table_here(store)) == [24, 12]


async def test_a_rematch_keeps_the_clock_and_fills_the_banks(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "12h+12h")
    await later(crowd, clock, hours=5)
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    await crowd.says("anna", "/rematch")
    await crowd.says("ben", "/rematch")
    table = await table_here(store)
    assert (table.clock, table.turn, hours_of(table)) == ("12h+12h", 0, [12, 12])


async def test_reminders_depend_on_the_time_that_is_left(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "3d+1d")
    await crowd.says("anna", "/move b1-c1")
    table = with_seat(await table_here(store), 1, bank_ms=10 * HOUR // banks.MS)
    state = started(ANNA, BEN).position.play(started(ANNA, BEN).position.actions()[0])
    now = from_ms(table.turn_ms)
    times = [deadlines.turn_time(table, state, now + spent * HOUR) for spent in (4, 6, 9.5, 10)]
    stages = [time.stage for time in times]
    assert stages == [Stage.EARLY, Stage.HALF, Stage.LAST, Stage.UP]


async def test_a_bank_is_stored_and_in_its_owners_file(crowd: Crowd, clock: HandClock, store: Store) -> None:
    await begun(crowd, "12h+12h")
    await later(crowd, clock, hours=5)
    await crowd.says("anna", "/move b1-c1")
    assert hours_of(documents.table(documents.encoded(await table_here(store)), documents.SCHEMA)) == [19, 12]
    (entry,) = read(await crowd.sends("anna", EXPORT))["tables"]
    assert entry["time_bank_ms"] == 19 * HOUR // banks.MS


def test_a_table_of_an_older_version_has_no_banks() -> None:
    table = started(ANNA, BEN).table
    assert b"bank" not in documents.encoded(table)
    assert [bank(table, seat) for seat in range(2)] == [None, None]
    assert [bank(replace(table, clock="1h+10m"), seat) for seat in range(2)] == [HOUR, HOUR]


def test_the_host_chooses_a_bank_like_any_clock() -> None:
    table = seating.choose_clock(lobby(ANNA, BEN), ANNA, "3d+1d", "ask")
    assert hours_of(table) == [72, 72]
