"""The board as a round window, turned for the viewer, with the places of its fields.

The rules define the board; this module converts it to coordinates of the picture.
"""

from math import asin, pi

from msgspec import Struct

from renderers.layout import Rings
from renderers.scene import AnyShape, Point, Polygon
from rules.games.kalejdoschach import FIELDS, UNITS

SIZE = (1000, 900)
CENTRE = (500.0, 450.0)
RADII = (0, 54, 140, 227, 295, 369, 441)
"""The circle lines, from the middle of ``00`` to the rim: ring k is between RADII[k] and RADII[k + 1]."""
DIGITS = 457
"""Distance of the slices' digits from the middle."""
ASIDE = 17.5
"""Shift of the digits of the uppermost and the lowest slice in degrees, which leaves room for a larger window."""
UNIT = 360 / UNITS
FIRST = 112.5
"""The angle at which slice 1 begins if no seat's side is requested: player 1 is at the bottom."""


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
        """Return the place of the digit of a slice, counted from 0."""
        angle = UNIT * (6 * number + 3)
        x, _ = at = self.rings.place(DIGITS, angle)
        return at if abs(x - CENTRE[0]) > 1 else self.rings.place(DIGITS, angle + ASIDE)

    def corner(self, field: str) -> Point:
        """Return a point with whole coordinates near the middle of a field."""
        x, y = self.middle(field)
        return round(x), round(y)

    def border(self, field: str, inset: float) -> tuple[Point, ...]:
        """Return the outline of a field, *inset* from the middle of its leads on all sides: the outer bow, then the
        inner."""
        arc = FIELDS[field]
        inner, outer = RADII[arc.ring] + inset, RADII[arc.ring + 1] - inset
        start, end, steps = UNIT * arc.start, UNIT * arc.end, 2 * (arc.end - arc.start)
        if not arc.ring:
            return self._bow(outer, start, end, 0, steps)[:-1]
        out = self._bow(outer, start, end, inset, steps)
        return (*out, *reversed(self._bow(inner, start, end, inset, steps)))

    def pane(self, field: str, inset: float, fill: str = "", line: str = "", width: float = 2) -> AnyShape:
        """Return the same as a shape."""
        return Polygon(self.border(field, inset), fill, line, width)

    def _bow(self, radius: float, start: float, end: float, inset: float, steps: int) -> tuple[Point, ...]:
        """Return points clockwise on a circle, *inset* from both ends."""
        aside = asin(inset / radius) * 180 / pi
        first, last = start + aside, end - aside
        return tuple(self.rings.place(radius, first + (last - first) * k / steps) for k in range(steps + 1))

    def ends(self, field: str, inset: float) -> tuple[Point, Point]:
        """Return both ends of the outer bow of a field's outline."""
        arc = FIELDS[field]
        return self.border(field, inset)[0], self.border(field, inset)[2 * (arc.end - arc.start)]
