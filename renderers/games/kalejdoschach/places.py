"""Where on its field a piece stands, and where the name of the field: both upright, whatever way the field lies.

The name is always at the same place, with a piece or without, below the piece and off the leads; a full board has no
name under a piece.
"""

from functools import cache

from renderers.games.kalejdoschach.window import Window
from renderers.scene import Point

LABEL = (16, 9)
"""Half the size of a name."""

_RIGHT = {
    "00": (0, -12, 0, 25),
    "1a": (-2, -11, -2, 26),
    "1b": (-8, -13, 5, 23),
    "1c": (-3, -13, -2, 24),
    "1d": (0, -13, 0, 24),
    "1e": (6, -16, -2, 21),
    "1f": (0, -12, 0, 25),
    "1g": (2, -15, -2, 22),
    "1h": (7, -15, -6, 22),
    "1i": (0, -13, 0, 24),
    "1j": (2, -15, -12, 21),
    "1k": (4, -14, -6, 23),
    "2a": (0, -12, 0, 25),
    "2b": (0, -13, -1, 24),
    "2d": (9, -14, -4, 22),
    "2f": (10, -13, -10, 23),
    "2g": (0, -16, 0, 20),
    "2i": (6, -13, -8, 23),
    "2j": (0, -12, 0, 24),
    "6a": (0, -12, 0, 25),
    "6c": (-2, -13, -1, 24),
    "6e": (-5, -13, 8, 23),
    "6g": (0, -11, 0, 25),
    "6h": (-9, -13, 11, 23),
    "6j": (0, -14, 0, 22),
    "6k": (-6, -13, 8, 23),
    "7a": (-1, -17, -1, 20),
    "7b": (-1, -16, -3, 21),
    "7c": (5, -18, -4, 19),
    "7d": (-4, -14, 5, 23),
    "7e": (0, -12, 0, 25),
    "7f": (-7, -15, 5, 22),
    "7g": (-1, -13, 3, 24),
    "7h": (0, -13, 0, 25),
    "7i": (-3, -13, 8, 24),
    "7j": (-2, -15, 10, 21),
    "7k": (0, -13, 0, 24),
    "8a": (9, -15, 5, 22),
    "8b": (12, -17, 3, 19),
    "8c": (1, -12, 13, 24),
    "8d": (0, -12, 0, 25),
    "8e": (0, -12, 0, 25),
    "8f": (0, -12, 0, 25),
    "8g": (0, -12, 0, 25),
    "8h": (0, -13, 0, 24),
    "8i": (0, -12, 0, 25),
    "8j": (0, -12, 0, 25),
    "8k": (0, -13, 0, 25),
}
"""How far from the middle of a field its piece stands, and its name: for the right half of a window not turned.

Found by trying: each as far from leads, pieces and names as there is room. The left half is its mirror image.
"""
_MIRRORED = "acbedhgfkji"
"""What the letters of a slice become when it is mirrored."""


def seat(window: Window, field: str) -> Point:
    """Where a piece stands on a field."""
    return _places(window, field)[0]


def label(window: Window, field: str) -> Point:
    """Where the name of a field stands."""
    return _places(window, field)[1]


@cache
def _places(window: Window, field: str) -> tuple[Point, Point]:
    x, y = window.middle(field)
    side, place = 1, field
    if field != "00":
        slice_, letter = (int(field[0]) - 1 + window.turned) % 8 + 1, field[1]
        place = f"{slice_}{letter}"
        if place not in _RIGHT:
            side, place = -1, f"{(11 - slice_) % 8 + 1}{_MIRRORED['abcdefghijk'.index(letter)]}"
    dx, dy, down, below = _RIGHT[place]
    return (x + side * dx, y + dy), (x + side * down, y + below)
