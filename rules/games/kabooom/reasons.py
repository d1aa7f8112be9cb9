"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from enum import StrEnum

from rules.contract import News
from rules.games.kabooom.actions import Action, Move, Place
from rules.games.kabooom.position import Position
from rules.games.kabooom.towers import BEATS, GRID, owner, symbol


class Why(StrEnum):
    TAKES = "takes"
    ESCAPES = "escapes"
    BEATS = "beats"
    SAFE = "safe"


def reasons(state: Position, action: Action, then: Position) -> tuple[News, ...]:
    """Return why *action*, which leads to *then*: a tower that it takes, a danger that it ends, a tower that it can
    climb next, and whether the new tower is safe."""
    seat = state.actor
    assert seat is not None
    after, items = then.board, list[News]()
    match action:
        case Move(source, target):
            robbed = owner(state.board[GRID.number[target]])
            if robbed != seat:
                items.append(News(Why.TAKES, seat, (("field", target),), robbed))
            elif _is_in_reach(state.board, source, seat):
                items.append(News(Why.ESCAPES, seat, (("field", source),)))
        case Place(kind, target):
            around = GRID.around[GRID.number[target]]
            prey = [GRID.fields[near] for near in around if _beats(kind, seat, after[near])]
            items += [News(Why.BEATS, seat, (("field", field),)) for field in prey[:1]]
        case _:
            return ()
    if not _is_in_reach(after, target, seat):
        items.append(News(Why.SAFE, seat, (("field", target),)))
    return tuple(items)


def _is_in_reach(board: tuple[str, ...], field: str, seat: int) -> bool:
    """Return whether another seat could climb onto the tower on *field*."""
    here = GRID.number[field]
    kind = symbol(board[here])
    around = [board[near] for near in GRID.around[here]]
    return any(tower and owner(tower) != seat and kind in BEATS[symbol(tower)] for tower in around)


def _beats(kind: str, seat: int, tower: str) -> bool:
    """Return whether a stone of *seat* could climb onto another seat's *tower*."""
    return bool(tower) and owner(tower) != seat and symbol(tower) in BEATS[kind]
