"""Every game there is, played to its end on every platform by people who type legal moves at random, or tap them.

What differs between games is in the games' own tests; the page has its whole game in a browser beside this.
"""

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from msgspec import Raw, Struct

import texts
from bot import menus, press
from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_telegram.pacing import UNLIMITED
from bot.chat import PersonId, PlaceId
from bot.commands import COMMANDS
from bot.painting import Painter
from bot.press import Verb
from bot.service import Service
from bot.store.store import Store
from bot.table import Phase, Table, TableId
from rules import GAMES, Action, State
from tests.bot.conftest import HandClock
from tests.emulators.discord import Channel, Discord
from tests.emulators.discord import Message as Answered
from tests.emulators.discord import Person as Somebody
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Message as Said

MOST_ACTIONS = 600
MOST_TAPS = 12  # for one action
NAMES = ("Anna", "Ben", "Clara", "David")


class Choice(Struct, frozen=True):
    """What *person* is to play, at this revision of the table: the action with this number among *actions*."""

    person: PersonId
    revision: int
    actions: tuple[Action, ...]
    number: int

    def __str__(self) -> str:
        return str(self.actions[self.number])

    def is_offered(self, payloads: list[str]) -> bool:
        """Whether one of these buttons belongs to a menu for this revision."""
        read = [press.read(payload) for payload in payloads]
        return any(each is not None and each.numbers[:1] == (self.revision,) for each in read)

    def next_tap(self, payloads: list[str]) -> str:
        """The button to press in a menu: the one that plays, else the one that leads furthest, else another page."""
        best, depth = "", -1
        for payload in payloads:
            found = press.read(payload)
            if found is None or found.numbers[:1] != (self.revision,):
                continue
            if found.verb is Verb.PLAY and found.numbers[1] == self.number:
                return payload
            path = found.numbers[2:]
            leads = any(number == self.number for number, _ in menus.under(self.actions, path))
            if found.verb == Verb.MENU and leads and len(path) >= depth:
                best, depth = payload, len(path)
        assert best, f"{self} cannot be chosen among {payloads}"
        return best


Plays = Callable[[Choice], Awaitable[object]]


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    made = Painter()
    yield made
    made.close()


@pytest.fixture
async def service(store: Store, painter: Painter, clock: HandClock) -> AsyncIterator[Service]:
    made = Service(store, painter, clock, draw=lambda n: "07" * n)
    yield made
    await made.stop()


class Match:
    """A table in the store, and what people do there until it is over."""

    def __init__(self, store: Store, service: Service, clock: HandClock, place: PlaceId) -> None:
        self._store = store
        self._service = service
        self._clock = clock
        self._place = place
        self._luck = random.Random(5)

    async def to_the_end(self, plays: Plays) -> Table:
        """Let whoever is to act play something legal, again and again; the table that is over."""
        held = await self._store.at(self._place)
        assert held is not None
        for number in range(MOST_ACTIONS):
            table = await self._table(held)
            if table.phase == Phase.OVER:
                return table
            assert isinstance(table.state, Raw)
            state: State = GAMES[table.game].decode(bytes(table.state))
            await self._clock.advance(timedelta(seconds=5))
            if state.forced is not None:
                await self._service.do_due()
            else:
                assert state.actor is not None
                actions = state.actions()
                index = actions.index(self._choice(state, number))
                await plays(Choice(table.seats[state.actor].person, table.revision, actions, index))
            await self._service.idle()
            assert (await self._table(held)).revision > table.revision, f"{table!r} did not go on"
        raise AssertionError("the game does not end")

    def _choice(self, state: State, number: int) -> Action:
        """Something legal that brings the game on: turns are ended, long games drawn, nothing is given away."""
        actions: dict[str, Action] = {str(action): action for action in state.actions() if state.warns(action) is None}
        if number < 40:
            actions.pop("draw", None)
        for wanted in ("draw", "end"):
            if wanted in actions:
                return actions[wanted]
        return self._luck.choice(list(actions.values()))

    async def _table(self, table: TableId) -> Table:
        loaded = await self._store.load(table)
        assert loaded is not None
        return loaded.table


@pytest.mark.parametrize("game", GAMES)
async def test_people_type_the_whole_game_on_discord(
    game: str, store: Store, service: Service, clock: HandClock
) -> None:
    async with Discord() as discord, begun_on_discord(discord, game, service, GAMES[game].seats[0]) as (hall, people):

        async def types(choice: Choice) -> None:
            done = await people[choice.person].types("/move", notation=str(choice))
            assert done.answer is not None
            assert texts.say("table", "played", "en", action=str(choice)) in done.answer.text.split("\n")

        match = Match(store, service, clock, PlaceId(f"discord:{hall.id}"))
        over = await match.to_the_end(types)
        await discord.until(lambda: "Play again" in hall.newest().buttons or None, "the final board")
        assert over.result is not None


@pytest.mark.parametrize("game", GAMES)
async def test_people_tap_the_whole_game_on_discord(
    game: str, store: Store, service: Service, clock: HandClock
) -> None:
    async with Discord() as discord, begun_on_discord(discord, game, service, most_seats(game)) as (hall, people):
        menu: Answered | None = None

        async def taps(choice: Choice) -> None:
            nonlocal menu
            person, board = people[choice.person], hall.newest()
            if str(choice) == "draw":
                menu = await (await person.presses_id(own(board, Verb.DRAW), board)).answered()
                return
            if menu is None or menu.reader is not person or not choice.is_offered(ids(menu)):
                assert [*board.pinged] == [person.id], "one person is called"
                menu = await (await person.presses_id(own(board, Verb.MENU), board)).answered()
            for _ in range(MOST_TAPS):
                tapped = choice.next_tap(ids(menu))
                await (await person.presses_id(tapped, menu)).answered()
                if not choice.is_offered(ids(menu)):
                    return
            raise AssertionError(f"{choice} takes more than {MOST_TAPS} taps")

        match = Match(store, service, clock, PlaceId(f"discord:{hall.id}"))
        await match.to_the_end(taps)
        await discord.until(lambda: "Play again" in hall.newest().buttons or None, "the final board")


def most_seats(game: str) -> int:
    return min(len(NAMES), GAMES[game].seats[-1])


def ids(message: Answered) -> list[str]:
    return [str(part["custom_id"]) for part in message.parts]


def own(message: Answered, verb: Verb) -> str:
    """The button of a board that has this verb."""
    return next(each for each in ids(message) if each.startswith(f"{verb}:"))


@asynccontextmanager
async def begun_on_discord(
    discord: Discord, game: str, service: Service, seats: int
) -> AsyncIterator[tuple[Channel, dict[PersonId, Somebody]]]:
    """A game that so many people have begun, by their ids."""
    hall = discord.channel("hall")
    chat = on_discord.open(discord.environment)
    service.add(chat)
    await chat.start(service)
    await discord.connected()
    people = [discord.person(name, hall) for name in NAMES[:seats]]
    await people[0].types("/newgame", game=game)
    lobby = await hall.reads("who plays?")
    for person in people[1:]:
        await person.presses("Join", on=lobby)
        await hall.reads(person.name)
    if seats < GAMES[game].seats[-1]:
        await people[0].presses("Start", on=lobby)
    await hall.reads("The game begins")
    yield hall, {PersonId(f"discord:{person.id}"): person for person in people}
    await chat.stop()


@pytest.mark.parametrize("game", GAMES)
async def test_people_type_the_whole_game_on_telegram(
    game: str, store: Store, service: Service, clock: HandClock
) -> None:
    async with Telegram() as telegram, begun_on_telegram(telegram, game, service, GAMES[game].seats[0]) as hall:
        by_id = {PersonId(f"telegram:{person.id}"): person for person in hall.members}

        async def types(choice: Choice) -> None:
            await by_id[choice.person].types(f"/move {choice}", hall)
            await telegram.handled()

        over = await Match(store, service, clock, hall.place).to_the_end(types)
        assert "Play again" in hall.newest().flat
        assert over.result is not None
    assert telegram.violations == []


@pytest.mark.parametrize("game", GAMES)
async def test_people_tap_the_whole_game_on_telegram(
    game: str, store: Store, service: Service, clock: HandClock
) -> None:
    async with Telegram() as telegram, begun_on_telegram(telegram, game, service, most_seats(game)) as hall:
        by_id = {PersonId(f"telegram:{person.id}"): person for person in hall.members}
        for person in hall.members:
            person.private().closed = False

        async def taps(choice: Choice) -> None:
            person, board = by_id[choice.person], hall.newest()

            def menu() -> Said | None:
                """Where this person can choose now: in the private chat, or under the board."""
                said = [*person.private().said()[-1:], board]
                return next((each for each in said if choice.is_offered(payloads(each))), None)

            async def tap(message: Said, payload: str) -> None:
                key = next(key for row in message.keys for key in row if key.data == payload)
                await person.taps_key(key, message).answered()
                await telegram.handled()

            if menu() is None:
                assert board.pinged() == {person.id}, "one person is called"
                verb = Verb.DRAW if str(choice) == "draw" else Verb.MENU
                await tap(board, next(each for each in payloads(board) if each.startswith(f"{verb}:")))
                if verb is Verb.DRAW:
                    return
            for _ in range(MOST_TAPS):
                message = await telegram.until(menu, f"{person.name} has a menu for {choice}")
                tapped, edits = choice.next_tap(payloads(message)), message.edits
                await tap(message, tapped)
                if tapped.startswith(f"{Verb.PLAY}:"):
                    return
                await changed(message, edits)
            raise AssertionError(f"{choice} takes more than {MOST_TAPS} taps")

        await Match(store, service, clock, hall.place).to_the_end(taps)
        assert "Play again" in hall.newest().flat
        for person in hall.members:
            assert len(person.private().said()) <= 1, "one private message that goes on, or none"
    assert telegram.violations == []


def payloads(message: Said) -> list[str]:
    return [key.data for row in message.keys for key in row]


async def changed(message: Said, edits: int) -> None:
    await message.chat.telegram.until(lambda: message.edits > edits or None, "the menu goes on")


@asynccontextmanager
async def begun_on_telegram(telegram: Telegram, game: str, service: Service, seats: int) -> AsyncIterator[Group]:
    """A group in which so many people have begun a game."""
    members = [telegram.person(name, lang="en") for name in NAMES[:seats]]
    hall = telegram.group("Hall", *members)
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
    service.add(chat)
    await chat.start(service)
    await members[0].types(f"/newgame {game}", hall)
    await hall.offers("Join")
    for person in members[1:]:
        await person.presses("Join", hall)
    if seats < GAMES[game].seats[-1]:
        await members[0].presses("Start", hall)
    await telegram.handled()
    await service.idle()
    yield hall
    await chat.stop()
