"""Undos without a question: whether a person may take a step back freely."""

from cachetools import LRUCache

from bot.chat import PersonId
from bot.repository.repository import Repository
from bot.tables import logbook
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, TableId

KEPT = 256  # answers


class Undos:
    """Answers from the log, and caches the answers by save."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._free = LRUCache[tuple[TableId, str, PersonId], tuple[bool | None]](KEPT)

    async def can_undo(self, snapshot: Snapshot, person: PersonId) -> bool | None:
        """Return whether *person* may take a step back without asking; None if there is nothing to take back."""
        if tables.forgets(snapshot.table, snapshot.state):
            return None
        key = (snapshot.table.id, snapshot.save, person)
        known = self._free.get(key)
        if known is None:  # each part of a menu needs the answer
            log = logbook.this_turn(snapshot.table, snapshot.recent)
            try:
                undo = logbook.undo(
                    snapshot.table, await self._repository.log(snapshot.table) if log is None else log, person
                )
                known = (undo.freely,)
            except Denied:
                known = (None,)
            self._free[key] = known
        return known[0]
