"""The codes of the game: phases of a turn, refusals, ends of a game, reasons for an action."""

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    SWAP = "swap"
    PLACE = "place"
    TAKE = "take"
    DROP = "drop"
    LAY = "lay"
    GIVE = "give"
    COVER = "cover"
    OVER = "over"


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

    CARD = "card"
    PAIR = "pair"
    NO_PAIR = "no_pair"
