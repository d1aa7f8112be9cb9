"""What this process knows of the outages of each platform."""

import logging

from msgspec import Struct

from bot.runtime.clock import Clock, to_ms
from bot.store.heartbeats import LEAST_MS, Heartbeats
from bot.tables.outages import Outage, lost_ms

log = logging.getLogger(__name__)

EVERY_S = 15.0
"""Interval of heartbeats."""
STALE_S = 60.0
"""Age of knowledge that is looked up again before it is used."""


class _Known(Struct, frozen=True):
    """*at_s*: when it was looked up, on a monotonic clock. *age_ms*: of the heartbeat then, None if there was none."""

    at_s: float
    age_ms: int | None
    outages: tuple[Outage, ...]


class Outages:
    """The outages of each platform, with one that is still going on. Calls may raise StoreDown."""

    def __init__(self, heartbeats: Heartbeats, clock: Clock) -> None:
        self._heartbeats = heartbeats
        self._clock = clock
        self._known: dict[str, _Known] = {}

    async def beat(self, platform: str, *, reached: bool) -> None:
        """Record a heartbeat of *platform* if it is *reached*, and learn of outages; at most every `EVERY_S`."""
        known = self._known.get(platform)
        if known is None or self._clock.monotonic() - known.at_s >= EVERY_S:
            await self._look(platform, beats=reached)

    async def of(self, platform: str) -> tuple[Outage, ...]:
        """Return the outages of *platform*, the oldest first. One that is still going on ends now."""
        known = self._known.get(platform)
        if known is None or self._clock.monotonic() - known.at_s >= STALE_S:
            known = await self._look(platform, beats=False)
        if known.age_ms is None:
            return known.outages
        age_ms = known.age_ms + round(1000 * (self._clock.monotonic() - known.at_s))
        if age_ms < LEAST_MS:
            return known.outages
        now_ms = to_ms(self._clock.now())
        return (*known.outages, Outage(now_ms - age_ms, now_ms))

    async def lasts(self, platform: str) -> bool:
        """Return whether an outage of *platform* is going on."""
        outages = await self.of(platform)
        return len(outages) > len(self._known[platform].outages)

    async def apart_ms(self, platform: str, here: str) -> int:
        """Return for how long (ms) an outage of *platform* has been going on, without the outages of *here* in it; 0 if
        there is none. A bot that was stopped as a whole may start one platform before the other."""
        if not await self.lasts(platform):
            return 0
        outage = (await self.of(platform))[-1]
        return max(0, outage.end_ms - outage.start_ms - lost_ms(await self.of(here), outage.start_ms))

    async def ended(self, platform: str, end_ms: int) -> Outage | None:
        """Return the outage of *platform* that ended at *end_ms*, or None if there is none, or if it still goes on."""
        await self.of(platform)
        return next((outage for outage in self._known[platform].outages if outage.end_ms == end_ms), None)

    async def _look(self, platform: str, *, beats: bool) -> _Known:
        age_ms, outages = await self._heartbeats.look(platform, to_ms(self._clock.now()), beats=beats)
        if beats and age_ms is not None and age_ms >= LEAST_MS:
            log.warning("outage over: platform=%s minutes=%d", platform, age_ms // 60_000)
        known = self._known[platform] = _Known(self._clock.monotonic(), 0 if beats else age_ms, outages)
        return known
