"""The settings of people and places. A change of calls or language also reaches running tables."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

import texts
from bot.chat import PersonId, Reply, ThreadAccess, Update, UpdateId
from bot.replies import choices, times, words
from bot.replies.words import say
from bot.repository.daily import DailyWishes
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences, lang_of_app
from bot.repository.repository import Repository
from bot.requests import Set, Settings
from bot.runtime.clock import Clock, to_ms
from bot.service.context import Context
from bot.service.feature import answers
from bot.store.store import Store
from bot.tables import absence
from bot.tables.preferences import (
    AWAY,
    AWAY_DAYS_A_YEAR,
    DAILY,
    LANG,
    OF_PERSON,
    OF_PLACE,
    PINGS,
    QUIET,
    THEME,
    ZONE,
    away,
    back,
    calling,
    chosen,
    days_left,
    used_days,
)
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Step, Table
from renderers import Theme


class SettingsAnswers:
    """Shows settings and changes them. *theme*: of pictures if a place chose none."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        lookup: Lookup,
        preferences: Preferences,
        wishes: DailyWishes,
        clock: Clock,
        theme: Theme,
    ) -> None:
        self._store = store
        self._repository = repository
        self._lookup = lookup
        self._preferences = preferences
        self._wishes = wishes
        self._clock = clock
        self._theme = theme

    @answers(Settings)
    async def show(self, context: Context, request: Settings) -> Reply:
        """Show a page of the settings. Denied: managers_set."""
        return await self._page(context.update, request.scope, request.page, context.lang)

    async def _page(self, update: Update, scope: str, page: int, lang: str) -> Reply:
        if scope == "place" or (not scope and update.may_manage and not update.place.private):
            if not update.may_manage:
                raise Denied("managers_set")
            scope, values = "place", await self._preferences.place(update.place.id)
            notes = await self._of_puzzle(update, values, page, lang)
            usual, alone = {THEME: self._theme}, update.place.private
            shown = choices.settings(scope, values, page, update.may_manage, lang, usual, notes, alone=alone)
            asks = notes and update.thread_access in (ThreadAccess.ALLOWED, ThreadAccess.BOT_FORBIDDEN)
            return choices.with_thread(shown, lang) if asks else shown
        values = await self._of_person(update)
        if back(values, self._today(values)) is None:
            values = {**values, AWAY.name: AWAY.choices[0]}
        autos = {
            LANG: lang_of_app(update),
            THEME: await self._preferences.theme_here(update.place.id, self._theme),
        }
        manages = update.may_manage and not update.place.private
        return choices.settings("me", values, page, manages, lang, autos, self._notes(values, lang))

    async def _of_person(self, update: Update) -> Mapping[str, str]:
        """Return the person's settings; without a time zone of their own choice, with that of their browser."""
        values, zone = await self._preferences.person(update.person.id), await self._preferences.zone(update)
        return values if zone is None else {**values, ZONE.name: zone}

    async def _of_puzzle(self, update: Update, values: Mapping[str, str], page: int, lang: str) -> list[str]:
        """Return the line about the hour of the daily puzzle, in the reader's time as well, if *page* has its list."""
        hour = chosen(DAILY, values)
        if hour == DAILY.choices[0] or choices.page_of(OF_PLACE.index(DAILY), "place", lang) != page:
            return []
        time = self._clock.now().replace(hour=int(hour), minute=0)
        return [say("settings.daily", lang, time=words.utc(time, await self._preferences.zone(update), lang))]

    def _notes(self, values: Mapping[str, str], lang: str) -> list[str]:
        """Return the lines about the reader's local time and days away."""
        today, zone = self._today(values), chosen(ZONE, values)
        time = times.clock(self._clock.now(), zone, lang)
        place = times.city(zone, lang) if ZONE.name in values else ""
        notes = [say("settings.time.zone" if place else "settings.time", lang, time=time, zone=place)]
        until = back(values, today)
        if until is not None:
            notes.append(say("settings.away", lang, day=times.day(until - timedelta(days=1), lang)))
        used = used_days(values, today)
        if used:
            notes.append(say("settings.away_days", lang, n=used, all=AWAY_DAYS_A_YEAR))
        return notes

    def _today(self, values: Mapping[str, str]) -> date:
        """Return the reader's local date."""
        return self._clock.now().astimezone(ZoneInfo(chosen(ZONE, values))).date()

    @answers(Set)
    async def set(self, context: Context, request: Set) -> Reply:
        """Change a setting and show its page. Denied: stale, managers_set, away."""
        update, scope, number, choice = context.update, request.scope, request.setting, request.choice
        kinds = OF_PLACE if scope == "place" else OF_PERSON
        if number >= len(kinds) or choice >= len(kinds[number].choices):
            raise Denied("stale")
        setting, value = kinds[number], kinds[number].choices[choice]
        if scope == "place":
            if not update.may_manage:
                raise Denied("managers_set")
            if update.place.private:
                await self._store.records.add_own_place(update.person.id, update.place.id)
            await self._preferences.set_place(update.place.id, **{setting.name: value})
            if setting is PINGS:
                await self._tell_table(update, lambda table: replace(table, pings=value == "on"))
            elif setting is DAILY:
                place = update.place
                speaks = texts.language(place.lang) if place.lang else context.lang
                await self._wishes.switch(place.id, value, speaks)
            elif setting is LANG:
                await self._tell_table(update, lambda table: replace(table, lang=_lang(table, value)))
        elif setting is AWAY:
            values = await self._of_person(update)
            set_ = away(values, int(value), self._today(values))
            if set_ is None:
                raise Denied("away", n=days_left(values, self._today(values)))
            returns = back(values, self._today(values)) is not None and int(value) == 0
            await self._preferences.set_person(update.person.id, **{AWAY.name: value}, **set_)
            await self._tell_tables(update, returns=returns)
        else:
            changes = {setting.name: value}
            if setting is QUIET:  # quiet hours are hours of the time zone that was shown beside them
                changes[ZONE.name] = (await self._of_person(update)).get(ZONE.name, "")
            await self._preferences.set_person(update.person.id, **changes)
            speaks = await self._preferences.lang(update) if setting is LANG else ""
            await self._tell_tables(update, speaks=speaks)
        lang = await self._preferences.lang(update)
        return await self._page(update, scope, choices.page_of(number, scope, lang), lang)

    async def _tell_table(self, update: Update, change: Callable[[Table], Table]) -> None:
        """Apply a setting of the place to its current table; the next post shows it."""
        snapshot = await self._repository.on(update.place.id)

        async def apply(snapshot: Snapshot) -> tuple[Step | None, None]:
            table = change(snapshot.table)
            return (Step(table, snapshot.state) if table != snapshot.table else None), None

        if snapshot is not None:
            await self._repository.change(snapshot, apply, UpdateId(f"{update.id}:{snapshot.table.id}"), quiet=True)

    async def _tell_tables(self, update: Update, *, returns: bool = False, speaks: str = "") -> None:
        """Copy the settings of a person to all tables of this person; deadlines change with them.

        *returns*: the person returns early from days away, so the time of a turn that waited begins anew. *speaks*:
        a new language, which the posts of tables with this host follow.
        """
        settings = calling(await self._preferences.person(update.person.id))

        async def apply(snapshot: Snapshot) -> tuple[Step | None, None]:
            table = snapshot.table
            seats = tuple(
                replace(seat, settings=settings, lang=speaks or seat.lang) if seat.person == update.person.id else seat
                for seat in table.seats
            )
            table = replace(table, seats=seats)
            if speaks and table.host == update.person.id:
                of_place = chosen(LANG, await self._preferences.place(table.place))
                table = replace(table, lang=speaks if of_place == "auto" else of_place)
            if table == snapshot.table:
                return None, None
            if returns and not table.is_overdue and _is_up(snapshot, update.person.id):
                table = absence.with_new_clock(table, to_ms(self._clock.now()))
            return Step(table, snapshot.state), None

        for snapshot in await self._lookup.tables_of(update.person.id):
            await self._repository.change(snapshot, apply, UpdateId(f"{update.id}:{snapshot.table.id}"), quiet=True)


def _lang(table: Table, value: str) -> str:
    """Return the language of the posts of *table* if the setting of its place is *value*."""
    return next((seat.lang for seat in table.seats if seat.person == table.host), "") if value == "auto" else value


def _is_up(snapshot: Snapshot, person: PersonId) -> bool:
    """Return whether *person* is the actor."""
    return (
        snapshot.state is not None
        and snapshot.state.actor is not None
        and snapshot.state.actor == snapshot.table.seat_of(person)
    )
