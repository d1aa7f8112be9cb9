"""What is still to be posted: in order per place, the newest board wins, trouble in one place delays that one alone.

What was saved but never posted stands in the store until it is posted, replaced, or its table has waited too long for
a place that takes nothing::

    published ──▶ waiting for room ──▶ being posted ──▶ tidying up, when there is room ──▶ done
                          ▲                  │tried in vain
       claimed by whatever│                  ▼
                   process└─── waiting in the store, with growing pauses

What waits is the newest of its table, however many turns behind a place is. Waiting for room is no try.
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import (
    Chat,
    Limited,
    Moved,
    NoReplyWindow,
    PlaceGone,
    PlaceId,
    Post,
    Priority,
    Refused,
    TryLater,
    Undelivered,
    platform,
)
from bot.delivery.painting import Pictures
from bot.delivery.posting import Posting
from bot.repository.repository import LEASE_MS, Repository, Snapshot
from bot.runtime.clock import Clock, from_ms, to_ms
from bot.runtime.retry import BOARDS, GONE_PAUSE_S, LOST_BOARDS, SURELY_GONE, WAITING_BOARDS
from bot.store import StoreDown
from bot.store.store import Noted
from bot.tables import showing
from bot.tables.deadlines import AWAY
from bot.tables.showing import Litter, Removal, Showing, Wanted, littered
from bot.tables.table import Phase, Table, TableId
from renderers import Theme

log = logging.getLogger(__name__)

REMINDER_S = 30.0
RENEW_S = LEASE_MS / 3000
STOP_S = 0.2
"""After which a worker that goes on all the same is asked to end once more."""
FINISH_S = 2.0
"""For what is being posted when the bot ends: a board that is posted and not noted would be nobody's."""
GIVE_BACK_S = 2.0
UNASKED_MS = 24 * 3600 * 1000
"""After which a board is tried again that waits for somebody to do something: a try that costs nothing."""
KEPT = 10_000


class Untidy(TryLater):
    """The board is posted; *left* former ones are not as they should be yet. *full*: for want of room."""

    def __init__(self, left: int, full: bool) -> None:
        super().__init__(reason="an old board keeps its buttons")
        self.left = left
        self.full = full


class Item(Struct, frozen=True):
    """A table to be shown. *save*: the name of the save that it comes from; *stored*: what the store says shows it;
    *since*: when (on a clock that only goes on) the first board came here that it stands for; *wish*: by whose wish
    it is to be a new message, of all that there were."""

    wanted: Wanted
    save: str
    stored: Showing | None
    since: float
    wish: int = 0


class Waited(Struct, frozen=True):
    """How often a board was handed back to the store, for one revision of its table."""

    revision: int
    times: int


class Outbox:
    """One worker per place that has something to post; it ends when there is nothing left."""

    def __init__(
        self,
        chats: Mapping[str, Chat],
        repository: Repository,
        painter: Pictures,
        clock: Clock,
        theme: Theme,
    ) -> None:
        """*theme*: of pictures where the table chose none."""
        self._chats = chats
        self._repository = repository
        self._store = repository.store
        self._posting = Posting(chats, repository, painter, clock, theme)
        self._clock = clock
        self._waiting: dict[PlaceId, dict[TableId, Item]] = {}
        self._workers: dict[PlaceId, asyncio.Task[None]] = {}
        self._news: dict[PlaceId, asyncio.Event] = {}
        self._bringing: set[asyncio.Task[None]] = set()
        self._ended = False
        self._shown = LRUCache[TableId, Showing](KEPT)  # what is not noted yet is among the newest
        self._waited = LRUCache[TableId, Waited](KEPT)
        self._wishes = count(1)

    async def published(self, seen: Snapshot) -> None:
        """A table was changed: everybody is to see it."""
        if self._ended:
            await give_back((self._store.delay_unposted(seen.table.id, to_ms(self._clock.now())),))
        else:
            self.show(seen)

    def show(self, seen: Snapshot, *, again: bool = False, lost: bool = False) -> None:
        """Post the table soon, unless something newer of it comes first. *again*: once more, at the bottom. *lost*: as
        nothing is left of what was posted."""
        table, place = seen.table, seen.table.place
        if self._ended or platform(place) not in self._chats:
            return  # it ends, or the platform is off now; the board waits in the store
        waiting = self._waiting.setdefault(place, {})
        known, anew = waiting.get(table.id), again or lost
        if known is not None:
            if known.wanted.table.revision > table.revision:
                return
            again, lost = again or known.wanted.again, lost or known.wanted.lost
        since = self._clock.monotonic() if known is None else known.since
        wish = next(self._wishes) if anew else 0 if known is None else known.wish
        unnoted, here = seen.unnoted if known is None else known.wanted.unnoted, self._shown.get(table.id)
        if unnoted is not None and here is not None and here.revision >= unnoted.revision:
            unnoted = None
        wanted = Wanted(table, seen.state, seen.recent, again, lost, unnoted)
        waiting[table.id] = Item(wanted, seen.save, seen.posted, since, wish)
        if place in self._workers:
            self._news[place].set()
        else:
            self._news[place] = asyncio.Event()
            self._workers[place] = asyncio.create_task(self._work(place), name=f"post in {place}")

    async def remind(self, table: Table, reminder: Post, nonce: str) -> None:
        """Post a reminder beside the board. Raises TryLater; other trouble is told to the log."""
        chat = self._chats.get(platform(table.place))
        if chat is None:
            return
        try:
            async with asyncio.timeout(REMINDER_S):
                await chat.wait_for_quota(table.place, Priority.REMINDER)
                await chat.post(table.place, reminder, nonce)
        except TryLater:
            raise
        except TimeoutError:
            raise TryLater(reason="no answer") from None
        except Undelivered as no:
            log.warning("%s takes no reminder for table %s: %s", table.place, table.id, no)

    async def fade(self, table: Table, *, step: bool = False) -> None:
        """Delete the private replies whose time is over, as far as the platform can. *step*: so is that of what was
        said in this turn, as it goes on without its person."""
        chat = self._chats.get(platform(table.place))
        for each in await self._store.fading.of(table.id):
            if chat is None or (each.turn == table.turn and table.phase == Phase.RUNNING and not step):
                continue
            try:
                await chat.delete(each.place, each.message)
            except TryLater as later:
                log.info("%s: a private reply stays for now: %s", each.place, later)
                continue
            except Undelivered as no:
                log.info("%s: a private reply stays: %s", each.place, no)
            await self._store.fading.done(table.id, each)

    @property
    def age_s(self) -> float:
        """For how long the board has waited that has waited longest; 0 where none does."""
        begun = [item.since for waiting in self._waiting.values() for item in waiting.values()]
        return self._clock.monotonic() - min(begun) if begun else 0.0

    def is_busy_with(self, table: TableId) -> bool:
        """Whether this table waits here to be posted."""
        return any(table in waiting for waiting in self._waiting.values())

    async def idle(self) -> None:
        """Wait until everything is posted or left to the store."""
        while self._workers:
            await asyncio.wait(self._workers.values())

    async def stop(self) -> None:
        """End; what is being posted is noted first. All else goes back to the store, for whoever looks next."""
        self._ended = True
        unposted = [table for waiting in self._waiting.values() for table in waiting]
        for worker in self._workers.values():
            worker.cancel()
        if self._bringing:
            await asyncio.wait(self._bringing, timeout=FINISH_S)
        left: set[asyncio.Task[None]] = {*self._workers.values(), *self._bringing}
        while left:  # a library that is asked just now may take one wish to end for a trouble of its own
            for worker in left:
                worker.cancel()
            _, left = await asyncio.wait(left, timeout=STOP_S)
        await give_back(self._store.delay_unposted(table, to_ms(self._clock.now())) for table in unposted)

    async def _work(self, place: PlaceId) -> None:
        waiting = self._waiting[place]
        try:
            while waiting:
                table_id = next(iter(waiting))
                try:
                    await self._post_next(place, table_id, waiting)
                except Exception:
                    log.exception("%s: table %s is left to the next worker", place, table_id)
                    waiting.pop(table_id, None)
        finally:
            # Nothing is awaited between the last look at `waiting` and this: no table can slip in unseen.
            del self._workers[place], self._waiting[place], self._news[place]

    async def _post_next(self, place: PlaceId, table_id: TableId, waiting: dict[TableId, Item]) -> None:
        """Post the newest of a table, or leave it to the store."""
        gone = tried = revision = left = 0
        priority, taken = Priority.BOARD, waiting[table_id]
        while True:
            if waiting[table_id] is not taken:
                priority = Priority.BOARD
            item = taken = waiting[table_id]
            try:
                await self._room(place, table_id, priority)
                if priority is Priority.TIDYING and waiting[table_id] is not taken:
                    continue
                item = taken = waiting[table_id]  # the newest by now
                if item.wanted.table.revision != revision:  # a newer board starts afresh
                    revision, tried = item.wanted.table.revision, 0
                item = await self._as_it_is(item)
                await self._brought(item)
                taken = _fulfilled(waiting, taken)
                if item.wanted.table.away_ms:
                    await self._repository.take_up(table_id, place)
            except TryLater as later:
                priority = Priority.BOARD
                tried += not isinstance(later, Limited)
                if isinstance(later, Untidy):
                    priority = Priority.TIDYING
                    taken = _fulfilled(waiting, taken)
                    if later.full and later.left != left:  # some of it went, or it is new: there will be room
                        left, tried = later.left, 0
                        if len(waiting) == 1:
                            continue
                if tried < BOARDS.tries:
                    pause_s = BOARDS.pause_s(max(0, tried - 1), later.after_s)
                    log.info("%s: try again in %.1f s: %s", place, pause_s, later)
                    await self._keep_lease(table_id)
                    await self._pause(place, pause_s, limited=later.after_s is not None)
                    if priority is Priority.TIDYING and len(waiting) > 1:  # boards of other tables first
                        waiting[table_id] = waiting.pop(table_id)
                        return
                    continue
                await self._leave(table_id, item, later)
            except Moved as away:
                del waiting[table_id]
                await self._repository.move(table_id, away.place)
                return
            except NoReplyWindow:
                await self._wait_for_people(table_id, item)
            except Refused as no:
                gone += isinstance(no, PlaceGone) and not item.wanted.table.away_ms
                if 0 < gone < SURELY_GONE:  # a platform in trouble may say so of places that are there
                    await self._clock.sleep(GONE_PAUSE_S)
                    continue
                await self._cut_off(item, no)
            except StoreDown as down:
                log.warning("table %s is posted but not noted: %s", table_id, down)
            except Exception as flaw:
                log.exception("cannot show table %s at revision %d", table_id, item.wanted.table.revision)
                await self._leave(table_id, item, flaw)
            if waiting[table_id] is taken:
                del waiting[table_id]
            return

    async def _room(self, place: PlaceId, table_id: TableId, priority: Priority) -> None:
        """Wait until there is room; for tidying up, or until something newer is to be posted."""
        self._news[place].clear()
        room = asyncio.ensure_future(self._chats[platform(place)].wait_for_quota(place, priority))
        ready: set[asyncio.Future[Any]] = {room}
        if priority is Priority.TIDYING:
            ready.add(asyncio.ensure_future(self._news[place].wait()))
        try:
            while not (await asyncio.wait(ready, timeout=RENEW_S, return_when=asyncio.FIRST_COMPLETED))[0]:
                await self._keep_lease(table_id)
            if room.done():
                room.result()
        finally:
            for each in ready:
                each.cancel()

    async def _keep_lease(self, table_id: TableId) -> None:
        """Let no other process begin with this board while it is tried here."""
        with suppress(StoreDown):
            await self._store.delay_unposted(table_id, to_ms(self._clock.now()) + LEASE_MS)

    async def _pause(self, place: PlaceId, seconds: float, *, limited: bool) -> None:
        """Wait; a newer board cuts it short, unless it is the platform that wants the pause (*limited*)."""
        self._news[place].clear()
        rest = asyncio.ensure_future(self._clock.sleep(seconds))
        news = asyncio.ensure_future(asyncio.Event().wait() if limited else self._news[place].wait())
        try:
            await asyncio.wait((rest, news), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in (rest, news):
                each.cancel()

    async def _leave(self, table_id: TableId, item: Item, why: Exception) -> None:
        """Leave a board to the store, for whoever looks when its time has come."""
        revision, before = item.wanted.table.revision, self._waited.get(table_id)
        times = before.times if before is not None and before.revision == revision else 0
        self._waited[table_id] = Waited(revision, times + 1)
        pauses = LOST_BOARDS if isinstance(why, PlaceGone) else WAITING_BOARDS
        pause_s = pauses.pause_s(times)
        place = item.wanted.table.place
        log.warning("%s refuses table %s; it is tried again in %.0f s: %s", place, table_id, pause_s, why)
        await self._store.delay_unposted(table_id, to_ms(self._clock.now()) + round(pause_s * 1000))

    async def _wait_for_people(self, table_id: TableId, item: Item) -> None:
        """Leave a board until somebody does something in its place. What is over comes no more: nobody asked for it."""
        table = item.wanted.table
        if table.phase == Phase.OVER:
            await self._store.done_unposted(table_id, table.revision)
        else:
            await self._store.delay_unposted(table_id, to_ms(self._clock.now()) + UNASKED_MS)

    async def _cut_off(self, item: Item, no: Refused) -> None:
        """Leave a board whose place takes nothing: its table waits for the place, one that is over not for ever."""
        table = item.wanted.table
        if table.phase == Phase.OVER or table.resting:
            if self._clock.now() - from_ms(table.since_ms or table.created_ms) >= AWAY:
                log.warning("%s refuses table %s: %s", table.place, table.id, no)
                await self._store.done_unposted(table.id, table.revision)
                return
        else:
            await self._repository.cut_off(table.id, table.place)
        await self._leave(table.id, item, no)

    async def _as_it_is(self, item: Item) -> Item:
        """*item*, or what the store has where this process has shown what is newer or was lost."""
        table, here = item.wanted.table, self._shown.get(item.wanted.table.id)
        if here is None or here.shows(table) or here.revision < table.revision:
            return item
        now = await self._repository.find(table.id)
        if now is None:
            return item
        wanted = replace(item.wanted, table=now.table, state=now.state, entries=now.recent)
        return Item(wanted, now.save, now.posted, item.since)

    async def _brought(self, item: Item) -> None:
        """Bring the place up to date, to the end even where its worker is to end."""
        bringing = asyncio.create_task(self._bring(item), name=f"bring {item.wanted.table.id}")
        self._bringing.add(bringing)
        bringing.add_done_callback(self._at_end)
        await asyncio.shield(bringing)

    def _at_end(self, bringing: asyncio.Task[None]) -> None:
        self._bringing.discard(bringing)
        if not bringing.cancelled():
            bringing.exception()  # its worker knows, or it is left to whoever looks next

    async def _bring(self, item: Item) -> None:
        """Bring the place up to date, and note what stands there."""
        table = item.wanted.table
        former = showing.newest((item.stored, self._shown.get(table.id)), table)

        met: Showing | None = None

        async def note(stands: Showing) -> None:
            nonlocal met
            met = (await self._note(table, stands, former, save="")).other or met

        stands = await self._posting.bring(item.wanted, former, note)
        stands, full = await self._posting.clear(table, stands)
        self._remember(table, stands)  # first, as noting it may fail: it is not to be posted twice
        noted = await self._note(table, stands, former, save=item.save)
        other = noted.other or met
        if other is not None:  # another process has shown it meanwhile: one of the two keeps its buttons
            ours, theirs = (Litter(each.message, _ending(each), each.moves) for each in (stands, other))
            if other.revision >= stands.revision:  # what was noted first counts
                stands = littered(other, *stands.litter, ours)
            else:
                stands = littered(stands, theirs)
            stands, full = await self._posting.clear(table, stands)
            self._remember(table, stands)
            await self._note(table, stands, other, save=item.save)
        if noted.replies and stands.began == table.revision:  # a turn is over, and what was for that turn alone
            await self.fade(table)
        if stands.litter:
            raise Untidy(len(stands.litter), full)

    async def _note(self, table: Table, stands: Showing, former: Showing | None, *, save: str) -> Noted:
        """Remember *stands* in the store, as posted once there is nothing left to tidy up; gives what else is there to
        know, as what another process noted there meanwhile."""
        save = "" if stands.litter else save
        return await self._store.posted(table.id, stands, save=save, former=None if former is None else former.message)

    def _remember(self, table: Table, stands: Showing) -> None:
        if table.phase == Phase.OVER:
            self._shown.pop(table.id, None)
        else:
            self._shown[table.id] = stands


def _fulfilled(waiting: dict[TableId, Item], taken: Item) -> Item:
    """*taken*, as it waits on once it stands there: what was wanted once more is so no longer, nor by what has come
    meanwhile, unless that was wanted for itself."""
    table_id = taken.wanted.table.id
    newest = waiting[table_id]
    if newest.wish != taken.wish:
        return taken
    waiting[table_id] = replace(newest, wanted=replace(newest.wanted, again=False, lost=False))
    return waiting[table_id] if newest is taken else taken


async def give_back(leases: Iterable[Awaitable[None]]) -> None:
    """End *leases* of a process that stops, as far as the store answers soon; the others end by themselves."""
    try:
        async with asyncio.timeout(GIVE_BACK_S):
            await asyncio.gather(*leases)
    except (StoreDown, TimeoutError) as down:
        log.warning("what was not done is not given back to the store: %r", down)


def _ending(stands: Showing) -> Removal:
    """What becomes of a message that another one has replaced."""
    return Removal.DELETE if stands.fades else Removal.STRIP
