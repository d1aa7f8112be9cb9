"""How a position stands: the points of the displays as they are, and what can still become of them."""

from functools import lru_cache
from itertools import product
from math import exp
from typing import Final

from rules.games.crystalla.components import COLOURS, COLUMNS, HEMATITE, ROWS
from rules.games.crystalla.displays import (
    CORNERS,
    FULL,
    Display,
    across_edges,
    cards_in,
    cells_for,
    facing,
    segments,
    with_card,
    with_piece,
)
from rules.games.crystalla.position import Position
from rules.games.crystalla.scoring import FOREIGN_HEMATITE, TOURMALINE, count, groups, worth

EVEN: Final = 9.0
"""So many points more than the others make a win about three times as likely as a loss, at the end; twice as many
before the first turn."""
AWARD: Final = 6.0
"""What a crystal piece brings whoever gets to place one."""
OPEN_RUBY: Final = 3.0
ODD_AMETHYST: Final = 3.0
OPEN_DIAMOND: Final = 1.2
BEGUN_EMERALDS: Final = (0.0, 0.5, 4.0, 10.0, 0.0)
"""An emerald flower with so many of its four segments, the rest of it still open."""
NEXT_TOURMALINE: Final = 0.5


@lru_cache(maxsize=1 << 15)
def promise(display: Display) -> float:
    """The points that *display* will bring its owner, roughly; what others get for its hematite is taken
    off."""
    made = float(sum(worth(display).values())) - FOREIGN_HEMATITE * count(display, HEMATITE)
    left = (FULL - cards_in(display)) / FULL
    if not left:
        return made
    tourmalines = min(count(display, "t"), len(TOURMALINE) - 2)
    more = NEXT_TOURMALINE * (TOURMALINE[tourmalines + 1] - TOURMALINE[tourmalines])
    more += ODD_AMETHYST * (count(display, "a") % 2)
    more += OPEN_RUBY * _open_ends(display, "r", single=True)
    more += OPEN_DIAMOND * sum(len(group) for group in groups(display, "d"))
    return made + min(1.0, 1.5 * left) * (more + _emeralds(display))


def _is_open(display: Display, column: int, row: int) -> bool:
    """Whether a card can still come to lie in this cell."""
    return 0 <= column < len(COLUMNS) and len(display[column]) <= row < ROWS


def _open_ends(display: Display, crystal: str, *, single: bool) -> int:
    """How many segments of a crystal have a side with nothing behind it yet; *single*: of those that touch no other."""
    touching = across_edges(segments(display, crystal))
    return sum(
        any(_is_open(display, column, row) for column, row, _ in facing(segment))
        for segment, others in touching.items()
        if not (single and others)
    )


_PETALS: Final = (((0, 0), "ne"), ((1, 0), "nw"), ((0, 1), "se"), ((1, 1), "sw"))


def _emeralds(display: Display) -> float:
    """What the emerald flowers promise that have been begun."""
    owners = {(each.column, each.row, each.corner) for each in segments(display, "e")}
    found = 0.0
    for column, row in product(range(len(COLUMNS) - 1), range(ROWS - 1)):
        begun = 0
        for (across, up), corner in _PETALS:
            if (column + across, row + up, corner) in owners:
                begun += 1
            elif not _is_open(display, column + across, row + up):
                break
        else:
            found += BEGUN_EMERALDS[begun]
    return found


@lru_cache(maxsize=1 << 15)
def laid_best(display: Display, card: str) -> float:
    """What *display* promises once *card* is laid where it does most good."""
    return max(
        promise(with_card(display, column, card, corner))
        for column, cards in enumerate(display)
        if len(cards) < ROWS
        for corner in CORNERS
    )


@lru_cache(maxsize=1 << 14)
def covered_best(display: Display, piece: str) -> float:
    """What *display* promises once *piece* lies where it does most good; it has to lie somewhere."""
    cells = [(COLUMNS.index(cell[0]), int(cell[1]) - 1) for cell in cells_for(display, piece)]
    return max((promise(with_piece(display, *cell, piece)) for cell in cells), default=promise(display))


def prospect(state: Position, seat: int) -> float:
    """The promise of the own display against that of the best other one."""
    found = []
    for owner, display in enumerate(state.displays):
        if state.card is not None and owner == state.turn:
            value = laid_best(display, state.card)
        elif state.piece is not None and owner == state.receiver:
            value = covered_best(display, state.piece)
        else:
            value = promise(display)
        found.append(value + AWARD * (COLOURS[owner] in state.due))
    ahead = found[seat] - max(value for owner, value in enumerate(found) if owner != seat)
    left = 1 - sum(map(cards_in, state.displays)) / (FULL * state.seats)
    return min(max(1 / (1 + exp(-ahead / (EVEN * (1 + left)))), 0.015), 0.985)
