"""One queue per chat: how fast the bot may speak, on a clock that is set by hand."""

import asyncio
from collections import Counter

import pytest

from bot.adapters.on_telegram.pacing import KEPT_LANES, Lanes, Pace, Quota
from bot.chat import TryLater

GROUP, OTHER, PRIVATE = -100, -200, 42


class Hand:
    """A clock on which only sleeping passes time."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self.time += seconds


@pytest.fixture
def clock() -> Hand:
    return Hand()


async def said(lanes: Lanes, clock: Hand, chat: int) -> float:
    """Say something in *chat*; when it was said."""
    async with lanes.turn(chat):
        return clock.time


def most_in(times: list[float], seconds: float) -> int:
    """The largest number of *times* within any span of so many seconds."""
    return max(sum(first <= each < first + seconds for each in times) for first in times)


async def test_a_group_hears_at_most_twenty_messages_in_any_minute(clock: Hand) -> None:
    lanes = Lanes(Pace(patience_s=100), clock.now, clock.sleep)
    times = [await said(lanes, clock, GROUP) for _ in range(65)]
    assert most_in(times, 60) == 20
    assert most_in(times, 3) == 3


async def test_a_private_chat_hears_about_one_message_a_second(clock: Hand) -> None:
    lanes = Lanes(Pace(patience_s=100), clock.now, clock.sleep)
    times = [await said(lanes, clock, PRIVATE) for _ in range(30)]
    assert most_in(times, 3) == 3
    assert times[-1] - times[0] == 27


async def test_all_chats_together_hear_at_most_thirty_messages_a_second(clock: Hand) -> None:
    lanes = Lanes(Pace(patience_s=100), clock.now, clock.sleep)
    times = [await said(lanes, clock, -number) for number in range(1, 200)]
    assert most_in(times, 1) == 30


async def test_what_a_group_hears_goes_before_what_people_hear_alone() -> None:
    """Thousands of answers to single people must not silence a group."""
    lanes, done = Lanes(Pace(overall=Quota(5, 0.05))), list[int]()

    async def say(chat: int) -> None:
        async with lanes.turn(chat):
            done.append(chat)

    private = [asyncio.create_task(say(number)) for number in range(1, 101)]
    await asyncio.sleep(0)
    await say(GROUP)
    assert done.index(GROUP) <= 10  # of those that had their turn already
    await asyncio.gather(*private)
    assert sorted(done) == [GROUP, *range(1, 101)]


async def test_a_longer_wait_is_told_instead_of_waited_for(clock: Hand) -> None:
    lanes = Lanes(Pace(chat=Quota(100, 1), group=Quota(2, 60), patience_s=5), clock.now, clock.sleep)
    await said(lanes, clock, GROUP)
    await said(lanes, clock, GROUP)
    with pytest.raises(TryLater) as later:
        await said(lanes, clock, GROUP)
    assert later.value.after_s == 60
    clock.time += 57
    assert await said(lanes, clock, GROUP) == 1060


async def test_a_held_chat_holds_up_no_other(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    lanes.hold(GROUP, 30)
    lanes.hold(GROUP, 10)  # the longer one counts
    with pytest.raises(TryLater) as later:
        await said(lanes, clock, GROUP)
    assert later.value.after_s == 30
    assert await said(lanes, clock, OTHER) == 1000
    clock.time += 30
    assert await said(lanes, clock, GROUP) == 1030


async def test_messages_of_one_chat_go_out_one_after_the_other_in_order(clock: Hand) -> None:
    lanes = Lanes(Pace(chat=Quota(100, 0), group=Quota(100, 0), overall=Quota(100, 0)), clock.now, clock.sleep)
    going, order = Counter[int](), list[int]()

    async def say(number: int, chat: int) -> None:
        async with lanes.turn(chat):
            going[chat] += 1
            assert going[chat] == 1
            for _ in range(5 - number % 5):
                await asyncio.sleep(0)
            order.append(number)
            going[chat] -= 1

    await asyncio.gather(
        *(say(number, GROUP) for number in range(20)), *(say(number, OTHER) for number in range(100, 120))
    )
    assert [number for number in order if number < 100] == list(range(20))
    assert [number for number in order if number >= 100] == list(range(100, 120))


async def test_a_message_that_fails_does_not_stop_the_queue(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    with pytest.raises(ZeroDivisionError):
        async with lanes.turn(GROUP):
            raise ZeroDivisionError
    assert await said(lanes, clock, GROUP) == 1000


async def test_chats_long_unused_are_forgotten_and_held_ones_are_not(clock: Hand) -> None:
    lanes = Lanes(Pace(overall=Quota(10, 0), chat=Quota(1, 1)), clock.now, clock.sleep)
    lanes.hold(GROUP, 30)
    for number in range(1, KEPT_LANES + 100):
        await said(lanes, clock, number)
    with pytest.raises(TryLater):
        await said(lanes, clock, GROUP)
