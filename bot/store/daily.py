"""Answers of people to the daily puzzles. They belong to the person, not to a place."""

from collections.abc import Mapping
from typing import cast

import msgspec

from bot.chat import PersonId
from bot.store import keys
from bot.store.calls import Calls
from bot.tables.daily import DailyAnswer

_answer = msgspec.json.Decoder(DailyAnswer)
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
        key = keys.person_daily(person)
        stored = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(key)))
        return {int(field): _answer.decode(answer) for field, answer in stored.items() if field.isdigit()}

    async def hinted(self, person: PersonId, number: int, step: int) -> None:
        """Store that the person has seen hint *step* (1 or 2) of puzzle *number*."""
        if step > await self.hints(person, number):
            key, field = keys.person_daily(person), keys.daily_hints(number)
            await self._patiently(lambda: self._client.hset(key, field, str(step)))

    async def hints(self, person: PersonId, number: int) -> int:
        """Return how many hints for puzzle *number* the person has seen before an answer."""
        key, field = keys.person_daily(person), keys.daily_hints(number)
        return int(await self._patiently(lambda: self._client.hget(key, field)) or 0)
