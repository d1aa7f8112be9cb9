"""The choice of the house for a seat, from the facts that this seat has seen."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from bot.house.alphabeta import AlphaBeta, Ranked, by_value, is_settled
from bot.house.judging import result
from bot.house.levels import LEVELS, Level, Strength
from bot.house.limit import Limit
from bot.house.treesearch import TreeSearch
from rules import GAMES, IllegalAction
from rules.chance import Chance

STEPS = 8
"""Maximum number of decisions in a turn, in games with several actions per turn."""
THROWS = 6
"""So many positions are dealt where luck will fall."""
FINE = 1 << 20


def think(
    game: str,
    seen: Sequence[Any],
    seat: int,
    level: str,
    chance: Chance,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
) -> Any:
    """The action that *seat* plays in the last of the views that it has *seen*, oldest first.

    *game* is its id, *level* "easy", "medium" or "hard". It takes as many CPU *seconds* as given, else a share of the
    level's; or a number of *iterations* instead of any clock: then the same chance always gives the same action.
    Draws are between people: the house offers none and agrees to none. Raises ValueError where *seat* is not to act.
    """
    view, strength = seen[-1], LEVELS[Level(level)]
    if game not in GAMES or view.actor != seat:
        raise ValueError(f"seat {seat} is not to act in this position of {game}")
    listed = view.search_actions() if strength.ahead else view.actions()
    actions = [action for action in listed if str(action) != "draw"] or list(listed)
    actions = _sensible(view, seat, actions) if strength.ahead else meant(view, seat, actions)
    actions = _noticed(actions, strength, chance)
    if len(actions) == 1:
        return actions[0]
    limit = Limit(share_of(view, strength.seconds) if seconds is None else seconds, iterations)
    before = remembered(seen[:-1], strength, chance)
    return _chosen(_ranked(view, before, seat, actions, limit, strength, chance), strength, chance)


def compare(
    seen: Sequence[Any], actions: Sequence[Any], chance: Chance, seconds: float, iterations: int | None
) -> Ranked:
    """Return the values of *actions* in the last of the views *seen* by its actor, at full strength; best first."""
    limit = Limit(seconds, iterations)
    return _ranked(seen[-1], seen[:-1], seen[-1].actor, actions, limit, LEVELS[Level.HARD], chance, full=True)


def any_action(view: Any, seat: int, chance: Chance) -> Any:
    """Return a legal action for *seat*, without search: no draw and no slip if there is another one."""
    listed = view.actions()
    actions = meant(view, seat, [action for action in listed if str(action) != "draw"] or list(listed))
    return actions[chance.below(len(actions))]


def share_of(view: Any, seconds: float, steps: int = STEPS) -> float:
    """Of the *seconds* for a turn of so many *steps*, those for the decision that is due: all of them where any action
    ends the turn. A draw, which the house does not offer, is no action here."""
    actions = [action for action in view.actions() if str(action) != "draw"]
    for action in actions[:: max(1, len(actions) // STEPS)]:
        try:
            if not view.ends_turn(view.play(action)):
                return seconds / steps
        except IllegalAction:  # the result is hidden
            return seconds / steps
    return seconds


def _sensible(view: Any, seat: int, actions: list[Any]) -> list[Any]:
    """The first action that wins at once, as far as can be seen; else those that do not lose at once, if any."""
    kept = []
    for action in actions:
        try:
            after = view.play(action)
        except IllegalAction:  # the result is hidden
            kept.append(action)
            continue
        if after.actor is None and after.outcome.winners == (seat,):
            return [action]
        lost = after.actor is None and seat not in after.outcome.winners
        if not lost and not after.is_out(seat):
            kept.append(action)
    return kept or actions


def meant(view: Any, seat: int, actions: list[Any]) -> list[Any]:
    """Return those of *actions* that need no confirmation, if any: not even a beginner loses a piece or the game by
    a slip. Winning actions are never slips."""

    def is_slip(action: Any) -> bool:
        if view.warns(action) is None:
            return False
        try:
            after = view.play(action)
        except IllegalAction:  # the result is hidden
            return True
        return not (after.actor is None and seat in after.outcome.winners)

    return [action for action in actions if not is_slip(action)] or actions


def remembered(views: Sequence[Any], strength: Strength, chance: Chance) -> Sequence[Any]:
    """Those of the earlier *views* that are still remembered: of each the less likely, the longer ago it was."""
    if not strength.forgets:
        return views
    kept, likely = list[Any](), 1.0
    for view in reversed(views):
        likely *= 1 - strength.forgets
        if chance.below(FINE) < likely * FINE:
            kept.append(view)
    return kept[::-1]


def _ranked(
    view: Any,
    before: Sequence[Any],
    seat: int,
    actions: Sequence[Any],
    limit: Limit,
    strength: Strength,
    chance: Chance,
    *,
    full: bool = False,
) -> Ranked:
    """The *actions* with their values, best first. *full*: whether each value counts, not only the best one."""
    dealt = view.deal_anew(chance, before)
    if not strength.ahead:
        return at_once(dealt, seat, actions)
    if replace(dealt, seed=None) != view:
        return TreeSearch(seat, limit, lambda: view.deal_anew(chance, before)).rank(actions)
    if not has_luck(view, seat, actions, chance):
        return AlphaBeta(seat, limit, full=full).rank(dealt, actions)
    values = dict.fromkeys(actions, 0.0)
    for number in range(THROWS):
        share = limit.share(THROWS - number)
        for value, action in AlphaBeta(seat, share, full=True).rank(view.deal_anew(chance, before), actions):
            values[action] += value / THROWS
    return sorted(((value, action) for action, value in values.items()), key=by_value, reverse=True)


def has_luck(view: Any, seat: int, actions: Sequence[Any], chance: Chance) -> bool:
    """Return whether the result of an action depends on later chance: positions dealt anew then continue
    differently."""
    after = [view.deal_anew(chance).play(actions[0]).view(seat) for _ in range(THROWS)]
    return any(other != after[0] for other in after)


def _noticed(actions: list[Any], strength: Strength, chance: Chance) -> list[Any]:
    """Those of the *actions* that are not overlooked, at least one."""
    if not strength.overlooks:
        return actions
    return [action for action in actions if chance.below(FINE) >= strength.overlooks * FINE] or actions


def at_once(dealt: Any, seat: int, actions: Sequence[Any]) -> Ranked:
    """Return the actions ordered by an immediate evaluation."""
    ranked = []
    for action in actions:
        after = dealt.play(action)
        ranked.append((result(after, seat, 1) if after.actor is None else after.win_probability(seat), action))
    return sorted(ranked, key=by_value, reverse=True)


def _chosen(ranked: Ranked, strength: Strength, chance: Chance) -> Any:
    """Return the best action, up to the level's errors. A searching level knows certain wins and losses."""
    best, action = ranked[0]
    if not strength.sloppy or (strength.ahead and is_settled(best)):
        return action
    weighed = [pair for pair in ranked if not (strength.ahead and is_settled(pair[0]))]
    return max(weighed, key=lambda pair: pair[0] + strength.sloppy * chance.below(FINE) / FINE)[1]
