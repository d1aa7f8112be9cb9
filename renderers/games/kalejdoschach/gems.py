"""The pieces as cut stones: the outline tells the seat, the silhouette the kind, marks on a band the steps."""

from functools import cache
from math import cos, pi, sin

from renderers.games.kalejdoschach.silhouettes import silhouette
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite
from rules.games.kalejdoschach import KINDS

HUES = ("white", "black", "orange", "blue")
"""By seat, unless a table says otherwise."""
RADIUS = 26
PITCH = 8
"""From one mark to the next."""
FACE = 0.86
"""The flat face of a stone, as a part of all of it."""
SEAM = 2.5
"""How wide the stone shows round a silhouette that reaches beyond it."""
NARROW = ("triangle", "diamond")
"""Stones that a silhouette reaches beyond."""
STANDS = {"disc": (-25, 9), "square": (-25, 10), "triangle": (-26, 8), "diamond": (-26, 8)}
"""By mark: from where to where a silhouette reaches; the band with the marks begins at its feet."""


def mark(seat: int) -> str:
    return MARKS[seat % len(MARKS)]


def outline(mark: str, radius: float) -> tuple[Point, ...]:
    """The corners of a stone cut like this mark of a seat, clockwise, about as large as a disc of *radius*."""
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
    """A triangle with bulging sides and blunt corners, its lowest side level."""
    points: list[Point] = []
    for side in range(3):
        (x0, y0), (x1, y1) = _turned((0, -radius), 120 * side), _turned((0, -radius), 120 * side + 120)
        nx, ny = _turned((0, -1), 120 * side + 60)
        for part in (step / 8 for step in range(1, 8)):
            bulge = radius * 0.8 * part * (1 - part)
            points.append((x0 + (x1 - x0) * part + nx * bulge, y0 + (y1 - y0) * part + ny * bulge + radius * 0.07))
    return tuple(points)


def edge(hue: str) -> str:
    """The edge in which a stone of a hue stands out from every pane of both themes."""
    if hue == "black":
        return "paper"
    return "ink" if on(hue) == "ink" else "text"


@cache
def gem(mark: str, hue: str, kind: str, scale: float = 1) -> Sprite:
    """A piece: a stone whose rim takes the light from the upper left, the silhouette of its kind on it, and a band.

    Where the silhouette reaches beyond the stone, a seam in the stone's colour goes round it.
    """
    outer, face = outline(mark, RADIUS * scale), outline(mark, RADIUS * scale * FACE)
    ink, rim = on(hue), edge(hue)
    top, feet = (part * scale for part in STANDS[mark])
    shape, *cuts = silhouette(kind, feet - top, (0, feet))
    reach = RADIUS * 1.4 * scale
    seam = 2 * SEAM * scale
    shapes = (
        *((Polygon(shape, rim, rim, seam + 3),) if mark in NARROW else ()),
        Polygon(outer, hue, rim, 2.5 * scale),
        Polygon(_lit(outer, face), f"{hue}.light"),
        *((Polygon(shape, hue, hue, seam),) if mark in NARROW else ()),
        Polygon(_below(face, feet), ink),
        Polygon(shape, ink),
        *(Polygon(cut, hue) for cut in cuts),
        *marks(kind, (0, (feet + max(y for _, y in face)) / 2 - 0.5 * scale), hue, scale),
    )
    return Sprite(f"{hue} {KINDS[kind].name}{'' if scale == 1 else f' x{scale:g}'}", (reach, reach), shapes)


def _below(outline: tuple[Point, ...], level: float) -> tuple[Point, ...]:
    """The part of an outline that lies below a level."""
    found: list[Point] = []
    for (x0, y0), (x1, y1) in zip((outline[-1], *outline[:-1]), outline, strict=True):
        if (y0 < level) != (y1 < level):
            found.append((x0 + (x1 - x0) * (level - y0) / (y1 - y0), level))
        if y1 >= level:
            found.append((x1, y1))
    return tuple(found)


@cache
def halo(mark: str) -> Sprite:
    """The bright edge of a piece that the die allows to move."""
    reach = RADIUS * 1.65
    return Sprite(f"halo {mark}", (reach, reach), (Polygon(outline(mark, RADIUS * 1.05), "text", "text", 3),))


def _lit(outer: tuple[Point, ...], face: tuple[Point, ...]) -> tuple[Point, ...]:
    """The upper left half of the rim round a face."""
    count = len(outer)
    lit = [k for k in range(count) if sum(outer[k]) < 0]
    first = next(k for k in lit if (k - 1) % count not in lit)
    order = [(first + k) % count for k in range(len(lit))]
    return (*(outer[k] for k in order), *(face[k] for k in reversed(order)))


def marks(kind: str, at: Point, colour: str, scale: float = 1) -> list[AnyShape]:
    """Dots for a walker's steps, strokes for a flyer's, three strokes as a triangle for the wizard."""
    x, y = at
    steps, flies = KINDS[kind].steps, KINDS[kind].flies
    if kind == "w":
        corners = ((0, -7), (8, 5), (-8, 5), (0, -7))
        return [Line(tuple((x + dx * scale, y + dy * scale) for dx, dy in corners), colour, 2.5 * scale)]
    places = [x + PITCH * scale * (k - (steps - 1) / 2) for k in range(steps)]
    if not flies:
        return [Disc((place, y), 3 * scale, colour) for place in places]
    wide, high = 4 * scale, 9 * scale
    return [Box((place - wide / 2, y - high / 2), (wide, high), colour) for place in places]
