"""Posts, edits and deletes, each in its chat's queue; Telegram's errors as ours.

Nothing is tried a second time in here: delivery does that for posts, `answers` for private replies.
"""

import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import Any

import telegram
from msgspec.structs import replace
from telegram import InlineKeyboardMarkup, InputFile, LinkPreviewOptions, ReplyParameters
from telegram.constants import ChatAction, ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, RetryAfter, TelegramError

from bot.adapters.on_telegram import phrasing
from bot.adapters.on_telegram.addresses import Addressed, Form, Spot, place_id
from bot.adapters.on_telegram.pacing import Lanes, Rank, Way
from bot.chat import (
    Content,
    File,
    FileKind,
    Gone,
    Limited,
    Moved,
    Need,
    Picture,
    PicturesRefused,
    PlaceGone,
    Refused,
    TryLater,
    Undelivered,
    call_of,
)
from bot.runtime.cache import Cache

TIDYING_WAIT_S = 0.5  # where there is no room for it, it is done when there is, and nobody waits for it meanwhile
_AT_ONCE = Way()
_TIDYING = Way(Rank.TIDYING, patience_s=TIDYING_WAIT_S)
_NEEDS = {Need.BOARD: Rank.NEXT, Need.REMINDER: Rank.ANSWER, Need.TIDYING: Rank.TIDYING}
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
REMEMBERED = 1000

_MEDIA = {
    Form.PHOTO: telegram.InputMediaPhoto,
    Form.ANIMATION: telegram.InputMediaAnimation,
    Form.DOCUMENT: telegram.InputMediaDocument,
}
_UNCHANGED = ("message is not modified",)
_PLACE_GONE = (
    "chat not found",
    "bot was kicked",
    "bot is not a member",
    "chat was deleted",
    "chat was deactivated",
    "user is deactivated",
    "message thread not found",
    "topic_deleted",
    "topic_id_invalid",
)
_NO_PICTURES = ("not enough rights to send photos", "chat_send_photos_forbidden", "chat_send_media_forbidden")
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid", "message to delete not found")


def undelivered(error: TelegramError, spot: Spot) -> Undelivered:
    """What *error* means for whoever posts. Lost connections and timeouts: it may have been sent nevertheless."""
    match error:
        case RetryAfter():
            return Limited(seconds(error.retry_after), "Telegram wants a pause in this chat")
        case ChatMigrated():
            return Moved(place_id(Spot(error.new_chat_id, spot.thread)))
        case Forbidden() | BadRequest() if _says(error, _PLACE_GONE):
            return PlaceGone(error.message)
        case Forbidden() | BadRequest() if _says(error, _NO_PICTURES):
            return PicturesRefused(error.message)
        case Forbidden() | InvalidToken():
            return Refused(error.message)
        case BadRequest() if _says(error, _GONE):
            return Gone(error.message)
        case BadRequest():
            return Refused(error.message)
        case _:
            return TryLater(None, error.message)


def seconds(span: dt.timedelta | float) -> float:
    """The library gives spans either way, depending on a variable of the environment."""
    return span.total_seconds() if isinstance(span, dt.timedelta) else float(span)


def _says(error: TelegramError, phrases: tuple[str, ...]) -> bool:
    return any(phrase in error.message.lower() for phrase in phrases)


def form_of(said: Content) -> Form:
    """The form in which *said* is said."""
    if said.picture is not None:
        return Form.PHOTO
    if said.file is None:
        return Form.TEXT
    return Form.ANIMATION if said.file.kind is FileKind.ANIMATION else Form.DOCUMENT


def _upload(said: Content, *, attach: bool = False) -> InputFile | None:
    """What *said* has attached. *attach*: to go along with a description of it."""
    match said.picture or said.file:
        case Picture(png=content, name=name) | File(name=name, content=content):
            return InputFile(content, filename=name, attach=attach)
        case None:
            return None


def digest(said: Content) -> bytes:
    """Tells what is attached to *said* from anything else."""
    match said.picture or said.file:
        case Picture(png=content) | File(content=content):
            return blake2b(content, digest_size=16).digest()
        case None:
            return b""


class Sender:
    """Says things in chats, each in its *way*. All methods raise `Undelivered` and nothing else."""

    def __init__(self, bot: telegram.Bot, lanes: Lanes) -> None:
        self._bot = bot
        self._lanes = lanes
        # What a message has attached, where this process knows: an edit then need not upload it again.
        self._attached = Cache[tuple[int, int], bytes](REMEMBERED)

    async def room(self, spot: Spot, need: Need) -> None:
        """Wait until there is room for something new, see `pacing`."""
        await self._lanes.room(spot.chat, spot, _NEEDS[need])

    async def send(self, spot: Spot, said: Content, answering: int | None = None, way: Way = _AT_ONCE) -> Addressed:
        """A new message; silent unless it calls somebody. *answering*: the number of a message that it quotes."""
        form, upload = form_of(said), _upload(said)
        more: dict[str, Any] = {
            "disable_notification": call_of(said) is None,
            "reply_markup": phrasing.buttons(said),
            "parse_mode": ParseMode.HTML,
            "message_thread_id": spot.thread,
            "reply_parameters": None
            if answering is None
            else ReplyParameters(answering, allow_sending_without_reply=True),
        }
        async with self._turn(spot, way):
            if upload is None:
                text = phrasing.html(said, phrasing.TEXT) or "…"
                message = await self._bot.send_message(spot.chat, text, link_preview_options=NO_PREVIEW, **more)
            else:
                more["caption"] = phrasing.html(said, phrasing.CAPTION) or None
                match form:
                    case Form.ANIMATION:
                        message = await self._bot.send_animation(spot.chat, upload, **more)
                    case Form.DOCUMENT:
                        message = await self._bot.send_document(spot.chat, upload, **more)
                    case _:
                        message = await self._bot.send_photo(spot.chat, upload, **more)
                self._remember(spot, message.message_id, said)
        return Addressed(message.message_id, form)

    async def send_link(self, spot: Spot, text: str, label: str, url: str, answering: int | None, way: Way) -> None:
        """One silent line with a button that opens *url*."""
        button = telegram.InlineKeyboardButton(label, url=url)
        async with self._turn(spot, way):
            await self._bot.send_message(
                spot.chat,
                phrasing.inert(text),
                disable_notification=True,
                reply_markup=InlineKeyboardMarkup.from_button(button),
                message_thread_id=spot.thread,
                link_preview_options=NO_PREVIEW,
                reply_parameters=None
                if answering is None
                else ReplyParameters(answering, allow_sending_without_reply=True),
            )

    async def edit(
        self, spot: Spot, shown: Addressed, said: Content, keep_picture: bool = False, way: Way = _AT_ONCE
    ) -> None:
        """Make a message read *said*. One that would have to become another form is deleted and Gone.

        *keep_picture*: a photo stays as it is where *said* has none."""
        form = form_of(said)
        if keep_picture and shown.form is Form.PHOTO and form is Form.TEXT:
            form = Form.PHOTO
        if shown.form is not form:
            await self.delete(spot, shown, way)
            raise Gone("a message stays a text, a photo or a file")
        keyboard = phrasing.buttons(said)
        async with self._turn(spot, way):
            upload = _upload(said, attach=True)
            if form is Form.TEXT:
                await self._bot.edit_message_text(
                    phrasing.html(said, phrasing.TEXT) or "…",
                    spot.chat,
                    shown.number,
                    parse_mode=ParseMode.HTML,
                    reply_markup=keyboard,
                    link_preview_options=NO_PREVIEW,
                )
            elif upload is None or self._attached.get((spot.chat, shown.number)) == digest(said):
                await self._bot.edit_message_caption(
                    spot.chat,
                    shown.number,
                    caption=phrasing.html(said, phrasing.CAPTION) or None,
                    reply_markup=keyboard,
                    parse_mode=ParseMode.HTML,
                )
            else:
                caption = phrasing.html(said, phrasing.CAPTION) or None
                medium = _MEDIA[form](upload, caption, ParseMode.HTML)
                await self._bot.edit_message_media(medium, spot.chat, shown.number, reply_markup=keyboard)
                self._remember(spot, shown.number, said)

    async def edit_buttons(self, spot: Spot, number: int, keyboard: InlineKeyboardMarkup | None, way: Way) -> None:
        """Give a message other buttons, or none; the rest of it stays."""
        async with self._turn(spot, way):
            await self._bot.edit_message_reply_markup(spot.chat, number, reply_markup=keyboard)

    async def strip(self, spot: Spot, number: int) -> None:
        """Take a message's buttons away, if there is room for it now."""
        await self.edit_buttons(spot, number, None, _TIDYING)

    async def write(self, spot: Spot) -> None:
        """Show for five seconds, or until the next message, that something is being written."""
        async with self._turn(spot, _TIDYING, aside=True):
            await self._bot.send_chat_action(spot.chat, ChatAction.TYPING, message_thread_id=spot.thread)

    async def delete(self, spot: Spot, shown: Addressed, way: Way = _AT_ONCE) -> None:
        """Delete a message; one that is gone already is fine."""
        try:
            async with self._turn(spot, way):
                await self._bot.delete_message(spot.chat, shown.number)
        except Gone:
            pass
        self._attached.pop((spot.chat, shown.number))

    @asynccontextmanager
    async def _turn(self, spot: Spot, way: Way, *, aside: bool = False) -> AsyncIterator[None]:
        enter = self._lanes.aside if aside else self._lanes.turn
        async with enter(spot.chat, way if way.origin is not None else replace(way, origin=spot)):
            try:
                yield
            except TelegramError as error:
                if _says(error, _UNCHANGED):
                    return
                trouble = undelivered(error, spot)
                if isinstance(trouble, TryLater) and trouble.after_s is not None:
                    self._lanes.hold(spot.chat, trouble.after_s)
                raise trouble from error

    def _remember(self, spot: Spot, number: int, said: Content) -> None:
        self._attached[spot.chat, number] = digest(said)
