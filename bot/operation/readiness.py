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
        self._unusable: tuple[str, ...] = ()

    def watch(self, store: Store, chats: Sequence[Platform], unusable: tuple[str, ...] = ()) -> None:
        """*unusable*: the names of platforms that are on, but whose settings cannot be used."""
        self._store, self._chats, self._unusable = store, chats, unusable

    def end(self) -> None:
        self._store = None

    async def troubles(self) -> tuple[str, ...]:
        """Return a line for each part that is not ready. The lines are public: they name no address and no reason."""
        if self._store is None:
            return ("bot: starting or stopping",)
        store = () if await _answers(self._store) else ("store: does not answer",)
        names = (*self._unusable, *(chat.name for chat in self._chats if not chat.is_ready))
        return (*store, *(f"{name}: not connected" for name in names))


async def _answers(store: Store) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await store.ping()
    except (StoreDown, TimeoutError):
        return False
    return True
