"""Ranges of shards that the store hands out to the processes of a bot.

    DISCORD_SHARDS=auto/40 in three processes:   0-12   13-25   26-39      a lease for each range
    a fourth process waits, and takes the range of the next one that ends or dies

A process keeps its range while the store is down: a lease that has expired is free for another process only when the
store answers again, and then its holder renews it first or loses it.
"""

import asyncio
import logging
from contextlib import suppress

from bot.adapters.on_discord import ranges
from bot.chat import Storage, StorageDown

log = logging.getLogger(__name__)

TTL_S = 30.0
"""Lifetime of a lease. A process that died on another machine blocks its range for so long."""
EVERY_S = 5.0
"""Interval at which a lease is renewed, or free ranges are looked for."""
RELEASE_S = 0.4


class Dealt:
    """The range of this process, of *total* shards."""

    def __init__(self, storage: Storage, total: int, *, ttl_s: float = TTL_S, every_s: float = EVERY_S) -> None:
        self._storage = storage
        self._total = total
        self._ttl_s = ttl_s
        self._every_s = every_s
        self._range: range | None = None
        self.waiting = asyncio.Event()
        """Set while other processes have all ranges."""

    @property
    def is_waiting(self) -> bool:
        """Whether other processes have all ranges: this one is ready to take over."""
        return self.waiting.is_set()

    @property
    def is_lost(self) -> bool:
        """Whether this process has no range, or no longer."""
        return self._range is None

    async def take(self) -> range:
        """Return the range of this process, or a free one as soon as there is any."""
        is_troubled = False
        while True:
            try:
                if (shards := await self._free()) is not None:
                    self._range = shards
                    self.waiting.clear()
                    log.info("discord: shards taken: first=%d last=%d total=%d", shards[0], shards[-1], self._total)
                    return shards
                is_troubled = False
                self.waiting.set()
            except StorageDown as down:
                if not is_troubled:
                    log.warning("discord: no shards taken, retrying: error=%s", down)
                is_troubled = True
                self.waiting.clear()
            await asyncio.sleep(self._every_s)

    async def keep(self) -> None:
        """Renew the lease. Return when another process has it, as after a pause of this one."""
        while self._range is not None:
            await asyncio.sleep(self._every_s)
            try:
                if not await self._storage.lease(self._ttl_s, self._name(self._range)):
                    log.warning("discord: another process has the shards of this one")
                    self._range = None
            except StorageDown as down:
                log.info("discord: shards not renewed: error=%s", down)

    async def release(self) -> None:
        """Give the range back."""
        shards, self._range = self._range, None
        if shards is not None:
            with suppress(StorageDown, TimeoutError):
                async with asyncio.timeout(RELEASE_S):
                    await self._storage.release(self._name(shards))

    async def _free(self) -> range | None:
        """Return a range whose lease this process has now. Raises StorageDown."""
        every = ranges(self._total)
        for shards in every if self._range is None else (self._range, *every):
            if await self._storage.lease(self._ttl_s, self._name(shards)):
                return shards
        return None

    def _name(self, shards: range) -> str:
        return f"shards {shards[0]}-{shards[-1]}/{self._total}"
