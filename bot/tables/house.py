"""How the house plays at a table: how well, and what without a thought. Pure: where it is up, `bot.tables.afterwards`
says, and what it plays is thought of elsewhere (`bot.service.house_turns`).
"""

from bot.house.levels import Level
from bot.tables.anonymous import is_house
from bot.tables.table import Step, Table
from rules import Action, State

IN_A_PERSONS_PLACE = Level.MEDIUM


def level(table: Table, seat: int) -> Level:
    """How well the house plays in *seat*."""
    return Level(table.level) if is_house(table.seats[seat].person) else IN_A_PERSONS_PLACE


def given(step: Step) -> Action | None:
    """What the house plays without a thought: what is forced, and the pass of a seat that was given up."""
    state, seat = step.position, step.position.actor
    assert seat is not None
    if state.forced is not None or not step.table.seats[seat].rests:
        forced: Action | None = state.forced
        return forced
    return _passing(state, seat)


def _passing(state: State, seat: int) -> Action | None:
    """To pass, where *seat* may."""
    actions: tuple[Action, ...] = state.view(seat).actions()
    return next((action for action in actions if str(action) == "pass"), None)
