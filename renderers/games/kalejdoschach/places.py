"""The places of a piece and of the name on a field; both are upright in every direction of the field.

The name is in the same place with and without a piece, below the piece and off the leads. No name on a full board is
under a piece.
"""

from functools import cache

from renderers.games.kalejdoschach.window import Window
from renderers.scene import Point

LABEL = (14, 9)
"""Half the size of a name."""

_RIGHT = {
    "00": (0, -18, 0, 31),
    "1a": (-4, -12, -4, 30),
    "1b": (-4, -13, 7, 29),
    "1c": (-6, -10, -4, 32),
    "1d": (7, -12, -6, 31),
    "1e": (13, -11, -30, 7),
    "1f": (-3, -12, 0, 30),
    "1g": (4, -14, -7, 28),
    "1h": (5, -18, -4, 24),
    "1i": (3, -7, -4, 36),
    "1j": (12, -19, -14, 23),
    "1k": (15, -10, -22, 32),
    "2a": (0, -18, 0, 24),
    "2b": (-4, -15, -4, 27),
    "2d": (-10, -5, 37, 8),
    "2f": (-16, 0, 30, 11),
    "2g": (14, -6, -24, 22),
    "2i": (-20, 4, 27, 12),
    "2j": (19, -2, -28, 18),
    "6a": (0, -12, 0, 30),
    "6c": (-5, -14, 5, 29),
    "6e": (-20, -3, 27, 16),
    "6g": (21, -6, -25, 0),
    "6h": (-7, -16, 14, 26),
    "6j": (15, -2, -32, 20),
    "6k": (-21, -6, 25, 26),
    "7a": (-12, -1, 34, 7),
    "7b": (0, -16, -4, 26),
    "7c": (5, -19, -4, 23),
    "7d": (-18, -8, 27, 12),
    "7e": (-2, -9, 4, 34),
    "7f": (-9, -16, 8, 26),
    "7g": (-7, -16, 1, 26),
    "7h": (-2, -13, -4, 29),
    "7i": (-17, -13, 17, 31),
    "7j": (-9, -20, 10, 23),
    "7k": (-3, -6, 2, 37),
    "8a": (7, -13, 14, 29),
    "8b": (-16, 3, 27, 21),
    "8c": (22, -6, -23, 12),
    "8d": (-3, -14, -3, 38),
    "8e": (4, -18, 1, 36),
    "8f": (7, -13, 2, 29),
    "8g": (6, -13, 14, 29),
    "8h": (-1, -13, 8, 30),
    "8i": (-3, -16, -3, 39),
    "8j": (3, -19, 3, 37),
    "8k": (4, -17, 4, 40),
}
"""Offsets of the piece and of the name from the middle of a field, for the right half of the unturned window.

They were found by trial, each as far from leads, pieces and names as possible. The left half is the mirror image.
"""
_MIRRORED = "acbedhgfkji"
"""The mirrored letters of a slice."""


def seat(window: Window, field: str) -> Point:
    """Return the place of a piece on a field."""
    return _places(window, field)[0]


def label(window: Window, field: str) -> Point:
    """Return the place of the name of a field."""
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
