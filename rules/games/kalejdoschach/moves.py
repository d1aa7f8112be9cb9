"""Who may go where (page, section 4).

The paths of a kind of piece never change, so they are walked once, on the first use of that kind. What stands on the
board decides only which of them are open: for each destination it is enough to know the sets of fields in between.
"""

from collections.abc import Iterator
from functools import cache, lru_cache, reduce
from itertools import compress
from operator import is_not, or_
from typing import Final, NamedTuple

from msgspec import Struct

from rules.games.kalejdoschach.board import (
    ALLOWED,
    KINDS,
    NAMES,
    RING,
    Board,
    Kind,
    edges,
    edges_and_corners,
)


class Move(Struct, frozen=True):
    """One piece goes from a field to another and takes what stands there, if anything does.

    >>> str(Move("1b", "2f")), str(Move("1b", "2f", takes=True))
    ('1b-2f', '1b+2f')
    """

    source: str
    target: str
    takes: bool = False

    def __str__(self) -> str:
        return f"{self.source}{'+' if self.takes else '-'}{self.target}"

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.source, self.target)


BIT: Final = tuple(1 << number for number in range(len(NAMES)))
"""A set of fields is a number with one bit for each of them."""

Landing = tuple[tuple[int, ...], Move, Move]
"""A destination: the sets of fields of which one must be empty, the move there, and the move that takes."""


def paths(kind: Kind, start: int) -> Iterator[tuple[int, ...]]:
    """Every path of a kind of piece from a field, both ends included, as if the board were empty.

    >>> [tuple(NAMES[field] for field in path) for path in paths(KINDS["h"], NAMES.index("1j"))][:3]
    [('1j', '1g', '1f'), ('1j', '1g', '1h'), ('1j', '1i', '1f')]
    """
    near = edges_and_corners() if kind.flies else edges()

    def longer(path: tuple[int, ...], crossings: int) -> Iterator[tuple[int, ...]]:
        if len(path) > kind.steps:  # exactly so many steps
            yield path
            return
        here = path[-1]
        for field in near[here]:
            crossed = crossings + (RING[field] != RING[here])
            if field not in path and crossed <= kind.crossings:
                yield from longer((*path, field), crossed)

    return longer((start,), 0)


@cache
def landings(letter: str) -> tuple[dict[int, Landing], ...]:
    """Where a kind of piece may land from each field, by field number and in field order.

    A walker needs one path whose fields in between are all empty. A flyer passes over everything: nothing needs to
    be empty, and its destinations never depend on other pieces.
    """
    kind = KINDS[letter]
    table = []
    for start, source in enumerate(NAMES):
        between: dict[int, set[int]] = {}
        for path in paths(kind, start):
            passed = 0 if kind.flies else sum(BIT[field] for field in path[1:-1])
            between.setdefault(path[-1], set()).add(passed)
        table.append(
            {
                end: (tuple(sorted(between[end])), Move(source, NAMES[end]), Move(source, NAMES[end], takes=True))
                for end in sorted(between)
            }
        )
    return tuple(table)


class Reach(NamedTuple):
    """Where one kind of piece may go from one field: what `landings` says, as the lists of moves are made from it.

    *free*: nothing in between ever matters. *near*: the set of all fields that do matter, for the path or at its end.
    """

    landings: tuple[tuple[int, Landing], ...]
    free: bool
    near: int


@cache
def reaches(letter: str) -> tuple[Reach, ...]:
    """By field number."""
    return tuple(map(_reach, landings(letter)))


def _reach(ends: dict[int, Landing]) -> Reach:
    between = [passed for sets, _, _ in ends.values() for passed in sets]
    return Reach(tuple(ends.items()), not any(between), reduce(or_, between, sum(BIT[end] for end in ends)))


@lru_cache(maxsize=1 << 15)
def _open(letter: str, start: int, near: int) -> tuple[Move, ...]:
    """The moves of a kind of piece from a field, where of the fields near it these are occupied.

    Most pieces have nothing new around them since they were last looked at, so most of these lists are known.
    """
    found = []
    for end, (between, step, capture) in reaches(letter)[start].landings:
        for passed in between:
            if not passed & near:
                found.append(capture if BIT[end] & near else step)
                break
    return tuple(found)


_NOBODY: Final = (None,) * len(NAMES)
_ALL: Final = range(len(NAMES))


def _taken(board: Board) -> list[bool]:
    """For each field whether a piece stands there."""
    return list(map(is_not, board, _NOBODY))


def occupied(board: Board) -> int:
    """The set of all fields with a piece."""
    return sum(compress(BIT, _taken(board)))


def moves(board: Board, seat: int, die: int | None) -> list[Move]:
    """The legal moves of a seat in the order of section 9; the die, if there is one, says with which pieces."""
    allowed = KINDS if die is None else ALLOWED[die]
    taken = _taken(board)
    full = sum(compress(BIT, taken))
    found: list[Move] = []
    for start in compress(_ALL, taken):
        piece = board[start]
        if piece is not None and piece.seat == seat and (kind := piece.kind) in allowed:
            found += _open(kind, start, full & reaches(kind)[start].near)
    return found


def can_move(board: Board, seat: int, die: int | None) -> bool:
    """Whether a seat has a legal move."""
    allowed = KINDS if die is None else ALLOWED[die]
    for start, piece in enumerate(board):
        if piece is not None and piece.seat == seat and (kind := piece.kind) in allowed:
            reach = reaches(kind)[start]
            if reach.free or _open(kind, start, occupied(board) & reach.near):
                return True
    return False
