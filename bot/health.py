"""What an operator's machines ask, on a port of its own: is the bot alive, is it ready, what are its figures.

    /healthz   200 as long as the event loop goes round: if it does not, nothing answers
    /readyz    200, or 503 with a line for each part that is not ready
    /metrics   the figures, as Prometheus reads them

Loaded only where the port is set. Nobody is asked who they are, so nothing in here is a secret.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import accumulate
from typing import assert_never

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.aiohttp import make_aiohttp_handler
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from bot.chat import Unusable
from bot.metrics import Count, Level, Metrics, Times
from bot.readiness import Readiness

PREFIX = "kaleidobot"
STOP_S = 0.3  # for answers that are under way when the bot ends
LONGEST_S = 10.0  # for a question and its answer: connections that nobody ends must not use up the bot's


class Figures(Collector):
    """The bot's metrics as the library's."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        for name, each in self._metrics:
            yield _family(f"{PREFIX}_{name}", each)


def _family(name: str, metric: Count | Times | Level) -> Metric:
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
        case Level(about=about, value=value):
            return GaugeMetricFamily(name, about, value=value)
        case other:
            assert_never(other)


@asynccontextmanager
async def serving(
    host: str, port: int, readiness: Readiness, metrics: Metrics, longest_s: float = LONGEST_S
) -> AsyncIterator[None]:
    """Answer there, from now until the end, each within *longest_s*. Raises Unusable where nobody can listen there."""
    registry = CollectorRegistry()
    registry.register(Figures(metrics))
    ProcessCollector(registry=registry)

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(_: web.Request) -> web.Response:
        troubles = await readiness.troubles()
        return web.Response(status=503 if troubles else 200, text="\n".join(troubles or ("ready",)) + "\n")

    async def one_answer(_: web.Request, response: web.StreamResponse) -> None:
        response.force_close()

    app = web.Application()
    app.on_response_prepare.append(one_answer)
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    app.router.add_get("/metrics", make_aiohttp_handler(registry))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=STOP_S)
    await runner.setup()
    loop, server = asyncio.get_running_loop(), runner.server
    assert server is not None

    def connected() -> asyncio.BaseProtocol:
        connection = server()
        loop.call_later(longest_s, connection.force_close)
        return connection

    try:
        try:
            listening = await loop.create_server(connected, host, port)
        except OSError as trouble:
            raise Unusable(f"HEALTH_PORT: cannot listen on {host}:{port} ({trouble.strerror})") from None
        try:
            yield
        finally:
            listening.close()
    finally:
        await runner.cleanup()
