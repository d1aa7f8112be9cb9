"""The marks of a menu.

An empty field that can be chosen has a dot with its name; a field with a piece has marked corners, and its name on the
same ground. A chosen field has a frame, and its name in inverted colours. So every marked field shows its name, castles
as well. Fields are narrow and their names have no common place, so a mark without a name would seem to belong to
the next field.
"""

from functools import cache

from renderers.games.kalejdoschach.gems import SIDES
from renderers.games.kalejdoschach.places import label, seat
from renderers.games.kalejdoschach.window import Window
from renderers.lettering import width
from renderers.look import Look
from renderers.outlines import CASING, pieced, stamped, towards
from renderers.scene import Box, Disc, Point, Polygon, Sprite, Stamp, Text, moved
from rules.games.kalejdoschach import FIELDS

DOT = 21.0
"""Radius of a dot, which leaves the names on the board free."""
NAME = 27
"""Size of the name in a dot."""
BESIDE = 25
"""Size of the name beside a piece."""
GROUND = (-12.5, 12.5)
"""Top and bottom of the ground of a name beside a piece: like a dot, but off the things around it."""
MARGIN, NARROW = 2.5, 33.0
"""Margin of the ground at both sides of the name, and the least width of a name: a small i keeps off the rim."""
TAIL = 5.0
"""Additional depth of the ground under a g or a j."""
RIM = 1.5
FOOT = 19.0
"""Half the width of the foot of a piece, which the name leaves free."""
ARM = 11.0
"""Length of the marks in corners, so short that they are not a frame."""
INSET = 6.0
FRAME = 6.0


def possible(look: Look) -> tuple[str, ...]:
    """Return the fields that can be chosen next."""
    return tuple(field for field in dict.fromkeys(look.choices) if field in FIELDS and field not in look.chosen)


def offered(window: Window, field: str, *, taken: bool) -> Stamp:
    """Return the mark of a field that can be chosen, *taken* by a piece or empty."""
    return corners(window, field) if taken else Stamp(dot(field), seat(window, field))


def named(window: Window, field: str) -> Stamp:
    """Return the name of a field with a piece that can be chosen."""
    return _within(window, field, name(field))


def chosen(look: Look) -> tuple[str, ...]:
    """Return the chosen fields."""
    return tuple(field for field in dict.fromkeys(look.chosen) if field in FIELDS)


def renamed(window: Window, field: str) -> Stamp:
    """Return the name of a chosen field."""
    return _within(window, field, _named(field))


@cache
def dot(field: str) -> Sprite:
    """Return the mark of an empty field that can be chosen."""
    reach = DOT + CASING + 1
    shapes = (
        Disc((0, 0), DOT + CASING, "mark.case"),
        Disc((0, 0), DOT, "mark"),
        Text((0, 0), field, NAME, "mark.case", align="middle"),
    )
    return Sprite(f"choice {field}", (reach, reach), shapes, crisp=True, faceted=True)


@cache
def corners(window: Window, field: str) -> Stamp:
    """Return the mark of a field with a piece that can be chosen; the corner next to the field's name has none."""
    if not FIELDS[field].ring:
        return stamped(window.border(field, 0.5), is_chosen=False)
    x, y = window.corner(field)
    border, count = moved(window.border(field, INSET), (-x, -y)), 4 * (FIELDS[field].end - FIELDS[field].start) + 2
    said = named(window, field)
    reach = tuple(max(abs(point[axis]) for point in border) + INSET for axis in (0, 1))
    arms = (
        (towards(border[k], border[k - 1], ARM), border[k], towards(border[k], border[(k + 1) % count], ARM))
        for k in (0, count // 2 - 1, count // 2, count - 1)
    )
    free = (arm for arm in arms if not any(_lies_on(said, (u + x, v + y)) for u, v in arm))
    return Stamp(Sprite("choice", (reach[0], reach[1]), tuple(pieced(free)), crisp=True, faceted=True), (x, y))


def _lies_on(name: Stamp, at: Point) -> bool:
    """Return whether a mark at this point would touch a name."""
    return all(abs(at[k] - name.at[k]) < name.sprite.reach[k] + CASING + 1 for k in (0, 1))


@cache
def name(field: str) -> Sprite:
    """Return the name of a field with a piece that can be chosen."""
    return _grounded(f"lit {field}", field, "mark", "mark.case", "mark.case")


@cache
def _named(field: str) -> Sprite:
    """Return the name of a chosen field, in the colours of its frame."""
    return _grounded(f"chosen {field}", field, "mark.case", "mark", "mark")


def _grounded(sprite: str, field: str, ground: str, pen: str, rim: str) -> Sprite:
    top, bottom = GROUND
    bottom += TAIL if field[1] in "gj" else 0
    wide, high = max(NARROW, width(field, BESIDE)) + 2 * (MARGIN + RIM), bottom - top + 2 * RIM
    shapes = (
        Box((-wide / 2, top - RIM), (wide, high), ground, rim, RIM, round=12),
        Text((0, 0), field, BESIDE, pen, align="middle"),
    )
    return Sprite(sprite, (wide / 2 + 1, bottom + RIM + 1), shapes, crisp=True, faceted=True)


@cache
def _within(window: Window, field: str, sprite: Sprite) -> Stamp:
    """Return a name in its place, with its ground off the foot of the piece and inside the field."""
    border, (across, down) = window.border(field, 0.5), (reach - 1 for reach in sprite.reach)
    (left, top), (right, bottom) = (tuple(pick(it[axis] for it in border) for axis in (0, 1)) for pick in (min, max))
    (x, y), (u, v) = label(window, field), seat(window, field)
    if y - v < SIDES[1]:
        x = max(x, u + FOOT + across) if x > u else min(x, u - FOOT - across)
    return Stamp(sprite, (max(left + across, min(x, right - across)), max(top + down, min(y, bottom - down))))


@cache
def framed(window: Window, field: str) -> Stamp:
    """Return the frame of a chosen field."""
    x, y = window.corner(field)
    frame = moved(window.border(field, INSET), (-x, -y))
    reach = tuple(max(abs(point[axis]) for point in frame) + INSET for axis in (0, 1))
    cased = (Polygon(frame, "", "mark.case", FRAME + 2 * CASING), Polygon(frame, "", "mark", FRAME))
    return Stamp(Sprite("frame", (reach[0], reach[1]), cased, crisp=True, faceted=True), (x, y))
