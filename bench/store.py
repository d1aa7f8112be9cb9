"""The cost of the store: a step loads a table of 2.5 KB with the end of its log, and saves the next revision.

    python -m bench.store [SECONDS]

Fifty clients step at once, each at a table of its own, through `bot.store.store.Store`, and in alternating short slices
through redis-py alone: the same two scripts with prepared bytes, so nothing is encoded, decoded or retried. A store
caches the tables that it loaded or saved; a step at tables that always another process saved is measured as well.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis

from bench import Row
from bot.chat import PersonId, PlaceId, UpdateId
from bot.store import documents, keys
from bot.store.embedded import Embedded
from bot.store.store import RECENT, SEEN_MS, Store
from bot.tables.table import Entry, Phase, Seat, Table, TableId
from rules import News

STORE, BARE, FOREIGN = "bot.store", "redis-py, same scripts", "bot.store, other's table"
CLIENTS = 50
SLICE_S = 0.5
NOW_MS = 1_767_614_400_000
TTL: dict[str, Any] = {"now_ms": NOW_MS, "repost_ms": NOW_MS + 30_000, "due_ms": NOW_MS + 86_400_000}

Step = Callable[[int], Awaitable[None]]


class Cost(Struct):
    """Totals of some steps: seconds on the clock, CPU seconds of the client and the server, and bytes sent."""

    steps: int = 0
    elapsed_s: float = 0.0
    client_s: float = 0.0
    server_s: float = 0.0
    bytes_sent: int = 0

    @property
    def per_second(self) -> float:
        return self.steps / self.elapsed_s

    def __str__(self) -> str:
        us_per_step = 1_000_000 / self.steps
        return (
            f"{self.per_second:8.0f} steps/s   client {us_per_step * self.client_s:5.0f} us CPU   "
            f"server {us_per_step * self.server_s:5.0f} us CPU   {self.bytes_sent / self.steps:7.0f} bytes a step"
        )


def table_of(number: int) -> Table:
    """Return a table of four in the middle of a game, 2.5 KB as JSON."""
    cells = [[row * column % 7, (row + column) % 5, -1] for row in range(10) for column in range(15)]
    state = {"cells": cells, "hands": [list(range(12))] * 4, "actor": 2, "seed": "0f" * 16, "counter": 412}
    return Table(
        id=TableId(f"table{number:03}"),
        game="crystalla",
        place=PlaceId("discord:1130239477321490493"),
        host=PersonId("discord:80351110224678912"),
        lang="en",
        created_ms=NOW_MS,
        seed="0f" * 16,
        salt="f0" * 16,
        phase=Phase.RUNNING,
        options={"speed": "normal", "hints": "on"},
        seats=tuple(Seat(PersonId(f"discord:8035111022467891{seat}"), f"Person {seat}", "en") for seat in range(4)),
        state=msgspec.Raw(msgspec.json.encode(state)),
    )


def entry_of(revision: int) -> Entry:
    news = (News("takes", revision % 4, (("source", "b3"), ("target", "c4"))),)
    return Entry(revision, revision % 4, "b3-c4", NOW_MS + revision, turn=revision, news=news)


def through_store(store: Store, first: int) -> Step:
    """Return a step at the tables from number *first* on."""

    async def step(number: int) -> None:
        number += first
        loaded = await store.load(TableId(f"table{number:03}"))
        assert loaded is not None
        revision = loaded.table.revision + 1
        update = UpdateId(f"discord:{number}:{revision}")
        table = replace(loaded.table, revision=revision)
        await store.save(table, (entry_of(revision),), update, before=loaded.save, **TTL, expire_ms=None)

    return step


def through_redis(client: Redis) -> Step:
    folder = Path(documents.__file__).parent
    load = client.register_script((folder / "load.lua").read_text(encoding="utf-8"))
    save = client.register_script((folder / "save.lua").read_text(encoding="utf-8"))
    revisions = [0] * CLIENTS
    names = [f"baretab{number}" for number in range(CLIENTS)]
    shards = [keys.shard(TableId(name)) for name in names]
    tables = [keys.of_table(TableId(name), shard) for name, shard in zip(names, shards, strict=True)]
    saved = [
        (*table, keys.DUE[shard], keys.UNPOSTED[shard], keys.URGENT[shard], keys.RUNNING[shard])
        for table, shard in zip(tables, shards, strict=True)
    ]
    document, entry = documents.encoded(replace(table_of(0), revision=1000)), documents.encoded(entry_of(1000))
    rest = (TTL["repost_ms"], TTL["due_ms"], "", SEEN_MS, "*", "", 0, "", "", 0, entry)

    async def step(number: int) -> None:
        revisions[number] = revision = revisions[number] + 1
        await load(tables[number][:2], (RECENT,))
        update, name = f"discord:{number}:{revision}", f"{number}:{revision}"
        assert await save(saved[number], (names[number], revision, document, 1, update, name, *rest)) == 0

    return step


async def _slice(step: Step, clients: int, seconds: float, client: Redis, cost: Cost) -> None:
    """Let *clients* step for *seconds*, and add their cost to *cost*."""
    before, began, used = await _server(client), perf_counter(), process_time()

    async def work(number: int) -> int:
        steps = 0
        while perf_counter() - began < seconds:
            await step(number)
            steps += 1
        return steps

    cost.steps += sum(await asyncio.gather(*map(work, range(clients))))
    cost.elapsed_s += perf_counter() - began
    cost.client_s += process_time() - used
    after = await _server(client)
    cost.server_s += after[0] - before[0]
    cost.bytes_sent += after[1] - before[1]


async def _server(client: Redis) -> tuple[float, int]:
    """Return the server's CPU seconds, and its bytes in and out."""
    info = await client.info()
    cpu = float(info["used_cpu_user"]) + float(info["used_cpu_sys"])
    return cpu, int(info["total_net_input_bytes"]) + int(info["total_net_output_bytes"])


async def measure(seconds: float, clients: int = CLIENTS, warm_up: int = RECENT) -> dict[str, Cost]:
    """Return the costs of steps through STORE, BARE and FOREIGN, each measured for about *seconds*.

    *warm_up*: steps before, so that each log is as long as the part of it that is loaded.
    """
    with tempfile.TemporaryDirectory() as directory:
        async with Embedded(Path(directory)) as server:
            store = await Store.open(server.url)
            client = Redis(unix_socket_path=server.url.removeprefix("unix://"), protocol=2)
            foreign = await Store.open(server.url, known=1)
            for number in range(2 * clients):
                await store.save(replace(table_of(number), revision=1), (), None, before="", **TTL, expire_ms=None)
            steps = {
                STORE: through_store(store, 0),
                BARE: through_redis(client),
                FOREIGN: through_store(foreign, clients),
            }
            for step in steps.values():
                for _ in range(warm_up):
                    await asyncio.gather(*map(step, range(clients)))
            costs = {name: Cost() for name in steps}
            for _ in range(max(1, round(seconds / SLICE_S))):
                for name, step in steps.items():
                    await _slice(step, clients, min(seconds, SLICE_S), client, costs[name])
            await client.aclose()
            await foreign.close()
            await store.close()
    return costs


def rows(*, small: bool = False) -> Iterator[Row]:
    costs = asyncio.run(measure(0.05, 2, 1) if small else measure(5.0))
    per_second = costs[STORE].per_second
    ratio = f"{per_second / costs[BARE].per_second:.2f} of the bare scripts"
    yield f"store step, {CLIENTS} clients", f"{per_second:,.0f}/s", ratio, "≥ 0.7"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    costs = asyncio.run(measure(seconds))
    for name, cost in costs.items():
        print(f"{name:26}{cost}")
    for name in (STORE, FOREIGN):
        print(f"{name}: {costs[name].per_second / costs[BARE].per_second:.2f} of the bare scripts' steps a second")


if __name__ == "__main__":
    main()
