"""Many days of the daily puzzle: ``python -m tests.chaos.days [--days 60] [--people 1000] [--places 100]``.

A clock set by hand, three platforms of recording chats, two bots on one store. People in three time zones solve what is
posted in their places. Bots die while they post, platforms lose answers and refuse posts, and for one night nothing
runs. The report counts what must not be: a second post of a day, a missing one without a fault, a streak lost by a
fault, a solution that is told before the answer.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from msgspec import Struct, field
from redis import Redis

from bot.app import build
from bot.chat import (
    Body,
    Capabilities,
    Content,
    Limited,
    MessageId,
    Obstacle,
    Person,
    PersonId,
    Picture,
    PictureKind,
    Place,
    PlaceId,
    Post,
    Press,
    PublicPicture,
    Refused,
    Reply,
    TryLater,
    Update,
    UpdateId,
)
from bot.delivery.painting import Pictures
from bot.extras.daily.replies import solution_line
from bot.repository.daily import DailyRecords
from bot.requests import Daily, DailySolution, SendDaily
from bot.requests import Set as Choose
from bot.service.service import Service
from bot.store import keys
from bot.store.embedded import Embedded
from bot.store.heartbeats import KEPT_MS
from bot.store.store import Store
from bot.tables.daily import FREEZES, day_of, number_of
from bot.tables.preferences import DAILY, OF_PLACE
from renderers import Look
from renderers.charts import Chart
from renderers.puzzle_cards import PuzzleResult
from rules import State
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import RecordingChat
from tests.puzzles import best, worst

PLATFORMS = ("discord", "telegram", "web")
ZONES = (7, 13, 21)
"""The hours, in UTC, at which people look into their places."""
HOURS = tuple(range(0, 24, 2))
SLEEPS, WAKES = 20, 7
"""The hours between which nothing runs in the dead night."""
LOSES, FAILS, LIMITS, REFUSES, DIES = 0.002, 0.002, 0.005, 0.002, 0.02
"""Shares: of posts whose answer is lost, that fail, that wait for quota, and that are refused; of hours in which a bot
dies."""
DILIGENT = 0.93
"""The share of days on which a person solves the puzzle."""
ASKS = 0.05
"""The share of people who ask for the solution before their answer."""


class Report(Struct):
    """*posts*, *answers*: done. *excused*: posts that are missing because of a fault. The other counts are violations:
    second posts of a day, posts missing without a fault, streaks lost by a fault, solutions told too early."""

    posts: int = 0
    answers: int = 0
    edits: int = 0
    tables: int = 0
    excused: int = 0
    second: int = 0
    missing: int = 0
    streaks: int = 0
    told: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        return not (self.second or self.missing or self.streaks or self.told)


class Blank(Pictures):
    """Paints nothing."""

    async def picture(self, view: State, look: Look) -> Picture:
        return Picture(b"\x89PNG", "")

    async def puzzle_card(self, start: State, look: Look, answer: PuzzleResult) -> PublicPicture:
        return PublicPicture(b"\x89PNG", "")

    async def chart(self, chart: Chart, look: Look) -> Picture:
        return Picture(b"\x89PNG", "", kind=PictureKind.CHART)


class Platform(RecordingChat):
    """A platform with faults. *posted*: the days of the posts in each place. *faults*: days with a fault there."""

    def __init__(self, name: str, luck: random.Random, clock: HandClock) -> None:
        super().__init__()
        self.name = name
        self.days: dict[PlaceId, list[int]] = defaultdict(list)
        self.faults: dict[PlaceId, set[int]] = defaultdict(set)
        self.solve: dict[PlaceId, tuple[int, Press]] = {}
        self.tables = self.edits = 0
        self.told: list[str] = []
        self.hangs = False
        self._luck = luck
        self._clock = clock

    def capabilities(self, place: PlaceId, /) -> Capabilities:
        return Capabilities(dedupes_posts=self.name == "discord", counts_edits=self.name == "telegram")

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        today, luck = number_of(self._clock.now().date()), self._luck.random()
        for share, error in ((LIMITS, Limited(5)), (FAILS, TryLater()), (REFUSES, Refused("muted", Obstacle.RIGHTS))):
            luck -= share
            if luck < 0:
                if not isinstance(error, Limited):
                    self.faults[place].add(today)
                raise error
        self.dedupes_posts = self.name == "discord"
        if self.dedupes_posts and nonce in self.nonces:
            return self.nonces[nonce]
        message = await super().post(place, post, nonce)
        self.messages.clear()
        self.messages[message] = post
        self.lines.clear()
        self.days[place].append(today)
        self.solve[place] = today, Press(post.rows[0][0].payload if isinstance(post.rows[0], tuple) else "")
        self.tables += post.picture is not None and post.picture.kind is PictureKind.CHART
        if tells(post, today):
            self.told.append(f"post in {place}: {post.text}")
        if luck < LOSES:
            raise TryLater(None, "the answer is lost")
        if self.hangs:
            await asyncio.Event().wait()
        return message

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        self.edits += 1
        if tells(post, number_of(self._clock.now().date())):
            self.told.append(f"edit in {place}: {post.text}")


class Solver(Struct):
    """A person with their *places*, and the *hour* at which they look. *known*: places in which they have pressed
    *Solve*. *answered*: days of their answers; *kept*: days
    on which they would have answered, but for a fault."""

    person: Person
    places: tuple[Place, ...]
    hour: int
    known: set[PlaceId] = field(default_factory=set)
    answered: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)


def least_streaks(answered: Set[int], kept: Set[int], today: int) -> tuple[int, int]:
    """Return the least streak, and the least best one, that a person has to have on day *today*. *answered*: days of
    their answers; *kept*: days on which they would have answered, but for a fault."""
    streak, best, missed = 0, 0, Counter[tuple[int, int]]()
    for number in range(min(answered | kept, default=today), today + 1):
        day = day_of(number)
        if number in answered:
            streak += 1
            best = max(best, streak)
        elif number not in kept and number != today and streak:
            missed[day.year, day.month] += 1
            if missed[day.year, day.month] > FREEZES:
                streak = 0
    return streak, best


def tells(said: Content, number: int) -> bool:
    """Return whether a message reveals the solution of puzzle *number*."""
    return solution_line(number, "en") in said.text


class Days:
    """The simulation."""

    def __init__(self, store: Store, raw: Redis, days: int, people: int, places: int, seed: int) -> None:
        self._luck = random.Random(seed)
        self.clock = HandClock(datetime(2026, 1, 5, tzinfo=UTC))
        self.chats = {name: Platform(name, self._luck, self.clock) for name in PLATFORMS}
        self.report = Report()
        self._store, self._raw, self._days = store, raw, days
        self._painter = Blank()
        self._numbers = count(1)
        self._places = [Place(PlaceId(f"{PLATFORMS[n % 3]}:place{n}")) for n in range(places)]
        self._hours = {place.id: HOURS[n // 3 % len(HOURS)] for n, place in enumerate(self._places)}
        self._people = list(self._made(people))
        self._bots: list[Service] = []
        self._steps: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def _made(self, people: int) -> Iterator[Solver]:
        for number in range(people):
            own = [place for place in self._places if place.id.startswith(PLATFORMS[number % 3])]
            person = Person(PersonId(f"{PLATFORMS[number % 3]}:{number}"), f"Person {number}", "en")
            yield Solver(
                person, tuple(self._luck.sample(own, min(len(own), 1 + (number % 5 == 0)))), ZONES[number // 3 % 3]
            )

    def _bot(self) -> Service:
        service = build(self._store, self._painter, self.clock, draw=lambda n: "07" * n)
        for chat in self.chats.values():
            service.add(chat)
        return service

    async def run(self) -> Report:
        begun = time.monotonic()
        self._bots = [self._bot(), self._bot()]
        for place in self._places:
            choice = DAILY.choices.index(str(self._hours[place.id]))
            payload = Choose("place", OF_PLACE.index(DAILY), choice).payload
            await self._says(Person(PersonId(f"{place.id}-admin"), "Ada", "en"), place, Press(payload), manages=True)
        night = self._days // 2
        for day in range(self._days):
            for hour in range(24):
                dead = (day == night and hour >= SLEEPS) or (day == night + 1 and hour < WAKES)
                await self._hour(hour, dead=dead, wakes=day == night + 1 and hour == WAKES)
        await self._check()
        for bot in self._bots:
            await bot.stop()
        self._painter.close()
        self.report.seconds = time.monotonic() - begun
        return self.report

    async def _hour(self, hour: int, *, dead: bool, wakes: bool) -> None:
        """Let an hour pass: due work in steps of minutes, a death now and then, and people who look."""
        if wakes:
            for name in PLATFORMS:  # the server's clock passes as well
                self._raw.pexpire(keys.heartbeat(name), KEPT_MS - (WAKES - SLEEPS) % 24 * 3600 * 1000)
        today = number_of(self.clock.now().date())
        if dead and (WAKES - hour) % 24 > 6:  # too late when the bots are back
            for place in self._places:
                if self._hours[place.id] == hour:
                    self._chat(place).faults[place.id].add(today)
        for minute in range(0, 16, 2) if hour in self._hours.values() else (0,):
            await self.clock.advance(timedelta(minutes=minute - self.clock.now().minute))
            if not dead:
                await self._due()
        await self._look(hour, dead=dead)
        await self.clock.advance(timedelta(minutes=60 - self.clock.now().minute))

    async def _due(self) -> None:
        dies = self._luck.random() < DIES
        for chat in self.chats.values():
            chat.hangs = dies
        await asyncio.gather(*(bot.do_due() for bot in self._bots))
        if not dies:
            for bot in self._bots:
                await bot.idle()
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                await self._bots[0].idle()
        for task in asyncio.all_tasks():  # as a kill ends them
            if task.get_name().startswith(("post in", "daily ", "look for")):
                task.cancel()
        today = number_of(self.clock.now().date())
        for chat in self.chats.values():
            chat.hangs = False
        for place in self._places:
            note = await self._store.daily_places.post(place.id, today)
            if note is not None and not note.message:  # about to be posted
                self._chat(place).faults[place.id].add(today)
        for bot in self._bots:
            await bot.stop()
        self._bots = [self._bot(), self._bot()]

    async def _look(self, hour: int, *, dead: bool) -> None:
        """Let all people of this hour look into their places and solve the puzzle, if there is one."""
        today = number_of(self.clock.now().date())
        for solver in self._people:
            if solver.hour != hour or self._luck.random() > DILIGENT:
                continue
            if dead:
                solver.kept.add(today)
                continue
            place = self._luck.choice(solver.places)
            posted, press = self._chat(place).solve.get(place.id, (0, Press("")))
            if posted == today:
                solver.known.add(place.id)
                await self._solves(solver, place, press, today)
            elif self._hours[place.id] >= hour:  # before the post of the day
                await self._solves(solver, place, Press(Daily().payload), today)
            elif place.id in solver.known:  # the post is missing
                solver.kept.add(today)

    def _chat(self, place: Place) -> Platform:
        return self.chats[place.id.partition(":")[0]]

    async def _solves(self, solver: Solver, place: Place, press: Press, today: int) -> None:
        if self._luck.random() < ASKS:
            self._heard(await self._says(solver.person, place, Press(DailySolution(today).payload)), today)
        self._heard(await self._says(solver.person, place, press), today)
        best, worst = self._ways(today)
        steps = best if self._luck.random() < 0.5 else worst
        await self._says(solver.person, place, Press(SendDaily(today, steps).payload))
        solver.answered.add(today)
        self.report.answers += 1

    def _heard(self, reply: Reply | None, today: int) -> None:
        if reply is None or reply.file is not None or tells(reply, today):
            self.report.told += 1
            self.report.notes.append(f"told too early: {reply}")

    def _ways(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return a solution of a puzzle, and an attempt that takes the last action each time."""
        if number not in self._steps:
            self._steps[number] = best(number), worst(number)
        return self._steps[number]

    async def _says(self, person: Person, place: Place, body: Body, *, manages: bool = False) -> Reply | None:
        update = UpdateId(f"{person.id}:{next(self._numbers)}")
        return await self._luck.choice(self._bots).handle(Update(update, person, place, body, manages))

    async def _check(self) -> None:
        report, today = self.report, number_of(self.clock.now().date())
        repository = self._bots[0].repository
        records = DailyRecords(self._store, repository)
        for chat in self.chats.values():
            report.edits += chat.edits
            report.tables += chat.tables
            report.told += len(chat.told)
            report.notes += chat.told
        for place in self._places:
            chat = self._chat(place)
            days = Counter(chat.days[place.id])
            report.posts += days.total()
            twice = [day for day, posts in days.items() if posts > 1]
            report.second += len(twice)
            report.notes += [f"two posts in {place.id} on day {day}" for day in twice]
            for day in range(today - self._days + 1, today):
                if day not in days:
                    fault = day in chat.faults[place.id]
                    report.excused += fault
                    report.missing += not fault
                    report.notes += [] if fault else [f"no post in {place.id} on day {day}"]
        for solver in self._people:
            least, kept = least_streaks(solver.answered, solver.kept, today), await records.of(solver.person.id)
            if kept.streak < least[0] or kept.best < least[1]:
                report.streaks += 1
                report.notes.append(f"{solver.person.id}: streaks {kept.streak}, {kept.best} instead of {least}")


async def lived(url: str, days: int, people: int, places: int, seed: int = 7) -> Report:
    """Live through *days* on the empty store at *url*."""
    store = await Store.open(url)
    try:
        with Redis.from_url(url) as raw:
            return await Days(store, raw, days, people, places, seed).run()
    finally:
        await store.close()


async def _main(asked: argparse.Namespace) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder), fsync="everysec") as server:
            return await lived(server.url, asked.days, asked.people, asked.places, asked.seed)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tests.chaos.days", description=__doc__)
    for name, default in (("days", 60), ("people", 1000), ("places", 100), ("seed", 7)):
        parser.add_argument(f"--{name}", type=int, default=default, help=str(default))
    report = asyncio.run(_main(parser.parse_args(arguments)))
    sys.stdout.write(f"{report}\n")
    return 0 if report.is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
