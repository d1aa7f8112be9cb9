"""With what a long list of choices begins: what looks best to whoever is to choose, for all this person can see."""

from collections.abc import Sequence

from bot.replies.tree import Path, Tree
from rules import Action, IllegalAction, Promising, State

MOST = 96
"""So many actions are looked at: somebody waits."""


def favourites(view: State, tree: Tree, path: Path) -> tuple[str, ...]:
    """The parts after *path* with which the actor of *view* could stand better than now, the best first."""
    depth = len(path)
    better = best(view, [action for _, action in tree.under(path) if len(action.parts) > depth])
    return tuple(dict.fromkeys(action.parts[depth] for action in better))


def best(view: State, actions: Sequence[Action]) -> list[Action]:
    """Those of *actions* after which the actor of *view* could stand better than now, the best first.

    It looks one action ahead and says nothing of it: the same whenever it is asked, and nothing where there is more to
    look at than there is time for. To be called beside the event loop.
    """
    seat = view.actor
    assert seat is not None
    now, left = view.worth(seat), actions
    if len(left) > MOST:
        promising = set(view.promising()) if isinstance(view, Promising) else set()
        left = [action for action in left if action in promising]
    worth = {action: _worth(view, seat, action, now) for action in left[:MOST]}
    return sorted((action for action in worth if worth[action] > now), key=lambda action: -worth[action])


def _worth(view: State, seat: int, action: Action, now: int) -> int:
    """How good it looks after *action*; as it does *now* where nobody knows, and where one would be asked about it."""
    if view.warns(action) is not None:
        return now
    try:
        return view.play(action).worth(seat)
    except IllegalAction:  # what comes of it is hidden
        return now
