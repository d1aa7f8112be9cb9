"""The open crystal pieces, and the piles from which they come."""

from functools import cache, lru_cache

from renderers.games.crystalla.gems import outline, piece
from renderers.games.crystalla.homes import Table
from renderers.layout import Area
from renderers.scene import AnyShape, Box, Polygon, Sprite, Stamp, Text, moved
from rules.games.crystalla import SHAPES, Phase, State

LOW = 34
"""Height of the line with the piles."""


def places(table: Table) -> tuple[Area, ...]:
    """Where the four slots are: in a row, or two by two in a narrow tray."""
    there = table.pieces
    across = 4 if there.width > 1.5 * there.height else 2
    down = 4 // across
    wide, high = (there.width - 12) / across, min(110.0, (there.height - LOW - 12) / down)
    side = min(wide - 10, high - 4, 88.0)
    top = there.y + (there.height - LOW - down * high) / 2
    return tuple(
        Area(
            there.x + 6 + (k % across + 0.5) * wide - side / 2,
            top + (k // across + 0.5) * high - side / 2,
            side,
            side,
        )
        for k in range(4)
    )


def shapes(view: State, table: Table) -> list[AnyShape]:
    """The four slots with their codes and the heights of the piles; framed while one is to be chosen."""
    tile = _tray(view.open, tuple(map(len, view.piles)), table, up=view.phase == Phase.GIVE)
    return [Stamp(tile, table.pieces.middle)]


@lru_cache(256)
def _tray(slots: tuple[str | None, ...], piles: tuple[int, ...], table: Table, *, up: bool) -> Sprite:
    there = table.pieces
    x0, y0 = there.middle
    fill, line = ("panel.up", "text") if up else ("panel", "panel.line")
    made: list[AnyShape] = [
        Box((there.x - x0, there.y - y0), (there.width, there.height), fill, line, 4 if up else 2, round=12)
    ]
    for code, place in zip(slots, places(table), strict=True):
        x, y = place.middle[0] - x0, place.middle[1] - y0
        if code is None:
            half = place.width / 2 - 4
            made.append(Box((x - half, y - half), (2 * half, 2 * half), "", "muted", 2, round=8))
            made.append(Text((x, y), "–", 24, "muted", align="middle"))
        else:
            made += piece(code, place.width, (x, y), code)
    low = there.bottom - y0 - LOW / 2 - 3
    x = there.x - x0 + 26
    pitch = 98.0
    for shape, pile in zip(SHAPES, piles, strict=True):
        made.append(Stamp(_pile(shape, 26), (x, low)))
        made.append(Text((x + 15, low), f"×{pile}", 24, "muted", bold=False))
        x += pitch
    return Sprite("pieces", (there.width / 2, there.height / 2), tuple(made), "ground")


@cache
def _pile(shape: str, size: float) -> Sprite:
    """A face-down pile, of large or of small pieces."""
    corners = tuple((x * 0.9, y * 0.9) for x, y in outline(shape, "nw", size))
    off = size / 12
    steps = (off, 0) if shape == "l" else (-off, -2 * off)
    shapes = tuple(Polygon(moved(corners, (step, step)), "pane.light", "muted", 2) for step in steps)
    return Sprite(f"pile {shape} {size:g}", (0.66 * size, 0.66 * size), shapes)


__all__ = ["places", "shapes"]
