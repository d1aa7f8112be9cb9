"""A display as plain numbers, for fast scoring: the places of each crystal and their contacts.

A side has a number: that of its cell (column by column, each from the bottom up) times four, plus 0 to 3 for north,
east, south, west. A segment is the two sides that it owns.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from rules.games.crystalla.components import COLUMNS, CRYSTALS, ROWS
from rules.games.crystalla.displays import FACING, OPPOSITE, Display, shown

Part = tuple[int, int]
"""A segment."""
SIDES: Final = "nesw"
CELLS: Final = len(COLUMNS) * ROWS


def _behind(cell: int, side: str) -> int:
    column, row = divmod(cell, ROWS)
    across, up, there = FACING[side]
    if not (0 <= column + across < len(COLUMNS) and 0 <= row + up < ROWS):
        return -1
    return 4 * ((column + across) * ROWS + row + up) + SIDES.index(there)


BEHIND: Final = tuple(_behind(cell, side) for cell in range(CELLS) for side in SIDES)
"""For every side the one that faces it, -1 at the border."""


def part(cell: int, corner: str) -> Part:
    """Return the segment in a cell that owns the corner.

    >>> part(1, "nw")
    (4, 7)
    """
    first, second = sorted(4 * cell + SIDES.index(side) for side in corner)
    return first, second


_PETALS: Final = ((0, "ne"), (ROWS, "nw"), (1, "se"), (ROWS + 1, "sw"))
FLOWERS: Final = tuple(
    tuple(part(column * ROWS + row + beside, corner) for beside, corner in _PETALS)
    for column in range(len(COLUMNS) - 1)
    for row in range(ROWS - 1)
)
"""The segments around each inner corner of the grid, which make a flower if all are emeralds."""


@cache
def _parts(laid: str, cell: int) -> tuple[tuple[str, Part], tuple[str, Part]]:
    """Return the two crystals of a card in *cell*, each with its segment."""
    large, small = shown(laid)
    return (large, part(cell, laid[3:5])), (small, part(cell, OPPOSITE[laid[3:5]]))


def parts(display: Display) -> dict[str, list[Part]]:
    """Return the segments of every crystal.

    >>> parts((("ta-nw", "at-se+tl"), (), (), ()))["t"]
    [(0, 3), (5, 6), (4, 7)]
    """
    places: dict[str, list[Part]] = {crystal: [] for crystal in CRYSTALS}
    cell = 0
    for cards in display:
        for place, laid in enumerate(cards, cell):
            (large, there), (small, here) = _parts(laid, place)
            places[large].append(there)
            places[small].append(here)
        cell += ROWS
    return places


def clusters(places: Sequence[Part], *, within: bool = False) -> list[list[Part]]:
    """Return groups of segments that touch across edges; *within*: also along the diagonal of a card."""
    if len(places) == 1:
        return [[places[0]]]
    at = {side: part for part in places for side in part}
    ungrouped, finished = set(places), []
    for part in places:
        if part in ungrouped:
            ungrouped.discard(part)
            cluster = [part]
            for first, second in cluster:  # grows during the loop
                touching = [at.get(BEHIND[first]), at.get(BEHIND[second])]
                if within:
                    cell = first & ~3
                    touching += [at.get(cell), at.get(cell + 2)]  # the card's other segment owns one of them
                for other in touching:
                    if other in ungrouped:
                        ungrouped.discard(other)
                        cluster.append(other)
            finished.append(cluster)
    return finished
