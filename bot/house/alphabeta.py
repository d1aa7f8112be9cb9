"""Search for games without hidden information: alpha-beta with iterative deepening and quiescence.

The searching seat plays for itself, and all others play against it ("paranoid"); with two seats this is exact.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.house.judging import result
from bot.house.limit import Enough, Limit

DEEPEST = 40
CALMING = 4
"""Maximum number of consecutive forcing actions in the quiescence search."""
FUTILE = 0.12
"""More than this no quiet action is expected to bring at the last step."""
LATER = 6
"""Quiet actions after so many others are first looked at one step less deep."""

Ranked = list[tuple[float, Any]]
"""Values from 0 to 1 with their actions, best first."""


class AlphaBeta:
    """The search for one *seat*. *full*: whether the value of every action is wanted, not only of the best one."""

    def __init__(self, seat: int, limit: Limit, *, full: bool = False) -> None:
        self._seat, self._limit, self._full = seat, limit, full
        self._helped: dict[Any, int] = {}  # action -> how often, and how far from the end, it cut a list short

    def rank(self, state: Any, actions: Sequence[Any]) -> Ranked:
        """The *actions* as deep as the limit allows, and at least to the position after each of them."""
        ranked = sorted(((self._leaf(state.play(action), 1), action) for action in actions), key=by_value, reverse=True)
        for depth in range(1, DEEPEST):
            deeper: Ranked = []
            try:
                for _, action in ranked:
                    floor = max(deeper, key=by_value)[0] if deeper and not self._full else -1.0
                    deeper.append((self._value(state.play(action), depth, floor, 2.0, 1), action))
            except Enough:
                if not self._full and deeper:  # the best so far was looked at first, so others lead only if better
                    looked_at = [action for _, action in deeper]
                    rest = [(-1.0, action) for _, action in ranked if action not in looked_at]
                    ranked = sorted(deeper, key=by_value, reverse=True) + rest
                break
            ranked = sorted(deeper, key=by_value, reverse=True)
            if len(ranked) == 1 or all(is_settled(value) for value, _ in ranked[: None if self._full else 1]):
                break
        return ranked

    def worth(self, state: Any) -> float:
        """Return the value of *state*, with any actor: the mean of the two deepest iterations, because a position
        looks too good for the seat that moved last."""
        values = [self._leaf(state, 0)]
        try:
            for depth in range(1, DEEPEST):
                values.append(self._value(state, depth, -1.0, 2.0, 0))
                if is_settled(values[-1]):
                    return values[-1]
        except Enough:
            pass
        return sum(values[-2:]) / len(values[-2:])

    def _leaf(self, state: Any, ply: int) -> float:
        return state.win_probability(self._seat) if state.actor is not None else result(state, self._seat, ply)

    def _value(self, state: Any, depth: int, floor: float, ceiling: float, ply: int) -> float:
        """What *state* is worth, if that is between *floor* and *ceiling*; else something beyond that border."""
        if state.actor is None:
            return result(state, self._seat, ply)
        if depth <= 0:
            return self._calmed(state, CALMING, floor, ceiling, ply)
        self._limit.step()
        mine = state.actor == self._seat
        now = state.win_probability(self._seat) if depth == 1 else 0.5
        hopeless = depth == 1 and (now + FUTILE <= floor if mine else now - FUTILE >= ceiling)
        best = now if hopeless else (-1.0 if mine else 2.0)
        for number, (action, is_sharp) in enumerate(self._ordered(state, only_sharp=hopeless)):
            after = state.play(action)
            value = None
            if number >= LATER and depth >= 2 and not is_sharp:
                value = self._value(after, depth - 2, floor, ceiling, ply + 1)
            if value is None or (value > floor if mine else value < ceiling):
                value = self._value(after, depth - 1, floor, ceiling, ply + 1)
            if mine:
                best, floor = max(best, value), max(floor, value)
            else:
                best, ceiling = min(best, value), min(ceiling, value)
            if floor >= ceiling:
                self._helped[action] = self._helped.get(action, 0) + depth * depth
                break
        return best

    def _calmed(self, state: Any, depth: int, floor: float, ceiling: float, ply: int) -> float:
        """Return the value after all forcing actions; no seat has to play one."""
        best = self._leaf(state, ply)
        if not depth or state.actor is None:
            return best
        mine = state.actor == self._seat
        if mine:
            floor = max(floor, best)
        else:
            ceiling = min(ceiling, best)
        if floor >= ceiling:
            return best
        self._limit.step()
        for action in state.tactical_actions():
            value = self._calmed(state.play(action), depth - 1, floor, ceiling, ply + 1)
            if mine:
                best, floor = max(best, value), max(floor, value)
            else:
                best, ceiling = min(best, value), min(ceiling, value)
            if floor >= ceiling:
                break
        return best

    def _ordered(self, state: Any, *, only_sharp: bool) -> Iterator[tuple[Any, bool]]:
        """Sharp actions first, then those that helped elsewhere; each with whether it is sharp."""
        first = state.tactical_actions()
        for action in first:
            yield action, True
        if not only_sharp:
            known, helped = set(first), self._helped
            for action in sorted(state.actions(), key=lambda candidate: helped.get(candidate, 0), reverse=True):
                if action not in known:
                    yield action, False


def is_settled(value: float) -> bool:
    """Whether a value is that of a game that is over."""
    return not 0.005 < value < 0.995


def by_value(ranked: tuple[float, Any]) -> float:
    """To sort by."""
    return ranked[0]
