"""CPU time of the bot's process for a whole turn, from the button to the post, on a real store and without a picture.

The yardstick is boardgame.io's real server with 1,970 moves a CPU second: it needs another runtime, so its result is a
constant. `tapped` measures a turn of several taps late in a long game of six, each answered with the next menu; its
yardstick is the first turns of the same game.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct

from bench import Row
from bot.app import build
from bot.chat import (
    Capabilities,
    Membership,
    MessageId,
    MessagePart,
    Person,
    PersonId,
    Picture,
    Place,
    PlaceId,
    Post,
    Press,
    Priority,
    Reception,
    Refused,
    Thread,
    Typed,
    Update,
    UpdateId,
)
from bot.delivery.painting import Pictures
from bot.requests import Play, Stamp, payload
from bot.runtime.clock import RealClock
from bot.service.service import Service
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables.table import Phase, Table
from renderers import Look
from rules import GAMES, State

YARDSTICK = 1970
ROOM = Place(PlaceId("room:hall"))
NAMES = ("Anna", "Ben", "Clara", "David", "Eva", "Finn")
PEOPLE = tuple(Person(PersonId(f"room:{name.lower()}"), name, "en") for name in NAMES)


class Turns(Struct, frozen=True):
    turns: int
    cpu_ms: float  # of one turn

    @property
    def ratio(self) -> float:
        """Turns a CPU second, relative to the yardstick."""
        return 1000 / self.cpu_ms / YARDSTICK


class Counted(Struct, frozen=True):
    cpu_s: float
    taps: int


class Tapped(Struct, frozen=True):
    late_ms: float  # CPU time of one turn among the last ones
    taps: float  # of such a turn
    tap_ms: float  # CPU time of one tap then
    early_ms: float  # and of one among the first
    turns: int  # of the whole game

    @property
    def ratio(self) -> float:
        """A tap late in the game, relative to one of the first."""
        return self.tap_ms / self.early_ms


class Nowhere:
    """A platform that accepts all posts."""

    name = "room"
    reception = Reception.UP

    def __init__(self) -> None:
        self.newest, self._last = Post(), MessageId("")
        self.posted = asyncio.Event()
        self._numbers = count(1)

    def capabilities(self, place: PlaceId, /) -> Capabilities:
        return Capabilities(dedupes_posts=True)

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        self.newest, self._last = post, MessageId(f"{next(self._numbers)}")
        self.posted.set()
        return self._last

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        pass

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        if message == self._last:
            self.newest = post

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        pass

    async def show_typing(self, place: PlaceId) -> None:
        pass

    async def membership(self, place: PlaceId, person: PersonId) -> Membership:
        return Membership.MEMBER

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        return None

    async def open_thread(self, place: PlaceId, title: str) -> Thread:
        raise Refused


class Unhurried(RealClock):
    """A clock that advances by a second at each look, so no player is too fast for the rate limit."""

    def __init__(self) -> None:
        self._looks = count()

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(self._looks))

    def monotonic(self) -> float:
        return float(next(self._looks))


class Blank(Pictures):
    """Paints nothing: pictures have a bench of their own."""

    async def picture(self, view: State, look: Look) -> Picture:
        return Picture(b"", "")

    async def hand(self, view: State, seat: int, look: Look) -> Picture:
        return Picture(b"", "")


class Hall(Struct, frozen=True):
    """A room with a bot and a platform that accepts all posts."""

    store: Store
    service: Service
    chat: Nowhere
    numbers: Iterator[int]

    async def do(self, person: Person, body: Typed | Press) -> None:
        await self.service.handle(Update(UpdateId(f"room:{next(self.numbers)}"), person, ROOM, body))

    async def newest(self) -> Table:
        held = await self.store.at(ROOM.id)
        loaded = None if held is None else await self.store.load(held)
        assert loaded is not None
        return loaded.table

    async def up(self) -> tuple[Table, State, Person] | None:
        """Return the table, its position and the player to act; None if no game runs."""
        if await self.store.at(ROOM.id) is None:
            return None
        table = await self.newest()
        if table.phase != Phase.RUNNING:
            return None
        state = GAMES[table.game].decode(bytes(cast("msgspec.Raw", table.state)))
        assert state.actor is not None
        return table, state, PEOPLE[[person.id for person in PEOPLE].index(table.seats[state.actor].person)]


@asynccontextmanager
async def opened() -> AsyncIterator[Hall]:
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder)) as server:
            store = await Store.open(server.url)
            chat, painter = Nowhere(), Blank()
            service = build(store, painter, Unhurried(), draw=lambda n: "07" * n)
            service.add(chat)
            yield Hall(store, service, chat, count(1))
            await service.stop()
            await store.close()
            painter.close()


async def measure(seconds: float = 3.0) -> Turns:
    """Measure games of two people who press the first button, for *seconds*."""
    async with opened() as hall:
        turns, cpu, until = 0, 0.0, time.monotonic() + seconds
        while time.monotonic() < until:
            await begin(hall, "kabooom medium", PEOPLE[:2])
            while (up := await hall.up()) is not None:  # not measured
                table, _, person = up
                begun = time.process_time()
                await hall.do(person, Press(Play(table.id, Stamp.of(table), 0, sure=True).payload))
                await hall.service.idle()
                cpu += time.process_time() - begun
                turns += 1
        return Turns(turns, cpu * 1000 / turns)


async def tapped(turns: int = 180, some: int = 30) -> Tapped:
    """Measure a game of six people who tap at random: the first and the last *some* of its *turns*."""
    luck, spent = random.Random(6), list[Counted]()
    async with opened() as hall:
        await begin(hall, "kaleidoskop long", PEOPLE)
        while len(spent) < turns:
            hall.chat.posted.clear()
            spent.append(await _tap_through_a_turn(hall, luck))
    early, late = (
        Counted(sum(turn.cpu_s for turn in part), sum(turn.taps for turn in part))
        for part in (spent[:some], spent[-some:])
    )
    return Tapped(
        late_ms=late.cpu_s * 1000 / some,
        taps=late.taps / some,
        tap_ms=late.cpu_s * 1000 / late.taps,
        early_ms=early.cpu_s * 1000 / early.taps,
        turns=turns,
    )


async def _tap_through_a_turn(hall: Hall, luck: random.Random) -> Counted:
    """Play one turn and return its CPU time and taps: the menu is opened and shown from its start again, then one
    action of each kind is played."""
    table = await hall.newest()
    turn, cost, taps = table.turn, 0.0, 0
    kinds = set[type]()
    while table.turn == turn:
        state = GAMES[table.game].decode(bytes(cast("msgspec.Raw", table.state)))
        assert state.actor is not None
        person = PEOPLE[[candidate.id for candidate in PEOPLE].index(table.seats[state.actor].person)]
        listed = state.actions()
        fresh = [number for number, action in enumerate(listed) if type(action) not in kinds]
        # The action that ends the turn is the last one of the list.
        number = next(
            (candidate for candidate in luck.sample(fresh, len(fresh)) if candidate < len(listed) - 1), len(listed) - 1
        )
        kinds.add(type(listed[number]))
        begun = time.process_time()
        for body in (payload.write("menu", table.id), Play(table.id, Stamp.of(table), number, sure=True).payload):
            await hall.do(person, Press(body))
        await hall.service.idle()
        cost, taps = cost + time.process_time() - begun, taps + 2
        table = await hall.newest()
    return Counted(cost, taps)


async def begin(hall: Hall, game: str, people: tuple[Person, ...]) -> None:
    await hall.do(people[0], Typed(f"/newgame {game}"))
    for person in people[1:]:
        await hall.do(person, Typed("/join"))
    await hall.do(people[0], Typed("/start"))
    await hall.service.idle()


def rows(*, small: bool = False) -> Iterator[Row]:
    turns = asyncio.run(measure(0.1) if small else measure())
    ratio = f"{turns.ratio:.2f} of boardgame.io's"
    yield "whole turn, no picture", f"{turns.cpu_ms:.2f} ms CPU", ratio, "≤ 1.2 ms"
    taps = asyncio.run(tapped(2, 1) if small else tapped())
    yield (
        "Kaleidoskop turn, late in the game, with its menu",
        f"{taps.late_ms:.1f} ms CPU, {taps.taps:.0f} taps, after {taps.turns} turns of six people",
        f"a tap costs {taps.ratio:.2f} of one at the beginning",
        "≤ 10 ms, ≤ 1.5",
    )


if __name__ == "__main__":
    print(asyncio.run(measure()))
    print(asyncio.run(tapped()))
