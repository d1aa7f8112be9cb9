"""Rate limits: one queue per chat, so that a flooded chat never delays another, and one for all of them.

Telegram allows about one message a second in a chat, twenty a minute in a group (edits count), thirty a second in all.
Beyond that it answers "too many requests" with the seconds to wait, which blocks this chat only. Ranks of a queue:

    boards     boards that are partly shown are completed first
    next       then the next board, of the place that has waited longest: the topics of a group take turns
    answers    private replies, in turns by the place of their requests
    tidying    old buttons, if the queue is empty otherwise, the newest first

In the queue of all chats, groups go first, because they show boards.
"""

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from enum import IntEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.chat import Limited, Undelivered

KEPT_LANES = 5000
STEP_S = 0.01  # interval for a turn that depends on unfinished ones
LONGEST_S = 5.0  # a request that takes longer counts only when it is done
GRANT_S = 3.0  # how long a granted slot is kept: the time to paint a board

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]

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


UNLIMITED = Pace(overall=Quota(1000, 0.0), chat=Quota(1000, 0.0), group=Quota(1000, 0.0))
"""For a server without rate limits."""


class Meter:
    """The times of the last requests, to keep a quota."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._done: deque[float] = deque(maxlen=quota.count)

    def wait(self, now: float, ahead: int) -> float:
        """Return the seconds until a request is allowed after *ahead* others; 0: now."""
        while self._done and self._done[0] + self._quota.seconds <= now:
            self._done.popleft()
        over = len(self._done) + ahead - self._quota.count
        if over < 0:
            return 0.0
        rounds, oldest = divmod(over, self._quota.count)
        since = self._done[oldest] if oldest < len(self._done) else now
        return max(0.0, since + (1 + rounds) * self._quota.seconds - now)

    def note(self, now: float) -> None:
        self._done.append(now)


class Ticket:
    """A waiting request. *look*: its turn may have come, or its time is over."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.look = asyncio.Event()
        self.overtaken = False


class WaitingLine:
    """The waiting requests. Within a rank the origins take turns; in TIDYING the newest request goes first."""

    def __init__(self) -> None:
        self._waiting = {rank: OrderedDict[Hashable, deque[Ticket]]() for rank in Rank}

    def add(self, ticket: Ticket) -> None:
        origin = None if ticket.way.rank is Rank.TIDYING else ticket.way.origin
        self._waiting[ticket.way.rank].setdefault(origin, deque()).append(ticket)

    def first(self) -> Ticket | None:
        for rank, origins in self._waiting.items():
            if origins:
                tickets = next(iter(origins.values()))
                return tickets[-1 if rank is Rank.TIDYING else 0]
        return None

    def remove(self, ticket: Ticket, *, served: bool) -> None:
        """*served*: other origins go before its origin now."""
        origins = self._waiting[ticket.way.rank]
        origin = None if ticket.way.rank is Rank.TIDYING else ticket.way.origin
        origins[origin].remove(ticket)
        if not origins[origin]:
            del origins[origin]
        elif served:
            origins.move_to_end(origin)

    def before(self, ticket: Ticket) -> int:
        """Return how many of the present requests go before the new *ticket*."""
        rank = ticket.way.rank
        better = sum(len(tickets) for each in Rank if each < rank for tickets in self._waiting[each].values())
        if rank is Rank.TIDYING:
            return better
        mine = len(self._waiting[rank].get(ticket.way.origin, ())) - 1
        return better + sum(min(len(tickets), mine + 1) for tickets in self._waiting[rank].values()) - 1


class Queue:
    """Lets requests pass within the quotas, at most *at_once* at a time, in order."""

    def __init__(self, quotas: tuple[Quota, ...], at_once: float, now: Clock, sleep: Sleep) -> None:
        self._meters = tuple(Meter(quota) for quota in quotas)
        self._at_once = at_once
        self._now = now
        self._sleep = sleep
        self._line = WaitingLine()
        self._going: dict[Ticket, float] = {}  # start times
        self._grants: dict[Hashable, float] = {}  # end times
        self.held_until = -math.inf

    @property
    def idle(self) -> bool:
        """Whether the queue has no state that still matters."""
        return not self._going and self._line.first() is None and self._wait(0) <= 0

    def grant(self, origin: Hashable) -> None:
        """Reserve a slot for the next message of *origin*."""
        self._grants[origin] = self._now() + GRANT_S
        self._wake()

    def granted(self, origin: Hashable) -> bool:
        """Use the slot that is reserved for *origin*; return whether there was one."""
        return self._grants.pop(origin, -math.inf) > self._now()

    async def enter(self, ticket: Ticket, until: float) -> None:
        """Wait for the turn of *ticket*, at most *until* that time. Raises Limited, Overtaken."""
        self._line.add(ticket)
        served = False
        try:
            expected = self._wait(self._ahead() + self._line.before(ticket))
            if self._now() + expected > until:
                raise Limited(expected, "rate limit reached")
            while (wait := self._wait(self._ahead()) if self._is_up(ticket) else math.inf) > 0:
                let_go.get()()
                if ticket.overtaken:
                    raise Overtaken("a newer message replaces it")
                if self._now() > until:
                    raise Limited(max(STEP_S, self._wait(self._ahead())), "waited too long")
                await self._until_look(ticket, min(wait, until - self._now() + STEP_S))
            served = True
        finally:
            self._line.remove(ticket, served=served)
            if served:
                self._going[ticket] = self._now()
            self._wake()

    def leave(self, ticket: Ticket) -> None:
        """The request of *ticket* is done."""
        if self._going.pop(ticket, None) is not None:
            for meter in self._meters:
                meter.note(self._now())
            self._wake()

    def forget(self, ticket: Ticket) -> None:
        """The request of *ticket* was not sent."""
        self._going.pop(ticket, None)
        self._wake()

    def _is_up(self, ticket: Ticket) -> bool:
        return self._line.first() is ticket and len(self._going) < self._at_once

    def _wait(self, ahead: int) -> float:
        now = self._now()
        return max(0.0, self.held_until - now, *(meter.wait(now, ahead) for meter in self._meters))

    def _ahead(self) -> int:
        """Return how many requests are running or have a reserved slot, and do not count yet."""
        now = self._now()
        self._grants = {origin: until for origin, until in self._grants.items() if until > now}
        return len(self._grants) + sum(now - since < LONGEST_S for since in self._going.values())

    def _wake(self) -> None:
        first = self._line.first()
        if first is not None:
            first.look.set()

    async def _until_look(self, ticket: Ticket, seconds: float) -> None:
        """Wait until *ticket* should look again, at most *seconds*."""
        looks: list[asyncio.Future[object]] = [asyncio.ensure_future(ticket.look.wait())]
        if seconds < math.inf:
            looks.append(asyncio.ensure_future(self._sleep(seconds)))
        try:
            await asyncio.wait(looks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in looks:
                each.cancel()
        ticket.look.clear()


class Lane(Queue):
    """One chat's queue. *coming*: requests that have not been sent yet."""

    def __init__(self, quotas: tuple[Quota, ...], at_once: float, now: Clock, sleep: Sleep) -> None:
        super().__init__(quotas, at_once, now, sleep)
        self.coming: set[Ticket] = set()

    @property
    def idle(self) -> bool:
        return not self.coming and super().idle

    def overtake(self) -> None:
        """A newer message comes: drop the waiting ones that give way."""
        for ticket in self.coming:
            if ticket.way.gives_way:
                ticket.overtaken = True
                ticket.look.set()


class Lanes:
    """The queues of all chats. *now* is monotonic; tests replace it and *sleep*."""

    def __init__(self, pace: Pace, now: Clock = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        self._pace = pace
        self._now = now
        self._sleep = sleep
        self._overall = Queue((pace.overall,), math.inf, now, sleep)
        self._lanes: OrderedDict[int, Lane] = OrderedDict()

    @asynccontextmanager
    async def turn(self, chat: int, way: Way = Way()) -> AsyncIterator[None]:  # noqa: B008  # a frozen value
        """Wait for a turn in *chat*; the next request waits until this one is done.

        Raises Overtaken, and Limited with the remaining seconds if the wait exceeds the patience.
        """
        lane = self._lane(chat)
        if way.rank is not Rank.ANSWER and lane.granted(way.origin):
            way = replace(way, rank=Rank.BOARD)
        ticket, until = Ticket(way), self._now() + way.patience_s
        if way.gives_way:
            lane.overtake()
        lane.coming.add(ticket)
        try:
            await lane.enter(ticket, until)
            ticket.way = replace(way, rank=Rank.BOARD) if chat < 0 else way
            try:
                await self._overall.enter(ticket, until)
            except BaseException:
                lane.forget(ticket)
                raise
            lane.coming.remove(ticket)
            try:
                yield
            finally:
                self._overall.leave(ticket)
                lane.leave(ticket)
        finally:
            lane.coming.discard(ticket)

    @asynccontextmanager
    async def aside(self, chat: int, way: Way) -> AsyncIterator[None]:
        """Wait for a turn with a request that is no message and uses no quota of *chat*.

        Raises Limited as `turn` does, and if *chat* is blocked.
        """
        self.hear(chat)
        ticket = Ticket(way)
        await self._overall.enter(ticket, self._now() + way.patience_s)
        try:
            yield
        finally:
            self._overall.leave(ticket)

    async def room(self, chat: int, origin: Hashable, rank: Rank) -> None:
        """Wait for quota in *chat*, and reserve it for the next message of *origin*."""
        lane = self._lane(chat)
        ticket = Ticket(Way(rank, origin))
        lane.coming.add(ticket)
        try:
            await lane.enter(ticket, math.inf)
            lane.forget(ticket)
            lane.grant(origin)
        finally:
            lane.coming.discard(ticket)

    def hear(self, chat: int) -> None:
        """Raise Limited if *chat* is blocked."""
        held_s = self._lane(chat).held_until - self._now()
        if held_s > 0:
            raise Limited(held_s, "chat is blocked")

    def hold(self, chat: int, seconds: float) -> None:
        """Block *chat* for *seconds*."""
        lane = self._lane(chat)
        lane.held_until = max(lane.held_until, self._now() + seconds)

    def _lane(self, chat: int) -> Lane:
        lane = self._lanes.get(chat)
        if lane is None:
            quotas = (self._pace.chat, self._pace.group) if chat < 0 else (self._pace.chat,)
            lane = self._lanes[chat] = Lane(quotas, 1, self._now, self._sleep)
        self._lanes.move_to_end(chat)
        self._forget()
        return lane

    def _forget(self) -> None:
        """Drop the least recently used queue, if there are many and it is idle."""
        if len(self._lanes) > KEPT_LANES:
            chat, lane = next(iter(self._lanes.items()))
            if lane.idle:
                del self._lanes[chat]
