"""The places of name, letter and tokens in a hex: a name keeps off tokens and crystals.

All places are relative to the middle of the hex, which has a corner on top. Without tokens the name is in the middle,
letter over label. A token is at its well. The name then moves as little as necessary; if that is not enough, its letter
and label are side by side, or the letter is smaller.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import cos, hypot, pi, sin

from msgspec import Struct
from msgspec.structs import replace

from renderers.games.kaleidoskop.crystals import ABOVE, BELOW, GEM, numeral
from renderers.games.kaleidoskop.glass import OLD
from renderers.games.kaleidoskop.tokens import token_size
from renderers.layout import SQRT3, Hexes
from renderers.lettering import CAPITAL, width
from renderers.scene import Point
from rules.games.kaleidoskop import NOTHING

WIDEST = "G4"
"""No label is wider."""
AIR = 1.0
BEFORE = (0.56, *(part / 100 for part in range(44, 78, 2)))
"""Distances of a former colour from the middle of a hex, as a part of its radius; the best first."""
LEANS = 6
"""Its largest overlap with the ring around a crystal: there is no more room between name and crystals."""
CLEAR, LAPPED = 2, -4
"""Distance of a name from a crystal, whose tips may reach further; and the least one, which covers only its box and
not its letters."""
STEPS = range(-36, 37, 2)


class Size(Struct, frozen=True):
    """A board's measures: *step* from hex to hex in a row, font sizes of *label* and *letter*, size of a *crystal*."""

    step: int
    label: int
    letter: int
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
    """A name moved *away* from the middle; from there its *letter*, of *size*, its *label*, and *boxes* around
    both."""

    away: tuple[int, int]
    letter: tuple[int, int]
    size: int
    label: tuple[int, int]
    boxes: tuple[Rectangle, ...]


@cache
def token_at(size: Size, corner: int) -> Token:
    """Return the token between the middle and *corner* (clockwise from 0 at the top), as near to the crystal as
    possible."""
    upright = corner % 3 != 0
    x, y = Hexes((0, 0), size.radius).corners((0, 0))[corner]
    away = size.radius - GEM * size.crystal - (10 if upright else token_size(False)[1] / 2)
    return Token((round(x / size.radius * away), round(y / size.radius * away)), upright)


@cache
def before_at(size: Size, colour: str, corners: tuple[int, ...], held: tuple[int, ...] = ()) -> Point:
    """Return the place of the former colour of a hex that is now *colour*.

    The hex has tokens at *corners*, and crystals in holders at the corners *held*. The place is about half-way to the
    rim, where it hides as little as possible of the hex's name, tokens, numbers of holders, and lettering of crystals.
    Among these places one off all crystals is best, as the sign must not seem to belong to a crystal.
    """
    name = naming(size, colour, corners)
    high = numeral(size.crystal)
    others = [token_at(size, corner).box for corner in corners] + [_moved(box, name.away) for box in name.boxes]
    wells = Hexes((0, 0), size.radius).corners((0, 0))
    for corner, (x, y) in enumerate(wells):
        if corner in held:
            across, down = holder_at(size.crystal, corner % 2 == 0)
            others += [_box((x + across, y + down), 24, 24)]
        others += [_box((x, y - ABOVE * size.crystal), 23 * size.crystal, 23 * size.crystal)]
        others += [_box((x, y + BELOW * size.crystal), width("46", high, False), high * CAPITAL)]
    places, reach = _places(size), OLD * size.crystal

    def hidden(at: Point) -> float:
        return sum(max(0.0, reach - _away(other, at)) ** 2 for other in others)

    def apart(at: Point) -> int:
        return round(min(GEM * size.crystal + reach - LEANS, *(hypot(at[0] - x, at[1] - y) for x, y in wells)))

    free = [at for at in places if all(_away(other, at) >= reach for other in others)]
    best = max(free, key=apart) if free else min(places, key=hidden)
    return round(best[0]), round(best[1])


@cache
def _places(size: Size) -> tuple[Point, ...]:
    """Return places for a former colour, the best ones first."""
    ways = sorted(product(BEFORE, range(24)), key=lambda way: (abs(way[0] - BEFORE[0]), way[1] % 4, way[1]))
    return tuple(
        (size.radius * far * -cos(turn * pi / 12), size.radius * far * -sin(turn * pi / 12)) for far, turn in ways
    )


def holder_at(crystal: float, upper: bool) -> tuple[int, int]:
    """Return the place of a holder's number at its crystal: towards another well, away from mirrors and glasses.

    *upper*: the crystal is at the upper corner of a hex, or at a lower one of its sides.
    """
    return round(29 * crystal), round(17 * crystal) * (1 if upper else -1)


@cache
def naming(size: Size, colour: str, corners: tuple[int, ...]) -> Name:
    """Return the place of the name of a hex of *colour* with tokens at *corners*."""
    tokens = [token_at(size, corner).box for corner in corners]
    wells = Hexes((0, 0), size.radius).corners((0, 0))
    near = sorted(product(STEPS, STEPS), key=lambda away: (hypot(*away), away))
    shapes = list(_arranged(size, colour))
    if not tokens:
        return shapes[0]
    close: Name | None = None
    for name in shapes:
        for away in near:
            boxes = [_moved(box, away) for box in name.boxes]
            if any(_meet(box, token) for box in boxes for token in tokens):
                continue
            free = min(_away(box, at) for box in boxes for at in wells) - GEM * size.crystal
            if free >= CLEAR:
                return replace(name, away=away)
            if free >= LAPPED and close is None:
                close = replace(name, away=away)
    return close or shapes[0]


def _arranged(size: Size, colour: str) -> Iterator[Name]:
    """Yield the ways to write a name: the letter over the label, beside it, or across; the same with a smaller
    letter."""
    high, wide = size.label * CAPITAL, width(WIDEST, size.label, False)
    if colour == NOTHING:
        yield Name((0, 0), (0, 0), size.letter, (0, 0), (_box((0, 0), wide, high),))
        return
    for height in (size.letter, size.label):
        tall, broad = height * CAPITAL, width(colour.upper(), height)
        above = round((size.letter - height) * CAPITAL / 2)
        over = (0, above - round(size.letter * 0.32)), (0, round(size.letter * 0.37) - above)
        beside = (-round(wide / 2 + 2), 0), (round(broad / 2 + 2), round((tall - high) / 2))
        across = (((-side * 12, -25), (side * 14, 23)) for side in (1, -1))
        for letter, label in (over, beside, *across):
            yield Name((0, 0), letter, height, label, (_box(letter, broad, tall), _box(label, wide, high)))


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
