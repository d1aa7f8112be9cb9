"""Bevelled panes and the light in them, around (0, 0).

A coloured pane has the sign of its colour: the outline of its crystals. A crystal of the hex's colour shines into the
pane, which shows the source of the majority.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product

from renderers.games.kaleidoskop.crystals import GEM, HUE, cut, halfway, lit, scaled
from renderers.lettering import CAPITAL, width
from renderers.look import Theme
from renderers.palette import colours, contrast
from renderers.scene import AnyShape, Box, Line, Point, Polygon, Sprite, moved
from renderers.signs import regular

LEAD = 4
"""Half the width of the lead between two panes."""
FRAME = 7
"""Width of the window's frame around the hexes at its rim."""
SHINE = 2.5
"""Width of the shine on the lead, on boards with room for it."""
ROOMY = 59
"""The least radius of hexes with room for it."""
BEVEL = 0.11
"""Width of a pane's bevel, as a part of its radius."""
BEAM = 0.49
"""The nearest point of a crystal's light to the middle, the same."""
LIT = (0.93, 0.77, 0.72)
"""The edge of a pane that changed, and the line inside of it in the opposite tone: their outer and inner reaches, the
same. Together they are visible on every pane."""
DASHED = (0.92, 0.84)
"""The outer and inner reach of the dashes of a faint edge, the same."""
DASHES = ((0.06, 0.26), (0.4, 0.6), (0.74, 0.94))
"""The parts of each side that have a dash."""
RIM = 2.5
"""Width of the line around a dash."""
SEEN = 3.0
"""The least contrast between a pane and the sign in it."""
BEVELS = ((0.8, "edge"), (0.1, "lit"), (-0.8, "shade"), (-2.0, "deep"))
"""The least light on an edge of a pane, and its tone."""
NEUTRAL = {"deep": "ground", "shade": "ground", "": "ground.light", "lit": "pane.cut", "edge": "pane"}
"""The tones of faint glass, through which the ground is visible."""
GLINTS = (
    ((-0.56, 0.1), (0.02, -0.66), (0.22, -0.58), (-0.44, 0.3)),
    ((-0.3, 0.52), (0.44, -0.44), (0.52, -0.38), (-0.2, 0.58)),
)
"""Two glints on faint glass, for a radius of 1."""


def tone(hue: str, name: str = "") -> str:
    """Return a tone of a pane of *hue*, "" for a neutral one."""
    return f"{hue}.glass.{name}".removesuffix(".") if hue else NEUTRAL[name]


@cache
def pen(hue: str, theme: Theme) -> str:
    """Return the tone of the sign in a pane of *hue*: the first that is visible on it."""
    known = colours(theme)
    tones = (f"{hue}.pale", "paper", f"{hue}.deep", "ink")
    return next(name for name in tones if contrast(known[name], known[tone(hue)]) >= SEEN)


Window = tuple[float, float, float, float]
"""Left, top, right and bottom of the visible part."""


def clipped(points: tuple[Point, ...], window: Window) -> tuple[Point, ...]:
    """Return the part of a convex outline that is in *window*; () if there is none.

    >>> clipped(((0, 0), (4, 0), (4, 4), (0, 4)), (2, -1, 9, 9))
    ((2.0, 0.0), (4, 0), (4, 4), (2.0, 4.0))
    """
    for axis, edge, side in ((0, window[0], 1), (1, window[1], 1), (0, window[2], -1), (1, window[3], -1)):
        corners: list[Point] = []
        for k, here in enumerate(points):
            before = points[k - 1]
            inside, was_inside = (side * (point[axis] - edge) >= 0 for point in (here, before))
            if inside != was_inside:
                part = (edge - before[axis]) / (here[axis] - before[axis])
                corners.append((before[0] + part * (here[0] - before[0]), before[1] + part * (here[1] - before[1])))
            if inside:
                corners.append(here)
        points = tuple(corners)
    return points


@cache
def _facets(hue: str, radius: float) -> tuple[Polygon, ...]:
    """Return a pane: its shine on the lead, its face, and its bevelled edges."""
    rim, shine = regular((0, 0), radius - LEAD, 6), regular((0, 0), radius - LEAD + SHINE, 6)
    face = regular((0, 0), radius - LEAD - BEVEL * radius, 6)
    facets: list[Polygon] = []
    for k in range(6):
        after = (k + 1) % 6
        if radius > ROOMY and lit(rim[k], rim[after]) < 0:
            facets.append(Polygon((shine[k], shine[after], rim[after], rim[k]), "lead.light"))
    facets.append(Polygon(rim, tone(hue)))
    if not hue:
        facets += [Polygon(scaled(glint, radius), "pane.cut") for glint in GLINTS]
    for k in range(6):
        after = (k + 1) % 6
        light = lit(rim[k], rim[after])
        name = next(name for least, name in BEVELS if light >= least)
        facets.append(Polygon((rim[k], rim[after], face[after], face[k]), tone(hue, name)))
    return tuple(facets)


@cache
def lead(radius: float) -> Sprite:
    """Return the lead around the pane of a hex."""
    return Sprite(f"lead {radius:g}", (radius + 2, radius + 2), (Polygon(regular((0, 0), radius + 1, 6), "lead"),))


@cache
def frame(radius: float) -> Sprite:
    """Return the frame of the window, behind a hex at its rim."""
    outline = regular((0, 0), radius + FRAME, 6)
    return Sprite(f"frame {radius:g}", (radius + FRAME + 1,) * 2, (Polygon(outline, "lead"),))


def frames(place: int, away: Sequence[Point], radius: float, reach: tuple[float, float]) -> Sprite:
    """Return the frames of several hexes at their distances *away* from the middle, clipped to *reach*."""
    wide, high = reach
    outline = regular((0, 0), radius + FRAME, 6)
    pieces = (clipped(moved(outline, by), (-wide, -high, wide, high)) for by in away)
    return Sprite(f"frames {place} {radius:g}", reach, tuple(Polygon(points, "lead") for points in pieces if points))


@cache
def pane(hue: str, radius: float) -> Sprite:
    """Return a hex in the light of *hue*, "" for a neutral one."""
    return Sprite(f"pane {hue or 'neutral'} {radius:g}", (radius, radius), _facets(hue, radius), faceted=True)


@cache
def plain(hue: str, radius: float) -> Sprite:
    """Return a pane without bevel, in its lead, for the small patterns of cards."""
    outer, inner = regular((0, 0), radius + 1, 6), regular((0, 0), radius - LEAD, 6)
    return Sprite(
        f"pane {hue} plain {radius:g}",
        (radius + 2,) * 2,
        (Polygon(outer, "ink"), Polygon(inner, tone(hue))),
        faceted=True,
    )


@cache
def part(hue: str, radius: float, window: Window) -> tuple[Sprite, Point]:
    """Return the part of a pane in *window*, drawn around its own middle, and the place of that middle."""
    visible = [(points, facet.fill) for facet in _facets(hue, radius) if (points := clipped(facet.points, window))]
    xs, ys = ([point[axis] for points, _ in visible for point in points] for axis in (0, 1))
    x, y = round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2)
    name = f"part {hue or 'neutral'} {radius:g} {' '.join(f'{side:g}' for side in window)}"
    reach = max(xs) - x + 2, max(ys) - y + 2
    shapes = tuple(Polygon(moved(points, (-x, -y)), fill) for points, fill in visible)
    return Sprite(name, reach, shapes, faceted=True), (x, y)


@cache
def sign(colour: str, reach: float, theme: Theme, *, edged: bool = False) -> Sprite:
    """Return the sign of a colour for its pane; *edged*: with an edge of the pane around it, for a place that a crystal
    may touch."""
    hue, points = HUE[colour], scaled(cut(colour), reach / GEM)
    edge = (Polygon(points, tone(hue), tone(hue), 4),) if edged else ()
    shapes = (*edge, Polygon(points, pen(hue, theme)))
    return Sprite(f"sign {hue} {reach:g}{' edged' if edged else ''}", (reach * 1.2 + 2, reach * 1.2 + 2), shapes)


@cache
def plate(hue: str, size: int) -> Sprite:
    """Return the ground of a label of this *size* on a pane of *hue*, for a place that a crystal or an edge may touch;
    without a *hue*, the bright ground of a label whose hex changed."""
    wide, high = width("G4", size, False) + (4 if hue else 10), size * CAPITAL + (6 if hue else 7)
    name = f"pane {hue} under a label {size}" if hue else f"tag of a change {size}"
    box = Box((-wide / 2, -high / 2), (wide, high), tone(hue) if hue else "accent", "" if hue else "ink", 2, round=5)
    return Sprite(name, (wide / 2 + 1, high / 2 + 1), (box,), crisp=not hue)


DULL = ("stone", "white.dark")
"""The tones behind a frosted glass."""


def beam(colour: str, times: int = 1) -> tuple[str, str]:
    """Return the tones of the light of a crystal, or of a doubled one."""
    hue = HUE[colour]
    return (f"{hue}.pale", f"{hue}.light") if times == 2 else (f"{hue}.glass.edge", f"{hue}.glass.beam")


@cache
def ray(bright: str, dim: str, radius: float, corner: int) -> Sprite:
    """Return the light from *corner*, in two tones: a cut beam."""
    rim = regular((0, 0), radius - LEAD, 6)
    here = rim[corner]
    tip = here[0] * BEAM, here[1] * BEAM
    sides = sorted((halfway(rim[corner - 1], here), halfway(here, rim[(corner + 1) % 6])), key=lambda at: lit(at, at))
    shapes = tuple(Polygon((tip, side, here), tone) for side, tone in zip(sides, (dim, bright), strict=True))
    return Sprite(f"ray {bright} {dim} {corner} {radius:g}", (radius, radius), shapes, faceted=True)


@cache
def changed(radius: float, theme: Theme = Theme.DARK, *, is_faint: bool = False) -> Sprite:
    """Return the edge of a pane that has changed: bright among dark panes, and dark among bright ones; if it is faint,
    a thin broken one."""
    tones = ("paper", "ink") if theme is Theme.DARK else ("ink", "paper")
    if is_faint:
        dashes = [
            Polygon(dash, tone) for tone, wider in (("ink", RIM), ("accent", 0.0)) for dash in _dashes(radius, wider)
        ]
        return Sprite(f"faint change {radius:g}", (radius, radius), tuple(dashes), faceted=True)
    edges = []
    for reaches, fill in zip(pairwise(LIT), tones, strict=True):
        outer, inner = (regular((0, 0), radius * reach, 6) for reach in reaches)
        edges += [Polygon((outer[k], outer[(k + 1) % 6], inner[(k + 1) % 6], inner[k]), fill) for k in range(6)]
    return Sprite(f"changed {radius:g}", (radius, radius), tuple(edges), faceted=True)


def _dashes(radius: float, wider: float) -> Iterator[tuple[Point, ...]]:
    """Yield the dashes of a faint edge, each *wider* on all sides."""
    outer, inner = (regular((0, 0), reach, 6) for reach in (radius * DASHED[0] + wider, radius * DASHED[1] - wider))

    def along(points: Sequence[Point], k: int, part: float) -> Point:
        (x, y), (u, v) = points[k], points[(k + 1) % 6]
        return x + part * (u - x), y + part * (v - y)

    more = wider / radius
    for k, (start, end) in product(range(6), DASHES):
        ends = start - more, end + more
        yield (*(along(outer, k, part) for part in ends), *(along(inner, k, part) for part in reversed(ends)))


@cache
def emblem() -> Sprite:
    """Return a little window: six panes of six colours around a clear one, set in lead."""
    outer, rim, inner = (regular((0, 0), radius, 6, turn) for radius, turn in ((22.5, 0), (20, 0), (8, 0)))
    shapes: list[AnyShape] = [Polygon(outer, "lead", "stone", 2)]
    for k, hue in enumerate(("yellow", "red", "violet", "blue", "green", "pink")):
        after = (k + 1) % 6
        shapes.append(Polygon((rim[k], rim[after], inner[after], inner[k]), hue))
    shapes += [Line((rim[k], inner[k]), "lead", 2) for k in range(6)]
    return Sprite("emblem kaleidoskop", (24, 24), (*shapes, Polygon(inner, "paper", "lead", 2)))
