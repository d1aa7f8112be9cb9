"""Rate limits: one line of waiting requests, in which each chat has its own quotas and all chats share one.

Telegram allows about one message a second in a chat, twenty a minute in a group (edits count), thirty a second in all.
Beyond that it answers "too many requests" with the seconds to wait, which blocks this chat only. A request whose chat
has no room lets those of other chats pass. The order: groups before private chats, because they show boards; then

    boards     boards that are partly shown are completed first
    next       then the next board
    answers    private replies
    tidying    old buttons

and within a rank, the places of the requests take turns, for example the topics of a group.

Telegram does not say whether ephemeral messages count in a group. They do not, until an answer "too many requests" that
only they can explain; from then on they wait for room in the group as well.
"""

import asyncio
import logging
import math
import time
from bisect import insort
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from enum import IntEnum
from itertools import count

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import Limited, Undelivered

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]

log = logging.getLogger(__name__)

MOST_APART = 100  # ephemeral messages that are remembered of a group
KEPT_LANES = 5000  # in three minutes at full speed
GRANT_S = 3.0  # how long a reserved slot is kept, in which a board is painted

let_go: ContextVar[Callable[[], None]] = ContextVar("let_go", default=lambda: None)
"""Called when the message of this task was tried once, or has to wait for its turn: its caller need not wait longer."""


class Rank(IntEnum):
    BOARD = 0
    NEXT = 1
    ANSWER = 2
    TIDYING = 3


class Way(Struct, frozen=True):
    """How a message is sent. *origin*: the place of its request. *patience_s*: a longer wait raises Limited.

    *gives_way*: a newer message of this kind in the same chat replaces it.
    """

    rank: Rank = Rank.BOARD
    origin: Hashable = None
    patience_s: float = math.inf
    gives_way: bool = False


class Overtaken(Undelivered):
    """A newer message replaces this one."""


class Quota(Struct, frozen=True):
    """At most *count* in any *seconds*."""

    count: int
    seconds: float


class Pace(Struct, frozen=True):
    """Quotas a little below Telegram's, counted from the answer of a request, when it has surely arrived."""

    overall: Quota = Quota(28, 1.05)
    chat: Quota = Quota(3, 3.1)
    group: Quota = Quota(20, 62.0)


class Meter:
    """The ends of the last requests, to keep a quota."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self.ends = deque[float](maxlen=quota.count)

    def wait(self, now: float, pending: int) -> float:
        """Return the least seconds until a request is allowed after *pending* others, which may end now; 0: now."""
        ends = [end for end in self.ends if end + self._quota.seconds > now]
        over = len(ends) + pending - self._quota.count
        if over < 0:
            return 0.0
        return self._quota.seconds - (now - ends[over] if over < len(ends) else 0.0)


class Lane:
    """A chat. *is_busy*: a request is under way. *grants*: the reserved slots, until when, by origin."""

    def __init__(self, *quotas: Quota, is_group: bool = False) -> None:
        self.meters = [Meter(quota) for quota in quotas]
        self.is_group = is_group
        self.is_busy = False
        self.grants: dict[Hashable, float] = {}
        self.held_until = -math.inf
        self.apart = deque[float](maxlen=MOST_APART)  # the ends of ephemeral messages that were not counted

    def wait(self, now: float, ahead: int = 0) -> float:
        """Return the least seconds until a request has room after *ahead* others; 0: now."""
        pending = sum(until > now for until in self.grants.values()) + self.is_busy + ahead
        return max(0.0, self.held_until - now, *(meter.wait(now, pending) for meter in self.meters))


class Ticket(Struct, eq=False):
    """A waiting request. *key*: its place in the line. *passed*: done when it may go on.

    *sends*: it sends a message and does not only reserve a slot.
    """

    lane: Lane
    way: Way
    key: tuple[bool, Rank, int, int]
    passed: asyncio.Future[None]
    until: float
    sends: bool
    is_running: bool = False


class Lanes:
    """The line. *now* is monotonic; tests replace it and *sleep*."""

    def __init__(self, pace: Pace, now: Clock = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        self._pace = pace
        self._now = now
        self._sleep = sleep
        self._overall = Meter(pace.overall)
        self._running = 0
        self._lanes = LRUCache[int, Lane](KEPT_LANES)
        self._numbers = count()
        self._again: asyncio.Task[None] | None = None
        self.counts_apart = False  # ephemeral messages count in groups
        self.waiting: list[Ticket] = []

    @asynccontextmanager
    async def turn(self, chat: int, way: Way = Way(), *, aside: bool = False) -> AsyncIterator[None]:  # noqa: B008
        """Wait for a turn in *chat*; the next request waits until this one is done.

        *aside*: it is no message and uses no quota of *chat*. Raises Overtaken, and Limited with the remaining seconds
        if the wait exceeds the patience.
        """
        lane = self._lane(chat)
        if aside:
            self.hear(chat)
            lane = Lane()
        for older in self.waiting.copy() if way.gives_way else ():
            if older.lane is lane and older.way.gives_way:
                self._refuse(older, Overtaken("a newer message replaces it"))
        if way.rank is not Rank.ANSWER and lane.grants.pop(way.origin, -math.inf) > self._now():
            way = replace(way, rank=Rank.BOARD)
        ticket = await self._passed(lane, way)
        try:
            yield
        finally:
            for meter in (*lane.meters, self._overall):
                meter.ends.append(self._now())
            self._end(ticket)

    async def room(self, chat: int, origin: Hashable, rank: Rank) -> None:
        """Wait for room in *chat*, and reserve it for the next message of *origin*."""
        await self._passed(self._lane(chat), Way(rank, origin), sends=False)

    def hear(self, chat: int) -> None:
        """Raise Limited if *chat* is blocked."""
        held_s = self._lane(chat).held_until - self._now()
        if held_s > 0:
            raise Limited(held_s, "chat is blocked")

    def hold(self, chat: int, seconds: float) -> None:
        """Block *chat* for *seconds*."""
        lane = self._lane(chat)
        lane.held_until = max(lane.held_until, self._now() + seconds)

    def sent_apart(self, chat: int) -> None:
        """Note an ephemeral message in *chat*, which did not count."""
        self._lane(chat).apart.append(self._now())

    def learn(self, chat: int) -> None:
        """Learn from an answer "too many requests" in *chat*: if only the ephemeral messages there explain it, they
        count from now on, in all groups."""
        lane, group = self._lane(chat), self._pace.group
        if self.counts_apart or not lane.is_group:
            return
        since = self._now() - group.seconds
        counted, apart = (sum(end > since for end in ends) for ends in (lane.meters[-1].ends, lane.apart))
        if counted >= group.count or counted + apart < group.count:
            return
        self.counts_apart = True
        log.info("Telegram: ephemeral messages count in groups")
        for known in self._lanes.values():
            if known.is_group:
                meter = known.meters[-1]
                meter.ends = deque(sorted((*meter.ends, *known.apart)), maxlen=meter.ends.maxlen)

    def _lane(self, chat: int) -> Lane:
        if chat not in self._lanes:
            is_group = chat < 0
            quotas = (self._pace.chat, self._pace.group) if is_group else (self._pace.chat,)
            self._lanes[chat] = Lane(*quotas, is_group=is_group)
        return self._lanes[chat]

    async def _passed(self, lane: Lane, way: Way, *, sends: bool = True) -> Ticket:
        """Return a ticket when it may go on. Raises Limited, Overtaken."""
        waiting = sum((other.way.rank, other.way.origin) == (way.rank, way.origin) for other in self.waiting)
        key = (not lane.is_group, way.rank, waiting, next(self._numbers))
        passed = asyncio.get_running_loop().create_future()
        ticket = Ticket(lane, way, key, passed, self._now() + way.patience_s, sends)
        insort(self.waiting, ticket, key=lambda waiting: waiting.key)
        self._serve()
        try:
            if not passed.done():
                let_go.get()()
                ahead = sum(other.lane is lane and other.key < key for other in self.waiting)
                expected_s = lane.wait(self._now(), ahead)
                if expected_s > way.patience_s:
                    raise Limited(expected_s, "rate limit reached")
            await passed
        except BaseException:
            self._end(ticket)
            raise
        return ticket

    def _serve(self) -> None:
        """Let requests pass, in order. While some are waiting, do so again."""
        now, again_s = self._now(), GRANT_S
        for ticket in self.waiting.copy():
            if (all_s := self._overall.wait(now, self._running)) > 0:
                again_s = min(again_s, all_s)
                break
            if ticket.lane.is_busy or ticket.passed.done():
                continue
            if (wait_s := ticket.lane.wait(now)) > 0:
                again_s = min(again_s, wait_s)
            else:
                self._begin(ticket)
        for ticket in self.waiting.copy():
            if ticket.until <= now:
                self._refuse(ticket, Limited(max(again_s, ticket.lane.wait(now)), "waited too long"))
            else:
                again_s = min(again_s, ticket.until - now)
        if self._again is not None:
            self._again.cancel()
        self._again = asyncio.create_task(self._serve_in(again_s)) if self.waiting else None

    async def _serve_in(self, seconds: float) -> None:
        await self._sleep(seconds)
        self._again = None
        self._serve()

    def _begin(self, ticket: Ticket) -> None:
        self.waiting.remove(ticket)
        ticket.passed.set_result(None)
        if ticket.sends:
            ticket.is_running = ticket.lane.is_busy = True
            self._running += 1
        else:
            ticket.lane.grants[ticket.way.origin] = self._now() + GRANT_S

    def _refuse(self, ticket: Ticket, error: Undelivered) -> None:
        self.waiting.remove(ticket)
        if not ticket.passed.done():
            ticket.passed.set_exception(error)

    def _end(self, ticket: Ticket) -> None:
        if ticket in self.waiting:
            self.waiting.remove(ticket)
        elif ticket.is_running:
            ticket.lane.is_busy = False
            self._running -= 1
        self._serve()
