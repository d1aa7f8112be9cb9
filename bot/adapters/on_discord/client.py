"""discord.py, set up for a bot that mostly answers: no privileged intent, no members, no messages, no voice.

The one intent, for servers, brings events of new servers, deleted channels and changed permissions. They are read from
the raw messages of the gateway: the library reports some of them only for objects that it has cached.

Checked in discord.py 2.7.1: addresses are class attributes (http.py ``Route.BASE``, gateway.py ``DEFAULT_GATEWAY``);
with a known shard count ``AutoShardedClient`` connects to DEFAULT_GATEWAY (shard.py ``launch_shards``); interactions
come without any intent (state.py ``parse_interaction_create``).
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import aiohttp
import discord
import yarl

from bot.adapters.on_discord.starts import Limit, Starts
from bot.chat import Membership
from bot.runtime.logs import hold
from bot.runtime.network import Proxy

API = "https://discord.com/api/v10"
GATEWAY = "wss://gateway.discord.gg/"

LONGEST_WAIT_S = 30.0
"""Longest rate limit that the library waits for; delivery handles longer ones."""

ASK_S = 5.0
"""Timeout of the request for the remaining starts."""

LOST = (OSError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound, discord.ConnectionClosed)
"""Errors of the connection or of Discord."""

NO_MEMBER = (10007, 10013)
"""Error codes: unknown member, unknown user."""

NEEDED = ("view_channel", "send_messages", "send_messages_in_threads", "attach_files")
"""Permissions, by discord.py's names."""

BRANCHING = ("create_public_threads", "send_messages_in_threads")
"""Permissions to open a thread and to post in it."""

PERMISSIONS = discord.Permissions(**dict.fromkeys((*NEEDED, *BRANCHING), True))


def point_at(api_url: str, gateway_url: str) -> None:
    """Send all of discord.py's requests there; "" is Discord itself."""
    discord.http.Route.BASE = (api_url or API).rstrip("/")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url or GATEWAY)


_EVENT = re.compile(r'"t":\s*"([A-Z_]+)"')
"""The name of an event in a gateway message."""


def _in_one_line(record: logging.LogRecord) -> bool:
    """Log filter for discord.py: log a lost connection without its traceback."""
    if record.exc_info and isinstance(record.exc_info[1], LOST):
        error = record.exc_info[1]  # its repr may contain the request's headers, with the token
        record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}: {error}", ()
        record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


_TOKEN = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/?\s]+")


def _without_tokens(record: logging.LogRecord) -> bool:
    """Log filter for discord.py: remove interaction tokens from addresses."""
    record.msg, record.args = _TOKEN.sub(r"\1…", record.getMessage()), ()
    return True


class Client(discord.AutoShardedClient):
    """One login. *answer* gets every interaction, *on_up* is called when a shard is ready. *listeners*: listeners by
    event."""

    def __init__(
        self,
        answer: Callable[[discord.Interaction], Awaitable[None]],
        on_up: Callable[[], None],
        shards: tuple[range, int] | None,
        listeners: Mapping[str, Callable[[Any], None]],
        starts: Starts,
        proxy: Proxy | None = None,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        for name in ("discord.state", "discord.shard", "discord.client"):
            logging.getLogger(name).addFilter(_in_one_line)
        logging.getLogger("discord.http").addFilter(_without_tokens)
        hold("discord", least=logging.INFO)  # debug lines contain whole events and requests
        chosen: dict[str, Any] = {} if shards is None else {"shard_ids": list(shards[0]), "shard_count": shards[1]}
        if proxy is not None:
            chosen["proxy"] = proxy.url_with_credentials
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            enable_debug_events=True,  # for `on_socket_raw_receive`
            guild_ready_timeout=0.0,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_WAIT_S,
            **chosen,
        )
        self._gateway_listeners = listeners
        self._shards = shards
        self._starts = starts
        self._answer = answer
        self._on_up = on_up
        self.numbers: Mapping[str, str] = {}  # of the commands by name, once known
        self._up: set[int] = set()  # the shards that are connected

    async def setup_hook(self) -> None:
        # Called here, so that the gateway's address stays the configured one.
        recommended, _, limit = await self.http.get_bot_gateway()
        self._starts.know(cast("Limit", limit))
        if self._shards is None:
            self.shard_count = recommended

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        await self._starts.comes(shard_id, self._limit)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002
        await self._starts.begins(shard_id or 0, self._limit)

    async def _limit(self) -> Limit | None:
        try:
            async with asyncio.timeout(ASK_S):
                _, _, limit = await self.http.get_bot_gateway()
        except LOST:  # connecting will report the error
            return None
        return cast("Limit", limit)

    @property
    def is_up(self) -> bool:
        """Whether all shards of this process are connected."""
        wanted = self.shard_ids or range(self.shard_count or 1)
        return self._up.issuperset(wanted)

    async def on_shard_connect(self, shard: int) -> None:
        self._up.add(shard)
        self._on_up()

    async def on_shard_resumed(self, shard: int) -> None:
        self._up.add(shard)

    async def on_shard_disconnect(self, shard: int) -> None:
        self._up.discard(shard)

    async def on_socket_raw_receive(self, text: str) -> None:
        """Hand a raw event to its listener."""
        name = _EVENT.search(text)
        if name is not None and name[1] in self._gateway_listeners:
            event = json.loads(text)
            if event.get("t") == name[1]:
                self._gateway_listeners[name[1]](event.get("d"))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self._answer(interaction)

    async def commands(self) -> list[dict[str, Any]]:
        """Return the application's global commands at Discord, with all localizations."""
        route = discord.http.Route("GET", "/applications/{application_id}/commands", application_id=self.application_id)
        commands: list[dict[str, Any]] = await self.http.request(route, params={"with_localizations": "true"})
        return commands

    async def set_commands(self, commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Replace all global commands. Return them as Discord stores them."""
        assert self.application_id is not None
        made = await self.http.bulk_upsert_global_commands(self.application_id, commands)
        return cast("list[dict[str, Any]]", made)

    async def described(self, channel: int) -> dict[str, Any]:
        """Return Discord's description of a channel; channels of servers have a ``guild_id``."""
        route = discord.http.Route("GET", "/channels/{channel_id}", channel_id=channel)
        description: dict[str, Any] = await self.http.request(route)
        return description

    async def membership(self, server: int, person: int) -> Membership:
        """Return whether a person is a member of a server of the bot."""
        try:
            await self.http.get_member(server, person)
        except discord.NotFound as error:
            return Membership.GONE if error.code in NO_MEMBER else Membership.UNKNOWN
        return Membership.MEMBER

    async def opens_thread(self, channel: int, title: str) -> dict[str, Any]:
        """Open a public thread in *channel*. Return Discord's description of it."""
        made = await self.http.start_thread_without_message(
            channel, name=title, auto_archive_duration=10080, type=discord.ChannelType.public_thread.value
        )
        return cast("dict[str, Any]", made)

    async def withdraw(self, token: str, message: str) -> None:
        """Delete an answer to an interaction, by that interaction's token: *message* is its number or `ORIGINAL`."""
        path = "/webhooks/{application_id}/{webhook_token}/messages/" + message
        route = discord.http.Route("DELETE", path, application_id=self.application_id, webhook_token=token)
        await self.http.request(route)
