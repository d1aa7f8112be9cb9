"""One server, asked the short way.

Around every command redis-py counts for statistics that nobody reads here, looks whether to try again, and lets each
way have a task and a clock of its own: more than half of what a round trip costs this process. `bot.store.calls`
counts and tries again anyway, so here a command goes out and its answer is waited for. Connections are made, checked
and closed as redis-py does it; several commands at once, Sentinels and Clusters are its own altogether.
"""

import asyncio
from typing import Any, cast

import hiredis
from redis import exceptions
from redis.asyncio import Connection, ConnectionPool, Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection


class _Asked(AbstractConnection):
    async def ask(self, name: str, *arguments: str | bytes | int | float) -> object:
        """What the server answers. Where no answer comes, the connection is closed: the next one would get it."""
        words: Any = (*name.split(), *arguments)
        parser: Any = self._parser
        try:
            async with asyncio.timeout(self.socket_timeout):
                if self._writer is None:
                    raise exceptions.ConnectionError("the connection was closed")
                self._writer.write(hiredis.pack_command(words))
                answer: object = await parser.read_response()
        except BaseException as trouble:
            await self.disconnect(nowait=True)
            if isinstance(trouble, TimeoutError):
                raise exceptions.TimeoutError(f"no answer within {self.socket_timeout} s") from None
            raise
        if isinstance(answer, exceptions.ResponseError):
            raise answer
        return answer


class _TCP(_Asked, Connection):
    pass


class _TLS(_Asked, SSLConnection):
    pass


class _Local(_Asked, UnixDomainSocketConnection):
    pass


class _Pool(ConnectionPool):
    def give_back(self, connection: _Asked) -> None:
        self._in_use_connections.remove(connection)
        self._available_connections.append(connection)


class Node(Redis):
    """The client of one server."""

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        pool = cast("_Pool", self.connection_pool)
        connection: _Asked = pool.get_available_connection()  # type: ignore[no-untyped-call]  # as redis-py has it
        try:
            if not connection.is_connected or await connection.can_read():  # closed by the server, maybe
                await pool.ensure_connection(connection)
            answer = await connection.ask(*args)
        finally:
            pool.give_back(connection)
        understood = self.response_callbacks.get(args[0])
        options.pop("keys", None)  # tells redis-py's own cache what was asked for
        return answer if understood is None else understood(answer, **options)


def tcp(host: str, port: int, *, tls: bool, **how: Any) -> Node:
    """The client of the server at *host* and *port*."""
    return cast("Node", Node.from_pool(_Pool(connection_class=_TLS if tls else _TCP, host=host, port=port, **how)))


def local(path: str, **how: Any) -> Node:
    """The client of the server behind the socket at *path*."""
    return cast("Node", Node.from_pool(_Pool(connection_class=_Local, path=path, **how)))
