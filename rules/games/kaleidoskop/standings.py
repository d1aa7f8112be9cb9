"""The turns that a person may leave to the table."""

from typing import Final

from rules.contract import Standing
from rules.games.kaleidoskop.actions import END, Claim, End
from rules.games.kaleidoskop.state import State
from rules.games.kaleidoskop.values import NONE


def _ends(view: State) -> End | None:
    """Return the end of the turn, unless a task can be claimed or a tool is used; None without tools, because such a
    turn usually ends by itself."""
    if view.actor is None:
        return None
    own = view.players[view.actor].tools
    if own.used or (own.holder, own.mirror, own.glass) == (NONE, NONE, NONE):
        return None
    return None if any(isinstance(action, Claim) for action in view.actions()) else END


STANDINGS: Final = (Standing("end", _ends),)
