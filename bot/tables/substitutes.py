"""Substitutes: another person takes a seat in a running game, with all that belongs to the seat. Pure.

    the person asks ─────────────▶ offered ──another person accepts──▶ taken: the person is a leaver
    ... and all others agree ────▶    │
    the others ask for a silent one ─▶│──the person withdraws; the silent one acts, or the others wait──▶ as before

For the leaver the game counts as left, unless all agreed. For the substitute it does not count, unless they want it.
"""

from msgspec.structs import replace

from bot.chat import PersonId
from bot.runtime.clock import from_ms
from bot.tables import banks, deadlines
from bot.tables.anonymous import is_nobody
from bot.tables.table import (
    Denied,
    Entry,
    Leaver,
    Offer,
    Phase,
    Seat,
    Step,
    Table,
    require,
    require_seat,
    with_seat,
)
from bot.tables.waiting import OnClock, of_turn, with_turn
from rules import State


def require_offering(table: Table, person: PersonId) -> int:
    """Return the seat of *person*, who may offer it.

    Denied: over, not_running, not_playing, handed_over, house_plays, substitute_alone (no other person plays).
    """
    require(table, Phase.RUNNING)
    seat = require_seat(table, person)
    if all(other.house for number, other in enumerate(table.seats) if number != seat):
        raise Denied("substitute_alone")
    return seat


def may_offer(table: Table, person: PersonId) -> bool:
    """Return whether *person* may offer their seat."""
    try:
        require_offering(table, person)
    except Denied:
        return False
    return True


def offer(table: Table, seat: int, why: Offer | None) -> Table:
    """Return *table* with *seat* offered to a substitute, or (None) no longer."""
    return with_seat(table, seat, offer=why)


def require_taking(table: Table, seat: int, person: PersonId) -> list[PersonId]:
    """Return the people with whom *person* would sit as a substitute in *seat*.

    Denied: over, not_running, joined, sat_before (another or a former seat was theirs), full.
    """
    require(table, Phase.RUNNING)
    if table.seat_of(person) is not None:
        raise Denied("joined")
    if person in table.sat:
        raise Denied("sat_before")
    if seat not in table.offered:
        raise Denied("full")
    return [other.person for number, other in enumerate(table.seats) if number != seat and not is_nobody(other.person)]


def take(table: Table, state: State, seat: int, new: Seat, now_ms: int, before: tuple[Entry, ...] = ()) -> Step:
    """Return the step with which the person of *new* takes *seat* from its person. *before*: entries that come first.

    They get the time of a whole turn if it is theirs, and at least the bank of the beginning. An open question ends: it
    was asked among other people.
    """
    old, until = table.seats[seat], table.revision + 1
    leaver = Leaver(old.person, old.name, seat, until, old.handle, old.rated and old.offer is not Offer.AGREED)
    sits = replace(new, colour=old.colour, bank_ms=old.bank_ms, since=until)
    table = replace(
        table,
        seats=tuple(sits if number == seat else other for number, other in enumerate(table.seats)),
        leavers=(*table.leavers, leaver),
        host=new.person if table.host == old.person else table.host,
        question=None,
    )
    table = banks.refilled(table, seat)
    if state.actor == seat and of_turn(table.waiting) is not None:
        is_hushed = deadlines.is_hushed(table, state, from_ms(now_ms))
        table = replace(table, waiting=with_turn(table.waiting, OnClock(now_ms, is_hushed)))
    taken = Entry(until, seat, "", now_ms, turn=table.turn, event="substituted")
    return Step(table, state, (*before, taken))
