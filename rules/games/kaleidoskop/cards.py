"""The cards, their tasks, and where on a board the pattern of a task is to be found.

Hexes and wells lie on one lattice (see rules.hexes): a hex is its centre, a well its point. Every lattice point is a
bit of a whole number, row by row. So what lies on a board is one number for each colour (`lights`): the hexes that
have this colour and the wells that hold such a crystal. Shifting such a number shifts the whole board; a pattern is
looked for everywhere at once by laying the shifted boards of its elements over each other::

    pattern  red at the anchor, green 2 to the right      red & (green >> 2)      every anchor where it lies

The six turns of each pattern are computed once a process, when a card is looked at for the first time.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from rules.games.kaleidoskop.board import COLOURS, GRID, POINTS
from rules.hexes import Point, centre, corner, turned


class Deck(StrEnum):
    BLUE = "blue"
    ORANGE = "orange"


IDS: Final[Mapping[str, tuple[str, ...]]] = {
    Deck.BLUE: tuple(f"b{number:02}" for number in range(1, 73)),
    Deck.ORANGE: tuple(f"o{number:02}" for number in range(1, 49)),
}
"""The cards of each deck."""
BACK: Final = {card: back for back, cards in IDS.items() for card in cards}
TASKS: Final = ("a", "b")


class Task(Struct, frozen=True):
    """A pattern and what it brings: *hexes* as (q, r, colour), *crystals* as (q, r, corner, colour), all relative."""

    reward: int
    hexes: tuple[tuple[int, int, str], ...]
    crystals: tuple[tuple[int, int, int, str], ...]


class Front(Struct, frozen=True):
    """The front of a card: its id and its two tasks."""

    id: str
    tasks: dict[str, Task]


_SOURCE: Final = Path(__file__).with_name("cards.json")


@cache
def _fronts() -> dict[str, Front]:
    decks = msgspec.json.decode(_SOURCE.read_bytes(), type=dict[str, tuple[Front, ...]])
    return {front.id: front for fronts in decks.values() for front in fronts}


def task(card: str, name: str) -> Task:
    """The task *name* ("a" or "b") of the card with this id.

    >>> task("b01", "a").reward, task("o48", "b").reward
    (1, 5)
    """
    return _fronts()[card].tasks[name]


# --- Looking for patterns

_ROW: Final = 24
"""Bits from one row of lattice points to the next: a board is 13 wide, and no pattern sticks out by more than 6."""


def _bit(point: Point) -> int:
    """The number of a lattice point's bit: that of (0, 0) in the middle of a board of 21 rows."""
    x, y = point
    return (x + _ROW // 2) + _ROW * (y + 10)


_HEX_BITS: Final = tuple(1 << _bit(centre(cell)) for cell in GRID.cells)
_WELL_BITS: Final = tuple(1 << _bit(point) for point in POINTS)
_BITS: Final = _HEX_BITS + _WELL_BITS
_NAMES: Final = dict(zip(_HEX_BITS, GRID.fields, strict=True))

Turn = tuple[tuple[str, int], ...]
"""A pattern, turned: its elements as colour and distance in bits from the lowest one (which comes first, 0)."""


@cache
def turns(card: str, name: str) -> tuple[Turn, ...]:
    """The up to six turns of a task's pattern that differ. Page, section 9: turned and shifted, never flipped."""
    pattern = task(card, name)
    found: dict[Turn, None] = {}
    for times in range(6):
        elements = [(_bit(centre(turned((q, r), times))), colour) for q, r, colour in pattern.hexes]
        elements += [
            (_bit(corner(turned((q, r), times), (k + times) % 6)), colour) for q, r, k, colour in pattern.crystals
        ]
        lowest = min(bit for bit, _ in elements)
        found[tuple((colour, bit - lowest) for bit, colour in sorted(elements))] = None
    return tuple(found)


def lights(hexes: str, crystals: str) -> dict[str, int]:
    """Colour -> the bits of all hexes that have it and of all wells with such a crystal."""
    found = dict.fromkeys((*COLOURS, "."), 0)
    for colour, bit in zip(hexes + crystals, _BITS, strict=True):
        found[colour] |= bit
    return found


def is_found(card: str, name: str, lit: Mapping[str, int]) -> bool:
    """Whether the task's pattern occurs anywhere on the board with these `lights`."""
    return any(_anchors(turn, lit) for turn in turns(card, name))


def _anchors(turn: Turn, lit: Mapping[str, int]) -> int:
    """The bits on which the lowest element lies wherever the pattern lies on the board."""
    anchors = lit[turn[0][0]]
    for colour, away in turn[1:]:
        anchors &= lit[colour] >> away
        if not anchors:
            return 0
    return anchors


def occurrences(card: str, name: str, lit: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """The hexes of every occurrence of a task's pattern: each in label order, the first one first."""
    found = set()
    for turn in turns(card, name):
        anchors = _anchors(turn, lit)
        while anchors:
            lowest = anchors & -anchors
            anchors ^= lowest
            names = (_NAMES.get(lowest << away) for _, away in turn)
            found.add(tuple(sorted(hex_ for hex_ in names if hex_ is not None)))
    return tuple(sorted(found))
