"""The reply to a person who cannot act."""

from msgspec.structs import replace

from bot.chat import Expiry, Press, Reply, Role, Update
from bot.replies import notes
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase


def not_acting(snapshot: Snapshot, update: Update, lang: str) -> Reply:
    """Return why the person of *update* cannot act.

    A press gets a line that may vanish, a text gets a note that expires with the turn. Denied: over, not_running,
    not_playing, house_plays, deputy.
    """
    if snapshot.table.phase != Phase.RUNNING or snapshot.state is None:
        raise Denied("over" if snapshot.table.phase == Phase.OVER else "not_running")
    seat = tables.require_seat(snapshot.table, update.person.id)
    if snapshot.table.has_stand_in and snapshot.state.actor == seat:
        raise Denied("deputy")
    said = notes.not_your_turn(snapshot.table, snapshot.state.view(None), seat, lang)
    role = Role.TOAST if isinstance(update.body, Press) else Role.NOTE
    return replace(said, role=role, expires=Expiry(tables.time_of(snapshot.table)))
