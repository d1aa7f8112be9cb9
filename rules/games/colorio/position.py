"""The fields of a position, and values derived from them."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from rules.games.colorio.actions import Cover, Remove, TurnAction, Uncover
from rules.games.colorio.board import GRID, Cap, Colour, Layout, Side


class Scoring(StrEnum):
    SINGLE = "single"
    ROUNDS = "rounds"

    def rounds(self, seats: int) -> int:
        """Return the number of rounds: one, or as many as there are seats (rulebook: Variante)."""
        return seats if self is Scoring.ROUNDS else 1


class Memory(StrEnum):
    ON = "on"
    OFF = "off"


class Phase(StrEnum):
    PLAY = "play"
    BETWEEN = "between"
    OVER = "over"


class Turn(Struct, frozen=True):
    """A finished turn: its seat and its actions in order; fewer than six if the player went out."""

    seat: int
    actions: tuple[TurnAction, ...]


class Options(Struct, frozen=True):
    scoring: Scoring
    memory: Memory


ACTIONS_PER_TURN: Final = 6
"""A turn is three caps; each is uncovered, then taken away or moved."""
_OPEN: Final = Cap.OPEN  # cached, because access to enum members is slow
_PLAY: Final = Phase.PLAY


class Position(Struct, frozen=True, kw_only=True):
    """A position. *colours* and *caps* are in field order; a view has None for hidden colours.

    *turn*: number of the running turn in this round, from 0; once the round is over, of the turn that ended it.
    *log*: actions of the running turn. *last*: the turn before, None in turn 0. *out*: in the order of going out.
    *points*: from finished rounds. *to_come*: layouts of the later rounds, next first.
    """

    options: Options
    seed: int | None
    phase: Phase
    round: int
    turn: int
    actor: int | None
    side: Side
    colours: tuple[Colour | None, ...]
    caps: tuple[Cap, ...]
    log: tuple[TurnAction, ...]
    last: Turn | None
    out: tuple[int, ...]
    points: tuple[int, ...]
    to_come: tuple[Layout | None, ...]

    def __repr__(self) -> str:
        """Return public facts only, so that a log line or a failed test shows neither seed nor covered colours."""
        board = "".join(
            cap if cap is not _OPEN else str(colour) for cap, colour in zip(self.caps, self.colours, strict=True)
        )
        turn = " ".join(map(str, self.log))
        return f"State({self.phase}, round={self.round}, turn={self.turn}, actor={self.actor}, {board!r}, log={turn!r})"

    @property
    def seats(self) -> int:
        return len(self.points)

    @property
    def lifted(self) -> str | None:
        """The field of the cap just lifted, about which the player has to decide; None if no cap is lifted."""
        lift = self.log[-1] if self.log else None
        return lift.field if isinstance(lift, Uncover) else None

    @property
    def has_removed(self) -> bool:
        """Whether the player removed a cap in the running turn."""
        return any(isinstance(action, Remove) for action in self.log)

    @property
    def is_running(self) -> bool:
        """Whether a round is running."""
        return self.phase is _PLAY

    def colour(self, field: str) -> Colour | None:
        """Return the colour of *field*; None if a view does not know it."""
        return self.colours[GRID.number[field]]

    def in_sight(self, colour: Colour) -> int:
        """Return the number of open fields of *colour*."""
        return [here for here, cap in zip(self.colours, self.caps, strict=True) if cap is _OPEN].count(colour)

    @property
    def decides(self) -> bool:
        """Whether a cap has just been lifted, so that its player has to decide where it goes."""
        return len(self.log) % 2 == 1

    @property
    def covered_this_turn(self) -> tuple[str, ...]:
        """The fields that the player covered in the running turn."""
        return tuple([action.field for action in self.log if isinstance(action, Cover)])

    @property
    def banned(self) -> str | None:
        """The field that cannot be uncovered now, because the turn before ended with covering it (reading 3).

        Rulebook: Spielablauf, 4th point. None from the first cap of a turn on.
        """
        if self.last is None or self.log or self.phase is not _PLAY:
            return None
        end = self.last.actions[-1]
        return end.field if isinstance(end, Cover) else None

    @property
    def must_remove(self) -> bool:
        """Whether a cap lifted now can only be removed: in the starter's first turn, or as the third cap after two
        moves.

        Rulebook: Spielablauf, 1st and 2nd point; reading 4.
        """
        return self.turn == 0 or (len(self.log) >= ACTIONS_PER_TURN - 2 and not self.has_removed)

    def is_open(self, field: str) -> bool:
        return self.caps[GRID.number[field]] is _OPEN
