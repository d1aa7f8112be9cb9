"""Caps of steel, open fields of coloured glass, and the little signs round them; (0, 0) is the middle of each.

An open field is a glass disc in a deep pane, with the sign of its colour on its flat face. A cap is larger, stands
up from the board and has no colour at all, so the two cannot be confused, not even in grey.
"""

from functools import cache

from renderers.palette import SIGNS, on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sector, Sprite, Text
from renderers.signs import figure, regular

CAP = 52
GLASS = 49
FACE = 0.74
"""Radius of the flat face as a part of the whole."""
FACETS = 8
CUT = 180 / FACETS
"""Degrees by which the corners are turned, so that a facet and not a corner faces the light."""
_LIT = 6
"""The facet that faces the light, upper left; counted clockwise from the one right of the top."""


def _gem(hue: str, radius: float, face: float, tones: tuple[str, ...]) -> tuple[AnyShape, ...]:
    """A ring of facets between *radius* and *face*; *tones* from the one that faces the light to the one opposite."""
    outer, inner = _round(radius), _round(face)
    facets: list[AnyShape] = []
    for k in range(FACETS):
        after = (k + 1) % FACETS
        away = min((k - _LIT) % FACETS, (_LIT - k) % FACETS)
        facets.append(Polygon((outer[k], outer[after], inner[after], inner[k]), hue + tones[away]))
    return tuple(facets)


def _round(radius: float) -> tuple[Point, ...]:
    return regular((0, 0), radius, FACETS, CUT)


def _pane(width: float, hue: str = "") -> tuple[AnyShape, ...]:
    """A pane with bevelled edges; with a *hue*, in the light of its glass."""
    half = width / 2 - 3
    low, side = -half, 2 * half
    name = f"{hue}.pane" if hue else "pane"
    return (
        Box((low, low), (side, side), f"{name}.dark"),
        Box((low, low), (side - 6, side - 6), f"{name}.light"),
        Box((low + 6, low + 6), (side - 12, side - 12), name),
    )


@cache
def well(width: float) -> Sprite:
    """A field of the board."""
    return Sprite(f"well {width:g}", (width / 2 - 3, width / 2 - 3), _pane(width))


@cache
def open_field(hue: str, width: float) -> Sprite:
    """An open field: its glass, with the sign of its colour, and the light that falls through it."""
    return Sprite(
        f"open {hue}",
        (width / 2 - 3, width / 2 - 3),
        (
            *_pane(width, hue),
            Disc((0, 0), GLASS, hue + ".dark"),
            *(
                Sector((0, 0), 0, GLASS, start, stop, hue + tone)
                for start, stop, tone in ((-112.5, 67.5, ".light"), (-67.5, -22.5, ".pale"))
            ),
            Polygon(_round(GLASS * FACE), hue),
            sign(hue, (0, 0), 25),
        ),
    )


def sign(hue: str, at: Point, radius: float) -> AnyShape:
    """The figure of a colour, in the pen that can be read on it."""
    return figure(SIGNS[hue], at, radius, on(hue))


@cache
def cap() -> Sprite:
    """A cap: nothing on it tells what lies below."""
    return Sprite(
        "cap",
        (CAP + 9, CAP + 9),
        (
            Polygon(_round(CAP), "ink", "ink", 4),
            *_gem("white", CAP, CAP * FACE, (".pale", ".light", "", ".deep", ".deep")),
            Polygon(_round(CAP * FACE), "white.dark"),
        ),
    )


@cache
def seen(hue: str) -> Sprite:
    """What a cap carries where the board remembers the colour below: a quarter of an open field's sign."""
    return Sprite(
        f"seen {hue}",
        (20, 20),
        (Disc((0, 0), 19, "ink"), figure(SIGNS[hue], (0, 0), 11, hue)),
    )


@cache
def medal(hue: str) -> Sprite:
    """A colour in the tally: a small open field."""
    return Sprite(
        f"medal {hue}",
        (28, 28),
        (
            Disc((0, 0), 27, hue, "ink", 3),
            sign(hue, (0, 0), 13.5),
        ),
    )


@cache
def lock() -> Sprite:
    """This cap may not be lifted now."""
    return Sprite(
        "lock",
        (23, 25),
        (
            Disc((0, 2), 22, "ink"),
            Disc((0, -4), 9, "", "paper", 4),
            Box((-12, -3), (24, 18), "paper", round=4),
            Disc((0, 4), 3, "ink"),
            Line(((0, 4), (0, 10)), "ink", 3),
        ),
    )


@cache
def fatal() -> Sprite:
    """This field put somebody out."""
    return Sprite("fatal", (24, 24), (Disc((0, 0), 23, "ink"), Disc((0, 0), 20, "warn"), *cross((0, 0), 9, "panel", 6)))


def cross(at: Point, radius: float, colour: str, width: float) -> tuple[AnyShape, ...]:
    """Away, or out."""
    x, y = at
    return tuple(
        Line(((x - radius, y - radius * turn), (x + radius, y + radius * turn)), colour, width) for turn in (1, -1)
    )


@cache
def away(colour: str) -> Sprite:
    """A cap leaves the game ("warn": it has to)."""
    return Sprite(f"away {colour}", (17, 17), cross((0, 0), 13, colour, 6))


@cache
def place(number: int) -> Sprite:
    """The place at which a seat went out."""
    return Sprite(
        f"place {number}",
        (20, 17),
        (Box((-18, -16), (36, 32), "muted", round=8), Text((0, 0), str(number), 24, "panel", align="middle")),
    )


@cache
def triangle(side: str, turn: int) -> Sprite:
    """The end of a strip; *turn* 1 points to the right, -1 to the left."""
    points = ((-7 * turn, -11), (9 * turn, 0), (-7 * turn, 11))
    return Sprite(
        f"triangle {side} {turn:+d}",
        (12, 14),
        (
            Polygon(points, "paper" if side == "white" else "stone", "ink", 3),
            Polygon(points, "paper" if side == "white" else "stone"),
        ),
    )
