"""Follow failovers: a master that is being replaced still answers, but loses the writes.

    a Sentinel chooses a replica ──▶ calls wait
    the replica is the master    ──▶ connections to the former master are closed; calls go to the new one as soon as
                                     the Sentinels return it
    the Sentinel gives up        ──▶ calls go on

The bot subscribes to every Sentinel, because only the one that leads a failover publishes its steps. It also polls each
every second, in case subscribing is not permitted.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.sentinel import SentinelConnectionPool

from bot.runtime.tasks import cancelled

log = logging.getLogger(__name__)

HOLD_S = 5.0  # time limit from the choice of a replica to the end of the failover; then calls go on
ASK_EVERY_S = 1.0
LOOK_EVERY_S = 0.02  # polling interval for the new master

Address = tuple[str, int]
CHOSEN, SWITCHED, GIVEN_UP = "+selected-slave", "+switch-master", "-failover-abort-*"


class Failover:
    """Follows the master of *pool*. `ready` returns when calls may go to it."""

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
        await cancelled(*self._following)
        if self._held is not None:
            self._held.cancel()

    async def ready(self) -> None:
        await self._free.wait()

    async def _follow(self, sentinel: Redis) -> None:
        """Listen to one Sentinel until cancelled."""
        known: Address | None = None
        while True:
            try:
                async with sentinel.pubsub() as events:
                    known = await self._poll(sentinel, known)
                    await events.psubscribe(CHOSEN, SWITCHED, GIVEN_UP)
                    while True:
                        event = await events.get_message(ignore_subscribe_messages=True, timeout=ASK_EVERY_S)
                        if event is None:
                            known = await self._poll(sentinel, known)
                        else:
                            await self._handle(event)
            except (exceptions.RedisError, OSError, AttributeError) as trouble:
                log.debug("cannot follow failovers at a Sentinel, retrying: error=%s", trouble)
            await asyncio.sleep(ASK_EVERY_S)

    async def _poll(self, sentinel: Redis, known: Address | None) -> Address | None:
        """Ask the Sentinel for the master's address and return it. If it is a new one, switch to it."""
        answer = await sentinel.sentinel_get_master_addr_by_name(self._service)
        master = (_text(answer[0]), int(answer[1])) if isinstance(answer, tuple) else None
        if known is not None and master is not None and master != known:
            await self._switch(master)
        return master

    async def _handle(self, event: Mapping[str, Any]) -> None:
        kind, words = _text(event["channel"]), _text(event["data"]).split()
        if kind == SWITCHED and words[:1] == [self._service]:
            await self._switch((words[3], int(words[4])))
        elif kind == CHOSEN and f"@ {self._service} " in f"{' '.join(words)} ":
            log.warning("failover began, calls to the store wait")
            self._hold()
        elif kind.startswith(GIVEN_UP[:-1]) and self._service in words:
            self._release()

    def _hold(self) -> None:
        self._free.clear()
        if self._held is not None:
            self._held.cancel()
        self._held = asyncio.get_running_loop().call_later(HOLD_S, self._release)

    async def _switch(self, master: Address) -> None:
        """Continue with *master* as soon as the Sentinels return it.

        They learn of it one after the other, and the leading one publishes the switch before it returns the address.
        """
        log.warning("the store has a new master")
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


def _text(answer: bytes | str) -> str:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
