"""The cards, their tasks, and the search for the pattern of a task on a board.

Hexes and wells share one lattice (see rules.hexes): a hex is its centre, a well its point. Every lattice point is a bit
of an integer, row by row, so the content of a board is one number for each colour of hexes ("r") and one for each
colour of crystals ("R"). Shifting the number shifts the whole board. The search finds all occurrences of a pattern at
once: it intersects the shifted boards of the pattern's elements::

    pattern  red at the anchor, green 2 to the right      lit["r"] & (lit["g"] >> 1)      all anchors

Instead of the patterns the board is rotated: each number holds six copies of it, one for each rotation.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from rules.games.kaleidoskop.board import COLOURS, GRID, NOTHING, POINTS, board
from rules.hexes import Cell, Point, centre, corner, turned


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
    """A pattern and its reward: *hexes* as (q, r, colour), *crystals* as (q, r, corner, colour), all relative."""

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
    """Return the task *name* ("a" or "b") of the card with this id.

    >>> task("b01", "a").reward, task("o48", "b").reward
    (1, 5)
    """
    return _fronts()[card].tasks[name]


# --- The search for patterns

_ROW: Final = 23
"""Bits of a row. A board is 13 points wide and patterns reach at most 7 beyond it, so rows never overlap."""
_SPAN: Final = 32
"""Rows between two rotated copies of the board: a board has 21, and patterns reach at most 11 beyond it."""


def _bit(point: Point, copy: int = 0) -> int:
    """Return the number of a lattice point's bit in a *copy* of the board; halved, as x and y are both even or both
    odd.

    >>> _bit((2, 0)) - _bit((0, 0)), _bit((1, 1)) - _bit((0, 0))
    (1, 12)
    """
    x, y = point
    return (x + _ROW * (y + 10 + _SPAN * copy) + 10) // 2


def _hex_bits(cell: Cell) -> list[int]:
    """Return the bits of a hex in the six copies of the board, copy k rotated by k times 60 degrees."""
    return [_bit(centre(turned(cell, k)), k) for k in range(6)]


def _well_bits(point: Point) -> list[int]:
    """Return the bits of a well in the six copies of the board."""
    cell, number = next((cell, k) for cell in GRID.cells for k in range(6) if corner(cell, k) == point)
    return [_bit(corner(turned(cell, k), (number + k) % 6), k) for k in range(6)]


def _together(bits: list[int]) -> int:
    return sum(1 << bit for bit in bits)


@cache
def _masks() -> tuple[int, ...]:
    """Return for each hex, then for each well, its bits in all six copies."""
    return (*(_together(_hex_bits(cell)) for cell in GRID.cells), *(_together(_well_bits(point)) for point in POINTS))


def hex_masks() -> tuple[int, ...]:
    """Return for each hex its bits."""
    return _masks()[: len(GRID.fields)]


@cache
def _names() -> dict[int, str]:
    """Return bit -> the name of its hex."""
    return {bit: name for name, cell in zip(GRID.fields, GRID.cells, strict=True) for bit in _hex_bits(cell)}


Lights = Mapping[str, int]
"""The bits of all hexes of each colour ("r"), and of all wells with a crystal of each colour ("R")."""
Laid = tuple[str, str]
"""The content of a board: its hexes and its crystals."""

_LIGHTS: Final[dict[Laid, Lights]] = {}
"""Cache: the lights of recent boards."""
_CACHE_SIZE: Final = 256


def lights(hexes: str, crystals: str) -> Lights:
    """Return the lights of a board."""
    known = _LIGHTS.get((hexes, crystals))
    if known is not None:
        return known
    lit = dict.fromkeys((*COLOURS, *COLOURS.upper(), NOTHING), 0)
    for colour, mask in zip(hexes + crystals.upper(), _masks(), strict=True):
        if colour != NOTHING:
            lit[colour] |= mask
    return _cached((hexes, crystals), lit)


def follow(before: Laid, after: Laid, hexes: Iterable[int], well: int) -> None:
    """Cache the lights of *after*, computed from those of *before* if these are cached. The boards differ only in these
    *hexes* and this *well*."""
    known = _LIGHTS.get(before)
    if known is None:
        return
    (was, had), (now, has), masks = before, after, _masks()
    lit = dict(known)
    for place in hexes:
        if was[place] != now[place]:
            lit[was[place]] ^= masks[place]
            lit[now[place]] ^= masks[place]
    lit[had[well].upper()] ^= masks[len(GRID.fields) + well]
    lit[has[well].upper()] ^= masks[len(GRID.fields) + well]
    lit[NOTHING] = 0
    _cached(after, lit)


def _cached(laid: Laid, lit: Lights) -> Lights:
    if len(_LIGHTS) >= _CACHE_SIZE:
        _LIGHTS.clear()
    _LIGHTS[laid] = lit
    return lit


@cache
def _pattern(card: str, name: str) -> tuple[str, tuple[tuple[str, int], ...]]:
    """Return a task's pattern: the colour of its lowest element ("R": a crystal), then the others, each with its
    distance from it in bits."""
    wanted = task(card, name)
    elements = [(_bit(centre((q, r))), colour) for q, r, colour in wanted.hexes]
    elements += [(_bit(corner((q, r), k)), colour.upper()) for q, r, k, colour in wanted.crystals]
    (lowest, first), *others = sorted(elements)
    return first, tuple((colour, bit - lowest) for bit, colour in others)


@cache
def elements(card: str, name: str) -> tuple[tuple[str, int], ...]:
    """Return a task's pattern: the colour of each element ("R": a crystal) and its distance from the lowest one in
    bits."""
    first, others = _pattern(card, name)
    return ((first, 0), *others)


@cache
def in_play(seats: int) -> tuple[int, int]:
    """Return the bits of all hexes, and of all wells, of the board for so many *seats*."""
    masks, there = _masks(), board(seats)
    hexes, wells = (masks[place] for place in there.hexes), (masks[len(GRID.fields) + well] for well in there.wells)
    return sum(hexes), sum(wells)


@cache
def _patterns(card: str) -> tuple[tuple[str, str, tuple[tuple[str, int], ...]], ...]:
    """Return the patterns of both tasks, each with its name before it."""
    return tuple((name, *_pattern(card, name)) for name in TASKS)


def finished(card: str, lit: Lights) -> list[str]:
    """Return the tasks of a card whose patterns occur anywhere: like ``anchors``, for all of them."""
    done = []
    for name, first, others in _patterns(card):
        matches = lit[first]
        for colour, away in others:
            matches &= lit[colour] >> away
            if not matches:
                break
        else:
            done.append(name)
    return done


def places(bits: int, *, wells: bool) -> list[int]:
    """Return the numbers of the hexes, or of the *wells*, with these *bits*."""
    masks = _masks()[len(GRID.fields) :] if wells else _masks()[: len(GRID.fields)]
    return [number for number, mask in enumerate(masks) if mask & bits]


def anchors(card: str, name: str, lit: Lights) -> int:
    """Return the bits of the lowest element of a task's pattern in all its occurrences; 0 if there is none."""
    first, others = _pattern(card, name)
    matches = lit[first]
    for colour, away in others:
        matches &= lit[colour] >> away
        if not matches:
            break
    return matches


def occurrences(card: str, name: str, lit: Lights) -> tuple[tuple[str, ...], ...]:
    """Return the hexes of every occurrence of a task's pattern: each in label order, the first one first."""
    hexes, names = set(), _names()
    distances = (0, *(away for _, away in _pattern(card, name)[1]))
    remaining = anchors(card, name, lit)
    while remaining:
        lowest = remaining.bit_length() - 1
        remaining ^= 1 << lowest
        hexes.add(tuple(sorted(names[lowest + away] for away in distances if lowest + away in names)))
    return tuple(sorted(hexes))
