"""Posting: in order per place, the newest board wins, and trouble in one place delays that place alone.

A table is shown by one message at a time. What it is about is its *page* (`bot.table.page`): on the same page the
message is edited, a new page is a new message, and the former one loses its buttons. While a game forgets, it goes.
What was saved but never posted stands in the store and is posted by whoever comes next.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from bot import deadlines, logbook, menus
from bot import table as tables
from bot.chat import (
    Chat,
    Gone,
    MessageId,
    Moved,
    PlaceGone,
    PlaceId,
    Refused,
    Reply,
    TryLater,
    Undelivered,
    platform,
)
from bot.clock import Clock
from bot.painting import Painter
from bot.refusals import Refusals
from bot.replies import boards, choices, words
from bot.store import StoreDown
from bot.store.store import Store
from bot.table import Entry, Phase, Posted, Table, TableId
from renderers import Look, Theme
from rules import GAMES, State

log = logging.getLogger(__name__)

TRIES = 12
LONGEST_WAIT_S = 120.0
REMINDER_S = 30.0
SURELY_GONE = 3  # times in a row that a place is said to be gone
GONE_PAUSE_S = 60.0


class Shown(Struct, frozen=True):
    """A table as it is to be shown. *entries*: the newest of its log, the last ones at the end.

    *again*: a new message is wanted at the bottom of the place, whatever stands there.
    """

    table: Table
    state: State | None
    posted: Posted | None
    entries: tuple[Entry, ...]
    again: bool = False


class Delivery:
    """One worker per place that has something to post; it ends when there is nothing left."""

    def __init__(
        self,
        chats: Mapping[str, Chat],
        store: Store,
        painter: Painter,
        clock: Clock,
        theme: Theme,
        moved: Callable[[TableId, PlaceId], Awaitable[None]],
        lost: Callable[[PlaceId], Awaitable[None]],
        began: Callable[[Table], Awaitable[State]],
    ) -> None:
        """*moved* is told when a place has another id now, *lost* when it is not there any more. *began* gives the
        position in which the turn that goes on at a table began."""
        self._chats = chats
        self._moved = moved
        self._lost = lost
        self._began = began
        self._refusals = Refusals()
        self._store = store
        self._painter = painter
        self._clock = clock
        self._theme = theme
        self._waiting: dict[PlaceId, dict[TableId, Shown]] = {}
        self._workers: dict[PlaceId, asyncio.Task[None]] = {}
        self._posted: dict[TableId, Posted] = {}

    def show(self, shown: Shown) -> None:
        """Post *shown* soon, unless something newer of that table comes first."""
        place = shown.table.place
        if platform(place) not in self._chats:
            return  # a platform that is off now; the board waits in the store
        waiting = self._waiting.setdefault(place, {})
        known = waiting.get(shown.table.id)
        if known is not None and known.table.revision > shown.table.revision:
            return
        waiting[shown.table.id] = replace(shown, again=shown.again or (known is not None and known.again))
        if place not in self._workers:
            self._workers[place] = asyncio.create_task(self._work(place), name=f"post in {place}")

    async def remind(self, table: Table, reply: Reply, nonce: str) -> None:
        """Post a reminder beside the board. Raises TryLater; other trouble is told to the log."""
        chat = self._chats.get(platform(table.place))
        if chat is None:
            return
        try:
            async with asyncio.timeout(REMINDER_S):
                await chat.post(table.place, reply, nonce)
        except TryLater:
            raise
        except TimeoutError:
            raise TryLater(reason="no answer") from None
        except Undelivered as no:
            log.warning("%s takes no reminder for table %s: %s", table.place, table.id, no)

    async def fade(self, table: Table) -> None:
        """Delete the private replies whose time is over, as far as the platform can."""
        chat = self._chats.get(platform(table.place))
        for each in await self._store.fading(table.id):
            if chat is None or (each.turn == table.turn and table.phase == Phase.RUNNING):
                continue
            try:
                await chat.delete(each.place, each.message)
            except TryLater as later:
                log.info("%s: a private reply stays for now: %s", each.place, later)
                continue
            except Undelivered as no:
                log.info("%s: a private reply stays: %s", each.place, no)
            await self._store.done_fading(table.id, each)

    def is_busy_with(self, table: TableId) -> bool:
        """Whether this table waits here to be posted."""
        return any(table in waiting for waiting in self._waiting.values())

    async def idle(self) -> None:
        """Wait until everything is posted or given up."""
        while self._workers:
            await asyncio.wait(self._workers.values())

    async def stop(self) -> None:
        """End at once; what is not posted waits in the store."""
        for worker in self._workers.values():
            worker.cancel()
        await asyncio.gather(*self._workers.values(), return_exceptions=True)

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
            del self._workers[place], self._waiting[place]

    async def _post_next(self, place: PlaceId, table_id: TableId, waiting: dict[TableId, Shown]) -> None:
        gone = 0
        for tried in range(TRIES):
            shown = waiting[table_id]  # the newest by now
            try:
                posted = await self._post(shown)
                self._remember(shown.table, posted)  # first, as noting it may fail: it is not to be posted twice
                await self._store.posted(table_id, posted)
                self._refusals.took(place)
                if posted.began == shown.table.revision and (posted.fades or shown.table.phase == Phase.OVER):
                    await self.fade(shown.table)
            except TryLater as later:
                pause = later.after_s if later.after_s is not None else float(2**tried)
                log.info("%s: try again in %.1f s: %s", place, pause, later)
                await self._clock.sleep(min(pause, LONGEST_WAIT_S))
                continue
            except Moved as away:
                del waiting[table_id]
                await self._moved(table_id, away.place)
                return
            except Refused as no:
                gone += isinstance(no, PlaceGone)
                if 0 < gone < SURELY_GONE:  # a platform in trouble may say so of places that are there
                    await self._clock.sleep(GONE_PAUSE_S)
                    continue
                log.warning("%s does not take table %s: %s", place, table_id, no)
                await self._store.done_unposted(table_id, shown.table.revision)
                if self._refusals.are_enough(place, no, self._clock.now()):
                    await self._lost(place)
            except StoreDown as down:
                log.warning("table %s is posted but not noted: %s", table_id, down)
            except Exception:
                log.exception("cannot show table %s at revision %d", table_id, shown.table.revision)
                await self._store.done_unposted(table_id, shown.table.revision)
            if waiting[table_id] is shown:
                del waiting[table_id]
            return
        log.warning("%s: table %s given up after %d tries; /board shows it", place, table_id, TRIES)
        await self._store.done_unposted(table_id, waiting.pop(table_id).table.revision)

    def _remember(self, table: Table, posted: Posted) -> None:
        if table.phase == Phase.OVER:
            self._posted.pop(table.id, None)
        else:
            self._posted[table.id] = posted

    def _former(self, shown: Shown) -> Posted | None:
        """The message that shows the table now: the newer of what the store and this process know."""
        known = [each for each in (shown.posted, self._posted.get(shown.table.id)) if each is not None and each.message]
        return max(known, key=lambda each: each.revision, default=None)

    async def _post(self, shown: Shown) -> Posted:
        table, chat = shown.table, self._chats[platform(shown.table.place)]
        former = self._former(shown)
        page, forgets = tables.page(table), tables.forgets(table, shown.state)
        same = former is not None and former.page == page
        if former is not None and former.moves == table.moves and not shown.again:
            if former.revision >= table.revision:
                return former
            if same:
                if _waits(shown, former.revision) and not former.asks:  # what such a step leaves unanswered goes
                    return replace(former, revision=table.revision)
                shown = await self._for_all(shown)
                try:
                    await chat.edit(table.place, former.message, await self._reply(shown, former.since))
                except Gone:
                    pass
                else:
                    return replace(former, revision=table.revision, asks=table.ask is not None)
        since, began = 0, _tells_until(shown)
        if former is not None:  # shown again, it tells the same news
            since, began = (former.since, former.began) if same else (former.began, began)
        told = former is not None and former.told
        shown = await self._for_all(shown)
        heard = former.revision if former is not None and not same else 0
        reply = await self._reply(shown, since, calls=not (shown.again and same), heard=heard)  # one call a turn
        covers = former is not None and former.fades and forgets
        if former is not None and covers and not await self._cover(chat, table, former) and not told:
            told = await self._tell(chat, table)
        message = await self._put(chat, table, reply, _nonce(shown, former), fades=forgets)
        if former is not None and not covers:
            # What was promised at the start has to stay, also where the first board does not.
            stays = boards.begun(table, table.lang) if forgets and former.page == Phase.LOBBY else None
            await self._take_away(chat, table, former, delete=shown.again and same, stays=stays)
        asks = table.ask is not None
        return Posted(message, table.revision, page, since, began, table.moves, fades=forgets, told=told, asks=asks)

    async def _for_all(self, shown: Shown) -> Shown:
        """*shown* as everybody may see it: a turn that is seen as a whole has not begun before it is complete."""
        if not logbook.is_begun(shown.table, shown.entries):
            return shown
        return replace(shown, state=await self._began(shown.table))

    async def _put(self, chat: Chat, table: Table, reply: Reply, nonce: str, *, fades: bool) -> MessageId:
        """Post a board. One that may not stay is put in afterwards, where a post can be lost on its way and come again:
        what is lost then shows nothing."""
        if chat.knows_nonces or not fades:
            return await chat.post(table.place, reply, nonce)
        picture = (await self._covered(table)).picture
        message = await chat.post(table.place, replace(reply, picture=picture, rows=(), offers=()), nonce)
        try:
            await chat.edit(table.place, message, reply)
        except (Gone, Refused):  # it was deleted at once, or nothing can be changed here
            return await chat.post(table.place, reply, f"{nonce}p")
        return message

    async def _take_away(
        self, chat: Chat, table: Table, former: Posted, *, delete: bool, stays: Reply | None = None
    ) -> None:
        """Take a former board's buttons, or all of it, or all but what *stays*. Its loss must not keep the new board
        from being noted."""
        if former.moves == table.moves:
            try:
                if stays is not None:
                    await chat.edit(table.place, former.message, stays)
                else:
                    await (chat.delete if delete else chat.strip)(table.place, former.message)
            except (Gone, Refused, TryLater, Moved) as no:
                log.info("%s: an old board keeps its buttons: %s", table.place, no)

    async def _cover(self, chat: Chat, table: Table, former: Posted) -> bool:
        """Let nobody look back at the former board of a game that forgets: delete it, or else show the board as it is
        before anything has happened. False where neither can be. Raises TryLater, Moved: no new board until then."""
        if former.moves != table.moves:
            return False
        try:
            await chat.delete(table.place, former.message)
        except Gone:
            pass
        except Refused as no:
            log.info("%s: an old board cannot be deleted: %s", table.place, no)
            try:
                await chat.edit(table.place, former.message, await self._covered(table))
            except (Gone, Refused) as neither:
                log.warning("%s: an old board of table %s stays visible: %s", table.place, table.id, neither)
                return False
        return True

    async def _covered(self, table: Table) -> Reply:
        """What stands in place of a former board: how such a game begins. It tells nothing of this one."""
        start = GAMES[table.game].start(len(table.seats), table.options, seed=0)
        picture = await self._painter.picture(start.view(None), self._look(table))
        return boards.covered(table, picture, table.lang)

    async def _tell(self, chat: Chat, table: Table) -> bool:
        """Say that old boards stay visible; False where even that cannot be said now."""
        try:
            await chat.post(table.place, boards.uncovered(table.lang), nonce=f"{table.id}-stays")
        except Undelivered as no:
            log.info("%s: what old boards do cannot be told: %s", table.place, no)
            return False
        return True

    def _look(self, table: Table) -> Look:
        """How everybody sees the pictures of *table*."""
        return words.look(table, None, Theme(table.theme or self._theme), table.lang)

    async def _reply(self, shown: Shown, since: int, calls: bool = True, heard: int = 0) -> Reply:
        """The post. *heard*: up to this revision the former one has told what people did beside the game."""
        table, lang = shown.table, shown.table.lang
        if shown.state is None:
            return choices.closed_lobby(table, lang) if table.phase == Phase.OVER else choices.lobby(table, lang)
        view = shown.state.view(None)
        picture = await self._painter.picture(view, self._look(table))
        fresh = (each for each in shown.entries if each.revision > since)
        # What was taken back goes with what took it back; anything else beside the game is told once.
        news = logbook.told(table, (each for each in fresh if not each.event or each.back or each.revision > heard))
        if view.actor is None:
            return boards.board(table, view, news, picture, lang)
        # Nobody is called for what the table will do by itself.
        needed = calls and (view.forced is None or logbook.is_mid_turn(table, shown.entries))
        ping = needed and deadlines.may_ping(table, table.seats[view.actor], self._clock.now())
        public = not tables.hides(shown.state, view.actor)
        offers = menus.offers(table, view, shown.entries, lang) if public else ()
        return boards.board(table, view, news, picture, lang, ping, offers)


def _waits(shown: Shown, since: int) -> bool:
    """Whether all that happened after the revision *since* are steps of a turn that the others see as a whole."""
    table = shown.table
    fresh = [entry for entry in shown.entries if entry.revision > since]
    if not fresh or fresh[-1].revision != table.revision or table.phase != Phase.RUNNING:
        return False
    steps = all((entry.action or entry.back) and entry.turn == table.turn for entry in fresh)
    return steps and not GAMES[table.game].shows_steps


def _tells_until(shown: Shown) -> int:
    """The revision up to which a post of *shown* tells everything: not beyond the turn that goes on unseen."""
    table = shown.table
    if not logbook.is_begun(table, shown.entries):
        return table.revision
    return next(entry.revision for entry in shown.entries if entry.action and entry.turn == table.turn) - 1


def _nonce(shown: Shown, former: Posted | None) -> str:
    """The same for the same board, so that a platform can tell a repetition; another one whenever it is shown again."""
    nonce = f"{shown.table.id}-{shown.table.revision}"
    if shown.again and former is not None:
        return f"{nonce}b{blake2b(former.message.encode(), digest_size=3).hexdigest()}"
    return nonce
