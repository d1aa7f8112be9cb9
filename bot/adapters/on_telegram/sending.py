"""Posts, edits and deletes, each in its chat's queue; Telegram's errors as ours.

Nothing is tried a second time in here: delivery does that for posts, `answers` for private replies.
"""

import datetime as dt
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2b

import telegram
from telegram import InlineKeyboardMarkup, InputFile, InputMediaPhoto, LinkPreviewOptions, ReplyParameters
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, RetryAfter, TelegramError

from bot.adapters.on_telegram import phrasing
from bot.adapters.on_telegram.addresses import Shown, Spot, place_id
from bot.adapters.on_telegram.pacing import Lanes
from bot.chat import Gone, Moved, Picture, Refused, Reply, TryLater, Undelivered

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
REMEMBERED = 1000

_UNCHANGED = ("message is not modified",)
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid", "message to delete not found")


def undelivered(error: TelegramError, spot: Spot) -> Undelivered:
    """What *error* means for whoever posts. Lost connections and timeouts: it may have been sent nevertheless."""
    match error:
        case RetryAfter():
            return TryLater(seconds(error.retry_after), "Telegram wants a pause in this chat")
        case ChatMigrated():
            return Moved(place_id(Spot(error.new_chat_id, spot.thread)))
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


def picture_digest(picture: Picture) -> bytes:
    return blake2b(picture.png, digest_size=16).digest()


class Sender:
    """Says things in chats. All methods raise `Undelivered` and nothing else."""

    def __init__(self, bot: telegram.Bot, lanes: Lanes) -> None:
        self._bot = bot
        self._lanes = lanes
        # Which picture a message shows, where this process knows: an edit then need not upload it again.
        self._pictures: OrderedDict[tuple[int, int], bytes] = OrderedDict()

    async def send(self, spot: Spot, reply: Reply, answering: int | None = None) -> Shown:
        """A new message; silent unless it calls somebody. *answering*: the number of a message that it quotes."""
        picture = reply.picture
        quote = None if answering is None else ReplyParameters(answering, allow_sending_without_reply=True)
        keyboard = phrasing.keyboard(reply.rows)
        async with self._turn(spot):
            if picture is None:
                message = await self._bot.send_message(
                    spot.chat,
                    phrasing.html(reply, phrasing.TEXT) or "…",
                    ParseMode.HTML,
                    disable_notification=reply.call is None,
                    reply_markup=keyboard,
                    message_thread_id=spot.thread,
                    link_preview_options=NO_PREVIEW,
                    reply_parameters=quote,
                )
            else:
                message = await self._bot.send_photo(
                    spot.chat,
                    InputFile(picture.png, filename=picture.name),
                    phrasing.html(reply, phrasing.CAPTION) or None,
                    disable_notification=reply.call is None,
                    reply_markup=keyboard,
                    parse_mode=ParseMode.HTML,
                    message_thread_id=spot.thread,
                    reply_parameters=quote,
                )
                self._remember(spot, message.message_id, picture)
        return Shown(message.message_id, picture is not None)

    async def send_link(self, spot: Spot, text: str, label: str, url: str, answering: int | None) -> None:
        """One silent line with a button that opens *url*."""
        button = telegram.InlineKeyboardButton(label, url=url)
        async with self._turn(spot):
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

    async def edit(self, spot: Spot, shown: Shown, reply: Reply, keep_picture: bool = False) -> None:
        """Make a message read *reply*. One that would have to turn from a photo into a text, or back, is deleted and
        Gone. *keep_picture*: a photo stays as it is where *reply* has none."""
        picture = reply.picture
        if shown.photo != (picture is not None) and not (shown.photo and keep_picture):
            await self.delete(spot, shown)
            raise Gone("a photo cannot become a text, nor a text a photo")
        keyboard = phrasing.keyboard(reply.rows)
        async with self._turn(spot):
            if not shown.photo:
                await self._bot.edit_message_text(
                    phrasing.html(reply, phrasing.TEXT) or "…",
                    spot.chat,
                    shown.number,
                    parse_mode=ParseMode.HTML,
                    reply_markup=keyboard,
                    link_preview_options=NO_PREVIEW,
                )
            elif picture is None or self._pictures.get((spot.chat, shown.number)) == picture_digest(picture):
                await self._bot.edit_message_caption(
                    spot.chat,
                    shown.number,
                    caption=phrasing.html(reply, phrasing.CAPTION) or None,
                    reply_markup=keyboard,
                    parse_mode=ParseMode.HTML,
                )
            else:
                photo = InputMediaPhoto(
                    InputFile(picture.png, filename=picture.name, attach=True),
                    phrasing.html(reply, phrasing.CAPTION) or None,
                    ParseMode.HTML,
                )
                await self._bot.edit_message_media(photo, spot.chat, shown.number, reply_markup=keyboard)
                self._remember(spot, shown.number, picture)

    async def edit_buttons(self, spot: Spot, number: int, keyboard: InlineKeyboardMarkup | None) -> None:
        """Give a message other buttons, or none; the rest of it stays."""
        async with self._turn(spot):
            await self._bot.edit_message_reply_markup(spot.chat, number, reply_markup=keyboard)

    async def delete(self, spot: Spot, shown: Shown) -> None:
        """Delete a message; one that is gone already is fine."""
        try:
            async with self._turn(spot):
                await self._bot.delete_message(spot.chat, shown.number)
        except Gone:
            pass
        self._pictures.pop((spot.chat, shown.number), None)

    @asynccontextmanager
    async def _turn(self, spot: Spot) -> AsyncIterator[None]:
        async with self._lanes.turn(spot.chat):
            try:
                yield
            except TelegramError as error:
                if _says(error, _UNCHANGED):
                    return
                trouble = undelivered(error, spot)
                if isinstance(trouble, TryLater) and trouble.after_s is not None:
                    self._lanes.hold(spot.chat, trouble.after_s)
                raise trouble from error

    def _remember(self, spot: Spot, number: int, picture: Picture) -> None:
        self._pictures[spot.chat, number] = picture_digest(picture)
        self._pictures.move_to_end((spot.chat, number))
        while len(self._pictures) > REMEMBERED:
            self._pictures.popitem(last=False)
