"""Private replies that must not stay: the adapter shows them as messages, and their time ends with a turn."""

from bot.chat import MessageId, PlaceId
from bot.delivery.outbox import Outbox
from bot.repository.repository import Repository
from bot.store.store import Store
from bot.tables import table as tables
from bot.tables.table import Fading


class ExpiringReplies:
    """Records them in the store, so that any process can delete them."""

    def __init__(self, store: Store, repository: Repository, outbox: Outbox) -> None:
        self._store = store
        self._repository = repository
        self._outbox = outbox

    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None) -> None:
        """See `bot.chat.Core.delete_later`. Raises StoreDown, NewerDocument."""
        table, turn = tables.turn_of(expiry)
        ttl_ms = None if ttl_s is None else round(ttl_s * 1000)
        await self._store.fading.add(table, Fading(turn, place, message), ttl_ms)
        snapshot = await self._repository.find(table)
        if snapshot is not None and tables.is_expired(snapshot.table, turn):
            await self._outbox.fade(snapshot.table)  # the time was over before this call
