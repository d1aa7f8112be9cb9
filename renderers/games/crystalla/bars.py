"""The points of a seat: seven crystals, each with its sign and its points.

They grow upwards under the displays of two seats, else to the right: in a column beside the displays of three, in two
rows under those of four.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

from renderers.games.crystalla.gems import HUES, TONES, gem
from renderers.games.crystalla.homes import BARS, BIG, LAID, MIDDLE, SMALL, Home
from renderers.lettering import width
from renderers.scene import TEXT_MIN, AnyShape, Box, Line, Polygon, Sprite, Stamp, Text
from rules.games.crystalla import COLUMNS, CRYSTALS, ROWS

LOW = 24
"""Distance from the lower edge to the middle of the signs, if they are in a row."""
LEAST, FULL = 8.0, 30
TALLEST, LONGEST = 52.5, 44.0
"""Reach of a crystal beyond its sign for the first point, and from *FULL* points on."""
IN_A_ROW = {MIDDLE: 1, SMALL: 4}
"""Bars to the right in a row, by the side of a card in the display."""
SIGN = 17.0
"""Distance from the left edge to the middle of the signs, for bars to the right."""


def bars(home: Home, points: Mapping[str, int], cards: int, ground: str) -> list[AnyShape]:
    """Return the bars of a seat, on *ground*, and the number of *cards* that it has laid."""
    area = home.bars
    if in_a_row := IN_A_ROW.get(home.side):
        wide, high = area.width / in_a_row, area.height * in_a_row / (len(CRYSTALS) + 1)
        tiles = [_lying(crystal, points[crystal], round(wide), round(high), ground) for crystal in CRYSTALS]
        tiles.append(_laid_in_line(cards, round(wide), round(high), ground))
        return [
            Stamp(tile, (area.x + (k % in_a_row + 0.5) * wide, area.y + (k // in_a_row + 0.5) * high))
            for k, tile in enumerate(tiles)
        ]
    left, wide = area.x + LAID, (area.width - LAID) / len(CRYSTALS)
    shapes: list[AnyShape] = [Stamp(_laid(cards, ground), (area.x + LAID / 2, area.middle[1]))]
    for k, crystal in enumerate(CRYSTALS):
        bar = _bar(crystal, points[crystal], round(wide), ground)
        shapes.append(Stamp(bar, (left + (k + 0.5) * wide, area.middle[1])))
    return shapes


@cache
def _laid(cards: int, ground: str) -> Sprite:
    """Return a card with the number of laid cards over the number that a display can hold."""
    foot, half = BARS[BIG][1] / 2 - LOW, 10.0
    shapes = (
        Box((-half, foot - 62 - half), (2 * half, 2 * half), "pane.pale", "muted", 2),
        Line(((-half, foot - 62 + half), (half, foot - 62 - half)), "muted", 2),
        Text((0, foot - 33), str(cards), 24, align="middle"),
        Line(((-15, foot - 16), (15, foot - 16)), "muted", 2),
        Text((0, foot), str(len(COLUMNS) * ROWS), 24, "muted", bold=False, align="middle"),
    )
    return Sprite(f"laid {cards}", (LAID / 2, BARS[BIG][1] / 2), shapes, ground)


@cache
def _laid_in_line(cards: int, wide: int, high: int, ground: str) -> Sprite:
    """Return the same, side by side."""
    shapes = (
        Text((-5, 0), str(cards), 24, align="right"),
        Line(((-3, 9), (3, -9)), "muted", 2.5),
        Text((5, 0), str(len(COLUMNS) * ROWS), 24, "muted", bold=False),
    )
    return Sprite(f"laid {cards}", (wide / 2, high / 2), shapes, ground)


def reach(points: int, most: float) -> float:
    """Return the reach of a crystal beyond its sign, if *most* is the largest.

    >>> reach(0, 46), reach(30, 46), reach(90, 46)
    (0.0, 46.0, 46.0)
    """
    return LEAST + (most - LEAST) * min(points, FULL) / FULL if points else 0.0


@lru_cache(1024)
def _bar(crystal: str, points: int, wide: int, ground: str) -> Sprite:
    radius, half = 17.0, 20.0
    foot = BARS[BIG][1] / 2 - LOW
    shapes: list[AnyShape] = []
    if points:
        top = foot - radius - reach(points, TALLEST)
        shapes += prism(crystal, half, top, foot)
        size = 30 if width(str(points), 30) <= wide else 24
        shapes.append(Text((0, top - 13), str(points), size, align="middle"))
    shapes.append(Stamp(gem(crystal, radius, 0 if points and crystal in "tare" else 2), (0, foot)))
    return Sprite(f"bar {crystal} {points}", (wide / 2, BARS[BIG][1] / 2), tuple(shapes), ground)


@lru_cache(1024)
def _lying(crystal: str, points: int, wide: int, high: int, ground: str) -> Sprite:
    """Return a bar to the right, under the number."""
    left, half = -wide / 2, high / 2 - 4.0
    sign, shapes = left + SIGN, list[AnyShape]()
    if points:
        tip = sign + SIGN + 4 + reach(points, LONGEST)
        shapes.append(Box((sign, -half), (round(tip - sign), 2 * half), f"{HUES[crystal]}.pane"))
        size = 28 if left + 2 * SIGN + 3 + width(str(points), 28) <= wide / 2 else TEXT_MIN
        shapes.append(Text((left + 2 * SIGN + 3, 0), str(points), size))
    shapes.append(Stamp(gem(crystal, 13, 0 if points and crystal in "tare" else 2), (sign, 0)))
    return Sprite(f"bar {crystal} {points}", (wide / 2, high / 2), tuple(shapes), ground)


def prism(crystal: str, half: float, top: float, foot: float) -> list[AnyShape]:
    """Return an upright crystal, its tip at *top*: two sides and two facets of the tip, lit from the left."""
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


__all__ = ["bars", "prism", "reach"]
