"""With what a long list of choices begins: what looks best to whoever is to choose, for all this person can see."""

from statistics import median_low

from bot.replies.menus import NextPart, under
from rules import Action, IllegalAction, State


def favourites(view: State, found: tuple[NextPart, ...]) -> tuple[str, ...]:
    """The parts of *found* after which the actor of *view* could stand better than after most, the best first.

    It looks one action ahead and says nothing of it: as quick as the rules are, and the same whenever it is asked. To
    be called beside the event loop.
    """
    seat, actions = view.actor, view.actions()
    assert seat is not None
    worth = {each.part: max(_worth(view, seat, action) for _, action in under(actions, each.path)) for each in found}
    most = median_low(worth.values())
    return tuple(sorted((part for part in worth if worth[part] > most), key=lambda part: -worth[part]))


def _worth(view: State, seat: int, action: Action) -> int:
    """How good it looks after *action*; as it does now where nobody knows, and where one would be asked about it."""
    if view.warns(action) is not None:
        return view.worth(seat)
    try:
        return view.play(action).worth(seat)
    except IllegalAction:  # what comes of it is hidden
        return view.worth(seat)
