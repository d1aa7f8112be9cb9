"""The pieces: a figure before a cut stone, on a small foot.

The stone's outline and colour identify the seat, the figure the kind, the marks on the foot its steps.
"""

from functools import cache
from math import cos, pi, sin

from renderers.games.kalejdoschach.silhouettes import silhouette
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite, moved
from rules.games.kalejdoschach import KINDS

HUES = ("white", "blue", "orange", "red")
"""Default hues by seat."""
RADIUS = 28
SIDES = (28.0, 30.0)
"""Half the width and half the height of a piece."""
RISE = 1
"""Distance of a stone's middle above the middle of the piece."""
FACE = 0.88
"""The flat face of a stone, as a part of all of it."""
TALL = 41
"""Height of a figure."""
FEET = 18
"""Distance of a figure's feet below the middle of the piece; the foot covers them."""
FOOT = (17.0, 28.5)
"""Top and bottom of the foot."""
NARROWEST = 25.0
"""The least width of a foot."""
SIZE = 0.9
"""Size of the marks on a foot."""
SEAM = 3.2
"""Width of the seam around a figure, in the colour of the stone."""
EDGE = 2.0
"""Width of the edge around all of a piece."""
EDGES = {"black": "paper", "orange": "orange.deep"}
"""Edges unlike those of the other hues: on orange, a black figure would run into a black one."""
HALO = 4.0
"""Half the width of the bright edge, with the dark one around it."""
PITCH = {True: 5.5, False: 6.5}
"""Distance between the marks of a flyer, and of a walker."""


def mark(seat: int) -> str:
    return MARKS[seat % len(MARKS)]


def outline(mark: str, radius: float) -> tuple[Point, ...]:
    """Return the corners of a stone with the cut of this seat's mark, clockwise, about as large as a disc of
    *radius*."""
    match mark:
        case "disc":
            return tuple(_turned((0, -radius), 15 * k) for k in range(24))
        case "square":
            half, cut = radius * 0.94, radius * 0.2
            return _four((half - cut, -half), (half, -half + cut))
        case "triangle":
            return _trillion(radius * 1.27)
        case _:
            tip, cut, low = radius * 1.28, radius * 0.12, radius * 0.86
            side = (tip - cut, -cut), (tip - cut, cut), (tip - low, low)
            return ((-cut, -tip + cut), (cut, -tip + cut), *side, *((-x, y) for x, y in reversed(side)))


def _turned(point: Point, degrees: float) -> Point:
    x, y = point
    c, s = cos(degrees * pi / 180), sin(degrees * pi / 180)
    return x * c - y * s, x * s + y * c


def _four(*points: Point) -> tuple[Point, ...]:
    return tuple(_turned(point, 90 * k) for k in range(4) for point in points)


def _trillion(radius: float) -> tuple[Point, ...]:
    """Return a triangle with bulging sides and blunt corners, its lowest side level."""
    points: list[Point] = []
    for side in range(3):
        (x0, y0), (x1, y1) = _turned((0, -radius), 120 * side), _turned((0, -radius), 120 * side + 120)
        nx, ny = _turned((0, -1), 120 * side + 60)
        for part in (step / 8 for step in range(1, 8)):
            bulge = radius * 0.8 * part * (1 - part)
            points.append((x0 + (x1 - x0) * part + nx * bulge, y0 + (y1 - y0) * part + ny * bulge + radius * 0.07))
    return tuple(points)


def edge(hue: str) -> str:
    """Return the colour of the edge in which a stone of a hue contrasts with every pane of both themes."""
    return EDGES.get(hue) or ("ink" if on(hue) == "ink" else "text")


def face(hue: str) -> str:
    """Return the colour of the flat face of a stone: a lighter tone under dark figures, a darker one under bright
    figures."""
    return f"{hue}.light" if on(hue) == "ink" else f"{hue}.dark"


@cache
def gem(mark: str, hue: str, kind: str, scale: float = 1) -> Sprite:
    """Return a piece: the stone of its seat, lit from the upper left, before it the figure on its foot.

    A figure that is wider than its stone has a seam in the stone's colour, within the edge of all of it.
    """
    up = (0.0, -RISE * scale)
    outer, inner = (moved(outline(mark, RADIUS * scale * part), up) for part in (1, FACE))
    flat, pen, rim = face(hue), on(hue), edge(hue)
    shape, *cuts = silhouette(kind, TALL * scale, (0, FEET * scale))
    reach = (38 * scale, 39 * scale)
    shapes = (
        Polygon(outer, rim, rim, 2 * EDGE * scale),
        Polygon(shape, rim, rim, 2 * (SEAM + EDGE) * scale),
        _foot(kind, EDGE, rim, scale),
        Polygon(outer, hue),
        Polygon(_lit(outer, inner), f"{hue}.pale" if pen == "ink" else f"{hue}.light"),
        Polygon(inner, flat),
        Polygon(shape, flat, flat, 2 * SEAM * scale),
        Polygon(shape, pen),
        *(Polygon(cut, flat) for cut in cuts),
        _foot(kind, 0, flat, scale),
        *marks(kind, (0, sum(FOOT) / 2 * scale), pen, SIZE * scale),
    )
    return Sprite(
        f"{hue} {KINDS[kind].name}{'' if scale == 1 else f' x{scale:g}'}", reach, shapes, crisp=True, faceted=scale == 1
    )


def _foot(kind: str, rim: float, fill: str, scale: float = 1) -> Box:
    """Return the foot of a kind with a rim of this width."""
    (top, low), wide = FOOT, max(NARROWEST, _marked(kind) * SIZE + 12)
    corner, size = (-wide / 2 - rim, top - rim), (wide + 2 * rim, low - top + 2 * rim)
    return Box((corner[0] * scale, corner[1] * scale), (size[0] * scale, size[1] * scale), fill, round=5 * scale)


def _marked(kind: str) -> float:
    """Return the width of the marks of a kind."""
    if kind == "w":
        return 13.0
    return PITCH[KINDS[kind].flies] * (KINDS[kind].steps - 1) + (3.5 if KINDS[kind].flies else 5.4)


@cache
def halo(mark: str) -> Sprite:
    """Return the bright edge of a piece that the die allows to move; unlike marks of a menu it is bright in both
    themes."""
    stone = moved(outline(mark, RADIUS), (0, -RISE))
    layers = (("ink", 2 * HALO), ("paper", 1.5 * HALO))
    shapes = (part for pen, by in layers for part in (Polygon(stone, pen, pen, 2 * by), _foot("l", by, pen)))
    return Sprite(f"halo {mark}", (48, 48), tuple(shapes), crisp=True)


def _lit(outer: tuple[Point, ...], face: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the upper left half of the rim around a face."""
    count = len(outer)
    lit = [k for k in range(count) if sum(outer[k]) < 0]
    first = next(k for k in lit if (k - 1) % count not in lit)
    order = [(first + k) % count for k in range(len(lit))]
    return (*(outer[k] for k in order), *(face[k] for k in reversed(order)))


def marks(kind: str, at: Point, colour: str, scale: float = 1) -> list[AnyShape]:
    """Return dots for a walker's steps, strokes for a flyer's, three strokes as a triangle for the wizard."""
    x, y = at
    steps, flies = KINDS[kind].steps, KINDS[kind].flies
    if kind == "w":
        corners = ((0, -6), (5.5, 5), (-5.5, 5), (0, -6))
        return [Line(tuple((x + dx * scale, y + dy * scale) for dx, dy in corners), colour, 2.5 * scale)]
    places = [x + PITCH[flies] * scale * (k - (steps - 1) / 2) for k in range(steps)]
    if not flies:
        return [Disc((place, y), 2.7 * scale, colour) for place in places]
    wide, high = 3.5 * scale, 13 * scale
    return [Box((place - wide / 2, y - high / 2), (wide, high), colour) for place in places]
