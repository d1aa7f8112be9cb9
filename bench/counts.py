"""The number of move sequences from the start: KalejdoSchach here, chess in python-chess, in the same run.

There are two ways of counting, each compared with its like:

- *pushed*: every position at the last depth is made (``play`` here, which also checks that the move is legal and who
  moves next; ``push`` and ``pop`` there);
- *counted*: at the last ply only the legal moves are counted (the length of ``actions()``; ``legal_moves.count()``).
"""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from bench import Row
from rules import GAMES
from rules.__main__ import count

GAME = "kalejdoschach"
PEER = "chess"  # python-chess, which only the bench needs


class Speed(NamedTuple):
    """The leaves, and how many of them are counted in a second of CPU time."""

    name: str
    leaves: int
    per_second: float


def measured(name: str, counting: Callable[[], int]) -> Speed:
    """Return the best of three runs."""
    seconds = []
    for _ in range(3):
        begun = time.process_time()
        leaves = counting()
        seconds.append(time.process_time() - begun)
    return Speed(name, leaves, leaves / max(min(seconds), 1e-9))


def played(state: Any, depth: int) -> int:
    """Return the number of positions after *depth* moves; each is made."""
    if not depth:
        return 1
    return sum(played(state.play(action), depth - 1) for action in state.actions())


def pushed(board: Any, depth: int, at_the_end: Callable[[Any], int] | None = None) -> int:
    """Return the same for a chess board; *at_the_end* counts the last ply without making it."""
    if at_the_end is not None and depth == 1:
        return at_the_end(board)
    if not depth:
        return 1
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += pushed(board, depth - 1, at_the_end)
        board.pop()
    return leaves


def speeds(less: int = 0) -> Iterator[tuple[Speed, Speed | None]]:
    """Yield ours and the peer's, pushed and counted, *less* plies deep than usual; None if the peer is missing."""
    start = GAMES[GAME].start(seats=2, options={"draw": "off"})
    board = import_module(PEER).Board() if find_spec(PEER) else None
    count(start, 1)  # makes the tables of moves
    ours, theirs = 2 - less, 3 - less
    yield (
        measured(f"{GAME}, depth {ours}, pushed", lambda: played(start, ours)),
        board and measured(f"python-{PEER}, depth {theirs}, pushed", lambda: pushed(board, theirs)),
    )
    yield (
        measured(f"{GAME}, depth {ours + 1}, counted", lambda: count(start, ours + 1)),
        board
        and measured(
            f"python-{PEER}, depth {theirs + 1}, counted",
            lambda: pushed(board, theirs + 1, lambda last: last.legal_moves.count()),
        ),
    )


def rows(*, small: bool = False) -> Iterator[Row]:
    for ours, theirs in speeds(1 if small else 0):
        ratio = f"{ours.per_second / theirs.per_second:.2f} of {theirs.name}" if theirs else ""
        yield ours.name, f"{ours.per_second:,.0f} of {ours.leaves:,} leaves a CPU second", ratio, ""


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row), flush=True)
