"""The review of a finished game: all chances over the turns, and the turning points. Pure.

It names no person: seats and names come from the table.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct, field

from bot.chat import MessageId

POINTS = 3
WORTH_TELLING = 4
"""The smallest swing of a turning point, in per cent."""

Chances = tuple[float, ...]
"""The chances of every seat, in per cent."""


class TurningPoint(Struct, frozen=True, omit_defaults=True):
    """A turn with a large swing.

    *turn*: its number, from 0. *first*, *last*: the positions before and after it, as numbers of actions. *instead*:
    the house's choice for the turn, in notation; it may begin with what was played.
    """

    turn: int
    first: int
    last: int
    instead: tuple[str, ...] = ()


class Review(Struct, frozen=True, omit_defaults=True):
    """The *chances* at the beginning and after each turn, and the turning points."""

    chances: tuple[Chances, ...]
    points: tuple[TurningPoint, ...] = ()


class ReviewPost(Struct, frozen=True, omit_defaults=True):
    """The public post of a review.

    *message* None: it is being posted until *until_ms* at most, by the process with this *claim*. *relocations*: how
    often the table had moved to another place.
    """

    until_ms: int
    claim: str
    message: MessageId | None = None
    relocations: int = field(default=0, name="moves")


def swing(before: Chances, after: Chances) -> float:
    """Return the part of the chances that moved between seats.

    >>> swing((50.0, 50.0), (80.0, 20.0))
    30.0
    """
    return sum(abs(one - other) for one, other in zip(before, after, strict=True)) / 2


def swing_for(seat: int, point: TurningPoint, chances: Sequence[Chances]) -> float:
    """Return how much the chance of *seat* rose at *point*, in per cent.

    >>> swing_for(1, TurningPoint(0, 0, 1), [(60.0, 40.0), (20.0, 80.0)])
    40.0
    """
    before, after = chances[point.turn : point.turn + 2]
    return after[seat] - before[seat]


def turning_points(
    chances: Sequence[Chances], numbers: Sequence[int], most: int = POINTS, least: float = WORTH_TELLING
) -> tuple[TurningPoint, ...]:
    """Return the turns with the largest swings, in the order of the game: at most *most*, of at least *least* per cent.

    *numbers*: of the positions of *chances*. The last turn of a leader who wins decides nothing, so it is included only
    if there are few others.

    >>> [point.turn for point in turning_points([(50, 50), (80, 20), (75, 25), (20, 80), (0, 100)], [0, 1, 2, 3, 4])]
    [0, 1, 2]
    >>> [point.turn for point in turning_points([(50, 50), (80, 20), (75, 25), (20, 80), (100, 0)], [0, 1, 2, 3, 4])]
    [0, 2, 3]
    """
    turns = [(swing(*pair), turn) for turn, pair in enumerate(pairwise(chances))]
    *_, before, last = chances if len(chances) > 1 else ((), ())
    is_decided = bool(last) and last[before.index(max(before))] == max(last)
    candidates = [(is_decided and turn == len(turns) - 1, -size, turn) for size, turn in turns if size >= least]
    chosen = sorted(turn for _, _, turn in sorted(candidates)[:most])
    return tuple(TurningPoint(turn, numbers[turn], numbers[turn + 1]) for turn in chosen)


def most_changed(before: Chances, after: Chances, actor: int) -> int:
    """Return the seat with the largest change of chances; the *actor* among equals.

    >>> most_changed((50.0, 50.0), (40.1, 59.9), 1), most_changed((30.0, 40.0, 30.0), (31.0, 30.0, 39.0), 0)
    (1, 1)
    """
    sizes = [round(abs(one - other)) for one, other in zip(before, after, strict=True)]
    return actor if sizes[actor] == max(sizes) else sizes.index(max(sizes))


def in_per_cent(chances: Sequence[float]) -> Chances:
    """Return *chances* in per cent, rounded.

    >>> in_per_cent((0.25, 0.7512))
    (25.0, 75.1)
    """
    return tuple(round(100 * chance, 1) for chance in chances)
