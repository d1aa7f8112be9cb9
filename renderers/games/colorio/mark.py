"""The mark of the game: a crown cap with a window of the five colours."""

from functools import cache

from renderers.games.colorio import caps
from renderers.scene import Disc, Polygon, Sprite
from rules.games.colorio.board import Colour

FACE = 0.78
"""Radius of the window in the cap, as a part of the whole."""


@cache
def sign(radius: float, ground: str = "") -> Sprite:
    """Return the edge of a cap around a flower of the five colours, lit from the upper left; with a *ground* as a
    tile."""
    face = radius * FACE
    petals = []
    for k, colour in enumerate(Colour):
        axis = 360 * k / len(Colour)
        tip = caps.at(face * 0.96, axis)
        for side in (-1, 1):
            wide = caps.at(face * 0.76, axis + side * 32)
            petals.append(Polygon(((0, 0), wide, tip), colour.word + (".light" if side < 0 else ".dark")))
    return Sprite(
        f"mark {radius:g}",
        (radius + 3, radius + 3),
        (Polygon(caps.edge(radius), "white", "ink", 3), Disc((0, 0), face, "ink"), *petals),
        ground,
    )
