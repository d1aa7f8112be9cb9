"""Answers that somebody waits for while the bot may die: whoever looks next gives them."""

import logging

from bot.chat import Pending, UpdateId, platform
from bot.runtime.clock import Clock, to_ms
from bot.store import StoreDown
from bot.store.store import Store

log = logging.getLogger(__name__)

DUE_MS = 5_000  # what takes longer was begun by somebody who died, or will be done twice, which changes nothing
LEASE_MS = 30_000
AT_ONCE = 50


class PendingAnswers:
    """What adapters ask for by `bot.chat.Host`. Nothing here raises: who cannot remember goes on without."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store.pending
        self._clock = clock

    async def add(self, pending: Pending, lives_s: float) -> None:
        now_ms = to_ms(self._clock.now())
        try:
            await self._store.add(
                platform(pending.update.id), pending, due_ms=now_ms + DUE_MS, lives_ms=round(lives_s * 1000)
            )
        except StoreDown as down:
            log.warning("update %s is answered now or never: %s", pending.update.id, down)

    async def done(self, update: UpdateId) -> None:
        try:
            await self._store.done(platform(update), update)
        except StoreDown as down:
            log.warning("update %s is answered, but not noted as such: %s", update, down)

    async def left(self, name: str) -> tuple[Pending, ...]:
        try:
            return await self._store.claim(name, to_ms(self._clock.now()), LEASE_MS, AT_ONCE)
        except StoreDown as down:
            log.warning("what is still to be answered waits: %s", down)
            return ()
