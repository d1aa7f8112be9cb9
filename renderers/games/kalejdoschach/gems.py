"""The pieces as cut stones: outline and colour tell the seat, silhouette and letter the kind, marks the steps."""

from functools import cache
from math import cos, pi, sin

from renderers.games.kalejdoschach.silhouettes import silhouette
from renderers.lettering import width
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Text, moved
from rules.games.kalejdoschach import KINDS

HUES = ("white", "blue", "orange", "red")
"""By seat, unless a table says otherwise. No black: half of a white stone is its black figure, half of a black
stone its white one, so from afar they look alike."""
RADIUS = 26
SIDES = (27.0, 32.0)
"""Half the width and half the height of a piece."""
RISE = 4
"""How far the middle of a stone lies above the middle of the piece: below is the plate."""
FACE = 0.86
"""The flat face of a stone, as a part of all of it."""
SEAM = 2.5
"""How wide the stone shows round a silhouette that reaches beyond it."""
NARROW = ("triangle", "diamond")
"""Stones that a silhouette reaches beyond."""
TALL = 30
"""Of a silhouette; it stands on the plate."""
PLATE = (-25.5, 6.5, 25.5, 30.5)
"""Left, top, right and bottom of the plate with letter and marks."""
RIM = 1.75
"""Of the plate, round it."""
LETTER = 26
HALO = 4.0
"""Half as far as the bright edge reaches, with the dark one round it."""
APART = 4
"""Between the letter and the marks."""
PITCH = {True: 5.5, False: 6.5}
"""From one mark to the next of a flyer, and of a walker."""


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
    """A piece: a stone whose rim takes the light from the upper left, the silhouette of its kind on it, and before it
    a plate with its letter and its marks. All grounds have the colour of the seat.

    Where the silhouette reaches beyond the stone, a seam in the stone's colour goes round it.
    """
    up = (0.0, -RISE * scale)
    outer, face = (outline(mark, RADIUS * scale * part) for part in (1, FACE))
    ink, rim = on(hue), edge(hue)
    _, top, _, low = (part * scale for part in PLATE)
    shape, *cuts = silhouette(kind, TALL * scale, (0, top))
    reach = (32 * scale, 36 * scale)
    seam = 2 * SEAM * scale
    shapes = (
        *((Polygon(shape, rim, rim, seam + 3),) if mark in NARROW else ()),
        Polygon(moved(outer, up), hue, rim, 2.5 * scale),
        Polygon(moved(_lit(outer, face), up), f"{hue}.light"),
        *((Polygon(shape, hue, hue, seam),) if mark in NARROW else ()),
        Polygon(shape, ink),
        *(Polygon(cut, hue) for cut in cuts),
        _plate(RIM, rim, scale),
        _plate(0, hue, scale),
        *_told(kind, (0, (top + low) / 2), ink, scale),
    )
    return Sprite(f"{hue} {KINDS[kind].name}{'' if scale == 1 else f' x{scale:g}'}", reach, shapes, crisp=True)


def _plate(rim: float, fill: str, scale: float = 1) -> Box:
    """The plate with so much round it."""
    left, top, right, low = PLATE
    corner, size = (left - rim, top - rim), (right - left + 2 * rim, low - top + 2 * rim)
    return Box((corner[0] * scale, corner[1] * scale), (size[0] * scale, size[1] * scale), fill, round=5 * scale)


def _told(kind: str, at: Point, pen: str, scale: float) -> tuple[AnyShape, ...]:
    """The letter of a kind and its marks, side by side."""
    x, y = at
    letter, size = kind.upper(), round(LETTER * scale)
    wide, marked = width(letter, size), _marked(kind) * scale
    left = x - (wide + APART * scale + marked) / 2
    signs = marks(kind, (left + wide + APART * scale + marked / 2, y), pen, scale)
    return Text((left, y), letter, size, pen), *signs


def _marked(kind: str) -> float:
    """How wide the marks of a kind are."""
    if kind == "w":
        return 13.0
    return PITCH[KINDS[kind].flies] * (KINDS[kind].steps - 1) + (3.5 if KINDS[kind].flies else 5.4)


@cache
def halo(mark: str) -> Sprite:
    """The bright edge of a piece that the die allows to move: bright in both themes, unlike marks of a menu."""
    stone = moved(outline(mark, RADIUS), (0, -RISE))
    layers = (("ink", 2 * HALO), ("paper", 1.5 * HALO))
    shapes = (part for pen, by in layers for part in (Polygon(stone, pen, pen, 2 * by), _plate(by + RIM / 2, pen)))
    return Sprite(f"halo {mark}", (44, 46), tuple(shapes), crisp=True)


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
        corners = ((0, -6), (5.5, 5), (-5.5, 5), (0, -6))
        return [Line(tuple((x + dx * scale, y + dy * scale) for dx, dy in corners), colour, 2.5 * scale)]
    places = [x + PITCH[flies] * scale * (k - (steps - 1) / 2) for k in range(steps)]
    if not flies:
        return [Disc((place, y), 2.7 * scale, colour) for place in places]
    wide, high = 3.5 * scale, 13 * scale
    return [Box((place - wide / 2, y - high / 2), (wide, high), colour) for place in places]
