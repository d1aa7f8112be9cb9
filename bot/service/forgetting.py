"""Deletes all data of a person.

The order matters, because other players go on meanwhile: seats are given up, tables lose the names, then records are
deleted, and last the indexes that lead to all of these. An interrupted deletion can be repeated and finds the rest.
"""

from collections.abc import Callable, Collection

from msgspec.structs import replace

from bot.chat import PlaceId, Reply, Update, UpdateId
from bot.repository.preferences import Preferences
from bot.repository.repository import Change, Repository
from bot.store import GameMissing, keys
from bot.store.store import Store
from bot.tables import absence, anonymous, guesses, seating, voting
from bot.tables.snapshot import Snapshot
from bot.tables.table import Phase, Step, TableId
from bot.tables.voting import Ballot

ROUNDS = 3  # of the search for tables: a new one may appear meanwhile


class Forgetting:
    """Deletes people."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        preferences: Preferences,
        draw: Callable[[int], str],
    ) -> None:
        self._store = store
        self._repository = repository
        self._preferences = preferences
        self._draw = draw

    async def forget(self, update: Update) -> None:
        """Delete all data of the person of *update*, who is a new person from then on. Raises StoreDown."""
        person, people = update.person.id, self._store.records
        await people.note_forgotten(person, self._repository.now_ms())
        places = await people.own_places(person)
        done = set[TableId]()
        for _ in range(ROUNDS):
            tables = {*await self._store.tables_of(person), *await people.played(person)} - done
            for table in sorted(tables):
                await self._give_up(update, table)
                await self._take_name_away(update, table, places)
            done |= tables
            if not tables:
                break
        for place in await people.places(person):
            await people.forget_in(place, person, await people.all_games(place))
        for place in places:
            await self._store.daily_places.cancel(place)
            await people.forget_place(place, await people.all_games(place))
        await self._store.blocks.forget(person)
        await people.forget(person)
        self._preferences.forget(person, *places)
        await self._store.compact()

    async def _give_up(self, update: Update, table: TableId) -> None:
        """Leave the lobby, or hand the seat to the house."""
        person = update.person.id

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            if snapshot.table.phase == Phase.OVER or snapshot.table.seat_of(person) is None:
                return None, None
            if snapshot.table.phase == Phase.LOBBY:
                return Step(seating.leave(snapshot.table, person)), None
            if snapshot.state is None:  # its game is not installed, so it cannot say who wins
                return Step(absence.give_seat(snapshot.table, person)), None
            now_ms = self._repository.now_ms()
            return await self._repository.without_unsent(
                snapshot, lambda table, state: absence.resign(table, state, person, now_ms)
            ), None

        snapshot = await self._find(table)
        if snapshot is not None:
            await self._change(update, "give up", snapshot, apply)

    async def _take_name_away(self, update: Update, table: TableId, places: Collection[PlaceId]) -> None:
        """Remove the person's name, account and attachments from *table*."""
        person, placeholder = update.person.id, anonymous.gone(self._draw(8))
        owned = await self._store.owned(table, person)
        if voting.BALLOT in owned:
            await self._take_votes_back(update, table)
        for name in owned:
            await self._store.attach(table, keys.own(name, person), b"")

        def is_named(snapshot: Snapshot) -> bool:
            """Return whether a save is needed; also against another process that has just read the person's guess."""
            may_be_told = guesses.NAME in owned and snapshot.table.phase == Phase.RUNNING
            return may_be_told or anonymous.knows(snapshot.table, person, places)

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            nameless = anonymous.without(snapshot.table, person, places, placeholder)
            return Step(nameless, snapshot.state) if is_named(snapshot) else None, None

        snapshot = await self._find(table)
        if snapshot is not None and is_named(snapshot):
            await self._change(update, "nameless", snapshot, apply, quiet=snapshot.table.phase == Phase.OVER)

    async def _take_votes_back(self, update: Update, table: TableId) -> None:
        """Change the count of the votes: a process that is about to close the vote has read them with the name."""

        async def apply(_: Snapshot, ballot: Ballot | None) -> tuple[Ballot | None, Reply | None]:
            return None if ballot is None else replace(ballot, name="", dropped=True), None

        snapshot = await self._find(table)
        if snapshot is not None and snapshot.table.phase == Phase.RUNNING and snapshot.state is not None:
            once = UpdateId(f"{update.id}:{table}:votes")
            await self._repository.change_ballot(snapshot, update.person.id, apply, once)

    async def _find(self, table: TableId) -> Snapshot | None:
        """Return the table, also without its position if its game is not installed."""
        try:
            return await self._repository.find(table)
        except GameMissing as missing:
            return missing.snapshot

    async def _change(
        self, update: Update, what: str, snapshot: Snapshot, apply: Change, *, quiet: bool = False
    ) -> None:
        """Apply *apply* once per update, table and step *what*."""
        once = UpdateId(f"{update.id}:{snapshot.table.id}:{what}")
        await self._repository.change(snapshot, apply, once, quiet=quiet)
