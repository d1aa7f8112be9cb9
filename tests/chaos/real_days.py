"""Days of the daily puzzle on the real platforms: ``python -m tests.chaos.real_days [--days 60] [--people 1000]``.

The adapters talk over sockets to the emulated Discord and Telegram and to windows of the page; only the clock is set by
hand. People come for some days, look at their places in three time zones, and solve what is posted. The bot restarts,
answers of platforms get lost, places refuse posts, and for one night nothing runs.

All days are lived twice, in two processes. In the second one, the puzzles of even days have other solutions (par, line,
ways). Until a person sends an answer, and in all posts of those days, every byte of the bot must be the same: requests,
buttons, alternative texts, pictures. After an answer, something must differ, else the comparison would be blind.

``--seeded`` does what must not be: a second post tells the solution, an answer, a post and a month's table get lost.
"""

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from itertools import count, cycle, zip_longest
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace
from redis import Redis

from bot.adapters.on_discord.chat import DiscordChat
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_web.chat import WebChat
from bot.app import build
from bot.chat import Person, PersonId, Place, PlaceId, Post, Press, PublicPicture, Update, UpdateId, platform
from bot.delivery.painting import Pictures
from bot.extras.daily import replies
from bot.replies.words import say
from bot.repository.daily import DailyRecords
from bot.requests import Daily, DailySolution, SendDaily, Set, SolveDaily
from bot.requests.commands import COMMANDS
from bot.runtime import gc_tuning
from bot.service.service import Service
from bot.store import keys
from bot.store.embedded import Embedded
from bot.store.heartbeats import KEPT_MS
from bot.store.store import Store
from bot.tables.daily import day_of, month_before
from bot.tables.preferences import DAILY, OF_PLACE
from renderers import Look
from renderers.puzzle_cards import PuzzleResult
from rules import State, puzzles
from rules.puzzles import Puzzle, begin, encode, play, puzzle
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.conftest import HandClock
from tests.bot.servers import free_port
from tests.chaos.bots import ROOT
from tests.chaos.days import least_streaks
from tests.chaos.platforms import OnDiscord, OnPage, OnTelegram, Solver, records
from tests.chaos.taps import Tap
from tests.emulators.discord import Discord
from tests.emulators.discord.faults import Dropped
from tests.emulators.discord.world import INVITED, SEND_MESSAGES
from tests.emulators.telegram.server import Telegram, Trouble
from tests.puzzles import best, worst

FIRST = 330
"""The first day, an even one; from the sixth one on, three games take turns."""
ZONES = MappingProxyType({6: 7, 12: 13, 20: 21})
"""The hours of posts, in UTC, each with the hour at which people look."""
SLEEPS, WAKES = 20, 7
"""The hours between which nothing runs in the dead night."""
RESTARTS, LOSES, TELLS = 5, 10, 5
"""Days between two restarts, between two days on which platforms lose the answer to a post, and between two lines of
progress."""
MUTES = 12
"""Days between two days on which some places refuse posts."""
SHORTEST, LONGEST, DILIGENT = 3, 8, 0.65
"""For how many days people come, and the share of these on which they solve the puzzle."""
PATIENT = 8
"""One in so many people taps step by step, and asks for the solution before the answer; the others send it at once."""
ON_PAGE = 34
"""People on the page, which has room for 40 with its first ones."""
NAMES = ("Anna", "Ben", "Clara", "David", "Emil", "Frida", "Greta", "Hanna")
AT_ONCE = 8
"""People who press at the same time."""
PATIENCE_S = 300.0
"""The time for an answer, on a busy machine."""
QUIET_S = 0.05
"""Without a request for so long, the bot has said everything."""
PLATFORMS = ("discord", "telegram", "web")


class Life(Struct):
    """*phases*: the records of all that the bot sent, by day and phase. *violations*: what must not be. *tables*: of
    months, posted in places."""

    phases: dict[str, list[str]] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    posts: int = 0
    answers: int = 0
    tables: int = 0


class Inhabitant:
    """A person with their *place* and their *look*, an hour. *days*: those on which they want to solve the puzzle.
    *known*: whether they have pressed *Solve*. *answered*, *kept*: see `least_streaks`."""

    def __init__(self, number: int, home: "Home", look: int, days: frozenset[int]) -> None:
        self.number, self.home, self.look, self.days = number, home, look, days
        self.known = False
        self.answered: set[int] = set()
        self.kept: set[int] = set()
        self.solver: Solver | None = None

    @property
    def is_patient(self) -> bool:
        """Whether the person taps step by step."""
        return self.number % PATIENT == 0


class Home:
    """A place with the *hour* of its posts. *mutes* lets it refuse posts, or accept them again; None: it cannot."""

    def __init__(self, place: PlaceId, hour: int, mutes: Callable[[bool], None] | None = None) -> None:
        self.place, self.hour, self.mutes = place, hour, mutes
        self.is_muted = False

    def mute(self, is_muted: bool) -> None:
        if self.mutes is not None and self.is_muted != is_muted:
            self.is_muted = is_muted
            self.mutes(is_muted)


class Town:
    """The platforms with their people; the bot comes and goes."""

    def __init__(
        self, discord: Discord, telegram: Telegram, taps: Sequence[Tap], size: "Size", luck: random.Random
    ) -> None:
        self.discord, self.telegram, self._taps = discord, telegram, taps
        self._port = free_port()
        self.chats: list[DiscordChat | TelegramChat | WebChat] = []
        self._starts = 0
        self.homes: list[Home] = []
        self.people: list[Inhabitant] = []
        self.pages: list[OnPage] = []
        self._comes_to: list[Callable[[int], Solver] | None] = []
        for number in range(size.places):
            self._build(number)
        rooms = cycle(range(size.places))
        on_page = 0
        while len(self.people) < size.people:
            room = next(rooms)
            solver, home, number = self._comes_to[room], self.homes[room], len(self.people)
            on_page += solver is None
            if solver is None and on_page > ON_PAGE:
                continue
            looks = [look for post, look in ZONES.items() if post >= home.hour]
            first = luck.randrange(-min(LONGEST, size.days) // 2, size.days) if size.days > 1 else 0
            days = frozenset(
                day for day in range(first, first + luck.randint(SHORTEST, LONGEST)) if luck.random() < DILIGENT
            )
            person = Inhabitant(number, home, looks[number // size.places % len(looks)], days)
            person.solver = None if solver is None else solver(number)
            self.people.append(person)

    def _build(self, number: int) -> None:
        """Build a place: of ten, one is a channel of the page, three are on Telegram, and six on Discord."""
        hour = [*ZONES][number % 3]
        name = NAMES[number % len(NAMES)]
        if number % 10 == 1:
            self.homes.append(Home(PlaceId(f"web:hall-{number}"), hour))
            self._comes_to.append(None)
        elif number % 10 not in (3, 5, 7):
            channel = self.discord.channel(f"hall {number}")

            def closes(is_muted: bool) -> None:
                channel.allowed = INVITED & ~SEND_MESSAGES if is_muted else INVITED

            self.homes.append(Home(PlaceId(channel.place), hour, closes))
            self._comes_to.append(lambda _: OnDiscord(self.discord, self.discord.person(name, channel)))
        else:
            group = self.telegram.group(f"Hall {number}")

            def hushes(is_muted: bool) -> None:
                group.wordless = is_muted

            def joins(_: int) -> Solver:
                member = self.telegram.person(name)
                group.members.append(member)
                return OnTelegram(self.telegram, member, group)

            self.homes.append(Home(group.place, hour, hushes))
            self._comes_to.append(joins)

    async def comes(self, bot: Service) -> None:
        self.chats = [
            DiscordChat(
                self.discord.token, COMMANDS, api_url=self.discord.api_url, gateway_url=self.discord.gateway_url
            ),
            TelegramChat(self.telegram.token, COMMANDS, self.telegram.url, pace=UNLIMITED),
            WebChat(port=self._port),
        ]
        self.telegram.listening = False
        for chat in self.chats:
            bot.add(chat)
            await chat.start(bot, MemoryStorage())
        self._starts += 1
        await self.discord.connected(times=self._starts)
        await self.telegram.until(lambda: self.telegram.listening or None)
        for page in self.pages:
            await page.back()
        for person in self.people:
            if person.solver is None:
                url, channel = f"http://127.0.0.1:{self._port}/", person.home.place.removeprefix("web:")
                page = await OnPage.at(url, f"person-{person.number}", channel)
                self.pages.append(page)
                person.solver = page

    async def goes(self) -> None:
        for chat in self.chats:
            await chat.stop()

    def loses_answers(self, hour: int) -> None:
        """Carry out the next post in one place of *hour* on each platform, and lose the answer."""
        places = {platform(home.place): home.place.partition(":")[2] for home in self.homes if home.hour == hour}
        if "discord" in places:
            self.discord.will("POST", f"/channels/{places['discord']}/messages", Dropped(done=True))
        if "telegram" in places:
            self.telegram.troubles.append(Trouble("drop", "sendPhoto", int(places["telegram"]), after=True))

    async def heard(self) -> list[str]:
        """Wait until the bot is silent; return the records since the last call."""
        kept = list[str]()
        while True:
            await asyncio.sleep(QUIET_S)
            new = [record for tap in self._taps for record in tap.records] + records(self.pages)
            if not new:
                self.telegram.calls.clear()  # with all their pictures
                return sorted(kept)
            kept += new
            for tap in self._taps:
                tap.records.clear()


class Size(Struct):
    """How many days, people and places; *seeded*: with faults that the checks must find."""

    days: int = 60
    people: int = 1000
    places: int = 100
    seeded: bool = False


class Painter(Pictures):
    """Paints equal cards once: most people have the same."""

    def __init__(self) -> None:
        super().__init__()
        self._day_cards: dict[tuple[State, Look, PuzzleResult], PublicPicture] = {}

    async def puzzle_card(self, start: State, look: Look, answer: PuzzleResult) -> PublicPicture:
        key = (start, look, answer)
        if key not in self._day_cards:
            self._day_cards[key] = await super().puzzle_card(*key)
        return self._day_cards[key]


class Days:
    """The life of the town."""

    def __init__(self, store: Store, raw: Redis, town: Town, size: Size) -> None:
        self.clock = HandClock(datetime.combine(day_of(FIRST), datetime.min.time(), UTC))
        self.life = Life()
        self._store, self._raw, self._town, self._size = store, raw, town, size
        self._painter = Painter()
        self._bot = self._made()
        self._numbers = count(1)
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._robbed: Home | None = None

    def _made(self) -> Service:
        return build(self._store, self._painter, self.clock, draw=lambda n: "07" * n)

    async def run(self) -> Life:
        await self._town.comes(self._bot)
        await self._wish()
        night = self._size.days // 2
        for day in range(self._size.days):
            self._mute(day)
            for post, look in ZONES.items():
                if day == night and post >= SLEEPS:
                    await self._goes()
                    self._miss(day, look)
                    continue
                wakes = day == night + 1 and post < WAKES
                await self._until(day, WAKES if wakes else post, 9)
                if wakes:
                    for name in PLATFORMS:  # the server's clock passes as well
                        self._raw.pexpire(keys.heartbeat(name), KEPT_MS - (WAKES - SLEEPS) % 24 * 3600 * 1000)
                    await self._comes()
                elif day and day % RESTARTS == 0 and post < WAKES:
                    await self._goes()
                    await self._comes()
                if day % LOSES == 2:
                    self._town.loses_answers(post)
                await self._due()
                await self._seed(day, post)
                await self._note(day, "open", post)
                await self._until(day, look, 10)
                await self._solve(day, look)
                await self._until(day, look, 20)
                await self._due()
                await self._note(day, "open", look)
            self._count(day, night)
            if (day + 1) % TELLS == 0:
                sys.stderr.write(f"day {day + 1} of {self._size.days}\n")
        await self._check()
        await self._goes()
        self._painter.close()
        return self.life

    async def _goes(self) -> None:
        await self._town.goes()
        await self._bot.stop()

    async def _comes(self) -> None:
        self._bot = self._made()
        await self._town.comes(self._bot)

    async def _until(self, day: int, hour: int, minute: int) -> None:
        moment = datetime.combine(day_of(FIRST + day), datetime.min.time(), UTC)
        await self.clock.advance(moment + timedelta(hours=hour, minutes=minute) - self.clock.now())

    async def _due(self) -> None:
        await self._bot.do_due()
        await self._bot.idle()

    async def _wish(self) -> None:
        """Let a manager of each place choose the hour of its post."""
        for number, home in enumerate(self._town.homes, 1):
            press = Press(Set("place", OF_PLACE.index(DAILY), DAILY.choices.index(str(home.hour))).payload)
            ada = Person(PersonId(f"{platform(home.place)}:{number}"), "Ada", "en")
            update = UpdateId(f"{platform(home.place)}:ada{next(self._numbers)}")
            await self._bot.handle(Update(update, ada, Place(home.place), press, may_manage=True))

    def _mute(self, day: int) -> None:
        """Let some places refuse posts on some days."""
        for number, home in enumerate(self._town.homes):
            home.mute(day % MUTES == 6 and number % 5 == 0)

    def _miss(self, day: int, look: int) -> None:
        """Note that the people of this hour cannot answer, by no fault of theirs."""
        for person in self._town.people:
            if person.look == look and day in person.days:
                person.kept.add(FIRST + day)

    async def _solve(self, day: int, look: int) -> None:
        """Let the people of an hour try, some ask for the solution too early, and at last answer."""
        number = FIRST + day
        answers = (worst(number), best(number) if number % 2 else worst(number))  # even days have two solutions
        present = [one for one in self._town.people if one.look == look and day in one.days]
        solvers = list[tuple[Solver, tuple[int, ...]]]()
        for person in present:
            assert person.solver is not None
            if person.home is self._robbed:
                continue
            if not person.home.is_muted:
                solvers.append((person.solver, answers[person.number % 2]))
                person.known = True
                person.answered.add(number)
            elif person.known:
                person.kept.add(number)
        patient = {one.solver for one in present if one.is_patient}
        await self._all(self._try(number, solver, steps, solver in patient) for solver, steps in solvers)
        await self._note(day, "open", look)
        await self._all(solver.presses(SendDaily(number, steps).payload) for solver, steps in solvers)
        await self._note(day, "sent", look)
        self.life.answers += len(solvers)

    async def _all(self, works: Iterable[Awaitable[None]]) -> None:
        async def do(work: Awaitable[None]) -> None:
            async with self._slots:
                await work

        await asyncio.gather(*map(do, works))

    async def _try(self, number: int, solver: Solver, steps: tuple[int, ...], is_patient: bool) -> None:
        await solver.solves(SolveDaily(number).payload)
        if is_patient:
            await solver.presses(DailySolution(number).payload)
            for made in range(1, len(steps) + 1):
                await solver.presses(Daily(number, made, 0, steps[:made]).payload)

    async def _note(self, day: int, phase: str, hour: int) -> None:
        await self._bot.idle()
        self.life.phases.setdefault(f"{FIRST + day} {phase} {hour}", []).extend(await self._town.heard())

    async def _seed(self, day: int, post: int) -> None:
        """Do what must not be, if asked to."""
        if not self._size.seeded or post != min(ZONES):
            return
        homes = self._town.homes
        if day == 0:
            wrong = Post(title=f"{_title(FIRST)} ·", text=replies.solution_line(FIRST, "en"))
            await self._town.chats[0].post(homes[0].place, wrong, "seeded")
            self._robbed = next(home for home in homes if home.hour != post)
            await self._store.daily_places.cancel(self._robbed.place)
        elif day_of(FIRST + day + 1).day == 1:
            for home in homes:
                self._raw.delete(keys.place_solvers(home.place))

    def _count(self, day: int, night: int) -> None:
        """Compare the posts of a day with one in each place; in the dead night, and where it is muted, some have none.
        On the first day of a month, a place whose people have answered in the last one sees its table."""
        number = FIRST + day
        solvers = {person.home.place: person.solver for person in self._town.people}
        answered = Counter(
            person.home.place
            for person in self._town.people
            if day_of(number).day == 1 and person.answered & {*month_before(number)}
        )
        for home in self._town.homes:
            solver = solvers.get(home.place)
            if solver is None:
                continue
            wanted = 0 if home.is_muted or (day == night and home.hour >= SLEEPS) else 1
            posts = solver.posts(_title(number))
            self.life.posts += len(posts)
            if len(posts) != wanted:
                self.life.violations.append(f"{len(posts)} posts of day {number} in {home.place}")
            tables = sum(say("daily.post.month", "en") in text for text in posts)
            self.life.tables += tables
            if posts and tables != (answered[home.place] > 0):
                self.life.violations.append(f"{tables} tables of a month on day {number} in {home.place}")

    async def _check(self) -> None:
        kept = DailyRecords(self._store, self._bot.repository)
        if self._size.seeded:
            loser = next(one for one in self._town.people if one.answered and one.solver is not None)
            assert loser.solver is not None
            self._raw.hdel(keys.person_daily(loser.solver.id), str(min(loser.answered)))
        for person in self._town.people:
            assert person.solver is not None
            least, record = least_streaks(person.answered, person.kept, kept.today), await kept.of(person.solver.id)
            if record.streak < least[0] or record.best < least[1] or record.answered != len(person.answered):
                found = f"{record} instead of {len(person.answered)} answers, streaks {least}"
                self.life.violations.append(f"{person.solver.id}: {found}")


def _title(number: int) -> str:
    return say("daily.title", "en", number=number, game="", marks="").split(" ·")[0]


# Two lives


async def lived(size: Size) -> Life:
    """Live once."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = await stack.enter_async_context(Embedded(Path(folder), fsync="everysec"))
        taps = [Tap(), Tap()]
        discord = await stack.enter_async_context(Discord([taps[0].middleware]))
        telegram = Telegram(knows_ephemeral=True, middlewares=[taps[1].middleware])
        await stack.enter_async_context(telegram)
        discord.answer_within_s = discord.look_for_s = telegram.patience_s = PATIENCE_S
        gc_tuning.begin()
        store = await Store.open(server.url)
        raw = stack.enter_context(Redis.from_url(server.url))
        town = Town(discord, telegram, taps, size, random.Random(7))
        life = await Days(store, raw, town, size).run()
        await store.close()
        life.violations += telegram.violations
        return life


def falsified(folder: Path, days: int) -> None:
    """Copy the rules into *folder*; the puzzles of even days have other solutions there."""
    shutil.copytree(ROOT / "rules", folder / "rules")
    even = {puzzle(number).start for number in range(FIRST, FIRST + days) if number % 2 == 0}
    for game, listed in puzzles.all_puzzles().items():
        others = [_other(one) if one.start in even else one for one in listed]
        content = b"[" + b",".join(map(encode, others)) + b"]"
        (folder / "rules" / "puzzles" / f"{game}.json").write_bytes(content)


def _other(one: Puzzle) -> Puzzle:
    """Return a puzzle with the same position and another solution."""
    attempt, line = begin(one), list[str]()
    while attempt.result is None:
        line.append(str(attempt.state.actions()[0]))
        attempt = play(attempt, attempt.state.actions()[0])
    return replace(one, par=one.par + 1, line=tuple(line), ways=(one.ways[0] + 1, one.ways[1] + 1))


def differences(true: Life, false: Life) -> Iterator[str]:
    """Yield the violations of two lives: bytes that depend on the solution before an answer, and answers that do not
    depend on it. A post of an odd day tells the solution of the even day before."""
    assert true.phases.keys() == false.phases.keys()
    for phase, ours in true.phases.items():
        number, kind, _ = phase.split()
        others = false.phases[phase]
        is_even = int(number) % 2 == 0
        if kind == "open" and is_even and ours != others:
            pairs = zip_longest(sorted({*ours} - {*others}), sorted({*others} - {*ours}), fillvalue="")
            yield f"{phase} tells: {next(pairs, ('', ''))}"
        if kind == "sent" and is_even and ours and ours == others:
            yield f"{phase}: the comparison is blind"


async def _process(folder: Path, size: Size) -> Life:
    """Live in a process of its own, whose rules are those in *folder*."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.chaos.real_days", "--once", msgspec.json.encode(size).decode()),
        cwd=folder,
        env=environment,
        stdout=PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, "a life has ended early"
    return msgspec.json.decode(out, type=Life)


async def compared(folder: Path, size: Size) -> Life:
    """Live through the days twice, and return the first life with all violations. *folder*: an empty one."""
    falsified(folder, size.days)
    true, false = await asyncio.gather(_process(ROOT, size), _process(folder, size))
    true.violations += false.violations
    true.violations += differences(true, false)
    return true


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tests.chaos.real_days", description=__doc__)
    for name, default in (("days", 60), ("people", 1000), ("places", 100)):
        parser.add_argument(f"--{name}", type=int, default=default, help=str(default))
    parser.add_argument("--seeded", action="store_true", help="with faults that the checks must find")
    parser.add_argument("--once", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.once:
        life = asyncio.run(lived(msgspec.json.decode(asked.once, type=Size)))
        sys.stdout.buffer.write(msgspec.json.encode(life))
        return 0
    begun, size = time.monotonic(), Size(asked.days, asked.people, asked.places, asked.seeded)
    with tempfile.TemporaryDirectory() as folder:
        life = asyncio.run(compared(Path(folder), size))
    sent = sum(map(len, life.phases.values()))
    seconds = time.monotonic() - begun
    counts = f"posts={life.posts} tables={life.tables} answers={life.answers} compared={sent} seconds={seconds:.0f}"
    lines = [counts, *life.violations]
    sys.stdout.write("\n".join(lines) + "\n")
    return bool(life.violations)


if __name__ == "__main__":
    sys.exit(main())
