"""The points of every crystal in one line: a crystal, its counting unit, and the points for it."""

from functools import cache

from renderers.frame import Item, Word, least, row_of
from renderers.games.crystalla.gems import gem
from renderers.games.crystalla.homes import Table
from renderers.games.crystalla.marks import emerald_flower, ruby_flower
from renderers.games.crystalla.sheet import WORTH
from renderers.scene import AnyShape, Arrow, Box, Sprite
from rules.games.crystalla import CRYSTALS

SERIES = {"t": "1 3 6 10 15 21 28", "d": "1 2 3 5 8 13…"}
"""Points for one, two, three and more: tourmalines, and diamonds that touch."""
GEM = 13.0


@cache
def values(table: Table) -> tuple[AnyShape, ...]:
    """Return the line, on flat ground."""
    area = table.key_to_points
    rows = [_value(crystal) for crystal in CRYSTALS]
    free = (area.width - 24 - sum(map(least, rows)) - 4.0 * sum(len(row) - 1 for row in rows)) / (len(rows) - 1)
    shapes: list[AnyShape] = [Box((area.x, area.y), (area.width, area.height), "panel", round=12)]
    x, y = area.x + 12, area.middle[1]
    for row in rows:
        shapes += row_of(row, (x, y))
        x += least(row) + 4.0 * (len(row) - 1) + free
    return tuple(shapes)


def _value(crystal: str) -> tuple[Item, ...]:
    sign: tuple[Item, ...] = (gem(crystal, GEM),)
    match crystal:
        case "a":
            sign = (*sign, gem(crystal, GEM))
        case "r":
            sign = (*sign, ruby_flower(13, whole=True))
        case "e":
            sign = (*sign, emerald_flower(12, whole=True))
        case "h":
            sign = (*sign, _to_others())
        case _:
            pass
    return (*sign, Word(SERIES.get(crystal) or str(WORTH[crystal]), bold=False))


@cache
def _to_others() -> Sprite:
    """Return the sign for points that all other seats get."""
    return Sprite("to others", (13, 9), (Arrow((-12, 0), (12, 0), "muted", width=6),))


__all__ = ["values"]
