"""Servers that the bot joins or leaves, and places that are deleted.

For each server the numbers of its channels are kept, eight bytes each: they are lost with the server. Discord sends no
events for the threads of a deleted channel; their tables pause when the next post is refused.
"""

import asyncio
import logging
from array import array
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from cachetools import LRUCache

from bot.adapters.on_discord import NAME
from bot.chat import Core, Place, PlaceAdded, PlaceId, PlaceLost, PlaceRegained

log = logging.getLogger(__name__)

NEW = timedelta(days=1)
"""How long after the bot was added it still posts its greeting: it may have been down."""
MOST = 2000
"""Maximum number of channels that are kept of a server."""

Event = Mapping[str, Any]


class Servers:
    """Turns events of servers and channels into place events for *core*."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._channels: dict[int, array[int]] = {}
        self._in = set[int]()
        self._refusing = LRUCache[int, None](MOST)  # channels that refused the last post
        self.running: set[asyncio.Task[None]] = set()

    @property
    def listeners(self) -> dict[str, Callable[[Any], None]]:
        """The listeners by event. They raise nothing, because that would end the connection."""
        return {
            "GUILD_CREATE": _calm(self._there),
            "GUILD_DELETE": _calm(self._gone),
            "GUILD_ROLE_UPDATE": _calm(self._rights_changed),
            "GUILD_MEMBER_UPDATE": _calm(self._rights_changed),
            "CHANNEL_UPDATE": _calm(self._rights_changed),
            "CHANNEL_DELETE": _calm(self._channel_gone),
            "THREAD_UPDATE": _calm(self._thread_changed),
            "THREAD_DELETE": _calm(self._channel_gone),
        }

    @property
    def count(self) -> int:
        """The number of servers on the shards of this process."""
        return len(self._in)

    def note(self, server: int, channel: int) -> None:
        """Remember that *channel* belongs to *server*."""
        channels = self._channels.setdefault(server, array("Q"))
        if channel not in channels and len(channels) < MOST:
            channels.append(channel)

    def took(self, channel: int, *, refused: bool) -> None:
        """Remember whether a channel refused a post: it is retried when permissions change."""
        if refused:
            self._refusing[channel] = None
        else:
            self._refusing.pop(channel, None)

    def server_of(self, channel: int) -> int | None:
        """Return the server of a channel; None for unknown channels and private chats."""
        return next((server for server, channels in self._channels.items() if channel in channels), None)

    def _there(self, server: Event) -> None:
        """A server of the bot: each one after connecting, later the new ones."""
        if server.get("unavailable"):
            return
        self._in.add(int(server["id"]))
        listed = (int(child["id"]) for kind in ("channels", "threads") for child in server.get(kind, ()))
        self._channels[int(server["id"])] = array("Q", sorted(listed)[-MOST:])
        channel = server.get("system_channel_id")
        if datetime.now(UTC) - datetime.fromisoformat(server["joined_at"]) >= NEW:
            return
        self._begin(self._regain(self._channels[int(server["id"])]))
        if channel is not None:
            place = Place(PlaceId(f"{NAME}:{channel}"), server.get("preferred_locale"))
            self._begin(self._core.place_changed(PlaceAdded(place)))

    def _gone(self, server: Event) -> None:
        """The bot was removed from a server, or the server was deleted or is unavailable."""
        if not server.get("unavailable"):
            self._in.discard(int(server["id"]))
            self._begin(self._lose(self._channels.pop(int(server["id"]), ())))

    def _rights_changed(self, event: Event) -> None:
        """A channel, a role or the bot's roles changed: channels that refused posts may take them now."""
        channels = self._channels.get(int(event["guild_id"]), ())
        self._begin(self._regain(tuple(channel for channel in channels if channel in self._refusing)))

    def _thread_changed(self, thread: Event) -> None:
        """A thread was opened again, for example: if it refused a post, it may take it now."""
        channel = int(thread["id"])
        if channel in self._refusing and not (thread.get("thread_metadata") or {}).get("locked"):
            self._begin(self._regain((channel,)))

    def _channel_gone(self, channel: Event) -> None:
        channels = self._channels.get(int(channel.get("guild_id") or 0), array("Q"))
        if int(channel["id"]) in channels:
            channels.remove(int(channel["id"]))
        self._begin(self._lose((int(channel["id"]),)))

    async def _regain(self, channels: Iterable[int]) -> None:
        for channel in tuple(channels):
            await self._core.place_changed(PlaceRegained(PlaceId(f"{NAME}:{channel}")))

    async def _lose(self, channels: Iterable[int]) -> None:
        for channel in channels:
            await self._core.place_changed(PlaceLost(PlaceId(f"{NAME}:{channel}")))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self.running.discard)


def _calm(hear: Callable[[Event], None]) -> Callable[[Any], None]:
    def calmly(event: Event) -> None:
        try:
            hear(event)
        except Exception:
            keys = sorted(event) if isinstance(event, dict) else type(event).__name__
            log.exception("discord: an event that cannot be read, with %.200s", keys)

    return calmly
