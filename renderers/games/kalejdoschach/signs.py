"""The signs of the margin: castles, reasons for being out, the die, losses."""

from functools import cache, lru_cache

from renderers.games.kalejdoschach.silhouettes import silhouette
from renderers.lettering import width
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Polygon, Sprite, Stamp, Text, moved
from renderers.signs import crown, hourglass, house, skip, stuck

SMALL = 29
"""Height of the figure of a captured piece."""


@cache
def die(number: int, *, used: bool = True) -> Sprite:
    """Return a die with its number, which is more readable than pips; pale if its seat could not use it."""
    fill, pen, rim = ("paper", "ink", "ink") if used else ("panel", "muted", "muted")
    return Sprite(
        f"die {number}{'' if used else ' skipped'}",
        (18, 18),
        (
            Box((-17, -17), (34, 34), fill, rim, 2.5, round=8),
            Text((0, 0), str(number), 28, pen, align="middle"),
        ),
    )


def _tower(colour: str) -> Polygon:
    """Return a castle's tower with three battlements."""
    half = ((-10, 11), (-8, 6), (-8, -3), (-11, -5), (-11, -12), (-6, -12), (-6, -8), (-2.5, -8), (-2.5, -12))
    return Polygon((*half, *((-x, y) for x, y in reversed(half))), colour)


@cache
def castle(colour: str = "text") -> Sprite:
    return Sprite(f"castle {colour}", (13, 14), (_tower(colour),))


@cache
def warning() -> Sprite:
    """Return the warning that only one castle is left."""
    return Sprite(
        "warning",
        (15, 14),
        (
            Polygon(((0, -12), (13, 11), (-13, 11)), "warn", "warn", 3),
            Line(((0, -4), (0, 3)), "panel", 3.5),
            Disc((0, 8), 2.2, "panel"),
        ),
    )


@cache
def why(reason: str) -> Sprite:
    """Return the reason for which a seat is out or the game is drawn: a tower struck through, a white flag, a
    barred ring, …"""
    shapes: tuple[AnyShape, ...]
    match reason:
        case "castle":
            shapes = (_tower("muted"), Line(((-13, 13), (13, -13)), "warn", 4))
        case "capitulation":
            shapes = (
                Line(((-9, 13), (-9, -13)), "muted", 3),
                Polygon(((-8, -13), (12, -10), (12, 2), (-8, 0)), "paper", "muted"),
            )
        case "agreed":
            shapes = (Text((0, 0), "½", 34, "muted", align="middle"),)
        case "blocked" | "stalled":
            shapes = stuck((0, 0), 13, "warn")
        case _:
            shapes = hourglass((0, 0), 13, "muted")
    return Sprite(f"out by {reason}", (15, 15), shapes)


@cache
def drawn(reason: str) -> Sprite:
    """Return the reason of a draw, beside the window."""
    return Sprite(f"drawn by {reason}", (22, 22), (Stamp(why(reason), (0, 0)),), "ground")


@lru_cache(128)
def quiet(rounds: int, limit: int) -> Sprite:
    """Return the number of rounds without a capture, and its limit."""
    shapes = (
        Stamp(why("quiet"), (0, -32)),
        Text((0, 0), str(rounds), TEXT_MIN + 2, align="middle"),
        Text((0, 30), f"/{limit}", TEXT_MIN, "muted", align="middle"),
    )
    return Sprite(f"quiet {rounds}/{limit}", (40, 50), shapes, "ground")


@cache
def skipped() -> Sprite:
    return Sprite("skipped", (14, 12), skip((0, 0), 12, "muted"))


@cache
def crowned() -> Sprite:
    return Sprite("crown", (20, 17), crown((0, 2), 16, "yellow", "ink"))


@cache
def housed() -> Sprite:
    return Sprite("house", (15, 15), house((0, 0), 13, "muted"))


@lru_cache(512)
def captured(kind: str, number: int, *, newest: bool = False) -> Sprite:
    """Return the captured pieces of a kind: a small figure, and the number unless it is one; the *newest* one is on
    bright ground."""
    pen, count = "ink" if newest else "text", f"×{number}" if number > 1 else ""
    outline, *cuts = silhouette(kind, SMALL)
    left, right = (pick(x for x, _ in outline) for pick in (min, max))
    half = (right - left + (3 + width(count, TEXT_MIN, False) if count else 0)) / 2 + 4
    x, y = 4 - half - left, SMALL / 2
    shapes: list[AnyShape] = []
    if newest:
        ground = (-half, -SMALL / 2 - 2), (2 * half, SMALL + 4)
        shapes.append(Box(*ground, "accent", "ink", 2, round=7))
    shapes += [Polygon(moved(outline, (x, y)), pen)]
    shapes += [Polygon(moved(cut, (x, y)), "accent" if newest else "ground") for cut in cuts]
    if count:
        shapes.append(Text((x + right + 3, 0), count, TEXT_MIN, pen, bold=False))
    return Sprite(f"captured {kind}{count}{' newest' if newest else ''}", (half, SMALL / 2 + 2), tuple(shapes))
