"""Who does for all processes what only one may do: a lease in the store, by name, that its holder renews. And whose
turn it is where all may do something, one after the other.

The holder writes who it is, so that a process on the same machine sees when it has died and need not wait for the
lease to run out.
"""

import os
import socket
from secrets import token_hex
from typing import cast

from bot.store import keys
from bot.store.calls import Calls

BORN = token_hex(4)
"""Tells this process from a former one that had the same number, as the first of a container always has."""


class Leading:
    """Any call may raise StoreDown."""

    def __init__(self, calls: Calls, name: str) -> None:
        """*name*: nobody else has it."""
        self._client, self._patiently = calls.client, calls.patiently
        self._in_turn = calls.script("in_turn")
        self._name = " ".join((name, socket.gethostname(), str(os.getpid()), BORN))

    async def lead(self, platform: str, lease_ms: int) -> bool:
        """Whether this process leads on *platform*, for *lease_ms* from now: nobody else does, or it did already."""
        key = keys.leader(platform)
        for _ in range(2):
            held = await self._patiently(lambda: self._client.set(key, self._name, nx=True, get=True, px=lease_ms))
            if held is None:
                return True
            holder = cast("bytes", held).decode()
            if holder == self._name:
                await self._patiently(lambda: self._client.pexpire(key, lease_ms))
                return True
            if not has_died(holder):
                return False
            await self._patiently(lambda: self._client.delete(key))
        return False

    async def lead_no_more(self, platform: str) -> None:
        """Let another one lead, if it was this one."""
        key = keys.leader(platform)
        if await self._patiently(lambda: self._client.get(key)) == self._name.encode():
            await self._patiently(lambda: self._client.delete(key))

    async def in_turn(self, platform: str, line: str, each_ms: int) -> int:
        """In how many milliseconds it is the caller's turn in this *line* of a *platform*; each turn takes *each_ms*.
        Whoever does not come leaves a turn out."""
        return cast("int", await self._in_turn((keys.line(platform, line),), (each_ms,)))


def has_died(holder: str) -> bool:
    """Whether *holder* was a process on this machine that is no more.

    >>> has_died(f"x {socket.gethostname()} {os.getpid()} {BORN}"), has_died("x elsewhere 1 00000000")
    (False, False)
    >>> has_died(f"x {socket.gethostname()} {os.getpid()} former")
    True
    """
    _, host, pid, born = holder.split(" ")
    if host != socket.gethostname():
        return False
    if int(pid) == os.getpid():
        return born != BORN
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False
