"""The score sheet of a finished game: the count of each crystal, and its points."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby

from renderers.frame import badge
from renderers.games.crystalla.gems import gem
from renderers.games.crystalla.homes import Table
from renderers.games.crystalla.marks import bridge, emerald_flower, ruby_flower
from renderers.layout import Area
from renderers.lettering import width
from renderers.scene import AnyShape, Arrow, Box, Line, Point, Sprite, Stamp, Text
from renderers.signs import crown
from rules.games.crystalla import CRYSTALS, Display, count, emerald_flowers, groups, ruby_flowers

HEAD, HIGH_HEAD, FIRST, LAST = 60.0, 84.0, 80.0, 108.0
"""Of a flat sheet: height of the signs (side by side, one over the other), width of the seats and of the totals."""
TALL_HEAD, TALL_FIRST, TALL_LAST = 52.0, 54.0, 66.0
"""Of a tall one: height of the seats, width of the signs, height of the totals."""
SMALL, POINTS = 24, 32
LINE = 27
ROOMY = 90
"""A field of this width has room for a multiplication."""

WORTH = {"a": 7, "r": 10, "e": 23, "c": 3, "h": 2}
"""The points for one of each counted thing; tourmalines and groups of diamonds have a table."""


def counted(displays: Sequence[Display], seat: int, crystal: str) -> str:
    """Return the source of the points: segments, pairs, flowers, groups, sizes of groups; of hematite the others'
    segments."""
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
    """Return sizes of groups, the largest first, three and more equal ones as one.

    >>> _sizes([1, 2, 1]), _sizes([1, 1, 3, 1])
    ('2+1+1', '3+3×1')
    """
    alike = [(size, len(list(same))) for size, same in groupby(sorted(sizes, reverse=True))]
    return "+".join(f"{n}×{size}" if n > 2 else "+".join([str(size)] * n) for size, n in alike)


class _Grid:
    """A row per seat and a column per crystal, or transposed if it is *tall*; the totals come last."""

    def __init__(self, area: Area, seats: int, *, tall: bool) -> None:
        self.area, self.tall, self.seats = area, tall, seats
        if tall:
            self.wide = (area.width - TALL_FIRST - 4) / seats
            self.high = (area.height - TALL_HEAD - TALL_LAST) / len(CRYSTALS)
        else:
            self.wide = (area.width - FIRST - LAST) / len(CRYSTALS)
            self.head = HEAD if self.wide > ROOMY else HIGH_HEAD
            self.high = (area.height - self.head - 6) / seats

    def field(self, place: int, seat: int) -> Point:
        """Return the middle of a field; *place*: that of a crystal, or after all of them that of the total."""
        if self.tall:
            y = self.area.y + TALL_HEAD + (place + 0.5) * self.high
            low = self.area.bottom - TALL_LAST / 2
            return self.area.x + TALL_FIRST + (seat + 0.5) * self.wide, y if place < len(CRYSTALS) else low
        x = self.area.x + FIRST + (place + 0.5) * self.wide
        right = self.area.right - LAST / 2 - 6
        return x if place < len(CRYSTALS) else right, self.area.y + self.head + (seat + 0.5) * self.high

    def sign(self, place: int) -> Point:
        x, y = self.field(place, 0)
        return (self.area.x + TALL_FIRST / 2 + 2, y) if self.tall else (x, self.area.y + self.head / 2 + 3)

    def seat(self, seat: int) -> Area:
        """Return the row or column of a seat."""
        x, y = self.field(0, seat)
        if self.tall:
            return Area(x - self.wide / 2 + 1, self.area.y + 5, self.wide - 2, self.area.height - 10)
        return Area(self.area.x + 6, y - self.high / 2 + 1, self.area.width - 12, self.high - 2)

    def mark(self, seat: int) -> Point:
        x, y = self.field(0, seat)
        return (x, self.area.y + TALL_HEAD / 2 + 3) if self.tall else (self.area.x + FIRST / 2 + 2, y)

    def lines(self) -> list[AnyShape]:
        """Return the lines between the crystals of a tall sheet, or before the totals of a flat one."""
        if not self.tall:
            return []
        first, last = self.area.x + 8, self.area.right - 8
        rows = [self.area.y + TALL_HEAD + k * self.high for k in range(len(CRYSTALS) + 1)]
        return [Line(((first, y), (last, y)), "panel.line", 2) for y in rows]


def score_sheet(
    table: Table,
    hues: Sequence[str],
    displays: Sequence[Display],
    points: Sequence[Mapping[str, int]],
    winners: Sequence[int],
) -> list[AnyShape]:
    """Return the points and their source in each field, with the points per unit if there is room, and the totals."""
    area = table.sheet
    grid = _Grid(area, len(hues), tall=table.tall)
    shapes: list[AnyShape] = [Stamp(_empty(area, len(hues), tuple(winners), tall=table.tall), area.middle)]
    for place, crystal in enumerate(CRYSTALS):
        shapes += _sign(crystal, grid.sign(place), tall=table.tall or grid.wide < ROOMY)
    for seat, hue in enumerate(hues):
        shapes.append(Stamp(badge(seat, hue, 20), grid.mark(seat)))
        for place, crystal in enumerate(CRYSTALS):
            lines = _lines(counted(displays, seat, crystal), crystal, grid.wide - 8) if points[seat][crystal] else []
            shapes += _field(points[seat][crystal], lines, grid.field(place, seat))
        x, y = grid.field(len(CRYSTALS), seat)
        size = 34 if table.tall else 44
        shapes.append(Text((x, y), str(points[seat]["total"]), size, align="middle"))
        if seat in winners and not table.tall:
            shapes += crown((grid.mark(seat)[0], y - 34), 12, "yellow", "ink")
    return shapes


@cache
def _empty(area: Area, seats: int, winners: tuple[int, ...], *, tall: bool) -> Sprite:
    """Return the empty sheet."""
    half = area.width / 2, area.height / 2
    here = Area(-half[0], -half[1], area.width, area.height)
    grid = _Grid(here, seats, tall=tall)
    shapes: list[AnyShape] = [Box((here.x, here.y), (here.width, here.height), "panel", "panel.line", 2, round=12)]
    for seat in winners:
        row = grid.seat(seat)
        shapes.append(Box((row.x, row.y), (row.width, row.height), "panel.up", "text", 3, round=10))
    return Sprite("sheet", half, (*shapes, *grid.lines()), "ground")


def podium(
    table: Table, hues: Sequence[str], points: Sequence[Mapping[str, int]], winners: Sequence[int]
) -> list[AnyShape]:
    """Return the winners, in the part of the stage that the score sheet leaves free."""
    stage = table.stage
    (x, y), step = stage.middle, 84.0
    if not winners or (stage.x < table.sheet.right and table.sheet.x < stage.right):
        return []
    left = x - step * (len(winners) + 2) / 2
    shapes: list[AnyShape] = list(crown((left + step / 2, y - 4), 38, "yellow", "ink"))
    for k, seat in enumerate(winners):
        shapes.append(Stamp(badge(seat, hues[seat], 34), (left + (k + 1.5) * step, y)))
    total = str(points[winners[0]]["total"])
    return [*shapes, Text((left + (len(winners) + 1.5) * step + 8, y), total, 60, align="middle")]


def _lines(how: str, crystal: str, room: float) -> list[str]:
    """Return the source of points, in as many lines as it needs.

    >>> _lines("2+2+1+1", "d", 80)
    ['2+2', '+1+1']
    """
    if crystal in WORTH and room > ROOMY:
        how += f" × {WORTH[crystal]}"
    first, *more = how.split("+")
    lines = [first]
    for part in more:
        if width(f"{lines[-1]}+{part}", SMALL, bold=False) <= room:
            lines[-1] += f"+{part}"
        else:
            lines.append(f"+{part}")
    return lines


def _field(points: int, lines: Sequence[str], at: Point) -> list[AnyShape]:
    """Return the points, and under them their source."""
    x, y = at
    if not points:
        return [Text((x, y), "·", POINTS, "muted", align="middle")]
    top = y - (LINE * len(lines)) / 2
    return [
        Text((x, top), str(points), POINTS, align="middle"),
        *(
            Text((x, top + 31 + k * LINE), line, SMALL, "muted", bold=False, align="middle")
            for k, line in enumerate(lines)
        ),
    ]


def _sign(crystal: str, at: Point, *, tall: bool) -> list[AnyShape]:
    """Return a crystal with the sign of its counting unit: a pair, a flower, the link of a group, or the others'
    segments."""
    x, y = at
    if crystal == "t":
        return [Stamp(gem(crystal, 16), at)]
    (x, y), (a, b) = ((x, y - 18), (x, y + 18)) if tall else ((x - 20, y), (x + 20, y))
    shapes: list[AnyShape] = [Stamp(gem(crystal, 16), (x, y))]
    match crystal:
        case "a":
            shapes.append(Stamp(gem(crystal, 16), (a, b)))
        case "r":
            shapes.append(Stamp(ruby_flower(14, whole=True), (a, b)))
        case "e":
            shapes.append(Stamp(emerald_flower(14, whole=True), (a, b)))
        case "h":
            shapes.append(Arrow((a + 15, b), (a - 13, b), "muted", width=7))
        case _:
            shapes += bridge(crystal, ((a - 11, b), (a + 11, b)), 11)
    return shapes


__all__ = ["WORTH", "counted", "podium", "score_sheet"]
