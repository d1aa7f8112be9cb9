"""How long the event loop is held, which delays everything else.

A ticker asks for its turn every millisecond. Its delay is counted in CPU time of the whole process, the painter's
thread included, so that other load on the machine does not count. People may just notice a hold of 50 ms.
"""

import asyncio
import gc
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from msgspec import Struct

from bench import Row
from bench.turn import Blank, Nowhere
from bot import app
from bot.app import build
from bot.chat import Person, PersonId, Place, PlaceId, Press, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.requests import Play, Stamp
from bot.runtime import gc_tuning
from bot.runtime.clock import RealClock
from bot.service.service import Service
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables.table import Phase, Table

TICK_S = 0.001
GAMES = ("kaleidoskop", "kabooom easy", "kalejdoschach", "crystalla")


class Held(Struct, frozen=True):
    """Milliseconds of CPU time between two turns of the ticker. *done*: turns played, or tables that were due."""

    most_ms: float
    p999_ms: float
    done: int
    seconds: float


class Ticker:
    """Measures while it is entered."""

    def __init__(self) -> None:
        self._held: list[float] = []

    async def __aenter__(self) -> "Ticker":
        self._begun = time.perf_counter()
        self._task = asyncio.create_task(self._tick(), name="ticker")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        self._seconds = time.perf_counter() - self._begun

    async def _tick(self) -> None:
        while True:
            begun = time.process_time()
            await asyncio.sleep(TICK_S)
            self._held.append(1000 * (time.process_time() - begun))

    def held(self, done: int) -> Held:
        held = sorted(self._held)
        return Held(held[-1], held[int(len(held) * 0.999)], done, self._seconds)


class Ahead(RealClock):
    """A clock that is *by* ahead."""

    by = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.by

    def monotonic(self) -> float:
        return super().monotonic() + self.by.total_seconds()


def people(place: Place) -> tuple[Person, Person]:
    """Return the two people who play only in *place*, because the number of a person's tables is limited."""
    return Person(PersonId(f"{place.id}-anna"), "Anna", "en"), Person(PersonId(f"{place.id}-ben"), "Ben", "en")


class Town(Struct, frozen=True):
    """Many rooms, each with a table."""

    store: Store
    service: Service
    clock: Ahead
    numbers: Iterator[int]
    places: tuple[Place, ...]

    async def do(self, place: Place, person: Person, body: Typed | Press) -> None:
        await self.service.handle(Update(UpdateId(f"room:{next(self.numbers)}"), person, place, body))

    async def table(self, place: Place) -> Table | None:
        """Return the running table in *place*, or None."""
        held = await self.store.at(place.id)
        loaded = None if held is None else await self.store.load(held)
        return loaded.table if loaded is not None and loaded.table.phase == Phase.RUNNING else None

    async def begin(self, place: Place, game: str) -> None:
        anna, ben = people(place)
        await self.do(place, anna, Typed(f"/newgame {game}"))
        await self.do(place, ben, Typed("/join"))
        await self.do(place, anna, Typed("/start"))
        assert await self.table(place) is not None, f"{game} does not begin"


@asynccontextmanager
async def opened(rooms: int, painter: Pictures) -> AsyncIterator[Town]:
    await app.warm_up()
    gc_tuning.begin()
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder), fsync="everysec") as server:
            store, clock, chat = await Store.open(server.url), Ahead(), Nowhere()
            service = build(store, painter, clock, draw=lambda n: "07" * n)
            service.add(chat)
            places = tuple(Place(PlaceId(f"room:{number}")) for number in range(rooms))
            yield Town(store, service, clock, count(1), places)
            await service.stop()
            await store.close()
            painter.close()
    gc.unfreeze()


async def saturated(seconds: float = 10.0, rooms: int = 24, at_once: int = 6) -> Held:
    """Measure while all people play as fast as the bot answers, with pictures."""
    async with opened(rooms, Pictures()) as town:
        for number, place in enumerate(town.places):
            await town.begin(place, GAMES[number % len(GAMES)])
            town.clock.by += timedelta(seconds=10)  # not too fast for the rate limit
        await town.service.idle()
        until, turns = time.monotonic() + seconds, count()

        async def play(mine: tuple[Place, ...]) -> None:
            while time.monotonic() < until:
                for place in mine:
                    table = await town.table(place)
                    town.clock.by += timedelta(seconds=2)
                    if table is None:
                        await town.begin(place, GAMES[town.places.index(place) % len(GAMES)])
                        continue
                    for person in people(place):
                        await town.do(place, person, Press(Play(table.id, Stamp.of(table), 0, sure=True).payload))
                    next(turns)

        async with Ticker() as ticker:
            await asyncio.gather(*(play(town.places[first::at_once]) for first in range(at_once)))
        return ticker.held(next(turns))


async def storm(rooms: int = 200) -> Held:
    """Measure while the turns of all tables become due at once."""
    async with opened(rooms, Blank()) as town:
        for place in town.places:
            await town.begin(place, "kalejdoschach 8h")
            town.clock.by += timedelta(seconds=10)
        await town.service.idle()
        town.clock.by += timedelta(hours=9)
        async with Ticker() as ticker:
            for _ in range(-(-rooms // 100)):
                await town.service.do_due()
            await town.service.idle()
        return ticker.held(rooms)


def rows(*, small: bool = False) -> Iterator[Row]:
    held = asyncio.run(saturated(0.1, 1, 1) if small else saturated())
    figure = f"{held.p999_ms:.0f} ms at p99.9, {held.most_ms:.0f} ms at most"
    yield "event loop held, all people at once, with pictures", figure, f"{held.done} turns", "≤ 30 ms, ≤ 50 ms"
    held = asyncio.run(storm(1) if small else storm())
    yield "event loop held, tables due all at once", f"{held.most_ms:.0f} ms at most", f"{held.done} tables", "≤ 50 ms"


if __name__ == "__main__":
    print(asyncio.run(saturated()))
    print(asyncio.run(storm()))
