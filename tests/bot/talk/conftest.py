"""The real service on a real store, with a chat that records its calls."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from redis import Redis

from bot.app import build
from bot.delivery.painting import Pictures
from bot.runtime.clock import Clock
from bot.service.service import Service
from bot.store.store import Store
from tests.bot.servers import wired
from tests.bot.talk.recording import Crowd, RecordingChat
from tests.bot.talk.worlds import World


@pytest.fixture
def chat() -> RecordingChat:
    return RecordingChat()


@pytest.fixture
async def bots(
    store: Store, painter: Pictures, clock: Clock, chat: RecordingChat
) -> AsyncIterator[Callable[[], Service]]:
    """Return a function that starts bots which share store and chat, like several processes. Every seed is the same."""
    made: list[Service] = []

    def make() -> Service:
        service = build(store, painter, clock, draw=lambda n: "07" * n)
        service.add(chat)
        made.append(service)
        return service

    yield make
    for service in made:
        await service.stop()


@pytest.fixture
def crowd(bots: Callable[[], Service], chat: RecordingChat) -> Crowd:
    """Return people in a room with a bot."""
    return Crowd(bots(), chat)


@pytest.fixture
def dying_at_the_end(
    server: str, painter: Pictures, clock: Clock, chat: RecordingChat, folder: Path
) -> Callable[[], AbstractAsyncContextManager[Crowd]]:
    """Return people with a bot that loses its store as soon as it has saved the end of a game; it stops afterwards."""

    @asynccontextmanager
    async def people() -> AsyncIterator[Crowd]:
        near = folder / "wire"
        async with wired(near, server.removeprefix("unix://")) as wire:
            far = await Store.open(f"unix://{near}", timeout_s=1.0, patience_s=0.1)
            dying = build(far, painter, clock, draw=lambda n: "07" * n)
            dying.add(chat)

            async def dies() -> None:
                wire.silent = True

            wire.lose_answer(b'"phase":"over"', dies)
            yield Crowd(dying, chat)
            await dying.stop()
            await far.close()

    return people


@pytest.fixture
async def world(raw: Redis, server: str, painter: Pictures, caplog: pytest.LogCaptureFixture) -> AsyncIterator[World]:
    for name in ("bot", "rules", "renderers"):
        caplog.set_level(logging.DEBUG, name)
    made = World(raw, server, painter, caplog)
    yield made
    await made.close()
