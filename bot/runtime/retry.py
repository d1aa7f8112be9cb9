"""Retry policies as values, and repeated attempts under a platform's rate limit."""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from bot.chat import TryLater
from bot.runtime.clock import Clock

T = TypeVar("T")


class Retry(Struct, frozen=True):
    """At most *tries* attempts (0: no limit), with pauses that double from *first_s* up to *longest_s*.

    >>> [Retry(9, 1.0, 60.0).pause_s(tried) for tried in (0, 3, 9)]
    [1.0, 8.0, 60.0]
    """

    tries: int
    first_s: float
    longest_s: float

    def pause_s(self, tried: int, wanted_s: float | None = None) -> float:
        """Return the seconds before the next attempt, after *tried* + 1 failures. *wanted_s*: the platform's own
        wish, or None.

        >>> Retry(9, 1.0, 60.0).pause_s(0, 7.5)
        7.5
        """
        return min(self.first_s * 2 ** min(tried, 32) if wanted_s is None else wanted_s, self.longest_s)


AWAITED_POSTS = Retry(tries=6, first_s=1.0, longest_s=60.0)
"""Policy for posts that a person waits for: a greeting, a film."""

BOARDS = Retry(tries=6, first_s=1.0, longest_s=120.0)
"""Of a board while its place is worked on."""

WAITING_BOARDS = Retry(tries=0, first_s=30.0, longest_s=600.0)
"""Of a board that could not be posted so: it waits in the store, and is tried for as long as there is its place."""

LOST_BOARDS = Retry(tries=0, first_s=600.0, longest_s=3600.0)
"""The same for a missing place: the bot may be added again."""

STORE = Retry(tries=0, first_s=0.01, longest_s=0.5)
"""Of a call to the store, for as long as its patience lasts."""

SAVES = Retry(tries=8, first_s=0.005, longest_s=0.04)
"""Of a save that another process was quicker than."""

GONE_PAUSE_S = 60.0
"""Between tries at a place that is said to be gone, while it is not sure yet."""

OUTAGE_PAUSE_S = 120.0
"""Until a due table is looked at again while an outage of its platform goes on."""

ELSEWHERE_S = 1.0
"""Until work is claimable again that only a process with the table's platform can do. No process looks for work in a
fixed rhythm (`bot.service.upkeep`), so that it is not always the same one that comes first."""

SURELY_GONE = 3
"""How often in a row a place is said to be gone until that is believed."""

RECONNECT_S = 5.0
"""Pause, in seconds, if the platform names none: long enough for a reconnect."""

COMPACTING = Retry(tries=6, first_s=0.05, longest_s=1.6)
"""Of the wish that a store writes its file anew, while it is busy writing it: within 3 seconds."""

SERVER_STARTS_S = (0.1, 0.5, 2.0, 5.0)
"""Pauses, in seconds, before each restart of an embedded server that was killed."""

LINES = Retry(tries=3, first_s=1.0, longest_s=60.0)
"""Of the answer to a press in a chat; a group's quota is counted by the minute."""

TYPED = Retry(tries=12, first_s=1.0, longest_s=600.0)
"""Policy for an answer to a typed command that has no other way: late is better than never."""

WITHDRAWALS = Retry(tries=5, first_s=0.0, longest_s=0.0)
"""Of taking back what too many have seen: at once, or when the platform says."""

POLLING = Retry(tries=0, first_s=1.0, longest_s=30.0)
"""Of asking a platform for what is new, and who we are: for ever."""

GIVE_UP_S = 600.0
"""How long a platform has to repeat that it does not know the token until the bot gives up."""

CONNECTIONS_S = (1, 2, 5, 10, 30, 60, 120, 300)
"""Pauses between tries to connect or to register; the last one for ever."""


class Refusals:
    """The time for which a platform has repeated the same unmistakable refusal. *times*: how often in a row."""

    def __init__(self) -> None:
        self.times = 0
        self._since_s = 0.0

    def again(self) -> bool:
        """Count a refusal. Return whether they have lasted for `GIVE_UP_S`."""
        now_s = time.monotonic()
        self._since_s = self._since_s if self.times else now_s
        self.times += 1
        return now_s - self._since_s >= GIVE_UP_S

    def end(self) -> None:
        """The platform gave another answer, or none."""
        self.times = 0


async def insist(call: Callable[[], Awaitable[T]], clock: Clock, retry: Retry = AWAITED_POSTS) -> T:
    """What *call* gives, tried again after the pauses that the platform wants. Raises Undelivered."""
    for tried in range(retry.tries):
        try:
            return await call()
        except TryLater as later:
            await clock.sleep(retry.pause_s(tried, later.after_s))
    return await call()
