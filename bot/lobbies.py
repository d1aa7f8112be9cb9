"""Tables before the game begins: opened, joined, set, and closed when their place is taken."""

import asyncio
import base64
import hashlib
from collections.abc import Callable

from msgspec.structs import replace

import texts
from bot import anonymous, seating
from bot import table as tables
from bot.chat import PersonId, Reply, Update, UpdateId
from bot.keeper import TRIES, Change, Keeper, Seen
from bot.preferences import CLOCK, LANG, LATE, OPENS, PINGS, THEME, Preferences, calling, chosen
from bot.replies import choices, notes, pages, words
from bot.requests import ChooseCalls, ChooseClock, ChooseColour, ChooseOption, Invite, Join, Leave, LobbyRequest, Start
from bot.store import Conflict, Repeated
from bot.store.store import Store
from bot.table import Denied, Phase, Step, Table, TableId
from rules import GAMES
from rules.notation import plain

LAST = "last"  # a setting of a place: the table that was on there before, for a rematch


class Lobbies:
    """Opens tables and fills them. *draw* gives so many random bytes in hexadecimal; *show* posts a table."""

    def __init__(
        self,
        keeper: Keeper,
        store: Store,
        preferences: Preferences,
        draw: Callable[[int], str],
        show: Callable[[Seen], None],
    ) -> None:
        self._keeper = keeper
        self._store = store
        self._preferences = preferences
        self._draw = draw
        self._show = show

    async def new_game(self, update: Update, game: str | None, wishes: tuple[str, ...], lang: str) -> Reply | None:
        if game is None:
            return pages.games(lang)
        if game not in GAMES:
            return pages.games(lang, "denied.no_such_game")
        new = replace(await self._blank(update, lang), game=game)
        alone = [wish for wish in wishes if wish in _house_words()]
        new = wished(new, tuple(wish for wish in wishes if wish not in alone))
        new = await self._joined(new, update, lang)
        if alone:
            new = seating.invite(new, new.host, seating.missing(new))
        return await self._open(update, new, lang)

    async def rematch(self, update: Update, table: TableId | None, lang: str) -> Reply | None:
        if table is None:
            on = await self._keeper.on(update.place.id)
            if on is not None and on.table.phase != Phase.OVER:
                return notes.other_game(on.table, lang)
            table = TableId((await self._store.place_settings(update.place.id)).get(LAST, ""))
        before = (await self._keeper.load(table)).table
        if before.phase != Phase.OVER:
            raise Denied("not_over")
        if not any(seat.person == update.person.id for seat in before.seats):
            raise Denied("not_playing")
        before = anonymous.present(before, update.person.id)
        new = seating.again(before, await self._blank(update, lang))
        return await self._open(update, await self._up_to_date(new), lang)

    async def _up_to_date(self, table: Table) -> Table:
        """*table* with the settings of its people as they are now: what they set after a game is not told to it."""
        seats = [
            seat if seat.house else replace(seat, settings=calling(await self._preferences.person(seat.person)))
            for seat in table.seats
        ]
        return replace(table, seats=tuple(seats))

    async def _joined(self, table: Table, update: Update, lang: str) -> Table:
        person = update.person
        settings = calling(await self._preferences.person(person.id))
        return seating.join(table, person.id, person.name[:200], lang, settings, person.handle[:200])

    async def _blank(self, update: Update, lang: str) -> Table:
        """A table in the place of *update*, without a game yet. Denied: managers_open."""
        settings = await self._preferences.place(update.place.id)
        if chosen(OPENS, settings) == "managers" and not update.may_manage:
            raise Denied("managers_open")
        lang_here, theme = chosen(LANG, settings), chosen(THEME, settings)
        return Table(
            id=_table_id(update.id),
            game="",
            place=update.place.id,
            host=update.person.id,
            lang=lang if lang_here == "auto" else lang_here,
            theme="" if theme == "auto" else theme,
            pings=chosen(PINGS, settings) == "on",
            clock=chosen(CLOCK, settings),
            created_ms=self._keeper.now_ms(),
            seed=self._draw(16),
            salt=self._draw(16),
        )

    async def _open(self, update: Update, table: Table, lang: str) -> Reply | None:
        """Let *table* be the one that is on in its place, unless another is."""
        on = await self._keeper.on(table.place)
        if on is not None and on.table.phase != Phase.OVER:
            return None if on.table.id == table.id else notes.other_game(on.table, lang)
        if update.place.private:
            await self._store.people.add_own_place(update.person.id, table.place)
        try:
            seen = await self._keeper.save(Seen(table, None, None, ()), Step(table), update.id)
        except (Conflict, Repeated):
            return None  # the same update again
        other = await self.takes_place(table, on.table.id if on is not None else None)
        if other is not None:  # somebody else was quicker
            await self.close_unseen(seen)
            return notes.other_game(other, lang)
        self._show(seen)
        opened = "lobby.opened.alone" if update.place.private else "lobby.opened"
        return notes.toast(opened, lang, game=words.game_name(table.game, lang))

    async def takes_place(self, table: Table, instead_of: TableId | None) -> Table | None:
        """Let *table* hold its place; the table that holds it already, None if it is this one."""
        holder = await self._keeper.take_place(table, instead_of)
        if holder == table.id:
            return None
        on = await self._keeper.find(holder)
        if on is None or on.table.phase == Phase.OVER:  # its document expired, or its bot died while it ended
            return None if holder == instead_of else await self.takes_place(table, holder)
        return on.table

    async def close_unseen(self, seen: Seen) -> None:
        """End a lobby that found its place taken: nobody has seen it, and nobody is to.

        It is on its host's list already, so that whoever is forgotten or sets something just then changes it, too.
        """
        over = tables.Result("left", of_table=True)
        for tried in range(TRIES):
            try:
                seen = await self._keeper.save(seen, Step(tables.over(seen.table, over)), None)
            except Conflict:
                await asyncio.sleep(0.005 * tried)
                seen = await self._keeper.load(seen.table.id)
                if seen.table.phase == Phase.LOBBY:
                    continue
            await self._store.done_unposted(seen.table.id, seen.table.revision)
            return

    def changing(self, update: Update, request: LobbyRequest, lang: str) -> Change:
        """A change of a lobby's people or options; a table full of people starts at once."""
        person = update.person.id

        async def apply(seen: Seen) -> tuple[Step | None, Reply]:
            match request:
                case Join():
                    table = await self._joined(seen.table, update, lang)
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
                    return Step(table), choices.options(table, person, choices.page_of(None, table.game), lang)
                case ChooseOption(_, option, choice):
                    table = seating.choose_option(seen.table, person, option, choice)
                    return Step(table), choices.options(table, person, option // choices.SELECTS, lang)
                case ChooseClock(_, choice, late):
                    table = clocked(seen.table, person, choice, late)
                    page = choices.page_of(LATE if late else CLOCK, table.game)
                    return Step(table), choices.options(table, person, page, lang)
                case ChooseCalls(_, choice):
                    table = seating.choose_calls(seen.table, person, choice == 0)
                    return Step(table), choices.options(table, person, choices.page_of(PINGS, table.game), lang)
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


def _house_words() -> set[str]:
    """What the house may be called when it is typed."""
    return {plain(words.say("house.typed", lang)) for lang in texts.languages()}


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


def _table_id(update: UpdateId) -> TableId:
    """The id of the table that *update* opens: the same update delivered twice opens one table."""
    digest = hashlib.blake2b(update.encode(), digest_size=7, person=b"kaleidobot table").digest()
    return TableId(base64.b32encode(digest).decode().lower()[:10])
