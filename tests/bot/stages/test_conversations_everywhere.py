"""Every golden conversation on every platform: all people see exactly the expected messages."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import zip_longest
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace

from bot.app import build
from bot.chat import Person, Place, platform
from bot.delivery.painting import Pictures
from bot.service.service import Service
from bot.store.store import Store
from rules import PACKAGES
from tests.bot.adapters.browser import Chromium
from tests.bot.conftest import HandClock
from tests.bot.stages import script
from tests.bot.stages.on_discord import OnDiscord
from tests.bot.stages.on_page import OnPage, last_part
from tests.bot.stages.on_telegram import OnTelegram
from tests.bot.stages.script import Step
from tests.bot.stages.stage import Screen, Sight, Stage, lang, on_platform
from tests.bot.stages.wall import Wall
from tests.bot.stages.windows import Windows
from tests.bot.talk import elsewhere
from tests.bot.talk.garden import Garden
from tests.bot.talk.turns import next_turn, play_on
from tests.emulators.discord import Discord
from tests.emulators.telegram.server import Telegram

pytestmark = pytest.mark.asyncio(loop_scope="session")

FOLDER = Path(__file__).parents[1] / "talk/conversations"
INSTALLED = [FOLDER / f"installed/{game}.txt" for game in PACKAGES]
CONVERSATIONS = sorted((*FOLDER.glob("*.txt"), FOLDER / "managed/an_admin.txt", *INSTALLED))
"""Conversations in one place with the bot. Adding the bot and opening a private chat differ by platform; the
adapters' tests cover them."""


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def windows(browser: Chromium) -> Windows:
    return Windows(browser)


@asynccontextmanager
async def discord(conversation: str, steps: Sequence[Step], _: Windows) -> AsyncIterator[Stage]:
    async with Discord() as opened:
        yield OnDiscord(opened, script.people(steps))


@asynccontextmanager
async def telegram(conversation: str, steps: Sequence[Step], _: Windows) -> AsyncIterator[Stage]:
    async with Telegram(knows_ephemeral=True) as opened:
        yield OnTelegram(opened, script.people(steps))
    assert opened.violations == []


@asynccontextmanager
async def older_telegram(conversation: str, steps: Sequence[Step], _: Windows) -> AsyncIterator[Stage]:
    async with Telegram() as opened:
        yield OnTelegram(opened, script.people(steps))
    assert opened.violations == []


@asynccontextmanager
async def page(conversation: str, steps: Sequence[Step], windows: Windows) -> AsyncIterator[Stage]:
    opened = OnPage(windows, steps, last_part(steps) if conversation in IN_A_BROWSER else ())
    try:
        yield opened
    finally:
        await opened.leaves()
    windows.check()


OLDER = (
    "a_substitute",
    "a_tie_is_broken",
    "an_admin",
    "back_in_the_game",
    "bare_moves",
    "crystalla_away",
    "crystalla_by_taps",
    "hints",
    "in_own_words",
    "kaleidoskop_declines",
    "kaleidoskop_last_round",
    "kalejdoschach_with_a_die",
    "looking_back",
    "making_room",
    "my_settings",
    "never_moved",
    "nobody_comes",
    "puzzle_in_a_channel",
    "remembering",
    "remembering_in_rounds",
    "the_channel_plays",
    "the_lobby",
    "two_and_the_clock",
    "two_channels",
    "what_else_waits",
    "wie_es_lief",
    "zwei_kanaele",
)
"""Conversations for an older Telegram server. It gets the same messages in other ways, and these cover each way at
least once (`test_what_is_played`). All others are played on the newer server."""

IN_A_BROWSER = (
    "a_tie_is_broken",
    "an_admin",
    "auf_deutsch",
    "back_in_the_game",
    "bare_moves",
    "endspiele",
    "giving_up",
    "kaleidoskop_claims",
    "kaleidoskop_geteilt",
    "kalejdoschach_two",
    "learning",
    "looking_back",
    "making_room",
    "puzzle_in_a_channel",
    "raetsel_im_kanal",
    "remembering",
    "remembering_in_rounds",
    "several_wait",
    "the_clock_of_the_lobby",
    "two_channels",
    "was_sonst_wartet",
    "zwei_kanaele",
    *PACKAGES,
)
"""Conversations with a last part in the browser: they cover every kind of step and message, twice if possible
(`test_what_is_played`). The data for all windows is checked in every conversation."""

STAGES = {"discord": discord, "telegram": telegram, "older-telegram": older_telegram, "page": page}


class Bot:
    """The real service on a stage; every seed is the same."""

    def __init__(self, stage: Stage, store: Store, painter: Pictures, clock: HandClock) -> None:
        self._stage = stage
        self._parts = store, painter, clock
        self.store = store
        self.service = self._made()

    def _made(self) -> Service:
        return build(*self._parts, draw=lambda n: "07" * n)

    async def __aenter__(self) -> "Bot":
        try:
            await self._stage.comes(self.service)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stage.goes()
        await self.service.stop()

    async def begins_anew(self) -> None:
        await self.__aexit__()
        self.service = self._made()
        await self.__aenter__()
        await self.service.repost(everything=True)

    async def plays_on(self, turns: int, moves: Sequence[str]) -> None:
        """Play *turns* turns and check the last board and badge only; the adapters' tests play whole games."""
        unseen = self._made()
        await play_on(unseen, self.store, Place(self._stage.place), self._person, turns, moves)
        await unseen.stop()
        await self.service.repost(everything=True)
        await self.service.idle()

    def _person(self, who: str) -> Person:
        return Person(self._stage.person(who), who.capitalize(), lang(who))


PLAYED = {
    f"{path.stem}-{stage}": (stage, path)
    for path in CONVERSATIONS
    for stage in STAGES
    if stage != "older-telegram" or path.stem in OLDER
}


@pytest.mark.parametrize(("stage", "conversation"), PLAYED.values(), ids=PLAYED)
async def test_public_lines_of_a_conversation_are_visible_to_all(
    stage: str, conversation: Path, windows: Windows, store: Store, painter: Pictures, clock: HandClock
) -> None:
    steps = script.read(await asyncio.to_thread(conversation.read_text, encoding="utf-8"))
    async with STAGES[stage](conversation.stem, steps, windows) as opened, Bot(opened, store, painter, clock) as bot:
        await Play(opened, bot, clock).plays(steps)


class Play:
    """A conversation that is played on a stage."""

    def __init__(self, stage: Stage, bot: Bot, clock: HandClock) -> None:
        self._stage = stage
        self._bot = bot
        self._clock = clock
        self._wall = Wall()
        self._elsewhere = iter(stage.elsewhere)
        self._garden = Garden(bot.store, stage.place, stage.elsewhere[0])
        self._before = 0  # public messages that no line of the conversation lists

    async def plays(self, steps: tuple[Step, ...]) -> None:
        sight = await self._stage.until(lambda _: True)
        for step in steps:
            sight = await self._goes_on(step, sight)

    async def _goes_on(self, step: Step, before: Sight) -> Sight:
        """Play one step; return the view after it."""
        await self._stage.nears(step)
        await self._does(step)
        await self._bot.service.idle()
        wrong = self._wrong(step, before)
        sight = await self._stage.until(lambda sight_: not wrong(sight_))
        if step.turns:
            self._before = len(sight.wall) - len(step.posts)
        if problem := wrong(sight):
            pytest.fail(f"line {step.number}: {step.line}\n{problem}\n\n{self._stage.transcript()}", pytrace=False)
        return sight

    async def _does(self, step: Step) -> None:
        if step.line == script.RESTART:
            await self._bot.begins_anew()
            if not self._stage.remembers:
                self._wall.forgets(shows_again=True)
        elif step.passes is not None:
            await self._clock.advance(step.passes)
            await self._bot.service.do_due()
        elif step.elsewhere:
            people = [Person(self._stage.person(who), who.capitalize(), lang(who)) for who in step.elsewhere]
            place = Place(next(self._elsewhere))
            await elsewhere.begins(self._bot.service, place, people, starts=not step.waits)
        elif step.garden is not None:
            await self._garden.acts(self._bot.service, *step.garden)
        elif step.turns:
            before = step.turns - 1
            await self._bot.plays_on(before, step.moves)
            await self._stage.types(*await next_turn(self._bot.store, self._stage.place, before, step.moves))
            await self._bot.service.idle()
            self._wall.forgets()
        elif step.pressed is not None:
            await self._stage.presses(step.who, step.pressed)
        elif step.aloud:
            await self._stage.says(step.who, step.does, is_move=bool(step.events))
        else:
            await self._stage.types(step.who, step.does)

    def _wrong(self, step: Step, before: Sight) -> Callable[[Sight], str]:
        """Return the fault of a view after *step*, or ""."""
        known = before.alone
        if step.line == script.RESTART and not self._stage.remembers:
            known = {who: Counter() for who in known}
        if step.turns:
            known = {}
        if step.who and step.pressed is None and not step.aloud and not self._stage.hears(step.does):
            step = replace(step, events=())
        step = self._stage.leads(step)
        self._wall.hears(step.posts)
        answer = self._stage.tells(step)
        if answer is not None:
            answer = on_platform(answer, platform(self._stage.place))
        wall = self._stage.shows(self._wall.posts)
        goes = {who: self._stage.takes_back(step, who) for who in before.alone}  # the stage counts each once

        def wrong(sight: Sight) -> str:
            shown = sight.wall[-len(step.posts) if step.turns else self._before :]
            problems = [*_different("for everybody", wall, shown)]
            if step.who:
                seen = [] if sight.answer is None else [sight.answer]
                problems += _different(f"for {step.who}", [] if answer is None else [answer], seen)
            for who, own in known.items():
                gone, new = own - sight.alone[who], sight.alone[who] - own
                if gone.total() < goes[who]:
                    problems.append(f"{who} still sees what was to be taken back")
                if who != step.who and (gone.total() > goes[who] or new):
                    problems.append(f"{who} has nothing to do with it, and sees\n{new}\nand no more\n{gone}")
            return "\n".join(problems)

        return wrong


def _different(whose: str, wanted: Sequence[Screen], seen: Sequence[Screen]) -> Iterator[str]:
    """Return the missing messages and the unexpected ones."""
    for number, (one, other) in enumerate(zip_longest(wanted, seen), 1):
        if one != other:
            yield f"{whose}, message {number} should read\n    {one}\nand reads\n    {other}"
