"""What an operator's machines ask, on a port of its own: is the bot alive, is it ready, what are its figures.

    /healthz   200 as long as the event loop goes round: if it does not, nothing answers
    /readyz    200, or 503 with a line for each part that is not ready
    /metrics   the figures, as Prometheus reads them

Loaded only where the port is set. Nobody is asked who they are, so nothing in here is a secret.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager
from itertools import accumulate
from typing import assert_never

from aiohttp import web
from prometheus_client import CollectorRegistry, Info, ProcessCollector
from prometheus_client.aiohttp import make_aiohttp_handler
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from bot import __version__
from bot.chat import Unusable
from bot.operation.readiness import Readiness
from bot.runtime.http_server import HttpServer, Limits, is_called
from bot.runtime.metrics import Amount, Count, Gauge, Metrics, Times

PREFIX = "kaleidobot"
STOP_S = 0.3  # for answers that are under way when the bot ends
LIMITS = Limits(connections=64, answer_s=10.0)


class MetricsCollector(Collector):
    """The bot's metrics as the library's."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        for name, each in self._metrics:
            yield _family(f"{PREFIX}_{name}", each)


def _family(name: str, metric: Count | Times | Amount | Gauge) -> Metric:
    match metric:
        case Count(about=about, labels=labels, values=counts):
            counter = CounterMetricFamily(name, about, labels=labels)
            for found, count in counts.items():
                counter.add_metric(found, count)
            return counter
        case Times(about=about, labels=labels, values=rows, sums=sums, bounds=bounds):
            histogram = HistogramMetricFamily(name, about, labels=labels)
            for found, row in rows.items():
                below = zip((*map(floatToGoString, bounds), "+Inf"), accumulate(row), strict=True)
                histogram.add_metric(found, [*below], sums[found])
            return histogram
        case Amount(about=about, value=value):
            return GaugeMetricFamily(name, about, value=value)
        case Gauge(about=about, labels=labels, values=levels):
            gauge = GaugeMetricFamily(name, about, labels=labels)
            for found, level in levels.items():
                gauge.add_metric(found, level)
            return gauge
        case other:
            assert_never(other)


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
    """Answer there, from now until the end. Raises Unusable where nobody can listen there.

    *names*: those that it is asked by, besides *host*, localhost and addresses.
    """
    registry = CollectorRegistry()
    registry.register(MetricsCollector(metrics))
    ProcessCollector(registry=registry)
    Info(f"{PREFIX}_build", "Version of the bot.", registry=registry).info({"version": __version__})

    @web.middleware
    async def guard(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not is_called(request.headers.get("Host"), (host, *names)):
            raise web.HTTPMisdirectedRequest(text="not under this name: HEALTH_NAMES lists those that are right\n")
        return await handler(request)

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(_: web.Request) -> web.Response:
        troubles = await readiness.troubles()
        return web.Response(status=503 if troubles else 200, text="\n".join(troubles or ("ready",)) + "\n")

    app = web.Application(middlewares=[guard])
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    app.router.add_get("/metrics", make_aiohttp_handler(registry))
    server = HttpServer(app, limits, STOP_S)
    try:
        try:
            await server.listen(host, port)
        except OSError as trouble:
            raise Unusable(f"HEALTH_PORT: cannot listen on {host}:{port} ({trouble.strerror})") from None
        yield
    finally:
        await server.close()
