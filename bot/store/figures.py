"""How many of everything there are, for whoever watches: counted by the server, never by looking through the store.

Who played is kept as an estimate of how many different people there were in an hour (a HyperLogLog): nobody can be read
from it, and it is gone after a day.
"""

from collections.abc import Awaitable, Collection
from typing import Any, cast

from msgspec import Struct

from bot.chat import PersonId
from bot.store import keys
from bot.store.calls import Calls

HOUR_MS = 60 * 60 * 1000
HOURS = 24


class Figures(Struct, frozen=True):
    """*running*: tables that are running, counted since each was last saved. *urgent*, *reminders*: what is due and
    nobody has begun with. *unposted*: boards on their way, or left for later. *players*: of the last day, about."""

    running: int
    urgent: int
    reminders: int
    unposted: int
    players: int


class Counting:
    """Counts. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently = calls.client, calls.patiently

    async def figures(self, now_ms: int) -> Figures:
        """All of them, in two round trips of some 250 cheap questions."""
        hour = now_ms // HOUR_MS

        def ask() -> Awaitable[list[Any]]:
            pipeline = self._client.pipeline(transaction=False)
            for running, urgent, due, unposted in zip(keys.RUNNING, keys.URGENT, keys.DUE, keys.UNPOSTED, strict=True):
                pipeline.scard(running)
                pipeline.zcount(urgent, "-inf", now_ms)
                pipeline.zcount(due, "-inf", now_ms)
                pipeline.zcard(unposted)
            return cast("Awaitable[list[Any]]", pipeline.execute())

        counts = await self._patiently(ask)
        of_day = [keys.players(each) for each in range(hour - HOURS + 1, hour + 1)]
        players = await self._patiently(
            lambda: self._client.pfcount(*of_day)
        )  # a Cluster's pipeline takes one key each
        running, urgent, reminders, unposted = (sum(counts[kind::4]) for kind in range(4))
        return Figures(running, urgent, reminders, unposted, players)

    async def played(self, people: Collection[PersonId], now_ms: int) -> None:
        """Note that *people* played in this hour."""
        key = keys.players(now_ms // HOUR_MS)

        def note() -> Awaitable[object]:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.pfadd(key, *people)
            pipeline.pexpire(key, (HOURS + 1) * HOUR_MS)
            return pipeline.execute()

        if people:
            await self._patiently(note)
