"""Whole turns as people type them, for conversations that begin far into a game."""

from bot.house import best_action
from bot.table import Table
from rules import State
from rules.chance import Chance


def typed(table: Table, state: State) -> tuple[str, str]:
    """Who is up, and the line with which this person plays the whole turn as the house would. The same every time."""
    actor, after, actions = state.actor, state, list[str]()
    assert actor is not None
    while after.actor == actor:
        action = best_action(after, actor, Chance(table.turn, counter=len(actions), label="turns"))
        before, after = after, after.play(action)
        actions.append(str(action))
        if before.ends_turn(after):
            break
    return table.seats[actor].person.partition(":")[2], f"/move {' '.join(actions)}"
