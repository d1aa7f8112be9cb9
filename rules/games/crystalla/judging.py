"""The evaluation function: the points of the displays as they are, and the expected points of unfinished patterns.

The constants are averages from games of AI players with such displays.
"""

from functools import lru_cache
from math import exp
from typing import Final

from rules.games.crystalla.actions import Drop, Take
from rules.games.crystalla.codes import Phase
from rules.games.crystalla.components import COLOURS, COLUMNS, HEMATITE, ROWS
from rules.games.crystalla.displays import CORNERS, FULL, Display, cards_in, cells_for, with_card, with_piece
from rules.games.crystalla.patterns import BEHIND, FLOWERS, Part, clusters, parts
from rules.games.crystalla.position import Position
from rules.games.crystalla.scoring import FOREIGN_HEMATITE, TOURMALINE, counted
from rules.games.crystalla.walks import Walk, walks_from, walks_on

EVEN: Final = 9.0
"""Lead in points that makes a win about three times as likely as a loss, at the end; three times as many before the
first turn."""
OWN_PIECE: Final = 2.5
GIVEN_PIECE: Final = -4.0
"""Value of placing a crystal piece: one's own choice, or one that another seat had to give."""
USUAL: Final = 4.5
"""Value of a turn."""
LATE: Final = 4
"""Number of cards before the end from which the value of unfinished patterns shrinks."""
OPEN_RUBY: Final = 4.5
CLOSED_RUBY: Final = 2.5
ODD_AMETHYST: Final = 3.0
OPEN_DIAMOND: Final = 0.4
BEGUN_EMERALDS: Final = (0.0, 1.7, 6.0, 19.0, 0.0)
"""Value of an emerald flower by the number of its segments, if the rest of it is still open."""
NEXT_TOURMALINE: Final = 0.6
LOOSE_HEMATITE: Final = 1.0
"""Value of a hematite segment, because some of them will be covered."""


@lru_cache(maxsize=1 << 15)
def promise(display: Display) -> float:
    """Return an estimate of the points that *display* will score, less those that others get for its hematite."""
    places = parts(display)
    points = float(sum(counted(places).values())) - FOREIGN_HEMATITE * len(places[HEMATITE])
    free = FULL - cards_in(display)
    if not free:
        return points
    is_open = [row >= len(cards) for cards in display for row in range(ROWS)]
    tourmalines = min(len(places["t"]), len(TOURMALINE) - 2)
    more = NEXT_TOURMALINE * (TOURMALINE[tourmalines + 1] - TOURMALINE[tourmalines])
    more += ODD_AMETHYST * (len(places["a"]) % 2)
    more += LOOSE_HEMATITE * len(places[HEMATITE])
    for cluster in clusters(places["r"]):
        if len(cluster) % 2:
            more += OPEN_RUBY if _can_grow(cluster, is_open) else CLOSED_RUBY
    more += OPEN_DIAMOND * sum(
        [len(group) for group in clusters(places["d"], within=True) if _can_grow(group, is_open)]
    )
    emeralds = set(places["e"])
    for flower in FLOWERS if emeralds else ():
        begun = [part in emeralds for part in flower]
        if all(is_emerald or is_open[part[0] >> 2] for is_emerald, part in zip(begun, flower, strict=True)):
            more += BEGUN_EMERALDS[sum(begun)]
    return points + min(1.0, free / LATE) * more


def _can_grow(cluster: list[Part], is_open: list[bool]) -> bool:
    """Return whether a side of the cluster faces an open cell."""
    return any(BEHIND[side] >= 0 and is_open[BEHIND[side] >> 2] for part in cluster for side in part)


@lru_cache(maxsize=1 << 15)
def laid_best(display: Display, card: str) -> float:
    """Return the promise of *display* after *card* is laid in the best place."""
    return max(
        promise(with_card(display, column, card, corner))
        for column, cards in enumerate(display)
        if len(cards) < ROWS
        for corner in CORNERS
    )


@lru_cache(maxsize=1 << 14)
def covered_best(display: Display, piece: str) -> float:
    """Return the promise of *display* after *piece* covers the best segment; the receiver has to place it."""
    cells = [(COLUMNS.index(cell[0]), int(cell[1]) - 1) for cell in cells_for(display, piece)]
    return max((promise(with_piece(display, *cell, piece)) for cell in cells), default=promise(display))


def win_probability(state: Position, seat: int) -> float:
    """Compare the promise of the own display with that of the best other one, each after its next turn."""
    values = [_foreseen(state, owner) for owner in range(state.seats)]
    ahead = values[seat] - max(value for owner, value in enumerate(values) if owner != seat)
    unfilled = 1 - sum(map(cards_in, state.displays)) / (FULL * state.seats)
    return min(max(1 / (1 + exp(-ahead / (EVEN * (1 + 2 * unfilled)))), 0.015), 0.985)


def _foreseen(state: Position, owner: int) -> float:
    """Return the promise of *owner*'s display after the rest of the turn; for other seats after their next turn, too,
    with the stones as they are, less the usual value of a turn."""
    display, phase, turn = state.displays[owner], state.phase, state.turn
    piece = (OWN_PIECE if owner == turn else GIVEN_PIECE) if COLOURS[owner] in state.due else 0.0
    if phase == Phase.SWAP or phase == Phase.PLACE or turn is None:
        return promise(display)
    if phase == Phase.DROP:
        return _best_turn(state, owner, _walk_on(state)) if owner == turn else promise(display)
    if state.card is not None and owner == turn:
        return laid_best(display, state.card) + piece
    if state.piece is not None and owner == state.receiver:
        return covered_best(display, state.piece) + piece
    moved = (turn - 1) % state.seats if phase == Phase.TAKE else turn
    if owner == moved or cards_in(display) == FULL:
        return promise(display) + piece
    return _best_turn(state, owner, walks_from(state.stones, owner, state.seats)) - USUAL + piece


def _walk_on(state: Position) -> frozenset[Walk]:
    """Return the results of the current walk."""
    steps = [0, *[action.stack for action in state.now if isinstance(action, Take | Drop)]]
    fallen = frozenset([(action.colour, action.stack) for action in state.now if isinstance(action, Drop)])
    return walks_on(state.stones, state.carry, steps[-2], steps[-1], fallen, state.seats)


def _best_turn(state: Position, owner: int, walks: frozenset[Walk]) -> float:
    """Return the promise of *owner*'s display after the best of these *walks*; it counts a piece for another seat as a
    gain."""
    display, colour, stacks = state.displays[owner], COLOURS[owner], state.stacks
    values = [promise(display)]
    for place, due in walks:
        card = next(iter(stacks[place][-1:]), None)  # a stack is empty until its refill is chosen
        if card is not None:
            own = colour in due
            values.append(laid_best(display, card) + OWN_PIECE * own - GIVEN_PIECE * (len(due) - own))
    return max(values[1:] or values)
