"""The signs of the margin: castles, reasons for being out, the die, losses."""

from functools import cache, lru_cache

from renderers.games.kalejdoschach.gems import gem
from renderers.lettering import width
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Polygon, Sprite, Stamp, Text
from renderers.signs import crown, hourglass, house, skip, stuck

CROSS = (31, 40)
"""Reach of the strokes through a captured piece from its middle, clear of the window and of the corners."""


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


@cache
def remaining(kind: str, number: int) -> Sprite:
    """Return the remaining pieces of a kind: its letter as on the pieces, and the number unless it is one."""
    letter, count = kind.upper(), f"×{number}" if number > 1 else ""
    first, all_ = width(letter, TEXT_MIN), width(letter, TEXT_MIN) + (width(count, TEXT_MIN, False) if count else 0.0)
    shapes: tuple[AnyShape, ...] = (Text((-all_ / 2, 0), letter, TEXT_MIN),)
    if count:
        shapes = (*shapes, Text((first - all_ / 2, 0), count, TEXT_MIN, bold=False))
    return Sprite(f"{letter}{count} left", (all_ / 2 + 1, 15), shapes)


@cache
def taken(mark: str, hue: str, kind: str) -> Sprite:
    """Return the piece that the last move captured, on a cross whose ends reach beyond it, so that the piece is
    readable."""
    x, y = CROSS
    strokes = (((-x, -y), (x, y)), ((x, -y), (-x, y)))
    cross = tuple(Line(stroke, pen, wide) for pen, wide in (("ink", 9), ("accent", 5)) for stroke in strokes)
    return Sprite(f"taken {hue} {kind}", (x + 5, y + 5), (*cross, Stamp(gem(mark, hue, kind), (0, 0))))
