"""The board: hexes and the wells between them, covered hexes, and the colour of a hex.

The content of the board is two strings. *crystals* has a letter for each of the 72 wells, *hexes* one for each of the
37 hexes, both in their order; ``.`` is an empty well, a neutral hex, or a covered one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from operator import itemgetter
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from rules.hexes import Hexes, Point, corner, hexes

COLOURS: Final = "rygbpv"
NOTHING: Final = "."
OF_EACH: Final = 18
"""Number of crystals of each colour."""

GRID: Final[Hexes] = hexes(3)
HEXES: Final = len(GRID.fields)


def _points() -> tuple[Point, ...]:
    """Return every corner that belongs to at least two hexes, in reading order."""
    corners = Counter(corner(cell, k) for cell in GRID.cells for k in range(6))
    return tuple(sorted((point for point, count in corners.items() if count > 1), key=lambda point: point[::-1]))


POINTS: Final = _points()
"""The wells' lattice points; a well's number on the board is its index here plus 1."""
WELLS: Final = len(POINTS)
_WELL_AT: Final = {point: well for well, point in enumerate(POINTS)}

WELLS_OF: Final = tuple(
    tuple(_WELL_AT[point] for k in range(6) if (point := corner(cell, k)) in _WELL_AT) for cell in GRID.cells
)
"""For each hex its wells, clockwise from the top."""

HEXES_OF: Final = tuple(tuple(place for place in range(HEXES) if well in WELLS_OF[place]) for well in range(WELLS))
"""For each well the two or three hexes that it touches, in label order."""

PLACES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {f"{well + 1}:{GRID.fields[place]}": (well, place) for well in range(WELLS) for place in HEXES_OF[well]}
)
"""The places for mirrors and glasses: "27:c3" -> its well and its hex. In order by well, then by hex."""

_RING: Final = frozenset(place for place in range(HEXES) if len(GRID.around[place]) < 6)
_TIPS: Final = frozenset(place for place in _RING if len(GRID.around[place]) == 3)
COVERED: Final = MappingProxyType({2: _RING, 3: _RING, 4: _RING, 5: _TIPS, 6: frozenset[int]()})
"""Seats -> the covered hexes: cover A covers the six tips, B the rest of the outermost ring."""


class Board(Struct, frozen=True):
    """The part of the board in play: *hexes* and *wells*, rising; for each well the *touching* hexes in play (() if the
    well does not exist)."""

    hexes: tuple[int, ...]
    wells: tuple[int, ...]
    touching: tuple[tuple[int, ...], ...]


@cache
def board(seats: int) -> Board:
    """Return the board for so many *seats*. A corner that touches fewer than two hexes in play does not exist.

    >>> [len(board(seats).wells) for seats in range(2, 7)]
    [36, 36, 36, 60, 72]
    """
    uncovered = [tuple(place for place in around if place not in COVERED[seats]) for around in HEXES_OF]
    touching = tuple(around if len(around) > 1 else () for around in uncovered)
    return Board(
        hexes=tuple(place for place in range(HEXES) if place not in COVERED[seats]),
        wells=tuple(well for well, around in enumerate(touching) if around),
        touching=touching,
    )


@cache
def in_wells(seats: int) -> Callable[[str], tuple[str, ...]]:
    """Return a function that selects the letters of the wells in play with so many *seats*."""
    return itemgetter(*board(seats).wells)


def majority(counted: str) -> str:
    """Return the colour of a hex with these letters *counted*: that of the highest count that only one colour has.

    >>> majority("rryyg"), majority("ry"), majority("rryygb"), majority("rrry")
    ('g', '.', '.', 'r')
    """
    counts = [counted.count(colour) for colour in COLOURS]
    alone = [count for count in counts if count and counts.count(count) == 1]
    return COLOURS[counts.index(max(alone))] if alone else NOTHING


_ROUND: Final = tuple(itemgetter(*wells) for wells in WELLS_OF)
"""For each hex a function that selects the letters of its wells."""

_majority = lru_cache(maxsize=1 << 14)(majority)
"""The same for sorted letters, of which there are few combinations."""

Place = tuple[int, int]
"""A well and a hex that touch."""


def colour(place: int, crystals: str, mirrors: Iterable[Place], glasses: Iterable[Place]) -> str:
    """Return the colour of the hex number *place*, with mirrors and glasses on these places."""
    counted: list[str] = [*_ROUND[place](crystals)]
    for well, beside in mirrors:
        if beside == place:
            counted.append(crystals[well])
    for well, beside in glasses:
        if beside == place:
            counted.remove(crystals[well])
    counted.sort()
    return _majority("".join(counted))


def with_letter(letters: str, place: int, letter: str) -> str:
    """Return *letters* with another *letter* at *place*.

    >>> with_letter("...", 1, "r")
    '.r.'
    """
    return f"{letters[:place]}{letter}{letters[place + 1 :]}"


def changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield the hexes with a new colour, by label, each with this colour."""
    for name, old, new in zip(GRID.fields, before, after, strict=True):
        if old != new:
            yield name, new
