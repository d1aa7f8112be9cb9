"""Seats, options and the first position."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from rules.contract import Option, checked_options, checked_seats, checked_seed
from rules.games.kalejdoschach.board import NAMES, Board, Piece, setup
from rules.games.kalejdoschach.position import Options
from rules.games.kalejdoschach.state import State, first_turn

ID: Final = "kalejdoschach"
SEATS: Final = range(2, 5)
_ARMIES: Final = tuple(f"{army}{player}" for army in ("pawns", "ravens") for player in range(1, 5))
OPTIONS: Final = (
    Option("dice", ("off", "on"), "off"),
    Option("handicap", ("none", *_ARMIES), "none"),
    Option("draw", ("on", "off"), "on"),
    Option("quiet", ("100", "50", "25", "off"), "100"),
)


def handicapped(handicap: str) -> tuple[int, str] | None:
    """Return the seat whose pieces are replaced, and the kind that replaces them; None without a handicap.

    >>> handicapped("ravens3"), handicapped("none")
    ((2, 'v'), None)
    """
    if handicap == "none":
        return None
    return int(handicap[-1]) - 1, "p" if handicap.startswith("pawns") else "v"


def checked_handicap(options: Options, seats: int) -> Options:
    """Return *options*. Raises ValueError if the handicap is for a player who does not take part."""
    weak = handicapped(options.handicap)
    if weak is not None and weak[0] >= seats:
        raise ValueError(f"handicap {options.handicap} is for a player who does not take part")
    return options


@cache
def _first_board(seats: int, handicap: str) -> Board:
    """Return the armies on the board."""
    weak = handicapped(handicap)
    placed = setup(seats)
    if weak is not None:
        seat, kind = weak
        placed = {name: Piece(seat, kind) if piece.seat == seat else piece for name, piece in placed.items()}
    return tuple(placed.get(name) for name in NAMES)


def start(seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
    """Return the first position. Raises ValueError for other seat numbers, options or choices."""
    checked_seats(SEATS, seats)
    chosen = checked_handicap(Options(**checked_options(OPTIONS, options)), seats)
    return first_turn(
        State(
            seats=seats,
            options=chosen,
            seed=checked_seed(seed),
            rolled=0,
            board=_first_board(seats, chosen.handicap),
            actor=None,
            die=None,
            rolls=(),
            agreed=(),
            moves=0,
            quiet=0,
            last=None,
            out=(),
            end=None,
        )
    )
