"""The codes of the game: how far a turn is, why an action is refused, how a game ends."""

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
    """Why an action is refused, for each kind in the order in which the reasons are looked for."""

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
    """Only on a view: the action turns up something that this seat cannot know."""


class Reason(StrEnum):
    POINTS = "points"
    TIE = "tie"


class Why(StrEnum):
    """Why one might play something."""

    CARD = "card"
    PAIR = "pair"
    NO_PAIR = "no_pair"
