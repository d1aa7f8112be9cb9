"""Find the table that a request is about, and the tables of a person."""

from bot.chat import PersonId, PlaceId, Update
from bot.repository.repository import LAST, Repository
from bot.repository.turn_rights import who_acts
from bot.store import NewerDocument
from bot.store.store import Store
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, TableId


class Lookup:
    """Finds tables for people."""

    def __init__(self, store: Store, repository: Repository) -> None:
        self._store = store
        self._repository = repository

    async def meant(self, update: Update, table: TableId | None) -> Snapshot:
        """Return the table that *update* is about: the given one, else the one that holds the place.

        In a private chat with the bot, without a table there, the only one that waits for this person.
        Denied: no_table, several_wait.
        """
        if table is not None:
            return await self._repository.load(table)
        snapshot = await self._repository.on(update.place.id)
        if snapshot is None and update.place.private:
            mine = await self.tables_of(update.person.id)
            waiting = [own for own in mine if who_acts(own, update.person.id) and not own.table.is_resting]
            if len(waiting) > 1:
                raise Denied("several_wait")
            snapshot = waiting[0] if waiting else None
        if snapshot is None:
            raise Denied("no_table")
        return snapshot

    async def last(self, update: Update, table: TableId | None) -> Snapshot:
        """Return the same as `meant`, or the former game of the place if none is on. Denied: no_table, several_wait."""
        if table is not None:
            return await self._repository.load(table)
        try:
            snapshot = await self.meant(update, None)
        except Denied:
            before = await self._before(update.place.id)
            if before is None:
                raise
            return before
        if snapshot.state is not None:
            return snapshot
        return await self._before(update.place.id) or snapshot

    async def _before(self, place: PlaceId) -> Snapshot | None:
        """Return the former game of *place*, or None."""
        table = (await self._store.place_settings(place)).get(LAST)
        snapshot = await self._repository.find(TableId(table)) if table else None
        return None if snapshot is None or snapshot.state is None else snapshot

    async def tables_of(self, person: PersonId, besides: TableId | None = None) -> list[Snapshot]:
        """Return the tables at which *person* sits, except *besides*, the newest first.

        Expired tables are removed from the person's list; tables of a newer version of the bot are left out.
        """
        snapshots = list[Snapshot]()
        for table in await self._store.tables_of(person):
            if table == besides:
                continue
            try:
                snapshot = await self._repository.find(table)
            except NewerDocument:
                continue
            if snapshot is None:
                await self._store.remove_expired(person, table, self._repository.now_ms())
            elif snapshot.table.phase != Phase.OVER and any(seat.person == person for seat in snapshot.table.seats):
                snapshots.append(snapshot)
        return snapshots
