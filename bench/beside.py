"""How long a turn takes while the house thinks: at other tables, as hard as it can, in processes of its own.

Two people play one game, now with nobody else, now while the house thinks for four tables, in short slices that take
turns: what else the machine does slows both alike. What counts is the time on the clock from the button to the post.
"""

import asyncio
import time
from statistics import median

from msgspec import Struct

from bench import turn
from bot.chat import Press
from bot.house.workers import Workers
from bot.requests import Play, Stamp
from rules import GAMES
from rules.chance import Chance

TABLES = 4
THOUGHT_S = 0.5
THOUGHT_ABOUT = "kalejdoschach"


class Beside(Struct, frozen=True):
    """Milliseconds of the median turn, alone and beside the thoughts, of so many *turns* each."""

    alone_ms: float
    beside_ms: float
    turns: int

    @property
    def ratio(self) -> float:
        return self.beside_ms / self.alone_ms


async def measure(slices: int = 6, seconds: float = 1.5) -> Beside:
    """So many *slices* of both kinds, each of so many *seconds*."""
    workers = Workers()
    await workers.action(*_asked(0), 0.01)  # the processes are there
    alone, beside = list[float](), list[float]()
    async with turn.opened() as hall:
        for _ in range(slices):
            alone += await _turns(hall, seconds)
            thinking = [asyncio.create_task(_think(workers, table)) for table in range(TABLES)]
            await asyncio.sleep(THOUGHT_S / 5)
            beside += await _turns(hall, seconds)
            for task in thinking:
                task.cancel()
            await asyncio.gather(*thinking, return_exceptions=True)
            await asyncio.sleep(TABLES * THOUGHT_S)  # what has been begun is thought to its end
    await workers.close()
    return Beside(median(alone) * 1000, median(beside) * 1000, min(len(alone), len(beside)))


def _asked(table: int) -> tuple[str, list[object], int, str, Chance]:
    state = GAMES[THOUGHT_ABOUT].start(2, None, table)
    assert state.actor is not None
    return THOUGHT_ABOUT, [state.view(state.actor)], state.actor, "hard", Chance(table)


async def _think(workers: Workers, table: int) -> None:
    while True:
        await workers.action(*_asked(table), THOUGHT_S)


async def _turns(hall: turn.Hall, seconds: float) -> list[float]:
    """How long each turn took, in seconds."""
    found, until = list[float](), time.monotonic() + seconds
    while time.monotonic() < until:
        up = await hall.up()
        if up is None:
            await turn.begin(hall, "kabooom medium", turn.PEOPLE[:2])
            continue
        table, _, person = up
        begun = time.perf_counter()
        await hall.do(person, Press(Play(table.id, Stamp.of(table), 0, sure=True).payload))
        await hall.service.idle()
        found.append(time.perf_counter() - begun)
    return found


if __name__ == "__main__":
    print(asyncio.run(measure()))
