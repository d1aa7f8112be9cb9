"""What people ask about people: records here and everywhere, the best of a place, and what is kept of oneself."""

import unicodedata
from collections.abc import Mapping

from bot.chat import PersonId, PlaceId, Reply, Update
from bot.forgetting import Forgetting
from bot.keeper import Keeper
from bot.preferences import HIDDEN, OF_PERSON, Preferences, chosen
from bot.rating import Record
from bot.replies import people as replies
from bot.replies.people import Kept, Shown
from bot.requests import Forget, Hide, Privacy, Stats, Top
from bot.store.people import Called, Reached
from bot.store.store import Store
from bot.table import Phase
from rules import GAMES

Request = Stats | Top | Privacy | Hide | Forget

ALL_GAMES = tuple(GAMES)
BEST = 10
AT_ONCE = 25  # people of a ranking that are looked at in one go, as some may be hidden
MOST_MEANT = 5


class People:
    """Answers about people; what it tells is for whoever asks."""

    def __init__(self, store: Store, keeper: Keeper, preferences: Preferences, forgetting: Forgetting) -> None:
        self._people = store.people
        self._store = store
        self._keeper = keeper
        self._preferences = preferences
        self._forgetting = forgetting

    async def answer(self, update: Update, request: Request, lang: str) -> Reply:
        """What *request* asks for, in the language of the reader. Raises StoreDown."""
        match request:
            case Stats(""):
                return await self._mine(update, lang)
            case Stats(text):
                return await self._theirs(update, text, lang)
            case Top(game):
                return await self._top(update.place.id, game, lang)
            case Privacy():
                return await self._privacy(update, lang)
            case Hide(on):
                await self._preferences.set_person(update.person.id, **{HIDDEN.name: "on" if on else ""})
                return await self._privacy(update, lang)
            case Forget(sure):
                if not sure:
                    return replies.forget(await self._tables(update.person.id), lang)
                await self._forgetting.forget(update)
                return replies.forgotten(lang)

    async def _mine(self, update: Update, lang: str) -> Reply:
        records = await self._records(update.person.id)
        hidden = bool(await self._hidden([update.person.id]))
        place = None if update.place.private else update.place.id
        return replies.mine(records, place, lang, hidden=hidden)

    async def _theirs(self, update: Update, text: str, lang: str) -> Reply:
        """Somebody's record here; whoever is hidden is not known, but to themselves."""
        here = await self._people.called(update.place.id)
        found = meant(text, here)
        hidden = await self._hidden([person for person in found if person != update.person.id])
        shown = [person for person in found if person not in hidden][:MOST_MEANT]
        if not shown:
            return replies.nobody(text, lang)
        told = list[Shown]()
        for person in shown:
            records = await self._people.records_of(person, [update.place.id], ALL_GAMES)
            told.append(Shown(here[person].name, records.get(update.place.id, {})))
        return replies.theirs(told, lang)

    async def _top(self, place: PlaceId, game: str | None, lang: str) -> Reply:
        games = await self._people.games(place, ALL_GAMES)
        if game not in GAMES:
            on = await self._keeper.on(place)
            game = on.table.game if on is not None and on.table.game in games else next(iter(games), None)
        if game is None:
            return replies.no_top(lang)
        return replies.top(game, await self._best(place, game), games, lang)

    async def _best(self, place: PlaceId, game: str) -> tuple[Reached, ...]:
        """The best of those who let themselves be seen."""
        found, skip = list[Reached](), 0
        while len(found) < BEST:
            some = await self._people.best(place, game, skip, AT_ONCE)
            hidden = await self._hidden([each.person for each in some])
            found += [each for each in some if each.person not in hidden]
            skip += AT_ONCE
            if len(some) < AT_ONCE:
                break
        return tuple(found[:BEST])

    async def _hidden(self, people: list[PersonId]) -> frozenset[PersonId]:
        """Those of *people* who are hidden. The store is asked: others' memories are minutes old."""
        settings = await self._people.settings(people, HIDDEN.name)
        return frozenset(person for person, value in zip(people, settings, strict=True) if value == "on")

    async def _privacy(self, update: Update, lang: str) -> Reply:
        person = update.person.id
        settings = await self._preferences.person(person)
        kept = Kept(
            settings=tuple(kind.name for kind in OF_PERSON if chosen(kind, settings) != kind.choices[0]),
            tables=await self._tables(person),
            over=len(await self._people.played(person)),
            days=self._keeper.keep_days,
            records=await self._records(person),
            hidden=bool(await self._hidden([person])),
        )
        return replies.privacy(kept, lang)

    async def _records(self, person: PersonId) -> Mapping[PlaceId, Mapping[str, Record]]:
        """Somebody's records everywhere."""
        return await self._people.records_of(person, await self._people.places(person), ALL_GAMES)

    async def _tables(self, person: PersonId) -> int:
        """At how many tables, which are not over, somebody sits."""
        found = [await self._keeper.find(table) for table in await self._store.tables_of(person)]
        return sum(seen is not None and seen.table.phase != Phase.OVER for seen in found)


def meant(text: str, people: Mapping[PersonId, Called]) -> tuple[PersonId, ...]:
    """Whom *text* means: by name, handle or account (as mentions have it); else by how a name begins.

    >>> here = {PersonId("x:7"): Called("Anna Lena", "lena"), PersonId("x:8"): Called("Annabel")}
    >>> meant("<@7>", here), meant("@Lena", here), meant("anna lena", here)
    (('x:7',), ('x:7',), ('x:7',))
    >>> meant("ann", here), meant("ben", here), meant("@", here)
    (('x:7', 'x:8'), (), ())
    """
    wish = _bare(text)
    if not wish:
        return ()
    exact = [
        person
        for person, called in people.items()
        if wish in (_bare(called.name), _bare(called.handle), _bare(person.partition(":")[2]))
    ]
    return tuple(exact or [person for person, called in people.items() if _bare(called.name).startswith(wish)])


def _bare(text: str) -> str:
    """*text* as it is compared: without the marks of a mention, in any case and spacing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().strip(" <@!>").split())
