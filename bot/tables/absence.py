"""What happens at a table when a person does not play: time runs out, seats are given up. Pure.

Where the house is to play from then on, `bot.tables.house` says so.
"""

from msgspec.structs import replace

from bot.chat import PersonId
from bot.tables.table import Denied, Entry, Phase, Result, Step, Table, over, require
from rules import State


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
    return Step(replace(table, ask=None), state, (left,))


def time_is_up(table: Table, state: State, now_ms: int) -> Step:
    """The actor's time is up: what was agreed for this happens, or the others are asked to decide; if they have been
    asked already, or there are none, the house plays this turn."""
    assert state.actor is not None
    late = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="late")
    if table.overdue:
        return play_turn(table, state)
    alone = sum(not seat.house for seat in table.seats) == 1
    if alone or table.late == "play":
        return play_turn(table, state, (late,))
    if table.late == "seat":
        return take_seat(table, state, now_ms, (late,))
    return Step(replace(table, overdue=True, since_ms=now_ms), state, (late,))


def wait_again(table: Table, state: State, seat: int, now_ms: int) -> Step:
    """*seat*, one of the others, gives the actor the whole time once more."""
    waited = Entry(table.revision + 1, seat, "", now_ms, turn=table.turn, event="waited")
    return Step(replace(table, overdue=False, since_ms=now_ms), state, (waited,))


def play_turn(table: Table, state: State, before: tuple[Entry, ...] = ()) -> Step:
    """The house plays this turn for the actor (`bot.tables.house`). *before*: what happened first."""
    return Step(replace(table, deputy=table.turn, overdue=False), state, before)


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
    return Step(replace(table, seats=seats, ask=None, overdue=False), state, (*before, taken))
