"""Deleting everything about a person, from wherever it is stored.

The order matters, as others play on meanwhile: seats are given up; tables lose the names; then records go, and last of
all what leads to them. Whatever is interrupted can be done once more, and finds what is left.
"""

from collections.abc import Awaitable, Callable, Collection

from msgspec.structs import replace

from bot import anonymous, house, seating
from bot.acting import house_thinks
from bot.chat import PlaceId, Reply, Update, UpdateId
from bot.keeper import TRIES, Change, Keeper, Seen
from bot.preferences import Preferences
from bot.store import Conflict, StoreDown
from bot.store.store import Store
from bot.table import Phase, Step, Table, TableId
from rules import GAMES

ROUNDS = 3  # of looking for tables: one may come while the others are gone through


class Forgetting:
    """Forgets people. *changed* is told of every table that the others are to see anew."""

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        preferences: Preferences,
        draw: Callable[[int], str],
        changed: Callable[[Seen], Awaitable[None]],
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._preferences = preferences
        self._draw = draw
        self._changed = changed

    async def forget(self, update: Update) -> None:
        """Delete everything about the person of *update*, who is somebody new from then on. Raises StoreDown."""
        person, people = update.person.id, self._store.people
        places = await people.own_places(person)
        done = set[TableId]()
        for _ in range(ROUNDS):
            found = {*await self._store.tables_of(person), *await people.played(person)} - done
            for table in sorted(found):
                await self._give_up(update, table)
                await self._take_name_away(update, table, places)
            done |= found
            if not found:
                break
        for place in await people.places(person):
            await people.forget_in(place, person, tuple(GAMES))
        for place in places:
            await people.forget_place(place, tuple(GAMES))
        await people.forget(person)
        self._preferences.forget(person, *places)
        await self._store.compact()

    async def _give_up(self, update: Update, table: TableId) -> None:
        """Leave the lobby, or leave the seat to the house."""
        person = update.person.id

        async def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            if seen.table.phase == Phase.OVER or seen.table.seat_of(person) is None:
                return None, None
            if seen.table.phase == Phase.LOBBY or seen.state is None:
                return Step(seating.leave(seen.table, person)), None
            return await house_thinks(house.resign, seen.table, seen.state, person, self._keeper.now_ms()), None

        seen = await self._keeper.find(table)
        if seen is not None:
            await self._change(update, "give up", seen, apply)

    async def _take_name_away(self, update: Update, table: TableId, places: Collection[PlaceId]) -> None:
        """Let *table* tell nothing of the person any more."""
        person, placeholder = update.person.id, anonymous.gone(self._draw(8))

        def nameless(table: Table) -> Table:
            return anonymous.without(table, person, places, placeholder)

        async def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            goes_on = seen.table.phase != Phase.OVER and anonymous.knows(seen.table, person, places)
            return Step(nameless(seen.table), seen.state) if goes_on else None, None

        for _ in range(TRIES):
            seen = await self._keeper.find(table)
            if seen is None or not anonymous.knows(seen.table, person, places):
                return
            if seen.table.phase != Phase.OVER:
                await self._change(update, "nameless", seen, apply)
                continue
            try:
                await self._keeper.rewrite(seen, nameless(seen.table))
            except Conflict:
                continue
        raise StoreDown(f"table {table} changed too often")

    async def _change(self, update: Update, what: str, seen: Seen, apply: Change) -> None:
        once = replace(update, id=UpdateId(f"{update.id}:{seen.table.id}:{what}"))
        done = await self._keeper.change(once, seen, apply)
        if done is not None and done.saved:
            await self._changed(done.seen)
