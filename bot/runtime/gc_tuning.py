"""Garbage collection and memory settings that keep the event loop responsive.

Threads release the interpreter early. Free memory is returned to the system: glibc would otherwise keep some thirty
megabytes in gaps between live objects, and ten more after all sprites are painted.

A full garbage collection visits every object and takes tens of milliseconds; Python would start one in the busiest
minute. Here it waits for a quiet moment. Survivors are frozen (and still freed by reference counting), so a collection
that cannot wait any longer is short. The collections of young objects skip the many small values that never hold a
cycle: shapes, entries of logs, news (``gc=False``).
"""

import asyncio
import ctypes
import gc
import sys
from collections.abc import Callable

from prometheus_client import Histogram

SWITCH_S = 0.001
"""Maximum time, in seconds, that a painting thread keeps the interpreter while the event loop waits; Python's
default of 5 ms would be paid at every system call."""
YOUNG = (1_000, 5)
"""Collection thresholds of the two young generations, in objects and collections: each collection takes microseconds
per object and blocks the loop."""
NEVER = 1_000_000

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # malloc.h
APART_BYTES = 4_000_000
"""Size from which glibc maps a block separately and returns it at once when freed; a picture being painted is
smaller."""
ARENAS = 1
"""Areas from which glibc serves threads. By default there are up to eight for each core, each with gaps of its own.
Threads hardly wait for one area, because only one thread runs Python at a time."""

LOOK_S = 0.25  # interval between measurements of the loop's delay
QUIET_LOOKS = 3  # checks without any action before a collection
LONGEST_S = 3600.0


def spare_memory() -> None:
    """Set glibc's thresholds and areas before large allocations and threads. Other C libraries ignore this."""
    adjust = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if adjust is not None:
        adjust(M_MMAP_THRESHOLD, APART_BYTES)
        adjust(M_TRIM_THRESHOLD, APART_BYTES)
        adjust(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Return free memory to the system; takes some milliseconds. Does nothing with other C libraries than glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def begin() -> None:
    """Freeze all imported objects and start collecting. Call it once after all imports."""
    spare_memory()
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG, NEVER)
    gc.enable()


async def measure(delay: Histogram, every_s: float = LOOK_S) -> None:
    """Record the delay of the event loop after short sleeps, until cancelled."""
    clock = asyncio.get_running_loop().time
    while True:
        due = clock() + every_s
        await asyncio.sleep(every_s)
        delay.observe(max(0.0, clock() - due))


class Tidying:
    """Collects garbage in quiet moments. *happened*: returns a counter of people's actions."""

    def __init__(self, happened: Callable[[], int], every_s: float = 5.0, longest_s: float = LONGEST_S) -> None:
        self._happened = happened
        self._every_s = every_s
        self._longest_s = longest_s
        self._before = -1
        self._quiet = 0
        self._since = 0.0
        self._is_tidy = True

    async def run(self) -> None:
        """Look for quiet moments, until cancelled."""
        self._since = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(self._every_s)
            self.look(asyncio.get_running_loop().time())

    def look(self, now: float) -> None:
        """Collect, if it is time."""
        happened = self._happened()
        self._quiet = self._quiet + 1 if happened == self._before else 0
        self._is_tidy = self._is_tidy and happened == self._before
        self._before = happened
        if self._is_tidy:
            return
        if self._quiet >= QUIET_LOOKS:
            gc.unfreeze()
            self._collect(now)
            self._is_tidy = True
        elif now - self._since >= self._longest_s:
            self._collect(now)

    def _collect(self, now: float) -> None:
        gc.collect()
        gc.freeze()
        give_back()
        self._since = now
