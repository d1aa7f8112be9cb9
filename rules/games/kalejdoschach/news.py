"""The events in posts; every fact is public."""

from enum import StrEnum
from typing import Final

from rules.contract import News
from rules.games.kalejdoschach.board import ALLOWED, CASTLES, KINDS, Piece
from rules.games.kalejdoschach.moves import Move
from rules.games.kalejdoschach.position import Action, Out, Position


class Event(StrEnum):
    """The events in posts: an action, or its effect; at the beginning, the aim of the game."""

    AIM = "aim"
    MOVE = "move"
    CAPTURE = "capture-of"
    CAPTURE_OWN = "capture-own"
    CASTLE_LEFT = "castle-left"
    CASTLE_TAKEN = "castle-taken"
    OUT_CASTLE = "out-castle"
    OUT_CAPITULATION = "out-capitulation"
    OUT_BLOCKED = "out-blocked"
    DRAW_OFFERED = "draw-offered"
    DRAW_ACCEPTED = "draw-accepted"
    DRAW_AGREED = "draw-agreed"
    DRAW_DECLINED = "draw-declined"
    QUIET = "quiet"
    SKIPPED = "skipped"
    DIE = "die"


PARTS: Final = ("draw", *(kind.name for kind in KINDS.values()), *(f"die{die}" for die in ALLOWED))
"""Words of the notation and of events that a text replaces."""

COUNTDOWN: Final = (20, 10, 5, 3, 2, 1)
"""The numbers of remaining quiet rounds that a post reports."""


def events(before: Position, action: Action, after: Position) -> tuple[News, ...]:
    """Return the events of an action: itself first, then its effects."""
    seat = before.actor
    assert seat is not None
    if not isinstance(action, Move):
        return (_draw(before, seat, after),)
    mover, captured = before.at(action.source), before.at(action.target)
    assert mover is not None
    return (
        _move(seat, action, mover, captured),
        *_castles(seat, action, captured, eliminated=after.out[len(before.out) :]),
        *_declined(before, seat),
        *(News(Event(f"out-{out.why}"), out.seat) for out in after.out[len(before.out) :]),
        *_countdown(after),
        *throws(after),
    )


def _draw(before: Position, seat: int, after: Position) -> News:
    if after.end is not None:
        return News(Event.DRAW_AGREED, seat)
    return News(Event.DRAW_ACCEPTED if before.agreed else Event.DRAW_OFFERED, seat)


def _move(seat: int, move: Move, mover: Piece, captured: Piece | None) -> News:
    """Return the event of a move, with the owner of the piece that it took."""
    facts = (("piece", _name(mover)), ("source", move.source), ("target", move.target))
    if captured is None:
        return News(Event.MOVE, seat, facts)
    taken = ("captured", _name(captured))
    if captured.seat == seat:
        return News(Event.CAPTURE_OWN, seat, (*facts, taken))
    return News(Event.CAPTURE, seat, (*facts, taken), captured.seat)


def _castles(seat: int, move: Move, captured: Piece | None, eliminated: "tuple[Out, ...]") -> tuple[News, ...]:
    """Return the events of a castle that changes hands or is given up.

    A seat that takes its own piece there keeps the castle. A seat that goes out by this (one of *eliminated*) has its
    own event.
    """
    items = []
    if move.source in CASTLES and all(out.seat != seat for out in eliminated):
        items.append(News(Event.CASTLE_LEFT, seat, (("field", move.source),)))
    if move.target in CASTLES and (captured is None or captured.seat != seat):
        items.append(News(Event.CASTLE_TAKEN, seat, (("field", move.target),)))
    return tuple(items)


def _declined(before: Position, seat: int) -> tuple[News, ...]:
    """Return the event of a declined draw: the seat moved instead of agreeing to an open offer."""
    return (News(Event.DRAW_DECLINED, seat),) if before.agreed and seat not in before.agreed else ()


def _countdown(after: Position) -> tuple[News, ...]:
    """Return the number of rounds until the game ends without a capture, if it is in COUNTDOWN."""
    limit, seats = after.quiet_limit, len(after.playing)
    if limit is None or after.end is not None:
        return ()
    rounds, within = divmod(limit - after.quiet, seats)
    if within or rounds not in COUNTDOWN:
        return ()
    return (
        News(Event.QUIET, None, (("rounds", str(rounds)), ("n", str(rounds)))),
    )  # the same number, for the plural form


def throws(after: Position) -> tuple[News, ...]:
    """Return the die of the next actor, preceded by the throws of seats that could not use theirs."""
    if after.end is not None or not after.rolls:
        return ()
    *skipped, (actor, die) = after.rolls
    return (
        *(News(Event.SKIPPED, seat, (("die", f"die{thrown}"),)) for seat, thrown in skipped),
        News(Event.DIE, actor, (("die", f"die{die}"),)),
    )


def _name(piece: Piece) -> str:
    return KINDS[piece.kind].name
