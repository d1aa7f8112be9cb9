"""The beginning of many tasks, and their end."""

import asyncio
import math
from collections.abc import Iterable
from typing import Any

AGAIN_S = 0.5
"""Pause before a task that ignores its cancellation is cancelled again."""
FEW = 6
"""Tasks that begin together: the answers of the store to more would block the event loop."""
SLOW_S = 0.02
"""A slower task waits for a platform and needs no CPU, so the next ones begin."""


async def begin_gently(tasks: Iterable[asyncio.Task[None]], running: set[asyncio.Task[None]]) -> None:
    """Create the *tasks* one by one, a few at a time. Each is in the set *running* until it is done."""
    fresh = set[asyncio.Task[None]]()
    for task in tasks:
        running.add(task)
        task.add_done_callback(running.discard)
        fresh.add(task)
        if len(fresh) >= FEW:
            done, _ = await asyncio.wait(fresh, timeout=SLOW_S, return_when=asyncio.FIRST_COMPLETED)
            fresh = fresh - done if done else set()


async def cancelled(*tasks: asyncio.Future[Any], again_s: float = AGAIN_S, most_s: float = math.inf) -> None:
    """Cancel *tasks* and wait for their end, at most *most_s*. Their errors are dropped.

    One cancellation is not always enough: `asyncio.wait_for` of Python 3.11 swallows it if its inner future is done,
    and a library may take it for an error of its own.
    """
    running = {task for task in tasks if not task.done()}
    loop = asyncio.get_running_loop()
    until_s = loop.time() + most_s
    while running and loop.time() < until_s:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=min(again_s, until_s - loop.time()))
    for task in tasks:
        if task.done() and not task.cancelled():
            task.exception()  # else it is logged as never retrieved
