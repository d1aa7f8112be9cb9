"""The delay of turns at another table while a crowd presses: ten thousand presses in a minute on one vote of a channel.

Every third press opens the menu of a vote, the others vote or change a vote. The presses come by the clock, whether or
not the former ones are answered. Meanwhile two people play elsewhere, a turn a second.
"""

import asyncio
import random
import time
from collections.abc import Iterator
from statistics import median

from msgspec import Struct

from bench import Row
from bench.loop import Town, opened, people
from bot.chat import Person, PersonId, Press, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.requests import CastVote, Play, Stamp, Vote
from bot.tables import voting

A_MINUTE = 10_000
CROWD = 500
EACH_S = 1.0
"""Pause before a turn; the rate limit takes no more of one person."""


class Flooded(Struct, frozen=True):
    """Seconds of the median and of the slowest turn elsewhere, alone and in the flood. *press_ms*: CPU time of a press.
    *votes*: that were stored."""

    alone_s: tuple[float, float]
    flooded_s: tuple[float, float]
    press_ms: float
    votes: int


async def measure(seconds: float = 60.0, alone_s: float = 20.0) -> Flooded:
    async with opened(2, Pictures()) as town:
        channel, elsewhere = town.places
        host = Person(PersonId("room:ada"), "Ada", "en")
        await town.do(channel, host, Typed("/newgame kabooom channel house"))
        await town.do(channel, host, Typed("/start"))
        await town.begin(elsewhere, "kabooom easy")
        await town.service.idle()
        begun_s = time.process_time()
        alone = await _turns(town, time.monotonic() + alone_s)
        turn_s, begun_s = (time.process_time() - begun_s) / len(alone), time.process_time()
        until = time.monotonic() + seconds
        playing = asyncio.create_task(_turns(town, until))
        presses = await _flood(town, until)
        flooded = await playing
        spent_s = time.process_time() - begun_s - turn_s * len(flooded)
        held = await town.store.at(channel.id)
        assert held is not None
        count = voting.counted(await town.service.repository.load(held))
        return Flooded(_slow(alone), _slow(flooded), 1000 * spent_s / presses, count.changes)


def _slow(durations: list[float]) -> tuple[float, float]:
    return median(durations), max(durations)


async def _flood(town: Town, until: float) -> int:
    """Press until that time, with the due work of each second. Return the number of presses."""
    channel, luck = town.places[0], random.Random(0)
    held = await town.store.at(channel.id)
    assert held is not None
    now = await town.service.repository.load(held)
    assert now.state is not None
    stamp, actions = Stamp(*voting.moment(now)), len(now.state.actions())
    crowd = [Person(PersonId(f"room:voter{n}"), f"Voter {n}", "en") for n in range(CROWD)]
    pressing, presses, begun, due_s = set[asyncio.Task[object]](), 0, time.monotonic(), 0.0
    while time.monotonic() < until:
        passed_s = time.monotonic() - begun
        while presses < passed_s * A_MINUTE / 60:
            request = Vote(held) if presses % 3 == 0 else CastVote(held, stamp, (luck.randrange(actions),))
            update = Update(UpdateId(f"flood:{presses}"), luck.choice(crowd), channel, Press(request.payload))
            task = asyncio.create_task(town.service.handle(update))
            pressing.add(task)
            task.add_done_callback(pressing.discard)
            presses += 1
        if passed_s > due_s:
            await town.service.do_due()
            due_s += 1
        await asyncio.sleep(0.01)
    await asyncio.gather(*pressing)
    return presses


async def _turns(town: Town, until: float) -> list[float]:
    """Play elsewhere until that time. Return the duration of each turn in seconds, from the press to the answer."""
    durations, room = list[float](), town.places[1]
    while not durations or time.monotonic() < until:
        await asyncio.sleep(EACH_S)
        table = await town.table(room)
        if table is None:
            await town.begin(room, "kabooom easy")
            continue
        begun = time.perf_counter()
        for person in people(room):
            await town.do(room, person, Press(Play(table.id, Stamp.of(table), 0, sure=True).payload))
        passed_s, played = time.perf_counter() - begun, await town.table(room)
        if played is None or played.revision > table.revision:  # it was no refusal
            durations.append(passed_s)
    return durations


def rows(*, small: bool = False) -> Iterator[Row]:
    result = asyncio.run(measure(1.0, 1.0) if small else measure())
    alone, beside = (
        f"{1000 * usual:.0f} ms (at most {1000 * most:.0f})" for usual, most in (result.alone_s, result.flooded_s)
    )
    yield (
        f"turn elsewhere during {A_MINUTE:,} presses a minute on a vote",
        f"{beside}; alone {alone}",
        f"{result.press_ms:.1f} ms of CPU time a press; {result.votes} votes stored",
        "no turn waits for a second",
    )


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row), flush=True)
