"""A store in the loop of the session, which the browser is in, too."""

from collections.abc import AsyncIterator

import pytest_asyncio
from redis import Redis

from bot.store.store import Store


@pytest_asyncio.fixture(loop_scope="session")
async def store(server: str, raw: Redis) -> AsyncIterator[Store]:
    """Yield an empty store."""
    opened = await Store.open(server)
    yield opened
    await opened.close()
