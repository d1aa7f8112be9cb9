"""The cards, their tasks, and where on a board the pattern of a task is to be matches.

Hexes and wells lie on one lattice (see rules.hexes): a hex is its centre, a well its point. Every lattice point is a
bit of a whole number, row by row, so what lies on a board is one number for each colour of hexes ("r") and one for each
colour of crystals ("R"). Shifting the number shifts the whole board; a pattern is looked for everywhere at once by
laying the shifted boards of its elements over each other::

    pattern  red at the anchor, green 2 to the right      lit["r"] & (lit["g"] >> 1)      every anchor where it lies

Instead of the patterns the board is turned: each number holds six copies of it, one for each turn.
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

_ROW: Final = 23
"""A board is 13 points wide and no pattern sticks out by more than 7, so a row of 23 never runs into the next one."""
_SPAN: Final = 32
"""Rows from one turned copy of the board to the next: it has 21, and patterns reach over at most 11 more."""


def _bit(point: Point, copy: int = 0) -> int:
    """The number of a lattice point's bit in a *copy* of the board; halved, as x and y are both even or both odd.

    >>> _bit((2, 0)) - _bit((0, 0)), _bit((1, 1)) - _bit((0, 0))
    (1, 12)
    """
    x, y = point
    return (x + _ROW * (y + 10 + _SPAN * copy) + 10) // 2


def _hex_bits(cell: Cell) -> list[int]:
    """The bits of a hex in the six copies of the board, copy k turned by k times 60 degrees."""
    return [_bit(centre(turned(cell, k)), k) for k in range(6)]


def _well_bits(point: Point) -> list[int]:
    """The bits of a well, likewise."""
    cell, number = next((cell, k) for cell in GRID.cells for k in range(6) if corner(cell, k) == point)
    return [_bit(corner(turned(cell, k), (number + k) % 6), k) for k in range(6)]


def _together(bits: list[int]) -> int:
    return sum(1 << bit for bit in bits)


@cache
def _masks() -> tuple[int, ...]:
    """For each hex, then for each well, its bits in all six copies."""
    return (*(_together(_hex_bits(cell)) for cell in GRID.cells), *(_together(_well_bits(point)) for point in POINTS))


def hex_masks() -> tuple[int, ...]:
    """For each hex its bits."""
    return _masks()[: len(GRID.fields)]


@cache
def _names() -> dict[int, str]:
    """The hex that each bit stands for."""
    return {bit: name for name, cell in zip(GRID.fields, GRID.cells, strict=True) for bit in _hex_bits(cell)}


Lights = Mapping[str, int]
"""The bits of all hexes of each colour ("r"), and of all wells with a crystal of each colour ("R")."""
Laid = tuple[str, str]
"""What lies on a board: its hexes and its crystals."""

_LIGHTS: Final[dict[Laid, Lights]] = {}
"""The lights of boards that were looked at lately."""
_CACHE_SIZE: Final = 256


def lights(hexes: str, crystals: str) -> Lights:
    """What shines on a board."""
    known = _LIGHTS.get((hexes, crystals))
    if known is not None:
        return known
    lit = dict.fromkeys((*COLOURS, *COLOURS.upper(), NOTHING), 0)
    for colour, mask in zip(hexes + crystals.upper(), _masks(), strict=True):
        if colour != NOTHING:
            lit[colour] |= mask
    return _cached((hexes, crystals), lit)


def follow(before: Laid, after: Laid, hexes: Iterable[int], well: int) -> None:
    """Work out the lights *after* from those *before*, if these are known: only in these *hexes* and in this *well* the
    boards differ. Nothing comes of it but that ``lights`` has less to do."""
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
    """A task's pattern: the colour of its lowest element ("R": a crystal), then the others, each with its distance from
    it in bits."""
    wanted = task(card, name)
    elements = [(_bit(centre((q, r))), colour) for q, r, colour in wanted.hexes]
    elements += [(_bit(corner((q, r), k)), colour.upper()) for q, r, k, colour in wanted.crystals]
    (lowest, first), *others = sorted(elements)
    return first, tuple((colour, bit - lowest) for bit, colour in others)


@cache
def elements(card: str, name: str) -> tuple[tuple[str, int], ...]:
    """A task's pattern: the colour of each element ("R": a crystal) and its distance from the lowest one in bits."""
    first, others = _pattern(card, name)
    return ((first, 0), *others)


@cache
def in_play(seats: int) -> tuple[int, int]:
    """The bits of all hexes, and of all wells, of the board for so many *seats*."""
    masks, there = _masks(), board(seats)
    hexes, wells = (masks[place] for place in there.hexes), (masks[len(GRID.fields) + well] for well in there.wells)
    return sum(hexes), sum(wells)


@cache
def _patterns(card: str) -> tuple[tuple[str, str, tuple[tuple[str, int], ...]], ...]:
    """The patterns of both tasks, each with its name before it."""
    return tuple((name, *_pattern(card, name)) for name in TASKS)


def finished(card: str, lit: Lights) -> list[str]:
    """The tasks of a card whose patterns occur somewhere: like ``anchors``, for all of them."""
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
    """The numbers of the hexes, or of the *wells*, for which these *bits* stand."""
    masks = _masks()[len(GRID.fields) :] if wells else _masks()[: len(GRID.fields)]
    return [number for number, mask in enumerate(masks) if mask & bits]


def anchors(card: str, name: str, lit: Lights) -> int:
    """The bits on which the lowest element of a task's pattern lies, wherever the pattern occurs; 0: nowhere."""
    first, others = _pattern(card, name)
    matches = lit[first]
    for colour, away in others:
        matches &= lit[colour] >> away
        if not matches:
            break
    return matches


def occurrences(card: str, name: str, lit: Lights) -> tuple[tuple[str, ...], ...]:
    """The hexes of every occurrence of a task's pattern: each in label order, the first one first."""
    hexes, names = set(), _names()
    distances = (0, *(away for _, away in _pattern(card, name)[1]))
    remaining = anchors(card, name, lit)
    while remaining:
        lowest = remaining.bit_length() - 1
        remaining ^= 1 << lowest
        hexes.add(tuple(sorted(names[lowest + away] for away in distances if lowest + away in names)))
    return tuple(sorted(hexes))
