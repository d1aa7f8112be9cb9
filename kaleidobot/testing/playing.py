"""Random games of any game, played once per run and shared by many tests."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from rules import GAMES, Game, module_of

ENDLESS = 20_000
"""Number of actions after which a random game counts as endless."""
LOOKED_AT = 14


class Played(NamedTuple):
    """A game from start to end: one action fewer than there are states."""

    seats: int
    options: dict[str, str]
    seed: int
    states: list[Any]
    actions: list[Any]

    def steps(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield state, action, next state."""
        for (before, after), action in zip(pairwise(self.states), self.actions, strict=True):
            yield before, action, after


def play(game: Game, seats: int, options: dict[str, str], seed: int) -> Played:
    """Play a random game; its choices follow from *seed*, too."""
    luck = random.Random(f"{game.id} {seats} {seed}")
    state: Any = game.start(seats, options, seed)
    played = Played(seats, options, seed, [state], [])
    while state.actor is not None:
        action = any_action(state, luck, played.actions)
        state = state.play(action)
        played.states.append(state)
        played.actions.append(action)
        assert len(played.actions) < ENDLESS, "the game does not end"
    return played


def any_action(state: Any, luck: random.Random, before: Sequence[Any] = ()) -> Any:
    """Return a random legal action of *state*. *before*: the actions that led to it, to name them in an error."""
    actions = state.actions()
    assert actions, (
        f"after {' '.join(map(str, before[-3:])) or 'the start'} seat {state.actor} is the actor, but actions() is "
        "empty; a seat that cannot move needs an action such as pass"
    )
    return luck.choice(actions)


def suitable(game: Game, seats: int, turn: int) -> dict[str, str]:
    """Return options for a game: other choices with every *turn*; the defaults if they do not fit *seats*.

    With every other turn an option with a text has the example for so many seats.
    """
    chosen = {option.name: option.choices[turn % len(option.choices)] for option in game.options}
    for option in game.options:
        fitting = [text for text in option.examples if seats in game.seats_with({option.name: text})]
        if turn % 2 and fitting and option.read is not None:
            chosen[option.name] = option.read(fitting[0])
    try:
        game.start(seats, chosen, 0)
    except ValueError:
        return {}
    return chosen


@cache
def games(name: str) -> tuple[Played, ...]:
    """Return two games for every number of seats, with different options and 128-bit seeds."""
    game = GAMES[name]
    setups = [(seats, turn + 2 * place) for turn in (0, 1) for place, seats in enumerate(game.seats)]
    return tuple(
        play(game, seats, suitable(game, seats, turn), random.Random(turn).getrandbits(128)) for seats, turn in setups
    )


@cache
def some_states(name: str) -> tuple[Any, ...]:
    """Return states from all parts of the games of *name*: first, last, some between, and one with each kind of
    action, even if it was possible only once and nobody played it."""
    states: list[Any] = []
    for played in games(name):
        last = len(played.states) - 1
        places = {last * step // (LOOKED_AT - 1) for step in range(LOOKED_AT)}
        kinds = {type(action) for place in places for action in played.states[place].actions()}
        for place, state in enumerate(played.states):
            new = {type(action) for action in state.actions()} - kinds
            kinds |= new
            places |= {place} if new else set()
        states += [played.states[place] for place in sorted(places)]
    return tuple(states)


@cache
def some_steps(name: str) -> tuple[tuple[Any, Any, Any], ...]:
    """Return steps from all parts of the games: every one of short games, some hundred of a long one."""
    sample: list[tuple[Any, Any, Any]] = []
    for played in games(name):
        steps = list(played.steps())
        stride = max(1, len(steps) // 200)
        sample += [*steps[::stride], steps[-1]]
    return tuple(sample)


@cache
def all_actions(name: str) -> tuple[Any, ...]:
    """Return every action that was legal at any time in these games, each once, in order of appearance."""
    return tuple(dict.fromkeys(action for state in some_states(name) for action in state.actions()))


def wild(name: str, number: int, seed: int) -> list[Any]:
    """Return a sample of `all_actions`: most of them are illegal in any one state."""
    pool = all_actions(name)
    return random.Random(seed).sample(pool, min(number, len(pool)))


KINDS = ("refused", "unfit", "news", "warn", "reason", "hint", "part", "why", "obliged", "restricted", "inevitable")


def codes(name: str) -> dict[str, tuple[str, ...]]:
    """Return the CODES of the module of a game: the ids behind ``refused.``, ``news.`` … that it may use."""
    listed = getattr(import_module(module_of(name)), "CODES", None)
    assert listed is not None, (
        f"{module_of(name)} must list its codes: CODES = {{'refused': (...), 'news': (...), ...}}"
    )
    assert set(listed) <= set(KINDS)
    return {kind: tuple(map(str, listed.get(kind, ()))) for kind in KINDS}
