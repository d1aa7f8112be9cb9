"""What hosts of tests have in common."""

from collections.abc import Mapping

from bot.chat import Pending, UpdateId


class RemembersPending:
    """Keeps answers that somebody waits for, until they are given; whoever looks is to give them."""

    def __init__(self) -> None:
        self._pending: dict[UpdateId, Pending] = {}

    @property
    def pending(self) -> Mapping[UpdateId, Pending]:
        return self._pending

    async def begun(self, pending: Pending, lives_s: float) -> None:
        self._pending[pending.update.id] = pending

    async def answered(self, update: UpdateId) -> None:
        self._pending.pop(update, None)

    async def left(self, name: str) -> tuple[Pending, ...]:
        return tuple(self._pending.values())
