"""How much one person may ask for."""

from datetime import timedelta

from bot.chat import PersonId
from bot.runtime.rate_limit import A_MINUTE, AT_ONCE, RateLimit
from tests.bot.conftest import HandClock

ANNA, BEN = PersonId("x:anna"), PersonId("x:ben")


def taken(limit: RateLimit, person: PersonId) -> int:
    """Return how many requests in a row are accepted."""
    return next(number for number in range(10_000) if not limit.takes(person))


def test_so_many_requests_are_taken_at_once_and_no_more() -> None:
    limit = RateLimit(HandClock())
    assert taken(limit, ANNA) == AT_ONCE == 40
    assert taken(limit, ANNA) == 0
    assert taken(limit, BEN) == AT_ONCE, "everybody has an allowance of their own"


async def test_the_allowance_comes_back_steadily() -> None:
    clock = HandClock()
    limit = RateLimit(clock)
    taken(limit, ANNA)
    for seconds in (1, 5, 30):
        await clock.advance(timedelta(seconds=seconds))
        assert taken(limit, ANNA) == seconds * A_MINUTE // 60 == seconds


async def test_a_long_absence_does_not_raise_the_allowance() -> None:
    clock = HandClock()
    limit = RateLimit(clock)
    assert limit.takes(ANNA)
    await clock.advance(timedelta(days=3))
    assert taken(limit, ANNA) == AT_ONCE
