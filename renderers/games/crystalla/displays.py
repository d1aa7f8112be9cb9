"""A display: twelve cells with letters and numbers, and a head that tells whose it is."""

from functools import cache, lru_cache

from msgspec import Struct

from renderers import SeatLook
from renderers.frame import badge
from renderers.games.crystalla.gems import card, inset, middle, outline, stone
from renderers.games.crystalla.marks import Mark, drawn, marks
from renderers.layout import Area
from renderers.lettering import width
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text
from renderers.signs import crown, house
from rules.games.crystalla import COLOURS, COLUMNS, FULL, ROWS, Display, cards_in

BIG, MEDIUM, SMALL = 112, 94, 72
"""Sides of a card: of the large display, of the large one of four, of the others."""
LABEL = 22
FOOT = 22
PAD = 4
HEAD = {BIG: 44, MEDIUM: 44, SMALL: 38}
FITS = "fits"
"""A piece can be put here."""


class Signs(Struct, frozen=True):
    """What is pointed at in a display: the cell of the card just laid, segments (cell and shape) just covered, cells
    that a piece (given by its shape) can cover, and whether the next free row of each column invites."""

    laid: str = ""
    covered: tuple[tuple[str, str], ...] = ()
    fitting: tuple[str, ...] = ()
    shape: str = ""
    inviting: bool = False


def box(size: int) -> tuple[float, float]:
    """Width and height of a display with its head and labels."""
    return 2 * PAD + LABEL + len(COLUMNS) * size, 2 * PAD + HEAD[size] + ROWS * size + FOOT


def cell_middle(area: Area, size: int, column: int, row: int) -> Point:
    left, top = area.x + PAD + LABEL, area.y + PAD + HEAD[size]
    return left + (column + 0.5) * size, top + (ROWS - 1 - row + 0.5) * size


@cache
def board(area: Area, size: int) -> tuple[AnyShape, ...]:
    """The empty display, without its head: it never changes."""
    wide, high = box(size)
    shapes: list[AnyShape] = [Box((area.x, area.y), (wide, high), "panel", "panel.line", 2, round=12)]
    left, top = area.x + PAD + LABEL, area.y + PAD + HEAD[size]
    shapes.append(Box((left - 2, top - 2), (4 * size + 4, 3 * size + 4), "lead", "lead.light", 2, round=4))
    letters = 28 if size > SMALL else 24
    for column, letter in enumerate(COLUMNS):
        x, _ = cell_middle(area, size, column, 0)
        shapes.append(Text((x, top + ROWS * size + FOOT / 2 + 2), letter, letters, "muted", align="middle"))
        shapes += [Stamp(_hole(size), cell_middle(area, size, column, row)) for row in range(ROWS)]
    for row in range(ROWS):
        _, y = cell_middle(area, size, 0, row)
        shapes.append(Text((area.x + PAD + LABEL / 2 - 2, y), str(row + 1), letters, "muted", align="middle"))
    return tuple(shapes)


@cache
def _hole(size: int) -> Sprite:
    side = size - 6
    shape = Box((-side / 2, -side / 2), (side, side), "pane.dark", "pane.cut", 2, round=6)
    return Sprite(f"hole {size}", (size / 2, size / 2), (shape,))


@cache
def _next(size: int) -> Sprite:
    """The next free row of a column: cards fall down to here."""
    side, reach = size - 6, size * 0.17
    return Sprite(
        f"next {size}",
        (size / 2, size / 2),
        (
            Box((-side / 2, -side / 2), (side, side), "pane", "pane.pale", 3, round=6),
            Line(((-reach, -reach / 2), (0, reach / 2), (reach, -reach / 2)), "pane.pale", size / 14),
        ),
    )


@lru_cache(2048)
def cell(laid: str, size: int, found: tuple[Mark, ...], lines: tuple[tuple[str, str], ...], ring: str) -> Sprite:
    """A card as it lies, with its marks. *lines*: outlines of segments by shape, each in a colour. *ring*: round it."""
    code, corner, pieces = laid[:2], laid[3:5], laid[5:].replace("+", "")
    shapes: list[AnyShape] = card(code, corner, size, pieces)
    if ring:
        shapes += [
            Box((-size / 2, -size / 2), (size, size), "", "ink", 8, round=4),
            Box((-size / 2, -size / 2), (size, size), "", ring, 5, round=4),
        ]
    for mark in found:
        if mark.kind == "edge":  # below what was just done
            shapes += drawn(mark, corner, size)
    for shape, colour in lines:
        points = inset(outline(shape, corner, size), size * 0.04)
        closed = (*points, points[0])
        if colour == FITS:
            at = middle(shape, corner, size)
            shapes += [Line(closed, "ink", size * 0.06 + 4), Line(closed, "paper", size * 0.06, dash=size * 0.11)]
            shapes += [Disc(at, size * 0.23, "", "ink", 8), Disc(at, size * 0.23 - 1.5, "", "paper", 5)]
        else:
            shapes += [Line(closed, "ink", size * 0.05 + 4), Line(closed, colour, size * 0.05 + 1)]
    for mark in found:
        if mark.kind != "edge":
            shapes += drawn(mark, corner, size)
    told = " ".join((laid, str(size), ring, *(f"{shape}:{colour}" for shape, colour in lines)))
    return Sprite(f"cell {told}".rstrip(), (size / 2, size / 2), tuple(shapes), "lead")


def cells(area: Area, size: int, display: Display, signs: Signs) -> list[AnyShape]:
    """The cards of a display, and where the next ones would fall."""
    found = marks(display)
    shapes: list[AnyShape] = []
    for column, cards in enumerate(display):
        for row, laid in enumerate(cards):
            name = f"{COLUMNS[column]}{row + 1}"
            lines = [(shape, "accent") for where, shape in signs.covered if where == name]
            if name in signs.fitting:
                lines.append((signs.shape, FITS))
            ring = "accent" if name == signs.laid else ""
            tile = cell(laid, size, found.get((column, row), ()), tuple(lines), ring)
            shapes.append(Stamp(tile, cell_middle(area, size, column, row)))
        if signs.inviting and len(cards) < ROWS:
            shapes.append(Stamp(_next(size), cell_middle(area, size, column, len(cards))))
    return shapes


class Head(Struct, frozen=True):
    """What stands over a display."""

    seat: int
    hue: str
    look: SeatLook | None
    cards: int
    points: int
    up: bool
    won: bool


def head(area: Area, size: int, told: Head) -> AnyShape:
    wide = box(size)[0] - 2 * PAD
    return Stamp(_head(size, wide, told), (area.x + PAD + wide / 2, area.y + PAD + HEAD[size] / 2 - 2))


@lru_cache(256)
def _head(size: int, wide: float, told: Head) -> Sprite:
    """Badge, colour of the stones, name, cards laid, points."""
    high = HEAD[size] - 6
    left, right = -wide / 2, wide / 2
    strong = told.up or told.won
    shapes: list[AnyShape] = []
    if strong:
        shapes.append(Box((left, -high / 2), (wide, high), "panel.up", "text", 3, round=9))
    if told.up:
        shapes.append(Polygon(((left + 4, -10), (left + 16, 0), (left + 4, 10)), "text", "text"))
    x = left + 20 + (high / 2)
    shapes.append(Stamp(badge(told.seat, told.hue, 15), (x - 2, 0)))
    shapes.append(Stamp(stone(told.hue, COLOURS[told.seat], radius=14), (x + 32, 0)))
    x += 54
    number = 36 if size > SMALL else 30
    points = str(told.points)
    shapes.append(Text((right - 10, 0), points, number, align="right"))
    right -= 18 + width(points, number)
    if told.won:
        shapes += crown((right - 20, 2), 15, "yellow", "ink")
        right -= 44
    if size > SMALL:
        laid = f"{told.cards}/{FULL}"
        shapes.append(Text((right - 8, 0), laid, 24, "muted", bold=False, align="right"))
        right -= 16 + width(laid, 24, bold=False)
    if told.look is not None and told.look.house:
        shapes += house((right - 14, 0), 11, "muted")
        right -= 32
    if told.look is not None:
        shapes.append(Text((x, 0), told.look.name, 26 if size > SMALL else 24, room=max(30.0, right - x - 4)))
    return Sprite(f"head {told.seat + 1}", (wide / 2, high / 2), tuple(shapes), "panel")


def head_of(seat: int, hue: str, look: SeatLook | None, display: Display, points: int, *, up: bool, won: bool) -> Head:
    return Head(seat, hue, look, cards_in(display), points, up, won)


__all__ = [
    "BIG",
    "MEDIUM",
    "SMALL",
    "Head",
    "Signs",
    "board",
    "box",
    "cell",
    "cell_middle",
    "cells",
    "head",
    "head_of",
    "middle",
]
