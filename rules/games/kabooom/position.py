"""The fields of a position, and values derived from them."""

from typing import Final

from msgspec import Struct

from rules.games.kabooom.towers import OF_EACH, SYMBOLS, Dynamite, Level, Phase, counted, height, owner

_DEDUCTION: Final = {Level.EASY: 0, Level.MEDIUM: 1, Level.HARD: 2}


class Options(Struct, frozen=True):
    level: Level
    dynamite: Dynamite


class Position(Struct, frozen=True):
    """A position of the game.

    *board*: the tower on each field, in field order, "" if empty. *passes*: passes in succession. *last*: for each seat
    its latest action in notation, "auto" if it passed automatically, None before its first action.
    """

    seats: int
    options: Options
    seed: int | None
    phase: Phase
    actor: int | None
    passes: int
    board: tuple[str, ...]
    last: tuple[str | None, ...]

    def points(self, tower: str) -> int:
        """Return the points of *tower* for its owner: the counted height less the deduction of the level, never below
        0."""
        return max(0, counted(tower, self.options.dynamite) - _DEDUCTION[self.options.level])

    def sum_of(self, tower: str) -> str:
        """Return how the points of *tower* come about: ``"5 − 2 d − 1"``; ``"d"`` if dynamite on top takes all."""
        if self.options.dynamite == Dynamite.TOWER and tower.endswith("d"):
            return "d"
        dynamite = 0 if self.options.dynamite == Dynamite.TOWER else tower.count("d")
        less = _DEDUCTION[self.options.level]
        return " − ".join(
            (str(height(tower)), *([f"{dynamite} d"] if dynamite else ()), *([str(less)] if less else ()))
        )

    def supply(self, seat: int) -> dict[str, int]:
        """Return how many stones of each symbol *seat* has not placed: public, because it follows from the board.

        >>> from rules.games.kabooom import GAME, Place
        >>> GAME.start(seats=2).play(Place("d", "c3")).supply(0)
        {'r': 3, 'p': 3, 's': 3, 'd': 2}
        """
        placed = "".join(self.board)
        return {kind: OF_EACH - placed.count(f"{seat}{kind}") for kind in SYMBOLS}

    def heights(self) -> tuple[tuple[int, ...], ...]:
        """Return for each seat the counted heights of its towers, highest first, without zeros. Reading 9 compares
        them."""
        heights: list[list[int]] = [[] for _ in range(self.seats)]
        for tower in filter(None, self.board):
            if height := counted(tower, self.options.dynamite):
                heights[owner(tower)].append(height)
        return tuple(tuple(sorted(own, reverse=True)) for own in heights)
