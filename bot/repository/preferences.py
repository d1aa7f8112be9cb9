"""What people and places prefer, as it is kept in the store; remembered here for some minutes."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

from cachetools import LRUCache

import texts
from bot.chat import PersonId, PlaceId, Update
from bot.runtime.clock import Clock
from bot.store.store import Store
from bot.tables.preferences import LANG, THEME, chosen

FRESH = timedelta(minutes=10)  # how long another process' change may go unnoticed
KEPT = 4096


def lang_of_app(update: Update) -> str:
    """The language that the platform says of whoever sent *update*, or of the place."""
    return texts.language(update.person.lang or update.place.lang)


class Preferences:
    """Settings of people and places, read through a small memory."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._kept = LRUCache[str, tuple[float, dict[str, str]]](KEPT)  # since when

    async def person(self, person: PersonId) -> Mapping[str, str]:
        return await self._get(f"person {person}", lambda: self._store.person_settings(person))

    async def place(self, place: PlaceId) -> Mapping[str, str]:
        return await self._get(f"place {place}", lambda: self._store.place_settings(place))

    async def lang(self, update: Update) -> str:
        """The language in which whoever sent *update* reads: as set, else as the platform says."""
        own = chosen(LANG, await self.person(update.person.id))
        return own if own != "auto" else lang_of_app(update)

    async def theme(self, update: Update, default: str) -> str:
        """The theme of pictures that are of no table, for whoever sent *update*; *default*: where nobody chose one."""
        own = chosen(THEME, await self.person(update.person.id))
        return await self.theme_here(update.place.id, default) if own == "auto" else own

    async def theme_here(self, place: PlaceId, default: str) -> str:
        """The theme in *place*, for whoever chose none; *default*: where it has none either."""
        here = chosen(THEME, await self.place(place))
        return default if here == "auto" else here

    async def set_person(self, person: PersonId, **values: str) -> None:
        for name, value in values.items():
            await self._store.set_person_setting(person, name, value or None)
        self._kept.pop(f"person {person}", None)

    def forget(self, *owners: PersonId | PlaceId) -> None:
        """Remember nothing of these; what the store has of them is the store's."""
        for owner in owners:
            self._kept.pop(f"person {owner}", None)
            self._kept.pop(f"place {owner}", None)

    async def set_place(self, place: PlaceId, **values: str) -> None:
        for name, value in values.items():
            await self._store.set_place_setting(place, name, value or None)
        self._kept.pop(f"place {place}", None)

    async def _get(self, key: str, load: Callable[[], Awaitable[dict[str, str]]]) -> Mapping[str, str]:
        now = self._clock.monotonic()
        kept = self._kept.get(key)
        if kept is not None and now - kept[0] < FRESH.total_seconds():
            return kept[1]
        found = await load()
        self._kept[key] = (now, found)
        return found
