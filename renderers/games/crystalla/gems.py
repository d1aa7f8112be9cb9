"""Crystals, cut: segments of cards, crystal pieces, stones.

Every crystal has a colour, a letter, and a cut of its own: the outline of the flat face on which its letter stands.
On large segments facets run round it, lit from the upper left, and a bevelled edge; small ones are ground flat, all but
a narrow edge. So the halves of a card cannot be taken for each other. The diagonal between them is a bright lead, a
little off the middle, towards the small segment.
"""

from collections.abc import Sequence
from functools import cache
from math import atan2, cos, hypot, pi, sin

from msgspec.structs import replace

from renderers.palette import on
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text
from rules.games.crystalla import CORNERS

TONES = {
    "t": ("teal.deep", "teal.dark", "teal", "teal.light", "teal.pale"),
    "a": ("violet.deep", "violet.dark", "violet", "violet.light", "violet.pale"),
    "r": ("red.deep", "red.dark", "red", "red.light", "red.pale"),
    "e": ("green.deep", "green.dark", "green", "green.light", "green.pale"),
    "c": ("yellow.deep", "yellow.dark", "yellow", "yellow.light", "yellow.pale"),
    "d": ("blue.dark", "blue", "blue.light", "blue.pale", "blue.pale"),
    "h": ("ink", "black.deep", "black", "black.light", "black.pale"),
}
"""The five tones of each crystal, from the darkest."""

HUES = {crystal: tones[1].split(".")[0] for crystal, tones in TONES.items()}
"""The hue of each crystal."""

FACES = {"t": "teal.deep", "a": "violet.deep", "r": "red.deep", "e": "green.deep", "c": "yellow.pale", "d": "paper",
         "h": "black.deep"}  # fmt: skip
"""What the letter stands on."""

PLATES = {"t": "teal.dark", "a": "violet.dark", "r": "red.dark", "e": "green.dark", "c": "yellow.light",
          "d": "blue.pale", "h": "black.deep"}  # fmt: skip
"""The same on a small segment, which is ground flat."""


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

SHIFT = 0.12
"""How far the diagonal lies off the middle, in parts of a side."""
BEVEL = 0.085
FACE = {"l": 0.24, "s": 0.215}
FACE_FINE = {"l": 0.28, "s": 0.245}
"""On cards smaller than *FINE*: as large as their letters, which shall not reach into the facets."""
FACE_LEAST = 13.0
SET, SET_DEEP = 0.85, 0.68
"""Of the flat face of a crystal piece and of its letter: its frame leaves them less room, and that of a diamond, which
lies further inside, the least."""
FINE = 110
"""Smaller cards have only two facets, a narrow edge, none on their small halves, and no lead along their diagonal:
there are many of them, and a picture must stay small."""
NARROW_BEVEL = 0.06
LETTER = {"l": 0.46, "s": 0.4}
"""All in parts of a side of the card."""
LETTER_FINE = {"l": 0.54, "s": 0.45}
"""The same on cards that are smaller than *FINE*."""
CAME = 0.05
"""Width of the lead along the diagonal, in parts of a side: its bright core, which ink runs along on both sides."""
LIGHT = (-0.6, -0.8)
STONE = 17.0


def turned(point: Point, corner: str) -> Point:
    """A point of a card whose large corner is nw, on a card turned to another corner."""
    x, y = point
    for _ in range(CORNERS.index(corner)):
        x, y = -y, x
    return x, y


@cache
def outline(shape: str, corner: str, size: float, beyond: float = 0) -> tuple[Point, ...]:
    """A segment of a card round (0, 0), clockwise from its right angle; *corner*: of the card. *beyond*: so much
    further than to the diagonal."""
    half, off = size / 2, SHIFT * size + (beyond if shape == "l" else -beyond) * 2**0.5
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


def face(crystal: str, at: Point, radius: float, line: float = 0) -> Polygon:
    """The flat face of a crystal in its cut; *line*: width of its outline."""
    x, y = at
    points = tuple((x + radius * a, y + radius * b) for a, b in CUTS[crystal])
    edge = TONES[crystal][{"c": 0, "d": 0, "h": 4}.get(crystal, 3)] if line else ""
    return Polygon(points, FACES[crystal], edge, line)


def letter(crystal: str, at: Point, radius: float, size: int) -> Text:
    """The letter on it."""
    # The face of a triangle is broad at its foot, that of a pentagon at its head.
    low = {"c": 0.14, "a": 0.05}.get(crystal, 0) * radius
    return Text((at[0], at[1] + low), crystal.upper(), size, on(FACES[crystal]), align="middle")


def lettering(crystal: str, shape: str, corner: str, size: float, part: float = 1.0) -> Text:
    """The letter of a segment, or *part* of its size."""
    words = max(TEXT_MIN, round((LETTER if size >= FINE else LETTER_FINE)[shape] * size * part))
    return letter(crystal, middle(shape, corner, size), _radius(shape, size) if shape == "l" else 0, words)


def _radius(shape: str, size: float) -> float:
    return max((FACE if size >= FINE else FACE_FINE)[shape] * size, FACE_LEAST)


def _face(crystal: str, shape: str, corner: str, size: float, part: float = 1.0) -> Polygon:
    """The flat face of a segment, or *part* of it."""
    radius = _radius(shape, size) * part
    return face(crystal, middle(shape, corner, size), radius, radius / 11 if size >= FINE else 0)


def _came(corner: str, size: float) -> tuple[Line, Line]:
    """The lead between the two crystals of a card, from end to end of its diagonal."""
    _, _, *along, _ = outline("l", corner, size)
    return Line(tuple(along), "ink", 2 * CAME * size), Line(tuple(along), "stone", CAME * size)


@cache
def segment(crystal: str, shape: str, corner: str, size: float, *, bare: bool = False, loose: bool = False) -> Sprite:
    """A segment of a card round the card's middle, without its letter. *bare*: without its face, too, which is in the
    `rim`. The small one, which lies over the large one, has the lead between them, unless it is *loose*."""
    edge = (0.012 if size >= FINE else 0.024) * size
    points = inset(outline(shape, corner, size, edge if size < FINE else 0), edge)
    inner = inset(points, (BEVEL if size >= FINE and shape == "l" else NARROW_BEVEL) * size)
    sides = _bevels(crystal, points, inner)
    if shape == "s":
        shapes: list[AnyShape] = [Polygon(points, PLATES[crystal]), sides[0], sides[2]]
        if not loose:
            shapes += _came(corner, size)
    elif size < FINE:
        # Dark along the diagonal: a light edge there would look like the frame of a piece.
        shapes = [Polygon(points, TONES[crystal][1]), *sides[:2], *sides[3:], *_halves(crystal, inner)]
    else:
        at, radius = middle(shape, corner, size), _radius(shape, size)
        cut = [(at[0] + radius * a, at[1] + radius * b) for a, b in CUTS[crystal]]
        shapes = [*sides, *_facets(crystal, inner, cut, at)]
    if shape == "l" and not bare:
        shapes.append(_face(crystal, shape, corner, size))
    name = f"{crystal}{shape} {corner} {size:g}"
    return Sprite(name, (size / 2, size / 2), tuple(shapes), crisp=size < FINE, faceted=size < FINE)


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


@cache
def rim(crystal: str, shape: str, corner: str, size: float, *, alone: bool = False) -> Sprite:
    """The setting that makes a crystal piece of a bare segment: a white frame all round, and in a large one the
    crystal's face.

    That of a diamond lies further inside, so that the outline of its group goes round it; not where it is *alone*.
    """
    wide = max(5.0, 0.06 * size)
    points = inset(outline(shape, corner, size), 3 + wide / 2 + (0.025 * size if crystal == "d" and not alone else 0))
    closed = (*points, points[0])
    return Sprite(
        f"rim {shape} {corner} {size:g} {crystal}",
        (size / 2, size / 2),
        (
            *([_face(crystal, shape, corner, size, SET)] if shape == "l" else []),
            Line(closed, "ink", wide + 4),
            Line(closed, "paper", wide),
        ),
        crisp=size < FINE,
        faceted=size < FINE,
    )


def over(pieces: str) -> dict[str, str]:
    """The crystals of pieces by their shapes.

    >>> over("hlts")
    {'l': 'h', 's': 't'}
    """
    return {pieces[k + 1]: pieces[k] for k in range(0, len(pieces), 2)}


def seen(code: str, pieces: str = "") -> dict[str, str]:
    """The crystals that one sees of a card with pieces on it (their codes, one after another), by their shapes.

    >>> seen("ta", "hs")
    {'l': 't', 's': 'h'}
    """
    return dict(zip("ls", code, strict=True)) | over(pieces)


def segments(code: str, corner: str, size: float, pieces: str = "") -> list[AnyShape]:
    """The two segments of a card turned to its corner, without letters."""
    lying = over(pieces)
    return [
        Stamp(segment(crystal, shape, corner, size, bare=shape in lying), (0, 0))
        for shape, crystal in seen(code, pieces).items()
    ]


def settings(corner: str, size: float, pieces: str) -> list[AnyShape]:
    """The rims of the pieces on a card."""
    return [Stamp(rim(crystal, shape, corner, size), (0, 0)) for shape, crystal in over(pieces).items()]


def letters(code: str, corner: str, size: float, pieces: str = "") -> list[AnyShape]:
    """The letters of a card and of the pieces on it."""
    lying = over(pieces)
    return [
        lettering(crystal, shape, corner, size, _set(crystal) if shape in lying else 1.0)
        for shape, crystal in seen(code, pieces).items()
    ]


def _set(crystal: str) -> float:
    return SET_DEEP if crystal == "d" else SET


@cache
def loose(code: str, corner: str, size: float) -> Sprite:
    """A card that lies in no display: with an edge of lead, as some crystals are as light as the ground."""
    shapes = (*segments(code, corner, size), *letters(code, corner, size))
    return Sprite(f"card {code} {corner} {size:g}", (size / 2 + 2,) * 2, shapes, "lead")


def piece(code: str, size: float, at: Point = (0, 0), text: str = "") -> list[AnyShape]:
    """A crystal piece by itself, as on a card with corner nw; *text* goes to where the other segment would be."""
    # The segment a little smaller, so that its sharp ends lie under the rim.
    small = round(0.9 * size)
    (x0, y0), (x1, y1) = (middle(code[1], "nw", side) for side in (size, small))
    shapes: list[AnyShape] = [
        Stamp(segment(code[0], code[1], "nw", small, bare=True, loose=True), (at[0] + x0 - x1, at[1] + y0 - y1)),
        Stamp(rim(code[0], code[1], "nw", size, alone=True), at),
    ]
    told = lettering(code[0], code[1], "nw", size, _set(code[0]))
    shapes.append(replace(told, at=(at[0] + told.at[0], at[1] + told.at[1])))
    if text:
        x, y = middle("s" if code[1] == "l" else "l", "nw", size)
        off = 3 if code[1] == "l" else -3
        size = max(TEXT_MIN, round(0.3 * size))
        shapes.append(Text((at[0] + x + 2 * off, at[1] + y + off), text, size, bold=False, align="middle"))
    return shapes


@cache
def gift(size: float) -> Sprite:
    """A crystal piece that nobody knows yet, and a question mark: somebody is due one."""
    points = inset(outline("l", "nw", size * 0.9), size * 0.06)
    points = tuple((x - 0.05 * size, y - 0.05 * size) for x, y in points)
    closed = (*points, points[0])
    return Sprite(
        "gift",
        (size / 2 + 8, size / 2),
        (
            Polygon(points, "stone"),
            Line(closed, "ink", max(7.0, size * 0.14)),
            Line(closed, "paper", max(4.0, size * 0.08)),
            Text((0.36 * size, 0.2 * size), "?", max(TEXT_MIN, round(size * 0.76)), align="middle"),
        ),
    )


@cache
def gem(crystal: str, radius: float = 13, line: float = 2) -> Sprite:
    """The flat face of a crystal alone, as it stands in tables; *line*: width of its outline."""
    reach = 1.45 * radius
    cut = Sprite("cut", (1.6 * radius, reach), (face(crystal, (0, 0), radius, line),), crisp=True, faceted=True)
    shapes = (Stamp(cut, (0, 0)), letter(crystal, (0, 0), radius, TEXT_MIN))
    return Sprite(f"gem {crystal} {radius:g}", (1.2 * radius, reach), shapes)


@cache
def stone(hue: str, letter: str, *, fresh: bool = False, neutral: bool = False, radius: float = STONE) -> Sprite:
    """A stone: a disc with the letter of its colour, or a square that is nobody's (*neutral*). *fresh*: dropped in this
    turn."""
    edge = {"black": "black.pale", "white": "white.deep"}.get(hue, "ink")
    shapes: list[AnyShape] = [Disc((0, 0), radius + 4.5, "ink"), Disc((0, 0), radius + 3.5, "accent")] if fresh else []
    if neutral:
        pen, half = "ink", radius - 1
        shapes.append(Box((-half, -half), (2 * half, 2 * half), "stone", "ink", 2))
        shapes.append(Box((2 - half, 2 - half), (2 * half - 4, 2 * half - 4), "", "paper", 2))
    else:
        pen = on(hue)
        shapes.append(Disc((0, 0), radius, hue, edge, 2.5))
        if radius > 20:  # a gleam, where there is room for one
            low, high = _arc(radius - 2, 260, 360), _arc(radius * 0.8, 360, 260)
            shapes.append(Polygon((*low, *high), hue + ".light"))
    disc = Sprite("disc", (radius + 5, radius + 5), tuple(shapes), crisp=True, faceted=True)
    told = Text((0, 0), letter.upper(), max(TEXT_MIN, round(radius * 1.3)), pen, align="middle")
    kind = " fresh" * fresh + " neutral" * neutral
    return Sprite(f"stone {letter}{kind} {radius:g}", disc.reach, (Stamp(disc, (0, 0)), told))


def _arc(radius: float, start: float, stop: float) -> list[Point]:
    return [
        (radius * sin(angle * pi / 180), -radius * cos(angle * pi / 180))
        for angle in (start + (stop - start) * k / 8 for k in range(9))
    ]


__all__ = [
    "HUES",
    "TONES",
    "bare",
    "gem",
    "gift",
    "inset",
    "letters",
    "loose",
    "middle",
    "outline",
    "over",
    "piece",
    "rim",
    "segment",
    "segments",
    "settings",
    "stone",
    "triangle",
]
