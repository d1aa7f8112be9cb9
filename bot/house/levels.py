"""How well the house plays at each strength."""

from enum import StrEnum
from typing import Final

from msgspec import Struct


class Level(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Strength(Struct, frozen=True):
    """*seconds*: CPU time for a whole turn. *sloppy*: the maximum error of an evaluation (0 to 1). *overlooks*: the
    share of actions that are not considered. *forgets*: the share of earlier facts that is lost with every view.
    *ahead*: whether it searches, or evaluates only its own next action."""

    seconds: float
    sloppy: float
    overlooks: float
    forgets: float
    ahead: bool


LEVELS: Final = {
    Level.EASY: Strength(seconds=0.1, sloppy=0.08, overlooks=0.45, forgets=0.1, ahead=False),
    Level.MEDIUM: Strength(seconds=0.5, sloppy=0.06, overlooks=0.08, forgets=0.03, ahead=True),
    Level.HARD: Strength(seconds=3.0, sloppy=0.0, overlooks=0.0, forgets=0.0, ahead=True),
}
