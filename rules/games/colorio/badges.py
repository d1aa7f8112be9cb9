"""The badge: a story of a win, told by the last board."""

from typing import Final

from rules.contract import Badge
from rules.games.colorio.board import EACH, Colour
from rules.games.colorio.position import Position

BRINK: Final = 3
"""Colours on the brink that are a story."""


def _is_on_the_brink(state: Position, _: int) -> bool:
    """Return whether several colours had all open fields but one, or more."""
    return sum(state.in_sight(colour) >= EACH - 1 for colour in Colour) >= BRINK


BADGES: Final = (Badge("brink", _is_on_the_brink),)
