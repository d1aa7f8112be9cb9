"""How a game went that is over: everybody's chances over the turns, and where it turned. Pure.

It names nobody: who sat where, and what they are called, is told by the table.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from bot.chat import MessageId

POINTS = 3
WORTH_TELLING = 4
"""So many per cent of the chances have to change hands."""

Chances = tuple[float, ...]
"""Of every seat, in per cent."""


class TurningPoint(Struct, frozen=True, omit_defaults=True):
    """A turn after which things stood quite differently, from position *first* to position *last*: so many actions had
    been played by then. *turn*: its place among the turns, from 0. *instead*: what the house would have played, in
    notation."""

    turn: int
    first: int
    last: int
    instead: tuple[str, ...] = ()


class Review(Struct, frozen=True, omit_defaults=True):
    """*chances* at the beginning, and after each turn."""

    chances: tuple[Chances, ...]
    points: tuple[TurningPoint, ...] = ()


class ReviewPost(Struct, frozen=True, omit_defaults=True):
    """Where a review stands for everybody to see, in the place where the table was after so many *moves*. *message*
    None: it is being posted, until *until_ms* at most, by the one whose *claim* it is."""

    until_ms: int
    claim: str
    message: MessageId | None = None
    moves: int = 0


def swing(before: Chances, after: Chances) -> float:
    """How much of the chances has changed hands.

    >>> swing((50.0, 50.0), (80.0, 20.0))
    30.0
    """
    return sum(abs(one - other) for one, other in zip(before, after, strict=True)) / 2


def turning_points(chances: Sequence[Chances], numbers: Sequence[int]) -> tuple[TurningPoint, ...]:
    """The turns in which most changed hands, in the order of the game; *numbers* of the positions that *chances* are
    about. The turn with which whoever led wins decides nothing: it is among them only where there are few others.

    >>> [point.turn for point in turning_points([(50, 50), (80, 20), (75, 25), (20, 80), (0, 100)], [0, 1, 2, 3, 4])]
    [0, 1, 2]
    >>> [point.turn for point in turning_points([(50, 50), (80, 20), (75, 25), (20, 80), (100, 0)], [0, 1, 2, 3, 4])]
    [0, 2, 3]
    """
    turns = [(swing(*pair), turn) for turn, pair in enumerate(pairwise(chances))]
    *_, before, last = chances if len(chances) > 1 else ((), ())
    is_decided = bool(last) and last[before.index(max(before))] == max(last)
    candidates = [(is_decided and turn == len(turns) - 1, -size, turn) for size, turn in turns if size >= WORTH_TELLING]
    chosen = sorted(turn for _, _, turn in sorted(candidates)[:POINTS])
    return tuple(TurningPoint(turn, numbers[turn], numbers[turn + 1]) for turn in chosen)


def most_changed(before: Chances, after: Chances, actor: int) -> int:
    """The seat whose chances changed most; that of the *actor* among equals.

    >>> most_changed((50.0, 50.0), (40.1, 59.9), 1), most_changed((30.0, 40.0, 30.0), (31.0, 30.0, 39.0), 0)
    (1, 1)
    """
    sizes = [round(abs(one - other)) for one, other in zip(before, after, strict=True)]
    return actor if sizes[actor] == max(sizes) else sizes.index(max(sizes))


def in_per_cent(chances: Sequence[float]) -> Chances:
    """
    >>> in_per_cent((0.25, 0.7512))
    (25.0, 75.1)
    """
    return tuple(round(100 * each, 1) for each in chances)
