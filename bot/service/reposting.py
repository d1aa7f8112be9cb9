"""Boards that were saved but never posted, because their process died."""

import logging

from bot.delivery.outbox import Outbox, give_back
from bot.repository.repository import Repository
from bot.runtime.retry import ELSEWHERE_S
from bot.service.lobbies import Lobbies
from bot.store import GameMissing, NewerDocument, StoreDown
from bot.store.store import Store
from bot.tables.table import Denied, Phase, TableId

log = logging.getLogger(__name__)

AT_ONCE = 100  # boards that are claimed together


class Reposting:
    """Claims such boards and posts them."""

    def __init__(self, store: Store, repository: Repository, outbox: Outbox, lobbies: Lobbies) -> None:
        self._store = store
        self._repository = repository
        self._outbox = outbox
        self._lobbies = lobbies

    async def repost(self, *, everything: bool = False) -> int:
        """Post the boards that no process is about to post. Return their number. Raises StoreDown.

        *everything*: no other process uses the store, so also boards whose lease has not expired.
        """
        lease_ms = self._repository.lease_ms
        posted, early_ms = 0, lease_ms if everything else 0
        while claimed := await self._store.claim_unposted(self._repository.now_ms(), lease_ms, AT_ONCE, early_ms):
            rest = list(claimed)
            try:
                while rest:
                    posted += not self._outbox.is_busy_with(rest[0]) and await self._post(rest[0])
                    del rest[0]
            finally:
                if rest:  # this process is cancelled: other processes need not wait for the leases
                    await give_back(self._store.delay_unposted(table, self._repository.now_ms()) for table in rest)
            if len(claimed) < AT_ONCE or early_ms:
                break
        return posted

    async def _post(self, table: TableId) -> bool:
        """Post one board; return whether it is queued. An error at one table does not affect the others."""
        try:
            snapshot = await self._repository.find(table)
            if snapshot is None:  # it has expired
                await self._store.done_unposted(table, 0)
            elif not self._outbox.serves(snapshot.table.place):
                await self._store.delay_unposted(table, self._repository.now_ms() + round(1000 * ELSEWHERE_S))
            elif (
                snapshot.table.phase == Phase.LOBBY
                and await self._lobbies.takes_place(snapshot.table, None) is not None
            ):
                await self._lobbies.close_unseen(snapshot)  # its process died before it found the place taken
            else:
                self._outbox.show(snapshot)
                return True
        except GameMissing as missing:  # the board is posted when the game goes on
            await self._store.done_unposted(table, missing.snapshot.table.revision)
        except NewerDocument as newer:
            log.warning("board left to a newer version of the bot: table=%s error=%s", table, newer)
        except (StoreDown, Denied) as no:
            log.warning("board not posted, later retry: table=%s error=%s", table, no)
        except Exception:
            log.exception("board not posted, later retry: table=%s", table)
        return False
