"""The board, its stones, and their towers.

A stone is two characters, seat digit and symbol letter: ``"1d"`` is seat 1's dynamite. A tower is the string of its
stones from bottom to top, ``"0r1s1d"``; an empty field is ``""``. So climbing concatenates two strings, and the board
in memory reads like the board in the document.
"""

from enum import StrEnum
from typing import Final

from rules.squares import squares

SEATS: Final = range(2, 5)
GRID: Final = squares(6, 4)
SYMBOLS: Final = "rpsd"
OF_EACH: Final = 3
BEATS: Final = {"r": "rs", "s": "sp", "p": "pr", "d": "rpsd"}
"""The symbols onto which a symbol may climb. Rulebook: Steine schlagen; reading 5."""


class Level(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Dynamite(StrEnum):
    """Reading 8: the part of a tower with dynamite that does not count."""

    STONE = "stone"
    TOWER = "tower"


class Phase(StrEnum):
    PLACE = "place"
    MOVE = "move"
    OVER = "over"


def owner(tower: str) -> int:
    """Return the seat that owns the stone on top.

    >>> owner("0r1s1d")
    1
    """
    return int(tower[-2])


def symbol(tower: str) -> str:
    """Return the symbol on top, with which the tower fights.

    >>> symbol("0r1s1d")
    'd'
    """
    return tower[-1]


def height(tower: str) -> int:
    """Return the number of stones in the tower; 0 for an empty field.

    >>> height("0r1s1d"), height("")
    (3, 0)
    """
    return len(tower) // 2


def counted(tower: str, dynamite: str) -> int:
    """Return the counted height of *tower*, before the deduction. Rulebook: Auswertung; reading 8.

    >>> counted("0r1s1d", Dynamite.STONE), counted("0r1s1d", Dynamite.TOWER), counted("0r1s", Dynamite.TOWER)
    (2, 0, 2)
    """
    if dynamite == Dynamite.TOWER:
        return 0 if tower.endswith("d") else height(tower)
    return height(tower) - tower.count("d")
