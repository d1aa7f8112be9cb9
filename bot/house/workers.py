"""The processes of the house, at the lowest priority.

They start with the first request, and end after an idle period or with the bot. The queue holds one decision per table,
so all tables progress alike; if it grows, each decision gets less time instead of a later start. Turns go first. Hints
and reviews use at most one process, and run in short slices if it is the only one.
"""

import asyncio
import contextlib
import heapq
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from enum import IntEnum
from functools import partial
from itertools import count
from typing import Any, Protocol, TypeVar

from bot.house.thinking import think
from rules.chance import Chance

log = logging.getLogger(__name__)

IDLE_S = 120.0
LOWEST = 19
FEW = 30
PIECE_S = 0.5
"""Maximum time, in seconds, that a turn waits for less urgent work with a single process."""

T = TypeVar("T")


class Urgency(IntEnum):
    """Priority classes, the most urgent first."""

    TURN = 0
    HINT = 1
    REVIEW = 2


class Thinker(Protocol):
    """Decides for the house; see `bot.house.think`."""

    async def action(
        self, game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, seconds: float, /
    ) -> Any: ...

    async def ask(self, urgency: Urgency, think: Callable[..., T], /, *asked: Any, seconds: float) -> T:
        """What *think*, a function of a module, gives when it is *asked* so, within *seconds* of one core: it has
        keywords ``seconds`` and ``iterations``, as `bot.house.think` has them."""
        ...

    async def close(self) -> None: ...


class Here:
    """A deterministic player in this process: a fixed number of *iterations* without a clock."""

    def __init__(self, iterations: int = FEW) -> None:
        self._iterations = iterations

    async def action(
        self, game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, seconds: float, /
    ) -> Any:
        return await self.ask(Urgency.TURN, think, game, seen, seat, level, chance, seconds=seconds)

    async def ask(self, _urgency: Urgency, think: Callable[..., T], /, *asked: Any, seconds: float) -> T:  # noqa: ARG002
        return await asyncio.to_thread(partial(think, *asked, iterations=self._iterations))

    async def close(self) -> None:
        pass


class Workers:
    """Thinks in at most as many processes as there are cores."""

    def __init__(self, most: int | None = None, idle_s: float = IDLE_S) -> None:
        self._most = most or os.cpu_count() or 1
        self._idle_s = idle_s
        self._pool: ProcessPoolExecutor | None = None
        self._wanted = 0
        self._turns = 0  # of these, the thoughts of turns
        self._busy = 0
        self._aside = False  # whether one of the busy ones thinks about something that is no turn
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._ending: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether there are processes."""
        return self._pool is not None

    async def action(
        self, game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, seconds: float, /
    ) -> Any:
        """Raises BrokenProcessPool where processes die again and again."""
        return await self.ask(Urgency.TURN, think, game, seen, seat, level, chance, seconds=seconds)

    async def ask(self, urgency: Urgency, think: Callable[..., T], /, *asked: Any, seconds: float) -> T:
        """Raises BrokenProcessPool where processes die again and again."""
        is_turn = urgency is Urgency.TURN
        self._wanted += 1
        self._turns += is_turn
        if self._ending is not None:
            self._ending.cancel()
        try:
            if is_turn:
                seconds *= min(1.0, self._most / self._turns)
            elif self._most == 1:
                seconds = min(seconds, PIECE_S)
            try:
                return await self._thought(urgency, think, asked, seconds)
            except BrokenProcessPool:  # one was killed, and took the others along
                log.warning("a process that thinks for the house has died; another one thinks again")
                return await self._thought(urgency, think, asked, seconds)
        finally:
            self._wanted -= 1
            self._turns -= is_turn
            if not self._wanted:
                self._ending = asyncio.get_running_loop().call_later(self._idle_s, self._end)

    async def _thought(self, urgency: Urgency, think: Callable[..., T], asked: Sequence[Any], seconds: float) -> T:
        """What *think* gives, once a process is free for it."""
        await self._admitted(urgency)
        loop = asyncio.get_running_loop()

        def done(_: "Future[T]") -> None:
            with contextlib.suppress(RuntimeError):  # the bot has ended meanwhile
                loop.call_soon_threadsafe(self._leave, urgency)

        pool = self._running()
        try:
            thinking = pool.submit(partial(think, *asked, seconds=seconds))
        except BrokenProcessPool:  # the process died unnoticed
            self._leave(urgency)
            self._give_up(pool)
            raise
        # The request may be cancelled, but the process is busy until the search ends.
        thinking.add_done_callback(done)
        try:
            return await asyncio.wrap_future(thinking)
        except BrokenProcessPool:
            self._give_up(pool)
            raise

    async def _admitted(self, urgency: Urgency) -> None:
        """Wait for a free process: by priority, then by arrival."""
        if self._fits(urgency) and not self._waiting:
            self._enter(urgency)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._numbers), turn))
        self._next()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(urgency)
            raise

    def _fits(self, urgency: Urgency) -> bool:
        return self._busy < self._most and (urgency is Urgency.TURN or not self._aside)

    def _enter(self, urgency: Urgency) -> None:
        self._busy += 1
        self._aside = self._aside or urgency is not Urgency.TURN

    def _leave(self, urgency: Urgency) -> None:
        self._busy -= 1
        self._aside = self._aside and urgency is Urgency.TURN
        self._next()

    def _next(self) -> None:
        """Let those think for whom there is a process."""
        while self._waiting and (self._waiting[0][2].done() or self._fits(self._waiting[0][0])):
            urgency, _, turn = heapq.heappop(self._waiting)
            if not turn.done():  # otherwise no request is waiting
                self._enter(urgency)
                turn.set_result(None)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._most, mp_context=spawn, initializer=_begin)
        return self._pool

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        """*pool* is broken; the first who notices makes room for another one."""
        if self._pool is pool:
            self._end()

    def _end(self) -> None:
        """End all processes without their help: on a busy machine, the lowest priority takes minutes to end itself."""
        if self._pool is not None:
            for process in multiprocessing.active_children():  # there are no others in the bot
                process.terminate()
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None

    async def close(self) -> None:
        """Stop at once; running searches are abandoned."""
        if self._ending is not None:
            self._ending.cancel()
        self._end()


def _begin() -> None:
    """Make room for others, and end with the bot, however that ends."""
    os.setpriority(os.PRIO_PROCESS, 0, LOWEST)
    if sys.platform == "linux":
        # Niceness only makes the share small: a process that wakes up may still wait for the end of a time slice.
        with contextlib.suppress(OSError):  # a container may refuse
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's Ctrl+C reaches every process: the bot ends this one
    parent = multiprocessing.parent_process()
    if parent is not None:

        def watch() -> None:
            parent.join()
            os._exit(0)

        threading.Thread(target=watch, daemon=True).start()
