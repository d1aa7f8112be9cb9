"""What hosts of tests have in common."""

import asyncio
from collections.abc import Mapping

from bot.chat import Pending, UpdateId


class RemembersPending:
    """Stores pending answers until they are given; the caller has to give them."""

    def __init__(self) -> None:
        self._pending: dict[UpdateId, Pending] = {}
        self._nothing = asyncio.Event()
        self._nothing.set()

    @property
    def pending(self) -> Mapping[UpdateId, Pending]:
        return self._pending

    async def settled(self) -> None:
        """Wait until no answer is pending."""
        async with asyncio.timeout(30):
            await self._nothing.wait()

    async def begun(self, pending: Pending, lives_s: float) -> None:
        self._nothing.clear()
        self._pending[pending.update.id] = pending

    async def answered(self, update: UpdateId) -> None:
        self._pending.pop(update, None)
        if not self._pending:
            self._nothing.set()

    async def leads(self, name: str) -> bool:
        return True

    async def leads_no_more(self, name: str) -> None:
        pass

    async def in_turn(self, name: str, line: str, each_s: float) -> float:
        return 0.0

    async def left(self, name: str) -> tuple[Pending, ...]:
        return tuple(self._pending.values())
