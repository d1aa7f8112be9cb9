"""Servers of other kinds than the bot's own, for tests: on TCP ports, with options; and a wire that loses answers."""

import asyncio
import socket
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import SystemRandom

import aiohttp
from redis import Redis

from bot.store.embedded import program

LUCK = SystemRandom()
"""A random source that differs in each process even after an equal seed."""


class Server:
    """A server on a TCP port of this machine."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], password: str | None) -> None:
        self.port = port
        self.process = process
        self.raw = Redis(port=port, password=password, decode_responses=True)

    def ask(self, *words: str | int) -> object:
        """Return the server's answer to a command."""
        answer: object = self.raw.execute_command(*words)  # type: ignore[no-untyped-call]  # as redis-py has it
        return answer


def wait_for(condition: Callable[[], bool]) -> None:
    """Return when *condition* holds, however long it takes; pytest knows when it takes too long."""
    while not condition():
        time.sleep(0.01)


def free_port() -> int:
    """Return a port that no process listens on, outside of the range from which the system assigns ports: otherwise
    another test could get it before it is used."""
    while True:
        port = LUCK.randrange(12_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(8).startswith((b"+PONG", b"-NOAUTH"))
    return False


@contextmanager
def serving(
    directory: Path, settings: str = "", *, password: str | None = None, sentinel: bool = False
) -> Iterator[Server]:
    """Yield a server with its files in *directory*; it persists nothing unless *settings* (lines of its file) say
    so."""
    directory.mkdir(exist_ok=True)
    file = directory / "server.conf"
    own = f'dir "{directory}"\nbind 127.0.0.1\n' + ("" if sentinel else 'save ""\n')
    secret = f'requirepass "{password}"\n' if password else ""
    while True:  # another process may take the port before the server does
        port = free_port()
        file.write_text(f"{own}{secret}port {port}\n{settings}")
        with (directory / "server.log").open("wb") as log:
            process = subprocess.Popen([program(), file, *(["--sentinel"] * sentinel)], stdout=log, stderr=log)
        while process.poll() is None and not _answers(port):
            time.sleep(0.005)
        if process.poll() is None:
            break
    server = Server(port, process, password)
    try:
        yield server
    finally:
        server.raw.close()
        process.kill()
        process.wait()


class Wire:
    """A proxy between clients and a server that drops answers on request."""

    def __init__(self, target: Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]) -> None:
        self._target = target
        self._losing: tuple[bytes, Callable[[], Awaitable[object]]] | None = None
        self._carried: set[asyncio.Task[None]] = set()
        self.silent = False
        self.lost = 0

    def lose_answer(self, to: bytes, meanwhile: Callable[[], Awaitable[object]]) -> None:
        """Cut the next connection whose request contains *to*, after the server has answered and *meanwhile* has
        happened."""
        self._losing = (to, meanwhile)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carried.add(task)
        cut: Callable[[], Awaitable[object]] | None = None
        try:
            far_reader, far_writer = await self._target()
        except BaseException:  # the wire is cut while it reaches for the server
            writer.close()
            self._carried.discard(task)
            raise

        async def asked() -> None:
            nonlocal cut
            while heard := await reader.read(1 << 16):
                if self.silent:
                    continue
                if self._losing is not None and self._losing[0] in heard:
                    cut, self._losing = self._losing[1], None
                far_writer.write(heard)

        async def answered() -> None:
            while heard := await far_reader.read(1 << 16):
                if cut is not None:
                    await cut()
                    self.lost += 1
                    return
                writer.write(heard)

        try:
            both = [asyncio.ensure_future(asked()), asyncio.ensure_future(answered())]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for server in both:
                server.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            for end in (writer, far_writer):
                end.close()
                with suppress(OSError):
                    await end.wait_closed()
            self._carried.discard(task)

    async def close(self) -> None:
        for task in tuple(self._carried):
            task.cancel()
        await asyncio.gather(*self._carried, return_exceptions=True)


@asynccontextmanager
async def wired(near: Path, far: str) -> AsyncIterator[Wire]:
    """Yield a wire from the socket *near* to the socket *far*."""
    wire = Wire(lambda: asyncio.open_unix_connection(far))
    async with await asyncio.start_unix_server(wire.carry, near):
        yield wire
        await wire.close()
    await asyncio.sleep(0)  # connections accepted at the last moment are handled only now
    await wire.close()


@asynccontextmanager
async def secured(port: int, certificate: Path) -> AsyncIterator[int]:
    """Serve TLS in front of the server on *port*, like a hosted store, and return its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    wire = Wire(lambda: asyncio.open_connection("127.0.0.1", port))
    async with await asyncio.start_server(wire.carry, "127.0.0.1", 0, ssl=context) as listening:
        yield int(listening.sockets[0].getsockname()[1])
        await wire.close()


async def page(url: str, **headers: str) -> tuple[int, str]:
    """Return the status and text of a page, requested with these *headers*."""
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as answer:
        return answer.status, await answer.text()
