"""The pieces as cut stones: the outline tells the seat, dots or strokes the way of moving, a letter the kind."""

from functools import cache
from math import cos, pi, sin

from renderers.palette import MARKS, on
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Text
from rules.games.kalejdoschach import KINDS

HUES = ("white", "black", "orange", "blue")
"""By seat, unless a table says otherwise."""
RADIUS = 23
PITCH = 8
"""From one mark to the next."""
FACE = 0.78
"""The flat face of a stone, as a part of all of it."""


def mark(seat: int) -> str:
    return MARKS[seat % len(MARKS)]


def outline(mark: str, radius: float) -> tuple[Point, ...]:
    """The corners of a stone cut like this mark of a seat, clockwise, about as large as a disc of *radius*."""
    match mark:
        case "disc":
            return tuple(_turned((0, -radius), 18 * k) for k in range(20))
        case "square":
            half, cut = radius * 0.94, radius * 0.2
            return _four((half - cut, -half), (half, -half + cut))
        case "triangle":
            return _trillion(radius * 1.27)
        case _:
            tip, cut = radius * 1.28, radius * 0.16
            return _four((-cut, -tip + cut), (cut, -tip + cut))


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


@cache
def gem(mark: str, hue: str, kind: str, scale: int = 1) -> Sprite:
    """A piece: a dark rim that takes the light from the upper left, on the flat face letter and marks."""
    outer, face = outline(mark, RADIUS * scale), outline(mark, RADIUS * scale * FACE)
    ink, edge = on(hue), "black.pale" if hue == "black" else "ink"
    letter, below = (-4, 11) if mark == "triangle" else (-6, 12)
    reach = RADIUS * 1.4 * scale
    shapes = (
        Polygon(outer, f"{hue}.dark", edge, 2.5),
        Polygon(_lit(outer, face), f"{hue}.light"),
        Polygon(face, hue),
        Text((0, letter * scale), kind.upper(), TEXT_MIN * scale, ink, align="middle"),
        *marks(kind, (0, below * scale), ink, scale),
    )
    return Sprite(f"{hue} {KINDS[kind].name}{'' if scale == 1 else ' large'}", (reach, reach), shapes)


@cache
def halo(mark: str) -> Sprite:
    """The bright edge of a piece that the die allows to move."""
    reach = RADIUS * 1.65
    return Sprite(f"halo {mark}", (reach, reach), (Polygon(outline(mark, RADIUS * 1.12), "text", "text", 4),))


def _lit(outer: tuple[Point, ...], face: tuple[Point, ...]) -> tuple[Point, ...]:
    """The upper left half of the rim round a face."""
    count = len(outer)
    lit = [k for k in range(count) if sum(outer[k]) < 0]
    first = next(k for k in lit if (k - 1) % count not in lit)
    order = [(first + k) % count for k in range(len(lit))]
    return (*(outer[k] for k in order), *(face[k] for k in reversed(order)))


def marks(kind: str, at: Point, colour: str, scale: int = 1) -> list[AnyShape]:
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
