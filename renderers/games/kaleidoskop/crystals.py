"""Crystals and their wells, around (0, 0).

Each colour has a cut of its own, with flat facets and few edges, as a full board has 72 crystals and must stay a small
file.
"""

from functools import cache
from math import atan2, cos

from renderers.palette import on
from renderers.scene import AnyShape, Disc, Point, Polygon, Sector, Sprite, Text
from renderers.signs import regular

HUE = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "p": "pink", "v": "violet"}
NUMBER = 24
"""Size of the number of a well."""
GEM = 30
"""Approximate reach of a crystal to all sides; its setting is a little larger."""
FACE = {"y": 0.87, "g": 0.9, "p": 0.88}
"""The flat face of a crystal as a part of the whole, if it is more than ``BEVELLED``."""
BEVELLED = 0.84
SETTING = 1.11
"""Reach of the setting of a crystal, as a part of it; dark, so that it contrasts with a pane of its own colour."""
EMPTY = 21.5
LOW = {"g": 6.0, "p": -3.0, "v": 1.0}
"""Distance of the number below the middle of a crystal of size 1 that is narrower on one side."""


def halfway(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def scaled(points: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    return tuple((x * by, y * by) for x, y in points)


def lit(one: Point, other: Point) -> float:
    """Return the light from the upper left on the edge between two points around (0, 0): from 1 to -1."""
    x, y = halfway(one, other)
    return cos(atan2(y, x) - atan2(-1.0, -0.75))


@cache
def cut(colour: str) -> tuple[Point, ...]:
    """Return the outline of a crystal; each colour has its own."""
    match colour:
        case "r":
            a, b = 27.0, 21.0
            return ((-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b))
        case "y":
            return regular((0, 0), 33.5, 8, 0, 27.5)
        case "g":
            tip = regular((0, 4), 42, 3)
            return tuple(
                (x + (u - x) * part, y + (v - y) * part)
                for k, (x, y) in enumerate(tip)
                for (u, v), part in ((tip[k - 1], 0.13), (tip[(k + 1) % 3], 0.13))
            )
        case "b":
            return regular((0, 0), 30, 20, 9)
        case "p":
            half = ((11.0, -28.0), (24.0, -28.0), (33.0, -17.0), (33.0, -3.0), (24.0, 11.0))
            return ((0, -17), *half, (0, 32), *((-x, y) for x, y in reversed(half)))
        case "v":
            return ((0, -34), (35, 0), (0, 34), (-35, 0))
        case _:
            raise KeyError(colour)


FACETS = ((0.1, ".pale"), (-2.0, ".light"))
"""The least light on a facet of a crystal, and its tone; all are lighter than its face."""


@cache
def gem(colour: str, size: float = 1.0) -> Sprite:
    """Return a crystal without lettering in its dark setting: a flat face with facets around it."""
    hue, outer = HUE[colour], scaled(cut(colour), size)
    inner = scaled(outer, FACE.get(colour, BEVELLED))
    facets = []
    for k, corner in enumerate(outer):
        after = (k + 1) % len(outer)
        light = lit(corner, outer[after])
        shade = next(name for least, name in FACETS if light >= least)
        facets.append(Polygon((corner, outer[after], inner[after], inner[k]), hue + shade))
    reach = (GEM + 9) * size
    setting = Polygon(scaled(outer, SETTING), "ink")
    return Sprite(
        f"gem {hue} {size:g}", (reach, reach), (setting, *facets, Polygon(inner, hue)), crisp=True, faceted=True
    )


def number(colour: str, well: int, at: Point, size: float) -> Text:
    """Return the number of the well *at* this place, on its crystal of *colour* or in the empty well."""
    if colour not in HUE:
        return Text(at, str(well), NUMBER, "muted", bold=False, align="middle")
    low = at[0], at[1] + round(LOW.get(colour, 0.0) * size)
    return Text(low, str(well), NUMBER, on(HUE[colour]), align="middle")


@cache
def empty(size: float) -> Sprite:
    """Return an empty well: a hollow in the lead, of the same size on every board because of its number."""
    reach = EMPTY
    return Sprite(
        f"well {size:g}",
        (reach + 3, reach + 3),
        (
            Disc((0, 0), reach + 2, "lead"),
            Disc((0, 0), reach, "ground", "muted", 2),
        ),
    )


ARC = 18
"""Length of an arc and of a gap in a faint ring, in degrees."""


@cache
def latest(size: float, *, held: bool, is_faint: bool = False) -> Sprite:
    """Return the ring around a new crystal, or around its holder if it is *held*; a broken one if it is faint."""
    radius, edge = (45 if held else 41) * size, 1 if held else 2
    shapes: tuple[AnyShape, ...] = Disc((0, 0), radius + edge, "", "ink", 12), Disc((0, 0), radius, "", "accent", 8)
    if is_faint:
        shapes = tuple(
            Sector((0, 0), radius - 4 - wider, radius + wider, start - wider, start + ARC + wider, pen)
            for wider, pen in ((2, "ink"), (0, "accent"))
            for start in range(0, 360, 2 * ARC)
        )
    return Sprite(f"{'faint' if is_faint else 'latest'} {size:g}", (radius + 4, radius + 4), shapes)
