"""Periodic work: boards that were never posted, and due tables."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable

from bot.runtime.clock import Clock
from bot.runtime.tasks import cancelled
from bot.service.service import Service
from bot.store import StoreDown

log = logging.getLogger(__name__)

EVERY_S = 1.0  # interval of due work
REPOST_EVERY_S = 5.0  # interval of reposts; the lease of a board in an outbox is much longer
VARIES = 0.3
"""Share by which intervals vary: in step, a process without the platform could always be the first to claim work."""


async def watch(service: Service, clock: Clock, *, alone: bool) -> None:
    """Look after the tables until cancelled; reposts and due work run side by side. *alone*: no other process uses the
    store, so all unposted boards belong to this one."""
    everything = alone

    async def repost() -> None:
        nonlocal everything
        posted = await service.repost(everything=everything)
        everything = False
        if posted:
            log.info("boards reposted: number=%d", posted)

    loops = _again_and_again(repost, clock, REPOST_EVERY_S), _again_and_again(service.do_due, clock, EVERY_S)
    running = [asyncio.create_task(loop) for loop in loops]
    try:
        await asyncio.gather(*running)
    finally:  # `gather` ends with the first one that is cancelled; the other may have swallowed it
        await cancelled(*running)


async def _again_and_again(do: Callable[[], Awaitable[None]], clock: Clock, every_s: float) -> None:
    while True:
        try:
            await do()
        except StoreDown as down:
            log.warning("periodic work waits for the store: error=%s", down)
        except Exception:
            log.exception("periodic work failed")
        await clock.sleep(every_s * random.uniform(1 - VARIES, 1 + VARIES))  # noqa: S311 - no secret
