"""An emulated Telegram, a group in it, and bots with a small host instead of the service."""

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bot.adapters.on_telegram.chat import TelegramChat
from bot.chat import (
    Button,
    File,
    FileKind,
    MemberCame,
    MemberLeft,
    MessageId,
    Opened,
    PersonId,
    Place,
    PlaceAdded,
    PlaceEvent,
    PlaceId,
    PlaceLost,
    PlaceMoved,
    PlaceRegained,
    PlaceSwept,
    PlainMessage,
    Press,
    PublicPicture,
    Reply,
    Suggestion,
    Target,
    Typed,
    Update,
)
from bot.requests.registry import Argument, Command
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group

COMMANDS = (
    Command("newgame", (Argument("game"),)),
    Command("move", (Argument("move"),)),
    Command("start"),
    Command("end", manages=True),
    Command("block", (Argument("person"),)),
    Command("help"),
)


def png(width: int = 40, height: int = 30, shade: int = 128) -> bytes:
    """Return a picture of one grey."""
    rows = (b"\x00" + bytes((shade,)) * width) * height

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PICTURE = PublicPicture(png(), "A grey board.")
FILM = File("film.gif", b"GIF89a...", FileKind.ANIMATION, "Three moves.")
RECORD = File("record.json", b"{}")
OTHER_PICTURE = PublicPicture(png(shade=200), "A lighter board.")


class Listener:
    """A host that records its requests. *replies*: by typed or pressed text; an exception is raised. *gates*:
    requests that wait for an event."""

    def __init__(self) -> None:
        self.storage = MemoryStorage()
        self.updates: list[Update] = []
        self.places: list[Place] = []
        self.ended: list[PlaceId] = []
        self.back: list[PlaceId] = []
        self.moves: list[tuple[PlaceId, PlaceId]] = []
        self.departed: list[tuple[PlaceId, PersonId]] = []
        self.showings: list[tuple[str, PlaceId, MessageId]] = []
        self.open: dict[MessageId, float | None] = {}
        self.replies: dict[str, Reply | Exception] = {}
        self.gates: dict[str, asyncio.Event] = {}

    async def handle(self, update: Update) -> Reply | None:
        self.updates.append(update)
        said = _said(update)
        if said in self.gates:
            await self.gates[said].wait()
        reply = self.replies.get(said)
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def targets(self, update: Update) -> tuple[Target, ...]:
        return ()

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        return ()

    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        self.showings.append((expiry, place, message))

    async def was_shown(self, update: Update, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> Button:
        self.open[message] = ttl_s
        return Button("Close all", "all:")

    async def place_changed(self, event: PlaceEvent) -> None:
        match event:
            case PlaceAdded(place):
                self.places.append(place)
            case PlaceRegained(place_id):
                self.back.append(place_id)
            case PlaceLost(place_id):
                self.ended.append(place_id)
            case PlaceMoved(place_id, new):
                self.moves.append((place_id, new))
            case MemberLeft(place_id, person):
                self.departed.append((place_id, person))
            case MemberCame(place_id, person):
                self.departed.remove((place_id, person))
            case PlaceSwept():
                raise AssertionError("Telegram keeps what was posted")

    @property
    def said(self) -> list[str]:
        """Return the typed and pressed texts, in order."""
        return [_said(update) for update in self.updates]


def _said(update: Update) -> str:
    match update.body:
        case Typed(text) | PlainMessage(text):
            return text
        case Press(payload):
            return payload
        case Opened():
            return "opened"
        case other:
            raise AssertionError(other)


Open = Callable[..., Awaitable[TelegramChat]]


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    """Yield a Telegram emulator: a request that violates a documented limit fails the test."""
    async with Telegram() as served:
        yield served
    assert served.violations == []


@pytest.fixture
def host() -> Listener:
    return Listener()


@pytest.fixture
async def opened(telegram: Telegram, host: Listener) -> AsyncIterator[Open]:
    """Starts bots on the emulated Telegram, and stops them after the test."""
    chats: list[TelegramChat] = []

    async def start(**settings: object) -> TelegramChat:
        given = {"token": telegram.token, "commands": COMMANDS, "api_url": telegram.url, "pace": UNLIMITED} | settings
        chat = TelegramChat(**given)  # type: ignore[arg-type]  # settings of all kinds in one mapping
        chats.append(chat)
        await chat.start(host, host.storage)
        return chat

    yield start
    for chat in chats:
        await chat.stop()


@pytest.fixture
async def chat(opened: Open) -> TelegramChat:
    return await opened()


@pytest.fixture
def hall(telegram: Telegram) -> Group:
    """Return a group with Anna, its administrator, who reads German, and Ben. Neither has opened the private chat."""
    anna = telegram.person("Anna", "Berg", username="anna_berg", lang="de")
    return telegram.group("Hall", anna, telegram.person("Ben", username="ben_the_tall"))
