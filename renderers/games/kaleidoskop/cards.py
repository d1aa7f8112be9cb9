"""A hand of cards, private to its seat: both tasks of each as patterns, and which of them lie on the board now.

A pattern may be turned on the board, so it is drawn in the turn that shows it largest. Page: section 14.
"""

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct

from renderers import Look, Theme
from renderers.frame import GAP, MARGIN, WIDTH
from renderers.games.kaleidoskop import glass
from renderers.layout import Area, Hexes
from renderers.palette import on
from renderers.scene import AnyShape, Box, Point, Polygon, Scene, Stamp, Text
from rules.games.kaleidoskop import NOTHING, TASKS, Card, Stage, State, Task, occurrences, task
from rules.hexes import Cell, turned

HEIGHT = 760
HEAD = 62
LABEL = 50
"""Height of the line with label and reward; of the line with the hexes."""
PLACES = 40
LARGEST = 46.0
"""Radius of a hex of a pattern, at most."""
CRYSTAL = 0.015
"""Size of a crystal in a pattern, for each unit of its hexes' radius."""


class Pattern(Struct, frozen=True):
    """A task's pattern as it is drawn: hexes and crystals with their middles, the hexes with *radius*."""

    radius: float
    hexes: tuple[tuple[Point, str], ...]
    crystals: tuple[tuple[Point, str], ...]


def hand(view: State, seat: int, look: Look) -> Scene | None:
    """The cards of *seat* as far as *view* shows them; None where there is none to be shown."""
    cards = view.players[seat].hand
    if all(card.id is None for card in cards):
        return None
    wide = (WIDTH - 2 * MARGIN - GAP * (max(3, len(cards)) - 1)) / max(3, len(cards))
    left = (WIDTH - wide * len(cards) - GAP * (len(cards) - 1)) / 2
    shapes: list[AnyShape] = []
    for number, card in enumerate(cards, 1):
        area = Area(left + (number - 1) * (wide + GAP), MARGIN, wide, HEIGHT - 2 * MARGIN)
        shapes += _card(view, seat, number, card, area, look.theme)
    return Scene((WIDTH, HEIGHT), (), tuple(shapes))


def _card(view: State, seat: int, number: int, card: Card, area: Area, theme: Theme) -> Iterator[AnyShape]:
    """A card: its position on a strip in the colour of its back, then its tasks."""
    yield Box((area.x, area.y), (area.width, area.height), "panel", card.back, 4, round=16)
    yield Box((area.x, area.y), (area.width, HEAD), card.back, round=16)
    yield Box((area.x, area.y + HEAD / 2), (area.width, HEAD / 2), card.back)
    x, y = area.middle[0], area.y + HEAD / 2
    yield Text((x, y), str(number), 40, on(card.back), align="middle")
    for side in (-1, 1):
        at = (x + side * (area.width / 2 - 34), y)
        yield Polygon(
            tuple((at[0] + dx, at[1] + dy) for dx, dy in ((0, -17), (11, 0), (0, 17), (-11, 0))), f"{card.back}.pale"
        )
    if card.id is None:
        return
    high = (area.height - HEAD) / len(TASKS)
    for k, name in enumerate(TASKS):
        room = Area(area.x, area.y + HEAD + k * high, area.width, high)
        yield from _task(view, seat, f"{number}{name}".upper(), (card.id, name), room.inset(8), theme)


def _task(view: State, seat: int, label: str, which: tuple[str, str], area: Area, theme: Theme) -> Iterator[AnyShape]:
    """A task: label, reward, pattern; where it lies on the board now, a mark and the hexes of one place."""
    wanted = task(*which)
    found = occurrences(*which, view.lights()) if view.stage != Stage.OVER else ()
    now = bool(found) and view.actor == seat and view.stage != Stage.PLACE
    ground = "panel.up" if found else "panel"
    yield Box(
        (area.x, area.y), (area.width, area.height), ground, "text" if now else "panel.line", 4 if now else 2, round=12
    )
    y = area.y + LABEL / 2 + 2
    yield Text((area.x + 14, y), f"{label} ✓" if found else label, 32)
    yield Stamp(glass.score(13), (area.right - 26, y))
    yield Text((area.right - 44, y), f"+{wanted.reward}", 32, align="right")
    room = Area(area.x + 8, area.y + LABEL, area.width - 16, area.height - LABEL - PLACES)
    yield from drawn(fitted(wanted, room), theme)
    if found:
        names = " ".join(name.upper() for name in found[0])
        yield Text((area.middle[0], area.bottom - PLACES / 2 - 2), names, 26, align="middle", room=area.width - 12)


# --- Patterns ---------------------------------------------------------------------------------------------------------


def fitted(wanted: Task, room: Area, largest: float = LARGEST) -> Pattern:
    """The pattern of a task in the turn in which it is largest in *room*, in its middle."""
    return max((_placed(wanted, times, room, largest) for times in range(6)), key=lambda pattern: pattern.radius)


def _placed(wanted: Task, times: int, room: Area, largest: float) -> Pattern:
    cells = [turned((q, r), times) for q, r, _ in wanted.hexes]
    unit = Hexes((0, 0), 1)
    middles = [unit.middle(cell) for cell in cells]
    left, right = min(x for x, _ in middles) - sqrt(3) / 2, max(x for x, _ in middles) + sqrt(3) / 2
    top, low = min(y for _, y in middles) - 1, max(y for _, y in middles) + 1
    radius = min(largest, room.width / (right - left), room.height / (low - top))
    x, y = room.middle
    there = Hexes((x - radius * (left + right) / 2, y - radius * (top + low) / 2), radius)

    def corner(cell: Cell, number: int) -> Point:
        return there.corners(turned(cell, times))[(number + times) % 6]

    return Pattern(
        radius,
        tuple((there.middle(cell), colour) for cell, (_, _, colour) in zip(cells, wanted.hexes, strict=True)),
        tuple((corner((q, r), k), colour) for q, r, k, colour in wanted.crystals),
    )


def drawn(pattern: Pattern, theme: Theme) -> Iterator[AnyShape]:
    """A pattern as it looks on the board, without what does not matter."""
    radius = round(pattern.radius * 2) / 2
    for at, colour in pattern.hexes:
        yield Stamp(glass.lead(radius), at)
        yield Stamp(glass.pane(glass.HUE[colour], radius), at)
    for at, colour in pattern.hexes:
        yield Text(at, colour.upper(), 30, on(glass.shade(glass.HUE[colour]), theme), align="middle")
    for at, colour in pattern.crystals:
        yield Stamp(glass.lettered(colour, max(0.56, round(CRYSTAL * radius, 2))), at)


# --- How a hex gets its colour ----------------------------------------------------------------------------------------

EXAMPLES = (("rrry", "r"), ("rryyg", "g"), ("ry", NOTHING), ("rryygb", NOTHING))
"""Crystals round a hex, and the colour that it gets."""


def majorities(theme: Theme) -> Scene:
    """Four hexes with their crystals: a majority, a tie that lets a weaker colour win, and two that stay neutral."""
    radius, high = 130.0, 760
    shapes: list[AnyShape] = []
    for k, (counted, colour) in enumerate(EXAMPLES):
        there = Hexes((WIDTH * (1 + 2 * (k % 2)) / 4, high * (1 + 2 * (k // 2)) / 4), radius)
        hue = glass.HUE.get(colour, "")
        shapes += [Stamp(glass.lead(radius), there.centre), Stamp(glass.pane(hue, radius), there.centre)]
        corners = there.corners((0, 0))
        for number, crystal in enumerate(counted):
            if crystal == colour:
                shapes.append(Stamp(glass.ray(f"{hue}.pane.gleam", radius, number), there.centre))
        for number, at in enumerate(corners):
            crystal = counted[number : number + 1]
            shapes.append(Stamp(glass.lettered(crystal, 1.3) if crystal else glass.empty(1.3), at))
        if hue:
            shapes.append(Text(there.centre, colour.upper(), 72, on(glass.shade(hue), theme), align="middle"))
    return Scene((WIDTH, high), (), tuple(shapes))
