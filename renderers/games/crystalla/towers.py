"""The points of a finished game of more than two seats: for each seat a tower of its crystals between the displays."""

from collections.abc import Mapping, Sequence
from functools import cache

from renderers.frame import badge
from renderers.games.crystalla.bars import prism
from renderers.games.crystalla.gems import TONES
from renderers.games.crystalla.homes import Table
from renderers.palette import on
from renderers.scene import AnyShape, Box, Polygon, Sprite, Stamp, Text
from renderers.signs import crown
from rules.games.crystalla import CRYSTALS

FOOT, HEAD = 62.0, 118.0
"""Height of the badge under a tower, and of points and crown over the highest."""
TIP = 26.0
"""Height of the tip."""
WIDE = 52.0
"""The largest width of a tower."""
LETTERED = 27.0
"""Height from which a layer has its letter."""


def towers(
    table: Table, hues: Sequence[str], points: Sequence[Mapping[str, int]], winners: Sequence[int]
) -> list[AnyShape]:
    """Return a tower for each seat, as high as its points: a layer for each crystal, in their order from the foot."""
    area = table.sheet
    most = max(1, *(row["total"] for row in points))
    unit, foot = (area.height - FOOT - HEAD - TIP) / most, area.bottom - FOOT
    pitch = area.width / len(points)
    shapes: list[AnyShape] = [Stamp(_floor(area.width, area.height), area.middle)]
    for seat, row in enumerate(points):
        x, top = area.x + (seat + 0.5) * pitch, foot
        for crystal in CRYSTALS:
            if high := round(row[crystal] * unit):
                top -= high
                shapes.append(Stamp(_layer(crystal, high, min(WIDE, pitch - 12)), (x, top + high / 2)))
        last = next((crystal for crystal in reversed(CRYSTALS) if row[crystal]), "")
        if last:
            shapes.append(Stamp(_tip(last, min(WIDE, pitch - 12)), (x, top - TIP / 2)))
            top -= TIP
        shapes.append(Text((x, top - 26), str(row["total"]), 40 if seat in winners else 32, align="middle"))
        if seat in winners:
            shapes += crown((x, top - 70), 20, "yellow", "ink")
        shapes.append(Stamp(badge(seat, hues[seat], 21), (x, area.bottom - FOOT / 2 + 2)))
    return shapes


@cache
def _floor(wide: float, high: float) -> Sprite:
    floor = Box((-wide / 2, -high / 2), (wide, high), "panel", "panel.line", 2, round=16)
    return Sprite("floor of the towers", (wide / 2, high / 2), (floor,), "ground")


@cache
def _layer(crystal: str, high: int, wide: float) -> Sprite:
    """Return a layer of a tower, lit from the left, with its letter if there is room."""
    _, dark, plain, light, _ = TONES[crystal]
    half, low, edge = wide / 2, high / 2, wide * 0.15
    shapes: list[AnyShape] = [
        Box((-half, -low), (wide, high), "ink"),
        Box((-half + 2, -low + 1), (wide - 4, high - 2), plain),
        Box((-half + 2, -low + 1), (edge, high - 2), light),
        Box((half - 2 - edge, -low + 1), (edge, high - 2), dark),
    ]
    if high >= LETTERED:
        shapes.append(Text((0, 0), crystal.upper(), 24, on(plain), align="middle"))
    return Sprite(f"layer {crystal} {high}", (half, low), tuple(shapes), "ink")


@cache
def _tip(crystal: str, wide: float) -> Sprite:
    """Return the tip of a tower."""
    shapes = prism(crystal, wide / 2 - 2, -TIP / 2 + 2, TIP / 2)
    return Sprite(
        f"tip {crystal}", (wide / 2, TIP / 2), tuple(shape for shape in shapes if isinstance(shape, Polygon)), "panel"
    )


__all__ = ["towers"]
