"""Addresses of messages: ``https://discord.com/channels/<server>/<channel>/<message>``, "@me" for private chats.

Our ids of places have no server in them. Most are known from what the gateway told; a server of another process'
shard, or a private chat, is asked for. Either way once: looking through thousands of servers takes its time, too.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from cachetools import LRUCache

from bot.adapters.on_discord.messages import account
from bot.adapters.on_discord.servers import Servers
from bot.chat import MessageId, PlaceId, Undelivered

KEPT = 2000
PRIVATE = "@me"


class Links:
    """*described* gives a channel as Discord describes it, or raises Undelivered."""

    def __init__(self, servers: Servers, described: Callable[[PlaceId], Awaitable[Mapping[str, Any]]]) -> None:
        self._servers = servers
        self._described = described
        self._known = LRUCache[PlaceId, str](KEPT)

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        """Where *message* is; None where Discord does not tell of its channel."""
        try:
            where = await self._where(place)
        except Undelivered:
            return None
        return f"https://discord.com/channels/{where}/{account(place)}/{message}"

    async def _where(self, place: PlaceId) -> str:
        """The server of *place*. Raises Undelivered."""
        known = self._known.get(place)
        if known is None:
            server = self._servers.server_of(account(place)) or (await self._described(place)).get("guild_id")
            known = self._known[place] = str(server or PRIVATE)
        return known
