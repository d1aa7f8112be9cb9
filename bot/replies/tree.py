"""The legal actions of a position as a tree: one part of the notation after another.

A path holds, for every part chosen so far, its number among the parts that could be chosen there.
"""

from collections.abc import Sequence
from typing import cast

from msgspec import Struct

import texts
from rules import GAMES, Action, BadNotation, State

Path = tuple[int, ...]


class NextPart(Struct, frozen=True):
    """A part that can be chosen next. *path* leads to it; *index*: of the action that it completes, or None."""

    part: str
    path: Path
    index: int | None
    sample: Action


class Tree:
    """Actions by their parts; each branch is computed once. *apart*: an action with a button elsewhere."""

    def __init__(self, actions: Sequence[Action], apart: Action | None = None) -> None:
        self._actions = actions
        self._apart = apart
        self._parts = [action.parts for action in actions]
        self._branches: dict[Path, dict[str, list[int]]] = {}
        self._next: dict[Path, tuple[NextPart, ...]] = {}

    @classmethod
    def of(cls, game: str, view: State) -> "Tree":
        """Return the tree of the actor of *view*, without the draw: its button is under the board."""
        return cls(view.actions(), draw_of(game, view))

    def under(self, path: Path) -> list[tuple[int, Action]]:
        """Return the actions under *path*, each with its index; [] for a path that does not exist."""
        return [(index, self._actions[index]) for index in self._under(path)]

    def after(self, path: Path) -> tuple[NextPart, ...]:
        """Return the parts that can follow *path*; () for a path that does not exist."""
        if path not in self._next:
            self._next[path] = tuple(self._choices(path))
        return self._next[path]

    def arrived(self, path: Path) -> tuple[Path, tuple[NextPart, ...]]:
        """Return the next position with a choice, and its parts: from the beginning if *path* does not exist,
        further along if only one part is possible."""
        options = self.after(path)
        if not options:
            path, options = (), self.after(())
        while len(options) == 1 and options[0].index is None:  # only one possibility
            path = options[0].path
            options = self.after(path)
        return path, tuple(option for option in options if option.sample != self._apart) or options

    def _choices(self, path: Path) -> list[NextPart]:
        options: list[NextPart] = []
        for number, (part, group) in enumerate(self._groups(path).items()):
            is_complete = len(group) == 1 and len(self._parts[group[0]]) == len(path) + 1
            options.append(NextPart(part, (*path, number), group[0] if is_complete else None, self._actions[group[0]]))
        return options

    def _under(self, path: Path) -> Sequence[int]:
        """Return the indexes of the actions under *path*."""
        if not path:
            return range(len(self._actions))
        groups = list(self._groups(path[:-1]).values())
        return groups[path[-1]] if path[-1] < len(groups) else ()

    def _groups(self, path: Path) -> dict[str, list[int]]:
        """Return the indexes of the actions under *path* by their next part, in the actions' order."""
        if path not in self._branches:
            groups: dict[str, list[int]] = {}
            for index in self._under(path):
                parts = self._parts[index]
                if len(parts) > len(path):
                    groups.setdefault(parts[len(path)], []).append(index)
            self._branches[path] = groups
        return self._branches[path]


def knows_draws(game: str) -> bool:
    """Return whether players of *game* can agree to a draw: such games have a text for it."""
    return texts.knows(game, "part.draw")


def draw_of(game: str, view: State) -> Action | None:
    """Return the action that offers or accepts a draw, or None. Every game with draws uses the notation ``draw``."""
    if not knows_draws(game):
        return None
    try:
        (action,) = GAMES[game].parse(view, "draw")
    except (BadNotation, ValueError):
        return None
    return cast("Action", action) if action in view.actions() else None
