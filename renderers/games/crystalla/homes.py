"""Where everything lies, for each number of seats: the same in every picture of a game, from the first to the last.

Two or three seats lie side by side over the stacks; four lie in the corners round them, clockwise, each where its
stones begin. The pieces lie on one side of the stacks, the stage (what is in hand) on the other. When the game is over
the score sheet takes the room of the three.
"""

from functools import cache

from msgspec import Struct

from renderers.frame import MARGIN, WIDTH
from renderers.layout import Area
from renderers.scene import Point
from rules.games.crystalla import COLUMNS, LAYOUTS, ROWS

BIG, SMALL = 110, 72
"""Sides of a card in a display: with two seats, with more."""
PAD = 6
LEAD = 2
LABEL = 20
"""Room for the numbers of the rows, at the left of a display."""
FOOT = 28
"""Room for the letters of the columns, under it."""
PLATE = 46
"""Height of the plate over a display."""
BARS = {BIG: 124, SMALL: 108}
"""Height of the bars under a display, or of the hand before it is laid."""
GAP = 10
SLOTS = 3
"""Cards in a hand."""
ACROSS = 3
"""Stacks in a row."""
NARROW = 300.0
"""Height, at most, of the stage and the pieces beside the stacks."""


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
        return Area(
            self.cells.x - LEAD, self.area.bottom - PAD - BARS[self.side], self.cells.width + 2 * LEAD, BARS[self.side]
        )

    def cell(self, column: int, row: int) -> Area:
        there = self.cells
        return Area(there.x + column * self.side, there.bottom - (row + 1) * self.side, self.side, self.side)

    @property
    def hand(self) -> Area:
        """Where the cards lie that are to be laid, instead of the bars."""
        return Area(self.area.x + PAD, self.bars.y, self.area.width - 2 * PAD, self.bars.height)

    def slot(self, slot: int) -> Area:
        """Where a card of the hand lies, *slot* from 0; its number stands left of it."""
        there = self.hand
        middle = there.x + (slot + 0.5) * there.width / SLOTS + 12, there.middle[1]
        return Area(middle[0] - SMALL / 2, middle[1] - SMALL / 2, SMALL, SMALL)


def extent(side: int) -> tuple[float, float]:
    """Width and height of a home with cards of this side."""
    return (
        2 * PAD + LABEL + 2 * LEAD + len(COLUMNS) * side,
        2 * PAD + PLATE + 2 * LEAD + ROWS * side + FOOT + BARS[side],
    )


class Table(Struct, frozen=True):
    """All that lies on the table. *key*: the size of a stack, *gap*: from one to the next, for the arrows of a walk.

    *tall*: the stones of a stack lie under its card, else beside it; and the score sheet has its crystals one under
    another.
    """

    size: tuple[int, int]
    homes: tuple[Home, ...]
    stacks: Area
    key: tuple[float, float]
    gap: tuple[float, float]
    stage: Area
    pieces: Area
    sheet: Area
    tall: bool

    def stack(self, number: int) -> Area:
        row, column = divmod(number - 1, ACROSS)
        (wide, high), (across, down) = self.key, self.gap
        return Area(self.stacks.x + column * (wide + across), self.stacks.y + row * (high + down), wide, high)


@cache
def table(seats: int) -> Table:
    """The table for so many seats."""
    return _round_the_stacks() if seats == 4 else _over_the_stacks(seats)


def _over_the_stacks(seats: int) -> Table:
    side, key = (BIG, (152.0, 130.0)) if seats == 2 else (SMALL, (152.0, 122.0))
    gap = (32.0, 30.0)
    rows = LAYOUTS[seats].rows
    wide, high = extent(side)
    free = (WIDTH - 2 * MARGIN - seats * wide) / (seats - 1)
    homes = tuple(Home(Area(MARGIN + k * (wide + free), MARGIN, wide, high), side) for k in range(seats))
    top = MARGIN + high + GAP
    across, down = ACROSS * key[0] + (ACROSS - 1) * gap[0], rows * key[1] + (rows - 1) * gap[1]
    stacks = Area((WIDTH - across) / 2, top, across, down)
    beside, narrow = stacks.x - MARGIN - 2 * GAP, min(down, NARROW)
    return Table(
        size=(WIDTH, round(stacks.bottom + MARGIN)),
        homes=homes,
        stacks=stacks,
        key=key,
        gap=gap,
        stage=Area(stacks.right + 2 * GAP, top + (down - narrow) / 2, beside, narrow),
        pieces=Area(MARGIN, top + (down - narrow) / 2, beside, narrow),
        sheet=Area(MARGIN, top, WIDTH - 2 * MARGIN, down),
        tall=False,
    )


def _round_the_stacks() -> Table:
    wide, high = extent(SMALL)
    left, right, low = float(MARGIN), WIDTH - MARGIN - wide, MARGIN + high + GAP
    places: tuple[Point, ...] = ((left, MARGIN), (right, MARGIN), (right, low), (left, low))
    homes = tuple(Home(Area(x, y, wide, high), SMALL) for x, y in places)
    bottom = low + high
    middle = Area(left + wide + 8, MARGIN, right - left - wide - 16, bottom - MARGIN)
    stage = Area(middle.x, middle.y, middle.width, 116)
    pieces = Area(middle.x, middle.bottom - 110, middle.width, 110)
    gap = (16.0, 32.0)
    stacks = Area(middle.x, stage.bottom + GAP, middle.width, pieces.y - stage.bottom - 2 * GAP)
    key = ((stacks.width - 2 * gap[0]) / ACROSS, (stacks.height - 2 * gap[1]) / ACROSS)
    return Table((WIDTH, round(bottom + MARGIN)), homes, stacks, key, gap, stage, pieces, middle, tall=True)


__all__ = ["BARS", "BIG", "FOOT", "LABEL", "LEAD", "PAD", "SMALL", "Home", "Table", "extent", "table"]
