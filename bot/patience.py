"""Saying something again to a platform that has had enough for now."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.chat import TryLater
from bot.clock import Clock

T = TypeVar("T")

TRIES = 6
LONGEST_PAUSE_S = 60.0


async def insist(call: Callable[[], Awaitable[T]], clock: Clock) -> T:
    """What *call* gives, tried again a few times, after the pause that the platform wants. Raises Undelivered."""
    for tried in range(TRIES):
        try:
            return await call()
        except TryLater as later:
            pause_s = float(2**tried) if later.after_s is None else later.after_s
            await clock.sleep(min(pause_s, LONGEST_PAUSE_S))
    return await call()
