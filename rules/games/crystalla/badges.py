"""The badges: stories of a win, told by the points."""

from typing import Final

from rules.contract import Badge
from rules.games.crystalla.state import State

FAR: Final = 10
"""Points ahead that are a story."""


def _lead(state: State, seat: int) -> int:
    points = state.standing()
    return points[seat] - max(score for other, score in enumerate(points) if other != seat)


BADGES: Final = (
    Badge("by_a_hair", lambda state, seat: _lead(state, seat) == 1),
    Badge("far_ahead", lambda state, seat: _lead(state, seat) >= FAR),
)
