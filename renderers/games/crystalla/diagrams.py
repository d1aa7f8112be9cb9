"""The diagrams of the rules that are not positions: laying and touching cards, and the points of every crystal."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from renderers.frame import MARGIN, WIDTH, badge
from renderers.games.crystalla import displays, gems
from renderers.games.crystalla.homes import BIG
from renderers.games.crystalla.homes import CARD as SMALL
from renderers.games.crystalla.marks import SIDES as OUTWARDS
from renderers.games.crystalla.marks import bridge, marks
from renderers.layout import Area
from renderers.look import Look
from renderers.notation import typed
from renderers.scene import AnyShape, Arrow, Box, Line, Point, Scene, Stamp, Text
from rules.games.crystalla import CORNERS, OPPOSITE, Display, Segment, groups, segments
from rules.games.crystalla.actions import Lay

HIGH = 760
GAP = 14
CARD, APART = 84, 26
"""Side of a card, and the distance between cards whose citrines' sides are shown."""
TOUCHING = ((("tc-sw",), ("ct-nw",)), (("ac-nw+cl",),))
"""Citrines that touch: across an edge, along a diagonal."""
NOT_TOUCHING = ((("tc-sw", "ae-ne"), ("at-nw", "tc-ne")), (("ct-nw",), ("ca-nw",)))
"""Citrines that do not touch: they share only a corner, or one of them does not own the side between them."""

TOURMALINE = (1, 3, 6, 10, 15, 21, 28)
DIAMOND = (1, 2, 3, 5, 8, 13, 21, 34)


def diagram(page: int, look: Look) -> Scene | None:
    """Return the scene for a page of the rules, or None if a position explains it."""
    match page:
        case 4:
            return Scene((WIDTH, HIGH), (), tuple(_laying(look.lang)))
        case 6:
            return Scene((WIDTH, HIGH), (), tuple(_counting()))
    return None


def _panel(area: Area, *, lit: bool = False) -> Box:
    fill, line, pen = ("panel.up", "text", 4) if lit else ("panel", "panel.line", 2)
    return Box((area.x, area.y), (area.width, area.height), fill, line, pen, round=12)


def _columns(count: int, y: float, high: float) -> list[Area]:
    wide = (WIDTH - 2 * MARGIN - (count - 1) * GAP) / count
    return [Area(MARGIN + k * (wide + GAP), y, wide, high) for k in range(count)]


def _picture(columns: Sequence[Sequence[str]], at: Point, side: int) -> Iterator[AnyShape]:
    """Yield cards beside and on one another around *at*, with the marks of their points."""
    display: Display = tuple(map(tuple, columns))
    wide, high = len(display) * side, max(map(len, display)) * side
    marks_of = marks(display)
    for column, cards in enumerate(display):
        for row, laid in enumerate(cards):
            middle = at[0] - wide / 2 + (column + 0.5) * side, at[1] + high / 2 - (row + 0.5) * side
            yield Stamp(displays.cell(laid, side, marks_of.get((column, row), ()), (), ""), middle)


# --- Laying


def _laying(lang: str) -> Iterator[AnyShape]:
    """Yield a card in its four corners, with the text to type in *lang*; then citrines that touch, and some that do
    not."""
    for corner, area in zip(CORNERS, _columns(4, MARGIN, 270), strict=True):
        yield _panel(area)
        x, y = area.middle[0], area.middle[1] - 28
        yield from _picture(((f"te-{corner}",),), (x, y), BIG)
        yield from _reach(corner, (x, y))
        yield Text((x, area.bottom - 32), typed("crystalla", Lay("b", corner), lang), 38, bold=False, align="middle")
    top = MARGIN + 270 + GAP
    areas = _columns(4, top, HIGH - MARGIN - top)
    for k, (example, area) in enumerate(zip((*TOUCHING, *NOT_TOUCHING), areas, strict=True)):
        yield _panel(area, lit=k < len(TOUCHING))
        x, y = area.middle
        yield from _sides(example, (x, y - 54))
        yield from (_yes if k < len(TOUCHING) else _no)((x, area.bottom - 66))


def _reach(corner: str, at: Point) -> Iterator[AnyShape]:
    """Yield an arrow to the corner that the large crystal fills."""
    across, down = (1 if "e" in corner else -1), (1 if "s" in corner else -1)
    tip, tail = BIG / 2 + 5, BIG / 2 + 36
    (x0, y0), (x1, y1) = ((at[0] + across * far, at[1] + down * far) for far in (tail, tip))
    yield Arrow((x0, y0), (x1, y1), "text", width=8)


def _sides(columns: Sequence[Sequence[str]], at: Point) -> Iterator[AnyShape]:
    """Yield cards a little apart, a bar along every side that a citrine owns; two facing bars are joined."""
    display: Display = tuple(map(tuple, columns))
    pitch = CARD + APART
    left, low = at[0] - (len(display) - 1) * pitch / 2, at[1] + (max(map(len, display)) - 1) * pitch / 2
    for column, cards in enumerate(display):
        for row, laid in enumerate(cards):
            yield Stamp(displays.cell(laid, CARD, (), (), ""), (left + column * pitch, low - row * pitch))
    citrines = segments(display, "c")
    for citrine in citrines:
        x, y = left + citrine.column * pitch, low - citrine.row * pitch
        for across, down in (OUTWARDS[side] for side in citrine.corner):
            far, half = CARD / 2 + 7, CARD / 2 - 4
            middle = x + across * far, y + down * far
            ends = tuple((middle[0] + s * half * down, middle[1] + s * half * across) for s in (-1, 1))
            yield from (Line(ends, "ink", 12), Line(ends, "yellow", 7))
    for group in groups(display, "c"):
        for one, other in combinations(group, 2):
            here, there = (_face(citrine, left, low, pitch) for citrine in (one, other))
            yield from bridge("c", tuple((here[0] + (there[0] - here[0]) * k, here[1] + (there[1] - here[1]) * k)
                                         for k in (0.36, 0.64)), 13)  # fmt: skip


def _face(citrine: Segment, left: float, low: float, pitch: float) -> Point:
    """Return the middle of its flat face."""
    corner = citrine.corner if citrine.shape == "l" else OPPOSITE[citrine.corner]
    x, y = gems.middle(citrine.shape, corner, CARD)
    return left + citrine.column * pitch + x, low - citrine.row * pitch + y


def _yes(at: Point) -> Iterator[AnyShape]:
    x, y = at
    tick = ((x - 36, y), (x - 10, y + 28), (x + 40, y - 34))
    yield from (Line(tick, "ink", 20), Line(tick, "green.light", 13))


def _no(at: Point) -> Iterator[AnyShape]:
    x, y = at
    bars = [((x - 30, y + 30 * s), (x + 30, y - 30 * s)) for s in (-1, 1)]
    yield from (Line(bar, "ink", 20) for bar in bars)
    yield from (Line(bar, "red.light", 13) for bar in bars)


# --- Counting


def _counting() -> Iterator[AnyShape]:
    """Yield two tables, and five crystals for which each pair, flower, group or segment brings the same points."""
    yield from _table("t", TOURMALINE, Area(MARGIN, MARGIN, WIDTH - 2 * MARGIN, 150))
    top = MARGIN + 150 + GAP
    middle = HIGH - 2 * (MARGIN + 150 + GAP)
    for crystal, area in zip("arech", _columns(5, top, middle), strict=True):
        yield _panel(area)
        yield Stamp(gems.gem(crystal, 24), (area.x + 40, area.y + 44))
        yield from _example(crystal, area)
    yield from _table("d", DIAMOND, Area(MARGIN, HIGH - MARGIN - 150, WIDTH - 2 * MARGIN, 150))


def _table(crystal: str, points: Sequence[int], area: Area) -> Iterator[AnyShape]:
    """Yield the numbers and under them the points; a group of diamonds is outlined as on the board."""
    yield _panel(area)
    yield Stamp(gems.gem(crystal, 24), (area.x + 44, area.middle[1]))
    pitch = (area.width - 100) / len(points)
    low = area.bottom - 44
    yield Line(((area.x + 90, area.middle[1]), (area.right - 16, area.middle[1])), "panel.line", 2)
    for k, worth in enumerate(points):
        x = area.x + 90 + (k + 0.5) * pitch
        if crystal == "d":
            yield Box((x - 42, area.y + 14), (84, 50), "", "blue.light", 5, round=8)
        yield Text((x, area.y + 40), f"{k + 1}", 34, "muted", bold=False, align="middle")
        if k == len(points) - 1:  # more of them bring no more points
            yield Text((x + 12, area.y + 40), "+", 30, "muted", bold=False)
        yield Text((x, low), str(worth), 44, align="middle")


def _example(crystal: str, area: Area) -> Iterator[AnyShape]:
    x, y = area.middle
    low = area.bottom - 44
    match crystal:
        case "a":
            yield from _picture((("at-nw",),), (x - 40, y - 34), SMALL)
            yield from _picture((("ea-nw",),), (x + 40, y + 52), SMALL)
            yield Text((x, low), "7", 52, align="middle")
        case "r":
            yield from _picture((("rt-ne",), ("ra-nw",)), (x, y), SMALL)
            yield Text((x, low), "10", 52, align="middle")
        case "e":
            yield from _picture((("et-ne", "ea-se"), ("et-nw", "ec-sw")), (x, y), SMALL)
            yield Text((x, low), "23", 52, align="middle")
        case "c":
            yield from _picture((("tc-sw", "ca-se"),), (x - 36, y - 22), SMALL)
            yield from _picture((("tc-nw",),), (x - 36, y + 108), SMALL)
            yield from (Text((x + 44, y + off), "3", 52, align="middle") for off in (-22, 108))
        case _:
            yield from _picture((("ht-nw",),), (x, y - 62), SMALL)
            for k, (seat, hue) in enumerate(((1, "white"), (2, "pink"), (3, "black"))):
                at = x - 58 + 58 * k, y + 48
                yield Arrow((x + (at[0] - x) * 0.3, y - 18), (x + (at[0] - x) * 0.85, y + 22), "muted", width=7)
                yield Stamp(badge(seat, hue, 20), at)
                yield Text((at[0], low), "2", 46, align="middle")


__all__ = ["DIAMOND", "TOURMALINE", "diagram"]
