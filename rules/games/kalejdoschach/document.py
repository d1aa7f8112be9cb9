"""Positions as JSON, and the consistency checks of a document."""

from typing import Final

import msgspec
from msgspec import Struct

from rules.contract import checked_options, checked_seats, checked_seed, require
from rules.games.kalejdoschach.board import KINDS, NAMES, NUMBER, Piece
from rules.games.kalejdoschach.moves import can_move
from rules.games.kalejdoschach.position import Last, Options, Out, Reason
from rules.games.kalejdoschach.setups import SEATS
from rules.games.kalejdoschach.start import ID, OPTIONS, checked_seating
from rules.games.kalejdoschach.state import State


class _Last(Struct, rename={"source": "from", "target": "to"}, forbid_unknown_fields=True):
    seat: int
    piece: str
    source: str
    target: str
    captured: str | None


class _Out(Struct, forbid_unknown_fields=True):
    seat: int
    why: str
    move: int


class _Document(Struct, forbid_unknown_fields=True):
    """The documented keys in their order."""

    game: str
    seats: int
    options: Options
    seed: int | None
    rolled: int
    board: dict[str, str]
    actor: int | None
    die: int | None
    rolls: list[tuple[int, int]]
    agreed: list[int]
    moves: int
    quiet: int
    last: _Last | None
    out: list[_Out]
    end: str | None


def encode(state: State) -> bytes:
    """Return the position as JSON."""
    return msgspec.json.encode(
        _Document(
            game=ID,
            seats=state.seats,
            options=state.options,
            seed=state.seed,
            rolled=state.rolled,
            board={name: str(piece) for name, piece in zip(NAMES, state.board, strict=True) if piece is not None},
            actor=state.actor,
            die=state.die,
            rolls=list(state.rolls),
            agreed=list(state.agreed),
            moves=state.moves,
            quiet=state.quiet,
            last=None if state.last is None else _written(state.last),
            out=[_Out(out.seat, out.why, out.move) for out in state.out],
            end=state.end,
        )
    )


def _written(last: Last) -> _Last:
    captured = None if last.captured is None else str(last.captured)
    return _Last(last.seat, last.kind, last.source, last.target, captured)


def decode(data: bytes | str) -> State:
    """Return the position of a document. Raises ValueError that names the inconsistency."""
    try:
        document = msgspec.json.decode(data, type=_Document)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(f"not a document of {ID}: {error}") from None
    require(document.game == ID, f"the game must be {ID}")
    checked_seats(SEATS, document.seats)
    chosen = checked_options(OPTIONS, msgspec.structs.asdict(document.options))
    require(chosen["position"] == document.options.position, "the start position is not in its canonical form")
    checked_seating(document.options, document.seats)
    checked_seed(document.seed)
    state = _read(document)
    _check_counters(state)
    _check_seats_out(state)
    if state.end is None:
        _check_running(state)
    else:
        _check_over(state, state.end)
    return state


def _read(document: _Document) -> State:
    """Return the state with all values converted; each value is checked by itself."""
    seats = document.seats

    def seat(number: int) -> int:
        require(0 <= number < seats, f"there is no seat {number} among {seats}")
        return number

    def piece(text: str) -> Piece:
        require(len(text) == 2 and text[0] in "0123" and text[1] in KINDS, f"{text!r} is no piece")
        return Piece(seat(int(text[0])), text[1])

    def field(name: str) -> str:
        require(name in NUMBER, f"there is no field {name!r}")
        return name

    def throw(seat_: int, die: int) -> tuple[int, int]:
        require(1 <= die <= 6, "a die shows 1 to 6")
        return seat(seat_), die

    def reason(text: str, among: tuple[Reason, ...]) -> Reason:
        require(text in among, f"{text!r} must be one of {', '.join(among)}")
        return Reason(text)

    placed = {field(name): piece(text) for name, text in document.board.items()}
    last = document.last
    if last is not None:
        require(last.piece in KINDS, f"there is no kind of piece {last.piece!r}")
    return State(
        seats=seats,
        options=document.options,
        seed=document.seed,
        rolled=document.rolled,
        board=tuple(placed.get(name) for name in NAMES),
        actor=None if document.actor is None else seat(document.actor),
        die=document.die,
        rolls=tuple(throw(*roll) for roll in document.rolls),
        agreed=tuple(seat(number) for number in document.agreed),
        moves=document.moves,
        quiet=document.quiet,
        last=None
        if last is None
        else Last(
            seat(last.seat),
            last.piece,
            field(last.source),
            field(last.target),
            None if last.captured is None else piece(last.captured),
        ),
        out=tuple(Out(seat(out.seat), reason(out.why, _WHY), out.move) for out in document.out),
        end=None if document.end is None else reason(document.end, tuple(Reason)),
    )


_COUNTERS: Final = range(1 << 53)
_WHY: Final = (Reason.CASTLE, Reason.CAPITULATION, Reason.BLOCKED)
_DRAWN: Final = (Reason.AGREED, Reason.QUIET, Reason.STALLED)


def _check_counters(state: State) -> None:
    for counter in (state.rolled, state.moves, state.quiet, *(out.move for out in state.out)):
        require(counter in _COUNTERS, "counters must be from 0 to 2**53 - 1")
    require(state.quiet <= state.moves, "quiet must not be above moves")
    if state.options.dice == "off":
        require(state.rolled == 0, "without dice nothing is rolled")


def _check_seats_out(state: State) -> None:
    gone = [out.seat for out in state.out]
    require(len(set(gone)) == len(gone), "a seat goes out only once")
    require(len(gone) < state.seats, "one seat at least must be in")
    require(not any(piece and piece.seat in gone for piece in state.board), "a seat that is out has no pieces")
    for seat in state.playing:
        require(bool(state.castles(seat)), f"seat {seat} is in and must hold a castle")


def _check_running(state: State) -> None:
    playing, limit = state.playing, state.quiet_limit
    require(len(playing) > 1, "two seats at least must be in while the game runs")
    require(state.actor in playing, "the actor must be in")
    assert state.actor is not None
    if state.options.dice == "on":
        require(state.die is not None and 1 <= state.die <= 6, "the die must show 1 to 6 while the game runs")
        require(state.rolled >= len(state.rolls), "rolled must count all rolls")
        require(state.rolls[-1:] == ((state.actor, state.die),), "the last roll must be the actor's die")
    else:
        require(state.die is None, "without dice there is no die")
        require(not state.rolls, "without dice there are no rolls")
    require(can_move(state.board, state.actor, state.die), "the actor must have a legal move")
    require(len(set(state.agreed)) == len(state.agreed), "a seat says draw only once")
    require(set(state.agreed) <= set(playing), "only seats that are in say draw")
    require(len(state.agreed) < len(playing), "the game is over once all have said draw")
    require(not state.agreed or state.options.draw == "on", "no seat says draw if the option is off")
    require(limit is None or state.quiet < limit, "quiet must be below the limit")


def _check_over(state: State, end: Reason) -> None:
    require(state.actor is None, "there is no actor once the game is over")
    require(state.die is None, "there is no die once the game is over")
    require(not state.agreed, "no seat has said draw once the game is over")
    if len(state.playing) == 1:
        require(end == state.out[-1].why, "end must say why the last seat went out")
    else:
        require(end in _DRAWN, f"with several seats in, end must be one of {', '.join(_DRAWN)}")
