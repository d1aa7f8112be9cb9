"""Messages in a group that one member sees and nobody else (ephemeral ones), which the library does not know.

Telegram takes one within 15 seconds of something that its reader did, which it names (a press, or a command that came
to the bot alone); of a bot that is an administrator at any time. Where it does not, the private chat is the next way.

A server of one's own may be older: it reads the parameters that it knows and posts the same words for everybody. So
nothing private is said like this before

    it kept the mark of a command that goes to the bot alone (`listing` reads that back at every start), and
    a first word that tells nothing was seen by one person alone.

What was to be seen by one alone and was not is deleted at once, and nothing is said like this any more.
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
"""Longer texts are taken when they are sent, and refused when one is edited."""
UNASKED_S = 600.0
REMEMBERED = 2000
Given = dict[str, Any]


class Reason(Struct, frozen=True):
    """Who is to see it, and what this person did: *query* a press, *command* the number of what came to the bot alone.
    Neither: an administrator's right."""

    user: int
    query: str = ""
    command: int | None = None

    def parameters(self) -> Given:
        """What a request to send has besides."""
        to: Given = {"receiver_user_id": self.user}
        if self.query:
            to["callback_query_id"] = self.query
        given: Given = {"ephemeral_message_parameters": to}
        if self.command is not None:
            given["reply_parameters"] = {"ephemeral_message_id": self.command}
        return given


def number(message: telegram.Message) -> int | None:
    """The number of a message that one person sees; None for every other."""
    found = message.api_kwargs.get("ephemeral_message_id")
    return found if isinstance(found, int) else None


class Trust:
    """Whether the server shows to one person alone what is meant so, and where the bot was found to need a reason."""

    def __init__(self) -> None:
        self._keeps_marks = False
        self._over = False
        self._unasked = LRUCache[int, float](REMEMBERED)  # chats in which nothing is taken without one, and until when
        self.is_proven = False
        self.proving = asyncio.Lock()

    def keeps_marks(self) -> None:
        """The server knows of commands that go to the bot alone."""
        self._keeps_marks = True

    def betrayed(self) -> None:
        """Everybody could see what was meant for one."""
        if not self._over:
            log.warning("Telegram: the server shows everybody what is meant for one person; that goes to private chats")
        self._over = True

    def allows(self, spot: Spot, reason: Reason) -> bool:
        """Whether it may be tried there."""
        unasked = not reason.query and reason.command is None
        closed = unasked and time.monotonic() < (self._unasked.get(spot.chat) or 0.0)
        return self._keeps_marks and not self._over and not spot.private and not closed

    def refused(self, spot: Spot, reason: Reason) -> None:
        """Telegram took nothing for this *reason*."""
        if not reason.query and reason.command is None:
            self._unasked[spot.chat] = time.monotonic() + UNASKED_S


class Handle(Protocol):
    """A message that can be changed."""

    async def text(self, html: str, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def caption(self, html: str | None, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def media(self, medium: telegram.InputMedia, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def buttons(self, keyboard: InlineKeyboardMarkup | None) -> None: ...

    async def delete(self) -> None: ...


def handle(bot: telegram.Bot, spot: Spot, shown: Addressed) -> Handle:
    return _Open(bot, spot.chat, shown.number) if shown.receiver is None else _Apart(bot, spot.chat, shown)


class _Open:
    """What everybody in the chat sees."""

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
    """What one member sees. The answers to these requests say nothing."""

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
