"""The open pages, as the server knows them."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator

from aiohttp import WSCloseCode, web

import texts
from bot.adapters.on_web.wire import ToPage, written
from bot.chat import PersonId, PlaceId
from bot.runtime.http_server import origin

WAITING = 400  # events for a window that does not read; then it is cut off, comes back, and is shown everything
AT_ONCE = 8  # requests of one window
WINDOWS = 64  # open at once


class Window:
    """One open page: who it is just now, where it looks, and what it is still to be told."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.lang = texts.DEFAULT
        self.person: PersonId | None = None
        self.place: PlaceId | None = None
        self.slots = asyncio.Semaphore(AT_ONCE)
        self.origin = origin(request.remote or "")
        self.heard_s = asyncio.get_running_loop().time()
        self._transport = request.transport
        self._waiting: asyncio.Queue[ToPage] = asyncio.Queue(WAITING)

    def tell(self, event: ToPage) -> None:
        try:
            self._waiting.put_nowait(event)
        except asyncio.QueueFull:
            self.cut()

    def hear(self) -> None:
        """Something has come from it."""
        self.heard_s = asyncio.get_running_loop().time()

    async def close(self, code: WSCloseCode = WSCloseCode.GOING_AWAY) -> None:
        if self.socket.prepared:
            await self.socket.close(code=code)
        else:
            self.cut()

    def cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    async def write(self) -> None:
        """Send what is waiting, until the window is gone."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(written(await self._waiting.get()))


class Windows:
    """At most so many, oldest first. For one more, another has to go, so that nobody can take all of them for good."""

    def __init__(self) -> None:
        self._all: dict[Window, None] = {}

    def __iter__(self) -> Iterator[Window]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)

    def add(self, window: Window) -> Window | None:
        """The window that has to go: the oldest that has not said who it is, else the quietest one of those whose
        address has most of them."""
        going = None
        if len(self._all) >= WINDOWS:
            count = Counter(each.origin for each in self._all)
            going = min(self._all, key=lambda each: (each.person is not None, -count[each.origin], each.heard_s))
            self.discard(going)
        self._all[window] = None
        return going

    def discard(self, window: Window) -> None:
        self._all.pop(window, None)
