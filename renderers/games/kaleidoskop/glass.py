"""Bevelled panes and the light in them, around (0, 0).

A pane has the figure of its colour etched into it. A crystal of the hex's colour shines into the pane, which shows the
source of the majority.
"""

from collections.abc import Sequence
from functools import cache

from renderers.games.kaleidoskop.crystals import GEM, HUE, cut, halfway, lit, scaled
from renderers.look import Theme
from renderers.palette import colours, contrast, on
from renderers.scene import TEXT_MIN, AnyShape, Line, Point, Polygon, Sprite, Text, moved
from renderers.signs import regular

LEAD = 4
"""Half the width of the lead between two panes."""
FRAME = 7
"""Width of the window's frame around the hexes at its rim."""
SHINE = 2.5
"""Width of the shine on the lead, on boards with room for it."""
ROOMY = 70
"""The least radius of hexes with room for it."""
BEVEL = 0.11
"""Width of a pane's bevel, as a part of its radius."""
ETCHED = 0.47
"""Reach of the figure in a pane, the same."""
BEAM = 0.49
"""The nearest point of a crystal's light to the middle, the same."""
CHANGED = 0.66
"""Reach of the frame of a pane that changed, the same."""
OLD = 16.0
"""Reach of the little pane in the former colour of a hex, of size 1."""
SEEN = 1.15
"""The least contrast between a pane and the figure in it."""
BEVELS = ((0.8, "edge"), (0.1, "lit"), (-0.8, "shade"), (-2.0, "deep"))
"""The least light on an edge of a pane, and its tone."""
NEUTRAL = {"deep": "pane.dark", "shade": "pane.cut", "": "pane", "lit": "pane.light", "edge": "pane.pale"}


def tone(hue: str, name: str = "") -> str:
    """Return a tone of a pane of *hue*, "" for a neutral one."""
    return f"{hue}.glass.{name}".removesuffix(".") if hue else NEUTRAL[name]


def etched(hue: str, theme: Theme) -> str:
    """Return the tone of the figure in a pane: of those that contrast with it, the one with the most readable
    lettering."""
    known = colours(theme)
    pane, pen = known[tone(hue)], known[on(tone(hue), theme)]
    visible = [name for part in ("shade", "lit") if contrast(known[name := tone(hue, part)], pane) >= SEEN]
    return max(visible, key=lambda name: contrast(pen, known[name]))


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
def figure(colour: str, radius: float, theme: Theme) -> Sprite:
    """Return the figure of a colour, etched into its pane."""
    points = scaled(cut(colour), radius * ETCHED / GEM)
    reach = radius * ETCHED * 1.3
    etching = Polygon(points, etched(HUE[colour], theme))
    return Sprite(f"figure {HUE[colour]} {radius:g}", (reach, reach), (etching,), crisp=True)


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
def changed(radius: float) -> Sprite:
    """Return the frame of a hex whose colour has changed in this turn, so far inside that crystals do not hide it."""
    outline = regular((0, 0), radius * CHANGED, 6)
    return Sprite(
        f"changed {radius:g}",
        (radius, radius),
        (Polygon(outline, "", "ink", 11), Polygon(outline, "", "accent", 6)),
    )


@cache
def before(colour: str, size: float, theme: Theme) -> Sprite:
    """Return a little pane in the former colour of a hex, framed like the hex itself; a dash in it means neutral."""
    hue, reach = HUE.get(colour, ""), OLD * size
    rims = ((4.0, "ink"), (2.0, "accent"), (-1.0, tone(hue)))
    pen = on(tone(hue), theme)
    letter = Text((0, 0), colour.upper() if hue else "–", round(TEXT_MIN * size), pen, align="middle")
    shapes = (Polygon(regular((0, 0), reach + grown, 6), fill) for grown, fill in rims)
    return Sprite(f"before {hue or 'neutral'} {size:g}", (reach + 5, reach + 5), (*shapes, letter), crisp=True)


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
