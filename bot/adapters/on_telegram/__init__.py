"""Telegram. Light to import: the chat library is loaded when a chat is opened.

addresses   our ids of places, people and messages <-> Telegram's numbers
incoming    what Telegram sends, as an `Update`
links       links that open the private chat and press a button there
phrasing    posts and replies as Telegram's text and keyboard, within its limits
pacing      one queue per chat, flood limits
connection  the library's connection, which reads Telegram's answers
guests      mentions of the bot in chats where it is no member
apart       messages in a group that only one member sees (ephemeral ones)
queries     pressed buttons; each has exactly one answer
sending     posts, edits and deletes; Telegram's errors as `Undelivered`
answers     private replies
polling, webhook    the two sources of updates
listing     the menus of commands and the descriptions of the bot
chat        the `bot.chat.Platform`
examining   the doctor's findings
"""

import re
from collections.abc import Mapping, Sequence

from bot.chat import PlaceId, Platform
from bot.operation.environment import Variable, url
from bot.operation.findings import Finding

NAME = "telegram"

PUBLIC_API = "https://api.telegram.org"


def _token(value: str) -> str | None:
    """Return the error in a token, or None.

    >>> _token("123456:abcdefghijklmnopqrstuvwxyz-_0123456") is None
    True
    >>> _token("my bot")
    'must be a token as BotFather gives it (digits, a colon, then letters)'
    """
    fine = not value or re.fullmatch(r"[0-9]{3,}:[A-Za-z0-9_-]{20,}", value)
    return None if fine else "must be a token as BotFather gives it (digits, a colon, then letters)"


def _bare_token(value: str) -> str:
    """Return a token without quotes and without ``bot``, which is before it in the API's addresses.

    >>> _bare_token("'bot123:abc'")
    '123:abc'
    """
    return re.sub(r"(?i)^bot\s*(?=[0-9]+:)", "", value.strip(" '\"“”„‘’"))


def _address(value: str) -> str | None:
    """Return the error in an address ``host:port``, or None.

    >>> _address("127.0.0.1:8081") is None, _address("here")
    (True, 'must be host:port, e.g. 127.0.0.1:8081')
    """
    host, _, port = value.rpartition(":")
    fine = bool(host) and port.isascii() and port.isdigit() and int(port) < 65536
    return None if fine else "must be host:port, e.g. 127.0.0.1:8081"


VARIABLES = (
    Variable(
        "TELEGRAM_TOKEN",
        "The bot's token from BotFather; empty: no Telegram.",
        secret=True,
        check=_token,
        clean=_bare_token,
    ),
    Variable(
        "TELEGRAM_API_URL",
        "Another Bot API server than Telegram's own, e.g. http://127.0.0.1:8081.",
        PUBLIC_API,
        secret=True,
        check=url("http", "https"),
    ),
    Variable(
        "TELEGRAM_WEBHOOK_URL",
        "Public https address that Telegram sends updates to; empty: the bot asks for them.",
        secret=True,
        check=url("https", "http"),
    ),
    Variable(
        "TELEGRAM_WEBHOOK_LISTEN",
        "Where the bot listens for what arrives at TELEGRAM_WEBHOOK_URL.",
        "127.0.0.1:8081",
        check=_address,
    ),
)


def wanted(values: Mapping[str, str]) -> bool:
    """Return whether the settings have a token."""
    return bool(values["TELEGRAM_TOKEN"])


def open(values: Mapping[str, str]) -> Platform:  # noqa: A001 - every adapter has this name
    """Return the platform, not yet connected."""
    from bot.adapters.on_telegram.chat import TelegramChat
    from bot.requests.commands import COMMANDS

    return TelegramChat(
        token=values["TELEGRAM_TOKEN"],
        commands=COMMANDS,
        api_url=values["TELEGRAM_API_URL"],
        webhook_url=values["TELEGRAM_WEBHOOK_URL"],
        webhook_listen=values["TELEGRAM_WEBHOOK_LISTEN"],
    )


async def examined(values: Mapping[str, str], places: Sequence[PlaceId]) -> Sequence[Finding]:
    """Return the doctor's findings."""
    from bot.adapters.on_telegram.examining import examine

    return await examine(values, places)
