"""Stones of cut glass, seen from above and a little from the front, and the panes that they stand on.

A stone is a flat prism on an eight-cornered base. Of the topmost one of a tower the face is seen, with the symbol on
its table; of those below only the side, with owner and symbol on the front. (0, 0) is the middle of the stone's face.
"""

from functools import cache

from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Text
from renderers.games.kabooom.symbols import NAMES, drawing
from renderers.signs import figure

HALF = 54
"""Half the width of a stone."""
DEEP = 37
"""Half the depth of its face as it is seen."""
CUT = (18, 13)
THICK = 24
"""Height of a stone's side."""
SLICE = 5
"""Height of the side of a stone far down in a tower."""
RIM = "ink"


def _octagon(half: float, deep: float, cut: Point, y: float = 0) -> tuple[Point, ...]:
    """Eight corners clockwise from the left one of the upper edge."""
    a, b = cut
    return (
        (-half + a, y - deep),
        (half - a, y - deep),
        (half, y - deep + b),
        (half, y + deep - b),
        (half - a, y + deep),
        (-half + a, y + deep),
        (-half, y + deep - b),
        (-half, y - deep + b),
    )


OUTER = _octagon(HALF, DEEP, CUT)
TABLE = _octagon(HALF * 0.77, DEEP * 0.75, (CUT[0] * 0.72, CUT[1] * 0.72))

# The tones of the eight facets round the table, from the upper one clockwise, two triangles each; light comes from the
# upper left.
_FACETS = (
    (".pale", ".light"),
    (".light", ""),
    ("", ".dark"),
    (".dark", ".dark"),
    (".dark", ""),
    ("", ".dark"),
    (".light", ""),
    (".pale", ".light"),
)


def _side(colour: str, high: float) -> tuple[AnyShape, ...]:
    """The three visible sides below the face's lower edge, the whole outlined."""
    right, low_right, low_left, left = OUTER[3], OUTER[4], OUTER[5], OUTER[6]

    def down(point: Point) -> Point:
        return point[0], point[1] + high

    outline = (left, low_left, low_right, right, down(right), down(low_right), down(low_left), down(left))
    return (
        Polygon(outline, RIM, RIM, 3),
        Polygon((left, low_left, down(low_left), down(left)), colour + ".light"),
        Polygon((low_left, low_right, down(low_right), down(low_left)), colour),
        Polygon((low_right, right, down(right), down(low_right)), colour + ".dark"),
    )


def _front(colour: str, seat: int, symbol: str | None) -> tuple[AnyShape, ...]:
    """Owner and symbol on the front side."""
    y = DEEP + THICK / 2
    pen = on(colour)
    mark = figure(MARKS[seat], (-24 if symbol else -13, y), 8, pen)
    number = Text((-4 if symbol else 11, y), str(seat + 1), 24, pen, align="middle")
    if symbol is None:
        return mark, number
    shift = (20, y)
    return mark, number, *(_shifted(shape, shift) for shape in drawing(symbol, 9.5, 1.2, plain=True))


def _shifted(shape: AnyShape, by: Point) -> AnyShape:
    from msgspec.structs import replace

    match shape:
        case Polygon() | Line():
            return replace(shape, points=tuple((x + by[0], y + by[1]) for x, y in shape.points))
        case Disc() | Box():
            return replace(shape, at=(shape.at[0] + by[0], shape.at[1] + by[1]))
        case _:
            raise TypeError(shape)


_REACH = (HALF + 4, DEEP + THICK + 4)


@cache
def top(seat: int, colour: str, symbol: str) -> Sprite:
    """The topmost stone of a tower."""
    facets: list[AnyShape] = []
    for k, (first, second) in enumerate(_FACETS):
        a, b = OUTER[k], OUTER[(k + 1) % 8]
        c, d = TABLE[(k + 1) % 8], TABLE[k]
        facets.append(Polygon((a, b, d), colour + first))
        facets.append(Polygon((b, c, d), colour + second))
    return Sprite(
        f"stone {seat + 1} {colour} {NAMES[symbol]}",
        _REACH,
        (
            Polygon(OUTER, RIM, RIM, 3.5),
            *_side(colour, THICK),
            *_front(colour, seat, None),
            Polygon(OUTER, colour, RIM, 2),
            *facets,
            Polygon(TABLE, colour + ".deep"),
            *drawing(symbol, 25, 1.6),
        ),
    )


@cache
def under(seat: int, colour: str, symbol: str) -> Sprite:
    """A stone below another one: only its side is seen."""
    return Sprite(
        f"side {seat + 1} {colour} {NAMES[symbol]}", _REACH, (*_side(colour, THICK), *_front(colour, seat, symbol))
    )


@cache
def slice_(colour: str) -> Sprite:
    """A stone far down in a tower."""
    return Sprite(f"slice {colour}", _REACH, _side(colour, SLICE))


@cache
def light(colour: str) -> Sprite:
    """The light that falls through a stone on its pane."""
    return Sprite(
        f"light {colour}",
        (HALF + 24, DEEP + 24),
        (
            Polygon(_octagon(HALF + 17, DEEP + 13, (26, 19)), colour, strength=0.3),
            Polygon(_octagon(HALF + 8, DEEP + 6, (22, 16)), colour, strength=0.43),
        ),
    )


def _bevel(wide: float, high: float, edge: float) -> tuple[tuple[Point, ...], ...]:
    """Upper, right, lower and left bevel of a pane."""
    a, b = wide / 2, high / 2
    outer = ((-a, -b), (a, -b), (a, b), (-a, b))
    inner = ((-a + edge, -b + edge), (a - edge, -b + edge), (a - edge, b - edge), (-a + edge, b - edge))
    return tuple((outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]) for k in range(4))


@cache
def pane(wide: float, high: float, across: int, up: int) -> Sprite:
    """A field: a pane with bevelled edges, cut so that the cuts of the board point to its middle (*across*, *up*)."""
    a, b = wide / 2 - 9, high / 2 - 9
    tones = ("pane.light", "pane", "pane.dark", "pane.dark")
    knot = (a * 0.55 * across, -b * 0.55 * up)
    corners = ((-a, -b), (a, -b), (a, b), (-a, b))
    cuts = [Polygon((corners[k], corners[(k + 1) % 4], knot), tone) for k, tone in enumerate(("pane.cut", "pane", "pane.cut", "pane"))]
    bevels = [Polygon(points, tone) for points, tone in zip(_bevel(wide, high, 9), ("pane.light", "pane.dark", "pane.dark", "pane.light"), strict=True)]
    del tones
    return Sprite(f"pane {across:+d}{up:+d}", (wide / 2, high / 2), (*bevels, *cuts))


@cache
def pit(wide: float, high: float) -> Sprite:
    """An emptied field: a hole that nobody can enter again."""
    sides = zip(_bevel(wide, high, 14), ("lead", "pit.light", "pit.light", "lead"), strict=True)
    return Sprite(
        "pit",
        (wide / 2, high / 2),
        (*(Polygon(points, tone) for points, tone in sides), Box((-wide / 2 + 14, -high / 2 + 14), (wide - 28, high - 28), "pit")),
    )
