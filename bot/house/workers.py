"""Where the house thinks: in processes of their own, at the lowest priority, beside everything else.

They are started when the first thought is wanted, and end when none has been for a while, or with the bot. A table has
one decision at a time in the queue, so all tables get on alike; where it grows, each thinks less long instead of later.
"""

import asyncio
import logging
import multiprocessing
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from bot.house.thinking import think
from rules.chance import Chance

log = logging.getLogger(__name__)

IDLE_S = 120.0
LOWEST = 19
FEW = 30


class Thinker(Protocol):
    """Decides for the house; see `bot.house.think`."""

    async def action(
        self, game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, seconds: float, /
    ) -> Any: ...

    async def close(self) -> None: ...


class Here:
    """Thinks in this process, always alike: so many *iterations*, whatever the clock says."""

    def __init__(self, iterations: int = FEW) -> None:
        self._iterations = iterations

    async def action(
        self, game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, _seconds: float, /
    ) -> Any:
        return await asyncio.to_thread(think, game, seen, seat, level, chance, iterations=self._iterations)

    async def close(self) -> None:
        pass


class Workers:
    """Thinks in at most as many processes as there are cores."""

    def __init__(self, most: int | None = None, idle_s: float = IDLE_S) -> None:
        self._most = most or os.cpu_count() or 1
        self._idle_s = idle_s
        self._pool: ProcessPoolExecutor | None = None
        self._wanted = 0
        self._ending: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether there are processes."""
        return self._pool is not None

    async def action(
        self, game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, seconds: float, /
    ) -> Any:
        """Raises BrokenProcessPool where processes die again and again."""
        self._wanted += 1
        if self._ending is not None:
            self._ending.cancel()
        try:
            seconds *= min(1.0, self._most / self._wanted)
            try:
                return await self._thought(game, seen, seat, level, chance, seconds)
            except BrokenProcessPool:  # one was killed, and took the others along
                log.warning("a process that thinks for the house has died; another one thinks again")
                self._end()
                return await self._thought(game, seen, seat, level, chance, seconds)
        finally:
            self._wanted -= 1
            if not self._wanted:
                self._ending = asyncio.get_running_loop().call_later(self._idle_s, self._end)

    async def _thought(self, *asked: Any) -> Any:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._most, mp_context=spawn, initializer=_begin)
        return await asyncio.get_running_loop().run_in_executor(self._pool, _think, *asked)

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None

    async def close(self) -> None:
        """End at once; nobody waits for what is being thought."""
        if self._ending is not None:
            self._ending.cancel()
        if self._pool is not None:
            for process in multiprocessing.active_children():  # there are no others in the bot
                process.terminate()
        self._end()


def _begin() -> None:
    """Make room for others, and end with the bot, however that ends."""
    os.setpriority(os.PRIO_PROCESS, 0, LOWEST)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def watch() -> None:
            parent.join()
            os._exit(0)

        threading.Thread(target=watch, daemon=True).start()


def _think(game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, seconds: float) -> Any:
    return think(game, seen, seat, level, chance, seconds=seconds)
