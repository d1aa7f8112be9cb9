"""The corners of the seats: the person, its castles, its captured pieces, its die."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import asdict

from renderers.frame import Item, Word, seat_look
from renderers.games.kalejdoschach import signs, spandrels
from renderers.games.kalejdoschach.panes import digit
from renderers.games.kalejdoschach.spandrels import CORNERS, Person
from renderers.games.kalejdoschach.window import Window
from renderers.look import Look
from renderers.scene import AnyShape
from rules.games.kalejdoschach import GAME, KINDS, Options, Piece, State

HOME = {2: (0, 4), 3: (0, 2, 6), 4: (0, 2, 4, 6)}
"""By number of seats: for each seat the number of slices clockwise from player 1's castle to its own."""


def corners(view: State, look: Look, turned: int, hues: tuple[str, ...]) -> Iterator[AnyShape]:
    """Yield the corners of all seats, raised ones last."""
    for seat in sorted(range(view.seats), key=lambda seat: _is_raised(view, look, seat)):
        yield from _seat(view, look, turned, seat, hues[seat])


def _is_raised(view: State, look: Look, seat: int) -> bool:
    """Return whether a seat must act or has won."""
    outcome = look.ended or view.outcome
    return view.actor == seat if outcome is None else seat in outcome.winners


def _seat(view: State, look: Look, turned: int, seat: int, hue: str) -> Iterator[AnyShape]:
    """Yield the corner of one seat.

    With two players the captured pieces have a corner of their own, and the crown replaces points.
    """
    outcome, known = look.ended or view.outcome, seat_look(look, seat)
    points = "" if outcome is None or view.seats == 2 else str(outcome.scores[seat])
    who = Person(
        seat,
        hue,
        name=known.name if seat < len(look.seats) else None,
        house=known.house,
        points="½" if seat in view.agreed else points,
        out=seat not in view.playing,
        won=outcome is not None and seat in outcome.winners,
    )
    first = CORNERS[(HOME[view.seats][seat] + turned) // 2 % 4]
    person, pieces = first, first
    if view.seats == 2:
        second = CORNERS[(CORNERS.index(first) + 1) % 4]
        person, pieces = sorted((first, second), key=lambda corner: corner.right)
    crown = (signs.crowned(),) if who.won else ()  # beside the name it would cut it
    blocks, captured = [crown, _castles(view, seat), _thrown(view, seat)], _captured(view, seat)
    if person == pieces or not captured:
        rows = {person: spandrels.lines(blocks + captured, 1)}
    else:
        rows = {person: spandrels.lines(blocks, 1), pieces: spandrels.lines(captured, 0)}
    is_raised = _is_raised(view, look, seat)
    if is_raised:
        for corner in reversed(rows):
            yield from spandrels.raised(corner, max(rows[corner]), hue, pointed=not who.won and corner == person)
            yield digit(Window(turned), (2 * CORNERS.index(corner) - turned) % 8, "text")
    ground = f"{hue}.up" if is_raised else "ground"
    yield spandrels.person(person, who, ground)
    for corner, lines in rows.items():
        for number, items in lines.items():
            if items:
                yield spandrels.line(corner, number, items, ground)


def _castles(view: State, seat: int) -> tuple[Item, ...]:
    """Return the castles of a seat, with a warning at the last one; or the reason for which it is out."""
    out = next((out for out in view.out if out.seat == seat), None)
    if out is not None:
        return (signs.why(out.why),)
    held = view.castles(seat)
    spaced = (item for castle in held for item in (Word(castle), 2.0))
    warned = (4.0, signs.warning()) if len(held) == 1 and view.end is None else ()
    return (signs.castle(), 2.0, *spaced, *warned)


def _captured(view: State, seat: int) -> list[tuple[Item, ...]]:
    """Return the captured pieces of a seat by kind, the newest one on bright ground; of a seat that is out only
    that."""
    last = view.last.captured if view.last is not None else None
    newest = last.kind if last is not None and last.seat == seat else ""
    if seat not in view.playing:
        return [(signs.captured(newest, 1, newest=True),)] if newest else []
    lost = Counter(piece.kind for piece in _first_board(view.seats, view.options) if piece and piece.seat == seat)
    lost.subtract(piece.kind for piece in view.board if piece is not None and piece.seat == seat)
    return [(signs.captured(kind, lost[kind], newest=kind == newest),) for kind in KINDS if lost[kind] > 0]


@lru_cache(64)
def _first_board(seats: int, options: Options) -> tuple[Piece | None, ...]:
    """Return the board at the beginning of the game."""
    return GAME.start(seats, asdict(options)).board


def _thrown(view: State, seat: int) -> tuple[Item, ...]:
    """Return the die of the actor, or the throws that a seat could not use."""
    thrown: list[tuple[Item, ...]] = []
    for k, (thrower, die) in enumerate(view.rolls):
        if thrower == seat:
            used = k == len(view.rolls) - 1 and view.end is None
            thrown.append((signs.die(die),) if used else (signs.die(die, used=False), signs.skipped()))
    return tuple(item for items in thrown[-2:] for item in items)
