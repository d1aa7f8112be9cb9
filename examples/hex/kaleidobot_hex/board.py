"""Boards of hexagons as bits: one integer holds a set of cells.

The fields have a border around them. Its cells belong to the seats like stones, so a way from edge to edge needs no
other rules than one between stones. Field (row, number) is bit ``(row + 1) * (size + 3) + number + 1``; two unused bits
after each row keep a step from wrapping. Rows are letters from the top, numbers count from the left.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct

LETTERS = "abcdefghijk"


class Board(Struct, frozen=True):
    """A rhombus of *size* by *size* hexagons. *names* of fields by bit, and *bits* by name, in field order.

    *full*: all fields. *edges*: for each seat its two borders: above and below, or left and right.
    """

    size: int
    names: Mapping[int, str]
    bits: Mapping[str, int]
    full: int
    edges: tuple[tuple[int, int], tuple[int, int]]

    def around(self, cells: int) -> int:
        """Return all neighbours of *cells*."""
        row, slant = self.size + 3, self.size + 2  # to the next row, straight and to the left
        return cells << 1 | cells >> 1 | cells << row | cells >> row | cells << slant | cells >> slant

    def bridged(self, cells: int, empty: int) -> int:
        """Return the cells that are a bridge away from *cells*: two empty fields lead there, so no one can cut it."""
        row, slant = self.size + 3, self.size + 2
        east, west, south, north = cells << 1 & empty, cells >> 1 & empty, cells << row & empty, cells >> row & empty
        southwest, northeast = cells << slant & empty, cells >> slant & empty
        upper = (east >> slant & northeast << 1) | (northeast >> row & north >> slant) | (north >> 1 & west >> row)
        return (
            upper | (west << slant & southwest >> 1) | (southwest << row & south << slant) | (south << 1 & east << row)
        )

    def joined(self, edge: int, own: int) -> int:
        """Return the stones of *own* that are joined with *edge*."""
        joined, more = 0, edge
        while more := self.around(more) & own & ~joined:
            joined |= more
        return joined

    def chain(self, seat: int, own: int) -> int:
        """Return the stones of *own* that join both edges of *seat*; 0 if none do."""
        one, other = self.edges[seat]
        return self.joined(other, self.joined(one, own))

    def each(self, fields: int) -> Iterator[str]:
        """Yield the names of *fields* in field order."""
        while fields:
            bit = fields & -fields
            yield self.names[bit]
            fields ^= bit


def mirrored(field: str) -> str:
    """Return the field with row and number exchanged."""
    return f"{LETTERS[int(field[1:]) - 1]}{LETTERS.index(field[0]) + 1}"


@cache
def board(size: int) -> Board:
    """Return the board of this *size*.

    >>> hexagons = board(7)
    >>> list(hexagons.each(hexagons.around(hexagons.bits["a1"]) & hexagons.full))
    ['a2', 'b1']
    """

    def bit(row: int, number: int) -> int:
        return 1 << ((row + 1) * (size + 3) + number + 1)

    line = range(size)
    bits = {f"{LETTERS[row]}{number + 1}": bit(row, number) for row in line for number in line}
    rows = sum(bit(-1, k) for k in line), sum(bit(size, k) for k in line)
    columns = sum(bit(k, -1) for k in line), sum(bit(k, size) for k in line)
    names = MappingProxyType({bit: name for name, bit in bits.items()})
    return Board(size, names, MappingProxyType(bits), sum(bits.values()), (rows, columns))
