"""A deterministic, immediate player for tests in which the strength does not matter."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from bench.yardsticks import one_action
from bot.house.workers import Urgency
from bot.tables import forced_actions, house
from bot.tables.table import By, Step, play
from rules import Action, State
from rules.chance import Chance

T = TypeVar("T")


def best_action(state: State, seat: int, chance: Chance) -> Action:
    """Return the best action for *seat*, one action ahead."""
    action: Action = one_action([state.view(seat)], seat, chance)
    return action


def followed(step: Step, now_ms: int) -> Step:
    """Return *step* and all actions of AI players after it."""
    while forced_actions.decides(step) == By.HOUSE:
        state, seat = step.position, step.position.actor
        assert seat is not None
        action = house.given(step) or best_action(state, seat, Chance(step.table.turn, len(step.entries)))
        following = play(step.table, state, action, now_ms, By.HOUSE)
        step = replace(following, entries=step.entries + following.entries)
    return step


class AtOnce:
    """A `bot.house.workers.Thinker` that plays so."""

    async def action(
        self, _game: str, seen: Sequence[Any], seat: int, _level: str, chance: Chance, _seconds: float, /
    ) -> Any:
        return one_action(seen, seat, chance)

    async def ask(self, _urgency: Urgency, think: Callable[..., T], /, *asked: Any, seconds: float) -> T:
        return await asyncio.to_thread(partial(think, *asked, iterations=1))

    async def close(self) -> None:
        pass


class Slow(AtOnce):
    """The same player, but it waits for permission. *asked*: its requests, without the seed."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()
        self.began = asyncio.Event()
        self.asked: list[tuple[str, Sequence[Any], int, str, float]] = []

    async def action(
        self, game: str, seen: Sequence[Any], seat: int, level: str, chance: Chance, seconds: float, /
    ) -> Any:
        self.asked.append((game, seen, seat, level, seconds))
        self.began.set()
        await self.may_go_on.wait()
        return await super().action(game, seen, seat, level, chance, seconds)
