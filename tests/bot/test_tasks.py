"""Tasks that end: one cancellation is not always enough, on Python 3.11 in particular."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.runtime.tasks import cancelled
from bot.store.failover import Failover

PROGRAM = Path(__file__).parents[2] / "bot"


async def swallows_one_cancellation() -> None:
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        await asyncio.sleep(3600)


async def test_a_task_that_swallows_its_cancellation_ends_too() -> None:
    tasks = [asyncio.create_task(swallows_one_cancellation()) for _ in range(2)]
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await cancelled(*tasks, again_s=0.01)
    assert all(task.cancelled() for task in tasks)


async def test_a_task_that_swallows_every_cancellation_is_left_after_a_time() -> None:
    ends = asyncio.Event()

    async def stubborn() -> None:
        while not ends.is_set():
            try:
                await ends.wait()
            except asyncio.CancelledError:
                continue

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await cancelled(task, again_s=0.01, most_s=0.05)
    assert not task.done()
    ends.set()
    await task


class Sentinel:
    """A Sentinel whose connection swallows one cancellation."""

    def pubsub(self) -> "Sentinel":
        return self

    async def __aenter__(self) -> "Sentinel":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def sentinel_get_master_addr_by_name(self, _: str) -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            raise OSError("an error of the library") from None


async def test_following_failovers_ends_if_the_library_swallows_a_cancellation() -> None:
    pool: Any = SimpleNamespace(service_name="kaleido", sentinel_manager=SimpleNamespace(sentinels=(Sentinel(),)))
    failover = Failover(pool)
    failover.begin()
    await asyncio.sleep(0.01)
    async with asyncio.timeout(30):
        await failover.end()


@pytest.mark.parametrize("call", ["return_exceptions=True", "asyncio.wait_for("])
def test_no_module_waits_in_a_way_that_may_swallow_a_cancellation(call: str) -> None:
    assert [path.name for path in PROGRAM.rglob("*.py") if call in path.read_text(encoding="utf-8")] == []
