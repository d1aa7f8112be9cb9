"""Settings, store, service and chats put together, started and stopped: the one place that knows all of them."""

import asyncio
import contextlib
import gc
import importlib
import logging
import pkgutil
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from bot import adapters, reminders, settings
from bot.chat import Chat, Unusable
from bot.clock import RealClock
from bot.metrics import Metrics
from bot.painting import Painter
from bot.readiness import Readiness
from bot.service import Service
from bot.settings import Variable
from bot.store.embedded import Embedded
from bot.store.store import Store
from renderers import Theme

log = logging.getLogger(__name__)

STOP_S = 3.0  # for what is being started to let go


class Adapter(Protocol):
    """What a package in ``bot/adapters`` offers. It is light to import: a platform that is off costs nothing."""

    NAME: str
    VARIABLES: tuple[Variable, ...]  # the first one switches the platform on

    def wanted(self, values: Mapping[str, str]) -> bool | None:
        """True: on. False: off. None: on when no other platform is."""
        ...

    def open(self, values: Mapping[str, str]) -> Chat: ...


def found() -> tuple[Adapter, ...]:
    """Every adapter, by listing ``bot/adapters``."""
    names = sorted(each.name for each in pkgutil.iter_modules(adapters.__path__) if each.name.startswith("on_"))
    return tuple(cast("Adapter", importlib.import_module(f"bot.adapters.{name}")) for name in names)


def variables() -> tuple[Variable, ...]:
    """Every variable that is read."""
    return settings.CORE + tuple(variable for adapter in found() for variable in adapter.VARIABLES)


def chosen(values: Mapping[str, str]) -> tuple[tuple[Adapter, bool], ...]:
    """Every adapter, and whether it is on."""
    wishes = [(adapter, adapter.wanted(values)) for adapter in found()]
    others = any(wish for _, wish in wishes)
    return tuple((adapter, not others if wish is None else wish) for adapter, wish in wishes)


@contextlib.asynccontextmanager
async def store_url(values: Mapping[str, str]) -> AsyncIterator[tuple[str, bool]]:
    """The store's address, and whether it is ours alone: a server of the bot's own where none is named."""
    if values["REDIS_URL"]:
        yield values["REDIS_URL"], False
    else:
        async with Embedded(Path(values["DATA_DIR"])) as server:
            yield server.url, True


async def run(values: Mapping[str, str]) -> None:
    """Run the bot until SIGINT or SIGTERM. Raises `bot.store.StoreError`, `Unusable`."""
    end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end.set)
    async with contextlib.AsyncExitStack() as stack:
        # Whoever asks to end while a store or a platform lets us wait must not wait with us.
        starting = asyncio.create_task(_start(values, stack), name="start")
        asked = asyncio.create_task(end.wait(), name="asked to end")
        await asyncio.wait((starting, asked), return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.wait((starting,), timeout=STOP_S)
        elif starting.exception() is not None:
            asked.cancel()
            starting.result()
        else:
            await asked
        print("Good bye. All games are kept.", flush=True)


async def _start(values: Mapping[str, str], stack: contextlib.AsyncExitStack) -> None:
    """Open the store, put the bot together and start it; *stack* takes it down again."""
    metrics, readiness = Metrics(), Readiness()
    if values["HEALTH_PORT"]:
        from bot.health import serving  # loaded only where it is wanted

        host, port = values["HEALTH_HOST"], int(values["HEALTH_PORT"])
        await stack.enter_async_context(serving(host, port, readiness, metrics))
        print(f"  health: port {port} of {host} (/healthz, /readyz, /metrics)", flush=True)
    url, alone = await stack.enter_async_context(store_url(values))
    store = await Store.open(url, metrics=metrics)
    stack.push_async_callback(store.close)
    painter = Painter(metrics)
    stack.callback(painter.close)
    theme = Theme(values["THEME"])
    service = Service(store, painter, RealClock(), theme, int(values["KEEP_DAYS"]), metrics=metrics)
    stack.push_async_callback(service.stop)
    chats = _opened(service, values, stack)
    readiness.watch(store, chats)
    stack.callback(readiness.end)
    await _start_chats(chats, service)
    preparing = asyncio.create_task(painter.prepare(theme), name="prepare pictures")
    stack.callback(preparing.cancel)
    watching = asyncio.create_task(reminders.watch(service, RealClock(), alone=alone), name="look after tables")
    stack.callback(watching.cancel)
    gc.collect()
    gc.freeze()  # what is there now stays: collecting need not look at it again
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _opened(service: Service, values: Mapping[str, str], stack: contextlib.AsyncExitStack) -> list[Chat]:
    """Every platform that is on, not yet started."""
    chats = []
    for adapter, on in chosen(values):
        if on:
            chats.append(adapter.open(values))
            service.add(chats[-1])
            stack.push_async_callback(chats[-1].stop)
        else:
            print(f"  {adapter.NAME}: off (set {adapter.VARIABLES[0].name})", flush=True)
    return chats


async def _start_chats(chats: Sequence[Chat], service: Service) -> None:
    """Start all of them, side by side, and say where each is as soon as it is. None at all: Unusable."""
    troubles = [trouble for trouble in await asyncio.gather(*(_started(chat, service) for chat in chats)) if trouble]
    if len(troubles) == len(chats):
        raise Unusable("; ".join(troubles) or "no platform is on")


async def _started(chat: Chat, service: Service) -> str:
    """Start one platform and say where it is; what is wrong with it, "" if nothing is."""
    try:
        print(f"  {chat.name}: {await chat.start(service)}", flush=True)
    except Unusable as trouble:
        print(f"  {chat.name}: {trouble}", flush=True)
        return f"{chat.name}: {trouble}"
    return ""
