"""The badges: stories of a win, told by the tools."""

from typing import Final

from rules.contract import Badge
from rules.games.kaleidoskop.position import Position
from rules.games.kaleidoskop.values import NONE


def _tools(state: Position, seat: int) -> int:
    """Return the number of tools of *seat*."""
    tools = state.players[seat].tools
    return sum(tool != NONE for tool in (tools.holder, tools.mirror, tools.glass))


BADGES: Final = (
    Badge("bare_hands", lambda state, seat: _tools(state, seat) == 0),
    Badge("toolbox", lambda state, seat: _tools(state, seat) == 3),
)
