"""The tones below any point of a scene, read from front to back."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import atan2, hypot, pi
from typing import NamedTuple

from renderers import scene as parts
from renderers.lettering import width
from renderers.outlines import inside
from renderers.paint import arrow_outline, bounds
from renderers.palette import Rgb, blend


class Layer(NamedTuple):
    """A shape at its place in the picture, its strength, and its bounding box."""

    shape: parts.AnyShape
    strength: float
    box: tuple[float, float, float, float]


def layers(shapes: tuple[parts.AnyShape, ...], by: parts.Point = (0, 0), strength: float = 1.0) -> Iterator[Layer]:
    """Yield all shapes in painting order, with the parts of sprites, and the grounds of tiles as boxes."""
    for shape in shapes:
        here = parts.shifted(shape, by)
        if not isinstance(here, parts.Stamp):
            box = (0.0, 0.0, 0.0, 0.0) if isinstance(here, parts.Text) else bounds(here)
            yield Layer(here, strength * getattr(here, "strength", 1.0), box)
            continue
        sprite, (x, y), (wide, high) = here.sprite, here.at, here.sprite.reach
        if sprite.ground:
            box = (x - wide, y - high, x + wide, y + high)
            yield Layer(parts.Box(box[:2], (2 * wide, 2 * high), sprite.ground), strength, box)
        yield from layers(sprite.shapes, here.at, strength * here.strength)


def of(scene: parts.Scene) -> list[Layer]:
    return list(layers(scene.everything))


def tone(shape: parts.AnyShape, point: parts.Point) -> str:
    """Return the name of the tone of *shape* at *point*; "" if it does not cover the point."""
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
            return fill if inside(point, arrow_outline(shape)) else ""
        case _:
            return ""


def _by(points: tuple[parts.Point, ...], point: parts.Point) -> float:
    """Return the distance of *point* from a line."""
    return min(_apart(points[k], points[k + 1], point) for k in range(len(points) - 1))


def _apart(start: parts.Point, end: parts.Point, point: parts.Point) -> float:
    (a, b), (c, d), (x, y) = start, end, point
    length = (c - a) ** 2 + (d - b) ** 2
    part = 0.0 if not length else max(0.0, min(1.0, ((x - a) * (c - a) + (y - b) * (d - b)) / length))
    return hypot(x - a - part * (c - a), y - b - part * (d - b))


Seen = tuple[tuple[str, float], ...]
"""Tones from front to back, each with its strength; the last one is opaque."""


def seen(below: Sequence[Layer], point: parts.Point) -> Seen:
    """Return the visible tones of these layers at *point*."""
    x, y = point
    tones: list[tuple[str, float]] = []
    for shape, strength, (left, top, right, bottom) in reversed(below):
        name = tone(shape, point) if left <= x <= right and top <= y <= bottom else ""
        if name:
            tones.append((name, strength))
            if strength >= 1:
                return tuple(tones)
    return (*tones, ("ground", 1.0))


def blended(tones: Seen, known: Mapping[str, Rgb]) -> Rgb:
    """Return the colour of *tones* together."""
    colour = known[tones[-1][0]]
    for name, strength in reversed(tones[:-1]):
        colour = blend(colour, known[name], strength)
    return colour


def under(below: Sequence[Layer], point: parts.Point, known: Mapping[str, Rgb]) -> tuple[str, Rgb]:
    """Return the visible tones of these layers at *point* by name, and their colour."""
    tones = seen(below, point)
    return "+".join(name for name, _ in tones), blended(tones, known)


Boxed = tuple[parts.AnyShape, tuple[float, float, float, float]]
"""A shape and its bounding box."""
Written = tuple[parts.Text, tuple[tuple[parts.Point, Seen], ...]]
"""A text, and the tones at points of it that are known so far."""


@cache
def under_texts(scene: parts.Scene) -> tuple[tuple[parts.Text, frozenset[Seen]], ...]:
    """Return every text of *scene* and the tones under its strokes. In most games they are the same in both themes."""
    return tuple(
        (text, frozenset(tones if _is_covered(tones) else (*tones, ("ground", 1.0)) for _, tones in points))
        for text, points in _written([*map(_boxed, scene.everything)], 1.0)
    )


def _written(shapes: Sequence[Boxed], strength: float) -> Iterator[Written]:
    """Yield the texts among *shapes* and in their sprites, with the tones under them."""
    for place, (shape, _) in enumerate(shapes):
        if isinstance(shape, parts.Text):
            yield shape, _further(shapes[:place], tuple((point, ()) for point in letters(shape)), strength)
        elif isinstance(shape, parts.Stamp):
            x, y = shape.at
            for text, points in _in_sprite(shape.sprite, strength * shape.strength):
                here = tuple(((x + across, y + down), tones) for (across, down), tones in points)
                yield text, _further(shapes[:place], here, strength)


@cache  # many boards have the same sprites, and the layers below a sprite do not matter in it
def _in_sprite(sprite: parts.Sprite, strength: float) -> tuple[Written, ...]:
    return tuple(_written(_opened(sprite), strength))


def _further(
    below: Sequence[Boxed], points: tuple[tuple[parts.Point, Seen], ...], strength: float
) -> tuple[tuple[parts.Point, Seen], ...]:
    """Return *points* with the tones of the shapes *below* added."""
    if all(_is_covered(tones) for _, tones in points):
        return points
    xs, ys = [x for (x, _), _ in points], [y for (_, y), _ in points]
    west, east, north, south = min(xs), max(xs), min(ys), max(ys)
    near = [
        (shape, box)
        for shape, box in below
        if box[0] <= east and west <= box[2] and box[1] <= south and north <= box[3]
    ]
    return tuple(
        (point, tones if _is_covered(tones) else tones + _until_covered(_tones(near, point, strength)))
        for point, tones in points
    )


def _tones(shapes: Sequence[Boxed], point: parts.Point, strength: float) -> Iterator[tuple[str, float]]:
    """Yield the tones of *shapes* and of the parts of their sprites at *point*, from front to back."""
    x, y = point
    for shape, (left, top, right, bottom) in reversed(shapes):
        if not (left <= x <= right and top <= y <= bottom):
            continue
        if isinstance(shape, parts.Stamp):
            (a, b), own = shape.at, strength * shape.strength
            yield from _tones(_opened(shape.sprite), (x - a, y - b), own)
        elif name := tone(shape, point):
            yield name, strength * getattr(shape, "strength", 1.0)


def _until_covered(tones: Iterator[tuple[str, float]]) -> Seen:
    visible: list[tuple[str, float]] = []
    for layer in tones:
        visible.append(layer)
        if layer[1] >= 1:
            break
    return tuple(visible)


def _is_covered(tones: Seen) -> bool:
    return bool(tones) and tones[-1][1] >= 1


@cache
def _opened(sprite: parts.Sprite) -> tuple[Boxed, ...]:
    """Return the parts of *sprite*, with the ground of a tile."""
    wide, high = sprite.reach
    ground = (parts.Box((-wide, -high), (2 * wide, 2 * high), sprite.ground),) if sprite.ground else ()
    return tuple(map(_boxed, (*ground, *sprite.shapes)))


def _boxed(shape: parts.AnyShape) -> Boxed:
    if isinstance(shape, parts.Text):
        return shape, (*shape.at, *shape.at)
    if not isinstance(shape, parts.Stamp):
        return shape, bounds(shape)
    (x, y), boxes = shape.at, [box for _, box in _opened(shape.sprite)] or [(0.0, 0.0, 0.0, 0.0)]
    left, top, right, bottom = zip(*boxes, strict=True)
    return shape, (x + min(left), y + min(top), x + max(right), y + max(bottom))


def letters(text: parts.Text) -> Iterator[parts.Point]:
    """Yield points on the strokes of *text*."""
    wide = min(width(text.text, text.size, text.bold), text.room or 10_000)
    left = text.at[0] - {"left": 0.0, "middle": wide / 2, "right": wide}[text.align]
    for part in (0.15, 0.5, 0.85):
        for up in (-0.25, 0.0, 0.25):
            yield left + wide * part, text.at[1] + up * text.size


def sprites(shapes: tuple[parts.AnyShape, ...]) -> Iterator[parts.Sprite]:
    """Yield the stamped sprites, with those on tiles."""
    for shape in shapes:
        if isinstance(shape, parts.Stamp):
            yield shape.sprite
            if shape.sprite.ground:
                yield from sprites(shape.sprite.shapes)
