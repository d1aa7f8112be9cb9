"""What somebody hears who tries to act and may not."""

from msgspec.structs import replace

from bot.chat import Expiry, Press, Reply, Role, Update
from bot.replies import notes
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase


def not_acting(snapshot: Snapshot, update: Update, lang: str) -> Reply:
    """Why the person of *update* cannot act: in a line that may vanish where a button was pressed, and in none that
    outlives the turn. Denied: over, not_running, not_playing, house_plays, deputy."""
    if snapshot.table.phase != Phase.RUNNING or snapshot.state is None:
        raise Denied("over" if snapshot.table.phase == Phase.OVER else "not_running")
    seat = tables.require_seat(snapshot.table, update.person.id)
    if snapshot.table.has_stand_in and snapshot.state.actor == seat:
        raise Denied("deputy")
    said = notes.not_your_turn(snapshot.table, snapshot.state.view(None), seat, lang)
    role = Role.TOAST if isinstance(update.body, Press) else Role.NOTE
    return replace(said, role=role, expires=Expiry(tables.time_of(snapshot.table)))
