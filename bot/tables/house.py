"""How the house plays at a table: its level, and its forced actions. Pure.

`bot.tables.forced_actions` decides when the house plays; `bot.service.house_turns` lets it think.
"""

from bot.house.levels import Level
from bot.tables.anonymous import is_house
from bot.tables.table import Step, Table
from rules import Action, State

IN_A_PERSONS_PLACE = Level.MEDIUM
IN_A_CHANNELS_PLACE = Level.EASY


def level(table: Table, seat: int) -> Level:
    """Return how well the house plays in *seat*."""
    if table.seats[seat].is_channel:
        return IN_A_CHANNELS_PLACE
    return Level(table.level) if is_house(table.seats[seat].person) else IN_A_PERSONS_PLACE


def given(step: Step) -> Action | None:
    """Return the action that needs no thought: a forced one, or the pass of a seat that was given up; else None."""
    state, seat = step.position, step.position.actor
    assert seat is not None
    if state.forced is not None or not step.table.seats[seat].resigned:
        forced: Action | None = state.forced
        return forced
    return _passing(state, seat)


def _passing(state: State, seat: int) -> Action | None:
    """Return the pass of *seat*, or None if it may not pass."""
    actions: tuple[Action, ...] = state.view(seat).actions()
    return next((action for action in actions if str(action) == "pass"), None)
