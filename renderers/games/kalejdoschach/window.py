"""The board as a round window of leaded glass, and what never changes on it.

As in a kaleidoscope every slice is the mirror image of the next one. Rings differ in hue, so that nobody misses a
circle line; fields side by side differ in tone. Castles are dark and doubly framed in gold, towns gold with dots
along the border.
"""

from functools import cache
from math import asin, hypot, pi

from msgspec import Struct
from msgspec.structs import replace

from renderers.games.kalejdoschach.gems import RADIUS
from renderers.layout import Rings
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text, moved
from rules.games.kalejdoschach import CASTLES, FIELDS, UNITS, towns

SIZE = (1000, 840)
CENTRE = (500.0, 420.0)
RADII = (0, 52, 124, 196, 260, 322, 387)
"""The circle lines, from the middle of ``00`` to the rim: ring k lies between RADII[k] and RADII[k + 1]."""
DIGITS = 404
"""How far from the middle the digits of the slices stand."""
UNIT = 360 / UNITS
UP, DOWN = 10, 20
"""How far above the middle of its field a piece lies, and how far below it the field's name."""
LEAN = (0, -6, -8, 6, 8, 8)
"""By ring: how far a name stands aside of its piece on the diagonals, so that a full board has no name under a piece.

Outer rings lean away from the next ring, inner ones, whose fields are narrow, from the next field.
"""
LABEL = (17, 9)
"""Half the size of a name."""
FIRST = 112.5
"""The angle at which slice 1 begins when nobody's side is asked for: player 1 sits below."""
DOT = 3.5
DOT_INSET = 8

_HUES = ("", "yellow", "violet", "teal", "violet", "teal")
"""By ring; towns are gold in every ring."""
_FACE = {False: 0.3, True: 0.6}
"""How much of its hue a pane has, plain or strong."""
_STRONG = "acegik"


class Window(Struct, frozen=True, cache_hash=True):
    """The board, turned clockwise by so many slices."""

    turned: int = 0

    @property
    def rings(self) -> Rings:
        return Rings(CENTRE, 6 * UNIT * self.turned + FIRST)

    def middle(self, field: str) -> Point:
        arc = FIELDS[field]
        if not arc.ring:
            return CENTRE
        return self.rings.place((RADII[arc.ring] + RADII[arc.ring + 1]) / 2, UNIT * (arc.start + arc.end) / 2)

    def seat(self, field: str) -> Point:
        """Where a piece stands on a field."""
        return _stack(self, field)[0]

    def label(self, field: str) -> Point:
        """Where the name of a field stands, below its piece."""
        return _stack(self, field)[1]

    def corner(self, field: str) -> Point:
        """A point with whole coordinates near the middle of a field."""
        x, y = self.middle(field)
        return round(x), round(y)

    def border(self, field: str, inset: float) -> tuple[Point, ...]:
        """The outline of a field, on all sides *inset* from the middle of its leads."""
        arc = FIELDS[field]
        inner, outer = RADII[arc.ring] + inset, RADII[arc.ring + 1] - inset
        start, end, steps = UNIT * arc.start, UNIT * arc.end, 2 * (arc.end - arc.start)
        if not arc.ring:
            return self._bow(outer, start, end, 0, steps)
        out = self._bow(outer, start, end, inset, steps)
        return (*out, *reversed(self._bow(inner, start, end, inset, steps)))

    def pane(self, field: str, inset: float, fill: str = "", line: str = "", width: float = 2) -> AnyShape:
        """The same as a shape."""
        return Polygon(self.border(field, inset), fill, line, width)

    def _bow(self, radius: float, start: float, end: float, inset: float, steps: int) -> tuple[Point, ...]:
        """Points clockwise on a circle, as far from both ends as *inset* says."""
        aside = asin(inset / radius) * 180 / pi
        first, last = start + aside, end - aside
        return tuple(self.rings.place(radius, first + (last - first) * k / steps) for k in range(steps + 1))

    def dots(self, field: str) -> list[AnyShape]:
        """The dotted border of a town."""
        arc = FIELDS[field]
        inner, outer = RADII[arc.ring] + DOT_INSET, RADII[arc.ring + 1] - DOT_INSET
        found: list[AnyShape] = []
        for radius in (inner, outer):
            first, *_, last = self._bow(radius, UNIT * arc.start, UNIT * arc.end, DOT_INSET, 2)
            found += [Stamp(_rivet(), first), Stamp(_rivet(), last)]
        return found


@cache
def _rivet() -> Sprite:
    return Sprite("rivet", (DOT + 1, DOT + 1), (Disc((0, 0), DOT, "lead"),))


@cache
def _stack(window: Window, field: str) -> tuple[Point, Point]:
    """The middles of piece and name: upright, but leaning aside, and inside the rim."""
    x, y = window.middle(field)
    dx, dy = x - CENTRE[0], y - CENTRE[1]
    far = hypot(dx, dy) or 1.0
    lean = LEAN[FIELDS[field].ring] * 2 * dx * dy / far**2
    piece, name = (x + lean * 0.5, y - UP), (x - lean, y + DOWN)
    corners = [(name[0] + side, name[1] + LABEL[1]) for side in (-LABEL[0], LABEL[0])]
    reach = [hypot(piece[0] - CENTRE[0], piece[1] - CENTRE[1]) + RADIUS]
    reach += [hypot(at[0] - CENTRE[0], at[1] - CENTRE[1]) for at in corners]
    back = max(0.0, max(reach) - RADII[-1]) / far
    piece, name = moved((piece, name), (-dx * back, -dy * back))
    return piece, name


def _is_strong(field: str) -> bool:
    """Whether a pane has the stronger tone: each slice mirrors the one before."""
    return (field[1] in _STRONG) != (int(field[0]) % 2 == 0 and field[1] in "abcde")


def _tint(field: str) -> tuple[str, str, float]:
    """Ground, hue over it, and how much of that."""
    if field in CASTLES:
        return "ink", "", 0.0
    return "pane", "yellow" if field in towns() else _HUES[FIELDS[field].ring], _FACE[_is_strong(field)]


@cache
def pen(field: str) -> str:
    """The colour in which the name of a field can be read on its pane."""
    if field in CASTLES:
        return "paper"
    return "ink" if field in towns() and _is_strong(field) else "text"


@cache
def still(window: Window) -> tuple[AnyShape, ...]:
    """The empty window with the names of its fields and the digits of its slices."""
    rings = window.rings
    shapes: list[AnyShape] = [Disc(CENTRE, RADII[-1] + 5, "lead")]
    for field in FIELDS:
        ground, hue, strength = _tint(field)
        shapes.append(window.pane(field, 0, ground))
        if hue:
            shapes.append(replace(window.pane(field, 0, hue), strength=strength))
    for arc in FIELDS.values():
        if arc.ring and arc.start % 6:
            ends = (rings.place(RADII[arc.ring + k], UNIT * arc.start) for k in (0, 1))
            shapes.append(Line(tuple(ends), "lead", 2))
    shapes += [Disc(CENTRE, radius + 1.5, "", "lead", 3) for radius in RADII[1:]]
    for number in range(8):
        ends = (rings.place(radius, 6 * UNIT * number) for radius in (RADII[1], RADII[-1]))
        shapes.append(Line(tuple(ends), "lead", 5))
        digit = rings.place(DIGITS, UNIT * (6 * number + 3))
        shapes.append(Text(digit, str(number + 1), 24, "muted", align="middle"))
    for field in towns():
        shapes += window.dots(field)
    for field in CASTLES:
        shapes += [window.pane(field, 3, "", "yellow.dark", 3), window.pane(field, 9, "", "yellow", 2)]
    shapes += [_name(field, window.middle(field)) for field in FIELDS]
    return tuple(shapes)


def _name(field: str, at: Point) -> Text:
    return Text(at, field, TEXT_MIN, pen(field), align="middle")


@cache
def held(window: Window, field: str) -> tuple[AnyShape, AnyShape]:
    """What makes room for a piece: a bit of pane over the name of an empty field, and the name below the piece."""
    return Stamp(_blank(*_tint(field)), window.middle(field)), _name(field, window.label(field))


@cache
def _blank(ground: str, hue: str, strength: float) -> Sprite:
    wide, high = 2 * LABEL[0] + 2, 2 * LABEL[1] + 2
    tint = (Box((-wide / 2, -high / 2), (wide, high), hue, strength=strength),) if hue else ()
    return Sprite(f"blank {ground} {hue} {strength}", (wide / 2, high / 2), tint, ground)
