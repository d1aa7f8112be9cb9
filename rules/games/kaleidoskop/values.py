"""The parts of a position: options, cards, tools, the possessions of a seat; the codes of refusals."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from rules.games.kaleidoskop.actions import Tool
from rules.games.kaleidoskop.cards import BACK, Deck
from rules.games.kaleidoskop.typed import DECK_MISSING


class Stage(StrEnum):
    PLACE = "place"
    TOOLS = "tools"
    TASKS = "tasks"
    OVER = "over"


class Length(StrEnum):
    SHORT = "short"
    NORMAL = "normal"
    LONG = "long"


class Ending(StrEnum):
    EXTRA_ROUND = "extra_round"
    FINISH_ROUND = "finish_round"
    AT_ONCE = "at_once"


class Drawing(StrEnum):
    """Whether the player who has claimed a task must draw a new card."""

    MUST = "must"
    MAY = "may"


class Refusal(StrEnum):
    """The reasons to refuse an action; for each kind of action in the order of the checks."""

    OVER = "over"
    STAGE = "stage"
    NOT_IN_PLAY = "not_in_play"
    HELD = "held"
    SAME_COLOUR = "same_colour"
    SUPPLY = "supply"
    NOT_OWNED = "not_owned"
    USED = "used"
    NOT_ADJACENT = "not_adjacent"
    EMPTY = "empty"
    TAKEN = "taken"
    NO_CARD = "no_card"
    NOT_FULFILLED = "not_fulfilled"
    HIDDEN = "hidden"
    """Only on a view: this seat cannot see the card, so it cannot know whether its task is fulfilled."""
    DECK_MISSING = DECK_MISSING
    DECK_EMPTY = "deck_empty"
    MUST_DRAW = "must_draw"
    OWNED = "owned"
    COST = "cost"


class Question(StrEnum):
    ENDS = "ends"


class Restriction(StrEnum):
    """What the obligatory crystal cannot do: swap another one without points, or go into an empty well of a full
    board."""

    UNPAID = "unpaid"
    FULL = "full"


class Reason(StrEnum):
    CONDITIONS = "conditions"
    NOBODY = "nobody"


GOALS: Final = {Length.SHORT: 10, Length.NORMAL: 15, Length.LONG: 20}
ROUNDS: Final = 40
"""Number of rounds after which the game is over in any case."""
NONE: Final = "none"
READY: Final = "ready"
_OFF: Final = (NONE, READY)
"""The values of a tool that is not on the board."""
TOOL_COSTS: Final = (0, 2, 3)
"""Cost of the first, second and third tool of a turn."""
PRICE: Final = 3
"""Cost of mirror and glass."""
LIMIT_PRICE: Final = 2
FEW: Final = 3
MANY: Final = 4
"""The hand limits."""


class Options(Struct, frozen=True, omit_defaults=True):
    length: Length
    ending: Ending
    drawing: Drawing = Drawing.MUST


class Card(Struct, frozen=True, gc=False):
    """A card in a hand; its *id* is None if it is hidden. Its repr shows only its back."""

    back: str
    id: str | None

    def __repr__(self) -> str:
        return f"<{self.back} card>"


class Done(Struct, frozen=True, gc=False):
    """A finished card and the task that was used."""

    id: str
    task: str


class Tools(Struct, frozen=True, gc=False):
    """The tools of a seat: "none" (not owned), "ready", or the place on the board: "21", "27:c3"."""

    holder: str
    mirror: str
    glass: str

    def where(self, tool: Tool) -> str:
        match tool:
            case "holder":
                return self.holder
            case "mirror":
                return self.mirror
            case "glass":
                return self.glass

    @property
    def are_all_owned(self) -> bool:
        return NONE not in (self.holder, self.mirror, self.glass)

    @property
    def used(self) -> int:
        """The number of them on the board."""
        return (self.holder not in _OFF) + (self.mirror not in _OFF) + (self.glass not in _OFF)


class Player(Struct, frozen=True, gc=False):
    """The possessions of a seat. *hand*: its cards in the order of their positions; *done*: finished cards, oldest
    first."""

    score: int
    limit: int
    hand: tuple[Card, ...]
    done: tuple[Done, ...]
    tools: Tools

    @property
    def oranges(self) -> int:
        """The number of finished orange cards."""
        return sum(BACK[card.id] == Deck.ORANGE for card in self.done)


class Decks(Struct, frozen=True, gc=False):
    """The cards still to draw, top card first; None if they are hidden."""

    blue: tuple[str | None, ...]
    orange: tuple[str | None, ...]

    def of(self, deck: str) -> tuple[str | None, ...]:
        return self.blue if deck == Deck.BLUE else self.orange

    def without_top(self, deck: str) -> "Decks":
        return Decks(self.blue[1:], self.orange) if deck == Deck.BLUE else Decks(self.blue, self.orange[1:])
