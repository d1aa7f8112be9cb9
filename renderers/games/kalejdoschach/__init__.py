"""KalejdoSchach's board: a round window of leaded glass, cut stones on it, and a corner for every seat.

Page: section 12. A seat sees the window turned in quarters, so that its army lies where player 1's lies for others.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from math import hypot

from renderers import Look
from renderers.frame import Item, Word, seat_colour, seat_look
from renderers.games.kalejdoschach import signs, spandrels
from renderers.games.kalejdoschach.diagrams import diagram
from renderers.games.kalejdoschach.gems import HUES, RADIUS, gem, halo, mark
from renderers.games.kalejdoschach.spandrels import CORNERS, Corner, Person
from renderers.games.kalejdoschach.window import SIZE, Window, held, still
from renderers.games.kalejdoschach.words import alt_text
from renderers.scene import TEXT_MIN, AnyShape, Arrow, Box, Disc, Polygon, Scene, Sprite, Stamp, Text, moved
from rules.games.kalejdoschach import ALLOWED, CASTLES, FIELDS, KINDS, State

HOME = {2: (0, 4), 3: (0, 2, 6), 4: (0, 2, 4, 6)}
"""By number of seats: how many slices clockwise of player 1's castle that of each seat lies."""

BEADS = 15
"""From one bead of the last move's track to the next."""
HEAD = 22
LEFT, RIGHT = (52, 300), (SIZE[0] - 52, 280)
"""Where signs stand beside the window."""


def scene(view: State, look: Look) -> Scene:
    turned = 0 if look.side is None else -HOME[view.seats][look.side]
    window = Window(turned)
    hues = tuple(seat_colour(look, seat, HUES) for seat in range(view.seats))
    # Tiles and what is pasted in colour take turns, so that the painter has only small pieces to round.
    shapes = [*_pieces(view, window, hues), *_sides(view, hues)]
    for seat in sorted(range(view.seats), key=lambda seat: _is_raised(view, look, seat)):
        shapes += _seat(view, look, turned, seat, hues[seat])
    shapes += [*_track(view, window), *_ends(view, window)]
    return Scene(SIZE, still(window), tuple(shapes), dense=True)


def sprites() -> Iterator[Sprite]:
    for seat, hue in enumerate(HUES):
        yield halo(mark(seat))
        for kind in KINDS:
            yield gem(mark(seat), hue, kind)
    for field in FIELDS:
        yield _end(Window(), field, True)
        yield _end(Window(), field, False)
    for kind in KINDS:
        for number in range(1, 5):
            yield signs.left(kind, number)
    for number in range(1, 7):
        yield signs.die(number)
        yield signs.die(number, used=False)


# --- On the window


def _pieces(view: State, window: Window, hues: tuple[str, ...]) -> Iterator[AnyShape]:
    """Slice by slice what stands there: castles in their holder's frame, pieces, their fields' names below them."""
    allowed = "" if view.die is None else ALLOWED[view.die]
    standing = [(field, piece) for field, piece in zip(FIELDS, view.board, strict=True) if piece is not None]
    for _, found in groupby(standing, key=lambda stands: stands[0][0]):
        here = list(found)
        yield from (held(window, field)[0] for field, _ in here)
        for field, piece in here:
            at, hue = window.seat(field), hues[piece.seat]
            if field in CASTLES:
                yield window.pane(field, 4, "", "black.pale" if hue == "black" else hue, 6)
            if piece.seat == view.actor and piece.kind in allowed:
                yield Stamp(halo(mark(piece.seat)), at)
            yield Stamp(gem(mark(piece.seat), hue, piece.kind), at)
        yield from (held(window, field)[1] for field, _ in here)


@cache
def _bead() -> Sprite:
    return Sprite("bead", (6, 6), (Disc((0, 0), 5, "accent", "ink", 2),))


@cache
def _end(window: Window, field: str, taken: bool) -> Sprite:
    """One end of the last move: its border, and its name on bright ground, below the piece if it is *taken*."""
    x, y = window.corner(field)
    border = moved(window.border(field, 4), (-x, -y))
    reach = tuple(max(abs(point[axis]) for point in border) + 4 for axis in (0, 1))
    wide, high = 42, 25
    at = moved((window.label(field) if taken else window.middle(field),), (-x, -y))[0]
    shapes = (
        Polygon(border, "", "accent", 5),
        Box((at[0] - wide / 2, at[1] - high / 2), (wide, high), "accent", "ink", 2, round=7),
        Text(at, field, TEXT_MIN, "ink", align="middle"),
    )
    return Sprite(f"end {field} {window.turned}{' taken' if taken else ''}", (reach[0], reach[1]), shapes)


def _track(view: State, window: Window) -> Iterator[AnyShape]:
    """The way of the last move: beads, and an arrowhead at the piece."""
    last = view.last
    if last is None:
        return
    (x0, y0), (x1, y1) = window.middle(last.source), window.seat(last.target)
    length = hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    way = length - 2 * RADIUS - HEAD
    beads = max(0, round(way / BEADS))
    for k in range(beads):
        along = RADIUS + way * k / beads
        yield Stamp(_bead(), (x0 + dx * along, y0 + dy * along))
    tip = (x1 - dx * RADIUS, y1 - dy * RADIUS)
    yield Arrow((tip[0] - dx * HEAD, tip[1] - dy * HEAD), tip, "accent", "ink", 8)


def _ends(view: State, window: Window) -> Iterator[AnyShape]:
    """Where the last move began and ended."""
    if view.last is not None:
        for field in (view.last.source, view.last.target):
            yield Stamp(_end(window, field, view.at(field) is not None), window.corner(field))


# --- In the corners


def _is_raised(view: State, look: Look, seat: int) -> bool:
    """Whether a seat is to act or has won."""
    outcome = look.ended or view.outcome
    return view.actor == seat if outcome is None else seat in outcome.winners


def _seat(view: State, look: Look, turned: int, seat: int, hue: str) -> Iterator[AnyShape]:
    """All about one seat: who it is, its castles, its pieces, its die."""
    outcome, known = look.ended or view.outcome, seat_look(look, seat)
    who = Person(
        seat,
        hue,
        name=known.name if seat < len(look.seats) else None,
        house=known.house,
        points="½" if seat in view.agreed else "" if outcome is None else str(outcome.scores[seat]),
        out=seat not in view.playing,
        won=outcome is not None and seat in outcome.winners,
    )
    first = CORNERS[(HOME[view.seats][seat] + turned) // 2 % 4]
    person, pieces = first, first
    if view.seats == 2:
        second = CORNERS[(CORNERS.index(first) + 1) % 4]
        person, pieces = sorted((first, second), key=lambda corner: corner.right)
    ground = "ground"
    if _is_raised(view, look, seat):
        ground = "panel.up"
        for corner in dict.fromkeys((pieces, person)):
            yield from spandrels.raised(corner, pointed=not who.won and corner == person)
    yield spandrels.person(person, who, ground)
    rows: list[tuple[Corner, tuple[Item, ...]]] = [(person, _castles(view, seat))]
    rows += [(pieces, row) for row in _left(view, seat)]
    rows.append((person, _thrown(view, seat)))
    line = {person: 1, pieces: 1 if person == pieces else 0}
    for corner, row in rows:
        if row:
            yield spandrels.line(corner, line[corner], row, ground)
            line[corner] += 1


def _castles(view: State, seat: int) -> tuple[Item, ...]:
    """The castles that a seat holds, with a warning at the last one; why it is out."""
    out = next((out for out in view.out if out.seat == seat), None)
    if out is not None:
        return (signs.why(out.why),)
    held = view.castles(seat)
    names = tuple(Word(castle) for castle in held)
    return (signs.castle(), 2.0, *names, *((4.0, signs.warning()) if len(held) == 1 and view.end is None else ()))


def _left(view: State, seat: int) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The pieces that a seat has left by kind: flyers, walkers."""
    count = Counter(piece.kind for piece in view.board if piece is not None and piece.seat == seat)
    flyers = tuple(signs.left(kind, count[kind]) for kind in KINDS if count[kind] and KINDS[kind].flies)
    walkers = tuple(signs.left(kind, count[kind]) for kind in KINDS if count[kind] and not KINDS[kind].flies)
    return flyers, walkers


def _thrown(view: State, seat: int) -> tuple[Item, ...]:
    """The die of the actor; the throws that a seat could not use."""
    thrown: list[tuple[Item, ...]] = []
    for k, (thrower, die) in enumerate(view.rolls):
        if thrower == seat:
            used = k == len(view.rolls) - 1 and view.end is None
            thrown.append((signs.die(die),) if used else (signs.die(die, used=False), signs.skipped()))
    return tuple(item for items in thrown[-2:] for item in items)


# --- At the sides


def _sides(view: State, hues: tuple[str, ...]) -> Iterator[AnyShape]:
    """Left: rounds without a capture once they matter, or why the game is drawn. Right: what was taken last."""
    if view.end is not None and len(view.playing) > 1:
        yield Stamp(signs.drawn(view.end), LEFT)
    elif view.quiet_limit is not None and 2 * view.quiet > view.quiet_limit:
        seats = len(view.playing)
        yield Stamp(signs.quiet(view.quiet // seats, view.quiet_limit // seats), LEFT)
    if view.last is not None and view.last.captured is not None:
        piece = view.last.captured
        yield Stamp(signs.taken(mark(piece.seat), hues[piece.seat], piece.kind), RIGHT)


__all__ = ["alt_text", "diagram", "scene", "sprites"]
