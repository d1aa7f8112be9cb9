"""A seat's points: seven crystals that grow under its display, each from its sign, with its points over its tip."""

from collections.abc import Mapping
from functools import cache, lru_cache

from renderers.games.crystalla.gems import TONES, gem
from renderers.games.crystalla.homes import BARS, BIG, SMALL, Home
from renderers.lettering import width
from renderers.scene import AnyShape, Box, Line, Polygon, Sprite, Stamp, Text
from rules.games.crystalla import COLUMNS, CRYSTALS, ROWS

FOOT = {BIG: 24, SMALL: 19}
"""From the lower edge to the middle of the signs."""
CARDS = 38.0
"""Room for how many cards are laid."""
LEAST, FULL = 8.0, 30
TALLEST = {BIG: 52.5, SMALL: 44.0}
"""The height of a crystal over its sign for the first point, and from *FULL* points on."""


def bars(home: Home, points: Mapping[str, int], cards: int, ground: str) -> list[AnyShape]:
    """The bars of a seat, on *ground*; left of them how many *cards* it has laid."""
    there = home.bars
    left, wide = there.x + CARDS, (there.width - CARDS) / len(CRYSTALS)
    shapes: list[AnyShape] = [Stamp(_laid(cards, ground, home.side), (there.x + CARDS / 2, there.middle[1]))]
    for k, crystal in enumerate(CRYSTALS):
        bar = _bar(crystal, points[crystal], round(wide), ground, home.side)
        shapes.append(Stamp(bar, (left + (k + 0.5) * wide, there.middle[1])))
    return shapes


@cache
def _laid(cards: int, ground: str, side: int) -> Sprite:
    """A card, and how many of all that find room in a display lie there: one number over the other."""
    foot, half = BARS[side] / 2 - FOOT[side], 10.0
    shapes = (
        Box((-half, foot - 62 - half), (2 * half, 2 * half), "pane.pale", "muted", 2),
        Line(((-half, foot - 62 + half), (half, foot - 62 - half)), "muted", 2),
        Text((0, foot - 33), str(cards), 24, align="middle"),
        Line(((-15, foot - 16), (15, foot - 16)), "muted", 2),
        Text((0, foot), str(len(COLUMNS) * ROWS), 24, "muted", bold=False, align="middle"),
    )
    return Sprite(f"laid {cards}", (CARDS / 2, BARS[side] / 2), shapes, ground)


def height(points: int, side: int) -> float:
    """How high a crystal stands over its sign, under a display with cards of this *side*.

    >>> height(0, 78), height(30, 78), height(90, 78)
    (0.0, 44.0, 44.0)
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
