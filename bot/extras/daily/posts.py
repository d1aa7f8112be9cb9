"""The puzzle of the day as a post in places whose managers wish it, once a day.

A place is due at its hour, spread over some minutes. The note that its post begins is stored before the post: if the
outcome stays unknown on a platform without nonces, the place has none that day rather than two. The number of answers
under the post is edited in seldom.
"""

import asyncio
import logging
import math
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import blake2b

from msgspec.structs import replace

from bot.chat import (
    Button,
    Limited,
    Moved,
    Person,
    PersonId,
    PicturesRefused,
    PlaceId,
    Post,
    Priority,
    Refused,
    Reply,
    ThreadAccess,
    TryLater,
    Undelivered,
    platform,
)
from bot.delivery.outbox import give_back
from bot.delivery.painting import Pictures
from bot.extras.daily import replies
from bot.replies import boards
from bot.replies.words import say, short
from bot.repository.daily import DailyRecords, DailyWishes
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.requests import DailyThread
from bot.runtime.clock import Clock, to_ms
from bot.runtime.metrics import Counted
from bot.runtime.retry import ELSEWHERE_S, OUTAGE_PAUSE_S
from bot.runtime.tasks import begin_gently, cancelled
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.service.places import move_place
from bot.store import GameMissing, StoreDown
from bot.store.daily import DailyDue, DailyWork
from bot.store.store import Store
from bot.tables.daily import LATE, DailyPost, day_of, month_before, newest_time, number_of
from bot.tables.preferences import DAILY, DAILY_CALLS, DAILY_LANG, DAILY_NAME, LANG, chosen
from bot.tables.table import Denied
from renderers import Look, SeatLook, Theme
from rules.puzzles import puzzle

log = logging.getLogger(__name__)

EVERY_S = 5.0
AT_ONCE = 100  # places that are claimed together
MOST = 300  # tasks; above it, because platforms limit posts, no more places are claimed
BUSY = timedelta(minutes=10)  # until a place with a running game is looked at again
FINISH_S = 2.0  # for posts that are under way when the process stops
THREAD_MS = 60_000  # TTL of a claim to open a thread
EDIT = timedelta(minutes=3)  # between an answer and the new count under the post


class DailyPosts(Feature):
    """Posts the puzzles. *theme*: of pictures if the place chose none."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        records: DailyRecords,
        wishes: DailyWishes,
        preferences: Preferences,
        chats: Mapping[str, Counted],
        painter: Pictures,
        clock: Clock,
        theme: Theme,
    ) -> None:
        self._store = store
        self._places = store.daily_places
        self._repository = repository
        self._records = records
        self._wishes = wishes
        self._preferences = preferences
        self._chats = chats
        self._painter = painter
        self._clock = clock
        self._theme = theme
        self._looked_s = -math.inf
        self._asked_s: dict[str, float] = {}  # when a platform out of reach was asked
        self._looking: asyncio.Task[None] | None = None
        self._at_it: set[asyncio.Task[None]] = set()
        self._claimed: set[DailyDue] = set()  # given back if the process stops
        self._posting: set[asyncio.Task[None]] = set()  # to the end, even if the process stops

    async def due(self) -> None:
        if self._looking is None and self._clock.monotonic() - self._looked_s >= EVERY_S:
            self._looked_s = self._clock.monotonic()
            self._looking = asyncio.create_task(self._look(), name="look for puzzles to post")

    async def idle(self) -> None:
        while self._looking is not None or self._at_it:
            await asyncio.wait((*self._at_it, *(() if self._looking is None else (self._looking,))))

    async def stop(self) -> None:
        await cancelled(*self._at_it, *(() if self._looking is None else (self._looking,)))
        now_ms = self._repository.now_ms()
        await give_back(self._places.done(due, now_ms) for due in self._claimed)
        if self._posting:
            await asyncio.wait(self._posting, timeout=FINISH_S)
            await cancelled(*self._posting)

    @answers(DailyThread)
    async def move_to_thread(self, context: Context, _: DailyThread) -> Reply:
        """Open a thread, to which the puzzles come from now on. Denied: managers_set, stale, daily_thread.<reason>.

        The claim comes first: two presses open one thread.
        """
        update, lang, place = context.update, context.lang, context.update.place.id
        if not update.may_manage:
            raise Denied("managers_set")
        if platform(place) not in self._chats or not await self._places.claim_thread(place, THREAD_MS):
            raise Denied("stale")
        try:
            settings = await self._store.place_settings(place)
            hour = chosen(DAILY, settings)
            if hour == DAILY.choices[0]:
                raise Denied("stale")
            if update.thread_access is not ThreadAccess.ALLOWED:
                raise Denied("daily_thread")
            thread = await self._chats[platform(place)].open_thread(place, say("daily.thread", _lang(settings)))
            await self._wishes.move(place, thread.place, hour, _lang(settings))
        except Undelivered as no:
            log.info("thread for puzzles not opened: place=%s error=%s", place, no)
            raise Denied("daily_thread" if isinstance(no, Refused) else "no_thread.later") from None
        finally:
            with suppress(StoreDown):  # the claim expires
                await self._places.release_thread(place)
        way = Button(say("button.to_thread", lang), link=thread.link)
        return Reply(text=say("daily.thread.opened", lang), rows=((way,),) if thread.link else ())

    async def _look(self) -> None:
        """Begin all due work."""
        try:
            while len(self._at_it) <= MOST:
                now_ms = self._repository.now_ms()
                claimed = await self._places.claim(now_ms, self._repository.lease_ms, AT_ONCE)
                self._claimed.update(claimed)
                works = (asyncio.create_task(self._do(due), name=f"daily {due.member}") for due in claimed)
                await begin_gently(works, self._at_it)
                if len(claimed) < AT_ONCE:
                    break
        except StoreDown as down:
            log.warning("puzzles of the day wait for the store: error=%s", down)
        finally:
            self._looking = None

    async def _do(self, due: DailyDue) -> None:
        try:
            if due.work is DailyWork.EDIT:
                await self._edit(due)
            else:
                later = await self._post(due)
                await self._places.done(due, None if later is None else to_ms(later))
        except StoreDown as down:  # claimed again when the lease expires
            log.warning("puzzle of the day waits for the store: place=%s error=%s", due.place, down)
        except Exception:
            log.exception("puzzle of the day failed: place=%s work=%s", due.place, due.work)
        self._claimed.discard(due)  # a cancelled task keeps it, for `stop`

    async def _post(self, due: DailyDue) -> datetime | None:
        """Post the puzzle of the day, unless that is too late. Return when to look again; None: the place wishes none
        any more."""
        place = due.place
        settings, now = await self._store.place_settings(place), self._clock.now()
        hour = chosen(DAILY, settings)
        if hour == DAILY.choices[0]:
            return None
        time = newest_time(place, int(hour), now)
        tomorrow, number = time + timedelta(days=1), number_of(time.date())
        if await self._is_done(place, number, settings):
            return tomorrow
        if now - time > LATE or number != self._records.today:
            await self._records.excuse(place, number)
            return tomorrow
        chat = self._chats.get(platform(place))
        if chat is None:
            return now + timedelta(seconds=ELSEWHERE_S)
        if not chat.is_reached and not await self._is_back(chat, place):
            return now + timedelta(seconds=OUTAGE_PAUSE_S)
        if not settings.get(DAILY_CALLS) and await self._is_taken(place):
            return now + BUSY
        post = await self._content(place, number, settings)
        try:
            await chat.wait_for_quota(place, Priority.REMINDER)
            self._claimed.discard(due)  # no other process gets it before the outcome is known
            posting = asyncio.create_task(self._publish(chat, place, number, post, settings), name=f"post in {place}")
            self._posting.add(posting)
            posting.add_done_callback(self._posting.discard)
            await asyncio.shield(posting)
        except Limited as later:
            return self._clock.now() + timedelta(seconds=max(later.after_s or 0, OUTAGE_PAUSE_S))
        except Moved as moved:
            await move_place(place, moved.place, self._store, self._repository, self._preferences)
            return None
        except TryLater as unknown:
            log.warning("puzzle of the day may be missing: place=%s error=%s", place, unknown)
            if chat.capabilities(place).dedupes_posts:
                return self._clock.now() + timedelta(seconds=OUTAGE_PAUSE_S)
        except Undelivered as no:
            log.info("puzzle of the day refused: place=%s error=%s", place, no)
        if not await self._is_done(place, number, settings):
            await self._records.excuse(place, number)
        return tomorrow

    async def _is_back(self, chat: Counted, place: PlaceId) -> bool:
        """Return whether a platform that was out of reach answers again.

        Only a call can tell, and a post that gets lost may not be repeated. So the bot shows that it is typing, in one
        place for all.
        """
        now_s = self._clock.monotonic()
        if now_s - self._asked_s.get(chat.name, -math.inf) < OUTAGE_PAUSE_S:
            return False
        self._asked_s[chat.name] = now_s
        with suppress(Undelivered):
            await chat.show_typing(place)
        return chat.is_reached

    async def _is_done(self, place: PlaceId, number: int, settings: Mapping[str, str]) -> bool:
        """Return whether puzzle *number* is posted in *place*, or answered by the person whom the post would call."""
        posted = await self._places.post(place, number)
        if posted is not None and posted.message:
            return True
        calls = settings.get(DAILY_CALLS, "")
        return bool(calls) and number in await self._store.daily.of(PersonId(calls))

    async def _publish(
        self, chat: Counted, place: PlaceId, number: int, post: Post, settings: Mapping[str, str]
    ) -> None:
        """Post *post* unless the place has one for this day. Raises Undelivered.

        Only the call that made the note takes it back: an earlier call may have posted.
        """
        now_ms = self._repository.now_ms()
        begun = await self._places.begin_post(place, number, now_ms)
        if begun is not None and not self._may_repeat(chat, place, begun):
            return
        nonce = f"day{number}{blake2b(place.encode(), digest_size=8).hexdigest()}"
        try:
            try:
                message = await chat.post(place, post, nonce)
            except PicturesRefused:
                message = await chat.post(place, boards.in_words(post, _lang(settings), first=False), nonce)
        except (Limited, Moved):
            if begun is None:
                await self._places.withdraw_post(place, number)
            raise
        await self._places.record_post(place, number, replace(begun or DailyPost(now_ms), message=message))

    def _may_repeat(self, chat: Counted, place: PlaceId, begun: DailyPost) -> bool:
        """Return whether a post whose outcome is unknown can be made again: the platform knows its nonce still."""
        age_ms = self._repository.now_ms() - begun.begun_ms
        is_known = age_ms <= 2 * self._repository.lease_ms
        return not begun.message and is_known and chat.capabilities(place).dedupes_posts

    async def _is_taken(self, place: PlaceId) -> bool:
        """Return whether a game or its lobby is open in *place*: a post would push its board away."""
        try:
            return await self._repository.on(place) is not None
        except GameMissing:
            return True

    async def _edit(self, due: DailyDue) -> None:
        """Show the number of answers under the post of the day."""
        place = due.place
        chat, number = self._chats.get(platform(place)), self._records.today
        if chat is None:
            await self._places.done(due, to_ms(self._clock.now() + timedelta(seconds=ELSEWHERE_S)))
            return
        await self._places.done(due, None)  # an answer from now on asks for another edit
        posted = await self._places.post(place, number)
        if posted is None or not posted.message:
            return
        post = await self._content(place, number, await self._store.place_settings(place))
        where = posted.elsewhere or place
        try:
            await chat.wait_for_quota(where, Priority.TIDYING)
            await chat.edit(where, posted.message, post)
        except TryLater:
            await self._places.schedule(due, to_ms(self._clock.now() + EDIT))
        except Undelivered as no:
            log.info("count of answers not shown: place=%s error=%s", place, no)

    async def _content(self, place: PlaceId, number: int, settings: Mapping[str, str]) -> Post:
        """Return the post of puzzle *number*: its board, or on the first day of a month the table of the last one."""
        lang, one = _lang(settings), puzzle(number)
        theme = Theme(await self._preferences.theme_here(place, self._theme))
        answered = len(await self._records.in_place(place, (number,)))
        had = await self._places.post(place, number - 1)
        before = await self._records.solved(place, number - 1)
        await asyncio.to_thread(replies.solution_line, number - 1, lang)  # cached for the post
        month = {}
        if day_of(number).day == 1:
            month = await self._records.in_place(place, month_before(number))
        chart = replies.month(number, tuple(month.values()), lang)
        if chart is not None:
            picture = await self._painter.shared_chart(chart, Look((), theme=theme, lang=lang))
        else:
            names = (say("somebody" if seat == one.seat else "house", lang) for seat in range(one.start.seats))
            look = Look(tuple(map(SeatLook, names)), one.seat, theme, lang)
            picture = await self._painter.board(one.start, look)
        calls = settings.get(DAILY_CALLS, "")
        person = Person(PersonId(calls), short(settings.get(DAILY_NAME, "")), lang) if calls else None
        return replies.post(number, one, picture, before if had or before.answered else None, answered, lang, person)


def _lang(settings: Mapping[str, str]) -> str:
    """Return the language of the posts in a place."""
    lang = chosen(LANG, settings)
    return settings.get(DAILY_LANG, LANG.choices[1]) if lang == LANG.choices[0] else lang
