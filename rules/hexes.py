"""Boards of hexagons with a corner on top: the names of their fields, and integer geometry.

A *cell* is axial (q, r): q grows to the right, r to the lower right, (0, 0) is the middle. A field's name is its row,
then its number: rows are letters from the top, numbers count from the left, so ``a1`` is the left end of the upper
edge. *Field order* counts from 0 along row a, then along row b, and so on.

*Lattice points* (x, y) are exact: x in units of half a hexagon's width to the right, y in half sides downwards.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

Cell = tuple[int, int]
Point = tuple[int, int]

STEPS: Final[tuple[Cell, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Offsets from a cell to its neighbours: right, lower right, lower left, left, upper left, upper right."""

CORNERS: Final[tuple[Point, ...]] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""Offsets from a centre to its corners, clockwise from the top."""


class Hexes(Struct, frozen=True):
    """A board of hexagons. *fields*: the names in field order; *cells*: their coordinates. *number*: name -> position
    in this order. *around*: for each field the numbers of its up to six neighbours, in the order of STEPS."""

    fields: tuple[str, ...]
    cells: tuple[Cell, ...]
    number: Mapping[str, int]
    around: tuple[tuple[int, ...], ...]


def hexes(radius: int) -> Hexes:
    """Return the large hexagon that reaches *radius* (0 to 4) fields from its middle to every side.

    >>> board = hexes(3)
    >>> board.fields[0], board.fields[18], board.fields[-1], len(board.fields)
    ('a1', 'd4', 'g4', 37)
    >>> [board.fields[number] for number in board.around[board.number["a1"]]]
    ['a2', 'b2', 'b1']
    """
    if not 0 <= radius <= 4:
        raise ValueError("a board of hexagons has a radius of 0 to 4")
    rows = {r: range(max(-radius, -radius - r), min(radius, radius - r) + 1) for r in range(-radius, radius + 1)}
    cells = tuple((q, r) for r, row in rows.items() for q in row)
    fields = tuple(f"{'abcdefghi'[r + radius]}{q - rows[r][0] + 1}" for q, r in cells)
    place = {cell: number for number, cell in enumerate(cells)}
    return Hexes(
        fields=fields,
        cells=cells,
        number=MappingProxyType({name: number for number, name in enumerate(fields)}),
        around=tuple(tuple(place[q + dq, r + dr] for dq, dr in STEPS if (q + dq, r + dr) in place) for q, r in cells),
    )


def centre(cell: Cell) -> Point:
    """Return the lattice point in the middle of *cell*.

    >>> centre((1, 0)), centre((0, 1))
    ((2, 0), (1, 3))
    """
    q, r = cell
    return 2 * q + r, 3 * r


def corner(cell: Cell, number: int) -> Point:
    """Return the lattice point at corner *number* of *cell*, clockwise from 0 at the top.

    >>> corner((0, 0), 1) == corner((1, 0), 5)
    True
    """
    (x, y), (dx, dy) = centre(cell), CORNERS[number]
    return x + dx, y + dy


def turned(cell: Cell, times: int = 1) -> Cell:
    """Return *cell* rotated round (0, 0) by *times* 60 degrees clockwise. A corner's number grows by one each time.

    >>> turned((1, 0)), turned((1, 0), 6)
    ((0, 1), (1, 0))
    """
    q, r = cell
    for _ in range(times % 6):
        q, r = -r, q + r
    return q, r
