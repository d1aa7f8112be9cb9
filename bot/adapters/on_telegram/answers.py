"""Replies for one person alone.

    from a button    TOAST, short NOTE   the answer to the press itself (a line; a box that stays until it is closed)
                     MENU                in place: a menu of ours reads the new one; under a post of the table only the
                                         buttons change, and the question is the answer to the press; one with selects
                                         is a silent answer to the post, which everybody goes on using meanwhile
                     everything else     in the private chat
    typed            in private          a message
                     in a group          MENU: a silent answer there; TOAST: nothing, everybody sees what it confirms;
                                         NOTE: in the private chat
    secret           never in a group
    fades            never in a message of its own in a group; what stands in the private chat is deleted in time
    marked           without its picture in a group, and where the post offers the same; in the private chat a message
                     of its own, whose picture is changed where it is another one
    no private chat  a link that opens it; a button is pressed again then, the answer to what was typed is kept so long

A menu goes when it is closed, and when what it was for is done (a TOAST says so); of one that grew out of a note the
buttons go then.
A press is always answered, whatever happens: Telegram shows a spinner on the button until then. Telegram's answers to
presses have no flood limit, so they wait in no queue. Messages are tried again here, a few times; nobody else does.
What was typed is answered however long the chat's queue is. Who presses again and again gets the newest answer: older
ones that are still waiting to go to the same private chat give way.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import telegram
from msgspec.structs import replace
from telegram.error import BadRequest, Forbidden, RetryAfter, TelegramError

import texts
from bot.adapters.on_telegram import addresses, phrasing
from bot.adapters.on_telegram.addresses import Addressed, Form, Spot
from bot.adapters.on_telegram.incoming import Asked, Pressed
from bot.adapters.on_telegram.links import Links
from bot.adapters.on_telegram.pacing import Overtaken, Rank, Way, let_go
from bot.adapters.on_telegram.sending import Sender, form_of, seconds
from bot.chat import (
    Gone,
    Manner,
    MessageId,
    PlaceGone,
    PlaceId,
    Press,
    Refused,
    Reply,
    Select,
    Style,
    TryLater,
    Undelivered,
)
from bot.requests import payload
from bot.requests.payload import Verb
from bot.runtime.cache import Cache

log = logging.getLogger(__name__)
T = TypeVar("T")
Showed = Callable[[str, PlaceId, MessageId], Awaitable[None]]

TRIES = 3
TYPED_WAIT_S = 60.0  # a group's quota is counted by the minute
PRESS_WAIT_S = 5.0  # the button shows a spinner meanwhile
QUERY_S = 15.0  # for which Telegram waits for the answer to a press
REMEMBERED = 5000
KEPT = 500
KEPT_S = 900.0
CLOSED_S = 600.0


def say(key: str, lang: str, **facts: object) -> str:
    return texts.say("telegram", key, lang, **facts)


class Query:
    """A pressed button that waits for its answer: exactly one is sent."""

    def __init__(self, bot: telegram.Bot, number: str) -> None:
        self._bot = bot
        self._id = number
        self.answered = False

    async def answer(self, text: str = "", alert: bool = False, url: str | None = None) -> None:
        if self.answered:
            return
        self.answered = True
        text = phrasing.cut(text, phrasing.ALERT)
        lost, until = 0, time.monotonic() + QUERY_S
        while True:
            try:
                await self._say(text, alert, url)
                break
            except RetryAfter as pause:
                if time.monotonic() + seconds(pause.retry_after) > until:
                    log.info("A press could not be answered: too many were")
                    return
                await asyncio.sleep(seconds(pause.retry_after))
            except TelegramError as error:  # most often: older than Telegram waits for
                lost += 1
                if lost > 1 or isinstance(error, BadRequest):
                    log.info("A press could not be answered: %s", error.message)
                    return

    async def _say(self, text: str, alert: bool, url: str | None) -> None:
        try:
            await self._bot.answer_callback_query(self._id, text or None, show_alert=alert or None, url=url)
        finally:
            let_go.get()()


class Answers:
    """Shows a reply to the person who asked."""

    def __init__(self, bot: telegram.Bot, sender: Sender, links: Links, showed: Showed) -> None:
        """*showed* is told where a reply stands that must not stay, see `Host.showed`."""
        self._bot = bot
        self._sender = sender
        self._links = links
        self._showed = showed
        # Messages that are answers, not posts. Those that quote a message, and menus in private chats, where no game is
        # shown to several people, are known without it, after a restart too.
        self._shown = Cache[tuple[int, int], Manner](REMEMBERED)
        # The newest answer to what somebody typed in a group while their private chat was closed, and until when.
        self._kept = Cache[int, tuple[float, Reply]](KEPT)
        self._closed = Cache[int, float](REMEMBERED)  # private chats that took nothing, and until when that is believed

    async def answer(self, asked: Asked, reply: Reply | None) -> None:
        """Show *reply*; never raises for what Telegram does."""
        query = None if asked.pressed is None else Query(self._bot, asked.pressed.query)
        try:
            if reply is None or reply.stays:
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
        until, reply = self._kept.pop(user) or (0.0, None)
        return reply if time.monotonic() < until else None

    def opened(self, user: int) -> None:
        """*user* writes in the private chat, so it is open."""
        self._closed.pop(user)

    async def nameless(self, asked: Asked) -> None:
        """Tell somebody who writes in the name of a group or channel that a player needs a name."""
        try:
            await self._sender.send(asked.spot, Reply(text=say("nameless", asked.lang)), asked.message, _late(asked))
        except Undelivered as trouble:
            log.info("An answer did not reach its reader: %s", trouble)

    async def _after_press(self, asked: Asked, pressed: Pressed, query: Query, reply: Reply) -> None:
        if reply.marked and not reply.secret and (reply.offered or not asked.spot.private):
            reply = replace(reply, picture=None)
        words = phrasing.line(reply)
        if reply.brief and not asked.spot.private:  # the board is here already: nothing is sent for an old button
            await query.answer(reply.brief, alert=True)
        elif reply.is_plain and reply.manner is not Manner.MENU and phrasing.units(words) <= phrasing.ALERT:
            await query.answer(words, alert=reply.manner is Manner.NOTE)
            if reply.manner is Manner.TOAST:
                await self._put_away(asked, pressed, _late(asked))
        elif reply.closes and await self._put_away(asked, pressed, _soon(asked)):
            pass
        elif reply.manner is not Manner.MENU or not await self._in_place(asked, pressed, query, reply):
            await self._privately(asked, query, reply)

    async def _in_place(self, asked: Asked, pressed: Pressed, query: Query, reply: Reply) -> bool:
        """Go on with a menu where the button was; False where that cannot be."""
        shown = pressed.shown
        if shown is None or (reply.secret and not asked.spot.private):
            return False
        manner = self._manner(asked, pressed)
        if manner is not None and reply.fades and not asked.spot.private:
            return False
        try:
            if manner is not None:
                await self._go_on(asked, shown, reply, manner, pressed.quotes)
            elif any(isinstance(row, Select) for row in reply.rows):
                await self._send(asked.spot, reply, _soon(asked), shown.number)
            elif form_of(reply) is Form.TEXT and phrasing.units(words := phrasing.line(reply)) <= phrasing.ALERT:
                keyboard = None if _only_closes(reply) else phrasing.keyboard(reply.rows)
                await query.answer(words, alert=keyboard is None or _is_grave(reply))
                if keyboard is not None and not reply.offered:  # a menu that ends leaves the post to delivery
                    way = _late(asked)
                    await _tried(
                        lambda: self._sender.edit_buttons(asked.spot, shown.number, keyboard, way), TYPED_WAIT_S
                    )
            else:
                return False
        except Gone:
            return False
        return True

    def _manner(self, asked: Asked, pressed: Pressed) -> Manner | None:
        """How the message whose button was pressed was said; None for a post."""
        if pressed.shown is None:
            return None
        known = self._shown.get((asked.spot.chat, pressed.shown.number))
        own = pressed.quotes is not None or (asked.spot.private and _is_step(asked))
        return known or (Manner.MENU if own else None)

    async def _put_away(self, asked: Asked, pressed: Pressed, way: Way) -> bool:
        """Delete the menu whose button was pressed; one that grew out of a note leaves the note. False where it was no
        menu of its own."""
        manner = self._manner(asked, pressed)
        if pressed.shown is not None and manner is Manner.NOTE and _is_step(asked):
            await self._sender.edit_buttons(asked.spot, pressed.shown.number, None, way)
            return True
        if pressed.shown is None or manner is not Manner.MENU:
            return False
        try:
            await self._sender.delete(asked.spot, pressed.shown, way)
        except Refused:  # too old for Telegram
            await self._sender.edit_buttons(asked.spot, pressed.shown.number, None, way)
        return True

    async def _go_on(self, asked: Asked, shown: Addressed, reply: Reply, manner: Manner, quoted: int | None) -> None:
        """Let an answer of ours read *reply*. A picture stays under a menu that grew out of a note (one's own view);
        else a message that has to become a photo, or no photo, is replaced."""
        spot, way = asked.spot, _soon(asked)
        keeps = shown.form is Form.PHOTO and form_of(reply) is Form.TEXT and manner is Manner.NOTE
        if keeps or shown.form is form_of(reply):
            await _tried(lambda: self._sender.edit(spot, shown, reply, keep_picture=keeps, way=way), PRESS_WAIT_S)
            await self._tell(spot, shown, reply)
        else:
            await self._send(spot, reply, way, quoted)
            await self._sender.delete(spot, shown, _late(asked))

    async def _privately(self, asked: Asked, query: Query, reply: Reply) -> None:
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

    async def _after_typing(self, asked: Asked, reply: Reply) -> None:
        if asked.spot.private or (reply.manner is Manner.MENU and not reply.secret and not reply.fades):
            if reply.marked and not asked.spot.private:
                reply = replace(reply, picture=None)
            quoted = asked.message if reply.rows or not asked.spot.private else None
            onward = (reply.onward,) if reply.onward else ()
            await self._send(asked.spot, replace(reply, rows=(*reply.rows, *onward)), _late(asked), quoted)
            return
        if reply.manner is Manner.TOAST and reply.is_plain:
            return
        try:
            await self._send_alone(asked, reply, _late(asked))
        except TryLater:
            raise
        except Undelivered:
            self._keep(asked.user, reply)
            text, label = say("answer", asked.lang), say("answer.open", asked.lang)
            url = self._links.url(self._bot.username, asked.user)
            way = _late(asked)
            await _tried(lambda: self._sender.send_link(asked.spot, text, label, url, asked.message, way), TYPED_WAIT_S)

    async def _send_alone(self, asked: Asked, reply: Reply, way: Way) -> None:
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
        longest_s = min(way.patience_s, TYPED_WAIT_S)
        shown = await _tried(lambda: self._sender.send(spot, reply, quoted, way), longest_s)
        self._shown[spot.chat, shown.number] = reply.manner
        await self._tell(spot, shown, reply)

    async def _tell(self, spot: Spot, shown: Addressed, reply: Reply) -> None:
        if reply.fades:
            await self._showed(reply.fades, addresses.place_id(spot), addresses.message_id(shown))

    def _keep(self, user: int, reply: Reply) -> None:
        self._kept[user] = (time.monotonic() + KEPT_S, reply)


def _late(asked: Asked) -> Way:
    """For what is said however long that takes."""
    return Way(Rank.ANSWER, asked.spot)


def _soon(asked: Asked, *, gives_way: bool = False) -> Way:
    """For what is no use much later: a button shows a spinner meanwhile."""
    return Way(Rank.ANSWER, asked.spot, PRESS_WAIT_S, gives_way)


def _is_grave(reply: Reply) -> bool:
    """Whether one of the buttons does what one could regret: its question must not vanish."""
    rows = [row for row in reply.rows if not isinstance(row, Select)]
    return any(button.style is Style.DANGER for row in rows for button in row)


def _only_closes(reply: Reply) -> bool:
    """Whether there is nothing to choose but closing: a box can be closed anyway."""
    buttons = [button for row in reply.rows if not isinstance(row, Select) for button in row]
    found = [payload.read(button.payload) for button in buttons]
    return all(each is not None and each.verb is Verb.CLOSE for each in found)


def _verb(asked: Asked) -> Verb | None:
    body = asked.update.body
    pressed = payload.read(body.payload) if isinstance(body, Press) else None
    return None if pressed is None else pressed.verb


def _is_step(asked: Asked) -> bool:
    """Whether the button belongs to a menu: boards have none that play, or that say which board they were made for."""
    body = asked.update.body
    pressed = payload.read(body.payload) if isinstance(body, Press) else None
    if pressed is None:
        return False
    if pressed.verb is Verb.CLOSE:  # what is about no table stands under no board
        return not pressed.word
    return pressed.verb in (Verb.PLAY, Verb.SURE, Verb.UNDO) or (pressed.verb is Verb.MENU and bool(pressed.numbers))


async def _tried(call: Callable[[], Awaitable[T]], longest_s: float) -> T:
    """What *call* gives, tried again a few times; a pause longer than *longest_s* is not waited for."""
    for left in range(TRIES, 0, -1):
        try:
            return await call()
        except TryLater as pause:
            wait = 1.0 if pause.after_s is None else pause.after_s
            if left == 1 or wait > longest_s:
                raise
        finally:
            let_go.get()()
        await asyncio.sleep(wait)
    raise AssertionError("the last try gives or raises")
