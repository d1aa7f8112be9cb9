"""Settings, store, service and chats put together, started and stopped: the one place that knows all of them."""

import asyncio
import contextlib
import gc
import importlib
import logging
import pkgutil
import signal
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Protocol, cast

from bot import adapters, reminders, settings
from bot.chat import Chat, Unusable
from bot.clock import RealClock
from bot.painting import Painter
from bot.service import Service
from bot.settings import Variable
from bot.store.embedded import Embedded
from bot.store.store import Store
from renderers import Theme

log = logging.getLogger(__name__)


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
    """Run the bot until SIGINT or SIGTERM. Raises `bot.store.NoServer`, `bot.store.StoreDown`, `Unusable`."""
    end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end.set)
    async with contextlib.AsyncExitStack() as stack:
        url, alone = await stack.enter_async_context(store_url(values))
        store = await Store.open(url)
        stack.push_async_callback(store.close)
        painter = Painter()
        stack.callback(painter.close)
        service = Service(store, painter, RealClock(), Theme(values["THEME"]), int(values["KEEP_DAYS"]))
        stack.push_async_callback(service.stop)
        await _start(service, values, stack)
        preparing = asyncio.create_task(painter.prepare(Theme(values["THEME"])), name="prepare pictures")
        gc.collect()
        gc.freeze()  # what is there now stays: collecting need not look at it again
        gc.set_threshold(20_000, 20, 20)
        gc.enable()
        watching = asyncio.create_task(reminders.watch(service, RealClock(), alone=alone), name="look after tables")
        stack.callback(preparing.cancel)
        stack.callback(watching.cancel)
        await end.wait()
        print("Good bye. All games are kept.", flush=True)


async def _start(service: Service, values: Mapping[str, str], stack: contextlib.AsyncExitStack) -> None:
    """Start every platform that is on, side by side, and say where each of them is. All failing is Unusable."""
    running, troubles = 0, []
    chats = []
    for adapter, on in chosen(values):
        if on:
            chats.append(adapter.open(values))
            service.add(chats[-1])
            stack.push_async_callback(chats[-1].stop)
        else:
            print(f"  {adapter.NAME}: off (set {adapter.VARIABLES[0].name})", flush=True)
    for chat, started in zip(
        chats, await asyncio.gather(*(c.start(service) for c in chats), return_exceptions=True), strict=True
    ):
        if isinstance(started, Unusable):
            troubles.append(f"{chat.name}: {started}")
            print(f"  {chat.name}: {started}", flush=True)
        elif isinstance(started, BaseException):
            raise started
        else:
            running += 1
            print(f"  {chat.name}: {started}", flush=True)
    if not running:
        raise Unusable("; ".join(troubles) or "no platform is on")
