"""Whether the bot can serve: the store answers, and every platform that is on is connected."""

import asyncio
from collections.abc import Sequence

from bot.chat import Platform
from bot.store import StoreDown
from bot.store.store import Store

PATIENCE_S = 0.8  # for the store: less than the second after which most of those who ask give up


class Readiness:
    """What has to be ready; nothing is before `watch` and after `end`."""

    def __init__(self) -> None:
        self._store: Store | None = None
        self._chats: Sequence[Platform] = ()

    def watch(self, store: Store, chats: Sequence[Platform]) -> None:
        self._store, self._chats = store, chats

    def end(self) -> None:
        self._store = None

    async def troubles(self) -> tuple[str, ...]:
        """A line for each part that is not ready. They are for everybody: no address, no reason is in them."""
        if self._store is None:
            return ("bot: starting or stopping",)
        store = () if await _answers(self._store) else ("store: does not answer",)
        return (*store, *(f"{chat.name}: not connected" for chat in self._chats if not chat.is_ready))


async def _answers(store: Store) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await store.ping()
    except (StoreDown, TimeoutError):
        return False
    return True
