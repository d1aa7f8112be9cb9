"""Colorio's tiles: the fields with their caps and glass, the counters of the tally, the boxes of a turn."""

from enum import StrEnum
from functools import cache, lru_cache

from renderers.games.colorio import caps, pieces
from renderers.palette import SIGNS, on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Sector, Sprite, Stamp, Text
from renderers.signs import figure
from rules.games.colorio.board import EACH, Cap

RING, AROUND_CAP = 7.0, 6.0
"""Width of the light around the glass or the cap of a field of a recent turn; it has a dark edge."""
BROKEN = (40.0, 50.0)
"""Length of a piece and of a gap in the ring of the last turn, in degrees."""
BOX = (70, 86)
PIP = 8
"""Reach of the small signs that count the fields of a colour."""


class Mark(StrEnum):
    """DUE: the decision about this field is open. FATAL: it eliminated a seat."""

    DUE = "due"
    FATAL = "fatal"


@lru_cache(1024)
def field(
    side: float,
    cap: Cap,
    hue: str,
    newest: bool | None,
    mark: Mark | None = None,
    *,
    finished: bool = False,
    danger: bool = False,
) -> Sprite:
    """Return a field, covered or open; *hue*: its colour, "" if it is unknown.

    *newest*: whether the newest turn touched it or the last one, None: neither. *finished*: caps are transparent.
    *danger*: the next field of its colour eliminates a seat.
    """
    shows = cap is Cap.OPEN or finished
    pane = pieces.burst(hue, side) if danger else pieces.lit(hue, side) if shows else pieces.well(side)
    shapes: list[AnyShape] = [Stamp(pane, (0, 0))]
    if newest is not None:
        inner, wide = (pieces.GLASS + 2, RING) if cap is Cap.OPEN else (caps.RADIUS + 1, AROUND_CAP)
        shapes += _ring(inner + wide, newest=newest)
    if mark is Mark.DUE:
        shapes.append(Box((-side / 2, -side / 2), (side, side), "", "text", 7, round=16))
    if shows:
        shapes.append(Stamp(pieces.glass(hue), (0, 0)))
    if cap is not Cap.OPEN:
        remembered = bool(hue) and not finished
        shapes.append(Stamp(caps.ghost() if finished else caps.cap(plain=remembered), (0, 0)))
        if remembered:
            shapes.append(Stamp(pieces.seen(hue), (0, 0)))
    if mark is Mark.FATAL:
        shapes.append(Stamp(pieces.fatal(), (35, -35)))
    return Sprite(f"field {cap.name.lower()} {hue}".rstrip(), (side / 2, side / 2), tuple(shapes), "lead")


def _ring(outer: float, *, newest: bool) -> tuple[AnyShape, ...]:
    """Return light from under a piece: all around or, for the last turn, in places."""
    if newest:
        return Disc((0, 0), outer + 2, "ink"), Disc((0, 0), outer, "accent")
    shut, free = BROKEN
    starts = [k * (shut + free) - shut / 2 for k in range(round(360 / (shut + free)))]
    return tuple(
        Sector((0, 0), 0, outer + wider, start - wider, start + shut + wider, colour)
        for start in starts
        for wider, colour in ((2, "ink"), (0, "accent"))
    )


@cache
def counter(size: tuple[float, float], hue: str, count: int) -> Sprite:
    """Return the number of open fields of a colour: four are a trap, five are complete."""
    wide, high = size
    corner = (-wide / 2, -high / 2)
    fill, line, width, pen, pips = "panel", "panel.line", 2, "text", hue
    medal: Point = (corner[0] + 42, corner[1] + 36)
    shapes: list[AnyShape] = []
    if count == EACH:
        fill, line, width, pen, pips = hue, "text", 6, on(hue), on(hue)
    elif count == EACH - 1:
        line, width, pen = "warn", 6, "warn"
        shapes.append(Stamp(pieces.small_burst(), medal))
    shapes = [
        Box(corner, size, fill, line, width, round=14),
        *shapes,
        Stamp(pieces.medal(hue), medal),
        Text((wide / 2 - 42, corner[1] + 36), str(count), 44, pen, align="middle"),
    ]
    for pip in range(EACH):
        at: Point = ((pip - 2) * 23, corner[1] + 76)
        shapes.append(figure(SIGNS[hue], at, PIP, pips if pip < count else "panel.line"))
    return Sprite(f"counter {hue} {count}", (wide / 2, high / 2), tuple(shapes), "ground")


@cache
def empty(ground: str, *, owed: bool) -> Sprite:
    """Return the box of a cap that is still to be lifted, on *ground*; *owed*: it must be removed."""
    shapes: tuple[AnyShape, ...] = (_box("panel", "panel.line", 2), Stamp(caps.small(), (0, -19 if owed else 0)))
    if owed:
        shapes = (*shapes, Stamp(pieces.away("warn"), _BIN))
    return Sprite(f"box {'owed' if owed else ''}".rstrip(), _HALF, shapes, ground)


@lru_cache(1024)
def box(field: str, became: str, ground: str, *, running: bool) -> Sprite:
    """Return the box of a cap that was lifted from *field*, on *ground*.

    *became*: its new field, or "away", "fatal" (it eliminated the seat), "due" (undecided), "owed" (it must be
    removed); for a cap that is not lifted yet "locked" or "free". *running*: in this turn, not in the last one.
    """
    due = became in ("due", "owed")
    pen = "text" if running or became == "fatal" else "muted"
    shapes: list[AnyShape] = [
        _box("panel.up" if running else "panel", "text" if due else "panel.line", 5 if due else 2),
        Text((0, -23), field, 28, pen, align="middle"),
    ]
    if became not in ("due", "fatal", "locked", "free"):
        shapes.append(Stamp(pieces.down("warn" if became == "owed" else pen), (0, 0)))
    match became:
        case "due":
            shapes.append(Text((0, 14), "?", 38, align="middle"))
        case "owed" | "away":
            shapes.append(Stamp(pieces.away("warn" if due else pen), _BIN))
        case "fatal":
            shapes.append(Stamp(pieces.fatal(17), (0, 14)))
        case "locked":
            shapes.append(Stamp(pieces.lock(17), (0, 16)))
        case "free":
            shapes.append(Line(((-11, 17), (-3, 26), (13, 7)), pen, 6))
        case _:
            shapes.append(Text(_LOW, became, 28, pen, align="middle"))
    return Sprite(f"box {field} {became}", _HALF, tuple(shapes), ground)


_HALF = (BOX[0] / 2, BOX[1] / 2)
_LOW: Point = (0, 25)
_BIN: Point = (0, 23)


def _box(fill: str, line: str, width: float) -> Box:
    return Box((-_HALF[0], -_HALF[1]), BOX, fill, line, width, round=12)
