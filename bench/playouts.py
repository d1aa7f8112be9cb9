"""How fast random games are played through the public interface, next to python-chess.

    python -m bench.playouts [SECONDS]

A move is one round of: list every legal action, choose one at random, play it. The games and the yardstick take turns
in short slices of one process, so that a busy machine slows all of them alike; only CPU time is counted.
"""

import random
import sys
from collections.abc import Iterator
from itertools import count, cycle, islice
from time import process_time
from typing import Any

from rules import GAMES, Game

YARDSTICK = "python-chess"
SLICE = 0.1
BATCH = 100


def moves_of(game: Game) -> Iterator[None]:
    """Random games one after the other, with every number of seats and every choice of options; a step is a move."""
    luck = random.Random(1)
    for number, seats in zip(count(), cycle(game.seats)):
        options = {option.name: option.choices[number % len(option.choices)] for option in game.options}
        state: Any = _begin(game, seats, options, number)
        while state.actor is not None:
            state = state.play(luck.choice(state.actions()))
            yield


def _begin(game: Game, seats: int, options: dict[str, str], seed: int) -> Any:
    """A game with these options, or with the defaults where they do not fit the number of seats."""
    try:
        return game.start(seats, options, seed)
    except ValueError:
        return game.start(seats, None, seed)


def moves_of_chess() -> Iterator[None]:
    """Random games of python-chess, each to its last legal move or fifty moves without a capture or a pawn's move."""
    import chess

    luck = random.Random(1)
    while True:
        board = chess.Board()
        while board.halfmove_clock < 100 and (moves := list(board.legal_moves)):
            board.push(luck.choice(moves))
            yield


def playouts(seconds: float = 2.0) -> dict[str, float]:
    """Moves per CPU second of python-chess and of every game, each played for so many CPU *seconds*."""
    running = {YARDSTICK: moves_of_chess()} | {name: moves_of(game) for name, game in GAMES.items()}
    spent, made = dict.fromkeys(running, 0.0), dict.fromkeys(running, 0)
    while min(spent.values()) < seconds:
        for name, moves in running.items():
            start = process_time()
            while (now := process_time()) - start < SLICE:
                made[name] += sum(1 for _ in islice(moves, BATCH))
            spent[name] += now - start
    return {name: made[name] / spent[name] for name in running}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    found = playouts(seconds)
    for name, speed in found.items():
        sys.stdout.write(f"{name:14} {speed:10,.0f} moves a CPU second  {speed / found[YARDSTICK]:6.2f}\n")


if __name__ == "__main__":
    main()
