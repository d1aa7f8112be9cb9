"""Pictures, painted off the event loop, in one thread, and films in another one: the slow parts of painting release the
interpreter lock."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import ParamSpec, TypeVar

from cachetools import LRUCache
from msgspec.structs import replace

import renderers
from bot.chat import Picture, PictureKind, PublicPicture
from bot.runtime.metrics import Metrics
from bot.runtime.names import isolated
from renderers import Look, Theme
from renderers.charts import Chart
from renderers.crowd_cards import Crowd
from renderers.outlines import Outline
from renderers.puzzle_cards import PuzzleResult
from rules import State

T = TypeVar("T")
P = ParamSpec("P")

LONGEST_ALT = 1000
DONE = object()
KEPT = 64
"""Pictures in the cache, some 60 KB each."""
KEPT_CARDS = 16
"""The same for cards of finished games: all players ask for theirs when a game ends."""
KEPT_LOBBIES = 16
"""The same for lobbies: one is painted for each player who joins, and one when the game begins."""


class Pictures:
    """Paints views and caches the newest *kept* pictures: a board is often requested again."""

    def __init__(self, metrics: Metrics | None = None, kept: int = KEPT) -> None:
        self._metrics = metrics or Metrics()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="painter")
        self._films = ThreadPoolExecutor(1, thread_name_prefix="films")
        self._closed = False
        self._kept = LRUCache[tuple[State, Look], Picture](kept)
        self._cards = LRUCache[tuple[State, Look], PublicPicture](KEPT_CARDS)
        self._lobbies = LRUCache[tuple[str, Look], PublicPicture](KEPT_LOBBIES)
        self._under_way: dict[tuple[State, Look], asyncio.Task[Picture]] = {}

    async def prepare(self, theme: Theme) -> None:
        """Paint the common parts of all pictures of *theme* in small steps, so that a requested picture goes first."""
        loop, steps = asyncio.get_running_loop(), renderers.preparations(theme)
        while not self._closed and await loop.run_in_executor(self._thread, next, steps, DONE) is not DONE:
            pass

    async def picture(self, view: State, look: Look) -> Picture:
        """Return the picture of *view*. Concurrent requests for the same picture paint it once."""
        key = (view, look)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        painting = self._under_way.get(key)
        if painting is None or painting.done():
            painting = self._under_way[key] = asyncio.create_task(self._paint(key), name="paint")
            painting.add_done_callback(lambda _: self._under_way.pop(key, None))
        return await asyncio.shield(painting)  # the other requests still need it if this one is cancelled

    async def board(self, state: State, look: Look) -> PublicPicture:
        """Return the picture of *state* as a spectator sees it. On a final board the winners' pieces may shimmer."""
        view = state.view(None)
        painted = await self.picture(view, look)
        return PublicPicture(painted.png, painted.alt, shines=_shines(view, look))

    async def card(self, state: State, look: Look) -> PublicPicture:
        """Return the card of a finished game as a spectator sees it."""
        view = state.view(None)
        kept = self._cards.get((view, look))
        if kept is None:
            kept = self._cards[view, look] = await self._run("card", lambda: _card(view, look))
        return kept

    async def puzzle_card(self, start: State, look: Look, answer: PuzzleResult) -> PublicPicture:
        """Return the card of an answered daily puzzle; *start*: its first position."""
        return await self._run("card", lambda: _puzzle_card(start.view(None), look, answer))

    async def crowd_card(self, state: State, look: Look, crowd: Crowd) -> PublicPicture:
        """Return the card of a channel's finished game."""
        return await self._run("card", lambda: _crowd_card(state.view(None), look, crowd))

    async def spots(self, view: State, look: Look) -> Mapping[str, Outline]:
        """Return the outlines of the parts of actions on the picture of *view*."""
        return await self._run("spots", lambda: renderers.spots(view, look))

    async def hand(self, view: State, seat: int, look: Look) -> Picture | None:
        """Return the picture of the hand of *seat*, or None in a game without hands. Never cached."""
        return await self._run("hand", lambda: _hand(view, seat, look))

    async def lobby(self, game: str, look: Look) -> PublicPicture:
        """Return the picture of the lobby of *game* with the people of *look*."""
        kept = self._lobbies.get((game, look))
        if kept is None:
            kept = self._lobbies[game, look] = await self._run("lobby", lambda: _lobby(game, look))
        return kept

    async def badge(self, game: str, stars: int, look: Look) -> PublicPicture:
        """Return the badge of a win in *game*, see `renderers.badges.scene`. It has no alternative text yet."""
        png = await self._run("badge", lambda: renderers.badge(game, stars, look))
        return PublicPicture(png, "", "badge.png", PictureKind.BADGE)

    async def chart(self, chart: Chart, look: Look) -> Picture:
        """Return *chart* as a picture."""
        return await self._run("chart", lambda: _chart(chart, look))

    async def shared_chart(self, chart: Chart, look: Look) -> PublicPicture:
        """Return *chart*, which all people may see, as a picture."""
        painted = await self.chart(chart, look)
        return PublicPicture(painted.png, painted.alt, painted.name, painted.kind)

    async def diagram(self, game: str, page: int, look: Look) -> Picture | None:
        """Return the picture of a page of a game's rules, or None if the page has none."""
        png = await self._run("diagram", lambda: renderers.diagram(game, page, look))
        return None if png is None else Picture(png, "", f"{game}-rules-{page}.png")

    async def film(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run a step of a film: in a thread of its own, after earlier steps and after the boards under way."""
        if self._under_way:
            await asyncio.wait(self._under_way.values())
        return await asyncio.get_running_loop().run_in_executor(self._films, partial(work, *arguments, **named))

    async def _paint(self, key: tuple[State, Look]) -> Picture:
        picture = await self._run("board", lambda: _picture(*key))
        self._kept[key] = picture
        return picture

    async def _run(self, kind: str, paint: Callable[[], T]) -> T:
        """Return the result of *paint*, run in the thread."""

        def timed() -> tuple[T, float]:
            begun = perf_counter()
            return paint(), perf_counter() - begun

        self._metrics.painting_queue.inc()
        try:
            painted, seconds = await asyncio.get_running_loop().run_in_executor(self._thread, timed)
        finally:
            self._metrics.painting_queue.dec()
        self._metrics.painting_seconds.labels(kind).observe(seconds)
        return painted

    def close(self) -> None:
        self._closed = True
        for thread in (self._thread, self._films):
            thread.shutdown(wait=False, cancel_futures=True)


def _shines(view: State, look: Look) -> tuple[Outline, ...]:
    """Return the outlines of the winners' pieces on a final board; () on another one."""
    outcome = look.ended or view.outcome
    if outcome is None:
        return ()
    return tuple(outline for seat in outcome.winners for outline in renderers.pieces(view, seat, look))


def _with_isolated_names(look: Look) -> Look:
    """Return *look* for text: isolated names do not change the direction of their line."""
    return replace(look, seats=tuple(replace(seat, name=isolated(seat.name)) for seat in look.seats))


def board_text(view: State, look: Look) -> str:
    """Return the board of *view* in words, at most `LONGEST_ALT` characters."""
    alt = renderers.alt_text(view, _with_isolated_names(look))
    return alt if len(alt) <= LONGEST_ALT else alt[: LONGEST_ALT - 1] + "…"


def _picture(view: State, look: Look) -> Picture:
    return Picture(renderers.picture(view, look), board_text(view, look))


def _lobby(game: str, look: Look) -> PublicPicture:
    return PublicPicture(
        renderers.lobby(game, look), renderers.lobby_text(game, _with_isolated_names(look)), "lobby.png"
    )


def _card(view: State, look: Look) -> PublicPicture:
    alt = renderers.card_text(view, _with_isolated_names(look))
    return PublicPicture(renderers.card(view, look), alt, "card.png")


def _puzzle_card(view: State, look: Look, answer: PuzzleResult) -> PublicPicture:
    png, alt = renderers.puzzle_card(view, look, answer), renderers.puzzle_card_text(view, look, answer)
    return PublicPicture(png, alt, "day.png")


def _crowd_card(view: State, look: Look, crowd: Crowd) -> PublicPicture:
    png, alt = renderers.crowd_card(view, look, crowd), renderers.crowd_card_text(view, look, crowd)
    return PublicPicture(png, alt, "crowd.png")


def _chart(chart: Chart, look: Look) -> Picture:
    alt = renderers.chart_text(chart, look)
    return Picture(renderers.chart(chart, look), alt, "chart.png", PictureKind.CHART)


def _hand(view: State, seat: int, look: Look) -> Picture | None:
    png = renderers.hand(view, seat, look)
    return (
        None
        if png is None
        else Picture(png, renderers.hand_text(view, seat, _with_isolated_names(look)) or "", "hand.png")
    )
