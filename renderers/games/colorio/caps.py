"""Crown caps of steel: a fluted rim, a rounded shoulder, and a rosette embossed in the face; (0, 0) is the middle.

Nothing on a cap tells what lies below it. When all is over, one sees through its face.
"""

from functools import cache
from math import cos, pi, sin

from renderers.scene import AnyShape, Disc, Line, Point, Polygon, Sprite
from renderers.signs import regular

RADIUS = 51
FLUTES = 16
DEEP = 0.065
"""How far the rim goes in between two flutes, as a part of the radius."""
_BENDS = 8
"""Corners of a flute's round edge."""
SKIRT, FACE = 42.5, 35
"""Radius where the rim ends and the shoulder begins, and where that ends and the face begins."""
PETALS = 8
LIGHT = -45.0
"""Where the light comes from, in degrees clockwise from 12 o'clock."""
TONES = ("white.pale", "white.light", "white", "white.dark", "white.deep")


def at(radius: float, angle: float) -> Point:
    """The place at this distance from the middle, *angle* degrees clockwise from 12 o'clock."""
    return radius * sin(angle * pi / 180), -radius * cos(angle * pi / 180)


def _lit(angle: float) -> str:
    """The tone of steel that faces *angle*."""
    away = abs((angle - LIGHT + 180) % 360 - 180)
    return TONES[min(4, int(away / 36))]


@cache
def edge(radius: float) -> tuple[Point, ...]:
    """The outline of a cap: round bumps, so that it looks pressed and not sawn."""
    count = FLUTES * _BENDS
    return tuple(
        at(radius * (1 - DEEP + DEEP * abs(cos(pi * k / _BENDS)) ** 0.7), 360 * k / count) for k in range(count)
    )


def _flutes() -> tuple[AnyShape, ...]:
    """The two sides of each flute face different ways, so one is always brighter."""
    bumps, count = edge(RADIUS), FLUTES * _BENDS
    half, turn = _BENDS // 2, 360 / FLUTES
    shapes: list[AnyShape] = []
    for k in range(FLUTES):
        first = k * _BENDS - half
        for start, stop, faces in ((first, first + half, -62), (first + half, first + _BENDS, 62)):
            bow = tuple(bumps[j % count] for j in range(start, stop + 1))
            inner = tuple(at(SKIRT - 2, 360 * j / count) for j in (stop, start))
            shapes.append(Polygon((*bow, *inner), _lit(k * turn + faces)))
    return tuple(shapes)


def _ring(outer: float, inner: float, turn: float = 0) -> tuple[AnyShape, ...]:
    """A slope that faces outwards, or, *turn* 180, inwards."""
    return tuple(
        Polygon(
            (at(outer, k * 22.5), at(outer, (k + 1) * 22.5), at(inner, (k + 1) * 22.5), at(inner, k * 22.5)),
            _lit(22.5 * (k + 0.5) + turn),
        )
        for k in range(16)
    )


def _rosette(radius: float) -> tuple[AnyShape, ...]:
    """Petals with a ridge each: one half faces one way, one the other."""
    shapes: list[AnyShape] = []
    for k in range(PETALS):
        axis = 360 * k / PETALS
        tip, foot = at(radius, axis), at(radius * 0.08, axis)
        for side in (-1, 1):
            wide = at(radius * 0.58, axis + side * 19)
            shapes.append(Polygon((foot, wide, tip), _lit(axis + 90 * side)))
    return tuple(shapes)


@cache
def cap(*, plain: bool = False) -> Sprite:
    """A cap: nothing on it tells what lies below. *plain*: without the rosette, where the board writes on it."""
    return Sprite(
        "cap plain" if plain else "cap",
        (RADIUS + 7, RADIUS + 7),
        (
            Polygon(edge(RADIUS), "ink", "ink", 3),
            *_flutes(),
            *_ring(SKIRT, FACE),
            Disc((0, 0), FACE, "white.dark"),
            *(() if plain else _rosette(FACE - 3)),
        ),
    )


@cache
def ghost() -> Sprite:
    """A cap through whose face one sees what lies below."""
    bumps = edge(RADIUS)
    return Sprite(
        "cap ghost",
        (RADIUS + 7, RADIUS + 7),
        (Line((*bumps, bumps[0]), "ink", 4), *_flutes(), *_ring(SKIRT, SKIRT - 3, 180)),
    )


@cache
def small() -> Sprite:
    """A cap that is still to be lifted."""
    tall = 19
    return Sprite(
        "small cap",
        (tall + 3, tall + 3),
        (
            Polygon(edge(tall), "white", "ink", 2.5),
            Disc((0, 0), tall * 0.66, "white.dark"),
            Polygon(regular((0, 0), tall * 0.58, 4, 0, tall * 0.2), "white.pale"),
        ),
    )
