"""What becomes due at tables: lobbies end, forced actions are played, people are called, time runs out."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from bot import deadlines, house
from bot import table as tables
from bot.acting import house_plays, house_thinks
from bot.chat import TryLater
from bot.clock import Clock, from_ms, to_ms
from bot.deadlines import Stage
from bot.delivery import Delivery
from bot.keeper import FORCED_LONGEST_MS, FORCED_MS, LEASE_MS, Keeper, Seen
from bot.replies import boards
from bot.store import Conflict, StoreDown
from bot.store.store import Store
from bot.table import Phase, Step, TableId

log = logging.getLogger(__name__)

PATIENCE_S = 2.0  # what takes longer goes on beside what is due next


class Due:
    """Does what is due. *saved* is told of every table that was changed."""

    def __init__(
        self,
        keeper: Keeper,
        store: Store,
        clock: Clock,
        delivery: Delivery,
        saved: Callable[[Seen], Awaitable[None]],
    ) -> None:
        self._keeper = keeper
        self._store = store
        self._clock = clock
        self._delivery = delivery
        self._saved = saved
        self._at_it: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        for task in self._at_it:
            task.cancel()

    async def do(self) -> None:
        """Do what is due: lobbies end, forced actions are played, people are called, time runs out.

        Every table by itself: a platform or place that does not answer holds up its own tables alone.
        """
        for table, revision in await self._store.claim_due(self._keeper.now_ms(), LEASE_MS, 100):
            task = asyncio.create_task(self._do_due_of(table, revision), name=f"due {table}")
            self._at_it.add(task)
            task.add_done_callback(self._at_it.discard)
        if self._at_it:
            await asyncio.wait(tuple(self._at_it), timeout=PATIENCE_S)

    async def _do_due_of(self, table: TableId, revision: int) -> None:
        try:
            seen = await self._keeper.find(table)
            later = None
            if seen is not None and seen.table.revision == revision:
                later = await self._due(seen)
            await self._store.done_due(table, revision, None if later is None else to_ms(later))
        except TryLater as no:
            log.info("table %s: the reminder is tried again: %s", table, no)
        except Conflict:
            log.debug("table %s moved on by itself", table)
        except StoreDown as down:
            log.warning("table %s: what is due waits: %s", table, down)
        except Exception:
            log.exception("what is due at table %s", table)

    async def _due(self, seen: Seen) -> datetime | None:
        """Do what is due at one table; gives when to look again, if nothing was changed. Raises TryLater, Conflict."""
        table, state = seen.table, seen.state
        if table.phase == Phase.LOBBY:
            await self._by_itself(seen, Step(tables.over(table, tables.Result("left", of_table=True))))
        elif table.phase == Phase.OVER:
            await self._keeper.settle(table)
        elif table.phase == Phase.RUNNING and state is not None and state.actor is not None:
            now = self._clock.now()
            if state.forced is not None:
                if not could_be_seen(seen, to_ms(now)):
                    return from_ms(to_ms(now) + FORCED_MS)
                step = tables.play(table, state, state.forced, to_ms(now), tables.By.TABLE)
                await self._by_itself(seen, await house_plays(step, to_ms(now)))
                return None
            found = deadlines.look(table, state, now)
            match found.stage:
                case Stage.UP:
                    await self._by_itself(seen, await house_thinks(house.time_is_up, table, state, to_ms(now)))
                    return None
                case Stage.CALLED | Stage.HALF | Stage.LAST if deadlines.may_ping(table, table.seats[state.actor], now):
                    left = None if found.up is None else found.up - now
                    reply = boards.reminder(table, state.actor, found.stage, left, table.lang)
                    await self._delivery.remind(table, reply, f"{table.id}-{table.revision}{found.stage[0]}")
            return found.next
        return None

    async def _by_itself(self, seen: Seen, step: Step) -> None:
        await self._saved(await self._keeper.save(seen, step, None))


def could_be_seen(seen: Seen, now_ms: int) -> bool:
    """Whether the board was posted, or cannot be: what is forced waits until people have seen it."""
    posted = seen.posted is not None and seen.posted.revision >= seen.table.revision
    return posted or not seen.recent or now_ms - seen.recent[-1].at_ms > FORCED_LONGEST_MS
