"""Messages, pings, edits and deletions of a turn in a group: on Discord, and on Telegram with and without messages that
one member sees. Telegram allows twenty messages and edits a minute.

The games are those of `bench.taps`: whole games, played by taps alone.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial

from bench import Row, taps
from bench.taps import KINDS, Hall

PLACES: dict[str, Callable[[str], AbstractAsyncContextManager[Hall]]] = {
    "Discord": taps.discord,
    "Telegram": taps.telegram,
    "older Telegram": partial(taps.telegram, knows_ephemeral=False),
}


async def measure(place: str, game: str, actions: int = taps.MOST_ACTIONS) -> dict[str, float]:
    """Return the mean number of each of `KINDS` in a turn."""
    async with PLACES[place](game) as hall:
        before = hall.costs()
        turns = len(await taps.turns(hall, random.Random(0), actions))
        costs = hall.costs() - before
    return {kind: costs[kind] / turns for kind in KINDS}


def rows(*, small: bool = False) -> Iterator[Row]:
    for game in list(taps.GOALS)[: 1 if small else None]:
        figures = {}
        for place in PLACES:
            costs = asyncio.run(measure(place, game, 2 if small else taps.MOST_ACTIONS))
            figures[place] = ", ".join(f"{costs[kind]:.1f} {kind}" for kind in KINDS)
        newest, *others = figures["Telegram"], *(f"{name}: {figures[name]}" for name in ("older Telegram", "Discord"))
        yield f"a turn in a group, {game}", newest, "; ".join(others), "no edit while a player chooses"


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row), flush=True)
