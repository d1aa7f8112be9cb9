"""Reviews: made in the background on request, stored beside the table, posted once.

    request ── it is stored ────────────────────────────┐
      │                                                 ▼
      └── the house reviews each turn ───── stored ──── claimed ── posted ── recorded
              (turns at tables go first)           (one process at a time)

If the process dies before the review is stored, the next request begins anew. If it dies while it posts, the claim
expires. Names come from the table as it is at the time of the post.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from secrets import token_hex
from typing import TypeVar

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from bot.chat import Chat, MessageId, MessagePart, PicturesRefused, Reply, Undelivered, platform
from bot.delivery.painting import Pictures
from bot.extras import progress
from bot.extras.reviews import replies as reviews
from bot.extras.reviews.replies import Reviewed
from bot.extras.reviews.review import (
    POINTS,
    WORTH_TELLING,
    Chances,
    Review,
    ReviewPost,
    TurningPoint,
    in_per_cent,
    swing,
    swing_for,
    turning_points,
)
from bot.house import reviewing
from bot.house.reviewing import Played
from bot.house.workers import Thinker, Urgency
from bot.replies import boards, words
from bot.repository.repository import Listener, Repository
from bot.runtime.clock import Clock
from bot.runtime.retry import AWAITED_POSTS
from bot.runtime.tasks import cancelled
from bot.store import StoreDown
from bot.tables import logbook, origins
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Entry, Phase, Step, Table, TableId, Turned
from renderers import Look, Theme
from rules.chance import Chance

T = TypeVar("T")
log = logging.getLogger(__name__)

CHANCES_S = 36.0
"""CPU seconds for the chances in all positions; at most POSITION_S for each."""
POSITION_S = 0.5
POINT_S = 3.0
SECOND_THOUGHTS = 2
"""Maximum number of decisions of a turn, the costliest ones, for which a better choice is sought."""
CLAIM_MS = 60_000
MOST_ASKED = 8  # reviews that may be requested at once; one position is reviewed at a time
KEPT = 64
REVIEW, POST = "review", "review post"  # names of the attachments of the table


class ReviewUnderWay:
    """A review in the making, with its progress."""

    task: asyncio.Task[Review]

    def __init__(self) -> None:
        self.done, self.all = 0, 1

    @property
    def percent(self) -> int:
        return min(99, 100 * self.done // self.all)


class Reviews:
    """Makes, stores and posts reviews. *theme*: of pictures if the table chose none. *show*: posts or edits a board.
    *reviewed*: called with the turning points of each review that was made, each with the house's choice in notation,
    those with the largest swing first."""

    def __init__(
        self,
        chats: Mapping[str, Chat],
        repository: Repository,
        thinker: Thinker,
        painter: Pictures,
        clock: Clock,
        theme: Theme,
        show: Listener,
        reviewed: Callable[[Table, Sequence[tuple[int, tuple[str, ...]]]], Awaitable[None]],
    ) -> None:
        self._show = show
        self._reviewed_to = reviewed
        self._chats = chats
        self._repository = repository
        self._store = repository.store
        self._thinker = thinker
        self._painter = painter
        self._clock = clock
        self._theme = theme
        self._known = LRUCache[tuple[TableId, str], Review](KEPT)  # by save
        self._making: dict[TableId, ReviewUnderWay] = {}
        self._serving: dict[TableId, asyncio.Task[None]] = {}

    async def idle(self) -> None:
        """Wait until every requested review is made and posted."""
        while tasks := [*self._serving.values(), *(making.task for making in self._making.values())]:
            await asyncio.wait(tasks)

    async def stop(self) -> None:
        """Cancel all work; the next request begins anew."""
        await cancelled(*self._serving.values(), *(making.task for making in self._making.values()))

    # Stored reviews

    async def known(self, table: Table) -> Review | None:
        """Return the stored review of *table*, or None."""
        save = table.id, table.mark
        if save not in self._known:
            kept = await self._store.attachment(table.id, REVIEW)
            if kept is None:
                return None
            self._known[save] = msgspec.json.decode(kept, type=Review)
        return self._known.get(save)

    async def turning_points(self, table: Table, entries: Sequence[Entry], most: int) -> tuple[int, ...]:
        """Return the positions after the turns of *entries* with the largest swings; () if no review is stored."""
        review, numbers = await self.known(table), _looked_at(table, entries)
        if review is None or len(review.chances) != len(numbers):
            return ()
        return tuple(point.last for point in turning_points(review.chances, numbers, most, least=0))

    async def posted(self, table: TableId) -> ReviewPost | None:
        """Return the message with the review of *table*, or the claim to post it; None if there is neither."""
        kept = await self._store.attachment(table, POST)
        post = None if kept is None else msgspec.json.decode(kept, type=ReviewPost)
        gone = post is None or (post.message is None and post.until_ms < self._repository.now_ms())
        return None if gone else post

    def percent(self, table: TableId) -> int | None:
        """Return the progress of the review of *table* in per cent; None if none is being made."""
        making = self._making.get(table)
        return None if making is None else making.percent

    @property
    def is_busy(self) -> bool:
        """Whether the queue is full."""
        return len(self._making) >= MOST_ASKED

    # Making

    def make(self, table: Table) -> ReviewUnderWay:
        """Return the review of *table* in the making; an earlier request may have begun it."""
        if table.id not in self._making:
            begun = self._making[table.id] = ReviewUnderWay()
            begun.task = asyncio.create_task(self._made(table, begun), name=f"look back at {table.id}")
            begun.task.add_done_callback(lambda done: self._over(table, done))
        return self._making[table.id]

    def _over(self, table: Table, done: asyncio.Task[Review]) -> None:
        del self._making[table.id]
        if not done.cancelled() and done.exception() is not None:
            log.error("review failed: %s", table.facts, exc_info=done.exception())

    async def _made(self, table: Table, making: ReviewUnderWay) -> Review:
        """Analyse *table* and store the review. Raises StoreDown, BrokenProcessPool."""
        if (known := await self.known(table)) is not None:
            return known
        entries = logbook.effective(await self._repository.log(table))
        numbers = _looked_at(table, entries)
        played = _played(table, entries)
        making.all = len(numbers) + POINTS
        chances = list[Chances]()
        for number in numbers:
            shares = await self._thought(reviewing.chances, played, number, min(POSITION_S, CHANCES_S / len(numbers)))
            chances.append(in_per_cent(shares))
            making.done += 1
        points = list[TurningPoint]()
        for point in turning_points(chances, numbers):
            points.append(replace(point, instead=await self._instead(played, point, entries)))
            making.done += 1
        review = Review(tuple(chances), tuple(points))
        await self._keep(table.id, review)
        self._known[table.id, table.mark] = review
        await self._tell(table, review, entries)
        points = sorted(points, key=lambda point: -swing(*chances[point.turn : point.turn + 2]))
        await self._reviewed_to(table, [(point.turn, point.instead) for point in points])
        return review

    async def _instead(self, played: Played, point: TurningPoint, entries: Sequence[Entry]) -> tuple[str, ...]:
        """Return the house's choice for the turn of *point*: what was played until the decision that cost most, then
        what the house would have played; all that was played if the house finds nothing better; () if there was no
        choice. It takes POINT_S at most."""
        seat = entries[point.first].seat
        numbers = [number for number in range(point.first, point.last) if entries[number].seat == seat]
        if len(numbers) == 1:
            return await self._thought(reviewing.instead, played, point.first, POINT_S)
        each_s = min(POSITION_S, POINT_S / 2 / len(numbers))
        regrets = {number: await self._thought(reviewing.regret, played, number, each_s) for number in numbers}
        costs = {number: regret for number, regret in regrets.items() if regret is not None}
        for number in sorted(costs, key=costs.__getitem__, reverse=True)[:SECOND_THOUGHTS]:
            instead = await self._thought(reviewing.instead, played, number, POINT_S / 2 / SECOND_THOUGHTS)
            if instead[:1] != played.actions[number : number + 1]:
                return played.actions[point.first : number] + instead
        return played.actions[point.first : point.last] if costs else ()

    async def _tell(self, table: Table, review: Review, entries: Sequence[Entry]) -> None:
        """Add the turning point of *review* to the final board of *table*."""
        point = _decisive(table, review, entries)

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            table = replace(snapshot.table, turned=point or snapshot.table.turned)
            if table.guess is not None and table.result is not None and table.guess.turn < len(review.chances):
                chance = round(review.chances[table.guess.turn][table.result.winners[0]])
                table = replace(table, guess=replace(table.guess, chance=chance))
            is_new = table.phase == Phase.OVER and table != snapshot.table
            return (Step(table, snapshot.state) if is_new else None), None

        try:
            changed = await self._repository.change(await self._repository.load(table.id), apply, quiet=True)
        except (StoreDown, Denied) as down:
            log.warning("turning point not added: table=%s error=%s", table.id, down)
            return
        if changed is not None and changed.is_saved:
            await self._show(changed.snapshot)

    async def _keep(self, table: TableId, review: Review) -> None:
        """Store *review*, with retries, as all the work would be lost. Raises StoreDown."""
        for tried in range(AWAITED_POSTS.tries):
            try:
                await self._store.attach(table, REVIEW, msgspec.json.encode(review))
            except StoreDown as down:
                log.info("review not stored, retrying: table=%s error=%s", table, down)
                await self._clock.sleep(AWAITED_POSTS.pause_s(tried))
            else:
                return
        await self._store.attach(table, REVIEW, msgspec.json.encode(review))

    async def _thought(self, think: Callable[..., T], played: Played, number: int, seconds: float) -> T:
        chance = Chance(Chance(played.seed, number, "review").seed())
        return await self._thinker.ask(Urgency.REVIEW, think, played, number, chance, seconds=seconds)

    # Posting

    def post(self, table: Table) -> None:
        """Post the review of *table* under its final board once it is made, unless another process does."""
        if table.id not in self._serving:
            serving = self._serving[table.id] = asyncio.create_task(self._serve(table), name=f"review of {table.id}")
            serving.add_done_callback(lambda _: self._serving.pop(table.id))

    def is_posting(self, table: TableId) -> bool:
        """Return whether this process is about to post it."""
        return table in self._serving

    async def _serve(self, table: Table) -> None:
        chat, place, message = self._chats[platform(table.place)], table.place, None
        nonce = "rev" + blake2b(f"{table.id} {table.revision}".encode(), digest_size=8).hexdigest()
        try:
            making = self.make(table)
            message = await progress.wait(chat, self._clock, place, nonce, making, partial(reviews.under_way, table))
            try:
                await asyncio.shield(making.task)
            except Exception:  # `_over` logs it
                failed = reviews.failed(table)
                await progress.show(chat, self._clock, place, f"{self._repository.now_ms()}", message, failed)
                return
            await self._put(chat, table, nonce, message)
        except StoreDown as down:
            log.warning("review not posted until the next request: table=%s error=%s", table.id, down)
        except Undelivered as no:
            log.info("review refused: place=%s table=%s error=%s", place, table.id, no)
        except Exception:
            log.exception("review not posted: %s", table.facts)

    async def _put(self, chat: Chat, table: Table, nonce: str, message: MessageId | None) -> None:
        """Post the review, if the table still exists and no other process has. Raises StoreDown, Undelivered."""
        snapshot = await self._repository.find(table.id)  # the table, or a person in it, may have been deleted
        review = None if snapshot is None else await self.known(snapshot.table)
        claim = None if snapshot is None or review is None else await self._claimed(snapshot.table)
        if snapshot is None or review is None or claim is None or snapshot.table.place != table.place:
            if message is not None:
                await chat.remove(table.place, message, MessagePart.WHOLE)
            return
        look = words.look(snapshot.table, None, Theme(snapshot.table.theme or self._theme), snapshot.table.lang)
        game = await self._reviewed(snapshot.table, review)
        post = reviews.post(game, await self._painter.shared_chart(reviews.chart(game, look), look), look.lang)
        try:
            message = await progress.show(chat, self._clock, table.place, nonce, message, post)
        except PicturesRefused:
            said = boards.in_words(post, table.lang, first=False)
            message = await progress.show(chat, self._clock, table.place, f"{nonce}w", message, said)
        stands = replace(claim, message=message, relocations=table.relocations)
        await self._store.attach(table.id, POST, msgspec.json.encode(stands))

    async def _claimed(self, table: Table) -> ReviewPost | None:
        """Claim the right to post; None if another process has it, or has posted."""
        kept = await self._store.attachment(table.id, POST)
        if kept is not None and await self.posted(table.id) is not None:
            return None
        claim = ReviewPost(self._repository.now_ms() + CLAIM_MS, token_hex(4))
        reads = msgspec.json.encode(claim)
        return claim if await self._store.attach(table.id, POST, reads, before=kept) == reads else None

    # Showing

    async def overview(self, table: Table, review: Review, look: Look) -> Reply:
        """Return the chart, with the turning points in words."""
        game = await self._reviewed(table, review)
        picture = await self._painter.chart(reviews.chart(game, look), look)
        return reviews.overview(game, picture, look.lang)

    async def point(self, table: Table, review: Review, number: int, look: Look) -> Reply:
        """Return turning point *number*, from 0, with the board after that turn, whose marks show what was played."""
        game, point = await self._reviewed(table, review), review.points[number]
        then = words.look_then(look, table, game.entries[point.first].turn)
        picture = await self._painter.picture(game.views[point.last], then)
        return reviews.point(game, number, picture, look.lang)

    async def _reviewed(self, table: Table, review: Review) -> Reviewed:
        entries = logbook.effective(await self._repository.log(table))
        return Reviewed(table, review, entries, await asyncio.to_thread(logbook.public_positions, table, entries))


def _decisive(table: Table, review: Review, entries: Sequence[Entry]) -> Turned | None:
    """Return the turning point at which the first winner's chance rose most, or None."""
    if table.result is None or not table.result.winners:
        return None
    seat = table.result.winners[0]
    point = max(review.points, key=lambda point: swing_for(seat, point, review.chances), default=None)
    if point is None or swing_for(seat, point, review.chances) < WORTH_TELLING:
        return None
    before, after = (round(chances[seat]) for chances in review.chances[point.turn : point.turn + 2])
    played = entries[point.first : point.last]
    news = tuple(news for entry in played for news in entry.news if not news.explains)
    number = origins.number_after(table, entries, logbook.positions(table, entries), point.first)
    if number is None:  # a setup is no turn
        return None
    return Turned(point.turn, seat, before, after, news, 0 if number == point.turn + 1 else number)


def _looked_at(table: Table, entries: Sequence[Entry]) -> tuple[int, ...]:
    """Return the positions to review: as in a film, but the agreement to a draw belongs to the last turn."""
    numbers = logbook.ends_of_turns(entries)
    agreed = len(numbers) > 2 and logbook.is_agreement(table, entries[-1])
    return (*numbers[:-2], numbers[-1]) if agreed else numbers


def _played(table: Table, entries: Sequence[Entry]) -> Played:
    options = tuple(sorted(table.options.items()))
    actions = tuple(entry.action for entry in entries)
    return Played(table.game, len(table.seats), options, int(table.seed, 16), actions, table.origin)
