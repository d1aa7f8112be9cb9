"""The codes of invitations, which lead to tables. Any call may raise StoreDown."""

from typing import cast

from bot.store import keys
from bot.store.calls import Calls
from bot.tables.table import TableId

KEPT_MS = 3 * 24 * 60 * 60 * 1000
"""TTL of a code: after its day it still leads to an answer that says so."""


class Invitations:
    """The codes of all invitations."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently = calls.client, calls.patiently

    async def add(self, code: tuple[int, ...], table: TableId) -> bool:
        """Let *code* lead to *table*. Return False if it leads to another one."""
        key = keys.invitation(code)
        held = await self._patiently(lambda: self._client.set(key, table, nx=True, get=True, px=KEPT_MS))
        return held is None or cast("bytes", held).decode() == table

    async def table(self, code: tuple[int, ...]) -> TableId | None:
        """Return the table to which *code* leads, or None."""
        held = await self._patiently(lambda: self._client.get(keys.invitation(code)))
        return None if held is None else TableId(cast("bytes", held).decode())
