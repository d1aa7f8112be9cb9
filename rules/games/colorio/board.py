"""The board: fields, caps, colours, and the strips from which the colours come."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeVar

from msgspec import Struct

from rules.chance import Chance
from rules.squares import squares

T = TypeVar("T")

GRID: Final = squares(5, 5)
"""The fields a1 to e5. A board is a tuple in field order: a1 b1 … e1 a2 … e5."""
WIDTH: Final = len(GRID.columns)


class Colour(StrEnum):
    BLUE = "b"
    GREEN = "g"
    YELLOW = "y"
    RED = "r"
    ORANGE = "o"

    @property
    def word(self) -> str:
        """The id of its texts: ``part.<word>``, ``hint.<word>``.

        >>> Colour("b").word
        'blue'
        """
        return self.name.lower()


EACH: Final = 5
"""Number of fields of each colour."""


class Cap(StrEnum):
    """The mark of a field. SEEN: covered, but its colour was visible earlier in this round (memory=off only)."""

    OPEN = "."
    COVERED = "#"
    SEEN = "+"


class Side(StrEnum):
    """The colour of the triangles at the ends of the strips."""

    GREY = "grey"
    WHITE = "white"


STRIPS: Final = {
    Side.GREY: ("bbygb", "gbrgr", "yoyor", "ygrob", "yogor"),
    Side.WHITE: ("ooror", "ygyby", "gbgbr", "rorby", "obygg"),
}
"""The two faces of the five strips, strip 1 first; no face reads the same from both ends (reading 1)."""


class Layout(Struct, frozen=True):
    """The colours of a round, in field order."""

    side: Side
    colours: tuple[Colour, ...]


def draw_layout(chance: Chance) -> Layout:
    """Return a random layout, each equally likely: a side, the order of its strips, and the direction of each.

    >>> layout = draw_layout(Chance(7))
    >>> sorted(layout.colours.count(colour) for colour in Colour)
    [5, 5, 5, 5, 5]
    """
    side = chance.choice(tuple(Side))
    strips = chance.shuffled(STRIPS[side])
    rows = [strip[::-1] if chance.below(2) else strip for strip in strips]
    return Layout(side, tuple(Colour(letter) for row in rows for letter in row))


def rows_of(board: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """Return the five rows of a board given in field order, row 1 first."""
    return tuple(tuple(board[start : start + WIDTH]) for start in range(0, len(board), WIDTH))


def can_be_strips(side: Side, colours: Sequence[Colour | None]) -> bool:
    """Return whether the rows can be the five strips of *side*, each once, in either direction. None matches any
    colour.

    >>> can_be_strips(Side.GREY, [*"bbygb", *"rgrbg", *"yoyor", None, *"grob", *[None] * 5])
    True
    >>> can_be_strips(Side.GREY, [*"bbygb", *"bgybb", *[None] * 15])
    False
    """
    laid = {0}  # the possible sets of strips in the rows so far, one bit per strip
    for row in rows_of(colours):
        fitting = [1 << strip for strip, ends in enumerate(_fitting(side, row)) if ends]
        laid = {earlier | strip for earlier in laid for strip in fitting if not earlier & strip}
    return bool(laid)


@lru_cache(maxsize=1 << 10)
def _fitting(side: Side, row: tuple[Colour | None, ...]) -> tuple[tuple[str, ...], ...]:
    """Return for each strip of *side* the directions in which it matches the known colours of *row*."""
    return tuple(
        tuple(
            end
            for end in (strip, strip[::-1])
            if all(here in (None, there) for here, there in zip(row, end, strict=True))
        )
        for strip in STRIPS[side]
    )


def draw_colours(chance: Chance, side: Side, known: Sequence[Colour | None]) -> tuple[Colour, ...]:
    """Return colours of a board with the strips of *side* that match the *known* ones (None: any).

    Every such board is equally likely. Raises ValueError if there is none.

    The algorithm counts the boards row by row for each set of remaining strips, one bit per strip. Then it draws the
    strip of each row in proportion to the number of boards that continue from it.
    """
    fitting = [_fitting(side, row) for row in rows_of(known)]
    boards = latest = {0: 1}  # remaining strips -> number of ways to fill the last rows with them
    for row in reversed(fitting):
        longer: dict[int, int] = {}
        for unused, ways in latest.items():
            for strip, ends in enumerate(row):
                if ends and not unused >> strip & 1:
                    longer[unused | 1 << strip] = longer.get(unused | 1 << strip, 0) + ways * len(ends)
        boards, latest = boards | longer, longer
    unused = (1 << len(fitting)) - 1
    if unused not in boards:
        raise ValueError("no strips agree with these colours")
    letters = ""
    for row in fitting:
        place = chance.below(boards[unused])
        for strip, ends in enumerate(row):
            if not unused >> strip & 1:
                continue
            rest = boards.get(unused ^ 1 << strip, 0)
            if place < rest * len(ends):
                letters += ends[place // rest]
                unused ^= 1 << strip
                break
            place -= rest * len(ends)
    return tuple(map(Colour, letters))
