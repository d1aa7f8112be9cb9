"""Shapes as values, in the order in which they are painted.

One unit is one pixel of a posted picture (about 1000 wide); x grows to the right, y downwards. Angles are in degrees
clockwise from 12 o'clock. Colours are names of :mod:`renderers.palette` ("ground", "red", "red.deep"), so a scene is
the same in every theme; "" means no fill or no line. A scene reads like a description of the picture:

>>> Disc((50, 50), 20, fill="red")
Disc(at=(50, 50), radius=20, fill='red', line='', width=2, strength=1.0)
"""

from collections.abc import Iterator
from functools import lru_cache
from math import cos, pi, sin
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Point = tuple[float, float]
Align = Literal["left", "middle", "right"]

TEXT_MIN = 24
"""The least size of text, which is readable on a phone that shows the picture 400 pixels wide."""

LINE_MIN = 2

KILOBYTES = 80
"""The usual limit for the file of a picture."""


class Shape(Struct, frozen=True, cache_hash=True, gc=False):
    """Base class of shapes. *strength* in the subclasses: 1 is opaque, 0 invisible."""


class Polygon(Shape, frozen=True, cache_hash=True):
    """A closed outline through *points*."""

    points: tuple[Point, ...]
    fill: str = ""
    line: str = ""
    width: float = LINE_MIN
    strength: float = 1.0


class Disc(Shape, frozen=True, cache_hash=True):
    """A circle around *at*; with *line* and no *fill* a ring. The line is inside the radius."""

    at: Point
    radius: float
    fill: str = ""
    line: str = ""
    width: float = LINE_MIN
    strength: float = 1.0


class Box(Shape, frozen=True, cache_hash=True):
    """A rectangle with its upper left corner *at*, corners rounded by *round*. The line is inside."""

    at: Point
    size: tuple[float, float]
    fill: str = ""
    line: str = ""
    width: float = LINE_MIN
    round: float = 0
    strength: float = 1.0


class Sector(Shape, frozen=True, cache_hash=True):
    """A piece of a ring around *at* between two radii and from angle *start* clockwise to *stop*; *inner* 0: a
    slice."""

    at: Point
    inner: float
    outer: float
    start: float
    stop: float
    fill: str = ""
    line: str = ""
    width: float = LINE_MIN
    strength: float = 1.0


class Line(Shape, frozen=True, cache_hash=True):
    """A line through *points* with round ends; *dash*: length of its dashes and gaps, 0 is solid."""

    points: tuple[Point, ...]
    colour: str
    width: float = LINE_MIN
    dash: float = 0
    strength: float = 1.0


class Arrow(Shape, frozen=True, cache_hash=True):
    """A straight arrow with its tip on *end*; *line* is the casing around it."""

    start: Point
    end: Point
    fill: str
    line: str = ""
    width: float = 10
    casing: float = LINE_MIN
    strength: float = 1.0


class Glow(Shape, frozen=True, cache_hash=True):
    """Soft light around *at*, fading out towards *radius*."""

    at: Point
    radius: float
    colour: str
    strength: float = 0.6


class Text(Shape, frozen=True, cache_hash=True):
    """One line of lettering. *at*: its left end, middle or right end by *align*, half-way up the capital letters.

    *size* is the height of the font, at least ``TEXT_MIN``. Text wider than *room* is cut with an ellipsis. A neutral
    sign replaces glyphs that the font lacks, so any text is allowed.
    """

    at: Point
    text: str
    size: int = TEXT_MIN
    colour: str = "text"
    bold: bool = True
    align: Align = "left"
    room: float | None = None


class Sprite(Struct, frozen=True, cache_hash=True, gc=False):
    """A small drawing around its own middle (0, 0), reaching *reach* to all sides; drawn once and cached.

    With a *ground* it is a tile: a full rectangle of that colour, on which cached parts are pasted. A tile is quick to
    make and quickest to paste. Use tiles for shapes that repeat within a game (a field with its pieces, a plate of the
    panel).

    *crisp*: its outline is not smoothed, so it is pasted as quickly as a tile without being a rectangle. Use it for
    frequent shapes with a dark or a fine outline, like pieces and the marks of a menu.

    *faceted*: the borders between its parts are not smoothed, so it adds less to the file. Use it for frequent shapes
    with straight edges and few colours, like cut stones and panes.

    *common*: so many of the first shapes of a tile are the same in many tiles, so together they are a cached tile, too.
    Use it for tiles with names, which are new at every table.
    """

    name: str
    reach: tuple[float, float]
    shapes: tuple["AnyShape", ...]
    ground: str = ""
    crisp: bool = False
    faceted: bool = False
    common: int = 0

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Stamp(Shape, frozen=True, cache_hash=True):
    """A sprite with its middle *at*."""

    sprite: Sprite
    at: Point
    strength: float = 1.0


class Wedge(Struct, frozen=True, cache_hash=True):
    """A slice of a board: its tip *apex*, the angle *turn* at which it begins, clockwise, and its radius *reach*."""

    apex: Point
    turn: float
    reach: float

    def bow(self, angle: float, steps: int) -> Iterator[Point]:
        """Yield points along the bow of the slice, which is *angle* wide."""
        for k in range(steps + 1):
            turn = (self.turn + angle * k / steps) * pi / 180
            yield self.apex[0] + self.reach * sin(turn), self.apex[1] - self.reach * cos(turn)


AnyShape = Polygon | Disc | Box | Sector | Line | Arrow | Glow | Text | Stamp


class Rosette(Struct, frozen=True):
    """A disc around *at* with the most colourful of *wedges* of *board*, mirrored twelve times; *spare* if all wedges
    are empty."""

    at: tuple[int, int]
    radius: int
    board: "Scene"
    wedges: tuple[Wedge, ...]
    spare: "Rosette | None" = None


class Scene(Struct, frozen=True):
    """A picture of *size*, back to front: *still* (cached as one layer for many pictures), *rosettes*, *shapes* and
    *marks*.

    *marks*: shapes that some pictures of a board have and others do not; the board without them is cached.
    *ground*: width of the plain ground left and right of the still layer, and height of that below it. The still shapes
    are placed as without this ground, so that pictures with and without it share a layer; all others as on the picture.
    *kilobytes*: the painter packs a larger file harder, which takes longer. *is_dense*: quick packing never
    makes the file small enough.
    """

    size: tuple[int, int]
    still: tuple[AnyShape, ...]
    shapes: tuple[AnyShape, ...]
    kilobytes: int = KILOBYTES
    rosettes: tuple[Rosette, ...] = ()
    marks: tuple[AnyShape, ...] = ()
    ground: tuple[int, int] = (0, 0)
    is_dense: bool = False

    @property
    def everything(self) -> tuple[AnyShape, ...]:
        """The still shapes and the others, back to front, each where it is on the picture."""
        beside, _ = self.ground
        return (*(shifted(shape, (beside, 0)) if beside else shape for shape in self.still), *self.shapes)

    def __str__(self) -> str:
        """Return one line per shape, with the shapes of a tile below it: for golden files, and for reading."""
        lines = [f"{self.size[0]} x {self.size[1]}", "still"]
        lines += [f"  {shape!r}" for shape in self.still]
        lines += [f"rosette at {rosette.at}, radius {rosette.radius}" for rosette in self.rosettes]
        for shape in (*self.shapes, *self.marks):
            lines.append(repr(shape))
            if isinstance(shape, Stamp) and shape.sprite.ground:
                lines += [f"  {part!r}" for part in shape.sprite.shapes]
        return "\n".join(lines) + "\n"


def moved(points: tuple[Point, ...], by: Point) -> tuple[Point, ...]:
    """Return *points*, shifted.

    >>> moved(((0, 0), (1, 2)), (10, 20))
    ((10, 20), (11, 22))
    """
    return tuple((x + by[0], y + by[1]) for x, y in points)


def shifted(shape: AnyShape, by: Point) -> AnyShape:
    """Return *shape*, moved.

    >>> shifted(Disc((1, 2), 5), (10, 20)).at
    (11, 22)
    """
    match shape:
        case Polygon(points=points) | Line(points=points):
            return replace(shape, points=moved(points, by))
        case Arrow(start=start, end=end):
            start, end = moved((start, end), by)
            return replace(shape, start=start, end=end)
        case _:
            return replace(shape, at=moved((shape.at,), by)[0])


def magnified(sprite: Sprite, by: float) -> Sprite:
    """Return *sprite*, *by* times as large.

    >>> magnified(Sprite("dot", (5, 5), (Disc((1, 2), 5, "red"),)), 3).shapes
    (Disc(at=(3, 6), radius=15, fill='red', line='', width=6, strength=1.0),)
    """
    reach = sprite.reach[0] * by, sprite.reach[1] * by
    shapes = tuple(_magnified(shape, by) for shape in sprite.shapes)
    return replace(sprite, name=f"{sprite.name} x{by:g}", reach=reach, shapes=shapes)


_LENGTHS = ("width", "radius", "inner", "outer", "round", "dash", "casing", "room")


def _magnified(shape: AnyShape, by: float) -> AnyShape:
    """Return *shape* of a sprite that becomes *by* times as large."""

    def far(point: Point) -> Point:
        return point[0] * by, point[1] * by

    changes: dict[str, object] = {name: getattr(shape, name) * by for name in _LENGTHS if getattr(shape, name, None)}
    match shape:
        case Polygon() | Line():
            changes |= {"points": tuple(far(point) for point in shape.points)}
        case Arrow():
            changes |= {"start": far(shape.start), "end": far(shape.end)}
        case Box():
            changes |= {"at": far(shape.at), "size": far(shape.size)}
        case Text():
            changes |= {"at": far(shape.at), "size": round(shape.size * by)}
        case Stamp():
            changes |= {"at": far(shape.at), "sprite": magnified(shape.sprite, by)}
        case _:
            changes |= {"at": far(shape.at)}
    return replace(shape, **changes)


def unlettered(shapes: tuple[AnyShape, ...]) -> tuple[AnyShape, ...]:
    """Return *shapes* without lettering, also within sprites.

    >>> unlettered((Text((1, 2), "a"), Stamp(Sprite("field", (5, 5), (Disc((0, 0), 5), Text((0, 0), "b3"))), (1, 2))))
    (Stamp(sprite=<field, bare>, at=(1, 2), strength=1.0),)
    """
    return tuple(
        replace(shape, sprite=_bare(shape.sprite)) if isinstance(shape, Stamp) else shape
        for shape in shapes
        if not isinstance(shape, Text)
    )


@lru_cache(1024)
def _bare(sprite: Sprite) -> Sprite:
    """Return *sprite* without lettering: the same sprite, which the painter knows, if it has none."""
    bare = unlettered(sprite.shapes)
    return sprite if bare == sprite.shapes else replace(sprite, name=f"{sprite.name}, bare", shapes=bare)


def parts(shapes: tuple[AnyShape, ...]) -> Iterator[AnyShape]:
    """Yield every shape of *shapes* and of the sprites among them, in painting order; places are those within the
    sprite."""
    for shape in shapes:
        yield shape
        if isinstance(shape, Stamp):
            yield from parts(shape.sprite.shapes)
