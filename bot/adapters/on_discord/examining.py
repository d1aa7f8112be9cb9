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

from bot.adapters.on_discord import NAME, Shards, proxy, ranges, shards
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
                content = json.loads(said)
            except ValueError:
                content = None
            if answer.status != 200 or content is None:
                raise No(answer.status, content.get("code", 0) if isinstance(content, dict) else 0)
            return content


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
    findings = [fine(NAME, "token.fine")]
    if ask.ahead is not None:
        findings.append(of_clock("Discord", ask.ahead))
    application = await ask.get("/applications/@me")
    findings += _of_application(application)
    findings += _of_sessions(await ask.get("/gateway/bot"), shards(values["DISCORD_SHARDS"]))
    path = f"/applications/{application['id']}/commands?with_localizations=true"
    if not known(menu(commands), await ask.get(path)):
        findings.append(better(NAME, "commands"))
    return [*findings, *await asyncio.gather(*(_of_channel(ask, int(me["id"]), place) for place in places))]


def _of_application(application: Mapping[str, Any]) -> list[Finding]:
    findings = []
    if application.get("interactions_endpoint_url"):
        findings.append(wrong(NAME, "endpoint"))
    if int(application.get("flags") or 0) & PRIVILEGED:
        findings.append(better(NAME, "intents.more"))
    else:
        findings.append(fine(NAME, "intents"))
    if application.get("approximate_guild_count") == 0:
        findings.append(better(NAME, "nowhere"))
    return findings


def _of_sessions(gateway: Mapping[str, Any], chosen: Shards | None) -> list[Finding]:
    """*chosen*: the shards of the settings; None: all that Discord recommends."""
    limit = gateway["session_start_limit"]
    own = range(int(gateway["shards"])) if chosen is None else chosen[0] or ranges(chosen[1])[-1]
    remaining, wanted = int(limit["remaining"]), len(own)
    hours = max(1, round(int(limit["reset_after"]) / 3_600_000))
    findings = []
    if remaining < wanted:
        findings.append(wrong(NAME, "starts.none", n=remaining, wanted=wanted, hours=hours))
    elif remaining < FEW:
        findings.append(better(NAME, "starts.few", n=remaining, hours=hours))
    if chosen and chosen[1] < int(gateway["shards"]):
        findings.append(better(NAME, "shards.few", chosen=chosen[1], recommended=int(gateway["shards"])))
    return findings


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
    needed = [name for name in NEEDED if name in ("view_channel", "attach_files", posting)]
    missing = [name for name in needed if not getattr(discord.Permissions(mine), name)]
    if missing:
        words = tuple(f"permission.{name}" for name in missing)
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
    overwrites = {overwrite["id"]: overwrite for overwrite in channel.get("permission_overwrites") or ()}
    for ids in ({guild}, mine - {guild}, {str(me)}):  # the server, then the bot's roles together, then the bot
        those = [overwrite for id_, overwrite in overwrites.items() if id_ in ids]
        deny = allow = 0
        for overwrite in those:
            deny, allow = deny | int(overwrite["deny"]), allow | int(overwrite["allow"])
        allowed = allowed & ~deny | allow
    return allowed
