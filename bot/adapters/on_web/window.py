"""One open page, as the server knows it."""

import asyncio
import contextlib

from aiohttp import WSCloseCode, web

import texts
from bot.adapters.on_web.wire import ToPage, written
from bot.chat import PersonId, PlaceId

WAITING = 400  # events for a window that does not read; then it is cut off, comes back, and is shown everything
AT_ONCE = 8  # requests of one window


class Window:
    """One open page: who it is just now, where it looks, and what it is still to be told."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.lang = texts.DEFAULT
        self.person: PersonId | None = None
        self.place: PlaceId | None = None
        self.slots = asyncio.Semaphore(AT_ONCE)
        self._transport = request.transport
        self._waiting: asyncio.Queue[ToPage] = asyncio.Queue(WAITING)

    def tell(self, event: ToPage) -> None:
        try:
            self._waiting.put_nowait(event)
        except asyncio.QueueFull:
            self.cut()

    async def close(self) -> None:
        if self.socket.prepared:
            await self.socket.close(code=WSCloseCode.GOING_AWAY)

    def cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    async def write(self) -> None:
        """Send what is waiting, until the window is gone."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(written(await self._waiting.get()))
