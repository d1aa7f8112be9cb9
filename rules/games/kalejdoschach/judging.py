"""The evaluation function: pieces, their destinations, and above all castles."""

from functools import cache
from math import exp
from typing import Final

from rules.games.kalejdoschach.board import ALLOWED, CASTLES, KINDS, NUMBER
from rules.games.kalejdoschach.moves import Move, landings, occupied
from rules.games.kalejdoschach.position import Position

_CASTLES: Final = tuple(NUMBER[castle] for castle in CASTLES)
REACH: Final = 0.3
"""Value of a piece for each destination of its kind, averaged over the board."""
NEAR_CASTLE: Final = 0.35
"""Additional value for each castle among its destinations on an empty board."""
HELD: Final = (0.0, 0.0, 4.0, 7.0, 9.0, 10.0)
"""Value by number of castles held: the second one saves the game when the first is lost."""
EVEN: Final = 6.0
"""Lead that makes a win about three times as likely as a loss."""
THREAT: Final = 5.0
"""Cost of a last castle that another seat can take, although it is the holder's turn."""
SURE: Final = 0.985


@cache
def _values() -> dict[str, tuple[float, ...]]:
    """Return kind -> the value of such a piece, by field number."""
    values = {}
    for letter in KINDS:
        ends = landings(letter)
        base = REACH * sum(map(len, ends)) / len(ends)
        values[letter] = tuple(base + NEAR_CASTLE * sum(castle in there for castle in _CASTLES) for there in ends)
    return values


def win_probability(state: Position, seat: int) -> float:
    """Compare the pieces and castles of *seat* with those of the strongest other one.

    An actor that can take the last castle of the only other seat has practically won.
    """
    values = _values()
    worth, held = [0.0] * state.seats, [0] * state.seats
    for number, piece in enumerate(state.board):
        if piece is not None:
            worth[piece.seat] += values[piece.kind][number]
    last = dict[int, int]()
    for castle in _CASTLES:
        piece = state.board[castle]
        if piece is not None:
            held[piece.seat] += 1
            last[piece.seat] = castle
    actor, playing = state.actor, state.playing
    assert actor is not None
    for holder in playing:
        if held[holder] == 1:
            if holder != actor and _can_take(state, actor, last[holder]):
                if len(playing) == 2:
                    return SURE if seat == actor else 1 - SURE
                worth[holder] /= 2
                worth[actor] += THREAT
            if holder == actor and any(_can_take(state, other, last[holder]) for other in playing if other != holder):
                worth[holder] -= THREAT
        worth[holder] += HELD[held[holder]]
    if seat not in playing:
        return 1 - SURE
    ahead = worth[seat] - max(worth[other] for other in playing if other != seat)
    return min(max(1 / (1 + exp(-ahead / EVEN)), 1 - SURE), SURE)


def _can_take(state: Position, seat: int, target: int) -> bool:
    """Return whether a piece of *seat* could go to the field number *target* if it were its turn."""
    full = None
    allowed = KINDS if state.die is None or seat != state.actor else ALLOWED[state.die]
    for number, piece in enumerate(state.board):
        if piece is not None and piece.seat == seat and piece.kind in allowed:
            landing = landings(piece.kind)[number].get(target)
            if landing is not None:
                if full is None:
                    full = occupied(state.board)
                if not all(passed & full for passed in landing[0]):
                    return True
    return False


def tactical(state: Position, moves: list[Move]) -> list[Move]:
    """Return captures of others' pieces: on castles first, then the most valuable by the least valuable."""
    values, board, seat = _values(), state.board, state.actor
    captures: list[tuple[float, int, Move]] = []
    for move in moves:
        if move.takes:
            start, end = NUMBER[move.source], NUMBER[move.target]
            victim, taker = board[end], board[start]
            if victim is not None and taker is not None and victim.seat != seat:
                gain = values[victim.kind][end] - values[taker.kind][start] / 10 + 20 * (end in _CASTLES)
                captures.append((gain, len(captures), move))
    captures.sort(reverse=True)
    return [move for _, _, move in captures]
