"""The places of name, sign and tokens in a hex: a name keeps off tokens and crystals.

All places are relative to the middle of the hex, which has a corner on top. Without tokens the name is in the middle,
sign over label. A token is at its well. The name then moves as little as necessary; if that is not enough, its sign
and label are side by side, or the sign is smaller.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import hypot

from msgspec import Struct
from msgspec.structs import replace

from renderers.games.kaleidoskop.crystals import GEM, LOW, NUMBER
from renderers.games.kaleidoskop.tokens import token_size
from renderers.layout import SQRT3, Hexes
from renderers.lettering import CAPITAL, width
from renderers.scene import Point

WIDEST, WELL = "G4", "44"
"""No label and no number of a well is wider."""
AIR = 1.0
CLEAR = 2
"""Distance of a name from a crystal, whose tips may reach further; if no place has it, the freest one is taken."""
SMALLEST, GAP = 9, 1
"""Reach of the smallest sign, and its distance from the label."""
STEPS = range(-36, 37, 2)


class Size(Struct, frozen=True):
    """A board's measures: *step* from hex to hex in a row, font size of a *label*, reach of a *sign*, size of a
    *crystal*."""

    step: int
    label: int
    sign: int
    crystal: float

    @property
    def radius(self) -> float:
        return self.step / SQRT3

    @property
    def well(self) -> float:
        """Half the distance between two wells, and a border."""
        return self.radius / 2 + 2


Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class Token(Struct, frozen=True):
    """A token's middle, and whether its two halves are one over the other."""

    at: tuple[int, int]
    upright: bool

    @property
    def box(self) -> Rectangle:
        wide, high = token_size(self.upright)
        return _box(self.at, wide + 4, high + 4)


class Name(Struct, frozen=True):
    """A name moved *away* from the middle; from there its *sign*, of *reach*, its *label*, and *boxes* around both."""

    away: tuple[int, int]
    sign: tuple[int, int]
    reach: int
    label: tuple[int, int]
    boxes: tuple[Rectangle, ...]


@cache
def token_at(size: Size, corner: int) -> Token:
    """Return the token between the middle and *corner* (clockwise from 0 at the top), as near to the crystal as its
    number allows."""
    x, y = Hexes((0, 0), size.radius).corners((0, 0))[corner]
    wide, high = width(WELL, NUMBER), NUMBER * CAPITAL
    numbers = [_box((x, y + low * size.crystal), wide, high) for low in (0.0, *LOW.values())]
    for part in range(100, 0, -1):
        token = Token((round(x * part / 100), round(y * part / 100)), corner % 3 != 0)
        if not any(_meet(token.box, number) for number in numbers):
            return token
    raise ValueError(f"no room for a token at {size}")


def holder_at(crystal: float, upper: bool) -> tuple[int, int]:
    """Return the place of a holder's number at its crystal: towards another well, away from mirrors and glasses.

    *upper*: the crystal is at the upper corner of a hex, or at a lower one of its sides.
    """
    return round(29 * crystal), round(17 * crystal) * (1 if upper else -1)


@cache
def naming(size: Size, signed: bool, corners: tuple[int, ...]) -> Name:
    """Return the place of the name of a hex with tokens at *corners*. *signed*: it has the sign of its colour."""
    tokens = [token_at(size, corner).box for corner in corners]
    shapes = list(_arranged(size, signed))
    if tokens:
        for number, away in places(size, signed):
            boxes = [_moved(box, away) for box in shapes[number].boxes]
            if not any(_meet(box, token) for box in boxes for token in tokens):
                return replace(shapes[number], away=away)
    return shapes[0]


@cache
def places(size: Size, signed: bool) -> tuple[tuple[int, tuple[int, int]], ...]:
    """Return all places of a name, the freest from crystals first: how it is written, and how far it is moved.

    It takes some 100 ms, so it is apart from the tokens.
    """
    wells = Hexes((0, 0), size.radius).corners((0, 0))
    near = sorted(product(STEPS, STEPS), key=lambda away: (hypot(*away), away))
    graded = list[tuple[float, int, tuple[int, int]]]()
    for number, name in enumerate(_arranged(size, signed)):
        for away in near:
            boxes = [_moved(box, away) for box in name.boxes]
            free = min(_away(box, at) for box in boxes for at in wells) - GEM * size.crystal
            graded.append((max(0.0, CLEAR - free), number, away))
    graded.sort(key=lambda place: place[0])
    return tuple((number, away) for _, number, away in graded)


def _arranged(size: Size, signed: bool) -> Iterator[Name]:
    """Yield the ways to write a name: the sign over the label, beside it, or across; the same with a smaller sign."""
    high, wide = size.label * CAPITAL, width(WIDEST, size.label, False)
    if not signed:
        yield Name((0, 0), (0, 0), size.sign, (0, 0), (_box((0, 0), wide, high),))
        return
    for reach in (size.sign, SMALLEST):
        side = 2 * reach
        over = (0, -round((high + GAP) / 2)), (0, round((side + GAP) / 2))
        beside = (-round(wide / 2 + 2), 0), (round(side / 2 + 2), 0)
        across = (((-turn * 13, -far), (turn * 15, far)) for turn in (1, -1) for far in (18, 22))
        for sign, label in (over, beside, *across):
            yield Name((0, 0), sign, reach, label, (_box(sign, side, side), _box(label, wide, high)))


def _box(at: Point, wide: float, high: float) -> Rectangle:
    return at[0] - wide / 2, at[1] - high / 2, at[0] + wide / 2, at[1] + high / 2


def _moved(box: Rectangle, by: Point) -> Rectangle:
    return box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1]


def _meet(one: Rectangle, other: Rectangle) -> bool:
    across = one[0] < other[2] + AIR and other[0] < one[2] + AIR
    return across and one[1] < other[3] + AIR and other[1] < one[3] + AIR


def _away(box: Rectangle, at: Point) -> float:
    """Return the distance of *at* from *box*."""
    return hypot(max(box[0] - at[0], 0, at[0] - box[2]), max(box[1] - at[1], 0, at[1] - box[3]))
