"""Statistics about people: records here and everywhere, rankings, and the person's own stored data."""

import unicodedata
from collections.abc import Mapping

from msgspec.structs import replace

from bot.chat import PersonId, PlaceId, Reply, Update
from bot.delivery.painting import Pictures
from bot.replies import statistics as replies
from bot.replies.statistics import Alone, OwnData, Standing
from bot.repository.daily import DailyRecords
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.requests import Export, Forget, Hide, Privacy, Stats, Top
from bot.runtime.names import shown
from bot.service.context import Context
from bot.service.exporting import Exporting
from bot.service.feature import answers
from bot.service.forgetting import Forgetting
from bot.store import NewerDocument, keys
from bot.store.store import Store
from bot.tables.preferences import HIDDEN, OF_PERSON, chosen
from bot.tables.rating import Called, Reached, Record
from bot.tables.table import Phase, TableId
from renderers import Look, Theme
from renderers.charts import Chart
from rules import GAMES

ALL_GAMES = tuple(GAMES)
BEST = 10
AT_ONCE = 25  # people of a ranking that are loaded together, as some may be hidden
MOST_MEANT = 5


class StatisticsAnswers:
    """Answers requests about people; each answer is for the person who asked."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        preferences: Preferences,
        daily: DailyRecords,
        forgetting: Forgetting,
        painter: Pictures,
        theme: Theme,
    ) -> None:
        """*theme*: of pictures if neither the reader nor the place chose one."""
        self._kept = store.records
        self._store = store
        self._repository = repository
        self._preferences = preferences
        self._daily = daily
        self._forgetting = forgetting
        self._exporting = Exporting(store, repository, preferences)
        self._painter = painter
        self._theme = theme

    @answers(Stats)
    async def stats(self, context: Context, request: Stats) -> Reply:
        """Show the person's own record, or the record of another person here."""
        if request.person:
            return await self._theirs(context.update, request.person, context.lang)
        return await self._mine(context.update, context.lang)

    @answers(Export)
    async def export(self, context: Context, _: Export) -> Reply:
        """Return the person's stored data as a file."""
        return replies.exported(await self._exporting.exported(context.update.person.id), context.lang)

    @answers(Hide)
    async def hide(self, context: Context, request: Hide) -> Reply:
        """Hide the person from other people's statistics, or show them again."""
        value = "on" if request.on else ""
        await self._preferences.set_person(context.update.person.id, **{HIDDEN.name: value})
        return await self.privacy(context, Privacy())

    @answers(Forget)
    async def forget(self, context: Context, request: Forget) -> Reply:
        """Delete the person's data, after a confirmation."""
        if not request.sure:
            return replies.forget(await self._tables(context.update.person.id), context.lang)
        await self._forgetting.forget(context.update)
        return replies.forgotten(context.lang)

    async def _mine(self, update: Update, lang: str) -> Reply:
        records = await self._records(update.person.id)
        hidden = bool(await self._hidden([update.person.id]))
        place = None if update.place.private else update.place.id
        alone = await self._alone(update.person.id)
        daily = await self._daily.of(update.person.id)
        reply = replies.mine(records, alone, daily, place, lang, hidden=hidden)
        return await self._drawn(update, reply, {} if place is None else records.get(place, {}), lang)

    async def _drawn(self, update: Update, reply: Reply, records: Mapping[str, Record], lang: str) -> Reply:
        """Return *reply* with a chart of the records, if there are any."""
        if not records:
            return reply
        return await self._pictured(update, reply, replies.course(reply.title, records, lang), lang)

    async def _pictured(self, update: Update, reply: Reply, chart: Chart, lang: str) -> Reply:
        look = Look((), theme=Theme(await self._preferences.theme(update, self._theme)), lang=lang)
        return replace(reply, picture=await self._painter.chart(chart, look))

    async def _theirs(self, update: Update, text: str, lang: str) -> Reply:
        """Return another person's record here; hidden people are visible only to themselves."""
        here = await self._kept.called(update.place.id)
        people = meant(text, here)
        hidden = await self._hidden([person for person in people if person != update.person.id])
        shown = [person for person in people if person not in hidden][:MOST_MEANT]
        if not shown:
            return replies.nobody(text if update.chosen_person is None else update.chosen_person.name, lang)
        standings = list[Standing]()
        for person in shown:
            records = await self._kept.of_person(person, [update.place.id], ALL_GAMES)
            standings.append(Standing(here[person].name, records.get(update.place.id, {})))
        reply = replies.theirs(standings, lang)
        return await self._drawn(update, reply, standings[0].records if len(standings) == 1 else {}, lang)

    @answers(Top)
    async def top(self, context: Context, request: Top) -> Reply:
        """Show the best people here in a game, with a chart."""
        update, game, lang = context.update, request.game, context.lang
        place = update.place.id
        games = await self._kept.games(place, ALL_GAMES)
        if game not in GAMES:
            on = await self._repository.on(place)
            game = on.table.game if on is not None and on.table.game in games else next(iter(games), None)
        if game is None:
            return replies.no_top(lang)
        best = await self._best(place, game)
        reply = replies.top(game, best, games, lang)
        return await self._pictured(update, reply, replies.ranking(game, best, lang), lang) if best else reply

    async def _best(self, place: PlaceId, game: str) -> tuple[Reached, ...]:
        """Return the best visible people."""
        best, skip = list[Reached](), 0
        while len(best) < BEST:
            page = await self._kept.best(place, game, skip, AT_ONCE)
            hidden = await self._hidden([player.person for player in page])
            best += [player for player in page if player.person not in hidden]
            skip += AT_ONCE
            if len(page) < AT_ONCE:
                break
        return tuple(best[:BEST])

    async def _hidden(self, people: list[PersonId]) -> frozenset[PersonId]:
        """Return the hidden ones of *people*. The store is read, because the caches of other processes may be old."""
        settings = await self._kept.settings(people, HIDDEN.name)
        return frozenset(person for person, value in zip(people, settings, strict=True) if value == "on")

    @answers(Privacy)
    async def privacy(self, context: Context, _: Privacy) -> Reply:
        """Show which data the bot stores about the person."""
        person = context.update.person.id
        settings = await self._preferences.person(person)
        kept = OwnData(
            settings=tuple(kind.name for kind in OF_PERSON if chosen(kind, settings) != kind.choices[0]),
            tables=await self._tables(person),
            votes=await self._votes(person),
            over=len(await self._kept.played(person)),
            days=self._repository.keep_days,
            records=await self._records(person),
            alone=await self._alone(person),
            hidden=bool(await self._hidden([person])),
            blocks=len(await self._store.blocks.of(keys.person_blocks(person))),
        )
        return replies.privacy(kept, context.lang)

    async def _records(self, person: PersonId) -> Mapping[PlaceId, Mapping[str, Record]]:
        """Return a person's records in all places."""
        return await self._kept.of_person(person, await self._kept.places(person), ALL_GAMES)

    async def _alone(self, person: PersonId) -> Alone:
        """Return a person's records against the house in the installed games."""
        return {game: levels for game, levels in (await self._store.solo.of(person)).items() if game in GAMES}

    async def _tables(self, person: PersonId) -> int:
        """Return the number of tables that are not over at which the person has a seat, or had one."""
        return sum([await self._sits_at(table, person) for table in await self._store.tables_of(person)])

    async def _votes(self, person: PersonId) -> int:
        """Return the number of running tables at which the person has voted."""
        return sum(
            [bool(await self._repository.ballot(table, person)) for table in await self._store.tables_of(person)]
        )

    async def _sits_at(self, table: TableId, person: PersonId) -> bool:
        try:
            snapshot = await self._repository.find(table)
        except NewerDocument:  # it is not over, otherwise the list would not have it
            return True
        if snapshot is None or snapshot.table.phase == Phase.OVER:
            return False
        return any(seat.person == person for seat in (*snapshot.table.seats, *snapshot.table.invited))


def meant(text: str, people: Mapping[PersonId, Called]) -> tuple[PersonId, ...]:
    """Return the people whom *text* means: by name, handle or account (in mentions), else by the beginning of a name.

    >>> here = {PersonId("x:7"): Called("Anna Lena", "lena"), PersonId("x:8"): Called("Annabel")}
    >>> meant("<@7>", here), meant("@Lena", here), meant("anna lena", here)
    (('x:7',), ('x:7',), ('x:7',))
    >>> meant("ann", here), meant("ben", here), meant("@", here)
    (('x:7', 'x:8'), (), ())
    """
    wish = _bare(text)
    if not wish:
        return ()
    begun = [person for person, called in people.items() if _bare(called.name).startswith(wish)]
    return named(text, people) or tuple(begun)


def named(text: str, people: Mapping[PersonId, Called]) -> tuple[PersonId, ...]:
    """Return the people whose whole name, handle or account *text* is."""
    wish = _bare(text)
    return tuple(
        person
        for person, called in people.items()
        if wish and wish in (_bare(called.name), _bare(called.handle), _bare(person.partition(":")[2]))
    )


def _bare(text: str) -> str:
    """Return *text* in the form in which names are compared: no marks of a mention, one case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", shown(text)).casefold().strip(" <@!>").split())
