"""Analysis of a finished game: every seat's chances at each position, and the moves that the house would have
played.

Chances and moves are computed from the facts that the seat had seen by then.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.house.alphabeta import AlphaBeta
from bot.house.judging import result
from bot.house.levels import Level
from bot.house.limit import Enough, Limit
from bot.house.suggesting import only_way, suggest
from bot.house.thinking import THROWS, compare, has_luck, think
from rules.beginning import Origin, first_position
from rules.chance import Chance

AHEAD = 12
"""So many actions are played on before a position is judged."""
TRIED = 8
"""So many actions are looked at for each of these."""
SURE = 2
"""For the first of these, no action that ends the game is overlooked."""
LEAST = 0.001


class Played(Struct, frozen=True):
    """A game from its beginning to its end: enough to play it again. *options* by name; *actions* in notation.
    *origin*: the position from which it plays on."""

    game: str
    seats: int
    options: tuple[tuple[str, str], ...]
    seed: int
    actions: tuple[str, ...]
    origin: Origin | None = None

    def __repr__(self) -> str:
        return f"<{len(self.actions)} actions of {self.game}>"


@lru_cache(maxsize=2)
def positions(played: Played) -> tuple[Any, ...]:
    """Every position: the first one, then one after each action."""
    state: Any = first_position(played.game, played.seats, dict(played.options), played.seed, played.origin)
    states = [state]
    for text in played.actions:
        legal = {str(action): action for action in state.actions()}
        if text not in legal:
            raise ValueError(f"no legal action reads {text}")
        state = state.play(legal[text])
        states.append(state)
    return tuple(states)


def chances(
    played: Played, number: int, chance: Chance, *, seconds: float | None = None, iterations: int | None = None
) -> tuple[float, ...]:
    """How likely each seat was to win in position *number*; together they are 1.

    It takes as many CPU *seconds* as given, or a number of *iterations* instead of any clock.
    """
    state = positions(played)[number]
    if state.actor is None:
        return shares(state.outcome.winners, played.seats)
    limit, values = Limit(seconds or 0.0, iterations), list[float]()
    for seat in range(played.seats):
        values.append(_worth(played, number, seat, limit.share(played.seats - seat), chance))
    kept = [max(value, LEAST) for value in values]
    return tuple(value / sum(kept) for value in kept)


def shares(winners: Sequence[int], seats: int) -> tuple[float, ...]:
    """What each seat got of the win.

    >>> shares((0, 2), 3)
    (0.5, 0.0, 0.5)
    """
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def remembered(played: Played, number: int, seat: int) -> Sequence[Any]:
    """Return the views of *seat* before position *number* that are no longer visible."""
    before = positions(played)[: number + 1]
    return [earlier.view(seat) for earlier in before[:-1]] if before[-1].forgets else ()


def _worth(played: Played, number: int, seat: int, limit: Limit, chance: Chance) -> float:
    """Return the value of position *number* to *seat*: by search, or played on if *seat* does not see all of it."""
    view, before = positions(played)[number].view(seat), remembered(played, number, seat)
    if replace(view.deal_anew(chance, before), seed=None) != view:
        return _played_on(view, before, seat, limit, chance)
    throws = THROWS if has_luck(view, seat, _without_draw(view), chance) else 1
    values = [AlphaBeta(seat, limit.share(throws - throw)).worth(view.deal_anew(chance)) for throw in range(throws)]
    return sum(values) / throws


def _without_draw(state: Any) -> Sequence[Any]:
    return [action for action in state.actions() if str(action) != "draw"] or state.actions()


def _played_on(view: Any, before: Sequence[Any], seat: int, limit: Limit, chance: Chance) -> float:
    """Return the average value of positions that look like *view* to *seat*, if all seats play the most promising
    actions."""
    values = list[float]()
    while not values or not limit.is_reached:
        values.append(judged_later(view.deal_anew(chance, before), seat, limit, chance))
    return sum(values) / len(values)


def judged_later(state: Any, seat: int, limit: Limit, chance: Chance) -> float:
    """What *state* is worth to *seat* some actions later."""
    for ahead in range(AHEAD):
        actor = state.actor
        if actor is None:
            break
        try:
            limit.step()
        except Enough:
            break
        actions = chance.shuffled(_without_draw(state))
        after = [state.play(action) for action in actions[: None if ahead < SURE else TRIED]]
        options = [*after[:TRIED], *(option for option in after[TRIED:] if option.actor is None)]
        state = max(
            options,
            key=lambda option: result(option, actor, 1) if option.actor is None else option.win_probability(actor),
        )
    return result(state, seat, 0) if state.actor is None else state.win_probability(seat)


def instead(
    played: Played, number: int, chance: Chance, *, seconds: float | None = None, iterations: int | None = None
) -> tuple[str, ...]:
    """Return the moves of the house from position *number* on, in notation (see `suggest`), or () if there was no
    choice."""
    state = positions(played)[number]
    seat = state.actor
    if seat is None or only_way(state.view(seat)):
        return ()
    seen = [*remembered(played, number, seat), state.view(seat)]
    return tuple(map(str, suggest(played.game, seen, seat, chance, seconds=seconds, iterations=iterations)))


def regret(
    played: Played, number: int, chance: Chance, *, seconds: float | None = None, iterations: int | None = None
) -> float | None:
    """Return how much less likely a win was after the action in position *number* than after the house's choice; None
    if there was no choice.

    Both actions are judged by the same search, so decisions of one turn can be compared.
    """
    state = positions(played)[number]
    seat = state.actor
    if seat is None or len(state.actions()) == 1:
        return None
    seen, half_s = [*remembered(played, number, seat), state.view(seat)], (seconds or 0.0) / 2
    best = think(played.game, seen, seat, Level.HARD, chance, seconds=half_s, iterations=iterations)
    done = next(action for action in state.actions() if str(action) == played.actions[number])
    if best == done:
        return 0.0
    values = {action: value for value, action in compare(seen, (done, best), chance, half_s, iterations)}
    return max(0.0, values[best] - values[done])
