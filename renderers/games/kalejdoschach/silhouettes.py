"""The nine kinds as silhouettes: an outline and its cuts (eyes, feathers, stripes).

The paths use their own grid: x to both sides of the middle, y from 0 at the head to 100 at the feet, straight (L) and
bowed (C, a cubic Bézier curve) from corner to corner. The eagle looks to the right, so that it differs from the horse;
all other kinds with a face look to the left.
"""

from functools import cache

from renderers.scene import Point

TALL = 102.0
"""Height from the head to the feet, on the grid."""
BOW = 6
"""Number of straight pieces of a bow."""

_SHAPES = {
    # a wizard's hat
    "w": """
        M -31 79 C -20 62 -14 36 -9 20 C -6 8 4 -3 14 -3 C 24 -3 31 4 34 17 L 30 24 C 26 15 20 13 14
          20 C 16 38 24 62 32 79 C 52 83 60 90 60 95 C 50 104 22 105 0 105 C -22 105 -50 104 -60 95
          C -60 90 -52 83 -31 79
        M -29 75 C -12 84 13 84 30 75 L 33 84 C 14 93 -14 93 -33 84
        M 4 35 L 8 45 L 18 46 L 10 53 L 13 63 L 4 57 L -5 63 L -2 53 L -10 46 L 0 45
    """,
    # a dragon with one wing raised; without cuts in the wing, which would be grey at small size
    "d": """
        M -60 30 L -44 16 C -40 10 -34 8 -28 8 L -14 -4 L -16 10 L -2 8 L -10 20 C -4 30 -4 40 -10
          50 L -4 54 C 0 36 8 16 26 -2 L 60 2 C 44 8 42 16 47 28 C 35 27 29 35 30 46 C 22 46 18 52
          16 62 C 26 72 34 78 44 78 C 50 78 52 74 50 70 L 44 70 L 58 54 L 64 74 L 59 73 C 60 90 48
          102 34 102 L 10 102 L 8 92 L 2 102 L -22 102 L -14 90 C -26 84 -32 70 -26 56 C -24 50 -24
          46 -26 42 C -32 44 -36 42 -40 40 L -54 42 L -52 36
        M -36 20 L -24 15 L -27 25
    """,
    # a roc, its wings spread
    "r": """
        M -4 12 L -15 15 C -11 4 -3 0 6 2 C 14 4 16 12 12 20 L 12 29 C 20 19 28 11 40 8 C 53 6 61 16
          62 32 L 62 55 L 55 46 L 52 60 L 46 47 L 42 58 L 36 46 L 31 57 C 27 54 20 57 13 63 L 10 74
          L 25 98 L 13 93 L 9 102 L 0 95 L -9 102 L -13 93 L -25 98 L -10 74 L -13 63 C -20 57 -27
          54 -31 57 L -36 46 L -42 58 L -46 47 L -52 60 L -55 46 L -62 55 L -62 32 C -61 16 -53 6
          -40 8 C -28 11 -20 19 -10 29 L -8 22
        M 1 8 L 7 8 L 6 13 L 1 13
    """,
    # an eagle's head: ragged feathers, and a large hooked beak with a seam and with air under it
    "e": """
        M 64 50 C 62 34 50 25 28 23 C 20 9 8 2 -6 2 C -24 2 -35 14 -37 31 L -53 38 L -38 49 L -53 61
          L -37 70 L -48 86 L -36 88 L -39 102 L 12 102 C 1 92 -3 80 2 68 L 22 64 L 25 57 L 42 55 C
          48 61 48 72 44 86 C 58 80 66 66 64 50
        M -9 15 L 17 26 C 12 38 -5 36 -9 15
        M 21 26 L 30 28 C 26 38 26 48 28 57 L 18 59 C 16 46 17 36 21 26
    """,
    # a raven
    "v": """
        M -60 24 L -32 12 C -28 2 -18 -3 -8 -1 C 4 1 10 10 10 22 C 28 30 40 46 46 62 L 62 92 L 54 92
          L 44 84 L 46 94 L 36 84 C 28 84 20 84 14 82 L 16 96 L 28 96 L 28 102 L -10 102 L -10 96 L
          8 96 L 4 82 L -2 80 L -2 96 L -10 96 L -10 78 C -24 70 -30 54 -28 40 L -30 30 L -42 30
        M -22 9 L -15 9 L -15 16 L -22 16
        M 4 36 C 20 42 32 54 40 70 C 26 70 10 62 4 36
    """,
    # an elephant
    "l": """
        M -58 92 C -50 96 -46 88 -46 74 L -48 46 C -50 22 -40 8 -24 8 C -16 4 -8 4 -2 8 C 14 4 34 4
          46 16 C 56 26 56 40 55 52 L 58 70 L 54 70 L 52 58 L 52 102 L 34 102 L 32 69 L 4 69 L 2 102
          L -16 102 L -18 72 C -22 72 -26 70 -28 66 L -44 80 L -34 62 C -36 76 -36 98 -48 102 C -56
          104 -60 100 -58 92
        M -14 18 C 2 16 8 28 6 42 C 4 54 -4 60 -12 58 C -14 48 -22 46 -22 34 L -15 34 C -14 41 -8 43
          -7 50 C -3 48 -2 45 -2 40 C -1 31 -4 25 -14 25
        M -36 26 L -30 26 L -30 32 L -36 32
    """,
    # a tiger's face
    "t": """
        M 0 8 C 10 8 18 9 24 12 C 28 4 38 0 46 4 C 52 10 50 22 44 30 C 48 38 50 44 50 50 L 60 58 L
          50 64 L 56 74 L 42 76 C 36 92 18 102 0 102 C -18 102 -36 92 -42 76 L -56 74 L -50 64 L -60
          58 L -50 50 C -50 44 -48 38 -44 30 C -50 22 -52 10 -46 4 C -38 0 -28 4 -24 12 C -18 9 -10
          8 0 8
        M -4 9 L 4 9 L 0 36
        M -20 13 L -12 10 L -6 32
        M 20 13 L 12 10 L 6 32
        M -35 43 L -11 52 C -14 62 -28 61 -35 43
        M 35 43 L 11 52 C 14 62 28 61 35 43
        M -10 66 L 10 66 L 2 76 L 2 82 C 8 86 14 86 18 82 L 20 86 C 14 94 6 92 0 88 C -6 92 -14 94
          -20 86 L -18 82 C -14 86 -8 86 -2 82 L -2 76
        M -53 54 L -50 50 L -30 65 L -52 66
        M 53 54 L 50 50 L 30 65 L 52 66
        M -46 76 L -54 71 L -28 74 L -40 82
        M 46 76 L 54 71 L 28 74 L 40 82
    """,
    # a horse's head, the knight of every chess set
    "h": """
        M -2 -4 L 6 8 C 34 14 50 44 48 102 L -36 102 C -36 84 -14 72 -8 54 C -18 60 -26 58 -32 66 L
          -36 74 L -44 72 L -54 66 C -54 58 -46 48 -42 38 C -40 26 -32 16 -20 12 L -18 0 L -10 8
        M -28 28 L -18 24 L -20 33
        M 10 16 C 30 26 40 56 40 92 L 34 92 C 34 60 26 34 10 16
    """,
    # a pawn
    "p": """
        M 0 0 C 13 0 23 9 23 22 C 23 30 19 37 13 41 L 24 46 L 24 54 L 12 54 C 14 70 22 80 34 86 L 36
          102 L -36 102 L -34 86 C -22 80 -14 70 -12 54 L -24 54 L -24 46 L -13 41 C -19 37 -23 30
          -23 22 C -23 9 -13 0 0 0
    """,
}


@cache
def silhouette(kind: str, tall: float, feet: Point = (0, 0)) -> tuple[tuple[Point, ...], ...]:
    """Return the outline of a kind, *tall* high with its lowest point at *feet*, and the outlines of its cuts."""
    scale = tall / TALL
    return tuple(
        tuple((feet[0] + x * scale, feet[1] + (y - TALL) * scale) for x, y in _corners("M" + path))
        for path in _SHAPES[kind].split("M")[1:]
    )


def _corners(path: str) -> list[Point]:
    """Return the corners of a path, with straight pieces in place of bows.

    >>> _corners("M 0 0 L 10 0 L 10 5")
    [(0.0, 0.0), (10.0, 0.0), (10.0, 5.0)]
    """
    words = iter(path.split())
    corners: list[Point] = []
    for word in words:
        to = [(float(next(words)), float(next(words))) for _ in range(3 if word == "C" else 1)]
        corners += _bow(corners[-1], *to) if word == "C" else to
    return corners


def _bow(start: Point, leave: Point, reach: Point, end: Point) -> list[Point]:
    """Return points on a cubic Bézier curve, without its start."""
    weights = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in _PARTS]
    points = (start, leave, reach, end)
    return [
        (
            sum(w * p[0] for w, p in zip(row, points, strict=True)),
            sum(w * p[1] for w, p in zip(row, points, strict=True)),
        )
        for row in weights
    ]


_PARTS = [k / BOW for k in range(1, BOW + 1)]
