"""The speed of random games through the public interface, next to python-chess.

    python -m bench.playouts [SECONDS]

A move lists all legal actions, chooses one at random and plays it. The games and the yardstick take turns in short
slices of one process, so a busy machine slows all of them alike; only CPU time counts.
"""

import random
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count, cycle, islice
from time import process_time
from typing import Any

from bench import Row
from rules import GAMES, Game

YARDSTICK = "python-chess"
SLICE_S = 0.1
BATCH = 100
GOALS = {
    "kabooom": "≥ 1.0",
    "kalejdoschach": "≥ 60,000",
    "colorio": "≥ 31,000",
    "crystalla": "≥ 21,000",
    "kaleidoskop": "≥ 80,000",
}


def moves_of(game: Game) -> Iterator[None]:
    """Play random games, with all numbers of seats and choices of options in turn; each step is a move."""
    luck = random.Random(1)
    for number, seats in zip(count(), cycle(game.seats)):
        options = {option.name: option.choices[number % len(option.choices)] for option in game.options}
        state: Any = _begin(game, seats, options, number)
        while state.actor is not None:
            state = state.play(luck.choice(state.actions()))
            yield


def _begin(game: Game, seats: int, options: dict[str, str], seed: int) -> Any:
    """Return a game with these options, or with the defaults if they do not fit the number of seats."""
    try:
        return game.start(seats, options, seed)
    except ValueError:
        return game.start(seats, None, seed)


def moves_of_chess() -> Iterator[None]:
    """Play random games of chess, each to its last legal move or fifty moves without a capture or a pawn's move."""
    import chess

    luck = random.Random(1)
    while True:
        board = chess.Board()
        while board.halfmove_clock < 100 and (moves := list(board.legal_moves)):
            board.push(luck.choice(moves))
            yield


def playouts(seconds: float = 2.0, slice_s: float = SLICE_S) -> dict[str, float]:
    """Return the moves per CPU second of each game, and of python-chess if installed; each plays for *seconds*."""
    running = {YARDSTICK: moves_of_chess()} if find_spec("chess") else {}
    running |= {name: moves_of(game) for name, game in GAMES.items()}
    spent, made = dict.fromkeys(running, 0.0), dict.fromkeys(running, 0)
    while min(spent.values()) < seconds:
        for name, moves in running.items():
            start = process_time()
            while (now := process_time()) - start < slice_s:
                made[name] += sum(1 for _ in islice(moves, BATCH))
            spent[name] += now - start
    return {name: made[name] / spent[name] for name in running}


def rows(*, small: bool = False) -> Iterator[Row]:
    speeds = playouts(0.001, 0.001) if small else playouts()
    yardstick = speeds.pop(YARDSTICK, None)
    for name, speed in speeds.items():
        ratio = f"{speed / yardstick:.2f} of python-chess'" if yardstick else ""
        yield f"random play, {name}", f"{speed:,.0f} moves/CPU s", ratio, GOALS.get(name, "")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    speeds = playouts(seconds)
    for name, speed in speeds.items():
        sys.stdout.write(f"{name:14} {speed:10,.0f} moves a CPU second  {speed / speeds[YARDSTICK]:6.2f}\n")


if __name__ == "__main__":
    main()
