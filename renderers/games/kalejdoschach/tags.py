"""Names of fields that are painted again over the bright edges of pieces, which would hide them."""

from functools import cache

from renderers.games.kalejdoschach.gems import HALO, SIDES
from renderers.games.kalejdoschach.places import LABEL, label, seat
from renderers.games.kalejdoschach.track import PILL, RISE
from renderers.games.kalejdoschach.window import Window
from renderers.scene import TEXT_MIN, Box, Sprite, Text
from rules.games.kalejdoschach import FIELDS


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
    wide, high = PILL
    shapes = (
        Box((-wide / 2, -RISE), PILL, "panel", round=6),
        Text((0, 0), field, TEXT_MIN, bold=False, align="middle"),
    )
    return Sprite(f"tag {field}", (wide / 2 + 1, high - RISE + 1), shapes, crisp=True)
