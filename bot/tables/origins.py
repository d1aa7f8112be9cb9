"""Positions of finished games from which others can play on. Pure."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from bot.tables.table import Denied, Entry, Table
from rules import GAMES, State
from rules.beginning import Origin


def starts(states: Sequence[State]) -> tuple[int, ...]:
    """Return the numbers of the positions at the beginning of a turn, without the first one. *states*: all positions of
    a game, or views of them."""
    return tuple(
        number
        for number, (before, after) in enumerate(pairwise(states), 1)
        if after.actor is not None and before.ends_turn(after)
    )


def turns_before(entries: Sequence[Entry], number: int) -> int:
    """Return how many turns of the table were begun before position *number*, which is not the first one."""
    return entries[number - 1].turn + 1


def _begun(table: Table, state: State, turns: int) -> int:
    """Return the turns begun in *state*, those before the origin of *table* included. *turns*: of the table."""
    return state.turns((0 if table.origin is None else table.origin.turns) + turns)


def _is_mid_turn(table: Table) -> bool:
    return table.began is not msgspec.UNSET or table.interrupted is not None


def _begun_now(table: Table, state: State) -> int:
    return _begun(table, state, table.turn + (table.began is not msgspec.UNSET))


def length(table: Table, state: State) -> int:
    """Return the turns that players have begun at this *table* by an action. *state*: any view of its position."""
    return _begun_now(table, state) - (0 if table.origin is None else played_before(table.game, table.origin))


def current(table: Table, state: State) -> int:
    """Return the number, as people read it, of the turn that begins or goes on now."""
    return _begun_now(table, state) + (not _is_mid_turn(table))


def played_before(game: str, origin: Origin) -> int:
    """Return the turns finished in the position of *origin*. Raises ValueError as `Game.decode` does."""
    return GAMES[game].decode(origin.view).turns(origin.turns)


def begun(table: Table, entries: Sequence[Entry], states: Sequence[State], number: int) -> int:
    """Return the turns begun in position *number*, those before the origin of *table* included."""
    return _begun(table, states[number], turns_before(entries, number) if number else 0)


def number_of(table: Table, entries: Sequence[Entry], states: Sequence[State], number: int) -> int:
    """Return the number, as people read it, of the turn that begins or goes on in position *number*."""
    return begun(table, entries, states, number) + _begins(states, number)


def number_after(table: Table, entries: Sequence[Entry], states: Sequence[State], number: int) -> int | None:
    """Return the number of the turn to which the action after position *number* belongs; None for a setup or a deal."""
    if number == len(states) - 1:  # that action is still to come
        return number_of(table, entries, states, number)
    after = begun(table, entries, states, number + 1)
    is_turn = after > begun(table, entries, states, number) or not _begins(states, number)
    return after if is_turn and after else None


def _begins(states: Sequence[State], number: int) -> bool:
    return not number or states[number - 1].ends_turn(states[number])


def origin(table: Table, entries: Sequence[Entry], states: Sequence[State], number: int, seat: int) -> Origin:
    """Return position *number* as the beginning of another game, with nothing that some player could not see then.

    *seat*: of the other game's host. Denied: stale.
    """
    if number not in starts(states) or seat not in seats(states[number]):
        raise Denied("stale")
    view = GAMES[table.game].encode(states[number].view(None)).decode()
    turns = turns_before(entries, number) + (0 if table.origin is None else table.origin.turns)
    return Origin(table.fixed or table.commitment, turns, view, len(table.seats), seat)


def seats(state: State) -> tuple[int, ...]:
    """Return the seats that still play."""
    return tuple(seat for seat in range(state.seats) if not state.is_out(seat))
