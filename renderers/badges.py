"""The badge of a win over the house: the game's emblem in cut glass, under a crown or the stars of a level."""

from renderers import drawers
from renderers.cards import framed
from renderers.frame import crowned
from renderers.scene import AnyShape, Disc, Scene, Stamp, magnified
from renderers.signs import figure

SIDE = 240
KILOBYTES = 15
EYE = (120, 120)
RADIUS, RIM = 112, 16
RIMS = ("yellow", "green", "blue", "red")
"""Hues of the cut glass by number of stars."""
STAR, APART = 13.0, 34
TOP = 62


def scene(game: str, stars: int) -> Scene:
    """Return the badge of *game*. *stars*: the stars of the level, from 1; 0 for a story, which has a crown."""
    x, y = EYE
    shapes: list[AnyShape] = [Disc(EYE, RADIUS, "ground.light"), *framed(RIMS[stars], EYE, RADIUS, RIM)]
    shapes.append(Stamp(magnified(drawers()[game].emblem(), 2.4), (x, y + 24)))
    if stars:
        left = x - APART * (stars - 1) / 2
        shapes += [figure("star", (left + APART * n, TOP), STAR, "yellow", "ink") for n in range(stars)]
    else:
        shapes.append(Stamp(crowned(), (x, TOP)))
    return Scene((SIDE, SIDE), (), tuple(shapes), KILOBYTES)
