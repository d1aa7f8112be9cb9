"""Private replies that pile up on a platform: one button closes all of a person's in a place."""

import time
from collections.abc import Callable

from cachetools import LRUCache
from msgspec import Struct

from bot.chat import Button, Core, MessageId, PersonId, PlaceId, Press, Reply, Role, Update
from bot.requests.commands import closes_all

KEPT = 4096
MOST = 50
"""Replies of one person in a place; older ones are forgotten first."""
STAYS_S = 2 * 24 * 60 * 60.0
"""No platform lets the bot delete older messages."""
Key = tuple[PersonId, PlaceId]


class PiledReply(Struct, frozen=True):
    """*address*: as of `Core.was_shown`. *until_s*: when it can be deleted no longer, on the monotonic clock."""

    address: MessageId
    until_s: float


class ReplyPiles:
    """The open replies that this process has shown. The core knows those of all processes, and closes them."""

    def __init__(self, core: Core, now: Callable[[], float] = time.monotonic) -> None:
        self._core = core
        self._now = now
        self._open = LRUCache[Key, dict[str, PiledReply]](KEPT)
        self._buttons = LRUCache[Key, Button](KEPT)

    def offering(self, update: Update, place: PlaceId, reply: Reply, *, pressed: str = "") -> Reply:
        """Return *reply* with the button, if it is to stay and another message for its person in *place* is open. Mere
        words stay so.

        *pressed*: the message that *reply* replaces.
        """
        if reply.expires is not None or reply.role.is_toast or not (reply.rows or reply.picture is not None):
            return reply
        key, now_s = (update.person.id, place), self._now()
        others = [other for other, shown in self._of(key).items() if other != pressed and shown.until_s > now_s]
        button = self._buttons.get(key)
        return reply.offering(button) if button is not None and others else reply

    async def shown(
        self, update: Update, place: PlaceId, message: str, address: MessageId, ttl_s: float | None = None
    ) -> None:
        """Note that *message* shows the reply to *update*. *address*, *ttl_s*: as of `Core.was_shown`."""
        key, now_s = (update.person.id, place), self._now()
        former = self._of(key).get(message)
        if former is not None and (ttl_s is None or former.until_s > now_s + ttl_s / 2):
            return
        await self.closed(update, place, message)
        until_s = now_s + (STAYS_S if ttl_s is None else ttl_s)
        fresh = [(other, reply) for other, reply in self._of(key).items() if reply.until_s > now_s]
        self._open[key] = dict([*fresh, (message, PiledReply(address, until_s))][-MOST:])
        button = await self._core.was_shown(update, place, address, ttl_s)
        if button is not None:
            self._buttons[key] = button

    async def closed(self, update: Update, place: PlaceId, message: str) -> None:
        """Note that *message* is gone."""
        former = self._of((update.person.id, place)).pop(message, None)
        if former is not None:
            await self._core.was_shown(update, place, former.address, 0.0)

    def answered(self, update: Update, reply: Reply | None) -> None:
        """Note that the core has answered *update* with *reply*, which may have closed all open replies."""
        if (
            reply is not None
            and reply.role is Role.CLOSING
            and isinstance(update.body, Press)
            and closes_all(update.body.payload)
        ):
            self._open.pop((update.person.id, update.place.id), None)

    def _of(self, key: Key) -> dict[str, PiledReply]:
        return self._open.get(key) or {}
