"""The daily puzzles: the answers of people, and the places that get each puzzle as a post.

Answers belong to a person. A place knows only the names of its solvers, and its newest posts.
"""

import secrets
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.store import keys
from bot.store.calls import Calls
from bot.store.due_queue import DueQueue
from bot.tables.daily import DailyAnswer, DailyPost, Solver

POSTS_MS = 3 * 24 * 60 * 60 * 1000
"""TTL of the posts of a place; only that of the day is needed."""
SOLVERS_MS = 62 * 24 * 60 * 60 * 1000
"""TTL of the solvers of a place after the last one came: the next month's table needs them."""

_answer = msgspec.json.Decoder(DailyAnswer)
_post = msgspec.json.Decoder(DailyPost)
_solver = msgspec.json.Decoder(Solver)
_encoder = msgspec.json.Encoder()


class DailyAnswers:
    """Answers by number of the puzzle. `Records.forget` deletes them with all data of a person. Any call may raise
    StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined

    async def add(self, person: PersonId, number: int, answer: DailyAnswer) -> DailyAnswer:
        """Store the *answer* unless the person has answered puzzle *number*; return the one that counts."""
        key = keys.person_daily(person)
        _, _, stored = await self._pipelined(
            lambda pipe: [
                pipe.hsetnx(key, str(number), _encoder.encode(answer)),
                pipe.hdel(key, keys.daily_hints(number)),
                pipe.hget(key, str(number)),
            ]
        )
        return _answer.decode(cast("bytes", stored))

    async def of(self, person: PersonId) -> Mapping[int, DailyAnswer]:
        """Return all answers of *person*."""
        answers, _ = await self.days(person)
        return answers

    async def days(self, person: PersonId) -> tuple[Mapping[int, DailyAnswer], frozenset[int]]:
        """Return all answers of *person*, and the puzzles that were not posted where they solve them."""
        key = keys.person_daily(person)
        stored = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(key)))
        answers = {int(field): _answer.decode(answer) for field, answer in stored.items() if field.isdigit()}
        excused = (keys.excused_day(field) for field in stored)
        return answers, frozenset(number for number in excused if number is not None)

    async def excuse(self, people: Sequence[PersonId], number: int) -> None:
        """Store that puzzle *number* was not posted where these people solve the puzzles."""
        field = keys.daily_excuse(number)
        await self._pipelined(lambda pipe: [pipe.hset(keys.person_daily(person), field, "") for person in people])

    async def of_days(self, people: Sequence[PersonId], numbers: Sequence[int]) -> list[dict[int, DailyAnswer]]:
        """Return the answers of each of *people* to the puzzles *numbers*."""
        if not people or not numbers:
            return [{} for _ in people]
        fields = [*map(str, numbers)]
        stored = await self._pipelined(
            lambda pipe: [pipe.hmget(keys.person_daily(person), fields) for person in people]
        )
        return [
            {n: _answer.decode(answer) for n, answer in zip(numbers, answers, strict=True) if answer is not None}
            for answers in stored
        ]

    async def hinted(self, person: PersonId, number: int, step: int) -> None:
        """Store that the person has seen hint *step* (1 or 2) of puzzle *number*."""
        if step > await self.hints(person, number):
            key, field = keys.person_daily(person), keys.daily_hints(number)
            await self._patiently(lambda: self._client.hset(key, field, str(step)))

    async def hints(self, person: PersonId, number: int) -> int:
        """Return how many hints for puzzle *number* the person has seen before an answer."""
        key, field = keys.person_daily(person), keys.daily_hints(number)
        return int(await self._patiently(lambda: self._client.hget(key, field)) or 0)


class DailyWork(StrEnum):
    """Due work for a place: its next post, or a new count under the post of the day."""

    POST = "post"
    EDIT = "edit"


class DailyDue(Struct, frozen=True):
    """A claimed piece of due work."""

    work: DailyWork
    place: PlaceId

    @property
    def member(self) -> str:
        return f"{self.work} {self.place}"


class DailyPlaces:
    """The places that get each daily puzzle as a post, with their solvers. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined
        self._queue = DueQueue(calls, keys.DAILY)

    # Due work

    async def schedule(self, due: DailyDue, due_ms: int) -> None:
        """Let *due* be done at *due_ms*. An edit that waits already keeps its time."""
        queue, is_edit = _queue(due.place), due.work is DailyWork.EDIT
        await self._patiently(lambda: self._client.zadd(queue, {due.member: due_ms}, nx=is_edit))

    async def cancel(self, place: PlaceId) -> None:
        """Drop all due work for *place*."""
        members = [DailyDue(work, place).member for work in DailyWork]
        await self._patiently(lambda: self._client.zrem(_queue(place), *members))

    async def claim(self, now_ms: int, lease_ms: int, limit: int) -> tuple[DailyDue, ...]:
        """Claim at most *limit* pieces of due work. No other process gets them for *lease_ms*."""
        pairs = (member.partition(" ") for member, _ in await self._queue.claim(now_ms, lease_ms, limit))
        return tuple(DailyDue(DailyWork(work), PlaceId(place)) for work, _, place in pairs)

    async def done(self, due: DailyDue, next_ms: int | None) -> None:
        """Remove *due*, or let it be done again at *next_ms*, unless it was cancelled meanwhile."""
        queue = _queue(due.place)
        if next_ms is None:
            await self._patiently(lambda: self._client.zrem(queue, due.member))
        else:
            await self._patiently(lambda: self._client.zadd(queue, {due.member: next_ms}, xx=True))

    # Threads

    async def claim_thread(self, place: PlaceId, ttl_ms: int) -> bool:
        """Claim the opening of a thread for *place*. Return whether no other call has the claim."""
        key = keys.daily_thread(place)
        return bool(await self._patiently(lambda: self._client.set(key, "", nx=True, px=ttl_ms)))

    async def release_thread(self, place: PlaceId) -> None:
        await self._patiently(lambda: self._client.delete(keys.daily_thread(place)))

    # Posts

    async def begin_post(self, place: PlaceId, number: int, now_ms: int) -> DailyPost | None:
        """Note that puzzle *number* is about to be posted in *place*. Return the note that was there before, or None:
        only then the post is the caller's. The token tells a note of a lost answer from that of another process."""
        key, note = keys.place_daily(place), _encoder.encode(DailyPost(now_ms, token=secrets.token_hex(8)))
        _, stored, _ = await self._pipelined(
            lambda pipe: [pipe.hsetnx(key, str(number), note), pipe.hget(key, str(number)), pipe.pexpire(key, POSTS_MS)]
        )
        return None if stored == note else _post.decode(cast("bytes", stored))

    async def record_post(self, place: PlaceId, number: int, post: DailyPost) -> None:
        key = keys.place_daily(place)
        await self._patiently(lambda: self._client.hset(key, str(number), _encoder.encode(post)))

    async def withdraw_post(self, place: PlaceId, number: int) -> None:
        """Take back the note of `begin_post`: nothing was posted."""
        await self._patiently(lambda: self._client.hdel(keys.place_daily(place), str(number)))

    async def post(self, place: PlaceId, number: int) -> DailyPost | None:
        """Return the post of puzzle *number* in *place*."""
        stored = await self._patiently(lambda: self._client.hget(keys.place_daily(place), str(number)))
        return None if stored is None else _post.decode(cast("bytes", stored))

    # Solvers

    async def add_solver(self, place: PlaceId, person: PersonId, solver: Solver) -> None:
        """Note that *person* solves the puzzles in *place*. The index is written first."""
        key = keys.place_solvers(place)
        await self._patiently(lambda: self._client.sadd(keys.person_places(person), place))
        await self._pipelined(
            lambda pipe: [pipe.hset(key, person, _encoder.encode(solver)), pipe.pexpire(key, SOLVERS_MS)]
        )

    async def solvers(self, place: PlaceId) -> dict[PersonId, Solver]:
        key = keys.place_solvers(place)
        stored = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(key)))
        return {PersonId(person.decode()): _solver.decode(solver) for person, solver in stored.items()}

    async def places_of(self, person: PersonId, places: Sequence[PlaceId]) -> tuple[PlaceId, ...]:
        """Return those of *places* in which *person* solves the puzzles."""
        there = await self._pipelined(
            lambda pipe: [pipe.hexists(keys.place_solvers(place), person) for place in places]
        )
        return tuple(place for place, is_there in zip(places, there, strict=True) if is_there)

    async def move(self, place: PlaceId, new: PlaceId, *, messages_stay: bool = False) -> None:
        """Move the solvers, the posts and the due work of *place* to its new id, or to another place (*messages_stay*:
        posted messages do not move)."""
        solvers, posts = await self._pipelined(
            lambda pipe: [pipe.hgetall(keys.place_solvers(place)), pipe.hgetall(keys.place_daily(place))]
        )
        for raw, solver in solvers.items():
            await self.add_solver(new, PersonId(raw.decode()), _solver.decode(solver))
        if messages_stay:
            here = {number: replace(_post.decode(post), elsewhere=place) for number, post in posts.items()}
            posts = {number: _encoder.encode(post) for number, post in here.items()}
        if posts:
            key = keys.place_daily(new)
            await self._pipelined(lambda pipe: [pipe.hset(key, mapping=posts), pipe.pexpire(key, POSTS_MS)])
        for work in DailyWork:
            member = DailyDue(work, place).member
            due_ms = await self._patiently(lambda member=member: self._client.zscore(_queue(place), member))  # type: ignore[misc]
            if due_ms is not None:
                await self.schedule(DailyDue(work, new), round(due_ms))
        await self.cancel(place)
        await self._patiently(lambda: self._client.delete(keys.place_solvers(place), keys.place_daily(place)))
        people = [PersonId(person.decode()) for person in solvers]
        await self._pipelined(lambda pipe: [pipe.srem(keys.person_places(person), place) for person in people])


def _queue(place: PlaceId) -> str:
    return keys.DAILY[keys.shard(place)]
