"""The log of a table: which actions count, which are public, which can be taken back. Pure."""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, cast

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import PersonId
from bot.tables.table import (
    DRAW,
    By,
    Denied,
    Entry,
    Phase,
    Step,
    Table,
    forgets,
    interrupted,
    require,
    require_seat,
    with_state,
)
from bot.tables.waiting import StandIn, clock_of, of_turn, with_turn
from rules import GAMES, Action, IllegalAction, State
from rules.beginning import first_position


class TakingBack(Struct, frozen=True):
    """The undo of an action of a seat and all that followed. *freely*: without the consent of the others."""

    step: Step
    freely: bool


def undo(table: Table, log: Sequence[Entry], person: PersonId) -> TakingBack:
    """Return the undo of the last action of *person*. If its turn is over and has revealed nothing, return the undo of
    all their actions in it: the others have seen them as one move. *log* is the whole log.

    Denied: over, not_running, not_playing, house_plays, nothing_to_undo, revealed (hidden facts came to light since).
    """
    require(table, Phase.RUNNING)
    seat = require_seat(table, person)
    entries, since = effective(log), table.seats[seat].since
    own = [
        number
        for number, entry in enumerate(entries)
        if entry.seat == seat and entry.by == By.PERSON and entry.revision > since
    ]
    if not own:
        raise Denied("nothing_to_undo")
    turn = entries[own[-1]].turn
    first = next(number for number, entry in enumerate(entries) if entry.turn == turn)
    began = turn_began(table) if turn == table.turn else None
    whole = () if began is not None else positions(table, entries)  # no replay of it for an undo within the turn
    states = whole[first:] if began is None else _played(began, entries[first:])
    revealing = [
        first + number
        for number, (before, after) in enumerate(pairwise(states))
        if reveals(table, before, entries[first + number].action, after)
    ]
    whole_turn = next(number for number in own if entries[number].turn == turn)
    last = own[-1] if turn == table.turn or any(number >= whole_turn for number in revealing) else whole_turn
    if any(number >= last for number in revealing):
        raise Denied("revealed")
    whose = table.interrupted
    if began is None:
        whose = reduce(lambda former, step: interrupted(former, *step), pairwise(whole[: last + 1]), None)
    since = last - first
    back = len(entries) - last
    undone = Entry(table.revision + 1, seat, "", entries[-1].at_ms, turn=turn, event="undone", back=back)
    alone = all(entry.by == By.TABLE for entry in entries[last + 1 :])  # only actions without an alternative followed
    freely = alone and turn == table.turn
    restored = replace(with_state(table, states[since]), turn=turn, interrupted=whose, began=msgspec.UNSET)
    # A free undo leaves the turn going on, and the others do not have to see it.
    restored = replace(restored, question=table.declined if freely else None)
    seats = tuple(replace(seat, taken=min(seat.taken, turn)) for seat in table.seats)  # the house takes over again
    restored = replace(restored, seats=seats)
    now = of_turn(table.waiting)
    if isinstance(now, StandIn):  # the person plays the turn again
        restored = replace(restored, waiting=with_turn(table.waiting, clock_of(now)))
    if since:
        restored = replace(restored, began=with_state(table, states[0]).state)
    return TakingBack(Step(restored, states[since], (undone,)), freely=freely)


def is_agreement(table: Table, entry: Entry) -> bool:
    """Return whether *entry* ended the game by agreeing to a draw, which is no turn."""
    ended = table.result is None or not table.result.of_table
    return table.phase == Phase.OVER and ended and entry.turn >= table.turn and entry.action == DRAW


def has_played(table: Table, log: Iterable[Entry], person: PersonId) -> bool:
    """Return whether *person* has played an action that counts."""
    seat = table.seat_of(person)
    return any(entry.seat == seat and entry.by == By.PERSON for entry in effective(log))


def withdrawn(table: Table, state: State, log: Sequence[Entry], *, goes_on: bool = False) -> Step:
    """Return the step that takes back the actor's unsent actions, if they revealed nothing; *log* is the whole log.

    For a game that ends here or goes on without the actor: the others have not seen these actions. If the house
    *goes_on* with the turn, only an offer of a draw is taken back: the house makes none in a person's name. An open
    question stays open.
    """
    step = Step(table, state)
    if state.actor is None:
        return step
    person = table.seats[state.actor].person
    while is_begun(step.table, log) and not (goes_on and effective(log)[-1].action != DRAW):
        try:
            back = undo(step.table, log, person)
        except Denied:
            break
        if not back.freely:
            break
        log = (*log, *back.step.entries)
        without = replace(back.step.table, question=table.question)
        step = replace(back.step, table=without, entries=(*step.entries, *back.step.entries))
    return step


def effective(log: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the actions of a log that count: without events and without actions that were taken back."""
    entries: list[Entry] = []
    for entry in log:
        if entry.action:
            entries.append(entry)
        elif entry.back:
            del entries[-entry.back :]
    return tuple(entries)


def is_begun(table: Table, log: Iterable[Entry]) -> bool:
    """Return whether an unfinished turn is hidden until it is complete; the newest entries of the log are enough."""
    return not GAMES[table.game].shows_steps and is_mid_turn(table, log)


def told_entries(table: Table, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries that a post tells.

    If turns are seen as a whole: without the unfinished turn, and without actions that were taken back unseen.
    """
    if GAMES[table.game].shows_steps:
        return tuple(entries)
    kept: list[Entry] = []
    for entry in entries:
        own = [number for number, known in enumerate(kept) if known.action]
        for number in reversed(own[-entry.back :] if entry.back else ()):
            del kept[number]
        if not entry.back or len(own) < entry.back:
            kept.append(entry)
    goes_on = table.phase == Phase.RUNNING
    return tuple(entry for entry in kept if not (goes_on and entry.action and entry.turn == table.turn))


def positions(table: Table, entries: Iterable[Entry]) -> tuple[State, ...]:
    """Return all positions of the game, from seed, options and actions: the first, and one after each entry."""
    seed = int(table.seed, 16)
    return _played(first_position(table.game, len(table.seats), table.options, seed, table.origin), entries)


def _played(start: State, entries: Iterable[Entry]) -> tuple[State, ...]:
    """Return *start*, and the position after each entry."""
    states = [start]
    for entry in entries:
        states.append(states[-1].play(action_of(states[-1], entry.action)))
    return tuple(states)


_begun = LRUCache[tuple[str, bytes], State](64)
"""Positions in which turns began, by their documents: needed at each step of a turn."""


def turn_began(table: Table) -> State | None:
    """Return the position in which the unfinished turn began, or None if no turn is unfinished."""
    if isinstance(table.began, msgspec.UnsetType):
        return None
    key = table.game, bytes(table.began)
    position = _begun.get(key)
    if position is None:
        position = _begun[key] = GAMES[table.game].decode(key[1])
    return position


def public_position(table: Table, state: State, log: Iterable[Entry]) -> State:
    """Return the position that others may see: before the unfinished turn if the turn is seen as a whole, else *state*.

    *log*: the newest entries are enough.
    """
    if not is_begun(table, log):
        return state
    began = turn_began(table)
    assert began is not None
    return began


def public_actions(table: Table, log: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the actions of a log that led to the `public_position`."""
    return seen_by_all(table, log) if is_begun(table, log) else effective(log)


def know_beginning(table: Table, state: State) -> None:
    """Cache *state* as the position in which the unfinished turn of *table* began."""
    if not isinstance(table.began, msgspec.UnsetType):
        _begun[table.game, bytes(table.began)] = state


def this_turn(table: Table, newest: Sequence[Entry]) -> tuple[Entry, ...] | None:
    """Return the actions of the unfinished turn, or None if *newest*, the end of the log, may lack some."""
    if turn_began(table) is None or not newest or newest[0].turn >= table.turn:
        return None
    return tuple(entry for entry in effective(newest) if entry.turn == table.turn)


def seen_by_all(table: Table, log: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the actions of a log that count and that all people have seen: in a running game, of complete turns."""
    entries = effective(log)
    return tuple(entry for entry in entries if entry.turn < table.turn or table.phase == Phase.OVER)


def public_positions(table: Table, entries: Iterable[Entry]) -> tuple[State, ...]:
    """Return the `positions` as a spectator sees them."""
    return tuple(state.view(None) for state in positions(table, entries))


def since_left(table: Table, entries: Sequence[Entry], seat: int) -> tuple[Entry, ...]:
    """Return the actions after the last turn that the person of *seat* played, without their unfinished turn; for a
    substitute at most those since they took the seat.

    *entries*: the actions that this person may see; if the beginning is missing, so it is in the result.
    """
    entries = [entry for entry in entries if entry.revision > table.seats[seat].since]
    own = [entry.turn for entry in entries if entry.seat == seat and entry.by == By.PERSON and entry.turn < table.turn]
    return tuple(
        entry
        for entry in entries
        if entry.turn > max(own, default=-1) and not (entry.seat == seat and entry.turn == table.turn)
    )


def catches_up(table: Table, log: Iterable[Entry], state: State, seat: int) -> bool:
    """Return whether the other players have made more than one action since the last turn of *seat*, and boards stay.

    *state*: the position; the newest entries of the *log* are enough."""
    if table.phase != Phase.RUNNING or state.forgets:
        return False
    entries = effective(log) if state.actor == seat else public_actions(table, log)
    return sum(entry.action != DRAW for entry in since_left(table, entries, seat)) > 1


def picked(numbers: Sequence[int], most: int) -> tuple[int, ...]:
    """Return at most *most* of *numbers*, evenly chosen, with the first and the last. *most*: at least 2.

    >>> picked(range(10), 4)
    (0, 3, 6, 9)
    """
    last = len(numbers) - 1
    return tuple(numbers) if last < most else tuple(numbers[k * last // (most - 1)] for k in range(most))


def action_of(state: State, text: str) -> Action:
    """Return the legal action in the notation *text*. Raises ValueError if there is none."""
    for action in state.actions():
        if str(action) == text:
            return cast("Action", action)
    raise ValueError(f"no legal action reads {text}")


def reveals(table: Table, before: State, text: str, after: State) -> bool:
    """Return whether an action revealed to any person something that they could not have worked out."""
    action = action_of(before, text)
    if _is_chance(before, action, after):
        return True
    return any(_shows(before, action, after, seat) for seat in (None, *range(len(table.seats))))


def _shows(before: State, action: Action, after: State, seat: int | None) -> bool:
    """Return whether *seat* sees more after an action than its view before implies."""
    try:
        return bool(before.view(seat).play(action) != after.view(seat))
    except IllegalAction:
        return True


OTHER_SEEDS = range(1, 9)


def _is_chance(before: State, action: Action, after: State) -> bool:
    """Return whether the result of an action depends on chance: another seed leads to another result."""
    shown = after.view(None)
    return any(_with_seed(before, seed).play(action).view(None) != shown for seed in OTHER_SEEDS)


def _with_seed(state: State, seed: int) -> State:
    """Return *state* with another seed: a field of every game's position."""
    return cast("State", replace(cast("Any", state), seed=seed))


def remembering(states: Sequence[State]) -> int:
    """Return the number of the first of *states* whose boards must not stay visible: the beginning of the round."""
    return max((number for number, state in enumerate(states, 1) if not state.forgets), default=0)


def recounted(table: Table, entries: Sequence[Entry], states: Sequence[State]) -> tuple[Entry, ...]:
    """Return *entries* with all facts (`rules.State.full_news`), except those of a round that is not over yet.

    *states*: the first position, and the one after each entry."""
    over = remembering(states) if forgets(table, states[-1]) else len(entries)
    retold = list(entries)
    for number, (before, after) in enumerate(pairwise(states[: over + 1])):
        if before.forgets:
            news = before.view(None).full_news(action_of(before, entries[number].action), after.view(None))
            retold[number] = replace(entries[number], news=news)
    return tuple(retold)


class Revealed(Struct, frozen=True):
    """A revelation: the action, and a spectator's view of the board after it."""

    entry: Entry
    view: State


def missed(table: Table, log: Sequence[Entry], seat: int) -> tuple[Revealed, ...]:
    """Return the revelations since the last turn of *seat*, or since the round began, oldest first.

    *seat* must act, in a game that forgets; *log* is the whole log.
    """
    entries = effective(log)
    states = positions(table, entries)
    first = remembering(states)
    own = [entry.turn for entry in entries[first:] if entry.seat == seat and entry.turn < table.turn]
    return tuple(
        Revealed(entry, after.view(None))
        for before, entry, after in zip(states[first:], entries[first:], states[first + 1 :], strict=False)
        if entry.turn > max(own, default=-1) and _shows(before, action_of(before, entry.action), after, None)
    )


def is_mid_turn(table: Table, entries: Iterable[Entry]) -> bool:
    """Return whether the actor has begun this turn; *entries*: the newest of the log."""
    return table.phase == Phase.RUNNING and any(entry.turn == table.turn for entry in effective(entries))


def ends_of_turns(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Return the numbers of the first position and of the position after each turn.

    >>> ends_of_turns([Entry(1, 0, "a", 0, turn=0), Entry(2, 0, "b", 0, turn=0), Entry(3, 1, "c", 0, turn=1)])
    (0, 2, 3)
    """
    ends = [number for number, (one, other) in enumerate(pairwise(entries), 1) if one.turn != other.turn]
    return (0, *ends, len(entries))
