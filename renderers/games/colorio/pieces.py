"""Open fields of coloured glass, and the small signs around them; (0, 0) is the middle of each.

An open field is a cut glass disc in a pane that glows in its colour, with the colour's sign on its flat face. A cap is
larger, raised above the board and colourless, so the two differ even in grey.
"""

from functools import cache
from math import cos, pi, sin

from renderers.palette import SIGNS, on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sector, Sprite, Text
from renderers.signs import figure, regular

GLASS = 44
LEAD = 3
"""Half the width of the lead between two panes."""
FACE = 32.5
FACETS = 8
_TONES = (".light", "", ".dark", ".deep", ".dark", "", ".light", ".pale")
"""Tones of the facets, from the upper one clockwise; light comes from the upper left."""
RAYS = 10
"""Points of the burst around a dangerous field."""


def _pane(width: float, hue: str = "") -> tuple[AnyShape, ...]:
    """Return a pane with bevelled edges; with a *hue*, in the light of its glass."""
    half = width / 2 - LEAD
    low, side = -half, 2 * half
    name = f"{hue}.pane" if hue else "pane"
    return (
        Box((low, low), (side, side), f"{name}.dark"),
        Box((low, low), (side - 6, side - 6), f"{name}.light"),
        Box((low + 6, low + 6), (side - 12, side - 12), name),
    )


@cache
def well(width: float) -> Sprite:
    """Return a field of the board."""
    return Sprite(f"well {width:g}", (width / 2 - LEAD, width / 2 - LEAD), _pane(width))


@cache
def lit(hue: str, width: float) -> Sprite:
    """Return the pane of an open field in the light of its glass."""
    return Sprite(f"light {hue}", (width / 2 - LEAD, width / 2 - LEAD), _pane(width, hue))


@cache
def glass(hue: str) -> Sprite:
    """Return the glass of an open field, cut all around, with the sign of its colour."""
    turn = 360 / FACETS
    facets = (Sector((0, 0), 0, GLASS, (k - 0.5) * turn, (k + 0.5) * turn, hue + tone) for k, tone in enumerate(_TONES))
    return Sprite(
        f"open {hue}",
        (GLASS + 2, GLASS + 2),
        (
            Disc((0, 0), GLASS + 2, "ink"),
            *facets,
            Polygon(regular((0, 0), FACE, FACETS, turn / 2), hue),
            sign(hue, (0, 0), 25),
        ),
    )


@cache
def burst(hue: str, width: float) -> Sprite:
    """Return a pane with a burst of light around the glass: the next field of this colour eliminates a seat."""
    half = width / 2 - LEAD - 1
    points: list[Point] = []
    for k in range(2 * RAYS):
        x, y = sin(pi * k / RAYS), -cos(pi * k / RAYS)
        far = min(half / max(abs(x), abs(y)), half * 1.3) if k % 2 == 0 else GLASS + 4
        points.append((x * far, y * far))
    ground = Box((-half - 1, -half - 1), (2 * half + 2, 2 * half + 2), f"{hue}.pane.dark")
    return Sprite(f"burst {hue}", (half + 1, half + 1), (ground, Polygon(tuple(points), "warn")))


@cache
def small_burst() -> Sprite:
    """Return the same burst around a colour in the tally."""
    points = regular((0, 0), 36, RAYS, 0, 27)
    return Sprite("small burst", (36, 36), (Polygon(points, "warn"),))


def sign(hue: str, at: Point, radius: float) -> AnyShape:
    """Return the figure of a colour, in the pen that is readable on it."""
    return figure(SIGNS[hue], at, radius, on(hue))


@cache
def seen(hue: str) -> Sprite:
    """Return the sign on a cap if the board remembers the colour below: a quarter of an open field's sign."""
    return Sprite(
        f"seen {hue}",
        (20, 20),
        (Disc((0, 0), 19, "ink"), figure(SIGNS[hue], (0, 0), 11, hue)),
    )


@cache
def medal(hue: str) -> Sprite:
    """Return a colour in the tally: a small open field."""
    return Sprite(
        f"medal {hue}",
        (28, 28),
        (
            Disc((0, 0), 27, hue, "ink", 3),
            sign(hue, (0, 0), 13.5),
        ),
    )


@cache
def lock(radius: float = 22) -> Sprite:
    """Return the sign of a cap that may not be lifted now."""
    unit = radius / 22
    shapes = (
        Disc((0, 2 * unit), radius, "ink"),
        Disc((0, -4 * unit), 9 * unit, "", "paper", 4 * unit),
        Box((-12 * unit, -3 * unit), (24 * unit, 18 * unit), "paper", round=4 * unit),
        Disc((0, 4 * unit), 3 * unit, "ink"),
        Line(((0, 4 * unit), (0, 10 * unit)), "ink", 3 * unit),
    )
    return Sprite(f"lock {radius:g}", (radius + 1, radius + 3), shapes)


@cache
def fatal(radius: float = 23) -> Sprite:
    """Return the sign of a field that eliminated a seat: the burst of the danger, as a cross means a removed cap."""
    far = radius * 1.2
    points = regular((0, 0), far, RAYS, 0, far * 0.74)
    shapes = (
        Polygon(points, "ink", "ink", 6),
        Polygon(points, "warn"),
        *cross((0, 0), radius * 0.38, "panel", radius / 3.6),
    )
    return Sprite(f"fatal {radius:g}", (far + 4, far + 4), shapes)


def cross(at: Point, radius: float, colour: str, width: float) -> tuple[AnyShape, ...]:
    """Return the cross for removed or eliminated."""
    x, y = at
    return tuple(
        Line(((x - radius, y - radius * turn), (x + radius, y + radius * turn)), colour, width) for turn in (1, -1)
    )


@cache
def away(colour: str) -> Sprite:
    """Return the bin for a cap that leaves the game ("warn": it must)."""
    body = ((-11, -7), (11, -7), (8.5, 15), (-8.5, 15))
    return Sprite(
        f"away {colour}",
        (16, 17),
        (
            Polygon(body, "", colour, 4),
            Line(((0, -2), (0, 10)), colour, 3),
            Line(((-13, -9), (13, -9)), colour, 4),
            Line(((-3, -13), (3, -13)), colour, 4),
        ),
    )


@cache
def down(colour: str) -> Sprite:
    """Return the arrow from a field to another one, or out of the game."""
    return Sprite(
        f"down {colour}", (10, 9), (Box((-2.5, -8), (5, 8), colour), Polygon(((-9, -1), (9, -1), (0, 8)), colour))
    )


@cache
def place(number: int) -> Sprite:
    """Return a seat's rank as "#2", which differs from the plain number of the seat."""
    return Sprite(
        f"place {number}",
        (16, 17),
        (Box((-15.5, -16), (31, 32), "text", round=8), Text((0, 0), f"#{number}", 24, "panel", align="middle")),
    )


@cache
def triangle(side: str, turn: int) -> Sprite:
    """Return the end of a strip; *turn* 1 points to the right, -1 to the left."""
    points = ((-7 * turn, -11), (9 * turn, 0), (-7 * turn, 11))
    return Sprite(
        f"triangle {side} {turn:+d}",
        (12, 14),
        (
            Polygon(points, "paper" if side == "white" else "stone", "ink", 3),
            Polygon(points, "paper" if side == "white" else "stone"),
        ),
    )
