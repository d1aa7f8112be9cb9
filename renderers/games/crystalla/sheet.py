"""Points by crystal: the running table, and the score sheet of a finished game."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby

from renderers.frame import badge
from renderers.games.crystalla.gems import gem
from renderers.games.crystalla.marks import bridge, emerald_flower, ruby_flower
from renderers.layout import Area
from renderers.lettering import width
from renderers.scene import AnyShape, Arrow, Box, Line, Sprite, Stamp, Text
from renderers.signs import crown
from rules.games.crystalla import CRYSTALS, Display, count, emerald_flowers, groups, ruby_flowers

ROW = 36
KEY = 62
SHEET = 400.0
"""Height of the score sheet where it has a row of its own."""
SHEET_HEAD, SHEET_FOOT = 54.0, 60.0
TEXT = 24
LINES, TALL = 2, 1.35
"""Lines of what was counted, at most, and how much higher than the others a row is that needs them."""
ROOMY = 200
"""A column of this width has room for a multiplication."""

WORTH: dict[str, tuple[str, str]] = {
    "t": ("1 3 6 10", "15 21 28"),
    "a": ("", "7"),
    "r": ("", "10"),
    "e": ("", "23"),
    "c": ("", "3"),
    "d": ("1 2 3 5 8", "13 21 34"),
    "h": ("", "2"),
}
"""What each crystal brings, in the fewest signs: the tables, and the fixed values."""


@cache
def _widths(wide: float) -> tuple[float, ...]:
    """The columns: whose row, the seven crystals, the total."""
    first, total, table = (58.0, 10.0, 150.0) if wide > 700 else (42.0, 70.0, 136.0)
    rest = (wide - first - total - 2 * table) / 5
    flower = 0.0 if wide > 700 else 4.0  # "10" keeps clear of the emeralds' flower; citrines need the least
    return (first, table, rest, rest + flower, rest + flower, rest - 2 * flower, table, rest, total)


def high(seats: int) -> float:
    return KEY + seats * ROW + 8


@cache
def key(area: Area) -> tuple[AnyShape, ...]:
    """The heads of the columns: each crystal with what it brings; alone where there is no room for rows."""
    shapes: list[AnyShape] = [Box((area.x, area.y), (area.width, area.height), "panel", "panel.line", 2, round=12)]
    x, y = area.x + _widths(area.width)[0], area.y + KEY / 2
    for crystal, wide in zip(CRYSTALS, _widths(area.width)[1:], strict=False):
        shapes += _head(crystal, x, y, wide)
        x += wide
    if area.height > 2 * KEY:
        line = area.y + KEY
        shapes.append(Text((area.right - 36, y), "Σ", 32, "muted", align="middle"))
        shapes.append(Line(((area.x + 8, line), (area.right - 8, line)), "panel.line", 2))
    return tuple(shapes)


def _head(crystal: str, x: float, y: float, wide: float) -> list[AnyShape]:
    above, below = WORTH[crystal]
    if above:
        at = x + 14 + max(0, (wide - 140) / 2)
        return [
            Stamp(gem(crystal, 14), (at, y)),
            Text((at + 20, y - 14), above, TEXT, "muted", bold=False),
            Text((at + 20, y + 15), below, TEXT, "muted", bold=False),
        ]
    middle = x + wide / 2
    shapes: list[AnyShape] = [Stamp(gem(crystal, 14), (middle - (9 if crystal == "a" else 0), y - 13))]
    if crystal == "a":
        shapes.append(Stamp(gem(crystal, 14), (middle + 11, y - 13)))
    sign = {"r": ruby_flower(9, whole=True), "e": emerald_flower(9, whole=True)}.get(crystal)
    if sign is None:
        text = below
        shapes.append(Text((middle, y + 17), text, TEXT, "muted", bold=False, align="middle"))
        if crystal == "h":
            shapes.append(Arrow((middle + 12, y + 17), (middle + 30, y + 17), "muted", width=5))
    else:
        shapes.append(Stamp(sign, (middle - 16, y + 17)))
        shapes.append(Text((middle - 5, y + 17), below, TEXT, "muted", bold=False))
    return shapes


def rows(area: Area, hues: Sequence[str], table: Sequence[Mapping[str, int]], up: int | None) -> list[AnyShape]:
    """A row a seat."""
    shapes: list[AnyShape] = []
    for seat, (hue, row) in enumerate(zip(hues, table, strict=True)):
        y = area.y + KEY + 4 + (seat + 0.5) * ROW
        told = tuple(row[crystal] for crystal in (*CRYSTALS, "total"))
        shapes.append(Stamp(_row(seat, hue, told, area.width - 8, up=up == seat), (area.x + area.width / 2, y)))
    return shapes


@lru_cache(256)
def _row(seat: int, hue: str, points: tuple[int, ...], wide: float, *, up: bool) -> Sprite:
    left = -wide / 2
    shapes: list[AnyShape] = []
    if up:
        shapes.append(Box((left, -ROW / 2 + 1), (wide, ROW - 2), "panel.up", "text", 2, round=8))
    shapes.append(Stamp(badge(seat, hue, 15), (left + 28, 0)))
    widths = _widths(wide + 8)
    x = left - 4 + widths[0]
    for crystal, number, column in zip((*CRYSTALS, "total"), points, widths[1:], strict=True):
        if crystal == "total":
            shapes.append(Text((x + column - 18, 0), str(number), 32, align="right"))
        else:
            pen = "text" if number else "muted"
            shapes.append(Text((x + column / 2, 0), str(number) if number else "·", TEXT + 2, pen, align="middle"))
        x += column
    return Sprite(f"points {seat + 1}", (wide / 2, ROW / 2), tuple(shapes), "panel")


# --- The score sheet


def counted(displays: Sequence[Display], seat: int, crystal: str) -> str:
    """What the points come from: segments, pairs, flowers, groups, the sizes of groups; for hematite the segments of
    the others."""
    display = displays[seat]
    match crystal:
        case "a":
            return str(count(display, "a") // 2)
        case "r":
            return str(len(ruby_flowers(display)))
        case "e":
            return str(len(emerald_flowers(display)))
        case "c":
            return str(len(groups(display, "c")))
        case "d":
            return _sizes(map(len, groups(display, "d"))) or "0"
        case "h":
            return str(sum(count(other, "h") for place, other in enumerate(displays) if place != seat))
        case _:
            return str(count(display, crystal))


def _sizes(sizes: Iterable[int]) -> str:
    """Sizes of groups, the largest first, three and more alike in one.

    >>> _sizes([1, 2, 1]), _sizes([1, 1, 3, 1])
    ('2+1+1', '3+3×1')
    """
    alike = [(size, len(list(same))) for size, same in groupby(sorted(sizes, reverse=True))]
    return "+".join(f"{n}×{size}" if n > 2 else "+".join([str(size)] * n) for size, n in alike)


def score_sheet(
    area: Area,
    hues: Sequence[str],
    displays: Sequence[Display],
    table: Sequence[Mapping[str, int]],
    winners: Sequence[int],
) -> list[AnyShape]:
    """Seven rows and the total: in each field what was counted, where there is room with what it brings, and the
    points."""
    seats = len(hues)
    roomy = area.width > 700
    first = 420.0 if roomy else 92.0
    wide = (area.width - first - 10) / seats
    shapes: list[AnyShape] = [Box((area.x, area.y), (area.width, area.height), "panel", "panel.line", 2, round=12)]
    for seat in range(seats):
        x = area.x + first + (seat + 0.5) * wide
        if seat in winners:
            shapes.append(
                Box((x - wide / 2 + 2, area.y + 4), (wide - 4, area.height - 8), "panel.up", "text", 3, round=10)
            )
            shapes += crown((x + wide / 2 - 66, area.y + SHEET_HEAD / 2 + 3), 13, "yellow", "ink")
        shapes.append(Stamp(badge(seat, hues[seat], 18), (x + wide / 2 - 30, area.y + SHEET_HEAD / 2 + 2)))
        shapes.append(
            Text((x + wide / 2 - 12, area.bottom - SHEET_FOOT / 2), str(table[seat]["total"]), 40, align="right")
        )
    fields = {
        crystal: [_field(displays, seat, crystal, table[seat][crystal], wide) for seat in range(seats)]
        for crystal in CRYSTALS
    }
    parts = [TALL if any(len(lines) > 1 for lines in fields[crystal]) else 1.0 for crystal in CRYSTALS]
    y = area.y + SHEET_HEAD
    for crystal, part in zip(CRYSTALS, parts, strict=True):
        high = part * (area.height - SHEET_HEAD - SHEET_FOOT) / sum(parts)
        shapes.append(Line(((area.x + 8, y), (area.right - 8, y)), "panel.line", 2))
        shapes += _row_head(crystal, area.x + 24, y + high / 2, roomy=roomy)
        for seat, lines in enumerate(fields[crystal]):
            right = area.x + first + (seat + 1) * wide - 10
            shapes += _told(lines, table[seat][crystal], right, y + high / 2, wide)
        y += high
    low = area.bottom - SHEET_FOOT
    shapes.append(Line(((area.x + 8, low), (area.right - 8, low)), "text", 3))
    shapes.append(Text((area.x + 28, area.bottom - SHEET_FOOT / 2), "Σ", 34, "muted", align="middle"))
    return shapes


def _field(displays: Sequence[Display], seat: int, crystal: str, points: int, wide: float) -> tuple[str, ...]:
    """What was counted, in the lines that it takes beside the points; () where there are none, or there is no room."""
    how = counted(displays, seat, crystal)
    if wide > ROOMY and not WORTH[crystal][0]:
        how += f" × {WORTH[crystal][1]}"
    room = wide - 14 - _number(points, wide) - 8
    first, *more = how.split("+")
    lines = [first]
    for part in more:
        if width(f"{lines[-1]}+{part}", TEXT, bold=False) <= room:
            lines[-1] += f"+{part}"
        else:
            lines.append(part)
    fits = len(lines) <= LINES and all(width(line, TEXT, bold=False) <= room for line in lines)
    return tuple(lines) if points and fits else ()


def _number(points: int, wide: float) -> float:
    """The width of points in a column."""
    return width(str(points), _size(wide))


def _size(wide: float) -> int:
    return 30 if wide > 110 else 28


def _told(lines: Sequence[str], points: int, right: float, y: float, wide: float) -> list[AnyShape]:
    """What was counted, and the points, which end at *right*."""
    close = right - _number(points, wide) - 8
    widest = max((width(line, TEXT, bold=False) for line in lines), default=0.0)
    at = max(right - wide + 14 + widest, min(close, right - 54))
    shapes: list[AnyShape] = [
        Text((at, y + (k - (len(lines) - 1) / 2) * 24), line, TEXT, "muted", bold=False, align="right")
        for k, line in enumerate(lines)
    ]
    pen = "text" if points else "muted"
    shapes.append(Text((right, y), str(points) if points else "·", _size(wide), pen, align="right"))
    return shapes


def _row_head(crystal: str, x: float, y: float, *, roomy: bool) -> list[AnyShape]:
    """A crystal, with the sign of what counts: a pair, a flower, what joins a group, or from the others; with what it
    brings, where there is room."""
    shapes: list[AnyShape] = [Stamp(gem(crystal, 15), (x + 4, y))]
    match crystal:
        case "a":
            shapes.append(Stamp(gem(crystal, 15), (x + 34, y)))
        case "r":
            shapes.append(Stamp(ruby_flower(12, whole=True), (x + 40, y)))
        case "e":
            shapes.append(Stamp(emerald_flower(12, whole=True), (x + 40, y)))
        case "c" | "d":
            shapes += bridge(crystal, ((x + 30, y), (x + 50, y)), 10)
        case "h":
            shapes.append(Arrow((x + 56, y), (x + 30, y), "muted", width=6))
        case _:
            pass
    if roomy:
        shapes.append(Text((x + 72, y), " ".join(filter(None, WORTH[crystal])), TEXT, "muted", bold=False))
    return shapes


__all__ = ["KEY", "SHEET", "counted", "high", "key", "rows", "score_sheet"]
