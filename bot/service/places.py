"""Places come and go: the bot introduces itself where it is new; what was on waits where it has to go."""

import asyncio
import logging
from collections.abc import Mapping
from hashlib import blake2b

import texts
from bot.chat import Chat, Place, PlaceId, TryLater, Undelivered, platform
from bot.replies import pages
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.runtime.clock import Clock
from bot.runtime.retry import insist
from bot.store import NewerDocument, StoreDown
from bot.store.store import Store
from bot.tables.preferences import LANG, chosen
from rules import GAMES

log = logging.getLogger(__name__)

WELCOMED = "welcomed"
"""A setting of a place: the bot has introduced itself there, by whatever process, and does so no more."""


class Places:
    """What a platform tells of its places. Nothing in here raises."""

    def __init__(
        self, chats: Mapping[str, Chat], store: Store, repository: Repository, preferences: Preferences, clock: Clock
    ) -> None:
        self._chats = chats
        self._store = store
        self._repository = repository
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
        chat, greeting = self._chats[platform(place)], pages.greeting(lang)
        nonce = "hello" + blake2b(place.encode(), digest_size=8).hexdigest()
        try:
            await insist(lambda: chat.post(place, greeting, nonce), self._clock)
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

    async def moved(self, place: PlaceId, new: PlaceId) -> None:
        """What is known of *place*, and the table that is on there, go along to *new*."""
        try:
            await self._preferences.set_place(new, **await self._preferences.place(place))
            await self._store.records.move(place, new, tuple(GAMES))
            known = await self._store.at(place)
            if known is not None:
                await self._repository.move(known, new)
        except NewerDocument as newer:
            log.warning("%s moved to %s, which is left to a newer version of the bot: %s", place, new, newer)
        except Exception:
            log.exception("%s moved to %s", place, new)

    async def lost(self, place: PlaceId) -> None:
        """The clock of the table that is on in *place* stands still, as there is nowhere to post."""
        try:
            known = await self._store.at(place)
            if known is not None:
                await self._repository.cut_off(known, place)
        except NewerDocument as newer:
            log.warning("%s is gone, which is left to a newer version of the bot: %s", place, newer)
        except Exception:
            log.exception("%s is gone", place)
