"""The health port for monitoring: is the bot alive, is it ready, and its metrics.

    /healthz   200 while the event loop runs; otherwise there is no answer
    /readyz    200, or 503 with a line for each part that is not ready
    /metrics   the metrics in Prometheus' format

Loaded only if the port is set. The port has no login, so it serves no secret.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager

from aiohttp import web
from prometheus_client import CollectorRegistry, Info, ProcessCollector
from prometheus_client.aiohttp import make_aiohttp_handler

from bot import __version__
from bot.chat import Unusable
from bot.operation.readiness import Readiness
from bot.runtime.http_server import HttpServer, Limits, is_called
from bot.runtime.metrics import NAMESPACE, Metrics
from rules import GAMES, PACKAGES

STOP_S = 0.3  # for unfinished answers when the bot stops
LIMITS = Limits(connections=64, answer_s=10.0)


@asynccontextmanager
async def serving(
    host: str,
    port: int,
    readiness: Readiness,
    metrics: Metrics,
    *,
    names: Collection[str] = (),
    limits: Limits = LIMITS,
) -> AsyncIterator[None]:
    """Serve the port until the context ends. Raises Unusable if the bot cannot listen on it.

    *names*: the host names of the port, besides *host*, localhost and IP addresses.
    """
    registry = CollectorRegistry()
    registry.register(metrics.registry)
    ProcessCollector(registry=registry)
    Info("build", "Version of the bot.", namespace=NAMESPACE, registry=registry).info({"version": __version__})
    games = Info("game", "A game with its package.", ("game",), namespace=NAMESPACE, registry=registry)
    for game in GAMES:
        own = game not in PACKAGES
        name, version = ("kaleidobot", __version__) if own else (PACKAGES[game].name, PACKAGES[game].version)
        games.labels(game).info({"package": name, "version": version})

    @web.middleware
    async def guard(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not is_called(request.headers.get("Host"), (host, *names)):
            raise web.HTTPMisdirectedRequest(text="unknown host name; HEALTH_NAMES lists the known ones\n")
        return await handler(request)

    exposed = make_aiohttp_handler(registry)

    async def show_metrics(request: web.Request) -> web.StreamResponse:
        await readiness.troubles()  # updates its gauge
        return await exposed(request)

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(_: web.Request) -> web.Response:
        troubles = await readiness.troubles()
        return web.Response(status=503 if troubles else 200, text="\n".join(troubles or ("ready",)) + "\n")

    app = web.Application(middlewares=[guard])
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    app.router.add_get("/metrics", show_metrics)
    server = HttpServer(app, limits, STOP_S)
    try:
        try:
            await server.listen(host, port)
        except OSError as trouble:
            raise Unusable(f"HEALTH_PORT: cannot listen on {host}:{port} ({trouble.strerror})") from None
        yield
    finally:
        await server.close()
