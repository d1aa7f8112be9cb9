"""The fields of a position, and values derived from them."""

from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr

from rules.games.kalejdoschach.board import CASTLES, NUMBER, Board, Piece
from rules.games.kalejdoschach.moves import Move


class Draw(Struct, frozen=True):
    """The actor offers a draw or agrees to one; it still has to move unless that ends the game.

    >>> str(Draw()), Draw().parts
    ('draw', ('draw',))
    """

    def __str__(self) -> str:
        return "draw"

    @property
    def parts(self) -> tuple[str, ...]:
        return ("draw",)


Action = Move | Draw


class Reason(StrEnum):
    """Why a seat went out (the first three) and how the game ended."""

    CASTLE = "castle"
    CAPITULATION = "capitulation"
    BLOCKED = "blocked"
    AGREED = "agreed"
    QUIET = "quiet"
    STALLED = "stalled"


USUAL: Final = "usual"
"""The start position of the rules."""


class Unfit(StrEnum):
    """The reasons why a text is no start position, in the order of the checks."""

    EMPTY = "empty"
    LONG = "long"
    UNREAD = "unread"
    KIND = "kind"
    FIELD = "field"
    PLAYERS = "players"
    TWICE = "twice"
    MANY = "many"
    CROWD = "crowd"
    CASTLE = "castle"
    STUCK = "stuck"
    OTHERS = "others"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The host's choices. *position*: `USUAL`, or a start position in canonical form (``setups``)."""

    dice: str
    handicap: str
    draw: str
    quiet: str
    position: str = USUAL

    def __post_init__(self) -> None:
        if self.position == USUAL:
            force_setattr(self, "position", USUAL)  # msgspec omits a default by its identity


class Last(Struct, frozen=True, gc=False):
    """The last move: its seat and kind of piece, its ends, and the piece that it took."""

    seat: int
    kind: str
    source: str
    target: str
    captured: Piece | None


class Out(Struct, frozen=True, gc=False):
    """A seat that is out, the reason, and the number of moves in the game at that time."""

    seat: int
    why: Reason
    move: int


class Position(Struct, frozen=True, kw_only=True, gc=False):
    """A position.

    *board*: by field number, see `rules.games.kalejdoschach.board`. *rolled*: number of throws so far. *rolls*: the
    throws (seat, die) since the last move; the last one is the actor's. *agreed*: the seats that offer a draw or agree.
    *quiet*: moves since a piece left the board. *seed* is the only secret: None in views.
    """

    seats: int
    options: Options
    seed: int | None
    rolled: int
    board: Board
    actor: int | None
    die: int | None
    rolls: tuple[tuple[int, int], ...]
    agreed: tuple[int, ...]
    moves: int
    quiet: int
    last: Last | None
    out: tuple[Out, ...]
    end: Reason | None

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are in, ascending."""
        if not self.out:
            return tuple(range(self.seats))
        gone = [out.seat for out in self.out]
        return tuple(seat for seat in range(self.seats) if seat not in gone)

    @property
    def quiet_limit(self) -> int | None:
        """The number of moves in a row without a piece leaving the board that ends the game; None if the option is
        off."""
        return None if self.options.quiet == "off" else int(self.options.quiet) * (self.seats - len(self.out))

    def at(self, field: str) -> Piece | None:
        """Return the piece on a field, by the field's name; None if it is empty."""
        return self.board[NUMBER[field]]

    def castles(self, seat: int) -> tuple[str, ...]:
        """Return the castles that a seat holds."""
        return tuple(castle for castle in CASTLES if (piece := self.at(castle)) is not None and piece.seat == seat)
