"""Whether the bot can serve: the store answers, and every platform that is on is connected."""

import asyncio
from collections.abc import Sequence

from bot.chat import Platform
from bot.store import StoreDown
from bot.store.store import Store

PATIENCE_S = 0.8  # for the store; most health checks time out after a second


class Readiness:
    """The readiness of store and platforms. The bot is not ready before `watch` and after `end`."""

    def __init__(self) -> None:
        self._store: Store | None = None
        self._chats: Sequence[Platform] = ()

    def watch(self, store: Store, chats: Sequence[Platform]) -> None:
        self._store, self._chats = store, chats

    def end(self) -> None:
        self._store = None

    async def troubles(self) -> tuple[str, ...]:
        """Return a line for each part that is not ready. The lines are public: they name no address and no reason."""
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
