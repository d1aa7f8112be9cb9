"""The speed of the daily puzzle's posts: all places are due at once, on a platform that answers at once, while two
people play on. Places of one hour are really spread over eight minutes.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

from msgspec import Struct

from bench import Row
from bench.loop import Ahead
from bench.turn import PEOPLE, Blank, Nowhere
from bot.app import build
from bot.chat import MessageId, Place, PlaceId, Post, Typed, Update, UpdateId
from bot.runtime import gc_tuning
from bot.runtime.clock import to_ms
from bot.runtime.tasks import cancelled
from bot.service import upkeep
from bot.service.service import Service
from bot.store.daily import DailyDue, DailyWork
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables.preferences import DAILY

EVERY_S = 0.05
"""Pause between two turns."""
ALONE = 40
"""Turns before the posts, for comparison."""
AT_ONCE = 100
HOUR = 10
"""The hour of all posts. The measurement begins two hours later, so all of them are due, and none is too late."""


class Morning(Struct, frozen=True):
    """*turn_ms*, *alone_ms*: the time from a move to its answer that 99 of 100 turns keep, during the posts and before
    them."""

    posts: int
    seconds: float
    cpu_s: float
    turn_ms: float
    alone_ms: float


class Counting(Nowhere):
    """Counts the puzzles."""

    def __init__(self) -> None:
        super().__init__()
        self.puzzles = 0

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        self.puzzles += place.startswith("room:daily")
        return await super().post(place, post, nonce)

    async def until(self, puzzles: int) -> None:
        while self.puzzles < puzzles:
            self.posted.clear()
            await self.posted.wait()


class Match:
    """Two people who play on."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._place = Place(PlaceId("room:match"))
        self._numbers = count(1)

    async def play(self, turns: int = sys.maxsize) -> None:
        self.took_ms: list[float] = []
        while len(self.took_ms) < turns:
            snapshot = await self._service.repository.on(self._place.id)
            if snapshot is None or snapshot.state is None or snapshot.state.actor is None:
                for seat, text in ((0, "/newgame kabooom easy"), (1, "/join"), (0, "/start")):
                    await self._says(seat, text)
                continue
            people = [person.id for person in PEOPLE]
            actor = people.index(snapshot.table.seats[snapshot.state.actor].person)
            begun = time.perf_counter()
            await self._says(actor, f"/move {snapshot.state.actions()[-1]}")
            self.took_ms.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(EVERY_S)

    async def _says(self, seat: int, text: str) -> None:
        update = UpdateId(f"room:{next(self._numbers)}")
        await self._service.handle(Update(update, PEOPLE[seat], self._place, Typed(text)))

    @property
    def slow_ms(self) -> float:
        return sorted(self.took_ms)[int(0.99 * len(self.took_ms))]


async def morning(posts: int = 100_000) -> Morning:
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder), fsync="everysec") as server:
            store, clock, chat = await Store.open(server.url), Ahead(), Counting()
            now = clock.now()
            clock.by = now.replace(hour=HOUR + 2, minute=0) - now
            service = build(store, Blank(), clock, draw=lambda n: "07" * n)
            service.add(chat)
            match = Match(service)
            await match.play(min(ALONE, posts))
            alone_ms = match.slow_ms
            await _places(store, posts, clock.now())
            gc_tuning.begin()
            begun, cpu = time.perf_counter(), time.process_time()
            tasks = [
                asyncio.create_task(upkeep.watch(service, clock, alone=False)),
                asyncio.create_task(match.play()),
            ]
            await chat.until(posts)
            took, used = time.perf_counter() - begun, time.process_time() - cpu
            turn_ms = match.slow_ms if match.took_ms else 0.0
            await cancelled(*tasks)
            await service.stop()
            await store.close()
            return Morning(posts, took, used, turn_ms, alone_ms)


async def _places(store: Store, number: int, now: datetime) -> None:
    """Let so many places be due now."""

    async def wish(place: PlaceId) -> None:
        await store.set_place_setting(place, DAILY.name, str(HOUR))
        await store.daily_places.schedule(DailyDue(DailyWork.POST, place), to_ms(now))

    for first in range(0, number, AT_ONCE):
        last = min(first + AT_ONCE, number)
        await asyncio.gather(*(wish(PlaceId(f"room:daily{place}")) for place in range(first, last)))


def rows(*, small: bool = False) -> Iterator[Row]:
    measured = asyncio.run(morning(10 if small else 5_000))
    speed = f"{measured.posts / measured.seconds:,.0f}/s, {measured.posts / measured.cpu_s:,.0f} a CPU second"
    late = f"turns meanwhile {measured.turn_ms - measured.alone_ms:.0f} ms slower"
    yield "puzzles due all at once, a platform that answers at once", speed, late, "≥ 167/s, ≤ 100 ms"


if __name__ == "__main__":
    sys.stdout.write(f"{asyncio.run(morning(int(sys.argv[1]) if sys.argv[1:] else 100_000))}\n")
