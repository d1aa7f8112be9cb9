"""How much everybody hears of a turn: new messages, calls of people, edits and deletions, on Discord, and in a group on
Telegram where a server knows messages that one member sees, and where it does not. Telegram takes twenty messages and
edits a minute.

The games of `bench.taps`, the same everywhere: whole games, played by tapping alone.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial

from bench import taps
from bench.taps import KINDS, Hall

Row = tuple[str, str, str, str]

PLACES: dict[str, Callable[[str], AbstractAsyncContextManager[Hall]]] = {
    "Discord": taps.discord,
    "Telegram": taps.telegram,
    "older Telegram": partial(taps.telegram, knows_ephemeral=False),
}


async def measure(place: str, game: str) -> dict[str, float]:
    """So many of each kind a turn."""
    async with PLACES[place](game) as hall:
        before = hall.heard()
        turns = len(await taps.turns(hall, random.Random(0)))
        found = hall.heard() - before
    return {each: found[each] / turns for each in KINDS}


def rows() -> Iterator[Row]:
    for game in taps.GOALS:
        said = {}
        for place in PLACES:
            found = asyncio.run(measure(place, game))
            said[place] = ", ".join(f"{found[each]:.1f} {each}" for each in KINDS)
        newest, *others = said["Telegram"], *(f"{name}: {said[name]}" for name in ("older Telegram", "Discord"))
        yield f"a turn in a group, {game}", newest, "; ".join(others), "no edit while somebody chooses"


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row), flush=True)
