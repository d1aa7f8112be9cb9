"""CPU time and memory of a process that is ready to serve both platforms.

The peer is a minimal bot: a process that imports both chat libraries and makes a client of each. Neither process
connects anywhere; ours also starts its store, finds its games and is ready for the first update. The modules of both
are compiled, as after an earlier start.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from msgspec import Struct

from bench import Row

MINIMAL = """
import discord, telegram.ext
client = discord.Client(intents=discord.Intents.none())
tree = discord.app_commands.CommandTree(client)
application = telegram.ext.Application.builder().token("1:x").build()
"""

OURS = """
import gc
gc.disable()  # as bot/__main__.py does
import asyncio, pathlib
from bot import app
from bot.app import build
from bot.operation import environment as settings
from bot.runtime.clock import RealClock
from bot.delivery.painting import Pictures
from bot.store.embedded import Embedded
from bot.store.store import Store
tokens = {"DISCORD_TOKEN": "x", "TELEGRAM_TOKEN": "1234:" + "x" * 30, "WEB": "off"}
async def main():
    values = settings.read(app.variables(), tokens)
    async with Embedded(pathlib.Path(FOLDER)) as server:
        store = await Store.open(server.url)
        service = build(store, Pictures(), RealClock())
        for adapter, on in app.selected(values):
            if on:
                service.add(adapter.open(values))
        await store.close()
asyncio.run(main())
"""

REPORT = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
try:  # getrusage never returns less than the parent used
    lines = open("/proc/self/status").read().splitlines()
    kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
except OSError:
    kilobytes = used.ru_maxrss
print(used.ru_utime + used.ru_stime, kilobytes)
"""


class Cost(Struct, frozen=True):
    cpu_s: float
    memory_mb: float


def cost(program: str, runs: int = 5) -> Cost:
    """Return the median of *runs* fresh processes, after one that warms up the disk and compiles modules."""
    costs, surroundings = [], {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            source = program.replace("FOLDER", repr(folder)) + REPORT
            command = [sys.executable, "-c", source]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
        cpu, memory = done.stdout.split()[-2:]
        costs.append((float(cpu), float(memory) / (1024 if sys.platform == "linux" else 1024**2)))
    return Cost(*(statistics.median(column) for column in zip(*costs[1:], strict=True)))


def startup(runs: int = 5) -> tuple[Cost, Cost]:
    """Return the costs of our process and of the minimal one."""
    return cost(OURS, runs), cost(MINIMAL, runs)


def rows(*, small: bool = False) -> Iterator[Row]:
    ours, minimal = startup(1 if small else 5)
    ratios = f"{ours.cpu_s / minimal.cpu_s:.2f} and {ours.memory_mb / minimal.memory_mb:.2f} of a minimal bot"
    yield "start-up, both platforms", f"{ours.cpu_s:.2f} s CPU, {ours.memory_mb:.0f} MB", ratios, "≤ 1.3"


if __name__ == "__main__":
    print(startup())
