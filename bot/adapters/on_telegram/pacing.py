"""How fast the bot may speak: one queue per chat, so that a flooded chat never delays another, and one for all of them.

Telegram allows about one message a second in a chat, twenty a minute in a group (edits count), thirty a second in all.
Who is over that hears "too many requests" with the seconds to wait; that holds up this chat only. In every queue:

    boards     what has begun to be shown is shown to its end
    next       then a new one, the place that has waited longest first: the topics of a group take turns
    answers    what single people wait for, in turns by the place that they come from
    tidying    old buttons: when nobody waits, the newest first

Among all chats what is said in groups goes first, as boards stand there.
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
STEP_S = 0.01  # for a turn that depends on when others have been through
LONGEST_S = 5.0  # what is under way for longer counts again when it is done
GRANT_S = 3.0  # for painting, between being told that there is room and using it

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]

let_go: ContextVar[Callable[[], None]] = ContextVar("let_go", default=lambda: None)
"""Called once what this task says has been tried, or has to wait for its turn: nobody is to wait for it any more."""


class Rank(IntEnum):
    BOARD = 0
    NEXT = 1
    ANSWER = 2
    TIDYING = 3


class Way(Struct, frozen=True):
    """How something is said. *origin*: the place that it comes from. *patience_s*: a longer wait is told, as Limited.

    *gives_way*: it need not be said any more once the same chat is to hear another such thing.
    """

    rank: Rank = Rank.BOARD
    origin: Hashable = None
    patience_s: float = math.inf
    gives_way: bool = False


class Overtaken(Undelivered):
    """Something newer is to be said instead."""


class Quota(Struct, frozen=True):
    """At most *count* in any *seconds*."""

    count: int
    seconds: float


class Pace(Struct, frozen=True):
    """A little less than Telegram takes, counted from when a request is answered: it has arrived by then."""

    overall: Quota = Quota(28, 1.05)
    chat: Quota = Quota(3, 3.1)
    group: Quota = Quota(20, 62.0)


UNLIMITED = Pace(overall=Quota(1000, 0.0), chat=Quota(1000, 0.0), group=Quota(1000, 0.0))
"""For a server that does not count."""


class Meter:
    """When the last ones were done, to keep within a quota."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._done: deque[float] = deque(maxlen=quota.count)

    def wait(self, now: float, ahead: int) -> float:
        """Seconds until the next one but *ahead* is allowed; 0 if it is now."""
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
    """Somebody's place in a line. *look*: it may be their turn, or too late."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.look = asyncio.Event()
        self.overtaken = False


class WaitingLine:
    """Who waits. Within a rank the origins take turns; of what is only tidied up the newest goes first."""

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
        """*served*: its origin waits until others had their turn."""
        origins = self._waiting[ticket.way.rank]
        origin = None if ticket.way.rank is Rank.TIDYING else ticket.way.origin
        origins[origin].remove(ticket)
        if not origins[origin]:
            del origins[origin]
        elif served:
            origins.move_to_end(origin)

    def before(self, ticket: Ticket) -> int:
        """How many go before the newcomer *ticket*, as far as they are there by now."""
        rank = ticket.way.rank
        better = sum(len(tickets) for each in Rank if each < rank for tickets in self._waiting[each].values())
        if rank is Rank.TIDYING:
            return better
        mine = len(self._waiting[rank].get(ticket.way.origin, ())) - 1
        return better + sum(min(len(tickets), mine + 1) for tickets in self._waiting[rank].values()) - 1


class Queue:
    """Lets through as many as the quotas allow, *at_once* at most; to everybody their turn."""

    def __init__(self, quotas: tuple[Quota, ...], at_once: float, now: Clock, sleep: Sleep) -> None:
        self._meters = tuple(Meter(quota) for quota in quotas)
        self._at_once = at_once
        self._now = now
        self._sleep = sleep
        self._line = WaitingLine()
        self._going: dict[Ticket, float] = {}  # since when
        self._grants: dict[Hashable, float] = {}  # until when
        self.held_until = -math.inf

    @property
    def idle(self) -> bool:
        """Whether nothing is known here that still counts."""
        return not self._going and self._line.first() is None and self._wait(0) <= 0

    def grant(self, origin: Hashable) -> None:
        """Keep room for what *origin* is about to say."""
        self._grants[origin] = self._now() + GRANT_S
        self._wake()

    def granted(self, origin: Hashable) -> bool:
        """Whether room was kept for *origin*; it is used now."""
        return self._grants.pop(origin, -math.inf) > self._now()

    async def enter(self, ticket: Ticket, until: float) -> None:
        """Wait for the turn of *ticket*, until then at most. Raises Limited, Overtaken."""
        self._line.add(ticket)
        served = False
        try:
            expected = self._wait(self._ahead() + self._line.before(ticket))
            if self._now() + expected > until:
                raise Limited(expected, "there have been enough messages for now")
            while (wait := self._wait(self._ahead()) if self._is_up(ticket) else math.inf) > 0:
                let_go.get()()
                if ticket.overtaken:
                    raise Overtaken("something newer is said")
                if self._now() > until:
                    raise Limited(max(STEP_S, self._wait(self._ahead())), "it waited long enough")
                await self._until_look(ticket, min(wait, until - self._now() + STEP_S))
            served = True
        finally:
            self._line.remove(ticket, served=served)
            if served:
                self._going[ticket] = self._now()
            self._wake()

    def leave(self, ticket: Ticket) -> None:
        """What *ticket* was for is done."""
        if self._going.pop(ticket, None) is not None:
            for meter in self._meters:
                meter.note(self._now())
            self._wake()

    def forget(self, ticket: Ticket) -> None:
        """*ticket* said nothing after all."""
        self._going.pop(ticket, None)
        self._wake()

    def _is_up(self, ticket: Ticket) -> bool:
        return self._line.first() is ticket and len(self._going) < self._at_once

    def _wait(self, ahead: int) -> float:
        now = self._now()
        return max(0.0, self.held_until - now, *(meter.wait(now, ahead) for meter in self._meters))

    def _ahead(self) -> int:
        """How many have their turn, or were promised it, and are not counted yet."""
        now = self._now()
        self._grants = {origin: until for origin, until in self._grants.items() if until > now}
        return len(self._grants) + sum(now - since < LONGEST_S for since in self._going.values())

    def _wake(self) -> None:
        first = self._line.first()
        if first is not None:
            first.look.set()

    async def _until_look(self, ticket: Ticket, seconds: float) -> None:
        """Wait until *ticket* is to look again, so long at most."""
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
    """One chat's queue. *coming*: what has not been sent yet."""

    def __init__(self, quotas: tuple[Quota, ...], at_once: float, now: Clock, sleep: Sleep) -> None:
        super().__init__(quotas, at_once, now, sleep)
        self.coming: set[Ticket] = set()

    @property
    def idle(self) -> bool:
        return not self.coming and super().idle

    def overtake(self) -> None:
        """Something newer is said here: what gives way need not be said any more."""
        for ticket in self.coming:
            if ticket.way.gives_way:
                ticket.overtaken = True
                ticket.look.set()


class Lanes:
    """The queues of all chats. *now* and *sleep* are set by hand in tests; a jump of the wall clock is no matter."""

    def __init__(self, pace: Pace, now: Clock = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        self._pace = pace
        self._now = now
        self._sleep = sleep
        self._overall = Queue((pace.overall,), math.inf, now, sleep)
        self._lanes: OrderedDict[int, Lane] = OrderedDict()

    @asynccontextmanager
    async def turn(self, chat: int, way: Way = Way()) -> AsyncIterator[None]:  # noqa: B008  # a frozen value
        """Wait for the turn in *chat*; the next one waits until this one is through.

        Raises Limited with the seconds left where it would take longer than the patience, Overtaken.
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
        """Wait for the turn in *chat* with what is no message: it takes nothing of what may be said there.

        Raises Limited as `turn` does, and where nothing is to be said there for a while.
        """
        self.hear(chat)
        ticket = Ticket(way)
        await self._overall.enter(ticket, self._now() + way.patience_s)
        try:
            yield
        finally:
            self._overall.leave(ticket)

    async def room(self, chat: int, origin: Hashable, rank: Rank) -> None:
        """Wait until there is room in *chat*, and keep it for a moment for what *origin* says there."""
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
        """Raises Limited where nothing is to be said in *chat* for a while."""
        held_s = self._lane(chat).held_until - self._now()
        if held_s > 0:
            raise Limited(held_s, "nothing is to be said here for now")

    def hold(self, chat: int, seconds: float) -> None:
        """Say nothing in *chat* for *seconds*."""
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
        """Let go of the chat unused for longest, once there are many and nothing is known of it that still counts."""
        if len(self._lanes) > KEPT_LANES:
            chat, lane = next(iter(self._lanes.items()))
            if lane.idle:
                del self._lanes[chat]
