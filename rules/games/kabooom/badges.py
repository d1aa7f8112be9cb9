"""The badges: stories of a win, told by the last board."""

from typing import Final

from rules.contract import Badge
from rules.games.kabooom.position import Position
from rules.games.kabooom.towers import height, owner

HIGH: Final = 7
"""Stones of a tower that is a story."""


def _towers(state: Position, seat: int) -> list[str]:
    return [tower for tower in state.board if tower and owner(tower) == seat]


BADGES: Final = (
    Badge("no_dynamite", lambda state, seat: not any("d" in tower for tower in _towers(state, seat))),
    Badge("skyscraper", lambda state, seat: any(height(tower) >= HIGH for tower in _towers(state, seat))),
)
