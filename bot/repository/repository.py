"""Tables, loaded and changed: the only way between the service and the store.

    load ──▶ before ──▶ apply ──▶ save ──▶ answer ──▶ publish
     ▲                             │
     └── another save came first ──┘

Decoded positions are cached by their save: decoding one is the most expensive part of a turn.
"""

import asyncio
import base64
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Literal
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import Obstacle, PersonId, PlaceId, Reply, UpdateId, platform
from bot.repository.outages import Outages
from bot.repository.results import Results, counts
from bot.runtime.clock import Clock, from_ms, to_ms
from bot.runtime.metrics import Metrics
from bot.runtime.retry import SAVES
from bot.store import Conflict, GameMissing, Repeated, StoreDown, keys
from bot.store.store import RECENT, Attached, Store
from bot.tables import (
    absence,
    banks,
    deadlines,
    forced_actions,
    guesses,
    linking,
    logbook,
    outages,
    plans,
    seating,
    voting,
)
from bot.tables import table as tables
from bot.tables.anonymous import is_nobody
from bot.tables.snapshot import Snapshot, UnrecordedPost
from bot.tables.table import By, Denied, Entry, Phase, Step, Table, TableId
from bot.tables.voting import Ballot, Box
from bot.tables.waiting import OnClock, with_turn
from rules import GAMES, PACKAGES, State

log = logging.getLogger(__name__)

KEPT = 512
"""Positions and places in memory."""
DAY_MS = 24 * 3600 * 1000
LOBBY_KEPT_MS = 30 * DAY_MS
"""TTL of a lobby: it closes earlier, unless the bot is stopped."""
FORCED_MS = 12_000
"""Time for people to look at the board, or to act themselves, before the table plays a forced action."""
FORCED_LONGEST_MS = 60_000
"""The same if the board cannot be posted."""
HOUSE_MS = 20_000
"""Time for the house to play, before another process checks whether it is still thinking."""
LAST = "last"
"""The setting of a place that holds its former table, for a rematch."""
PLAN_MS = range(20_000, 90_001)
"""Time before a planned turn is played: the speed must not tell that it was planned."""
COUNTED_MS = 30_000
"""Time after a vote in which the post may not yet count it: an edit counts all votes since the former one."""
AFTER_MS = 3_000
"""Time for the final board of a channel's game, before its card is posted."""
AT_ONCE = 50
"""People whose lists are changed together."""
LEASE_MS = 120_000
"""Lease of a board that is being posted, before another worker may post it."""


class Applied(Struct, frozen=True):
    """The outcome of a change. *is_saved*: a step was saved. *reply*: for the person who asked."""

    snapshot: Snapshot
    reply: Reply | None = None
    is_saved: bool = False


class Instead(Struct, frozen=True):
    """The reply to a change that is not applied."""

    reply: Reply | None


class Used(Struct, frozen=True):
    """An attachment that a save needs with this *content*. *stays*: the save does not remove it."""

    name: str
    content: bytes
    stays: bool = False


Change = Callable[[Snapshot], Awaitable[tuple[Step | None, Reply | None]]]
"""Return the step to save, or None, and the reply. May be called several times for one update."""

BallotChange = Callable[[Snapshot, Ballot | None], Awaitable[tuple[Ballot | None, Reply | None]]]
"""Return the ballot to store, or None, and the reply. May be called several times for one update."""

Listener = Callable[[Snapshot], Awaitable[None]]
"""Called with each table that was changed."""


class Hooks(Struct, frozen=True):
    """Optional hooks of `Repository.change`.

    *before*: return `Instead` if the change must not be applied to the table, for example because the request is stale.
    *answer*: return the reply to a saved change. Called with the saved snapshot and the reply of the change, before
    listeners are called.
    """

    before: Callable[[Snapshot], Awaitable[Instead | None]] | None = None
    answer: Callable[[Snapshot, Reply | None], Awaitable[Reply | None]] | None = None


NO_HOOKS = Hooks()


class Repository:
    """Loads and changes tables; safe to use from many tasks, and beside other processes on the same store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        keep_days: int,
        metrics: Metrics,
        draw: Callable[[int], str] = secrets.token_hex,
        lease_ms: int = LEASE_MS,
    ) -> None:
        """*draw* returns that many random bytes in hexadecimal.

        *lease_ms*: how long one process has for a piece of work (a board, a reminder) before another one takes over.
        """
        self.store = store
        self._clock = clock
        self.keep_days = keep_days
        self.lease_ms = lease_ms
        self._metrics = metrics
        self._results = Results(store, self.now_ms)
        self.outages = Outages(store.heartbeats, clock)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._states = LRUCache[TableId, tuple[str, State]](KEPT)  # with their saves
        self._saved = LRUCache[TableId, str](KEPT)  # the newest save of this process
        self._places = LRUCache[PlaceId, TableId](KEPT)
        self._listeners = list[Listener]()
        self._linked = list[Callable[[Snapshot], None]]()
        self.draw = draw
        self._secret: bytes | None = None

    def now_ms(self) -> int:
        return to_ms(self._clock.now())

    async def find(self, table: TableId) -> Snapshot | None:
        """Return the table as it is stored, with the time of later outages added, or None.

        Raises NewerDocument if a newer version of the bot wrote it, GameMissing if its game is not installed.
        """
        loaded = await self.store.load(table)
        if loaded is None:
            return None
        if loaded.table.game not in GAMES:
            raise GameMissing(loaded, f"game {loaded.table.game} is not installed")
        state, known = self._state_of(loaded), await self.outages.of(platform(loaded.table.place))
        excused = outages.excused(loaded.table, known, None if state is None else state.actor)
        return replace(loaded, table=excused, state=state)

    async def load(self, table: TableId) -> Snapshot:
        """Return the table as it is stored. Denied: no_table."""
        snapshot = await self.find(table)
        if snapshot is None:
            raise Denied("no_table")
        return snapshot

    async def on(self, place: PlaceId) -> Snapshot | None:
        """Return the table that holds *place*, or None. Raises GameMissing."""
        known = self._places.get(place)
        if known is not None:  # one round trip less while that table goes on
            snapshot = await self.find(known)
            if snapshot is not None and _holds(snapshot.table, place):
                return snapshot
        known = await self.store.at(place)
        if known is None:
            return None
        self._places[place] = known
        try:
            snapshot = await self.find(known)
        except GameMissing as missing:
            if missing.snapshot.table.is_resting:
                return None
            raise
        if snapshot is not None and snapshot.table.is_resting and not snapshot.table.is_unattended:
            return None
        return snapshot

    async def log(self, table: Table) -> tuple[Entry, ...]:
        """Return the whole log as it was at the revision of *table*; if it has grown since, the save will conflict."""
        return tuple(entry for entry in await self.store.log(table.id) if entry.revision <= table.revision)

    async def may_rest(self, table: Table) -> bool:
        """Return whether another table may have the place of *table*."""
        remaining = await self.time_to_rest(table)
        return remaining is not None and remaining <= timedelta(0)

    async def time_to_rest(self, table: Table) -> timedelta | None:
        """Return the time until another table may have the place of *table*, or None for never."""
        rests_ms = absence.may_rest_ms(table, await self.log(table))
        if rests_ms is None:
            return None
        rests_ms += outages.lost_ms(await self.outages.of(platform(table.place)), rests_ms - DAY_MS)
        return timedelta(milliseconds=rests_ms - self.now_ms())

    async def has_applied(self, table: Table, update: UpdateId) -> bool:
        """Return whether *update* was applied to *table* before."""
        return await self.store.has_applied(table.id, update)

    async def without_unsent(self, snapshot: Snapshot, do: Callable[[Table, State], Step]) -> Step:
        """Return the step that *do* makes of the running table *snapshot*.

        If it ends the turn of its person, their unsent actions are taken back first (`logbook.withdrawn`).
        """
        table, state = snapshot.table, snapshot.state
        assert state is not None
        step = do(table, state)
        goes_on = forced_actions.decides(step) == By.HOUSE
        if not (goes_on or step.table.phase == Phase.OVER) or not logbook.is_begun(table, snapshot.recent):
            return step
        goes_on = goes_on and state.actor is not None and not step.table.seats[state.actor].resigned
        before = logbook.withdrawn(table, state, await self.log(table), goes_on=goes_on)
        step = do(before.table, before.position)
        return replace(step, entries=(*before.entries, *step.entries))

    async def new_id(self, update: UpdateId) -> TableId:
        """Return the id of the table that *update* opens: the same for a repeated update, and impossible to guess."""
        if self._secret is None:
            self._secret = await self.store.secret(self.draw(32))
        digest = hashlib.blake2b(update.encode(), digest_size=7, key=self._secret, person=b"kaleidobot table").digest()
        return TableId(base64.b32encode(digest).decode().lower()[:10])

    async def take_place(self, table: Table, instead_of: TableId | None) -> TableId:
        """Let *table* hold its place if it is free or held by *instead_of*. Return the table that holds it now."""
        holder = await self.store.take_place(table.place, table.id, instead_of)
        self._places[table.place] = holder
        return holder

    def publish_to(self, listener: Listener) -> None:
        """Call *listener* with each table that is changed from now on."""
        self._listeners.append(listener)

    def tell_linked_to(self, listener: Callable[[Snapshot], None]) -> None:
        """Call *listener* with each linked table after every save, also a quiet one."""
        self._linked.append(listener)

    async def publish(self, snapshot: Snapshot) -> None:
        """Call all listeners with *snapshot*."""
        for listener in self._listeners:
            await listener(snapshot)

    async def change(
        self,
        first: Snapshot,
        apply: Change,
        update: UpdateId | None = None,
        *,
        hooks: Hooks = NO_HOOKS,
        quiet: bool = False,
        uses: Used | None = None,
    ) -> Applied | None:
        """Apply a change to the table of *first*, save it, answer, and publish it: the only way to change a table.

        If another save came first, the change is applied again to the newest save. *update*: the cause; return None if
        it was applied before. *quiet*: listeners are not called, and a table that is over keeps its expiry time.
        *uses*: an attachment that must still have this content, else the change is applied again.

        Raises the errors of *apply* and *hooks*, StoreDown.
        """
        snapshot = first
        lock = self._locks.setdefault(snapshot.table.id, asyncio.Lock())
        is_stale = lock.locked()
        async with lock:  # tasks of this process queue up here; between processes the store decides
            for tried in range(SAVES.tries):
                if is_stale:
                    snapshot = await self.load(snapshot.table.id)
                instead = None if hooks.before is None else await hooks.before(snapshot)
                if instead is not None:
                    return Applied(snapshot, instead.reply)
                step, reply = await apply(snapshot)
                if step is None:
                    return Applied(snapshot, reply)
                try:
                    saved = await self._save(snapshot, step, update, quiet=quiet, uses=uses)
                    break
                except Conflict:
                    is_stale = True
                    await asyncio.sleep(SAVES.pause_s(tried))
                except Repeated:
                    return None
            else:
                raise StoreDown(f"table {snapshot.table.id} changed too often")
        try:
            if hooks.answer is not None:
                reply = await hooks.answer(saved, reply)
            return Applied(saved, reply, is_saved=True)
        finally:  # the answer is built before the board is queued; either may arrive first
            if not quiet:
                await self.publish(saved)

    async def advance(self, snapshot: Snapshot, step: Step) -> None:
        """Save *step* unless another save has followed *snapshot*."""

        async def apply(newest: Snapshot) -> tuple[Step | None, Reply | None]:
            return step if newest.save == snapshot.save else None, None

        await self.change(snapshot, apply)

    async def plan(self, snapshot: Snapshot, person: PersonId) -> bytes:
        """Return what *person* has planned at the table (`bot.tables.plans`), encoded; b"" for nothing."""
        return await self.store.attachment(snapshot.table.id, keys.own(plans.NAME, person)) or b""

    async def keep_plan(
        self, snapshot: Snapshot, person: PersonId, content: bytes, before: bytes | Literal["*"] = "*"
    ) -> bool:
        """Set what *person* has planned, unless another save has followed *snapshot* or the former content is not
        *before* ("*": any). Return whether it is set."""
        name = keys.own(plans.NAME, person)
        return await self.store.attach(snapshot.table.id, name, content, before, snapshot.save) == content

    async def withdraw_plan(self, table: TableId, person: PersonId) -> None:
        """Remove what *person* has planned."""
        await self.store.attach(table, keys.own(plans.NAME, person), b"")

    async def play_plan(
        self, snapshot: Snapshot, person: PersonId, step: Step, content: bytes, *, stays: bool = False
    ) -> Applied | None:
        """Save *step*, which plays the plan with this *content*: only once, and not if it was withdrawn or another save
        has followed *snapshot*. *stays*: the plan is for later turns as well."""

        async def apply(newest: Snapshot) -> tuple[Step | None, Reply | None]:
            is_new = newest.save != snapshot.save or await self.plan(newest, person) != content
            return None if is_new else step, None

        update = UpdateId(f"plan:{snapshot.table.id}:{snapshot.table.turn}:{snapshot.table.turn_mark}")
        return await self.change(snapshot, apply, update, uses=Used(keys.own(plans.NAME, person), content, stays))

    async def votes(self, snapshot: Snapshot) -> Box:
        """Return the votes at a table, with the count of the poll that is open."""
        content, ballots = await self.store.votes.of(snapshot.table.id)
        return await asyncio.to_thread(voting.box, content, ballots, snapshot)

    async def ballot(self, table: TableId, person: PersonId) -> bytes:
        """Return the ballot of *person*, encoded; b"" for none."""
        return await self.store.attachment(table, keys.own(voting.BALLOT, person)) or b""

    async def change_ballot(
        self, first: Snapshot, person: PersonId, apply: BallotChange, update: UpdateId
    ) -> Applied | None:
        """Change the ballot of *person* at the table of *first*, and load the table. Return None if *update* was
        applied before.

        If a save or another change of the ballot came first, *apply* is called again with the newest table. The list
        that leads to the ballot comes first. The table is due soon, for the count in its post. Raises the errors of
        *apply*, StoreDown.
        """
        lock = self._locks.setdefault(f"{first.table.id} {person}", asyncio.Lock())
        async with lock:
            return await self._change_ballot(first, person, apply, update)

    async def _change_ballot(
        self, first: Snapshot, person: PersonId, apply: BallotChange, update: UpdateId
    ) -> Applied | None:
        snapshot = first
        for tried in range(SAVES.tries):
            former = await self.ballot(snapshot.table.id, person)
            before = voting.ballot(former)
            if before is not None and update in before.updates:
                return None
            ballot, reply = await apply(snapshot, before)
            if ballot is None:
                return Applied(snapshot, reply)
            if not former:
                await self.store.add_table(person, snapshot.table.id, self.now_ms())
            try:
                await self._put_ballot(snapshot, person, former, voting.by_update(ballot, update))
                return Applied(await self.load(snapshot.table.id), reply, is_saved=True)
            except Conflict:
                await asyncio.sleep(SAVES.pause_s(tried))
                snapshot = await self.load(snapshot.table.id)
        raise StoreDown(f"table {snapshot.table.id} changed too often")

    async def _put_ballot(self, snapshot: Snapshot, person: PersonId, former: bytes, ballot: Ballot) -> None:
        """Store *ballot* after the *former* one. Raises Conflict, StoreDown."""
        poll, now_ms = voting.poll_of(snapshot.table, snapshot.recent), self.now_ms()
        before, after = (
            known is not None and known.poll == poll and not known.dropped for known in (voting.ballot(former), ballot)
        )
        await self.store.votes.put(
            snapshot,
            keys.own(voting.BALLOT, person),
            former,
            voting.encoded(ballot),
            poll,
            voters=after - before,
            now_ms=now_ms,
            due_ms=now_ms + COUNTED_MS,
        )

    async def close_vote(self, snapshot: Snapshot, box: Box, step: Step) -> bool:
        """Save *step*, which closes the vote with the votes in *box*, unless another save or vote has followed. Return
        whether it is saved."""

        async def apply(newest: Snapshot) -> tuple[Step | None, Reply | None]:
            content = await self.store.attachment(newest.table.id, voting.COUNT) or b""
            is_same = newest.save == snapshot.save and content == box.content
            return step if is_same else None, None

        goes_on = voting.poll_of(step.table, (*snapshot.recent, *step.entries)) == box.count.poll
        update = None if goes_on else UpdateId(f"vote:{snapshot.table.id}:{box.count.poll}")
        used = Used(voting.COUNT, box.content, stays=goes_on)
        done = await self.change(snapshot, apply, update, uses=used)
        return done is not None and done.is_saved

    async def create(self, table: Table, update: UpdateId) -> Snapshot:
        """Store a new *table* with a seed of its own, without a call of the listeners.

        Raises Conflict, Repeated (the table exists), StoreDown.
        """
        table = replace(table, seed=self.draw(16), salt=self.draw(16))
        return await self._save(Snapshot(table=table), Step(table), update)

    async def move(self, table: TableId, place: PlaceId) -> None:
        """Move the table to the new id *place* that the platform gave its place."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            if snapshot.table.place == place:
                return None, None
            if snapshot.table.phase == Phase.OVER:
                await self.settle(snapshot.table)  # while the table still names the old place
            await self.store.leave_place(snapshot.table.place, table)
            goes_on = absence.regain_place(snapshot.table, self.now_ms())
            moved = replace(goes_on, place=place, relocations=snapshot.table.relocations + 1, former_place=PlaceId(""))
            await self.take_place(moved, None)
            return Step(moved, snapshot.state), None

        changed = await self.change(await self.load(table), apply)
        if changed is not None and not changed.is_saved:  # it was moved before, maybe without a post
            await self.publish(changed.snapshot)

    async def lose_place(self, table: TableId, place: PlaceId, obstacle: Obstacle) -> None:
        """Stop the time of *table* if it holds *place*, which takes no posts. Listeners are not called."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            if snapshot.table.is_unreachable or not _holds(snapshot.table, place):
                return None, None
            return Step(absence.lose_place(snapshot.table, self.now_ms(), obstacle), snapshot.state), None

        snapshot = await self.find(table)
        if snapshot is not None:
            await self.change(snapshot, apply, quiet=True)

    async def regain_place(self, table: TableId, place: PlaceId) -> None:
        """Let *table* go on if it holds *place*, which takes posts again."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            if not snapshot.table.is_unreachable or not _holds(snapshot.table, place):
                return None, None
            return Step(absence.regain_place(snapshot.table, self.now_ms()), snapshot.state), None

        snapshot = await self.find(table)
        if snapshot is not None:
            await self.change(snapshot, apply)

    async def lose_game(self, missing: GameMissing) -> None:
        """Stop the time of a table whose game is not installed. Nothing is posted. Raises Conflict, StoreDown."""
        before = missing.snapshot
        table = absence.lose_game(before.table, self.now_ms())
        if table is not before.table:
            await self._save(before, Step(table), None)
            log.info("table rests without its game: table=%s game=%s error=%s", table.id, table.game, missing)

    async def regain_game(self, snapshot: Snapshot) -> None:
        """Let the table of *snapshot* go on, whose game is installed again."""

        async def apply(newest: Snapshot) -> tuple[Step | None, Reply | None]:
            if not newest.table.lacks_game:
                return None, None
            return Step(absence.regain_place(newest.table, self.now_ms()), newest.state), None

        await self.change(snapshot, apply)
        log.info("table goes on with its game: %s", snapshot.table.facts)

    async def make_room(self, missing: GameMissing) -> None:
        """Let another table have the place of a table whose game is not installed. Raises Conflict, StoreDown.

        A lobby closes. A running game rests until one of its people opens it again.
        """
        before = missing.snapshot
        if before.table.phase == Phase.LOBBY:
            await self._save(before, Step(tables.abandoned(before.table)), None)
        elif before.table.phase == Phase.RUNNING:
            await self._save(before, Step(absence.rest(before.table)), None)

    async def member_left(self, table: TableId, place: PlaceId, person: PersonId) -> None:
        """Note that *person* has left *place*: of a lobby there they leave the seat, in a game the others need not
        wait."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            table, state = snapshot.table, snapshot.state
            seat = table.seat_of(person)
            if seat is None or not _holds(table, place) or table.seats[seat].departed:
                return None, None
            if table.phase == Phase.LOBBY:
                return Step(seating.leave(table, person)), None
            if state is None or not absence.has_others(table, seat):
                return None, None
            return absence.depart(table, state, seat, self.now_ms()), None

        snapshot = await self.find(table)
        if snapshot is not None:
            await self.change(snapshot, apply)

    async def member_came(self, table: TableId, person: PersonId) -> None:
        """Note that *person*, who had left the table's place, is there again."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            seat = snapshot.table.seat_of(person)
            if seat is None or not snapshot.table.seats[seat].departed or snapshot.table.phase != Phase.RUNNING:
                return None, None
            return Step(tables.with_seat(snapshot.table, seat, departed=False), snapshot.state), None

        snapshot = await self.find(table)
        if snapshot is not None:
            await self.change(snapshot, apply)

    async def give_up(self, table: TableId) -> None:
        """End *table*, whose place has taken no posts for too long, or whose people have not acted: without a winner,
        and without a post if the place takes none."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            ends = deadlines.given_up(snapshot.table)
            if snapshot.table.phase == Phase.OVER or ends is None or to_ms(ends) > self.now_ms():
                return None, None
            return Step(tables.abandoned(snapshot.table, snapshot.state), snapshot.state), None

        first = await self.load(table)
        changed = await self.change(first, apply, quiet=not first.table.is_unattended)
        if changed is not None and changed.is_saved and not first.table.is_unattended:
            await self.store.done_unposted(table, changed.snapshot.table.revision)
            log.info("table ended, its place took no posts: place=%s table=%s", changed.snapshot.table.place, table)

    async def _save(
        self,
        before: Snapshot,
        step: Step,
        update: UpdateId | None,
        *,
        quiet: bool = False,
        uses: Used | None = None,
    ) -> Snapshot:
        """Store *step* as the next revision of the table *before*.

        Raises Conflict, Repeated, StoreDown.
        """
        if quiet and before.table.phase == Phase.OVER:
            return await self._rewrite(before, step.table)
        now_ms = self.now_ms()
        mark = _mark(before.table, update, step.entries, now_ms)
        table = replace(step.table, revision=before.table.revision + 1, mark=mark)
        if update is not None:
            table = replace(table, unattended=0)
        if table.turn != before.table.turn or table.phase != before.table.phase:
            if before.state is not None and before.state.actor is not None:
                table = banks.after_turn(before.table, before.state.actor, table, step.entries, now_ms)
            is_hushed = step.state is not None and deadlines.is_hushed(table, step.state, from_ms(now_ms))
            begun = absence.begin_turn(table, step.state, OnClock(now_ms, is_hushed))
            waiting = with_turn(table.waiting, begun)
            table = replace(table, turn_ms=now_ms, turn_mark=mark, waiting=waiting, excused_ms=0)
        elif table.phase == Phase.LOBBY:
            gathered_ms = now_ms if _gathers(before.table, table) else table.gathered_ms
            table = replace(table, waiting=with_turn(table.waiting, OnClock(now_ms)), gathered_ms=gathered_ms)
        else:
            table = absence.after_entries(table, step.entries, now_ms)
        if table.ask is not None and table.ask.revision == table.revision:
            table = replace(table, question=replace(table.ask, mark=mark))
        if table.phase == Phase.RUNNING and before.table.phase == Phase.LOBBY:
            table = replace(table, begun_ms=now_ms)
        settles = before.table.phase != Phase.OVER and counts(table)
        if settles:
            first_win, badges = await self._results.firsts(table, step.entries)
            table = replace(table, first_win=first_win, badges=badges)
        after = Step(table, step.state)
        keep_ms = {Phase.LOBBY: LOBBY_KEPT_MS, Phase.RUNNING: None, Phase.OVER: self.keep_days * DAY_MS}[table.phase]
        # Another process records the result later if this one ends before it does.
        due_ms = now_ms + self.lease_ms if settles else _due_ms(after, now_ms)
        table, others = await self._ended(before.table, table)
        await self._enter(before.table, table, others, now_ms, now_ms + (keep_ms or 0))
        save = await self.store.save(
            table,
            step.entries,
            update,
            before=before.save,
            now_ms=now_ms,
            repost_ms=now_ms + self.lease_ms,
            due_ms=due_ms,
            urgent=forced_actions.decides(after) in (By.HOUSE, By.TABLE),  # people wait for this
            expire_ms=None if keep_ms is None else now_ms + keep_ms,
            attached=await self._attached(before, replace(after, entries=step.entries), now_ms, uses),
        )
        if step.state is not None:
            self._states[table.id] = (save, step.state)
        if before.state is not None and table.began is before.table.state:  # an unfinished turn
            logbook.know_beginning(table, before.state)
        self._count(before.table, table)
        await self._file(before.table, table, others)
        if table.phase == Phase.OVER and not quiet and not table.is_resting:
            await self.store.set_place_setting(table.place, LAST, table.id)
        if settles:
            await self._settle_now(table)
        recent = (*before.recent, *step.entries)[-RECENT:]
        unrecorded = None if self._saved.get(table.id) == before.save else _unrecorded(before, now_ms, self.lease_ms)
        self._saved[table.id] = save
        is_same = voting.poll_of(before.table, before.recent) == voting.poll_of(table, recent)
        count = before.count if is_same else b""
        saved = replace(
            before, table=table, state=step.state, recent=recent, save=save, unrecorded=unrecorded, count=count
        )
        for listener in self._linked if table.twin is not None else ():
            listener(saved)
        return saved

    async def _attached(self, before: Snapshot, after: Step, now_ms: int, uses: Used | None) -> Attached:
        """Return the attachments of a save: the plans that it ends, the one that it plays, and the one that is due; and
        everything of people whose seats others have taken."""
        used, ended = uses or Used("", b""), plans.ended_by(before.table, after)
        completes = plans.completes_turn(before.table, after)
        if completes in ended and plans.is_standing(await self.plan(before, completes)):
            ended.remove(completes)
        over = {keys.own(plans.NAME, person) for person in ended} | ({used.name} - {""})
        if used.stays and after.table.phase == Phase.RUNNING:
            over.remove(used.name)
        for leaver in after.table.leavers[len(before.table.leavers) :]:
            owned = await self.store.owned(after.table.id, leaver.person)
            over |= {keys.own(name, leaver.person) for name in owned}
        waiting = plans.waits_for(after)
        if waiting is None:
            return Attached(used=used.name, content=used.content, removed=sorted(over))
        delay_ms = PLAN_MS[int(self.draw(4), 16) % len(PLAN_MS)]
        return Attached(keys.own(plans.NAME, waiting), now_ms + delay_ms, used.name, used.content, sorted(over))

    async def _rewrite(self, before: Snapshot, table: Table) -> Snapshot:
        """Replace the document of the table *before*, which is over, by *table*. Raises Conflict, StoreDown."""
        table = replace(table, revision=before.table.revision + 1)
        save = await self.store.rewrite(table, before=before.save)
        return replace(before, table=table, save=save, unrecorded=None)

    def _count(self, before: Table, after: Table) -> None:
        if after.phase != before.phase and after.state is not msgspec.UNSET:  # a closed lobby was no game
            self._metrics.tables.labels(after.game, after.phase).inc()
        if after.turn > before.turn:  # a step of the house may have several turns
            self._metrics.turns.labels(after.game).inc(after.turn - before.turn)

    async def settle(self, table: Table) -> None:
        """Add the result of *table* to the records of its people, once. Raises StoreDown.

        Other errors are logged and not retried.
        """
        try:
            await self._results.settle(table)
        except StoreDown:
            raise
        except Exception:
            log.exception("result not recorded: table=%s", table.id)

    async def _settle_now(self, table: Table) -> None:
        """Record the result that has just been saved; after an error it stays due for any process."""
        try:
            await self.settle(table)
            await self.store.done_due(table.id, table.revision)
        except StoreDown as down:
            log.warning("result not recorded, due again: table=%s error=%s", table.id, down)

    async def _ended(self, before: Table, table: Table) -> tuple[Table, set[PersonId]]:
        """Return *table* with the first right guess of its winner if it has just ended, and the people without a seat
        who have voted or guessed."""
        if table.phase != Phase.OVER or before.phase != Phase.RUNNING:
            return table, set()
        ballots, guessed = await self.store.votes.beside(table.id)
        return replace(table, guess=guesses.first_right(table, guessed)), {*ballots, *guessed}

    async def _enter(self, before: Table, after: Table, others: set[PersonId], now_ms: int, expire_ms: int) -> None:
        """Add a table to the lists of its people, before the save: no stored name may lack a list that leads to it.

        Makes no call in a normal turn.
        """
        were = _people(before) if before.revision else set[PersonId]()
        are = _people(after)
        for person in sorted(are - were):
            await self.store.add_table(person, after.id, now_ms)
        if after.phase == Phase.OVER and are | others:
            await self.store.records.add_played(sorted(are | others), after.id, now_ms, expire_ms)

    async def _file(self, before: Table, after: Table, others: set[PersonId]) -> None:
        """Remove a table from the lists of people and places that it has left. Makes no call in a normal turn."""
        were = _people(before) if before.revision else set[PersonId]()
        are = _people(after)
        if after.phase == Phase.OVER:
            were, are = were | are | others, set()
            await self.store.leave_place(after.place, after.id)
            self._places.pop(after.place, None)
        gone = sorted(were - are)
        for first in range(0, len(gone), AT_ONCE):  # a channel may have had very many voters
            part = gone[first : first + AT_ONCE]
            await asyncio.gather(*(self.store.remove_table(person, after.id) for person in part))

    def _state_of(self, loaded: Snapshot) -> State | None:
        table = loaded.table
        if isinstance(table.state, msgspec.UnsetType):
            return None
        kept = self._states.get(table.id)
        if kept is not None and kept[0] == loaded.save:
            return kept[1]
        try:
            state = GAMES[table.game].decode(bytes(table.state))
        except ValueError as wrong:
            if table.game in PACKAGES:  # another version of the package wrote it
                raise GameMissing(loaded, f"{PACKAGES[table.game]} cannot read the position: {wrong}") from wrong
            raise
        self._states[table.id] = (loaded.save, state)
        return state


def _holds(table: Table, place: PlaceId) -> bool:
    """Return whether *table* holds *place*."""
    return table.phase != Phase.OVER and table.place == place and not table.is_resting


def _mark(before: Table, update: UpdateId | None, entries: Sequence[Entry], now_ms: int) -> str:
    """Return the mark of a save: three characters of a-z and 2-7, almost certainly different for two saves of one
    revision."""
    facts = f"{before.id} {before.mark} {before.revision} {update} {now_ms} {[entry.action for entry in entries]}"
    return base64.b32encode(hashlib.blake2b(facts.encode(), digest_size=2).digest()).decode().lower()[:3]


def _gathers(before: Table, after: Table) -> bool:
    """Return whether a new person has a seat *after* a change."""
    return not {seat.person for seat in after.seats if not seat.house} <= {seat.person for seat in before.seats}


def _people(table: Table) -> set[PersonId]:
    """Return the host, the people with a seat or an invitation, and leavers, without placeholders."""
    people = {table.host, *table.sat, *(seat.person for seat in table.invited)}
    return {person for person in people if not is_nobody(person)}


def _due_ms(step: Step, now_ms: int) -> int | None:
    """Return when the table becomes due if no person acts, or None."""
    table = step.table
    if table.phase == Phase.RUNNING and step.state is None and not table.is_resting:  # its game is not installed
        return now_ms + LEASE_MS
    if table.phase == Phase.OVER:
        return now_ms + AFTER_MS if table.has_channel and table.lot else None
    ends = deadlines.given_up(table)
    if table.phase == Phase.LOBBY:
        closes_ms = to_ms(ends or deadlines.lobby_closes(table))
        return (
            closes_ms
            if table.twin is None or not table.twin.table
            else min(closes_ms, now_ms + linking.looks_after_ms(table, now_ms))
        )
    if table.phase == Phase.RUNNING and table.is_resting:
        return None if ends is None else to_ms(ends)
    match forced_actions.decides(step):
        case By.REMOTE:
            follows_ms = now_ms + linking.looks_after_ms(table, now_ms)
            return follows_ms if ends is None else min(follows_ms, to_ms(ends))
        case By.HOUSE:
            return now_ms + HOUSE_MS
        case By.TABLE:
            return now_ms + FORCED_MS
        case By.CHANNEL:
            closes = ends or deadlines.voting_closes(table)
            return None if closes is None else to_ms(closes)
        case By.PERSON if not table.replies_only:
            time = deadlines.turn_time(table, step.position, from_ms(now_ms))
            return None if time.next is None else to_ms(time.next)
        case _:  # a visited place takes no reminders; a request finds the silence (`Due.note_silence`)
            return None


def _unrecorded(snapshot: Snapshot, now_ms: int, lease_ms: int) -> UnrecordedPost | None:
    """Return the post of *snapshot*, which another process has saved, if it may have been posted without a record.

    None if it is recorded, if it was only an edit of a recorded message, if the place takes posts only in answer to
    people, or if it is so old that another process has looked after it.
    """
    table, message = snapshot.table, snapshot.board_message
    if (
        table.replies_only
        or not snapshot.recent
        or snapshot.recent[-1].revision != table.revision
        or now_ms - snapshot.recent[-1].at_ms > lease_ms
    ):
        return None
    if message is not None and (message.revision >= table.revision or message.subject == tables.subject(table)):
        return None
    return UnrecordedPost(table.revision, table.mark)
