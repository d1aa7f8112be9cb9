"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec.structs import replace

from rules.contract import News
from rules.games.kalejdoschach.board import CASTLES, KINDS, NAMES, NUMBER, Piece
from rules.games.kalejdoschach.moves import Move, landings, moves, occupied
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
    GUARDS = "guards"
    FREER = "freer"
    KEEPS = "keeps"
    HEADS = "heads"
    LAST = "last"
    LOSES = "loses"
    MAY_LOSE = "may_lose"
    TRADES = "trades"
    MAY_TRADE = "may_trade"


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
    items += _saved(state, after, action, seat)
    return tuple(items or _next(state, after, action, mover))


def risks(after: Position, seat: int, other: int) -> tuple[News, ...]:
    """Return what *other*, the next player, can take from *seat*: its last castle, or else its most valuable piece. A
    die, not thrown yet, may allow any piece."""
    last = after.castles(seat)
    captures = [move for move in moves(after.board, other, None) if move.takes and _owner(after, move.target) == seat]
    if not captures:
        return ()
    if len(last) == 1 and any(move.target == last[0] for move in captures):
        return (News(Why.LAST, seat, (("field", last[0]),), other),)
    field = max((move.target for move in captures), key=lambda target: _value(after.at(target)))
    piece = after.at(field)
    assert piece is not None
    returns = all(_retaken(after, move, seat) for move in captures if move.target == field)
    sure, may = (Why.TRADES, Why.MAY_TRADE) if returns else (Why.LOSES, Why.MAY_LOSE)
    facts = (("piece", KINDS[piece.kind].name), ("field", field))
    return (News(may if after.options.dice == "on" else sure, seat, facts, other),)


def _retaken(after: Position, capture: Move, seat: int) -> bool:
    """Return whether a piece of *seat* could take back on the field of *capture*."""
    board = list(after.board)
    start, end = NUMBER[capture.source], NUMBER[capture.target]
    board[start], board[end] = None, board[start]
    return _reached(replace(after, board=tuple(board)), capture.target, (seat,)) is not None


def _saved(state: Position, after: Position, move: Move, seat: int) -> Iterator[News]:
    """Yield the most valuable piece that others could take before *move* and cannot take after it, and one that could
    have taken it."""
    others = tuple(other for other in state.playing if other != seat)
    saved = list[tuple[str, Piece, Piece]]()
    for number, piece in enumerate(state.board):
        if piece is not None and piece.seat == seat and (now := _place(move, NAMES[number])):
            taker = _reached(state, NAMES[number], others)
            if taker is not None and _reached(after, now, others) is None:
                saved.append((NAMES[number], piece, taker))
    if saved:
        field, piece, taker = max(saved, key=lambda one: _value(one[1]))
        facts = (("piece", KINDS[piece.kind].name), ("field", field), ("taker", KINDS[taker.kind].name))
        yield News(Why.ESCAPES, seat, facts, taker.seat)


def _place(move: Move, field: str) -> str:
    """Return the place after *move* of the piece on *field*; "" if it was taken."""
    return move.target if field == move.source else "" if field == move.target else field


def _owner(state: Position, field: str) -> int | None:
    piece = state.at(field)
    return None if piece is None else piece.seat


def _value(piece: Piece | None) -> int:
    """Return the value of a piece: its destinations on an empty board, from all fields."""
    return 0 if piece is None else sum(map(len, landings(piece.kind)))


def _next(state: Position, after: Position, move: Move, mover: Piece) -> Iterator[News]:
    """Yield what the moved piece can do next: take the most valuable piece; enter a free castle; take back on the field
    of an own piece that others can take; reach more fields; take back a castle; enter one after another move."""
    ends = _ends(after, move.target, mover.kind)
    facts = ("field", move.target), ("piece", KINDS[mover.kind].name)
    prey = [there for end in ends if (there := after.board[end]) is not None and there.seat != mover.seat]
    if prey:
        best = max(prey, key=_value)
        yield News(Why.AIMS, mover.seat, (*facts, ("prey", KINDS[best.kind].name)), best.seat)
    elif castles := [castle for castle in CASTLES if NUMBER[castle] in ends and after.at(castle) is None]:
        yield News(Why.NEARS, mover.seat, (*facts, ("castle", castles[0])))
    elif guarded := _guarded(after, ends, mover.seat):
        yield News(Why.GUARDS, mover.seat, (*facts, ("own", KINDS[guarded[0].kind].name), ("there", guarded[1])))
    elif (free := _free(after, move.target, mover)) > (had := _free(state, move.source, mover)):
        yield News(Why.FREER, mover.seat, (*facts, ("more", str(free)), ("before", str(had))))
    elif held := [castle for castle in after.castles(mover.seat) if NUMBER[castle] in ends]:
        yield News(Why.KEEPS, mover.seat, (*facts, ("castle", held[0])))
    elif goals := [
        castle
        for castle in CASTLES
        if castle not in after.castles(mover.seat)
        and any(NUMBER[castle] in landings(mover.kind)[end] for end in ends if after.board[end] is None)
    ]:
        yield News(Why.HEADS, mover.seat, (*facts, ("castle", goals[0])))


def _guarded(after: Position, ends: frozenset[int], seat: int) -> tuple[Piece, str] | None:
    """Return the most valuable piece of *seat* on the fields *ends* that another seat can take, and its field."""
    others = tuple(other for other in after.playing if other != seat)
    pieces = [(piece, NAMES[end]) for end in ends if (piece := after.board[end]) is not None and piece.seat == seat]
    reached = [(piece, field) for piece, field in pieces if _reached(after, field, others) is not None]
    return max(reached, key=lambda one: (_value(one[0]), one[1]), default=None)


def _ends(state: Position, field: str, kind: str) -> frozenset[int]:
    """Return the numbers of the fields to which a piece of this kind on *field* could go, whatever is there."""
    full = occupied(state.board)
    there = landings(kind)[NUMBER[field]].items()
    return frozenset(end for end, landing in there if not all(passed & full for passed in landing[0]))


def _free(state: Position, field: str, mover: Piece) -> int:
    """Return the number of fields to which the piece on *field* could go without taking an own piece."""
    pieces = (state.board[end] for end in _ends(state, field, mover.kind))
    return sum(piece is None or piece.seat != mover.seat for piece in pieces)


def _in_danger(state: Position, seat: int) -> bool:
    """Return whether another seat could take the last castle of *seat*."""
    held = state.castles(seat)
    others = tuple(other for other in state.playing if other != seat)
    return len(held) == 1 and _reached(state, held[0], others) is not None


def _reached(state: Position, field: str, seats: tuple[int, ...]) -> Piece | None:
    """Return a piece of one of *seats* that could go to *field* if it were its turn and the die allowed it."""
    full, target = occupied(state.board), NUMBER[field]
    for number, piece in enumerate(state.board):
        if piece is not None and piece.seat in seats:
            landing = landings(piece.kind)[number].get(target)
            if landing is not None and not all(passed & full for passed in landing[0]):
                return piece
    return None
