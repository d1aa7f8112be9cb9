"""The kinds of action, and all their values, created once."""

from functools import cache
from typing import Final, Literal

from msgspec import Struct

from rules.games.kaleidoskop.board import COLOURS, GRID, NOTHING, board
from rules.games.kaleidoskop.cards import TASKS, Deck

Tool = Literal["holder", "mirror", "glass"]
TOOLS: Final[tuple[Tool, ...]] = ("holder", "mirror", "glass")
NO_CARD: Final = "none"
"""Named instead of a deck by a player who draws no new card."""
CARDS: Final = range(1, 5)
"""The positions of cards in a hand, 1-based."""


class Crystal(Struct, frozen=True, gc=False):
    """Put a crystal of this colour into a well (1 to 72), or swap it for the one there.

    >>> str(Crystal(17, "r"))
    '17r'
    """

    well: int
    colour: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (str(self.well), self.colour)

    def __str__(self) -> str:
        return f"{self.well}{self.colour}"


class Hold(Struct, frozen=True, gc=False):
    """Put the holder under the crystal of this turn."""

    @property
    def parts(self) -> tuple[str, ...]:
        return ("hold",)

    def __str__(self) -> str:
        return "hold"


class _Standing(Struct, frozen=True, gc=False):
    """A tool between a well and a hex."""

    well: int
    hex: str

    @property
    def place(self) -> str:
        return f"{self.well}:{self.hex}"

    @property
    def parts(self) -> tuple[str, ...]:
        return (type(self).__name__.lower(), str(self.well), self.hex)

    def __str__(self) -> str:
        return ":".join(self.parts)


class Mirror(_Standing, frozen=True, gc=False):
    """Put the mirror between a well and a hex: the crystal there counts twice for this hex.

    >>> str(Mirror(17, "b4")), Mirror(17, "b4").place
    ('mirror:17:b4', '17:b4')
    """


class Glass(_Standing, frozen=True, gc=False):
    """Put the frosted glass between a well and a hex: the crystal there does not count for this hex.

    >>> str(Glass(17, "b4"))
    'glass:17:b4'
    """


class Claim(Struct, frozen=True, gc=False):
    """Finish *task* of the card at position *card* of the hand and draw from *deck*; None: both decks are empty;
    NO_CARD: the player draws none.

    >>> str(Claim(2, "a", "blue")), str(Claim(2, "a", "none")), str(Claim(2, "a", None))
    ('claim2a>blue', 'claim2a>none', 'claim2a')
    """

    card: int
    task: str
    deck: str | None

    @property
    def parts(self) -> tuple[str, ...]:
        shown = f"{self.card}{self.task}"
        return ("claim", shown) if self.deck is None else ("claim", shown, self.deck)

    def __str__(self) -> str:
        return f"claim{self.card}{self.task}" + (f">{self.deck}" if self.deck else "")


class Buy(Struct, frozen=True, gc=False):
    """Buy the mirror or the glass."""

    tool: Literal["mirror", "glass"]

    @property
    def parts(self) -> tuple[str, ...]:
        return ("buy", self.tool)

    def __str__(self) -> str:
        return f"buy:{self.tool}"


class Limit(Struct, frozen=True, gc=False):
    """Pay for a fourth card and draw it from *deck*."""

    deck: str

    @property
    def parts(self) -> tuple[str, ...]:
        return ("limit", self.deck)

    def __str__(self) -> str:
        return f"limit>{self.deck}"


class End(Struct, frozen=True, gc=False):
    """End the turn."""

    @property
    def parts(self) -> tuple[str, ...]:
        return ("end",)

    def __str__(self) -> str:
        return "end"


Action = Crystal | Hold | Mirror | Glass | Claim | Buy | Limit | End

HOLD: Final = Hold()
END: Final = End()
BUYS: Final = (Buy("mirror"), Buy("glass"))
LIMITS: Final = tuple(Limit(deck) for deck in Deck)
CLAIMS: Final = {
    (card, task): {deck: Claim(card, task, deck) for deck in (*Deck, NO_CARD, None)} for card in CARDS for task in TASKS
}


class Offers(Struct, frozen=True):
    """Every action that names a well, on one board; the lists of legal actions choose from it.

    *crystals*: for each well in play, its content -> the placements and swaps there; *unpaid*: the same without swaps.
    *mirrors*, *glasses*: for each well, those on all its places.
    """

    crystals: tuple[dict[str, tuple[Crystal, ...]], ...]
    unpaid: tuple[dict[str, tuple[Crystal, ...]], ...]
    mirrors: tuple[tuple[Mirror, ...], ...]
    glasses: tuple[tuple[Glass, ...], ...]


@cache
def offers(seats: int) -> Offers:
    """Return all possible actions on the board for so many *seats*."""
    touching = board(seats).touching
    crystals, unpaid = [], []
    for well in board(seats).wells:
        placements = [Crystal(well + 1, colour) for colour in COLOURS]
        by_content = {
            content: tuple(crystal for crystal in placements if crystal.colour != content)
            for content in (NOTHING, *COLOURS)
        }
        crystals.append(by_content)
        unpaid.append({content: listed if content == NOTHING else () for content, listed in by_content.items()})
    return Offers(
        crystals=tuple(crystals),
        unpaid=tuple(unpaid),
        mirrors=tuple(
            tuple(Mirror(well + 1, GRID.fields[place]) for place in around) for well, around in enumerate(touching)
        ),
        glasses=tuple(
            tuple(Glass(well + 1, GRID.fields[place]) for place in around) for well, around in enumerate(touching)
        ),
    )
