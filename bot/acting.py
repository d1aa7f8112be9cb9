"""Who must act now, and what others hear who try."""

from msgspec import Struct

from bot.chat import PersonId, Reply
from bot.keeper import Seen
from bot.replies import notes
from bot.table import Denied, Phase
from rules import State


class Acting(Struct, frozen=True):
    """The seat of the person who must act now, in this position."""

    seat: int
    state: State


def who_acts(seen: Seen, person: PersonId) -> Acting | None:
    """Seat and position if *person* is the one who must act now."""
    seat = seen.table.seat_of(person)
    if seen.state is None or seen.table.phase != Phase.RUNNING or seat is None or seen.state.actor != seat:
        return None
    return Acting(seat, seen.state)


def not_acting(seen: Seen, person: PersonId, lang: str) -> Reply:
    """Why *person* cannot act. Denied: over, not_running, not_playing."""
    if seen.table.phase != Phase.RUNNING or seen.state is None:
        raise Denied("over" if seen.table.phase == Phase.OVER else "not_running")
    if seen.table.seat_of(person) is None:
        raise Denied("not_playing")
    return notes.not_your_turn(seen.table, seen.state.view(None), lang)
