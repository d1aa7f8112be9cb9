"""Proxies that keep every request of the bot on its way to a platform."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2b

import aiohttp
from aiohttp import web

from tests.bot.servers import free_port

QUESTIONS = ("getUpdates", "getMe", "getChatMember", "getMyCommands")
"""Requests that tell nothing to people, and whose times and numbers vary."""
SHORT = 200
"""Characters of a record that a person reads after a failure; its hash covers all bytes."""
_BOUNDARY = re.compile(r"boundary=\"?([^\";]+)")
_VARIES = re.compile(rb"day\d+[0-9a-f]{16}|attached[0-9a-f]+|(?<=message_id)(\W{1,40})\d+|\d{4,}|token-of-")
"""Nonces, which contain the place, names of attachments, and numbers that a platform gives: they differ from run to
run."""


def noted(text: str, content: bytes) -> str:
    """Return the record of *content*: the hash of all of its bytes but those that vary, and its beginning."""
    plain = _VARIES.sub(b"#", content)
    return f"{text} {blake2b(plain, digest_size=16).hexdigest()} {plain[:SHORT].decode('utf-8', 'replace')}"


class Tap:
    """One proxy. *records*: of all requests so far."""

    def __init__(self, server: str, session: aiohttp.ClientSession) -> None:
        self.records: list[str] = []
        self._server = server
        self._session = session
        self._port = free_port()

    def at(self, path: str) -> str:
        """Return the address of *path* behind the proxy."""
        return f"http://127.0.0.1:{self._port}{path}"

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        if not request.path.endswith(QUESTIONS):
            boundary = _BOUNDARY.search(request.headers.get("Content-Type", ""))
            plain = body.replace(boundary[1].encode(), b"") if boundary else body
            path = re.sub(r"token-of-\d+|\d{4,}|:[\w-]{20,}", "#", request.path)
            self.records.append(noted(f"{request.method} {path}", plain))
        try:
            return await self._asked(request, body)
        except aiohttp.ClientError:  # the platform dropped the connection
            assert request.transport is not None
            request.transport.close()
            return web.Response()

    async def _asked(self, request: web.Request, body: bytes) -> web.Response:
        kept = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "connection")}
        url = f"{self._server}{request.path_qs}"
        async with self._session.request(request.method, url, data=body, headers=kept) as answer:
            dropped = ("transfer-encoding", "content-encoding", "content-length", "connection")
            headers = {name: value for name, value in answer.headers.items() if name.lower() not in dropped}
            return web.Response(status=answer.status, body=await answer.read(), headers=headers)


@asynccontextmanager
async def tapped(server: str) -> AsyncIterator[Tap]:
    """Run a proxy in front of *server*, an address without a path."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as session:
        tap = Tap(server, session)
        app = web.Application(client_max_size=30 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", tap._pass_on)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", tap._port).start()
        try:
            yield tap
        finally:
            await runner.cleanup()
