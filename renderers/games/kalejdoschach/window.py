"""The board as a round window, turned like whoever looks at it: where its fields lie.

The board facts are those of the rules; here they become places in the picture.
"""

from math import asin, pi

from msgspec import Struct

from renderers.layout import Rings
from renderers.scene import AnyShape, Point, Polygon
from rules.games.kalejdoschach import FIELDS, UNITS

SIZE = (1000, 920)
CENTRE = (500.0, 460.0)
RADII = (0, 55, 142, 232, 300, 379, 450)
"""The circle lines, from the middle of ``00`` to the rim: ring k lies between RADII[k] and RADII[k + 1]."""
DIGITS = 467
"""How far from the middle the digits of the slices stand."""
ASIDE = 17.5
"""By so many degrees the digits of the uppermost and the lowest slice make room for a larger window."""
UNIT = 360 / UNITS
FIRST = 112.5
"""The angle at which slice 1 begins when nobody's side is asked for: player 1 sits below."""


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

    def digit(self, number: int) -> Point:
        """Where the digit of a slice stands, counted from 0."""
        angle = UNIT * (6 * number + 3)
        x, _ = at = self.rings.place(DIGITS, angle)
        return at if abs(x - CENTRE[0]) > 1 else self.rings.place(DIGITS, angle + ASIDE)

    def corner(self, field: str) -> Point:
        """A point with whole coordinates near the middle of a field."""
        x, y = self.middle(field)
        return round(x), round(y)

    def border(self, field: str, inset: float) -> tuple[Point, ...]:
        """The outline of a field, on all sides *inset* from the middle of its leads: the outer bow, then the inner."""
        arc = FIELDS[field]
        inner, outer = RADII[arc.ring] + inset, RADII[arc.ring + 1] - inset
        start, end, steps = UNIT * arc.start, UNIT * arc.end, 2 * (arc.end - arc.start)
        if not arc.ring:
            return self._bow(outer, start, end, 0, steps)[:-1]
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

    def ends(self, field: str, inset: float) -> tuple[Point, Point]:
        """Both ends of the outer bow of a field's outline."""
        arc = FIELDS[field]
        return self.border(field, inset)[0], self.border(field, inset)[2 * (arc.end - arc.start)]
