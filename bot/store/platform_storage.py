"""The small key–value store that each platform's adapter receives: see `bot.chat.Storage`.

A value has a key of its own with a TTL; a sorted set beside it leads to it by the time when it may be claimed. The
holder of the leader lease writes who it is: another process on the same machine sees that it has died and need not wait
for the lease to run out.
"""

import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import Any, cast

from bot.runtime.clock import Clock, to_ms
from bot.runtime.metrics import Metrics
from bot.store import keys
from bot.store.calls import Calls

BORN = token_hex(4)
"""Tells this process from an earlier one with the same number: the first process of a container always has number 1."""
INDEX_MS = 31 * 24 * 60 * 60 * 1000
"""TTL of the sorted set; longer than any value's."""


class PlatformStorage:
    """The storage of one *platform*. Every method raises `bot.store.StoreDown`, which is a `bot.chat.StorageDown`."""

    def __init__(
        self, calls: Calls, process: str, platform: str, clock: Clock, metrics: Metrics, *, alone: bool = False
    ) -> None:
        """*process*: a name that no other process has. *alone*: no other process uses the store, so a leader lease that
        another one holds is left from before a crash."""
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined
        self._claim = calls.script("claim")
        self._reserve_slot = calls.script("reserve_slot")
        self._process = " ".join((process, machine(), str(os.getpid()), BORN))
        self._platform = platform
        self._alone = alone
        self._clock = clock
        self._metrics = metrics

    async def put(self, key: str, value: bytes, *, ttl_s: float, claimable_in_s: float) -> None:
        due_ms = to_ms(self._clock.now()) + round(1000 * claimable_in_s)

        def put(pipeline: Any) -> None:
            pipeline.set(keys.pending_value(self._platform, key), value, px=max(1, round(1000 * ttl_s)))
            pipeline.zadd(keys.pending(self._platform), {key: due_ms})
            pipeline.pexpire(keys.pending(self._platform), INDEX_MS)

        await self._pipelined(put)

    async def delete(self, key: str) -> None:
        def delete(pipeline: Any) -> None:
            pipeline.delete(keys.pending_value(self._platform, key))
            pipeline.zrem(keys.pending(self._platform), key)

        await self._pipelined(delete)

    async def claim(self, *, lease_s: float, limit: int) -> tuple[bytes, ...]:
        now_ms = to_ms(self._clock.now())
        arguments = (now_ms, now_ms + round(1000 * lease_s), limit)
        claimed = cast("list[bytes]", await self._claim((keys.pending(self._platform),), arguments))
        values = []
        for key in [raw.decode() for raw in claimed[::2]]:
            value = await self._get(keys.pending_value(self._platform, key))
            if value is None:  # its TTL is over
                await self.delete(key)
            else:
                values.append(value)
        return tuple(values)

    async def lease(self, ttl_s: float, name: str = "") -> bool:
        if name:
            return await self._lease(round(1000 * ttl_s), name)
        leader = self._metrics.leader.labels(self._platform)  # 0 until the store answers
        held = await self._lease(round(1000 * ttl_s), name)
        leader.set(held)
        return held

    async def release(self, name: str = "") -> None:
        key = keys.leader(self._platform, name)
        if await self._get(key) == self._process.encode():
            await self._patiently(lambda: self._client.delete(key))

    async def reserve_slot(self, queue: str, each_s: float) -> float:
        left_ms = await self._reserve_slot((keys.slots(self._platform, queue),), (round(1000 * each_s),))
        return cast("int", left_ms) / 1000

    async def _lease(self, ttl_ms: int, name: str) -> bool:
        key = keys.leader(self._platform, name)
        for _ in range(2):
            held = await self._patiently(lambda: self._client.set(key, self._process, nx=True, get=True, px=ttl_ms))
            if held is None:
                return True
            holder = cast("bytes", held).decode()
            if holder == self._process:
                await self._patiently(lambda: self._client.pexpire(key, ttl_ms))
                return True
            if not self._alone and not has_died(holder):
                return False
            await self._patiently(lambda: self._client.delete(key))
        return False

    async def _get(self, key: str) -> bytes | None:
        return cast("bytes | None", await self._patiently(lambda: self._client.get(key)))


@cache
def machine() -> str:
    """Return a name of the space in which process numbers are unique. Containers and copies of a machine may have equal
    host names, but not the same boot and the same process namespace."""
    parts = [socket.gethostname()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip())
    with suppress(OSError):
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return "/".join(parts).replace(" ", "_")


def has_died(holder: str) -> bool:
    """Return whether *holder* was a process on this machine that has ended.

    >>> has_died(f"x {machine()} {os.getpid()} {BORN}"), has_died("x elsewhere 1 00000000")
    (False, False)
    >>> has_died(f"x {machine()} {os.getpid()} former")
    True
    """
    _, host, pid, born = holder.split(" ")
    if host != machine():
        return False
    if int(pid) == os.getpid():
        return born != BORN
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return _is_zombie(int(pid))


def _is_zombie(pid: int) -> bool:
    """Return whether the process has ended, but its parent has not noticed yet. Only Linux tells."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[:1] == ["Z"]
