"""The marks of a menu: a dot on an empty field that can be chosen, corners round a piece, a whole frame once chosen.

The names of the fields stay free, as a move may be typed as well.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import dist, hypot

from renderers import Look
from renderers.games.kalejdoschach.gems import RADIUS
from renderers.games.kalejdoschach.places import LABEL, label, seat
from renderers.games.kalejdoschach.window import Window
from renderers.outlines import CASING, PEN, pieced
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Point, Polygon, Sprite, Stamp, Text, shifted
from rules.games.kalejdoschach import FIELDS, State

DOT = 9.0
INSET = 5.0
ARMS = (15.0, 9.0)
"""How far the mark of a corner goes along both sides; the shorter where the longer would cover something."""
ARCS = 8
PILL = (38.0, 23.0)


def marks(view: State, look: Look, window: Window) -> Iterator[AnyShape]:
    for field in dict.fromkeys(look.choices):
        if field in FIELDS and field not in look.chosen:
            if view.at(field) is None:
                yield Stamp(_dot(), seat(window, field))
            else:
                yield _choice(window, field)
    for field in dict.fromkeys(look.chosen):
        if field in FIELDS:
            yield _framed(window, field)
            yield Stamp(_named(field), label(window, field))


@cache
def _dot() -> Sprite:
    reach = DOT + CASING + 1
    shapes = (Disc((0, 0), DOT + CASING, "mark.case"), Disc((0, 0), DOT, "mark"))
    return Sprite("choice dot", (reach, reach), shapes, crisp=True)


@cache
def _named(field: str) -> Sprite:
    """The name of a field that was chosen, in the colours of its frame."""
    wide, high = PILL
    shapes = (
        Box((-wide / 2, -high / 2), PILL, "mark", "mark.case", 2, round=7),
        Text((0, 0), field, TEXT_MIN, "mark.case", align="middle"),
    )
    return Sprite(f"chosen {field}", (wide / 2 + 1, high / 2 + 1), shapes)


@cache
def _choice(window: Window, field: str) -> Stamp:
    """The corners of a field with a piece."""
    return _stamped("choice", window, field, tuple(pieced(corners(window, field))))


@cache
def _framed(window: Window, field: str) -> Stamp:
    """The frame of a field that was chosen."""
    frame = window.border(field, INSET)
    cased = (Polygon(frame, "", "mark.case", PEN + 2 * CASING), Polygon(frame, "", "mark", PEN))
    return _stamped("frame", window, field, cased)


def _stamped(name: str, window: Window, field: str, shapes: tuple[AnyShape, ...]) -> Stamp:
    x, y = (round(place) for place in window.middle(field))
    around = [(abs(a - x), abs(b - y)) for a, b in window.border(field, 0)]
    reach = max(a for a, _ in around), max(b for _, b in around)
    return Stamp(Sprite(name, reach, tuple(shifted(shape, (-x, -y)) for shape in shapes), crisp=True), (x, y))


def corners(window: Window, field: str) -> list[tuple[Point, ...]]:
    """The corners of a field, but for those where its name or its piece is; pieces of the ring round the centre."""
    border = window.border(field, INSET)
    count = len(border)
    if not FIELDS[field].ring:
        step = count // ARCS
        return [border[k : k + step // 2 + 1] for k in range(0, count, step)]
    half = count // 2
    found: list[tuple[Point, ...]] = []
    for k, arm in product((0, half - 1, half, count - 1), ARMS):
        one, other = (_towards(border[k], border[(k + by) % count], arm) for by in (-1, 1))
        piece = (one, border[k], other)
        if border[k] not in (taken[1] for taken in found) and not any(_covers(at, window, field) for at in piece):
            found.append(piece)
    return found


def _covers(point: Point, window: Window, field: str) -> bool:
    """Whether a mark through a point covers the name of a field, or more than the rim of its piece."""
    room, (x, y) = PEN / 2 + CASING, label(window, field)
    on_name = abs(point[0] - x) < LABEL[0] + room and abs(point[1] - y) < LABEL[1] + room
    return on_name or dist(point, seat(window, field)) < RADIUS - room


def _towards(start: Point, end: Point, far: float) -> Point:
    """The point so far from *start* on the way to *end*."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    return start[0] + (end[0] - start[0]) * far / length, start[1] + (end[1] - start[1]) * far / length
