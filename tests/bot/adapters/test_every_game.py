"""Every game there is, played to its end on every platform by people who type legal moves at random.

What differs between games is in the games' own tests; the page has its whole game in a browser beside this.
"""

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta

import pytest
from msgspec import Raw

import texts
from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_telegram.pacing import UNLIMITED
from bot.chat import PersonId, PlaceId
from bot.commands import COMMANDS
from bot.painting import Painter
from bot.service import Service
from bot.store.store import Store
from bot.table import Phase, Table, TableId
from rules import GAMES, Action, State
from tests.bot.conftest import HandClock
from tests.emulators.discord import Discord
from tests.emulators.telegram.server import Telegram

MOST_ACTIONS = 600
NAMES = ("Anna", "Ben", "Clara", "David")
Type = Callable[[PersonId, str], Awaitable[object]]


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

    async def to_the_end(self, types: Type) -> Table:
        """Let whoever is to act type something legal, again and again; the table that is over."""
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
                await types(table.seats[state.actor].person, str(self._choice(state, number)))
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
    async with Discord() as discord:
        hall = discord.channel("hall")
        chat = on_discord.open(discord.environment)
        service.add(chat)
        await chat.start(service)
        await discord.connected()
        people = [discord.person(name, hall) for name in NAMES[: GAMES[game].seats[0]]]
        await people[0].types("/newgame", game=game)
        lobby = await hall.reads("who plays?")
        for person in people[1:]:
            await person.presses("Join", on=lobby)
            await hall.reads(person.name)
        await people[0].presses("Start", on=lobby)
        await hall.reads("The game begins")
        by_id = {PersonId(f"discord:{person.id}"): person for person in people}

        async def types(person: PersonId, text: str) -> None:
            done = await by_id[person].types("/move", notation=text)
            assert done.answer is not None
            assert done.answer.text == texts.say("table", "played", "en", action=text)

        match = Match(store, service, clock, PlaceId(f"discord:{hall.id}"))
        over = await match.to_the_end(types)
        await discord.until(lambda: "Play again" in hall.newest().buttons or None, "the final board")
        assert over.result is not None
        await chat.stop()


@pytest.mark.parametrize("game", GAMES)
async def test_people_type_the_whole_game_on_telegram(
    game: str, store: Store, service: Service, clock: HandClock
) -> None:
    async with Telegram() as telegram:
        members = [telegram.person(name, lang="en") for name in NAMES[: GAMES[game].seats[0]]]
        hall = telegram.group("Hall", *members)
        chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
        service.add(chat)
        await chat.start(service)
        await members[0].types(f"/newgame {game}", hall)
        await hall.offers("Join")
        for person in members[1:]:
            await person.presses("Join", hall)
        await members[0].presses("Start", hall)
        await telegram.handled()
        await service.idle()
        by_id = {PersonId(f"telegram:{person.id}"): person for person in members}

        async def types(person: PersonId, text: str) -> None:
            await by_id[person].types(f"/move {text}", hall)
            await telegram.handled()

        match = Match(store, service, clock, hall.place)
        over = await match.to_the_end(types)
        assert "Play again" in hall.newest().flat
        assert over.result is not None
        await chat.stop()
    assert telegram.violations == []
