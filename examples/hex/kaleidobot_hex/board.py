"""Boards of hexagons as bits: one integer holds a set of fields.

Field (row, number) is bit ``row * (size + 1) + number``; the bit after a row's end stays 0, so a step never wraps. Rows
are letters from the top, numbers count from the left.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct

LETTERS = "abcdefghijk"
STEPS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""From a field to its six neighbours, each next to the one before."""


class Board(Struct, frozen=True):
    """A rhombus of *size* by *size* hexagons. *names* of fields by bit, and *bits* by name, in field order.

    *full*: all fields. *edges*: for each seat its two edges: the first and the last row, or column. *shifts*: STEPS as
    distances between bits.
    """

    size: int
    names: Mapping[int, str]
    bits: Mapping[str, int]
    full: int
    edges: tuple[tuple[int, int], tuple[int, int]]
    shifts: tuple[int, ...]

    def around(self, fields: int) -> int:
        """Return all neighbours of *fields*."""
        near = 0
        for shift in self.shifts:
            near |= shifted(fields, shift)
        return near & self.full

    def bridged(self, fields: int, empty: int) -> int:
        """Return the fields that are a bridge away from *fields*: two empty fields lead there, so no one can cut it."""
        far = 0
        for one, other in zip(self.shifts, (*self.shifts[1:], self.shifts[0]), strict=True):
            far |= shifted(shifted(fields, one) & empty, other) & shifted(shifted(fields, other) & empty, one)
        return far & self.full

    def behind(self, seat: int, last: int, empty: int) -> int:
        """Return the fields of the second row that a bridge joins to the edge *last* (0 or 1) of *seat*."""
        out, along = (self.size + 1, 1) if seat == 0 else (1, self.size + 1)
        inwards = -out if last else out
        free = self.edges[seat][last] & empty
        return shifted(free, inwards) & shifted(free, inwards + (along if last else -along)) & self.full

    def mirrored(self, bit: int) -> int:
        """Return the field with row and number exchanged."""
        row, number = divmod(bit.bit_length() - 1, self.size + 1)
        return 1 << (number * (self.size + 1) + row)

    def each(self, fields: int) -> Iterator[str]:
        """Yield the names of *fields* in field order."""
        while fields:
            bit = fields & -fields
            yield self.names[bit]
            fields ^= bit


def shifted(fields: int, shift: int) -> int:
    return fields << shift if shift > 0 else fields >> -shift


@cache
def board(size: int) -> Board:
    """Return the board of this *size*.

    >>> hexagons = board(7)
    >>> list(hexagons.each(hexagons.around(hexagons.bits["a1"])))
    ['a2', 'b1']
    """
    wide = size + 1
    bits = {f"{LETTERS[row]}{number + 1}": 1 << (row * wide + number) for row in range(size) for number in range(size)}
    top, left = sum(1 << number for number in range(size)), sum(1 << (row * wide) for row in range(size))
    names = MappingProxyType({bit: name for name, bit in bits.items()})
    edges = (top, top << wide * (size - 1)), (left, left << (size - 1))
    shifts = tuple(row * wide + number for row, number in STEPS)
    return Board(size, names, MappingProxyType(bits), sum(bits.values()), edges, shifts)
