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
"""At most so many connections to a node."""
DRIVER = DriverInfo()
"""What each connection says of this library; left to itself, redis-py reads its own package's description for it every
time."""


def connect(address: Address, timeout_s: float) -> Client:
    """A client for *address* that gives up waiting for an answer after *timeout_s*. Nothing is connected yet.

    It does not retry: the store does, for as long as its patience lasts, whatever the kind of client.
    """
    patience: dict[str, Any] = {
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        "retry": Retry(NoBackoff(), 0),
        "driver_info": DRIVER,
        "protocol": 2,  # enough for us, and a new connection is ready one exchange earlier
    }
    tls: dict[str, Any] = {"ssl": address.tls, **_checks(address)}
    signed = {**patience, "username": address.user, "password": address.password, "max_connections": CONNECTIONS}
    match address.kind:
        case ServerKind.NODE if address.socket is not None:
            return Redis(unix_socket_path=address.socket, db=address.db, **signed)
        case ServerKind.NODE:
            host, port = address.nodes[0]
            return Redis(host=host, port=port, db=address.db, **signed, **tls)
        case ServerKind.SENTINEL:
            asked = {"username": address.sentinel_user, "password": address.sentinel_password}
            asking = {**patience, **asked, **tls}
            sentinels = Sentinel(address.nodes, sentinel_kwargs=asking)  # type: ignore[no-untyped-call]  # as redis-py has it
            master: Redis = sentinels.master_for(str(address.service), db=address.db, **signed, **tls)
            return master
        case ServerKind.CLUSTER:
            nodes = [ClusterNode(host, port) for host, port in address.nodes]
            return RedisCluster(startup_nodes=nodes, **signed, **tls)


def _checks(address: Address) -> dict[str, Any]:
    """How it is made sure that a server is the one that is meant."""
    if not address.tls:
        return {}
    if not address.verify:
        return {"ssl_cert_reqs": "none", "ssl_check_hostname": False}
    return {"ssl_ca_certs": address.ca}


async def refresh(client: Client) -> None:
    """Drop the idle connections, so that the next one goes to whoever is the master now."""
    if isinstance(client, Redis):
        await client.connection_pool.disconnect(inuse_connections=False)


def failover(client: Client) -> Failover | None:
    """What follows failovers, where Sentinels tell of them."""
    pool = client.connection_pool if isinstance(client, Redis) else None
    return Failover(pool) if isinstance(pool, SentinelConnectionPool) else None


async def close(client: Client) -> None:
    await client.aclose()
    if isinstance(client, Redis) and isinstance(client.connection_pool, SentinelConnectionPool):
        await client.connection_pool.sentinel_manager.aclose()
