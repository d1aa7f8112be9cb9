"""Thinking in processes of its own: real ones."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.house.suggesting import suggest
from bot.house.workers import LOWEST, Urgency, Workers
from rules import GAMES
from rules.chance import Chance

STATE = GAMES["kabooom"].start(2, None, 1)
ASKED = ("kabooom", [STATE.view(0)], 0, "easy", Chance(1), 0.05)


def children() -> set[int]:
    """Return the worker processes of this process."""
    result = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            line = (path.parent / "cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if int(fields[1]) == os.getpid() and b"spawn_main" in line:
            result.add(int(path.parent.name))
    return result


async def gone(seconds: float = 10) -> bool:
    """Return whether all of them end soon."""
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
    assert sys.platform != "linux" or os.sched_getscheduler(process) == os.SCHED_IDLE
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


async def test_a_terminal_s_interruption_is_left_to_the_bot() -> None:
    """The argument reaches every process; an unexpected one would raise there."""
    workers = Workers(most=1)
    await workers.action(*ASKED)
    (process,) = children()
    status = dict(line.split(":\t") for line in Path(f"/proc/{process}/status").read_text().splitlines())
    assert int(status["SigIgn"], 16) & 1 << signal.SIGINT - 1
    await workers.close()
    assert await gone()


async def test_stopping_does_not_wait_for_a_running_search() -> None:
    workers = Workers(most=1)
    await workers.action(*ASKED)
    thought = asyncio.create_task(workers.action("kabooom", [STATE.view(0)], 0, "hard", Chance(1), 60.0))
    await asyncio.sleep(0.2)
    thought.cancel()
    await workers.close()
    assert await gone(5)


async def test_a_process_that_thinks_hard_about_every_game_needs_little_memory() -> None:
    workers = Workers(most=1)
    for game in GAMES.values():
        state: Any = game.start(game.seats[-1], None, 1)
        await workers.action(game.id, [state.view(state.actor)], state.actor, "hard", Chance(1), 0.3)
    (process,) = children()
    status = Path(f"/proc/{process}/status").read_text()
    kilobytes = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
    await workers.close()
    assert kilobytes < 100_000
    assert await gone()


class Noted(Workers):
    """Record the time budget of each request and which one was free first."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.seconds = list[float]()
        self.free = list[asyncio.Task[Any] | None]()

    async def _thought(self, *asked: Any) -> Any:
        self.seconds.append(asked[-1])
        return await super()._thought(*asked)

    async def _admitted(self, *asked: Any) -> None:
        await super()._admitted(*asked)
        self.free.append(asyncio.current_task())


async def test_the_longer_the_queue_the_shorter_the_thoughts() -> None:
    workers = Noted(most=2)

    async def ask() -> None:
        assert await workers.action(*ASKED[:-1], 0.12) in STATE.actions()

    asking = [asyncio.create_task(ask()) for _ in range(6)]
    await asyncio.gather(*asking)
    assert workers.seconds == pytest.approx([0.12, 0.12, 0.08, 0.06, 0.048, 0.04])
    assert workers.free == asking, "who came first is served first"
    await ask()
    assert workers.seconds[-1] == 0.12, "nobody waits any more"
    await workers.close()
    assert await gone()


async def test_there_are_never_more_processes_than_cores() -> None:
    workers = Workers()
    await asyncio.gather(*(workers.action(*ASKED) for _ in range(3 * (os.cpu_count() or 1))))
    assert 0 < len(children()) <= (os.cpu_count() or 1)
    await workers.close()
    assert await gone()


async def test_equal_seeds_think_alike_in_any_process() -> None:
    workers = Workers(most=1)
    easy = await workers.action(*ASKED)
    assert easy == await workers.action(*ASKED)
    await workers.close()
    assert await gone()


async def test_turns_go_before_earlier_requests() -> None:
    workers, done = Workers(most=1), list[str]()

    async def ask(name: str, urgency: Urgency) -> None:
        await workers.ask(urgency, suggest, "kabooom", [STATE.view(0)], 0, Chance(1), seconds=0.2)
        done.append(name)

    await workers.action(*ASKED)
    first, back = Urgency.REVIEW, Urgency.REVIEW
    await asyncio.gather(  # they begin one after the other, before any of them can be answered
        *(ask("first", first), ask("back", back), ask("hint", Urgency.HINT), ask("turn", Urgency.TURN))
    )
    assert done == ["first", "turn", "hint", "back"]
    await workers.close()
    assert await gone()


async def test_other_requests_get_one_process_at_most() -> None:
    workers, at_once = Workers(most=3), list[int]()

    async def ask(urgency: Urgency) -> None:
        await workers.ask(urgency, suggest, "kabooom", [STATE.view(0)], 0, Chance(1), seconds=0.1)
        at_once.append(workers._busy)

    await asyncio.gather(*(ask(Urgency.REVIEW) for _ in range(4)))
    assert max(at_once) == 1
    await workers.close()
    assert await gone()


async def test_a_cancelled_request_blocks_no_other() -> None:
    workers = Workers(most=1)
    await workers.action(*ASKED)
    asked = [
        asyncio.create_task(workers.ask(Urgency.HINT, suggest, "kabooom", [STATE.view(0)], 0, Chance(1), seconds=0.2))
        for _ in range(3)
    ]
    await asyncio.sleep(0.05)
    asked[1].cancel()
    assert await asked[2]
    assert await asked[0]
    await workers.close()
    assert await gone()
