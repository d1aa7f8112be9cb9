"""The evaluation function: the probability to survive the round, from the number of open fields of each colour.

All fields of a colour are alike except for bans. So a round shrinks to five small numbers, and every continuation can
be computed once. A player knows the colour below a lifted cap with the probability KNOWS; otherwise the cap is a random
one.
"""

from collections.abc import Iterator
from functools import cache
from math import exp, sqrt
from typing import Final

from rules.games.colorio.board import EACH, Cap, Colour
from rules.games.colorio.position import Position, Scoring

KNOWS: Final = 0.75
STEADY: Final = 1.5
"""Weight of a lead over several rounds."""
CAPS: Final = 3

Opens = tuple[int, ...]
"""The numbers of open fields per colour, rising."""
Chances = tuple[float, ...]
"""The probabilities to survive the round, for the seats still in, beginning with the actor."""


def win_probability(state: Position, seat: int) -> float:
    """Return the probability that *seat* wins: survives the only round, or has most points after the last one."""
    if state.actor is None or None in state.colours:
        return 1 / state.seats
    if state.options.scoring is Scoring.ROUNDS:
        return over_rounds(state, seat)
    return min(max(surviving(state)[seat], 0.01), 0.99)


def over_rounds(state: Position, seat: int) -> float:
    """Compare the points of *seat*, with those expected from this round, with those of the best other seat."""
    rounds, points = float(len(state.to_come)), [float(total) for total in state.points]
    if state.is_running:
        rounds += 0.5
        alive, gone = state.seats - len(state.out), len(state.out)
        for other, likely in enumerate(surviving(state)):
            if other in state.out:
                points[other] += state.out.index(other)
            else:  # the survivor gets most; another seat's expected place is between the next to go out and the second
                points[other] += likely * (state.seats - 1) + (1 - likely) * (gone + (alive - 2) / 2)
    ahead = points[seat] - max(total for other, total in enumerate(points) if other != seat)
    return min(max(1 / (1 + exp(-STEADY * ahead / ((state.seats - 1) * sqrt(rounds + 0.1)))), 0.01), 0.99)


def surviving(state: Position) -> tuple[float, ...]:
    """Return each seat's probability to survive the running round; an equal share if none is running."""
    if not state.is_running:
        return (1 / state.seats,) * state.seats
    opens = [0] * len(Colour)
    colours = tuple(Colour)
    for cap, colour in zip(state.caps, state.colours, strict=True):
        if cap is Cap.OPEN and colour is not None:
            opens[colours.index(colour)] += 1
    alive = state.seats - len(state.out)
    lifts, removed = CAPS - len(state.log) // 2, state.has_removed
    if state.lifted is None:
        chances = before_lifting(tuple(sorted(opens)), lifts, removed, alive)
    else:
        lifted = state.colour(state.lifted)
        assert lifted is not None
        chances = lifted_one(tuple(opens), colours.index(lifted), lifts, removed, alive)
    survival, actor = [0.0] * state.seats, state.actor
    assert actor is not None
    from_actor = [(actor + step) % state.seats for step in range(state.seats)]
    for seat, likely in zip((seat for seat in from_actor if seat not in state.out), chances, strict=True):
        survival[seat] = likely
    return tuple(survival)


@cache
def before_lifting(opens: Opens, lifts: int, removed: bool, alive: int) -> Chances:
    """Return the chances with *lifts* caps to lift in this turn; *removed*: the turn has removed a cap."""
    if not lifts:
        *others, own = before_lifting(opens, CAPS, False, alive)
        return (own, *others)
    covered = [EACH - number for number in opens]
    ways = [
        lifted_one(_with(opens, colour, 1), colour, lifts, removed, alive) if number else None
        for colour, number in enumerate(covered)
    ]
    best = max(way for way in ways if way is not None)
    blind = [
        sum(way[place] * number for way, number in zip(ways, covered, strict=True) if way is not None) / sum(covered)
        for place in range(alive)
    ]
    return tuple(KNOWS * known + (1 - KNOWS) * unknown for known, unknown in zip(best, blind, strict=True))


def lifted_one(opens: Opens, colour: int, lifts: int, removed: bool, alive: int) -> Chances:
    """Return the chances after a cap of *colour* was lifted, whose field counts as open: the actor is out, or decides
    best."""
    if opens[colour] == EACH:
        if alive == 2:
            return (0.0, 1.0)
        return (0.0, *before_lifting(tuple(sorted(opens)), CAPS, False, alive - 1))
    return max(_decided(opens, colour, lifts, removed, alive))


def _decided(opens: Opens, colour: int, lifts: int, removed: bool, alive: int) -> Iterator[Chances]:
    yield before_lifting(tuple(sorted(opens)), lifts - 1, True, alive)
    if removed or lifts > 1:
        for other, number in enumerate(opens):
            if other != colour and number:
                yield before_lifting(tuple(sorted(_with(opens, other, -1))), lifts - 1, removed, alive)


def _with(opens: Opens, colour: int, more: int) -> Opens:
    return (*opens[:colour], opens[colour] + more, *opens[colour + 1 :])
