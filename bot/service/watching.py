"""The gauges for metrics: sampled now and then, not when a monitor asks."""

import logging
from collections.abc import Sequence

from bot.chat import PersonId, Platform
from bot.runtime.clock import Clock, to_ms
from bot.runtime.metrics import Metrics
from bot.service.service import Service
from bot.store import StoreDown
from bot.store.store import Store

log = logging.getLogger(__name__)

EVERY_S = 15.0
"""The usual interval of monitors."""


class Watching:
    """Updates the gauges of *metrics*."""

    def __init__(
        self, service: Service, store: Store, platforms: Sequence[Platform], metrics: Metrics, clock: Clock
    ) -> None:
        self._service = service
        self._store = store
        self._platforms = platforms
        self._metrics = metrics
        self._clock = clock
        self._players = set[PersonId]()  # since the last sample
        service.tell_players_to(self._players.add)

    async def run(self) -> None:
        """Update the gauges until cancelled."""
        while True:
            try:
                await self.look()
            except StoreDown as down:
                log.debug("gauges not updated: error=%s", down)  # other tasks warn about the store
            except Exception:
                log.exception("gauges not updated")
            await self._clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Update the gauges once. Raises StoreDown, after the gauges that need no store."""
        metrics = self._metrics
        metrics.outbox_age_seconds.set(self._service.outbox_age_s)
        for chat in self._platforms:
            if chat.servers is not None:
                metrics.servers.labels(chat.name).set(chat.servers)
        now_ms = to_ms(self._clock.now())
        people = frozenset(self._players)
        await self._store.counting.played(people, now_ms)
        self._players -= people
        figures = await self._store.counting.figures(now_ms)
        metrics.running_tables.set(figures.running)
        metrics.due_waiting.labels("urgent").set(figures.urgent)
        metrics.due_waiting.labels("reminder").set(figures.reminders)
        metrics.boards_unposted.set(figures.unposted)
        metrics.players_of_day.set(figures.players)
        metrics.backup_timestamp_seconds.set(figures.backup_ms / 1000)
        metrics.show_store()
