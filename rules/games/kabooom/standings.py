"""The turns that a person may leave to the table."""

from typing import Final

from rules.contract import Standing
from rules.games.kabooom.actions import Move, Pass
from rules.games.kabooom.state import State
from rules.games.kabooom.towers import Phase


def _passes(view: State) -> Pass | None:
    """Return the pass until a tower of another seat can be taken."""
    if view.phase != Phase.MOVE:
        return None
    takes = (action for action in view.actions() if isinstance(action, Move) and view.owner_at(action, 1) != view.actor)
    return Pass() if next(takes, None) is None else None


STANDINGS: Final = (Standing("pass", _passes),)
