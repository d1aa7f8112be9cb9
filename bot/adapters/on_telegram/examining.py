"""The doctor's findings at Telegram: token, settings at BotFather, the webhook's address, permissions in groups.

It reads only, and no updates: the running bot would miss them.
"""

import asyncio
import logging
import ssl
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, TelegramError

from bot.adapters.on_telegram import NAME, PUBLIC_API, addresses
from bot.adapters.on_telegram.connection import Connection, ways_to
from bot.chat import PlaceId, Refused
from bot.operation.findings import Finding, Grade, ahead_s, better, fine, of_clock, wrong
from bot.runtime.logs import hold
from bot.runtime.network import without_credentials

ANSWER_S = 6.0
PORTS = (443, 80, 88, 8443)
"""Ports to which Telegram delivers updates."""
MANY = 100
"""Number of pending updates that no running bot leaves."""
RECENT_S = 3600
RIGHTS = {"can_send_messages": "right.messages", "can_send_photos": "right.photos"}


class Asking:
    """A client of the Bot API at *url*. *ahead*: by how many seconds its clock is ahead of ours, once known."""

    def __init__(self, url: str, token: str) -> None:
        self._url = f"{url}/bot{token}"
        self.ahead: float | None = None
        ways = {**ways_to(url), "event_hooks": {"response": [self._answered]}}
        self._connection = Connection(
            read_timeout=ANSWER_S, connect_timeout=ANSWER_S, pool_timeout=ANSWER_S, httpx_kwargs=ways
        )

    async def _answered(self, answer: httpx.Response) -> None:
        self.ahead = ahead_s(answer.headers.get("Date"), time.time())

    def now_s(self) -> float:
        """Return the time of Telegram's clock, in seconds since 1970."""
        return time.time() + (self.ahead or 0.0)

    async def get(self, method: str, **parameters: int) -> Any:
        """Raises TelegramError."""
        return await self._connection.post(f"{self._url}/{method}?{urlencode(parameters)}")

    async def close(self) -> None:
        await self._connection.shutdown()


async def examine(values: Mapping[str, str], places: Sequence[PlaceId]) -> Sequence[Finding]:
    hold("httpx", "httpcore", least=logging.WARNING)  # their lines contain the token
    url = values["TELEGRAM_API_URL"].rstrip("/")
    ask = Asking(url, values["TELEGRAM_TOKEN"])
    try:
        me = await ask.get("getMe")
        findings = [fine(NAME, "token.fine")]
        if ask.ahead is not None:
            findings.append(of_clock("Telegram", ask.ahead))
        findings += _of_settings(me)
        findings += await _of_webhook(ask, values)
        return [*findings, *await asyncio.gather(*(_of_chat(ask, int(me["id"]), place) for place in places))]
    except InvalidToken:
        return [wrong(NAME, "token", url=without_credentials(url))]
    except TelegramError as error:
        return [wrong(NAME, "unreachable", url=without_credentials(url), problem=type(error).__name__)]
    finally:
        await ask.close()


def _of_settings(me: Mapping[str, Any]) -> list[Finding]:
    """Return the findings about settings at BotFather."""
    findings = []
    if not me.get("can_join_groups", True):
        findings.append(better(NAME, "no_groups"))
    if me.get("can_read_all_group_messages"):
        findings.append(better(NAME, "reads_all"))
    return findings


async def _of_webhook(ask: Asking, values: Mapping[str, str]) -> list[Finding]:
    wanted = values["TELEGRAM_WEBHOOK_URL"]
    known = await ask.get("getWebhookInfo")
    findings = []
    if not wanted:
        if known.get("url"):
            findings.append(better(NAME, "webhook.left"))
    else:
        parts = urlsplit(wanted)
        public = values["TELEGRAM_API_URL"].rstrip("/") == PUBLIC_API
        if public and (parts.scheme != "https" or (parts.port or 443) not in PORTS):
            findings.append(wrong(NAME, "webhook.port", ports=", ".join(map(str, PORTS))))
        findings.append(await _of_address(wanted))
        if known.get("url") and known["url"] != wanted:
            findings.append(better(NAME, "webhook.other"))
        elif known.get("last_error_message") and ask.now_s() - known.get("last_error_date", 0) < RECENT_S:
            findings.append(better(NAME, "webhook.error", problem=known["last_error_message"]))
    if int(known.get("pending_update_count") or 0) > MANY:
        findings.append(better(NAME, "pending", n=int(known["pending_update_count"])))
    return findings


async def _of_address(url: str) -> Finding:
    """Return whether the bot answers at the webhook's address: it refuses GET with 405, as it only takes POST."""
    try:
        async with httpx.AsyncClient(timeout=ANSWER_S, **ways_to(url)) as client:
            status = (await client.get(url)).status_code
    except (httpx.HTTPError, OSError) as error:
        badly_signed = isinstance(error.__cause__, ssl.SSLError) or "CERTIFICATE" in str(error)
        return wrong(NAME, "webhook.certificate" if badly_signed else "webhook.unreachable")
    if status == 405:
        return fine(NAME, "webhook")
    if status in (502, 503, 504):
        return better(NAME, "webhook.nobody")
    return wrong(NAME, "webhook.elsewhere", status=status)


async def _of_chat(ask: Asking, me: int, place: PlaceId) -> Finding:
    try:
        chat = addresses.spot(place).chat
        if chat > 0:
            return fine(NAME, "chat.private", place=place)
        member, described = await asyncio.gather(
            ask.get("getChatMember", chat_id=chat, user_id=me), ask.get("getChat", chat_id=chat)
        )
    except (Refused, BadRequest, ChatMigrated, Forbidden):
        return wrong(NAME, "chat.unknown", place=place)
    if member["status"] in ("left", "kicked"):
        return wrong(NAME, "chat.unknown", place=place)
    given = {"member": described.get("permissions") or {}, "restricted": member}.get(member["status"], {})
    missing = tuple(words for right, words in RIGHTS.items() if not given.get(right, True))
    if missing:
        return Finding(Grade.WRONG, NAME, "chat.lacking", {"place": place}, missing)
    return fine(NAME, "chat", place=place)
