"""What is in the box: crystals, cards, crystal pieces, stones; and how the stacks lie for each number of seats.

A card is two crystal letters, the large segment first: ``"ta"`` is a large tourmaline and a small amethyst. A crystal
piece is crystal and shape: ``"rl"`` is the large ruby. A heap of stones is a string of colours in the order of
COLOURS: ``"oow"``.
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
"""How often each card is in the deck of 90. Reading 2."""

SHAPES: Final = "ls"
PIECES: Final[Mapping[str, int]] = MappingProxyType(
    {crystal + shape: 6 if crystal == HEMATITE else 2 for shape in SHAPES for crystal in CRYSTALS}
)
"""How often each crystal piece is among the 36: so many large ones and as many small ones. Reading 2."""
OPEN: Final = 4
"""Crystal pieces that lie open, each in a slot of its own: two large ones, then two small ones, to begin with."""

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

    *start*: the stack on which each seat's stones begin. *colours*: the stones in play. *neutral*: their colour that
    belongs to nobody, None where there is none. *beside*: for each stack (0 is none) those that share an edge with it.
    """

    rows: int
    start: tuple[int, ...]
    colours: str
    neutral: str | None
    beside: tuple[tuple[int, ...], ...]

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
        2: Layout(2, (1, 6), "ow", None, _beside(2)),
        3: Layout(3, (1, 3, 8), "owpk", "k", _beside(3)),
        4: Layout(3, (1, 3, 9, 7), "owpk", None, _beside(3)),
    }
)
"""For each number of seats. Rulebook: Spielvorbereitung C; reading 7."""


@cache
def added(stones: str, colour: str) -> str:
    """The heap with one stone more.

    >>> added("ok", "w")
    'owk'
    """
    return "".join(sorted(stones + colour, key=COLOURS.index))


def removed(stones: str, colour: str) -> str:
    """The heap with one stone of *colour* less.

    >>> removed("oow", "o")
    'ow'
    """
    return stones.replace(colour, "", 1)
