"""Answers to commands, kept where they outlive the process: if it dies, another process gives them."""

import logging

import msgspec
from msgspec import Struct

from bot.chat import Storage, StorageDown, Update, UpdateId

log = logging.getLogger(__name__)

CLAIMABLE_IN_S = 5.0
"""Longer than an answer takes. If its process is still at work after that, both apply the update; the second time
changes nothing."""
LEASE_S = 30.0
AT_ONCE = 50


class Pending(Struct, frozen=True):
    """*ticket*: the adapter needs it to give the answer, after a restart too."""

    update: Update
    ticket: str


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Pending).decode


class PendingAnswers:
    """The answers that people wait for. Without the store, only their own process can give them."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def add(self, pending: Pending, ttl_s: float) -> None:
        """Keep *pending* for *ttl_s*, as long as Discord takes the answer."""
        key, value = pending.update.id, encode(pending)
        try:
            await self._storage.put(key, value, ttl_s=ttl_s, claimable_in_s=CLAIMABLE_IN_S)
        except StorageDown as down:
            log.warning("pending answer not stored: update=%s error=%s", key, down)

    async def delete(self, update: UpdateId) -> None:
        """Forget the answer to *update*: it is given, or not wanted any more."""
        try:
            await self._storage.delete(update)
        except StorageDown as down:
            log.warning("pending answer not deleted: update=%s error=%s", update, down)

    async def unanswered(self) -> tuple[Pending, ...]:
        """Return answers that their processes have not given in time; this process has to give them."""
        try:
            values = await self._storage.claim(lease_s=LEASE_S, limit=AT_ONCE)
        except StorageDown as down:
            log.warning("pending answers not read: error=%s", down)
            return ()
        return tuple(map(decode, values))
