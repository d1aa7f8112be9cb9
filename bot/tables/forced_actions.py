"""Who decides the next action, and which actions are forced. Pure.

    a step ──▶ `decides` ─┬─ PERSON   is called, reminded, and offered the choices
                          ├─ HOUSE    thinks (`bot.service.house_turns`)
                          ├─ CHANNEL  votes (`bot.service.voting`)
                          ├─ REMOTE   plays at the table of another place (`bot.tables.linking`)
                          ├─ TABLE    plays a forced action when people have seen the board (`play_forced`)
                          └─ None     no one: in a lobby, after the game, at a table that rests

Within a turn that is seen as a whole, an action without an alternative is played at once (`play_on`).
"""

from msgspec.structs import replace

from bot.tables.table import By, Phase, Step, Table, play
from rules import GAMES, Action, State


def decides(step: Step) -> By | None:
    """Return who decides the next action, or None. *step* may have a view in place of the position.

    The house decides in its own seats, in seats that it has taken, and as a stand-in.
    """
    table, state = step.table, step.state
    if state is None or state.actor is None or table.phase != Phase.RUNNING or table.is_resting:
        return None
    if table.seats[state.actor].is_remote:
        return By.REMOTE
    if table.seats[state.actor].house or table.has_stand_in:
        return By.HOUSE
    if state.forced is not None:
        return By.TABLE
    return By.CHANNEL if table.seats[state.actor].is_channel else By.PERSON


def play_forced(step: Step, now_ms: int) -> Step:
    """Return the step with which the table plays the forced action."""
    return play(step.table, step.position, step.position.forced, now_ms, By.TABLE)


def only(table: Table, state: State) -> Action | None:
    """Return the only legal action, or None.

    None too if the game shows each step, or if the action has a warning: then the person decides.
    """
    if GAMES[table.game].shows_steps:
        return None
    actions: tuple[Action, ...] = state.actions()
    return actions[0] if len(actions) == 1 and state.warns(actions[0]) is None else None


def play_on(step: Step, turn: int, now_ms: int) -> Step:
    """Return *step* with all further actions within *turn* that have no alternative."""
    while step.table.phase == Phase.RUNNING and step.table.turn == turn:
        action = only(step.table, step.position)
        if action is None:
            break
        following = play(step.table, step.position, action, now_ms, By.TABLE)
        step = replace(following, entries=step.entries + following.entries)
    return step
