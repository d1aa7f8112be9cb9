"""The cards of a hand, for its seat only: both tasks of each card as patterns, with a sign if they are on the board.

A separate hand is drawn large. Under the board (see ``own``) cards are lower, with labels beside the patterns if there
is room. A pattern may be turned, so it is drawn in the turn in which it is largest. Page: section 14.
"""

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from renderers.frame import GAP, MARGIN, WIDTH
from renderers.games.kaleidoskop import crystals, glass, tokens
from renderers.layout import Area, Hexes
from renderers.lettering import width
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
LOW_LABEL = 35
LOW_NAME, LOW_PLACES = 34, 23
"""The height of that line on a low card, whose tasks are side by side without a head; and the width and height of the
name of a hex."""
CHIP = 30
"""Height of the ground of a low label, in the colour of the card's back."""
BROAD = 140
"""Tasks of this width have large labels."""
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
    return Scene((WIDTH, HEIGHT), (), tuple(laid(view, seat, areas, look.theme)))


def is_known(view: State, seat: int) -> bool:
    """Return whether *view* shows cards of *seat*."""
    return any(card.id is not None for card in view.players[seat].hand)


def side_by_side(count: int, top: float, high: float) -> tuple[Area, ...]:
    """Return the areas of so many cards, in the middle of the picture, each at most a third of its width."""
    wide = (WIDTH - 2 * MARGIN - GAP * (max(3, count) - 1)) / max(3, count)
    left = (WIDTH - wide * count - GAP * (count - 1)) / 2
    return tuple(Area(left + k * (wide + GAP), top, wide, high) for k in range(count))


def tasks_on(area: Area, *, low: bool) -> dict[str, Area]:
    """Return the areas of the tasks on the card in *area*: one below the other under its head, or side by side."""
    if low:
        wide = area.width / len(TASKS)
        return {name: Area(area.x + k * wide, area.y, wide, area.height) for k, name in enumerate(TASKS)}
    high = (area.height - HEAD) / len(TASKS)
    return {name: Area(area.x, area.y + HEAD + k * high, area.width, high) for k, name in enumerate(TASKS)}


def laid(view: State, seat: int, areas: tuple[Area, ...], theme: Theme, *, low: bool = False) -> Iterator[AnyShape]:
    """Yield the cards of *seat* in these areas, in the colours of their backs."""
    for number, (card, area) in enumerate(zip(view.players[seat].hand, areas, strict=True), 1):
        yield from _low_back(number, card, area) if low else _back(number, card, area)
        if card.id is not None:
            for name, room in tasks_on(area, low=low).items():
                label = f"{number}{name}".upper()
                yield from _task(view, seat, label, card, name, room, theme, low=low)


def _low_back(number: int, card: Card, area: Area) -> Iterator[AnyShape]:
    """Yield a low card without its tasks; its position if they are unknown."""
    yield Box((area.x, area.y), (area.width, area.height), "panel", card.back, 4, round=12)
    if card.id is None:
        yield Stamp(tokens.back(card.back), (area.middle[0] - 24, area.middle[1]))
        yield Text((area.middle[0] + 6, area.middle[1]), str(number), 36)


def _back(number: int, card: Card, area: Area) -> Iterator[AnyShape]:
    """Yield a card without its tasks: its position on a strip in the colour of its back."""
    yield Box((area.x, area.y), (area.width, area.height), "panel", card.back, 4, round=16)
    yield Box((area.x, area.y), (area.width, HEAD), card.back, round=16)
    yield Box((area.x, area.y + HEAD / 2), (area.width, HEAD / 2), card.back)
    x, y = area.middle[0], area.y + HEAD / 2
    yield Text((x, y), str(number), round(0.65 * HEAD), on(card.back), align="middle")
    for side in (-1, 1):
        at, by = (x + side * (area.width / 2 - 34), y), 0.28 * HEAD
        corners = ((0, -by), (by * 0.65, 0), (0, by), (-by * 0.65, 0))
        yield Polygon(tuple((at[0] + dx, at[1] + dy) for dx, dy in corners), f"{card.back}.pale")


def _task(
    view: State, seat: int, label: str, card: Card, name: str, area: Area, theme: Theme, *, low: bool
) -> Iterator[AnyShape]:
    """Yield a task: label, reward, pattern; if it is on the board now, a mark and the hexes of one place."""
    assert card.id is not None
    wanted = task(card.id, name)
    places = occurrences(card.id, name, view.lights()) if view.stage != Stage.OVER else ()
    now = bool(places) and view.actor == seat and view.stage != Stage.PLACE
    area = area.inset(5 if low else 8)
    ground, line, pen = ("panel.up" if places else "panel", "text" if now else "panel.line", 4 if now else 2)
    yield Box((area.x, area.y), (area.width, area.height), ground, line, pen, round=12)
    names = [name.upper() for name in places[0]] if places else []
    is_broad = not low or area.width >= BROAD
    marked = f"{label}{' ' if is_broad else ''}✓" if places else label
    reward = f"+{wanted.reward}"
    if low:
        size, y = (28, 10.0) if is_broad else (24, 3.0)
        yield Box((area.x + 5, area.y + 5), (width(marked, size) + 2 * y, CHIP), card.back, round=8)
        yield Text((area.x + 5 + y, area.y + 5 + CHIP / 2), marked, size, on(card.back))
        right = area.right - 5 - y
        if is_broad or not names:
            yield Stamp(tokens.score(10), (right - 4, area.y + 5 + CHIP / 2))
            right -= 16
        yield Text((right, area.y + 5 + CHIP / 2), reward, size, align="right")
        room = Area(area.x + 4, area.y + LOW_LABEL, area.width - 8, area.height - LOW_LABEL - 4)
        if names:  # one under another, right of the pattern
            room = replace(room, width=room.width - LOW_NAME)
            y = room.middle[1] - (len(names) - 1) / 2 * LOW_PLACES
            for k, one in enumerate(names):
                yield Text((room.right + LOW_NAME / 2, y + k * LOW_PLACES), one, 24, align="middle")
    else:
        y = area.y + LABEL / 2 + 2
        yield Text((area.x + 14, y), marked, 32)
        yield Stamp(tokens.score(13), (area.right - 26, y))
        yield Text((area.right - 44, y), reward, 32, align="right")
        room = Area(area.x + 8, area.y + LABEL, area.width - 16, area.height - LABEL - PLACES)
        if names:
            at = area.middle[0], area.bottom - PLACES / 2 - 2
            yield Text(at, " ".join(names), 26, align="middle", room=area.width - 12)
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
