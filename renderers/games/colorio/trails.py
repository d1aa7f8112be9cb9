"""The way of a cap from field to field: an arrow of short cached pieces.

A piece has one of ``TURNS`` directions and overlaps the next one. It is placed at the whole pixels nearest to the
curve. So the arrow looks like one line, but no part of it has to be drawn anew. It bends around the signs of fields on
its way.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, pairwise, product
from math import atan2, ceil, cos, floor, hypot, pi, sin

from msgspec import Struct

from renderers.scene import Line, Point, Polygon, Sprite, Stamp

TURNS = 192
"""Number of directions of a piece, clockwise from the right; neighbours look the same."""
_TURN = 2 * pi / TURNS
CLEAR = 33
"""Distance of both ends of a trail from the signs in the middle of their fields."""
ONTO = 21
"""The same for an end on a cap, which has a small sign at most: the trail reaches onto the cap."""
WIDE = 46
"""More room than this beside a sign is of no use."""
BOWS = (0, 30, -30, 48, -48, 66, -66)
"""Distances of the middle of a trail from the straight line, best first."""
SAMPLES = 48
PIECE = 26
"""Length of a piece without its round ends."""
PITCH = 18
"""The largest distance between two pieces."""
SLIDES = (0, -1, 1, -2, 2, -3, 3)
"""Shifts of a piece along the curve, best first."""
CASING = 2.5
"""Width of the dark edge around the light of a trail, which makes it visible on any ground."""
WIDTHS = {True: 11.0, False: 6.0}
"""Width of a trail of the newest turn, and of the last one."""
TIP = 25
TIPS = {True: 16.0, False: 13.0}
"""Half the width of a tip."""


class Step(Struct, frozen=True):
    """A place of a trail in whole units from the field where it begins, and its direction there."""

    at: tuple[int, int]
    turn: int


@lru_cache(256)
def trail(
    start: Point, columns: int, rows: int, pitch: float, *, newest: bool, onto: bool = False
) -> tuple[Stamp, ...]:
    """Return the trail from the field at *start* to the one *columns* to the right and *rows* down; *pitch*: between
    fields.

    *onto*: the target is a cap.
    """
    *steps, end = _route(columns, rows, pitch, ONTO if onto else CLEAR)

    def laid(sprite: Sprite, step: Step) -> Stamp:
        return Stamp(sprite, (start[0] + step.at[0], start[1] + step.at[1]))

    # Each light comes after the edge of the next piece: no edge covers a light, and neighbours are painted together.
    edges = [
        *(laid(piece(step.turn, "ink", newest=newest), step) for step in steps),
        laid(tip(end.turn, newest=newest), end),
    ]
    lights = [laid(piece(step.turn, "accent", newest=newest), step) for step in steps]
    return (edges[0], *(stamp for pair in zip(edges[1:], lights, strict=True) for stamp in pair))


@cache
def _route(columns: int, rows: int, pitch: float, clear: float) -> tuple[Step, ...]:
    """Return the places of the pieces, last the tip. They are the same everywhere, so fields off the board are
    avoided, too."""
    end = (columns * pitch, rows * pitch)
    curve = max((_bent(end, bow) for bow in BOWS), key=lambda points: round(_room(points, pitch, end)))
    so_far = [0.0, *accumulate(hypot(x - a, y - b) for (a, b), (x, y) in pairwise(curve))]

    def steps(near: float, first: float, last: float) -> Iterator[tuple[float, Step]]:
        """Yield the whole places near a distance from the start, each with its distance from the curve."""
        for slide in SLIDES:
            distance = max(first, min(last, near + slide))
            k = min(SAMPLES, bisect_right(so_far, distance)) - 1
            (x0, y0), (x1, y1) = curve[k], curve[k + 1]
            length = so_far[k + 1] - so_far[k]
            dx, dy = (x1 - x0) / length, (y1 - y0) / length
            x, y = x0 + (distance - so_far[k]) * dx, y0 + (distance - so_far[k]) * dy
            at = (floor(x + 0.5), floor(y + 0.5))
            beside = abs((at[0] - x) * dy - (at[1] - y) * dx)
            yield round(beside, 1), Step(at, round(atan2(dy, dx) / _TURN) % TURNS)

    def best(near: float, first: float, last: float) -> Step:
        return min(steps(near, first, last), key=lambda candidate: candidate[0])[1]

    point = so_far[-1] - clear
    # Round ends add half a width; the last one is under the tip.
    first, last = CLEAR + (PIECE + WIDTHS[True]) / 2, point - TIP + 2 - PIECE / 2
    gaps = max(1, ceil((last - first) / PITCH))
    places = [first + (last - first) * k / gaps for k in range(gaps + 1)]
    return (*(best(place, first, last) for place in places), best(point - TIP / 2, 0, point - TIP / 2))


def _bent(end: Point, bow: float) -> tuple[Point, ...]:
    """Return points of a bow from (0, 0) to *end*; *bow*: the distance of its middle from the straight line."""
    x1, y1 = end
    length = hypot(x1, y1)
    x, y = x1 / 2 - 2 * bow * y1 / length, y1 / 2 + 2 * bow * x1 / length
    parts = (k / SAMPLES for k in range(SAMPLES + 1))
    return tuple((2 * t * (1 - t) * x + t * t * x1, 2 * t * (1 - t) * y + t * t * y1) for t in parts)


def _room(points: tuple[Point, ...], pitch: float, end: Point) -> float:
    """Return the least distance of *points* from the middle of a field other than the first and the last."""
    room = float(WIDE)
    for x, y in points:
        field = (round(x / pitch) * pitch, round(y / pitch) * pitch)
        if field not in ((0, 0), end):
            room = min(room, hypot(x - field[0], y - field[1]))
    return room


def piece(turn: int, colour: str, *, newest: bool) -> Sprite:
    """Return a piece of a trail along direction *turn*: its light ("accent"), or the edge under it ("ink")."""
    return _piece(turn % (TURNS // 2), colour, WIDTHS[newest] + (2 * CASING if colour == "ink" else 0))


@cache
def _piece(turn: int, colour: str, width: float) -> Sprite:
    x, y = _towards(turn, PIECE / 2)
    reach = (abs(x) + width / 2 + 1, abs(y) + width / 2 + 1)
    return Sprite(f"piece {turn} {colour} {width:g}", reach, (Line(((-x, -y), (x, y)), colour, width),))


def tip(turn: int, *, newest: bool) -> Sprite:
    """Return the tip of a trail in direction *turn*, smaller for the last turn."""
    return _tip(turn // 2 * 2, newest)


@cache
def _tip(turn: int, newest: bool) -> Sprite:
    (x, y), (across, down) = _towards(turn, TIP / 2), _towards(turn + TURNS // 4, TIPS[newest])
    corners = ((x, y), (across - x, down - y), (-across - x, -down - y))
    reach = (max(abs(x) for x, _ in corners) + 5, max(abs(y) for _, y in corners) + 5)
    name = f"tip {turn} {'new' if newest else 'old'}"
    return Sprite(name, reach, (Polygon(corners, "ink", "ink", 2 * CASING), Polygon(corners, "accent")))


def _towards(turn: int, length: float) -> Point:
    return length * cos(turn * _TURN), length * sin(turn * _TURN)


def sprites(columns: int, rows: int, pitch: float) -> Iterator[Sprite]:
    """Yield all parts of trails on a board of *columns* by *rows* fields."""
    ways = product(range(1 - columns, columns), range(1 - rows, rows))
    routes = [_route(*way, pitch, clear) for way in ways if way != (0, 0) for clear in (CLEAR, ONTO)]
    turns = sorted({step.turn % (TURNS // 2) for route in routes for step in route[:-1]})
    for newest, turn, colour in product((True, False), turns, ("ink", "accent")):
        yield piece(turn, colour, newest=newest)
    for turn in sorted({route[-1].turn // 2 * 2 for route in routes}):
        yield from (_tip(turn, newest) for newest in (True, False))
