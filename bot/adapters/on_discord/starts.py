"""Start slots of shards: one shard after another, over all processes, within Discord's daily limit.

Discord's developer documentation, "Gateway", "Session Start Limit Object", "Max Concurrency": shard n is in queue n
modulo ``max_concurrency``, and each queue has one start in five seconds. A bot that exceeds the daily limit gets its
token revoked, so the last starts are kept in reserve: no shard starts before the limit is reset.

Checked in discord.py 2.7.1: it calls ``before_identify_hook`` with an open connection that it does not read, so a wait
there must be short (gateway.py ``KeepAliveHandler`` and shard.py ``reidentify``: a minute). A longer wait happens
before the first connection, or over several reconnects.
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
"""Length of a start slot: Discord's five seconds, and a margin for a late shard."""
LATE = 0.07
"""Share of a slot after which a shard has missed it."""
LEAD_S = 5.0
"""How long before its slot a shard begins to connect."""
PATIENCE_S = 40.0
"""Maximum wait of a connected shard."""
KNOWN_S = 60.0
"""How long Discord's number of remaining starts is cached."""
KEPT = 12
"""Starts in reserve for each queue: other processes may use so many before they know the new number."""
FEW = 100
"""Remaining starts, of a thousand a day, below which a warning is logged for every ten."""

Limit = Mapping[str, Any]
"""Discord's ``session_start_limit``."""


class NotYet(TimeoutError):
    """This shard's slot is far away; it has to try again."""


class Starts:
    """The start slots of a process, for all its logins."""

    def __init__(self, storage: Storage, each_s: float = EACH_S, patience_s: float = PATIENCE_S) -> None:
        self._storage = storage
        self._each_s = each_s
        self._patience_s = patience_s
        self._lines = 1
        self._remaining = KEPT + 1
        self._open_again = 0.0  # when Discord counts anew; all times are the machine's, monotonic
        self._known_until = 0.0
        self._logged_tens = FEW // 10  # remaining tens that were logged last
        self._turns = dict[int, float]()  # by queue, the time of this process's slot

    def know(self, limit: Limit) -> None:
        """Store Discord's newest *limit*."""
        now = time.monotonic()
        self._lines = max(1, int(limit["max_concurrency"]))
        self._remaining = int(limit["remaining"])
        self._open_again = now + int(limit["reset_after"]) / 1000
        self._known_until = now + KNOWN_S
        facts = {"n": self._remaining, "hours": max(1, round(int(limit["reset_after"]) / 3_600_000))}
        if not self._is_allowed:
            log.error(texts.say(NAME, "operator.starts.none", texts.DEFAULT, **facts))
        elif self._remaining // 10 < self._logged_tens:
            log.warning(texts.say(NAME, "operator.starts.few", texts.DEFAULT, **facts))
        self._logged_tens = min(FEW // 10, self._remaining // 10)

    @property
    def _is_allowed(self) -> bool:
        return self._remaining > KEPT * self._lines or time.monotonic() > self._open_again

    async def comes(self, shard: int, ask: Callable[[], Awaitable[Limit | None]]) -> None:
        """Wait until *shard* should begin to connect. *ask* returns Discord's limit, or None without an answer."""
        await self._learn(ask)
        while not self._is_allowed:
            await asyncio.sleep(min(600.0, max(1.0, self._open_again - time.monotonic())))
            await self._learn(ask)
        await asyncio.sleep(await self._turn(shard) - LEAD_S - time.monotonic())

    async def begins(self, shard: int, ask: Callable[[], Awaitable[Limit | None]]) -> None:
        """Wait until *shard* may identify itself. Raises NotYet."""
        await self._learn(ask)
        wait_s = await self._turn(shard) - time.monotonic()
        if wait_s > self._patience_s or not self._is_allowed:
            await asyncio.sleep(self._patience_s)
            raise NotYet(f"shard {shard} is to wait")
        await asyncio.sleep(wait_s)
        self._turns.pop(shard % self._lines, None)
        self._remaining -= 1

    async def _turn(self, shard: int) -> float:
        """Return the time of the slot of *shard*. A slot that is not missed yet is kept over several tries."""
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
