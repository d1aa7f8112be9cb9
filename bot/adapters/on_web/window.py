"""The open pages, as the server knows them."""

import asyncio
import contextlib

from aiohttp import WSCloseCode, web

import texts
from bot.adapters.on_web.wire import ToPage, written
from bot.chat import PersonId, PlaceId

QUEUED = 400
"""Events that a window may lag behind. After that it is cut off; it reconnects and receives everything anew."""
AT_ONCE = 8
"""Requests of one window that run at once."""


class Window:
    """One open page: its person, its place, and the events that it has not read yet."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.lang = texts.DEFAULT
        self.zone = ""
        self.person: PersonId | None = None
        self.place: PlaceId | None = None
        self.slots = asyncio.Semaphore(AT_ONCE)
        self._transport = request.transport
        self._queue: asyncio.Queue[ToPage] = asyncio.Queue(QUEUED)

    def tell(self, event: ToPage) -> None:
        """Queue *event*."""
        try:
            self._queue.put_nowait(event)
        except asyncio.QueueFull:
            self.cut()

    async def write(self) -> None:
        """Send the queued events until the window is gone."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(written(await self._queue.get()))

    async def close(self) -> None:
        """End the connection in the orderly way."""
        if self.socket.prepared:
            await self.socket.close(code=WSCloseCode.GOING_AWAY)
        else:
            self.cut()

    def cut(self) -> None:
        """Drop the connection."""
        if self._transport is not None:
            self._transport.abort()
