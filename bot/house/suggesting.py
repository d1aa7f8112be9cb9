"""Suggestions of the house to a person: the rest of a turn, as far as the seat can foresee it."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.house.alphabeta import is_settled
from bot.house.levels import LEVELS, Level
from bot.house.thinking import at_once, compare, meant, share_of, think
from rules import IllegalAction
from rules.chance import Chance

LONGEST = 12
"""So many actions are suggested at most: no turn needs more."""
PARTS = 3
"""The next decision of a turn has this part of the remaining time: the first ones matter most."""
COMPARED = 0.3
"""Share of the time for the comparison with actions of a lower price."""
FEW = 12
"""Maximum number of them."""
EQUAL = 0.04
"""Actions whose chances of a win differ by less are equal: the next step of the search may change as much."""


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
        share = share_of(views[-1], seconds_left, PARTS)
        seconds_left -= share
        prices = {action: price(views[-1], action) for action in views[-1].search_actions()}
        rest = share * COMPARED if len({*prices.values()}) > 1 else 0.0
        action = think(game, views, seat, Level.HARD, chance, seconds=share - rest, iterations=iterations)
        action = keeping(views[-1], action)
        actions.append(cheaper(views, action, prices, chance, seconds=rest, iterations=iterations))
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


def gain(view: Any, after: Any, seat: int) -> int:
    """Return the points that *seat* has won from *view* to *after*; in a game without points, their worth."""
    before, now = view.standing(), after.standing()
    won: int = after.worth(seat) - view.worth(seat) if before is None or now is None else now[seat] - before[seat]
    return won


def loss(after: Any, action: Any, seat: int) -> int:
    """Return the points that the next action of another seat can take from *seat* at the place to which *action* led,
    as far as *seat* can see."""
    if after.actor in (seat, None):
        return 0
    losses, place = [0], action.parts[-1]
    for answer in after.actions():
        if place not in answer.parts:
            continue
        try:
            losses.append(-gain(after, after.play(answer), seat))
        except IllegalAction:  # the result is hidden
            continue
    return max(losses)


def keeping(view: Any, action: Any) -> Any:
    """Return *action*, or another one with the same gain of which nothing can be taken back at once.

    Only the last action of a turn can lose its gain before the actor's next one.
    """
    seat = view.actor

    def kept(option: Any) -> tuple[int, int] | None:
        """Return the gain of *option*, and how much of it stays; None if the result is hidden or the turn goes on."""
        try:
            after = view.play(option)
        except IllegalAction:
            return None
        won = gain(view, after, seat)
        return None if after.actor == seat else (won, won - loss(after, option, seat))

    chosen = kept(action)
    if chosen is None or chosen[0] <= 0 or chosen[1] >= chosen[0]:
        return action
    safe = (option for option in view.actions() if kept(option) == (chosen[0], chosen[0]))
    return next(safe, action)


def price(view: Any, action: Any) -> tuple[bool, bool]:
    """Return whether the game asks before *action*, and whether the next player can take something after it."""
    return (view.warns(action) or view.cautions(action)) is not None, bool(view.risks(action))


def cheaper(
    seen: Sequence[Any],
    action: Any,
    prices: Mapping[Any, tuple[bool, bool]],
    chance: Chance,
    *,
    seconds: float,
    iterations: int | None,
) -> Any:
    """Return *action*, or an equal one of the lowest price. A win has no price."""
    view, own = seen[-1], price(seen[-1], action)
    options = [option for option, cost in prices.items() if cost < own and str(option) != "draw"]
    if not options:
        return action
    dealt = view.deal_anew(chance, seen[:-1])
    options = [option for _, option in at_once(dealt, view.actor, options)[:FEW]]
    values = {option: value for value, option in compare(seen, (action, *options), chance, seconds, iterations)}
    if is_settled(values[action]):
        return action
    equal = [option for option in options if values[option] > values[action] - EQUAL]
    return min(equal, key=lambda option: (prices[option], -values[option]), default=action)


def likely(view: Any, most: int, considered: int) -> tuple[Any, ...]:
    """Return at most *most* actions that the actor of *view* may choose next, the most likely first.

    *view*: of any seat. It is judged at once on one deal of the hidden facts, for at most *considered* actions, so the
    same view always gives the same answer.
    """
    dealt, listed = view.deal_anew(Chance(0, label="likely")), view.actions()
    actions = [action for action in dealt.search_actions() if action in listed and str(action) != "draw"] or [*listed]
    if len(actions) > considered:
        shortlist = set(dealt.shortlist())
        actions = [action for action in actions if action in shortlist] or actions
    ranked = at_once(dealt, view.actor, meant(dealt, view.actor, actions[:considered]))
    return tuple(action for _, action in ranked[:most])
