"""How fast the bot may speak: one queue per chat, so that a flooded chat never delays another.

Telegram allows about one message a second in a chat, twenty a minute in a group (edits count), thirty a second in all.
Who is over that hears "too many requests" with the seconds to wait; that holds up this chat only.
"""

import asyncio
import heapq
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count

from msgspec import Struct

from bot.chat import Limited

KEPT_LANES = 5000
STEP_S = 0.01  # whoever waits behind others looks again


class Quota(Struct, frozen=True):
    """At most *count* in any *seconds*."""

    count: int
    seconds: float


class Pace(Struct, frozen=True):
    """A little less than Telegram takes, as it counts when a message arrives there.

    *patience_s*: a longer wait is told instead of waited for, so that delivery can come with a newer board."""

    overall: Quota = Quota(30, 1.0)
    chat: Quota = Quota(3, 3.0)
    group: Quota = Quota(20, 62.0)
    patience_s: float = 2.0


UNLIMITED = Pace(overall=Quota(1000, 0.0), chat=Quota(1000, 0.0), group=Quota(1000, 0.0))
"""For a server that does not count."""


class Meter:
    """When the last ones were, to keep within a quota."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._times: deque[float] = deque(maxlen=quota.count)

    def wait(self, now: float) -> float:
        """Seconds until the next one is allowed; 0 if it is now."""
        if len(self._times) < self._quota.count:
            return 0.0
        return max(0.0, self._times[0] + self._quota.seconds - now)

    def note(self, now: float) -> None:
        self._times.append(now)


class Lane:
    """One chat's queue. *held_until*: Telegram wants to hear nothing for this chat before."""

    def __init__(self, quotas: tuple[Quota, ...]) -> None:
        self.lock = asyncio.Lock()
        self.meters = tuple(Meter(quota) for quota in quotas)
        self.held_until = float("-inf")
        self.users = 0

    def wait(self, now: float) -> float:
        return max(self.held_until - now, *(meter.wait(now) for meter in self.meters))

    def note(self, now: float) -> None:
        for meter in self.meters:
            meter.note(now)


class Lanes:
    """The queues of all chats. *now* and *sleep* are set by hand in tests; a jump of the wall clock is no matter."""

    def __init__(
        self,
        pace: Pace,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._pace = pace
        self._now = now
        self._sleep = sleep
        self._overall = Meter(pace.overall)
        self._lanes: OrderedDict[int, Lane] = OrderedDict()
        self._queue: list[tuple[bool, int]] = []
        self._numbers = count()

    @asynccontextmanager
    async def turn(self, chat: int) -> AsyncIterator[None]:
        """Wait for the turn in *chat*, first come, first served; the next one waits until this one is through.

        Raises Limited with the seconds left where the wait would be longer than the pace's patience.
        """
        lane = self._lane(chat)
        lane.users += 1
        try:
            async with lane.lock:
                while (wait := lane.wait(self._now())) > 0:
                    if wait > self._pace.patience_s:
                        raise Limited(wait, "the chat has had enough messages for now")
                    await self._sleep(wait)
                await self._overall_turn(chat)
                try:
                    yield
                finally:
                    lane.note(self._now())  # when it is done: Telegram counts what has arrived
        finally:
            lane.users -= 1

    async def _overall_turn(self, chat: int) -> None:
        """Wait until there is room among all chats: groups first, as boards stand there, else first come, first served.

        Each chat waits here with one message at a time, so that one with many does not hold up the others.
        """
        mine = (chat > 0, next(self._numbers))
        heapq.heappush(self._queue, mine)
        try:
            while self._queue[0] != mine or self._overall.wait(self._now()) > 0:
                await self._sleep(max(self._overall.wait(self._now()), STEP_S))
            self._overall.note(self._now())
        finally:
            self._queue.remove(mine)
            heapq.heapify(self._queue)

    def hold(self, chat: int, seconds: float) -> None:
        """Say nothing in *chat* for *seconds*."""
        lane = self._lane(chat)
        lane.held_until = max(lane.held_until, self._now() + seconds)

    def _lane(self, chat: int) -> Lane:
        lane = self._lanes.get(chat)
        if lane is None:
            lane = Lane((self._pace.chat, self._pace.group) if chat < 0 else (self._pace.chat,))
            self._lanes[chat] = lane
        self._lanes.move_to_end(chat)
        self._forget()
        return lane

    def _forget(self) -> None:
        """Let go of the chat unused for longest, once there are many and nothing is known of it that still counts."""
        if len(self._lanes) > KEPT_LANES:
            chat, lane = next(iter(self._lanes.items()))
            if lane.users == 0 and lane.wait(self._now()) <= 0:
                del self._lanes[chat]
