"""What happens without anybody doing anything: boards that were never posted, and what has become due."""

import logging
from itertools import count

from bot.runtime.clock import Clock
from bot.service.service import Service
from bot.store import StoreDown

log = logging.getLogger(__name__)

EVERY_S = 1.0  # nothing that is due is later than this
REPOST_EVERY = 5  # of these looks: boards on their way have two minutes before anybody else may post them


async def watch(service: Service, clock: Clock, *, alone: bool) -> None:
    """Look after the tables for ever. *alone*: no other process uses the store, so all that is unposted is ours."""
    everything = alone
    for look in count():
        try:
            if look % REPOST_EVERY == 0 or everything:
                posted = await service.repost(everything=everything)
                everything = False
                if posted:
                    log.info("%d boards that were saved but not posted", posted)
            await service.do_due()
        except StoreDown as down:
            log.warning("the store does not answer: %s", down)
        except Exception:
            log.exception("looking after the tables")
        await clock.sleep(EVERY_S)
