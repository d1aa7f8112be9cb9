"""Positions of finished games from which others can play on. Pure."""

from collections.abc import Sequence
from itertools import pairwise

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
    """Return how many turns were played before position *number*, which is not the first one."""
    return entries[number - 1].turn + 1


def played(table: Table, state: State, turn: int) -> int:
    """Return the turns finished in *state*, in turn *turn* of *table*, those before its origin included."""
    return state.turns((0 if table.origin is None else table.origin.turns) + turn)


def length(table: Table, state: State) -> int:
    """Return the turns that players have finished at this *table*. *state*: any view of its position."""
    return played(table, state, table.turn) - (0 if table.origin is None else played_before(table.game, table.origin))


def played_before(game: str, origin: Origin) -> int:
    """Return the turns finished in the position of *origin*. Raises ValueError as `Game.decode` does."""
    return GAMES[game].decode(origin.view).turns(origin.turns)


def number_of(table: Table, entries: Sequence[Entry], states: Sequence[State], number: int) -> int:
    """Return the number, as people read it, of the turn that begins or goes on in position *number*."""
    return played(table, states[number], turns_before(entries, number) if number else 0) + 1


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
