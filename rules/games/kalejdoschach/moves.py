"""The moves of pieces.

The paths of a kind of piece never change, so they are computed once, on the first use of that kind. The board decides
only which of them are open: for each destination it is enough to know the sets of fields in between.
"""

from collections.abc import Iterator
from functools import cache, lru_cache, reduce
from itertools import compress, count
from operator import or_
from typing import Final

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


class Move(Struct, frozen=True, gc=False):
    """One piece goes from a field to another and takes the piece there, if there is one.

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
"""A set of fields is an integer with one bit for each of them."""

Landing = tuple[tuple[int, ...], Move, Move]
"""A destination: the sets of fields of which one must be empty, the move there, and the move that takes."""


def paths(kind: Kind, start: int) -> Iterator[tuple[int, ...]]:
    """Yield every path of a kind of piece from a field, both ends included, on an empty board.

    >>> [tuple(NAMES[field] for field in path) for path in paths(KINDS["h"], NAMES.index("1j"))][:3]
    [('1j', '1g', '1f'), ('1j', '1g', '1h'), ('1j', '1i', '1f')]
    """
    near = edges_and_corners() if kind.flies else edges()

    def longer(path: tuple[int, ...], crossings: int) -> Iterator[tuple[int, ...]]:
        if len(path) > kind.steps:  # a move has exactly this number of steps
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
    """Return for each field the landings of a kind of piece, by field number and in field order.

    A walker needs one path whose fields in between are all empty. A flyer passes over everything: nothing needs to be
    empty, so its destinations never depend on other pieces.
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


@cache
def distances(flies: bool, start: int) -> tuple[int, ...]:
    """Return for every field the least number of steps from *start* on an empty board, with any number of crossings.

    >>> distances(False, NAMES.index("1e"))[NAMES.index("1c")], distances(False, NAMES.index("1e"))[NAMES.index("1a")]
    (1, 2)
    """
    near = edges_and_corners() if flies else edges()
    steps_to, border, steps = {start: 0}, {start}, 0
    while border:
        steps += 1
        border = {field for here in border for field in near[here]} - steps_to.keys()
        steps_to |= dict.fromkeys(border, steps)
    return tuple(steps_to[field] for field in range(len(NAMES)))


@cache
def between() -> dict[str, tuple[int, ...]]:
    """Return kind -> for every field the set of all fields on the way of such a piece that starts there."""
    return {
        letter: tuple(
            reduce(or_, (passed for sets, _, _ in ends.values() for passed in sets)) for ends in landings(letter)
        )
        for letter in KINDS
    }


@cache
def near() -> dict[str, tuple[int, ...]]:
    """Return kind -> for every field the set of all fields that matter to such a piece there: on its way, or at its
    end."""
    return {
        letter: tuple(
            reduce(or_, map(BIT.__getitem__, ends), on_the_way)
            for ends, on_the_way in zip(landings(letter), between()[letter], strict=True)
        )
        for letter in KINDS
    }


@cache
def never_stuck() -> str:
    """Return the kinds of pieces that no other piece ever blocks."""
    return "".join(letter for letter in KINDS if not any(between()[letter]))


@lru_cache(maxsize=1 << 15)
def _unblocked(letter: str, start: int, blocked: int) -> list[tuple[int, Move, Move]]:
    """Return the destinations of a kind of piece if these fields on its way are occupied: each as a set of one field,
    with the move there and the move that takes."""
    ends = []
    for end, (ways, step, capture) in landings(letter)[start].items():
        for passed in ways:
            if not passed & blocked:
                ends.append((BIT[end], step, capture))
                break
    return ends


Known = tuple[int, int, dict[int, list[Move]]]
"""A cache for a kind of piece on a field: the fields that matter to it, those of them on its way, and its moves by the
occupied ones of the first."""


@cache
def _known() -> dict[str, tuple[Known, ...]]:
    """Return kind -> for every field its cache.

    Most pieces have nothing new around them since the last look, so most lists of moves are cached.
    """
    return {
        letter: tuple(
            (fields, on_the_way, {}) for fields, on_the_way in zip(near()[letter], between()[letter], strict=True)
        )
        for letter in KINDS
    }


_LISTS: Final = count(1)
_MANY: Final = 1 << 16
"""Number of computed lists after which the caches are cleared."""


def _open(letter: str, start: int, taken: int) -> list[Move]:
    """Return the moves of a kind of piece from a field if these fields near it are occupied."""
    if next(_LISTS) % _MANY == 0:
        _known.cache_clear()
    _, on_the_way, known = _known()[letter][start]
    ends = _unblocked(letter, start, taken & on_the_way)
    known[taken] = opened = [capture if bit & taken else step for bit, step, capture in ends]
    return opened


_ALL: Final = range(len(NAMES))


def occupied(board: Board) -> int:
    """Return the set of all fields with a piece."""
    return sum(compress(BIT, board))


def moves(board: Board, seat: int, die: int | None) -> list[Move]:
    """Return the legal moves of a seat in field order of both ends; the die, if there is one, restricts the pieces."""
    allowed = KINDS if die is None else ALLOWED[die]
    full, pieces = occupied(board), _known()
    legal: list[Move] = []
    for start, piece in zip(compress(_ALL, board), filter(None, board)):  # noqa: B905
        if piece.seat == seat and (kind := piece.kind) in allowed:
            fields, _, known = pieces[kind][start]
            cached = known.get(taken := full & fields)
            legal += _open(kind, start, taken) if cached is None else cached
    return legal


def can_move(board: Board, seat: int, die: int | None) -> bool:
    """Return whether a seat has a legal move."""
    allowed, walkers, flyers = KINDS if die is None else ALLOWED[die], False, never_stuck()
    for piece in filter(None, board):
        if piece.seat == seat and (kind := piece.kind) in allowed:
            if kind in flyers:
                return True
            walkers = True
    return walkers and bool(moves(board, seat, die))
