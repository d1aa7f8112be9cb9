"""Ephemeral messages in groups: only one member sees them. The library does not know them.

Telegram takes one within 15 seconds of an action of its reader, which the request names (a press, or a command that
only the bot received), or at any time if the bot is an administrator. Otherwise the reply goes to the private chat.

A self-hosted server may be older: it ignores unknown parameters and posts the message for everybody. So no private
content is sent before

    the server kept the mark of a command that goes to the bot alone (`listing` reads it back at every start), and
    a first message without content was ephemeral.

A message that turns out to be public is deleted at once, and no more ephemeral messages are sent.
"""

import asyncio
import logging
import time
from typing import Any, Protocol

import telegram
from cachetools import LRUCache
from msgspec import Struct
from telegram import InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ParseMode

from bot.adapters.on_telegram.addresses import Addressed, Spot

log = logging.getLogger(__name__)

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
LONGEST_EDIT = 1024
"""Longest text of an edit. New messages may be longer."""
UNASKED_S = 600.0
REMEMBERED = 2000
Given = dict[str, Any]


class Reason(Struct, frozen=True):
    """The reader, and the action that permits the message: *query* of a press, or number of a *command* that only the
    bot received. Neither: the bot's right as an administrator."""

    user: int
    query: str = ""
    command: int | None = None

    def parameters(self) -> Given:
        """Return the additional parameters of a request to send."""
        to: Given = {"receiver_user_id": self.user}
        if self.query:
            to["callback_query_id"] = self.query
        given: Given = {"ephemeral_message_parameters": to}
        if self.command is not None:
            given["reply_parameters"] = {"ephemeral_message_id": self.command}
        return given


def number(message: telegram.Message) -> int | None:
    """Return the number of an ephemeral message; None for other messages."""
    value = message.api_kwargs.get("ephemeral_message_id")
    return value if isinstance(value, int) else None


class Trust:
    """Whether the server supports ephemeral messages, and the chats where each one needs an action of its reader."""

    def __init__(self) -> None:
        self._keeps_marks = False
        self._over = False
        self._unasked = LRUCache[int, float](REMEMBERED)  # chats that take none without an action, until a time
        self.is_proven = False
        self.proving = asyncio.Lock()

    def keeps_marks(self) -> None:
        """The server keeps marks of commands that go to the bot alone."""
        self._keeps_marks = True

    def betrayed(self) -> None:
        """An ephemeral message was public."""
        if not self._over:
            log.warning("Telegram: ephemeral message was public, using private chats from now on")
        self._over = True

    def allows(self, spot: Spot, reason: Reason) -> bool:
        """Return whether an ephemeral message may be tried."""
        unasked = not reason.query and reason.command is None
        closed = unasked and time.monotonic() < (self._unasked.get(spot.chat) or 0.0)
        return self._keeps_marks and not self._over and not spot.private and not closed

    def refused(self, spot: Spot, reason: Reason) -> None:
        """Telegram refused a message for *reason*."""
        if not reason.query and reason.command is None:
            self._unasked[spot.chat] = time.monotonic() + UNASKED_S


class Handle(Protocol):
    """A message that can be edited."""

    async def text(self, html: str, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def caption(self, html: str | None, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def media(self, medium: telegram.InputMedia, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def buttons(self, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def delete(self) -> None: ...


def handle(bot: telegram.Bot, spot: Spot, shown: Addressed) -> Handle:
    return _Open(bot, spot.chat, shown.number) if shown.receiver is None else _Apart(bot, spot.chat, shown)


class _Open:
    """A public message."""

    def __init__(self, bot: telegram.Bot, chat: int, message: int) -> None:
        self._bot, self._chat, self._message = bot, chat, message

    async def text(self, html: str, keyboard: InlineKeyboardMarkup | None) -> None:
        ways: Given = {"parse_mode": ParseMode.HTML, "link_preview_options": NO_PREVIEW}
        await self._bot.edit_message_text(html, self._chat, self._message, reply_markup=keyboard, **ways)

    async def caption(self, html: str | None, keyboard: InlineKeyboardMarkup | None) -> None:
        await self._bot.edit_message_caption(
            self._chat, self._message, caption=html, reply_markup=keyboard, parse_mode=ParseMode.HTML
        )

    async def media(self, medium: telegram.InputMedia, keyboard: InlineKeyboardMarkup | None) -> None:
        await self._bot.edit_message_media(medium, self._chat, self._message, reply_markup=keyboard)

    async def buttons(self, keyboard: InlineKeyboardMarkup | None) -> None:
        await self._bot.edit_message_reply_markup(self._chat, self._message, reply_markup=keyboard)

    async def delete(self) -> None:
        await self._bot.delete_message(self._chat, self._message)


class _Apart:
    """An ephemeral message. Telegram's answers to its requests have no content."""

    def __init__(self, bot: telegram.Bot, chat: int, shown: Addressed) -> None:
        self._bot = bot
        self._which = {"chat_id": chat, "receiver_user_id": shown.receiver, "ephemeral_message_id": shown.number}

    async def text(self, html: str, keyboard: InlineKeyboardMarkup | None) -> None:
        ways: Given = {"parse_mode": ParseMode.HTML, "link_preview_options": NO_PREVIEW}
        await self._change("Text", keyboard, text=html, **ways)

    async def caption(self, html: str | None, keyboard: InlineKeyboardMarkup | None) -> None:
        await self._change("Caption", keyboard, caption=html, parse_mode=ParseMode.HTML)

    async def media(self, medium: telegram.InputMedia, keyboard: InlineKeyboardMarkup | None) -> None:
        await self._change("Media", keyboard, media=medium)

    async def buttons(self, keyboard: InlineKeyboardMarkup | None) -> None:
        await self._change("ReplyMarkup", keyboard)

    async def delete(self) -> None:
        await self._bot.do_api_request("deleteEphemeralMessage", api_kwargs=dict(self._which))

    async def _change(self, what: str, keyboard: InlineKeyboardMarkup | None, **given: object) -> None:
        said = self._which | given | {"reply_markup": keyboard}
        said = {name: value for name, value in said.items() if value is not None}
        await self._bot.do_api_request(f"editEphemeralMessage{what}", api_kwargs=said)
