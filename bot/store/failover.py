"""Following a failover: what is said to a master that is being replaced is lost, though it answers.

    a Sentinel chooses a replica ──▶ nothing is said to the master any more
    it is the master now         ──▶ all connections to the former one are closed; what waits goes to the new one, as
                                     soon as that is the one that is found
    the Sentinel gives up        ──▶ on as before

Every Sentinel is listened to, as only the one that leads a failover tells of its steps; and it is asked every second,
for those that do not let us listen.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.sentinel import SentinelConnectionPool

log = logging.getLogger(__name__)

HOLD_S = 5.0  # for which a failover may take from choosing a replica to its end; then it goes on as before
ASK_EVERY_S = 1.0
LOOK_EVERY_S = 0.02  # whether the new master is found

Address = tuple[str, int]
CHOSEN, SWITCHED, GIVEN_UP = "+selected-slave", "+switch-master", "-failover-abort-*"


class Failover:
    """Follows the master that *pool* leads to. `ready` returns when something may be said to it."""

    def __init__(self, pool: SentinelConnectionPool) -> None:
        self._pool = pool
        self._service = str(pool.service_name)
        self._free = asyncio.Event()
        self._free.set()
        self._held: asyncio.TimerHandle | None = None
        self._following: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        for sentinel in tuple(self._pool.sentinel_manager.sentinels):
            self._following.append(asyncio.create_task(self._follow(sentinel), name="follow a Sentinel"))

    async def end(self) -> None:
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following, return_exceptions=True)
        if self._held is not None:
            self._held.cancel()

    async def ready(self) -> None:
        await self._free.wait()

    async def _follow(self, sentinel: Redis) -> None:
        """Listen to one Sentinel for ever."""
        known: Address | None = None
        while True:
            try:
                async with sentinel.pubsub() as events:
                    known = await self._asked(sentinel, known)
                    await events.psubscribe(CHOSEN, SWITCHED, GIVEN_UP)
                    while True:
                        event = await events.get_message(ignore_subscribe_messages=True, timeout=ASK_EVERY_S)
                        if event is None:
                            known = await self._asked(sentinel, known)
                        else:
                            await self._heard(event)
            except (exceptions.RedisError, OSError, AttributeError) as trouble:
                log.debug("a Sentinel does not tell of failovers for now: %s", trouble)
            await asyncio.sleep(ASK_EVERY_S)

    async def _asked(self, sentinel: Redis, known: Address | None) -> Address | None:
        """Where the master is, as this Sentinel says; where that is news, nothing is said to the former one."""
        told = await sentinel.sentinel_get_master_addr_by_name(self._service)
        found = (_text(told[0]), int(told[1])) if isinstance(told, tuple) else None
        if known is not None and found is not None and found != known:
            await self._switch(found)
        return found

    async def _heard(self, event: Mapping[str, Any]) -> None:
        kind, words = _text(event["channel"]), _text(event["data"]).split()
        if kind == SWITCHED and words[:1] == [self._service]:
            await self._switch((words[3], int(words[4])))
        elif kind == CHOSEN and f"@ {self._service} " in f"{' '.join(words)} ":
            log.warning("a failover begins: the store waits for it")
            self._hold()
        elif kind.startswith(GIVEN_UP[:-1]) and self._service in words:
            self._release()

    def _hold(self) -> None:
        self._free.clear()
        if self._held is not None:
            self._held.cancel()
        self._held = asyncio.get_running_loop().call_later(HOLD_S, self._release)

    async def _switch(self, master: Address) -> None:
        """Go on with *master*, once new connections find it: the Sentinels do not learn of it at the same time, and the
        one that leads the failover tells it before its own list of masters does."""
        log.warning("the store has another master now")
        self._hold()
        while not self._free.is_set():
            with suppress(exceptions.RedisError, OSError):
                if await self._pool.sentinel_manager.discover_master(self._service) == master:
                    break
            await asyncio.sleep(LOOK_EVERY_S)
        with suppress(exceptions.RedisError, OSError):
            await self._pool.disconnect(inuse_connections=True)
        self._release()

    def _release(self) -> None:
        self._free.set()


def _text(told: bytes | str) -> str:
    return told.decode("utf-8", "replace") if isinstance(told, bytes) else told
