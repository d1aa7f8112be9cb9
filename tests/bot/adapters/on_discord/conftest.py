"""An emulated Discord, a channel in it, and the bot with a small host instead of the service."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from bot.adapters import on_discord
from bot.chat import (
    Button,
    Chat,
    File,
    FileKind,
    MessageId,
    Place,
    PlaceAdded,
    PlaceEvent,
    PlaceId,
    PlaceLost,
    PlaceMoved,
    PlaceRegained,
    PlaceSwept,
    PublicPicture,
    Reply,
    Suggestion,
    Target,
    Update,
)
from tests.bot.adapters.hosts import MemoryStorage
from tests.emulators.discord import Channel, Discord

PNG = b"\x89PNG\r\n\x1a\n"
BOARD = PublicPicture(PNG, "Anna a1, Ben c3")
FILM = File("film.gif", b"GIF89a...", FileKind.ANIMATION, "Three moves")
RECORD = File("record.json", b"{}", alt="A record")


class House:
    """A host with prepared answers that records its requests. *gate*: blocks answers until it opens. *lives_s*:
    reported lifetimes of tokens."""

    def __init__(self) -> None:
        self.storage = MemoryStorage()
        self.updates: list[Update] = []
        self.places: list[Place] = []
        self.ended: list[PlaceId] = []
        self.back: list[PlaceId] = []
        self.says: Reply | None = None
        self.does: Callable[[Update], Awaitable[Reply | None]] | None = None
        self.suggests: tuple[Suggestion, ...] = ()
        self.showings: list[tuple[str, PlaceId, MessageId]] = []
        self.open: dict[MessageId, float | None] = {}
        self.completed: list[tuple[Update, str]] = []
        self.lives_s: list[float | None] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self._asked = asyncio.Condition()

    async def asked(self, times: int = 1) -> list[Update]:
        """Wait until so many updates came; all of them."""
        async with self._asked:
            await self._asked.wait_for(lambda: len(self.updates) >= times)
        return self.updates

    async def handle(self, update: Update) -> Reply | None:
        self.updates.append(update)
        async with self._asked:
            self._asked.notify_all()
        await self.gate.wait()
        return await self.does(update) if self.does is not None else self.says

    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        self.showings.append((expiry, place, message))
        self.lives_s.append(ttl_s)
        async with self._asked:
            self._asked.notify_all()

    async def was_shown(self, update: Update, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> Button:
        self.open[message] = ttl_s
        return Button("Close all", "all:")

    async def heard(self, times: int) -> list[tuple[str, PlaceId, MessageId]]:
        """Wait for so many reports of fading replies; return them."""
        async with self._asked:
            await self._asked.wait_for(lambda: len(self.showings) >= times)
        return self.showings

    async def place_changed(self, event: PlaceEvent) -> None:
        match event:
            case PlaceAdded(place):
                self.places.append(place)
            case PlaceRegained(place_id):
                self.back.append(place_id)
            case PlaceLost(place_id):
                self.ended.append(place_id)
            case PlaceMoved() | PlaceSwept():
                raise AssertionError("places at Discord keep their ids and their messages")
        async with self._asked:
            self._asked.notify_all()

    async def notified(self, enough: Callable[[], bool]) -> None:
        """Wait until enough is known of places."""
        async with self._asked:
            await self._asked.wait_for(enough)

    async def targets(self, update: Update) -> tuple[Target, ...]:
        return ()

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        self.completed.append((update, argument))
        await self.gate.wait()
        return self.suggests


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with Discord() as opened:
        yield opened


@pytest.fixture
def hall(discord: Discord) -> Channel:
    return discord.channel("hall")


@pytest.fixture
def house() -> House:
    return House()


@asynccontextmanager
async def running(discord: Discord, house: House, **values: str) -> AsyncIterator[Chat]:
    """Yield the connected bot with registered commands."""
    chat = on_discord.open({**discord.environment, **values})
    try:
        await chat.start(house, house.storage)
        await discord.connected()
        yield chat
    finally:
        await chat.stop()


@pytest.fixture
async def chat(discord: Discord, hall: Channel, house: House) -> AsyncIterator[Chat]:
    async with running(discord, house) as started:
        yield started


def place(channel: Channel) -> PlaceId:
    return PlaceId(channel.place)
