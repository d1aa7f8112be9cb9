"""The CPU time and size of boards, next to those of chess bots: python-chess' SVG through cairosvg.

    python -m bench.pictures [PICTURES]

Each picture shows a position of random games that the painter has not seen; the painter is prepared as at a bot's
start. The games and the yardstick take turns in one process, so a busy machine slows all of them alike; only CPU time
counts.
"""

import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle, islice
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from bench import Row
from renderers import Look, SeatLook, Theme, drawers, picture, prepare
from rules import GAMES, Game

YARDSTICK = "python-chess"
NAMES = ("Anna", "Benedikt", "Chloé", "Dmitri", "Eva-Maria", "Finn")
EVERY = 5
"""One of so many positions of a random game is painted."""


class Painted(NamedTuple):
    """CPU milliseconds and kilobytes of a picture: the medians, and the *worst* ones."""

    ms: float
    kilobytes: float
    worst_ms: float
    worst_kilobytes: float


def positions(game: Game) -> Iterator[tuple[Any, Look]]:
    """Yield views of random games, with all numbers of seats, themes and choices of options in turn."""
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
    """Yield calls that paint pictures of *game*."""
    for view, look in positions(game):
        yield partial(picture, view, look)


def chess_boards() -> Iterator[Callable[[], bytes]]:
    """Yield calls of the yardstick: a board with its last move, 1000 pixels wide."""
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


def yardstick_works() -> bool:
    """Return whether python-chess, cairosvg and the system library that it needs are installed."""
    try:
        next(chess_boards())()
    except (ImportError, OSError):
        return False
    return True


def pictures(number: int = 100, *, prepared: bool = True) -> dict[str, Painted]:
    """Return the costs of *number* pictures of each game, and of the yardstick if it works."""
    if prepared:
        prepare()
    queues = {YARDSTICK: chess_boards()} if yardstick_works() else {}
    queues |= {name: boards(GAMES[name]) for name in drawers()}
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


def rows(*, small: bool = False) -> Iterator[Row]:
    costs = pictures(1, prepared=False) if small else pictures()
    yardstick = costs.pop(YARDSTICK, None)
    for name, cost in costs.items():
        ratio = f"{yardstick.ms / cost.ms:.1f} × faster than python-chess' SVG" if yardstick else ""
        yield f"picture, {name}", f"{cost.ms:.1f} ms CPU, {cost.worst_kilobytes:.0f} KB at most", ratio, "≥ 5"


def main() -> None:
    costs = pictures(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    yardstick = costs[YARDSTICK].ms
    for name, cost in costs.items():
        sys.stdout.write(
            f"{name:14} {cost.ms:7.1f} ms CPU (worst {cost.worst_ms:6.1f})  {cost.kilobytes:6.1f} KB"
            f" (worst {cost.worst_kilobytes:6.1f})  {yardstick / cost.ms:5.1f} times faster\n"
        )


if __name__ == "__main__":
    main()
