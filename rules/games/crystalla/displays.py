"""The displays that people build: the position of a card, and the crystals and contacts of its two segments.

A laid card is a string: its code, the corner of the large segment's right angle, then the crystal pieces on it, the
large one first: ``"cd-ne+hl+hs"``. A display is its columns a to d, each a tuple of laid cards from row 1 upwards, in
memory as in the document.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from rules.games.crystalla.components import COLUMNS, ROWS

Display = tuple[tuple[str, ...], ...]

EMPTY: Final[Display] = ((),) * len(COLUMNS)
FULL: Final = len(COLUMNS) * ROWS

CORNERS: Final = ("nw", "ne", "se", "sw")
OPPOSITE: Final = {"nw": "se", "ne": "sw", "se": "nw", "sw": "ne"}
FACING: Final = {"n": (0, 1, "s"), "e": (1, 0, "w"), "s": (0, -1, "n"), "w": (-1, 0, "e")}
"""For each side of a cell: steps to the right and up to the next cell, and the side of that cell."""
_PIECES: Final = 5
"""Index of the first piece in the string of a laid card."""


def cards_in(display: Display) -> int:
    """
    >>> cards_in((("ta-nw",), ("rc-se", "he-ne"), (), ()))
    3
    """
    return sum(map(len, display))


def with_card(display: Display, column: int, card: str, corner: str) -> Display:
    """Return the display with the card on top of a column. Rulebook: Anlegeregeln."""
    return (*display[:column], (*display[column], f"{card}-{corner}"), *display[column + 1 :])


def with_piece(display: Display, column: int, row: int, piece: str) -> Display:
    """Return the display with a crystal piece on the card in that column and row, both 0-based."""
    cards = display[column]
    changed = (*cards[:row], covered(cards[row], piece), *cards[row + 1 :])
    return (*display[:column], changed, *display[column + 1 :])


def covered(laid: str, piece: str) -> str:
    """
    >>> covered("cd-ne+hs", "hl"), covered("cd-ne", "hs")
    ('cd-ne+hl+hs', 'cd-ne+hs')
    """
    return f"{laid}+{piece}" if piece[1] == "s" else f"{laid[:_PIECES]}+{piece}{laid[_PIECES:]}"


def carries(laid: str, shape: str) -> bool:
    """Return whether a crystal piece covers the segment of this shape.

    >>> carries("cs-se+hl", "l"), carries("cs-se+hl", "s")
    (True, False)
    """
    return shape in laid[_PIECES:]  # no crystal is called l or s


def printed(laid: str, shape: str) -> str:
    """Return the crystal printed on the segment of this shape."""
    return laid[0] if shape == "l" else laid[1]


def fits(laid: str, piece: str) -> bool:
    """Return whether the piece may cover its segment: a bare one with another printed crystal. Rulebook:
    Kristallstücke.

    >>> fits("cd-ne", "hl"), fits("cd-ne", "cl"), fits("cd-ne+tl", "hl"), fits("cd-ne+tl", "ts")
    (True, False, False, True)
    """
    shape = piece[1]
    return printed(laid, shape) != piece[0] and not carries(laid, shape)


def cells_for(display: Display, piece: str) -> Iterator[str]:
    """Yield the cells in which the piece fits: column by column, each from the bottom up. Rulebook: Kristallstücke."""
    return (
        f"{name}{row}"
        for name, cards in zip(COLUMNS, display, strict=True)
        for row, laid in enumerate(cards, 1)
        if fits(laid, piece)
    )


def shown(laid: str) -> tuple[str, str]:
    """Return the visible crystals of the large and of the small segment.

    >>> shown("cd-se"), shown("cd-se+hl"), shown("cd-se+ts"), shown("cd-se+hl+ts")
    (('c', 'd'), ('h', 'd'), ('c', 't'), ('h', 't'))
    """
    large = laid[6] if laid[7:8] == "l" else laid[0]
    return large, laid[-2] if laid[-1] == "s" else laid[1]  # no corner ends in s


class Segment(Struct, frozen=True):
    """A segment in a display: column and row from 0, shape, visible crystal, and the corner that it owns.

    It also owns the two sides that meet in its corner: their letters are those of the corner.
    """

    column: int
    row: int
    shape: str
    crystal: str
    corner: str

    @property
    def cell(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"


def segments(display: Display, crystal: str) -> tuple[Segment, ...]:
    """Return the segments of one crystal: column by column, each from the bottom up, large before small.

    >>> [segment.cell + segment.shape for segment in segments((("ta-nw", "at-se+tl"), ("th-ne",), (), ()), "t")]
    ['a1l', 'a2l', 'a2s', 'b1l']
    """
    matching = []
    for column, cards in enumerate(display):
        for row, laid in enumerate(cards):
            large, small = shown(laid)
            if large == crystal:
                matching.append(Segment(column, row, "l", crystal, laid[3:5]))
            if small == crystal:
                matching.append(Segment(column, row, "s", crystal, OPPOSITE[laid[3:5]]))
    return tuple(matching)


def facing(segment: Segment) -> Iterator[tuple[int, int, str]]:
    """Yield for each of its two sides the one behind it: column, row and side."""
    for side in segment.corner:
        across, up, there = FACING[side]
        yield segment.column + across, segment.row + up, there


def across_edges(matching: tuple[Segment, ...]) -> dict[Segment, tuple[Segment, ...]]:
    """Return for each of these segments the at most two of them that it touches across an edge."""
    owners = {(segment.column, segment.row, side): segment for segment in matching for side in segment.corner}
    return {segment: tuple(owners[place] for place in facing(segment) if place in owners) for segment in matching}
