"""The badges: stories of a win, told by the castles."""

from typing import Final

from rules.contract import Badge

MANY: Final = 5
"""Castles that are a story."""

BADGES: Final = (
    Badge("five_castles", lambda state, seat: len(state.castles(seat)) >= MANY),
    Badge("last_castle", lambda state, seat: len(state.castles(seat)) == 1),
)
