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


def who_acts(snapshot: Snapshot, person: PersonId) -> Acting | None:
    """Return seat and position if *person* must act now and the house does not stand in; else None."""
    seat = snapshot.table.seat_of(person)
    if snapshot.state is None or snapshot.table.phase != Phase.RUNNING or seat is None or snapshot.state.actor != seat:
        return None
    if snapshot.table.has_stand_in:
        return None
    return Acting(seat, snapshot.state)
