"""Posts, edits and deletes, each in its chat's queue; Telegram's errors as `Undelivered`.

No retries here: delivery retries posts, `answers` private replies.
"""

import asyncio
import datetime as dt
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import blake2b
from typing import Any

import telegram
from cachetools import LRUCache
from msgspec.structs import replace
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputFile, ReplyParameters
from telegram.constants import ChatAction, ParseMode, ReactionEmoji
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from bot.adapters.on_telegram import apart, phrasing
from bot.adapters.on_telegram.addresses import Addressed, Form, Spot, place_id
from bot.adapters.on_telegram.apart import NO_PREVIEW, Reason, Trust
from bot.adapters.on_telegram.guests import Cards, Guest
from bot.adapters.on_telegram.pacing import Lanes, Rank, Way
from bot.chat import (
    Content,
    File,
    FileKind,
    Gone,
    Limited,
    Moved,
    Obstacle,
    Picture,
    PicturesRefused,
    PlaceGone,
    Priority,
    Refused,
    Reply,
    TryLater,
    Undelivered,
    Unexplained,
    call_of,
)
from bot.runtime.retry import WITHDRAWALS

log = logging.getLogger(__name__)

TIDYING_WAIT_S = 0.5  # without quota it is retried later, and no caller waits meanwhile
_AT_ONCE = Way()
_TIDYING = Way(Rank.TIDYING, patience_s=TIDYING_WAIT_S)
_RANKS = {Priority.BOARD: Rank.NEXT, Priority.REMINDER: Rank.ANSWER, Priority.TIDYING: Rank.TIDYING}
REMEMBERED = 1000
A_WORD = Reply(text="…")
"""A message without content."""

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
_REFUSED = (
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "_forbidden",
    "chat_admin_required",
    "chat_restricted",
    "channel_private",
    "topic_closed",
    "peer_id_invalid",
    "user_is_blocked",
    "bot can't initiate conversation",
)
_OTHER_FORM = tuple(f"there is no {part} in the message to edit" for part in ("text", "caption", "media"))
"""The number is another message's by now: numbers of ephemeral messages are used again."""
_GONE = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "message to delete not found",
    *_OTHER_FORM,
)


def undelivered(error: TelegramError, spot: Spot) -> Undelivered:
    """Return *error* as an `Undelivered`. After a lost connection or timeout, the message may have been sent."""
    match error:
        case RetryAfter():
            return Limited(seconds(error.retry_after), "Telegram wants a pause in this chat")
        case ChatMigrated():
            return Moved(place_id(Spot(error.new_chat_id, spot.thread)))
        case Forbidden() | BadRequest() if _says(error, _PLACE_GONE):
            return PlaceGone(error.message)
        case Forbidden() | BadRequest() if _says(error, _NO_PICTURES):
            return PicturesRefused(error.message)
        case Forbidden():
            return Refused(error.message, _obstacle(error, spot))
        case BadRequest() if _says(error, _GONE):
            return Gone(error.message)
        case BadRequest() if _says(error, _REFUSED):
            return Refused(error.message, _obstacle(error, spot))
        case BadRequest() | EndPointNotFound():
            return Unexplained(error.message)
        case InvalidToken():  # the token was changed just now: not the place's fault
            return TryLater(None, "the token is not known")
        case _:
            return TryLater(None, error.message)


def _obstacle(error: TelegramError, spot: Spot) -> Obstacle:
    if spot.private:
        return Obstacle.PERSON
    return Obstacle.CLOSED if _says(error, ("topic_closed",)) else Obstacle.RIGHTS


def seconds(span: dt.timedelta | float) -> float:
    """Return a time span in seconds. The library's type depends on a variable of the environment."""
    return span.total_seconds() if isinstance(span, dt.timedelta) else float(span)


def _says(error: TelegramError, phrases: tuple[str, ...]) -> bool:
    return any(phrase in error.message.lower() for phrase in phrases)


def form_of(said: Content) -> Form:
    """Return the form of a message with this content."""
    if said.picture is not None:
        return Form.PHOTO
    if said.file is None:
        return Form.TEXT
    return Form.ANIMATION if said.file.kind is FileKind.ANIMATION else Form.DOCUMENT


def _upload(said: Content, *, attach: bool = False) -> InputFile | None:
    """Return the attachment, or None. *attach*: for a request that describes it separately."""
    match said.picture or said.file:
        case Picture(png=content, name=name) | File(name=name, content=content):
            return InputFile(content, filename=name, attach=attach)
        case None:
            return None


def fits(shown: Addressed, said: Content) -> bool:
    """Return whether a message can be edited into *said*: its form stays, and an ephemeral text stays short."""
    long = shown.receiver is not None and phrasing.units(phrasing.line(said)) > apart.LONGEST_EDIT
    return shown.form is form_of(said) and not (long and shown.form is Form.TEXT)


def digest(said: Content) -> bytes:
    """Return a hash of the attachment, or b"" without one."""
    match said.picture or said.file:
        case Picture(png=content) | File(content=content):
            return blake2b(content, digest_size=16).digest()
        case None:
            return b""


class Sender:
    """Sends messages, each in its *way*. All methods raise `Undelivered` and nothing else."""

    def __init__(self, bot: telegram.Bot, lanes: Lanes) -> None:
        self._bot = bot
        self._lanes = lanes
        self.trust = Trust()
        self.cards = Cards()
        # What a message has attached, where this process knows: an edit then need not upload it again.
        self._attached = LRUCache[tuple[int, Addressed], bytes](REMEMBERED)
        # When what one person sees was sent, by chat, receiver and number, which is used again; 0: it is deleted.
        self._stamps = LRUCache[tuple[int, int | None, int], int](REMEMBERED)
        # By chat: the messages of the next deletion, and its task.
        self._deletions: dict[int, tuple[list[int], asyncio.Task[None]]] = {}

    async def room(self, spot: Spot, priority: Priority) -> None:
        """Wait until there is room for something new, see `pacing`."""
        await self._lanes.room(spot.chat, spot, _RANKS[priority])

    async def send(self, spot: Spot, said: Content, answering: int | None = None, way: Way = _AT_ONCE) -> Addressed:
        """A new message; silent unless it calls somebody. *answering*: the number of a message that it quotes."""
        quoted = None if answering is None else ReplyParameters(answering, allow_sending_without_reply=True)
        async with self._turn(spot, way):
            message = await self._say(spot, said, reply_parameters=quoted)
        shown = Addressed(message.message_id, form_of(said))
        self._remember(spot, shown, said)
        if said.picture is not None:
            self.cards.note(said.picture.name, message)
        return shown

    async def send_apart(self, spot: Spot, said: Reply, reason: Reason, way: Way) -> Addressed:
        """Send an ephemeral message. Raises Refused if that is not possible."""
        if not self.trust.allows(spot, reason):
            raise Refused("no ephemeral messages here")
        async with self.trust.proving:
            if not self.trust.is_proven:
                word = await self._send_apart(spot, A_WORD, reason, way)
                self.trust.is_proven = True
                with suppress(Undelivered):
                    await self.delete(spot, word, way)
        shown = await self._send_apart(spot, said, reason, way)
        self._remember(spot, shown, said)
        self._stamps[spot.chat, shown.receiver, shown.number] = time.time_ns()
        return shown

    def stamp(self, spot: Spot, shown: Addressed) -> int:
        """Return the stamp of an ephemeral message, which distinguishes it from others of the same number; 0:
        unknown."""
        return self._stamps.get((spot.chat, shown.receiver, shown.number)) or 0

    def is_another(self, spot: Spot, shown: Addressed, stamp: int) -> bool:
        """Return whether the number is known to belong to another message than that with *stamp*."""
        known = self._stamps.get((spot.chat, shown.receiver, shown.number))
        return bool(stamp) and known is not None and known != stamp

    async def _send_apart(self, spot: Spot, said: Reply, reason: Reason, way: Way) -> Addressed:
        try:
            async with self._turn(spot, way, reason.user):
                message = await self._say(spot, said, api_kwargs=reason.parameters())
                number = apart.number(message)
                if number is None:
                    self.trust.betrayed()
                    await self._withdraw(message)
        except Refused:
            self.trust.refused(spot, reason)
            raise
        if number is None:
            raise Refused("an ephemeral message was public")
        return Addressed(number, form_of(said), reason.user)

    async def _withdraw(self, message: telegram.Message) -> None:
        """Delete a message at once, outside of the queues."""
        for _ in range(WITHDRAWALS.tries):
            try:
                await self._bot.delete_message(message.chat.id, message.message_id)
                return
            except RetryAfter as pause:
                await asyncio.sleep(seconds(pause.retry_after))
            except TelegramError as error:
                log.warning("Telegram: public private message not deleted yet: error=%s", error.message)

    async def _say(self, spot: Spot, said: Content, **ways: Any) -> telegram.Message:
        form, upload = form_of(said), _upload(said)
        more: dict[str, Any] = {
            "disable_notification": call_of(said) is None,
            "reply_markup": phrasing.buttons(said),
            "parse_mode": ParseMode.HTML,
            "message_thread_id": spot.thread,
            **ways,
        }
        if upload is None:
            text = phrasing.html(said, phrasing.TEXT) or "…"
            return await self._bot.send_message(spot.chat, text, link_preview_options=NO_PREVIEW, **more)
        if form is Form.DOCUMENT and phrasing.units(phrasing.line(said)) > phrasing.CAPTION:
            # A caption would be cut, so the text is a message of its own, before the file.
            text = phrasing.html(said, phrasing.TEXT)
            await self._bot.send_message(
                spot.chat, text, link_preview_options=NO_PREVIEW, **{**more, "reply_markup": None}
            )
            said = replace(said, text="")
        more["caption"] = phrasing.html(said, phrasing.CAPTION) or None
        match form:
            case Form.ANIMATION:
                return await self._bot.send_animation(spot.chat, upload, **more)
            case Form.DOCUMENT:
                return await self._bot.send_document(spot.chat, upload, **more)
            case _:
                return await self._bot.send_photo(spot.chat, upload, **more)

    async def send_lead(
        self, spot: Spot, text: str, button: InlineKeyboardButton, answering: int | None, way: Way
    ) -> None:
        """Send a silent line with a button that leads to an answer."""
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
        """Edit a message into *said*. If its form would have to change, it is deleted; raises Gone.

        *keep_picture*: a photo keeps its picture if *said* has none."""
        form = form_of(said)
        if keep_picture and shown.form is Form.PHOTO and form is Form.TEXT:
            form = Form.PHOTO
        if shown.form is not form:
            await self.delete(spot, shown, way)
            raise Gone("a message keeps its form")
        keyboard, message = phrasing.buttons(said), apart.handle(self._bot, spot, shown)
        async with self._turn(spot, way, shown.receiver):
            upload = _upload(said, attach=True)
            if form is Form.TEXT:
                await message.text(phrasing.html(said, phrasing.TEXT) or "…", keyboard)
            elif upload is None or self._attached.get((spot.chat, shown)) == digest(said):
                await message.caption(phrasing.html(said, phrasing.CAPTION) or None, keyboard)
            else:
                caption = phrasing.html(said, phrasing.CAPTION) or None
                await message.media(_MEDIA[form](upload, caption, ParseMode.HTML), keyboard)
                self._remember(spot, shown, said)

    async def edit_buttons(self, spot: Spot, shown: Addressed, keyboard: InlineKeyboardMarkup | None, way: Way) -> None:
        """Replace the buttons of a message."""
        async with self._turn(spot, way, shown.receiver):
            await apart.handle(self._bot, spot, shown).buttons(keyboard)

    async def strip(self, spot: Spot, shown: Addressed) -> None:
        """Remove a message's buttons, if the quota allows it now."""
        await self.edit_buttons(spot, shown, None, _TIDYING)

    async def welcome(self, guest: Guest) -> None:
        """Answer a mention of the bot in a foreign chat, if the quota allows it now."""
        async with self._turn(guest.spot, _TIDYING, aside=True):
            card = self.cards.card(guest, self._bot.username)
            await self._bot.answer_guest_query(guest.query, card)

    async def nod(self, spot: Spot, message: int) -> None:
        """React to a message, if the quota allows it now."""
        async with self._turn(spot, _TIDYING):
            await self._bot.set_message_reaction(spot.chat, message, ReactionEmoji.THUMBS_UP)

    async def write(self, spot: Spot) -> None:
        """Show for five seconds, or until the next message, that the bot is typing."""
        async with self._turn(spot, _TIDYING, aside=True):
            await self._bot.send_chat_action(spot.chat, ChatAction.TYPING, message_thread_id=spot.thread)

    async def open_topic(self, spot: Spot, title: str) -> Spot:
        """Open a topic in the group of *spot*."""
        async with self._turn(spot, _AT_ONCE):
            topic = await self._bot.create_forum_topic(spot.chat, phrasing.cut(phrasing.inert(title), phrasing.TOPIC))
        return Spot(spot.chat, topic.message_thread_id)

    async def delete(self, spot: Spot, shown: Addressed, way: Way = _AT_ONCE) -> None:
        """Delete a message, if it exists."""
        try:
            async with self._turn(spot, way, shown.receiver):
                await apart.handle(self._bot, spot, shown).delete()
        except Gone:
            pass
        except Refused:
            if shown.receiver is None:
                raise  # an undocumented error: the message is gone
        self._attached.pop((spot.chat, shown), None)
        if shown.receiver is not None:
            self._stamps[spot.chat, shown.receiver, shown.number] = 0

    async def delete_with_others(self, spot: Spot, shown: Addressed) -> None:
        """Delete a message, in one request with the others of its chat for which this is called at the same time."""
        if shown.receiver is not None:
            await self.delete(spot, shown)
            return
        numbers, task = self._deletions.get(spot.chat) or ([], None)
        numbers.append(shown.number)
        if task is None:  # it begins when this and the other calls wait
            task = asyncio.create_task(self._delete_all(spot), name=f"delete in {spot.chat}")
            self._deletions[spot.chat] = numbers, task
        await asyncio.shield(task)
        self._attached.pop((spot.chat, shown), None)

    async def _delete_all(self, spot: Spot) -> None:
        numbers, _ = self._deletions.pop(spot.chat)
        try:
            async with self._turn(spot, _AT_ONCE):
                if len(numbers) == 1:
                    await self._bot.delete_message(spot.chat, numbers[0])
                else:
                    await self._bot.delete_messages(spot.chat, numbers)
        except Gone:
            pass
        except Refused:  # perhaps because of one of them
            if len(numbers) == 1:
                raise
            for number in numbers:
                with suppress(Refused):
                    await self.delete(spot, Addressed(number, Form.TEXT))

    @asynccontextmanager
    async def _turn(
        self, spot: Spot, way: Way, receiver: int | None = None, *, aside: bool = False
    ) -> AsyncIterator[None]:
        """Wait for a turn. *receiver*: an ephemeral message waits in the queue of its reader, unless it counts in the
        group."""
        apart = receiver is not None and not self._lanes.counts_apart
        if apart:
            self._lanes.hear(spot.chat)
        line = receiver if apart and receiver is not None else spot.chat
        way = way if way.origin is not None else replace(way, origin=spot)
        async with self._lanes.turn(line, way, aside=aside):
            try:
                yield
                if apart:
                    self._lanes.sent_apart(spot.chat)
            except TelegramError as error:
                if _says(error, _UNCHANGED):
                    return
                trouble = undelivered(error, spot)
                if isinstance(trouble, TryLater) and trouble.after_s is not None:
                    self._lanes.learn(spot.chat)
                    self._lanes.hold(spot.chat, trouble.after_s)
                raise trouble from error

    def _remember(self, spot: Spot, shown: Addressed, said: Content) -> None:
        if form_of(said) is not Form.TEXT:
            self._attached[spot.chat, shown] = digest(said)
