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
from renderers.scene import AnyShape, Arrow, Box, Point, Sprite, Stamp, Text
from renderers.signs import crown
from rules.games.crystalla import CRYSTALS, Display, count, emerald_flowers, groups, ruby_flowers

HEAD, FIRST, LAST = 60.0, 80.0, 108.0
"""Height of the signs, width of the seats and of the totals."""
SMALL, POINTS = 24, 32
LINE = 27

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
    """A row per seat and a column per crystal; the totals come last."""

    def __init__(self, area: Area, seats: int) -> None:
        self.area = area
        self.wide = (area.width - FIRST - LAST) / len(CRYSTALS)
        self.high = (area.height - HEAD - 6) / seats

    def field(self, place: int, seat: int) -> Point:
        """Return the middle of a field; *place*: that of a crystal, or after all of them that of the total."""
        x = self.area.x + FIRST + (place + 0.5) * self.wide
        right = self.area.right - LAST / 2 - 6
        return x if place < len(CRYSTALS) else right, self.area.y + HEAD + (seat + 0.5) * self.high

    def sign(self, place: int) -> Point:
        return self.field(place, 0)[0], self.area.y + HEAD / 2 + 3

    def seat(self, seat: int) -> Area:
        """Return the row of a seat."""
        _, y = self.field(0, seat)
        return Area(self.area.x + 6, y - self.high / 2 + 1, self.area.width - 12, self.high - 2)

    def mark(self, seat: int) -> Point:
        return self.area.x + FIRST / 2 + 2, self.field(0, seat)[1]


def score_sheet(
    table: Table,
    hues: Sequence[str],
    displays: Sequence[Display],
    points: Sequence[Mapping[str, int]],
    winners: Sequence[int],
) -> list[AnyShape]:
    """Return the points and their source in each field, with the points per unit, and the totals."""
    area = table.sheet
    grid = _Grid(area, len(hues))
    shapes: list[AnyShape] = [Stamp(_empty(area, len(hues), tuple(winners)), area.middle)]
    for place, crystal in enumerate(CRYSTALS):
        shapes += _sign(crystal, grid.sign(place))
    for seat, hue in enumerate(hues):
        shapes.append(Stamp(badge(seat, hue, 20), grid.mark(seat)))
        for place, crystal in enumerate(CRYSTALS):
            lines = _lines(counted(displays, seat, crystal), crystal, grid.wide - 8) if points[seat][crystal] else []
            shapes += _field(points[seat][crystal], lines, grid.field(place, seat))
        shapes.append(Text(grid.field(len(CRYSTALS), seat), str(points[seat]["total"]), 44, align="middle"))
        if seat in winners:
            x, y = grid.mark(seat)
            shapes += crown((x, y - 34), 12, "yellow", "ink")
    return shapes


@cache
def _empty(area: Area, seats: int, winners: tuple[int, ...]) -> Sprite:
    """Return the empty sheet."""
    half = area.width / 2, area.height / 2
    here = Area(-half[0], -half[1], area.width, area.height)
    grid = _Grid(here, seats)
    shapes: list[AnyShape] = [Box((here.x, here.y), (here.width, here.height), "panel", "panel.line", 2, round=14)]
    for seat in winners:
        row = grid.seat(seat)
        shapes.append(Box((row.x, row.y), (row.width, row.height), "panel.up", "text", 3, round=10))
    return Sprite("sheet", half, tuple(shapes), "ground")


def podium(
    table: Table, hues: Sequence[str], points: Sequence[Mapping[str, int]], winners: Sequence[int]
) -> list[AnyShape]:
    """Return the winners, in the tray of the pieces if the sheet leaves it free."""
    (x, y), step = table.pieces.middle, 84.0
    if not winners or table.pieces.right > table.sheet.x:
        return []
    left = x - step * (len(winners) + 2) / 2
    shapes: list[AnyShape] = list(crown((left + step / 2, y), 40, "yellow", "ink"))
    for k, seat in enumerate(winners, 1):
        shapes.append(Stamp(badge(seat, hues[seat], 32), (left + (k + 0.5) * step, y)))
    right = left + (len(winners) + 1.5) * step
    return [*shapes, Text((right, y), str(points[winners[0]]["total"]), 64, align="middle")]


def _lines(how: str, crystal: str, room: float) -> list[str]:
    """Return the source of points, in as many lines as it needs.

    >>> _lines("2+2+1+1", "d", 80)
    ['2+2+1', '+1']
    """
    if crystal in WORTH:
        how += f"×{WORTH[crystal]}"
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


def _sign(crystal: str, at: Point) -> list[AnyShape]:
    """Return a crystal with the sign of its counting unit: a pair, a flower, the link of a group, or the others'
    segments."""
    x, y = at
    if crystal == "t":
        return [Stamp(gem(crystal, 16), at)]
    a, b = x + 20, y
    shapes: list[AnyShape] = [Stamp(gem(crystal, 16), (x - 20, y))]
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
