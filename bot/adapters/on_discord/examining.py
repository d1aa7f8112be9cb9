"""The doctor's findings at Discord: token, settings of the application, remaining sessions, permissions in channels.

It only sends GET requests, without the library, which would wait for rate limits and log in first.
Permissions: Discord's developer documentation, "Permissions", "Permission Overwrites".
"""

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import aiohttp
import discord

from bot.adapters.on_discord import NAME, proxy, shards
from bot.adapters.on_discord.client import API, NEEDED
from bot.adapters.on_discord.messages import account
from bot.adapters.on_discord.slash import known, menu
from bot.adapters.on_discord.starts import FEW
from bot.chat import PlaceId
from bot.operation.findings import Finding, Grade, ahead_s, better, fine, of_clock, wrong
from bot.requests.commands import Command
from bot.runtime.network import Proxy, without_credentials

ANSWER_S = 6.0
PRIVILEGED = 1 << 12 | 1 << 13 | 1 << 14 | 1 << 15 | 1 << 18 | 1 << 19
"""The application's flags for presence, members and message content, each for few or many servers."""
THREADS = (10, 11, 12)
EVERYTHING = discord.Permissions.all().value


class No(Exception):
    """An error answer."""

    def __init__(self, status: int, code: int) -> None:
        super().__init__(f"status {status}, code {code}")
        self.status = status
        self.code = code


class Asking:
    """A client of Discord's API at *url*. *ahead*: by how many seconds its clock is ahead of ours, once known."""

    def __init__(self, session: aiohttp.ClientSession, url: str, token: str, by: Proxy | None = None) -> None:
        self._session = session
        self._url = url
        self._proxy: dict[str, Any] = {} if by is None else {"proxy": by.url_with_credentials}
        self._headers = {"Authorization": f"Bot {token}", "User-Agent": "DiscordBot (kaleidobot, doctor)"}
        self.ahead: float | None = None

    async def get(self, path: str) -> Any:
        """Raises No, aiohttp.ClientError, TimeoutError."""
        async with self._session.get(f"{self._url}{path}", headers=self._headers, **self._proxy) as answer:
            said = await answer.read()
            self.ahead = ahead_s(answer.headers.get("Date"), time.time())
            try:
                told = json.loads(said)
            except ValueError:
                told = None
            if answer.status != 200 or told is None:
                raise No(answer.status, told.get("code", 0) if isinstance(told, dict) else 0)
            return told


async def examine(
    values: Mapping[str, str], commands: Iterable[Command], places: Sequence[PlaceId], answer_s: float = ANSWER_S
) -> Sequence[Finding]:
    url = (values["DISCORD_API_URL"] or API).rstrip("/")
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=answer_s)) as session:
            ask = Asking(session, url, values["DISCORD_TOKEN"], proxy(values))
            return await _examined(ask, values, commands, places)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        return (wrong(NAME, "unreachable", url=without_credentials(url), problem=type(error).__name__),)
    except No as no:
        return (wrong(NAME, "unreachable", url=without_credentials(url), problem=no),)


async def _examined(
    ask: Asking, values: Mapping[str, str], commands: Iterable[Command], places: Sequence[PlaceId]
) -> list[Finding]:
    try:
        me = await ask.get("/users/@me")
    except No as no:
        if no.status == 401:
            return [wrong(NAME, "token")]
        raise
    found = [fine(NAME, "token.fine")]
    if ask.ahead is not None:
        found.append(of_clock("Discord", ask.ahead))
    application = await ask.get("/applications/@me")
    found += _of_application(application)
    found += _of_sessions(await ask.get("/gateway/bot"), shards(values["DISCORD_SHARDS"]))
    path = f"/applications/{application['id']}/commands?with_localizations=true"
    if not known(menu(commands), await ask.get(path)):
        found.append(better(NAME, "commands"))
    return [*found, *await asyncio.gather(*(_of_channel(ask, int(me["id"]), place) for place in places))]


def _of_application(application: Mapping[str, Any]) -> list[Finding]:
    found = []
    if application.get("interactions_endpoint_url"):
        found.append(wrong(NAME, "endpoint"))
    if int(application.get("flags") or 0) & PRIVILEGED:
        found.append(better(NAME, "intents.more"))
    else:
        found.append(fine(NAME, "intents"))
    if application.get("approximate_guild_count") == 0:
        found.append(better(NAME, "nowhere"))
    return found


def _of_sessions(gateway: Mapping[str, Any], chosen: tuple[range, int] | None) -> list[Finding]:
    """*chosen*: the shards of this process and the total number; None: all that Discord recommends."""
    limit = gateway["session_start_limit"]
    left, wanted = int(limit["remaining"]), len(chosen[0]) if chosen else int(gateway["shards"])
    hours = max(1, round(int(limit["reset_after"]) / 3_600_000))
    found = []
    if left < wanted:
        found.append(wrong(NAME, "starts.none", n=left, wanted=wanted, hours=hours))
    elif left < FEW:
        found.append(better(NAME, "starts.few", n=left, hours=hours))
    if chosen and chosen[1] < int(gateway["shards"]):
        found.append(better(NAME, "shards.few", chosen=chosen[1], recommended=int(gateway["shards"])))
    return found


# Rights in a channel


async def _of_channel(ask: Asking, me: int, place: PlaceId) -> Finding:
    try:
        channel = await ask.get(f"/channels/{account(place)}")
        if channel.get("guild_id") is None:
            return fine(NAME, "channel", place=place)
        if (channel.get("thread_metadata") or {}).get("archived"):
            return better(NAME, "channel.archived", place=place)
        mine = await _permissions(ask, me, channel)
    except ValueError:
        return wrong(NAME, "channel.unknown", place=place)
    except No as no:
        if no.status in (403, 404):
            return wrong(NAME, "channel.hidden" if no.status == 403 else "channel.unknown", place=place)
        return wrong(NAME, "channel.strange", place=place, problem=no)
    in_thread = channel["type"] in THREADS
    posting = "send_messages_in_threads" if in_thread else "send_messages"
    needed = [each for each in NEEDED if each in ("view_channel", "attach_files", posting)]
    missing = [each for each in needed if not getattr(discord.Permissions(mine), each)]
    if missing:
        words = tuple(f"permission.{each}" for each in missing)
        return Finding(Grade.WRONG, NAME, "channel.lacking", {"place": place}, words)
    return fine(NAME, "channel", place=place)


async def _permissions(ask: Asking, me: int, channel: Mapping[str, Any]) -> int:
    """Return the bot's permissions in a *channel* of a server."""
    guild = channel["guild_id"]
    server, member = await asyncio.gather(ask.get(f"/guilds/{guild}"), ask.get(f"/guilds/{guild}/members/{me}"))
    if channel["type"] in THREADS:
        channel = await ask.get(f"/channels/{channel['parent_id']}")
    mine = {guild, *member["roles"]}
    allowed = 0
    for role in server["roles"]:
        allowed |= int(role["permissions"]) if role["id"] in mine else 0
    if allowed & discord.Permissions(administrator=True).value or int(server["owner_id"]) == me:
        return EVERYTHING
    overwrites = {each["id"]: each for each in channel.get("permission_overwrites") or ()}
    for ids in ({guild}, mine - {guild}, {str(me)}):  # the server, then the bot's roles together, then the bot
        those = [each for id_, each in overwrites.items() if id_ in ids]
        deny = allow = 0
        for each in those:
            deny, allow = deny | int(each["deny"]), allow | int(each["allow"])
        allowed = allowed & ~deny | allow
    return allowed
