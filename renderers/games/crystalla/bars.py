"""A seat's points: seven crystals that grow under its display, each from its sign, with its points over its tip."""

from collections.abc import Mapping
from functools import lru_cache

from renderers.games.crystalla.gems import TONES, gem
from renderers.games.crystalla.homes import BARS, BIG, SMALL, Home
from renderers.lettering import width
from renderers.scene import AnyShape, Polygon, Sprite, Stamp, Text
from rules.games.crystalla import CRYSTALS

FOOT = {BIG: 25, SMALL: 20}
"""From the lower edge to the middle of the signs."""
LEAST, FULL = 8.0, 30
TALLEST = {BIG: 56.0, SMALL: 47.0}
"""The height of a crystal over its sign for the first point, and from *FULL* points on."""


def bars(home: Home, points: Mapping[str, int], ground: str) -> list[AnyShape]:
    """The bars of a seat, on *ground*."""
    there = home.bars
    wide = there.width / len(CRYSTALS)
    shapes: list[AnyShape] = []
    for k, crystal in enumerate(CRYSTALS):
        bar = _bar(crystal, points[crystal], round(wide), ground, home.side)
        shapes.append(Stamp(bar, (there.x + (k + 0.5) * wide, there.middle[1])))
    return shapes


def height(points: int, side: int) -> float:
    """How high a crystal stands over its sign, under a display with cards of this *side*.

    >>> height(0, 72), height(30, 72), height(90, 72)
    (0.0, 47.0, 47.0)
    """
    return LEAST + (TALLEST[side] - LEAST) * min(points, FULL) / FULL if points else 0.0


@lru_cache(1024)
def _bar(crystal: str, points: int, wide: int, ground: str, side: int) -> Sprite:
    radius, half = (17.0, 20.0) if side == BIG else (13.0, 13.0)
    foot = BARS[side] / 2 - FOOT[side]
    shapes: list[AnyShape] = []
    if points:
        top = foot - radius - height(points, side)
        shapes += prism(crystal, half, top, foot)
        size = 30 if side == BIG else 26 if width(str(points), 26) <= wide else 24
        shapes.append(Text((0, top - 13), str(points), size, align="middle"))
    shapes.append(Stamp(gem(crystal, radius, 0 if points and crystal in "tare" else 2), (0, foot)))
    return Sprite(f"bar {crystal} {points}", (wide / 2, BARS[side] / 2), tuple(shapes), ground)


def prism(crystal: str, half: float, top: float, foot: float) -> list[AnyShape]:
    """An upright crystal, its tip at *top*: two sides and two facets of the tip, lit from the left."""
    _, dark, plain, light, pale = TONES[crystal]
    low = min(foot, top + half * 0.62)
    edge = half * 0.3
    outline = ((0, top), (half, low), (half, foot), (-half, foot), (-half, low))
    return [
        Polygon(outline, dark, "muted" if crystal == "h" else "ink", 5),
        Polygon(((-half, low), (edge, low), (edge, foot), (-half, foot)), plain),
        Polygon(((0, top), (edge, low), (-half, low)), pale),
        Polygon(((0, top), (half, low), (edge, low)), light),
    ]


__all__ = ["bars", "height", "prism"]
