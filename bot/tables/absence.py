"""Steps for a person who does not play: the time runs out, a seat is given up, a place is lost. Pure.

`bot.tables.forced_actions` decides whether the house plays; `bot.tables.waiting` has the states.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.chat import Obstacle, PersonId, PlaceId
from bot.tables import banks, deadlines
from bot.tables.forced_actions import decides
from bot.tables.preferences import hours
from bot.tables.table import (
    By,
    Entry,
    Offer,
    Phase,
    Result,
    Step,
    Table,
    abandoned,
    over,
    require,
    require_seat,
    with_seat,
)
from bot.tables.waiting import (
    OfTurn,
    OnClock,
    Overdue,
    Resting,
    StandIn,
    Unreachable,
    Voting,
    clock_of,
    of_turn,
    with_turn,
)
from rules import State

DAY_MS = 24 * 60 * 60 * 1000


def resign(table: Table, state: State, person: PersonId, now_ms: int) -> Step:
    """Return the step with which *person* resigns: of two, the other wins; of more, the house plays on for the others.

    Denied: over, not_running, not_playing, house_plays.
    """
    require(table, Phase.RUNNING)
    number = require_seat(table, person)
    if len(table.seats) == 2:
        ended = over(table, Result("resigned", (1 - number,), state.standing(), of_table=True))
        return Step(ended, state)
    if all(seat.house for other, seat in enumerate(table.seats) if other != number):  # only the house plays on
        return Step(abandoned(table, state, (number,)), state)
    table = replace(with_seat(table, number, house=True, resigned=True, taken=table.turn), question=None)
    resigned = Entry(table.revision + 1, number, "", now_ms, turn=table.turn, event="resigned")
    if table.is_overdue and state.actor is not None and not has_others(table, state.actor):  # no one is left to decide
        return play_turn(table, state, (resigned,))
    return Step(table, state, (resigned,))


def give_seat(table: Table, person: PersonId) -> Table:
    """Return *table*, whose game is not installed, with the house in the seat of *person*; ended if none is left."""
    number = require_seat(table, person)
    if all(seat.house for other, seat in enumerate(table.seats) if other != number):
        return abandoned(table)
    return replace(with_seat(table, number, house=True, resigned=True, taken=table.turn), question=None)


def time_is_up(table: Table, state: State, now_ms: int) -> Step:
    """Return the step for the actor's time that is up: the agreed consequence, or the others are asked to decide.

    If they were asked before or there are none, the house plays this turn. Without a clock the table rests then. A
    channel never decides about others. About a first move, the others are always asked.
    """
    assert state.actor is not None
    turn = of_turn(table.waiting) or OnClock()
    table = banks.charged(table, state.actor, now_ms)
    if hours(table.clock) is None:
        if table.is_overdue or not has_others(table, state.actor):
            return Step(replace(table, waiting=Resting(now_ms), question=None), state)
        silent = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="silent")
        # A vote on the end was about another end, with other voters: it has to be asked again.
        ask = None if table.ask is not None and table.ask.what == "end" else table.ask
        overdue = Overdue(turn.since_ms, turn.is_hushed)
        return Step(replace(_in_turn(table, overdue), question=ask), state, (silent,))
    is_first = deadlines.is_first_move(table, state.actor)
    event = "late.first" if is_first else "late"
    late = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event=event)
    missed = replace(table, unattended=table.unattended + 1)
    if table.is_overdue:
        return play_turn(missed, state)
    alone, on_timeout = not has_others(table, state.actor), table.on_timeout
    if is_first:
        on_timeout = "ask"
    loses_seat = on_timeout == "seat" and (not alone or table.has_channel)
    if on_timeout == "play" or (alone and not loses_seat):
        return play_turn(missed, state, (late,))
    if loses_seat:
        return give_seat_to_house(table, state, now_ms, (late,))
    overdue = Overdue(now_ms, turn.is_hushed)
    return Step(replace(_in_turn(table, overdue), question=table.ask), state, (late,))


def has_others(table: Table, seat: int) -> bool:
    """Return whether another person plays than the one in *seat*."""
    return any(other.is_played_by_person for number, other in enumerate(table.seats) if number != seat)


def depart(table: Table, state: State, seat: int, now_ms: int) -> Step:
    """Return the step for the person of *seat* who has left the place: if it is their turn, the others decide.

    If all people have left, the table rests.
    """
    event = Entry(table.revision + 1, seat, "", now_ms, turn=table.turn, event="departed")
    table = with_seat(table, seat, departed=True)
    turn = of_turn(table.waiting)
    if turn is not None and all(not other.is_played_by_person or other.departed for other in table.seats):
        return Step(replace(table, waiting=Resting(now_ms), question=None), state, (event,))
    if state.actor == seat and isinstance(turn, OnClock):
        table = banks.charged(table, seat, now_ms)
        table = _in_turn(table, Overdue(now_ms, turn.is_hushed))
    return Step(table, state, (event,))


def begin_turn(table: Table, state: State | None, clock: OnClock) -> OnClock | Overdue | Voting:
    """Return the state of a turn that begins: a channel votes; if its person has left the place, the others decide at
    once."""
    actor = None if state is None else state.actor
    if actor is not None and actor == table.own_channel:
        return Voting(clock.since_ms)
    if actor is None or not table.seats[actor].departed or not has_others(table, actor):
        return clock
    return Overdue(clock.since_ms, clock.is_hushed)


def wait_again(table: Table, state: State, seat: int, now_ms: int) -> Step:
    """Return the step with which *seat*, one of the others, gives the actor the whole time again."""
    event = "waited" if hours(table.clock) is not None else "waits"
    waited = Entry(table.revision + 1, seat, "", now_ms, turn=table.turn, event=event)
    if state.actor is not None:
        offer = table.seats[state.actor].offer
        present = with_seat(table, state.actor, departed=False, offer=None if offer is Offer.SILENT else offer)
        table = banks.refilled(present, state.actor)
    return Step(replace(with_new_clock(table, now_ms), question=table.ask), state, (waited,))


def is_act(entry: Entry) -> bool:
    """Return whether a person has played, or taken something back, with *entry*."""
    return entry.by == By.PERSON and bool(entry.action or entry.back)


def after_entries(table: Table, entries: Sequence[Entry], now_ms: int) -> Table:
    """Return *table* after *entries* of a turn that goes on.

    Without a clock each step of a person begins the time anew; a clock is set for the whole turn.
    """
    if hours(table.clock) is not None or not any(map(is_act, entries)):
        return table
    return with_new_clock(table, now_ms)


def with_new_clock(table: Table, now_ms: int) -> Table:
    """Return *table* with the whole time for this turn again."""
    turn = of_turn(table.waiting)
    return table if turn is None else _in_turn(table, OnClock(now_ms, turn.is_hushed))


def may_rest_ms(table: Table, log: Sequence[Entry]) -> int | None:
    """Return the time from which on another table may have the place of *table*, or None for never.

    It may if one person plays with the house alone, a day after the last act of that person. *log*: the whole log.
    """
    if table.phase != Phase.RUNNING or table.is_resting or table.has_channel:
        return None
    if sum(not seat.house for seat in table.seats) != 1:
        return None
    done = (entry.at_ms for entry in log if is_act(entry))
    return max(done, default=table.begun_ms or table.created_ms) + DAY_MS


def rest(table: Table) -> Table:
    """Return *table* without a place: no time runs until its person opens it again."""
    return replace(table, waiting=Resting(), question=None)


SILENT = 3
"""Turns in a row without a vote after which the table of a channel rests."""


def rest_if_unattended(step: Step, now_ms: int) -> Step:
    """Return *step*; its table rests if the house has played a whole round for people, of whom none acted.

    A channel that votes is not absent: the table rests only after several of its turns without a vote, or if the people
    with seats are absent, too.
    """
    table = step.table
    if decides(step) not in (By.PERSON, By.TABLE, By.CHANNEL):
        return step
    people = sum(seat.is_played_by_person for seat in table.seats)
    is_absent = people > 0 and table.unattended >= people and (table.silent > 0 or not table.has_channel)
    if not is_absent and table.silent < SILENT:
        return step
    return replace(step, table=replace(table, waiting=Resting(now_ms), question=None))


def wake(table: Table, state: State | None, place: PlaceId, now_ms: int) -> Table:
    """Return *table*, which rested, in *place*, with the whole time for its turn."""
    actor = None if state is None else state.actor
    is_vote = actor is not None and actor == table.own_channel
    woken = replace(table, waiting=Voting(now_ms) if is_vote else OnClock(now_ms), silent=0)
    woken = woken if actor is None else banks.refilled(woken, actor)
    if place == table.place:
        return woken
    return replace(woken, place=place, relocations=table.relocations + 1, former_place=table.place)


def lose_place(table: Table, now_ms: int, obstacle: Obstacle = Obstacle.UNKNOWN) -> Table:
    """Return *table*, whose place takes no posts from now on, with its time stopped."""
    turn = of_turn(table.waiting)
    if turn is None or table.is_unreachable:
        return table
    return replace(table, waiting=Unreachable(now_ms, turn, obstacle=obstacle))


def lose_game(table: Table, now_ms: int) -> Table:
    """Return *table*, whose game is not installed, with its time stopped."""
    turn = of_turn(table.waiting)
    if table.phase != Phase.RUNNING or turn is None or table.lacks_game:
        return table
    return replace(table, waiting=Unreachable(now_ms, turn, of_game=True))


def regain_place(table: Table, now_ms: int) -> Table:
    """Return *table*, whose place takes posts again, with the time that remained. A place that was reachable: as is.

    If its game was not installed, the turn gets all its time again.
    """
    waiting = table.waiting
    if not isinstance(waiting, Unreachable):
        return table
    turn = waiting.turn
    if waiting.of_game:
        turn = clock_of(turn) if isinstance(turn, Overdue) else turn  # the others may be gone
        return replace(table, waiting=replace(turn, since_ms=turn.since_ms and now_ms))
    stopped_ms = now_ms - max(waiting.since_ms, turn.since_ms)
    on = replace(turn, since_ms=turn.since_ms and turn.since_ms + stopped_ms)
    if table.phase != Phase.LOBBY:
        return replace(table, waiting=on)
    gathered_ms = (table.gathered_ms or table.created_ms) + now_ms - waiting.since_ms
    return replace(table, waiting=on, gathered_ms=gathered_ms)


def play_turn(table: Table, state: State, before: tuple[Entry, ...] = ()) -> Step:
    """Return the step after which the house plays this turn for the actor. *before*: entries that come first."""
    turn = of_turn(table.waiting) or OnClock()
    return Step(_in_turn(table, StandIn(turn.since_ms, turn.is_hushed)), state, before)


def give_seat_to_house(table: Table, state: State, now_ms: int, before: tuple[Entry, ...] = ()) -> Step:
    """Return the step with which the house takes the actor's seat; of two players the other wins.

    *before*: entries that come first.
    """
    assert state.actor is not None
    if len(table.seats) == 2:
        lost = Result("timeout", (1 - state.actor,), state.standing(), of_table=True)
        return Step(over(table, lost), state)
    table = with_seat(table, state.actor, house=True, taken=table.turn)
    taken = Entry(table.revision + 1, state.actor, "", now_ms, turn=table.turn, event="taken")
    if all(seat.house for seat in table.seats):
        return Step(abandoned(table, state), state)
    turn = of_turn(table.waiting) or OnClock()
    return Step(replace(_in_turn(table, clock_of(turn)), question=None), state, (*before, taken))


def _in_turn(table: Table, turn: OfTurn) -> Table:
    return replace(table, waiting=with_turn(table.waiting, turn))
