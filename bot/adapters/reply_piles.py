"""Private replies that pile up on a platform: one button closes all of a person's in a place."""

import math
import time

from cachetools import LRUCache
from msgspec import Struct

from bot.chat import Button, Core, MessageId, PersonId, PlaceId, Press, Reply, Update
from bot.requests.commands import closes_all

KEPT = 4096
Key = tuple[PersonId, PlaceId]


class PiledReply(Struct, frozen=True):
    """*address*: as of `Core.was_shown`. *until_s*: when it can be deleted no longer, on the monotonic clock."""

    address: MessageId
    until_s: float


class ReplyPiles:
    """The open replies that this process has shown. The core knows those of all processes, and closes them."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._open = LRUCache[Key, dict[str, PiledReply]](KEPT)
        self._buttons = LRUCache[Key, Button](KEPT)

    def offering(self, update: Update, place: PlaceId, reply: Reply, *, pressed: str = "") -> Reply:
        """Return *reply* with the button, if it is to stay and another message for its person in *place* is open. Mere
        words stay so.

        *pressed*: the message that *reply* replaces.
        """
        if reply.expires is not None or reply.role.is_toast or not (reply.rows or reply.picture is not None):
            return reply
        key, now_s = (update.person.id, place), time.monotonic()
        others = [other for other, shown in self._of(key).items() if other != pressed and shown.until_s > now_s]
        button = self._buttons.get(key)
        return reply.offering(button) if button is not None and others else reply

    async def shown(
        self, update: Update, place: PlaceId, message: str, address: MessageId, ttl_s: float | None = None
    ) -> None:
        """Note that *message* shows the reply to *update*. *address*, *ttl_s*: as of `Core.was_shown`."""
        key, now_s = (update.person.id, place), time.monotonic()
        former = self._of(key).get(message)
        if former is not None and (ttl_s is None or former.until_s > now_s + ttl_s / 2):
            return
        await self.closed(update, place, message)
        until_s = math.inf if ttl_s is None else now_s + ttl_s
        self._open[key] = self._of(key) | {message: PiledReply(address, until_s)}
        button = await self._core.was_shown(update, place, address, ttl_s)
        if button is not None:
            self._buttons[key] = button

    async def closed(self, update: Update, place: PlaceId, message: str) -> None:
        """Note that *message* is gone."""
        former = self._of((update.person.id, place)).pop(message, None)
        if former is not None:
            await self._core.was_shown(update, place, former.address, 0.0)

    def answered(self, update: Update) -> None:
        """Note that the core has answered *update*, which may have closed all open replies."""
        if isinstance(update.body, Press) and closes_all(update.body.payload):
            self._open.pop((update.person.id, update.place.id), None)

    def _of(self, key: Key) -> dict[str, PiledReply]:
        return self._open.get(key) or {}
