"""The size of a scene: as ``make chaos`` plays it, or the smallest one, which the tests play."""

import asyncio
from contextvars import ContextVar

from msgspec import Struct


class Size(Struct, frozen=True):
    """*shards*: number of bots. *more_turns*: of each table after the trouble. *times*: how often a bot or the store is
    killed. *pace*: factor of all pauses. *lease_s*: time after which a bot takes over from a dead one, shorter than in
    production, so that no scene waits two minutes. *crowds*: the people of each channel that plays against the house.
    *rivals*: the people of two channels that play against each other.
    *rounds*: the most votes of a channel.
    """

    shards: int = 2
    more_turns: int = 3
    times: int = 3
    pace: float = 1.0
    lease_s: int = 20
    crowds: tuple[int, ...] = (1, 2, 100)
    rivals: tuple[int, int] = (30, 40)
    rounds: int = 1000

    @property
    def board_s(self) -> float:
        """Time limit for a board: the lease until another bot takes over, and a reserve."""
        return self.lease_s + 50.0


FULL = Size()
SMALL = Size(shards=1, more_turns=1, times=1, pace=0.1, lease_s=5, crowds=(3,), rivals=(3, 3), rounds=1)
SIZE = ContextVar("SIZE", default=FULL)
"""The size of the scene that is being played."""


async def pause(seconds: float) -> None:
    await asyncio.sleep(seconds * SIZE.get().pace)
