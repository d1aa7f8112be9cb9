"""Positions as JSON, and the consistency checks of a document.

A position need not be reachable, but its parts must fit together.
"""

import re
from typing import Final, Literal

import msgspec
from msgspec import Struct

from rules.contract import checked_seats, checked_seed, require
from rules.games.kabooom.actions import CANONICAL
from rules.games.kabooom.position import Options
from rules.games.kabooom.state import AUTO, State, can_move, is_stuck
from rules.games.kabooom.towers import GRID, OF_EACH, SEATS, SYMBOLS, Dynamite, Level, Phase, height


class _Choices(Struct, frozen=True, forbid_unknown_fields=True):
    level: Level
    dynamite: Dynamite


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["kabooom"]
    seats: int
    options: _Choices
    seed: int | None
    phase: Phase
    actor: int | None
    passes: int
    board: dict[str, str]
    last: tuple[str | None, ...]


_DECODER: Final = msgspec.json.Decoder(_Document)
_TOWER: Final = re.compile(r"(?:[0-3][rpsd])+")


def encode(state: State) -> bytes:
    """Return the position as JSON, all keys in their order; of the board only occupied fields, in field order."""
    return msgspec.json.encode(
        _Document(
            game="kabooom",
            seats=state.seats,
            options=_Choices(state.options.level, state.options.dynamite),
            seed=state.seed,
            phase=state.phase,
            actor=state.actor,
            passes=state.passes,
            board={field: tower for field, tower in zip(GRID.fields, state.board, strict=True) if tower},
            last=state.last,
        )
    )


def decode(data: bytes | str) -> State:
    """Return the position of a document. Raises ValueError that names the first error."""
    document = _DECODER.decode(data)
    checked_seats(SEATS, document.seats)
    board = _board(document)
    match document.phase:
        case Phase.PLACE:
            _check_placing(document, board)
        case Phase.MOVE:
            _check_moving(document, board)
        case Phase.OVER:
            _check_over(document, board)
    require(len(document.last) == document.seats, "'last' must have one entry a seat")
    for entry in document.last:
        require(entry in (None, AUTO) or bool(CANONICAL.fullmatch(str(entry))), f"'last': {entry!r} is no action")
    return State(
        seats=document.seats,
        options=Options(document.options.level, document.options.dynamite),
        seed=checked_seed(document.seed),
        phase=document.phase,
        actor=document.actor,
        passes=document.passes,
        board=board,
        last=document.last,
    )


def _board(document: _Document) -> tuple[str, ...]:
    """Return the towers in field order, after checking that each is a possible tower of these seats."""
    for field, tower in document.board.items():
        require(field in GRID.number, f"there is no field {field!r}")
        require(bool(_TOWER.fullmatch(tower)), f"{field}: {tower!r} is no tower: seat digit, symbol letter, from below")
        require("d" not in tower or tower.endswith("d"), f"{field}: a tower that contains dynamite has dynamite on top")
    board = tuple(document.board.get(field, "") for field in GRID.fields)
    placed = _placed(board)
    require(not any(placed[document.seats :]), f"there are stones of a seat beyond the {document.seats} of the game")
    stones = "".join(board)
    for seat in range(document.seats):
        for kind in SYMBOLS:
            require(stones.count(f"{seat}{kind}") <= OF_EACH, f"seat {seat} has more than {OF_EACH} stones {kind!r}")
    return board


def _placed(board: tuple[str, ...]) -> list[int]:
    """Return the number of stones that each seat has on the board, for the greatest number of seats."""
    return ["".join(board).count(str(seat)) for seat in range(SEATS[-1])]


def _check_placing(document: _Document, board: tuple[str, ...]) -> None:
    seats, placed = document.seats, _placed(board)
    total = sum(placed)
    require(document.options.level != Level.EASY, "level 'easy' has no phase 'place'")
    require(max(map(height, board)) <= 1, "in phase 'place' every tower is a single stone")
    require(total < len(board), "in phase 'place' the board is not full")
    shares = [total // seats + (seat < total % seats) for seat in range(seats)]
    require(placed[:seats] == shares, f"the seats have placed {placed[:seats]} stones, in turn it would be {shares}")
    require(document.actor == total % seats, f"after {total} stones the actor is seat {total % seats}")
    require(document.passes == 0, "in phase 'place' no seat has passed")


def _check_quota(document: _Document, board: tuple[str, ...]) -> None:
    quota = len(board) // document.seats
    require(_placed(board)[: document.seats] == [quota] * document.seats, f"every seat has {quota} stones on the board")


def _check_moving(document: _Document, board: tuple[str, ...]) -> None:
    _check_quota(document, board)
    actor, seats = document.actor, document.seats
    require(actor is not None and actor in range(seats), f"in phase 'move' the actor is a seat from 0 to {seats - 1}")
    require(actor is not None and can_move(board, actor), f"seat {actor} cannot move, so it is not the actor")
    require(0 <= document.passes < seats, "in phase 'move' there are fewer passes than seats")


def _check_over(document: _Document, board: tuple[str, ...]) -> None:
    _check_quota(document, board)
    require(document.actor is None, "in phase 'over' there is no actor")
    due = 0 if is_stuck(board, document.seats) else document.seats
    require(document.passes == due, f"this game can only be over with {due} passes in succession")
