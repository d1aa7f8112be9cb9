"""A game in a package of its own: installed as an operator does it, played everywhere, removed, and back again."""

import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.replies.words import say
from kaleidobot.testing.playing import any_action
from rules import GAMES
from tests.bot.servers import free_port, page
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat, Person
from tests.test_packaging import pip

TOP = Path(__file__).parents[2]
SOURCE = TOP / "examples" / "hex"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the package, installed by pip."""
    folder = tmp_path_factory.mktemp("site")
    pip("install", "--no-build-isolation", "--target", folder, SOURCE, within=folder)
    return folder


def outside(site: Path | None) -> dict[str, str]:
    """Return the environment of a process that finds the bot, and the package in *site*."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "KALEIDOBOT"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, (TOP, site) if site else (TOP,)))}


def ran(*words: str, site: Path | None, within: Path = TOP, status: int = 0) -> str:
    """Run Python with *words* beside the package; return all its output. Fails with it for another exit *status*."""
    done = subprocess.run(
        [sys.executable, *words], cwd=within, env=outside(site), capture_output=True, text=True, timeout=280
    )
    assert done.returncode == status, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout + done.stderr


@pytest.mark.timeout(300)
def test_it_keeps_the_whole_contract(site: Path, tmp_path: Path) -> None:
    assert re.search(r"\d+ passed", ran("-m", "kaleidobot.testing", "hex", site=site, within=tmp_path))
    assert not [*tmp_path.iterdir()], "the kit leaves nothing behind"


FAULTS = (
    ("rules.py", "        _check_turn(", "        print(", 'decode accepts {"actor": -1} in {"game": "hex", '),
    ("rules.py", "def tactical_actions", "def tactics", "tactics is not in rules.contract.State"),
    ("rules.py", "return msgspec.structs.replace(self, seed=None)", "return self", "view() must return seed=None"),
    ("rules.py", "replace(self, actor=seat)", "replace(self)", "turn_of(1) must return a position with that seat"),
    ("rules.py", 'frozenset({"swap", ', "frozenset({", "swap is not understood as swap"),
    ("drawer.py", '"known" if recent.is_faint else "new"', '"new"', "is marked alike whether is_faint or not"),
    ("drawer.py", 'LETTERS[k], 24, "muted"', 'LETTERS[k], 24, "lead"', "lead on ground in the dark theme ("),
    ("texts/en.po", 'msgid "name', 'msgid "newz.foo"\nmsgstr "{n}"\n\nmsgid "name', "nothing asks for newz.foo"),
    ("texts/en.po", "", "", "newz.foo has {n} and no plural"),
    ("texts/de.po", "typing.swap", "typing.swop", "surplus: typing.swop; missing: newz.foo, typing.swap"),
    ("lesson.json", '"wants": ["', '"wants": ["k9", "', "step 1 of the lesson of hex wants k9, which is not offered"),
)
"""File, text in it, damage, and the sentence by which the kit names it."""


@pytest.mark.timeout(300)
def test_the_kit_names_the_faults_of_a_package(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "site")
    for name, text, damage, _ in FAULTS:
        path = tmp_path / "site" / "kaleidobot_hex" / name
        path.write_text(path.read_text(encoding="utf-8").replace(text, damage, 1), encoding="utf-8")
    some = (
        "actor_or_last or adds_no or has_the_seed or be_planned or is_used or has_a_plural or the_same_ids"
        " or two_minutes or be_typed or recent_action or text_is_readable"
    )
    words = ("-m", "kaleidobot.testing", "hex", "-k", some)
    said = ran(*words, site=tmp_path / "site", within=tmp_path, status=1)
    assert [sentence for *_, sentence in FAULTS if sentence not in said] == [], said


def test_a_seat_that_cannot_move_needs_an_action() -> None:
    state = GAMES["kabooom"].decode((TOP / "renderers/positions/kabooom/rules-4.json").read_bytes())
    with pytest.raises(AssertionError, match="after a2-b1 pass seat None is the actor, but"):
        any_action(state, random.Random(), ["a2-b1", "pass"])


@pytest.mark.parametrize("tool", [("kaleidobot.testing",), ("renderers", "preview")])
def test_a_game_that_does_not_exist_is_named_among_those_that_do(tool: tuple[str, ...], site: Path) -> None:
    said = ran("-m", *tool, "chess", site=site, status=1)
    assert "There is no game chess" in said
    assert ", hex" in said


def test_the_kit_explains_its_use(site: Path) -> None:
    assert "python -m kaleidobot.testing GAME" in ran("-m", "kaleidobot.testing", "--help", site=site)


def played(site: Path, name: str) -> str:
    """Return what pytest says of the tests in the module *name* that are about the game."""
    return ran("-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/bot/{name}.py", "-k", "hex", site=site)


@pytest.mark.timeout(300)
def test_people_play_a_whole_game_of_it_on_discord_and_telegram(site: Path) -> None:
    assert "2 passed" in played(site, "adapters/test_every_game")


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_people_play_a_whole_game_of_it_on_the_page(site: Path) -> None:
    assert "1 passed" in played(site, "adapters/test_whole_games_on_web_page")


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_every_feature_works_with_it_on_all_platforms(site: Path) -> None:
    """Menus, hints, notes, votes, plans, history, proof, card, analysis, film; the page's board can be tapped."""
    assert "2 passed" in played(site, "talk/test_conversations")
    assert "3 passed" in played(site, "stages/test_conversations_everywhere")
    assert "1 passed" in played(site, "adapters/test_tapping_on_web_page")


def test_its_pictures_can_be_seen_before_anything_is_played(site: Path, tmp_path: Path) -> None:
    ran("-m", "renderers", "preview", "hex", site=site, within=tmp_path)
    assert (tmp_path / "hex.png").read_bytes().startswith(b"\x89PNG")


class Bot:
    """A running bot. *begun*: the lines that it has printed at its start."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.begun = list[str]()

    async def begins(self) -> None:
        assert self._process.stdout is not None
        while "https://t.me/" not in "".join(self.begun[-1:]):
            line = (await asyncio.wait_for(self._process.stdout.readline(), 60)).decode()
            assert line, self.begun
            self.begun.append(line)


@asynccontextmanager
async def running(folder: Path, telegram: Telegram, site: Path | None, **settings: str) -> AsyncIterator[Bot]:
    """Run the bot as its own process, on the store in *folder*."""
    stage = {"WEB": "off", "TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url}
    with (folder / "log").open("a") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=folder,
            env={**outside(site), **stage, **settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
    bot = Bot(process)
    try:
        await bot.begins()
        yield bot
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), 60)


def called(telegram: Telegram, hall: Chat) -> Person:
    """Return the person whose turn it is."""
    pinged = next(message.pinged() for message in reversed(hall.messages) if message.pinged())
    return next(member for member in hall.members if member.id in pinged)


@pytest.mark.timeout(300)
async def test_its_tables_rest_while_it_is_removed_and_go_on_when_it_is_back(site: Path, tmp_path: Path) -> None:
    async with Telegram(knows_ephemeral=True) as telegram:
        anna, ben = telegram.person("Anna"), telegram.person("Ben")
        hall = telegram.group("Hall", anna, ben)
        port = str(free_port())
        async with running(tmp_path, telegram, site, HEALTH_PORT=port, LOG_LEVEL="DEBUG") as bot:
            assert "  hex: kaleidobot-hex 1.0.0\n" in bot.begun
            _, figures = await page(f"http://127.0.0.1:{port}/metrics")
            assert 'kaleidobot_game_info{game="hex",package="kaleidobot-hex",version="1.0.0"} 1.0' in figures
            await anna.types("/newgame hex 7 off", hall)
            await hall.offers("Join")
            await ben.presses("Join", hall)
            await hall.shows("Turn order")
            await called(telegram, hall).types("/move d4", hall)
            await hall.shows("puts a stone on d4")
            assert "kaleidobot-hex 1.0.0" in (await told(anna, hall, "/verify"))

        log = (tmp_path / "log").read_text("utf-8")
        for line in ("update: ", "post: "):
            assert re.search(rf"(?m){line}.* game=hex package=kaleidobot-hex/1\.0\.0 outcome=", log), line

        async with running(tmp_path, telegram, None) as bot:
            assert not any("hex" in line for line in bot.begun)
            before = len(hall.said())
            second = called(telegram, hall)
            assert await told(second, hall, "/move e4") == say("trouble.game", "en", game="hex")
            assert len(hall.said()) == before

        async with running(tmp_path, telegram, site):
            await second.types("/move e4", hall)
            await hall.shows("puts a stone on e4")
    assert telegram.violations == []


async def told(person: Person, hall: Chat, text: str) -> str:
    """Return the private answer to a command."""
    corner = person.alone_in(hall)
    before = len(corner.said())
    await person.types(text, hall)

    def answer() -> str | None:
        return next((message.text for message in corner.said()[before:] if message.text != "…"), None)

    return await hall.telegram.until(answer, f"an answer to {text}")
