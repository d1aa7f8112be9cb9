"""Bots as an operator starts them: ``python -m bot``, one per shard, on one store."""

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.chaos.size import SIZE
from tests.emulators.discord import Discord

ROOT = Path(__file__).parents[2]
OLDER = Path(__file__).with_name("older.tar.xz")
"""The code of the version that is upgraded, without its fonts: packages of the commit 5e60e59cbbd4897."""
END_S = 10.0


class Bots:
    """All processes; number n runs shard n. Their logs are in *folder*."""

    program = ("-m", "bot")

    def __init__(self, discord: Discord, folder: Path, url: str, count: int) -> None:
        self._discord = discord
        self._folder = folder
        self._url = url
        self._count = count
        self._processes: dict[int, Process] = {}
        self.root = ROOT
        """The folder with the code of bots that start from now on."""

    async def start(self, *numbers: int) -> None:
        """Start these bots, and wait until their shards are connected."""
        for number in numbers:
            await self._begin(number)
        for number in numbers:
            await self._connected(number)
        await self._discord.until(lambda: self._discord.commands or None, "the commands are registered")

    async def _connected(self, number: int) -> None:
        def there() -> bool | None:
            return (
                any(session.shard[0] == number and session.socket for session in self._discord.gateway.sessions) or None
            )

        await self._discord.until(there, f"shard {number} is connected")

    async def _begin(self, number: int) -> None:
        names = ("TELEGRAM_", "DISCORD_", "REDIS_", "HEALTH_", "WEB")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(names)}
        environment = kept | self._settings(number)
        environment |= {
            "REDIS_URL": self._url,
            "LEASE_SECONDS": str(SIZE.get().lease_s),
            "PYTHONPATH": str(self.root),
        }
        self._folder.mkdir(exist_ok=True)
        with (self._folder / f"bot{number}.log").open("ab") as log:
            self._processes[number] = await asyncio.create_subprocess_exec(
                *(sys.executable, *self.program),
                cwd=self._folder,
                env=environment,
                stdin=DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _settings(self, number: int) -> dict[str, str]:
        """Return the variables of a bot that tell it from the others."""
        return self._discord.environment | {"DISCORD_SHARDS": f"{number}/{self._count}"}

    async def kill(self, number: int) -> None:
        """Kill a bot, as a loss of power does."""
        await self._end(number, signal.SIGKILL)

    async def end(self, number: int) -> None:
        """Stop a bot, as a supervisor does."""
        await self._end(number, signal.SIGTERM)

    async def _end(self, number: int, how: signal.Signals) -> None:
        process = self._processes.pop(number)
        if process.returncode is None:
            process.send_signal(how)
        try:
            await asyncio.wait_for(process.wait(), END_S)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def run(self, *words: str) -> None:
        """Run an operator's command on the same store."""
        environment = {**os.environ, "REDIS_URL": self._url, "PYTHONPATH": str(ROOT)}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", *words), cwd=self._folder, env=environment, stdout=DEVNULL
        )
        assert await process.wait() == 0, f"{words} failed"

    @property
    def running(self) -> tuple[int, ...]:
        return tuple(self._processes)


async def older(folder: Path) -> Path:
    """Unpack the code of `OLDER` into *folder*, with today's fonts and compiled catalogues."""
    shutil.unpack_archive(OLDER, folder)
    fonts = Path("renderers", "fonts")
    shutil.copytree(ROOT / fonts, folder / fonts, dirs_exist_ok=True)
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "texts", cwd=folder)
    assert await process.wait() == 0
    return folder


@asynccontextmanager
async def started(discord: Discord, folder: Path, url: str, count: int, root: Path = ROOT) -> AsyncIterator[Bots]:
    """Run *count* bots. *root*: the folder with their code at first."""
    bots = Bots(discord, folder, url, count)
    bots.root = root
    try:
        await bots.start(*range(count))
        yield bots
    finally:
        for number in bots.running:
            await bots.kill(number)
