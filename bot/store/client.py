"""The redis client for an address: a node, the master that Sentinels name, or a Cluster."""

from typing import Any

from redis.asyncio import Redis, RedisCluster, Sentinel
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.driver_info import DriverInfo

from bot.store.address import Address, ServerKind
from bot.store.failover import Failover

Client = Redis | RedisCluster

CONNECTIONS = 64
"""Limit of the connections to a node."""
DRIVER = DriverInfo()
"""Sent by each connection. Without it, redis-py reads its package metadata for every connection."""


def connect(address: Address, timeout_s: float) -> Client:
    """Return a client for *address* with a time limit of *timeout_s* per answer. It is not connected yet.

    It does not retry; `bot.store.calls.Calls` does, for all kinds of clients.
    """
    patience: dict[str, Any] = {
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        "retry": Retry(NoBackoff(), 0),
        "driver_info": DRIVER,
        "protocol": 2,  # version 3 needs another round trip per connection
    }
    tls: dict[str, Any] = {"ssl": address.tls, **_checks(address)}
    options = {**patience, "username": address.user, "password": address.password, "max_connections": CONNECTIONS}
    match address.kind:
        case ServerKind.NODE if address.socket is not None:
            return Redis(unix_socket_path=address.socket, db=address.db, **options)
        case ServerKind.NODE:
            host, port = address.nodes[0]
            return Redis(host=host, port=port, db=address.db, **options, **tls)
        case ServerKind.SENTINEL:
            credentials = {"username": address.sentinel_user, "password": address.sentinel_password}
            sentinel_options = {**patience, **credentials, **tls}
            sentinels = Sentinel(address.nodes, sentinel_kwargs=sentinel_options)  # type: ignore[no-untyped-call]  # as redis-py has it
            master: Redis = sentinels.master_for(str(address.service), db=address.db, **options, **tls)
            return master
        case ServerKind.CLUSTER:
            nodes = [ClusterNode(host, port) for host, port in address.nodes]
            return RedisCluster(startup_nodes=nodes, **options, **tls)


def _checks(address: Address) -> dict[str, Any]:
    """Return the options for the verification of certificates."""
    if not address.tls:
        return {}
    if not address.verify:
        return {"ssl_cert_reqs": "none", "ssl_check_hostname": False}
    return {"ssl_ca_certs": address.ca}


async def refresh(client: Client) -> None:
    """Close idle connections, so that the next one goes to the current master."""
    if isinstance(client, Redis):
        await client.connection_pool.disconnect(inuse_connections=False)


def failover(client: Client) -> Failover | None:
    """Return the follower of failovers, or None without Sentinels."""
    pool = client.connection_pool if isinstance(client, Redis) else None
    return Failover(pool) if isinstance(pool, SentinelConnectionPool) else None


async def close(client: Client) -> None:
    await client.aclose()
    if isinstance(client, Redis) and isinstance(client.connection_pool, SentinelConnectionPool):
        await client.connection_pool.sentinel_manager.aclose()
