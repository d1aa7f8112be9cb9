"""The four symbols as figures of their own, in light stone and ink, which contrast with glass of any colour."""

from functools import cache

from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite
from renderers.signs import regular

NAMES = {"r": "rock", "p": "paper", "s": "scissors", "d": "dynamite"}


READ = 12
"""From this radius on a small sheet has writing."""


def _scaled(radius: float, *points: Point) -> tuple[Point, ...]:
    return tuple((x * radius, y * radius) for x, y in points)


def rock(radius: float, line: float, *, plain: bool = False) -> tuple[AnyShape, ...]:
    """Return a round, cut boulder."""
    rim = _scaled(
        radius,
        (-0.52, -0.84),
        (0.3, -0.92),
        (0.92, -0.4),
        (1.04, 0.32),
        (0.6, 0.86),
        (-0.5, 0.88),
        (-1.06, 0.34),
        (-0.98, -0.34),
    )
    top, crown, foot = _scaled(radius, (-0.28, -0.3), (0.42, -0.26), (0.1, 0.42))
    if plain:
        return (
            Polygon(rim, "ink", "ink", 2 * line),
            Polygon(rim, "white.pale"),
            Polygon((rim[2], rim[3], rim[4], rim[5], foot, crown), "stone"),
        )
    return (
        Polygon(rim, "ink", "ink", 2 * line),
        Polygon(rim, "white.dark"),
        Polygon((rim[7], rim[0], top), "white.pale"),
        Polygon((rim[0], rim[1], crown, top), "white.light"),
        Polygon((rim[1], rim[2], crown), "white"),
        Polygon((rim[2], rim[3], crown), "white.dark"),
        Polygon((top, crown, foot), "white"),
        Polygon((rim[6], rim[7], top), "white"),
        Polygon((rim[6], top, foot, rim[5]), "white.dark"),
        Polygon((crown, rim[3], rim[4], foot), "stone"),
        Polygon((foot, rim[4], rim[5]), "white.deep"),
    )


def paper(radius: float, line: float, *, plain: bool = False) -> tuple[AnyShape, ...]:
    """Return a sheet with a folded corner and some lines of writing."""
    sheet = _scaled(radius, (-0.84, -1.0), (0.34, -1.0), (0.84, -0.46), (0.84, 1.0), (-0.84, 1.0))
    fold = _scaled(radius, (0.34, -1.0), (0.84, -0.46), (0.34, -0.46))
    pen = radius * (0.22 if plain else 0.13)
    few = ((-0.5, 0.02, 0.5), (-0.5, 0.52, 0.5)) if radius > READ else ()
    writing = few if plain else ((-0.5, -0.42, 0.06), (-0.5, -0.02, 0.5), (-0.5, 0.36, 0.5), (-0.5, 0.72, 0.2))
    return (
        Polygon(sheet, "ink", "ink", 2 * line),
        Polygon(sheet, "paper"),
        Polygon(fold, "stone" if plain else "white.dark"),
        *(Line(_scaled(radius, (x0, y), (x1, y)), "stone", pen) for x0, y, x1 in writing),
    )


def scissors(radius: float, line: float) -> tuple[AnyShape, ...]:
    """Return open scissors, points up."""
    shapes: list[AnyShape] = []
    pieces: list[AnyShape] = []
    for side in (-1, 1):
        blade = _scaled(radius, (-0.2 * side, 0.3), (0.72 * side, -1.06), (0.78 * side, -0.5), (0.12 * side, 0.42))
        hand = (0.52 * side * radius, 0.68 * radius)
        arm = _scaled(radius, (-0.06 * side, 0.02), (0.44 * side, 0.5))
        shapes += [
            Polygon(blade, "ink", "ink", 2 * line),
            Disc(hand, 0.38 * radius + line, "", "ink", 0.2 * radius + 2 * line),
            Line(arm, "ink", 0.2 * radius + 2 * line),
        ]
        pieces += [
            Line(arm, "white", 0.2 * radius),
            Disc(hand, 0.38 * radius, "", "white", 0.2 * radius),
            Polygon(blade, "white.pale" if side > 0 else "white"),
        ]
    return (*shapes, *pieces, Disc((0, 0.22 * radius), 0.1 * radius, "ink"))


def dynamite(radius: float, line: float, *, plain: bool = False) -> tuple[AnyShape, ...]:
    """Return a bundle of three sticks with a burning fuse."""
    left, wide = -0.98 * radius, 0.5 * radius
    top, foot = -0.5 * radius, 1.0 * radius
    fuse = _scaled(radius, (-0.23, -0.48), (-0.14, -0.86), (0.22, -0.98), (0.56, -0.82))
    spark = regular((0.82 * radius, -0.66 * radius), 0.5 * radius, 8, 0, 0.22 * radius)
    tones, gap = ("white.pale", "white", "white.dark"), line * 0.6
    band: tuple[AnyShape, ...] = (
        Box((left, 0.1 * radius), (3 * wide, 0.44 * radius), "ink"),
        Box((left, 0.21 * radius), (3 * wide, 0.22 * radius), "stone"),
    )
    if plain:  # three bright sticks, well apart, and a large spark
        fuse = _scaled(radius, (-0.23, -0.48), (0.1, -0.86), (0.6, -0.78))
        spark = regular((0.74 * radius, -0.6 * radius), 0.62 * radius, 6, 0, 0.34 * radius)
        tones, gap, band = ("white.pale", "white.pale", "white"), 0.16 * radius, ()
    return (
        Line(fuse, "ink", 0.16 * radius + 2 * line),
        Box((left - line, top - line), (3 * wide + 2 * line, foot - top + 2 * line), "ink", round=0.22 * radius),
        *(
            Box((left + k * wide, top), (wide - gap, foot - top), tone, round=0.17 * radius)
            for k, tone in enumerate(tones)
        ),
        *band,
        Line(fuse, "paper", 0.16 * radius),
        Polygon(spark, "ink", "ink", 2 * line),
        Polygon(spark, "yellow.light"),
    )


def drawing(symbol: str, radius: float, line: float, *, plain: bool = False) -> tuple[AnyShape, ...]:
    """Return the figure of *symbol*, about *radius* to all sides of (0, 0), with an outline; *plain*: small, few
    details."""
    match symbol:
        case "r":
            return rock(radius, line, plain=plain)
        case "p":
            return paper(radius, line, plain=plain)
        case "s":
            return scissors(radius, line)
        case "d":
            return dynamite(radius, line, plain=plain)
        case _:
            raise KeyError(symbol)


@cache
def small(symbol: str, radius: float = 12) -> Sprite:
    """Return the figure for the panel."""
    return Sprite(
        f"{NAMES[symbol]} {radius:g}", (radius * 1.15 + 2, radius * 1.15 + 2), drawing(symbol, radius, 1.6, plain=True)
    )
