"""The cards of a hand, for its seat only: both tasks of each card as patterns, with a sign if they are on the board.

A separate hand is drawn large. Under the board (see ``own``) cards are lower, with labels beside the patterns if there
is room. A pattern may be turned, so it is drawn in the turn in which it is largest. Page: section 14.
"""

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct

from renderers.frame import GAP, MARGIN, WIDTH
from renderers.games.kaleidoskop import crystals, glass, tokens
from renderers.layout import Area, Hexes
from renderers.look import Look, Theme
from renderers.palette import on
from renderers.scene import AnyShape, Box, Point, Polygon, Scene, Stamp, Text
from rules.games.kaleidoskop import TASKS, Card, Stage, State, Task, occurrences, task
from rules.hexes import Cell, turned

HEIGHT = 760
HEAD = 62
LABEL = 50
"""Height of the line with label and reward; of the line with the hexes."""
PLACES = 40
LOW_HEAD = 44
LOW_LABEL = 38
LOW_PLACES = 28
ASIDE = 88
"""Width of the column with the label beside the pattern."""
BROAD = 260
"""Cards of this width have room for it."""
LARGEST = 46.0
"""The largest radius of a hex of a pattern."""
LOW_LARGEST = 36.0
CRYSTAL = 0.0175
"""Size of a crystal in a pattern, for each unit of its hexes' radius."""


SIGN = 0.46
"""Reach of the sign in a hex of a pattern, the same."""


class Pattern(Struct, frozen=True):
    """The drawn pattern of a task: hexes and crystals with their middles, and the *radius* of the hexes."""

    radius: float
    hexes: tuple[tuple[Point, str], ...]
    crystals: tuple[tuple[Point, str], ...]


def hand(view: State, seat: int, look: Look) -> Scene | None:
    """Return the cards of *seat* that *view* shows, or None if there are none."""
    if not is_known(view, seat):
        return None
    areas = side_by_side(len(view.players[seat].hand), MARGIN, HEIGHT - 2 * MARGIN)
    return Scene((WIDTH, HEIGHT), (), tuple(laid(view, seat, areas, look.theme, HEAD)))


def is_known(view: State, seat: int) -> bool:
    """Return whether *view* shows cards of *seat*."""
    return any(card.id is not None for card in view.players[seat].hand)


def side_by_side(count: int, top: float, high: float) -> tuple[Area, ...]:
    """Return the areas of so many cards, in the middle of the picture, each at most a third of the width."""
    wide = (WIDTH - 2 * MARGIN - GAP * (max(3, count) - 1)) / max(3, count)
    left = (WIDTH - wide * count - GAP * (count - 1)) / 2
    return tuple(Area(left + k * (wide + GAP), top, wide, high) for k in range(count))


def tasks_on(area: Area, head: float) -> dict[str, Area]:
    """Return the areas of the tasks on the card in *area*, under its *head*."""
    high = (area.height - head) / len(TASKS)
    return {name: Area(area.x, area.y + head + k * high, area.width, high) for k, name in enumerate(TASKS)}


def laid(view: State, seat: int, areas: tuple[Area, ...], theme: Theme, head: float) -> Iterator[AnyShape]:
    """Yield the cards of *seat* in these areas, each with a *head* in the colour of its back."""
    for number, (card, area) in enumerate(zip(view.players[seat].hand, areas, strict=True), 1):
        yield from _back(number, card, area, head)
        if card.id is not None:
            for name, room in tasks_on(area, head).items():
                label = f"{number}{name}".upper()
                yield from _task(view, seat, label, (card.id, name), room, theme, low=head < HEAD)


def _back(number: int, card: Card, area: Area, head: float) -> Iterator[AnyShape]:
    """Yield a card without its tasks: its position on a strip in the colour of its back."""
    yield Box((area.x, area.y), (area.width, area.height), "panel", card.back, 4, round=16)
    yield Box((area.x, area.y), (area.width, head), card.back, round=16)
    yield Box((area.x, area.y + head / 2), (area.width, head / 2), card.back)
    x, y = area.middle[0], area.y + head / 2
    yield Text((x, y), str(number), round(0.65 * head), on(card.back), align="middle")
    for side in (-1, 1):
        at, by = (x + side * (area.width / 2 - 34), y), 0.28 * head
        corners = ((0, -by), (by * 0.65, 0), (0, by), (-by * 0.65, 0))
        yield Polygon(tuple((at[0] + dx, at[1] + dy) for dx, dy in corners), f"{card.back}.pale")


def _task(
    view: State, seat: int, label: str, which: tuple[str, str], area: Area, theme: Theme, *, low: bool
) -> Iterator[AnyShape]:
    """Yield a task: label, reward, pattern; if it is on the board now, a mark and the hexes of one place."""
    wanted = task(*which)
    places = occurrences(*which, view.lights()) if view.stage != Stage.OVER else ()
    now = bool(places) and view.actor == seat and view.stage != Stage.PLACE
    area = area.inset(5 if low else 8)
    ground, line, pen = ("panel.up" if places else "panel", "text" if now else "panel.line", 4 if now else 2)
    yield Box((area.x, area.y), (area.width, area.height), ground, line, pen, round=12)
    names = [name.upper() for name in places[0]] if places else []
    marked = f"{label} ✓" if places else label
    reward = f"+{wanted.reward}"
    if low and area.width >= BROAD:
        yield Text((area.x + 12, area.y + 26), marked, 30)
        yield Text((area.x + 12, area.y + 62), reward, 30)
        yield Stamp(tokens.score(12), (area.x + 68, area.y + 62))
        for k in range(0, len(names), 2):
            yield Text((area.x + 12, area.y + 98 + 14 * k), " ".join(names[k : k + 2]), 24)
        room = Area(area.x + ASIDE, area.y + 3, area.width - ASIDE - 4, area.height - 6)
    else:
        high, under = (LOW_LABEL, LOW_PLACES if names else 4) if low else (LABEL, PLACES)
        y = area.y + high / 2 + 2
        yield Text((area.x + 14, y), marked, 30 if low else 32)
        yield Stamp(tokens.score(12 if low else 13), (area.right - 26, y))
        yield Text((area.right - 44, y), reward, 30 if low else 32, align="right")
        room = Area(area.x + 8, area.y + high, area.width - 16, area.height - high - under)
        if names:
            at = area.middle[0], area.bottom - under / 2 - 2
            yield Text(at, " ".join(names), 24 if low else 26, align="middle", room=area.width - 12)
    yield from drawn(fitted(wanted, room, LOW_LARGEST if low else LARGEST), theme, plain=low)


# --- Patterns ---------------------------------------------------------------------------------------------------------


def fitted(wanted: Task, room: Area, largest: float = LARGEST) -> Pattern:
    """Return the pattern of a task in the turn in which it is largest in *room*, in its middle."""
    return max((_placed(wanted, times, room, largest) for times in range(6)), key=lambda pattern: pattern.radius)


def _placed(wanted: Task, times: int, room: Area, largest: float) -> Pattern:
    cells = [turned((q, r), times) for q, r, _ in wanted.hexes]
    unit = Hexes((0, 0), 1)
    middles = [unit.middle(cell) for cell in cells]
    left, right = min(x for x, _ in middles) - sqrt(3) / 2, max(x for x, _ in middles) + sqrt(3) / 2
    top, low = min(y for _, y in middles) - 1, max(y for _, y in middles) + 1
    radius = min(largest, room.width / (right - left), room.height / (low - top))
    x, y = room.middle
    hexes = Hexes((x - radius * (left + right) / 2, y - radius * (top + low) / 2), radius)

    def corner(cell: Cell, number: int) -> Point:
        return hexes.corners(turned(cell, times))[(number + times) % 6]

    return Pattern(
        radius,
        tuple((hexes.middle(cell), colour) for cell, (_, _, colour) in zip(cells, wanted.hexes, strict=True)),
        tuple((corner((q, r), k), colour) for q, r, k, colour in wanted.crystals),
    )


def drawn(pattern: Pattern, theme: Theme, *, plain: bool = False) -> Iterator[AnyShape]:
    """Yield a pattern as on the board, without irrelevant parts; *plain*: as flat as possible."""
    radius = round(pattern.radius * 2) / 2
    for at, colour in pattern.hexes:
        if plain:
            yield Stamp(glass.plain(crystals.HUE[colour], radius), at)
            continue
        yield Stamp(glass.lead(radius), at)
        yield Stamp(glass.pane(crystals.HUE[colour], radius), at)
    for at, colour in pattern.hexes:
        yield Stamp(glass.sign(colour, round(radius * SIGN), theme), at)
    for at, colour in pattern.crystals:
        yield Stamp(crystals.gem(colour, max(0.5, round(CRYSTAL * radius, 2))), at)
