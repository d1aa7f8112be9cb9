"""Records of people against the house, by game and level. They belong to the person, not to a place."""

from collections.abc import Mapping
from typing import cast

import msgspec

from bot.chat import PersonId
from bot.store import keys
from bot.store.calls import Calls
from bot.store.records import RATED_MS
from bot.tables.solo import SoloRecord, SoloResult
from bot.tables.table import Table

_record = msgspec.json.Decoder(SoloRecord)


class SoloRecords:
    """Records against the house. `Records.forget` deletes them with all data of a person. Any call may raise
    StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently = calls.client, calls.patiently
        self._add = calls.script("solo")

    async def add(self, person: PersonId, table: Table, result: SoloResult, now_ms: int) -> None:
        """Add the *result* of *table* to the record of *person*, once."""
        points = "" if result.points is None else result.points
        field = keys.solo_record(table.game, table.level)
        names = (keys.person_solo(person), keys.person_counted(person))
        facts = int(result.is_won), int(result.is_lost), points, *result.badges
        await self._add(names, (table.id, now_ms, RATED_MS, field, *facts))

    async def of(self, person: PersonId) -> Mapping[str, Mapping[str, SoloRecord]]:
        """Return all records of *person* by game and level, also in games that are not installed."""
        key = keys.person_solo(person)
        stored = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(key)))
        records: dict[str, dict[str, SoloRecord]] = {}
        for field, record in sorted(stored.items()):
            game, _, level = field.decode().partition(" ")
            records.setdefault(game, {})[level] = _record.decode(record)
        return records

    async def forget(self, person: PersonId) -> None:
        """Forget the records of *person*."""
        names = (keys.person_solo(person), keys.person_counted(person))
        await self._patiently(lambda: self._client.delete(*names))
