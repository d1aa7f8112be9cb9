"""The evaluation function: how many stones each seat still needs, if bridges hold, and in how many ways."""

from math import exp, log
from typing import NamedTuple

from kaleidobot_hex.board import Board

PER_STONE = 1.1
PER_WAY = 0.35
TO_MOVE = 0.5
"""Weights: of a stone less than the other seat needs, of more ways to do so, of the turn (in stones)."""


class Way(NamedTuple):
    """The shortest ways of a seat across the board: the empty fields that they need, and all fields on one of them."""

    needs: int
    fields: int


def levels(board: Board, seat: int, start: int, own: int, empty: int) -> list[int]:
    """Return for 0, 1, 2 … stones the cells that *seat* reaches with them from its edge *start* (0 or 1).

    The last set has cells of the other edge, unless that is cut off.
    """
    goal = board.edges[seat][1 - start]
    found, fresh, reached = list[int](), board.edges[seat][start], 0
    while fresh:
        near = 0
        while fresh:  # with the stones that it is joined to
            reached |= fresh
            around = board.around(fresh) | board.bridged(fresh, empty)
            near |= around
            fresh = around & (own | goal) & ~reached
        found.append(reached)
        fresh = 0 if reached & goal else near & empty & ~reached
    return found


def way(board: Board, seat: int, own: int, other: int) -> Way:
    """Return the shortest ways of *seat* with the stones *own* against *other*."""
    empty = board.full & ~own & ~other
    ahead = levels(board, seat, 0, own, empty)
    if not ahead[-1] & board.edges[seat][1]:
        return Way(board.size**2, 0)
    back, fields = levels(board, seat, 1, own, empty)[::-1], 0
    for k in range(1, len(ahead)):
        fields |= ahead[k] & ~ahead[k - 1] & back[k - 1] & ~back[k]
    return Way(len(ahead) - 1, fields & empty)


def win_probability(mine: Way, theirs: Way, *, to_move: bool) -> float:
    """Return the chance of a seat from its ways, those of the other seat, and whether it is to move."""
    ahead = theirs.needs - mine.needs + (TO_MOVE if to_move else -TO_MOVE)
    ways = log((mine.fields.bit_count() + 1) / (theirs.fields.bit_count() + 1))
    return min(max(1 / (1 + exp(-PER_STONE * ahead - PER_WAY * ways)), 0.011), 0.989)
