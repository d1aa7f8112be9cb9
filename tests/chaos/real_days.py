"""Days of the daily puzzle on the real platforms: ``python -m tests.chaos.real_days [--days 60] [--people 6]``.

The adapters talk over sockets to the emulated Discord and Telegram and to windows of the page; only the clock is set by
hand. People in three time zones solve what is posted. The bot restarts, answers of platforms get lost, and for one
night nothing runs.

All days are lived twice, in two processes. In the second one, the puzzles of even days have other solutions (par, line,
ways). Until a person sends an answer, and in all posts of those days, every byte of the bot must be the same: requests,
buttons, alternative texts, pictures. After an answer, something must differ, else the comparison would be blind.
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from itertools import count, zip_longest
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace
from redis import Redis

from bot.adapters.on_discord.chat import DiscordChat
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_web.chat import WebChat
from bot.app import build
from bot.chat import Person, PersonId, Place, Press, Update, UpdateId, platform
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.repository.daily import DailyRecords
from bot.requests import Daily, DailySolution, SendDaily, Set, SolveDaily
from bot.requests.commands import COMMANDS
from bot.service.service import Service
from bot.store import keys
from bot.store.embedded import Embedded
from bot.store.heartbeats import KEPT_MS
from bot.store.store import Store
from bot.tables.daily import day_of
from bot.tables.preferences import DAILY, OF_PLACE
from rules import puzzles
from rules.puzzles import Puzzle, begin, encode, play, puzzle
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.conftest import HandClock
from tests.bot.servers import free_port
from tests.chaos.bots import ROOT
from tests.chaos.platforms import OnDiscord, OnPage, OnTelegram, Solver, records
from tests.chaos.taps import Tap, tapped
from tests.emulators.discord import Discord
from tests.emulators.discord.faults import Dropped
from tests.emulators.telegram.server import Telegram
from tests.puzzles import worst

FIRST = 330
"""The first day, an even one; from the sixth one on, three games take turns."""
ZONES = MappingProxyType({6: 7, 12: 13, 20: 21})
"""The hours of posts, in UTC, each with the hour at which people look."""
SLEEPS, WAKES = 20, 7
"""The hours between which nothing runs in the dead night."""
RESTARTS, LOSES = 5, 10
"""Days between two restarts, and between two days on which platforms lose the answer to a post."""
QUIET_S = 0.05
"""Without a request for so long, the bot has said everything."""
PLATFORMS = ("discord", "telegram", "web")


class Life(Struct):
    """*phases*: the records of all that the bot sent, by day and phase. *violations*: what must not be."""

    phases: dict[str, list[str]] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    posts: int = 0
    answers: int = 0


class Town:
    """The platforms with their people; the bot comes and goes."""

    def __init__(self, discord: Discord, telegram: Telegram, taps: Sequence[Tap], people: int) -> None:
        self.discord, self.telegram, self._taps = discord, telegram, taps
        self._port = free_port()
        self._chats: list[DiscordChat | TelegramChat | WebChat] = []
        self._starts = 0
        groups = {hour: telegram.group(f"Group {hour}") for hour in ZONES}
        channels = {hour: discord.channel(f"channel {hour}") for hour in ZONES}
        self.solvers: dict[int, list[Solver]] = {hour: [] for hour in ZONES}
        for number in range(people):
            for hour, group in groups.items():
                member = telegram.person(f"Person {hour} {number}")
                group.members.append(member)
                someone = discord.person(f"Person {hour} {number}", channels[hour])
                self.solvers[hour] += [OnDiscord(discord, someone), OnTelegram(telegram, member, group)]
        self._windows = [f"person-{hour}-{number}" for hour in list(ZONES)[1:2] for number in range(people)]

    async def comes(self, bot: Service) -> None:
        discord, telegram = self._taps
        self._chats = [
            DiscordChat(
                self.discord.token, COMMANDS, api_url=discord.at("/api/v10"), gateway_url=self.discord.gateway_url
            ),
            TelegramChat(self.telegram.token, COMMANDS, telegram.at(""), pace=UNLIMITED),
            WebChat(port=self._port),
        ]
        self.telegram.listening = False
        for chat in self._chats:
            bot.add(chat)
            await chat.start(bot, MemoryStorage())
        self._starts += 1
        await self.discord.connected(times=self._starts)
        await self.telegram.until(lambda: self.telegram.listening or None)
        if self._starts == 1:
            self.pages = [await OnPage.at(f"http://127.0.0.1:{self._port}/", name) for name in self._windows]
            self.solvers[list(ZONES)[1]] += self.pages
        else:
            for page in self.pages:
                await page.back()

    async def goes(self) -> None:
        for chat in self._chats:
            await chat.stop()

    def loses_answers(self) -> None:
        """Carry out the next post on each platform, and lose the answer."""
        self.discord.will("POST", "/messages", Dropped(done=True))
        self.telegram.drops("sendPhoto", after=True)

    async def heard(self) -> list[str]:
        """Wait until the bot is silent; return the records since the last call."""
        kept = list[str]()
        while True:
            await asyncio.sleep(QUIET_S)
            new = [record for tap in self._taps for record in tap.records] + records(self.pages)
            if not new:
                return sorted(kept)
            kept += new
            for tap in self._taps:
                tap.records.clear()


class Days:
    """The life of the town."""

    def __init__(self, store: Store, raw: Redis, town: Town, days: int) -> None:
        self.clock = HandClock(datetime.combine(day_of(FIRST), datetime.min.time(), UTC))
        self.life = Life()
        self._store, self._raw, self._town, self._days = store, raw, town, days
        self._painter = Pictures()
        self._bot = self._made()
        self._numbers = count(1)
        self._answered: Counter[PersonId] = Counter()

    def _made(self) -> Service:
        return build(self._store, self._painter, self.clock, draw=lambda n: "07" * n)

    async def run(self) -> Life:
        await self._town.comes(self._bot)
        await self._wish()
        night = self._days // 2
        for day in range(self._days):
            for post, look in ZONES.items():
                if day == night and post >= SLEEPS:
                    await self._goes()
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
                    self._town.loses_answers()
                await self._due()
                await self._note(day, "open", post)
                await self._until(day, look, 10)
                await self._solve(day, post)
                await self._until(day, look, 20)
                await self._due()
                await self._note(day, "open", look)
            self._count(day, night)
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
        for hour, solvers in self._town.solvers.items():
            press = Press(Set("place", OF_PLACE.index(DAILY), DAILY.choices.index(str(hour))).payload)
            for place in {solver.place for solver in solvers}:
                ada = Person(PersonId(f"{platform(place)}:1"), "Ada", "en")
                update = UpdateId(f"{platform(place)}:ada{next(self._numbers)}")
                await self._bot.handle(Update(update, ada, Place(place), press, may_manage=True))

    async def _solve(self, day: int, hour: int) -> None:
        """Let the people of an hour try, ask for the solution too early, and at last answer."""
        number = FIRST + day
        steps, solvers = worst(number), self._town.solvers[hour]
        for solver in solvers:
            await solver.solves(SolveDaily(number).payload)
            await solver.presses(DailySolution(number).payload)
            for made in range(1, len(steps) + 1):
                await solver.presses(Daily(number, made, 0, steps[:made]).payload)
        await self._note(day, "open", hour)
        for solver in solvers:
            await solver.presses(SendDaily(number, steps).payload)
            self._answered[solver.id] += 1
        await self._note(day, "sent", hour)
        self.life.answers += len(solvers)

    async def _note(self, day: int, phase: str, hour: int) -> None:
        await self._bot.idle()
        self.life.phases.setdefault(f"{FIRST + day} {phase} {hour}", []).extend(await self._town.heard())

    def _count(self, day: int, night: int) -> None:
        """Compare the posts of a day with one in each place; in the dead night some have none."""
        title = say("daily.title", "en", number=FIRST + day, game="", marks="").split(" ·")[0]
        for hour, solvers in self._town.solvers.items():
            wanted = 0 if day == night and hour >= SLEEPS else 1
            for solver in {solver.place: solver for solver in solvers}.values():
                posts = solver.posts(title)
                self.life.posts += posts
                if posts != wanted:
                    self.life.violations.append(f"{posts} posts of day {FIRST + day} in {solver.place}")

    async def _check(self) -> None:
        kept = DailyRecords(self._store, self._bot.repository)
        for person, answers in self._answered.items():
            streak = (await kept.of(person)).streak
            if streak != answers:
                self.life.violations.append(f"{person}: streak {streak} after {answers} answers")


# Two lives


async def lived(days: int, people: int) -> Life:
    """Live through *days* with *people* for each hour and platform."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = await stack.enter_async_context(Embedded(Path(folder), fsync="everysec"))
        discord = await stack.enter_async_context(Discord())
        telegram = await stack.enter_async_context(Telegram(knows_ephemeral=True))
        taps = [await stack.enter_async_context(tapped(url)) for url in (origin(discord.api_url), telegram.url)]
        store = await Store.open(server.url)
        raw = stack.enter_context(Redis.from_url(server.url))
        life = await Days(store, raw, Town(discord, telegram, taps, people), days).run()
        await store.close()
        life.violations += telegram.violations
        return life


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


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


async def _process(folder: Path, days: int, people: int) -> Life:
    """Live in a process of its own, whose rules are those in *folder*."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.chaos.real_days", "--days", str(days), "--people", str(people), "--once"),
        cwd=folder,
        env=environment,
        stdout=PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, "a life has ended early"
    return msgspec.json.decode(out, type=Life)


async def compared(folder: Path, days: int, people: int) -> Life:
    """Live through the days twice, and return the first life with all violations. *folder*: an empty one."""
    falsified(folder, days)
    true, false = await asyncio.gather(_process(ROOT, days, people), _process(folder, days, people))
    true.violations += false.violations
    true.violations += differences(true, false)
    return true


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tests.chaos.real_days", description=__doc__)
    parser.add_argument("--days", type=int, default=60, help="60")
    parser.add_argument("--people", type=int, default=2, help="for each hour and platform: 2")
    parser.add_argument("--once", action="store_true", help="one life only, as JSON")
    asked = parser.parse_args(arguments)
    if asked.once:
        sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(lived(asked.days, asked.people))))
        return 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        life = asyncio.run(compared(Path(folder), asked.days, asked.people))
    sent = sum(map(len, life.phases.values()))
    seconds = time.monotonic() - begun
    lines = [f"posts={life.posts} answers={life.answers} compared={sent} seconds={seconds:.0f}", *life.violations]
    sys.stdout.write("\n".join(lines) + "\n")
    return bool(life.violations)


if __name__ == "__main__":
    sys.exit(main())
