"""Private replies that stay until their person closes them, by person."""

from typing import Any, cast

import msgspec
from msgspec import Struct

from bot.chat import MessageId, PersonId, PlaceId
from bot.store import keys
from bot.store.calls import Calls

MOST = 50
"""Replies of one person; older ones are forgotten first."""


LONGEST_MS = 2 * 24 * 60 * 60 * 1000
"""No platform lets the bot delete older messages."""


class OpenReply(Struct, frozen=True, array_like=True):
    """A message in a place."""

    place: PlaceId
    message: MessageId


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(OpenReply).decode


class OpenReplies:
    """Private replies that stay until their person closes them. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._pipelined = calls.pipelined

    async def add(self, person: PersonId, reply: OpenReply, now_ms: int, ttl_ms: int) -> None:
        """Store *reply* for *ttl_ms*, at most `LONGEST_MS`: while it can be deleted."""
        key = keys.person_replies(person)

        def add(pipe: Any) -> None:
            pipe.zremrangebyscore(key, "-inf", now_ms)
            pipe.zadd(key, {_encode(reply): now_ms + ttl_ms})
            pipe.zremrangebyrank(key, 0, -MOST - 1)
            pipe.pexpire(key, LONGEST_MS)  # others may live longer

        await self._pipelined(add)

    async def of(self, person: PersonId, place: PlaceId, now_ms: int) -> tuple[OpenReply, ...]:
        """Return the replies to *person* in *place* that can be deleted."""
        (members,) = await self._pipelined(
            lambda pipe: pipe.zrangebyscore(keys.person_replies(person), f"({now_ms}", "+inf")
        )
        replies = map(_decode, cast("list[bytes]", members))
        return tuple(reply for reply in replies if reply.place == place)

    async def done(self, person: PersonId, *replies: OpenReply) -> None:
        """Forget *replies*: they were deleted, or cannot be."""
        if replies:
            await self._pipelined(lambda pipe: pipe.zrem(keys.person_replies(person), *map(_encode, replies)))
