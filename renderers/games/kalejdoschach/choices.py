"""The marks of a menu: a dot with its name on an empty field that can be chosen, light in the whole pane under a piece,
and a frame round what was chosen, with its name on bright ground.

Pieces stand close together: whatever went round their fields would run into one line. Fields are narrow and their names
lie where there is room, so that a dot without one would be taken for the field beside it.
"""

from collections.abc import Iterator
from functools import cache

from renderers import Look
from renderers.games.kalejdoschach.places import label, seat
from renderers.games.kalejdoschach.track import PILL, RISE
from renderers.games.kalejdoschach.window import Window
from renderers.outlines import CASING
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Polygon, Sprite, Stamp, Text, shifted
from rules.games.kalejdoschach import CASTLES, FIELDS, State

DOT = 21.0
"""As large as leaves the names on the board free."""
NAME = 27
"""Of the name in a dot."""
INSET = 6.0
FRAME = 6.0
TAIL = 6
"""So much lower lies the ground of a name with a tail."""
LIT = 8.0
"""From the middle of the leads to the light in a pane: frames of castles, and of the last move, stay round it."""


def possible(look: Look) -> tuple[str, ...]:
    """The fields that can be chosen next."""
    return tuple(field for field in dict.fromkeys(look.choices) if field in FIELDS and field not in look.chosen)


def offered(view: State, window: Window, field: str) -> Stamp:
    """The mark of a field that can be chosen. Its light covers a pane: a piece and a name belong over it."""
    return Stamp(dot(field), seat(window, field)) if view.at(field) is None else _lit(window, field)


def chosen(look: Look, window: Window) -> Iterator[AnyShape]:
    """The marks of the fields that were chosen."""
    for field in dict.fromkeys(look.chosen):
        if field in FIELDS:
            yield _framed(window, field)
            yield Stamp(_named(field), label(window, field))


@cache
def dot(field: str) -> Sprite:
    """The mark of an empty field that can be chosen."""
    reach = DOT + CASING + 1
    shapes = (
        Disc((0, 0), DOT + CASING, "mark.case"),
        Disc((0, 0), DOT, "mark"),
        Text((0, 0), field, NAME, "mark.case", align="middle"),
    )
    return Sprite(f"choice {field}", (reach, reach), shapes, crisp=True, faceted=True)


@cache
def _named(field: str) -> Sprite:
    """The name of a field that was chosen, in the colours of its frame."""
    wide, high = PILL
    shapes = (
        Box((-wide / 2, -RISE - 1), PILL, "mark", "mark.case", 2, round=7),
        Text((0, 0), field, TEXT_MIN, "mark.case", align="middle"),
    )
    return Sprite(f"chosen {field}", (wide / 2 + 1, high - RISE + 1), shapes, crisp=True)


@cache
def name(field: str) -> Sprite:
    """The name of a field whose pane is lit, on light of its own where it reaches beyond: the tail of a j as well."""
    wide, high = PILL
    tail = 0 if field[1] in "gj" else TAIL
    shapes = (
        Box((1 - wide / 2, 2 - RISE), (wide - 2, high - 2 - tail), "mark", round=6),
        Text((0, 0), field, TEXT_MIN, "mark.case", align="middle"),
    )
    return Sprite(f"lit {field}", (wide / 2, high - RISE + 1), shapes, crisp=True, faceted=True)


@cache
def _lit(window: Window, field: str) -> Stamp:
    """The light in the pane of a field with a piece."""
    light, edge = ("paper", "ink") if field in CASTLES else ("mark", "mark.case")  # castles are dark in both themes
    return _stamped("choice", window, field, (Polygon(window.border(field, LIT), light, edge, 2),))


@cache
def _framed(window: Window, field: str) -> Stamp:
    """The frame of a field that was chosen."""
    frame = window.border(field, INSET)
    cased = (Polygon(frame, "", "mark.case", FRAME + 2 * CASING), Polygon(frame, "", "mark", FRAME))
    return _stamped("frame", window, field, cased)


def _stamped(name: str, window: Window, field: str, shapes: tuple[AnyShape, ...]) -> Stamp:
    x, y = (round(place) for place in window.middle(field))
    around = [(abs(a - x), abs(b - y)) for a, b in window.border(field, 0)]
    reach = max(a for a, _ in around), max(b for _, b in around)
    return Stamp(
        Sprite(name, reach, tuple(shifted(shape, (-x, -y)) for shape in shapes), crisp=True, faceted=True), (x, y)
    )
