"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from collections.abc import Iterator
from enum import StrEnum

from rules.contract import News
from rules.games.kalejdoschach.board import CASTLES, KINDS, NUMBER, Piece
from rules.games.kalejdoschach.moves import Move, landings, occupied
from rules.games.kalejdoschach.position import Action, Position


class Why(StrEnum):
    PUTS_OUT = "puts_out"
    SAVES = "saves"
    TAKES = "takes"
    CASTLE = "castle"
    THREATENS = "threatens"
    ESCAPES = "escapes"
    AIMS = "aims"
    NEARS = "nears"
    FREER = "freer"
    SAFE = "safe"


def reasons(state: Position, action: Action, after: Position) -> tuple[News, ...]:
    """Return why *action*, which leads to *after*: seats that it puts out, a danger that it ends, the piece or castle
    that it takes, its threats."""
    seat = state.actor
    if seat is None or not isinstance(action, Move):
        return ()
    items = list[News]()
    mover, captured = state.at(action.source), state.at(action.target)
    assert mover is not None
    items += [News(Why.PUTS_OUT, seat, to=out.seat) for out in after.out[len(state.out) :] if out.seat != seat]
    if after.end is not None or seat not in after.playing:
        return tuple(items)
    if _in_danger(state, seat) and not _in_danger(after, seat):
        items.append(News(Why.SAVES, seat))
    if captured is not None and captured.seat != seat:
        items.append(News(Why.TAKES, seat, (("piece", KINDS[captured.kind].name),), captured.seat))
    if len(after.castles(seat)) > len(state.castles(seat)):
        items.append(News(Why.CASTLE, seat, (("number", str(len(after.castles(seat)))),)))
    items += [
        News(Why.THREATENS, seat, to=other)
        for other in after.playing
        if other != seat and len(after.castles(other)) == 1 and _reached(after, after.castles(other)[0], (seat,))
    ]
    others = tuple(other for other in state.playing if other != seat)
    if captured is None and _reached(state, action.source, others) and not _reached(after, action.target, others):
        facts = (("piece", KINDS[mover.kind].name), ("field", action.source))
        items.append(News(Why.ESCAPES, seat, facts))
    return tuple(items or _next(state, after, action, mover))


def _next(state: Position, after: Position, move: Move, mover: Piece) -> Iterator[News]:
    """Yield what the moved piece can do next: the most mobile piece that it can take, a free castle; else how much
    freer it has become, or that it is safe."""
    ends = _ends(after, move.target, mover.kind)
    facts = ("field", move.target), ("piece", KINDS[mover.kind].name)
    prey = [there for end in ends if (there := after.board[end]) is not None and there.seat != mover.seat]
    if prey:
        best = max(prey, key=lambda there: sum(map(len, landings(there.kind))))
        yield News(Why.AIMS, mover.seat, (*facts, ("prey", KINDS[best.kind].name)), best.seat)
    elif castles := [castle for castle in CASTLES if NUMBER[castle] in ends and after.at(castle) is None]:
        yield News(Why.NEARS, mover.seat, (*facts, ("castle", castles[0])))
    elif len(ends) > (had := len(_ends(state, move.source, mover.kind))):
        yield News(Why.FREER, mover.seat, (*facts, ("more", str(len(ends))), ("before", str(had))))
    elif not _reached(after, move.target, tuple(other for other in after.playing if other != mover.seat)):
        yield News(Why.SAFE, mover.seat, facts)


def _ends(state: Position, field: str, kind: str) -> frozenset[int]:
    """Return the numbers of the fields to which a piece of this kind on *field* could go, whatever is there."""
    full = occupied(state.board)
    there = landings(kind)[NUMBER[field]].items()
    return frozenset(end for end, landing in there if not all(passed & full for passed in landing[0]))


def _in_danger(state: Position, seat: int) -> bool:
    """Return whether another seat could take the last castle of *seat*."""
    held = state.castles(seat)
    return len(held) == 1 and _reached(state, held[0], tuple(other for other in state.playing if other != seat))


def _reached(state: Position, field: str, seats: tuple[int, ...]) -> bool:
    """Return whether a piece of one of *seats* could go to *field* if it were its turn and the die allowed it."""
    full, target = occupied(state.board), NUMBER[field]
    for number, piece in enumerate(state.board):
        if piece is not None and piece.seat in seats:
            landing = landings(piece.kind)[number].get(target)
            if landing is not None and not all(passed & full for passed in landing[0]):
                return True
    return False
