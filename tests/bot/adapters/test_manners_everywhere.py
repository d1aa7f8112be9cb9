"""Reminders, votes, rematches and resignations in every game, on the emulated platforms."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Protocol

import pytest
from msgspec import Raw

from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.app import build
from bot.chat import PersonId, PlaceId
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.requests.commands import COMMANDS
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Phase, Table, TableId
from rules import GAMES, State, proof
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.conftest import HandClock
from tests.emulators.discord import Discord
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Message

NAMES = ("Anna", "Ben", "Clara", "David")


class Stage(Protocol):
    """A platform with several people, by their names there."""

    place: PlaceId

    async def types(self, who: str, command: str) -> None: ...

    async def presses(self, who: str, label: str) -> None:
        """Return the newest button with that label, in public or in this person's private messages."""
        ...

    async def reads(self, who: str, *words: str) -> bytes | None:
        """Wait until a person reads *words*; return the file of that message."""
        ...

    @property
    def board(self) -> tuple[str, list[str]]:
        """Return the text of the newest post and its buttons."""
        ...

    def person(self, who: str) -> PersonId: ...

    @property
    def pings(self) -> int:
        """Return the number of pings so far."""
        ...

    async def until(self, right: Callable[[], bool], what: str) -> None: ...


class DiscordStage:
    def __init__(self, discord: Discord, service: Service, seats: int) -> None:
        self._discord = discord
        self._service = service
        self._hall = discord.channel("hall")
        self._people = {name: discord.person(name, self._hall) for name in NAMES[:seats]}
        self.place = PlaceId(self._hall.place)

    async def types(self, who: str, command: str) -> None:
        name, _, rest = command.partition(" ")
        game, _, clock = rest.partition(" ")
        given = {"game": game, "clock": clock} if game else {}
        await self._people[who].types(name, **{key: value for key, value in given.items() if value})
        await self._service.idle()

    async def presses(self, who: str, label: str) -> None:
        await (await self._people[who].presses(label)).answered()
        await self._service.idle()

    async def reads(self, who: str, *words: str) -> bytes | None:
        await self._people[who].reads(words[0])
        message = next(
            message for message in reversed(self._people[who].sees()) if all(word in message.text for word in words)
        )
        return message.attachments[0].content if message.attachments else None

    @property
    def board(self) -> tuple[str, list[str]]:
        return self._hall.newest().text, self._hall.newest().buttons

    def person(self, who: str) -> PersonId:
        return PersonId(f"discord:{self._people[who].id}")

    @property
    def pings(self) -> int:
        return sum(len(message.pinged) for message in self._hall.public)

    async def until(self, right: Callable[[], bool], what: str) -> None:
        await self._discord.until(lambda: right() or None, what)


class TelegramStage:
    def __init__(self, telegram: Telegram, service: Service, seats: int) -> None:
        self._telegram = telegram
        self._service = service
        people = [telegram.person(name, lang="en") for name in NAMES[:seats]]
        self._people = dict(zip(NAMES, people, strict=False))
        self._hall = telegram.group("Hall", *people)
        self._hall.admins = []  # a single player cannot end a game
        for person in people:
            person.private().closed = False
        self.place = self._hall.place

    async def types(self, who: str, command: str) -> None:
        await self._people[who].types(command, self._hall)
        await self._telegram.handled()
        await self._service.idle()

    async def presses(self, who: str, label: str) -> None:
        await self._people[who].presses(label, self._hall)
        await self._telegram.handled()
        await self._service.idle()

    async def reads(self, who: str, *words: str) -> bytes | None:
        def is_read() -> bool:
            return any(all(word in message.text for word in words) for message in self._all(who))

        await self.until(is_read, f"{who} is told {words}")
        message = next(message for message in reversed(self._all(who)) if all(word in message.text for word in words))
        return None if message.file is None else message.file.content

    def _all(self, who: str) -> list[Message]:
        return [*self._hall.said(), *self._people[who].private().said()]

    @property
    def board(self) -> tuple[str, list[str]]:
        posts = [message for message in self._hall.said() if message.quoted is None]
        return posts[-1].text, posts[-1].flat

    def person(self, who: str) -> PersonId:
        return PersonId(f"telegram:{self._people[who].id}")

    @property
    def pings(self) -> int:
        return sum(len(message.pinged()) for message in self._hall.said())

    async def until(self, right: Callable[[], bool], what: str) -> None:
        await self._telegram.until(lambda: right() or None, what)


@asynccontextmanager
async def on_the_emulated_discord(service: Service, seats: int) -> AsyncIterator[Stage]:
    async with Discord() as discord:
        stage = DiscordStage(discord, service, seats)
        chat = on_discord.open(discord.environment)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        await discord.connected()
        yield stage
        await chat.stop()


@asynccontextmanager
async def on_the_emulated_telegram(service: Service, seats: int) -> AsyncIterator[Stage]:
    async with Telegram() as telegram:
        stage = TelegramStage(telegram, service, seats)
        chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        yield stage
        await chat.stop()
    assert telegram.violations == []


class Evening:
    """A running table and its stored form."""

    def __init__(self, stage: Stage, store: Store, service: Service, clock: HandClock) -> None:
        self._stage = stage
        self._store = store
        self._service = service
        self._clock = clock

    async def passes(self, **time: float) -> None:
        await self._clock.advance(timedelta(**time))
        await self._service.do_due()
        await self._service.idle()

    async def held(self) -> TableId:
        held = await self._store.at(self._stage.place)
        assert held is not None
        return held

    async def table(self, held: TableId) -> Table:
        loaded = await self._store.load(held)
        assert loaded is not None
        return loaded.table

    async def up(self, people: tuple[str, ...]) -> str:
        """Return the actor; the table plays forced actions first."""
        for _ in range(20):
            table = await self.table(await self.held())
            assert isinstance(table.state, Raw)
            state: State = GAMES[table.game].decode(bytes(table.state))
            if state.forced is None:
                assert state.actor is not None
                person = table.seats[state.actor].person
                return next(name for name in people if self._stage.person(name) == person)
            await self.passes(seconds=10)
        raise AssertionError("the table plays on and on")


@pytest.mark.parametrize("opened", [on_the_emulated_discord, on_the_emulated_telegram], ids=["discord", "telegram"])
@pytest.mark.parametrize("game", GAMES)
async def test_no_client_waits_for_ever_and_the_history_can_be_read(
    game: str,
    opened: Callable[[Service, int], AbstractAsyncContextManager[Stage]],
    store: Store,
    painter: Pictures,
    clock: HandClock,
) -> None:
    """A silent player is reminded twice, and the house plays. Then a vote ends the game, a rematch follows, and one
    player resigns. The history and the luck can be checked."""
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    seats = max(2, GAMES[game].seats[0])
    host, *others = people = NAMES[:seats]
    async with opened(service, seats) as stage:
        evening = Evening(stage, store, service, clock)
        await stage.types(host, f"/newgame {game} 8h")
        for name in others:
            await stage.presses(name, say("button.join", "en"))
        if seats < GAMES[game].seats[-1]:
            await stage.presses(host, say("button.start", "en"))
        held = await evening.held()

        silent, pings = await evening.up(people), stage.pings
        for hours in (4.1, 3.2):
            await evening.passes(hours=hours)
        assert stage.pings == pings + 2
        await evening.passes(hours=1)
        assert f"{silent} hasn't made a first move in time" in stage.board[0]
        turn = (await evening.table(held)).turn
        await stage.presses(next(name for name in people if name != silent), say("button.house", "en"))
        assert (await evening.table(held)).turn > turn
        assert stage.pings <= pings + 3, "and whoever is next is called, once"

        await stage.types(host, "/end")
        for name in others[: seats // 2]:  # more than half, with the asker
            assert say("button.agree", "en") in stage.board[1]
            await stage.presses(name, say("button.agree", "en"))
        assert "ended the game." in stage.board[0]
        assert (await evening.table(held)).phase == Phase.OVER

        await stage.types(host, "/history")
        await stage.reads(host, "all the moves", people[0])
        await stage.types(host, "/verify")
        record = await stage.reads(host, "seed: 0707")
        assert record is not None
        assert proof.check(proof.decode(record)).outcome is None

        await stage.presses(host, say("button.again", "en"))
        for name in others:
            await stage.presses(name, say("button.join", "en"))
        if (await evening.table(await evening.held())).phase == Phase.LOBBY:
            await stage.presses(host, say("button.start", "en"))
        second = await evening.held()
        assert second != held
        for name in people:
            if (await evening.table(second)).phase == Phase.OVER:
                break
            await stage.types(name, "/resign")
            await stage.presses(name, say("button.resign", "en"))
        await stage.until(lambda: say("button.again", "en") in stage.board[1], "it is over")
    await service.stop()
