"""Tables before the game begins: opened, joined, set, and closed when their place is taken."""

from msgspec.structs import replace

import texts
from bot.chat import PersonId, Reply, Update
from bot.house.levels import Level
from bot.replies import choices, notes, pages, words
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.repository.repository import LAST, Change, Repository, Snapshot
from bot.requests import (
    ChooseCalls,
    ChooseClock,
    ChooseColour,
    ChooseLevel,
    ChooseOption,
    Invite,
    Join,
    Leave,
    LobbyRequest,
    NewGame,
    Start,
    payload,
)
from bot.requests.payload import Verb
from bot.runtime.names import shown
from bot.store import Conflict, Repeated
from bot.store.store import Store
from bot.tables import absence, anonymous, seating
from bot.tables import table as tables
from bot.tables.preferences import CLOCK, LANG, LATE, OPENS, PINGS, THEME, calling, chosen
from bot.tables.table import Denied, Phase, Step, Table, TableId
from rules import GAMES
from rules.notation import plain

MOST_TABLES = 30
MOST_LOBBIES = 3
"""At so many tables one may sit, and at so many of them before the game begins."""


class Lobbies:
    """Opens tables and fills them."""

    def __init__(
        self,
        repository: Repository,
        store: Store,
        lookup: Lookup,
        preferences: Preferences,
    ) -> None:
        self._repository = repository
        self._lookup = lookup
        self._store = store
        self._preferences = preferences

    async def new_game(self, update: Update, request: NewGame, lang: str) -> Reply | None:
        game, wishes = request.game, request.wishes
        if game is None:
            return pages.games(lang)
        if game not in GAMES:
            return pages.games(lang, "denied.no_such_game")
        new = replace(await self._blank(update, lang), game=game)
        level, others = _of_house(wishes)
        new = await self._joined(wished(new, others), update, lang)
        if level is None and request.house:
            level = Level.EASY
        if level is not None:
            new = seating.invite(replace(new, level=level), new.host, seating.missing(new))
        return await self._open(update, new, lang)

    async def rematch(self, update: Update, table: TableId | None, lang: str) -> Reply | None:
        if table is None:
            on = await self._repository.on(update.place.id)
            if on is not None and on.table.phase != Phase.OVER:
                return notes.other_game(on.table, lang)
            table = TableId((await self._store.place_settings(update.place.id)).get(LAST, ""))
        before = (await self._repository.load(table)).table
        if before.place != update.place.id:
            raise Denied("elsewhere")
        if before.phase != Phase.OVER:
            raise Denied("not_over")
        if not any(seat.person == update.person.id for seat in before.seats):
            raise Denied("not_playing")
        new = seating.again(anonymous.present(before), await self._blank(update, lang))
        return await self._open(update, await self._up_to_date(new), lang)

    async def _up_to_date(self, table: Table) -> Table:
        """*table* with the settings of its people as they are now: what they set after a game is not told to it."""
        seats = [
            seat if seat.house else replace(seat, settings=calling(await self._preferences.person(seat.person)))
            for seat in table.seats
        ]
        return replace(table, seats=tuple(seats))

    async def _take_seat(self, person: PersonId, at: TableId) -> None:
        """Let *person* take a seat; several at once are counted, too. Denied: many_lobbies, many_games, where they sit
        at as many tables as anybody may."""
        mine = await self._lookup.tables_of(person, besides=at)
        seated = [each.table for each in mine if each.table.seat_of(person) is not None]
        lobbies = MOST_LOBBIES - sum(table.phase == Phase.LOBBY for table in seated)
        room = min(lobbies, MOST_TABLES - len(seated))
        known = [each.table.id for each in mine]  # those that they have given up among them
        if not await self._store.take_seat(person, at, besides=known, room=room, now_ms=self._repository.now_ms()):
            raise Denied("many_lobbies", n=MOST_LOBBIES) if room == lobbies else Denied("many_games", n=MOST_TABLES)

    async def _joined(self, table: Table, update: Update, lang: str) -> Table:
        person = update.person
        settings = calling(await self._preferences.person(person.id))
        name = shown(person.name) or shown(person.handle)
        return seating.join(table, person.id, name, lang, settings, person.handle[:200])

    async def _blank(self, update: Update, lang: str) -> Table:
        """A table in the place of *update*, without a game yet. Denied: managers_open."""
        settings = await self._preferences.place(update.place.id)
        if chosen(OPENS, settings) == "managers" and not update.may_manage:
            raise Denied("managers_open")
        lang_here, theme = chosen(LANG, settings), chosen(THEME, settings)
        return Table(
            id=await self._repository.new_id(update.id),
            game="",
            place=update.place.id,
            host=update.person.id,
            lang=lang if lang_here == "auto" else lang_here,
            theme="" if theme == "auto" else theme,
            pings=chosen(PINGS, settings) == "on",
            clock=chosen(CLOCK, settings),
            created_ms=self._repository.now_ms(),
        )

    async def _open(self, update: Update, table: Table, lang: str) -> Reply | None:
        """Let *table* be the one that is on in its place, unless another is. Denied: many_lobbies, many_games."""
        await self._take_seat(update.person.id, table.id)
        on = await self._repository.on(table.place)
        rests = False
        if on is not None and on.table.phase != Phase.OVER:
            if on.table.id == table.id:
                return None
            on = await self._rested(on)
            rests = on.table.resting
            if not rests and on.table.phase != Phase.OVER:
                await self._store.leave_seat(update.person.id, table.id)
                return notes.other_game(on.table, lang)
        if update.place.private:
            await self._store.records.add_own_place(update.person.id, table.place)
        try:
            seen = await self._repository.create(table, update.id)
        except (Conflict, Repeated):
            return None  # the same update again
        other = await self.takes_place(table, on.table.id if on is not None else None)
        if other is not None:  # somebody else was quicker
            await self.close_unseen(seen)
            return notes.other_game(other, lang)
        await self._repository.publish(seen)
        opened = "lobby.opened.alone" if update.place.private else "lobby.opened"
        said = notes.toast(opened, lang, game=words.game_name(table.game, lang))
        if not rests or on is None:
            return said
        return replace(
            said, text=f"{said.text} {words.say('rests.instead', lang, game=words.game_name(on.table.game, lang))}"
        )

    async def _rested(self, on: Snapshot) -> Snapshot:
        """*on*, which rests from now on if it may."""

        async def apply(seen: Snapshot) -> tuple[Step | None, Reply | None]:
            log = await self._repository.log(seen.table)
            may = absence.may_rest(seen.table, log, self._repository.now_ms())
            return (Step(absence.rest(seen.table), seen.state) if may else None), None

        changed = await self._repository.change(on, apply)
        return on if changed is None else changed.seen

    async def wake(self, update: Update, seen: Snapshot) -> Snapshot | Table:
        """*seen*, which rested, goes on where *update* comes from; or the table that is on there."""
        place = update.place.id

        async def apply(now: Snapshot) -> tuple[Step | None, Reply | None]:
            woken = absence.wake(now.table, place, self._repository.now_ms())
            return (Step(woken, now.state) if now.table.resting else None), None

        on = await self._repository.on(place)
        instead_of = on.table.id if on is not None and on.table.phase == Phase.OVER else seen.table.id
        other = await self.takes_place(replace(seen.table, place=place), instead_of)
        if other is not None:
            return other
        if update.place.private:
            await self._store.records.add_own_place(update.person.id, place)
        changed = await self._repository.change(seen, apply, update.id)
        return await self._repository.load(seen.table.id) if changed is None else changed.seen

    async def takes_place(self, table: Table, instead_of: TableId | None) -> Table | None:
        """Let *table* hold its place; the table that holds it already, None if it is this one."""
        holder = await self._repository.take_place(table, instead_of)
        if holder == table.id:
            return None
        on = await self._repository.find(holder)
        if (
            on is None or on.table.phase == Phase.OVER or on.table.resting
        ):  # or its bot died before it was off the place
            return None if holder == instead_of else await self.takes_place(table, holder)
        return on.table

    async def close_unseen(self, seen: Snapshot) -> None:
        """End a lobby that found its place taken: nobody has seen it, and nobody is to.

        It is on its host's list already, so that whoever is forgotten or sets something just then changes it, too.
        """

        async def apply(now: Snapshot) -> tuple[Step | None, Reply | None]:
            closed = tables.over(now.table, tables.Result("left", of_table=True))
            return Step(closed) if now.table.phase == Phase.LOBBY else None, None

        changed = await self._repository.change(seen, apply, quiet=True)
        if changed is not None:
            await self._store.done_unposted(changed.seen.table.id, changed.seen.table.revision)

    def changing(self, update: Update, request: LobbyRequest, lang: str) -> Change:
        """A change of a lobby's people or options; a table full of people starts at once."""
        person = update.person.id

        async def apply(seen: Snapshot) -> tuple[Step | None, Reply]:
            match request:
                case Join():
                    table = await self._joined(seen.table, update, lang)
                    await self._take_seat(person, table.id)
                    step = seating.start(table, table.host) if seating.is_full(table) else Step(table)
                    return step, notes.toast("lobby.joined", lang)
                case Leave():
                    return Step(seating.leave(seen.table, person)), notes.toast("lobby.left", lang)
                case Start():
                    if seen.table.phase == Phase.LOBBY and person == seen.table.host and seating.missing(seen.table):
                        return None, choices.too_few(seen.table, lang)
                    return seating.start(seen.table, person), notes.toast("lobby.started", lang)
                case Invite(_, None):
                    enough = seating.guests(seen.table) + seating.missing(seen.table)
                    table = seating.invite(seen.table, person, enough)
                    return seating.start(table, person), notes.toast("lobby.started", lang)
                case Invite(_, seats):
                    assert seats is not None
                    table = seating.invite(seen.table, person, seats)
                    return Step(table), choices.options(table, person, payload.write(Verb.HOUSE, table.id), lang)
                case ChooseOption(_, option, choice):
                    table = seating.choose_option(seen.table, person, option, choice)
                    return Step(table), choices.options(
                        table, person, payload.write(Verb.OPTION, table.id, option), lang
                    )
                case ChooseClock(_, choice, late):
                    table = clocked(seen.table, person, choice, late)
                    page = payload.write(Verb.LATE if late else Verb.CLOCK, table.id)
                    return Step(table), choices.options(table, person, page, lang)
                case ChooseLevel(_, choice):
                    if choice >= len(Level):
                        raise Denied("stale")
                    table = seating.choose_level(seen.table, person, tuple(Level)[choice])
                    return Step(table), choices.options(table, person, payload.write(Verb.LEVEL, table.id), lang)
                case ChooseCalls(_, choice):
                    table = seating.choose_calls(seen.table, person, choice == 0)
                    return Step(table), choices.options(table, person, payload.write(Verb.CALLS, table.id), lang)
                case ChooseColour(_, choice):
                    table = seating.choose_colour(seen.table, person, choice)
                    return Step(table), choices.options(table, person, choices.LAST_PAGE, lang)

        return apply


def wished(table: Table, wishes: tuple[str, ...]) -> Table:
    """*table* with the options and the clock that typed words stand for. Denied: no_such_option."""
    choices = [(option.name, choice) for option in GAMES[table.game].options for choice in option.choices]
    for wish in filter(None, wishes):
        name, choice = next((each for each in choices if wish in _called(table.game, *each)), ("", ""))
        if name:
            table = replace(table, options={**table.options, name: choice})
        elif wish in CLOCK.choices:
            table = replace(table, clock=wish)
        else:
            raise Denied("no_such_option", wish=words.short(wish))
    return table


def _of_house(wishes: tuple[str, ...]) -> tuple[Level | None, tuple[str, ...]]:
    """How well the house is to play, if it is among the *wishes*; and the others.

    What stands behind its name is its level, if it can be: ``house hard``.
    """
    called = {plain(words.say("house.typed", lang)) for lang in texts.languages()}
    if not called & {*wishes}:
        return None, wishes
    place = next(number for number, wish in enumerate(wishes) if wish in called)
    before, after = wishes[:place], tuple(wish for wish in wishes[place + 1 :] if wish not in called)
    levels = {word: level for level in Level for word in _called_level(level)}
    if after and after[0] in levels:
        return levels[after[0]], (*before, *after[1:])
    return Level.MEDIUM, (*before, *after)


def _called_level(level: Level) -> set[str]:
    """What a level may be called when it is typed."""
    return {level, *(plain(words.say(f"level.{level}", lang)).split(" ")[0].strip(":,") for lang in texts.languages())}


def clocked(table: Table, person: PersonId, choice: int, late: bool) -> Table:
    """*table* with another clock, or another rule for what happens when time is up. Denied: see choose_clock, stale."""
    choices = (LATE if late else CLOCK).choices
    if choice >= len(choices):
        raise Denied("stale")
    if late:
        return seating.choose_clock(table, person, table.clock, choices[choice])
    return seating.choose_clock(table, person, choices[choice], table.late)


def _called(game: str, option: str, choice: str) -> set[str]:
    """What a choice may be called when it is typed: its id, or how its name begins in any language."""
    labels = (texts.say(game, f"option.{option}.{choice}", lang) for lang in texts.languages())
    return {choice, *(plain(label).split(" ")[0].strip(":,") for label in labels)}
