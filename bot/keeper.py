"""Tables, loaded and saved: the way between the service and the store.

A change is loaded, applied and saved; when somebody was quicker, it is loaded and applied again. Positions are kept in
memory beside their revision, as reading one from its document is the dearest part of a turn.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot import deadlines, logbook, rating
from bot.anonymous import is_nobody
from bot.chat import PersonId, PlaceId, Reply, Update, UpdateId
from bot.clock import Clock, from_ms, to_ms
from bot.metrics import Metrics
from bot.records import Records
from bot.store import Conflict, Repeated, StoreDown
from bot.store.store import RECENT, Store
from bot.table import Denied, Entry, Phase, Posted, Step, Table, TableId
from rules import GAMES, State

log = logging.getLogger(__name__)

TRIES = 8  # of a save that another process was quicker than
KEPT = 512  # positions and places in memory
DAY_MS = 24 * 3600 * 1000
LOBBY_MS = DAY_MS
FORCED_MS = 4_000  # for looking at the board before the table plays what is forced
FORCED_LONGEST_MS = 60_000  # the same, where the board cannot be posted
LEASE_MS = 120_000  # how long a board may be on its way before another worker posts it


class Seen(Struct, frozen=True):
    """A table as it was loaded or saved, with its position, its newest message and the newest of its log."""

    table: Table
    state: State | None
    posted: Posted | None
    recent: tuple[Entry, ...]


class Done(Struct, frozen=True):
    """What came of a change. *saved*: something was changed; *reply* is for the person who asked."""

    seen: Seen
    reply: Reply | None = None
    saved: bool = False


Change = Callable[[Seen], Awaitable[tuple[Step | None, Reply | None]]]
"""Gives what is to be saved (None: nothing) and the reply. It may be called several times for one update."""


class Keeper:
    """Keeps tables; safe to use from many tasks, and beside other processes on the same store."""

    def __init__(self, store: Store, clock: Clock, keep_days: int, metrics: Metrics) -> None:
        self.store = store
        self._clock = clock
        self.keep_days = keep_days
        self._metrics = metrics
        self._records = Records(store, self.now_ms)
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()
        self._states: OrderedDict[TableId, tuple[int, State]] = OrderedDict()
        self._places: OrderedDict[PlaceId, TableId] = OrderedDict()

    def now_ms(self) -> int:
        return to_ms(self._clock.now())

    async def find(self, table: TableId) -> Seen | None:
        """The table as it is stored, None if there is none."""
        loaded = await self.store.load(table)
        if loaded is None:
            return None
        return Seen(loaded.table, self._state_of(loaded.table), loaded.posted, loaded.recent)

    async def load(self, table: TableId) -> Seen:
        """The table as it is stored. Denied: no_table."""
        seen = await self.find(table)
        if seen is None:
            raise Denied("no_table")
        return seen

    async def on(self, place: PlaceId) -> Seen | None:
        """The table that is on in *place*, None if there is none."""
        known = self._places.get(place)
        if known is not None:  # one round trip less, as long as that table goes on
            seen = await self.find(known)
            if seen is not None and seen.table.phase != Phase.OVER and seen.table.place == place:
                return seen
        known = await self.store.at(place)
        if known is None:
            return None
        self._remember(place, known)
        return await self.find(known)

    async def log(self, table: Table) -> tuple[Entry, ...]:
        """The whole log, as it was at that revision; when it has grown since, the save will say so."""
        return tuple(entry for entry in await self.store.log(table.id) if entry.revision <= table.revision)

    async def began(self, table: Table) -> State:
        """The position in which the turn that goes on at *table* began."""
        began = logbook.turn_began(table)
        if began is None:
            began = logbook.replay(table, logbook.seen_by_all(table, await self.log(table)))[-1]
        return began

    async def take_place(self, table: Table, instead_of: TableId | None) -> TableId:
        """Let *table* hold its place, if that is free or held by *instead_of*; gives who holds it now."""
        holder = await self.store.take_place(table.place, table.id, instead_of)
        self._remember(table.place, holder)
        return holder

    async def change(self, update: Update, first: Seen, apply: Change) -> Done | None:
        """Apply a change to the table *first*, and save. None: this update was applied before.

        Raises whatever *apply* raises, StoreDown.
        """
        seen = first
        lock = self._locks.setdefault(seen.table.id, asyncio.Lock())
        stale = lock.locked()
        async with lock:  # here people queue up; between processes the store decides
            for tried in range(TRIES):
                if stale:
                    seen = await self.load(seen.table.id)
                step, reply = await apply(seen)
                if step is None:
                    return Done(seen, reply)
                try:
                    return Done(await self.save(seen, step, update.id), reply, saved=True)
                except Conflict:
                    stale = True
                    await asyncio.sleep(0.005 * tried)
                except Repeated:
                    return None
        raise StoreDown(f"table {seen.table.id} changed too often")

    async def save(self, seen: Seen, step: Step, update: UpdateId | None) -> Seen:
        """Store *step* as the next revision of the table *seen*. Raises Conflict, Repeated, StoreDown."""
        now_ms = self.now_ms()
        table = replace(step.table, revision=seen.table.revision + 1)
        if table.turn != seen.table.turn or table.phase != seen.table.phase:
            hushed = step.state is not None and deadlines.is_hushed(table, step.state, from_ms(now_ms))
            table = replace(table, since_ms=now_ms, hushed=hushed, overdue=False)
        keep_ms = {Phase.LOBBY: 2 * LOBBY_MS, Phase.RUNNING: None, Phase.OVER: self.keep_days * DAY_MS}[table.phase]
        settles = seen.table.phase != Phase.OVER and rating.ranks(table) is not None
        # A result is due to be recorded later, if whoever saves it does not get to it.
        due_ms = now_ms + LEASE_MS if settles else _due_ms(table, step.state, now_ms)
        await self._enter(seen.table, table, now_ms, now_ms + (keep_ms or 0))
        await self.store.save(
            table,
            step.entries,
            update,
            now_ms=now_ms,
            repost_ms=now_ms + LEASE_MS,
            due_ms=due_ms,
            expire_ms=None if keep_ms is None else now_ms + keep_ms,
        )
        if step.state is not None:
            self._keep(table, step.state)
        self._count(seen.table, table)
        await self._file(seen.table, table)
        if settles:
            await self._settle_now(table)
        return Seen(table, step.state, seen.posted, (*seen.recent, *step.entries)[-RECENT:])

    def _count(self, before: Table, after: Table) -> None:
        if after.phase != before.phase and after.state is not msgspec.UNSET:  # a lobby that closes was no game
            self._metrics.tables.add(after.game, after.phase)
        if after.turn > before.turn:  # one step may be several, where the house plays on
            self._metrics.turns.add(after.game, times=after.turn - before.turn)

    async def rewrite(self, seen: Seen, table: Table) -> None:
        """Let the table *seen*, which is over, read like *table*; nobody is told. Raises Conflict, StoreDown."""
        await self.store.rewrite(replace(table, revision=seen.table.revision + 1))

    async def settle(self, table: Table) -> None:
        """Put the result of *table* into the records of its people, once. Raises StoreDown.

        What cannot be recorded for another reason is told to the log, and not tried for ever.
        """
        try:
            await self._records.settle(table)
        except StoreDown:
            raise
        except Exception:
            log.exception("the result of table %s is not recorded", table.id)

    async def _settle_now(self, table: Table) -> None:
        """Settle what has just been saved. What does not work out is due again, for whoever looks next."""
        try:
            await self.settle(table)
            await self.store.done_due(table.id, table.revision)
        except StoreDown as down:
            log.warning("the result of table %s is recorded later: %s", table.id, down)

    async def _enter(self, before: Table, after: Table, now_ms: int, expire_ms: int) -> None:
        """Add a table to the lists of its people before their names are in it, so that no name is ever without a list
        that leads to it. Costs nothing in a turn."""
        were = _people(before) if before.revision else set[PersonId]()
        are = _people(after)
        for person in sorted(are - were):
            await self.store.add_table(person, after.id, now_ms)
        if after.phase == Phase.OVER and are:
            await self.store.people.add_played(sorted(are), after.id, now_ms, expire_ms)

    async def _file(self, before: Table, after: Table) -> None:
        """Take a table off the lists, by person and by place, that it is on no more. Costs nothing in a turn."""
        were = _people(before) if before.revision else set[PersonId]()
        are = _people(after)
        if after.phase == Phase.OVER:
            were, are = were | are, set()
            await self.store.leave_place(after.place, after.id)
            self._places.pop(after.place, None)
        for person in sorted(were - are):
            await self.store.remove_table(person, after.id)

    def _state_of(self, table: Table) -> State | None:
        if isinstance(table.state, msgspec.UnsetType):
            return None
        kept = self._states.get(table.id)
        if kept is not None and kept[0] == table.revision:
            return kept[1]
        state = GAMES[table.game].decode(bytes(table.state))
        self._keep(table, state)
        return state

    def _keep(self, table: Table, state: State) -> None:
        self._states[table.id] = (table.revision, state)
        self._states.move_to_end(table.id)
        if len(self._states) > KEPT:
            self._states.popitem(last=False)

    def _remember(self, place: PlaceId, table: TableId) -> None:
        self._places[place] = table
        self._places.move_to_end(place)
        if len(self._places) > KEPT:
            self._places.popitem(last=False)


def _people(table: Table) -> set[PersonId]:
    """Whoever has a seat there, without placeholders."""
    return {seat.person for seat in table.seats if not is_nobody(seat.person)}


def _due_ms(table: Table, state: State | None, now_ms: int) -> int | None:
    """When the table has to be looked at again, if nobody does anything."""
    if table.phase == Phase.LOBBY:
        return now_ms + LOBBY_MS
    if table.phase != Phase.RUNNING or state is None:
        return None
    if state.forced is not None:
        return now_ms + FORCED_MS
    found = deadlines.look(table, state, from_ms(now_ms))
    return None if found.next is None else to_ms(found.next)
