"""What it costs to be there: CPU time and memory of a process that is ready to serve both platforms.

The peer is the least that can be written: a process that imports both chat libraries and makes a bot with each. Neither
process connects anywhere; ours also starts its store, finds its games and is ready for the first update. Both find
their modules compiled, as they are wherever something was started before.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from msgspec import Struct

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
        for adapter, on in app.chosen(values):
            if on:
                service.add(adapter.open(values))
        await store.close()
asyncio.run(main())
"""

REPORT = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
try:  # what getrusage says is never less than what the parent used
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
    """The median over fresh processes, after one that warms the disk up and compiles what is not compiled yet."""
    found, surroundings = [], {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            source = program.replace("FOLDER", repr(folder)) + REPORT
            command = [sys.executable, "-c", source]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
        cpu, memory = done.stdout.split()[-2:]
        found.append((float(cpu), float(memory) / (1024 if sys.platform == "linux" else 1024**2)))
    return Cost(*(statistics.median(column) for column in zip(*found[1:], strict=True)))


def startup() -> dict[str, Cost]:
    """Ours and the minimal process."""
    return {"kaleidobot": cost(OURS), "minimal": cost(MINIMAL)}


if __name__ == "__main__":
    print(startup())
