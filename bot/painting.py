"""Pictures, painted off the event loop: one thread, as all that is slow in painting lets other threads run."""

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import renderers
from bot.chat import Picture
from renderers import Look, Theme
from rules import State

LONGEST_ALT = 1000
DONE = object()
KEPT = 64  # pictures of some 60 KB


class Painter:
    """Paints views, and keeps the newest pictures: a board is often asked for again."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="painter")
        self._closed = False
        self._kept: OrderedDict[tuple[State, Look], asyncio.Future[Picture]] = OrderedDict()

    async def prepare(self, theme: Theme) -> None:
        """Paint what all pictures of *theme* share, before the first one is asked for; if it is, that goes first."""
        loop, steps = asyncio.get_running_loop(), renderers.preparations(theme)
        while not self._closed and await loop.run_in_executor(self._thread, next, steps, DONE) is not DONE:
            pass

    async def picture(self, view: State, look: Look) -> Picture:
        """The picture of *view*; asked for twice at once, it is painted once."""
        key = (view, look)
        painting = self._kept.get(key)
        if painting is None:
            painting = asyncio.ensure_future(self._paint(view, look))
            self._kept[key] = painting
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        try:
            return await asyncio.shield(painting)
        except Exception:
            self._kept.pop(key, None)
            raise

    async def diagram(self, game: str, page: int, look: Look) -> Picture | None:
        """The picture of a page of a game's rules, None where the page has none."""
        loop = asyncio.get_running_loop()
        png = await loop.run_in_executor(self._thread, renderers.diagram, game, page, look)
        return None if png is None else Picture(png, "", f"{game}-rules-{page}.png")

    async def _paint(self, view: State, look: Look) -> Picture:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _picture, view, look)

    def close(self) -> None:
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)


def _picture(view: State, look: Look) -> Picture:
    alt = renderers.alt_text(view, look)
    if len(alt) > LONGEST_ALT:
        alt = alt[: LONGEST_ALT - 1] + "…"
    return Picture(renderers.picture(view, look), alt)
