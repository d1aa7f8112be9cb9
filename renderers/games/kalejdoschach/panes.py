"""The constant part of the board: panes of cut glass in leads, the names of the fields, the digits of the slices.

As in a kaleidoscope every slice is the mirror image of the next one. Rings differ in hue, so that circle lines are easy
to see; neighbouring fields differ in tone, and all have bevelled sides, lit from the upper left. Castles are dark and
have a double frame in gold. Towns are gold with dots in their corners.
"""

from functools import cache
from itertools import pairwise

from msgspec import Struct

from renderers.games.kalejdoschach.places import LABEL, label
from renderers.games.kalejdoschach.window import CENTRE, RADII, UNIT, Window
from renderers.look import Theme
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text, shifted
from rules.games.kalejdoschach import CASTLES, FIELDS, towns

BEVEL = (0, 6)
"""Insets at which the bevel of a pane begins and ends, from the middle of its leads."""
FRAME = (2, 7)
"""The same for the frame of a castle, in gold or in the colour of its holder."""
LIGHT = (-0.6, -0.8)
"""Direction of the light."""
SLANT = 0.4
"""The cosine from which a side is lit or shaded."""
DOT = 3
DOT_INSET = 12

_HUES = ("", "yellow", "violet", "teal", "violet", "teal")
"""Hues by ring; towns are gold in every ring."""
_STRONG = "acegik"
TONES = {
    (Theme.DARK, True): ("", ".dark", ".deep"),
    (Theme.DARK, False): (".dark", ".deep", ".deep"),
    (Theme.LIGHT, True): (".pane.cut", ".pane.light", ".pane.gleam"),
    (Theme.LIGHT, False): (".pane.dark", ".pane.cut", ".pane.light"),
}
"""By theme, and by whether a pane has the stronger tone: its lit sides, its face, and its shaded sides."""


class Glass(Struct, frozen=True):
    """The tones of a pane: its face, and its sides towards the light, across it, and away from it."""

    face: str
    lit: str
    across: str
    shaded: str


@cache
def sides(window: Window, field: str, band: tuple[float, float], glass: Glass) -> tuple[AnyShape, ...]:
    """Return the bevelled sides of a field between two insets, in tones for their directions."""
    outside, inside = (window.border(field, inset) for inset in band)
    count = len(outside)
    arc = FIELDS[field]
    half = count // 2
    cuts = (0, half - 1, half, count - 1, count) if arc.ring else range(0, count + 1, count // 8)
    shapes: list[AnyShape] = []
    for first, last in pairwise(cuts):
        out = [outside[k % count] for k in range(first, last + 1)]
        back = [inside[k % count] for k in range(last, first - 1, -1)]
        (x0, y0), (x1, y1) = out[0], out[-1]
        far = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        towards = ((y1 - y0) * LIGHT[0] - (x1 - x0) * LIGHT[1]) / far
        tone = glass.lit if towards > SLANT else glass.shaded if towards < -SLANT else glass.across
        if tone != glass.face:
            shapes.append(Polygon((*out, *back), tone))
    return tuple(shapes)


@cache
def _rivet() -> Sprite:
    return Sprite("rivet", (DOT, DOT), (Box((-DOT, -DOT), (2 * DOT, 2 * DOT), "lead"),))


def _is_strong(field: str) -> bool:
    """Return whether a pane has the stronger tone; each slice mirrors the one before."""
    return (field[1] in _STRONG) != (int(field[0]) % 2 == 0 and field[1] in "abcde")


@cache
def glass(field: str, theme: Theme) -> Glass:
    """Return the glass of a pane. More colour is lighter on dark ground and darker on light ground."""
    if field in CASTLES:
        return gold()
    hue = "yellow" if field in towns() else _HUES[FIELDS[field].ring]
    lit, face, shaded = TONES[theme, _is_strong(field)]
    if hue != "violet" and theme is Theme.DARK and _is_strong(field):
        # Names may touch the shaded sides of gold, and pieces with light edges the lit sides of teal.
        lit, shaded = (".light", face) if hue == "yellow" else (".pane.gleam", shaded)
    return Glass(hue + face, hue + lit, hue + face, hue + shaded)


def gold() -> Glass:
    return Glass("ink", "yellow.light", "yellow", "yellow.dark")


def framed(hue: str) -> Glass:
    """Return the frame of a held castle."""
    if hue == "black":
        return Glass("ink", "black.pale", "black.pale", "black.light")
    return Glass("ink", f"{hue}.pale", hue, f"{hue}.dark")


@cache
def held(window: Window, castle: str, hue: str) -> Sprite:
    """Return the frame of a castle in the colour of its holder."""
    (x, y), border = window.corner(castle), window.border(castle, 0)
    reach = tuple(max(abs(point[axis] - at) for point in border) for axis, at in ((0, x), (1, y)))
    shapes = tuple(shifted(side, (-x, -y)) for side in sides(window, castle, FRAME, framed(hue)))
    return Sprite(f"frame {castle} {hue} {window.turned}", (reach[0], reach[1]), shapes, crisp=True)


@cache
def pen(field: str) -> str:
    """Return the colour in which the name of a field is readable on its pane."""
    if field in CASTLES:
        return "paper"
    return "ink" if field in towns() and _is_strong(field) else "text"


@cache
def still(window: Window, theme: Theme) -> tuple[AnyShape, ...]:
    """Return the empty window with the names of its fields and the digits of its slices."""
    rings = window.rings
    shapes: list[AnyShape] = [Disc(CENTRE, RADII[-1] + 6, "lead")]
    for field in FIELDS:
        tones = glass(field, theme)
        shapes.append(window.pane(field, BEVEL[0], tones.face))
        shapes += sides(window, field, FRAME if field in CASTLES else BEVEL, tones)
    for number in range(8):
        ends = (rings.place(radius, 6 * UNIT * number) for radius in (RADII[1], RADII[-1]))
        shapes.append(Line(tuple(ends), "lead", 6))
        shapes.append(digit(window, number, "muted"))
    shapes += [Disc(CENTRE, radius + 2, "", "lead", 4) for radius in RADII[1:]]
    for field in towns():
        x, y = label(window, field)
        for dot in window.ends(field, DOT_INSET):
            if abs(dot[0] - x) > LABEL[0] + 9 or abs(dot[1] - y) > LABEL[1] + 9:
                shapes.append(Stamp(_rivet(), dot))
    shapes += [window.pane(castle, 9, "", "yellow", 2) for castle in CASTLES]
    shapes += [name(field, label(window, field)) for field in FIELDS]
    return tuple(shapes)


def name(field: str, at: Point) -> Text:
    return Text(at, field, TEXT_MIN, pen(field), bold=False, align="middle")


def digit(window: Window, number: int, colour: str) -> Text:
    """Return the digit of a slice, counted from 0, outside the rim."""
    return Text(window.digit(number), str(number + 1), TEXT_MIN, colour, align="middle")
