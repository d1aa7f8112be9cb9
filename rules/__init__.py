"""The rules of five kaleidoscopic board games. This package has no clock, no I/O and no texts.

    from rules import GAMES
    state = GAMES["kabooom"].start(seats=3, options={"level": "hard"}, seed=7)

A game is a module or package in ``rules/games`` with a constant ``GAME``, or a part of an installed package
(`rules.packages`); no other code has to know it.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from rules import games, packages
from rules.contract import (
    Action,
    BadNotation,
    Game,
    IllegalAction,
    News,
    Option,
    Outcome,
    State,
)
from rules.packages import LeftOut, Package

_own = sorted(module.name for module in iter_modules(games.__path__))
_installed, _left_out = packages.discovered(_own)

PACKAGES: Mapping[str, Package] = MappingProxyType({package.game: package for package in _installed})
"""The games of other packages, by id."""
LEFT_OUT: tuple[LeftOut, ...] = tuple(_left_out)
"""Installed packages that cannot be used."""


def module_of(game: str) -> str:
    """Return the name of the module with the rules of *game*.

    >>> module_of("kabooom")
    'rules.games.kabooom'
    """
    return f"{PACKAGES[game].module}.rules" if game in PACKAGES else f"rules.games.{game}"


GAMES: Mapping[str, Game] = MappingProxyType(
    {name: import_module(module_of(name)).GAME for name in (*_own, *sorted(PACKAGES))}
)
"""All games by id: our own ones, then those of other packages."""

__all__ = [
    "GAMES",
    "LEFT_OUT",
    "PACKAGES",
    "Action",
    "BadNotation",
    "Game",
    "IllegalAction",
    "LeftOut",
    "News",
    "Option",
    "Outcome",
    "Package",
    "State",
    "module_of",
]
