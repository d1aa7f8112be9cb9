"""Time: now, and waiting. Real here, set by hand in tests."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The time now, in UTC. It may be set back or forth."""
        ...

    def monotonic(self) -> float:
        """Return monotonic seconds, independent of changes of the wall clock."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class RealClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def to_ms(moment: datetime) -> int:
    """Milliseconds since 1970, as the store keeps times."""
    return int(moment.timestamp() * 1000)


def from_ms(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
