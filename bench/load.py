"""The costs of many tables in one process: ``python -m bench.load`` (``make load``), for 1,000 to 100,000 tables.

Each size has a process and a server of its own. The tables are copies of real positions of all games, from the
opening to the end, saved by the product's own store with people, places, logs and reminders of their own. All people
have different names, so no picture is painted for two of them. The platform answers at once. Costs are CPU time of the
process, painting included and the simulated players excluded, so other load on the machine does not count. Latencies
and the duration of the reminders are times on the clock, so they need an idle machine.

Half and full load are shares of the speed of the process when turns come as fast as it answers. A turn is everything
from the first tap to the board that calls the next player: in games with several actions in a turn, all of them, each
with its picture, and the private pictures of menus. So a core does more actions a second than turns, and still more
typed actions, each with its board and no menu. The target is for turns, and a ratio, so that it is the same on each
machine: the yardstick of `bench.pictures`, a chess board through cairosvg, is painted by another process, which takes
turns with the counted ones, so a machine whose speed changes slows both alike. The process tidies its memory as the bot
does, and is measured after a quiet moment.
"""

import argparse
import asyncio
import gc
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from itertools import count, cycle
from pathlib import Path
from statistics import fmean
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from redis import Redis

from bench import Row
from bench.loop import Ahead, Ticker
from bench.pictures import chess_boards, yardstick_works
from bench.turn import Blank, Nowhere
from bot import app
from bot.app import build
from bot.chat import MessageId, Person, PersonId, Picture, Place, PlaceId, Post, Press, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.requests import Play, Stamp
from bot.runtime import gc_tuning
from bot.runtime.clock import to_ms
from bot.runtime.gc_tuning import QUIET_LOOKS, Tidying
from bot.runtime.metrics import Metrics
from bot.runtime.tasks import cancelled
from bot.service import upkeep
from bot.service.service import Service
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables.board_message import BoardMessage
from bot.tables.table import Entry, Phase, Table, TableId
from bot.tables.waiting import OnClock
from renderers import Look, Theme
from rules import GAMES, State

SIZES = (1_000, 10_000, 100_000)
MOST_TURNS = 40
AT_ONCE = 40
"""Saves at once while the tables are made."""
YARDSTICKS_A_TURN = 0.31
"""Goal for a turn: 16 ms on a machine whose yardstick takes 52 ms."""
TIDYING_S = 1.0
"""Interval between looks for a quiet moment."""
COUNTED_A_YARDSTICK = 10
"""Number of counted turns between two chess boards."""
SATURATED = 8
"""Tables with a player each that play as fast as they are answered."""
REMINDED_H = (1.0, 1.5)
"""When the first hundredth of the tables is reminded, and when all others are."""


class Size(Struct, frozen=True):
    """The size of a run. *seconds*: of each load. *lengths*: positions of each game that the tables are copies of.

    *wait_s*: limit of the wait for one board. *counted*: turns whose cost is counted, tapped and as many others typed;
    the same positions in each size. *beside*: tables without reminders, at which people play while all others are
    reminded. *prepared*: whether the painter is prepared as at a bot's start.
    """

    tables: int
    seconds: float = 20.0
    wait_s: float = 30.0
    lengths: int = 8
    counted: int = 200
    beside: int = 300
    prepared: bool = True


SMALL = Size(12, seconds=0.2, wait_s=0.5, lengths=1, counted=2, beside=4, prepared=False)


class Waits(Struct):
    """Milliseconds: the median and the 99 % quantile."""

    answer_ms: float
    answer_p99_ms: float
    board_ms: float
    board_p99_ms: float
    turns: int

    @classmethod
    def of(cls, answers: list[float], boards: list[float]) -> "Waits":
        def at(waits: list[float], share: float) -> float:
            return 1000 * sorted(waits)[int(len(waits) * share)]

        return cls(at(answers, 0.5), at(answers, 0.99), at(boards, 0.5), at(boards, 0.99), len(boards))


class Cost(Struct):
    """The mean costs of a whole turn."""

    cpu_ms: float  # of the process, without the simulated players
    actions: float
    boards: float  # public ones, posted or edited
    pictures: float  # painted, public and private
    painter_ms: float  # CPU of the painter's thread
    yardstick_ms: float  # mean CPU of a chess board in between; 0: not measured

    @property
    def actions_s(self) -> float:
        """Actions a second of one core."""
        return 1000 * self.actions / self.cpu_ms


Yardstick = Callable[[], float]
"""Paint a chess board in another process; return the milliseconds of CPU time, or 0 if that does not work."""


class Figures(Struct):
    """The figures of one size. *seconds*: the duration of the whole run, *filling_s* of it to make the tables."""

    tables: int
    filling_s: float
    bytes_each: float
    turn: Cost  # tapped
    typed: Cost
    turns_s: float  # on the clock
    half: Waits
    full: Waits
    hold_p999_ms: float
    hold_most_ms: float
    some: int  # reminders of a hundredth of the tables
    some_s: float
    reminders: int
    reminders_s: float
    reminders_cpu_s: float
    beside: Waits  # turns during the reminders of all other tables
    quiet: Waits  # turns without reminders
    empty_mb: float  # memory of the process after the tables were made
    memory_mb: float
    seconds: float

    @property
    def yardsticks_a_turn(self) -> float:
        return self.turn.cpu_ms / self.turn.yardstick_ms if self.turn.yardstick_ms else 0.0

    def next_to(self, least: "Figures") -> float:
        """Return the cost of a turn next to that of another size, in yardsticks if they were measured."""
        if self.yardsticks_a_turn and least.yardsticks_a_turn:
            return self.yardsticks_a_turn / least.yardsticks_a_turn
        return self.turn.cpu_ms / least.turn.cpu_ms


class Everywhere(Nowhere):
    """Accepts all posts, and resolves the future of the next one in a place."""

    def __init__(self) -> None:
        super().__init__()
        self.boards = 0
        self._waiting: dict[PlaceId, asyncio.Future[None]] = {}

    def next_in(self, place: PlaceId) -> asyncio.Future[None]:
        self._waiting[place] = future = asyncio.get_running_loop().create_future()
        return future

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        self._resolve(place)
        return await super().post(place, post, nonce)

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        self._resolve(place)
        await super().edit(place, message, post)

    def _resolve(self, place: PlaceId) -> None:
        self.boards += 1
        waiting = self._waiting.pop(place, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)


class Patient(Ahead):
    """A clock that advances by a second at each look, so no player is too fast for the rate limit."""

    def __init__(self) -> None:
        self._looks = count()

    def monotonic(self) -> float:
        return time.monotonic() + next(self._looks)


class Model(Struct, frozen=True):
    """A table in the middle of a game, and its log."""

    table: Table
    log: tuple[Entry, ...]


class Painter(Pictures):
    """Counts the pictures."""

    painted = 0

    async def _paint(self, key: tuple[State, Look]) -> Picture:
        self.painted += 1
        return await super()._paint(key)

    async def used_s(self) -> float:
        """Return the CPU seconds of the painter's thread so far."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, time.thread_time)


class Town(Struct, frozen=True):
    store: Store
    service: Service
    metrics: Metrics
    chat: Everywhere
    clock: Ahead
    numbers: Iterator[int]
    raw: Redis
    painter: Painter
    wait_s: float

    async def do(self, place: PlaceId, person: Person, body: Typed | Press) -> None:
        await self.service.handle(Update(UpdateId(f"room:{next(self.numbers)}"), person, Place(place), body))

    async def table(self, id_: TableId) -> Table:
        loaded = await self.store.load(id_)
        assert loaded is not None
        return loaded.table


@asynccontextmanager
async def opened(size: Size) -> AsyncIterator[Town]:
    await app.warm_up()
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder), fsync="everysec") as server:
            store, clock, chat, painter = await Store.open(server.url), Patient(), Everywhere(), Painter()
            if size.prepared:
                await painter.prepare(Theme.DARK)
            gc_tuning.give_back()
            metrics = Metrics()
            service = build(store, painter, clock, metrics=metrics)
            service.add(chat)
            raw = Redis(unix_socket_path=server.url.removeprefix("unix://"))
            yield Town(store, service, metrics, chat, clock, count(1), raw, painter, size.wait_s)
            await service.stop()
            raw.close()
            await store.close()
            painter.close()


def position(table: Table) -> State:
    return GAMES[table.game].decode(bytes(cast("msgspec.Raw", table.state)))


def actor(table: Table) -> Person:
    seat = table.seats[cast("int", position(table).actor)]
    return Person(seat.person, seat.name, "en")


async def models(own: Town, lengths: int) -> list[Model]:
    """Return *lengths* tables of each game, from the opening to the end: random games of two people, the same in each
    process. No picture is painted."""
    dealt, luck = random.Random(23), random.Random(17)
    service = build(own.store, Blank(), own.clock, draw=lambda bytes_: dealt.randbytes(bytes_).hex())
    service.add(own.chat)
    made, town = list[Model](), replace(own, service=service)
    for game in GAMES:
        for length in range(lengths):
            place = PlaceId(f"room:{game}{length}")
            anna, ben = (Person(PersonId(f"room:{game}{length}{name}"), name, "en") for name in ("Anna", "Ben"))
            await town.do(place, anna, Typed(f"/newgame {game} 8h"))
            await town.do(place, ben, Typed("/join"))
            await town.do(place, anna, Typed("/start"))
            held = await town.store.at(place)
            assert held is not None
            model = await _kept(town, held)
            for _ in range(MOST_TURNS * length // lengths):
                await play(town, model.table, luck)
                after = await _kept(town, held)
                if after.table.phase != Phase.RUNNING or position(after.table).forced is not None:
                    break
                model = after
            await town.service.idle()
            made.append(model)
    await service.stop()
    return made


async def _kept(town: Town, id_: TableId) -> Model:
    return Model(await town.table(id_), await town.store.log(id_))


async def play(town: Town, table: Table, luck: random.Random) -> None:
    """Play a whole turn."""
    turn, person, kinds = table.turn, actor(table), set[type]()
    while table.turn == turn and table.phase == Phase.RUNNING:
        town.clock.by += timedelta(seconds=1)
        number = _chosen(position(table), kinds, luck)
        await town.do(table.place, person, Press(Play(table.id, Stamp.of(table), number, sure=True).payload))
        table = await town.table(table.id)


def _chosen(state: State, kinds: set[type], luck: random.Random) -> int:
    """Return an action of a kind that was not played in this turn yet, or the last one, which ends the turn."""
    actions = list(state.actions())
    fresh = [
        n for n, action in enumerate(actions) if type(action) not in kinds and str(action) not in ("draw", "resign")
    ]
    number = luck.choice(fresh) if fresh else len(actions) - 1
    kinds.add(type(actions[number]))
    return number


def copy_of(model: Model, number: int) -> Table:
    seats = tuple(
        replace(seat, person=PersonId(f"room:{number}-{n}"), name=f"{seat.name} {number}")
        for n, seat in enumerate(model.table.seats)
    )
    return replace(
        model.table, id=name_of(number), place=place_of(number), seats=seats, host=seats[0].person, revision=1
    )


def name_of(number: int) -> TableId:
    return TableId(f"t{number:09}")


def place_of(number: int) -> PlaceId:
    return PlaceId(f"room:{number}")


async def fill(town: Town, made: list[Model], tables: int, beside: int) -> None:
    """Save so many running *tables*. The last *beside* of them are not reminded in this run."""
    now_ms = to_ms(town.clock.now())
    first_ms, later_ms = (now_ms + int(hours * 3_600_000) for hours in REMINDED_H)

    async def save(number: int) -> None:
        model = made[number % len(made)]
        table = replace(copy_of(model, number), waiting=OnClock(now_ms - 5 * 3_600_000))
        due_ms = now_ms + 10**9 if number >= tables - beside else first_ms if number % 100 == 0 else later_ms
        stored = town.store
        update = UpdateId(f"u:{number}")
        save = await stored.save(
            table, model.log, update, now_ms=now_ms, repost_ms=now_ms, due_ms=due_ms, expire_ms=None
        )
        await stored.record_post(table.id, BoardMessage(MessageId("1"), 1, "before"), save=save)
        await stored.take_place(table.place, table.id)
        for seat in table.seats:
            await stored.add_table(seat.person, table.id, now_ms)

    for first in range(0, tables, AT_ONCE):
        await asyncio.gather(*(save(number) for number in range(first, min(first + AT_ONCE, tables))))


async def turn(town: Town, number: int, luck: random.Random) -> tuple[float, float]:
    """Play a whole turn; return the seconds from its last tap to the answer, and to the board."""
    table = await town.table(name_of(number))
    state = position(table)
    if table.phase != Phase.RUNNING or state.actor is None:
        return 0.0, 0.0
    turn, person, kinds = table.turn, actor(table), set[type]()
    begun = answered = time.perf_counter()
    shown = town.chat.next_in(table.place)
    while table.turn == turn and table.phase == Phase.RUNNING:
        number_ = _chosen(position(table), kinds, luck)
        shown, begun = town.chat.next_in(table.place), time.perf_counter()
        await town.do(table.place, person, Press(Play(table.id, Stamp.of(table), number_, sure=True).payload))
        answered = time.perf_counter()
        table = await town.table(table.id)
    await asyncio.wait((shown,), timeout=town.wait_s)
    return answered - begun, time.perf_counter() - begun


async def cost(town: Town, numbers: list[int], yardstick: Yardstick, *, typed: bool = False) -> Cost:
    """Return the costs of turns, one after the other, each action after the work of the former one is done.

    Only the product's work counts, from the tap (or the message, if *typed*) to the posted board.
    """
    luck, used_s, actions, turns, yardsticks = random.Random(3), 0.0, 0, 0, list[float]()
    boards, painted, painter_s = town.chat.boards, town.painter.painted, await town.painter.used_s()
    for index, number in enumerate(numbers):
        if index % COUNTED_A_YARDSTICK == 0:
            yardsticks.append(yardstick())
        table, kinds = await town.table(name_of(number)), set[type]()
        turn = table.turn
        turns += table.phase == Phase.RUNNING
        while table.turn == turn and table.phase == Phase.RUNNING:
            state, person = position(table), actor(table)
            chosen = _chosen(state, kinds, luck)
            action = state.actions()[chosen]
            is_asked = (state.warns(action) or state.cautions(action)) is not None  # before it is played, if typed
            body = (
                Typed(f"/move {action}")
                if typed and not is_asked
                else Press(Play(table.id, Stamp.of(table), chosen, sure=True).payload)
            )
            begun = time.process_time()
            await town.do(table.place, person, body)
            await town.service.idle()
            used_s += time.process_time() - begun
            actions += 1
            table = await town.table(table.id)
    painter_s = await town.painter.used_s() - painter_s
    return Cost(
        cpu_ms=1000 * used_s / turns,
        actions=actions / turns,
        boards=(town.chat.boards - boards) / turns,
        pictures=(town.painter.painted - painted) / turns,
        painter_ms=1000 * painter_s / turns,
        yardstick_ms=fmean(yardsticks),
    )


@contextmanager
def timed_chess() -> Iterator[Yardstick]:
    """Yield the yardstick, in a process of its own, so that its memory does not count."""
    words = [sys.executable, "-m", "bench.load", "--yardstick"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def painted_ms() -> float:
            asked.write("\n")
            return float(answers.readline())

        yield painted_ms


def answer_yardsticks() -> None:
    """Paint a chess board for each line of the standard input; write the milliseconds of CPU time, or 0 if that does
    not work."""
    painted = chess_boards() if yardstick_works() else None
    for _ in sys.stdin:
        milliseconds = 0.0
        if painted is not None:
            paint, begun = next(painted), time.process_time()
            paint()
            milliseconds = 1000 * (time.process_time() - begun)
        sys.stdout.write(f"{milliseconds}\n")
        sys.stdout.flush()


async def saturated(town: Town, numbers: Iterator[int], seconds: float) -> float:
    """Return the turns a second when some people play as fast as they are answered."""
    until, done = time.perf_counter() + seconds, count()

    async def player(luck: random.Random) -> None:
        while time.perf_counter() < until:
            await turn(town, next(numbers), luck)
            next(done)

    begun = time.perf_counter()
    await asyncio.gather(*(player(random.Random(n)) for n in range(SATURATED)))
    return next(done) / (time.perf_counter() - begun)


async def loaded(town: Town, numbers: Iterator[int], a_second: float, seconds: float) -> Waits:
    """Measure turns at a fixed rate, also if the process has not finished the former ones."""
    luck, under_way = random.Random(11), list[asyncio.Task[tuple[float, float]]]()
    begun = time.perf_counter()
    for n in range(max(1, int(a_second * seconds))):
        await asyncio.sleep(max(0.0, begun + n / a_second - time.perf_counter()))
        under_way.append(asyncio.create_task(turn(town, next(numbers), luck)))
    waits = [(answer, board) for answer, board in await asyncio.gather(*under_way) if board]
    return Waits.of([answer for answer, _ in waits], [board for _, board in waits])


async def reminded(town: Town) -> None:
    """Return when no reminder is due any more."""
    while True:
        figures = await town.store.counting.figures(to_ms(town.clock.now()))
        if not figures.reminders:
            break
        await asyncio.sleep(0.2)
    await town.service.idle()


async def measured(size: Size) -> Figures:
    whole, tables, seconds = time.perf_counter(), size.tables, size.seconds
    gc_tuning.spare_memory()
    async with opened(size) as town:
        made = await models(town, size.lengths)
        for model in made:
            await town.store.done_due(model.table.id, model.table.revision)
        gc_tuning.begin()
        tidying = asyncio.create_task(Tidying(town.metrics.happened, min(TIDYING_S, seconds)).run())
        before, begun = town.raw.info("memory")["used_memory"], time.perf_counter()
        await fill(town, made, tables, size.beside)
        empty_mb = _memory_mb()
        filling_s, made_at = time.perf_counter() - begun, town.clock.by
        bytes_each = (town.raw.info("memory")["used_memory"] - before) / tables
        luck = random.Random(5)
        counted = min(size.counted, (tables - size.beside) // 3)
        others = list(range(2 * counted, tables - size.beside))
        luck.shuffle(others)
        far, near = cycle(others), cycle(range(tables - size.beside, tables))
        await saturated(town, far, min(1.0, seconds))
        with timed_chess() as yardstick:
            tapped = await cost(town, list(range(counted)), yardstick)
            typed = await cost(town, list(range(counted, 2 * counted)), yardstick, typed=True)
        async with Ticker() as ticker:
            turns_s = await saturated(town, far, seconds)
            half = await loaded(town, far, turns_s / 2, seconds)
            full = await loaded(town, far, turns_s, seconds)
        held = ticker.held(0)
        quiet = await loaded(town, near, 5.0, seconds)
        watching = asyncio.create_task(upkeep.watch(town.service, town.clock, alone=False))
        await asyncio.sleep(min(1.0, seconds))
        some, some_s, _, _ = await storm(town, near, made_at + timedelta(hours=REMINDED_H[0] + 0.1))
        all_, all_s, all_cpu_s, beside = await storm(town, near, made_at + timedelta(hours=REMINDED_H[1] + 0.1))
        await asyncio.sleep((QUIET_LOOKS + 2) * min(TIDYING_S, seconds))
        await cancelled(watching, tidying)
        gc.unfreeze()
        return Figures(
            tables=tables,
            filling_s=filling_s,
            bytes_each=bytes_each,
            turn=tapped,
            typed=typed,
            turns_s=turns_s,
            half=half,
            full=full,
            hold_p999_ms=held.p999_ms,
            hold_most_ms=held.most_ms,
            some=some,
            some_s=some_s,
            reminders=all_,
            reminders_s=all_s,
            reminders_cpu_s=all_cpu_s,
            beside=beside,
            quiet=quiet,
            empty_mb=empty_mb,
            memory_mb=_memory_mb(),
            seconds=time.perf_counter() - whole,
        )


async def storm(town: Town, near: Iterator[int], later: timedelta) -> tuple[int, float, float, Waits]:
    """Set the clock to *later* than the bot's start, and wait until all due reminders are posted.

    Returns the number of reminders, seconds on the clock, CPU seconds, and the waits at other tables meanwhile.
    """
    town.clock.by = later
    due = (await town.store.counting.figures(to_ms(town.clock.now()))).reminders
    begun, cpu = time.perf_counter(), time.process_time()
    reminding = asyncio.create_task(reminded(town))
    answers, boards = list[float](), list[float]()
    luck = random.Random(2)
    while not reminding.done():
        answer, board = await turn(town, next(near), luck)
        if board:
            answers.append(answer)
            boards.append(board)
        await asyncio.wait((reminding,), timeout=0.2)
    seconds, used = time.perf_counter() - begun, time.process_time() - cpu
    return due, seconds, used, Waits.of(answers or [0.0], boards or [0.0])


def _memory_mb() -> float:
    """Return the memory of this process."""
    for line in Path(f"/proc/{os.getpid()}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def lines(figures: list[Figures]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of the table: the measurement, a column for each size, the target."""
    least = figures[0]

    def row(name: str, columns: list[str], target: str) -> tuple[str, ...]:
        return (name, *columns, target)

    yield row("running tables", [f"{size.tables:,}" for size in figures], "")
    yield row("bytes a table in the store", [f"{size.bytes_each:,.0f}" for size in figures], "≤ 15,000")
    cells = [f"{size.turn.yardstick_ms:.0f} ms" for size in figures]
    yield row("the yardstick: a chess board through cairosvg, CPU", cells, "")
    cells = [f"{size.typed.cpu_ms / size.typed.actions:.1f} ms" for size in figures]
    yield row("a typed action with its board, CPU", cells, "")
    yield row("such a second of one core", [f"{size.typed.actions_s:.0f}" for size in figures], "")
    yield row("a tapped turn with its boards and menus, CPU", [f"{size.turn.cpu_ms:.1f} ms" for size in figures], "")
    cells = [
        f"{size.turn.actions:.1f}, {size.turn.boards:.1f} and {size.turn.pictures:.1f} ({size.turn.painter_ms:.1f} ms)"
        for size in figures
    ]
    yield row("actions, boards and pictures in it", cells, "")
    cells = [f"{size.yardsticks_a_turn:.2f}" for size in figures]
    yield row("next to the yardstick", cells, f"≤ {YARDSTICKS_A_TURN}")
    cells = [f"{size.next_to(least):.2f}" for size in figures]
    yield row("that, next to the fewest tables", cells, "≤ 1.10")
    yield row("such turns a second of one core", [f"{1000 / size.turn.cpu_ms:.0f}" for size in figures], "")
    yield row("their actions a second of one core", [f"{size.turn.actions_s:.0f}" for size in figures], "")
    yield row("turns a second, on the clock", [f"{size.turns_s:.0f}" for size in figures], "")
    for name, target in (("half", ""), ("full", "")):
        waits = [cast("Waits", getattr(size, name)) for size in figures]
        cells = [f"{wait.answer_ms:.0f} and {wait.answer_p99_ms:.0f} ms" for wait in waits]
        yield row(f"to the answer at {name} load, median and 99 %", cells, target)
        cells = [f"{wait.board_ms:.0f} and {wait.board_p99_ms:.0f} ms" for wait in waits]
        yield row(f"to the posted board at {name} load", cells, target)
    cells = [f"{size.hold_p999_ms:.0f} and {size.hold_most_ms:.0f} ms" for size in figures]
    yield row("event loop held, 99.9 % and longest", cells, "≤ 30 and ≤ 50 ms")
    cells = [f"{size.some:,} in {size.some_s:.1f} s" for size in figures]
    yield row("a hundredth of the reminders at once", cells, "")
    cells = [f"{size.reminders:,} in {size.reminders_s:.0f} s ({size.reminders_cpu_s:.0f} s CPU)" for size in figures]
    yield row("all others at once", cells, "100,000 in ≤ 600 s")
    cells = [f"{size.beside.board_ms:.0f} ms after {size.quiet.board_ms:.0f} ms" for size in figures]
    yield row("a board meanwhile, and when nothing is due (medians)", cells, "≤ 100 ms more")
    cells = [f"{size.empty_mb:.0f} and {size.memory_mb:.0f} MB" for size in figures]
    yield row("memory of the process, at the beginning and the end", cells, "≤ 220 MB")
    yield row("tables made in", [f"{size.filling_s:.0f} s" for size in figures], "")
    yield row("all of it took", [f"{size.seconds:.0f} s" for size in figures], "")


def missed(figures: list[Figures]) -> Iterator[str]:
    """Yield a sentence for each missed target."""
    for size in figures:
        for what, measured_, target in (
            ("bytes a table", size.bytes_each, 15_000),
            ("a turn next to the yardstick", size.yardsticks_a_turn, YARDSTICKS_A_TURN),
            ("a turn next to the fewest tables", size.next_to(figures[0]), 1.10),
            ("ms that the event loop is held, 99.9 %", size.hold_p999_ms, 30),
            ("ms that it is held at most", size.hold_most_ms, 50),
            ("seconds for a thousand reminders", 1000 * size.reminders_s / max(1000, size.reminders), 6),
            ("ms that a board is later meanwhile", size.beside.board_ms - size.quiet.board_ms, 100),
            ("MB of memory", size.memory_mb, 220),
        ):
            if measured_ > target:
                yield f"{size.tables:,} tables: {what}: {measured_:,.2f}, not {target:,}"


def rows(*, small: bool = False) -> Iterator[Row]:
    figures = asyncio.run(measured(SMALL if small else Size(SIZES[0])))
    for name, figure, target in lines([figures]):
        yield name, figure, "", target
    for sentence in missed([figures]):
        yield sentence, "", "", ""


def main() -> int:
    """Return the exit code: 1 if a target is missed."""
    parser = argparse.ArgumentParser("python -m bench.load", description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=SIZES, help="sizes; 1000 10000 100000")
    parser.add_argument("--seconds", type=float, default=20.0, help="duration of each load; 20")
    parser.add_argument("--json", action="store_true", help="one size, in this process, as JSON")
    parser.add_argument("--yardstick", action="store_true", help="only the yardstick, once for each line of the input")
    asked = parser.parse_args()
    if asked.yardstick:
        answer_yardsticks()
        return 0
    if asked.json:
        sys.stdout.write(msgspec.json.encode(asyncio.run(measured(Size(asked.tables[0], asked.seconds)))).decode())
        return 0
    if not yardstick_works():
        parser.exit(2, "The yardstick needs python-chess, cairosvg and the system library libcairo2.\n")
    results = list[Figures]()
    for tables in asked.tables:
        sys.stderr.write(f"{tables:,} tables …\n")
        words = ("-m", "bench.load", "--json", "--tables", str(tables), "--seconds", str(asked.seconds))
        output = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, check=True).stdout
        results.append(msgspec.json.decode(output, type=Figures))
    for number, row in enumerate(lines(results)):
        sys.stdout.write(f"| {' | '.join(row)} |\n")
        if number == 0:
            sys.stdout.write(f"|{' --- |' * len(row)}\n")
    over = list(missed(results))
    sys.stdout.write("\n" + "".join(f"{line}\n" for line in over or ["Everything is within its target."]))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
