"""Whether the bot can serve: the store takes writes, and every platform that is on is connected."""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from bot.chat import Platform
from bot.runtime.metrics import Metrics
from bot.store import StoreDown
from bot.store.store import Store

PATIENCE_S = 0.8  # for the store; most health checks time out after a second


class Readiness:
    """The readiness of store and platforms. The bot is not ready before `watch` and after `end`.

    *metrics*: get the state of each part at each look. *platforms*: the names of those that are on.
    """

    def __init__(self, metrics: Metrics | None = None, platforms: Iterable[str] = ()) -> None:
        self._metrics = metrics or Metrics()
        self._names = tuple(platforms)
        self._store: Store | None = None
        self._is_disk_full: Callable[[], bool] = bool
        self._chats: Sequence[Platform] = ()
        self._unusable: tuple[str, ...] = ()

    def watch(
        self,
        store: Store,
        chats: Sequence[Platform],
        unusable: tuple[str, ...] = (),
        is_disk_full: Callable[[], bool] = bool,
    ) -> None:
        """*unusable*: the names of platforms that are on, but whose settings cannot be used. *is_disk_full*: tells
        whether the disk of the bot's own store is full; that server ends at a write and is up again before the next."""
        self._is_disk_full = is_disk_full
        self._store, self._chats, self._unusable = store, chats, unusable

    def end(self) -> None:
        self._store = None

    async def troubles(self) -> tuple[str, ...]:
        """Return a line for each part that is not ready. The lines are public: they name no address."""
        if self._store is None:
            self._show(dict.fromkeys(("store", *self._names), "starting or stopping"))
            return ("bot: starting or stopping",)
        is_full = await asyncio.to_thread(self._is_disk_full)
        parts = {"store": "its disk is full" if is_full else await _trouble(self._store)}
        parts |= dict.fromkeys(self._unusable, "not connected")
        parts |= {chat.name: "" if chat.reception.is_ready else "not connected" for chat in self._chats}
        self._show(parts)
        return tuple(f"{part}: {trouble}" for part, trouble in parts.items() if trouble)

    def _show(self, parts: dict[str, str]) -> None:
        for part, trouble in parts.items():
            self._metrics.ready.labels(part).set(not trouble)


async def _trouble(store: Store) -> str:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await store.refusal()
    except (StoreDown, TimeoutError):
        return "does not answer"
