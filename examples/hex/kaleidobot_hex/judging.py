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


def levels(board: Board, seat: int, last: int, own: int, empty: int) -> list[int]:
    """Return for 0, 1, 2 … empty fields the fields that *seat* reaches with them from the edge *last*."""
    near = board.edges[seat][last] | board.behind(seat, last, empty)
    reached = _joined(board, near & own, own, empty)
    found = [reached]
    while True:
        fresh = (near | board.around(reached) | board.bridged(reached, empty)) & empty & ~reached
        if not fresh:
            return found
        reached = _joined(board, reached | fresh, own, empty)
        found.append(reached)


def _joined(board: Board, fields: int, own: int, empty: int) -> int:
    """Return *fields* with all own stones that touch them or are a bridge away."""
    while True:
        more = (board.around(fields) | board.bridged(fields, empty)) & own & ~fields
        if not more:
            return fields
        fields |= more


def way(board: Board, seat: int, own: int, other: int) -> Way:
    """Return the shortest ways of *seat* with the stones *own* against *other*."""
    empty = board.full & ~own & ~other
    ahead, back = levels(board, seat, 0, own, empty), levels(board, seat, 1, own, empty)
    goal = board.edges[seat][1] | board.behind(seat, 1, empty)
    needs = next((number for number, reached in enumerate(ahead) if reached & goal & (own | empty)), board.size**2)
    fields = 0
    for number in range(1, needs + 1):
        if number < len(ahead) and needs + 1 - number < len(back):
            here = ahead[number] & ~ahead[number - 1]
            fields |= here & back[needs + 1 - number] & ~back[needs - number]
    return Way(needs, fields & empty)


def win_probability(mine: Way, theirs: Way, *, to_move: bool) -> float:
    """Return the chance of a seat from its ways, those of the other seat, and whether it is to move."""
    ahead = theirs.needs - mine.needs + (TO_MOVE if to_move else -TO_MOVE)
    ways = log((mine.fields.bit_count() + 1) / (theirs.fields.bit_count() + 1))
    return min(max(1 / (1 + exp(-PER_STONE * ahead - PER_WAY * ways)), 0.011), 0.989)
