"""A whole turn, from the button to the post, on a real store and without the picture: CPU time of the bot's process.

The yardstick is what boardgame.io's real server was measured to do, 1,970 moves a CPU second: it needs another runtime,
so it is a number here.
"""

import asyncio
import tempfile
import time
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from msgspec import Struct

from bot import press
from bot.chat import MessageId, Person, PersonId, Picture, Place, PlaceId, Press, Reply, Typed, Update, UpdateId
from bot.clock import RealClock
from bot.painting import Painter
from bot.press import Verb
from bot.service import Service
from bot.store.embedded import Embedded
from bot.store.store import Store
from renderers import Look
from rules import State

YARDSTICK = 1970
ROOM = Place(PlaceId("room:hall"))


class Turns(Struct, frozen=True):
    turns: int
    cpu_ms: float  # of one turn

    @property
    def ratio(self) -> float:
        """Turns a CPU second, against the yardstick's."""
        return 1000 / self.cpu_ms / YARDSTICK


class Nowhere:
    """A platform that takes everything."""

    name = "room"
    knows_nonces = True

    def __init__(self) -> None:
        self.newest = Reply()
        self.posted = asyncio.Event()
        self._numbers = count(1)

    async def start(self, host: object) -> str:
        return ""

    async def stop(self) -> None:
        pass

    async def post(self, place: PlaceId, reply: Reply, nonce: str) -> MessageId:
        self.newest = reply
        self.posted.set()
        return MessageId(f"{next(self._numbers)}")

    async def edit(self, place: PlaceId, message: MessageId, reply: Reply) -> None:
        self.newest = reply

    async def strip(self, place: PlaceId, message: MessageId) -> None:
        pass

    async def delete(self, place: PlaceId, message: MessageId) -> None:
        pass

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        return None


class Unhurried(RealClock):
    """A second goes by at every look, as people take their time; nobody plays faster than the bot allows."""

    def __init__(self) -> None:
        self._looks = count()

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(self._looks))


class Blank(Painter):
    """Paints nothing: the picture has a bench of its own."""

    async def picture(self, view: State, look: Look) -> Picture:
        return Picture(b"", "")


async def measure(seconds: float = 3.0) -> Turns:
    """Games of two people who press the first button there is, for so long."""
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder)) as server:
            store = await Store.open(server.url)
            chat, painter = Nowhere(), Blank()
            service = Service(store, painter, Unhurried())
            service.add(chat)
            found = await _games(service, chat, seconds)
            await service.stop()
            await store.close()
            painter.close()
            return found


async def _games(service: Service, chat: Nowhere, seconds: float) -> Turns:
    numbers = count(1)
    anna, ben = Person(PersonId("room:anna"), "Anna", "en"), Person(PersonId("room:ben"), "Ben", "en")

    async def do(person: Person, body: Typed | Press) -> None:
        await service.handle(Update(UpdateId(f"room:{next(numbers)}"), person, ROOM, body))

    turns, cpu, until = 0, 0.0, time.monotonic() + seconds
    while time.monotonic() < until:
        await do(anna, Typed("/newgame kabooom medium"))
        await do(ben, Typed("/join"))
        await do(anna, Typed("/start"))
        await service.idle()
        table, revision = _table(chat.newest), 3
        begun = time.process_time()
        while chat.newest.call is not None:
            chat.posted.clear()
            await do(chat.newest.call.person, Press(press.write(Verb.PLAY, table, revision, 0)))
            await chat.posted.wait()
            revision, turns = revision + 1, turns + 1
        await service.idle()
        cpu += time.process_time() - begun
    return Turns(turns, cpu * 1000 / turns)


def _table(reply: Reply) -> str:
    row = reply.rows[0]
    assert isinstance(row, tuple)
    found = press.read(row[0].payload)
    assert found is not None
    return found.word


if __name__ == "__main__":
    print(asyncio.run(measure()))
