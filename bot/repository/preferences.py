"""The preferences of people and places, read from the store through a cache."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta

from cachetools import LRUCache

import texts
from bot.chat import PersonId, PlaceId, Update
from bot.runtime.clock import Clock
from bot.store.store import Store
from bot.tables.preferences import HIDDEN, LANG, THEME, UNDER_WAY, ZONE, chosen, similar_zone

FRESH = timedelta(minutes=10)
"""How long a change by another process may go unnoticed."""
KEPT = 4096


def lang_of_app(update: Update) -> str:
    """Return the language of the person or the place, as the platform names it."""
    return texts.language(update.person.lang or update.place.lang)


class Preferences:
    """Settings of people and places."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._kept = LRUCache[str, tuple[float, dict[str, str]]](KEPT)  # with the time of reading

    async def person(self, person: PersonId) -> Mapping[str, str]:
        return await self._get(f"person {person}", lambda: self._store.person_settings(person))

    async def place(self, place: PlaceId) -> Mapping[str, str]:
        return await self._get(f"place {place}", lambda: self._store.place_settings(place))

    async def hidden(self, people: Sequence[PersonId]) -> set[PersonId]:
        """Return those of *people* who are hidden from statistics."""
        settings = await self._store.records.settings(people, HIDDEN.name) if people else ()
        return {person for person, setting in zip(people, settings, strict=True) if setting == "on"}

    async def lang(self, update: Update) -> str:
        """Return the language of the person of *update*: as set, else as the platform names it."""
        own = chosen(LANG, await self.person(update.person.id))
        return own if own != "auto" else lang_of_app(update)

    async def zone(self, update: Update) -> str | None:
        """Return the time zone of the person of *update*: as set, else that of their browser; None: not known."""
        own = (await self.person(update.person.id)).get(ZONE.name)
        if own is None and update.person.zone:
            return similar_zone(update.person.zone, self._clock.now().year)
        return own if own in ZONE.choices else None

    async def theme(self, update: Update, default: str) -> str:
        """Return the theme of pictures without a table for the person of *update*; *default* if none is set."""
        own = chosen(THEME, await self.person(update.person.id))
        return await self.theme_here(update.place.id, default) if own == "auto" else own

    async def theme_here(self, place: PlaceId, default: str) -> str:
        """Return the theme of *place*; *default* if none is set."""
        here = chosen(THEME, await self.place(place))
        return default if here == "auto" else here

    async def set_person(self, person: PersonId, **values: str) -> None:
        for name, value in values.items():
            await self._store.set_person_setting(person, name, value or None)
        self._kept.pop(f"person {person}", None)

    async def exercise(self, person: PersonId) -> str:
        """Return the exercise that *person* saw last, of a lesson or a puzzle, or ""."""
        return (await self._store.person_settings(person)).get(UNDER_WAY, "")

    async def set_exercise(self, person: PersonId, exercise: str) -> None:
        """Store the *exercise* that *person* saw last; "": none can be answered any more."""
        if await self.exercise(person) != exercise:
            await self.set_person(person, **{UNDER_WAY: exercise})

    def forget(self, *owners: PersonId | PlaceId) -> None:
        """Drop these people and places from the cache."""
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
        settings = await load()
        self._kept[key] = (now, settings)
        return settings
