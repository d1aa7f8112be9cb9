"""Games of other packages: found by their entry points, or left out with one line each."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).parents[2]
TOLD = """
import json, rules, renderers, texts
print(json.dumps({
    "games": list(rules.GAMES),
    "drawers": list(renderers.drawers()),
    "used": {game: str(package) for game, package in rules.PACKAGES.items()},
    "left out": {f"{out.game} {out.package}": [out.problem, out.place] for out in rules.LEFT_OUT},
    "name": [texts.find(game, "name", "de") for game in rules.PACKAGES],
}))
"""
RULES = """
from rules.games.kabooom import GAME as LIKE, CODES
class Other(type(LIKE)):
    id = "{game}"
GAME = Other()
"""
DRAWER = "from renderers.games.kabooom import DRAWER"
CATALOGUE = "".join(
    f'msgid "{key}"\nmsgstr "{key} of it"\n\n'
    for key in ("name", "tagline", "players", "credits", "rules.1.title", "rules.1.text")
)
HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'


def installed(site: Path, game: str, *, by: str = "game", **other: str | None) -> None:
    """Lay out a package with a game in *site* as pip does. *other*: parts that differ, None for missing ones."""
    module, name = f"{by}_{game.lower().replace('-', '_')}", f"{by}-{game.lower()}"
    parts = {
        "__init__.py": "CONTRACT = 1",
        "rules.py": RULES.format(game=game),
        "drawer.py": DRAWER,
        "texts/en.po": HEAD + CATALOGUE,
        **{key.replace("__", "/", 1).replace("_", "."): text for key, text in other.items() if key != "init"},
        **({"__init__.py": other["init"]} if "init" in other else {}),
    }
    for part, text in parts.items():
        if text is not None:
            path = site / module / part
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    about = site / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[kaleidobot.games]\n{game} = {module}\n", encoding="utf-8")


def output(site: Path, *words: str, within: Path = TOP) -> str:
    """Return what a fresh Python with *site* prints."""
    environment = {**os.environ, "PYTHONPATH": f"{TOP}{os.pathsep}{site}", "WEB_PORT": "0"}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=within, env=environment, stdout=subprocess.PIPE, timeout=60, check=False)
    return done.stdout.decode()


def known_games(site: Path) -> dict[str, Any]:
    """Return what a fresh process with *site* knows about games."""
    answer: dict[str, Any] = json.loads(output(site, "-c", TOLD))
    return answer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with one good package and many others."""
    site = tmp_path_factory.mktemp("site")
    installed(site, "ludo")
    installed(site, "ludo", by="more")
    installed(site, "kabooom")
    installed(site, "table")
    installed(site, "Bad-Id")
    installed(site, "newer", init="CONTRACT = 2")
    installed(site, "unsaid", init="")
    installed(site, "breaks", rules_py="x = 1\n1 / 0")
    installed(site, "exits", init="raise SystemExit(3)")
    installed(site, "lacks", rules_py=None)
    installed(site, "sketch", drawer_py=None)
    installed(site, "other", rules_py=RULES.format(game="another"))
    installed(site, "nogame", rules_py="GAME = None")
    installed(site, "undrawn", drawer_py="DRAWER = None")
    installed(site, "untold", texts__en_po=None)
    installed(site, "unnamed", texts__en_po=HEAD + CATALOGUE.replace('"name"', '"names"'))
    installed(site, "garbled", texts__de_po="msgid name\nmsgstr")
    return site


@pytest.fixture(scope="module")
def many(site: Path) -> dict[str, Any]:
    """Return what a process knows that finds them."""
    return known_games(site)


def test_an_installed_game_is_a_game_as_any_other(many: dict[str, Any]) -> None:
    assert many["used"] == {"ludo": "game-ludo 1.0"}
    assert many["games"][-1] == many["drawers"][-1] == "ludo"
    assert many["name"] == ["name of it"], "English stands in for a language that the package lacks"


@pytest.mark.parametrize(
    ("package", "problem"),
    [
        ("ludo more-ludo 1.0", "there is a game with this id already"),
        ("kabooom game-kabooom 1.0", "there is a game with this id already"),
        ("table game-table 1.0", "its texts cannot be used: ValueError: there are texts for table already"),
        ("Bad-Id game-bad-id 1.0", "its id must be 2 to 16 lower-case letters and digits, a letter first"),
        ("newer game-newer 1.0", "it is made for version 2 of the contract, and this bot has version 1"),
        ("unsaid game-unsaid 1.0", "it is made for version None of the contract, and this bot has version 1"),
        ("breaks game-breaks 1.0", "game_breaks.rules cannot be imported: ZeroDivisionError: division by zero"),
        ("exits game-exits 1.0", "game_exits cannot be imported: SystemExit: 3"),
        ("lacks game-lacks 1.0", "rules.py is missing"),
        ("sketch game-sketch 1.0", "drawer.py is missing"),
        ("other game-other 1.0", "game_other.rules.GAME.id is 'another', and the entry point is named 'other'"),
        ("nogame game-nogame 1.0", "game_nogame.rules.GAME is no instance of a subclass of rules.contract.Game"),
        ("undrawn game-undrawn 1.0", "game_undrawn.drawer.DRAWER is no instance of renderers.contract.Drawer"),
        ("untold game-untold 1.0", "its texts cannot be used: ValueError: there is no en.po"),
        ("unnamed game-unnamed 1.0", "its texts cannot be used: ValueError: en.po has no text for name"),
        ("garbled game-garbled 1.0", "its texts cannot be used: ValueError: "),
    ],
)
def test_a_wrong_or_broken_package_is_left_out_with_the_reason(
    many: dict[str, Any], package: str, problem: str
) -> None:
    assert many["left out"][package][0].startswith(problem)
    assert "\n" not in many["left out"][package][0]


def test_the_place_of_an_error_in_a_package_is_known(many: dict[str, Any]) -> None:
    assert many["left out"]["breaks game-breaks 1.0"][1].endswith("game_breaks/rules.py:2")


def test_the_bot_says_at_its_start_what_it_uses_and_what_it_leaves_out(site: Path) -> None:
    lines = output(site, "-c", "from bot.app import say_games; say_games()").splitlines()
    assert lines[0] == "  ludo: game-ludo 1.0"
    assert len(lines) == 17
    wanted = (
        "  breaks: left out, game-breaks 1.0: game_breaks.rules cannot be imported: ZeroDivisionError: division by zero"
    )
    assert wanted in lines


def test_the_doctor_also_names_the_place_of_the_error(site: Path, tmp_path: Path) -> None:
    report = output(site, "-m", "bot", "doctor", within=tmp_path)
    assert "The game ludo of game-ludo 1.0 is in use." in report
    (line,) = [line for line in report.splitlines() if "game-breaks" in line]
    assert line.startswith("improve")
    assert "game_breaks/rules.py:2)" in line


def test_without_packages_only_our_own_games_are_there(tmp_path: Path) -> None:
    assert known_games(tmp_path)["used"] == known_games(tmp_path)["left out"] == {}
