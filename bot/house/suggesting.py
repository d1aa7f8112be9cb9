"""What the house would play for somebody: the rest of a turn, as far as that seat can see what comes of it."""

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
    """The actions with which *seat* would go on at its best until its turn ends, one at least.

    They end earlier where what comes of one is hidden from this seat. *seen* and the keywords are those of
    `bot.house.think`; *seconds* are for all of them.
    """
    views, found = list(seen), list[Any]()
    left = LEVELS[Level.HARD].seconds if seconds is None else seconds
    while len(found) < LONGEST:
        share = share_of(views[-1], left)
        left -= share
        found.append(think(game, views, seat, Level.HARD, chance, seconds=share, iterations=iterations))
        try:
            after = views[-1].play(found[-1])
        except IllegalAction:  # what it leads to is hidden
            break
        if after.actor != seat or views[-1].ends_turn(after):
            break
        views = [*views, after] if after.forgets else [after]
    return tuple(found)


def only_way(view: Any) -> tuple[Any, ...]:
    """How the turn goes on where nothing can be chosen in the rest of it, as far as can be seen; () where something
    can."""
    seat, found = view.actor, list[Any]()
    while view.actor == seat and len(found) < LONGEST:
        if len(view.actions()) > 1:
            return ()
        found += view.actions()
        try:
            after = view.play(found[-1])
        except IllegalAction:  # what it leads to is hidden
            break
        if view.ends_turn(after):
            break
        view = after
    return tuple(found)
