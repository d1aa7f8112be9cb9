"""Servers that can be killed and restarted on the same port, and a proxy that can delay or hold traffic."""

import asyncio
import resource
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from bot.store.embedded import program
from tests.bot.servers import free_port

PATIENCE_S = 30.0
DURABLE = 'appendonly yes\nappendfsync everysec\nsave ""\n'
"""Settings as in ``docs/scaling.md``: if only the server dies, nothing is lost."""


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Return when *condition* holds; ignore a server that does not answer yet."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with suppress(RedisError, OSError):
            if condition():
                return
        time.sleep(0.05)
    raise AssertionError(f"timeout: {what}")


class Node:
    """A server with its own folder and port, which can start several times."""

    def __init__(self, folder: Path, settings: str, *, sentinel: bool = False) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.port = free_port()
        self._sentinel = sentinel
        self._file = folder / "server.conf"
        self._file.write_text(f'dir "{folder}"\nbind 127.0.0.1\nport {self.port}\n{settings}')
        self._process: subprocess.Popen[bytes] | None = None
        self._raw = Redis(port=self.port, decode_responses=True, socket_timeout=5)

    def ask(self, *words: str | int) -> object:
        answer: object = self._raw.execute_command(*words)  # type: ignore[no-untyped-call]  # as redis-py has it
        return answer

    def listed(self, *words: str | int) -> list[object]:
        result = self.ask(*words)
        assert isinstance(result, list)
        return result

    def info(self, section: str) -> dict[str, object]:
        answer: dict[str, object] = self._raw.info(section)
        return answer

    def start(self) -> None:
        """Start with the data of the folder. SIGXFSZ is ignored, so a full disk is an error and not the end."""
        words = [str(program()), str(self._file), *(["--sentinel"] * self._sentinel)]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(words, stdout=log, stderr=log, restore_signals=False)
        wait_for(self._raw.ping, "the server answers")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def fill_disk(self, room: int = 2000) -> None:
        """Limit the growth of its files to *room* bytes."""
        assert self._process is not None
        largest = max(path.stat().st_size for path in self.folder.rglob("*.aof"))
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (largest + room, resource.RLIM_INFINITY))

    def free_disk(self) -> None:
        assert self._process is not None
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def close(self) -> None:
        self._raw.close()
        if self._process is not None and self._process.poll() is None:
            self.kill()


@contextmanager
def one_node(folder: Path, settings: str = DURABLE) -> Iterator[Node]:
    node = Node(folder / "store", settings)
    try:
        node.start()
        yield node
    finally:
        node.close()


@contextmanager
def under_sentinels(folder: Path) -> Iterator[tuple[Node, Node, Node]]:
    """Start a primary, a replica and three Sentinels; yield primary, replica and the first Sentinel."""
    with ExitStack() as stack:

        def begun(name: str, settings: str, *, sentinel: bool = False) -> Node:
            node = Node(folder / name, settings, sentinel=sentinel)
            stack.callback(node.close)
            node.start()
            return node

        primary = begun("primary", f"{DURABLE}repl-diskless-sync-delay 0\n")
        replica = begun("replica", f"{DURABLE}repl-diskless-sync-delay 0\nreplicaof 127.0.0.1 {primary.port}\n")
        watches = (
            f"sentinel monitor games 127.0.0.1 {primary.port} 2\n"
            "sentinel down-after-milliseconds games 1000\nsentinel failover-timeout games 6000\n"
        )
        sentinels = [begun(f"sentinel{number}", watches, sentinel=True) for number in range(3)]
        wait_for(lambda: replica.info("replication")["master_link_status"] == "up", "the replica follows")
        for asked, count in (("REPLICAS", 1), ("SENTINELS", 2)):
            wait_for(
                lambda: all(len(sentinel.listed("SENTINEL", asked, "games")) == count for sentinel in sentinels),  # noqa: B023
                f"all Sentinels see {asked}",
            )
        yield primary, replica, sentinels[0]


@contextmanager
def clustered(folder: Path) -> Iterator[tuple[Node, Node, Node]]:
    """Start a Cluster of three primaries; yield the first one, its replica, and another primary."""
    with ExitStack() as stack:
        nodes, buses = [], []
        for name in ("one", "two", "three", "replica"):
            buses.append(free_port())
            settings = f"{DURABLE}cluster-enabled yes\ncluster-node-timeout 2000\nrepl-diskless-sync-delay 0\n"
            nodes.append(Node(folder / name, f"{settings}cluster-port {buses[-1]}\n"))
            stack.callback(nodes[-1].close)
            nodes[-1].start()
        one, two, three, replica = nodes
        for node, first, last in ((one, 0, 5460), (two, 5461, 10922), (three, 10923, 16383)):
            node.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
        for node, bus in zip(nodes[1:], buses[1:], strict=True):
            one.ask("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        wait_for(lambda: all("known_nodes:4" in str(node.ask("CLUSTER", "INFO")) for node in nodes), "all nodes meet")
        replica.ask("CLUSTER", "REPLICATE", str(one.ask("CLUSTER", "MYID")))
        wait_for(lambda: replica.info("replication").get("master_link_status") == "up", "the replica follows")
        wait_for(lambda: all("state:ok" in str(node.ask("CLUSTER", "INFO")) for node in nodes), "the Cluster is well")
        yield one, replica, two


class Way:
    """A proxy between clients and a server. *delay_s*: delay of all data. *silent*: hold all data."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.delay_s = 0.0
        self.silent = False

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        ends = {writer, far_writer}
        self._open |= ends

        async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while heard := await source.read(1 << 16):
                await asyncio.sleep(self.delay_s)
                while self.silent:
                    await asyncio.sleep(0.05)
                target.write(heard)

        both = [asyncio.ensure_future(pump(reader, far_writer)), asyncio.ensure_future(pump(far_reader, writer))]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for server in both:
            server.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        for end in ends:
            end.close()
        self._open -= ends

    def cut(self) -> None:
        """Abort all connections."""
        for connection in self._open:
            connection.transport.abort()


@asynccontextmanager
async def on_the_way(port: int) -> AsyncIterator[Way]:
    way = Way(port)
    async with await asyncio.start_server(way.carry, "127.0.0.1", 0) as listening:
        way.port = int(listening.sockets[0].getsockname()[1])
        yield way
        way.silent = False
        way.cut()
