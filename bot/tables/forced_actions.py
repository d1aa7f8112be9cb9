"""What follows an accepted action by itself: who decides next, and what nobody has to be asked for. Pure.

    a step ──▶ `decides` ─┬─ PERSON   called, reminded, asked for a choice
                          ├─ HOUSE    thinks (`bot.service.house_turns`)
                          ├─ TABLE    plays what is forced, once people have seen the board (`play_forced`)
                          └─ None     nobody: a lobby, a game that is over, a table that rests

Within a turn that is seen as a whole, what can only be one thing is played at once (`play_on`).
"""

from msgspec.structs import replace

from bot.tables.table import By, Phase, Step, Table, play
from rules import GAMES, Action, State


def decides(step: Step) -> By | None:
    """Who decides what happens next, None where nobody does. *step* may hold a view in the place of the position.

    The house: in its own seats, in those that it has taken, and in this turn of somebody whose time is up.
    """
    table, state = step.table, step.state
    if state is None or state.actor is None or table.phase != Phase.RUNNING or table.is_resting:
        return None
    if table.seats[state.actor].house or table.has_stand_in:
        return By.HOUSE
    return By.PERSON if state.forced is None else By.TABLE


def play_forced(step: Step, now_ms: int) -> Step:
    """The table plays what is forced, where it is the table that decides."""
    return play(step.table, step.position, step.position.forced, now_ms, By.TABLE)


def only(table: Table, state: State) -> Action | None:
    """The one thing that can be done, for which nobody is asked; None where there is a choice. Not where everybody is
    to see each action; and what one could regret is asked nevertheless."""
    if GAMES[table.game].shows_steps:
        return None
    actions: tuple[Action, ...] = state.actions()
    return actions[0] if len(actions) == 1 and state.warns(actions[0]) is None else None


def play_on(step: Step, turn: int, now_ms: int) -> Step:
    """*step*, and all that follows from it within *turn* where only one thing can be done."""
    while step.table.phase == Phase.RUNNING and step.table.turn == turn:
        action = only(step.table, step.position)
        if action is None:
            break
        following = play(step.table, step.position, action, now_ms, By.TABLE)
        step = replace(following, entries=step.entries + following.entries)
    return step
