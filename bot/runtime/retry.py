"""Trying again: how often and with which pauses, as values; and insisting where a platform has had enough."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from bot.chat import TryLater
from bot.runtime.clock import Clock

T = TypeVar("T")


class Retry(Struct, frozen=True):
    """*tries* at most; pauses that double from *first_s* on, *longest_s* at most.

    >>> [Retry(9, 1.0, 60.0).pause_s(tried) for tried in (0, 3, 9)]
    [1.0, 8.0, 60.0]
    """

    tries: int
    first_s: float
    longest_s: float

    def pause_s(self, tried: int, wanted_s: float | None = None) -> float:
        """Seconds until the next try after *tried* + 1 in vain. *wanted_s*: what the platform wants, None: it is free.

        >>> Retry(9, 1.0, 60.0).pause_s(0, 7.5)
        7.5
        """
        return min(self.first_s * 2 ** min(tried, 32) if wanted_s is None else wanted_s, self.longest_s)


ANSWERS = Retry(tries=6, first_s=1.0, longest_s=60.0)
"""Of what somebody waits for: a greeting, a film."""

BOARDS = Retry(tries=6, first_s=1.0, longest_s=120.0)
"""Of a board while its place is worked on."""

WAITING_BOARDS = Retry(tries=0, first_s=30.0, longest_s=600.0)
"""Of a board that could not be posted so: it waits in the store, and is tried for as long as there is its place."""

LOST_BOARDS = Retry(tries=0, first_s=600.0, longest_s=3600.0)
"""The same where there is no such place just now: somebody may bring the bot back."""

SAVES = Retry(tries=8, first_s=0.005, longest_s=0.04)
"""Of a save that another process was quicker than."""


async def insist(call: Callable[[], Awaitable[T]], clock: Clock, retry: Retry = ANSWERS) -> T:
    """What *call* gives, tried again after the pauses that the platform wants. Raises Undelivered."""
    for tried in range(retry.tries):
        try:
            return await call()
        except TryLater as later:
            await clock.sleep(retry.pause_s(tried, later.after_s))
    return await call()
