"""The codes of the game: phases of a turn, refusals, ends of a game, reasons for an action."""

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    SWAP = "swap"
    PLACE = "place"
    TAKE = "take"
    DROP = "drop"
    REFILL = "refill"
    LAY = "lay"
    GIVE = "give"
    COVER = "cover"
    OVER = "over"


class Refill(StrEnum):
    """Which stack refills an empty one."""

    TALLEST = "tallest"
    CHOICE = "choice"


class Corner(StrEnum):
    """Where the stones of seat 0 start; the stones of the others keep their distance from them."""

    TOP_LEFT = "top_left"
    TOP_RIGHT = "top_right"
    BOTTOM_RIGHT = "bottom_right"
    BOTTOM_LEFT = "bottom_left"
    LOT = "lot"


SETUP: Final = frozenset({Phase.SWAP, Phase.PLACE})


class Refusal(StrEnum):
    """The reasons to refuse an action, for each kind in the order of the checks."""

    OVER = "over"
    PHASE = "phase"
    SLOT = "slot"
    COLUMN = "column"
    STACK = "stack"
    STONE = "stone"
    STEP = "step"
    BACK = "back"
    DONOR = "donor"
    OWNER = "owner"
    PIECE = "piece"
    CELL = "cell"
    COVERED = "covered"
    SAME = "same"
    HIDDEN = "hidden"
    """Only on a view: the action turns up a card or piece that this seat cannot know."""


class Reason(StrEnum):
    POINTS = "points"
    TIE = "tie"


class Why(StrEnum):
    """The reasons for an action."""

    SWAP = "swap"
    PAIR = "pair"
    CARD = "card"
    CARD_SCORES = "card.scores"
    PRESENT = "present"
    PRESENT_HELPS = "present.helps"
    PRESENT_HARMS = "present.harms"
    NO_PAIR = "no_pair"
    SCORES = "scores"
    AMETHYST = "amethyst"
    RUBY = "ruby"
    EMERALD = "emerald"
    MOST = "most"
    PIECE = "piece"
    PIECE_MOST = "piece.most"
    NOWHERE = "nowhere"
    HELPS = "helps"
    HELPS_NOT = "helps_not"
    HARMS = "harms"
    HEMATITE = "hematite"
    OTHER = "other"
    OTHERS = "others"
