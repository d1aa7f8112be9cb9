"""The layout of the table for each number of seats; it is the same in every picture of a game.

Two seats are side by side over the stacks. Three seats have the third one beside the stacks. Four seats have two over
and two under them, clockwise, each where its stones begin. The pieces and the stage (the cards and stones in hand) are
beside the stacks or under them; after the game the score sheet replaces them. The last line shows the points of every
crystal.
"""

from functools import cache

from msgspec import Struct

from renderers.frame import MARGIN, WIDTH
from renderers.layout import Area
from renderers.scene import Point
from rules.games.crystalla import COLUMNS, LAYOUTS, ROWS

BIG, SMALL, CARD = 110, 104, 72
"""Sides of a card in a display: with two seats, with more; and of a card in a hand, or on a stack of two seats."""
LARGER = 80
"""Side of a card on a stack of more seats."""
BRIM = 6.0
"""Distance from the sides of the picture to the homes of more than two seats."""
EDGE = 10.0
"""Distance from the upper edge of the picture to the homes."""
PAD = 4
LEAD = 2
LABEL = 18
"""Width of the numbers of the rows, at the left of a display."""
FOOT = 26
"""Height of the letters of the columns, under it."""
PLATE = 46
"""Height of the plate over a display."""
BARS = {BIG: 118, SMALL: 76}
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
        return Area(cells.x - LEAD, self.area.bottom - PAD - high, cells.width + 2 * LEAD, high)

    def cell(self, column: int, row: int) -> Area:
        cells = self.cells
        return Area(cells.x + column * self.side, cells.bottom - (row + 1) * self.side, self.side, self.side)

    @property
    def hand(self) -> Area:
        """The area of the cards in hand, in place of the bars."""
        return Area(self.area.x + PAD, self.bars.y, self.area.width - 2 * PAD, self.bars.height)

    def slot(self, slot: int) -> Area:
        """Return the area of a card of the hand, *slot* from 0; its number is left of it."""
        hand = self.hand
        middle = hand.x + (slot + 0.5) * hand.width / SLOTS + 12, hand.middle[1]
        return Area(middle[0] - CARD / 2, middle[1] - CARD / 2, CARD, CARD)


def extent(side: int) -> tuple[float, float]:
    """Return the width and height of a home with cards of this side."""
    return (
        2 * PAD + LABEL + 2 * LEAD + len(COLUMNS) * side,
        2 * PAD + PLATE + 2 * LEAD + ROWS * side + FOOT + BARS[side],
    )


class Table(Struct, frozen=True):
    """The layout of the table. *key*: the size of a stack, *gap*: between two stacks, for the arrows of a walk.

    *card*: the side of a card on a stack. *tall*: the score sheet has its crystals one under another.
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
    return {2: lambda: _over_the_stacks(2), 3: _beside_the_stacks, 4: _between_the_homes}[seats]()


def _over_the_stacks(seats: int) -> Table:
    key, gap = (152.0, 130.0), (32.0, 30.0)
    wide, high = extent(BIG)
    free = (WIDTH - 2 * MARGIN - seats * wide) / (seats - 1)
    homes = tuple(Home(Area(MARGIN + k * (wide + free), EDGE, wide, high), BIG) for k in range(seats))
    top = EDGE + high + GAP
    across, down = _spread(key, gap, LAYOUTS[seats].rows)
    stacks = Area((WIDTH - across) / 2, top, across, down)
    beside, narrow = stacks.x - MARGIN - 2 * GAP, min(down, NARROW)
    return Table(
        homes=homes,
        stacks=stacks,
        key=key,
        gap=gap,
        stage=Area(stacks.right + 2 * GAP, top + (down - narrow) / 2, beside, narrow),
        pieces=Area(MARGIN, top + (down - narrow) / 2, beside, narrow),
        sheet=Area(MARGIN, top, WIDTH - 2 * MARGIN, down),
        card=CARD,
    )


def _pairs() -> tuple[float, float, float, float]:
    """Return the left sides of two homes side by side, and their width and height."""
    wide, high = extent(SMALL)
    return BRIM, WIDTH - BRIM - wide, wide, high


def _beside_the_stacks() -> Table:
    """Return the table of three: two over the stacks, the third beside them; the stage under it, the pieces under
    the stacks."""
    left, right, wide, high = _pairs()
    low = EDGE + high + GAP
    places: tuple[Point, ...] = ((left, EDGE), (right, EDGE), (left, low))
    beside, stage, gap = WIDTH / 2 - BRIM - GAP / 2, 150.0, (12.0, 30.0)
    bottom = low + high + GAP + stage
    far = WIDTH - BRIM - beside
    stacks = Area(far, low, beside, high)
    under = Area(left, bottom - stage, beside, stage)
    return Table(
        homes=tuple(Home(Area(x, y, wide, high), SMALL) for x, y in places),
        stacks=stacks,
        key=((stacks.width - 2 * gap[0]) / ACROSS, (stacks.height - 2 * gap[1]) / ACROSS),
        gap=gap,
        stage=under,
        pieces=Area(far, bottom - stage, beside, stage),
        sheet=Area(far, low, beside, bottom - low),
        card=LARGER,
        tall=True,
    )


def _spread(key: tuple[float, float], gap: tuple[float, float], rows: int) -> tuple[float, float]:
    """Return the width and height of so many rows of stacks."""
    return ACROSS * key[0] + (ACROSS - 1) * gap[0], rows * key[1] + (rows - 1) * gap[1]


def _between_the_homes() -> Table:
    """Return the table of four: two over and two under the stacks; the stage beside these, the pieces under it."""
    left, right, wide, high = _pairs()
    key, gap = (196.0, 104.0), (30.0, 28.0)
    top = EDGE + high + GAP
    across, down = _spread(key, gap, LAYOUTS[4].rows)
    low = top + down + GAP
    places: tuple[Point, ...] = ((left, EDGE), (right, EDGE), (right, low), (left, low))
    beside, stage = MARGIN + across + 2 * GAP, 132.0
    return Table(
        homes=tuple(Home(Area(x, y, wide, high), SMALL) for x, y in places),
        stacks=Area(MARGIN, top, across, down),
        key=key,
        gap=gap,
        stage=Area(beside, top, WIDTH - MARGIN - beside, stage),
        pieces=Area(beside, top + stage + GAP, WIDTH - MARGIN - beside, down - stage - GAP),
        sheet=Area(MARGIN, top, WIDTH - 2 * MARGIN, down),
        card=LARGER,
    )


__all__ = ["BARS", "BIG", "CARD", "FOOT", "LABEL", "LARGER", "LEAD", "PAD", "SMALL", "Home", "Table", "extent", "table"]
