"""Replies for one person alone.

    from a button    TOAST, short NOTE   the answer to the press itself (a line; a box that stays until it is closed)
                     MENU                a menu of ours reads the new one; what is asked for under a post comes apart
                     everything else     apart
    typed            in private          a message
                     in a group          apart; TOAST: a nod, as everybody sees what it confirms
    apart            in a group a message that only its reader sees (`apart`); where Telegram takes none
                     from a button       MENU: under a post only the buttons change, and the question is the answer to
                                         the press; one with selects is a silent answer to the post, which everybody
                                         goes on using meanwhile
                     typed for all       MENU: a silent answer there
                     everything else     in the private chat
    secret           never where others read it
    fades            never in a message of its own where others read it; what stands elsewhere is deleted in time, as is
                     a menu that `passes` and that its reader alone sees in the group
    marked           without its picture where others read it, and where the post offers the same
    no private chat  from a button a link that opens it, and the button is pressed again then; the answer to what was
                     typed is kept, and comes apart to whoever presses for it, or when the private chat is opened

A menu goes when it is closed, and when what it was for is done (a TOAST says so); of one that grew out of a note the
buttons go then.
A press is always answered, whatever happens: Telegram shows a spinner on the button until then. Telegram's answers to
presses have no flood limit, so they wait in no queue. Messages are tried again here, a few times; nobody else does.
What was typed is answered however long the chat's queue is, and however long Telegram is away or wants a pause. Who
presses again and again gets the newest answer: older ones that are still waiting to go to the same private chat give
way.
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
from bot.adapters.on_telegram.incoming import Heard, Pressed
from bot.adapters.on_telegram.links import Links
from bot.adapters.on_telegram.pacing import Overtaken, Rank, Way, let_go
from bot.adapters.on_telegram.phrasing import say
from bot.adapters.on_telegram.queries import Query
from bot.adapters.on_telegram.sending import Sender, fits, form_of
from bot.chat import (
    Gone,
    MarkedPicture,
    MessageId,
    PlaceGone,
    PlaceId,
    Press,
    Refused,
    Reply,
    Role,
    Select,
    Style,
    TryLater,
    Undelivered,
)
from bot.requests.commands import is_close, is_step
from bot.runtime import names
from bot.runtime.retry import LINES, TYPED, Retry

log = logging.getLogger(__name__)
T = TypeVar("T")
DeleteLater = Callable[[str, PlaceId, MessageId], Awaitable[None]]

PRESS_WAIT_S = 5.0  # the button shows a spinner meanwhile
REMEMBERED = 5000
MOST_KEPT = 500
KEPT_S = 900.0
KEPT = "kept:"
"""A button with this and the number of a person shows what is kept for that person."""
CLOSED_S = 600.0


class Answers:
    """Shows a reply to the person who asked."""

    def __init__(self, bot: telegram.Bot, sender: Sender, links: Links, delete_later: DeleteLater) -> None:
        """*delete_later*: see `bot.chat.Host.delete_later`."""
        self._bot = bot
        self._sender = sender
        self._links = links
        self._delete_later = delete_later
        # Messages that are answers, not posts. Those that quote a message, and menus in private chats, where no game is
        # shown to several people, are known without it, after a restart too.
        self._shown = LRUCache[tuple[int, Addressed], Role](REMEMBERED)
        # The newest answer to what somebody typed in a group while their private chat was closed, and until when.
        self._kept = LRUCache[int, tuple[float, Reply]](MOST_KEPT)
        self._closed = LRUCache[int, float](REMEMBERED)  # closed private chats, with the time to try them again

    async def answer(self, asked: Heard, reply: Reply | None) -> None:
        """Show *reply*; never raises for what Telegram does."""
        query = None if asked.pressed is None else Query(self._bot, asked.pressed.query)
        try:
            if reply is None or reply.role is Role.NOTHING:
                return
            if asked.pressed is not None and query is not None:
                await self._after_press(asked, asked.pressed, query, reply)
            else:
                await self._after_typing(asked, reply)
        except Overtaken:
            log.debug("A newer answer goes to the same person")
        except Undelivered as trouble:
            log.info("An answer did not reach its reader: %s", trouble)
            if query is not None:
                await query.answer(say("later", asked.lang), alert=True)
        finally:
            if query is not None:
                await query.answer()

    def kept(self, user: int) -> Reply | None:
        """The answer that waits for *user* to open the private chat; it waits no longer."""
        until, reply = self._kept.pop(user, None) or (0.0, None)
        return reply if time.monotonic() < until else None

    def opened(self, user: int) -> None:
        """*user* writes in the private chat, so it is open."""
        self._closed.pop(user, None)

    def holds(self, asked: Heard) -> bool:
        """Whether somebody presses for an answer that is kept here."""
        return isinstance(asked.update.body, Press) and asked.update.body.payload.startswith(KEPT)

    async def hand_over(self, asked: Heard) -> None:
        """Show what is kept for whoever presses for it, in the group to them alone; never raises for what Telegram
        does."""
        pressed, body = asked.pressed, asked.update.body
        if pressed is None or not isinstance(body, Press):
            return
        query, mine = Query(self._bot, pressed.query), body.payload == f"{KEPT}{asked.user}"
        reply = self.kept(asked.user) if mine else None
        try:
            if reply is None:
                await query.answer(say("answer.gone" if mine else "answer.other", asked.lang), alert=True)
            elif not await self._apart(asked, reply):
                self._put_back(asked.user, reply)
                await query.answer(url=self._links.url(self._bot.username, asked.user))
                return
            await query.answer()
            if mine and pressed.shown is not None:
                await self._sender.delete(asked.spot, pressed.shown, _late(asked))
        except Overtaken:
            if reply is not None:
                self._put_back(asked.user, reply)
        except Undelivered as trouble:
            log.info("What leads to an answer stays: %s", trouble)
        finally:
            await query.answer()

    async def nameless(self, asked: Heard) -> None:
        """Tell somebody who writes in the name of a group or channel that a player needs a name."""
        if asked.unseen:  # nobody could be told alone
            return
        way, reply = _late(asked), Reply(text=say("nameless", asked.lang))
        try:
            await _tried(lambda: self._sender.send(asked.spot, reply, asked.message, way), TYPED)
        except Undelivered as trouble:
            log.info("An answer did not reach its reader: %s", trouble)

    async def _after_press(self, asked: Heard, pressed: Pressed, query: Query, reply: Reply) -> None:
        words = phrasing.line(reply)
        if reply.brief and not asked.spot.private:  # the board is here already: nothing is sent for an old button
            await query.answer(reply.brief, alert=True)
            if asked.unseen:
                await self._put_away(asked, pressed, _late(asked))
        elif reply.is_plain and not reply.role.is_menu and phrasing.units(words) <= phrasing.ALERT:
            await query.answer(words, alert=reply.role is Role.NOTE)
            if reply.role.is_toast:
                await self._put_away(asked, pressed, _late(asked))
        elif reply.role is Role.CLOSING and await self._put_away(asked, pressed, _soon(asked)):
            pass
        elif not reply.role.is_menu or not await self._in_place(asked, pressed, query, reply):
            await self._privately(asked, query, reply)
            if reply.role.is_toast:  # too long for a line
                await self._put_away(asked, pressed, _late(asked))

    async def _in_place(self, asked: Heard, pressed: Pressed, query: Query, reply: Reply) -> bool:
        """Go on with a menu where the button was, or beside it; False where that cannot be."""
        shown, role = pressed.shown, self._role(asked, pressed)
        if shown is None:
            return False
        if role is None and _asks(reply) and await self._apart(asked, reply):
            return True
        if not asked.unseen and (reply.secret or (role is not None and reply.expires_strictly)):
            return False
        if not asked.unseen or (reply.role is Role.OFFERED_MENU and shown.receiver is None):
            reply = _unmarked(reply)
        try:
            if role is not None:
                await self._go_on(asked, shown, reply, role, pressed.quotes)
            elif any(isinstance(row, Select) for row in reply.rows):
                await self._send(asked.spot, reply, _soon(asked), shown.number)
            elif form_of(reply) is Form.TEXT and phrasing.units(words := phrasing.line(reply)) <= phrasing.ALERT:
                keyboard = None if _only_closes(reply) else phrasing.keyboard(reply.rows)
                await query.answer(words, alert=keyboard is None or _is_grave(reply))
                if (
                    keyboard is not None and reply.role is not Role.OFFERED_MENU
                ):  # a menu that ends leaves the post to delivery
                    way = _late(asked)
                    await _tried(lambda: self._sender.edit_buttons(asked.spot, shown, keyboard, way), LINES)
            else:
                return False
        except Gone:
            return False
        except Refused:
            if shown.receiver is None:
                raise
            return False  # what one person sees may be gone without a word
        return True

    def _role(self, asked: Heard, pressed: Pressed) -> Role | None:
        """How the message whose button was pressed was said; None for a post."""
        if pressed.shown is None:
            return None
        known = self._shown.get((asked.spot.chat, pressed.shown))
        apart = pressed.shown.receiver is not None
        own = apart or pressed.quotes is not None or (asked.spot.private and _is_step(asked))
        return known or (Role.MENU if own else None)

    async def _put_away(self, asked: Heard, pressed: Pressed, way: Way) -> bool:
        """Delete the menu whose button was pressed; one that grew out of a note leaves the note. False where it was no
        menu of its own."""
        role = self._role(asked, pressed)
        if pressed.shown is not None and role is Role.NOTE and _is_step(asked):
            await self._sender.edit_buttons(asked.spot, pressed.shown, None, way)
            return True
        if pressed.shown is None or role is None or not role.is_menu:
            return False
        try:
            await self._sender.delete(asked.spot, pressed.shown, way)
        except Refused:  # too old for Telegram
            await self._sender.edit_buttons(asked.spot, pressed.shown, None, way)
        return True

    async def _go_on(self, asked: Heard, shown: Addressed, reply: Reply, role: Role, quoted: int | None) -> None:
        """Let an answer of ours read *reply*. A picture stays under a menu that grew out of a note (one's own view);
        else a message that has to become a photo, or no photo, is replaced."""
        spot, way = asked.spot, _soon(asked)
        keeps = shown.form is Form.PHOTO and form_of(reply) is Form.TEXT and role is Role.NOTE
        if keeps or fits(shown, reply):
            await _tried(lambda: self._sender.edit(spot, shown, reply, keep_picture=keeps, way=way), _patience(way))
            await self._tell(spot, shown, reply)
        elif shown.receiver is None:
            await self._send(spot, reply, way, quoted)
            await self._sender.delete(spot, shown, _late(asked))
        else:
            raise Gone("another one takes its place")

    async def _privately(self, asked: Heard, query: Query, reply: Reply) -> None:
        reply = _linked(reply)
        if await self._apart(asked, reply):
            return
        if reply.role is Role.OFFERED_MENU or not asked.unseen:
            reply = _unmarked(reply)
        try:
            await self._send_alone(asked, reply, _soon(asked, gives_way=True))
        except (Overtaken, TryLater):
            raise
        except Undelivered:
            if asked.spot.private:
                raise
            payload = asked.update.body.payload if isinstance(asked.update.body, Press) else None
            await query.answer(url=self._links.url(self._bot.username, asked.user, payload))
        else:
            await query.answer("" if asked.spot.private else say("sent", asked.lang))

    async def _after_typing(self, asked: Heard, reply: Reply) -> None:
        if reply.role.is_toast and reply.is_plain and not asked.spot.private:
            await self._nod(asked)
            return
        linked = _linked(reply)
        if await self._apart(asked, linked):
            return
        for_all = reply.role.is_menu and not reply.secret and not reply.expires_strictly and not asked.unseen
        if asked.spot.private or for_all:
            quoted = asked.message if reply.rows or not asked.spot.private else None
            await self._send(asked.spot, _unmarked(linked) if for_all else linked, _late(asked), quoted)
            return
        try:
            await self._send_alone(asked, linked, _late(asked))
        except TryLater:
            raise
        except Undelivered:
            self._keep(asked.user, linked)
            way, text, button = _late(asked), *self._lead(asked)
            await _tried(lambda: self._sender.send_lead(asked.spot, text, button, asked.message, way), TYPED)

    def _lead(self, asked: Heard) -> tuple[str, InlineKeyboardButton]:
        """How whoever typed in a group gets the answer that is kept: by a press where Telegram takes one for that, else
        in the private chat."""
        if self._sender.trust.allows(asked.spot, Reason(asked.user, KEPT)):
            text, label = say("answer.here", asked.lang), say("answer.show", asked.lang)
            button = InlineKeyboardButton(label, callback_data=f"{KEPT}{asked.user}")
        else:
            text, label = say("answer", asked.lang), say("answer.open", asked.lang)
            button = InlineKeyboardButton(label, url=self._links.url(self._bot.username, asked.user))
        if asked.message is None:  # nothing can be quoted
            person = asked.update.person
            text = f"{names.isolated(names.shown(person.name) or names.shown(person.handle))}: {text}"
        return text, button

    async def _nod(self, asked: Heard) -> None:
        """What was typed for everybody is done, and everybody sees it."""
        if asked.message is not None:
            with suppress(Undelivered):
                await self._sender.nod(asked.spot, asked.message)

    async def _apart(self, asked: Heard, reply: Reply) -> bool:
        """Say *reply* in the group to its reader alone, as the first way of all; False where that cannot be."""
        pressed = asked.pressed
        reason = Reason(asked.user, "" if pressed is None else pressed.query, asked.command)
        if not self._sender.trust.allows(asked.spot, reason):
            return False
        way = _late(asked) if pressed is None else _soon(asked, gives_way=True)
        try:
            shown = await self._sender.send_apart(asked.spot, reply, reason, way)
        except Overtaken:
            raise
        except Undelivered as no:
            log.info("A message for one person goes another way: %s", no)
            return False
        finally:
            let_go.get()()
        self._shown[asked.spot.chat, shown] = reply.role
        await self._tell(asked.spot, shown, reply)
        former = None if pressed is None else pressed.shown
        goes = former is not None and former.receiver is not None and reply.role.is_menu
        if former is not None and goes and former.number != shown.number:  # it was gone, and its number is used again
            with suppress(Undelivered):
                await self._sender.delete(asked.spot, former, _late(asked))
        return True

    async def _send_alone(self, asked: Heard, reply: Reply, way: Way) -> None:
        """Send *reply* to the private chat, unless that was found closed lately."""
        if time.monotonic() < (self._closed.get(asked.user) or 0.0):
            raise Refused("the private chat is closed")
        try:
            await self._send(Spot(asked.user), reply, way)
        except Refused as no:
            if isinstance(no.__cause__, Forbidden) or isinstance(no, PlaceGone):
                self._closed[asked.user] = time.monotonic() + CLOSED_S
            raise

    async def _send(self, spot: Spot, reply: Reply, way: Way, quoted: int | None = None) -> None:
        shown = await _tried(lambda: self._sender.send(spot, reply, quoted, way), _patience(way))
        self._shown[spot.chat, shown] = reply.role
        await self._tell(spot, shown, reply)

    async def _tell(self, spot: Spot, shown: Addressed, reply: Reply) -> None:
        if reply.expires is not None and (reply.expires.is_strict or shown.receiver is not None):
            message = addresses.message_id(shown, self._sender.stamp(spot, shown))
            await self._delete_later(reply.expires.time, addresses.place_id(spot), message)

    def _keep(self, user: int, reply: Reply) -> None:
        self._kept[user] = (time.monotonic() + KEPT_S, reply)

    def _put_back(self, user: int, reply: Reply) -> None:
        """What could not be shown waits on, unless a newer one does by now."""
        if self._kept.get(user) is None:
            self._keep(user, reply)


def _late(asked: Heard) -> Way:
    """For what is said however long that takes."""
    return Way(Rank.ANSWER, asked.spot)


def _soon(asked: Heard, *, gives_way: bool = False) -> Way:
    """For what is no use much later: a button shows a spinner meanwhile."""
    return Way(Rank.ANSWER, asked.spot, PRESS_WAIT_S, gives_way)


def _asks(reply: Reply) -> bool:
    """Whether there is something to choose that the post does not offer anyway."""
    lists = any(isinstance(row, Select) for row in reply.rows)
    return (lists or not _only_closes(reply)) and reply.role not in (Role.OFFERED_MENU, Role.CLOSING)


def _linked(reply: Reply) -> Reply:
    """*reply* as a message of its own, which has room for the links that lead on."""
    return replace(reply, rows=(*reply.rows, reply.links), links=()) if reply.links else reply


def _unmarked(reply: Reply) -> Reply:
    """*reply* as others may see it."""
    return replace(reply, picture=None) if isinstance(reply.picture, MarkedPicture) and not reply.secret else reply


def _is_grave(reply: Reply) -> bool:
    """Whether one of the buttons does what one could regret: its question must not vanish."""
    rows = [row for row in reply.rows if not isinstance(row, Select)]
    return any(button.style is Style.DANGER for row in rows for button in row)


def _only_closes(reply: Reply) -> bool:
    """Whether there is nothing to choose but closing: a box can be closed anyway."""
    buttons = [button for row in reply.rows if not isinstance(row, Select) for button in row]
    return all(is_close(button.payload) for button in buttons)


def _is_step(asked: Heard) -> bool:
    """Whether the button belongs to a menu: boards have none that play, or that say which board they were made for."""
    body = asked.update.body
    return isinstance(body, Press) and is_step(body.payload)


def _patience(way: Way) -> Retry:
    """How often what goes that *way* is tried, and how long a pause Telegram may want meanwhile."""
    return TYPED if way.patience_s == math.inf else replace(LINES, longest_s=way.patience_s)


async def _tried(call: Callable[[], Awaitable[T]], retry: Retry) -> T:
    """What *call* gives, tried again as *retry* says. A pause that is longer than its longest is not waited for, unless
    it is what was typed that waits."""
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
    raise AssertionError("the last try gives or raises")
