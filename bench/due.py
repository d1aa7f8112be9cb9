"""The speed of due work: the reminders of all tables at once, on a platform that answers at once, while forced actions
become due at other tables.

People wait on the clock, so the machine should be idle; the CPU time is the bot's alone, and shows how fast it would be
on an idle machine.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bench import Row
from bench.turn import PEOPLE, Blank, Nowhere
from bot.app import build
from bot.chat import MessageId, Place, PlaceId, Post, Typed, Update, UpdateId
from bot.runtime import gc_tuning
from bot.runtime.clock import RealClock, to_ms
from bot.runtime.tasks import cancelled
from bot.service import upkeep
from bot.service.service import Service
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables import table as tables
from bot.tables.board_message import BoardMessage
from bot.tables.table import Entry, Table, TableId
from bot.tables.waiting import OnClock
from rules import GAMES, State

EVERY_S = 0.25
"""Interval of the forced actions."""


class Storm(Struct, frozen=True):
    """*forced*: number of forced actions. *late_s*: the longest delay until one of them was played and shown."""

    reminders: int
    seconds: float
    cpu_s: float
    forced: int
    late_s: float


class Counting(Nowhere):
    """Counts reminders, and notes when the boards of forced actions were posted."""

    def __init__(self) -> None:
        super().__init__()
        self.reminders = 0
        self.shown: dict[PlaceId, float] = {}

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        self.reminders += place.startswith("room:reminded")
        self._note(place)
        return await super().post(place, post, nonce)

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        self._note(place)
        await super().edit(place, message, post)

    def _note(self, place: PlaceId) -> None:
        self.shown.setdefault(place, time.time())
        self.posted.set()

    async def until(self, enough: Callable[[], bool]) -> None:
        while not enough():
            self.posted.clear()
            await self.posted.wait()


def forced() -> State:
    """Return a position with a forced action."""
    state: State = GAMES["colorio"].start(2, {"scoring": "rounds"}, seed=7)
    while state.forced is None:
        state = state.play(state.actions()[0])
    return state


async def storm(reminders: int = 100_000) -> Storm:
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder), fsync="everysec") as server:
            store, clock, chat = await Store.open(server.url), RealClock(), Counting()
            service = build(store, Blank(), clock, draw=lambda n: "07" * n)
            service.add(chat)
            model = await _model(service, store)
            await _copies(store, model, reminders, to_ms(clock.now()))
            gc_tuning.begin()
            begun, cpu = time.perf_counter(), time.process_time()
            due: dict[PlaceId, float] = {}
            tasks = [
                asyncio.create_task(upkeep.watch(service, clock, alone=False)),
                asyncio.create_task(_forced_now_and_then(store, model, due)),
            ]
            await chat.until(lambda: chat.reminders >= reminders)
            took, used = time.perf_counter() - begun, time.process_time() - cpu
            await cancelled(tasks[1])
            await chat.until(lambda: not due.keys() - chat.shown.keys())
            await cancelled(*tasks)
            await service.stop()
            await store.close()
            late = max(chat.shown[place] - when for place, when in due.items())
            return Storm(reminders, took, used, len(due), late)


async def _model(service: Service, store: Store) -> Table:
    """Start a game, and return its table."""
    place = Place(PlaceId("room:model"))
    for number, (person, text) in enumerate(
        ((PEOPLE[0], "/newgame kabooom easy 8h"), (PEOPLE[1], "/join"), (PEOPLE[0], "/start"))
    ):
        await service.handle(Update(UpdateId(f"room:{number}"), person, place, Typed(text)))
    await service.idle()
    held = await store.at(place.id)
    loaded = None if held is None else await store.load(held)
    assert loaded is not None
    await store.done_due(loaded.table.id, loaded.table.revision)
    return loaded.table


async def _copies(store: Store, model: Table, count: int, now_ms: int) -> None:
    """Save *count* tables like *model*, with reminders that are due now."""

    async def save(number: int) -> None:
        id_, place = TableId(f"r{number:09}"), PlaceId(f"room:reminded{number}")
        since_ms = now_ms - 5 * 3600 * 1000
        table = replace(model, id=id_, place=place, revision=1, waiting=OnClock(since_ms))
        entry = Entry(1, 0, "a1-b1", since_ms)
        name = await store.save(table, (entry,), None, now_ms=now_ms, repost_ms=now_ms, due_ms=now_ms, expire_ms=None)
        await store.record_post(id_, BoardMessage(MessageId("1"), 1, "turn1"), save=name)

    for first in range(0, count, 50):
        await asyncio.gather(*(save(number) for number in range(first, min(first + 50, count))))


async def _forced_now_and_then(store: Store, model: Table, due: dict[PlaceId, float]) -> None:
    state = forced()
    while True:
        number, now = len(due), time.time()
        id_, place = TableId(f"f{number:09}"), PlaceId(f"room:forced{number}")
        model = replace(model, game="colorio", options={"scoring": "rounds"})
        table = replace(tables.with_state(model, state), id=id_, place=place, revision=1)
        now_ms = int(1000 * now)
        entry = Entry(1, 0, "a1", now_ms - 70_000)
        times: dict[str, Any] = {"now_ms": now_ms, "repost_ms": now_ms + 99_000, "due_ms": now_ms}
        name = await store.save(table, (entry,), None, expire_ms=None, urgent=True, **times)
        await store.record_post(id_, BoardMessage(MessageId("1"), 1, "turn1"), save=name)
        due[place] = now
        await asyncio.sleep(EVERY_S)


def rows(*, small: bool = False) -> Iterator[Row]:
    measured = asyncio.run(storm(10 if small else 20_000))
    speed = f"{measured.reminders / measured.seconds:,.0f}/s, {measured.reminders / measured.cpu_s:,.0f} a CPU second"
    late = f"forced actions meanwhile {measured.late_s:.1f} s late at most"
    yield "reminders due all at once, a platform that answers at once", speed, late, "≥ 167/s, ≤ 3 s"


if __name__ == "__main__":
    sys.stdout.write(f"{asyncio.run(storm(int(sys.argv[1]) if sys.argv[1:] else 100_000))}\n")
