"""The four corners between the round window and the edge of the picture, with the facts about the seats.

A seat's corner is next to its castle, so the corners turn with the window. With two players each has two corners: one
for the person and the castles, the other for captured pieces. Otherwise each has one. Lines are counted from the edge
inward, as the window leaves less and less room.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import ceil, sqrt

from msgspec import Struct

from renderers.frame import Item, badge, full_width, named, row_of
from renderers.games.kalejdoschach import signs
from renderers.games.kalejdoschach.window import CENTRE, DIGITS, SIZE
from renderers.lettering import width
from renderers.scene import Align, AnyShape, Point, Polygon, Sprite, Stamp, Text, shifted

EDGE = 8
CLEAR = 450
"""Distance of the corners from the middle of the window."""
DIGIT = (22.0, 32.0, 2)
"""The gap for the digit of the slice: its additional depth, its half height, and its shape: 2 is a bow, more a
notch."""
NOTCH = (26.0, 40.0, 4)
"""The same for its bright edge, which surrounds the digit."""
WIDEST = 330
LINES = (34, 74, 108, 141, 174, 207)
"""Middles of the lines, from the upper or lower edge."""
SIDE = 20
"""Distance of every line but the first from the side."""
HALF = (23, 16)
"""Half the height of the first line, and of the others."""
APART = 9.0
"""Distance between two items in a line."""
NAME, TWO_LINES = 26, (-13.5, 10.0)
"""Size of a name, and the distances of its two lines from the middle."""
POINTS = 30
BADGE = 20


def _edge(y: float, digit: tuple[float, float, int] = DIGIT) -> float:
    """Return the width of a corner at this distance from the upper or lower edge."""
    (more, near, steep), level = digit, CENTRE[1] - DIGITS * sqrt(0.5)
    clear = CLEAR + more * max(0.0, 1 - (abs(y - level) / near) ** steep)
    return min(WIDEST, CENTRE[0] - sqrt(max(0.0, clear**2 - (CENTRE[1] - y) ** 2)))


@cache
def _end(number: int) -> float:
    """Return the largest width of a line."""
    y, half = LINES[number], HALF[number > 0]
    return min(_edge(at, NOTCH) for at in (y - half, y, y + half)) - 14


class Corner(Struct, frozen=True):
    """One of the four corners of the picture."""

    right: bool
    bottom: bool

    def place(self, x: float, y: float) -> Point:
        """Return the point at these distances from the corner's side and from its upper or lower edge."""
        return (SIZE[0] - x if self.right else x), (SIZE[1] - y if self.bottom else y)


CORNERS = (Corner(True, True), Corner(False, True), Corner(False, False), Corner(True, False))
"""Clockwise from the lower right, which is next to slice 1 of the unturned window."""


@cache
def raised(corner: Corner, last: int, hue: str, *, pointed: bool) -> tuple[AnyShape, ...]:
    """Return the glass of a corner whose seat, with this *hue*, must act or has won, down to its *last* line.

    *pointed*: with the pointer of the actor.
    """
    high = LINES[last] + HALF[last > 0] + EDGE
    steps = 16
    bow = [EDGE + (high - EDGE) * k / steps for k in range(steps + 1)]
    points = [(EDGE, EDGE), *((_edge(y, NOTCH), y) for y in bow), (EDGE, high)]
    shape = Polygon(tuple(corner.place(*point) for point in points), f"{hue}.up", "text", 4)
    if not pointed:
        return (shape,)
    tip = ((EDGE, LINES[0] - 11), (EDGE + 12, LINES[0]), (EDGE, LINES[0] + 11))
    return shape, Polygon(tuple(corner.place(*point) for point in tip), "text", "text")


def lines(blocks: Sequence[tuple[Item, ...]], first: int) -> dict[int, tuple[Item, ...]]:
    """Return *blocks*, which are not split, in lines from *first* on, as many in each as fit."""
    rows: dict[int, tuple[Item, ...]] = {first: ()}
    for block in filter(None, blocks):
        number = max(rows)
        longer = (*rows[number], APART, *block) if rows[number] else block
        if rows[number] and full_width(longer) > _end(number) - SIDE and number + 1 < len(LINES):
            rows[number + 1] = block
        else:
            rows[number] = longer
    return rows


class Person(Struct, frozen=True):
    """The first line of a seat's corner; *name* is None if the seat is free."""

    seat: int
    hue: str
    name: str | None = None
    house: bool = False
    points: str = ""
    out: bool = False
    won: bool = False


@lru_cache(256)
def person(corner: Corner, who: Person, ground: str) -> Stamp:
    """Return a tile with badge, name and points, from the side inward."""
    y = LINES[0]
    shapes: list[AnyShape] = [Stamp(badge(who.seat, who.hue, BADGE, who.out), corner.place(46, y))]
    left, right = 76.0, _end(0)
    if who.points:
        inward: Align = "left" if corner.right else "right"
        shapes.append(Text(corner.place(right, y), who.points, POINTS, align=inward))
        right -= width(who.points, POINTS) + 8
    if who.house:
        shapes.append(Stamp(signs.housed(), corner.place(right - 17, y)))
        right -= 40
    if who.name is not None:
        align: Align = "right" if corner.right else "left"
        at, apart = corner.place(left, y), TWO_LINES
        shapes += named(who.name, at, right - left, size=NAME, out=who.out, align=align, apart=apart)
    return _tile(f"person {who.seat + 1}", corner, 0, _end(0), shapes, ground)


@lru_cache(512)
def line(corner: Corner, number: int, items: tuple[Item, ...], ground: str) -> Stamp:
    """Return a tile with a row of signs and words in line *number*, at the side of the corner."""
    wide = min(_end(number) - SIDE, full_width(items))
    x, y = corner.place(SIDE + wide if corner.right else SIDE, LINES[number])
    return _tile(f"line {number + 1}", corner, number, SIDE + wide, row_of(items, (x, y), wide), ground)


def _tile(name: str, corner: Corner, number: int, end: float, shapes: list[AnyShape], ground: str) -> Stamp:
    """Return *shapes*, given in the picture's coordinates, as a tile in line *number*, from the side to *end*."""
    wide = ceil((end - SIDE + 3) / 2)
    x, y = corner.place(SIDE - 2 + wide, LINES[number])
    tile = Sprite(name, (wide, HALF[number > 0]), tuple(shifted(shape, (-x, -y)) for shape in shapes), ground)
    return Stamp(tile, (x, y))
