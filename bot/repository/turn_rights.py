"""Which person must act now."""

from msgspec import Struct

from bot.chat import PersonId
from bot.tables.snapshot import Snapshot
from bot.tables.table import Phase
from rules import State


class Acting(Struct, frozen=True):
    """The seat of the person who must act now, in this position."""

    seat: int
    state: State


def who_acts(seen: Snapshot, person: PersonId) -> Acting | None:
    """Return seat and position if *person* must act now and the house does not stand in; else None."""
    seat = seen.table.seat_of(person)
    if seen.state is None or seen.table.phase != Phase.RUNNING or seat is None or seen.state.actor != seat:
        return None
    if seen.table.has_stand_in:
        return None
    return Acting(seat, seen.state)
