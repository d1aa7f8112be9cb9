"""The layout of the table for each number of seats; it is the same in every picture of a game.

Two seats are side by side over the stacks. Three and four seats are in the corners, clockwise, with the stacks between
them in the middle, and the open pieces and the stage (the cards and stones in hand) under these. With three seats the
pieces are in the free corner. After the game the score sheet replaces stacks, pieces and stage. The last line shows the
points of every crystal.
"""

from functools import cache

from msgspec import Struct

from renderers.frame import MARGIN, WIDTH
from renderers.layout import Area
from renderers.scene import Point
from rules.games.crystalla import COLUMNS, LAYOUTS, ROWS

BIG, SMALL, CARD = 110, 79, 72
"""Sides of a card in a display: with two seats, with more; and of a card in a hand, or on a stack of two seats."""
LARGER = 64
"""Side of a card on a stack of more seats."""
BRIM = {BIG: 10.0, SMALL: 4.0}
"""Distance from the sides of the picture to the homes."""
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
BARS = {BIG: 118, SMALL: 80}
"""Height of the bars under a display, or of the hand before it is laid."""
GAP = 8
LAID = 38.0
"""Width of the number of laid cards, left of upright bars."""
SLOTS = 3
"""Cards in a hand."""
ACROSS = 3
"""Stacks in a row."""
VALUES = 36
"""Height of the line with the points of every crystal."""
NARROW = 300.0
"""The largest height of the stage and the pieces beside the stacks."""
SUPPLY = 171.0
"""Height of the open pieces under the stacks of four."""
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
    def bars(self) -> Area:
        cells, high = self.cells, BARS[self.side]
        return Area(cells.x - LEAD, self.area.bottom - FRAMED - high, cells.width + 2 * LEAD, high)

    def cell(self, column: int, row: int) -> Area:
        cells = self.cells
        return Area(cells.x + column * self.side, cells.bottom - (row + 1) * self.side, self.side, self.side)

    @property
    def hand(self) -> Area:
        """The area of the cards in hand, in place of the bars."""
        return Area(self.area.x + FRAMED, self.bars.y, self.area.width - 2 * FRAMED, self.bars.height)

    def slot(self, slot: int) -> Area:
        """Return the area of a card of the hand, *slot* from 0; its number is left of it."""
        hand = self.hand
        middle = hand.x + (slot + 0.5) * hand.width / SLOTS + 12, hand.middle[1]
        return Area(middle[0] - CARD / 2, middle[1] - CARD / 2, CARD, CARD)


def extent(side: int) -> tuple[float, float]:
    """Return the width and height of a home with cards of this side."""
    return (
        2 * PAD + LABEL + 2 * LEAD + len(COLUMNS) * side + RINGED,
        PAD + FRAMED + PLATE + 2 * LEAD + ROWS * side + FOOT + BARS[side],
    )


class Table(Struct, frozen=True):
    """The layout of the table. *key*: the size of a stack, *gap*: between two stacks, for the arrows of a walk.

    *card*: the side of a card on a stack. *tall*: the points of a finished game are towers.
    """

    homes: tuple[Home, ...]
    stacks: Area
    key: tuple[float, float]
    gap: tuple[float, float]
    stage: Area
    pieces: Area
    sheet: Area
    card: int
    tall: bool = False

    @property
    def bed(self) -> Area:
        """The bed on which the stacks are."""
        return self.stacks.inset(-BED)

    @property
    def key_to_points(self) -> Area:
        """The line with the points of every crystal, below all of it."""
        low = max(area.bottom for area in (*(home.area for home in self.homes), self.stacks, self.pieces, self.stage))
        return Area(MARGIN, low + 6, WIDTH - 2 * MARGIN, VALUES)

    @property
    def size(self) -> tuple[int, int]:
        return WIDTH, round(self.key_to_points.bottom + 6)

    def stack(self, number: int) -> Area:
        row, column = divmod(number - 1, ACROSS)
        (wide, high), (across, down) = self.key, self.gap
        return Area(self.stacks.x + column * (wide + across), self.stacks.y + row * (high + down), wide, high)


@cache
def table(seats: int) -> Table:
    """Return the table for so many seats."""
    return _over_the_stacks() if seats == 2 else _around_the_stacks(seats)


def _over_the_stacks() -> Table:
    """Return the table of two: the homes over the stacks, the pieces left of these and the stage right of them."""
    key, gap = (152.0, 118.0), (32.0, 28.0)
    wide, high = extent(BIG)
    homes = tuple(Home(Area(x, EDGE, wide, high), BIG) for x in (BRIM[BIG], WIDTH - BRIM[BIG] - wide))
    top = EDGE + high + GAP + BED
    across, down = _spread(key, gap, LAYOUTS[2].rows)
    stacks = Area((WIDTH - across) / 2, top, across, down)
    beside, low = stacks.x - BED - MARGIN - GAP, down + 2 * BED
    return Table(
        homes=homes,
        stacks=stacks,
        key=key,
        gap=gap,
        stage=Area(stacks.right + BED + GAP, top - BED, beside, low),
        pieces=Area(MARGIN, top - BED, beside, low),
        sheet=Area(MARGIN, top - BED, WIDTH - 2 * MARGIN, low),
        card=CARD,
    )


def _around_the_stacks(seats: int) -> Table:
    """Return the table of more: the homes clockwise in the corners, everything else between them."""
    wide, high = extent(SMALL)
    left, right, low = BRIM[SMALL], WIDTH - BRIM[SMALL] - wide, EDGE + high + GAP
    corners: tuple[Point, ...] = ((left, EDGE), (right, EDGE), (right, low), (left, low))
    if seats == 3:
        corners = (*corners[:2], corners[3])
    homes = tuple(Home(Area(x, y, wide, high), SMALL) for x, y in corners)
    middle, across, bottom = left + wide + GAP, right - left - wide - 2 * GAP, low + high
    key, gap = (76.0, 168.0), (9.0, 16.0)
    spread = _spread(key, gap, LAYOUTS[seats].rows)
    stacks = Area(middle + (across - spread[0]) / 2, EDGE + BED, *spread)
    under = stacks.bottom + BED + GAP
    if seats == 3:
        pieces, stage = Area(right, low, wide, high), Area(middle, under, across, bottom - under)
    else:
        pieces = Area(middle, under, across, SUPPLY)
        stage = Area(middle, pieces.bottom + GAP, across, bottom - pieces.bottom - GAP)
    return Table(
        homes=homes,
        stacks=stacks,
        key=key,
        gap=gap,
        stage=stage,
        pieces=pieces,
        sheet=Area(middle, EDGE, across, bottom - EDGE),
        card=LARGER,
        tall=True,
    )


def _spread(key: tuple[float, float], gap: tuple[float, float], rows: int) -> tuple[float, float]:
    """Return the width and height of so many rows of stacks."""
    return ACROSS * key[0] + (ACROSS - 1) * gap[0], rows * key[1] + (rows - 1) * gap[1]


__all__ = ["BARS", "BIG", "CARD", "FOOT", "LABEL", "LARGER", "LEAD", "PAD", "SMALL", "Home", "Table", "extent", "table"]
