"""The diagram of the four limits: each in a frame of its own, with four fields and the turns that it concerns."""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from renderers.frame import badge, below
from renderers.games.colorio import pieces, tiles, trails
from renderers.layout import Area
from renderers.scene import AnyShape, Box, Point, Scene, Stamp, Text
from rules.games.colorio.board import Cap

LIMITS = 3
"""The page of this diagram."""
SIZE = (1000, 780)
SIDE = 118
COLUMNS = "abcd"
LOW = 98
"""Distance from the lower edge of a frame to the middle of its turns."""


class Turn(Struct, frozen=True):
    """A turn in boxes: its seat, and for each cap the field and the decision in the words of `tiles.box`."""

    seat: int
    caps: tuple[tuple[str, str], ...]


class Limit(Struct, frozen=True):
    """*fields*: the hues of the open ones among a1 to d1, "" under a cap. *moved*: caps with an arrow, source and
    target. *locked*, *due*: fields with the lock, or with the strong frame. The last one of *turns* is the running one.
    """

    fields: tuple[str, ...]
    turns: tuple[Turn, ...]
    moved: tuple[tuple[str, str], ...] = ()
    locked: str = ""
    due: str = ""


FOUR = (
    Limit(("yellow", "red", "", "green"), (Turn(0, (("a1", "away"), ("b1", "away"), ("d1", "owed"))),), due="d1"),
    Limit(
        ("", "", "blue", "orange"),
        (Turn(1, (("b1", "a1"), ("c1", "b1"), ("d1", "owed"))),),
        moved=(("b1", "a1"), ("c1", "b1")),
        due="d1",
    ),
    Limit(
        ("", "green", "red", ""),
        (
            Turn(0, (("b1", "away"), ("d1", "c1"), ("c1", "a1"))),
            Turn(1, (("a1", "locked"), ("a1", "free"), ("a1", "free"))),
        ),
        moved=(("c1", "a1"),),
        locked="a1",
    ),
    Limit(
        ("", "", "yellow", ""),
        (Turn(0, (("c1", "a1"), ("a1", "locked"), ("a1", "locked"))),),
        moved=(("c1", "a1"),),
        locked="a1",
    ),
)


@cache
def limits(hues: tuple[str, ...]) -> Scene:
    """Return all four, numbered as on the page; *hues*: those of the seats."""
    wide, high = (SIZE[0] - 38) / 2, (SIZE[1] - 38) / 2
    still: list[AnyShape] = [*below(SIZE[1]).light]
    shapes: list[AnyShape] = []
    for k, limit in enumerate(FOUR):
        area = Area(14 + k % 2 * (wide + 10), 14 + k // 2 * (high + 10), wide, high)
        still.append(Box((area.x, area.y), (wide, high), "panel.up", "panel.line", 2, round=14))
        still.append(Text((area.x + 24, area.bottom - LOW), str(k + 1), 60))
        shapes += _shown(limit, area, hues)
    return Scene(SIZE, tuple(still), tuple(shapes))


def _shown(limit: Limit, area: Area, hues: tuple[str, ...]) -> Iterator[AnyShape]:
    places = {f"{letter}1": _place(area, k) for k, letter in enumerate(COLUMNS)}
    lifted = {field for field, became in limit.turns[-1].caps if became in ("away", "owed")}
    changed = {field for pair in limit.moved for field in pair} | lifted
    for (field, at), hue in zip(places.items(), limit.fields, strict=True):
        cap = Cap.OPEN if hue else Cap.COVERED
        mark = tiles.Mark.DUE if field == limit.due else None
        yield Stamp(tiles.field(SIDE, cap, hue, True if field in changed else None, mark), at)
        yield Text((at[0], at[1] + SIDE / 2 + 20), field, 28, "muted", bold=False, align="middle")
    for source, target in limit.moved:
        columns = COLUMNS.index(target[0]) - COLUMNS.index(source[0])
        yield from trails.trail(places[source], columns, 0, SIDE, newest=True, onto=True)
    if limit.locked:
        x, y = places[limit.locked]
        yield Stamp(pieces.lock(), (x - 33, y - 33))
    rows = len(limit.turns)
    for row, turn in enumerate(limit.turns):
        wide, high = tiles.BOX
        y = area.bottom - LOW + (row - (rows - 1) / 2) * (high + 8)
        yield Stamp(badge(turn.seat, hues[turn.seat]), (area.x + 130, y))
        for k, (field, became) in enumerate(turn.caps):
            box = tiles.box(field, became, "panel.up", running=row == rows - 1)
            yield Stamp(box, (area.x + 220 + k * (wide + 14), y))


def _place(area: Area, k: int) -> Point:
    return area.middle[0] + (k - 1.5) * SIDE, area.y + 10 + SIDE / 2
