"""What machines are told of the bot as a whole: looked up now and then, not when they ask."""

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
"""As often as it is usually asked for."""


class Watching:
    """Keeps the gauges of *metrics* up to date."""

    def __init__(
        self, service: Service, store: Store, platforms: Sequence[Platform], metrics: Metrics, clock: Clock
    ) -> None:
        self._service = service
        self._store = store
        self._platforms = platforms
        self._metrics = metrics
        self._clock = clock
        self._players = set[PersonId]()  # since the last look
        service.tell_players_to(self._players.add)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await self.look()
            except StoreDown as down:
                log.debug("nothing is counted: %s", down)  # that it does not answer is told elsewhere
            except Exception:
                log.exception("counting")
            await self._clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Look once. Raises StoreDown; what is known without the store is told all the same."""
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
        metrics.show_store()
