"""The last move: both its fields framed, their names on bright ground, and a track of beads from one to the other.

All of it lies under pieces; the track keeps off the names of the fields that it crosses.
"""

from collections.abc import Iterator
from functools import cache
from math import atan2, cos, hypot, pi, sin

from renderers.games.kalejdoschach.gems import SIDES
from renderers.games.kalejdoschach.places import LABEL, label, seat
from renderers.games.kalejdoschach.window import Window
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Point, Polygon, Sprite, Stamp, Text, moved
from rules.games.kalejdoschach import CASTLES, FIELDS, Last

BEAD = 7.0
"""The last beads; the first are smaller, so that the track tells its direction."""
SIZES = 4
APART = 15.0
"""From one bead to the next."""
HEAD = 22.0
WIDE = 13.0
"""Length of the tip, and half its width."""
TURNS = 96
START = 11.0
"""The ring where the piece stood."""
NEAR = hypot(*LABEL) + BEAD
"""Names further from the track than this are off it."""
PILL = (40, 31)
RISE = 13
"""How far a pill reaches above the middle of the capitals; below it there is room for the tail of a g or a j."""


def track(last: Last, window: Window) -> Iterator[AnyShape]:
    ends = (last.source, last.target)
    yield from (Stamp(end(window, field), window.corner(field)) for field in ends)
    (x0, y0), (x1, y1) = seat(window, last.source), seat(window, last.target)
    length = hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    yield Stamp(_ring(), (x0, y0))
    names = [name for name in _names(window) if abs((name[0] - x0) * dy - (name[1] - y0) * dx) < NEAR]
    reach = min(half / max(abs(along), 1e-9) for half, along in zip(SIDES, (dx, dy), strict=True))
    way = length - START - reach - HEAD
    beads = max(0, round(way / APART))
    for k in range(1, beads + 1):
        along = START + way * k / (beads + 1)
        at = (x0 + dx * along, y0 + dy * along)
        if not any(_touches(at, name) for name in names):
            yield Stamp(_bead(min(SIZES - 1, SIZES * k // beads)), at)
    turn = round(atan2(dy, dx) / (2 * pi) * TURNS) % TURNS
    yield Stamp(tip(turn), (x1 - dx * (reach + HEAD / 2), y1 - dy * (reach + HEAD / 2)))
    yield from (Stamp(pill(field), label(window, field)) for field in ends)


@cache
def _names(window: Window) -> tuple[Point, ...]:
    return tuple(label(window, field) for field in FIELDS)


def _touches(at: Point, name: Point) -> bool:
    """Whether a bead would touch a name."""
    return abs(at[0] - name[0]) < LABEL[0] + BEAD and abs(at[1] - name[1]) < LABEL[1] + BEAD


@cache
def _bead(size: int) -> Sprite:
    radius = BEAD - 2 + 2 * size / (SIZES - 1)
    return Sprite(f"bead {size + 1}", (BEAD + 1, BEAD + 1), (Disc((0, 0), radius, "accent", "ink", 2),), crisp=True)


@cache
def tip(turn: int) -> Sprite:
    """The tip of a track in one of ``TURNS`` directions, clockwise from the one to the right."""
    (x, y), (across, down) = (
        (length * cos(angle * 2 * pi / TURNS), length * sin(angle * 2 * pi / TURNS))
        for length, angle in ((HEAD / 2, turn), (WIDE, turn + TURNS / 4))
    )
    corners = ((x, y), (across - x, down - y), (-across - x, -down - y))
    reach = HEAD / 2 + WIDE
    return Sprite(
        f"tip {turn}", (reach, reach), (Polygon(corners, "ink", "ink", 5), Polygon(corners, "accent")), crisp=True
    )


@cache
def _ring() -> Sprite:
    rings = (Disc((0, 0), START, "", "ink", 8), Disc((0, 0), START - 2, "", "accent", 4))
    return Sprite("start", (START + 1, START + 1), rings, crisp=True)


@cache
def end(window: Window, field: str) -> Sprite:
    """The border of one end of the last move, inside the frame of a castle."""
    x, y = window.corner(field)
    border = moved(window.border(field, 13 if field in CASTLES else 5), (-x, -y))
    reach = tuple(max(abs(point[axis]) for point in border) + 5 for axis in (0, 1))
    shapes = (Polygon(border, "", "ink", 8), Polygon(border, "", "accent", 4.5))
    return Sprite(f"end {field} {window.turned}", (reach[0], reach[1]), shapes, crisp=True)


@cache
def pill(field: str) -> Sprite:
    """The name of one end, on bright ground whose rim keeps off the letters: a small i is then no small j."""
    wide, high = PILL
    shapes = (
        Box((-wide / 2, -RISE), PILL, "accent", "ink", 1, round=6),
        Text((0, 0), field, TEXT_MIN, "ink", align="middle"),
    )
    return Sprite(f"name {field}", (wide / 2 + 1, high - RISE + 1), shapes, crisp=True)
