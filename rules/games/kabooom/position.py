"""What a position is: its fields, and what can be read off them."""

from typing import Final

from msgspec import Struct

from rules.games.kabooom.towers import Dynamite, Level, Phase, counted

_DEDUCTION: Final = {Level.EASY: 0, Level.MEDIUM: 1, Level.HARD: 2}


class Options(Struct, frozen=True):
    level: Level
    dynamite: Dynamite


class Position(Struct, frozen=True):
    """A position of the game.

    *board*: the tower on each field, in field order, "" where it is empty. *passes*: passes in succession. *last*: for
    each seat its latest action in notation, "auto" when it was passed automatically, None before it has acted.
    """

    seats: int
    options: Options
    seed: int | None
    phase: Phase
    actor: int | None
    passes: int
    board: tuple[str, ...]
    last: tuple[str | None, ...]

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name != "seed")
        return f"State({', '.join(shown)})"

    def points(self, tower: str) -> int:
        """What *tower* brings its owner: the counted height less the deduction of the level, never below 0."""
        return max(0, counted(tower, self.options.dynamite) - _DEDUCTION[self.options.level])
