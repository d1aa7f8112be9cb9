"""The contents of the box: crystals, cards, crystal pieces, stones; and the stacks for each number of seats.

A card is two crystal letters, the large segment first: ``"ta"`` is a large tourmaline and a small amethyst. A crystal
piece is crystal and shape: ``"rl"`` is the large ruby. A heap of stones is a string of colours in the order of COLOURS:
``"oow"``.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from msgspec import Struct

SEATS: Final = range(2, 5)

CRYSTALS: Final = "tarecdh"
NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "t": "tourmaline",
        "a": "amethyst",
        "r": "ruby",
        "e": "emerald",
        "c": "citrine",
        "d": "diamond",
        "h": "hematite",
    }
)
HEMATITE: Final = "h"

_PAIRS: Final = tuple(large + small for large in CRYSTALS for small in CRYSTALS if large != small)
_ONE_MORE: Final = ("ta", "ar", "re", "ec", "cd", "dt")
CARDS: Final[Mapping[str, int]] = MappingProxyType({pair: 3 if pair in _ONE_MORE else 2 for pair in _PAIRS})
"""Number of each card in the deck of 90. Reading 2."""

SHAPES: Final = "ls"
PIECES: Final[Mapping[str, int]] = MappingProxyType(
    {crystal + shape: 6 if crystal == HEMATITE else 2 for shape in SHAPES for crystal in CRYSTALS}
)
"""Number of each crystal piece among the 36, half of them large. Reading 2."""
OPEN: Final = 4
"""Number of open crystal pieces, each in its slot; at first two large ones, then two small ones."""

COLOURS: Final = "owpk"
"""Orange, white, pink, black: the stones of seats 0 to 3; with three seats the black ones are neutral. Reading 8."""
STONES_EACH: Final = 3

HAND: Final = 3
COLUMNS: Final = "abcd"
ROWS: Final = 3
CELLS: Final = tuple(f"{column}{row}" for column in COLUMNS for row in range(1, ROWS + 1))
"""The cells of a display: column by column, each from the bottom up."""


class Layout(Struct, frozen=True):
    """The stacks for one number of seats, numbered from 1, row by row from the top left, three in a row.

    *start*: each seat's first stack; *corners*: the same for each corner of seat 0, clockwise from the top left.
    *colours*: the stones in play. *neutral*: the colour among them that no seat owns,
    or None. *beside*: for each stack (0 is none) the stacks that share an edge with it.
    """

    rows: int
    corners: tuple[tuple[int, ...], ...]
    colours: str
    neutral: str | None
    beside: tuple[tuple[int, ...], ...]

    @property
    def start(self) -> tuple[int, ...]:
        return self.corners[0]

    @property
    def stacks(self) -> range:
        return range(1, len(self.beside))


_IN_A_ROW: Final = 3


def _beside(rows: int) -> tuple[tuple[int, ...], ...]:
    """
    >>> _beside(2)
    ((), (2, 4), (1, 3, 5), (2, 6), (1, 5), (2, 4, 6), (3, 5))
    """
    places = [divmod(number, _IN_A_ROW) for number in range(rows * _IN_A_ROW)]
    return (
        (),
        *(
            tuple(1 + number for number, (down, across) in enumerate(places) if abs(down - y) + abs(across - x) == 1)
            for y, x in places
        ),
    )


LAYOUTS: Final[Mapping[int, Layout]] = MappingProxyType(
    {
        2: Layout(2, ((1, 6), (3, 4), (6, 1), (4, 3)), "ow", None, _beside(2)),
        3: Layout(3, ((1, 3, 8), (3, 9, 4), (9, 7, 2), (7, 1, 6)), "owpk", "k", _beside(3)),
        4: Layout(3, ((1, 3, 9, 7), (3, 9, 7, 1), (9, 7, 1, 3), (7, 1, 3, 9)), "owpk", None, _beside(3)),
    }
)
"""By number of seats. Rulebook: Spielvorbereitung C; reading 7."""


@cache
def added(stones: str, colour: str) -> str:
    """Return the heap with one more stone of *colour*.

    >>> added("ok", "w")
    'owk'
    """
    return "".join(sorted(stones + colour, key=COLOURS.index))


def removed(stones: str, colour: str) -> str:
    """Return the heap with one stone of *colour* less.

    >>> removed("oow", "o")
    'ow'
    """
    return stones.replace(colour, "", 1)
