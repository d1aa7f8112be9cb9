"""Who never sits at a table with whom.

A list of blocks belongs to a person or a place; the list of a place also has places, against which its channel never
plays. It knows a blocked person by a keyed hash, so that the block outlives the deletion of that person's data: then
only the hash remains. The index of a person finds the lists with their name; an entry of it is written before the data
and removed after it.
"""

from collections.abc import Collection, Mapping
from secrets import token_hex
from typing import cast

import msgspec
from msgspec import Struct

from bot.chat import PersonId, PlaceId
from bot.store import keys
from bot.store.calls import Calls


class BlockedPerson(Struct, frozen=True, omit_defaults=True):
    """A person on a list; both are empty after the deletion of that person's data. *name*: when they were blocked."""

    person: PersonId = PersonId("")
    name: str = ""


_encoder = msgspec.json.Encoder()
_blocked = msgspec.json.Decoder(BlockedPerson)


class Blocks:
    """The lists of blocks of people and places. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined
        self._secret = ""

    async def add(self, list_: str, person: PersonId, name: str) -> None:
        """Put *person* on a list, by its key."""
        field, entry = await self.mark(person), _encoder.encode(BlockedPerson(person, name))
        await self._patiently(lambda: self._client.sadd(keys.person_blocked_by(person), list_))
        await self._patiently(lambda: self._client.hset(list_, field, entry))

    async def remove(self, list_: str, mark: str) -> None:
        """Remove the person with this *mark* from a list."""
        entry = (await self.of(list_)).get(mark)
        await self._patiently(lambda: self._client.hdel(list_, mark))
        if entry is not None and entry.person:
            await self._patiently(lambda: self._client.srem(keys.person_blocked_by(entry.person), list_))

    async def of(self, list_: str) -> Mapping[str, BlockedPerson]:
        """Return the people on a list by their marks, in the order of their names."""
        stored = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(list_)))
        people = {mark.decode(): _blocked.decode(entry) for mark, entry in stored.items()}
        return dict(sorted(people.items(), key=lambda pair: (pair[1].name.casefold(), pair[0])))

    async def among(self, person: PersonId, others: Collection[PersonId]) -> list[PersonId]:
        """Return those of *others* whom *person* blocks."""
        blocks = await self.of(keys.person_blocks(person))
        return [other for other in others if await self.mark(other) in blocks] if blocks else []

    async def has(self, list_: str, person: PersonId) -> bool:
        """Return whether *person* is on a list."""
        mark = await self.mark(person)
        return bool(await self._patiently(lambda: self._client.hexists(list_, mark)))

    async def move(self, list_: str, new: str) -> None:
        """Move all people from one list to another."""
        for mark, entry in (await self.of(list_)).items():
            if entry.person:
                await self.add(new, entry.person, entry.name)
            else:
                nobody = _encoder.encode(entry)
                await self._patiently(lambda mark=mark, nobody=nobody: self._client.hset(new, mark, nobody))  # type: ignore[misc]
            await self.remove(list_, mark)

    async def rename(self, old: PlaceId, new: PlaceId) -> None:
        """Name a place that is on lists by its new id."""
        former, present = PersonId(old), PersonId(new)
        field = await self.mark(former)
        key = keys.person_blocked_by(former)
        for list_ in cast("set[bytes]", await self._patiently(lambda: self._client.smembers(key))):
            entry = (await self.of(list_.decode())).get(field)
            if entry is not None:
                await self.add(list_.decode(), present, entry.name)
            await self.remove(list_.decode(), field)

    async def keep_apart(self, person: PersonId, others: Collection[PersonId], place: PlaceId) -> bool:
        """Return whether *person* gets no seat beside *others*: one of the two blocks the other, or the *place* blocks
        *person*."""
        own, marks = await self.mark(person), [await self.mark(other) for other in others]
        answers = await self._pipelined(
            lambda pipe: [
                pipe.hexists(keys.place_blocks(place), own),
                *(pipe.hexists(keys.person_blocks(person), mark) for mark in marks),
                *(pipe.hexists(keys.person_blocks(other), own) for other in others),
            ]
        )
        return any(answers)

    async def mark(self, person: PersonId) -> str:
        """Return the keyed hash of *person*."""
        if not self._secret:
            drawn = token_hex(32)
            secret = await self._patiently(lambda: self._client.set(keys.ID_KEY, drawn, nx=True, get=True))
            self._secret = drawn if secret is None else cast("bytes", secret).decode()
        return keys.hashed(person, self._secret)

    async def forget(self, person: PersonId) -> None:
        """Remove the name of *person* from all lists, and the lists of *person* from the index."""
        key, own = keys.person_blocked_by(person), keys.person_blocks(person)
        field, nobody = await self.mark(person), _encoder.encode(BlockedPerson())
        for list_ in cast("set[bytes]", await self._patiently(lambda: self._client.smembers(key))):
            if await self._patiently(lambda list_=list_: self._client.hexists(list_, field)):  # type: ignore[misc]
                await self._patiently(lambda list_=list_: self._client.hset(list_, field, nobody))  # type: ignore[misc]
        for entry in (await self.of(own)).values():
            if entry.person:
                others = keys.person_blocked_by(entry.person)
                await self._patiently(lambda others=others: self._client.srem(others, own))  # type: ignore[misc]
        await self._patiently(lambda: self._client.delete(own, key))


def forgotten_in(entry: str, people: Collection[PersonId]) -> str:
    """Return an entry of a list as it is stored, without its person if that is one of *people*."""
    return _encoder.encode(BlockedPerson()).decode() if _blocked.decode(entry).person in people else entry
