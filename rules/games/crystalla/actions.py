"""The nine kinds of action and their canonical notation.

All possible actions are created once, here; the lists of legal actions choose from them.
"""

import re
from collections.abc import Mapping
from itertools import product
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from rules.games.crystalla.components import CELLS, COLOURS, COLUMNS, CRYSTALS, HAND, LAYOUTS, SHAPES
from rules.games.crystalla.displays import CORNERS


class Keep(Struct, frozen=True, gc=False):
    """Keep the three cards of the hand."""

    @property
    def parts(self) -> tuple[str, ...]:
        return ("keep",)

    def __str__(self) -> str:
        return "keep"


class Swap(Struct, frozen=True, gc=False):
    """Swap one card of the hand, once, for the top card of the deck.

    >>> str(Swap(2))
    'swap2'
    """

    slot: int

    @property
    def parts(self) -> tuple[str, ...]:
        return (str(self),)

    def __str__(self) -> str:
        return f"swap{self.slot}"


class Place(Struct, frozen=True, gc=False):
    """Lay a card of the hand into a column, turned so that the large segment's right angle points to the corner.

    >>> str(Place(2, "b", "ne")), Place(2, "b", "ne").parts
    ('2bne', ('2', 'b', 'ne'))
    """

    slot: int
    column: str
    corner: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (str(self.slot), self.column, self.corner)

    def __str__(self) -> str:
        return f"{self.slot}{self.column}{self.corner}"


class Take(Struct, frozen=True, gc=False):
    """Lift all stones of a stack.

    >>> str(Take(5))
    'take5'
    """

    stack: int

    @property
    def parts(self) -> tuple[str, ...]:
        return (str(self),)

    def __str__(self) -> str:
        return f"take{self.stack}"


class Drop(Struct, frozen=True, gc=False):
    """Drop a stone of this colour on a stack, one step further.

    >>> str(Drop("o", 6))
    'o6'
    """

    colour: str
    stack: int

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.colour, str(self.stack))

    def __str__(self) -> str:
        return f"{self.colour}{self.stack}"


class Fill(Struct, frozen=True, gc=False):
    """Refill the stack that has just been emptied from the bottom of this stack.

    >>> str(Fill(4))
    'fill4'
    """

    stack: int

    @property
    def parts(self) -> tuple[str, ...]:
        return (str(self),)

    def __str__(self) -> str:
        return f"fill{self.stack}"


class Lay(Struct, frozen=True, gc=False):
    """Lay the card taken from the stack.

    >>> str(Lay("b", "ne"))
    'bne'
    """

    column: str
    corner: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.column, self.corner)

    def __str__(self) -> str:
        return f"{self.column}{self.corner}"


class Give(Struct, frozen=True, gc=False):
    """Give an open crystal piece to the owner of a colour.

    >>> str(Give("w", "hl"))
    'w+hl'
    """

    colour: str
    piece: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.colour, self.piece)

    def __str__(self) -> str:
        return f"{self.colour}+{self.piece}"


class Cover(Struct, frozen=True, gc=False):
    """Put the received piece on the card in this cell.

    >>> str(Cover("b2"))
    'b2'
    """

    cell: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.cell,)

    def __str__(self) -> str:
        return self.cell


Action = Keep | Swap | Place | Take | Drop | Fill | Lay | Give | Cover

SLOTS: Final = range(1, HAND + 1)
STACKS: Final = max((layout.stacks for layout in LAYOUTS.values()), key=len)

KEEP: Final = Keep()
SWAPS: Final = tuple(Swap(slot) for slot in SLOTS)
PLACES: Final = tuple(
    tuple(tuple(Place(slot, column, corner) for corner in CORNERS) for column in COLUMNS) for slot in SLOTS
)
"""By slot (from 0) and column (from 0): one action for each corner."""
TAKES: Final = tuple(map(Take, STACKS))
FILLS: Final = tuple(map(Fill, STACKS))
DROPS: Final[Mapping[str, tuple[Drop, ...]]] = MappingProxyType(
    {colour: tuple(Drop(colour, stack) for stack in (0, *STACKS)) for colour in COLOURS}
)
"""By colour and number of the stack."""
LAYS: Final = tuple(tuple(Lay(column, corner) for corner in CORNERS) for column in COLUMNS)
GIVES: Final[Mapping[str, Mapping[str, Give]]] = MappingProxyType(
    {
        colour: MappingProxyType(
            {kind + shape: Give(colour, kind + shape) for kind, shape in product(CRYSTALS, SHAPES)}
        )
        for colour in COLOURS
    }
)
COVERS: Final[Mapping[str, Cover]] = MappingProxyType({cell: Cover(cell) for cell in CELLS})

_CORNER: Final = "|".join(CORNERS)
_FORMS: Final = re.compile(
    rf"""(?P<keep>keep)
    | swap(?P<swap>[1-{HAND}])
    | (?P<slot>[1-{HAND}])(?P<place>[{COLUMNS}])(?P<placed>{_CORNER})
    | take(?P<take>[1-{STACKS[-1]}])
    | (?P<drop>[{COLOURS}])(?P<on>[1-{STACKS[-1]}])
    | fill(?P<fill>[1-{STACKS[-1]}])
    | (?P<lay>[{COLUMNS}])(?P<laid>{_CORNER})
    | (?P<give>[{COLOURS}])\+(?P<piece>[{CRYSTALS}][{SHAPES}])
    | (?P<cover>{"|".join(CELLS)})""",
    re.VERBOSE,
)


def canonical(text: str) -> Action | None:
    """Return the action with this notation; None if there is none. The form alone tells the kinds apart.

    >>> canonical("w+hl"), canonical("W+HL"), canonical("e1")
    (Give(colour='w', piece='hl'), None, None)
    """
    form = _FORMS.fullmatch(text)
    if form is None:
        return None
    match form.groupdict():
        case {"keep": str()}:
            return KEEP
        case {"swap": str(slot)}:
            return Swap(int(slot))
        case {"slot": str(slot), "place": str(column), "placed": str(corner)}:
            return Place(int(slot), column, corner)
        case {"take": str(stack)}:
            return Take(int(stack))
        case {"drop": str(colour), "on": str(stack)}:
            return Drop(colour, int(stack))
        case {"fill": str(stack)}:
            return Fill(int(stack))
        case {"lay": str(column), "laid": str(corner)}:
            return Lay(column, corner)
        case {"give": str(colour), "piece": str(piece)}:
            return Give(colour, piece)
        case {"cover": str(cell)}:
            return Cover(cell)
    return None
