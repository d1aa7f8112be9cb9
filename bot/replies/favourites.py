"""The order of long lists of choices: the most promising for the actor first, judged by the actor's view."""

from collections.abc import Sequence

from bot.replies.tree import Path, Tree
from rules import Action, IllegalAction, State

MOST = 96
"""Maximum number of actions that are evaluated: a person is waiting."""


def favourites(view: State, tree: Tree, path: Path) -> tuple[str, ...]:
    """Return the parts after *path* that could improve the position of the actor of *view*, the best first."""
    depth = len(path)
    better = best(view, [action for _, action in tree.under(path) if len(action.parts) > depth])
    return tuple(dict.fromkeys(action.parts[depth] for action in better))


def best(view: State, actions: Sequence[Action]) -> list[Action]:
    """Return those of *actions* after which the actor of *view* could be better off than now, the best first.

    The search looks one action ahead and is deterministic. It returns nothing if there are too many actions. Call it
    off the event loop.
    """
    seat = view.actor
    assert seat is not None
    now, left = view.worth(seat), actions
    if len(left) > MOST:
        shortlist = set(view.shortlist())
        left = [action for action in left if action in shortlist]
    worth = {action: _worth(view, seat, action, now) for action in left[:MOST]}
    return sorted((action for action in worth if worth[action] > now), key=lambda action: -worth[action])


def _worth(view: State, seat: int, action: Action, now: int) -> int:
    """Return the evaluation after *action*, or *now* if it is hidden or if the action needs a confirmation."""
    if view.warns(action) is not None:
        return now
    try:
        return view.play(action).worth(seat)
    except IllegalAction:  # the result is hidden
        return now
