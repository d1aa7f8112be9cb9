"""The open crystal pieces, and the piles from which they come."""

from functools import cache, lru_cache

from renderers.games.crystalla.gems import middle, outline, piece
from renderers.games.crystalla.homes import Table
from renderers.games.crystalla.stacks import BEYOND, opened
from renderers.layout import Area
from renderers.scene import AnyShape, Box, Polygon, Sprite, Stamp, Text, moved
from rules.games.crystalla import SHAPES, Phase, State

LOW, PILE = 44, 40.0
"""Height of the line with the piles, and the side of the card for a piece of a pile."""


def places(table: Table) -> tuple[Area, ...]:
    """Return the areas of the four slots: in a row, or two by two in a narrow tray."""
    tray = table.pieces
    across = 4 if tray.width > 1.5 * tray.height else 2
    down = 4 // across
    wide, high = (tray.width - 12) / across, min(110.0, (tray.height - LOW - 12) / down)
    side = min(wide - 6, high - 4, 88.0)
    top = tray.y + (tray.height - LOW - down * high) / 2
    return tuple(
        Area(
            tray.x + 6 + (k % across + 0.5) * wide - side / 2,
            top + (k // across + 0.5) * high - side / 2,
            side,
            side,
        )
        for k in range(4)
    )


def shapes(view: State, table: Table, *, marked: bool = False) -> list[AnyShape]:
    """Return the four slots with their codes and the heights of the piles.

    While a piece must be chosen, the slots are raised, and in an open frame unless choices are *marked* separately.
    """
    up = view.phase == Phase.GIVE
    tile = _tray(view.open, tuple(map(len, view.piles)), table, up=up, framed=up and not marked)
    return [Stamp(tile, table.pieces.middle)]


@lru_cache(256)
def _tray(slots: tuple[str | None, ...], piles: tuple[int, ...], table: Table, *, up: bool, framed: bool) -> Sprite:
    tray = table.pieces
    x0, y0 = tray.middle
    fill = "panel.up" if up else "panel"
    made: list[AnyShape] = [Box((tray.x - x0, tray.y - y0), (tray.width, tray.height), fill, "panel.line", 2, round=12)]
    if framed:
        made += opened(tray.width, tray.height)
    for code, place in zip(slots, places(table), strict=True):
        x, y = place.middle[0] - x0, place.middle[1] - y0
        if code is None:
            half = place.width / 2 - 4
            made.append(Box((x - half, y - half), (2 * half, 2 * half), "", "muted", 2, round=8))
            made.append(Text((x, y), "–", 24, "muted", align="middle"))
        else:
            made += piece(code, place.width, (x, y), code)
    low = tray.bottom - y0 - LOW / 2 - 3
    for k, (shape, pile) in enumerate(zip(SHAPES, piles, strict=True)):
        x = (k - 0.5) * tray.width / 2 - 30
        made.append(Stamp(_pile(shape), (x, low)))
        made.append(Text((x + PILE / 2 + 8, low), f"×{pile}", 24, "muted", bold=False))
    around = BEYOND if framed else 0
    return Sprite("pieces", (tray.width / 2 + around, tray.height / 2 + around), tuple(made), "ground")


@cache
def _pile(shape: str) -> Sprite:
    """Return a pile of large or of small pieces, face down."""
    corners, off = outline(shape, "nw", PILE), (4.0 if shape == "l" else -4.0)
    layers = [Polygon(moved(corners, (step, step)), "pane.light", "muted", 2) for step in (off, 0.0)]
    question = Text(middle(shape, "nw", PILE), "?", 24, align="middle")
    return Sprite(f"pile {shape}", (PILE / 2 + 6,) * 2, (*layers, question))


__all__ = ["places", "shapes"]
