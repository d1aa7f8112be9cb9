"""Linked tables follow each other; see `bot.tables.linking`.

A table follows at once when the other one is saved in this process, and otherwise when it is due: the table that waits
for the other channel looks after half a minute, later more rarely, and lets both follow. So no table depends on a call
that a crash can lose, and each save is one of its own place.
"""

import asyncio
import logging
from datetime import datetime, timedelta

from cachetools import LRUCache
from msgspec import Struct

from bot.chat import Reply, platform
from bot.repository.repository import Repository
from bot.runtime.clock import Clock
from bot.runtime.tasks import cancelled
from bot.store import Conflict, GameMissing, NewerDocument, StoreDown
from bot.tables import linking
from bot.tables.linking import Cut, Other
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Step, TableId

log = logging.getLogger(__name__)

KEPT = 20_000
"""Tables that have followed, in memory: some 8 MB. A table that is not among them costs two documents and two logs."""
MOST_STEPS = 4
"""Steps by which a table follows at once: it begins, repeats a turn, ends, and notes the state of the other one."""


class _Settled(Struct, frozen=True):
    """The newest saves of a table and of the other one, which it need not follow. *platform*, *cut*: of the other."""

    here: str
    there: str
    platform: str
    cut: Cut


class Linking:
    """Lets linked tables follow each other."""

    def __init__(self, repository: Repository, clock: Clock) -> None:
        self._repository = repository
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = False
        self._settled = LRUCache[TableId, _Settled](KEPT)

    @property
    def is_busy(self) -> bool:
        return bool(self._tasks)

    async def idle(self) -> None:
        """Wait until all tables have followed."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """Cancel all background work. Tables that are saved later are followed when they are due."""
        self._ended = True
        await cancelled(*self._tasks)

    def saved(self, snapshot: Snapshot) -> None:
        """Let the other table follow *snapshot*, which was saved just now."""
        other = linking.other_of(snapshot.table)
        if other is not None:
            self.begin(other)

    def begin(self, table: TableId) -> None:
        """Let *table* follow, beside everything else."""
        if self._ended:
            return
        task = asyncio.create_task(self._follow_quietly(table), name=f"follow {table}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow_quietly(self, table: TableId) -> None:
        try:
            await self.follow(table)
        except (Conflict, Denied, GameMissing, NewerDocument, StoreDown) as no:
            log.info("table follows when it is due: table=%s error=%s", table, no)
        except Exception:
            log.exception("table could not follow: table=%s", table)

    async def due(self, snapshot: Snapshot) -> datetime | None:
        """Let both tables follow. Return when to look again, or None if the table of *snapshot* has changed."""
        if not await self._are_settled(snapshot):
            await self.ask(snapshot)
            if await self.follow(snapshot.table.id):
                return None
            other = linking.other_of(snapshot.table)
            if other is not None and await self.follow(other):
                log.info("linked table followed late: table=%s", other)
        wait = linking.looks_after_ms(snapshot.table, self._repository.now_ms())
        return self._clock.now() + timedelta(milliseconds=wait)

    async def _are_settled(self, here: Snapshot) -> bool:
        """Return whether neither table has to follow, from the names of their saves alone."""
        other = linking.other_of(here.table)
        if other is None:
            return False
        mine, theirs = self._settled.get(here.table.id), self._settled.get(other)
        if mine is None or theirs is None or mine.here != here.save:
            return False
        if (mine.here, mine.there) != (theirs.there, theirs.here):
            return False
        if await self._repository.store.save_of(other) != mine.there:
            return False
        cuts = await self._cut(mine.platform, theirs.platform), await self._cut(theirs.platform, mine.platform)
        return cuts == (mine.cut, theirs.cut)

    async def _cut(self, there: str, here: str) -> Cut:
        """Return whether people can reach the bot on the platform *there*, as it seems *here*."""
        return linking.cut(await self._repository.outages.apart_ms(there, here))

    async def ask(self, answer: Snapshot) -> None:
        """Put the channel of *answer* into the free seat of the lobby that invites, if its code is valid.

        A lobby needs its place for that. The process that opened it may have died before it took the place.
        """
        inviter = linking.other_of(answer.table)
        if inviter is None or not linking.asks(answer.table):
            return

        async def apply(now: Snapshot) -> tuple[Step | None, Reply | None]:
            return linking.with_answer(now.table, answer.table, self._repository.now_ms()), None

        invitation = await self._repository.find(inviter)
        if invitation is None or linking.with_answer(invitation.table, answer.table, self._repository.now_ms()) is None:
            return
        lobby = answer.table.phase == Phase.LOBBY
        if not lobby or await self._repository.take_place(answer.table, None) == answer.table.id:
            await self._repository.change(invitation, apply)

    async def follow(self, table: TableId) -> bool:
        """Let *table* follow the other one. Return whether it has changed."""
        changed = False
        for _ in range(MOST_STEPS):
            here = await self._repository.find(table)
            if here is None or linking.other_of(here.table) is None or here.table.phase == Phase.OVER:
                break
            done = await self._repository.change(here, self._apply)
            if done is None or not done.is_saved:
                break
            changed = True
        return changed

    async def _apply(self, here: Snapshot) -> tuple[Step | None, Reply | None]:
        other = linking.other_of(here.table)
        there = None if other is None else await self._find(other)
        if there is None:
            return linking.follow(here, await self._repository.log(here.table), None, self._repository.now_ms()), None
        here_on, there_on = platform(here.table.place), platform(there.table.place)
        settled = _Settled(here.save, there.save, there_on, await self._cut(there_on, here_on))
        if self._settled.get(here.table.id) == settled:
            return None, None
        log_here, log_there = await self._repository.log(here.table), await self._repository.log(there.table)
        linked = Other(there, log_there, settled.cut)
        step = await asyncio.to_thread(linking.follow, here, log_here, linked, self._repository.now_ms())
        if step is None:
            self._settled[here.table.id] = settled
        return step, None

    async def _find(self, table: TableId) -> Snapshot | None:
        """Return the table, also without its position if its game is not installed here."""
        try:
            return await self._repository.find(table)
        except GameMissing as missing:
            return missing.snapshot
