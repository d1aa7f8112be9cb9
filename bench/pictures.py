"""Measure the CPU time and the size of boards, with python-chess' SVG through cairosvg as the yardstick.

    python -m bench.pictures [PICTURES]

Every picture shows a position of a random game that the painter has not seen; the painter is prepared first, as a bot
does at start. The games and the yardstick take turns in one process, so that other load slows all of them alike; only
CPU time is counted.
"""

import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle, islice
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from renderers import Look, SeatLook, Theme, drawers, picture, prepare
from rules import GAMES, Game

YARDSTICK = "python-chess"
NAMES = ("Anna", "Benedikt", "Chloé", "Dmitri", "Eva-Maria", "Finn")
EVERY = 5
"""Of a random game every fifth position is painted."""


class Painted(NamedTuple):
    """Median CPU milliseconds and kilobytes of a picture; *worst*: the slowest, the largest."""

    ms: float
    kilobytes: float
    worst_ms: float
    worst_kilobytes: float


def positions(game: Game) -> Iterator[tuple[Any, Look]]:
    """Yield views from random games one after the other, with every number of seats, theme and choice of options."""
    luck = random.Random(20)
    for number, seats, theme in zip(count(), cycle(game.seats), cycle(Theme)):
        options = {option.name: option.choices[number % len(option.choices)] for option in game.options}
        try:
            state: Any = game.start(seats, options, number)
        except ValueError:
            state = game.start(seats, None, number)
        look = Look(tuple(map(SeatLook, NAMES[:seats])), theme=theme)
        for step in count():
            if step % EVERY == number % EVERY or state.actor is None:
                yield state.view(None), look
            if state.actor is None:
                break
            state = state.play(luck.choice(state.actions()))


def boards(game: Game) -> Iterator[Callable[[], bytes]]:
    """Yield pictures of *game* to paint."""
    for view, look in positions(game):
        yield partial(picture, view, look)


def chess_boards() -> Iterator[Callable[[], bytes]]:
    """Yield the yardstick: a board with its last move, 1000 pixels wide."""
    import cairosvg
    import chess
    import chess.svg

    luck = random.Random(20)

    def painted(board: chess.Board) -> bytes:
        svg = chess.svg.board(board, lastmove=board.peek() if board.move_stack else None, size=1000)
        png: bytes = cairosvg.svg2png(bytestring=svg.encode())
        return png

    while True:
        board = chess.Board()
        while moves := list(board.legal_moves):
            if len(board.move_stack) % EVERY == 0:
                yield partial(painted, board.copy())
            board.push(luck.choice(moves))


def pictures(number: int = 100) -> dict[str, Painted]:
    """Return the cost of a picture of python-chess and of every game; *number* pictures of each are painted."""
    prepare()
    queues = {YARDSTICK: chess_boards()} | {name: boards(GAMES[name]) for name in drawers()}
    spent: dict[str, list[float]] = {name: [] for name in queues}
    sizes: dict[str, list[float]] = {name: [] for name in queues}
    for _ in range(number):
        for name, queue in queues.items():
            for paint in islice(queue, 1):
                start = process_time()
                png = paint()
                spent[name].append((process_time() - start) * 1000)
                sizes[name].append(len(png) / 1000)
    return {
        name: Painted(median(spent[name]), median(sizes[name]), max(spent[name]), max(sizes[name])) for name in queues
    }


def main() -> None:
    found = pictures(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    yardstick = found[YARDSTICK].ms
    for name, cost in found.items():
        sys.stdout.write(
            f"{name:14} {cost.ms:7.1f} ms CPU (worst {cost.worst_ms:6.1f})  {cost.kilobytes:6.1f} KB"
            f" (worst {cost.worst_kilobytes:6.1f})  {yardstick / cost.ms:5.1f} times faster\n"
        )


if __name__ == "__main__":
    main()
