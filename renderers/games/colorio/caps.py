"""Crown caps of steel: a fluted rim, a rounded shoulder, and a rosette embossed in the face; (0, 0) is the middle.

A cap does not hint at the colour below it. After the game its face is transparent.
"""

from functools import cache
from math import cos, pi, sin

from renderers.scene import AnyShape, Disc, Line, Point, Polygon, Sprite
from renderers.signs import regular

RADIUS = 51
FLUTES = 16
DEEP = 0.065
"""Depth of the rim between two flutes, as a part of the radius."""
_BENDS = 8
"""Corners of a flute's round edge."""
SKIRT, FACE = 42.5, 35
"""Radius at which the rim ends and the shoulder begins, and at which the face begins."""
PETALS = 8
LIGHT = -45.0
"""Direction of the light, in degrees clockwise from 12 o'clock."""
TONES = ("white.pale", "white.light", "white", "white.dark", "white.deep")


def at(radius: float, angle: float) -> Point:
    """Return the place at this distance from the middle, *angle* degrees clockwise from 12 o'clock."""
    return radius * sin(angle * pi / 180), -radius * cos(angle * pi / 180)


def _lit(angle: float) -> str:
    """Return the tone of steel that faces *angle*."""
    away = abs((angle - LIGHT + 180) % 360 - 180)
    return TONES[min(4, int(away / 36))]


@cache
def edge(radius: float) -> tuple[Point, ...]:
    """Return the outline of a cap, with round bumps that look pressed and not sawn."""
    count = FLUTES * _BENDS
    return tuple(
        at(radius * (1 - DEEP + DEEP * abs(cos(pi * k / _BENDS)) ** 0.7), 360 * k / count) for k in range(count)
    )


def _flutes() -> tuple[AnyShape, ...]:
    """Return the flutes; the two sides of each face different ways, so one is always brighter."""
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
    """Return a slope that faces outwards or, with *turn* 180, inwards."""
    return tuple(
        Polygon(
            (at(outer, k * 22.5), at(outer, (k + 1) * 22.5), at(inner, (k + 1) * 22.5), at(inner, k * 22.5)),
            _lit(22.5 * (k + 0.5) + turn),
        )
        for k in range(16)
    )


def _rosette(radius: float) -> tuple[AnyShape, ...]:
    """Return petals with a ridge each; their halves face different ways."""
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
    """Return a cap, which hides the colour below. *plain*: without the rosette, under a sign of the board."""
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
    """Return a cap with a transparent face."""
    bumps = edge(RADIUS)
    return Sprite(
        "cap ghost",
        (RADIUS + 7, RADIUS + 7),
        (Line((*bumps, bumps[0]), "ink", 4), *_flutes(), *_ring(SKIRT, SKIRT - 3, 180)),
    )


@cache
def small() -> Sprite:
    """Return a small cap that is still to be lifted."""
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
