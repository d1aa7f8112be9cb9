"""Names of fields with pieces, on quiet ground; and those that bright edges of pieces would hide, painted again."""

from functools import cache

from renderers.games.kalejdoschach.gems import HALO, SIDES
from renderers.games.kalejdoschach.places import LABEL, label, seat
from renderers.games.kalejdoschach.window import Window
from renderers.scene import TEXT_MIN, Box, Sprite, Text
from rules.games.kalejdoschach import FIELDS

TAG, RISE = (36, 29), 12
"""Size of the ground of a name, and its height above the middle of the capitals: below it there is room for the tail
of a g or a j."""


@cache
def near(window: Window, field: str) -> tuple[str, ...]:
    """Return the fields whose names the bright edge of a piece on *field* would touch."""
    x, y = seat(window, field)
    wide, high = (half + 2 * HALO + name for half, name in zip(SIDES, LABEL, strict=True))
    places = ((other, label(window, other)) for other in FIELDS)
    return tuple(other for other, (u, v) in places if abs(u - x) < wide and abs(v - y) < high)


@cache
def tag(field: str) -> Sprite:
    """Return the name of a field on quiet ground."""
    wide, high = TAG
    shapes = (
        Box((-wide / 2, -RISE), TAG, "panel", round=6),
        Text((0, 0), field, TEXT_MIN, bold=False, align="middle"),
    )
    return Sprite(f"tag {field}", (wide / 2 + 1, high - RISE + 1), shapes, crisp=True)
