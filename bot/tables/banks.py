"""Banks of time: a seat's turns take the time that they last from its bank, and each turn adds some. Pure.

    bank ──a turn of its seat: less the time that ran──▶ ──the turn ends: plus the gain, at most the cap──▶ bank

`Seat.bank_ms` is the bank at the moment at which the seat's clock last stopped. Time runs as on any clock
(`bot.tables.deadlines`): not in quiet hours, on days away, in outages, or while the place takes no posts. A planned
turn costs its delay like a turn by hand, as the bank must not tell that it was planned; the gain outweighs the delay. A
turn that the table plays by itself neither costs nor gains. An undo takes no time from the
seat whose turn it interrupts, and gives none back: banks stay as they are.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from bot.runtime.clock import from_ms
from bot.tables.preferences import CLOCKS, calm_of
from bot.tables.table import By, Entry, Phase, Table, with_seat
from bot.tables.waiting import OnClock, Unreachable, of_turn

MS = timedelta(milliseconds=1)


def bank(table: Table, seat: int) -> timedelta | None:
    """Return the bank of *seat* without the running turn, or None if the table has no banks."""
    kind = CLOCKS.get(table.clock)
    if kind is None or not kind.gain:
        return None
    bank_ms = table.seats[seat].bank_ms
    return kind.length if bank_ms is None else bank_ms * MS


def charged(table: Table, actor: int, now_ms: int) -> Table:
    """Return *table* with the time of the unfinished turn taken from the bank of *actor*, unless others decide."""
    before, turn = bank(table, actor), of_turn(table.waiting)
    if before is None or not isinstance(turn, OnClock):
        return table
    until_ms = max(table.waiting.since_ms, turn.since_ms) if isinstance(table.waiting, Unreachable) else now_ms
    spent = calm_of(table.seats[actor].settings).spent(from_ms(turn.since_ms), from_ms(until_ms))
    return _with_bank(table, actor, max(before - spent, timedelta(0)))


def refilled(table: Table, seat: int) -> Table:
    """Return *table* with as much in the bank of *seat* as at the beginning, or more."""
    kind, before = CLOCKS.get(table.clock), bank(table, seat)
    return table if kind is None or before is None else _with_bank(table, seat, max(before, kind.length))


def after_turn(before: Table, actor: int, after: Table, entries: Sequence[Entry], now_ms: int) -> Table:
    """Return *after*, in which the turn of *actor* is over, with the bank of *actor* after that turn.

    *entries*: those of this save.
    """
    kind = CLOCKS.get(before.clock)
    if kind is None or not kind.gain or after.phase != Phase.RUNNING or after.turn <= before.turn:
        return after
    if not before.seats[actor].is_played_by_person:
        return after
    by_itself = before.began is msgspec.UNSET and all(entry.by == By.TABLE for entry in entries if entry.action)
    paid = before if by_itself else charged(before, actor, now_ms)
    left = bank(paid, actor)
    assert left is not None
    return _with_bank(after, actor, left if by_itself else min(left + kind.gain, kind.most))


def _with_bank(table: Table, seat: int, left: timedelta) -> Table:
    return with_seat(table, seat, bank_ms=left // MS)
