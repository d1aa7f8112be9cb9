"""The heartbeat of each platform, shared by all processes, and the outages between two heartbeats."""

from typing import cast

from bot.store import keys
from bot.store.calls import Calls
from bot.tables.outages import Outage

KEPT_MS = 400 * 24 * 60 * 60 * 1000
"""TTL of a heartbeat and of the outages: longer than the bot is ever stopped, and than a turn lasts."""
MOST = 200
"""Number of the newest outages that are kept of a platform."""
LEAST_MS = 5 * 60 * 1000
"""A shorter time without a heartbeat is no outage: a restart, for example."""


class Heartbeats:
    """Heartbeats in the store. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._beat = calls.script("beat")

    async def look(self, platform: str, now_ms: int, *, beats: bool) -> tuple[int | None, tuple[Outage, ...]]:
        """Return the age of the platform's former heartbeat (ms, None: none), and its outages, oldest first.

        *beats*: record a heartbeat: this process reaches players now, and they reach it. If the former one is older
        than `LEAST_MS`, the time between is an outage from now on.
        """
        names = (keys.heartbeat(platform), keys.outages(platform))
        answer = await self._beat(names, (now_ms, KEPT_MS, LEAST_MS, "1" if beats else "", MOST))
        age_ms, stored = cast("tuple[int, list[bytes]]", answer)
        pairs = (member.decode().split("-") for member in stored)
        return None if age_ms < 0 else age_ms, tuple(Outage(int(start), int(end)) for start, end in pairs)
