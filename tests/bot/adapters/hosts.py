"""Shared parts of the tests' hosts."""

import asyncio

from bot.adapters.on_telegram.pacing import Pace, Quota

UNLIMITED = Pace(overall=Quota(1000, 0.0), chat=Quota(1000, 0.0), group=Quota(1000, 0.0))
"""Telegram's quotas for a server without rate limits."""


class MemoryStorage:
    """A storage in memory. Every value can be claimed at once.

    *ttls_s*: the TTL of each value, in order. *released*: how often the leader lease was given back. *leads*: it
    is given to all who ask.
    """

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.ttls_s: list[float] = []
        self.released = 0
        self.leads = True
        self._empty = asyncio.Event()
        self._empty.set()

    async def settled(self) -> None:
        """Wait until no value is left."""
        async with asyncio.timeout(30):
            await self._empty.wait()

    async def put(self, key: str, value: bytes, *, ttl_s: float, claimable_in_s: float) -> None:
        self._empty.clear()
        self.values[key] = value
        self.ttls_s.append(ttl_s)

    async def delete(self, key: str) -> None:
        self.values.pop(key, None)
        if not self.values:
            self._empty.set()

    async def claim(self, *, lease_s: float, limit: int) -> tuple[bytes, ...]:
        return tuple(self.values.values())

    async def lease(self, ttl_s: float, name: str = "") -> bool:
        return bool(name) or self.leads

    async def release(self, name: str = "") -> None:
        self.released += 1

    async def reserve_slot(self, queue: str, each_s: float) -> float:
        return 0.0
