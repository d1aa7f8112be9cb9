"""Short films for one person, of a few boards: painted step by step in the films' thread, boards first.

request ── this film is cached ──▶ returned
  └── painted ── in time ────────▶ returned
         └── late or failed ─────▶ None: the caller shows a board instead
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cachetools import LRUCache
from msgspec import Struct

from bot.chat import File, FileKind
from bot.delivery.painting import Pictures, board_text
from bot.runtime.tasks import cancelled
from bot.tables import logbook
from renderers import Look
from rules import State

if TYPE_CHECKING:
    from renderers.animation import Animation

log = logging.getLogger(__name__)

MOST_FRAMES = 6
MOST_BYTES = 150_000
WIDTH_PX = 500
KEPT_BYTES = 8_000_000
PATIENCE_S = 4.0  # the person waits, and platforms limit the answer to a press

FIRST_MS = 1200
USUAL_MS = 1200  # the longest time for a frame between the first and the last
LAST_MS = 2500
LONGEST_MS = 8000


class Recap(Struct, frozen=True):
    """The frames of a film: the reader's *views*, oldest first, each with its look."""

    views: tuple[State, ...]
    looks: tuple[Look, ...]


class ShortFilms:
    """Makes films and caches the newest ones. *patience_s*: the longest time that a caller waits."""

    def __init__(self, painter: Pictures, patience_s: float = PATIENCE_S) -> None:
        self._painter = painter
        self._patience_s = patience_s
        self._films = LRUCache[Recap, File](KEPT_BYTES, lambda film: len(film.content))
        self._making: dict[Recap, asyncio.Task[File]] = {}

    async def stop(self) -> None:
        await cancelled(*self._making.values())

    async def film(self, name: str, recap: Recap) -> File | None:
        """Return the film; None if it is not made in time. Concurrent requests share one. *name*: of the file, without
        its extension."""
        known = self._films.get(recap)
        if known is not None:
            return known
        making = self._making.get(recap)
        if making is None:
            making = self._making[recap] = asyncio.create_task(self._made(name, recap), name=f"film {name}")
            making.add_done_callback(lambda done: self._done(name, recap, done))
        done, _ = await asyncio.wait((making,), timeout=self._patience_s)
        return None if not done or making.cancelled() or making.exception() is not None else making.result()

    def _done(self, name: str, recap: Recap, done: asyncio.Task[File]) -> None:
        del self._making[recap]
        if not done.cancelled() and (error := done.exception()) is not None:
            log.error("film failed: name=%s", name, exc_info=error)

    async def _made(self, name: str, recap: Recap) -> File:
        film = self._films[recap] = await filmed(self._painter, name, recap)
        return film


async def filmed(painter: Pictures, name: str, recap: Recap) -> File:
    """Return the film of *recap*, made frame by frame, with fewer frames if it is too large."""
    numbers: Sequence[int] = range(len(recap.views))
    while len(gif := await _drawn(painter, recap, numbers)) > MOST_BYTES and len(numbers) > 2:
        numbers = logbook.picked(numbers, len(numbers) - 1)
    alt = await painter.film(board_text, recap.views[-1], recap.looks[-1])
    return File(f"{name}.gif", gif, FileKind.ANIMATION, alt)


async def _drawn(painter: Pictures, recap: Recap, numbers: Sequence[int]) -> bytes:
    animation = await painter.film(_animation, recap)
    last = len(recap.views) - 1
    for number, shown_ms in zip(numbers, shown_ms_of(len(numbers)), strict=True):
        await painter.film(animation.add, recap.views[number], recap.looks[number], number, last, shown_ms)
    return await painter.film(animation.gif)


def shown_ms_of(frames: int) -> tuple[int, ...]:
    """Return the time of each frame of a film, the last one longest: 8 seconds at most. *frames*: at least 2.

    >>> shown_ms_of(3), sum(shown_ms_of(MOST_FRAMES))
    ((1200, 1200, 2500), 8000)
    """
    between = frames - 2
    usual = min(USUAL_MS, (LONGEST_MS - FIRST_MS - LAST_MS) // max(between, 1))
    return (FIRST_MS, *(usual,) * between, LAST_MS)


# In the thread


def _animation(recap: Recap) -> "Animation":
    from renderers.animation import Animation, room

    return Animation(recap.looks[-1].theme, room(recap.views, recap.looks[-1]), WIDTH_PX, loops=False)
