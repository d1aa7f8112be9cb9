"""The duration of a turn while the house thinks at other tables, as hard as it can, in processes of its own.

Two people play one game, in turn alone and while the house thinks for four tables, in short slices: other load on the
machine slows both alike. The time on the clock counts, from the button to the post.
"""

import asyncio
import time
from collections.abc import Iterator
from statistics import median

from msgspec import Struct

from bench import Row, turn
from bot.chat import Press
from bot.house.workers import Workers
from bot.requests import Play, Stamp
from bot.runtime.tasks import cancelled
from rules import GAMES
from rules.chance import Chance

TABLES = 4
THOUGHT_S = 0.5
THOUGHT_ABOUT = "kalejdoschach"


class Beside(Struct, frozen=True):
    """Milliseconds of the median turn, alone and beside the house; *turns* of each at least."""

    alone_ms: float
    beside_ms: float
    turns: int

    @property
    def ratio(self) -> float:
        return self.beside_ms / self.alone_ms


async def measure(slices: int = 6, seconds: float = 1.5, tables: int = TABLES, thought_s: float = THOUGHT_S) -> Beside:
    """Measure *slices* of both kinds, each of *seconds*."""
    workers = Workers()
    await workers.action(*_question(0), 0.01)  # starts the processes
    alone, beside = list[float](), list[float]()
    async with turn.opened() as hall:
        for _ in range(slices):
            alone += await _turns(hall, seconds)
            thinking = [asyncio.create_task(_think(workers, table, thought_s)) for table in range(tables)]
            await asyncio.sleep(thought_s / 5)
            beside += await _turns(hall, seconds)
            await cancelled(*thinking)
            await asyncio.sleep(tables * thought_s)  # a worker ends the thought that it has begun
    await workers.close()
    return Beside(median(alone) * 1000, median(beside) * 1000, min(len(alone), len(beside)))


def _question(table: int) -> tuple[str, list[object], int, str, Chance]:
    state = GAMES[THOUGHT_ABOUT].start(2, None, table)
    assert state.actor is not None
    return THOUGHT_ABOUT, [state.view(state.actor)], state.actor, "hard", Chance(table)


async def _think(workers: Workers, table: int, seconds: float) -> None:
    while True:
        await workers.action(*_question(table), seconds)


async def _turns(hall: turn.Hall, seconds: float) -> list[float]:
    """Play for *seconds* and return the duration of each turn in seconds."""
    durations_s, until = list[float](), time.monotonic() + seconds
    while not durations_s or time.monotonic() < until:
        up = await hall.up()
        if up is None:
            await turn.begin(hall, "kabooom medium", turn.PEOPLE[:2])
            continue
        table, _, person = up
        begun = time.perf_counter()
        await hall.do(person, Press(Play(table.id, Stamp.of(table), 0, sure=True).payload))
        await hall.service.idle()
        durations_s.append(time.perf_counter() - begun)
    return durations_s


def rows(*, small: bool = False) -> Iterator[Row]:
    measured = asyncio.run(measure(1, 0.05, 1, 0.05) if small else measure())
    yield (
        f"turn while the house thinks hard at {TABLES} tables",
        f"{measured.beside_ms:.2f} ms on the clock, median of {measured.turns}",
        f"{measured.ratio:.2f} of a turn when it does not",
        "≤ 1.5",
    )


if __name__ == "__main__":
    print(asyncio.run(measure()))
