"""Games of other packages, found by the entry-point group ``kaleidobot.games``.

    [project.entry-points."kaleidobot.games"]
    hex = "kaleidobot_hex"

The entry point's name is the id of the game; its value is a Python package with these parts::

    __init__.py         CONTRACT: the version of the contract (`rules.contract.VERSION`) that the package is made for
    rules.py            GAME and CODES, as in the modules of ``rules/games``; may be a package
    drawer.py           DRAWER, as in the modules of ``renderers/games``; may be a package
    texts/<lang>.po     the catalogues
    lesson.json         the lesson (`rules.lessons`)
    positions/*.json    positions to look at; ``rules-<page>.json`` are pictures of ``/rules``

All parts are loaded once, with `rules`. A package with a wrong or broken part is left out as a whole. A loaded game is
code that runs with all rights of the bot, so the operator has to trust it.
"""

import re
import traceback
from collections.abc import Collection, Iterable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from rules.contract import VERSION, Game, State

GROUP = "kaleidobot.games"
OWN = "rules.games"
ID = re.compile(r"[a-z][a-z0-9]{1,15}")
LONGEST = 200
"""Characters of an error's text in a message."""


class Package(Struct, frozen=True):
    """An installed game. *module*: its Python package. *name*, *version*: of the distribution that contains it."""

    game: str
    module: str
    name: str
    version: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class LeftOut(Struct, frozen=True):
    """A package that is not used. *problem*: one sentence. *place*: file and line of an error in its code, or ""."""

    game: str
    package: str
    problem: str
    place: str = ""


class Unfit(Exception):
    """A package cannot be used; the text says why."""


def discovered(
    taken: Collection[str], entries: Iterable[EntryPoint] | None = None
) -> tuple[list[Package], list[LeftOut]]:
    """Return the games of other packages, and those that are left out, by id. *taken*: ids that exist already.

    *entries*: the entry points; by default all that are installed.
    """
    packages, left_out = list[Package](), list[LeftOut]()
    known = {*taken}
    for entry in sorted(entry_points(group=GROUP) if entries is None else entries, key=_order):
        name, version = ("?", "?") if entry.dist is None else (entry.dist.name, entry.dist.version)
        try:
            if entry.name in known:
                raise Unfit("there is a game with this id already")
            packages.append(Package(entry.name, entry.value, name, version, _checked(entry)))
            known.add(entry.name)
        except Unfit as unfit:
            place = "" if unfit.__cause__ is None else _place(unfit.__cause__)
            left_out.append(LeftOut(entry.name, f"{name} {version}", str(unfit), place))
    return packages, left_out


def _order(entry: EntryPoint) -> tuple[str, str]:
    return entry.name, entry.value


def _checked(entry: EntryPoint) -> Path:
    """Load all parts of a package; return its folder. Raises Unfit."""
    if not ID.fullmatch(entry.name):
        raise Unfit("its id must be 2 to 16 lower-case letters and digits, a letter first")
    package = _imported(entry.value)
    version = getattr(package, "CONTRACT", None)
    if version != VERSION:
        raise Unfit(f"it is made for version {version} of the contract, and this bot has version {VERSION}")
    if package.__file__ is None or not hasattr(package, "__path__"):
        raise Unfit(f"{entry.value} is no package with an __init__.py")
    _check_rules(entry.name, _part(entry.value, "rules"))
    drawer = getattr(_part(entry.value, "drawer"), "DRAWER", None)
    if not all(callable(getattr(drawer, hook, None)) for hook in ("scene", "alt_text", "emblem", "spots")):
        raise Unfit(f"{entry.value}.drawer.DRAWER is no instance of renderers.contract.Drawer")
    import texts  # only for packages: without them, proofs are checked with `rules` alone

    folder = Path(package.__file__).parent
    try:
        texts.add(entry.name, folder / "texts")
    except ValueError as wrong:
        raise Unfit(_sentence("its texts cannot be used", wrong)) from wrong
    return folder


def _imported(module: str) -> ModuleType:
    try:
        return import_module(module)
    except (Exception, SystemExit) as error:
        raise Unfit(_sentence(f"{module} cannot be imported", error)) from error


def _part(package: str, name: str) -> ModuleType:
    if find_spec(f"{package}.{name}") is None:
        raise Unfit(f"{name}.py is missing")
    return _imported(f"{package}.{name}")


def _check_rules(name: str, module: ModuleType) -> None:
    game: Any = getattr(module, "GAME", None)
    if Game not in type(game).__mro__:
        raise Unfit(f"{module.__name__}.GAME is no instance of a subclass of rules.contract.Game")
    if not isinstance(getattr(module, "CODES", None), Mapping):
        raise Unfit(f"{module.__name__}.CODES is no mapping")
    if game.id != name:
        raise Unfit(f"{module.__name__}.GAME.id is {game.id!r}, and the entry point is named {name!r}")
    try:
        for seats in (game.seats[0], game.seats[-1]):
            state = game.start(seats)
            if not isinstance(state, State) or not state.actions():
                raise Unfit(f"{module.__name__}: nothing can be played with {seats} seats")
    except Unfit:
        raise
    except Exception as error:
        raise Unfit(_sentence(f"{module.__name__} cannot start a game", error)) from error


def _sentence(problem: str, error: BaseException) -> str:
    """Return *problem* with the text of *error*, in one line."""
    return f"{problem}: {type(error).__name__}: {' '.join(str(error).split())}"[:LONGEST]


def _place(error: BaseException) -> str:
    """Return the file and line that raised *error*."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
