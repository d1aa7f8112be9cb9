"""Fixed AI players for comparison with the house. None of them remembers earlier views.

A player gets the views of its seat so far, oldest first, and returns an action of the last one.
"""

import time
from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random
from typing import Any

from rules import IllegalAction
from rules.chance import Chance

Player = Callable[[Sequence[Any], int, Chance], Any]
"""(views, seat, chance) -> action."""

WON = 10**5
WARNED = 10**6


def at_random(seen: Sequence[Any], seat: int, chance: Chance) -> Any:
    """Return any action."""
    assert seen[-1].actor == seat
    return chance.choice(seen[-1].actions())


def one_action(seen: Sequence[Any], seat: int, chance: Chance) -> Any:
    """Return the action after which the seat's position is best; ties are broken at random."""
    view, best, found = seen[-1], None, list[Any]()
    for action in _playable(view):
        worth = _worth(_seen_after(view, action), seat) - (view.warns(action) is not None) * WARNED
        if best is None or worth > best:
            best, found = worth, []
        if worth == best:
            found.append(action)
    return chance.choice(found)


def two_actions(seen: Sequence[Any], seat: int, chance: Chance) -> Any:
    """Return the action of a search of depth two, in which the others play against the seat.

    Hidden information is dealt once.
    """
    view, full = seen[-1], seen[-1].deal_anew(chance)
    best: int | None = None
    found = list[Any]()
    for action in _playable(view):
        after = full.play(action)
        worst = None if best is None else best - 1
        worth = _answered(after, seat, worst) - (view.warns(action) is not None) * WARNED
        if best is None or worth > best:
            best, found = worth, []
        if worth == best:
            found.append(action)
    return chance.choice(found)


def _answered(state: Any, seat: int, enough: int | None) -> int:
    """Return the worth of *state* to *seat* after one more action.

    An answer that is no better than *enough* ends the search, as it is bad enough.
    """
    if state.actor is None:
        return _worth(state, seat)
    found: int | None = None
    for action in _playable(state):
        worth = _worth(state.play(action), seat)
        if found is None or (worth > found if state.actor == seat else worth < found):
            found = worth
        if state.actor != seat and enough is not None and found <= enough:
            break
    assert found is not None
    return found


def flat(seconds: float) -> Player:
    """Return a player with a flat Monte Carlo search: it plays out the actions in turn, for so many CPU *seconds*."""

    def player(seen: Sequence[Any], seat: int, chance: Chance) -> Any:
        actions = _playable(seen[-1])
        won, tried = [0.0] * len(actions), [0] * len(actions)
        luck, until = Random(chance.seed()), time.thread_time() + seconds
        full = seen[-1]
        for place in cycle(range(len(actions))):
            if len(actions) == 1 or time.thread_time() >= until:
                break
            if place == 0:
                full = seen[-1].deal_anew(chance)
            state = full.play(actions[place])
            while state.actor is not None:
                state = state.play(luck.choice(state.actions()))
            tried[place] += 1
            won[place] += (seat in state.outcome.winners) / len(state.outcome.winners)
        return actions[max(range(len(actions)), key=lambda place: won[place] / max(1, tried[place]))]

    return player


def _playable(view: Any) -> list[Any]:
    """Return all actions, without offers of a draw if there are others."""
    return [action for action in view.actions() if str(action) != "draw"] or list(view.actions())


def _seen_after(view: Any, action: Any) -> Any:
    try:
        return view.play(action)
    except IllegalAction:  # its result is hidden
        return view


def _worth(view: Any, seat: int) -> int:
    outcome = view.outcome
    won = outcome is not None and seat in outcome.winners
    worth: int = view.worth(seat) + WON * won
    return worth
