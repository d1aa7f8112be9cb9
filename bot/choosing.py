"""The settings of people and places: shown, changed, and told to the tables that they concern."""

from msgspec.structs import replace

from bot.chat import Reply, Update, UpdateId
from bot.clock import Clock
from bot.finding import Finding
from bot.keeper import Keeper, Seen
from bot.preferences import AWAY, AWAY_DAYS_A_YEAR, CALLING, OF_PERSON, OF_PLACE, Preferences, away
from bot.replies import choices
from bot.store.store import Store
from bot.table import Denied, Step


class Choosing:
    """Shows settings and changes them."""

    def __init__(self, store: Store, keeper: Keeper, finding: Finding, preferences: Preferences, clock: Clock) -> None:
        self._store = store
        self._keeper = keeper
        self._finding = finding
        self._preferences = preferences
        self._clock = clock

    async def settings(self, update: Update, scope: str, page: int, lang: str) -> Reply:
        if scope == "place":
            if not update.may_manage:
                raise Denied("managers_set")
            values = await self._preferences.place(update.place.id)
        else:
            scope, values = "me", await self._preferences.person(update.person.id)
        return choices.settings(scope, values, page, update.may_manage, lang)

    async def set(self, update: Update, scope: str, number: int, choice: int) -> Reply:
        kinds = OF_PLACE if scope == "place" else OF_PERSON
        if number >= len(kinds) or choice >= len(kinds[number].choices):
            raise Denied("stale")
        setting, value = kinds[number], kinds[number].choices[choice]
        if scope == "place":
            if not update.may_manage:
                raise Denied("managers_set")
            if update.place.private:
                await self._store.people.add_own_place(update.person.id, update.place.id)
            await self._preferences.set_place(update.place.id, **{setting.name: value})
        elif setting is AWAY:
            values = await self._preferences.person(update.person.id)
            set_ = away(values, int(value), self._clock.now().date())
            if set_ is None:
                raise Denied("away", n=AWAY_DAYS_A_YEAR)
            await self._preferences.set_person(update.person.id, **{AWAY.name: value}, **set_)
        else:
            await self._preferences.set_person(update.person.id, **{setting.name: value})
        if scope != "place":
            await self._tell_tables(update)
        return await self.settings(update, scope, number // choices.SELECTS, await self._preferences.lang(update))

    async def _tell_tables(self, update: Update) -> None:
        """Copy the settings of a person to the tables where this person sits: deadlines move with them."""
        settings = await self._preferences.person(update.person.id)
        calling = {name: settings[name] for name in CALLING if name in settings}

        async def apply(seen: Seen) -> tuple[Step | None, None]:
            seats = tuple(
                replace(seat, settings=calling) if seat.person == update.person.id else seat
                for seat in seen.table.seats
            )
            changed = seats != seen.table.seats
            return (Step(replace(seen.table, seats=seats), seen.state) if changed else None), None

        for seen in await self._finding.tables_of(update.person.id):
            once = replace(update, id=UpdateId(f"{update.id}:{seen.table.id}"))
            await self._keeper.change(once, seen, apply)
