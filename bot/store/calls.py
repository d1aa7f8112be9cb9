"""Calls to the server: every one is tried again for a while, and scripts are known by the names of their files."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from hashlib import sha1
from itertools import count
from pathlib import Path
from typing import TypeVar

from redis import exceptions

from bot.runtime.metrics import Metrics
from bot.runtime.retry import STORE
from bot.store import StoreDown, client
from bot.store.address import Address

T = TypeVar("T")
Argument = str | bytes | int | float
Script = Callable[[tuple[str, ...], tuple[Argument, ...]], Awaitable[object]]
"""Runs with these keys and arguments."""


class Calls:
    """The way to the server at *address*. Any call may raise StoreDown."""

    def __init__(self, address: Address, timeout_s: float, patience_s: float, metrics: Metrics) -> None:
        self.client = client.connect(address, timeout_s)
        self._address = address
        self._patience_s = patience_s
        self._metrics = metrics
        self._free = asyncio.Semaphore(client.CONNECTIONS)
        self._failover = client.failover(self.client)

    def begin(self) -> None:
        """Follow failovers, where there are Sentinels that tell of them."""
        if self._failover is not None:
            self._failover.begin()

    async def close(self) -> None:
        if self._failover is not None:
            await self._failover.end()
        await client.close(self.client)

    def script(self, name: str) -> Script:
        """The script *name*.lua. It is sent again to a server that does not know it, as a promoted replica may."""
        source = _source(name)
        known_as = sha1(source.encode(), usedforsecurity=False).hexdigest()

        async def tried(of_keys: int, told: tuple[Argument, ...]) -> object:
            try:
                return await self.client.evalsha(known_as, of_keys, *told)
            except exceptions.NoScriptError:
                await self.client.script_load(source)
                return await self.client.evalsha(known_as, of_keys, *told)

        async def run(keys_: tuple[str, ...], arguments: tuple[Argument, ...]) -> object:
            return await self.patiently(lambda: tried(len(keys_), (*keys_, *arguments)))

        return run

    async def patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """What *call* gives, tried again while the store cannot be reached; StoreDown when patience runs out.

        A try whose answer was lost may have been carried out: every call here may be carried out twice.
        """
        clock = asyncio.get_running_loop().time
        give_up = clock() + self._patience_s
        for tried in count():
            pause = STORE.pause_s(tried)
            try:
                async with self._free:
                    if self._failover is not None:
                        await self._failover.ready()
                    begun = clock()
                    answer = await call()
                    self._metrics.store_seconds.observe(clock() - begun)
                    return answer
            except (exceptions.AuthenticationError, exceptions.AuthorizationError) as refused:
                raise self._down("refuses the user or password") from refused
            except exceptions.NoPermissionError as refused:
                raise self._down(f"lets this user do too little: {refused}") from refused
            except exceptions.MovedError as elsewhere:
                told = "is part of a Cluster: its address has to begin with redis+cluster:// or rediss+cluster://"
                raise self._down(told) from elsewhere
            except (exceptions.RedisError, exceptions.RedisClusterException, OSError, AttributeError) as trouble:
                if not _passes(trouble):
                    raise
                if clock() + pause > give_up:
                    answered = isinstance(trouble, exceptions.ResponseError)
                    what = "cannot work now" if answered else "does not answer"
                    raise self._down(f"{what}: {trouble}") from trouble
                self._metrics.store_errors.labels("again").inc()
                if isinstance(trouble, exceptions.ReadOnlyError):
                    await client.refresh(self.client)
            await asyncio.sleep(pause)
        raise AssertionError("it is tried until it works or patience runs out")

    def _down(self, what: str) -> StoreDown:
        self._metrics.store_errors.labels("given_up").inc()
        return StoreDown(f"the store at {self._address} {what}")


@cache
def _source(name: str) -> str:
    return Path(__file__).with_name(f"{name}.lua").read_text(encoding="utf-8")


_STATES = ("MISCONF", "NOREPLICAS", "BUSY", "UNKILLABLE", "LOADING", "MASTERDOWN")
"""How answers begin that say: the server cannot work now (its disk is full, it lacks replicas, a script hangs)."""


_OF_A_CONNECTION = ("writelines", "write", "drain", "close", "read", "readuntil", "readexactly", "readline", "feed")
"""What the client asks of a connection that was closed, in a failover for example, between its looking and its using
it: it is not there any more, and the client does not say so in words of its own."""


def _passes(trouble: Exception) -> bool:
    """Whether *trouble* is one of circumstances, not of what was asked."""
    match trouble:
        case exceptions.ReadOnlyError() | exceptions.OutOfMemoryError() | exceptions.TryAgainError():
            return True
        case exceptions.ClusterError() | exceptions.RedisClusterException():
            return True
        case exceptions.ConnectionError() | exceptions.TimeoutError() | OSError():
            return True
        case AttributeError():
            return trouble.obj is None and trouble.name in _OF_A_CONNECTION
        case exceptions.ResponseError():
            return str(trouble).startswith(_STATES)
        case _:
            return False
