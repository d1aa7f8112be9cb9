"""Which table somebody means, and where somebody sits."""

from bot.acting import who_acts
from bot.chat import PersonId, Update
from bot.keeper import Keeper, Seen
from bot.lobbies import LAST
from bot.store.store import Store
from bot.table import Denied, Phase, TableId


class Finding:
    """Finds tables for people."""

    def __init__(self, store: Store, keeper: Keeper) -> None:
        self._store = store
        self._keeper = keeper

    async def meant(self, update: Update, table: TableId | None) -> Seen:
        """The table that *update* is about: the given one, else the one that is on in this place; in a private chat
        with the bot the one table, wherever it is, that waits for this person. Denied: no_table."""
        if table is not None:
            return await self._keeper.load(table)
        seen = await self._keeper.on(update.place.id)
        if seen is None and update.place.private:
            waiting = [each for each in await self.tables_of(update.person.id) if who_acts(each, update.person.id)]
            seen = waiting[0] if len(waiting) == 1 else None
        if seen is None:
            raise Denied("no_table")
        return seen

    async def last(self, update: Update, table: TableId | None) -> Seen:
        """As `meant`; where no game is on, the one that was on in this place before. Denied: no_table."""
        try:
            seen = await self.meant(update, table)
        except Denied:
            seen = None
        if table is None and (seen is None or seen.state is None):
            last = (await self._store.place_settings(update.place.id)).get(LAST)
            seen = (await self._keeper.find(TableId(last)) if last else None) or seen
        if seen is None:
            raise Denied("no_table")
        return seen

    async def tables_of(self, person: PersonId) -> list[Seen]:
        """Where *person* sits, the newest table first; what has expired is forgotten on the way."""
        found = list[Seen]()
        for table in await self._store.tables_of(person):
            seen = await self._keeper.find(table)
            if seen is None:
                await self._store.remove_table(person, table)
            elif seen.table.phase != Phase.OVER and any(seat.person == person for seat in seen.table.seats):
                found.append(seen)
        return found
