"""Addresses of messages: ``https://discord.com/channels/<server>/<channel>/<message>``, "@me" for private chats.

Our ids of places do not contain the server. The gateway's events tell most servers; for a shard of another process, or
a private chat, Discord is asked. Each result is cached, because a search through thousands of servers takes time too.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from cachetools import LRUCache

from bot.adapters.on_discord.messages import account
from bot.adapters.on_discord.servers import Servers
from bot.chat import MessageId, PlaceId, Undelivered

KEPT = 2000
PRIVATE = "@me"
CHANNELS = "https://discord.com/channels"


def private_chat(channel: int) -> str:
    """Return the address of a private chat.

    >>> private_chat(42)
    'https://discord.com/channels/@me/42'
    """
    return f"{CHANNELS}/{PRIVATE}/{channel}"


class Links:
    """*described* returns Discord's description of a channel, or raises Undelivered."""

    def __init__(self, servers: Servers, described: Callable[[PlaceId], Awaitable[Mapping[str, Any]]]) -> None:
        self._servers = servers
        self._described = described
        self._known = LRUCache[PlaceId, str](KEPT)

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        """Return the address of *message*; None if Discord does not describe its channel."""
        try:
            where = await self._where(place)
        except Undelivered:
            return None
        return f"{CHANNELS}/{where}/{account(place)}/{message}"

    async def _where(self, place: PlaceId) -> str:
        """Return the server of *place*. Raises Undelivered."""
        known = self._known.get(place)
        if known is None:
            server = self._servers.server_of(account(place)) or (await self._described(place)).get("guild_id")
            known = self._known[place] = str(server or PRIVATE)
        return known
