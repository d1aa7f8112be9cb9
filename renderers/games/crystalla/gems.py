"""Crystals, cut: segments of cards, crystal pieces, stones.

Every crystal has a colour, a letter, and a cut of its own: the outline of the flat face on which its letter stands.
Round it run facets, lit from the upper left, and a bevelled edge, broad on large segments and narrow on small ones. The
diagonal of a card lies a little off the middle, towards the small segment.
"""

from collections.abc import Sequence
from functools import cache
from math import atan2, cos, hypot, pi, sin

from renderers.palette import on
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text
from rules.games.crystalla import CORNERS

TONES = {
    "t": ("teal.deep", "teal.dark", "teal", "teal.light", "teal.pale"),
    "a": ("violet.deep", "violet.dark", "violet", "violet.light", "violet.pale"),
    "r": ("red.deep", "red.dark", "red", "red.light", "red.pale"),
    "e": ("green.deep", "green.dark", "green", "green.light", "green.pale"),
    "c": ("yellow.deep", "yellow.dark", "yellow", "yellow.light", "yellow.pale"),
    "d": ("blue.dark", "blue.light", "blue.pale", "white.light", "paper"),
    "h": ("ink", "black.deep", "black", "black.light", "black.pale"),
}
"""The five tones of each crystal, from the darkest."""

FACES = {"t": "teal.deep", "a": "violet.deep", "r": "red.deep", "e": "green.deep", "c": "yellow.pale", "d": "paper",
         "h": "black.deep"}  # fmt: skip
"""What the letter stands on."""


def _round(corners: int, turn: float = 0, radius: float = 1.0) -> tuple[Point, ...]:
    """A regular outline, clockwise, its first corner *turn* degrees from 12 o'clock."""
    angles = [(turn + 360 * k / corners) * pi / 180 for k in range(corners)]
    return tuple((radius * sin(angle), -radius * cos(angle)) for angle in angles)


CUTS: dict[str, tuple[Point, ...]] = {
    "t": ((0, -1.3), (0.86, -0.72), (0.86, 0.72), (0, 1.3), (-0.86, 0.72), (-0.86, -0.72)),
    "a": _round(5, radius=1.2),
    "r": _round(8, 22.5, 1.08),
    "e": ((-0.6, -1), (0.6, -1), (1, -0.6), (1, 0.6), (0.6, 1), (-0.6, 1), (-1, 0.6), (-1, -0.6)),
    "c": ((-0.42, -1.1), (0.42, -1.1), (1.3, 0.5), (0.95, 1.05), (-0.95, 1.05), (-1.3, 0.5)),
    "d": ((0, -1.4), (1.3, 0), (0, 1.4), (-1.3, 0)),
    "h": _round(14, radius=1.04),
}  # fmt: skip
"""The outline of each crystal's flat face, clockwise from the top, in units of its radius."""

SHIFT = 0.1
"""How far the diagonal lies off the middle, in parts of a side."""
BEVEL = {"l": 0.085, "s": 0.045}
FACE = {"l": 0.235, "s": 0.195}
FACE_LEAST = 13.0
FINE = 90
"""Smaller cards have only two facets, a narrow edge, and none on their small halves: there are many of them, and a
picture must stay small."""
NARROW_BEVEL = 0.06
LETTER = {"l": 0.46, "s": 0.36}
"""All in parts of a side of the card."""
LIGHT = (-0.6, -0.8)
STONE = 17.0


def turned(point: Point, corner: str) -> Point:
    """A point of a card whose large corner is nw, on a card turned to another corner."""
    x, y = point
    for _ in range(CORNERS.index(corner)):
        x, y = -y, x
    return x, y


@cache
def outline(shape: str, corner: str, size: float) -> tuple[Point, ...]:
    """A segment of a card round (0, 0), clockwise from its right angle; *corner*: of the card."""
    half, off = size / 2, SHIFT * size
    low, right = (off - half, half), (half, off - half)
    if shape == "l":
        points: tuple[Point, ...] = ((-half, -half), (half, -half), right, low, (-half, half))
    else:
        points = ((half, half), low, right)
    return tuple(turned(point, corner) for point in points)


def triangle(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """The outline of a segment with its sharp ends drawn out, beyond the card."""
    if len(points) == 3:
        return points
    (x, y), (a, b), (c, d), _, (g, h) = points
    by = hypot(c - a, d - b) / hypot(a - x, b - y)
    return (x, y), (a + (a - x) * by, b + (b - y) * by), (g + (g - x) * by, h + (h - y) * by)


def middle(shape: str, corner: str, size: float) -> Point:
    """The middle of a segment's flat face: that of the circle that touches its sides and the diagonal."""
    leg = size * (1 + SHIFT if shape == "l" else 1 - SHIFT)
    off = leg * (1 - 0.5**0.5) - size / 2
    return turned((off, off) if shape == "l" else (-off, -off), corner)


def inset(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """A convex outline, clockwise, drawn together by a distance.

    >>> inset(((0, 0), (10, 0), (10, 10), (0, 10)), 2)
    ((2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0))
    """
    lines = []
    for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True):
        length = hypot(x1 - x0, y1 - y0)
        normal = (-(y1 - y0) / length, (x1 - x0) / length)
        lines.append((*normal, normal[0] * x0 + normal[1] * y0 + by))
    found = []
    for (a, b, c), (d, e, f) in zip((lines[-1], *lines[:-1]), lines, strict=True):
        det = a * e - b * d
        found.append(((c * e - b * f) / det, (a * f - c * d) / det))
    return tuple(found)


def _lit(across: float, down: float) -> float:
    """How much light falls on what faces this way, from -1 to 1."""
    length = hypot(across, down) or 1.0
    return (across * LIGHT[0] + down * LIGHT[1]) / length


def _tone(crystal: str, light: float) -> str:
    return TONES[crystal][max(0, min(4, round(2 + light)))]


def _bevels(crystal: str, outer: Sequence[Point], inner: Sequence[Point]) -> list[AnyShape]:
    shapes: list[AnyShape] = []
    for k, (start, low) in enumerate(zip(outer, inner, strict=True)):
        end, low_end = outer[(k + 1) % len(outer)], inner[(k + 1) % len(inner)]
        light = _lit(end[1] - start[1], start[0] - end[0])
        shapes.append(Polygon((start, end, low_end, low), _tone(crystal, 2.1 * light)))
    return shapes


def _facets(crystal: str, outer: Sequence[Point], face: Sequence[Point], at: Point) -> list[AnyShape]:
    """Triangles between the bevel and the flat face, in turns a little lighter and darker."""

    def angle(point: Point) -> float:
        return atan2(point[1] - at[1], point[0] - at[0]) % (2 * pi)

    outer, face = sorted(outer, key=angle), sorted(face, key=angle)
    events = sorted([(angle(point), 0, point) for point in outer] + [(angle(point), 1, point) for point in face])
    last = {0: outer[-1], 1: face[-1]}
    shapes: list[AnyShape] = []
    for k, (_, ring, point) in enumerate(events):
        points = (last[0], last[1], point)
        x, y = sum(x for x, _ in points) / 3 - at[0], sum(y for _, y in points) / 3 - at[1]
        shapes.append(Polygon(points, _tone(crystal, 1.5 * _lit(x, y) + (0.55 if k % 2 else -0.55))))
        last[ring] = point
    return shapes


def _halves(crystal: str, points: Sequence[Point]) -> list[AnyShape]:
    """What is inside a bevel, cut only once: from its right angle (the first of *points*) to the middle of the
    diagonal."""
    tip, *rest = points
    near, far = rest[: len(rest) // 2], rest[len(rest) // 2 :]
    foot = ((near[-1][0] + far[0][0]) / 2, (near[-1][1] + far[0][1]) / 2)
    return [
        Polygon((tip, *near, foot), _tone(crystal, 0.55 + 0.3 * _lit(*near[0]))),
        Polygon((foot, *far, tip), _tone(crystal, -0.55)),
    ]


def face(crystal: str, at: Point, radius: float, letter: int, line: float = 0) -> list[AnyShape]:
    """The flat face of a crystal in its cut, with its letter; *line*: width of its outline."""
    x, y = at
    points = tuple((x + radius * a, y + radius * b) for a, b in CUTS[crystal])
    edge = TONES[crystal][{"c": 0, "d": 0, "h": 4}.get(crystal, 3)] if line else ""
    # The face of a triangle is broad at its foot, that of a pentagon at its head.
    low = {"c": 0.14, "a": 0.05}.get(crystal, 0) * radius
    return [
        Polygon(points, FACES[crystal], edge, line),
        Text((x, y + low), crystal.upper(), letter, on(FACES[crystal]), align="middle"),
    ]


@cache
def segment(crystal: str, shape: str, corner: str, size: float) -> Sprite:
    """A segment of a card round the card's middle."""
    points = inset(outline(shape, corner, size), 0.012 * size)
    at = middle(shape, corner, size)
    radius = max(FACE[shape] * size, FACE_LEAST)
    letter = max(TEXT_MIN, round(LETTER[shape] * size))
    shapes: list[AnyShape] = [Polygon(points, TONES[crystal][1])]
    if size < FINE and shape == "s":
        shapes += [*_halves(crystal, points), *face(crystal, at, radius, letter)]
    elif size < FINE:
        inner = inset(points, NARROW_BEVEL * size)
        shapes += [*_bevels(crystal, points, inner), *_halves(crystal, inner), *face(crystal, at, radius, letter)]
    else:
        inner = inset(points, BEVEL[shape] * size)
        cut = [(at[0] + radius * a, at[1] + radius * b) for a, b in CUTS[crystal]]
        shapes += [*_bevels(crystal, points, inner), *_facets(crystal, inner, cut, at)]
        shapes += face(crystal, at, radius, letter, radius / 11)
    return Sprite(f"{crystal}{shape} {corner} {size:g}", (size / 2, size / 2), tuple(shapes))


@cache
def bare(code: str, size: float) -> Sprite:
    """A card without letters: its two crystals with a cut face each, lit from the upper left."""
    shapes: list[AnyShape] = [Box((-size / 2 - 2, -size / 2 - 2), (size + 4, size + 4), "ink", round=5)]
    for crystal, shape in zip(code, "ls", strict=True):
        points = inset(outline(shape, "nw", size), 1)
        inner = inset(points, 0.09 * size)
        at, radius = middle(shape, "nw", size), FACE[shape] * size * (0.8 if shape == "l" else 0.7)
        cut = [(at[0] + radius * a, at[1] + radius * b) for a, b in CUTS[crystal]]
        shapes += [*_bevels(crystal, points, inner), *_facets(crystal, inner, cut, at)]
        shapes.append(Polygon(tuple(cut), TONES[crystal][4]))
    return Sprite(f"card {code} bare", (size / 2 + 2, size / 2 + 2), tuple(shapes))


def _between(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


@cache
def rim(shape: str, corner: str, size: float, *, deep: bool = False) -> Sprite:
    """The setting that makes a crystal piece of a segment: a dark rim, and a bright rivet at each corner.

    *deep*: further inside, so that the outline of a group goes round it.
    """
    outer = outline(shape, corner, size)
    off = 0.045 * size + (4.0 if deep else 0.0)
    points = inset(outer, off)
    rivet = max(4.0, 0.065 * size)
    tip, *ends = inset(outer, off + 0.035 * size)
    half = len(ends) // 2
    rivets = (tip, _between(ends[:half]), _between(ends[half:]))
    return Sprite(
        f"rim {shape} {corner} {size:g}{' deep' if deep else ''}",
        (size / 2, size / 2),
        (
            Line((*points, points[0]), "ink", max(4.5, 0.07 * size)),
            *(Disc(at, rivet + 2, "paper", "ink", 2.5) for at in rivets),
        ),
    )


def over(pieces: str) -> dict[str, str]:
    """The crystals of pieces by their shapes.

    >>> over("hlts")
    {'l': 'h', 's': 't'}
    """
    return {pieces[k + 1]: pieces[k] for k in range(0, len(pieces), 2)}


def seen(code: str, corner: str, size: float, pieces: str = "") -> list[AnyShape]:
    """The two segments of a card turned to its corner, with crystal pieces on it (their codes, one after another)."""
    lying = over(pieces)
    return [
        Stamp(segment(lying.get(shape, printed), shape, corner, size), (0, 0))
        for printed, shape in zip(code, "ls", strict=True)
    ]


def settings(corner: str, size: float, pieces: str) -> list[AnyShape]:
    """The rims of the pieces on a card."""
    return [Stamp(rim(shape, corner, size, deep=kind == "d"), (0, 0)) for shape, kind in over(pieces).items()]


@cache
def loose(code: str, corner: str, size: float) -> Sprite:
    """A card that lies in no display: with an edge of lead, as some crystals are as light as the ground."""
    return Sprite(f"card {code} {corner} {size:g}", (size / 2 + 2,) * 2, tuple(seen(code, corner, size)), "lead")


def piece(code: str, size: float, at: Point = (0, 0), text: str = "") -> list[AnyShape]:
    """A crystal piece by itself, as on a card with corner nw; *text* goes to where the other segment would be."""
    # The segment a little smaller, so that its sharp ends lie under the rim.
    small = round(0.93 * size)
    (x0, y0), (x1, y1) = (middle(code[1], "nw", side) for side in (size, small))
    inner = Stamp(segment(code[0], code[1], "nw", small), (at[0] + x0 - x1, at[1] + y0 - y1))
    shapes: list[AnyShape] = [inner, Stamp(rim(code[1], "nw", size), at)]
    if text:
        x, y = middle("s" if code[1] == "l" else "l", "nw", size)
        off = 6 if code[1] == "l" else -3
        words = max(TEXT_MIN, round(0.3 * size))
        shapes.append(Text((at[0] + x + off, at[1] + y + off), text, words, bold=False, align="middle"))
    return shapes


@cache
def gem(crystal: str, radius: float = 13, line: float = 2) -> Sprite:
    """The flat face of a crystal alone, as it stands in tables; *line*: width of its outline."""
    reach = 1.45 * radius
    shapes = tuple(face(crystal, (0, 0), radius, TEXT_MIN, line))
    return Sprite(f"gem {crystal} {radius:g}", (1.2 * radius, reach), shapes)


@cache
def stone(hue: str, letter: str, *, fresh: bool = False, neutral: bool = False, radius: float = STONE) -> Sprite:
    """A stone: a disc with the letter of its colour. *fresh*: dropped in this turn. *neutral*: nobody's."""
    edge = {"black": "black.pale", "white": "white.deep"}.get(hue, "ink")
    shapes: list[AnyShape] = [Disc((0, 0), radius + 5, "ink"), Disc((0, 0), radius + 4, "accent")] if fresh else []
    if neutral:
        pen = "ink"
        shapes += [Disc((0, 0), radius, "stone", "ink", 2), Disc((0, 0), radius - 2, "", "paper", 2)]
        shapes += [Polygon(wedge, "ink") for wedge in _notches(radius)]
    else:
        pen = on(hue)
        shapes.append(Disc((0, 0), radius, hue, edge, 2.5))
        if radius > 20:  # a gleam, where there is room for one
            low, high = _arc(radius - 2, 260, 360), _arc(radius * 0.8, 360, 260)
            shapes.append(Polygon((*low, *high), hue + ".light"))
    shapes.append(Text((0, 0), letter.upper(), max(TEXT_MIN, round(radius * 1.3)), pen, align="middle"))
    kind = " fresh" * fresh + " neutral" * neutral
    return Sprite(f"stone {letter}{kind} {radius:g}", (radius + 5, radius + 5), tuple(shapes))


def _arc(radius: float, start: float, stop: float) -> list[Point]:
    return [
        (radius * sin(angle * pi / 180), -radius * cos(angle * pi / 180))
        for angle in (start + (stop - start) * k / 8 for k in range(9))
    ]


def _notches(radius: float) -> list[tuple[Point, ...]]:
    """Four gaps in the edge of a stone that is nobody's."""
    return [
        tuple(
            (reach * sin(angle * pi / 180), -reach * cos(angle * pi / 180))
            for reach, angle in ((radius + 1, turn - 12), (radius + 1, turn + 12), (radius * 0.7, turn))
        )
        for turn in (45, 135, 225, 315)
    ]


__all__ = [
    "TONES",
    "bare",
    "gem",
    "inset",
    "loose",
    "middle",
    "outline",
    "over",
    "piece",
    "rim",
    "seen",
    "segment",
    "settings",
    "stone",
    "triangle",
]
