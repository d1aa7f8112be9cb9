"""The way of a cap from field to field: an arrow, put together from short pieces that are kept.

A piece lies in one of ``TURNS`` directions and overlaps with the next one, and each is laid where its place in whole
pixels is nearest to the curve; so the arrow looks like one line, but nothing of it ever has to be drawn anew. It bends
where it would else hide the sign of a field that it passes.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, pairwise, product
from math import atan2, ceil, cos, floor, hypot, pi, sin

from msgspec import Struct

from renderers.scene import AnyShape, Line, Point, Polygon, Sprite, Stamp

TURNS = 192
"""Directions of a piece, clockwise from the one to the right; so many that neighbouring ones cannot be told apart."""
_TURN = 2 * pi / TURNS
CLEAR = 33
"""Both ends of a trail keep away by this much from the signs in the middle of their fields."""
WIDE = 46
"""More room than this beside a sign is of no use."""
BOWS = (0, 30, -30, 48, -48, 66, -66)
"""How far the middle of a trail may leave the straight line, best first."""
SAMPLES = 48
PIECE = 20
"""Length of a piece without its round ends."""
PITCH = 13
"""From one piece to the next, at most."""
SLIDES = (0, -1, 1, -2, 2, -3, 3)
"""By how much a piece may be moved along the curve, best first."""
CORE, CASING = 11, 4
FAINT = 5
TIP = 25
TIP_HALF, FAINT_HALF = 17.5, 8.0
"""Half the width of a tip."""


class Step(Struct, frozen=True):
    """A place of a trail in whole units from the field where it begins, and its direction there."""

    at: tuple[int, int]
    turn: int


@lru_cache(1024)
def trail(start: Point, columns: int, rows: int, pitch: float, hue: str) -> tuple[Stamp, ...]:
    """From the field at *start* to the one so many *columns* to the right and *rows* down; *pitch*: between fields.

    *hue*: whose trail it is, "" for a faint one.
    """
    *steps, end = _route(columns, rows, pitch)

    def laid(sprite: Sprite, step: Step) -> Stamp:
        return Stamp(sprite, (start[0] + step.at[0], start[1] + step.at[1]))

    width = CORE + 2 * CASING if hue else FAINT
    shapes = [laid(piece(step.turn, "accent", width), step) for step in steps]
    shapes.append(laid(tip(end.turn, hue), end))
    if hue:
        shapes += [laid(piece(step.turn, hue, CORE), step) for step in steps]
    return tuple(shapes)


@cache
def _route(columns: int, rows: int, pitch: float) -> tuple[Step, ...]:
    """Where the pieces lie, last the tip. It is the same everywhere, so fields off the board are avoided, too."""
    end = (columns * pitch, rows * pitch)
    curve = max((_bent(end, bow) for bow in BOWS), key=lambda points: round(_room(points, pitch, end)))
    so_far = [0.0, *accumulate(hypot(x - a, y - b) for (a, b), (x, y) in pairwise(curve))]

    def steps(near: float, first: float, last: float) -> Iterator[tuple[float, Step]]:
        """The whole places near a distance from the start, each with how far it is beside the curve."""
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
        return min(steps(near, first, last), key=lambda found: found[0])[1]

    point = so_far[-1] - CLEAR
    # Round ends add half a width; the last one is under the tip.
    first, last = CLEAR + (PIECE + CORE) / 2, point - TIP + 2 - PIECE / 2
    gaps = max(1, ceil((last - first) / PITCH))
    places = [first + (last - first) * k / gaps for k in range(gaps + 1)]
    return (*(best(place, first, last) for place in places), best(point - TIP / 2, 0, point - TIP / 2))


def _bent(end: Point, bow: float) -> tuple[Point, ...]:
    """Points of a bow from (0, 0) to *end*; *bow*: how far its middle leaves the straight line."""
    x1, y1 = end
    length = hypot(x1, y1)
    x, y = x1 / 2 - 2 * bow * y1 / length, y1 / 2 + 2 * bow * x1 / length
    parts = (k / SAMPLES for k in range(SAMPLES + 1))
    return tuple((2 * t * (1 - t) * x + t * t * x1, 2 * t * (1 - t) * y + t * t * y1) for t in parts)


def _room(points: tuple[Point, ...], pitch: float, end: Point) -> float:
    """How near *points* come to the middle of a field other than the first and the last."""
    room = float(WIDE)
    for x, y in points:
        field = (round(x / pitch) * pitch, round(y / pitch) * pitch)
        if field not in ((0, 0), end):
            room = min(room, hypot(x - field[0], y - field[1]))
    return room


def piece(turn: int, colour: str, width: float) -> Sprite:
    """A piece of a trail along direction *turn*."""
    return _piece(turn % (TURNS // 2), colour, width)


@cache
def _piece(turn: int, colour: str, width: float) -> Sprite:
    x, y = _towards(turn, PIECE / 2)
    reach = (abs(x) + width / 2 + 1, abs(y) + width / 2 + 1)
    return Sprite(f"piece {turn} {colour} {width:g}", reach, (Line(((-x, -y), (x, y)), colour, width),))


def tip(turn: int, hue: str) -> Sprite:
    """The tip of a trail in direction *turn*, smaller of a faint one ("")."""
    return _tip(turn // 2 * 2, hue)


@cache
def _tip(turn: int, hue: str) -> Sprite:
    (x, y), (across, down) = _towards(turn, TIP / 2), _towards(turn + TURNS // 4, TIP_HALF if hue else FAINT_HALF)
    corners = ((x, y), (across - x, down - y), (-across - x, -down - y))
    shapes: tuple[AnyShape, ...] = (Polygon(corners, "accent", "accent", 2 * CASING if hue else 2),)
    if hue:
        shapes = (*shapes, Polygon(corners, hue))
    reach = (max(abs(x) for x, _ in corners) + 5, max(abs(y) for _, y in corners) + 5)
    return Sprite(f"tip {turn} {hue}".rstrip(), reach, shapes)


def _towards(turn: int, length: float) -> Point:
    return length * cos(turn * _TURN), length * sin(turn * _TURN)


def sprites(columns: int, rows: int, pitch: float, hues: tuple[str, ...]) -> Iterator[Sprite]:
    """All of which trails on a board of *columns* by *rows* fields are made, faint ones and those in *hues*."""
    ways = product(range(1 - columns, columns), range(1 - rows, rows))
    routes = [_route(*way, pitch) for way in ways if way != (0, 0)]
    for turn in sorted({step.turn % (TURNS // 2) for route in routes for step in route[:-1]}):
        yield _piece(turn, "accent", FAINT)
        yield _piece(turn, "accent", CORE + 2 * CASING)
        yield from (_piece(turn, hue, CORE) for hue in hues)
    for turn in sorted({route[-1].turn // 2 * 2 for route in routes}):
        yield from (_tip(turn, hue) for hue in ("", *hues))
