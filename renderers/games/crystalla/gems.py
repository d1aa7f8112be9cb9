"""Cut crystals: segments of cards, crystal pieces, stones.

Every crystal has a colour, a letter, and a cut of its own: the outline of the flat face that carries its letter. On
large segments facets surround it, lit from the upper left, with a bevelled edge. Small segments are ground flat, and
have less than half as much room, so the two halves of a card look different. A lead is along the diagonal between
them. A crystal piece is a jewel in a white mount.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from math import atan2, cos, hypot, pi, sin

from msgspec import Struct
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
"""The ground of the letter."""

JEWELS = {"t": "teal.dark", "a": "violet.dark", "r": "red.dark", "e": "green.dark", "c": "yellow", "d": "blue.light",
          "h": "black.deep"}  # fmt: skip
"""The ground of the letter on a crystal piece."""

PLATES = {"t": "teal.dark", "a": "violet.dark", "r": "red.dark", "e": "green.dark", "c": "yellow.light",
          "d": "blue.pale", "h": "black.deep"}  # fmt: skip
"""The ground of the letter on a small segment, which is ground flat."""


def _round(corners: int, turn: float = 0, radius: float = 1.0) -> tuple[Point, ...]:
    """Return a regular outline, clockwise, its first corner *turn* degrees from 12 o'clock."""
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

TOLD = {"l": (-1.0, -5.0), "s": (-6.0, -3.0)}
"""Offset of a single piece's code from the middle of the empty segment: off the piece, and off the marks of a menu
in the corners."""
SHIFT = 0.2
"""Distance of the diagonal from the middle, in parts of a side, which makes the large segment recognizable at once."""
FACE_LEAST = 13.0
MOUNT = 0.045
"""The least distance from the edge of a crystal piece's mount to its jewel, in parts of a side of the card."""
EDGE = 3.5
"""Width of the dark edge around a mount, which is as bright as the ground of one theme."""
NEW = (("accent", 5.0), ("ink", -1.0), ("paper", -3.0))
"""The edge of a new mount: colours, and widths in addition to that of the mount."""
SET = {"l": 0.8, "s": 0.9}
"""Scale of the letter of a crystal piece, as the mount leaves it less room."""
SET_SMALL = {"t": 0.77, "a": 0.8, "r": 0.85, "e": 0.85, "h": 0.82}
"""The same of a bright letter on a small piece: all of it is on the jewel, as the mount is bright, too."""
BROAD = ((0, -1.14), (1.02, -0.62), (1.02, 0.62), (0, 1.14), (-1.02, 0.62), (-1.02, -0.62))
"""The outline of the tourmaline of a small piece, with room for the bar of its letter."""
HEIGHT = 0.73
"""Height of a letter, in parts of its size."""


class Style(Struct, frozen=True):
    """How cards of a size look; all lengths are in parts of their side.

    *gap*: margin of the segments; *ground*: its colour. *bevel*: width of the edge of a large segment. *face*: radius
    of the flat faces, *letter*: size of the letters, both by shape. *aside*: distance of a small segment's letter from
    the sides of the card. *lead*: strokes along the diagonal. *is_cut*: whether large segments have all facets.
    """

    gap: float
    ground: str
    bevel: float
    face: Mapping[str, float]
    letter: Mapping[str, float]
    aside: float
    lead: tuple[tuple[str, float], ...]
    is_cut: bool


CUT = Style(
    gap=0.034,
    ground="lead.light",
    bevel=0.085,
    face={"l": 0.24, "s": 0.215},
    letter={"l": 0.55, "s": 0.37},
    aside=0.08,
    lead=(("ink", 0.072), ("stone", 0.036)),
    is_cut=True,
)
PLAIN = Style(
    gap=0.045,
    ground="white",
    bevel=0.06,
    face={"l": 0.315, "s": 0.245},
    letter={"l": 0.66, "s": 0.43},
    aside=0.05,
    lead=(("ink", 0.05),),
    is_cut=False,
)
"""For small cards: bright gaps and a thin dark lead keep each card together, the letters are as large as their faces,
and few facets keep a picture small, as there are many of these cards."""
FINE = 90
"""The least side of a card that is *CUT*."""


@cache
def style(size: float) -> Style:
    """Return how cards of this size look."""
    return CUT if size >= FINE else PLAIN


LIGHT = (-0.6, -0.8)
STONE, SLIM = 17.0, 10.0
"""The usual radius of a stone; up to *SLIM*, the ring of a fresh one is narrower."""


def turned(point: Point, corner: str) -> Point:
    """Return a point of a card whose large corner is nw, on a card turned to another corner."""
    x, y = point
    for _ in range(CORNERS.index(corner)):
        x, y = -y, x
    return x, y


@cache
def outline(shape: str, corner: str, size: float, beyond: float = 0) -> tuple[Point, ...]:
    """Return a segment of a card around (0, 0), clockwise from its right angle; *corner*: that of the card.

    *beyond*: distance by which it crosses the diagonal.
    """
    half, off = size / 2, SHIFT * size + (beyond if shape == "l" else -beyond) * 2**0.5
    low, right = (off - half, half), (half, off - half)
    if shape == "l":
        points: tuple[Point, ...] = ((-half, -half), (half, -half), right, low, (-half, half))
    else:
        points = ((half, half), low, right)
    return tuple(turned(point, corner) for point in points)


def middle(shape: str, corner: str, size: float) -> Point:
    """Return the middle of a segment's flat face, the centre of the circle that touches its sides and the diagonal."""
    leg = size * (1 + SHIFT if shape == "l" else 1 - SHIFT)
    off = leg * (1 - 0.5**0.5) - size / 2
    return turned((off, off) if shape == "l" else (-off, -off), corner)


def inset(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Return a convex clockwise outline, shrunk by a distance.

    >>> inset(((0, 0), (10, 0), (10, 10), (0, 10)), 2)
    ((2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0))
    """
    lines = []
    for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True):
        length = hypot(x1 - x0, y1 - y0)
        normal = (-(y1 - y0) / length, (x1 - x0) / length)
        lines.append((*normal, normal[0] * x0 + normal[1] * y0 + by))
    corners = []
    for (a, b, c), (d, e, f) in zip((lines[-1], *lines[:-1]), lines, strict=True):
        det = a * e - b * d
        corners.append(((c * e - b * f) / det, (a * f - c * d) / det))
    return tuple(corners)


def _lit(across: float, down: float) -> float:
    """Return the light on a face in this direction, from -1 to 1."""
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
    """Return triangles between the bevel and the flat face, alternately lighter and darker."""

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


def _bands(crystal: str, points: Sequence[Point]) -> list[AnyShape]:
    """Return the surface inside a bevel, cut only once, along the diagonal; another seam would look like the diagonal.

    The first of *points* is the right angle.
    """
    tip, near, right, low, far = points
    (a, b), (c, d) = (
        (side[0] + (tip[0] - side[0]) * 0.28, side[1] + (tip[1] - side[1]) * 0.28) for side in (near, far)
    )
    metal = crystal == "h"  # bright, as its small segments are black
    light = 0.55 + 0.3 * _lit(tip[0], tip[1]) + metal
    return [
        Polygon((tip, (a, b), (c, d)), _tone(crystal, light)),
        Polygon(((a, b), near, right, low, far, (c, d)), _tone(crystal, metal - 0.55)),
    ]


def face(crystal: str, at: Point, radius: float, line: float = 0) -> Polygon:
    """Return the flat face of a crystal in its cut; *line*: width of its outline."""
    x, y = at
    points = tuple((x + radius * a, y + radius * b) for a, b in CUTS[crystal])
    edge = TONES[crystal][{"c": 0, "d": 0, "h": 4}.get(crystal, 3)] if line else ""
    return Polygon(points, FACES[crystal], edge, line)


def letter(crystal: str, at: Point, radius: float, size: int) -> Text:
    """Return the letter on it."""
    # The face of a triangle is broad at its foot, that of a pentagon at its head.
    low = {"c": 0.14, "a": 0.05}.get(crystal, 0) * radius
    return Text((at[0], at[1] + low), crystal.upper(), size, on(FACES[crystal]), align="middle")


def lettering(crystal: str, shape: str, corner: str, size: float, part: float = 1.0) -> Text:
    """Return the letter of a segment, at *part* of its size."""
    words = max(TEXT_MIN, round(style(size).letter[shape] * size * part))
    if shape == "l":
        return letter(crystal, middle(shape, corner, size), _radius(shape, size), words)
    at = middle(shape, corner, size)
    if part == 1.0 and crystal != "e":  # as far in its corner as possible, except beside a leaf
        off = size * (0.5 - style(size).aside) - words * HEIGHT / 2
        at = turned((off, off), corner)
    return letter(crystal, at, 0, words)


def _radius(shape: str, size: float) -> float:
    return max(style(size).face[shape] * size, FACE_LEAST)


def _face(crystal: str, corner: str, size: float) -> Polygon:
    """Return the flat face of a large segment; without facets it may reach to the gap, not into it."""
    radius, how = _radius("l", size), style(size)
    flat = face(crystal, middle("l", corner, size), radius, radius / 11 if how.is_cut else 0)
    if how.is_cut:
        return flat
    most = size * (0.5 - how.gap)
    return replace(flat, points=tuple((min(most, max(-most, x)), min(most, max(-most, y))) for x, y in flat.points))


def _came(corner: str, size: float) -> list[Line]:
    """Return the lead between the two crystals of a card, short of the ends of its diagonal, so that neighbours stay
    apart."""
    _, _, (a, b), (c, d), _ = outline("l", corner, size)
    how = style(size)
    part = (how.gap * 2**0.5 + how.lead[-1][1]) * size / hypot(c - a, d - b)
    x, y = (c - a) * part, (d - b) * part
    return [Line(((a + x, b + y), (c - x, d - y)), colour, wide * size) for colour, wide in how.lead]


@cache
def segment(crystal: str, shape: str, corner: str, size: float, *, bare: bool = False) -> Sprite:
    """Return a segment of a card around the card's middle, without its letter.

    The small segment covers the large one and has the lead between them. *bare*: the segment below a crystal piece, of
    which only the edge is visible around the mount.
    """
    how = style(size)
    edge, plain = how.gap * size, not how.is_cut
    points = inset(outline(shape, corner, size, edge if plain else 0), edge)
    name, reach = f"{crystal}{shape} {corner} {size:g}", (size / 2, size / 2)
    if bare:
        return Sprite(name, reach, (Polygon(points, PLATES[crystal]),), crisp=plain, faceted=plain)
    inner = inset(points, how.bevel * size)
    if shape == "s":
        # Black is edged, as it is as dark as the lead.
        edged = ("stone", 2.0) if crystal == "h" else ("", 0.0)
        shapes: list[AnyShape] = [
            Polygon(points, PLATES[crystal], *edged),
            *_came(corner, size),
        ]
    elif plain:
        sides = _bevels(crystal, points, inner)
        # Dark along the diagonal: a light edge there would look like the frame of a piece.
        shapes = [Polygon(points, TONES[crystal][1]), *sides[:2], *sides[3:], *_bands(crystal, inner)]
    else:
        at, radius = middle(shape, corner, size), _radius(shape, size)
        cut = [(at[0] + radius * a, at[1] + radius * b) for a, b in CUTS[crystal]]
        shapes = [*_bevels(crystal, points, inner), *_facets(crystal, inner, cut, at)]
    if shape == "l":
        shapes.append(_face(crystal, corner, size))
    return Sprite(name, reach, tuple(shapes), crisp=plain, faceted=plain)


@cache
def bare(code: str, size: float) -> Sprite:
    """Return a card without letters: its two crystals with a cut face each, lit from the upper left."""
    shapes: list[AnyShape] = [Box((-size / 2 - 2, -size / 2 - 2), (size + 4, size + 4), "ink", round=5)]
    for crystal, shape in zip(code, "ls", strict=True):
        points = inset(outline(shape, "nw", size), 1)
        inner = inset(points, 0.09 * size)
        at, radius = middle(shape, "nw", size), CUT.face[shape] * size * (0.8 if shape == "l" else 0.7)
        cut = [(at[0] + radius * a, at[1] + radius * b) for a, b in CUTS[crystal]]
        shapes += [*_bevels(crystal, points, inner), *_facets(crystal, inner, cut, at)]
        shapes.append(Polygon(tuple(cut), TONES[crystal][4]))
    return Sprite(f"card {code} bare", (size / 2 + 2, size / 2 + 2), tuple(shapes))


@cache
def rim(crystal: str, shape: str, corner: str, size: float, *, alone: bool = False, is_fresh: bool = False) -> Sprite:
    """Return a crystal piece without its letter: a bright mount that fills the segment, and its jewel.

    The mount of a diamond is further inside, so that the outline of its group fits around it, unless it is *alone*. A
    fresh mount has an edge in the accent.
    """
    wide = max(5.0, 0.06 * size)
    edge = EDGE + (0.025 * size if crystal == "d" and not alone else 0)
    points = inset(outline(shape, corner, size), 1 + edge + wide / 2)
    closed = (*points, points[0])
    (x, y), radius = middle(shape, corner, size), _jewel(crystal, shape, size)
    cut = tuple((x + radius * a, y + radius * b) for a, b in _cut(crystal, shape))
    return Sprite(
        f"rim {shape} {corner} {size:g} {crystal}{' fresh' * is_fresh}",
        (size / 2, size / 2),
        (
            Line(closed, "ink", wide + 2 * EDGE),
            *(Line(closed, colour, wide + more) for colour, more in (NEW if is_fresh else (("paper", 0.0),))),
            Polygon(points, "paper"),
            Polygon(cut, JEWELS[crystal]),
        ),
        crisp=size < FINE,
        faceted=size < FINE,
    )


@cache
def _jewel(crystal: str, shape: str, size: float) -> float:
    """Return the radius of a piece's jewel, as large as the mount allows."""
    room = size * (1 + SHIFT if shape == "l" else 1 - SHIFT) * (1 - 1 / hypot(1, 1)) - MOUNT * size - 1
    reach: float = max(
        max(abs(a), abs(b), abs(a + b) / hypot(1, 1), abs(a - b) / hypot(1, 1)) for a, b in _cut(crystal, shape)
    )
    return room / reach


def _cut(crystal: str, shape: str) -> tuple[Point, ...]:
    """Return the outline of a piece's jewel."""
    return BROAD if (crystal, shape) == ("t", "s") else CUTS[crystal]


def _set(crystal: str, shape: str) -> float:
    """Return the scale of a piece's letter."""
    return SET_SMALL.get(crystal, SET["s"]) if shape == "s" else SET["l"]


def over(pieces: str) -> dict[str, str]:
    """Return the crystals of pieces by their shapes.

    >>> over("hlts")
    {'l': 'h', 's': 't'}
    """
    return {pieces[k + 1]: pieces[k] for k in range(0, len(pieces), 2)}


def seen(code: str, pieces: str = "") -> dict[str, str]:
    """Return the visible crystals of a card with *pieces* on it (their codes, one after another), by their shapes.

    >>> seen("ta", "hs")
    {'l': 't', 's': 'h'}
    """
    return dict(zip("ls", code, strict=True)) | over(pieces)


def segments(code: str, corner: str, size: float, pieces: str = "") -> list[AnyShape]:
    """Return the two segments of a card turned to its corner, without letters."""
    lying = over(pieces)
    return [
        Stamp(segment(crystal, shape, corner, size, bare=shape in lying), (0, 0))
        for shape, crystal in seen(code, pieces).items()
    ]


def settings(corner: str, size: float, pieces: str, fresh: Collection[str] = ()) -> list[AnyShape]:
    """Return the rims of the pieces on a card; those on the *fresh* shapes are marked as new."""
    return [
        Stamp(rim(crystal, shape, corner, size, is_fresh=shape in fresh), (0, 0))
        for shape, crystal in over(pieces).items()
    ]


def letters(code: str, corner: str, size: float, pieces: str = "") -> list[AnyShape]:
    """Return the letters of a card and of the pieces on it."""
    lying = over(pieces)
    return [
        lettering(crystal, shape, corner, size, _set(crystal, shape) if shape in lying else 1.0)
        for shape, crystal in seen(code, pieces).items()
    ]


@cache
def loose(code: str, corner: str, size: float) -> Sprite:
    """Return a card outside of a display: with an edge of lead, as some crystals are as light as the ground."""
    shapes = (*segments(code, corner, size), *letters(code, corner, size))
    return Sprite(f"card {code} {corner} {size:g}", (size / 2 + 2,) * 2, shapes, "lead")


def piece(code: str, size: float, at: Point = (0, 0), text: str = "") -> list[AnyShape]:
    """Return a crystal piece by itself, as on a card with corner nw; *text* is in the place of the other segment."""
    # The segment is a little smaller, so that the mount covers its sharp ends.
    small = round(0.85 * size)
    (x0, y0), (x1, y1) = (middle(code[1], "nw", side) for side in (size, small))
    shapes: list[AnyShape] = [
        Stamp(segment(code[0], code[1], "nw", small, bare=True), (at[0] + x0 - x1, at[1] + y0 - y1)),
        Stamp(rim(code[0], code[1], "nw", size, alone=True), at),
    ]
    label = lettering(code[0], code[1], "nw", size, _set(code[0], code[1]))
    shapes.append(replace(label, at=(at[0] + label.at[0], at[1] + label.at[1])))
    if text:
        x, y = middle("s" if code[1] == "l" else "l", "nw", size)
        across, down = TOLD[code[1]]
        size = max(TEXT_MIN, round(0.3 * size))
        shapes.append(Text((at[0] + x + across, at[1] + y + down), text, size, bold=False, align="middle"))
    return shapes


@cache
def gift(size: float) -> Sprite:
    """Return an unknown crystal piece with a question mark: a seat is due one. A stone covers its lower right."""
    points = inset(outline("l", "nw", size), size * 0.06)
    closed = (*points, points[0])
    return Sprite(
        "gift",
        (size / 2, size / 2),
        (
            Polygon(points, "paper"),
            Line(closed, "ink", max(7.0, size * 0.14)),
            Line(closed, "paper", max(4.0, size * 0.08)),
            Text((-0.17 * size, -0.14 * size), "?", max(TEXT_MIN, round(size * 0.62)), "ink", align="middle"),
        ),
    )


@cache
def gem(crystal: str, radius: float = 13, line: float = 2) -> Sprite:
    """Return the flat face of a crystal for tables; *line*: width of its outline."""
    reach = 1.45 * radius
    cut = Sprite("cut", (1.6 * radius, reach), (face(crystal, (0, 0), radius, line),), crisp=True, faceted=True)
    shapes = (Stamp(cut, (0, 0)), letter(crystal, (0, 0), radius, TEXT_MIN))
    return Sprite(f"gem {crystal} {radius:g}", (1.2 * radius, reach), shapes)


@cache
def stone(hue: str, letter: str, *, fresh: bool = False, neutral: bool = False, radius: float = STONE) -> Sprite:
    """Return a stone: a disc with the letter of its colour, or a square without a seat (*neutral*).

    *fresh*: dropped in this turn.
    """
    edge = {"black": "black.pale", "white": "white.deep"}.get(hue, "ink")
    ring = 5.0 if radius > SLIM else 2.5
    shapes: list[AnyShape] = [Disc((0, 0), radius + ring + 1, "ink"), Disc((0, 0), radius + ring, "accent")] * fresh
    if neutral:
        pen, half = "ink", radius - 1
        shapes.append(Box((-half, -half), (2 * half, 2 * half), "stone", "ink", 2))
        shapes.append(Box((2 - half, 2 - half), (2 * half - 4, 2 * half - 4), "", "paper", 2))
    else:
        pen = on(hue)
        if fresh and radius <= SLIM:
            edge = ""  # the letter needs all of the stone
        if radius > 13:
            shapes.append(Disc((0, 0), radius, hue, edge, 2.5))
        else:
            shapes += [Disc((0, 0), radius + 0.5, edge or hue), Disc((0, 0), radius - 1, hue)]
        if radius > 20:  # a gleam, if there is room for one
            low, high = _arc(radius - 2, 260, 360), _arc(radius * 0.8, 360, 260)
            shapes.append(Polygon((*low, *high), hue + ".light"))
    disc = Sprite("disc", (radius + 7, radius + 7), tuple(shapes), crisp=True, faceted=True)
    label = Text((0, 0), letter.upper(), max(TEXT_MIN, round(radius * 1.3)), pen, align="middle")
    kind = " fresh" * fresh + " neutral" * neutral
    return Sprite(f"stone {letter}{kind} {radius:g}", disc.reach, (Stamp(disc, (0, 0)), label))


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
    "style",
    "turned",
]
