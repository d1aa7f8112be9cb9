"""One queue per chat: how fast the bot may speak, on a clock that is set by hand."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from bot.adapters.on_telegram.pacing import KEPT_LANES, Lanes, Overtaken, Pace, Quota, Rank, Way
from bot.chat import TryLater
from tests.bot.conftest import HandClock

GROUP, OTHER, PRIVATE = -100, -200, 42
AT_ONCE = Quota(100, 0)


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


async def said(lanes: Lanes, clock: Hand, chat: int, patience_s: float = 100.0) -> float:
    """Post in *chat* and return the time of the post."""
    async with lanes.turn(chat, Way(patience_s=patience_s)):
        return clock.time


def most_in(times: list[float], seconds: float) -> int:
    """Return the largest number of *times* within any span of so many seconds."""
    return max(sum(first <= time < first + seconds for time in times) for first in times)


async def test_a_group_hears_at_most_twenty_messages_in_any_minute(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    times = [await said(lanes, clock, GROUP) for _ in range(65)]
    assert most_in(times, 60) == 20
    assert most_in(times, 3) == 3


@pytest.mark.parametrize(("chat", "count", "seconds"), [(GROUP, 20, 60), (GROUP, 3, 3), (PRIVATE, 3, 3)])
async def test_a_chat_hears_the_next_one_only_well_after_what_telegram_counts(
    clock: Hand, chat: int, count: int, seconds: float
) -> None:
    """Telegram counts when a message arrives, and by its own clock: on the very second may be one too many."""
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    times = [await said(lanes, clock, chat) for _ in range(4 * count)]
    least = 61 if seconds == 60 else 1.02 * seconds
    assert all(later - first >= least for first, later in zip(times, times[count:], strict=False))


async def test_all_chats_together_stay_well_below_thirty_in_any_second(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    times = [await said(lanes, clock, -number) for number in range(1, 200)]
    assert all(later - first >= 1.02 for first, later in zip(times, times[28:], strict=False))


async def test_requests_without_messages_do_not_count_against_a_groups_limit(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    for _ in range(30):
        async with lanes.turn(GROUP, Way(), aside=True):
            pass
    times = [await said(lanes, clock, GROUP) for _ in range(20)]
    assert times[-1] - times[0] < 30
    lanes.hold(GROUP, 30)
    with pytest.raises(TryLater):
        async with lanes.turn(GROUP, Way(), aside=True):
            pass


async def test_a_private_chat_hears_about_one_message_a_second(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    times = [await said(lanes, clock, PRIVATE) for _ in range(30)]
    assert most_in(times, 3) == 3
    assert 27 <= times[-1] - times[0] < 29


async def test_all_chats_together_hear_less_than_thirty_messages_a_second(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    times = [await said(lanes, clock, -number) for number in range(1, 200)]
    assert most_in(times, 1) == 28


async def test_a_message_counts_from_when_it_was_answered_and_meanwhile_too() -> None:
    """Thirty that are long on their way may arrive in the same second as the next thirty."""
    lanes, going, most = Lanes(Pace(overall=Quota(5, 0.05))), 0, 0

    async def say(chat: int) -> None:
        nonlocal going, most
        async with lanes.turn(chat):
            going += 1
            most = max(most, going)
            await asyncio.sleep(0.1)
            going -= 1

    await asyncio.gather(*(say(number) for number in range(1, 21)))
    assert most == 5


async def test_a_slow_request_counts_from_its_end() -> None:
    lanes, now = Lanes(Pace(overall=Quota(1, 0.2))), asyncio.get_running_loop().time
    async with lanes.turn(1):
        await asyncio.sleep(0.15)
    ended = now()
    async with lanes.turn(2):
        assert now() - ended >= 0.19


async def test_public_messages_go_before_private_ones() -> None:
    """Thousands of answers to single people must not silence a group."""
    lanes, done = Lanes(Pace(overall=Quota(5, 0.05))), list[int]()

    async def say(chat: int) -> None:
        async with lanes.turn(chat, Way(Rank.ANSWER)):
            done.append(chat)

    private = [asyncio.create_task(say(number)) for number in range(1, 101)]
    await asyncio.sleep(0)
    await say(GROUP)
    assert done.index(GROUP) <= 10  # of those that had their turn already
    await asyncio.gather(*private)
    assert sorted(done) == [GROUP, *range(1, 101)]


async def test_messages_of_different_places_take_turns() -> None:
    """Two hundred people who press in one group delay no other group."""
    lanes, done = Lanes(Pace(overall=Quota(5, 0.05))), list[int]()

    async def say(chat: int, origin: int) -> None:
        async with lanes.turn(chat, Way(Rank.ANSWER, origin)):
            done.append(chat)

    crowd = [asyncio.create_task(say(number, GROUP)) for number in range(1, 201)]
    await asyncio.sleep(0)
    await asyncio.gather(*(say(number, OTHER) for number in range(1001, 1006)))
    assert max(done.index(number) for number in range(1001, 1006)) < 30
    await asyncio.gather(*crowd)


async def test_topics_of_a_group_take_turns(clock: Hand) -> None:
    lanes, done = Lanes(Pace(group=Quota(2, 60)), clock.now, clock.sleep), list[str]()

    async def say(topic: str) -> None:
        async with lanes.turn(GROUP, Way(Rank.ANSWER, topic)):
            done.append(topic)

    await asyncio.gather(*(say(topic) for topic in "aaaaabbc"))
    assert "".join(done) == "aaabcaba", "the first two at once"


async def test_a_groups_boards_take_turns_longest_waiting_first(
    clock: Hand,
) -> None:
    lanes, done = Lanes(Pace(chat=AT_ONCE, group=Quota(2, 60)), clock.now, clock.sleep), list[str]()

    async def show(topic: str) -> None:
        for part in (1, 2):
            await lanes.room(GROUP, topic, Rank.NEXT)
            await asyncio.sleep(0)  # it is painted
            for what in ("post", "edit"):
                async with lanes.turn(GROUP, Way(Rank.BOARD, topic)):
                    done.append(f"{topic}{part} {what}")

    await asyncio.gather(*(show(topic) for topic in "abc"))
    firsts = [text.split()[0] for text in done if "post" in text]
    assert firsts == ["a1", "b1", "c1", "a2", "b2", "c2"]
    for topic in firsts:
        begun, ended = done.index(f"{topic} post"), done.index(f"{topic} edit")
        assert ended - begun <= 2, "nobody new begins before it is through"


async def test_boards_go_before_answers_and_old_buttons_go_last(clock: Hand) -> None:
    lanes, done = Lanes(Pace(chat=AT_ONCE, group=Quota(1, 60)), clock.now, clock.sleep), list[str]()

    async def say(name: str, way: Way) -> None:
        async with lanes.turn(GROUP, way):
            done.append(name)

    await say("first", Way())
    ways = [
        *(("old", Way(Rank.TIDYING, "a")), ("newer", Way(Rank.TIDYING, "b"))),
        *(("answer", Way(Rank.ANSWER, "a")), ("board", Way(Rank.BOARD, "b"))),
    ]
    await asyncio.gather(*(say(*way) for way in ways))
    assert done == ["first", "board", "answer", "old", "newer"]


async def test_a_newer_answer_replaces_a_persons_waiting_ones() -> None:
    clock, done = HandClock(), list[str]()
    lanes = Lanes(Pace(chat=Quota(1, 60)), clock.monotonic, clock.sleep)

    async def say(name: str, *, gives_way: bool = True) -> None:
        async with lanes.turn(PRIVATE, Way(Rank.ANSWER, GROUP, patience_s=300, gives_way=gives_way)):
            done.append(name)

    await say("first")
    names = ("second", "third", "typed", "last")
    saying = [asyncio.create_task(say(name, gives_way=name != "typed")) for name in names]
    await clock.slept()
    assert done == ["first"]
    for _ in range(2):
        await clock.advance(timedelta(seconds=61))
    what = await asyncio.gather(*saying, return_exceptions=True)
    assert [isinstance(outcome, Overtaken) for outcome in what] == [True, True, False, False]
    assert done == ["first", "typed", "last"]


async def test_a_longer_wait_is_reported_instead_of_awaited(clock: Hand) -> None:
    lanes = Lanes(Pace(chat=Quota(100, 1), group=Quota(2, 60)), clock.now, clock.sleep)
    await said(lanes, clock, GROUP)
    await said(lanes, clock, GROUP)
    with pytest.raises(TryLater) as later:
        await said(lanes, clock, GROUP, patience_s=5)
    assert later.value.after_s == 60
    clock.time += 57
    assert await said(lanes, clock, GROUP, patience_s=5) == 1060


async def test_an_overtaken_request_waits_no_longer_than_its_limit() -> None:
    lanes = Lanes(Pace(chat=AT_ONCE, group=Quota(1, 0.1)))

    async def boards() -> None:
        for number in range(8):
            async with lanes.turn(GROUP, Way(Rank.BOARD, number)):
                pass

    async with lanes.turn(GROUP):
        showing = [asyncio.create_task(boards()) for _ in range(3)]
        answer = asyncio.ensure_future(said(lanes, Hand(), GROUP, patience_s=0.25))
        asked = asyncio.create_task(lanes.turn(GROUP, Way(Rank.ANSWER, patience_s=0.25)).__aenter__())
        await asyncio.sleep(0)
        answer.cancel()
    with pytest.raises(TryLater):
        await asked
    for task in showing:
        task.cancel()


async def test_a_held_chat_holds_up_no_other(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    lanes.hold(GROUP, 30)
    lanes.hold(GROUP, 10)  # the longer one counts
    with pytest.raises(TryLater) as later:
        await said(lanes, clock, GROUP, patience_s=5)
    assert later.value.after_s == 30
    assert await said(lanes, clock, OTHER) == 1000
    clock.time += 30
    assert await said(lanes, clock, GROUP) == 1030


async def test_messages_of_one_chat_go_out_one_after_the_other_in_order(clock: Hand) -> None:
    lanes = Lanes(Pace(chat=AT_ONCE, group=AT_ONCE, overall=AT_ONCE), clock.now, clock.sleep)
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


async def test_who_stops_waiting_does_not_stop_the_queue() -> None:
    clock, done = HandClock(), list[int]()
    lanes = Lanes(Pace(chat=Quota(1, 60)), clock.monotonic, clock.sleep)

    async def say(number: int) -> None:
        async with lanes.turn(PRIVATE):
            done.append(number)

    waiting = [asyncio.create_task(say(number)) for number in range(4)]
    await clock.slept()
    assert done == [0]
    waiting[1].cancel()
    waiting[2].cancel()
    await clock.advance(timedelta(seconds=61))
    await asyncio.gather(*waiting, return_exceptions=True)
    assert done == [0, 3]


async def test_a_chat_unused_for_minutes_is_forgotten(clock: Hand) -> None:
    """Its quotas are full again by then: so many others take that long at full speed."""
    assert KEPT_LANES / Pace().overall.count * Pace().overall.seconds > Pace().group.seconds
    lanes = Lanes(Pace(overall=Quota(10, 0), chat=Quota(1, 1)), clock.now, clock.sleep)
    lanes.hold(GROUP, 30)
    for number in range(1, KEPT_LANES + 1):
        await said(lanes, clock, number)
    assert await said(lanes, clock, GROUP, patience_s=5) == clock.time


# Ephemeral messages


async def in_a_minute(lanes: Lanes, clock: Hand, *, public: int, apart: int) -> None:
    """Send public messages, then ephemeral ones, and meet a rate limit of Telegram's."""
    for _ in range(public):
        await said(lanes, clock, GROUP)
    for _ in range(apart):
        lanes.sent_apart(GROUP)
    lanes.learn(GROUP)


@pytest.mark.parametrize(
    ("public", "apart", "counts"), [(12, 8, True), (0, 20, True), (12, 7, False), (20, 30, False), (19, 0, False)]
)
async def test_ephemeral_messages_count_from_the_first_refusal_that_only_they_explain(
    clock: Hand, public: int, apart: int, counts: bool
) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    await in_a_minute(lanes, clock, public=public, apart=apart)
    assert lanes.counts_apart is counts


async def test_old_ephemeral_messages_explain_no_refusal(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    lanes.sent_apart(GROUP)
    clock.time += 100
    await in_a_minute(lanes, clock, public=19, apart=0)
    assert not lanes.counts_apart


async def test_once_they_count_the_uncounted_ones_use_up_the_quota_of_their_group(clock: Hand) -> None:
    lanes = Lanes(Pace(), clock.now, clock.sleep)
    await in_a_minute(lanes, clock, public=0, apart=20)
    with pytest.raises(TryLater):
        await said(lanes, clock, GROUP, patience_s=5)
    assert await said(lanes, clock, OTHER, patience_s=0) == clock.time
