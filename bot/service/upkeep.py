"""What happens without anybody doing anything: boards that were never posted, and what has become due."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.runtime.clock import Clock
from bot.service.service import Service
from bot.store import StoreDown

log = logging.getLogger(__name__)

EVERY_S = 1.0  # nothing that is due is later than this
REPOST_EVERY_S = 5.0  # boards on their way have two minutes before anybody else may post them


async def watch(service: Service, clock: Clock, *, alone: bool) -> None:
    """Look after the tables for ever: neither boards nor what is due waits for the other. *alone*: no other process
    uses the store, so all that is unposted is ours."""
    everything = alone

    async def repost() -> None:
        nonlocal everything
        posted = await service.repost(everything=everything)
        everything = False
        if posted:
            log.info("%d boards that were saved but not posted", posted)

    await asyncio.gather(
        _again_and_again(repost, clock, REPOST_EVERY_S), _again_and_again(service.do_due, clock, EVERY_S)
    )


async def _again_and_again(do: Callable[[], Awaitable[None]], clock: Clock, every_s: float) -> None:
    while True:
        try:
            await do()
        except StoreDown as down:
            log.warning("the store does not answer: %s", down)
        except Exception:
            log.exception("looking after the tables")
        await clock.sleep(every_s)
