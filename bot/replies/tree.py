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
    """A part that can be chosen next. *path* leads there; *index*: of the one action it completes, else None."""

    part: str
    path: Path
    index: int | None
    sample: Action


class Tree:
    """Actions by their parts, each branch looked at once. *apart*: an action that has a button of its own elsewhere."""

    def __init__(self, actions: Sequence[Action], apart: Action | None = None) -> None:
        self._actions = actions
        self._apart = apart
        self._parts = [action.parts for action in actions]
        self._branches: dict[Path, dict[str, list[int]]] = {}
        self._next: dict[Path, tuple[NextPart, ...]] = {}

    @classmethod
    def of(cls, game: str, view: State) -> "Tree":
        """What the actor of *view* can choose: a draw stands under the board, not in the menu."""
        return cls(view.actions(), draw_of(game, view))

    def under(self, path: Path) -> list[tuple[int, Action]]:
        """The actions that *path* leads to, each with its index; none for a path that leads nowhere."""
        return [(index, self._actions[index]) for index in self._under(path)]

    def after(self, path: Path) -> tuple[NextPart, ...]:
        """What can be chosen after *path*; () for a path that leads nowhere."""
        if path not in self._next:
            self._next[path] = tuple(self._choices(path))
        return self._next[path]

    def arrived(self, path: Path) -> tuple[Path, tuple[NextPart, ...]]:
        """What can be chosen after *path*, and the path to where there is something to choose: anew from the beginning
        where it leads nowhere, and further on where only one thing is possible."""
        found = self.after(path)
        if not found:
            path, found = (), self.after(())
        while len(found) == 1 and found[0].index is None:  # nothing to choose here
            path = found[0].path
            found = self.after(path)
        return path, tuple(each for each in found if each.sample != self._apart) or found

    def _choices(self, path: Path) -> list[NextPart]:
        found: list[NextPart] = []
        for number, (part, group) in enumerate(self._groups(path).items()):
            is_complete = len(group) == 1 and len(self._parts[group[0]]) == len(path) + 1
            found.append(NextPart(part, (*path, number), group[0] if is_complete else None, self._actions[group[0]]))
        return found

    def _under(self, path: Path) -> Sequence[int]:
        """The indexes of the actions that *path* leads to."""
        if not path:
            return range(len(self._actions))
        groups = list(self._groups(path[:-1]).values())
        return groups[path[-1]] if path[-1] < len(groups) else ()

    def _groups(self, path: Path) -> dict[str, list[int]]:
        """The indexes of the actions that *path* leads to, by their next part, in the actions' order."""
        if path not in self._branches:
            groups: dict[str, list[int]] = {}
            for index in self._under(path):
                parts = self._parts[index]
                if len(parts) > len(path):
                    groups.setdefault(parts[len(path)], []).append(index)
            self._branches[path] = groups
        return self._branches[path]


def knows_draws(game: str) -> bool:
    """Whether draws are agreed on in *game*: every game that knows them has a word for it."""
    return texts.knows(game, "part.draw")


def draw_of(game: str, view: State) -> Action | None:
    """The action that offers or accepts a draw, None where there is none. Every game that knows draws calls it so."""
    if not knows_draws(game):
        return None
    try:
        (action,) = GAMES[game].parse(view, "draw")
    except (BadNotation, ValueError):
        return None
    return cast("Action", action) if action in view.actions() else None
