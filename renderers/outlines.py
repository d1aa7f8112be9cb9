"""Places in a picture as outlines that can be tapped, and the marks of the parts that can be chosen.

An outline is a tuple of corners in order around a place, in pixels of the picture. A part that can be chosen gets the
corners of a frame (a round one a broken ring); a chosen part gets the whole frame, so the two differ by shape. A chosen
part that contains other marked ones, such as a row with its fields, has no mark. Marks are light with a dark edge, so
that they are visible on any ground. They are inside the edge of their place, so that neighbours do not touch and the
middle stays free.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin

from renderers.scene import TEXT_MIN, AnyShape, Disc, Line, Point, Polygon, Sprite, Stamp, Text

Outline = tuple[Point, ...]

INSET = 6.0
PEN = 4.5
CASING = 2.5
NUMBER = 19.0
"""The radius of a number's disc."""
TICK = 0.3
"""The part of a side that the mark of a corner covers, at each end."""
TICK_MAX = 26.0
GAP = 14.0
"""The least gap between the marks of two corners, for which those of a small place are shorter."""
TICK_MIN = 2.0
SHARP = 30.0
"""The least turn of an outline, in degrees, that looks like a corner."""
ARCS = 5


def centre(outline: Outline) -> Point:
    """Return the centroid of the area inside *outline*.

    >>> centre(((0, 0), (4, 0), (4, 2), (0, 2)))
    (2.0, 1.0)
    """
    double = x = y = 0.0
    for (x0, y0), (x1, y1) in _sides(outline):
        cross = x0 * y1 - x1 * y0
        double, x, y = double + cross, x + (x0 + x1) * cross, y + (y0 + y1) * cross
    return x / (3 * double), y / (3 * double)


def inside(point: Point, outline: Outline) -> bool:
    """Return whether *point* is within *outline*.

    >>> inside((1, 1), ((0, 0), (4, 0), (4, 2), (0, 2))), inside((5, 1), ((0, 0), (4, 0), (4, 2), (0, 2)))
    (True, False)
    """
    x, y = point
    crossed = ((x0, y0, x1, y1) for (x0, y0), (x1, y1) in _sides(outline) if (y0 > y) != (y1 > y))
    return sum(x < x0 + (y - y0) * (x1 - x0) / (y1 - y0) for x0, y0, x1, y1 in crossed) % 2 == 1


def inset(outline: Outline, by: float) -> Outline:
    """Return *outline* with every side moved inwards by *by*, which is less than half of its narrowest width.

    >>> inset(((0, 0), (8, 0), (8, 6), (0, 6)), 1)
    ((1.0, 1.0), (7.0, 1.0), (7.0, 5.0), (1.0, 5.0))
    """
    corners = outline if _turns_right(outline) else outline[::-1]
    moved: list[Point] = []
    for k, (x, y) in enumerate(corners):
        (ax, ay), (bx, by_) = _normal(corners[k - 1], (x, y)), _normal((x, y), corners[(k + 1) % len(corners)])
        along = 1 + ax * bx + ay * by_
        reach = by / max(along, 0.3)  # needles are cut off
        moved.append((x + (ax + bx) * reach, y + (ay + by_) * reach))
    return tuple(moved)


def disc(at: Point, radius: float, corners: int = 24) -> Outline:
    """Return the outline of a round place."""
    angles = [2 * pi * k / corners for k in range(corners)]
    return tuple((at[0] + radius * sin(angle), at[1] - radius * cos(angle)) for angle in angles)


def box(at: Point, size: tuple[float, float]) -> Outline:
    """Return the outline of a rectangle with its upper left corner *at*."""
    (x, y), (wide, high) = at, size
    return ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))


def marks(spots: Mapping[str, Outline], choices: Iterable[str], chosen: Iterable[str]) -> tuple[AnyShape, ...]:
    """Return the marks of the parts in *choices* and *chosen*; parts without a spot have none."""
    taken = {spots[part] for part in chosen if part in spots}
    free = dict.fromkeys(spots[part] for part in choices if part in spots)
    marked = (*free, *taken)
    whole = [outline for outline in sorted(taken) if not any(_contains(outline, other) for other in marked)]
    possible = tuple(stamped(outline, is_chosen=False) for outline in free if outline not in taken)
    return (*possible, *(stamped(outline, is_chosen=True) for outline in whole))


def numbered(spots: Mapping[str, Outline], numbers: Iterable[tuple[str, int]]) -> Iterator[AnyShape]:
    """Yield a disc with its number in the upper left corner of each part. Of several numbers, the last counts."""
    for outline, number in {spots[part]: number for part, number in numbers if part in spots}.items():
        (left, top), (x, y) = map(min, zip(*outline, strict=True)), centre(outline)
        at = min(left + NUMBER, x), min(top + NUMBER, y)
        yield Disc(at, NUMBER, "mark.case")
        yield Disc(at, NUMBER - CASING, "mark")
        yield Text(at, str(number), TEXT_MIN, "mark.case", align="middle")


def stamped(outline: Outline, *, is_chosen: bool) -> Stamp:
    """Return the mark of *outline*. Places of the same form share their sprite."""
    (left, top), (right, bottom) = map(min, zip(*outline, strict=True)), map(max, zip(*outline, strict=True))
    x, y = round((left + right) / 2), round((top + bottom) / 2)
    form = tuple((round(4 * (a - x)) / 4, round(4 * (b - y)) / 4) for a, b in outline)
    return Stamp(mark(form, is_chosen=is_chosen), (x, y))


@lru_cache(1024)
def mark(form: Outline, *, is_chosen: bool) -> Sprite:
    """Return the mark of a place of this *form* around (0, 0)."""
    frame = inset(form, INSET)
    reach = max(abs(x) for x, _ in form), max(abs(y) for _, y in form)
    if is_chosen:
        cased = (Polygon(frame, "", "mark.case", PEN + 2 * CASING), Polygon(frame, "", "mark", PEN))
        return Sprite("chosen", reach, cased, crisp=True, faceted=True)
    return Sprite("choice", reach, tuple(pieced(_corners(frame))), crisp=True, faceted=True)


def pieced(pieces: Iterable[tuple[Point, ...]]) -> Iterator[AnyShape]:
    """Yield lines along *pieces*, light with a dark edge."""
    pieces = tuple(pieces)
    for colour, width in (("mark.case", PEN + 2 * CASING), ("mark", PEN)):
        yield from (Line(piece, colour, width) for piece in pieces)


def _corners(outline: Outline) -> Iterator[tuple[Point, ...]]:
    """Yield the pieces of *outline* around its corners, or evenly spaced pieces of a round outline."""
    sharp = [k for k in range(len(outline)) if _turn(outline[k - 1], outline[k], outline[(k + 1) % len(outline)])]
    length = _length(outline)
    if len(sharp) < 3:
        part = length / ARCS
        yield from (_along(outline, k * part, part / 2) for k in range(ARCS))
        return
    for k in sharp:
        nearest = min(_distance(outline[k], outline[other]) for other in sharp if other != k)
        arm = min(TICK_MAX, TICK * nearest, max(TICK_MIN, (nearest - GAP) / 2))
        turned = outline[k:] + outline[:k]
        yield (*_along(turned, length - arm, arm), *_along(turned, 0, arm)[1:])


def _along(outline: Outline, start: float, length: float) -> tuple[Point, ...]:
    """Return the piece of *outline* from *start* on, both measured along it from its first corner."""
    points: list[Point] = []
    run = 0.0
    for (x0, y0), (x1, y1) in _sides(outline):
        side = hypot(x1 - x0, y1 - y0)
        begin, end = max(start, run), min(start + length, run + side)
        if side and begin < end:
            if not points:
                points.append((x0 + (x1 - x0) * (begin - run) / side, y0 + (y1 - y0) * (begin - run) / side))
            points.append((x0 + (x1 - x0) * (end - run) / side, y0 + (y1 - y0) * (end - run) / side))
        run += side
    return tuple(points)


def towards(start: Point, end: Point, length: float) -> Point:
    """Return the point at this distance from *start* on the way to *end*."""
    part = length / _distance(start, end)
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _sides(outline: Outline) -> Iterator[tuple[Point, Point]]:
    return zip(outline, (*outline[1:], outline[0]), strict=True)


def _contains(outline: Outline, other: Outline) -> bool:
    """Return whether the smaller place *other* is in *outline*, up to its edges."""
    return _length(other) < _length(outline) and inside(centre(other), outline)


def _length(outline: Outline) -> float:
    return sum(_distance(*side) for side in _sides(outline))


def _turns_right(outline: Outline) -> bool:
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _sides(outline)) > 0


def _normal(start: Point, end: Point) -> Point:
    """Return the unit vector to the right of the way from *start* to *end*, which points inwards on a clockwise
    way."""
    length = _distance(start, end) or 1.0
    return -(end[1] - start[1]) / length, (end[0] - start[0]) / length


def _distance(one: Point, other: Point) -> float:
    return hypot(other[0] - one[0], other[1] - one[1])


def _turn(before: Point, at: Point, after: Point) -> bool:
    """Return whether an outline turns sharply here."""
    come, go = atan2(at[1] - before[1], at[0] - before[0]), atan2(after[1] - at[1], after[0] - at[0])
    return abs((go - come + pi) % (2 * pi) - pi) * 180 / pi >= SHARP
