"""The real service on a real store, with a chat that records its calls."""

from collections.abc import AsyncIterator, Callable

import pytest

from bot.app import build
from bot.delivery.painting import Pictures
from bot.runtime.clock import Clock
from bot.service.service import Service
from bot.store.store import Store
from tests.bot.talk.recording import Crowd, RecordingChat


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
