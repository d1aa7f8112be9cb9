"""When a shard may start: one after the other, over all processes, and not more often than Discord allows in a day.

Discord's developer documentation, "Gateway", "Session Start Limit Object", "Max Concurrency": shard n stands in the
line n modulo ``max_concurrency``, and of each line one may identify itself within five seconds. Whoever identifies more
often than a day allows gets a new token, so the last starts are kept: no shard starts any more until the day is over.

Checked in discord.py 2.7.1: it calls ``before_identify_hook`` with the connection open and nobody reading it, so nobody
may wait there for long (gateway.py ``KeepAliveHandler``: a minute; shard.py ``reidentify``: a minute, too). What takes
longer is waited for before it connects, at the start, or in several tries, later on.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import texts
from bot.adapters.on_discord import NAME
from bot.chat import Storage, StorageDown

log = logging.getLogger(__name__)

EACH_S = 5.5
"""How long a turn takes: Discord's five seconds, and what a shard may be late."""
LATE = 0.07
"""Whoever comes later than this share of a turn has missed it."""
LEAD_S = 5.0
"""So long before its turn a shard begins to connect."""
PATIENCE_S = 40.0
"""So long a shard may wait while it is connected."""
KNOWN_S = 60.0
"""How long we believe in what Discord said last of how many starts are left."""
KEPT = 12
"""Starts that are kept for every line: so many there can be in the other processes before they hear of it."""
FEW = 100
"""Of a thousand a day, so many left are worth a warning; then one for every ten."""

Limit = Mapping[str, Any]
"""Discord's ``session_start_limit``."""


class NotYet(TimeoutError):
    """This shard's turn is not soon; it is to try again."""


class Starts:
    """One for all logins of a process."""

    def __init__(self, storage: Storage, each_s: float = EACH_S, patience_s: float = PATIENCE_S) -> None:
        self._storage = storage
        self._each_s = each_s
        self._patience_s = patience_s
        self._lines = 1
        self._left = KEPT + 1
        self._open_again = 0.0  # when Discord counts anew; all times are the machine's, monotonic
        self._known_until = 0.0
        self._told = FEW // 10  # of which ten left the operator was told
        self._turns = dict[int, float]()  # by line, when it is this process's turn

    def know(self, limit: Limit) -> None:
        """What Discord said just now."""
        now = time.monotonic()
        self._lines = max(1, int(limit["max_concurrency"]))
        self._left = int(limit["remaining"])
        self._open_again = now + int(limit["reset_after"]) / 1000
        self._known_until = now + KNOWN_S
        facts = {"n": self._left, "hours": max(1, round(int(limit["reset_after"]) / 3_600_000))}
        if not self._is_allowed:
            log.error(texts.say(NAME, "operator.starts.none", texts.DEFAULT, **facts))
        elif self._left // 10 < self._told:
            log.warning(texts.say(NAME, "operator.starts.few", texts.DEFAULT, **facts))
        self._told = min(FEW // 10, self._left // 10)

    @property
    def _is_allowed(self) -> bool:
        return self._left > KEPT * self._lines or time.monotonic() > self._open_again

    async def comes(self, shard: int, ask: Callable[[], Awaitable[Limit | None]]) -> None:
        """Wait until *shard*, not connected yet, should begin to connect. *ask* asks Discord how many starts are left;
        None where it does not answer."""
        await self._learn(ask)
        while not self._is_allowed:
            await asyncio.sleep(min(600.0, max(1.0, self._open_again - time.monotonic())))
            await self._learn(ask)
        await asyncio.sleep(await self._turn(shard) - LEAD_S - time.monotonic())

    async def begins(self, shard: int, ask: Callable[[], Awaitable[Limit | None]]) -> None:
        """Wait until *shard* may identify itself. Raises NotYet."""
        await self._learn(ask)
        left_s = await self._turn(shard) - time.monotonic()
        if left_s > self._patience_s or not self._is_allowed:
            await asyncio.sleep(self._patience_s)
            raise NotYet(f"shard {shard} is to wait")
        await asyncio.sleep(left_s)
        self._turns.pop(shard % self._lines, None)
        self._left -= 1

    async def _turn(self, shard: int) -> float:
        """When it is the turn of *shard*. One that could not wait for its turn finds it still there."""
        line = shard % self._lines
        turn = self._turns.get(line)
        if turn is None or time.monotonic() > turn + LATE * self._each_s:
            turn = self._turns[line] = time.monotonic() + await self._reserve_slot(line)
        return turn

    async def _reserve_slot(self, line: int) -> float:
        """Return the seconds until this process may start a shard; one whole slot if the store does not answer."""
        try:
            return await self._storage.reserve_slot(f"starts {line}", self._each_s)
        except StorageDown as down:
            log.warning("discord: start slot unknown, waiting for a whole one: line=%d error=%s", line, down)
            return self._each_s

    async def _learn(self, ask: Callable[[], Awaitable[Limit | None]]) -> None:
        if time.monotonic() > self._known_until:
            limit = await ask()
            if limit is not None:
                self.know(limit)
