"""Suggestions of the house to a person: the rest of a turn, as far as the seat can foresee it."""

from collections.abc import Sequence
from typing import Any

from bot.house.levels import LEVELS, Level
from bot.house.thinking import share_of, think
from rules import IllegalAction
from rules.chance import Chance

LONGEST = 12
"""So many actions are suggested at most: no turn needs more."""


def suggest(
    game: str,
    seen: Sequence[Any],
    seat: int,
    chance: Chance,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
) -> tuple[Any, ...]:
    """Return the best continuation of *seat* until its turn ends, at least one action.

    It ends earlier if the result of an action is hidden from the seat. *seen* and the keywords are those of
    `bot.house.think`; *seconds* is the budget for all actions.
    """
    views, actions = list(seen), list[Any]()
    seconds_left = LEVELS[Level.HARD].seconds if seconds is None else seconds
    while len(actions) < LONGEST:
        share = share_of(views[-1], seconds_left)
        seconds_left -= share
        actions.append(think(game, views, seat, Level.HARD, chance, seconds=share, iterations=iterations))
        try:
            after = views[-1].play(actions[-1])
        except IllegalAction:  # the result is hidden
            break
        if after.actor != seat or views[-1].ends_turn(after):
            break
        views = [*views, after] if after.forgets else [after]
    return tuple(actions)


def only_way(view: Any) -> tuple[Any, ...]:
    """Return the forced rest of the turn, as far as it is visible; () if there is a choice."""
    seat, actions = view.actor, list[Any]()
    while view.actor == seat and len(actions) < LONGEST:
        if len(view.actions()) > 1:
            return ()
        actions += view.actions()
        try:
            after = view.play(actions[-1])
        except IllegalAction:  # the result is hidden
            break
        if view.ends_turn(after):
            break
        view = after
    return tuple(actions)
