"""Replays: a short film of a game, the whole one, and single positions, all as all players could see them.

The short film shows the turning points if the game has been analysed, else evenly chosen turns: it does not wait for an
analysis.

request ── this film is cached ──────────────────────────────────────────────────────▶ posted
  │
  └── made in a thread of its own, one film after the other ──▶ done soon ───────────▶ posted
         │                                       │
         │ the post is deleted, or the place     └── takes a while: a post shows the progress and
         │ refuses posts: it stops waiting           becomes the film in the end (if edits count as
         │                                           posts, the bot is shown typing instead)
         ▼
      no place waits any more: the film is cancelled
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from datetime import timedelta
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot import requests
from bot.chat import (
    Button,
    Chat,
    File,
    FileKind,
    PlaceId,
    Post,
    Reply,
    Role,
    Undelivered,
    UpdateId,
    platform,
)
from bot.delivery.painting import Pictures, board_text
from bot.extras import progress
from bot.replies import history, news, notes, words
from bot.replies.buttons import button, close
from bot.repository.repository import Repository
from bot.runtime.clock import Clock
from bot.runtime.tasks import cancelled
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.tables import logbook, origins
from bot.tables.table import Denied, Entry, Phase, Table, TableId
from renderers import Look, Theme
from rules import State

if TYPE_CHECKING:
    from renderers.animation import Animation

log = logging.getLogger(__name__)

MOST_FRAMES = 200
MOST_BYTES = 8_000_000
KEPT_BYTES = 32_000_000
KEPT_GAMES = 4  # games whose positions are cached
MOST_ASKED = 8  # films that may be requested at once; one is made at a time
KEPT_POSTS = 1000
AGAIN = timedelta(minutes=2)  # until then the same request in the same place is ignored

LONG_MS = 60_000  # the longest film, if its frames can still be followed
FRAME_MS = (500, 1200)  # the shortest and the longest time for a frame
OPENING_MS = 400  # a frame while the board is set up
EVENT_MS = 800  # extra time for a frame with further consequences
STILL_MS = 2000  # the final board comes first: chats show the first frame as the preview
START_MS = 1500
LAST_MS = 4500
CARD_MS = 4500

TURNS = 7
"""Turns of a short film. A game of so few has only the whole film."""
SHORT_MS = 12_000
SHORT_STILL_MS = 1600
SHORT_LAST_MS = 2400


Save: TypeAlias = tuple[TableId, int, str]
FilmKey: TypeAlias = tuple[Save, tuple[int, ...]]


class Playback(Struct, frozen=True):
    """A game to play back. *entries*: the actions that all players have been shown.

    *turns*: the positions after the turns of a short film; () for the whole one. *are_turning_points*: an analysis
    found them.
    """

    table: Table
    entries: tuple[Entry, ...]
    look: Look
    turns: tuple[int, ...] = ()
    are_turning_points: bool = False

    @property
    def save(self) -> Save:
        """The save: a store that lost its newest saves reuses their revisions, but not their marks."""
        return self.table.id, self.table.revision, self.table.mark

    @property
    def film(self) -> FilmKey:
        """The key of the film."""
        return self.save, self.turns

    @property
    def is_over(self) -> bool:
        return self.table.phase == Phase.OVER

    def frames(self, most: int) -> tuple[tuple[int, int], ...]:
        """Return the positions of the film's frames and their times; the card follows if the game is over."""
        if self.turns:
            return short_frames(self.entries, logbook.picked(self.turns, max(2, most - 2)), ends=not self.is_over)
        numbers = frames(self.entries, most)
        return tuple(zip(numbers, shown_ms_of(self.entries, numbers), strict=True))

    def look_at(self, number: int) -> Look:
        """Return the look of position *number*; all but the last look as at that time."""
        look = words.with_recent(self.look, self.entries[:number], None)
        return look if number == len(self.entries) else words.look_then(look, self.table, self.entries[number].turn)


class FilmUnderWay:
    """A film in the making, with its progress and the number of places that wait for it."""

    def __init__(self, make: Callable[["FilmUnderWay"], Coroutine[None, None, File]]) -> None:
        self.done = 0
        self.frames = 1
        self.waiting = 0
        self.task = asyncio.create_task(make(self))

    @property
    def percent(self) -> int:
        return min(99, 100 * self.done // self.frames)


class Replays:
    """Makes films and looks up positions. Safe for concurrent use."""

    def __init__(
        self,
        chats: Mapping[str, Chat],
        painter: Pictures,
        clock: Clock,
        most_frames: int = MOST_FRAMES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """*most_frames*, *most_bytes*: longer films get fewer frames."""
        self._most_frames = most_frames
        self._most_bytes = most_bytes
        self._chats = chats
        self._painter = painter
        self._clock = clock
        self._one = asyncio.Lock()
        self._making: dict[FilmKey, FilmUnderWay] = {}
        self._serving: dict[tuple[PlaceId, FilmKey], asyncio.Task[None]] = {}
        self._posted = LRUCache[tuple[PlaceId, FilmKey], float](KEPT_POSTS)  # time of the post
        # A film larger than the cache displaces all others.
        self._films = LRUCache[FilmKey, File](KEPT_BYTES, lambda film: min(len(film.content), KEPT_BYTES))
        self._views = LRUCache[Save, tuple[State, ...]](KEPT_GAMES)

    async def idle(self) -> None:
        """Wait until every requested film is posted or given up."""
        while self._serving:
            await asyncio.wait(self._serving.values())

    async def stop(self) -> None:
        """Cancel all films."""
        await cancelled(*self._serving.values(), *(making.task for making in self._making.values()))

    # Positions

    async def position(self, game: Playback, number: int, lang: str) -> Reply:
        """Return position *number*, from 0 for the first, then one after each action. Denied: no_position,
        one_position."""
        last = len(game.entries)
        if not 0 <= number <= last:
            raise Denied("no_position", n=last) if last else Denied("one_position")
        view = (await self._positions(game))[number]
        look = replace(game.look_at(number), lang=lang)
        picture = await self._painter.picture(view, look)
        lines = [words.say("news.start", lang, names=" → ".join(words.names(game.table, lang)))]
        if number:
            entry = game.entries[number - 1]
            before = (await self._positions(game))[number - 1]
            lines = [history.line(game.table, number, (entry,), (before,), lang)]
        numbers = ("⏮", 0), ("◀", max(number - 1, 0)), ("▶", min(number + 1, last)), ("⏭", last)
        turn = (button(requests.Replay(game.table.id, n), lang, label=sign) for sign, n in numbers)
        may = game.is_over and number in origins.starts(await self._positions(game))
        onward = ((button(requests.PlayOn(game.table.id, number), lang),),) if may else ()
        return Reply(
            title=words.say("replay.position", lang, game=_name(game, lang), number=number, last=last),
            text="\n".join(lines),
            picture=picture,
            rows=((*turn, close(lang)), *onward),
            role=Role.MENU,
        )

    async def _positions(self, game: Playback) -> tuple[State, ...]:
        views = self._views.get(game.save)
        if views is None:
            views = await self._painter.film(logbook.public_positions, game.table, game.entries)
            self._views[game.save] = views
        return views

    # Films

    def film(self, place: PlaceId, update: UpdateId, game: Playback, lang: str) -> Reply:
        """Post the film of *game* in *place* once it is made; return the reply to the request."""
        if not game.entries:
            return notes.note("history.empty", lang)
        wish = (place, game.film)
        posted_s = self._posted.get(wish)
        if posted_s is not None and self._clock.monotonic() - posted_s < AGAIN.total_seconds():
            return notes.note("replay.above", lang)
        if wish not in self._serving:
            if len(self._serving) >= MOST_ASKED:
                return notes.note("replay.busy", lang)
            nonce = "film" + blake2b(update.encode(), digest_size=8).hexdigest()
            serving = asyncio.create_task(self._serve(place, nonce, game), name=f"film of {game.table.id}")
            self._serving[wish] = serving
            serving.add_done_callback(lambda _: self._serving.pop(wish))
        return notes.promise("replay.coming", lang)

    async def _serve(self, place: PlaceId, nonce: str, game: Playback) -> None:
        chat = self._chats[platform(place)]
        making = self._begun(game)
        making.waiting += 1
        try:
            progress_post = partial(_progress, game)
            message = await progress.wait(chat, self._clock, place, nonce, making, progress_post)
            await progress.show(chat, self._clock, place, nonce, message, await self._outcome(game, making))
            self._posted[place, game.film] = self._clock.monotonic()
        except Undelivered as no:
            log.info("film refused: place=%s table=%s error=%s", place, game.table.id, no)
        finally:
            making.waiting -= 1
            if not making.waiting:
                making.task.cancel()

    def _begun(self, game: Playback) -> FilmUnderWay:
        """Return the film of *game* in the making; another place may already wait for it."""
        making = self._making.get(game.film)
        if making is None or not making.waiting:
            begun = self._making[game.film] = making = FilmUnderWay(lambda making: self._made(game, making))
            making.task.add_done_callback(lambda _: self._forget(game, begun))
        return making

    async def _outcome(self, game: Playback, making: FilmUnderWay) -> Post:
        """Return the post with the film, or with the news that there is none."""
        try:
            film = await asyncio.shield(making.task)
            return _shown(game, await self._positions(game), film)
        except Exception:
            log.exception("film failed: %s", game.table.facts)
            return Post(text=words.say("trouble.ours", game.table.lang))

    def _forget(self, game: Playback, making: FilmUnderWay) -> None:
        if self._making.get(game.film) is making:
            del self._making[game.film]

    async def _made(self, game: Playback, making: FilmUnderWay) -> File:
        """Make the film frame by frame: other films wait, boards do not. It can be cancelled between frames."""
        known = self._films.get(game.film)
        if known is not None:
            return known
        async with self._one:
            views = await self._positions(game)
            most = self._most_frames
            while isinstance(gif := await self._drawn(game, views, most, making), int):
                most = gif
            alt = await self._painter.film(board_text, views[-1], game.look)
        film = File(f"{game.table.game}-{game.table.id}.gif", gif, FileKind.ANIMATION, alt)
        self._films[game.film] = film
        return film

    async def _drawn(self, game: Playback, views: Sequence[State], most: int, making: FilmUnderWay) -> bytes | int:
        """Return the GIF with at most *most* frames, the last one a finished game's card; if it becomes too large, the
        number to try next."""
        shown = game.frames(most - game.is_over)
        making.done, making.frames = 0, len(shown)
        animation = await self._painter.film(_animation, game.look, [views[number] for number, _ in shown])
        for number, shown_ms in shown:
            await self._painter.film(_add, animation, game, views, number, shown_ms)
            making.done += 1
            if animation.size > self._most_bytes and making.done > 3:
                return making.done * 4 // 5  # at least 3, and fewer than now
        film = await self._painter.film(animation.gif)
        if not game.is_over:
            return film
        card_ms = SHORT_LAST_MS if game.turns else CARD_MS
        await self._painter.film(animation.add_card, views[-1], game.look, card_ms)
        if animation.size <= self._most_bytes:
            return await self._painter.film(animation.gif)
        return making.done * 4 // 5 if making.done > 3 else film


class ReplayAnswers(Feature):
    """Answers requests for films and single positions.

    *theme*: of pictures if the table has none. *turning_points*: returns the positions after so many turns of
    a finished game, () before its analysis.
    """

    def __init__(
        self,
        replays: Replays,
        repository: Repository,
        theme: Theme,
        turning_points: Callable[[Table, Sequence[Entry], int], Awaitable[tuple[int, ...]]],
    ) -> None:
        self._replays = replays
        self._repository = repository
        self._theme = theme
        self._turning_points = turning_points

    async def idle(self) -> None:
        await self._replays.idle()

    async def stop(self) -> None:
        await self._replays.stop()

    @answers(requests.Replay)
    async def replay(self, context: Context, request: requests.Replay) -> Reply:
        """Post a film, or show one position. Denied: not_running, forgets, no_position, one_position."""
        snapshot, update = context.snapshot, context.update
        table = snapshot.table
        if snapshot.state is None:
            raise Denied("not_running")
        if snapshot.state.forgets and table.phase == Phase.RUNNING:
            raise Denied("forgets")
        entries = logbook.seen_by_all(table, await self._repository.log(snapshot.table))
        game = Playback(table, entries, words.look(table, None, Theme(table.theme or self._theme), table.lang))
        if request.position is not None:
            return await self._replays.position(game, request.position, context.lang)
        if not request.whole:
            game = short(game, await self._turning_points(table, entries, TURNS) if game.is_over else ())
        return self._replays.film(update.place.id, update.id, game, context.lang)


def short(game: Playback, turning_points: tuple[int, ...] = ()) -> Playback:
    """Return *game* for a short film: of its *turning_points* if they are known, else of evenly chosen turns."""
    ends = logbook.ends_of_turns(game.entries)
    if len(ends) <= TURNS + 1:
        return game
    turns = turning_points or logbook.picked(ends[1:-1], TURNS)
    return replace(game, turns=turns, are_turning_points=bool(turning_points))


def frames(entries: Sequence[Entry], most: int) -> tuple[int, ...]:
    """Return the positions of a film's frames: the last one, then all from the first to the last.

    >>> frames([Entry(1, 0, "a", 0, turn=0), Entry(2, 1, "b", 0, turn=1)], 9)
    (2, 0, 1, 2)
    """
    return (len(entries), *logbook.picked(logbook.ends_of_turns(entries), max(2, most - 1)))


def shown_ms_of(entries: Sequence[Entry], numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the time of each of the `frames`: the setup passes quickly, actions with consequences get more time."""
    shortest, longest = FRAME_MS
    usual, opening = max(shortest, min(longest, LONG_MS // len(numbers))), set_up(entries)

    def of(before: int, number: int) -> int:
        happened = any(len(entry.news) > 1 for entry in entries[before:number])
        return (OPENING_MS if number <= opening else usual) + EVENT_MS * happened

    return (STILL_MS, START_MS, *(of(*pair) for pair in pairwise(numbers[1:-1])), LAST_MS)


def short_frames(entries: Sequence[Entry], turns: Sequence[int], *, ends: bool) -> tuple[tuple[int, int], ...]:
    """Return the positions and times of a short film: the last one, then *turns*; *ends*: then the last one again.

    >>> short_frames([Entry(1, 0, "a", 0)] * 9, (2, 5), ends=True)
    ((9, 1600), (2, 1500), (5, 1500), (9, 2400))
    """
    shown_ms = min(1500, (SHORT_MS - SHORT_STILL_MS - SHORT_LAST_MS) // max(1, len(turns)))
    last = ((len(entries), SHORT_LAST_MS),) if ends else ()
    return ((len(entries), SHORT_STILL_MS), *((number, shown_ms) for number in turns), *last)


def set_up(entries: Sequence[Entry]) -> int:
    """Return the number of entries that only set up the board.

    They are the first ones of one kind, if no later entry has that kind. An entry with facts (a pass has none) must
    follow.

    >>> from rules import News
    >>> place, move = (News("place", 0, (("field", "a1"),)),), (News("move", 0, (("field", "b2"),)),)
    >>> set_up([Entry(1, 0, "a", 0, news=place), Entry(2, 1, "b", 0, news=place), Entry(3, 0, "c", 0, news=move)])
    2
    """
    kinds = [entry.news[0].code.split(".")[0] if entry.news else "" for entry in entries]
    count = next((n for n, kind in enumerate(kinds) if kind != kinds[0]), 0)
    goes_on = any(entry.news[0].facts for entry in entries[count:] if entry.news)
    return count if goes_on and kinds[0] and kinds[0] not in kinds[count:] else 0


# In the thread


def _animation(look: Look, views: Sequence[State]) -> "Animation":
    from renderers.animation import Animation, room

    return Animation(look.theme, room(views, look))


def _add(animation: "Animation", game: Playback, views: Sequence[State], number: int, shown_ms: int) -> None:
    animation.add(views[number], game.look_at(number), number, len(game.entries), shown_ms)


# Texts


def _name(game: Playback, lang: str) -> str:
    return words.game_name(game.table.game, lang)


def _progress(game: Playback, percent: int) -> Post:
    lang = game.table.lang
    return Post(
        title=words.say("replay.film", lang, game=_name(game, lang)),
        text=words.say("replay.progress", lang, percent=percent),
    )


def _shown(game: Playback, views: Sequence[State], film: File) -> Post:
    lang, ways = game.table.lang, list[Button]()
    if game.turns:
        key = "replay.turning_points" if game.are_turning_points else "replay.turns"
        begun = {origins.begun(game.table, game.entries, views, number) for number in (0, *game.turns)}
        lines = [words.say(key, lang, n=len(begun) - 1, all=origins.length(game.table, views[-1]))]
        whole = requests.Replay(game.table.id, whole=True)
        ways.append(button(whole, lang, label=words.say("button.replay.whole", lang)))
    else:
        lines = [words.say("replay.actions", lang, n=len(game.entries))]
    if game.is_over:
        lines.append(news.result(game.table, views[-1], game.entries, lang))
        if origins.starts(views):
            ways.append(button(requests.PlayOn(game.table.id), lang, label=words.say("more.play_on", lang)))
    title = words.say("replay.film", lang, game=_name(game, lang))
    return Post(title=title, text="\n".join(lines), file=film, rows=(tuple(ways),) if ways else ())
