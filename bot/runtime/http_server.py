"""HTTP servers that may face the internet: limits on time and connections, and accepted host names.

A connection serves one request, or a WebSocket. Its head and the rest have a time limit each. If there are too many
connections, the oldest idle one is closed in favour of the newest, so idle clients cannot block others. Bytes that are
not HTTP are answered with 400 and not logged, because any client could fill the disk with such lines.
"""

import asyncio
import errno
import ipaddress
import logging
from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlsplit

from aiohttp import web
from msgspec import Struct

log = logging.getLogger(__name__)

FULL_S = 60.0  # minimum interval between log lines about too many connections


def is_direct(address: str) -> bool:
    """Return whether a client with this IP address connects without a proxy.

    Private addresses may belong to a proxy, with any number of clients behind it.

    >>> is_direct("93.184.215.14"), is_direct("172.17.0.1"), is_direct("::1")
    (True, False, False)
    """
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_global
    except ValueError:
        return False


def origin(address: str) -> str:
    """Return the address by which connections are counted: for IPv6 the whole /64 network.

    >>> origin("93.184.215.14"), origin("2606:2800:21f:cb07::9:1")
    ('93.184.215.14', '2606:2800:21f:cb07::/64')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else address


class Limits(Struct, frozen=True):
    """Limits of a server. *per_address*: maximum connections from one address, if it *is_direct*."""

    connections: int = 256
    per_address: int = 32
    head_s: float = 10.0
    answer_s: float = 60.0
    is_direct: Callable[[str], bool] = is_direct


class HttpServer:
    """Serves *app* from `listen` to `close`, which waits at most *stop_s* for answers that are under way."""

    def __init__(self, app: web.Application, limits: Limits = Limits(), stop_s: float = 1.0) -> None:  # noqa: B008
        app.middlewares.insert(0, _asks)
        app.on_response_prepare.append(_one_answer)
        self.limits = limits
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=stop_s)
        self._listening: asyncio.Server | None = None
        self._open: dict[_Connection, None] = {}
        self._mute: dict[_Connection, None] = {}  # connections without a request yet, oldest first
        self._turned_away = 0

    @property
    def address(self) -> tuple[str, int] | None:
        """Return the listening address, or None."""
        if self._listening is None or not self._listening.sockets:
            return None
        host, port, *_ = self._listening.sockets[0].getsockname()
        return host, port

    async def listen(self, host: str, port: int) -> None:
        """Start listening. Raises OSError if the address is not available."""
        loop = asyncio.get_running_loop()
        if self._runner.server is None:  # another port may have been tried before
            await self._runner.setup()
        manager = self._runner.server
        assert manager is not None
        try:
            self._listening = await loop.create_server(lambda: _Connection(self, manager, loop), host, port)
        except UnicodeError:  # a name that no host can have, such as "a..b"
            raise OSError(errno.EINVAL, "not a host name") from None

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.close()
        for connection in tuple(self._mute):
            connection.cut()
        await self._runner.cleanup()

    # --- Called by connections

    def enters(self, connection: "_Connection") -> bool:
        """Return whether a new connection is accepted; an idle one may be closed for it."""
        limits = self.limits
        room = len(self._open) < limits.connections or self._makes_room(None)
        if room and limits.is_direct(connection.address):
            source = origin(connection.address)
            count = sum(other.origin == source for other in self._open)
            room = count < limits.per_address or self._makes_room(source)
        if room:
            self._open[connection] = self._mute[connection] = None
        else:
            self._tell()
        return room

    def asks(self, connection: "_Connection") -> None:
        self._mute.pop(connection, None)

    def leaves(self, connection: "_Connection") -> None:
        self._mute.pop(connection, None)
        self._open.pop(connection, None)

    def _makes_room(self, source: str | None) -> bool:
        """Close the oldest idle connection, of those from *source* if it is given."""
        oldest = next((connection for connection in self._mute if source in (None, connection.origin)), None)
        if oldest is None:
            return False
        oldest.cut()
        self._tell()
        return True

    def _tell(self) -> None:
        """Log that there are too many connections, rate-limited."""
        self._turned_away += 1
        if self._turned_away == 1:
            asyncio.get_running_loop().call_later(FULL_S, self._tell_again)
            log.warning("too many connections at %s: those that ask for nothing are cut off", self.address)

    def _tell_again(self) -> None:
        if self._turned_away > 1:
            log.warning("too many connections at %s: %d cut off", self.address, self._turned_away)
        self._turned_away = 0


class _Connection(web.RequestHandler):
    """One connection, with a time limit for its current phase."""

    __slots__ = ("_limit", "_owner", "address", "origin")

    def __init__(self, owner: HttpServer, manager: web.Server, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(manager, loop=loop, access_log=None, lingering_time=0.0)  # type: ignore[arg-type]  # None is fine
        self._owner = owner
        self._limit: asyncio.TimerHandle | None = None
        self.address = self.origin = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        self.origin = origin(self.address)
        super().connection_made(transport)
        if self._owner.enters(self):
            self._within(self._owner.limits.head_s)
        else:
            self.cut()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._within(None)
        self._owner.leaves(self)
        super().connection_lost(exc)

    def asks(self) -> None:
        """Note the complete head of a request."""
        self._owner.asks(self)
        self._within(self._owner.limits.answer_s)

    def stays(self) -> None:
        self._within(None)

    def cut(self) -> None:
        """Close the connection at once and drop unsent data."""
        self._within(None)
        self._owner.leaves(self)
        transport = self.transport
        if isinstance(transport, asyncio.Transport):
            transport.abort()
        self.force_close()

    def _within(self, seconds: float | None) -> None:
        if self._limit is not None:
            self._limit.cancel()
        self._limit = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self.cut)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if status >= 500:
            return super().handle_error(request, status, exc, message)
        self._owner.asks(self)
        return web.Response(status=status, text=f"{status}\n")


@web.middleware
async def _asks(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    if isinstance(request.protocol, _Connection):
        request.protocol.asks()
    return await handler(request)


async def _one_answer(_: web.Request, response: web.StreamResponse) -> None:
    if not isinstance(response, web.WebSocketResponse):
        response.force_close()
        response.headers["Connection"] = "close"  # the library has written its own headers by now


def stays(request: web.Request) -> None:
    """Let the connection of *request*, a WebSocket, last as long as it likes."""
    if isinstance(request.protocol, _Connection):
        request.protocol.stays()


def is_called(host: str | None, names: Collection[str]) -> bool:
    """Return whether a ``Host`` header is one of *names*, this machine, or an IP address.

    A foreign web page could point its own domain at this machine and then read our pages as its own; such requests
    carry that domain. Clients that are no browsers may send none (None).

    >>> [is_called(each, ("bot.lan",)) for each in ("127.0.0.1:8080", "[::1]:80", "localhost", "Bot.lan:80", None)]
    [True, True, True, True, True]
    >>> is_called("evil.example", ("bot.lan",)), is_called("", ())
    (False, False)
    """
    if host is None:
        return True
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or (name and name in {known.casefold() for known in names}):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
