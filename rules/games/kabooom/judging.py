"""The evaluation function: the towers as they count now, and the towers that can still be climbed."""

from math import exp
from typing import Final

from rules.games.kabooom.position import Position
from rules.games.kabooom.towers import BEATS, GRID

EVEN: Final = 3.0
"""Lead in points that makes a win about three times as likely as a loss."""
IN_REACH: Final = 0.35
"""Share of a tower's points that counts as gained by a seat that can climb it."""
MOBILE: Final = 0.06
"""Value of an own tower for each neighbour onto which it can climb."""


def win_probability(state: Position, seat: int) -> float:
    """Compare the present points of *seat*, with those in its reach, with those of the best other seat."""
    board, worth = state.board, [0.0] * state.seats
    tops = [(int(tower[-2]), tower[-1]) if tower else None for tower in board]
    points = [state.points(tower) if tower else 0 for tower in board]
    heights = [len(tower) // 2 - tower.count("d") if tower else 0 for tower in board]
    for field, top in enumerate(tops):
        if top is None:
            continue
        owner, kind = top
        beats, reached = BEATS[kind], 0.0
        for other in GRID.around[field]:
            prey = tops[other]
            if prey is not None and prey[1] in beats:
                worth[owner] += MOBILE
                if prey[0] != owner:
                    reached = max(reached, points[other] + min(heights[field], 1))
        worth[owner] += points[field] + IN_REACH * reached
    ahead = worth[seat] - max(worth[other] for other in range(state.seats) if other != seat)
    return min(max(1 / (1 + exp(-ahead / EVEN)), 0.015), 0.985)
