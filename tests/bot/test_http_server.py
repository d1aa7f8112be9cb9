"""Limits on connections from the network, over real sockets on this machine."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import telegram
from aiohttp import web

from bot.adapters.on_telegram.webhook import HEADER, Webhook, secret
from bot.adapters.on_web.chat import WebChat
from bot.operation.health import serving
from bot.operation.readiness import Readiness
from bot.runtime.http_server import HttpServer, Limits
from bot.runtime.metrics import Metrics
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.adapters.tally import Tally
from tests.bot.servers import free_port

BAD = (
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
)
FEW = Limits(connections=20, head_s=30, answer_s=30)


@asynccontextmanager
async def health(limits: Limits) -> AsyncIterator[tuple[int, str]]:
    port = free_port()
    async with serving("127.0.0.1", port, Readiness(), Metrics(), limits=limits):
        yield port, "/healthz"


@asynccontextmanager
async def chat_page(limits: Limits) -> AsyncIterator[tuple[int, str]]:
    port = free_port()
    chat = WebChat(port=port, limits=limits)
    await chat.start(Tally(), MemoryStorage())
    try:
        yield port, "/app.js"
    finally:
        await chat.stop()


@asynccontextmanager
async def webhook(limits: Limits) -> AsyncIterator[tuple[int, str]]:
    port = free_port()
    hook = Webhook(telegram.Bot("1:a"), "http://bot.example/hook", f"127.0.0.1:{port}", lambda _: done(), limits)
    hook.accepts = True
    await hook.listen()
    try:
        yield port, "/hook"
    finally:
        await hook.close()


def done() -> asyncio.Future[None]:
    future = asyncio.get_running_loop().create_future()
    future.set_result(None)
    return future


PORTS = pytest.mark.parametrize("port", [health, chat_page, webhook])
Port = Callable[[Limits], Any]


class Wire:
    """A connection of a stranger."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def heard(self) -> bytes:
        """Return all that the other side sends until it ends the connection."""
        said = b""
        async with asyncio.timeout(20):
            with suppress(ConnectionResetError):
                while more := await self.reader.read(2**16):
                    said += more
        return said

    async def status(self) -> int:
        line = await asyncio.wait_for(self.reader.readline(), 20)
        assert line, "cut off without an answer"
        return int(line.split()[1])

    def close(self) -> None:
        self.writer.transport.abort()


Connect = Callable[..., Awaitable[Wire]]


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    wires: list[Wire] = []

    async def connect(port: int, said: bytes = b"", address: str = "127.0.0.1") -> Wire:
        wires.append(Wire(*await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))))
        wires[-1].writer.write(said)
        return wires[-1]

    yield connect
    for wire in wires:
        wire.close()
    await asyncio.sleep(0)


def good(path: str) -> bytes:
    """Return a request that is answered with 200."""
    if path == "/hook":
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{HEADER}: {secret('1:a')}\r\nContent-Length: 16\r\n\r\n"
        return head.encode() + b'{"update_id": 1}'
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


@asynccontextmanager
async def plain(answer: Callable[[web.Request], Awaitable[web.Response]], limits: Limits) -> AsyncIterator[int]:
    app, port = web.Application(), free_port()
    app.router.add_get("/", answer)
    server = HttpServer(app, limits)
    await server.listen("127.0.0.1", port)
    try:
        yield port
    finally:
        await server.close()


@PORTS
async def test_a_thousand_idle_connections_block_no_request(port: Port, connect: Connect) -> None:
    async with port(Limits(connections=50, head_s=60, answer_s=60)) as (number, path):
        for half in (b"", b"POST /hook HT", b"GET / HTTP/1.1\r\nHost: a", b"\r\n"):
            crowd = [await connect(number, half) for _ in range(250)]
            assert await (await connect(number, good(path))).status() == 200
            for person in crowd:
                person.close()


@PORTS
async def test_a_request_that_does_not_come_to_an_end_is_given_up(port: Port, connect: Connect) -> None:
    async with port(Limits(head_s=0.1, answer_s=0.1)) as (number, _):
        for half in (b"", b"POST /hook HTTP/1.1\r\nHost: localhost\r\nX-"):
            assert await (await connect(number, half)).heard() == b""


@PORTS
async def test_a_connection_is_one_request_and_says_so(port: Port, connect: Connect) -> None:
    async with port(FEW) as (number, path):
        answer = await (await connect(number, good(path) * 2)).heard()
    assert answer.count(b"HTTP/1.1 200") == 1
    assert b"\r\nConnection: close\r\n" in answer


async def test_a_body_that_does_not_come_to_an_end_is_given_up(connect: Connect) -> None:
    async with webhook(Limits(head_s=0.5)) as (number, path):
        answer = await (await connect(number, good(path)[:-1])).heard()
    assert answer.startswith(b"HTTP/1.1 408")


async def test_an_answer_that_is_not_read_is_dropped(connect: Connect) -> None:
    given_up = asyncio.Event()

    async def much(request: web.Request) -> web.Response:
        assert request.task is not None
        request.task.add_done_callback(lambda _: given_up.set())
        return web.Response(body=bytes(50_000_000))

    async with plain(much, Limits(answer_s=0.2)) as number:
        stuck = await connect(number, good("/"))
        await given_up.wait()
        assert len(await stuck.heard()) < 50_000_000


@PORTS
async def test_a_request_that_is_not_http_is_answered_and_not_logged(
    port: Port, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    async with port(FEW) as (number, path):
        caplog.clear()
        with caplog.at_level(logging.DEBUG):
            for said in BAD:
                assert (await (await connect(number, said)).heard()).split()[1].startswith(b"4"), said
        assert [record for record in caplog.records if record.name != "asyncio"] == []
        assert await (await connect(number, good(path))).status() == 200


async def test_one_client_address_cannot_take_all_connections(connect: Connect) -> None:
    opened, asked = asyncio.Event(), 0

    async def slow(_: web.Request) -> web.Response:
        nonlocal asked
        asked += 1
        await opened.wait()
        return web.Response()

    limits = Limits(connections=40, per_address=4, is_direct=lambda address: address != "127.0.0.1")
    async with plain(slow, limits) as number:
        greedy = []
        for count in range(10):
            greedy.append(await connect(number, good("/"), "127.0.0.9"))
            while asked <= min(count, 3):  # an idle client would give way
                await asyncio.sleep(0.01)
        proxy = [await connect(number, good("/")) for _ in range(10)]
        other = await connect(number, good("/"), "127.0.0.10")
        refused = [await connection.heard() for connection in greedy[4:]]
        while asked < 4 + 10 + 1:
            await asyncio.sleep(0.01)
        opened.set()
        served = [(await connection.heard()).startswith(b"HTTP/1.1 200") for connection in (*greedy, *proxy, other)]
    assert refused == [b""] * 6
    assert served == [True] * 4 + [False] * 6 + [True] * 11


async def test_that_there_are_too_many_connections_is_logged_once(
    connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    async with health(Limits(connections=5)) as (number, path):
        for _ in range(50):
            await connect(number)
        assert await (await connect(number, good(path))).status() == 200
    assert len([record for record in caplog.records if "too many connections" in record.message]) == 1


@pytest.mark.parametrize("path", ["/metrics", "/healthz", "/readyz"])
async def test_figures_are_read_under_names_of_this_machine_only(path: str, connect: Connect) -> None:
    number = free_port()
    async with serving("127.0.0.1", number, Readiness(), Metrics(), names=("kaleidobot",)):
        for name, fine in (("10.2.3.4:9464", True), ("Kaleidobot:9464", True), ("evil.example", False), ("", False)):
            answer = await connect(number, f"GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
            assert (await answer.status() != 421) == fine
        assert await (await connect(number, f"GET {path} HTTP/1.0\r\n\r\n".encode())).status() != 421, "no browser"
