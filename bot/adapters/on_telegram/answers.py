"""Private replies.

    pressed          toast, short note   the answer to the press (a line; an alert that stays until it is closed)
                     menu                edits the pressed menu; a menu from a post is sent apart
                     other               apart
    typed            in private          a message
                     in a group          apart; a toast: a reaction, because the board confirms it
    apart            an ephemeral message (`apart`); if Telegram takes none:
                     pressed             menu: the buttons of the post change, and the question is the answer to the
                                         press; a menu with selects is a silent reply to the post, which other people
                                         can use meanwhile
                     typed publicly      menu: a silent reply
                     other               in the private chat
    secret           only where no other person can read it
    expiry           deleted when its time is over; if it is strict, no group message of its own
    board            the pressed menu becomes it, if no other person can read that
    marked picture   left out if other people can read the reply, and if the post offers the same choices
    no private chat  pressed: a link that opens it and presses the button again; typed: the reply is kept, and sent
                     apart after a press on a button for it, or when the private chat is opened

A menu is deleted when it is closed or finished (a toast says so); a menu that replaced a note's buttons loses its
buttons. Every press is answered: Telegram shows a spinner on the button until then. Answers to presses have no rate
limit, so they wait in no queue. Messages are retried here a few times, and nowhere else. Replies to typed requests are
sent however long the chat's queue is and however long Telegram is down. After several presses, the newest reply
replaces older ones that still wait for the same private chat.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import telegram
from cachetools import LRUCache
from msgspec.structs import replace
from telegram import InlineKeyboardButton
from telegram.error import Forbidden

from bot.adapters.on_telegram import addresses, phrasing
from bot.adapters.on_telegram.addresses import Addressed, Form, Spot
from bot.adapters.on_telegram.apart import Reason
from bot.adapters.on_telegram.incoming import Envelope, Pressed
from bot.adapters.on_telegram.links import Links
from bot.adapters.on_telegram.pacing import Overtaken, Rank, Way, let_go
from bot.adapters.on_telegram.phrasing import say
from bot.adapters.on_telegram.queries import Query
from bot.adapters.on_telegram.sending import Sender, fits, form_of
from bot.adapters.reply_piles import ReplyPiles
from bot.chat import (
    Core,
    Gone,
    MarkedPicture,
    PlaceGone,
    PlainMessage,
    Press,
    Refused,
    Reply,
    Role,
    Select,
    Style,
    TryLater,
    Undelivered,
)
from bot.requests.commands import closes_all, is_close, is_in_menu
from bot.runtime import names
from bot.runtime.retry import LINES, TYPED, Retry

log = logging.getLogger(__name__)
T = TypeVar("T")

PRESS_WAIT_S = 5.0  # the button shows a spinner until then
REMEMBERED = 5000
MOST_KEPT = 500
KEPT_S = 900.0
KEPT = "kept:"
"""The payload of a button that shows the kept reply of a person: this and the person's number."""
CLOSED_S = 600.0


class Answers:
    """Shows replies to the people who made the requests."""

    def __init__(self, bot: telegram.Bot, sender: Sender, links: Links, core: Core) -> None:
        self._bot = bot
        self._sender = sender
        self._links = links
        self._core = core
        self._open = ReplyPiles(core)
        # The roles of messages that are replies, not posts. Replies that quote a message, and menus in private chats,
        # are recognized without it, after a restart too.
        self._shown = LRUCache[tuple[int, Addressed], Role](REMEMBERED)
        # The newest reply to a request typed in a group by a person without an open private chat, and its expiry.
        self._kept = LRUCache[int, tuple[float, Reply]](MOST_KEPT)
        self._closed = LRUCache[int, float](REMEMBERED)  # closed private chats, with the time to try them again

    async def answer(self, envelope: Envelope, reply: Reply | None) -> None:
        """Show *reply*. Raises no errors of Telegram."""
        query = None if envelope.pressed is None else Query(self._bot, envelope.pressed.query)
        self._open.answered(envelope.update, reply)
        try:
            if reply is None or reply.role is Role.NOTHING:
                return
            if envelope.pressed is not None and query is not None:
                await self._after_press(envelope, envelope.pressed, query, reply)
            else:
                await self._after_typing(envelope, reply)
        except Overtaken:
            log.debug("reply replaced by a newer one")
        except Undelivered as trouble:
            log.info("reply not delivered: error=%s", trouble)
            if query is not None:
                await query.answer(say("later", envelope.lang), alert=True)
        finally:
            if query is not None:
                await query.answer()

    def kept(self, user: int) -> Reply | None:
        """Return and forget the reply that is kept until *user* opens the private chat."""
        until, reply = self._kept.pop(user, None) or (0.0, None)
        return reply if time.monotonic() < until else None

    def opened(self, user: int) -> None:
        """*user* opened the private chat."""
        self._closed.pop(user, None)

    def holds(self, envelope: Envelope) -> bool:
        """Return whether a press asks for a kept reply."""
        return isinstance(envelope.update.body, Press) and envelope.update.body.payload.startswith(KEPT)

    async def hand_over(self, envelope: Envelope) -> None:
        """Show the kept reply to the person who pressed for it, in an ephemeral message. Raises no errors of
        Telegram."""
        pressed, body = envelope.pressed, envelope.update.body
        if pressed is None or not isinstance(body, Press):
            return
        query, mine = Query(self._bot, pressed.query), body.payload == f"{KEPT}{envelope.user}"
        reply = self.kept(envelope.user) if mine else None
        try:
            if reply is None:
                await query.answer(say("answer.gone" if mine else "answer.other", envelope.lang), alert=True)
            elif not await self._apart(envelope, reply):
                self._put_back(envelope.user, reply)
                await query.answer(url=self._links.url(self._bot.username, envelope.user))
                return
            await query.answer()
            if mine and pressed.shown is not None:
                await self._sender.delete(envelope.spot, pressed.shown, _patient(envelope))
        except Overtaken:
            if reply is not None:
                self._put_back(envelope.user, reply)
        except Undelivered as trouble:
            log.info("button for a kept reply not removed: error=%s", trouble)
        finally:
            await query.answer()

    async def nameless(self, envelope: Envelope) -> None:
        """Tell a person who writes in the name of a group or channel that players need a name."""
        if envelope.unseen:  # an anonymous account has no private chat
            return
        way, reply = _patient(envelope), Reply(text=say("nameless", envelope.lang))
        try:
            await _tried(lambda: self._sender.send(envelope.spot, reply, envelope.message_number, way), TYPED)
        except Undelivered as trouble:
            log.info("reply not delivered: error=%s", trouble)

    async def _after_press(self, envelope: Envelope, pressed: Pressed, query: Query, reply: Reply) -> None:
        words = phrasing.line(reply)
        if reply.brief and not envelope.spot.private:  # the board is in this chat: no message for an old button
            await query.answer(reply.brief, alert=True)
            if envelope.unseen:
                await self._put_away(envelope, pressed, _patient(envelope))
        elif reply.role is Role.ALONE and not envelope.spot.private and isinstance(envelope.update.body, Press):
            await query.answer(url=self._links.url(self._bot.username, envelope.user, envelope.update.body.payload))
        elif reply.board is not None and await self._becomes_board(envelope, pressed, query, reply):
            pass
        elif reply.is_plain and not reply.role.is_menu and phrasing.units(words) <= phrasing.ALERT:
            await query.answer(words, alert=reply.role.is_note)
            if reply.role.is_toast:
                await self._put_away(envelope, pressed, _patient(envelope))
        elif reply.role is Role.CLOSING and await self._put_away(envelope, pressed, _urgent(envelope)):
            pass
        elif not reply.role.is_menu or not await self._in_place(envelope, pressed, query, reply):
            await self._privately(envelope, query, reply)
            if reply.role.is_toast:  # too long for a line
                await self._put_away(envelope, pressed, _patient(envelope))

    async def _becomes_board(self, envelope: Envelope, pressed: Pressed, query: Query, reply: Reply) -> bool:
        """Edit the pressed menu into the board of *reply*. Return whether it was a menu that only this person sees."""
        role = self._role(envelope, pressed)
        if pressed.shown is None or role is None or not role.is_menu or not envelope.unseen:
            return False
        await query.answer(phrasing.line(reply))
        with suppress(Gone, Refused):
            await self._go_on(envelope, pressed.shown, reply.as_board, role, pressed.quotes)
        return True

    async def _in_place(self, envelope: Envelope, pressed: Pressed, query: Query, reply: Reply) -> bool:
        """Continue a menu in the message with the button, or as a reply to it. Return whether that was possible."""
        shown, role = pressed.shown, self._role(envelope, pressed)
        if shown is None:
            return False
        if role is None and _asks(reply) and await self._apart(envelope, reply):
            return True
        if not envelope.unseen and (reply.secret or (role is not None and reply.expires_strictly)):
            return False
        if not envelope.unseen or (reply.role is Role.OFFERED_MENU and shown.receiver is None):
            reply = _unmarked(reply)
        try:
            if role is not None:
                await self._go_on(envelope, shown, reply, role, pressed.quotes)
            elif any(isinstance(row, Select) for row in reply.rows):
                await self._send(envelope, envelope.spot, reply, _urgent(envelope), shown.number)
            elif form_of(reply) is Form.TEXT and phrasing.units(words := phrasing.line(reply)) <= phrasing.ALERT:
                keyboard = None if _only_closes(reply) else phrasing.keyboard(reply.rows)
                await query.answer(words, alert=keyboard is None or _is_grave(reply))
                if (
                    keyboard is not None and reply.role is not Role.OFFERED_MENU
                ):  # a menu that ends leaves the post to delivery
                    way = _patient(envelope)
                    await _tried(lambda: self._sender.edit_buttons(envelope.spot, shown, keyboard, way), LINES)
            else:
                return False
        except Gone:
            return False
        except Refused:
            if shown.receiver is None:
                raise
            return False  # an ephemeral message may be gone without an error code
        return True

    def _role(self, envelope: Envelope, pressed: Pressed) -> Role | None:
        """Return the role of the message with the pressed button; None for a post."""
        if pressed.shown is None:
            return None
        known = self._shown.get((envelope.spot.chat, pressed.shown))
        apart = pressed.shown.receiver is not None
        own = apart or pressed.quotes is not None or (envelope.spot.private and _is_in_menu(envelope))
        return known or (Role.MENU if own else None)

    async def _put_away(self, envelope: Envelope, pressed: Pressed, way: Way) -> bool:
        """Delete the pressed menu, or only the buttons of one that is part of a note. Return whether it was a menu."""
        role, body = self._role(envelope, pressed), envelope.update.body
        goes = isinstance(body, Press) and closes_all(body.payload)
        if pressed.shown is not None and role is Role.NOTE and _is_in_menu(envelope) and not goes:
            await self._sender.edit_buttons(envelope.spot, pressed.shown, None, way)
            return True
        if pressed.shown is None or role is None or not (role.is_menu or goes):
            return False
        try:
            await self._delete(envelope, pressed.shown, way)
        except Refused:  # too old to be deleted
            await self._sender.edit_buttons(envelope.spot, pressed.shown, None, way)
        return True

    async def _go_on(self, envelope: Envelope, shown: Addressed, reply: Reply, role: Role, quoted: int | None) -> None:
        """Edit a reply into *reply*. A menu in a note (one's own view) keeps the picture; otherwise a message whose
        form would change is replaced."""
        spot, way = envelope.spot, _urgent(envelope)
        if spot.private:
            reply = self._offering(envelope, spot, reply, shown)
        keeps = shown.form is Form.PHOTO and form_of(reply) is Form.TEXT and role is Role.NOTE
        if keeps or fits(shown, reply):
            await _tried(lambda: self._sender.edit(spot, shown, reply, keep_picture=keeps, way=way), _patience(way))
            await self._tell(envelope, spot, shown, reply)
        elif shown.receiver is None:
            await self._send(envelope, spot, reply, way, quoted)
            await self._delete(envelope, shown, _patient(envelope))
        else:
            raise Gone("another message replaces it")

    async def _privately(self, envelope: Envelope, query: Query, reply: Reply) -> None:
        reply = _linked(reply)
        if await self._apart(envelope, reply):
            return
        if reply.role is Role.OFFERED_MENU or not envelope.unseen:
            reply = _unmarked(reply)
        try:
            await self._send_alone(envelope, reply, _urgent(envelope, gives_way=True))
        except (Overtaken, TryLater):
            raise
        except Undelivered:
            if envelope.spot.private:
                raise
            payload = envelope.update.body.payload if isinstance(envelope.update.body, Press) else None
            await query.answer(url=self._links.url(self._bot.username, envelope.user, payload))
        else:
            await query.answer("" if envelope.spot.private else say("sent", envelope.lang))

    async def _after_typing(self, envelope: Envelope, reply: Reply) -> None:
        if reply.role.is_toast and reply.is_plain and not envelope.spot.private:
            await self._nod(envelope)
            return
        linked = _linked(reply)
        if await self._apart(envelope, linked):
            return
        for_all = reply.role.is_menu and not reply.secret and not reply.expires_strictly and not envelope.unseen
        if envelope.spot.private or for_all:
            quoted = envelope.message_number if reply.rows or not envelope.spot.private else None
            shown = _unmarked(linked) if for_all else linked
            await self._send(envelope, envelope.spot, shown, _patient(envelope), quoted)
            return
        try:
            await self._send_alone(envelope, linked, _patient(envelope))
        except TryLater:
            raise
        except Undelivered:
            if isinstance(envelope.update.body, PlainMessage) and reply.role is Role.NOTE:
                return  # a wrong move in talk is not worth a public message
            self._keep(envelope.user, linked)
            way, text, button = _patient(envelope), *self._lead(envelope)
            await _tried(
                lambda: self._sender.send_lead(envelope.spot, text, button, envelope.message_number, way), TYPED
            )

    def _lead(self, envelope: Envelope) -> tuple[str, InlineKeyboardButton]:
        """Return the text and the button that lead to a kept reply: by a press if Telegram takes an ephemeral message
        then, else in the private chat."""
        if self._sender.trust.allows(envelope.spot, Reason(envelope.user, KEPT)):
            text, label = say("answer.here", envelope.lang), say("answer.show", envelope.lang)
            button = InlineKeyboardButton(label, callback_data=f"{KEPT}{envelope.user}")
        else:
            text, label = say("answer", envelope.lang), say("answer.open", envelope.lang)
            button = InlineKeyboardButton(label, url=self._links.url(self._bot.username, envelope.user))
        if envelope.message_number is None:  # there is no message to quote
            person = envelope.update.person
            text = f"{names.isolated(names.shown(person.name) or names.shown(person.handle))}: {text}"
        return text, button

    async def _nod(self, envelope: Envelope) -> None:
        """React to the typed message: its public result confirms it."""
        if envelope.message_number is not None:
            with suppress(Undelivered):
                await self._sender.nod(envelope.spot, envelope.message_number)

    async def _apart(self, envelope: Envelope, reply: Reply) -> bool:
        """Send *reply* as an ephemeral message. Return whether that was possible."""
        pressed = envelope.pressed
        reason = Reason(envelope.user, "" if pressed is None else pressed.query, envelope.command_number)
        if not self._sender.trust.allows(envelope.spot, reason):
            return False
        way = _urgent(envelope, gives_way=pressed is not None)  # the private chat is there if there is no room
        try:
            shown = await self._sender.send_apart(envelope.spot, reply, reason, way)
        except Overtaken:
            raise
        except Undelivered as no:
            log.info("no ephemeral message: error=%s", no)
            return False
        finally:
            let_go.get()()
        self._shown[envelope.spot.chat, shown] = reply.role
        await self._tell(envelope, envelope.spot, shown, reply)
        former = None if pressed is None else pressed.shown
        goes = former is not None and former.receiver is not None and reply.role.is_menu
        if former is not None and goes and former.number != shown.number:  # deleted; its number is used again
            with suppress(Undelivered):
                await self._sender.delete(envelope.spot, former, _patient(envelope))
        return True

    async def _send_alone(self, envelope: Envelope, reply: Reply, way: Way) -> None:
        """Send *reply* to the private chat, unless it refused a message recently."""
        if time.monotonic() < (self._closed.get(envelope.user) or 0.0):
            raise Refused("the private chat is closed")
        try:
            await self._send(envelope, Spot(envelope.user), reply, way)
        except Refused as no:
            if isinstance(no.__cause__, Forbidden) or isinstance(no, PlaceGone):
                self._closed[envelope.user] = time.monotonic() + CLOSED_S
            raise

    async def _send(self, envelope: Envelope, spot: Spot, reply: Reply, way: Way, quoted: int | None = None) -> None:
        if spot.private:
            pressed = None if envelope.pressed is None or reply.role.is_note else envelope.pressed.shown
            reply = self._offering(envelope, spot, reply, pressed)
        shown = await _tried(lambda: self._sender.send(spot, reply, quoted, way), _patience(way))
        self._shown[spot.chat, shown] = reply.role
        await self._tell(envelope, spot, shown, reply)

    async def _tell(self, envelope: Envelope, spot: Spot, shown: Addressed, reply: Reply) -> None:
        """Tell the core of a reply that must go, or that stays until its person closes it."""
        place, message = addresses.place_id(spot), addresses.message_id(shown, self._sender.stamp(spot, shown))
        if reply.expires is not None:
            await self._core.delete_later(reply.expires.time, place, message)
        elif spot.private:
            await self._open.shown(envelope.update, place, message, message)

    def _offering(self, envelope: Envelope, spot: Spot, reply: Reply, pressed: Addressed | None) -> Reply:
        """Return *reply*, which replaces the *pressed* message, with a button for all open replies."""
        former = "" if pressed is None else addresses.message_id(pressed)
        return self._open.offering(envelope.update, addresses.place_id(spot), reply, pressed=former)

    async def _delete(self, envelope: Envelope, shown: Addressed, way: Way) -> None:
        """Delete a reply in the place of *envelope*."""
        await self._sender.delete(envelope.spot, shown, way)
        await self._open.closed(envelope.update, envelope.update.place.id, addresses.message_id(shown))

    def _keep(self, user: int, reply: Reply) -> None:
        self._kept[user] = (time.monotonic() + KEPT_S, reply)

    def _put_back(self, user: int, reply: Reply) -> None:
        """Keep a reply that could not be shown, unless there is a newer one."""
        if self._kept.get(user) is None:
            self._keep(user, reply)


def _patient(envelope: Envelope) -> Way:
    """Return the way of a message that may wait."""
    return Way(Rank.ANSWER, envelope.spot)


def _urgent(envelope: Envelope, *, gives_way: bool = False) -> Way:
    """Return the way of a message that is useless later: a button shows a spinner until then."""
    return Way(Rank.ANSWER, envelope.spot, PRESS_WAIT_S, gives_way)


def _asks(reply: Reply) -> bool:
    """Return whether the reply has choices that the post does not offer."""
    lists = any(isinstance(row, Select) for row in reply.rows)
    return (lists or not _only_closes(reply)) and reply.role not in (Role.OFFERED_MENU, Role.CLOSING)


def _linked(reply: Reply) -> Reply:
    """Return *reply* as a message of its own, with its links as buttons."""
    return replace(reply, rows=(*reply.rows, reply.links), links=()) if reply.links else reply


def _unmarked(reply: Reply) -> Reply:
    """Return *reply* as other people may see it."""
    return replace(reply, picture=None) if isinstance(reply.picture, MarkedPicture) and not reply.secret else reply


def _is_grave(reply: Reply) -> bool:
    """Return whether a button has a serious effect: its question must not vanish."""
    rows = [row for row in reply.rows if not isinstance(row, Select)]
    return any(button.style is Style.DANGER for row in rows for button in row)


def _only_closes(reply: Reply) -> bool:
    """Return whether the reply has only close buttons: an alert can always be closed."""
    buttons = [button for row in reply.rows if not isinstance(row, Select) for button in row]
    return all(is_close(button.payload) for button in buttons)


def _is_in_menu(envelope: Envelope) -> bool:
    """Return whether the pressed button belongs to a menu, not to a board."""
    body = envelope.update.body
    return isinstance(body, Press) and is_in_menu(body.payload)


def _patience(way: Way) -> Retry:
    """Return the retries of a message, and the longest pause that Telegram may ask for."""
    return TYPED if way.patience_s == math.inf else replace(LINES, longest_s=way.patience_s)


async def _tried(call: Callable[[], Awaitable[T]], retry: Retry) -> T:
    """Return the result of *call*, with retries. Only replies to typed requests wait for a pause beyond the longest."""
    for tried in range(retry.tries):
        try:
            return await call()
        except TryLater as pause:
            wait = retry.pause_s(tried, pause.after_s)
            if tried == retry.tries - 1 or (retry is not TYPED and (pause.after_s or 0.0) > retry.longest_s):
                raise
        finally:
            let_go.get()()
        await asyncio.sleep(wait)
    raise AssertionError("the last try returns or raises")
