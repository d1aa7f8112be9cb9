"""Numbers for monitoring. The server counts them without a scan of its keys.

The players of an hour are stored as a HyperLogLog: an estimate that identifies no person and expires after a day.
"""

from collections.abc import Collection
from typing import Any

from msgspec import Struct

from bot.chat import PersonId
from bot.store import keys
from bot.store.calls import Calls

HOUR_MS = 60 * 60 * 1000
HOURS = 24


class Figures(Struct, frozen=True):
    """The numbers at one moment.

    *running*: running tables. *urgent*, *reminders*: due work that no process has claimed. *unposted*: boards that are
    being posted or were postponed. *players*: the estimated number of different players of the last day. *backup_ms*:
    the time of the last backup, 0 if none is known.
    """

    running: int
    urgent: int
    reminders: int
    unposted: int
    players: int
    backup_ms: int = 0


class Counting:
    """Counters in the store. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined

    async def figures(self, now_ms: int) -> Figures:
        """Return all numbers, by three round trips with some 250 cheap commands."""
        hour = now_ms // HOUR_MS

        def count(pipeline: Any) -> None:
            for running, urgent, due, unposted in zip(keys.RUNNING, keys.URGENT, keys.DUE, keys.UNPOSTED, strict=True):
                pipeline.scard(running)
                pipeline.zcount(urgent, "-inf", now_ms)
                pipeline.zcount(due, "-inf", now_ms)
                pipeline.zcard(unposted)

        counts = await self._pipelined(count)
        of_day = [keys.players(earlier) for earlier in range(hour - HOURS + 1, hour + 1)]
        # A Cluster's pipeline takes commands of one key only.
        players = await self._patiently(lambda: self._client.pfcount(*of_day))
        running, urgent, reminders, unposted = (sum(counts[kind::4]) for kind in range(4))
        backup = await self._patiently(lambda: self._client.get(keys.BACKED_UP))
        return Figures(running, urgent, reminders, unposted, players, int(backup or 0))

    async def played(self, people: Collection[PersonId], now_ms: int) -> None:
        """Note that *people* played in this hour."""
        key = keys.players(now_ms // HOUR_MS)

        def add(pipeline: Any) -> None:
            pipeline.pfadd(key, *people)
            pipeline.pexpire(key, (HOURS + 1) * HOUR_MS)

        if people:
            await self._pipelined(add)
