"""Servers that the bot is added to, and places that disappear.

Of each server only the numbers of its channels are kept, so that it is known what goes with it: eight bytes a channel.
Threads of a deleted channel are not told of one by one; what is on there waits when the next post is refused.
"""

import asyncio
import logging
from array import array
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from cachetools import LRUCache

from bot.adapters.on_discord import NAME
from bot.chat import Host, Place, PlaceAdded, PlaceId, PlaceLost, PlaceRegained

log = logging.getLogger(__name__)

NEW = timedelta(days=1)
"""So long after it was added the bot still introduces itself: it may have been down meanwhile."""
MOST = 2000
"""Channels of a server that are kept in mind."""

Event = Mapping[str, Any]


class Servers:
    """What the gateway tells of servers and channels, handed to *host*."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._channels: dict[int, array[int]] = {}
        self._in = set[int]()
        self._refusing = LRUCache[int, None](MOST)  # channels that took no post when one was last tried
        self.running: set[asyncio.Task[None]] = set()

    @property
    def heard(self) -> dict[str, Callable[[Any], None]]:
        """What listens to which event. Nothing is raised: that would end the connection."""
        return {
            "GUILD_CREATE": _calm(self._there),
            "GUILD_DELETE": _calm(self._gone),
            "GUILD_ROLE_UPDATE": _calm(self._rights_changed),
            "GUILD_MEMBER_UPDATE": _calm(self._rights_changed),
            "CHANNEL_UPDATE": _calm(self._rights_changed),
            "CHANNEL_DELETE": _calm(self._channel_gone),
            "THREAD_DELETE": _calm(self._channel_gone),
        }

    @property
    def count(self) -> int:
        """How many servers the bot is in, as far as the shards of this process were told."""
        return len(self._in)

    def note(self, server: int, channel: int) -> None:
        """Somebody speaks to the bot in this channel."""
        channels = self._channels.setdefault(server, array("Q"))
        if channel not in channels and len(channels) < MOST:
            channels.append(channel)

    def took(self, channel: int, *, refused: bool) -> None:
        """What came of a post in this channel: one that refuses is tried again when rights change."""
        if refused:
            self._refusing[channel] = None
        else:
            self._refusing.pop(channel, None)

    def server_of(self, channel: int) -> int | None:
        """The server with this channel; None for one that is not known, as those of private chats."""
        return next((server for server, channels in self._channels.items() if channel in channels), None)

    def _there(self, server: Event) -> None:
        """A server that the bot is in: after connecting each of them, later those that it is added to."""
        if server.get("unavailable"):
            return
        self._in.add(int(server["id"]))
        listed = (int(each["id"]) for kind in ("channels", "threads") for each in server.get(kind, ()))
        self._channels[int(server["id"])] = array("Q", sorted(listed)[-MOST:])
        channel = server.get("system_channel_id")
        if datetime.now(UTC) - datetime.fromisoformat(server["joined_at"]) >= NEW:
            return
        self._begin(self._regain(self._channels[int(server["id"])]))
        if channel is not None:
            place = Place(PlaceId(f"{NAME}:{channel}"), server.get("preferred_locale"))
            self._begin(self._host.place_changed(PlaceAdded(place)))

    def _gone(self, server: Event) -> None:
        """The bot was put out of a server, or the server is no more (or it cannot be reached for a while)."""
        if not server.get("unavailable"):
            self._in.discard(int(server["id"]))
            self._begin(self._lose(self._channels.pop(int(server["id"]), ())))

    def _rights_changed(self, event: Event) -> None:
        """A channel, a role or the bot's own roles were changed: what refused posts may take them now."""
        channels = self._channels.get(int(event["guild_id"]), ())
        self._begin(self._regain(tuple(each for each in channels if each in self._refusing)))

    def _channel_gone(self, channel: Event) -> None:
        channels = self._channels.get(int(channel.get("guild_id") or 0), array("Q"))
        if int(channel["id"]) in channels:
            channels.remove(int(channel["id"]))
        self._begin(self._lose((int(channel["id"]),)))

    async def _regain(self, channels: Iterable[int]) -> None:
        for channel in tuple(channels):
            await self._host.place_changed(PlaceRegained(PlaceId(f"{NAME}:{channel}")))

    async def _lose(self, channels: Iterable[int]) -> None:
        for channel in channels:
            await self._host.place_changed(PlaceLost(PlaceId(f"{NAME}:{channel}")))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self.running.discard)


def _calm(hear: Callable[[Event], None]) -> Callable[[Any], None]:
    def calmly(event: Event) -> None:
        try:
            hear(event)
        except Exception:
            told = sorted(event) if isinstance(event, dict) else type(event).__name__
            log.exception("discord: an event that cannot be read, with %.200s", told)

    return calmly
