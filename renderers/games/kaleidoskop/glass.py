"""What shines: panes lit by the crystals at their corners, crystals, the tools, and little signs; all round (0, 0).

A crystal that has the colour of its hex lights the kite between itself and the middle, so one sees what decided the
majority. Every colour has a cut of its own. Flat tones and few edges: a full board has 72 crystals, and must stay a
small file.
"""

from functools import cache
from math import atan2, cos

from renderers.palette import on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text, moved
from renderers.signs import regular

HUE = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "p": "pink", "v": "violet"}
LETTER = 26
NUMBER = 24
GEM = 30
"""How far a crystal reaches to all sides, about; its setting is a little larger."""
FACE = {False: 0.8, True: 0.84}
"""The flat face of a crystal as a part of the whole; of a star it is larger."""
EMPTY = 22
LEAD = 4
"""Half the width of the lead between two panes."""


def _mid(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _scaled(points: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    return tuple((x * by, y * by) for x, y in points)


def _faces_light(at: Point) -> bool:
    """Whether an edge with its middle *at* is lit from the upper left."""
    return cos(atan2(at[1], at[0]) - atan2(-1.0, -0.75)) > 0.1


# --- Panes ------------------------------------------------------------------------------------------------------------


@cache
def _rim(radius: float) -> tuple[Point, ...]:
    return regular((0, 0), radius - LEAD, 6)


@cache
def _kite(radius: float, corner: int) -> tuple[Point, ...]:
    """The part of a pane that a crystal at *corner* lights."""
    rim = _rim(radius)
    x, y = rim[corner]
    return (x * 0.42, y * 0.42), _mid(rim[corner - 1], rim[corner]), (x, y), _mid(rim[corner], rim[(corner + 1) % 6])


def shade(hue: str) -> str:
    """The tone of a pane, "" for a neutral one; lettering stands on it."""
    return f"{hue}.pane.light" if hue else "pane"


Window = tuple[float, float, float, float]
"""Left, top, right and bottom of what is to be seen."""


def clipped(points: tuple[Point, ...], window: Window) -> tuple[Point, ...]:
    """The part of a convex outline that lies in *window*; () if there is none.

    >>> clipped(((0, 0), (4, 0), (4, 4), (0, 4)), (2, -1, 9, 9))
    ((2.0, 0.0), (4, 0), (4, 4), (2.0, 4.0))
    """
    for axis, edge, side in ((0, window[0], 1), (1, window[1], 1), (0, window[2], -1), (1, window[3], -1)):
        kept: list[Point] = []
        for k, here in enumerate(points):
            before = points[k - 1]
            inside, was_inside = (side * (point[axis] - edge) >= 0 for point in (here, before))
            if inside != was_inside:
                part = (edge - before[axis]) / (here[axis] - before[axis])
                kept.append((before[0] + part * (here[0] - before[0]), before[1] + part * (here[1] - before[1])))
            if inside:
                kept.append(here)
        points = tuple(kept)
    return points


@cache
def lead(radius: float) -> Sprite:
    """What holds the pane of a hex."""
    return Sprite(f"lead {radius:g}", (radius + 2, radius + 2), (Polygon(regular((0, 0), radius + 1, 6), "lead"),))


@cache
def pane(hue: str, radius: float) -> Sprite:
    """A hex in the light of *hue*, "" for a neutral one."""
    return Sprite(f"pane {hue or 'neutral'} {radius:g}", (radius, radius), (Polygon(_rim(radius), shade(hue)),))


@cache
def part(hue: str, radius: float, window: Window) -> tuple[Sprite, Point]:
    """What is seen of a pane in *window*, drawn round its own middle; and where that is."""
    points = clipped(_rim(radius), window)
    xs, ys = ([point[axis] for point in points] for axis in (0, 1))
    x, y = round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2)
    name = f"part {hue or 'neutral'} {radius:g} {' '.join(f'{side:g}' for side in window)}"
    reach = max(xs) - x + 2, max(ys) - y + 2
    return Sprite(name, reach, (Polygon(moved(points, (-x, -y)), shade(hue)),)), (x, y)


@cache
def ray(tone: str, radius: float, corner: int) -> Sprite:
    """The kite at *corner*: lit by a crystal that decides, doubled by a mirror, or dull behind a glass."""
    return Sprite(f"ray {tone} {corner} {radius:g}", (radius, radius), (Polygon(_kite(radius, corner), tone),))


@cache
def changed(radius: float) -> Sprite:
    """The border of a hex that has another colour than before the turn."""
    rim = regular((0, 0), radius - LEAD - 2, 6)
    return Sprite(
        f"changed {radius:g}",
        (radius + 4, radius + 4),
        (Polygon(rim, "", "ink", 12), Polygon(rim, "", "accent", 7)),
    )


# --- Crystals ---------------------------------------------------------------------------------------------------------


@cache
def _cut(colour: str) -> tuple[Point, ...]:
    """The outline of a crystal: each colour has its own."""
    match colour:
        case "r":
            a, b = 27.0, 21.0
            return ((-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b))
        case "y":
            return regular((0, 0), 33.5, 8, 0, 27.5)
        case "g":
            tip = regular((0, 2), 49, 3)
            return tuple(
                (x + (u - x) * part, y + (v - y) * part)
                for k, (x, y) in enumerate(tip)
                for (u, v), part in ((tip[k - 1], 0.22), (tip[(k + 1) % 3], 0.22))
            )
        case "b":
            return regular((0, 0), 30, 20, 9)
        case "p":
            return regular((0, 0), 32, 6, 30)
        case "v":
            return regular((0, 1.5), 33.5, 5)
        case _:
            raise KeyError(colour)


@cache
def gem(colour: str, size: float = 1.0) -> Sprite:
    """A crystal without lettering: a flat face, its edge lit from the upper left."""
    hue, outer = HUE[colour], _scaled(_cut(colour), size)
    inner = _scaled(outer, FACE[colour == "y"])
    lit: list[AnyShape] = []
    for k, corner in enumerate(outer):
        after = (k + 1) % len(outer)
        if _faces_light(_mid(corner, outer[after])):
            lit.append(Polygon((corner, outer[after], inner[after], inner[k]), f"{hue}.pale"))
    reach = GEM * size + 7
    return Sprite(f"gem {hue} {size:g}", (reach, reach), (Polygon(outer, f"{hue}.deep"), *lit, Polygon(inner, hue)))


@cache
def crystal(colour: str, size: float) -> Sprite:
    """A crystal on the board: its letter, with room under it for the number of its well."""
    letter = Text((0, -round(11 * size)), colour.upper(), round(LETTER * size), on(HUE[colour]), align="middle")
    reach = (GEM + 5) * size
    return Sprite(f"crystal {HUE[colour]} {size:g}", (reach, reach), (Stamp(gem(colour, size), (0, 0)), letter))


def number(colour: str, well: int, at: Point, size: float) -> Text:
    """The number of the well *at* this place: under the letter of its crystal, or in the middle of an empty one."""
    height = round(NUMBER * size)
    if colour not in HUE:
        return Text(at, str(well), height, "muted", align="middle")
    return Text((at[0], at[1] + round(12 * size)), str(well), height, on(HUE[colour]), align="middle")


@cache
def lettered(colour: str, size: float) -> Sprite:
    """A crystal with its letter only, for cards and counts."""
    reach = GEM * size + 7
    letter = Text((0, 0), colour.upper(), max(NUMBER, round(LETTER * size)), on(HUE[colour]), align="middle")
    return Sprite(f"lettered {colour} {size:g}", (reach, reach), (Stamp(gem(colour, size), (0, 0)), letter))


@cache
def empty(size: float) -> Sprite:
    """A well in which nothing lies: a ring."""
    reach = EMPTY * size
    return Sprite(
        f"well {size:g}",
        (reach + 2, reach + 2),
        (Disc((0, 0), reach + 1, "lead"), Disc((0, 0), reach, "ground", "pane.pale", 2)),
    )


@cache
def latest(size: float) -> Sprite:
    """The ring round the crystal that was placed or swapped last."""
    radius = 40 * size
    shapes = Disc((0, 0), radius + 2, "", "ink", 10), Disc((0, 0), radius, "", "accent", 6)
    return Sprite(f"latest {size:g}", (radius + 4, radius + 4), shapes)


# --- Tools ------------------------------------------------------------------------------------------------------------


def _signed(seat: int, ground: str) -> tuple[AnyShape, ...]:
    return (Text((0, 0), str(seat + 1), NUMBER, on(ground), align="middle"),)


@cache
def mirror(seat: int, hue: str) -> Sprite:
    """A mirror on its place: round and bright, in a frame of the seat's colour."""
    return Sprite(
        f"mirror {seat + 1} {hue}",
        (19, 19),
        (Disc((0, 0), 17, "ink"), Disc((0, 0), 15.5, hue), Disc((0, 0), 12, "paper"), *_signed(seat, "paper")),
    )


@cache
def glass(seat: int, hue: str) -> Sprite:
    """A frosted glass on its place: square and dull, in a frame of the seat's colour."""
    return Sprite(
        f"glass {seat + 1} {hue}",
        (18, 18),
        (
            Box((-16, -16), (32, 32), "ink", round=4),
            Box((-14.5, -14.5), (29, 29), hue, round=3),
            Box((-11, -11), (22, 22), "stone"),
            *_signed(seat, "stone"),
        ),
    )


@cache
def holder(seat: int, hue: str, size: float) -> Sprite:
    """A holder round a crystal: a frame with four prongs in the seat's colour."""
    shapes: list[AnyShape] = []
    for k in range(4):
        outer, inner = (regular((0, 0), reach * size, 4, 45)[k] for reach in (42, 29))
        shapes += [Line((outer, inner), "ink", 12), Line((outer, inner), hue, 7)]
    shapes += [Disc((0, 0), 38 * size, "", "ink", 8), Disc((0, 0), 38 * size - 1, "", hue, 5)]
    return Sprite(f"holder {seat + 1} {hue} {size:g}", (46 * size, 46 * size), tuple(shapes))


@cache
def holder_number(seat: int, hue: str) -> Sprite:
    """The number of whose holder it is."""
    return Sprite(f"holder's {seat + 1} {hue}", (18, 18), (Disc((0, 0), 16, hue, "ink", 2), *_signed(seat, hue)))


# --- Little signs -----------------------------------------------------------------------------------------------------


@cache
def tool(name: str, state: str) -> Sprite:
    """A tool in the panel; *state*: "none", "ready" or "used" (with a dot: it stands on the board)."""
    strength = 0.3 if state == "none" else 1.0
    match name:
        case "holder":
            prongs = zip(regular((0, 0), 13, 4, 45), regular((0, 0), 7, 4, 45), strict=True)
            shapes: tuple[AnyShape, ...] = (
                Disc((0, 0), 10, "", "text", 3, strength),
                *(Line(pair, "text", 4, strength=strength) for pair in prongs),
            )
        case "mirror":
            shapes = (Disc((0, 0), 12.5, "paper", "text", 3, strength), Disc((0, 0), 9.5, "", "stone", 2, strength))
        case _:
            shapes = (
                Box((-12, -12), (24, 24), "stone", "text", 3, 3, strength),
                Line(((-5, 5), (5, -5)), "ink", 2.5, strength=strength),
            )
    if state == "used":
        shapes = (*shapes, Disc((0, 0), 6, "text", "panel", 2))
    return Sprite(f"{name} {state}", (13.5, 14), shapes)


@cache
def back(deck: str) -> Sprite:
    """A card of which only the back is seen."""
    return Sprite(f"back {deck}", (9, 14), _back(deck, 0))


def _back(deck: str, x: float) -> tuple[AnyShape, ...]:
    return (
        Box((x - 9, -14), (18, 28), deck, "ink", 2, round=4),
        Polygon(((x, -8), (x + 5, 0), (x, 8), (x - 5, 0)), f"{deck}.pale"),
    )


@cache
def fan(decks: tuple[str, ...], apart: float) -> Sprite:
    """A hand, seen from behind: its cards *apart* from each other, in order."""
    half = 9 + apart * (len(decks) - 1) / 2
    backs = (shape for k, deck in enumerate(decks) for shape in _back(deck, 9 - half + apart * k))
    return Sprite(f"hand {' '.join(decks)} {apart:g}", (half, 14), tuple(backs))


@cache
def pile(deck: str, count: int) -> Sprite:
    """So many cards."""
    wide = 22.0 if count > 9 else 14.0
    return Sprite(
        f"pile {deck} {count}",
        (wide, 17),
        (
            Box((-wide + 2, -13), (2 * wide - 2, 29), f"{deck}.deep", round=5),
            Box((-wide, -16), (2 * wide - 2, 29), deck, round=5),
            Text((-1, -1.5), str(count), NUMBER, on(deck), align="middle"),
        ),
    )


@cache
def score(radius: float) -> Sprite:
    """A scoring crystal: clear, cut like a diamond."""
    points = ((-0.6, -0.85), (0.6, -0.85), (1.05, -0.25), (0, 1.05), (-1.05, -0.25))
    a, b, c, d, e = ((x * radius, y * radius) for x, y in points)
    left, right = (-0.42 * radius, -0.25 * radius), (0.42 * radius, -0.25 * radius)
    return Sprite(
        f"score {radius:g}",
        (radius * 1.1 + 2, radius * 1.1 + 2),
        (
            Polygon((a, b, c, d, e), "ink", "ink", 4),
            Polygon((a, left, e), "paper"),
            Polygon((a, b, right, left), "white.light"),
            Polygon((b, c, right), "white.dark"),
            Polygon((e, left, d), "white.light"),
            Polygon((left, right, d), "paper"),
            Polygon((right, c, d), "stone"),
        ),
    )
