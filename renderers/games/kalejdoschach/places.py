"""The places of a piece and of the name on a field; both are upright in every direction of the field.

The name is in the same place with and without a piece, below the piece and off the leads. No name on a full board is
under a piece.
"""

from functools import cache

from renderers.games.kalejdoschach.window import Window
from renderers.scene import Point

LABEL = (16, 9)
"""Half the size of a name."""

_RIGHT = {
    "00": (0, -13, 0, 30),
    "1a": (-6, -10, -4, 33),
    "1b": (-11, -11, 31, -7),
    "1c": (-5, -11, -3, 32),
    "1d": (6, -15, -10, 28),
    "1e": (12, -12, -32, 2),
    "1f": (-1, -12, 1, 31),
    "1g": (2, -16, -5, 26),
    "1h": (-13, -2, 31, 3),
    "1i": (3, -11, -8, 32),
    "1j": (12, -22, -14, 20),
    "1k": (13, -11, -31, 2),
    "2a": (0, -13, 0, 30),
    "2b": (-2, -13, -15, 30),
    "2d": (-18, 1, 31, 5),
    "2f": (-14, -3, 30, 13),
    "2g": (17, 4, -27, 20),
    "2i": (-16, 2, 33, 5),
    "2j": (-11, 0, 33, 13),
    "6a": (0, -12, -4, 31),
    "6c": (-8, -15, 2, 28),
    "6e": (-18, -4, 26, 8),
    "6g": (17, -10, -26, -6),
    "6h": (-18, -12, 26, -3),
    "6j": (-15, 0, 29, 12),
    "6k": (-15, -5, 29, 7),
    "7a": (-3, -19, -8, 24),
    "7b": (-1, -16, -5, 27),
    "7c": (-11, 3, 31, 6),
    "7d": (-15, -12, 29, 10),
    "7e": (-6, -13, 7, 30),
    "7f": (-13, -9, 31, -3),
    "7g": (-5, -18, 2, 24),
    "7h": (0, -13, -4, 30),
    "7i": (-12, -10, 32, 6),
    "7j": (-15, -22, 13, 20),
    "7k": (-3, -10, 6, 33),
    "8a": (16, -14, 19, 29),
    "8b": (-16, 4, 28, 23),
    "8c": (17, -6, -27, 8),
    "8d": (0, -8, 0, 35),
    "8e": (0, -10, 0, 33),
    "8f": (5, -13, -11, 30),
    "8g": (11, -15, 18, 28),
    "8h": (-3, -13, 8, 30),
    "8i": (0, -7, 0, 36),
    "8j": (1, -10, 5, 33),
    "8k": (0, -8, 0, 35),
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
