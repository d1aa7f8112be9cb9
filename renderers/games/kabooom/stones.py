"""Stones of cut glass, seen from above and a little from the front, and the panes under them.

A stone is a flat prism on an eight-cornered base. The top stone of a tower shows its face, with the symbol on its
table; the stones below show only their sides, with owner and symbol on the front. (0, 0) is the middle of the stone's
face.
"""

from functools import cache
from math import cos, pi, sin

from renderers.games.kabooom.symbols import NAMES, drawing, small
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Arrow, Box, Line, Point, Polygon, Sprite, Stamp, Text
from renderers.signs import figure, regular

HALF = 48
"""Half the width of a stone."""
DEEP = 34
"""Half the visible depth of its face."""
CUT = (14, 13)
THICK = 22
"""Height of the top stone's side."""
LOW = 35
"""Height of the side of a stone below it, which carries its symbol."""
FLOOR = 7
"""Distance from the lower edge of a pane to the tower on it."""
EDGE = 9
"""Width of a pane's bevelled edge."""
SPARKS = 9
SHARE = (50, 26)
"""Size of the sign for the number of a seat's stones in a tower."""
RIM = "ink"


def _octagon(half: float, deep: float, cut: Point, y: float = 0) -> tuple[Point, ...]:
    """Return eight corners clockwise from the left one of the upper edge."""
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

# The tones of the eight facets around the table, from the upper one clockwise, two triangles each; light comes from
# the upper left.
_FACETS = (
    (".pale", ".light"),
    (".light", ""),
    ("", ".dark"),
    (".dark", ".dark"),
    (".dark", ".dark"),
    ("", ""),
    (".light", ".light"),
    (".pale", ".light"),
)


def _side(colour: str, high: float) -> tuple[AnyShape, ...]:
    """Return the three visible sides below the face's lower edge, outlined as a whole."""
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


def _owner(colour: str, seat: int) -> tuple[AnyShape, ...]:
    """Return the owner of the top stone, on its front side."""
    y = DEEP + THICK / 2
    pen = on(colour)
    return figure(MARKS[seat], (-13, y), 8, pen), Text((11, y), str(seat + 1), 24, pen, align="middle")


_REACH = (HALF + 4, DEEP + THICK + 4)
_REACH_LOW = (HALF + 4, DEEP + LOW + 4)


@cache
def top(seat: int, colour: str, symbol: str) -> Sprite:
    """Return the top stone of a tower."""
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
            *_owner(colour, seat),
            Polygon(OUTER, colour, RIM, 2),
            *facets,
            Polygon(TABLE, colour + ".deep"),
            *drawing(symbol, 25, 1.6),
        ),
    )


@cache
def whole(seat: int, colour: str, symbol: str) -> Sprite:
    """Return the same alone, around its own middle."""
    stone = top(seat, colour, symbol)
    return Sprite(stone.name, (_REACH[0], DEEP + THICK / 2 + 4), (Stamp(stone, (0, -THICK / 2)),))


LYING = {"r": (18.5, 0.0), "p": (17.0, 0.0), "s": (16.5, -0.5), "d": (16.0, 1.5)}
"""For a symbol on a side: its radius, which fills the height, and its distance below the middle."""


@cache
def under(seat: int, colour: str, symbol: str) -> Sprite:
    """Return a stone below another one: its side, with its owner's number and, on the dark part, its symbol."""
    y = DEEP + LOW / 2 + 0.5
    left, right, half = -12.0, HALF - CUT[0] - 3, LOW / 2 - 1.5
    radius, low = LYING[symbol]
    return Sprite(
        f"side {seat + 1} {colour} {NAMES[symbol]}",
        _REACH_LOW,
        (
            *_side(colour, LOW),
            Text((-24, y), str(seat + 1), 34, on(colour), align="middle"),
            Box((left, y - half), (right - left, 2 * half), colour + ".deep", round=4),
            Stamp(small(symbol, radius), ((left + right) / 2, y + low)),
        ),
    )


def _bevel(wide: float, high: float, edge: float) -> tuple[tuple[Point, ...], ...]:
    """Return the upper, right, lower and left bevel of a pane."""
    a, b = wide / 2, high / 2
    outer = ((-a, -b), (a, -b), (a, b), (-a, b))
    inner = ((-a + edge, -b + edge), (a - edge, -b + edge), (a - edge, b - edge), (-a + edge, b - edge))
    return tuple((outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]) for k in range(4))


@cache
def pane(wide: float, high: float, *, rising: bool, hue: str = "", aside: float = 0) -> Sprite:
    """Return a field: a pane with bevelled edges, cut along the diagonal that rises to the right, or along the other
    one.

    *hue*: the hue of its light, "" without a tower. *aside*: shift of the tower to the left.
    """
    a, b = wide / 2 - EDGE, high / 2 - EDGE
    corners = ((-a, -b), (a, -b), (a, b), (-a, b))
    tones = ("pane.light", "pane.dark", "pane.dark", "pane.light")
    bevels = (Polygon(points, tone) for points, tone in zip(_bevel(wide, high, EDGE), _of(hue, tones), strict=True))
    first, second = _of(hue, ("pane.cut", "pane"))
    upper = (corners[3], corners[0], corners[1]) if rising else (corners[0], corners[1], corners[2])
    cuts = (Polygon(corners, first), Polygon(upper, second))
    # The shadow of a stone to the right, lit from the upper left.
    spot = _octagon(HALF + 2, DEEP, (CUT[0] + 6, CUT[1] + 4), high / 2 - FLOOR - DEEP - 10)
    cast = tuple((min(x - aside + 14, wide / 2), y) for x, y in spot)
    light = (Polygon(cast, f"{hue}.pane.light"),) if hue else ()
    name = f"pane {'rising' if rising else 'falling'} {hue} {aside or ''}".rstrip()
    return Sprite(name, (wide / 2, high / 2), (*bevels, *cuts, *light))


def _of(hue: str, tones: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{hue}.{tone}" if hue else tone for tone in tones)


@cache
def broken(wide: float, high: float, turn: int) -> Sprite:
    """Return an emptied field: a broken pane, which no stone can enter. *turn*: one of four ways to break."""
    flip_x, flip_y = (1, -1)[turn % 2], (1, -1)[turn // 2 % 2]
    a, b = wide / 2, high / 2

    def placed(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x * a * flip_x, y * b * flip_y) for x, y in points)

    shapes: list[AnyShape] = [Box((-a, -b), (wide, high), "pit")]
    shapes += [Polygon(placed(corners), tone) for corners, tone in _SHARDS]
    return Sprite(f"pit {turn}", (a, b), tuple(shapes))


# The splinters left in a pane of 2 by 2 around its middle, with their tones.
_SHARDS: tuple[tuple[tuple[Point, ...], str], ...] = (
    (((-1, -1), (0.1, -1), (-0.4, -0.38), (-1, -0.6)), "pane.light"),
    (((1, 0.0), (1, 1), (0.0, 1), (0.52, 0.5)), "pane.dark"),
)


@cache
def burst(wide: float, high: float, aside: float) -> Sprite:
    """Return the explosion behind a tower that dynamite has climbed, shifted *aside*; the tower stays whole."""
    a, b = wide / 2, high / 2
    middle = (-aside, high * 0.06)
    layers: list[AnyShape] = [Box((-a, -b), (wide, high), "red")]
    for reach, fill in ((1.0, "orange"), (0.86, "yellow.light")):
        points: list[Point] = []
        for k in range(2 * SPARKS):
            x, y = sin(pi * (k + 0.5) / SPARKS), -cos(pi * (k + 0.5) / SPARKS)
            rim = min(((a if x > 0 else -a) - middle[0]) / x, ((b if y > 0 else -b) - middle[1]) / y)
            far = rim * reach * (1.0 if k % 2 == 0 else 0.74)
            points.append((middle[0] + x * far, middle[1] + y * far))
        layers.append(Polygon(tuple(points), fill))
    return Sprite(f"burst {aside:g}", (wide / 2, high / 2), tuple(layers))


@cache
def bang(radius: float) -> Sprite:
    """Return the mark of the game: exploding dynamite."""
    star, core = (
        regular((0, 0), radius, SPARKS, 0, radius * 0.7),
        regular((0, 0), radius * 0.8, SPARKS, 0, radius * 0.6),
    )
    shapes = (Polygon(star, "orange", "ink", 2.5), Polygon(core, "yellow.light"))
    return Sprite(
        f"bang {radius:g}", (radius + 2, radius + 2), (*shapes, *drawing("d", radius * 0.44, radius * 0.06, plain=True))
    )


def bright(hue: str) -> str:
    """Return the tone of *hue* that contrasts with dark ground."""
    return f"{hue}.pale" if hue == "black" else f"{hue}.light"


@cache
def share(seat: int, hue: str, number: int) -> Sprite:
    """Return the number of a seat's stones in a tower: its mark and the number, on a stone's side.

    A number of two digits is under the mark, as there is no room beside it.
    """
    wide, line = SHARE
    lines = 1 + (number > 9)
    left, top, pen = -wide / 2, -lines * line / 2, on(hue)
    y, foot = top + line / 2, lines * line / 2 - line / 2
    return Sprite(
        f"share {seat + 1} {hue} {number}",
        (wide / 2, lines * line / 2),
        (
            Box((left, top), (wide, lines * line), "ink", round=6),
            Box((left + 2.5, top + 2.5), (wide - 5, lines * line - 5), hue, "white", 2, round=4),
            figure(MARKS[seat], (left + 13, y), 8, pen),
            *(Line(((left + 23, y - 3 * turn), (left + 29, y + 3 * turn)), pen, 2.5) for turn in (1, -1)),
            Text((wide / 2 - 4, foot), str(number), 25, pen, align="right"),
        ),
    )


@cache
def arrow(steps: Point, hue: str, *, strong: bool) -> Sprite:
    """Return an arrow from inside a hole to the edge of the climbed field, *steps* away; (0, 0) is between the two."""
    x, y = steps
    start, end = (-0.62 * x, -0.62 * y), (0.0, 0.0)
    reach = (abs(x) * 0.62 + 40, abs(y) * 0.62 + 40)
    if strong:
        shapes = (Arrow(start, end, "ink", "ink", 18, 7), Arrow(start, end, hue, "accent", 18, 5))
        return Sprite(f"arrow {x:g} {y:g} {hue}", reach, shapes)
    fill, edge = ("black", "paper") if hue == "black" else (bright(hue), "ink")
    return Sprite(f"faint arrow {x:g} {y:g} {hue}", reach, (Arrow(start, end, fill, edge, 8, 2),))
