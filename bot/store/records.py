"""Data of people outside the tables: records by place, and the index that finds all data of a person.

All keys of a place share a hash tag, so one script can use them; so do all keys of a person. Between a place and a
person there is an order instead: an index entry is written before the data and removed after it.
"""

from collections.abc import Iterable, Mapping, Sequence
from secrets import token_hex
from typing import Any, cast

import msgspec

from bot.chat import PersonId, PlaceId
from bot.store import Conflict, keys
from bot.store.calls import Calls
from bot.tables.rating import Called, Reached, Record
from bot.tables.table import TableId

AT_ONCE = 500
"""People in one pipeline: a channel may have very many voters."""

RATED_MS = 60 * 24 * 60 * 60 * 1000
"""How long a place remembers that a table's result was recorded. Retries follow within minutes."""

FORGOTTEN_MS = 400 * 24 * 60 * 60 * 1000
"""How long a request to be forgotten is stored; older backups must not be restored."""

_encoder = msgspec.json.Encoder()
_record = msgspec.json.Decoder(Record)


_called = msgspec.json.Decoder(Called)


class Records:
    """Records of people, and their index. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined
        self._rate = calls.script("rate")
        self._best = calls.script("best")
        self._forget = calls.script("forget")

    # Records

    async def of(self, place: PlaceId, game: str, people: Sequence[PersonId]) -> tuple[Record, ...]:
        """Return the records of *people* in their order; a new one for a person without one."""
        fields = [keys.record(game, person) for person in people]
        answer = await self._patiently(lambda: self._client.hmget(keys.place_records(place), fields))
        return tuple(Record() if record is None else _record.decode(cast("bytes", record)) for record in answer)

    async def rate(self, place: PlaceId, game: str, table: TableId, reached: Sequence[Reached], now_ms: int) -> None:
        """Store the new records after the result of *table*, once. The index entries are written first.

        Raises Conflict if a record is not the predecessor of the new one.
        """
        await self._pipelined(lambda pipe: [pipe.sadd(keys.person_places(result.person), place) for result in reached])
        arguments: list[str | bytes | int | float] = [table, now_ms, RATED_MS, game]
        for result in reached:
            arguments += [result.person, _encoder.encode(result.called), _encoder.encode(result.record)]
            arguments += [result.record.games, result.record.skill]
        names = (keys.place_people(place), keys.place_records(place), keys.place_ranking(place, game))
        if await self._rate((*names, keys.place_rated(place)), tuple(arguments)) == 2:
            raise Conflict(f"records in {game}")

    async def of_person(
        self, person: PersonId, places: Sequence[PlaceId], games: Sequence[str]
    ) -> Mapping[PlaceId, Mapping[str, Record]]:
        """Return the person's records in these places by game, without places and games that have none."""
        if not games:  # the person only solves daily puzzles there
            return {}
        fields = [keys.record(game, person) for game in games]
        answers = await self._pipelined(
            lambda pipe: [pipe.hmget(keys.place_records(place), fields) for place in places]
        )
        by_place = {
            place: {
                game: _record.decode(record) for game, record in zip(games, answer, strict=True) if record is not None
            }
            for place, answer in zip(places, answers, strict=True)
        }
        return {place: records for place, records in by_place.items() if records}

    async def games(self, place: PlaceId, games: Sequence[str]) -> tuple[str, ...]:
        """Return the *games* in which any person has a record here."""
        counts = await self._pipelined(lambda pipe: [pipe.zcard(keys.place_ranking(place, game)) for game in games])
        return tuple(game for game, count in zip(games, counts, strict=True) if count)

    async def all_games(self, place: PlaceId) -> tuple[str, ...]:
        """Return every game in which any person has a record here, installed or not."""
        key = keys.place_records(place)
        fields = cast("list[bytes]", await self._patiently(lambda: self._client.hkeys(key)))
        return tuple(sorted({field.decode().partition(" ")[0] for field in fields}))

    async def best(self, place: PlaceId, game: str, skip: int, most: int) -> tuple[Reached, ...]:
        """Return at most *most* people of the ranking in *game* here, the best first, after the first *skip*."""
        names = (keys.place_ranking(place, game), keys.place_people(place), keys.place_records(place))
        answer = cast("list[bytes]", await self._best(names, (game, skip, most)))
        return tuple(
            Reached(PersonId(person.decode()), _called.decode(called), _record.decode(record))
            for person, called, record in zip(answer[::3], answer[1::3], answer[2::3], strict=True)
        )

    async def called(self, place: PlaceId) -> dict[PersonId, Called]:
        """Return the names of all people with a record here."""
        key = keys.place_people(place)
        answer = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(key)))
        return {PersonId(person.decode()): _called.decode(called) for person, called in answer.items()}

    async def settings(self, people: Sequence[PersonId], name: str) -> tuple[str | None, ...]:
        """Return one setting of several people, in their order."""
        values = await self._pipelined(
            lambda pipe: [pipe.hget(keys.person_settings(person), name) for person in people]
        )
        return tuple(None if value is None else value.decode() for value in values)

    async def move(self, place: PlaceId, new: PlaceId, games: Sequence[str]) -> None:
        """Move the records of *place* to its new id. Existing records of the new place stay."""
        called, records, rated, *rankings = await self._pipelined(
            lambda pipe: [
                pipe.hgetall(keys.place_people(place)),
                pipe.hgetall(keys.place_records(place)),
                pipe.zrange(keys.place_rated(place), 0, -1, withscores=True),
                *(pipe.zrange(keys.place_ranking(place, game), 0, -1, withscores=True) for game in games),
            ]
        )
        if not called:
            return
        people = [PersonId(person.decode()) for person in called]

        def copy(pipe: Any) -> None:
            for person in people:
                pipe.sadd(keys.person_places(person), new)
            for person, name in called.items():
                pipe.hsetnx(keys.place_people(new), person, name)
            for field, record in records.items():
                pipe.hsetnx(keys.place_records(new), field, record)
            for game, ranking in zip(games, rankings, strict=True):
                if ranking:
                    pipe.zadd(keys.place_ranking(new, game), dict(ranking), nx=True)
            if rated:
                pipe.zadd(keys.place_rated(new), dict(rated), nx=True)
                pipe.pexpire(keys.place_rated(new), RATED_MS)

        await self._pipelined(copy)
        await self._delete(_of_records(place, games))
        await self._pipelined(lambda pipe: [pipe.srem(keys.person_places(person), place) for person in people])

    # The index of a person's data

    async def places(self, person: PersonId) -> tuple[PlaceId, ...]:
        """Return the places in which *person* may have records."""
        return await self._places(keys.person_places(person))

    async def own_places(self, person: PersonId) -> tuple[PlaceId, ...]:
        """Return the person's private chats that have data."""
        return await self._places(keys.person_own_places(person))

    async def add_own_place(self, person: PersonId, place: PlaceId) -> None:
        await self._patiently(lambda: self._client.sadd(keys.person_own_places(person), place))

    async def add_played(self, people: Iterable[PersonId], table: TableId, now_ms: int, expire_ms: int) -> None:
        """Index the finished *table* for these people until it expires."""

        def fill(pipe: Any, part: Iterable[PersonId]) -> None:
            for key in map(keys.person_played, part):
                pipe.zadd(key, {table: expire_ms})
                pipe.zremrangebyscore(key, "-inf", now_ms)
                pipe.pexpire(key, expire_ms - now_ms)

        every = [*people]
        for first in range(0, len(every), AT_ONCE):
            part = every[first : first + AT_ONCE]
            await self._pipelined(lambda pipe, part=part: fill(pipe, part))  # type: ignore[misc]

    async def played(self, person: PersonId) -> tuple[TableId, ...]:
        """Return the finished tables that may contain the person's name."""
        ids = await self._patiently(lambda: self._client.zrange(keys.person_played(person), 0, -1))
        return tuple(TableId(cast("bytes", id_).decode()) for id_ in ids)

    # Forgetting

    async def note_forgotten(self, person: PersonId, now_ms: int) -> None:
        """Store the request to be forgotten as a keyed hash: an older backup is restored without *person*."""
        drawn = token_hex(32)
        secret = await self._patiently(lambda: self._client.set(keys.ID_KEY, drawn, nx=True, get=True))
        digest = keys.hashed(person, drawn if secret is None else cast("bytes", secret).decode())

        def fill(pipe: Any) -> None:
            pipe.zadd(keys.FORGOTTEN, {digest: now_ms})
            pipe.zremrangebyscore(keys.FORGOTTEN, "-inf", now_ms - FORGOTTEN_MS)

        await self._pipelined(fill)

    async def forget_in(self, place: PlaceId, person: PersonId, games: Sequence[str]) -> None:
        """Forget *person* in *place*; the index entry is removed last."""
        names = (keys.place_people(place), keys.place_records(place))
        await self._forget((*names, *(keys.place_ranking(place, game) for game in games)), (person, *games))
        await self._patiently(lambda: self._client.hdel(keys.place_solvers(place), person))
        await self._patiently(lambda: self._client.srem(keys.person_places(person), place))

    async def forget_place(self, place: PlaceId, games: Sequence[str]) -> None:
        """Forget all data of a place except the tables."""
        of_daily = keys.place_daily(place), keys.place_solvers(place)
        await self._delete(
            (
                keys.place(place),
                keys.place_settings(place),
                keys.place_blocks(place),
                *of_daily,
                *_of_records(place, games),
            )
        )

    async def forget(self, person: PersonId) -> None:
        """Forget the settings and the index of *person*."""
        await self._delete(keys.of_person(person))

    async def _delete(self, names: Sequence[str]) -> None:
        """Delete keys with one hash tag."""
        await self._patiently(lambda: self._client.delete(*names))

    async def _places(self, key: str) -> tuple[PlaceId, ...]:
        places = cast("set[bytes]", await self._patiently(lambda: self._client.smembers(key)))
        return tuple(sorted(PlaceId(place.decode()) for place in places))


def _of_records(place: PlaceId, games: Sequence[str]) -> tuple[str, ...]:
    rankings = (keys.place_ranking(place, game) for game in games)
    return (keys.place_people(place), keys.place_records(place), keys.place_rated(place), *rankings)
