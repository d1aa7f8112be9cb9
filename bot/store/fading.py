"""Private replies that must not stay, by table.

Each has a key of its own with a TTL; a set lists these keys.
"""

from hashlib import blake2b
from typing import Any, cast

from bot.store import documents, keys
from bot.store.calls import Calls
from bot.tables.table import Fading, TableId

LEADS_MS = 2 * 24 * 60 * 60 * 1000
"""TTL of the set. No platform lets the bot delete older messages."""


class FadingReplies:
    """Private replies that must not stay, by table. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined

    async def add(self, table: TableId, fading: Fading, lives_ms: int | None) -> None:
        """Store *fading* for *lives_ms*, while it can be deleted. None: as long as any platform can."""
        document = documents.encoded(fading)

        def add(pipeline: Any) -> None:
            if lives_ms is None:
                pipeline.sadd(keys.fading(table), document)
            else:
                pipeline.set(keys.fading_reply(table, _name(document)), document, px=max(1, lives_ms))
                pipeline.sadd(keys.fading(table), _name(document))
            pipeline.pexpire(keys.fading(table), LEADS_MS)

        await self._pipelined(add)

    async def of(self, table: TableId) -> tuple[Fading, ...]:
        """Return the private replies of *table* in no order."""
        replies = list[Fading]()
        members = cast("set[bytes]", await self._patiently(lambda: self._client.smembers(keys.fading(table))))
        for member in members:
            document: bytes | None = member
            if not member.startswith(b"{"):
                document = await self._get(keys.fading_reply(table, member.decode()))
            if document is None:
                await self._forget(table, member.decode())
            else:
                replies.append(documents.fading(document))
        return tuple(replies)

    async def done(self, table: TableId, fading: Fading) -> None:
        """Forget *fading*: it was deleted, or cannot be."""
        document = documents.encoded(fading)
        await self._forget(table, _name(document), document.decode())

    async def _forget(self, table: TableId, *members: str) -> None:
        def remove(pipeline: Any) -> None:
            pipeline.delete(keys.fading_reply(table, members[0]))
            pipeline.srem(keys.fading(table), *members)

        await self._pipelined(remove)

    async def _get(self, key: str) -> bytes | None:
        return cast("bytes | None", await self._patiently(lambda: self._client.get(key)))


def _name(document: bytes) -> str:
    return blake2b(document, digest_size=9).hexdigest()
