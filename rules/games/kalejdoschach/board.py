"""The board of KalejdoSchach, its pieces and the armies at the start.

Fields have names for people (``1b``, ``00``) and numbers 0 to 88 in the same order, which index a position.
"""

from functools import cache
from typing import Final

from msgspec import Struct

from rules.rings import Arc, Contact, neighbours

UNITS: Final = 48
"""Units of the full circle; a slice has six units, and slice 1 begins at unit 0."""

SLICES: Final = range(1, 9)
LETTERS: Final = ("", "a", "bc", "de", "fgh", "ijk")
"""The fields of each slice in each ring, from the centre outward; ring 0 is only the field ``00``."""


def _fields() -> dict[str, Arc]:
    fields = {"00": Arc(0, 0, UNITS)}
    for number in SLICES:
        for ring, letters in enumerate(LETTERS):
            for place, letter in enumerate(letters):
                width = 6 // len(letters)
                start = 6 * (number - 1) + width * place
                fields[f"{number}{letter}"] = Arc(ring, start, start + width)
    return fields


FIELDS: Final = _fields()
"""Every field in field order: ``00``, ``1a`` to ``1k``, ``2a`` to ``8k``."""

NAMES: Final = tuple(FIELDS)
NUMBER: Final = {name: number for number, name in enumerate(NAMES)}
RING: Final = tuple(arc.ring for arc in FIELDS.values())

CASTLES: Final = ("00", "1j", "3j", "5j", "7j")


@cache
def edges() -> tuple[tuple[int, ...], ...]:
    """Return for every field number those with a common piece of border: the steps of walkers."""
    return _numbered(neighbours(FIELDS, UNITS, {Contact.EDGE}))


@cache
def edges_and_corners() -> tuple[tuple[int, ...], ...]:
    """Return for every field number all those that touch it: the steps of flyers."""
    return _numbered(neighbours(FIELDS, UNITS, {Contact.EDGE, Contact.CORNER}))


def _numbered(near: dict[str, tuple[str, ...]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(NUMBER[name] for name in names) for names in near.values())


@cache
def towns() -> tuple[str, ...]:
    """Return the fields that touch a castle and are none: drawn, but without a meaning in these rules (reading 4)."""
    near = {NAMES[number] for castle in CASTLES for number in edges_and_corners()[NUMBER[castle]]}
    return tuple(name for name in NAMES if name in near and name not in CASTLES)


class Kind(Struct, frozen=True):
    """A kind of piece. *crossings*: number of its steps that may change the ring."""

    letter: str
    name: str
    flies: bool
    steps: int
    crossings: int = 1


KINDS: Final = {
    kind.letter: kind
    for kind in (
        Kind("w", "wizard", flies=True, steps=3, crossings=3),  # each step may cross a line
        Kind("d", "dragon", flies=True, steps=4),
        Kind("r", "roc", flies=True, steps=3),
        Kind("e", "eagle", flies=True, steps=2),
        Kind("v", "raven", flies=True, steps=1),
        Kind("l", "elephant", flies=False, steps=4),
        Kind("t", "tiger", flies=False, steps=3),
        Kind("h", "horse", flies=False, steps=2),
        Kind("p", "pawn", flies=False, steps=1),
    )
}

ALLOWED: Final = {
    1: "vp",
    2: "eh",
    3: "wrt",
    4: "dl",
    5: "".join(letter for letter, kind in KINDS.items() if not kind.flies),
    6: "".join(letter for letter, kind in KINDS.items() if kind.flies),
}
"""The kinds that may move for each number of the die: a number of steps, or a way of moving (reading 22)."""


class Piece(Struct, frozen=True, gc=False):
    """A piece of a seat; *kind* is its letter.

    >>> str(Piece(0, "w"))
    '0w'
    """

    seat: int
    kind: str

    def __str__(self) -> str:
        return f"{self.seat}{self.kind}"


Board = tuple[Piece | None, ...]
"""The piece on every field, by field number."""

# The army of player 1; the armies of the others are rotated by some slices.
_TWO: Final = "w1j d3j r1k r3i e1h e3f v1i v3k l2i l2k t1g t3g h1f h3h p1d p1e p3d p3e"
_MORE: Final = "w1j r1k e1d v1i l1g t1f h1e p1h p1c"

_ARMIES: Final = {
    2: ((0, _TWO), (4, _TWO)),
    3: (
        (0, f"{_MORE} p00"),
        (2, _MORE),
        (6, _MORE),
    ),  # the player between the two others has one more pawn (reading 18)
    4: ((0, _MORE), (2, _MORE), (4, _MORE), (6, _MORE)),
}


def turned(field: str, slices: int) -> str:
    """Return the field that is this number of slices further clockwise.

    >>> turned("7j", 4), turned("00", 4)
    ('3j', '00')
    """
    return field if field == "00" else f"{(int(field[0]) - 1 + slices) % 8 + 1}{field[1]}"


def setup(seats: int) -> dict[str, Piece]:
    """Return the pieces of all seats at the start, in field order."""
    placed = {
        turned(place[1:], slices): Piece(seat, place[0])
        for seat, (slices, army) in enumerate(_ARMIES[seats])
        for place in army.split()
    }
    return {field: placed[field] for field in NAMES if field in placed}
