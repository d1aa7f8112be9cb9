"""What happens at a table when a person does not play: time runs out, seats are given up. Pure.

Where the house is to play from then on, `bot.tables.afterwards` says so.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.tables.preferences import hours
from bot.tables.table import By, Entry, Phase, Result, Step, Table, over, require, require_seat
from rules import State

DAY_MS = 24 * 60 * 60 * 1000


def resign(table: Table, state: State, person: PersonId, now_ms: int) -> Step:
    """*person* gives up: with two seats the other wins; with more the house plays on, until no person is left.

    Denied: over, not_running, not_playing, house_plays.
    """
    require(table, Phase.RUNNING)
    number = require_seat(table, person)
    if len(table.seats) == 2:
        ended = over(table, Result("resigned", (1 - number,), state.standing(), of_table=True))
        return Step(ended, state)
    if all(seat.house for other, seat in enumerate(table.seats) if other != number):  # for whom it would play on
        return Step(over(table, Result("left", (), state.standing(), of_table=True, by=(number,))), state)
    seat = replace(table.seats[number], house=True, rests=True, taken=table.turn)
    table = replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))
    left = Entry(table.revision + 1, number, "", now_ms, turn=table.turn, event="resigned")
    return Step(replace(table, ask=None, declined=None), state, (left,))


def time_is_up(table: Table, state: State, now_ms: int) -> Step:
    """The actor's time is up: what was agreed for this happens, or the others are asked to decide; if they have been
    asked already, or there are none, the house plays this turn. Without a clock the others are asked, and no more."""
    assert state.actor is not None
    if hours(table.clock) is None:
        silent = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="silent")
        # Whoever wanted the end wanted it without a winner and with other votes: that is asked anew, if at all.
        ask = None if table.ask is not None and table.ask.what == "end" else table.ask
        return Step(replace(table, overdue=True, ask=ask, declined=None), state, (silent,))
    late = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="late")
    if table.overdue:
        return play_turn(table, state)
    alone = sum(not seat.house for seat in table.seats) == 1
    if alone or table.late == "play":
        return play_turn(table, state, (late,))
    if table.late == "seat":
        return take_seat(table, state, now_ms, (late,))
    return Step(replace(table, overdue=True, since_ms=now_ms, declined=None), state, (late,))


def wait_again(table: Table, state: State, seat: int, now_ms: int) -> Step:
    """*seat*, one of the others, gives the actor the whole time once more."""
    event = "waited" if hours(table.clock) is not None else "waits"
    waited = Entry(table.revision + 1, seat, "", now_ms, turn=table.turn, event=event)
    return Step(replace(table, overdue=False, since_ms=now_ms, declined=None), state, (waited,))


def acts(entry: Entry) -> bool:
    """Whether a person has played with *entry*, or taken something back."""
    return entry.by == By.PERSON and bool(entry.action or entry.back)


def heard(table: Table, entries: Sequence[Entry], now_ms: int) -> Table:
    """*table*, whose turn goes on after *entries*. Without a clock nobody is silent who is in the middle of it; a clock
    is set for the turn as a whole."""
    if hours(table.clock) is not None or not any(map(acts, entries)):
        return table
    return replace(table, since_ms=now_ms, overdue=False)


def may_rest_ms(table: Table, log: Sequence[Entry]) -> int | None:
    """From when on whoever wants to play where *table* is may have its place: one person plays there with the house
    alone, and has done nothing for a day by then. None for a table that makes no room. *log* is the whole log."""
    if table.phase != Phase.RUNNING or table.resting or sum(not seat.house for seat in table.seats) != 1:
        return None
    done = (entry.at_ms for entry in log if acts(entry))
    return max(done, default=table.begun_ms or table.created_ms) + DAY_MS


def rest(table: Table) -> Table:
    """*table* without a place: its clock stands still until its person opens it again."""
    return replace(table, resting=True, ask=None, declined=None, overdue=False)


def wake(table: Table, place: PlaceId, now_ms: int) -> Table:
    """*table*, which rested, goes on in *place*."""
    woken = replace(table, resting=False, since_ms=now_ms, away_ms=0)
    if place == table.place:
        return woken
    return replace(woken, place=place, moves=table.moves + 1, left=table.place)


def without_place(table: Table, now_ms: int) -> Table:
    """*table*, whose place takes no posts from now on: its clock stands still."""
    return replace(table, away_ms=now_ms)


def back(table: Table, now_ms: int) -> Table:
    """*table*, whose place takes posts again: its clock goes on where it stood still."""
    stood_ms = now_ms - max(table.away_ms, table.since_ms)
    return replace(table, away_ms=0, since_ms=table.since_ms and table.since_ms + stood_ms)


def play_turn(table: Table, state: State, before: tuple[Entry, ...] = ()) -> Step:
    """The house plays this turn for the actor (`bot.tables.afterwards`). *before*: what happened first."""
    return Step(replace(table, deputy=table.turn, overdue=False), state, before)


def take_seat(table: Table, state: State, now_ms: int, before: tuple[Entry, ...] = ()) -> Step:
    """The house takes the actor's seat; with two seats the other one wins. *before*: what happened first."""
    assert state.actor is not None
    if len(table.seats) == 2:
        lost = Result("timeout", (1 - state.actor,), state.standing(), of_table=True)
        return Step(over(table, lost), state)
    seat = replace(table.seats[state.actor], house=True, taken=table.turn)
    seats = (*table.seats[: state.actor], seat, *table.seats[state.actor + 1 :])
    taken = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="taken")
    if all(seat.house for seat in seats):
        return Step(over(replace(table, seats=seats), Result("left", (), state.standing(), of_table=True)), state)
    return Step(replace(table, seats=seats, ask=None, declined=None, overdue=False), state, (*before, taken))
