"""The rules of five kaleidoscopic board games. This package has no clock, no I/O and no texts.

    from rules import GAMES
    state = GAMES["kabooom"].start(seats=3, options={"level": "hard"}, seed=7)

A game is a module or package in ``rules/games`` with a constant ``GAME``; no other code has to know it.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from rules import games
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


def _games() -> dict[str, Game]:
    names = sorted(module.name for module in iter_modules(games.__path__))
    return {name: import_module(f"rules.games.{name}").GAME for name in names}


GAMES: Mapping[str, Game] = MappingProxyType(_games())

__all__ = [
    "GAMES",
    "Action",
    "BadNotation",
    "Game",
    "IllegalAction",
    "News",
    "Option",
    "Outcome",
    "State",
]
