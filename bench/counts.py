"""Counting lines of moves from the start: KalejdoSchach here, chess in python-chess, in the same run.

Two ways of counting, each compared with its like:

- *pushed*: every position at the last depth is made (``play`` here, which also checks that the move is legal and who
  moves next; ``push`` and ``pop`` there);
- *counted*: at the last ply only the legal moves are counted (the length of ``actions()``; ``legal_moves.count()``).
"""

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from rules import GAMES
from rules.__main__ import count

GAME = "kalejdoschach"
PEER = "chess"  # python-chess, which only the bench needs


class Speed(NamedTuple):
    """Leaves, and how many of them in a second of CPU time."""

    what: str
    leaves: int
    per_second: float


def measured(what: str, counting: Callable[[], int]) -> Speed:
    """The best of three runs."""
    seconds = []
    for _ in range(3):
        begun = time.process_time()
        leaves = counting()
        seconds.append(time.process_time() - begun)
    return Speed(what, leaves, leaves / min(seconds))


def played(state: Any, depth: int) -> int:
    """How many positions lie *depth* moves ahead, each of them made."""
    if not depth:
        return 1
    return sum(played(state.play(action), depth - 1) for action in state.actions())


def pushed(board: Any, depth: int, at_the_end: Callable[[Any], int] | None = None) -> int:
    """The same for a chess board; *at_the_end* counts the last ply without making it."""
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


def speeds() -> tuple[tuple[Speed, Speed], ...]:
    """Ours and the peer's, pushed and counted."""
    start = GAMES[GAME].start(seats=2, options={"draw": "off"})
    board = import_module(PEER).Board()
    count(start, 1)  # the tables of moves are made on first use
    return (
        (
            measured(f"{GAME}, depth 2, pushed", lambda: played(start, 2)),
            measured(f"python-{PEER}, depth 3, pushed", lambda: pushed(board, 3)),
        ),
        (
            measured(f"{GAME}, depth 3, counted", lambda: count(start, 3)),
            measured(
                f"python-{PEER}, depth 4, counted", lambda: pushed(board, 4, lambda last: last.legal_moves.count())
            ),
        ),
    )


def main() -> None:
    for pair in speeds():
        for speed in pair:
            print(f"{speed.what:32} {speed.leaves:9,} leaves {speed.per_second:12,.0f} a CPU second")
        print(f"{'':32} ratio {pair[0].per_second / pair[1].per_second:.2f}")


if __name__ == "__main__":
    main()
