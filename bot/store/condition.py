"""The condition of a store, as far as its permissions allow to ask: does it persist games? Nothing is changed."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace
from redis import exceptions
from redis.asyncio import Redis, RedisCluster

from bot.runtime.metrics import Metrics
from bot.store import client, keys
from bot.store.address import Address, ServerKind
from bot.store.calls import Calls


class Condition(Struct, frozen=True):
    """The condition of one server, or the worst values of all masters of a Cluster.

    *restoring*: a restore is running or was interrupted. *is_readable*: the following values are known. *clock_s*: how
    far its clock is ahead of ours in seconds, None if unknown. *policy*: its maxmemory-policy. *full*: the used share
    of its memory limit (0 to 1), None without a limit. *writes_down*: it writes every change to a file. *troubled*: its
    last write to the disk failed. *replica*: it accepts no writes. *version*: its name and version, if known.
    """

    restoring: bool
    is_readable: bool = False
    clock_s: float | None = None
    policy: str = "noeviction"
    full: float | None = None
    writes_down: bool = True
    troubled: bool = False
    replica: bool = False
    version: str = ""


async def condition(address: Address, timeout_s: float) -> Condition:
    """Return the condition of the store at *address*; wait at most *timeout_s* per answer. Raises StoreDown."""
    calls = Calls(address, timeout_s, timeout_s, Metrics())
    calls.begin()
    try:
        restoring = bool(await calls.patiently(lambda: calls.client.exists(keys.RESTORING)))
        await calls.patiently(lambda: calls.client.eval("return 1", 1, keys.RESTORING))  # does it run scripts?
        answers = await of_servers(calls.client, address, timeout_s)
    finally:
        await calls.close()
    return together(answers, restoring=restoring)


Answer = tuple[float | None, Mapping[str, Any]]
"""How far a server's clock is ahead of ours in seconds, and its INFO; None and an empty mapping if unknown."""


async def of_servers(connected: client.Client, address: Address, timeout_s: float) -> list[Answer]:
    """Return the answer of the server at *address*, or of every master of a Cluster."""
    if not isinstance(connected, RedisCluster):
        return [await _of(connected)]
    masters = [(node.host, node.port) for node in connected.get_primaries()]
    return [await _of_node(replace(address, kind=ServerKind.NODE, nodes=(master,)), timeout_s) for master in masters]


async def _of_node(address: Address, timeout_s: float) -> Answer:
    node = client.connect(address, timeout_s)
    try:
        return await _of(cast("Redis", node))
    finally:
        await client.close(node)


async def _of(node: Redis) -> Answer:
    try:
        asked_s = time.time()
        seconds, micros = await node.time()
        ahead = seconds + micros / 1_000_000 - (asked_s + time.time()) / 2
    except (exceptions.RedisError, OSError):
        return None, {}
    try:
        return ahead, await node.info()
    except (exceptions.RedisError, OSError):
        return ahead, {}


def together(answers: Sequence[Answer], *, restoring: bool = False) -> Condition:
    """Combine the answers of the servers."""
    clocks = [ahead for ahead, _ in answers if ahead is not None]
    infos = [info for _, info in answers]
    limits = [info["used_memory"] / info["maxmemory"] for info in infos if info.get("maxmemory")]
    policies = {info.get("maxmemory_policy", "noeviction") for info in infos} - {"noeviction"}
    return Condition(
        restoring=restoring,
        is_readable=all(infos),
        clock_s=max(clocks, key=abs, default=None),
        policy=min(policies, default="noeviction"),
        full=max(limits, default=None),
        writes_down=all(info.get("aof_enabled", 1) for info in infos),
        troubled=any(
            "err" in (info.get("aof_last_write_status"), info.get("rdb_last_bgsave_status")) for info in infos
        ),
        replica=any(info.get("role") == "slave" for info in infos),
        version=next(iter(sorted(map(_version, infos))), ""),
    )


def _version(info: Mapping[str, Any]) -> str:
    """Return the name and version of a server.

    >>> _version({"server_name": "valkey", "valkey_version": "9.1.0", "redis_version": "7.2.4"})
    'Valkey 9.1.0'
    """
    if "valkey_version" in info:
        return f"Valkey {info['valkey_version']}"
    return f"Redis {info['redis_version']}" if "redis_version" in info else ""
