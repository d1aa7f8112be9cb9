"""Changes of places: greetings in new places, tables that pause, move along or are posted again."""

import asyncio
import logging
from collections.abc import Mapping
from hashlib import blake2b

import texts
from bot.chat import (
    Chat,
    MemberCame,
    MemberLeft,
    Obstacle,
    Place,
    PlaceAdded,
    PlaceEvent,
    PlaceId,
    PlaceLost,
    PlaceMoved,
    PlaceRegained,
    PlaceSwept,
    TryLater,
    Undelivered,
    platform,
)
from bot.delivery.outbox import Outbox
from bot.replies import pages
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.runtime.clock import Clock
from bot.runtime.retry import insist
from bot.runtime.tasks import cancelled
from bot.store import StoreDown, keys
from bot.store.store import Store
from bot.tables.preferences import LANG, chosen
from bot.tables.table import Phase

log = logging.getLogger(__name__)

WELCOMED = "welcomed"
"""Setting of a place: some process has posted the greeting there."""


class Places:
    """Reacts to the events of places that platforms report."""

    def __init__(
        self,
        chats: Mapping[str, Chat],
        store: Store,
        repository: Repository,
        preferences: Preferences,
        outbox: Outbox,
        clock: Clock,
    ) -> None:
        self._chats = chats
        self._store = store
        self._repository = repository
        self._preferences = preferences
        self._outbox = outbox
        self._clock = clock
        self._greetings: set[asyncio.Task[None]] = set()

    async def idle(self) -> None:
        """Wait until every greeting is posted or given up."""
        while self._greetings:
            await asyncio.wait(self._greetings)

    async def stop(self) -> None:
        """Cancel all greetings."""
        await cancelled(*self._greetings)

    async def changed(self, event: PlaceEvent) -> None:
        """React to *event*. Raises StoreDown, NewerDocument."""
        match event:
            case PlaceAdded(place):
                await self._greet_once(place)
                await self.changed(PlaceRegained(place.id))
            case PlaceLost(place_id):
                await self._pause(place_id)
            case PlaceRegained(place_id):
                await self._retry(place_id)
            case PlaceSwept(place_id):
                await self._post_again(place_id)
            case PlaceMoved(place_id, new):
                await move_place(place_id, new, self._store, self._repository, self._preferences)
            case MemberLeft(place_id, person):
                if (known := await self._store.at(place_id)) is not None:
                    await self._repository.member_left(known, place_id, person)
            case MemberCame(place_id, person):
                if (known := await self._store.at(place_id)) is not None:
                    await self._repository.member_came(known, person)

    async def _greet_once(self, place: Place) -> None:
        """Begin to greet, unless a greeting was posted before. The note is stored first: no place is greeted twice."""
        try:
            settings = await self._store.place_settings(place.id)
            if WELCOMED in settings or platform(place.id) not in self._chats:
                return
            await self._preferences.set_place(place.id, **{WELCOMED: "1"})
        except Exception:
            log.exception("no greeting: place=%s", place.id)
            return
        lang = chosen(LANG, settings)
        lang = texts.language(place.lang) if lang == "auto" else lang
        greeting = asyncio.create_task(self._greet(place.id, lang), name=f"greet {place.id}")
        self._greetings.add(greeting)
        greeting.add_done_callback(self._greetings.discard)

    async def _greet(self, place: PlaceId, lang: str) -> None:
        chat, greeting = self._chats[platform(place)], pages.greeting(lang)
        nonce = "hello" + blake2b(place.encode(), digest_size=8).hexdigest()
        try:
            await insist(lambda: chat.post(place, greeting, nonce), self._clock)
        except Undelivered as no:
            log.info("greeting refused: place=%s error=%s", place, no)
            if not isinstance(no, TryLater):  # the next `PlaceAdded` tries again
                await self._forget_greeting(place)
        except Exception:
            log.exception("greeting failed: place=%s", place)

    async def _forget_greeting(self, place: PlaceId) -> None:
        try:
            await self._preferences.set_place(place, **{WELCOMED: ""})
        except StoreDown as down:
            log.info("place will not be greeted again: place=%s error=%s", place, down)

    async def _pause(self, place: PlaceId) -> None:
        """Stop the clock of the table there: nothing can be posted."""
        known = await self._store.at(place)
        if known is not None:
            await self._repository.lose_place(known, place, Obstacle.GONE)

    async def _retry(self, place: PlaceId) -> None:
        """Post the board that waits for *place*; the table goes on if the post is taken."""
        snapshot = await self._repository.on(place)
        if snapshot is not None and snapshot.table.is_unreachable:
            self._outbox.show(snapshot, again=True)
        elif snapshot is not None and snapshot.table.replies_only and not snapshot.is_shown:
            self._outbox.show(snapshot)

    async def _post_again(self, place: PlaceId) -> None:
        """Post the board that the platform lost."""
        snapshot = await self._repository.on(place)
        if snapshot is not None and snapshot.table.place == place and snapshot.table.phase != Phase.OVER:
            self._outbox.show(snapshot, lost=True)


async def move_place(
    place: PlaceId, new: PlaceId, store: Store, repository: Repository, preferences: Preferences
) -> None:
    """Move the settings, the records, the daily puzzle, the blocks and the table of *place* to *new*."""
    await preferences.set_place(new, **await store.place_settings(place))
    await store.records.move(place, new, await store.records.all_games(place))
    await store.daily_places.move(place, new)
    await store.blocks.move(keys.place_blocks(place), keys.place_blocks(new))
    await store.blocks.rename(place, new)
    known = await store.at(place)
    if known is not None:
        await repository.move(known, new)
