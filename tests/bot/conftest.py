"""A real server for all tests of a run, a clean store for each of them, and a clock that only a test moves."""

import asyncio
import heapq
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from redis import Redis

from bot.delivery.painting import Pictures
from bot.runtime.clock import Clock
from bot.store.client import DRIVER
from bot.store.embedded import Embedded
from bot.store.store import Store
from tests.bot.adapters.browser import Chromium
from tests.bot.bots import Start, starting


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server that lasts for the whole run (one per worker)."""
    embedded = Embedded(tmp_path_factory.mktemp("data"), fsync="everysec")
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        runner.run(embedded.__aenter__())
        try:
            yield embedded.url
        finally:
            runner.run(embedded.__aexit__(None, None, None))


@pytest.fixture
def raw(server: str) -> Iterator[Redis]:
    """Yield a raw client of the server, independent of the store; the server is empty at first."""
    with Redis.from_url(server, driver_info=DRIVER) as client:
        client.flushall()
        yield client


@pytest.fixture
async def store(server: str, raw: Redis) -> AsyncIterator[Store]:
    """Yield an empty store."""
    opened = await Store.open(server)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def painter() -> Iterator[Pictures]:
    """Yield one painter for all tests of a worker, so that they share its caches."""
    made = Pictures(kept=2000)
    yield made
    made.close()


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Start the bot in an empty folder, as a process of its own."""
    async with starting(tmp_path) as begin:
        yield begin


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser(painter: Pictures) -> AsyncIterator[Chromium]:
    """Yield the browser for all tests of a run (one per worker)."""
    opened = Chromium(painter)
    yield opened
    await opened.close()


class HandClock(Clock):
    """A clock that only moves by hand; sleepers wake when it passes their time."""

    def __init__(self, start: datetime = datetime(2026, 1, 5, 12, tzinfo=UTC)) -> None:
        self._now = start
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._number = 0
        self._since = start

    def monotonic(self) -> float:
        return (self._now - self._since).total_seconds()

    def set(self, moment: datetime) -> None:
        """Set the wall clock only: no sleeper wakes, and the monotonic clock continues."""
        self._since += moment - self._now
        self._now = moment

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        awake = asyncio.get_running_loop().create_future()
        self._number += 1
        heapq.heappush(self._sleepers, (self._now + timedelta(seconds=seconds), self._number, awake))
        await awake

    @property
    def is_waited_for(self) -> bool:
        """Return whether any task sleeps."""
        return not all(awake.done() for *_, awake in self._sleepers)

    async def slept(self) -> None:
        """Wait until a task sleeps."""
        async with asyncio.timeout(60):
            while not self.is_waited_for:
                await asyncio.sleep(0.005)

    async def advance(self, step: timedelta) -> None:
        """Advance by *step* and wake sleepers one by one at their times.

        Each runs until it waits for something outside the loop; its requests to a server may still be under way when
        this returns.
        """
        end = self._now + step
        await _settled()
        while self._sleepers and self._sleepers[0][0] <= end:
            moment, _, awake = heapq.heappop(self._sleepers)
            if not awake.done():  # a sleeper may have been cancelled
                self._now = moment
                awake.set_result(None)
                await _settled()
        self._now = end


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Limit the block to *seconds* of running time, without the time in which the machine ran other processes."""
    now = asyncio.get_running_loop().time
    begun, held = now(), 0.0

    async def looks_often() -> None:
        nonlocal held
        while True:
            since, busy = now(), time.process_time()
            await asyncio.sleep(0.01)
            held += max(0.0, now() - since - 0.01 - (time.process_time() - busy))

    looking = asyncio.create_task(looks_often())
    try:
        async with asyncio.timeout(seconds + 30):
            yield
    finally:
        looking.cancel()
    assert now() - begun - held <= seconds


async def _settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a directory with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="kb-") as path:
        yield Path(path).resolve()


@pytest.fixture
def data(folder: Path) -> Path:
    """Return the path of a data directory that does not exist yet."""
    return folder / "data"
