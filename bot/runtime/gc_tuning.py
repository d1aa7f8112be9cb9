"""So that nothing holds the event loop for long: threads give way soon, and memory is tidied when nobody waits.

What is free is given back to the system: glibc would take ever larger pieces for what it goes on reusing, and keep some
thirty megabytes between what stays; ten more when everything was painted ahead.

A full garbage collection looks at everything there is and takes tens of milliseconds; Python would do one in the
middle of the busiest minute. Here it waits until nobody does anything. What has survived one need not be looked at
again (it is frozen, and still freed when nothing refers to it), so one that cannot wait longer is short.
"""

import asyncio
import ctypes
import gc
import sys
from collections.abc import Callable

from prometheus_client import Histogram

SWITCH_S = 0.001
"""How long a thread that paints may keep the interpreter to itself while the event loop wants it; Python's own 5 ms are
paid at every system call."""
YOUNG = (1_000, 5)
"""Objects after which the young ones are looked through, and how often before the somewhat older ones are: each look
takes some microseconds an object, and everybody waits for it."""
NEVER = 1_000_000

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # malloc.h
APART_BYTES = 4_000_000
"""What is larger lies for itself, and goes back as soon as it is freed; a picture while it is painted is smaller."""

LOOK_S = 0.25  # how often it is looked how late the event loop is
QUIET_LOOKS = 3  # so many looks without anything having happened: nobody waits
LONGEST_S = 3600.0


def spare_memory() -> None:
    """Before anything large is made. Other libraries than glibc do as they like."""
    adjust = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if adjust is not None:
        adjust(M_MMAP_THRESHOLD, APART_BYTES)
        adjust(M_TRIM_THRESHOLD, APART_BYTES)


def give_back() -> None:
    """What lies free between what stays: some milliseconds. Other libraries than glibc do as they like."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def begin() -> None:
    """Once everything is imported: that stays for good."""
    spare_memory()
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG, NEVER)
    gc.enable()


async def measure(late: Histogram, every_s: float = LOOK_S) -> None:
    """Note how late the event loop comes back from a short sleep; until cancelled."""
    clock = asyncio.get_running_loop().time
    while True:
        due = clock() + every_s
        await asyncio.sleep(every_s)
        late.observe(max(0.0, clock() - due))


class Tidying:
    """*happened*: counts whatever people do."""

    def __init__(self, happened: Callable[[], int], every_s: float = 5.0, longest_s: float = LONGEST_S) -> None:
        self._happened = happened
        self._every_s = every_s
        self._longest_s = longest_s
        self._before = -1
        self._quiet = 0
        self._since = 0.0
        self._is_tidy = True

    async def run(self) -> None:
        """Until cancelled."""
        self._since = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(self._every_s)
            self.look(asyncio.get_running_loop().time())

    def look(self, now: float) -> None:
        """Tidy up, if it is time."""
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
