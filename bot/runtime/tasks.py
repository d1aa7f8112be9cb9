"""The end of tasks."""

import asyncio
import math
from typing import Any

AGAIN_S = 0.5
"""Pause before a task that ignores its cancellation is cancelled again."""


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
