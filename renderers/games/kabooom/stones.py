"""Stones of cut glass, seen from above and a little from the front, and the panes under them.

A stone is a flat prism on an eight-cornered base. The top stone of a tower shows its face, with the symbol on its
table; the stones below show only their sides: slabs, the thinner the more there are. (0, 0) is the middle of the
stone's face.
"""

from functools import cache
from itertools import pairwise
from math import atan2, cos, inf, pi, sin
from random import Random

from renderers.games.kabooom.symbols import NAMES, drawing
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Arrow, Box, Point, Polygon, Sprite, Stamp
from renderers.signs import figure, regular

HALF = 48
"""Half the width of a stone."""
DEEP = 34
"""Half the visible depth of its face."""
CUT = (14, 13)
THICK = 17
"""Height of the top stone's side."""
PILE, FIRST = 64.0, 14.0
"""Height that the slabs below the top stone approach the more there are, and height of a single one."""
MARKED, MARK = 11, 5.0
"""Least height of a slab with its owner's mark, and the reach of the mark."""
NOTCH = 5.0
"""Width of the notches between the parts of a slab that is too thin for the mark."""
LEANS = (0, 1, -1, 2, 0, -1, 1, 0)
"""Shifts of slabs to the right, from below: a tower is a pile and not a block."""
ASIDE = 17
"""Shift of a tower to the left of its pane, for its owner's mark and its number."""
FLOOR = 7
"""Distance from the lower edge of a pane to the tower on it."""
EDGE = 9
"""Width of a pane's bevelled edge."""
SPARKS = 9
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


def _side(tones: tuple[str, str, str], high: float, rim: float = 3) -> tuple[AnyShape, ...]:
    """Return the three visible sides below the face's lower edge in their *tones*, outlined as a whole."""
    right, low_right, low_left, left = OUTER[3], OUTER[4], OUTER[5], OUTER[6]

    def down(point: Point) -> Point:
        return point[0], point[1] + high

    outline = (left, low_left, low_right, right, down(right), down(low_right), down(low_left), down(left))
    return (
        Polygon(outline, RIM, RIM, rim),
        Polygon((left, low_left, down(low_left), down(left)), tones[0]),
        Polygon((low_left, low_right, down(low_right), down(low_left)), tones[1]),
        Polygon((low_right, right, down(right), down(low_right)), tones[2]),
    )


def _lit(colour: str) -> tuple[str, str, str]:
    return f"{colour}.light", colour, f"{colour}.dark"


_REACH = (HALF + 4, DEEP + THICK + 4)


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
            *_side(_lit(colour), THICK),
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


@cache
def slabs(count: int) -> tuple[int, ...]:
    """Return the heights of *count* slabs, from below: a higher tower has more and thinner ones, and is higher.

    >>> slabs(1), slabs(4), sum(slabs(14)), sum(slabs(23))
    ((14,), (10, 10, 10, 10), 62, 64)
    """
    high = PILE * (1 - (1 - FIRST / PILE) ** count)
    ends = [round(high * k / max(1, count)) for k in range(count + 1)]
    return tuple(end - start for start, end in pairwise(ends))


@cache
def slab(seat: int, colour: str, high: int, *, spent: bool) -> Sprite:
    """Return a stone below another one: its side, with a bright line that shows on every pane.

    It has its owner's mark, or if it is too thin, as many parts as the owner's number. It is charred and glows if it is
    *spent*: dynamite, which does not count.
    """
    y = DEEP + high / 2
    tones = (f"{colour}.dark", f"{colour}.deep", "ink") if spent else _lit(colour)
    shapes = list(_side(tones, high, 2.5))
    glow = "yellow.light" if spent else f"{colour}.pale"
    shapes.append(Box((CUT[0] - HALF + 2, y - high / 2 + 1), (2 * (HALF - CUT[0] - 2), 2), glow))
    pen = on(tones[1])
    if high >= MARKED:
        shapes.append(figure(MARKS[seat], (-16 if spent else 0, y), MARK, pen))
    else:
        wide = 2 * (HALF - CUT[0])
        cuts = (wide * (k / (seat + 1) - 0.5) for k in range(1, seat + 1))
        shapes += (Box((x - NOTCH / 2, y - high / 2 + 1), (NOTCH, high - 1), pen) for x in cuts)
    if spent:
        shapes += _spark((12 if high >= MARKED else 0, y), min(7.0, high * 0.62))
    name = f"slab {seat + 1} {colour} {high}{' spent' if spent else ''}"
    return Sprite(name, (HALF + 4, DEEP + high + 4), tuple(shapes))


def _spark(at: Point, reach: float) -> tuple[AnyShape, ...]:
    x, y = at
    wide = max(reach, 5.0)
    return (Polygon(((x - wide * 1.5, y), (x, y - reach), (x + wide * 1.5, y), (x, y + reach)), "yellow.light"),)


def _bevel(wide: float, high: float, edge: float) -> tuple[tuple[Point, ...], ...]:
    """Return the upper, right, lower and left bevel of a pane."""
    a, b = wide / 2, high / 2
    outer = ((-a, -b), (a, -b), (a, b), (-a, b))
    inner = ((-a + edge, -b + edge), (a - edge, -b + edge), (a - edge, b - edge), (-a + edge, b - edge))
    return tuple((outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]) for k in range(4))


@cache
def pane(wide: float, high: float, *, rising: bool, hue: str = "") -> Sprite:
    """Return a field: a pane with bevelled edges, cut along the diagonal that rises to the right, or along the other
    one.

    *hue*: the hue of its light, "" without a tower.
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
    cast = tuple((min(x - ASIDE + 14, wide / 2), y) for x, y in spot)
    light = (Polygon(cast, f"{hue}.pane.light"),) if hue else ()
    name = f"pane {'rising' if rising else 'falling'} {hue}".rstrip()
    return Sprite(name, (wide / 2, high / 2), (*bevels, *cuts, *light))


def _of(hue: str, tones: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{hue}.{tone}" if hue else tone for tone in tones)


@cache
def broken(wide: float, high: float, number: int) -> Sprite:
    """Return the emptied field *number*: a broken pane, which no stone can enter. Every field breaks in its own way."""
    luck = Random(number)  # noqa: S311
    a, b = wide / 2, high / 2
    count = luck.choice((8, 10))
    angles = [2 * pi * (k + luck.uniform(-0.3, 0.3)) / count for k in range(count)]
    # Long and short splinters in turn, so that the edge is ragged.
    depths = [luck.uniform(0.3, 0.48) if k % 2 else luck.uniform(0.6, 0.86) for k in range(count)]
    shapes: list[AnyShape] = [Box((-a, -b), (wide, high), "pit")]
    rim = [_rim_at(angle, a, b) for angle in angles]
    edge = [(x * depth, y * depth) for (x, y), depth in zip(rim, depths, strict=True)]
    for k in range(count):
        after = (k + 1) % count
        corner = [at for at in ((a, -b), (a, b), (-a, b), (-a, -b)) if _between(at, angles[k], angles[after])]
        light = -(rim[k][0] + rim[after][0]) / wide - (rim[k][1] + rim[after][1]) / high
        tone = "pane.light" if light > 0.6 else "pane" if light > -0.6 else "pane.dark"
        shapes.append(Polygon((rim[k], *corner, rim[after], edge[after], edge[k]), tone, "pit.dark", 2))
        if light < 0.2:  # the cut edge faces the light
            inner = [(x * 0.84, y * 0.84) for x, y in (edge[after], edge[k])]
            shapes.append(Polygon((edge[k], edge[after], *inner), "pane.pale"))
    return Sprite(f"pit {number}", (a, b), tuple(shapes), faceted=True)


def _rim_at(angle: float, a: float, b: float) -> Point:
    """Return the point in this direction on the edge of a pane."""
    x, y = sin(angle), -cos(angle)
    far = min(a / abs(x) if x else inf, b / abs(y) if y else inf)
    return x * far, y * far


def _between(at: Point, start: float, stop: float) -> bool:
    turn = atan2(at[0], -at[1])
    return (turn - start) % (2 * pi) < (stop - start) % (2 * pi)


@cache
def burst(wide: float, high: float) -> Sprite:
    """Return the explosion behind a tower that dynamite has climbed; the tower stays whole."""
    a, b = wide / 2, high / 2
    middle = (-ASIDE, high * 0.06)
    layers: list[AnyShape] = [Box((-a, -b), (wide, high), "red")]
    for reach, fill in ((1.0, "orange"), (0.86, "yellow.light")):
        points: list[Point] = []
        for k in range(2 * SPARKS):
            x, y = sin(pi * (k + 0.5) / SPARKS), -cos(pi * (k + 0.5) / SPARKS)
            rim = min(((a if x > 0 else -a) - middle[0]) / x, ((b if y > 0 else -b) - middle[1]) / y)
            far = rim * reach * (1.0 if k % 2 == 0 else 0.74)
            points.append((middle[0] + x * far, middle[1] + y * far))
        layers.append(Polygon(tuple(points), fill))
    return Sprite("burst", (wide / 2, high / 2), tuple(layers))


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
