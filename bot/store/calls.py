"""Calls to the server: each is retried while the server cannot answer, and scripts are known by their file names."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from bot.runtime.metrics import Metrics
from bot.runtime.retry import STORE
from bot.store import StoreDown, client
from bot.store.address import Address, ServerKind

T = TypeVar("T")
Argument = str | bytes | int | float
Script = Callable[[tuple[str, ...], tuple[Argument, ...]], Awaitable[object]]
"""Run a script with these keys and arguments."""

_RETRY = Retry(ExponentialBackoff(STORE.longest_s, STORE.first_s / 2), -1, (exceptions.RedisError,))
"""Retries without a limit on their number: `Calls.patiently` limits their time."""

FULL_S = 2.0
"""Time of all retries of a call, in seconds, if the server's memory or disk is full."""


class Calls:
    """The calls to the server at *address*. Each may raise StoreDown.

    *timeout_s* limits the wait for one answer, *patience_s* the time of all retries of a call.
    """

    def __init__(self, address: Address, timeout_s: float, patience_s: float, metrics: Metrics) -> None:
        self.client = client.connect(address, timeout_s)
        self._address = address
        self._patience_s = patience_s
        self._metrics = metrics
        self._free_connections = asyncio.Semaphore(client.CONNECTIONS)
        self._failover = client.failover(self.client)

    def begin(self) -> None:
        """Follow failovers, if the address names Sentinels."""
        if self._failover is not None:
            self._failover.begin()

    async def close(self) -> None:
        if self._failover is not None:
            await self._failover.end()
        await client.close(self.client)

    def script(self, name: str) -> Script:
        """Return the script *name*.lua. A server that does not know it yet, as a promoted replica, gets it."""
        script = self.client.register_script(_source(name))

        async def run(keys: tuple[str, ...], arguments: tuple[Argument, ...]) -> object:
            return await self.patiently(lambda: script(keys, arguments))

        return run

    async def patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return the result of *call*, retried while the store cannot answer. Raises StoreDown after *patience_s*.

        A full store is given up after `FULL_S`: it will not empty itself, and a person waits for an answer.

        The server may have executed an attempt whose answer was lost, so each call has to be idempotent.
        """
        clock = asyncio.get_running_loop().time
        begun_s = clock()

        def may_retry(error: Exception) -> bool:
            is_full = isinstance(error, exceptions.OutOfMemoryError) or str(error).startswith("MISCONF")
            patience_s = min(self._patience_s, FULL_S) if is_full else self._patience_s
            return _is_temporary(error) and clock() - begun_s < patience_s

        try:
            return await _RETRY.call_with_retry(lambda: self._attempt(call), self._failed, may_retry)
        except (exceptions.AuthenticationError, exceptions.AuthorizationError) as error:
            raise self._down("refuses the user or password") from error
        except exceptions.NoPermissionError as error:
            raise self._down(f"lets this user do too little: {error}") from error
        except exceptions.MovedError as error:
            raise self._down(_IN_CLUSTER) from error
        except exceptions.InvalidResponse as error:
            raise self._down("is not a Redis or Valkey server") from error
        except exceptions.ResponseError as error:
            if "DB index" in str(error):  # also "invalid DB index"
                raise self._down(f"has no database {self._address.db}") from error
            if self._address.kind is ServerKind.NODE and str(error).startswith(_OF_CLUSTERS):
                raise self._down(_IN_CLUSTER) from error
            if str(error).startswith(_NOT_UNDERSTOOD):
                raise self._down("does not understand the bot: it has to be Redis 7.0, Valkey 7.2, or newer") from error
            if not _is_temporary(error):
                raise
            raise self._down(f"cannot work now: {error}") from error
        except exceptions.RedisError as error:
            if not _is_temporary(error):
                raise
            raise self._down(f"does not answer: {error}") from error

    async def pipelined(self, fill: Callable[[Any], object]) -> list[Any]:
        """Return the answers to all commands that *fill* puts into a pipeline, in one round trip; see `patiently`."""

        def call() -> Awaitable[list[Any]]:
            return self._piped(fill)

        return await self.patiently(call)

    async def refusal(self, fill: Callable[[Any], object]) -> str:
        """Return why the server refuses commands that *fill* puts into a pipeline, in a few words, or "".

        Nothing is retried, except once after a connection that was lost meanwhile. Raises StoreDown.
        """
        for is_last in (False, True):
            try:
                await self._attempt(lambda: self._piped(fill))
            except (exceptions.ConnectionError, exceptions.TimeoutError) as error:
                if is_last:
                    raise StoreDown(f"the store at {self._address} does not answer") from error
            except exceptions.RedisError as error:
                return self._refused(error)
            else:
                break
        return ""

    def _refused(self, error: exceptions.RedisError) -> str:
        match error:
            case exceptions.OutOfMemoryError():
                return "its memory is full"
            case exceptions.ReadOnlyError():
                return "is a replica"
            case exceptions.MovedError() | exceptions.ClusterError() if self._address.kind is ServerKind.NODE:
                return "is part of a Cluster, but not addressed as one"
            case exceptions.ResponseError() if str(error).startswith("MISCONF"):
                return "its disk takes no writes"
            case exceptions.ResponseError() if str(error).startswith("NOREPLICAS"):
                return "has too few replicas"
            case _:
                return "refuses writes"

    async def _piped(self, fill: Callable[[Any], object]) -> list[Any]:
        """Return all answers of a pipeline. Raises the first error as the server sent it: redis-py would put the
        command before its code."""
        pipeline = self.client.pipeline(transaction=False)
        fill(pipeline)
        answers: list[Any] = await pipeline.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    async def _attempt(self, call: Callable[[], Awaitable[T]]) -> T:
        """Await *call* on a free connection. Raises RedisError for every trouble with the server."""
        async with self._free_connections:
            if self._failover is not None:
                await self._failover.ready()
            begun = perf_counter()
            try:
                answer = await call()
            except (OSError, exceptions.RedisClusterException) as error:
                raise exceptions.ConnectionError(str(error)) from error
            except AttributeError as error:
                if error.obj is None and error.name in _STREAM_METHODS:
                    raise exceptions.ConnectionError("the connection was closed") from error
                raise
            self._metrics.store_seconds.observe(perf_counter() - begun)
            return answer

    async def _failed(self, error: Exception) -> None:
        self._metrics.store_errors.labels("again").inc()
        if isinstance(error, exceptions.ReadOnlyError):
            await client.refresh(self.client)

    def _down(self, reason: str) -> StoreDown:
        self._metrics.store_errors.labels("given_up").inc()
        return StoreDown(f"the store at {self._address} {self._address.without_secrets(reason)}")


@cache
def _source(name: str) -> str:
    return Path(__file__).with_name(f"{name}.lua").read_text(encoding="utf-8")


_IN_CLUSTER = "is part of a Cluster: its address has to begin with redis+cluster:// or rediss+cluster://"
_OF_CLUSTERS = ("CLUSTERDOWN", "The cluster is down", "Hash slot not served", "CROSSSLOT", "Keys in request")
_NOT_UNDERSTOOD = ("unknown command", "wrong number of arguments", "NOPROTO", "syntax error")
"""Beginnings of error replies; redis-py removes the codes of some."""
_UNAVAILABLE = ("MISCONF", "NOREPLICAS", "BUSY", "UNKILLABLE", "LOADING", "MASTERDOWN")
"""Prefixes of error replies of a server that cannot work now: a full disk, missing replicas, a script that hangs."""


_STREAM_METHODS = ("writelines", "write", "drain", "close", "read", "readuntil", "readexactly", "readline", "feed")
"""redis-py calls these on None if another task closed the connection, for example in a failover, between redis-py's
check and its use."""


def _is_temporary(error: Exception) -> bool:
    """Return whether the circumstances caused *error*, and not the call itself."""
    match error:
        case exceptions.AuthenticationError() | exceptions.AuthorizationError():
            return False
        case exceptions.ReadOnlyError() | exceptions.OutOfMemoryError() | exceptions.TryAgainError():
            return True
        case exceptions.ConnectionError() | exceptions.TimeoutError() | exceptions.ClusterError():
            return True
        case exceptions.ResponseError():
            return str(error).startswith(_UNAVAILABLE)
        case _:
            return False
