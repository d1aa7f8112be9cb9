"""The queue of boards to post: in order per place, the newest board of a table wins, places do not delay each other.

A saved board stays unposted in the store until it is posted, replaced, or its table gives up a place that refuses
posts::

    published ──▶ waiting for room ──▶ being posted ──▶ cleaning up, when there is room ──▶ done
                          ▲                  │failed several times
             claimed by a │                  ▼
                  process └─── waiting in the store, with growing pauses

An entry of the queue stands for the newest revision of its table. Waiting for room does not count as a try.
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
    MessageId,
    MessagePart,
    Moved,
    NoReplyWindow,
    PlaceGone,
    PlaceId,
    Post,
    Priority,
    Refused,
    TryLater,
    Undelivered,
    Unexplained,
    platform,
)
from bot.delivery.painting import Pictures
from bot.delivery.posting import EditLimited, Posted, Posting
from bot.repository.repository import Repository
from bot.runtime import logs
from bot.runtime.clock import Clock, from_ms, to_ms
from bot.runtime.retry import BOARDS, GONE_PAUSE_S, LOST_BOARDS, SURELY_GONE, WAITING_BOARDS
from bot.runtime.tasks import cancelled
from bot.store import StoreDown
from bot.tables import showing
from bot.tables import table as tables
from bot.tables.board_message import BoardMessage, Removal, StaleMessage, newest, with_stale
from bot.tables.deadlines import LONGEST_UNREACHABLE
from bot.tables.showing import New, PendingPost
from bot.tables.snapshot import Snapshot
from bot.tables.table import Phase, Table, TableId
from renderers import Theme

log = logging.getLogger(__name__)

REMINDER_S = 30.0
RENEWALS = 3
"""Renewals of a board's lease before it would expire."""
SOON_S = 0.01
"""Time to end the former message before the new one is recorded early."""
STOP_S = 0.2
"""Pause before a worker that ignores its cancellation is cancelled again."""
FINISH_S = 2.0
"""Grace period at the end of the process: an unrecorded post would be orphaned."""
GIVE_BACK_S = 2.0
NO_REPLY_WINDOW_MS = 24 * 3600 * 1000
"""Retry interval while the place takes posts only in answer to people. Such a try costs nothing."""
KEPT = 5_000


class CleanupPending(TryLater):
    """The board is posted, but some stale messages remain. *is_limited*: because of the platform's rate limit."""

    def __init__(self, remaining: int, is_limited: bool) -> None:
        super().__init__(reason="an old board keeps its buttons")
        self.remaining = remaining
        self.is_limited = is_limited


class Tries:
    """The tries to post the newest board of one table.

    *failed*: of its revision. *gone*: how often in a row the place was said to be gone. *limited*: how often a rate
    limit was reported without a time. *priority*: of the next try.
    """

    def __init__(self) -> None:
        self.failed = 0
        self.gone = 0
        self.limited = 0
        self.priority = Priority.BOARD
        self._revision = 0
        self._remaining = 0

    def begin(self, revision: int) -> None:
        """The tries of a newer board are counted anew."""
        if revision != self._revision:
            self._revision, self.failed = revision, 0

    def fail(self, later: TryLater) -> bool:
        """Count a failed try. Return whether a clean-up made progress under a rate limit: then there will be room."""
        self.failed += not isinstance(later, Limited)
        self.limited += isinstance(later, Limited) and not later.after_s
        if not isinstance(later, CleanupPending):
            self.priority = Priority.BOARD
            return False
        self.priority = Priority.TIDYING
        if not later.is_limited or later.remaining == self._remaining:
            return False
        self._remaining, self.failed = later.remaining, 0
        return True

    def pause_s(self, later: TryLater) -> float:
        """Return the seconds before the next try: the platform's, or growing ones."""
        if isinstance(later, Limited):
            return BOARDS.pause_s(max(0, self.limited - 1), later.after_s or None)
        return BOARDS.pause_s(max(0, self.failed - 1), later.after_s)


class Returned(Struct, frozen=True):
    """How often a board was returned to the store, for one revision of its table."""

    revision: int
    times: int


class Outbox:
    """The queue and its workers: one for each place with a board to post, which ends when none is left."""

    def __init__(
        self,
        chats: Mapping[str, Chat],
        repository: Repository,
        painter: Pictures,
        clock: Clock,
        theme: Theme,
    ) -> None:
        """*theme*: of pictures if the table has none."""
        self._chats = chats
        self._repository = repository
        self._store = repository.store
        self._posting = Posting(chats, painter, clock, theme)
        self._clock = clock
        self._queues: dict[PlaceId, dict[TableId, PendingPost]] = {}
        self._workers: dict[PlaceId, asyncio.Task[None]] = {}
        self._news: dict[PlaceId, asyncio.Event] = {}
        self._syncing: set[asyncio.Task[None]] = set()
        self._ended = False
        self._shown = LRUCache[TableId, BoardMessage](KEPT)  # unrecorded ones are among the newest
        self._returned = LRUCache[TableId, Returned](KEPT)
        self._outcomes = LRUCache[TableId, bool](KEPT)  # of the newest try since a table was queued: is it shown?
        self._reposts = count(1)
        self._advanced = asyncio.Event()  # replaced whenever a worker is done with a table

    def serves(self, place: PlaceId) -> bool:
        """Return whether this process has the platform of *place*."""
        return platform(place) in self._chats

    async def published(self, snapshot: Snapshot) -> None:
        """Post a table that was changed."""
        if self._ended or not self.serves(snapshot.table.place):
            await give_back((self._store.delay_unposted(snapshot.table.id, to_ms(self._clock.now())),))
        else:
            self.show(snapshot)

    def show(self, snapshot: Snapshot, *, again: bool = False, lost: bool = False) -> None:
        """Queue the table. *again*: as a new message at the bottom. *lost*: the platform has lost the former one."""
        table, place = snapshot.table, snapshot.table.place
        if self._ended or not self.serves(place):
            return  # the board stays unposted in the store
        queue = self._queues.setdefault(place, {})
        queued = queue.get(table.id)
        if queued is not None and queued.snapshot.table.revision > table.revision:
            return
        repost = next(self._reposts) if again or lost else 0
        unrecorded, shown = snapshot.unrecorded, self._shown.get(table.id)
        since_s = self._clock.monotonic()
        if queued is not None:  # the newer board stands for both
            again, lost, since_s = again or queued.again, lost or queued.lost, queued.since_s
            repost, unrecorded = repost or queued.repost, queued.snapshot.unrecorded
        if unrecorded is not None and shown is not None and shown.revision >= unrecorded.revision:
            unrecorded = None
        post = PendingPost(replace(snapshot, unrecorded=unrecorded), again, lost, since_s=since_s, repost=repost)
        queue[table.id] = post
        self._outcomes.pop(table.id, None)
        if place in self._workers:
            self._news[place].set()
        else:
            self._news[place] = asyncio.Event()
            self._workers[place] = asyncio.create_task(self._work(place), name=f"post in {place}")

    async def remind(self, table: Table, reminder: Post, nonce: str) -> None:
        """Post a reminder next to the board of a place that this process serves. Raises TryLater; other errors are
        logged."""
        chat = self._chats[platform(table.place)]
        try:
            async with asyncio.timeout(REMINDER_S):
                await chat.wait_for_quota(table.place, Priority.REMINDER)
                with logs.about(table.facts):
                    await chat.post(table.place, reminder, nonce)
        except TryLater:
            raise
        except TimeoutError:
            raise TryLater(reason="no answer") from None
        except Undelivered as no:
            log.warning("reminder refused: place=%s table=%s error=%s", table.place, table.id, no)

    async def fade(self, table: Table, *, this_turn_too: bool = False) -> None:
        """Delete the private replies of former turns, as far as the platform can.

        *this_turn_too*: also those of this turn, as it goes on without its person.
        """
        for reply in await self._store.fading.of(table.id):
            if not tables.is_expired(table, reply.turn) and not this_turn_too:
                continue
            if await self.delete_reply(reply.place, reply.message):
                await self._store.fading.done(table.id, reply)

    async def delete_reply(self, place: PlaceId, message: MessageId) -> bool:
        """Delete a private reply. Return whether that is done, or will never be possible."""
        chat = self._chats.get(platform(place))
        if chat is None:
            return False
        try:
            await chat.remove(place, message, MessagePart.WHOLE)
        except TryLater as later:
            log.info("private reply stays for now: place=%s error=%s", place, later)
            return False
        except Undelivered as no:
            log.info("private reply stays: place=%s error=%s", place, no)
        return True

    @property
    def age_s(self) -> float:
        """Seconds for which the oldest entry has been queued; 0 if the queue is empty."""
        since = [post.since_s for queue in self._queues.values() for post in queue.values()]
        return self._clock.monotonic() - min(since) if since else 0.0

    def is_busy_with(self, table: TableId) -> bool:
        """Return whether this table is queued."""
        return any(table in queue for queue in self._queues.values())

    async def until_shown(self, table: TableId) -> None:
        """Wait until no board of *table* is queued."""
        while self.is_busy_with(table):
            await self._advanced.wait()

    async def until_tried(self, table: TableId) -> bool:
        """Wait until the queued board of *table* is shown, or a try has failed. Return whether it is shown."""
        while self.is_busy_with(table) and table not in self._outcomes:
            await self._advanced.wait()
        return self._outcomes.get(table, False)

    async def idle(self) -> None:
        """Wait until every entry is posted or returned to the store."""
        while self._workers:
            await asyncio.wait(self._workers.values())

    async def stop(self) -> None:
        """End. Posts that are under way are recorded; the other entries return to the store for other processes."""
        self._ended = True
        unposted = [table for queue in self._queues.values() for table in queue]
        for worker in self._workers.values():
            worker.cancel()
        if self._syncing:
            await asyncio.wait(self._syncing, timeout=FINISH_S)
        await cancelled(*self._workers.values(), *self._syncing, again_s=STOP_S)
        await give_back(self._store.delay_unposted(table, to_ms(self._clock.now())) for table in unposted)

    async def _work(self, place: PlaceId) -> None:
        queue = self._queues[place]
        try:
            while queue:
                table_id = next(iter(queue))
                try:
                    await self._post_next(place, table_id, queue)
                except Exception:
                    log.exception("post failed, left to the next worker: place=%s table=%s", place, table_id)
                    queue.pop(table_id, None)
                self._advance()
        finally:
            # No await between the last look at the queue and this line: no table can be queued unseen.
            del self._workers[place], self._queues[place], self._news[place]
            self._advance()

    def _advance(self) -> None:
        """Wake all that wait in `until_shown`."""
        self._advanced.set()
        self._advanced = asyncio.Event()

    async def _post_next(self, place: PlaceId, table_id: TableId, queue: dict[TableId, PendingPost]) -> None:
        """Post the newest board of a table, or return it to the store."""
        tries, taken = Tries(), queue[table_id]
        while True:
            if queue[table_id] is not taken:
                tries.priority = Priority.BOARD
            post = taken = queue[table_id]
            try:
                await self._wait_for_quota(place, table_id, tries.priority)
                if tries.priority is Priority.TIDYING and queue[table_id] is not taken:
                    continue
                post = taken = queue[table_id]  # the newest by now
                tries.begin(post.snapshot.table.revision)
                post = await self._up_to_date(post)
                await self._sync_shielded(post)
                taken = _fulfilled(queue, taken)
                if post.snapshot.table.is_unreachable:
                    await self._repository.regain_place(table_id, place)
            except TryLater as later:
                if isinstance(later, CleanupPending):
                    taken = _fulfilled(queue, taken)
                if tries.fail(later) and len(queue) == 1:
                    continue
                if tries.failed < BOARDS.tries:
                    await self._pause(place, table_id, tries, later)
                    if tries.priority is Priority.TIDYING and len(queue) > 1:  # boards of other tables first
                        queue[table_id] = queue.pop(table_id)
                        return
                    continue
                await self._return(post, later)
            except Moved as moved:
                del queue[table_id]
                await self._repository.move(table_id, moved.place)
                return
            except NoReplyWindow:
                await self._wait_for_people(post)
            except Refused as no:
                tries.gone += isinstance(no, PlaceGone) and not post.snapshot.table.is_unreachable
                if 0 < tries.gone < SURELY_GONE:  # a platform with an outage may say so of existing places
                    self._fail(table_id)
                    await self._clock.sleep(GONE_PAUSE_S)
                    continue
                await self._cut_off(post, no)
            except StoreDown as down:
                log.warning("post not recorded: table=%s error=%s", table_id, down)
            except Exception as flaw:
                log.exception("post failed: %s", post.snapshot.table.facts)
                await self._return(post, flaw)
            if queue[table_id] is taken:
                del queue[table_id]
            return

    async def _wait_for_quota(self, place: PlaceId, table_id: TableId, priority: Priority) -> None:
        """Wait until there is room; for a clean-up, or until a newer board is queued."""
        self._news[place].clear()
        room = asyncio.ensure_future(self._chats[platform(place)].wait_for_quota(place, priority))
        ready: set[asyncio.Future[Any]] = {room}
        if priority is Priority.TIDYING:
            ready.add(asyncio.ensure_future(self._news[place].wait()))
        try:
            renew_s = self._repository.lease_ms / 1000 / RENEWALS
            while not (await asyncio.wait(ready, timeout=renew_s, return_when=asyncio.FIRST_COMPLETED))[0]:
                await self._keep_lease(table_id)
            if room.done():
                room.result()
        finally:
            for future in ready:
                future.cancel()

    async def _keep_lease(self, table_id: TableId) -> None:
        """Renew the lease: no other process posts this board while it is tried here."""
        with suppress(StoreDown):
            await self._store.delay_unposted(table_id, to_ms(self._clock.now()) + self._repository.lease_ms)

    async def _pause(self, place: PlaceId, table_id: TableId, tries: Tries, later: TryLater) -> None:
        """Wait before the next try. A newer board ends the pause, unless the platform's rate limit asks for it.

        A limit for edits does not concern a newer board that is a new message.
        """
        pause_s = tries.pause_s(later)
        self._fail(table_id)
        log.info("post failed, retrying in %.1f s: place=%s error=%s", pause_s, place, later)
        await self._keep_lease(table_id)
        self._news[place].clear()
        rest = asyncio.ensure_future(self._clock.sleep(pause_s))
        news = asyncio.ensure_future(self._news_to_try(place, table_id, later))
        try:
            await asyncio.wait((rest, news), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for future in (rest, news):
                future.cancel()

    async def _news_to_try(self, place: PlaceId, table_id: TableId, later: TryLater) -> None:
        """Wait for a newer board that can be tried now, after *later*."""
        if isinstance(later, Limited) or later.after_s is not None:
            while not (isinstance(later, EditLimited) and self._is_new_message(self._queues[place][table_id])):
                await self._news[place].wait()
                self._news[place].clear()
        else:
            await self._news[place].wait()

    def _is_new_message(self, post: PendingPost) -> bool:
        """Return whether the board of *post* is a new message, not an edit."""
        return isinstance(showing.planned(post, self._former(post.snapshot)), New)

    def _former(self, snapshot: Snapshot) -> BoardMessage | None:
        """Return the message that shows the table so far."""
        return newest((snapshot.board_message, self._shown.get(snapshot.table.id)), snapshot.table)

    async def _return(self, post: PendingPost, error: Exception) -> None:
        """Return a board to the store, which any process claims after a pause."""
        table = post.snapshot.table
        self._fail(table.id)
        before = self._returned.get(table.id)
        times = before.times if before is not None and before.revision == table.revision else 0
        self._returned[table.id] = Returned(table.revision, times + 1)
        pauses = LOST_BOARDS if isinstance(error, PlaceGone) else WAITING_BOARDS
        pause_s = pauses.pause_s(times)
        log.warning("post failed, retrying in %.0f s: place=%s %s error=%s", pause_s, table.place, table.facts, error)
        await self._store.delay_unposted(table.id, to_ms(self._clock.now()) + round(pause_s * 1000))

    def _fail(self, table: TableId) -> None:
        """Note a failed try, unless the board is shown and only the clean-up failed."""
        self._outcomes.setdefault(table, False)
        self._advance()

    async def _wait_for_people(self, post: PendingPost) -> None:
        """Leave a board until people do something in its place. The board of a table that is over is dropped."""
        table = post.snapshot.table
        self._fail(table.id)
        if table.phase == Phase.OVER:
            await self._store.done_unposted(table.id, table.revision)
        else:
            await self._store.delay_unposted(table.id, to_ms(self._clock.now()) + NO_REPLY_WINDOW_MS)

    async def _cut_off(self, post: PendingPost, no: Refused) -> None:
        """Return a board whose place refuses posts: its table waits for the place.

        A table that is over waits for `LONGEST_UNREACHABLE`.
        """
        table = post.snapshot.table
        if table.phase == Phase.OVER or table.is_resting:
            if self._clock.now() - from_ms(table.waits_since_ms) >= LONGEST_UNREACHABLE:
                log.warning("post refused, given up: place=%s %s error=%s", table.place, table.facts, no)
                await self._store.done_unposted(table.id, table.revision)
                return
        else:
            await self._repository.lose_place(table.id, table.place, no.obstacle)
            await self.fade(table)  # no board will end the private replies of former turns
        await self._return(post, no)

    async def _up_to_date(self, post: PendingPost) -> PendingPost:
        """Return *post*, or the newest save if this process has shown a newer save or one that the store has lost."""
        table, shown = post.snapshot.table, self._shown.get(post.snapshot.table.id)
        if shown is None or shown.shows(table) or shown.revision < table.revision:
            return post
        now = await self._repository.find(table.id)
        return post if now is None else replace(post, snapshot=replace(now, unrecorded=post.snapshot.unrecorded))

    async def _sync_shielded(self, post: PendingPost) -> None:
        """`_sync`, shielded from cancellation of the worker. An unexplained refusal raises TryLater."""
        table = post.snapshot.table
        with logs.about(table.facts):
            syncing = asyncio.create_task(self._sync(post), name=f"sync {table.id}")
        self._syncing.add(syncing)
        syncing.add_done_callback(self._at_end)
        try:
            await asyncio.shield(syncing)
        except Unexplained as no:
            raise TryLater(reason=str(no)) from no

    def _at_end(self, syncing: asyncio.Task[None]) -> None:
        self._syncing.discard(syncing)
        if not syncing.cancelled():
            syncing.exception()  # its worker has seen it; after the worker's end the board returns to the store

    async def _sync(self, post: PendingPost) -> None:
        """Post the board, end the former message and record the outcome. Raises Undelivered, StoreDown."""
        snapshot = post.snapshot
        table = snapshot.table
        former = self._former(snapshot)
        posted, early = await self._posting.sync(post, former), None
        if posted.hidden is not None:  # recorded first: no crash may lose a message with content that may not stay
            blank = replace(posted.message, revision=table.revision - 1)
            early, _ = await self._record(table, blank, former, save="")
            posted = await self._posting.reveal(table, posted)
        message, other = await self._end_former(table, posted, former)
        message, is_limited = await self._posting.clean_up(table, message)
        self._remember(table, message)  # before the record, which may fail: the board must not be posted twice
        recorded, has_fading = await self._record(table, message, former, save=snapshot.save)
        other = recorded or other or early
        if other is not None:  # another process has posted it too: one of the two messages loses its buttons
            message = _merged(message, other)
            message, is_limited = await self._posting.clean_up(table, message)
            self._remember(table, message)
            await self._record(table, message, other, save=snapshot.save)
        if has_fading and message.first_revision == table.revision:  # a turn is over, and its private replies with it
            await self.fade(table)
        if message.stale:
            raise CleanupPending(len(message.stale), is_limited)

    async def _end_former(
        self, table: Table, posted: Posted, former: BoardMessage | None
    ) -> tuple[BoardMessage, BoardMessage | None]:
        """End the former message. Return the new one, and the message of another process if the store has one.

        If it takes long, the new message is recorded early: a crash meanwhile does not orphan it.
        """
        if posted.former is None:
            return posted.message, None
        other, ending = None, asyncio.ensure_future(self._posting.end_former(table, posted))
        try:
            done, _ = await asyncio.wait((ending,), timeout=SOON_S)
            if not done:
                with suppress(StoreDown):
                    other, _ = await self._record(table, posted.unended, former, save="")
            return await ending, other
        finally:
            ending.cancel()

    async def _record(
        self, table: Table, message: BoardMessage, former: BoardMessage | None, *, save: str
    ) -> tuple[BoardMessage | None, bool]:
        """Record *message*, as posted if it has no stale messages. Return the same as `Store.record_post`."""
        save = "" if message.stale else save
        return await self._store.record_post(
            table.id, message, save=save, former=None if former is None else former.message
        )

    def _remember(self, table: Table, message: BoardMessage) -> None:
        self._outcomes[table.id] = True
        self._advance()
        if table.phase == Phase.OVER:
            self._shown.pop(table.id, None)
        else:
            self._shown[table.id] = message


def _fulfilled(queue: dict[TableId, PendingPost], taken: PendingPost) -> PendingPost:
    """Clear the repost request that *taken* has fulfilled. Return the entry that now stands for *taken*.

    A newer board inherited the request, so it is cleared there too, unless the newer one was requested by itself.
    """
    table_id = taken.snapshot.table.id
    queued = queue[table_id]
    if queued.repost != taken.repost:
        return taken
    queue[table_id] = replace(queued, again=False, lost=False)
    return queue[table_id] if queued is taken else taken


def _merged(ours: BoardMessage, theirs: BoardMessage) -> BoardMessage:
    """Return the message that stays of two for the same table, with the other among its stale messages."""
    if theirs.revision >= ours.revision:  # the message that was recorded first stays
        return with_stale(theirs, *ours.stale, _stale(ours))
    return with_stale(ours, _stale(theirs))


def _stale(message: BoardMessage) -> StaleMessage:
    ending = Removal.DELETE if message.fades else Removal.STRIP
    return StaleMessage(message.message, ending, message.relocations)


async def give_back(leases: Iterable[Awaitable[None]]) -> None:
    """Release *leases* at the end of the process if the store answers soon; others expire."""
    try:
        async with asyncio.timeout(GIVE_BACK_S):
            await asyncio.gather(*leases)
    except (StoreDown, TimeoutError) as down:
        log.warning("could not release leases: %r", down)
