"""Places come and go: the bot introduces itself where it is new, and ends quietly what was on where it has to go."""

import asyncio
import logging
from collections.abc import Mapping
from hashlib import blake2b

import texts
from bot import table as tables
from bot.chat import Chat, Place, PlaceId, TryLater, Undelivered, platform
from bot.clock import Clock
from bot.keeper import TRIES, Keeper
from bot.patience import insist
from bot.preferences import LANG, Preferences, chosen
from bot.replies import pages
from bot.store import Conflict, StoreDown
from bot.store.store import Store
from bot.table import Phase, Result, Step, Table
from rules import State

log = logging.getLogger(__name__)

WELCOMED = "welcomed"
"""A setting of a place: the bot has introduced itself there, by whatever process, and does so no more."""


class Places:
    """What a platform tells of its places. Nothing in here raises."""

    def __init__(
        self, chats: Mapping[str, Chat], store: Store, keeper: Keeper, preferences: Preferences, clock: Clock
    ) -> None:
        self._chats = chats
        self._store = store
        self._keeper = keeper
        self._preferences = preferences
        self._clock = clock
        self._greeting: set[asyncio.Task[None]] = set()

    async def idle(self) -> None:
        """Wait until every greeting is posted or given up."""
        while self._greeting:
            await asyncio.wait(self._greeting)

    async def stop(self) -> None:
        """End at once."""
        for greeting in self._greeting:
            greeting.cancel()
        await asyncio.gather(*self._greeting, return_exceptions=True)

    async def added(self, place: Place) -> None:
        """Introduce the bot in *place*, unless it has been done. Noted before it is said: never twice."""
        try:
            settings = await self._store.place_settings(place.id)
            if WELCOMED in settings or platform(place.id) not in self._chats:
                return
            await self._preferences.set_place(place.id, **{WELCOMED: "1"})
        except Exception:
            log.exception("%s is new", place.id)
            return
        lang = chosen(LANG, settings)
        lang = texts.language(place.lang) if lang == "auto" else lang
        greeting = asyncio.create_task(self._greet(place.id, lang), name=f"greet {place.id}")
        self._greeting.add(greeting)
        greeting.add_done_callback(self._greeting.discard)

    async def _greet(self, place: PlaceId, lang: str) -> None:
        chat, reply = self._chats[platform(place)], pages.welcome(lang)
        nonce = "hello" + blake2b(place.encode(), digest_size=8).hexdigest()
        try:
            await insist(lambda: chat.post(place, reply, nonce), self._clock)
        except Undelivered as no:
            log.info("%s takes no greeting: %s", place, no)
            if not isinstance(no, TryLater):  # once it may be said there, it is said there
                await self._forgotten(place)
        except Exception:
            log.exception("no greeting in %s", place)

    async def _forgotten(self, place: PlaceId) -> None:
        try:
            await self._preferences.set_place(place, **{WELCOMED: ""})
        except StoreDown as down:
            log.info("%s is not greeted any more: %s", place, down)

    async def lost(self, place: PlaceId) -> None:
        """End the table that is on in *place*; nothing is posted, as there is nowhere to post."""
        try:
            for _ in range(TRIES):
                held = await self._store.at(place)
                seen = None if held is None else await self._keeper.find(held)
                if seen is None or seen.table.phase == Phase.OVER or seen.table.place != place:
                    return
                try:
                    saved = await self._keeper.save(seen, Step(_ended(seen.table, seen.state), seen.state), None)
                except Conflict:
                    continue
                await self._store.done_unposted(saved.table.id, saved.table.revision)
                log.info("%s is gone, and with it table %s", place, saved.table.id)
                return
        except Exception:
            log.exception("%s is gone", place)


def _ended(table: Table, state: State | None) -> Table:
    left = Result("left", (), None if state is None else state.standing(), of_table=True)
    return tables.over(table, left)
