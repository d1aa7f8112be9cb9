"""Players that never change, as yardsticks of the house. None of them remembers earlier views.

A player gets the views that a seat has seen so far, oldest first, and returns an action of the last one.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, cycle
from random import Random
from typing import Any

from bench import Row
from rules import GAMES, IllegalAction
from rules.chance import Chance

Player = Callable[[Sequence[Any], int, Chance], Any]
"""(seen, seat, chance) -> action."""

WON = 10**5
WARNED = 10**6


def at_random(seen: Sequence[Any], seat: int, chance: Chance) -> Any:
    """Return any action."""
    assert seen[-1].actor == seat
    return chance.choice(seen[-1].actions())


def one_action(seen: Sequence[Any], seat: int, chance: Chance) -> Any:
    """Return the action after which the seat's ``worth`` is highest; equals by lot."""
    view, best, choices = seen[-1], None, list[Any]()
    for action in _playable(view):
        worth = _worth(_seen_after(view, action), seat) - (view.warns(action) is not None) * WARNED
        if best is None or worth > best:
            best, choices = worth, []
        if worth == best:
            choices.append(action)
    return chance.choice(choices)


def two_actions(seen: Sequence[Any], seat: int, chance: Chance) -> Any:
    """Return the best action by a search of depth two, in which all others play against the seat.

    Hidden elements are dealt once.
    """
    view, full = seen[-1], seen[-1].deal_anew(chance)
    best: int | None = None
    choices = list[Any]()
    for action in _playable(view):
        after = full.play(action)
        worst = None if best is None else best - 1
        worth = _answered(after, seat, worst) - (view.warns(action) is not None) * WARNED
        if best is None or worth > best:
            best, choices = worth, []
        if worth == best:
            choices.append(action)
    return chance.choice(choices)


def _answered(state: Any, seat: int, enough: int | None) -> int:
    """Return the ``worth`` of *state* to *seat* after one more action. A reply no better than *enough* ends the search
    (pruning)."""
    if state.actor is None:
        return _worth(state, seat)
    best: int | None = None
    for action in _playable(state):
        worth = _worth(state.play(action), seat)
        if best is None or (worth > best if state.actor == seat else worth < best):
            best = worth
        if state.actor != seat and enough is not None and best <= enough:
            break
    assert best is not None
    return best


def flat(seconds: float) -> Player:
    """Return a flat Monte Carlo search: random playouts of the actions in turn, for *seconds* of CPU time."""

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
    """Return all actions except the offer of a draw."""
    return [action for action in view.actions() if str(action) != "draw"] or list(view.actions())


def _seen_after(view: Any, action: Any) -> Any:
    try:
        return view.play(action)
    except IllegalAction:  # the position after it is hidden
        return view


def _worth(view: Any, seat: int) -> int:
    outcome = view.outcome
    won = outcome is not None and seat in outcome.winners
    worth: int = view.worth(seat) + WON * won
    return worth


def rows(*, small: bool = False) -> Iterator[Row]:
    """The share of games of Kabooom that each yardstick wins against random play."""
    players = {"one action": one_action, "two actions": two_actions, "flat": flat(0.001 if small else 0.01)}
    for name, player in players.items():
        games = 1 if small else 20
        won = sum(_wins(player, number % 2, number) for number in range(games))
        yield f"yardstick: {name}", f"{won} of {games} games", "against random play", ""


def _wins(player: Player, seat: int, seed: int) -> bool:
    """Return whether *player* at *seat* wins a game against random play."""
    state: Any = GAMES["kabooom"].start(2, None, seed)
    for number in count():
        if state.actor is None:
            return seat in state.outcome.winners
        chosen = player if state.actor == seat else at_random
        state = state.play(chosen([state.view(state.actor)], state.actor, Chance(seed, number)))
    raise AssertionError("unreachable")
