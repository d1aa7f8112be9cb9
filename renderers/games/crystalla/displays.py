"""A seat's home: its plate, the display of twelve cells with letters and numbers, and room for bars or the hand.

The home of the seat to act is raised and framed in the colour of its seat.
"""

from functools import cache, lru_cache

from msgspec import Struct

from renderers.frame import Score, badge, crowned, named, scored
from renderers.games.crystalla.gems import gift, inset, letters, loose, outline, segments, settings, stone, style
from renderers.games.crystalla.homes import FOOT, LABEL, LEAD, PAD, PLATE, Home, extent
from renderers.games.crystalla.marks import Mark, drawn, marks
from renderers.layout import Area
from renderers.look import SeatLook
from renderers.scene import AnyShape, Box, Line, Polygon, Sprite, Stamp, Text
from renderers.signs import house
from rules.games.crystalla import COLOURS, COLUMNS, ROWS, Display

FITS = "fits"
"""The mark of a segment onto which a piece can be put."""
FAINT = "faint"
"""The mark of a change that the reader knows."""
FRAME = (4, 5)
"""Width of both edges of the frame of a home together, and of the band between them."""
TWO_LINES = (-14.0, 10.0)
"""Distances of both lines of a name from the middle of a plate."""
BEYOND, AMONG = 6, 3
"""Width of the frame around a new card outside of it, and around each of several ones, as after a setup; on the card
it has the width of the gap, off its letters."""


class Signs(Struct, frozen=True):
    """The signs in a display: the new cards (cell, whether faint), the segments (cell, shape, whether faint) that new
    pieces cover, the cells that a piece (given by its shape) can cover, and the columns that can be chosen."""

    laid: tuple[tuple[str, bool], ...] = ()
    covered: tuple[tuple[str, str, bool], ...] = ()
    fitting: tuple[str, ...] = ()
    shape: str = ""
    columns: str = ""


def ground(up: str) -> str:
    """Return the ground of a home's tiles; *up*: the hue of its seat if it must act."""
    return f"{up}.floor" if up else "ground"


def empty(home: Home, up: str = "") -> Stamp:
    """Return an empty home; *up*: the hue of its seat if it must act."""
    return Stamp(_empty(home.area.width, home.area.height, home.side, up), home.area.middle)


@cache
def _empty(wide: float, high: float, side: int, up: str) -> Sprite:
    home = Home(Area(-wide / 2, -high / 2, wide, high), side)
    shapes: list[AnyShape] = []
    if up:
        (edge, band), inner = FRAME, FRAME[0] / 2
        shapes.append(Box((-wide / 2, -high / 2), (wide, high), ground(up), "text", band + edge, round=14))
        at = (inner - wide / 2, inner - high / 2)
        shapes.append(Box(at, (wide - edge, high - edge), "", up, band, round=13))
    area = home.cells
    left, top, right, low = area.x - LEAD, area.y - LEAD, area.right + LEAD, area.bottom + LEAD
    shapes += [
        Box((left - 3, top - 3), (right - left + 6, low - top + 8), "ink", round=8),
        Box((left - 3, top - 3), (right - left + 6, low - top + 6), "lead.light", round=8),
        Box((left - 1, top - 1), (right - left + 4, low - top + 4), "lead", round=7),
    ]
    for column, letter in enumerate(COLUMNS):
        at = home.cell(column, 0).middle
        shapes.append(Text((at[0], low + FOOT / 2), letter, 28, "muted", bold=False, align="middle"))
        shapes += [Stamp(_hole(side), home.cell(column, row).middle) for row in range(ROWS)]
    for row in range(ROWS):
        _, y = home.cell(0, row).middle
        at = (home.area.x + PAD + LABEL / 2 - 1, y)
        shapes.append(Text(at, str(row + 1), 28, "muted", bold=False, align="middle"))
    kind = "home up" if up else "home"
    return Sprite(f"{kind} {side}", (wide / 2, high / 2), tuple(shapes), "ground")


@cache
def _hole(side: int) -> Sprite:
    """Return an empty cell: faint glass, with the shadow of the frame at its upper left."""
    half = side // 2 - 2
    # No slanting edges: there are many holes, and a picture must stay small.
    shapes: list[AnyShape] = [
        Box((-half, -half), (2 * half, 2 * half), "pane.cut"),
        Box((-half, -half), (2 * half, 4), "pit"),
        Box((-half, -half), (4, 2 * half), "pit"),
    ]
    return Sprite(f"hole {side}", (side / 2, side / 2), tuple(shapes))


@cache
def _next(side: int) -> Sprite:
    """Return the next free row of a column, to which a card falls."""
    reach = side * 0.2
    falling = Line(((-reach, -reach / 2), (0, reach / 2), (reach, -reach / 2)), "muted", side / 12)
    return Sprite(f"next {side}", (side / 2, side / 2), (Stamp(_hole(side), (0, 0)), falling), "lead")


@lru_cache(512)
def cell(laid: str, side: int, own_marks: tuple[Mark, ...], lines: tuple[tuple[str, str], ...], ring: str) -> Sprite:
    """Return a laid card with its marks. *lines*: outlines of segments by shape, with colours. *ring*: the colour
    around it."""
    code, corner, pieces = laid[:2], laid[3:5], laid[5:].replace("+", "")
    shapes, on_it = segments(code, corner, side, pieces), round(style(side).gap * side)
    for mark in own_marks:
        if mark.kind == "edge":  # below pieces, and below the newest changes
            shapes += drawn(mark, corner, side, on_it + 1.5 if ring else 0)
    fresh = tuple(shape for shape, colour in lines if colour == "accent")
    shapes += settings(corner, side, pieces, fresh)
    if ring == FAINT:
        half = side / 2 - 2
        square = ((-half, -half), (half, -half), (half, half), (-half, half), (-half, -half))
        shapes += [Line(square, "ink", on_it + 1.5), Line(square, "accent", on_it - 1, dash=side * 0.12)]
    elif ring:
        shapes.append(Box((-side / 2, -side / 2), (side, side), "", "ink", on_it + 1.5, round=4))
        shapes.append(Box((-side / 2, -side / 2), (side, side), "", ring, on_it, round=4))
    shapes += letters(code, corner, side, pieces)
    for shape, colour in lines:
        around, wide = outline(shape, corner, side), side * (0.085 if colour == FITS else 0.075)
        points = inset(around, side * 0.05 + on_it if ring else side * (0.04 if colour == FITS else 0.03))
        # Only along the diagonal: a full outline would hide the marks there, and the white frame of a piece.
        along = points[len(points) // 2 :][:2]
        if colour == FITS:
            shapes += [Line(along, "ink", wide + 1), Line(along, "paper", wide - 2.5, dash=side * 0.11)]
        elif colour == FAINT:
            shapes += [Line(along, "ink", wide + 1), Line(along, "accent", wide - 2, dash=side * 0.11)]
        else:
            shapes += [Line(along, "ink", wide + 4), Line(along, colour, wide)]
    for mark in own_marks:
        if mark.kind != "edge":
            shapes += drawn(mark, corner, side)
    name = " ".join((laid, str(side), ring, *(f"{shape}:{colour}" for shape, colour in lines)))
    return Sprite(f"cell {name}".rstrip(), (side / 2, side / 2), tuple(shapes), style(side).ground)


def cells(home: Home, display: Display, signs: Signs) -> list[AnyShape]:
    """Return the cards of a display, and the cells to which the next ones would fall."""
    marks_of, rings = marks(display), {where: FAINT if is_faint else "accent" for where, is_faint in signs.laid}
    shapes: list[Stamp] = []
    bright: list[Stamp] = []
    for column, cards in enumerate(display):
        for row, laid in enumerate(cards):
            name = f"{COLUMNS[column]}{row + 1}"
            lines = [
                (shape, FAINT if is_faint else "accent") for where, shape, is_faint in signs.covered if where == name
            ]
            if name in signs.fitting:
                lines.append((signs.shape, FITS))
            ring = rings.get(name, "")
            tile = cell(laid, home.side, marks_of.get((column, row), ()), tuple(lines), ring)
            (bright if ring == "accent" else shapes).append(Stamp(tile, home.cell(column, row).middle))
        if COLUMNS[column] in signs.columns and len(cards) < ROWS:
            shapes.append(Stamp(_next(home.side), home.cell(column, len(cards)).middle))
    around = _ring(home.side, BEYOND if len(bright) == 1 else AMONG)
    # Over the other cards, and under the new ones: it hides no mark between two of these.
    return [*shapes, *(Stamp(around, tile.at) for tile in bright), *bright]


@cache
def _ring(side: int, beyond: int) -> Sprite:
    """Return the part of the frame around a card just laid that is outside of it."""
    half = side / 2 + beyond
    ink = Box((-half - 1.5, -half - 1.5), (2 * half + 3,) * 2, "", "ink", beyond + 2.0, round=7)
    bright = Box((-half, -half), (2 * half,) * 2, "", "accent", float(beyond), round=6)
    return Sprite(f"ring {side} {beyond}", (half + 2, half + 2), (ink, bright), crisp=True)


class Plate(Struct, frozen=True):
    """The plate over a display. *leads*: the seat has the most points. *due*: it gets a crystal piece. *over*: the
    game is over, and there are no stones on the table."""

    seat: int
    hue: str
    look: SeatLook | None
    points: int
    up: bool = False
    due: bool = False
    leads: bool = False
    won: bool = False
    over: bool = False


def plate(home: Home, shown: Plate) -> Stamp:
    area = home.plate
    return Stamp(_plate(area.width, shown), area.middle)


@lru_cache(256)
def _plate(wide: float, shown: Plate) -> Sprite:
    """Return badge, colour of the stones, due piece, name and points; with pointer if up, with crown if it has won.

    The crown has the place of the stone, and a due piece is behind it, so that they leave room for the name.
    """
    high = PLATE - 4
    left, right = -wide / 2, wide / 2
    shapes: list[AnyShape] = []
    if shown.up:
        shapes.append(Polygon(((left + 3, -11), (left + 15, 0), (left + 3, 11)), "text", "text"))
    x = left + LABEL + LEAD + 16
    shapes.append(Stamp(badge(shown.seat, shown.hue, 17), (x, 0)))
    if shown.won:
        shapes.append(Stamp(crowned(), (x + 42, -1)))
    elif shown.due and not shown.over:
        shapes.append(Stamp(gift(high), (x + 44, 0)))
        shapes.append(Stamp(stone(shown.hue, COLOURS[shown.seat], radius=14), (x + 58, 9)))
    elif not shown.over:
        shapes.append(Stamp(stone(shown.hue, COLOURS[shown.seat], radius=15), (x + 37, 0)))
    x += 70 if shown.won else 26 if shown.over else 78 if shown.due else 62
    score = Score(str(shown.points), shown.leads or shown.won)
    shapes += scored(score, (right - 5, 0))
    right -= score.width + 7
    if shown.look is not None and shown.look.house:
        shapes += house((right - 14, 0), 11, "muted")
        right -= 32
    common = len(shapes)
    if shown.look is not None:
        room = max(30.0, right - x - 4)
        shapes += named(shown.look.name, (x, 0), room, size=28, apart=TWO_LINES)
    reach = wide / 2, high / 2 + 1  # the second line of a name needs a unit
    bed = ground(shown.hue if shown.up else "")
    return Sprite(f"plate {shown.seat + 1}", reach, tuple(shapes), bed, common=common)


def hand(home: Home, slots: tuple[str | None, ...], up: str) -> Stamp:
    """Return the cards that a seat has not laid yet, with the numbers of their slots."""
    return Stamp(_hand(slots, home.area.width, home.side, up), home.hand.middle)


@lru_cache(256)
def _hand(slots: tuple[str | None, ...], wide: float, side: int, up: str) -> Sprite:
    home = Home(Area(0, 0, wide, extent(side)[1]), side)
    x0, y0 = home.hand.middle
    shapes: list[AnyShape] = []
    for slot, code in enumerate(slots):
        area = home.slot(slot)
        (x, y), half = (area.middle[0] - x0, area.middle[1] - y0), area.width / 2
        if code is None:
            shapes.append(Box((x - half + 4, y - half + 4), (2 * half - 8,) * 2, "", "muted", 2, round=8))
        else:
            shapes.append(Stamp(loose(code, "nw", area.width), (x, y)))
        (a, b), pen = home.number(slot), "text" if code else "muted"
        shapes.append(Text((a - x0, b - y0), str(slot + 1), 30, pen, bold=False, align="middle"))
    return Sprite("hand", (home.hand.width / 2, home.hand.height / 2), tuple(shapes), ground(up))


__all__ = ["FAINT", "FITS", "Plate", "Signs", "cell", "cells", "empty", "ground", "hand", "plate"]
