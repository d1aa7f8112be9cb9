"""A person's stored data as a file for people and programs.

It has only the person's own data: of a table their seat and moves, and no other name except those that
the person blocks. It reveals nothing that the
person could not look up: in a game about memory, the moves are left out until the round is over.
"""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from bot.chat import PersonId, PlaceId
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.runtime.clock import from_ms
from bot.store import NewerDocument, keys
from bot.store.store import Store
from bot.tables.snapshot import Snapshot
from bot.tables.table import Entry, Leaver, Phase, TableId

FORMAT = 1


class Exporting:
    """Collects the data from the store."""

    def __init__(self, store: Store, repository: Repository, preferences: Preferences) -> None:
        self._store = store
        self._repository = repository
        self._preferences = preferences

    async def exported(self, person: PersonId) -> bytes:
        """Return the file, as JSON. Raises StoreDown."""
        records = self._store.records
        places = await records.places(person)
        answers, excused = await self._store.daily.days(person)
        tables = dict.fromkeys((*await self._store.tables_of(person), *await records.played(person)))
        data = {
            "kaleidobot_export": FORMAT,
            "made": _time(self._repository.now_ms()),
            "account": person,
            "settings": await self._preferences.person(person),
            "private_chats": [
                {"place": place, "settings": await self._store.place_settings(place)}
                for place in await records.own_places(person)
            ],
            "records": [await self._record(person, place) for place in places],
            "against_the_house": {
                game: {level: msgspec.structs.asdict(record) for level, record in levels.items()}
                for game, levels in (await self._store.solo.of(person)).items()
            },
            "daily_puzzles": {
                str(number): msgspec.structs.asdict(answer) for number, answer in sorted(answers.items())
            },
            "daily_puzzles_not_posted": sorted(excused),
            "blocked": [
                {"name": entry.name, "account": entry.person}
                for entry in (await self._store.blocks.of(keys.person_blocks(person))).values()
            ],
            "tables": [entry for table in tables if (entry := await self._table(person, table)) is not None],
        }
        return msgspec.json.format(msgspec.json.encode(data), indent=2)

    async def _record(self, person: PersonId, place: PlaceId) -> dict[str, Any]:
        """Return the person's record in a place, and their name as a solver of the daily puzzles there."""
        solver = (await self._store.daily_places.solvers(place)).get(person)
        called = (await self._store.records.called(place)).get(person)
        kept = self._store.records
        records = await kept.of_person(person, [place], await kept.all_games(place))
        return {
            "place": place,
            "name": None if called is None else called.name,
            "handle": None if called is None else called.handle,
            "solver": None if solver is None else solver.name,
            "games": {
                game: {**msgspec.structs.asdict(record), "rating": record.rating}
                for game, record in records.get(place, {}).items()
            },
        }

    async def _table(self, person: PersonId, table: TableId) -> Mapping[str, Any] | None:
        """Return the person's data in a table, as a player, guest or voter; None if the table is gone or has no such
        person."""
        try:
            snapshot = await self._repository.find(table)
        except NewerDocument:
            return {"table": table}  # a newer version of the bot wrote it
        if snapshot is None:
            return None
        # A seat that the house has taken over still has the person's name.
        seat = next((number for number, occupant in enumerate(snapshot.table.seats) if occupant.person == person), None)
        is_invited = any(guest.person == person for guest in snapshot.table.invited)
        own_parts = {name: content.decode() for name, content in (await self._store.owned(table, person)).items()}
        left = next((leaver for leaver in snapshot.table.leavers if leaver.person == person), None)
        if seat is None and left is None and not is_invited and not own_parts and snapshot.table.host != person:
            return None
        data = {
            "table": table,
            "game": snapshot.table.game,
            "place": snapshot.table.place,
            "opened": _time(snapshot.table.created_ms),
            "phase": snapshot.table.phase,
            "host": snapshot.table.host == person,
        }
        if left is not None:
            return {
                **data,
                "left_seat": left.seat + 1,
                "name": left.name,
                "handle": left.handle,
                "moves": await self._moves(snapshot, left.seat, left),
                **own_parts,
            }
        if seat is None:
            return {**data, **({"invited": True} if is_invited else {}), **own_parts}
        own = snapshot.table.seats[seat]
        return {
            **data,
            "seat": seat + 1,
            "name": own.name,
            "handle": own.handle,
            "language": own.lang,
            "colour": own.colour,
            "settings": dict(own.settings),
            "time_bank_ms": own.bank_ms,
            "moves": await self._moves(snapshot, seat, None),
            **own_parts,
        }

    async def _moves(self, snapshot: Snapshot, seat: int, left: Leaver | None) -> list[dict[str, Any]] | None:
        """Return the moves of this seat's person, or of the one who has *left* it, oldest first; None as long as no
        player may look them up."""
        if snapshot.table.phase == Phase.LOBBY:
            return []
        if snapshot.table.phase == Phase.RUNNING and (snapshot.state is None or snapshot.state.forgets):
            return None
        log, since, until = await self._repository.log(snapshot.table), snapshot.table.seats[seat].since, math.inf
        if left is not None:
            before = (
                other.until for other in snapshot.table.leavers if other.seat == seat and other.until < left.until
            )
            since, until = max(before, default=0), left.until
        return [_move(entry) for entry in log if entry.seat == seat and since < entry.revision <= until]


def _move(entry: Entry) -> dict[str, Any]:
    said = {"event": entry.event} if entry.event else {"move": entry.action}
    return {"at": _time(entry.at_ms), "turn": entry.turn + 1, "by": entry.by, **said}


def _time(ms: int) -> str:
    """
    >>> _time(1767614400000)
    '2026-01-05T12:00:00Z'
    """
    return from_ms(ms).strftime("%Y-%m-%dT%H:%M:%SZ")
