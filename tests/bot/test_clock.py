"""The clocks: the real one returns UTC times, the one for tests only moves by hand."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

from bot.runtime.clock import RealClock, from_ms, to_ms
from tests.bot.conftest import HandClock


def test_milliseconds_and_back() -> None:
    moment = datetime(2026, 1, 5, 12, 0, 0, 250_000, tzinfo=UTC)
    assert to_ms(moment) == 1_767_614_400_250
    assert from_ms(to_ms(moment)) == moment


async def test_the_real_clock_tells_the_time_in_utc_and_moves_on() -> None:
    clock = RealClock()
    before = clock.now()
    await clock.sleep(0.001)
    assert clock.now() > before
    assert before.tzinfo is UTC


def test_durations_are_measured_with_the_monotonic_clock() -> None:
    """A clock set back by an hour must not block any person for an hour."""
    before = time.monotonic()
    assert before <= RealClock().monotonic() <= time.monotonic()


async def test_the_manual_clock_does_not_run(clock: HandClock) -> None:
    before = clock.now()
    await clock.sleep(0)
    assert clock.now() == before


async def test_sleepers_wake_in_order_each_at_its_time(clock: HandClock) -> None:
    start, woken = clock.now(), []

    async def sleep_twice(name: str, seconds: float) -> None:
        for _ in range(2):
            await clock.sleep(seconds)
            woken.append((name, (clock.now() - start).total_seconds()))

    sleepers = asyncio.gather(sleep_twice("slow", 40), sleep_twice("quick", 15))
    await clock.advance(timedelta(seconds=14))
    assert woken == []
    await clock.advance(timedelta(seconds=46))
    assert woken == [("quick", 15), ("quick", 30), ("slow", 40)]
    assert clock.now() == start + timedelta(minutes=1)
    await clock.advance(timedelta(seconds=20))
    await sleepers
    assert woken[-1] == ("slow", 80)


async def test_a_cancelled_sleeper_delays_no_other(clock: HandClock) -> None:
    sleeping = asyncio.ensure_future(clock.sleep(10))
    await asyncio.sleep(0)
    sleeping.cancel()
    await clock.advance(timedelta(seconds=20))
    assert sleeping.cancelled()
