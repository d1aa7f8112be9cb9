"""What happens at a table when a person does not play: time runs out, seats are given up, the house plays. Pure.

The house thinks for up to half a second a turn: whoever is on the event loop lets a thread call what plays for it.
"""

from msgspec.structs import replace

from bot.chat import PersonId
from bot.table import By, Denied, Entry, Phase, Result, Step, Table, over, play, require
from rules import Action, IllegalAction, State
from rules.chance import Chance


def play_house(step: Step, now_ms: int) -> Step:
    """Play for the seats that the house has taken, until a person is to act or the game is over."""
    table, state, entries = step.table, step.state, step.entries
    while state is not None and table.phase == Phase.RUNNING:
        actor = state.actor
        if actor is None or not table.seats[actor].house:
            break
        chance = Chance(int(table.seed, 16), counter=(table.turn << 12) + len(entries), label="house")
        action = _passing(state, actor) if table.seats[actor].rests else None
        following = play(table, state, action or best_action(state, actor, chance), now_ms, By.HOUSE)
        table, state, entries = following.table, following.state, entries + following.entries
    return Step(table, state, entries)


def _passing(state: State, seat: int) -> Action | None:
    """To pass, where *seat* may."""
    actions: tuple[Action, ...] = state.view(seat).actions()
    return next((action for action in actions if str(action) == "pass"), None)


def resign(table: Table, state: State, person: PersonId, now_ms: int) -> Step:
    """*person* gives up: with two seats the other wins; with more the house plays on, until no person is left.

    Denied: over, not_running, not_playing.
    """
    require(table, Phase.RUNNING)
    number = table.seat_of(person)
    if number is None:
        raise Denied("not_playing")
    if len(table.seats) == 2:
        ended = over(table, Result("resigned", (1 - number,), state.standing(), of_table=True))
        return Step(ended, state)
    seat = replace(table.seats[number], house=True, rests=True)
    table = replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))
    if all(seat.house for seat in table.seats):
        return Step(over(table, Result("left", (), state.standing(), of_table=True)), state)
    left = Entry(table.revision + 1, number, "", now_ms, turn=table.turn, event="resigned")
    return play_house(Step(replace(table, ask=None), state, (left,)), now_ms)


def time_is_up(table: Table, state: State, now_ms: int) -> Step:
    """The actor's time is up: what was agreed for this happens, or the others are asked to decide; if they have been
    asked already, or there are none, the house plays this turn."""
    assert state.actor is not None
    late = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="late")
    if table.overdue:
        return play_turn(table, state, now_ms)
    alone = sum(not seat.house for seat in table.seats) == 1
    if alone or table.late == "play":
        return play_turn(table, state, now_ms, (late,))
    if table.late == "seat":
        return take_seat(table, state, now_ms, (late,))
    return Step(replace(table, overdue=True, since_ms=now_ms), state, (late,))


def wait_again(table: Table, state: State, seat: int, now_ms: int) -> Step:
    """*seat*, one of the others, gives the actor the whole time once more."""
    waited = Entry(table.revision + 1, seat, "", now_ms, turn=table.turn, event="waited")
    return Step(replace(table, overdue=False, since_ms=now_ms), state, (waited,))


def play_turn(table: Table, state: State, now_ms: int, before: tuple[Entry, ...] = ()) -> Step:
    """The house plays this turn for the actor, as well as it can. *before*: what happened first."""
    step, seat = Step(table, state, before), state.actor
    assert seat is not None
    while step.table.phase == Phase.RUNNING and step.position.actor == seat and step.table.turn == table.turn:
        chance = Chance(int(table.seed, 16), counter=(table.turn << 12) + len(step.entries), label="house")
        action = step.position.forced or best_action(step.position, seat, chance)
        following = play(step.table, step.position, action, now_ms, By.HOUSE)
        step = replace(following, entries=step.entries + following.entries)
    return play_house(step, now_ms)


def take_seat(table: Table, state: State, now_ms: int, before: tuple[Entry, ...] = ()) -> Step:
    """The house takes the actor's seat; with two seats the other one wins. *before*: what happened first."""
    assert state.actor is not None
    if len(table.seats) == 2:
        lost = Result("timeout", (1 - state.actor,), state.standing(), of_table=True)
        return Step(over(table, lost), state)
    seat = replace(table.seats[state.actor], house=True)
    seats = (*table.seats[: state.actor], seat, *table.seats[state.actor + 1 :])
    taken = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="taken")
    if all(seat.house for seat in seats):
        return Step(over(replace(table, seats=seats), Result("left", (), state.standing(), of_table=True)), state)
    return play_house(Step(replace(table, seats=seats, ask=None, overdue=False), state, (*before, taken)), now_ms)


def best_action(state: State, seat: int, chance: Chance) -> Action:
    """A greedy choice from *seat*'s view only: the action after which the seat stands best among all; equals by lot.

    Draws are between people: the house offers none and agrees to none.
    """
    view = state.view(seat)
    best, found = None, list[Action]()
    for action in [each for each in view.actions() if str(each) != "draw"] or view.actions():
        try:
            after = view.play(action)
        except IllegalAction:  # what it leads to is hidden
            after = view
        worth = _worth(after, seat) - (view.warns(action) is not None) * 10**6
        if best is None or worth > best:
            best, found = worth, []
        if worth == best:
            found.append(action)
    return chance.choice(found)


def _worth(view: State, seat: int) -> int:
    """What the game says the position is worth to *seat*; an end that wins is worth more than all else."""
    outcome = view.outcome
    won = outcome is not None and seat in outcome.winners
    return view.worth(seat) + 10**5 * won
