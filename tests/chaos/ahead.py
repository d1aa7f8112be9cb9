"""The bot with a wall clock that another process puts forward: ``python -m tests.chaos.ahead``, instead of minutes of
waiting for the end of a vote. Only the time of games runs ahead: connections, leases of servers and pauses last as
long as they do.
"""

import asyncio
import mmap
import os
import struct
import sys
from datetime import datetime, timedelta
from pathlib import Path

from bot import app
from bot.operation import environment
from bot.runtime import logs
from bot.runtime.clock import RealClock

FILE = "CHAOS_AHEAD"
"""The variable with the path of the file."""
_FORM = struct.Struct("d")


class Ahead(RealClock):
    """The real clock, ahead by the seconds in the file *path*; a new file has none."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(_FORM.pack(0.0))
        with path.open("r+b") as file:
            self._seconds = mmap.mmap(file.fileno(), _FORM.size)

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self._ahead_s)

    def put_forward(self, step: timedelta) -> None:
        """Put the clocks of all processes forward."""
        self._seconds[:] = _FORM.pack(self._ahead_s + step.total_seconds())

    @property
    def _ahead_s(self) -> float:
        seconds: float = _FORM.unpack(self._seconds[:])[0]
        return seconds


def main() -> int:
    values = environment.read(app.variables(), environment.environment(Path.cwd()))
    logs.prepare()
    logs.begin(values["LOG_LEVEL"], values["LOG_FORMAT"])
    asyncio.run(app.run(values, Ahead(Path(os.environ[FILE]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
