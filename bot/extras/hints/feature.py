"""Hints: the house's choice in a person's place, in unrated games, a few per game.

    request ── a hint exists for this save ───────────────────────────────────▶ shown again
      └── the house thinks (after turns, without a lock) ── still this save? ── counted ──▶ shown

The number of hints of each seat is stored beside the table, together with the last hint. So it survives a restart,
does not change the table, and a repeated request costs nothing.
"""

import asyncio
import logging

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot import requests
from bot.chat import Expiry, Picture, Reply, Update
from bot.delivery.painting import Pictures
from bot.extras.hints import replies as hints
from bot.extras.hints.replies import MOST, Advice
from bot.house.levels import LEVELS, Level
from bot.house.suggesting import only_way, suggest
from bot.house.workers import Thinker, Urgency
from bot.replies import words
from bot.repository.repository import Repository
from bot.repository.turn_rights import Acting, who_acts
from bot.runtime.tasks import cancelled
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.service.history import HistoryAnswers
from bot.service.not_acting import not_acting
from bot.service.playing import Playing
from bot.store.store import Store
from bot.tables import logbook, rating
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import TableId
from rules import GAMES, State
from rules.chance import Chance

log = logging.getLogger(__name__)

PATIENCE_S = 30.0  # for the queue and the search; the person still waits then
Thought = tuple[TableId, str, int]
"""A table, a save of it, and a seat."""


class Had(Struct, frozen=True):
    """The hints that a seat has had: their number, and the last one in notation with its save."""

    number: int = 0
    save: str = ""
    actions: tuple[str, ...] = ()


class Hints(Feature):
    """Answers ``/hint``."""

    def __init__(
        self,
        repository: Repository,
        store: Store,
        thinker: Thinker,
        playing: Playing,
        history: HistoryAnswers,
        painter: Pictures,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._repository = repository
        self._store = store
        self._thinker = thinker
        self._playing = playing
        self._history = history
        self._painter = painter
        self._patience_s = patience_s
        self._thinking: dict[Thought, asyncio.Task[tuple[str, ...]]] = {}

    async def stop(self) -> None:
        await cancelled(*self._thinking.values())

    @answers(requests.Hint)
    async def hint(self, context: Context, _: requests.Hint) -> Reply:
        """Show the house's choice in the person's place. Denied: as `not_acting`. Raises StoreDown."""
        update, snapshot, lang = context.update, context.snapshot, context.lang
        table, acting = snapshot.table, who_acts(snapshot, update.person.id)
        if acting is None:
            return not_acting(snapshot, update, lang)
        if rating.counts(table):
            return hints.said("hint.counts", lang)
        views = await self._views(snapshot, acting)
        if only := only_way(views[-1]):
            return await self._reply(context, acting, Advice(views, only), None)
        had, kept = await self._had(table.id, acting.seat)
        if had.save != snapshot.save:
            if had.number >= MOST:
                return hints.said("hint.used", lang, n=MOST)
            try:
                async with asyncio.timeout(self._patience_s):
                    actions = await self._thought(snapshot, acting, views)
            except TimeoutError:
                return hints.said("hint.busy", lang)
            now = await self._repository.find(table.id)
            if now is None or now.save != snapshot.save or who_acts(now, update.person.id) is None:
                return hints.said("hint.moved_on", lang)
            had = await self._counted(table.id, acting.seat, Had(had.number + 1, snapshot.save, actions), kept)
            if had.save != snapshot.save:  # a concurrent request for the same seat was faster
                return hints.said("hint.moved_on", lang)
        played = GAMES[table.game].parse(views[-1], " ".join(had.actions))
        return await self._reply(context, acting, Advice(views, tuple(played)), MOST - had.number)

    @answers(requests.Follow)
    async def follow(self, context: Context, _: requests.Follow) -> Reply | None:
        """Play the hint for this position."""
        return await self._playing.follow(context, await self._last_hint(context.update, context.snapshot))

    async def _last_hint(self, update: Update, snapshot: Snapshot) -> str:
        """Return the hint for this save in notation, or "". Raises StoreDown."""
        acting = who_acts(snapshot, update.person.id)
        if acting is None:
            return ""
        had, _ = await self._had(snapshot.table.id, acting.seat)
        return " ".join(had.actions) if had.save == snapshot.save else ""

    async def _reply(self, context: Context, acting: Acting, suggestion: Advice, hints_left: int | None) -> Reply:
        """Return the hint with a picture that marks it; without one if no board may be shown twice."""
        table, lang = context.snapshot.table, context.lang
        reply = hints.hint(table, suggestion, hints_left, lang, secret=tables.hides(acting.state, acting.seat))
        forgets = tables.forgets(table, acting.state)
        picture = None if forgets else await self._picture(context, acting.seat, suggestion)
        return replace(reply, picture=picture, expires=Expiry(tables.time_of(table), is_strict=forgets))

    async def _picture(self, context: Context, seat: int, suggestion: Advice) -> Picture:
        """Return the board as *seat* sees it, with marks on the parts of the first suggested action."""
        snapshot, parts = context.snapshot, suggestion.actions[0].parts
        look = await self._history.look(context.update, snapshot.table, seat, context.lang)
        look = words.with_recent(look, snapshot.recent, seat)
        return await self._painter.picture(suggestion.view, replace(look, hand=seat, chosen=parts))

    async def _views(self, snapshot: Snapshot, acting: Acting) -> tuple[State, ...]:
        """Return the views of the seat so far; only the last one, unless the game is about memory."""
        states: tuple[State, ...] = (acting.state,)
        if acting.state.forgets:
            entries = logbook.effective(await self._repository.log(snapshot.table))
            states = await asyncio.to_thread(logbook.positions, snapshot.table, entries)
        return tuple(state.view(acting.seat) for state in states)

    async def _thought(self, snapshot: Snapshot, acting: Acting, views: tuple[State, ...]) -> tuple[str, ...]:
        """Return the house's choice; concurrent requests share one search."""
        wish = (snapshot.table.id, snapshot.save, acting.seat)
        if wish not in self._thinking:
            thinking = self._thinking[wish] = asyncio.create_task(self._think(snapshot, acting, views))
            thinking.add_done_callback(lambda done: self._done(wish, done))
        return await asyncio.shield(self._thinking[wish])

    def _done(self, wish: Thought, done: asyncio.Task[tuple[str, ...]]) -> None:
        del self._thinking[wish]
        if not done.cancelled() and done.exception() is not None:  # the request may have been cancelled
            log.warning("hint failed: table=%s error=%r", wish[0], done.exception())

    async def _think(self, snapshot: Snapshot, acting: Acting, views: tuple[State, ...]) -> tuple[str, ...]:
        table, seat = snapshot.table, acting.seat
        chance = Chance(Chance(int(table.seed, 16), table.revision, "hint").seed())
        seconds = LEVELS[Level.HARD].seconds
        actions = await self._thinker.ask(Urgency.HINT, suggest, table.game, views, seat, chance, seconds=seconds)
        return tuple(map(str, actions))

    async def _had(self, table: TableId, seat: int) -> tuple[Had, bytes | None]:
        """Return the hints that *seat* has had, parsed and as stored."""
        kept = await self._store.attachment(table, _name(seat))
        return (Had() if kept is None else msgspec.json.decode(kept, type=Had)), kept

    async def _counted(self, table: TableId, seat: int, had: Had, kept: bytes | None) -> Had:
        """Count a hint, unless a concurrent request has counted one for this seat; return the stored value."""
        reads = await self._store.attach(table, _name(seat), msgspec.json.encode(had), before=kept)
        return Had() if not reads else msgspec.json.decode(reads, type=Had)


def _name(seat: int) -> str:
    return f"hints {seat}"
