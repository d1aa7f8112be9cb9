"""The open crystal pieces, and the piles from which they come."""

from functools import cache, lru_cache

from renderers.games.crystalla.gems import middle, outline, piece
from renderers.games.crystalla.homes import Table
from renderers.layout import Area
from renderers.scene import AnyShape, Box, Polygon, Sprite, Stamp, Text, moved
from rules.games.crystalla import SHAPES, Phase, State

ASIDE, BROAD, LOW, PILE = 70.0, 96.0, 44.0, 40.0
"""Width of the column with the piles, also in a low tray; height of the line with them; and the side of the card for a
piece of a pile."""
SLOTS = 4
"""Open pieces."""


def places(table: Table) -> tuple[Area, ...]:
    """Return the areas of the four slots, in a row or two by two, left of the piles or, in a narrow tray, over them."""
    tray, aside, in_row = table.pieces, _aside(table), _in_row(table)
    wide = (tray.width - (aside + 6 if aside else 12)) / in_row
    high = int((tray.height - (0 if in_row == SLOTS else 12 if aside else LOW + 12)) * in_row / SLOTS)
    side = int(min(wide - 4, high - 4))
    left, top = round(tray.x + 6), round(tray.middle[1] - high * SLOTS / in_row / 2 if aside else tray.y + 6)
    return tuple(
        Area(left + (k % in_row + 0.5) * wide - side / 2, top + (k // in_row + 0.5) * high - side / 2, side, side)
        for k in range(SLOTS)
    )


def _in_row(table: Table) -> int:
    """Return the number of slots in a row."""
    return SLOTS if table.pieces.width > SLOTS * table.pieces.height else 2


def _aside(table: Table) -> float:
    """Return the width for the piles beside the slots; 0 if they are below."""
    if _in_row(table) == SLOTS:
        return BROAD
    return ASIDE if table.pieces.height < 1.2 * table.pieces.width else 0.0


def shapes(view: State, table: Table) -> list[AnyShape]:
    """Return the four slots with their codes and the heights of the piles; raised while a piece must be chosen."""
    up = view.phase == Phase.GIVE
    return [Stamp(_tray(view.open, tuple(map(len, view.piles)), table, up=up), table.pieces.middle)]


@lru_cache(256)
def _tray(slots: tuple[str | None, ...], piles: tuple[int, ...], table: Table, *, up: bool) -> Sprite:
    tray = table.pieces
    (x0, y0), aside = tray.middle, _aside(table)
    fill, line = ("panel.up", "muted") if up else ("panel", "panel.line")
    made: list[AnyShape] = [Box((tray.x - x0, tray.y - y0), (tray.width, tray.height), fill, line, 2, round=14)]
    for code, place in zip(slots, places(table), strict=True):
        x, y = place.middle[0] - x0, place.middle[1] - y0
        if code is None:
            half = place.width / 2 - 4
            made.append(Box((x - half, y - half), (2 * half, 2 * half), "", "muted", 2, round=8))
            made.append(Text((x, y), "–", 24, "muted", align="middle"))
        else:
            made += piece(code, place.width, (x, y), code)
    for k, (shape, pile) in enumerate(zip(SHAPES, piles, strict=True)):
        if aside == BROAD:
            x, y = tray.width / 2 - aside + PILE / 2, (k - 0.5) * PILE
            made.append(Stamp(_pile(shape), (x, y)))
            made.append(Text((x + PILE / 2 + 6, y), f"×{pile}", 24, "muted", bold=False))
        elif aside:
            x, y = tray.width / 2 - aside / 2 - 2, (k - 0.5) * tray.height / 2
            made.append(Stamp(_pile(shape), (x, y - 14)))
            made.append(Text((x, y + 22), f"×{pile}", 24, "muted", bold=False, align="middle"))
        else:
            x, y = (k - 0.5) * tray.width / 2 - 30, tray.height / 2 - LOW / 2 - 3
            made.append(Stamp(_pile(shape), (x, y)))
            made.append(Text((x + PILE / 2 + 8, y), f"×{pile}", 24, "muted", bold=False))
    return Sprite("pieces", (tray.width / 2, tray.height / 2), tuple(made), "ground")


@cache
def _pile(shape: str) -> Sprite:
    """Return a pile of large or of small pieces, face down."""
    corners, off = outline(shape, "nw", PILE), (4.0 if shape == "l" else -4.0)
    layers = [Polygon(moved(corners, (step, step)), "pane.light", "muted", 2) for step in (off, 0.0)]
    question = Text(middle(shape, "nw", PILE), "?", 24, align="middle")
    return Sprite(f"pile {shape}", (PILE / 2 + 6,) * 2, (*layers, question))


__all__ = ["places", "shapes"]
