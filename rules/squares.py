"""Boards of squares: the names of their fields, their order, and their neighbours.

A field's name is its column, then its row: ``a1`` is bottom left. *Field order* counts from 0 along row 1 from left to
right, then along row 2, and so on. A board's content is a tuple with one entry per field.
"""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct


class Squares(Struct, frozen=True):
    """A board of squares. *fields*: the names in field order. *number*: name -> position in this order.

    *around*, *beside*: for each field the numbers of its neighbours in field order. *around* are the up to eight fields
    that touch it, corners included; *beside* the up to four that share an edge.
    """

    columns: str
    rows: str
    fields: tuple[str, ...]
    number: Mapping[str, int]
    around: tuple[tuple[int, ...], ...]
    beside: tuple[tuple[int, ...], ...]


def squares(columns: int, rows: int) -> Squares:
    """Return the board with these numbers of *columns* (1 to 26) and *rows* (1 to 9). Raises ValueError otherwise.

    >>> board = squares(6, 4)
    >>> board.fields[0], board.fields[6], board.fields[-1], board.number["b2"]
    ('a1', 'a2', 'f4', 7)
    >>> [board.fields[number] for number in board.around[board.number["a1"]]]
    ['b1', 'a2', 'b2']
    >>> [board.fields[number] for number in board.beside[board.number["a1"]]]
    ['b1', 'a2']
    """
    if not (1 <= columns <= 26 and 1 <= rows <= 9):
        raise ValueError("a board has 1 to 26 columns and 1 to 9 rows")
    places = [(column, row) for row in range(rows) for column in range(columns)]
    letters, digits = "abcdefghijklmnopqrstuvwxyz"[:columns], "123456789"[:rows]
    fields = tuple(letters[column] + digits[row] for column, row in places)

    def touching(here: tuple[int, int], *, corners: bool) -> tuple[int, ...]:
        apart = [(abs(column - here[0]), abs(row - here[1])) for column, row in places]
        return tuple(
            number
            for number, (across, up) in enumerate(apart)
            if (max(across, up) == 1 if corners else across + up == 1)
        )

    return Squares(
        columns=letters,
        rows=digits,
        fields=fields,
        number=MappingProxyType({name: number for number, name in enumerate(fields)}),
        around=tuple(touching(place, corners=True) for place in places),
        beside=tuple(touching(place, corners=False) for place in places),
    )
