"""A room and a store that can be put back to how they were, and a chat that writes down all that leaves the bot."""

import logging
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from redis import Redis

from bot.app import build
from bot.chat import (
    Body,
    MessageId,
    MessagePart,
    PlaceId,
    Post,
    Reply,
)
from bot.delivery.painting import Pictures
from bot.runtime.metrics import Metrics
from bot.store import documents, keys
from bot.store.store import Store
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Table
from rules import GAMES, State
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat

SEED = int("07" * 16, 16)
Act = Callable[[Crowd], Awaitable[None]]


class Instead(msgspec.Struct, frozen=True):
    """An override of the world: this position, and the position in which the turn *began*."""

    state: State
    began: State | None = None


class Scribe(RecordingChat):
    """Writes down everything that is said, in public and in private: texts, buttons, pictures, descriptions."""

    def __init__(self, messages: dict[MessageId, Post]) -> None:
        super().__init__()
        self.messages = dict(messages)
        self._numbers = count(len(messages) + 100)
        self.public: list[object] = []  # sorted, because no one waits for posts
        self.private: list[object] = []

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        self.public.append(("post", post, nonce))
        return await super().post(place, post, nonce)

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        self.public.append(("edit", message, post))
        await super().edit(place, message, post)

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        if part is MessagePart.WHOLE:
            self.public.append(("delete", message))
        await super().remove(place, message, part)

    async def tell(self, name: str, body: Body, reply: Reply | None) -> MessageId | None:
        self.private.append((name, body, reply))
        return await super().tell(name, body, reply)


class World:
    """A room and a store that can be put back to how they were; every time a bot begins anew there."""

    def __init__(self, raw: Redis, server: str, painter: Pictures, log: pytest.LogCaptureFixture) -> None:
        self._raw: Any = raw
        self._server = server
        self._painter = painter
        self._log = log
        self.clock = HandClock()
        self.messages: dict[MessageId, Post] = {}
        self._reader: Store | None = None

    async def close(self) -> None:
        if self._reader is not None:
            await self._reader.close()

    def _kept(self) -> dict[bytes, bytes]:
        """Return the whole store in the form that `restore` takes."""
        keys_ = self._raw.keys("*")
        with self._raw.pipeline(transaction=False) as calls:
            for key in keys_:
                calls.dump(key)
            return dict(zip(keys_, calls.execute(), strict=True))

    async def newest(self) -> Snapshot:
        self._reader = self._reader or await Store.open(self._server)
        held = await self._reader.at(ROOM.id)
        loaded = None if held is None else await self._reader.load(held)
        assert loaded is not None
        return loaded

    async def hears(
        self, act: Act, step: int, *, but: Instead | None = None, seed: int = SEED, dies: bool = False
    ) -> tuple[list[object], ...]:
        """Return all public, private and logged output while *act* runs. *but*: run as if the position were that
        one, and restore the world afterwards. *seed*: of a table that is opened. *dies*: the bot dies before any
        post, and another one starts."""
        kept = self._kept() if but is not None else {}
        if but is not None:
            table = (await self.newest()).table
            changed = tables.with_state(table, but.state)
            if but.began is not None:
                changed = replace(changed, began=tables.with_state(table, but.began).state)
            key = keys.of_table(table.id, keys.shard(table.id))[0]
            self._raw.hset(key, "json", documents.encoded(changed))
        store, chat, self.clock = await Store.open(self._server), Scribe(self.messages), HandClock()
        await store.secret("the same in every world")
        self._log.clear()
        for last in (False, True) if dies else (True,):
            metrics = Metrics(self.clock.monotonic)  # the log names durations
            service = build(store, self._painter, self.clock, draw=lambda n: f"{seed:0{2 * n}x}", metrics=metrics)
            if last:
                service.add(chat)
            if dies and last:
                await service.repost(everything=True)
                await service.idle()
            else:
                await act(Crowd(service, chat, updates=1000 * step))
            await service.stop()
        await store.close()
        if but is None:
            self.messages = chat.messages
        else:
            with self._raw.pipeline(transaction=False) as calls:
                calls.flushall()
                for name, dump in kept.items():
                    calls.restore(name, 0, dump)
                calls.execute()
        # The formatted log line, with the error's text and its traceback.
        written = logging.Formatter("%(name)s %(levelname)s %(message)s")
        # Answers and posts go beside each other: the order counts within each logger only.
        records = sorted(self._log.records, key=lambda record: record.name)
        logged: list[object] = [written.format(record) for record in records]
        return (chat.public, chat.private, logged)


def position(table: Table) -> State:
    """Return the position of a game that has begun."""
    assert isinstance(table.state, msgspec.Raw)
    return GAMES[table.game].decode(bytes(table.state))
