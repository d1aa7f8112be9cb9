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


def number_of(entries: Sequence[Entry], states: Sequence[State], number: int) -> int:
    """Return the number, as people read it, of the turn that begins or goes on in position *number*."""
    return states[number].turns(turns_before(entries, number) if number else 0) + 1


def origin(table: Table, entries: Sequence[Entry], states: Sequence[State], number: int, seat: int) -> Origin:
    """Return position *number* as the beginning of another game, with nothing that some player could not see then.

    *seat*: of the other game's host. Denied: stale.
    """
    if number not in starts(states) or seat not in seats(states[number]):
        raise Denied("stale")
    view = GAMES[table.game].encode(states[number].view(None)).decode()
    return Origin(table.fixed or table.commitment, turns_before(entries, number), view, len(table.seats), seat)


def seats(state: State) -> tuple[int, ...]:
    """Return the seats that still play."""
    return tuple(seat for seat in range(state.seats) if not state.is_out(seat))
