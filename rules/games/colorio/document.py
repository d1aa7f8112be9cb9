"""Positions as JSON, and the consistency checks of a document."""

from collections.abc import Sequence
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from rules.contract import checked_seats, checked_seed
from rules.games.colorio.actions import Cover, Remove, TurnAction, Uncover
from rules.games.colorio.board import EACH, GRID, WIDTH, Cap, Colour, Layout, Side, can_be_strips
from rules.games.colorio.position import ACTIONS_PER_TURN, Memory, Options, Phase, Turn
from rules.games.colorio.state import COVER, SEATS, UNCOVER, State, next_in

_UNKNOWN = "?"
_CAPS_LEFT = 23
"""At most 23 - t caps are left after t turns: the first turn takes three, every other at least one."""

Grid = tuple[str, ...]
"""Five strings of five letters: row 5 first, columns a to e, so it looks like the board."""

T = TypeVar("T")


class LayoutDocument(Struct, frozen=True, forbid_unknown_fields=True):
    side: Side
    colours: Grid


class TurnDocument(Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    actions: tuple[str, ...]


class OptionsDocument(Options, frozen=True, forbid_unknown_fields=True):
    pass


class Document(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of a position in their order. All of them are always present."""

    game: Literal["colorio"]
    seats: int
    options: OptionsDocument
    seed: int | None
    phase: Phase
    round: int
    turn: int
    actor: int | None
    side: Side
    colours: Grid
    caps: Grid
    log: tuple[str, ...]
    last: TurnDocument | None
    out: tuple[int, ...]
    points: tuple[int, ...]
    to_come: tuple[LayoutDocument | None, ...]


def encode(state: State) -> bytes:
    """Return the document of *state*."""
    last = state.last
    return msgspec.json.encode(
        Document(
            game="colorio",
            seats=state.seats,
            options=OptionsDocument(state.options.scoring, state.options.memory),
            seed=state.seed,
            phase=state.phase,
            round=state.round,
            turn=state.turn,
            actor=state.actor,
            side=state.side,
            colours=_grid(state.colours),
            caps=_grid(state.caps),
            log=tuple(map(str, state.log)),
            last=TurnDocument(last.seat, tuple(map(str, last.actions))) if last else None,
            out=state.out,
            points=state.points,
            to_come=tuple(
                LayoutDocument(layout.side, _grid(layout.colours)) if layout else None for layout in state.to_come
            ),
        )
    )


def decode(data: bytes | str) -> State:
    """Return the state of a document, which may be a view.

    Raises ValueError that names the error: first wrong keys and types, then inconsistencies in the order of
    ``_CHECKS``.
    """
    document = msgspec.json.decode(data, type=Document)
    state = State(
        options=Options(document.options.scoring, document.options.memory),
        seed=checked_seed(document.seed),
        phase=document.phase,
        round=document.round,
        turn=document.turn,
        actor=document.actor,
        side=document.side,
        colours=_fields("colours", document.colours, _COLOURS),
        caps=_fields("caps", document.caps, _CAPS),
        log=_actions("log", document.log),
        last=Turn(document.last.seat, _actions("last", document.last.actions)) if document.last else None,
        out=document.out,
        points=document.points,
        to_come=tuple(_layout(layout) if layout else None for layout in document.to_come),
    )
    checked_seats(SEATS, document.seats)
    if len(state.points) != document.seats:
        raise ValueError("points: there must be one number per seat")
    for check in _CHECKS:
        check(state)
    return state


# --- Letters and fields ----------------------------------------------------------------------------------------

_COLOURS: dict[str, Colour | None] = {**{str(colour): colour for colour in Colour}, _UNKNOWN: None}
_CAPS: dict[str, Cap] = {str(cap): cap for cap in Cap}
_TURN_ACTIONS: tuple[TurnAction, ...] = (*UNCOVER, *COVER, Remove())
_ACTIONS = {str(action): action for action in _TURN_ACTIONS}


def _grid(marks: Sequence[str | None]) -> Grid:
    letters = "".join(mark or _UNKNOWN for mark in marks)
    return tuple(letters[start : start + WIDTH] for start in reversed(range(0, len(GRID.fields), WIDTH)))


def _fields(key: str, grid: Grid, marks: dict[str, T]) -> tuple[T, ...]:
    if len(grid) != WIDTH or any(len(row) != WIDTH for row in grid):
        raise ValueError(f"{key}: the grid must be five strings of five letters")
    letters = "".join(reversed(grid))
    if strange := set(letters) - set(marks):
        raise ValueError(f"{key}: {min(strange)!r} is none of {' '.join(marks)}")
    return tuple(map(marks.__getitem__, letters))


def _layout(layout: LayoutDocument) -> Layout:
    colours = _fields("to_come", layout.colours, _COLOURS)
    known = tuple(colour for colour in colours if colour)
    if len(known) < len(GRID.fields):
        raise ValueError("to_come: a layout has all its colours, or is null")
    return Layout(layout.side, known)


def _actions(key: str, words: tuple[str, ...]) -> tuple[TurnAction, ...]:
    for word in words:
        if word not in _ACTIONS:
            raise ValueError(f"{key}: {word!r} is no action of a turn")
    return tuple(_ACTIONS[word] for word in words)


def _alternates(actions: tuple[TurnAction, ...]) -> bool:
    return all(isinstance(action, Uncover) is (place % 2 == 0) for place, action in enumerate(actions))


# --- Consistency checks ----------------------------------------------------------------------------------------


def _rounds(state: State) -> None:
    rounds = state.options.scoring.rounds(state.seats)
    if not 0 <= state.round < rounds:
        raise ValueError(f"round: must be from 0 to {rounds - 1}")
    if len(state.to_come) != rounds - 1 - state.round:
        raise ValueError("to_come: must hold exactly the rounds after this one")
    if state.phase is Phase.BETWEEN and not state.to_come:
        raise ValueError("phase: nothing comes after the last round but over")
    if state.phase is Phase.OVER and state.to_come:
        raise ValueError("phase: the game is not over while there are rounds to come")


def _strips(state: State) -> None:
    for field, colour, cap in zip(GRID.fields, state.colours, state.caps, strict=True):
        if colour is None and (cap is not Cap.COVERED or state.phase is not Phase.PLAY):
            raise ValueError(f"colours: {field} is in sight, so its colour must be known")
    if not can_be_strips(state.side, state.colours):
        raise ValueError(f"colours: the rows are not the five strips of the {state.side} side")
    for layout in state.to_come:
        if layout and not can_be_strips(layout.side, layout.colours):
            raise ValueError(f"to_come: the rows are not the five strips of the {layout.side} side")


def _remembered(state: State) -> None:
    if Cap.SEEN in state.caps and state.options.memory is Memory.ON:
        raise ValueError("caps: + is a mark of memory=off only")


def _out(state: State) -> None:
    if len(set(state.out)) < len(state.out) or not set(state.out) <= set(range(state.seats)):
        raise ValueError("out: must be different seats of the game")
    if state.phase is Phase.PLAY and len(state.out) > state.seats - 2:
        raise ValueError("out: at least two seats are in while the round runs")
    if state.phase is not Phase.PLAY and len(state.out) != state.seats - 1:
        raise ValueError("out: exactly one seat is in when the round is over")


def _points(state: State) -> None:
    finished = state.round + (state.phase is not Phase.PLAY)
    due = finished * state.seats * (state.seats - 1) // 2
    if min(state.points) < 0 or sum(state.points) != due:
        raise ValueError(f"points: must not be negative and sum to {due} after {finished} finished rounds")


def _log(state: State) -> None:
    log = state.log
    if not _alternates(log):
        raise ValueError("log: uncoverings and decisions must alternate")
    if len(log) >= ACTIONS_PER_TURN:
        raise ValueError("log: a turn of six actions is finished and belongs in last")
    if log and state.phase is not Phase.PLAY:
        raise ValueError("log: must be empty when the round is over")
    covered = state.covered_this_turn
    if covered and state.turn == 0:
        raise ValueError("log: the first turn of a round only removes caps")
    for field in covered:
        if state.is_open(field):
            raise ValueError(f"log: {field} was covered in this turn, so it is not open")
    for action in log:
        if isinstance(action, Uncover) and action.field not in covered and not state.is_open(action.field):
            raise ValueError(f"log: {action} was uncovered in this turn, so it is open")
    if lifted := state.lifted:
        if not state.is_open(lifted):
            raise ValueError(f"log: {lifted} has just been uncovered, so it is open")
        colour = state.colour(lifted)
        if colour and state.in_sight(colour) == EACH:
            raise ValueError(f"log: {lifted} completed its colour, so no decision is due")


def _last(state: State) -> None:
    last = state.last
    fresh = state.phase is Phase.PLAY and state.turn == 0
    if last is None:
        if not fresh:
            raise ValueError("last: is null only in the first turn of a round")
        return
    if fresh:
        raise ValueError("last: must be null in the first turn of a round")
    if last.seat not in range(state.seats):
        raise ValueError("last: there is no such seat")
    actions, short = last.actions, len(last.actions) < ACTIONS_PER_TURN
    if not _alternates(actions) or len(actions) not in (1, 3, 5, ACTIONS_PER_TURN):
        raise ValueError("last: must alternate, with six actions, or 1, 3 or 5 if the seat went out")
    if not short and Remove() not in actions:
        raise ValueError("last: a turn takes at least one cap away")
    if short is not (last.seat in state.out) or (short and state.out[-1] != last.seat):
        raise ValueError("last: a turn is short exactly when its seat is the one that went out last")
    if not short and state.phase is not Phase.PLAY:
        raise ValueError("last: the turn that ended the round is short")
    end = actions[-1]
    if isinstance(end, Cover) and not state.log and state.is_open(end.field):
        raise ValueError(f"last: {end.field} was covered last, so it is not open")


def _caps(state: State) -> None:
    caps = len(GRID.fields) - state.caps.count(Cap.OPEN) + state.log.count(Remove()) + (state.lifted is not None)
    turns = state.turn + (state.phase is not Phase.PLAY)
    if turns == 0:
        fewest, most = len(GRID.fields), len(GRID.fields)
    else:
        fewest, most = len(GRID.fields) - 3 * turns, _CAPS_LEFT - turns
    if not fewest <= caps <= most:
        raise ValueError(
            f"caps: {caps} at the start of turn {state.turn}, which must be from {max(fewest, 0)} to {most}"
        )


def _complete(state: State) -> None:
    if sum(state.in_sight(colour) == EACH for colour in Colour) > len(state.out):
        raise ValueError("caps: more colours are complete than players are out")


def _actor(state: State) -> None:
    if state.turn < (state.phase is not Phase.PLAY):
        raise ValueError("turn: must not be negative, and at least 1 when the round is over")
    match state.phase:
        case Phase.OVER:
            due = None
        case Phase.BETWEEN:
            due = state.round + 1
        case Phase.PLAY if state.last is None:
            due = state.round
        case Phase.PLAY:
            due = next_in(state.last.seat, state.seats, state.out)
    if state.actor != due:
        raise ValueError(f"actor: must be {'null' if due is None else due}")
    if due is not None and not state.actions():
        raise ValueError("caps: the actor has no legal action")


_CHECKS = (_rounds, _strips, _remembered, _out, _points, _log, _last, _caps, _complete, _actor)
