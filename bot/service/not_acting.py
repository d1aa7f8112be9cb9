"""What somebody hears who tries to act and may not."""

from bot.chat import PersonId, Reply
from bot.replies import notes
from bot.repository.repository import Snapshot
from bot.tables.table import Denied, Phase


def not_acting(seen: Snapshot, person: PersonId, lang: str) -> Reply:
    """Why *person* cannot act. Denied: over, not_running, not_playing, deputy."""
    if seen.table.phase != Phase.RUNNING or seen.state is None:
        raise Denied("over" if seen.table.phase == Phase.OVER else "not_running")
    seat = seen.table.seat_of(person)
    if seat is None:
        raise Denied("not_playing")
    if seen.table.has_deputy and seen.state.actor == seat:
        raise Denied("deputy")
    return notes.not_your_turn(seen.table, seen.state.view(None), seat, lang)
