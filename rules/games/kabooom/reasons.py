"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from collections.abc import Iterable
from enum import StrEnum

from rules.contract import News
from rules.games.kabooom.actions import Action, Move, Place
from rules.games.kabooom.position import Position
from rules.games.kabooom.towers import BEATS, GRID, height, owner, symbol


class Why(StrEnum):
    TAKES = "takes"
    ESCAPES = "escapes"
    BEATS = "beats"
    SAFE = "safe"
    LATER = "later"
    NO_POINTS = "no_points"
    IDLE = "idle"
    LOSES = "loses"


def reasons(state: Position, action: Action, then: Position) -> tuple[News, ...]:
    """Return why *action*, which leads to *then*: a tower that it takes, a danger that it ends, a tower that it can
    climb next, and whether the new tower is safe. A climb that gains no points says so first."""
    seat = state.actor
    assert seat is not None
    after, items = then.board, list[News]()
    match action:
        case Move(source, target):
            robbed = owner(state.board[GRID.number[target]])
            if robbed != seat:
                items.append(News(Why.TAKES, seat, (("field", target),), robbed))
            elif _is_in_reach(state.board, source, seat) and not _is_in_reach(after, target, seat):
                items.append(News(Why.ESCAPES, seat, (("field", source),)))
        case Place(kind, target):
            around = GRID.around[GRID.number[target]]
            prey = [GRID.fields[near] for near in around if _beats(kind, seat, after[near])]
            items += [News(Why.BEATS, seat, (("field", field),)) for field in prey[:1]]
        case _:
            return ()
    if not _is_in_reach(after, target, seat):
        items.append(News(Why.SAFE, seat, (("field", target),)))
    if isinstance(action, Move) and then.actor is not None and _points(then, seat) == _points(state, seat):
        items.insert(0, _without_points(state, action, then, seat, has_others=bool(items)))
    return tuple(items)


def _without_points(state: Position, move: Move, then: Position, seat: int, *, has_others: bool) -> News:
    """Return what a *move* without points is for: the best tower that the new one, if it is safe, can climb next and
    could not before. Without such a tower: that there are no points, or, if it has no other reasons, nothing at all."""
    before = {GRID.fields[near] for near in _prey(state.board, move.source)}
    gains = dict[str, int]()
    if not _is_in_reach(then.board, move.target, seat):
        tower = then.board[GRID.number[move.target]]
        for near in _prey(then.board, move.target):
            own = then.points(then.board[near]) if owner(then.board[near]) == seat else 0
            gains[GRID.fields[near]] = then.points(then.board[near] + tower) - then.points(tower) - own
    best = max(gains.keys() - before, key=lambda field: (gains[field], field), default="")
    if best and gains[best] > 0:
        return News(Why.LATER, seat, (("field", best),))
    return News(Why.NO_POINTS if has_others else Why.IDLE, seat)


def _prey(board: tuple[str, ...], field: str) -> list[int]:
    """Return the numbers of the fields with towers onto which the one on *field* can climb."""
    here = GRID.number[field]
    return [near for near in GRID.around[here] if board[near] and symbol(board[near]) in BEATS[symbol(board[here])]]


def _points(position: Position, seat: int) -> int:
    """Return the points of *seat* if the game were counted now."""
    return sum(position.points(tower) for tower in position.board if tower and owner(tower) == seat)


def risks(then: Position, seat: int, action: Action, answers: Iterable[Action]) -> tuple[News, ...]:
    """Return the tower of *seat* with the most points, of equal ones the one that *action* moved, onto which the actor
    of *then* can climb with one of these *answers*. Single stones are not worth a warning."""

    def loss(move: Move) -> int:
        tower = then.board[GRID.number[move.target]]
        return then.points(tower) if owner(tower) == seat and height(tower) > 1 else 0

    climbs = [move for move in answers if isinstance(move, Move) and loss(move)]
    if not climbs:
        return ()
    worst = max(climbs, key=lambda move: (loss(move), move.target == action.parts[-1]))
    facts = (("source", worst.source), ("field", worst.target), ("number", str(loss(worst))))
    return (News(Why.LOSES, seat, facts, then.actor),)


def _is_in_reach(board: tuple[str, ...], field: str, seat: int) -> bool:
    """Return whether another seat could climb onto the tower on *field*."""
    here = GRID.number[field]
    kind = symbol(board[here])
    around = [board[near] for near in GRID.around[here]]
    return any(tower and owner(tower) != seat and kind in BEATS[symbol(tower)] for tower in around)


def _beats(kind: str, seat: int, tower: str) -> bool:
    """Return whether a stone of *seat* could climb onto another seat's *tower*."""
    return bool(tower) and owner(tower) != seat and symbol(tower) in BEATS[kind]
