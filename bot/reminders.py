"""What happens without anybody doing anything: boards that were never posted, and what has become due."""

import logging

from bot.clock import Clock
from bot.service import Service
from bot.store import StoreDown

log = logging.getLogger(__name__)

EVERY_S = 2.0


async def watch(service: Service, clock: Clock, *, alone: bool) -> None:
    """Look after the tables for ever. *alone*: no other process uses the store, so all that is unposted is ours."""
    first = alone
    while True:
        try:
            posted = await service.repost(everything=first)
            if posted:
                log.info("%d boards that were saved but not posted", posted)
            first = False
            await service.do_due()
        except StoreDown as down:
            log.warning("the store does not answer: %s", down)
        except Exception:
            log.exception("looking after the tables")
        await clock.sleep(EVERY_S)
