"""Seats, options and the first position."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from rules.contract import BadOption, Option, checked_options, checked_seats, checked_seed
from rules.games.kalejdoschach.board import NAMES, Board, Piece, setup
from rules.games.kalejdoschach.position import USUAL, Options, Unfit
from rules.games.kalejdoschach.setups import OPTION, SEATS, board, seats_of
from rules.games.kalejdoschach.state import State, first_turn

ID: Final = "kalejdoschach"
_ARMIES: Final = tuple(f"{army}{player}" for army in ("pawns", "ravens") for player in range(1, 5))
OPTIONS: Final = (
    Option("dice", ("off", "on"), "off"),
    Option("handicap", ("none", *_ARMIES), "none"),
    Option("draw", ("on", "off"), "on"),
    Option("quiet", ("100", "50", "25", "off"), "100"),
    OPTION,
)


def handicapped(handicap: str) -> tuple[int, str] | None:
    """Return the seat whose pieces are replaced, and the kind that replaces them; None without a handicap.

    >>> handicapped("ravens3"), handicapped("none")
    ((2, 'v'), None)
    """
    if handicap == "none":
        return None
    return int(handicap[-1]) - 1, "p" if handicap.startswith("pawns") else "v"


def seats_with(position: str) -> range:
    """Return the numbers of seats for a start position."""
    return SEATS if position == USUAL else range(seats_of(position), seats_of(position) + 1)


def checked_seating(options: Options, seats: int) -> Options:
    """Return *options*. Raises ValueError if the handicap is for a player who does not take part, BadOption if the
    position is for another number of players."""
    if seats not in (fitting := seats_with(options.position)):
        raise BadOption(Unfit.OTHERS, str(fitting[0]), OPTION.name)
    weak = handicapped(options.handicap)
    if weak is not None and weak[0] >= seats:
        raise ValueError(f"handicap {options.handicap} is for a player who does not take part")
    return options


@lru_cache(64)
def _first_board(seats: int, handicap: str, position: str) -> Board:
    """Return the armies on the board. Pawns and ravens of a handicap can always move."""
    weak = handicapped(handicap)
    usual = setup(seats) if position == USUAL else {}
    placed = board(position) if position != USUAL else tuple(usual.get(name) for name in NAMES)
    if weak is not None:
        seat, kind = weak
        placed = tuple(Piece(seat, kind) if piece and piece.seat == seat else piece for piece in placed)
    return placed


def start(seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
    """Return the first position. Raises ValueError for other seat numbers, options or choices."""
    checked_seats(SEATS, seats)
    chosen = checked_seating(Options(**checked_options(OPTIONS, options)), seats)
    return first_turn(
        State(
            seats=seats,
            options=chosen,
            seed=checked_seed(seed),
            rolled=0,
            board=_first_board(seats, chosen.handicap, chosen.position),
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
