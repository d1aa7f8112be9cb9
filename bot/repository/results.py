"""Add results to records: once for every table, however many processes try."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from bot.runtime.retry import SAVES
from bot.store import Conflict, StoreDown
from bot.store.store import Store
from bot.tables import rating, solo
from bot.tables.anonymous import is_nobody
from bot.tables.preferences import HIDDEN
from bot.tables.rating import Rated, Reached, Record
from bot.tables.solo import SoloResult
from bot.tables.table import Entry, Table

log = logging.getLogger(__name__)


def counts(table: Table) -> bool:
    """Return whether the result of *table* belongs in a record, rated or against the house."""
    return rating.ranks(table) is not None or solo.result(table) is not None


class Results:
    """Adds the results of tables to the records of their people."""

    def __init__(self, store: Store, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms

    async def settle(self, table: Table) -> None:
        """Add the result of *table* to the records, unless it does not count or was added. Raises StoreDown.

        People without a move of their own are left out; with fewer than two others nothing is recorded.

        A person may be forgotten meanwhile. The table loses that name before the records do, so the names are checked
        again at the end.
        """
        alone = solo.result(table)
        if alone is not None:
            await self._settle_alone(table, alone)
            return
        if rating.ranks(table) is None:
            return
        players = rating.players(table, await self._store.log(table.id))
        if len(players) < 2 or all(is_nobody(player.person) for player in players):
            return
        await self._rate(table, players)
        now = await self._store.load(table.id)
        if now is not None:
            for person in {player.person for player in players} - now.table.sat:
                games = await self._store.records.all_games(table.place)
                await self._store.records.forget_in(table.place, person, games)

    async def firsts(self, table: Table, entries: Sequence[Entry]) -> tuple[bool, tuple[str, ...]]:
        """Return whether *table*, about to be saved with *entries*, is a person's first win over the house at this
        level, and the badges that are new to them, for all to read. Raises StoreDown.

        Nothing is told of a person who is hidden from the statistics.
        """
        alone = solo.result(table)
        if alone is None or not alone.is_won:
            return False, ()
        if alone.seat not in rating.moved((*await self._store.log(table.id), *entries)):
            return False, ()
        person = table.seats[alone.seat].person
        (hidden,) = await self._store.records.settings([person], HIDDEN.name)
        if hidden == "on":
            return False, ()
        before = (await self._store.solo.of(person)).get(table.game, {})
        known = {badge for record in before.values() for badge in record.badges}
        is_first = table.level not in before or not before[table.level].wins
        return is_first, tuple(badge for badge in alone.badges if badge not in known)

    async def _settle_alone(self, table: Table, alone: SoloResult) -> None:
        """Add the result to the record against the house, if the person made a move."""
        if alone.seat not in rating.moved(await self._store.log(table.id)):
            return
        person = table.seats[alone.seat].person
        await self._store.solo.add(person, table, alone, self._now_ms())
        now = await self._store.load(table.id)
        if now is not None and all(seat.person != person for seat in now.table.seats):  # forgotten meanwhile
            await self._store.solo.forget(person)

    async def _rate(self, table: Table, players: Sequence[Rated]) -> None:
        ranks = [player.rank for player in players]
        won = frozenset(number for number, player in enumerate(players) if player.has_won)
        people = [player.person for player in players if not is_nobody(player.person)]
        for tried in range(SAVES.tries):
            of_people = await self._store.records.of(table.place, table.game, people)
            before = dict(zip(people, of_people, strict=True))
            records = [before.get(player.person, Record()) for player in players]
            reached = [
                Reached(player.person, player.called, record)
                for player, record in zip(players, rating.rated(records, ranks, won), strict=True)
                if player.person in before
            ]
            try:
                await self._store.records.rate(table.place, table.game, table.id, reached, self._now_ms())
            except Conflict:
                await asyncio.sleep(SAVES.pause_s(tried))
            else:
                return
        raise StoreDown(f"the records of table {table.id} changed too often")
