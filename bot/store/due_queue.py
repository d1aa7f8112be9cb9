"""Queues of due work: one sorted set by time for each shard."""

from collections.abc import Sequence
from typing import cast

from bot.store.calls import Calls


class DueQueue:
    """The queue in the sorted sets *names*. Any call may raise StoreDown."""

    def __init__(self, calls: Calls, names: Sequence[str]) -> None:
        self._pipelined = calls.pipelined
        self._claim = calls.script("claim")
        self._names = names
        self._first = 0  # the shard that was first

    async def claim(self, now_ms: int, lease_ms: int, limit: int) -> list[tuple[str, float]]:
        """Count the due members of all shards in one round trip, then claim some; return them with their times.

        Every call begins at another shard, so that no shard starves if more is due than the limit.
        """
        self._first = (self._first + 1) % len(self._names)
        names = (*self._names[self._first :], *self._names[: self._first])
        counts = await self._pipelined(lambda pipeline: [pipeline.zcount(name, "-inf", now_ms) for name in names])
        claimed: list[tuple[str, float]] = []
        for name, due in zip(names, counts, strict=True):
            if due and len(claimed) < limit:
                answer = await self._claim((name,), (now_ms, now_ms + lease_ms, limit - len(claimed)))
                words = [word.decode() for word in cast("list[bytes]", answer)]
                claimed += [(member, float(ms)) for member, ms in zip(words[::2], words[1::2], strict=True)]
        return claimed
