"""The bot as an operator starts it: ``python -m bot``."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

TOP = Path(__file__).parents[2]
Start = Callable[..., Awaitable[asyncio.subprocess.Process]]


@asynccontextmanager
async def starting(folder: Path) -> AsyncIterator[Start]:
    """Yield a function that starts the bot in *folder*, with nothing but the given variables set.

    Its arguments: the words of a command, and *give_up_s*, after which a refused token is believed.
    """
    running: list[asyncio.subprocess.Process] = []

    async def begin(*words: str, give_up_s: float | None = None, **variables: str) -> asyncio.subprocess.Process:
        main = ["-m", "bot"]
        if give_up_s is not None:
            patch = f"from bot.runtime import retry; retry.GIVE_UP_S = {give_up_s}"
            main = ["-c", f"import sys; {patch}; from bot.__main__ import main; sys.exit(main())"]
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *main, *words),
            cwd=folder,
            env={**kept, "PYTHONPATH": str(TOP), "WEB_PORT": "0", **variables},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def line(process: asyncio.subprocess.Process, wanted: str) -> str:
    """Return the first line of the output that contains *wanted*."""
    assert process.stdout is not None
    while text := (await asyncio.wait_for(process.stdout.readline(), 60)).decode():
        if wanted in text:
            return text
    raise AssertionError(f"the output ended without {wanted!r}")
