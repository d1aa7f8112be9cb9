"""Thinking in processes of its own: real ones."""

import asyncio
import os
import signal
from pathlib import Path

from bot.house.workers import LOWEST, Workers
from rules import GAMES
from rules.chance import Chance

STATE = GAMES["kabooom"].start(2, None, 1)
ASKED = ("kabooom", [STATE.view(0)], 0, "easy", Chance(1), 0.05)


def children() -> set[int]:
    """The processes of this one that think."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            line = (path.parent / "cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if int(fields[1]) == os.getpid() and b"spawn_main" in line:
            found.add(int(path.parent.name))
    return found


async def gone(seconds: float = 10) -> bool:
    """Whether all of them have ended before long."""
    for _ in range(int(seconds * 20)):
        if not children():
            return True
        await asyncio.sleep(0.05)
    return False


async def test_processes_are_started_when_they_are_wanted_and_end_when_idle() -> None:
    workers = Workers(most=1, idle_s=0.2)
    assert not children()
    assert await workers.action(*ASKED) in STATE.actions()
    (process,) = children()
    assert os.getpriority(os.PRIO_PROCESS, process) == LOWEST
    assert await gone()
    assert not workers.is_running
    assert await workers.action(*ASKED) in STATE.actions()
    await workers.close()
    assert await gone()


async def test_when_a_process_dies_another_one_thinks_again() -> None:
    workers = Workers(most=1)
    await workers.action(*ASKED)
    (process,) = children()
    os.kill(process, signal.SIGKILL)
    assert await workers.action(*ASKED) in STATE.actions()
    await workers.close()
    assert await gone()


async def test_whoever_ends_does_not_wait_for_a_thought() -> None:
    workers = Workers(most=1)
    await workers.action(*ASKED)
    thought = asyncio.create_task(workers.action("kabooom", [STATE.view(0)], 0, "hard", Chance(1), 60.0))
    await asyncio.sleep(0.2)
    thought.cancel()
    await workers.close()
    assert await gone(5)


async def test_a_process_that_thinks_needs_little_memory() -> None:
    workers = Workers(most=1)
    await workers.action(*ASKED)
    (process,) = children()
    status = Path(f"/proc/{process}/status").read_text()
    kilobytes = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
    await workers.close()
    assert kilobytes < 100_000
    assert await gone()


async def test_the_same_chance_thinks_the_same_wherever_it_thinks() -> None:
    workers = Workers(most=1)
    easy = await workers.action(*ASKED)
    assert easy == await workers.action(*ASKED)
    await workers.close()
    assert await gone()
