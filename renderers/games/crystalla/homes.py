"""The layout of the table for each number of seats; it is the same in every picture of a game.

Two seats are side by side over the stacks, with the open pieces and the stage (the cards and stones in hand) at their
sides. Three seats and the stacks are in the four quarters, over the pieces and the stage. Four seats are in the
corners, clockwise, with everything else in a column between them. After the game the points replace stacks and stage.
The last line shows the points of every crystal.
"""

from functools import cache

from msgspec import Struct

from renderers.frame import MARGIN, WIDTH
from renderers.layout import Area
from renderers.scene import Point
from rules.games.crystalla import COLUMNS, LAYOUTS, ROWS

BIG, MIDDLE, SMALL, CARD = 110, 91, 79, 72
"""Sides of a card in a display: with two seats, three, and four; and of a card in a hand, or on a stack."""
LARGER = 64
"""Side of a card on a stack of four seats, and in a hand beside its display."""
BARS = {BIG: (0.0, 118.0), MIDDLE: (80.0, 0.0), SMALL: (0.0, 80.0)}
"""Width of the bars beside a display, or height of those under it. Before a hand is laid it has their place."""
EDGE = 10.0
"""Distance from the upper edge of the picture to the homes."""
PAD = 8
"""Distance from the edge of a home to its contents."""
FRAMED, RINGED = 10.0, 7
"""Distance from the lower edge of a home, within its frame; and additional distance from its right edge to the display,
for the frame of a new card."""
LEAD = 2
LABEL = 18
"""Width of the numbers of the rows, at the left of a display."""
FOOT = 26
"""Height of the letters of the columns, under it."""
PLATE = 50
"""Height of the plate over a display."""
GAP = 8
LAID = 38.0
"""Width of the number of laid cards, left of upright bars."""
SLOTS = 3
"""Cards in a hand."""
ACROSS = 3
"""Stacks in a row."""
VALUES = 36
"""Height of the line with the points of every crystal."""
SUPPLY, STRIP = 171.0, 84.0
"""Height of the open pieces under the stacks of four, and of the trays of three."""
BED = 4.0
"""Distance from the edge of the bed of the stacks to the stacks."""


class Home(Struct, frozen=True):
    """The place of a seat: its *area*, and the *side* of a card in its display. Cells are (column, row) from a1."""

    area: Area
    side: int

    @property
    def cells(self) -> Area:
        left, top = self.area.x + PAD + LABEL + LEAD, self.area.y + PAD + PLATE + LEAD
        return Area(left, top, len(COLUMNS) * self.side, ROWS * self.side)

    @property
    def plate(self) -> Area:
        return Area(self.area.x + PAD, self.area.y + PAD, self.area.width - 2 * PAD, PLATE - 4)

    @property
    def is_beside(self) -> bool:
        """Whether bars and hand are beside the display, not under it."""
        return BARS[self.side][0] > 0

    @property
    def bars(self) -> Area:
        cells, (wide, high) = self.cells, BARS[self.side]
        if self.is_beside:
            return Area(cells.right + PAD, cells.y - LEAD, wide, cells.height + 2 * LEAD + FOOT)
        return Area(cells.x - LEAD, self.area.bottom - FRAMED - high, cells.width + 2 * LEAD, high)

    def cell(self, column: int, row: int) -> Area:
        cells = self.cells
        return Area(cells.x + column * self.side, cells.bottom - (row + 1) * self.side, self.side, self.side)

    @property
    def hand(self) -> Area:
        """The area of the cards in hand, in place of the bars."""
        if self.is_beside:
            return self.bars
        return Area(self.area.x + FRAMED, self.bars.y, self.area.width - 2 * FRAMED, self.bars.height)

    def slot(self, slot: int) -> Area:
        """Return the area of a card of the hand, *slot* from 0; its number is left of it, or over it."""
        hand, part = self.hand, (slot + 0.5) / SLOTS
        if self.is_beside:
            return _around((hand.middle[0], hand.y + part * hand.height + 13), LARGER)
        return _around((hand.x + part * hand.width + 12, hand.middle[1]), CARD)

    def number(self, slot: int) -> Point:
        """Return the middle of the number of a slot."""
        card = self.slot(slot)
        return (card.middle[0], card.y - 18) if self.is_beside else (card.x - 14, card.middle[1])


def _around(middle: Point, side: float) -> Area:
    return Area(middle[0] - side / 2, middle[1] - side / 2, side, side)


def extent(side: int) -> tuple[float, float]:
    """Return the width and height of a home with cards of this side."""
    beside, under = BARS[side]
    return (
        2 * PAD + LABEL + 2 * LEAD + len(COLUMNS) * side + RINGED + beside,
        PAD + FRAMED + PLATE + 2 * LEAD + ROWS * side + FOOT + under,
    )


class Table(Struct, frozen=True):
    """The layout of the table. *bed*: the ground of the stacks, *gap*: between two stacks, for the arrows of a walk.

    *card*: the side of a card on a stack. *sheet*: the points of a finished game.
    """

    homes: tuple[Home, ...]
    bed: Area
    gap: tuple[float, float]
    stage: Area
    pieces: Area
    sheet: Area
    card: int = CARD

    @property
    def key(self) -> tuple[float, float]:
        """The size of a stack."""
        (across, down), rows, inner = self.gap, LAYOUTS[len(self.homes)].rows, self.bed.inset(BED)
        return (inner.width + across) / ACROSS - across, (inner.height + down) / rows - down

    @property
    def key_to_points(self) -> Area:
        """The line with the points of every crystal, below all of it."""
        low = max(area.bottom for area in (*(home.area for home in self.homes), self.bed, self.pieces, self.stage))
        return Area(MARGIN, low + 6, WIDTH - 2 * MARGIN, VALUES)

    @property
    def size(self) -> tuple[int, int]:
        return WIDTH, round(self.key_to_points.bottom + 6)

    def stack(self, number: int) -> Area:
        row, column = divmod(number - 1, ACROSS)
        (wide, high), (across, down), inner = self.key, self.gap, self.bed.inset(BED)
        return Area(inner.x + column * (wide + across), inner.y + row * (high + down), wide, high)


@cache
def table(seats: int) -> Table:
    """Return the table for so many seats."""
    return {2: _over_the_stacks, 3: _in_quarters, 4: _around_the_stacks}[seats]()


def _corners(side: int, brim: float) -> tuple[Area, Area, Area, Area]:
    """Return the homes in the four corners, clockwise; *brim*: their distance from the sides of the picture."""
    wide, high = extent(side)
    right, low = WIDTH - brim - wide, EDGE + high + GAP
    one, two = Area(brim, EDGE, wide, high), Area(right, EDGE, wide, high)
    return one, two, Area(right, low, wide, high), Area(brim, low, wide, high)


def _over_the_stacks() -> Table:
    """Return the table of two: the homes over the stacks, the pieces left of these and the stage right of them."""
    left, right, *_ = _corners(BIG, 10)
    bed = Area(236, left.bottom + GAP, 528, 272)
    beside = bed.x - MARGIN - GAP
    return Table(
        homes=(Home(left, BIG), Home(right, BIG)),
        bed=bed,
        gap=(32, 28),
        stage=Area(bed.right + GAP, bed.y, beside, bed.height),
        pieces=Area(MARGIN, bed.y, beside, bed.height),
        sheet=Area(MARGIN, bed.y, WIDTH - 2 * MARGIN, bed.height),
    )


def _in_quarters() -> Table:
    """Return the table of three: the stacks in the free corner, pieces and stage in strips under the last quarters."""
    one, two, bed, three = _corners(MIDDLE, 5)
    under = bed.bottom + GAP
    return Table(
        homes=tuple(Home(area, MIDDLE) for area in (one, two, three)),
        bed=bed,
        gap=(23, 18),
        stage=Area(bed.x, under, bed.width, STRIP),
        pieces=Area(three.x, under, three.width, STRIP),
        sheet=Area(bed.x, bed.y, bed.width, under + STRIP - bed.y),
    )


def _around_the_stacks() -> Table:
    """Return the table of four: the homes in the corners, everything else between them."""
    corners = _corners(SMALL, 4)
    low, middle = corners[2].bottom, corners[0].right + GAP
    wide = corners[1].x - GAP - middle
    bed = Area(middle, EDGE, wide, 544)
    pieces = Area(middle, bed.bottom + GAP, wide, SUPPLY)
    return Table(
        homes=tuple(Home(area, SMALL) for area in corners),
        bed=bed,
        gap=(9, 16),
        stage=Area(middle, pieces.bottom + GAP, wide, low - pieces.bottom - GAP),
        pieces=pieces,
        sheet=Area(middle, EDGE, wide, low - EDGE),
        card=LARGER,
    )


__all__ = [
    "BARS",
    "BIG",
    "CARD",
    "FOOT",
    "LABEL",
    "LARGER",
    "LEAD",
    "MIDDLE",
    "PAD",
    "SMALL",
    "Home",
    "Table",
    "extent",
    "table",
]
