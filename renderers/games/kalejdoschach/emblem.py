"""The game's own sign: a knight before a round window of cut glass."""

from functools import cache

from renderers.games.kalejdoschach.silhouettes import silhouette
from renderers.scene import Disc, Polygon, Sector, Sprite

RADIUS = 23.5
PANES = ("teal.dark", "violet.dark", "teal", "violet")


@cache
def emblem() -> Sprite:
    shape, *cuts = silhouette("h", 31, (0.5, 16))
    return Sprite(
        "emblem kalejdoschach",
        (24, 24),
        (
            Disc((0, 0), RADIUS, "yellow", "ink", 2),
            *(Sector((0, 0), 0, RADIUS - 4, 45 * k, 45 * k + 45, PANES[k % 2 + 2 * (k > 4)]) for k in range(8)),
            Polygon(shape, "ink", "ink", 3.5),
            Polygon(shape, "paper"),
            *(Polygon(cut, "ink") for cut in cuts),
        ),
    )
