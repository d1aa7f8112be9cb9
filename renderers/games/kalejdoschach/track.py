"""A recent move: frames around both fields, their names on bright ground, and a track of beads between them.

A faint one has broken frames, no bright names, and only the small beads.

All of it is under pieces. Beads and tip keep off the names of fields, and the tip off other pieces: it points to its
piece from the side if a name or a piece is in front of it.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from math import atan2, cos, dist, hypot, pi, sin

from renderers.games.kalejdoschach.gems import SIDES
from renderers.games.kalejdoschach.places import LABEL, label, seat
from renderers.games.kalejdoschach.window import Window
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text, moved
from rules.games.kalejdoschach import CASTLES, FIELDS

BEAD = 7.0
"""Radius of the last beads; the first are smaller, which shows the direction."""
SIZES = 4
APART = 15.0
"""Distance between beads."""
HEAD = 22.0
WIDE = 13.0
"""Length of the tip, and half its width."""
NOTCH = 0.15
"""Depth of the notch in the back of the tip, as a part of half its length: a plain triangle points three ways."""
TURNS = 96
SWING = 20
"""The largest turn of the tip away from the straight way, in ``TURNS``."""
NEAR = 110.0
"""Pieces further away than this from the target are not in the way of the tip."""
OTHERS = (24.0, 26.0)
"""Half the size of a piece that would hide a part of the tip."""
CASE = 2.5
_WITHIN = tuple(
    (HEAD * (0.5 - part / 12), aside / 6 * (WIDE + CASE) * part / 12) for part in range(14) for aside in range(-6, 7)
)
"""Points of a tip with its casing: ahead of its middle, and to its right."""
START = 11.0
"""Radius of the ring on the first field of the move."""
DASH = 9.0
"""Length of a dash of a faint frame."""
PILL = (40, 33)
RISE = 14
"""Height of a pill above the middle of the capitals; below it there is room for the tail of a g or a j."""


def track(
    ends: tuple[str, str], window: Window, *, is_faint: bool = False, taken: Iterable[str] = ()
) -> Iterator[AnyShape]:
    """Yield the track of a move between both *ends*; *taken*: the fields with pieces."""
    yield from (Stamp(end(window, field, is_faint=is_faint), window.corner(field)) for field in ends)
    x0, y0 = seat(window, ends[0])
    if not is_faint:
        yield Stamp(_ring(), (x0, y0))
    at = seat(window, ends[1])
    near = frozenset(field for field in taken if field != ends[1] and dist(seat(window, field), at) < NEAR)
    (x, y), (dx, dy) = _arrival(window, *ends, near)
    x1, y1 = x - dx * HEAD / 2, y - dy * HEAD / 2
    length = hypot(x1 - x0, y1 - y0)
    beads = max(0, round((length - START) / APART))
    for k in range(1, beads + 1):
        part = (START + (length - START) * k / (beads + 1)) / length
        at = (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)
        if not _touches(at, _names(window)):
            yield Stamp(_bead(0 if is_faint else min(SIZES - 1, SIZES * k // beads)), at)
    yield Stamp(tip(round(atan2(dy, dx) / (2 * pi) * TURNS) % TURNS), (x, y))
    if not is_faint:
        yield from (Stamp(pill(field), label(window, field)) for field in ends)


@cache
def _arrival(window: Window, source: str, target: str, taken: frozenset[str]) -> tuple[Point, Point]:
    """Return the middle of the tip and its target, the piece, as straight as names and the pieces on *taken* allow.

    If there is no free place, it avoids pieces less than its own name, and that less than the names of other fields.
    """
    (x0, y0), (x1, y1) = seat(window, source), seat(window, target)
    straight = round(atan2(y1 - y0, x1 - x0) / (2 * pi) * TURNS)
    names = [(label(window, field), LABEL) for field in FIELDS if field not in (source, target)]
    own = [((x, y - RISE + PILL[1] / 2), (PILL[0] / 2, PILL[1] / 2)) for x, y in (label(window, target),)]
    pieces = [(seat(window, field), OTHERS) for field in sorted(taken)]
    ways = [_beside((x1, y1), straight + by) for by in sorted(range(-SWING, SWING + 1), key=abs)]
    free = next((way for way in ways if not _hides((*names, *own, *pieces), *way)), None)
    if free is not None:
        return free
    for hidden in (names, own, pieces):
        ways = [way for way in ways if not _hides(hidden, *way)] or ways
    return ways[0]


def _beside(piece: Point, turn: int) -> tuple[Point, Point]:
    """Return the place of a tip that points to a piece in one of ``TURNS`` directions."""
    ahead = dx, dy = cos(turn * 2 * pi / TURNS), sin(turn * 2 * pi / TURNS)
    reach = min(half / max(abs(along), 1e-9) for half, along in zip(SIDES, ahead, strict=True)) + HEAD / 2
    return (piece[0] - dx * reach, piece[1] - dy * reach), ahead


def _hides(others: Iterable[tuple[Point, Point]], at: Point, ahead: Point) -> bool:
    """Return whether a tip would touch one of *others*, each with its middle and half its size."""
    (x, y), (dx, dy) = at, ahead
    near = [((u - x, v - y), half) for (u, v), half in others if hypot(u - x, v - y) < hypot(*half) + HEAD]
    for along, aside in _WITHIN if near else ():
        across, down = dx * along - dy * aside, dy * along + dx * aside
        if any(abs(across - u) < wide and abs(down - v) < high for (u, v), (wide, high) in near):
            return True
    return False


@cache
def _names(window: Window) -> tuple[Point, ...]:
    return tuple(label(window, field) for field in FIELDS)


def _touches(at: Point, names: Iterable[Point]) -> bool:
    """Return whether a bead would touch one of these names."""
    (x, y), across, down = at, LABEL[0] + BEAD, LABEL[1] + BEAD
    return any(abs(x - u) < across and abs(y - v) < down for u, v in names)


@cache
def _bead(size: int) -> Sprite:
    radius = BEAD - 2 + 2 * size / (SIZES - 1)
    return Sprite(f"bead {size + 1}", (BEAD + 1, BEAD + 1), (Disc((0, 0), radius, "accent", "ink", 2),), crisp=True)


@cache
def tip(turn: int) -> Sprite:
    """Return the tip of a track in one of ``TURNS`` directions, clockwise from the right."""
    (x, y), (across, down) = (
        (length * cos(angle * 2 * pi / TURNS), length * sin(angle * 2 * pi / TURNS))
        for length, angle in ((HEAD / 2, turn), (WIDE, turn + TURNS / 4))
    )
    notch = (-NOTCH * x, -NOTCH * y)
    corners = ((x, y), (across - x, down - y), notch, (-across - x, -down - y))
    reach = HEAD / 2 + WIDE
    return Sprite(
        f"tip {turn}",
        (reach, reach),
        (Polygon(corners, "ink", "ink", 2 * CASE), Polygon(corners, "accent")),
        crisp=True,
    )


@cache
def _ring() -> Sprite:
    rings = (Disc((0, 0), START, "", "ink", 8), Disc((0, 0), START - 2, "", "accent", 4))
    return Sprite("start", (START + 1, START + 1), rings, crisp=True)


@cache
def end(window: Window, field: str, *, is_faint: bool = False) -> Sprite:
    """Return the border of one end of a move, inside the frame of a castle."""
    x, y = window.corner(field)
    border = moved(window.border(field, 13 if field in CASTLES else 5), (-x, -y))
    reach = tuple(max(abs(point[axis]) for point in border) + 5 for axis in (0, 1))
    shapes: tuple[AnyShape, ...] = Polygon(border, "", "ink", 10), Polygon(border, "", "accent", 6)
    if is_faint:
        closed = (*border, border[0])
        shapes = Line(closed, "ink", 5.5, DASH), Line(closed, "accent", 2.5, DASH)
    name = "faint end" if is_faint else "end"
    return Sprite(f"{name} {field} {window.turned}", (reach[0], reach[1]), shapes, crisp=True)


@cache
def pill(field: str) -> Sprite:
    """Return the name of one end, on bright ground with a rim off the letters, so that a small i differs from a
    small j."""
    wide, high = PILL
    shapes = (
        Box((-wide / 2, -RISE), PILL, "accent", "ink", 1, round=6),
        Text((0, 0), field, TEXT_MIN, "ink", align="middle"),
    )
    return Sprite(f"name {field}", (wide / 2 + 1, high - RISE + 1), shapes, crisp=True)
