"""The marks of scoring segments on the cells of a display.

A mark is within one cell; the marks of neighbouring cells make flowers and outlines. Ruby: a half flower at the middle
of a side. Emerald: a quarter flower in a corner. Diamond: the outline of a group. Citrine and diamond: a bridge between
two touching segments of a group.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import cos, pi, sin

from msgspec import Struct

from renderers.games.crystalla.gems import inset, middle, outline
from renderers.scene import AnyShape, Disc, Line, Point, Polygon, Sprite, Stamp
from rules.games.crystalla import OPPOSITE, Display, Segment, emerald_flowers, groups, ruby_flowers, segments

SIDES = {"n": (0.0, -1.0), "e": (1.0, 0.0), "s": (0.0, 1.0), "w": (-1.0, 0.0)}
FACING = {"n": "s", "e": "w", "s": "n", "w": "e"}
FLOWER = {True: 0.145, False: 0.11}
QUARTER = {True: 0.18, False: 0.15}
"""Reach of a ruby's and of an emerald's flower in parts of a side of the card: of a whole flower, and of an
incomplete one, which keeps off the letters."""


class Mark(Struct, frozen=True):
    """*kind*: ruby, emerald, edge (a side of an outline), bridge. *where*: a side, a corner, or "" for the diagonal.

    *whole*: the flower is complete. *shape*, *crystal*: those of the segment.
    """

    kind: str
    where: str
    shape: str
    crystal: str
    whole: bool = True


Cell = tuple[int, int]


@lru_cache(256)
def marks(display: Display) -> dict[Cell, tuple[Mark, ...]]:
    """Return the marks of each cell (column and row from 0) of a display."""
    by_cell: dict[Cell, list[Mark]] = {}
    for at, mark in (*_diamonds(display), *_bridges(display), *_rubies(display), *_emeralds(display)):
        by_cell.setdefault(at, []).append(mark)
    return {at: tuple(listed) for at, listed in by_cell.items()}


def _cell(segment: Segment) -> Cell:
    return segment.column, segment.row


def _shared(one: Segment, other: Segment) -> str:
    """Return the side of *one* across which it touches *other*; "" if it does not."""
    for side in one.corner:
        across, down = SIDES[side]
        if (one.column + across, one.row - down) == _cell(other) and FACING[side] in other.corner:
            return side
    return ""


def _rubies(display: Display) -> Iterator[tuple[Cell, Mark]]:
    """Yield exactly the flowers that count; a single ruby has a pale half flower at the side with most room."""
    remaining = list(segments(display, "r"))
    for one, other in ruby_flowers(display):
        for here, there in ((one, other), (other, one)):
            yield _cell(here), Mark("ruby", _shared(here, there), here.shape, "r")
            remaining.remove(here)
    for ruby in remaining:
        yield _cell(ruby), Mark("ruby", ruby.corner[0], ruby.shape, "r", whole=False)


def _emeralds(display: Display) -> Iterator[tuple[Cell, Mark]]:
    petals = {petal for flower in emerald_flowers(display) for petal in flower}
    for emerald in segments(display, "e"):
        yield _cell(emerald), Mark("emerald", emerald.corner, emerald.shape, "e", emerald in petals)


def _diamonds(display: Display) -> Iterator[tuple[Cell, Mark]]:
    """Yield the sides of each group's outline."""
    for group in groups(display, "d"):
        for diamond in group:
            shared = {_shared(diamond, other) for other in group if other != diamond}
            twin = any(other != diamond and _cell(other) == _cell(diamond) for other in group)
            for side in (*diamond.corner, *(() if twin else ("",))):
                if side not in shared or side == "":
                    yield _cell(diamond), Mark("edge", side, diamond.shape, "d")


def _bridges(display: Display) -> Iterator[tuple[Cell, Mark]]:
    for crystal in "cd":
        for group in groups(display, crystal):
            for one in group:
                for other in group:
                    if side := _shared(one, other):
                        yield _cell(one), Mark("bridge", side, one.shape, crystal)
                    elif one != other and _cell(one) == _cell(other) and one.shape == "l":
                        yield _cell(one), Mark("bridge", "", "l", crystal)


def drawn(mark: Mark, corner: str, size: float, framed: float = 0) -> list[AnyShape]:
    """Return a mark in a cell around (0, 0); *corner*: that of the card. The tile of the cell clips it.

    *framed*: width of a frame around the card; sides of outlines are within it.
    """
    half = size / 2
    match mark.kind:
        case "ruby":
            x, y = SIDES[mark.where]
            return [Stamp(ruby_flower(FLOWER[mark.whole] * size, whole=mark.whole), (x * half, y * half))]
        case "emerald":
            x, y = _corner(mark.where)
            return [Stamp(emerald_flower(QUARTER[mark.whole] * size, whole=mark.whole), (x * half, y * half))]
        case "edge":
            line = _edge(mark, corner, size, framed)
            wide = max(4.0, size / 26)
            return [Line(line, "ink", wide + 3), Line(line, "blue", wide)]
        case _:
            return _bridge(mark, corner, size)


def _corner(name: str) -> Point:
    return SIDES[name[1]][0], SIDES[name[0]][1]


def _edge(mark: Mark, corner: str, size: float, framed: float) -> tuple[Point, ...]:
    """Return one side of a segment, a little inside; "" is the diagonal."""
    points = inset(outline(mark.shape, corner, size), 0.02 * size + framed * (mark.where != ""))
    own = corner if mark.shape == "l" else OPPOSITE[corner]
    if mark.where:
        x, y = SIDES[mark.where]
        far = max(a * x + b * y for a, b in points)
        ends = [point for point in points if point[0] * x + point[1] * y > far - 0.1]
    else:
        x, y = _corner(own)
        near = min(a * x + b * y for a, b in points)
        ends = [point for point in points if point[0] * x + point[1] * y < near + 0.1]
    return (ends[0], ends[1])


def _bridge(mark: Mark, corner: str, size: float) -> list[AnyShape]:
    """Return a short bar across a side, or across the diagonal."""
    half, long, wide = size / 2, 0.1 * size, 0.13 * size
    if mark.where:
        x, y = SIDES[mark.where]
        line: tuple[Point, ...] = ((x * half, y * half), (x * (half - long), y * (half - long)))
    else:
        (x0, y0), (x1, y1) = (middle(shape, corner, size) for shape in "ls")
        line = tuple((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for part in (0.4, 0.66))
    return bridge(mark.crystal, line, wide)


def bridge(crystal: str, line: tuple[Point, ...], wide: float) -> list[AnyShape]:
    """Return the link between two segments of a group."""
    return [Line(line, "ink", wide + 4), Line(line, {"c": "yellow.pale", "d": "paper"}[crystal], wide)]


@cache
def ruby_flower(reach: float, *, whole: bool) -> Sprite:
    """Return six petals around a golden heart."""
    petals = [_at(k * 60 + 30, reach * 0.62) for k in range(6)]
    shapes: list[AnyShape] = []
    if whole:
        shapes += [Disc(at, reach * 0.46 + 2, "ink") for at in petals]
        shapes += [Disc(at, reach * 0.46, "red.pale") for at in petals]
        shapes.append(Disc((0, 0), reach * 0.46, "yellow.light", "ink", 2))
    else:
        shapes += [Disc(at, reach * 0.46 + 2, "ink") for at in petals]
        shapes += [Disc(at, reach * 0.46, "red.light", "red.pale", 2) for at in petals]
        shapes.append(Disc((0, 0), reach * 0.4, "red.deep"))
    name = f"ruby {'flower' if whole else 'half'} {reach:g}"
    return Sprite(name, (reach * 1.15 + 2,) * 2, tuple(shapes), crisp=True, faceted=True)


@cache
def emerald_flower(reach: float, *, whole: bool) -> Sprite:
    """Return four petals, pointing to the corners, around a golden heart."""
    shapes: list[AnyShape] = []
    for k in range(4):
        tip, heart = _at(45 + 90 * k, reach * 1.3), _at(45 + 90 * k, reach * 0.12)
        sides = [_at(45 + 90 * k + turn, reach * part) for turn, part in ((-34, 0.86), (-20, 1.16))]
        far = [_at(45 + 90 * k + turn, reach * part) for turn, part in ((20, 1.16), (34, 0.86))]
        petal = (heart, *sides, tip, *far)
        if whole:
            shapes += [
                Polygon(petal, "green.pale", "ink", 2.5),
                Line((heart, _at(45 + 90 * k, reach)), "green.dark", 2),
            ]
        else:
            shapes.append(Polygon(petal, "green.deep", "green.pale", max(2.0, reach / 10)))
    if whole:
        shapes.append(Disc((0, 0), reach * 0.36, "yellow.light", "ink", 2))
    name = f"emerald {'flower' if whole else 'quarter'} {reach:g}"
    return Sprite(name, (reach * 1.3 + 2,) * 2, tuple(shapes), crisp=True, faceted=True)


def _at(angle: float, radius: float) -> Point:
    return radius * sin(angle * pi / 180), -radius * cos(angle * pi / 180)


__all__ = ["Mark", "bridge", "drawn", "emerald_flower", "marks", "ruby_flower"]
