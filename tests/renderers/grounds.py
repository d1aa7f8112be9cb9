"""Which tone lies under what: a scene is read from front to back, as an eye does that follows a point into it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import atan2, hypot, pi
from typing import NamedTuple

from renderers import scene as parts
from renderers.lettering import width
from renderers.outlines import inside
from renderers.paint import _arrow, _bounds
from renderers.palette import Rgb, blend

BAND = 20.0


class Layer(NamedTuple):
    """A shape at its place in the picture, its strength, and the box that holds it."""

    shape: parts.AnyShape
    strength: float
    box: tuple[float, float, float, float]


def layers(shapes: tuple[parts.AnyShape, ...], by: parts.Point = (0, 0), strength: float = 1.0) -> Iterator[Layer]:
    """Everything in painting order, sprites taken apart, the ground of tiles as boxes."""
    for shape in shapes:
        here = parts.shifted(shape, by)
        if not isinstance(here, parts.Stamp):
            box = (0.0, 0.0, 0.0, 0.0) if isinstance(here, parts.Text) else _bounds(here)
            yield Layer(here, strength * getattr(here, "strength", 1.0), box)
            continue
        sprite, (x, y), (wide, high) = here.sprite, here.at, here.sprite.reach
        if sprite.ground:
            box = (x - wide, y - high, x + wide, y + high)
            yield Layer(parts.Box(box[:2], (2 * wide, 2 * high), sprite.ground), strength, box)
        yield from layers(sprite.shapes, here.at, strength * here.strength)


def of(scene: parts.Scene) -> list[Layer]:
    return list(layers((*scene.still, *scene.shapes)))


class Stack:
    """The layers of a scene, and which of them reach into which band across it: few of them are near any point."""

    def __init__(self, scene: parts.Scene) -> None:
        self.layers = of(scene)
        self._bands: defaultdict[int, list[int]] = defaultdict(list)
        for place, each in enumerate(self.layers):
            for band in _bands(each.box[1], each.box[3]):
                self._bands[band].append(place)

    def near(self, place: int, points: Sequence[parts.Point]) -> list[Layer]:
        """Those of the layers below this one that may be seen at one of the *points*."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        west, east, north, south = min(xs), max(xs), min(ys), max(ys)
        reaching = {below for band in _bands(north, south) for below in self._bands[band] if below < place}
        found = []
        for each in map(self.layers.__getitem__, sorted(reaching)):
            left, top, right, bottom = each.box
            if left <= east and west <= right and top <= south and north <= bottom:
                found.append(each)
        return found


def _bands(top: float, bottom: float) -> range:
    return range(int(top // BAND), int(bottom // BAND) + 1)


def tone(shape: parts.AnyShape, point: parts.Point) -> str:
    """The name of what *shape* paints at *point*; "" where it paints nothing."""
    x, y = point
    match shape:
        case parts.Disc(at=(a, b), radius=radius, fill=fill, line=line, width=pen):
            away = hypot(x - a, y - b)
            if away > radius:
                return ""
            return line if line and away > radius - pen else fill
        case parts.Box(at=(a, b), size=(wide, high), fill=fill, line=line, width=pen):
            if not (a <= x <= a + wide and b <= y <= b + high):
                return ""
            rim = min(x - a, a + wide - x, y - b, b + high - y)
            return line if line and rim < pen else fill
        case parts.Polygon(points=points, fill=fill, line=line, width=pen):
            if line and _by(points + points[:1], point) <= pen / 2:
                return line
            return fill if fill and inside(point, points) else ""
        case parts.Sector(at=(a, b), inner=inner, outer=outer, start=start, stop=stop, fill=fill):
            away, angle = hypot(x - a, y - b), atan2(x - a, b - y) * 180 / pi
            return fill if inner <= away <= outer and (angle - start) % 360 <= stop - start else ""
        case parts.Line(points=points, colour=colour, width=pen):
            return colour if _by(points, point) <= pen / 2 else ""
        case parts.Arrow(fill=fill):
            return fill if inside(point, _arrow(shape)) else ""
        case _:
            return ""


def _by(points: tuple[parts.Point, ...], point: parts.Point) -> float:
    """How far *point* is from a line."""
    return min(_apart(points[k], points[k + 1], point) for k in range(len(points) - 1))


def _apart(start: parts.Point, end: parts.Point, point: parts.Point) -> float:
    (a, b), (c, d), (x, y) = start, end, point
    length = (c - a) ** 2 + (d - b) ** 2
    part = 0.0 if not length else max(0.0, min(1.0, ((x - a) * (c - a) + (y - b) * (d - b)) / length))
    return hypot(x - a - part * (c - a), y - b - part * (d - b))


Seen = tuple[tuple[str, float], ...]
"""Tones from front to back, each with its strength; the last one covers everything."""


def seen(below: Sequence[Layer], point: parts.Point) -> Seen:
    """What is seen at *point* of these layers."""
    x, y = point
    found: list[tuple[str, float]] = []
    for shape, strength, (left, top, right, bottom) in reversed(below):
        name = tone(shape, point) if left <= x <= right and top <= y <= bottom else ""
        if name:
            found.append((name, strength))
            if strength >= 1:
                return tuple(found)
    return (*found, ("ground", 1.0))


def blended(tones: Seen, known: Mapping[str, Rgb]) -> Rgb:
    """The colour that *tones* make."""
    colour = known[tones[-1][0]]
    for name, strength in reversed(tones[:-1]):
        colour = blend(colour, known[name], strength)
    return colour


def under(below: Sequence[Layer], point: parts.Point, known: Mapping[str, Rgb]) -> tuple[str, Rgb]:
    """What is seen at *point* of these layers: the names of the tones, and the colour that they make."""
    tones = seen(below, point)
    return "+".join(name for name, _ in tones), blended(tones, known)


@cache
def under_texts(scene: parts.Scene) -> tuple[tuple[parts.Text, frozenset[Seen]], ...]:
    """Every text of *scene*, and what lies under its strokes. In most games that is the same in both themes."""
    stack = Stack(scene)
    found: list[tuple[parts.Text, frozenset[Seen]]] = []
    for place, (shape, _, _) in enumerate(stack.layers):
        if isinstance(shape, parts.Text):
            points = [*letters(shape)]
            below = stack.near(place, points)
            found.append((shape, frozenset(seen(below, point) for point in points)))
    return tuple(found)


def letters(text: parts.Text) -> Iterator[parts.Point]:
    """Points along the lettering of *text*, where its strokes are."""
    wide = min(width(text.text, text.size, text.bold), text.room or 10_000)
    left = text.at[0] - {"left": 0.0, "middle": wide / 2, "right": wide}[text.align]
    for part in (0.15, 0.5, 0.85):
        for up in (-0.25, 0.0, 0.25):
            yield left + wide * part, text.at[1] + up * text.size


def sprites(shapes: tuple[parts.AnyShape, ...]) -> Iterator[parts.Sprite]:
    """The sprites that are laid, those of tiles too."""
    for shape in shapes:
        if isinstance(shape, parts.Stamp):
            yield shape.sprite
            if shape.sprite.ground:
                yield from sprites(shape.sprite.shapes)
