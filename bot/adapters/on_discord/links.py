"""Addresses of messages: ``https://discord.com/channels/<server>/<channel>/<message>``, "@me" for private chats.

Our ids of places have no server in them. Most are known from what the gateway told; a server of another process'
shard, or a private chat, is asked for once.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

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
        self._asked: OrderedDict[PlaceId, str] = OrderedDict()

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        """Where *message* is; None where Discord does not tell of its channel."""
        channel = account(place)
        server = self._servers.server_of(channel)
        try:
            where = str(server) if server is not None else await self._ask(place)
        except Undelivered:
            return None
        return f"https://discord.com/channels/{where}/{channel}/{message}"

    async def _ask(self, place: PlaceId) -> str:
        if place not in self._asked:
            self._asked[place] = str((await self._described(place)).get("guild_id") or PRIVATE)
            if len(self._asked) > KEPT:
                self._asked.popitem(last=False)
        return self._asked[place]
