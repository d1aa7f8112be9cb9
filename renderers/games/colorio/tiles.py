"""What is laid as it is: the fields with all that stands on them, the counters of the tally, the boxes of a turn."""

from enum import StrEnum
from functools import cache, lru_cache

from renderers.frame import badge
from renderers.games.colorio import pieces
from renderers.palette import on
from renderers.scene import AnyShape, Arrow, Box, Disc, Point, Sprite, Stamp, Text
from rules.games.colorio.board import EACH, Cap

RING = 58
NEWER, OLDER = 6, 2
"""Width of the ring round a field that the newest turn touched, and the one before."""
BOX = (62, 112)


class Mark(StrEnum):
    """DUE: the field is to be decided on. FATAL: it put somebody out."""

    DUE = "due"
    FATAL = "fatal"


@lru_cache(1024)
def field(
    side: float, cap: Cap, hue: str, newest: bool | None, mark: Mark | None = None, *, finished: bool = False
) -> Sprite:
    """A field under its cap or open; *hue*: its colour, "" where that is not known.

    *newest*: whether the newest turn touched it or the one before, None: neither. *finished*: caps can be seen through.
    """
    shows = cap is Cap.OPEN or finished
    shapes: list[AnyShape] = [Stamp(pieces.open_field(hue, side) if shows else pieces.well(side), (0, 0))]
    if cap is not Cap.OPEN:
        shapes.append(Stamp(pieces.cap(), (0, 0), 0.5 if finished else 1.0))
        if hue and not finished:
            shapes.append(Stamp(pieces.seen(hue), (0, 0)))
    if newest is not None:
        shapes.append(Disc((0, 0), RING, "", "accent", NEWER if newest else OLDER))
    match mark:
        case Mark.DUE:
            shapes.append(Box((-side / 2, -side / 2), (side, side), "", "text", 7, round=16))
        case Mark.FATAL:
            shapes.append(Stamp(pieces.fatal(), (35, -35)))
        case None:
            pass
    return Sprite(f"field {cap.name.lower()} {hue}".rstrip(), (side / 2, side / 2), tuple(shapes), "lead")


@cache
def counter(size: tuple[float, float], hue: str, count: int) -> Sprite:
    """How many fields of a colour are open: four are a trap, five are complete."""
    wide, high = size
    corner = (-wide / 2, -high / 2)
    fill, line, width, pen, pips = "panel", "panel.line", 2, "text", hue
    if count == EACH:
        fill, line, width, pen, pips = hue, "text", 6, on(hue), on(hue)
    elif count == EACH - 1:
        line, width, pen = "warn", 6, "warn"
    shapes: list[AnyShape] = [
        Box(corner, size, fill, line, width, round=14),
        Stamp(pieces.medal(hue), (corner[0] + 42, corner[1] + 36)),
        Text((wide / 2 - 42, corner[1] + 36), str(count), 44, pen, align="middle"),
    ]
    for pip in range(EACH):
        at: Point = ((pip - 2) * 23, corner[1] + 76)
        shapes.append(Disc(at, 8, pips if pip < count else "panel.line"))
    return Sprite(f"counter {hue} {count}", (wide / 2, high / 2), tuple(shapes), "ground")


@cache
def seat(number: int, hue: str) -> Sprite:
    """Whose turn the boxes right of it tell."""
    return Sprite(f"turn {number + 1}", (26, 34), (Stamp(badge(number, hue), (0, 0)),), "ground")


@cache
def round_of(number: int, rounds: int) -> Sprite:
    """Which of the rounds is played."""
    return Sprite(f"round {number}", (60, 20), (Text((0, 0), f"↻ {number}/{rounds}", 28, align="middle"),), "ground")


@cache
def empty(*, owed: bool) -> Sprite:
    """The box of a cap that is still to be lifted; *owed*: only to be taken away."""
    shapes: tuple[AnyShape, ...] = (_box("ground", "panel.line", 2),)
    if owed:
        shapes = (*shapes, Stamp(pieces.away("warn"), (0, 0)))
    return Sprite(f"box {'owed' if owed else ''}".rstrip(), _HALF, shapes, "ground")


@lru_cache(1024)
def box(field: str, became: str, *, running: bool) -> Sprite:
    """The box of a cap that was lifted from *field*.

    *became*: where it lies now, or "away", "fatal" (it put somebody out), "due" (undecided), "owed" (it must go away).
    """
    due = became in ("due", "owed")
    shapes: list[AnyShape] = [
        _box("panel.up" if running else "panel", "text" if due else "panel.line", 5 if due else 2),
        Text((0, -28), field, 30, align="middle"),
    ]
    match became:
        case "due":
            shapes.append(Text(_LOW, "?", 40, align="middle"))
        case "owed" | "away":
            shapes.append(Stamp(pieces.away("warn" if due else "text"), _LOW))
        case "fatal":
            shapes.append(Stamp(pieces.fatal(), _LOW))
        case _:
            shapes.append(Arrow((0, -10), (0, 9), "text", width=7))
            shapes.append(Text((0, 29), became, 30, align="middle"))
    return Sprite(f"box {field} {became}", _HALF, tuple(shapes), "ground")


_HALF = (BOX[0] / 2, BOX[1] / 2)
_LOW: Point = (0, 23)


def _box(fill: str, line: str, width: float) -> Box:
    return Box((-_HALF[0], -_HALF[1]), BOX, fill, line, width, round=12)
