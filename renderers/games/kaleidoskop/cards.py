"""The cards of a hand, for its seat only: both tasks of each card as patterns, with a sign if they are on the board.

A separate hand is drawn large. Under the board (see ``own``) cards are lower, with labels beside the patterns if there
is room. A pattern may be turned, so it is drawn in the turn in which it is largest. Page: section 14.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import hypot

from msgspec import Struct
from msgspec.structs import replace

from renderers.frame import GAP, MARGIN, WIDTH
from renderers.games.kaleidoskop import crystals, glass, tokens
from renderers.layout import SQRT3, Area, Hexes
from renderers.lettering import width
from renderers.look import Look, Theme
from renderers.palette import on
from renderers.scene import AnyShape, Box, Point, Polygon, Scene, Stamp, Text, moved
from rules.games.kaleidoskop import TASKS, Card, Stage, State, Task, occurrences, task
from rules.hexes import turned

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
CRYSTAL, LOW_CRYSTAL = 0.0165, 0.43
"""Size of a crystal in a pattern for each unit of its hexes' radius; and on a low card, where the edge of a smaller one
would lose its contrast."""
SIGN, LOW_SIGN = 0.44, 0.4
"""Reach of the sign in a hex of a pattern, for each unit of the hex's radius; on a low card."""
SMALLEST = 5
"""The least reach of a sign, if a crystal between three hexes leaves so little room."""
TIP = 1.15
"""Reach of the tips of a sign, as a part of its reach."""
AIR = 1.0
"""Distance of a crystal from the signs and from another crystal."""


class Pattern(Struct, frozen=True):
    """The drawn pattern of a task: hexes and crystals with their middles, and the *radius* of the hexes.

    *signs*, *gems*: the places of the hexes' signs, of *reach*, and of the crystals, of *size*. None covers another:
    a crystal beside one or two hexes moves away from them, and the signs move away from one between three.
    """

    radius: float
    hexes: tuple[tuple[Point, str], ...]
    crystals: tuple[tuple[Point, str], ...]
    reach: int
    size: float
    signs: tuple[Point, ...]
    gems: tuple[Point, ...]


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
    yield from drawn(fitted(wanted, room, LOW_LARGEST if low else LARGEST, low=low), theme, plain=low)


# --- Patterns ---------------------------------------------------------------------------------------------------------


def fitted(wanted: Task, room: Area, largest: float = LARGEST, *, low: bool = False) -> Pattern:
    """Return the pattern of a task in the turn in which it is largest in *room*, in its middle."""
    pattern = _fitted(wanted, room.width, room.height, largest, low)
    x, y = room.middle
    return replace(
        pattern,
        hexes=tuple(((x + u, y + v), colour) for (u, v), colour in pattern.hexes),
        crystals=tuple(((x + u, y + v), colour) for (u, v), colour in pattern.crystals),
        signs=moved(pattern.signs, room.middle),
        gems=moved(pattern.gems, room.middle),
    )


@lru_cache(1024)
def _fitted(wanted: Task, wide: float, high: float, largest: float, low: bool) -> Pattern:
    patterns = (_placed(wanted, times, (wide, high), largest, low=low) for times in range(6))
    return max(patterns, key=lambda pattern: pattern.radius)


def _placed(wanted: Task, times: int, room: tuple[float, float], largest: float, *, low: bool) -> Pattern:
    """Return the pattern, turned by so many sixths, in the middle of a room of this size around (0, 0)."""
    radius, sign = largest, LOW_SIGN if low else SIGN
    for _ in range(3):  # crystals move further on smaller hexes
        (left, right), (top, bottom) = _ends(_drawn(wanted, times, radius, int(radius * sign), low=low))
        radius *= min(1.0, room[0] / (right - left), room[1] / (bottom - top))
    pattern = _drawn(wanted, times, radius, int(radius * sign), low=low)
    while pattern.reach > SMALLEST and not _is_within(pattern):
        pattern = _drawn(wanted, times, radius, pattern.reach - 1, low=low)
    (left, right), (top, bottom) = _ends(pattern)
    by = -(left + right) / 2, -(top + bottom) / 2
    hexes, crystals = (
        tuple(((x + by[0], y + by[1]), colour) for (x, y), colour in placed)
        for placed in (pattern.hexes, pattern.crystals)
    )
    return replace(
        pattern, hexes=hexes, crystals=crystals, signs=moved(pattern.signs, by), gems=moved(pattern.gems, by)
    )


def _ends(pattern: Pattern) -> tuple[tuple[float, float], ...]:
    """Return the left and right end of a pattern, and the upper and lower one."""
    ends = []
    for axis, ahead, part in ((0, (1.0, 0.0), SQRT3 / 2), (1, (0.0, 1.0), 1.0)):
        back = -ahead[0], -ahead[1]
        low = [at[axis] - part * pattern.radius for at, _ in pattern.hexes]
        high = [at[axis] + part * pattern.radius for at, _ in pattern.hexes]
        for gem, (_, colour) in zip(pattern.gems, pattern.crystals, strict=True):
            low.append(gem[axis] - _reach(colour, back) * pattern.size * crystals.SETTING)
            high.append(gem[axis] + _reach(colour, ahead) * pattern.size * crystals.SETTING)
        ends.append((min(low), max(high)))
    return tuple(ends)


def _is_within(pattern: Pattern) -> bool:
    """Return whether all signs are in their panes: they move towards a corner, whose sides leave room."""
    most = pattern.radius - glass.LEAD - pattern.reach * TIP / (SQRT3 / 2)
    places = zip(pattern.signs, pattern.hexes, strict=True)
    return all(hypot(x - u, y - v) <= max(0.0, most) for (x, y), ((u, v), _) in places)


def _drawn(wanted: Task, times: int, radius: float, reach: int, *, low: bool) -> Pattern:
    """Return the pattern around (0, 0) with hexes of this *radius* and signs of this *reach*."""
    cells = [turned((q, r), times) for q, r, _ in wanted.hexes]
    hexes = Hexes((0, 0), radius)
    middles = [hexes.middle(cell) for cell in cells]
    corners = [hexes.corners(turned((q, r), times))[(k + times) % 6] for q, r, k, _ in wanted.crystals]
    size = LOW_CRYSTAL if low else round(CRYSTAL * radius, 2)
    signs, gems = list(middles), list(corners)
    hues, cuts = [colour for *_, colour in wanted.hexes], [colour for *_, colour in wanted.crystals]
    around = [[k for k, (u, v) in enumerate(middles) if hypot(x - u, y - v) < 1.1 * radius] for x, y in corners]

    def apart(gem: int, other: Point, colour: str, scale: float) -> float:
        """Return the distance in which a crystal is apart from another outline."""
        (x, y), (u, v) = gems[gem], other
        far = hypot(x - u, y - v)
        across, down = (x - u) / far, (y - v) / far
        own = _reach(cuts[gem], (-across, -down)) * size * crystals.SETTING
        return own + _reach(colour, (across, down)) * scale + AIR

    fixed = [gem for gem, beside in enumerate(around) if len(beside) == 3]
    for gem in fixed:
        x, y = corners[gem]
        for k in around[gem]:
            (u, v), far = middles[k], max(1.0, apart(gem, middles[k], hues[k], reach / crystals.GEM) / radius)
            signs[k] = x + (u - x) * far, y + (v - y) * far
    for gem, beside in enumerate(around):
        if gem in fixed:
            continue
        x, y = corners[gem]
        u, v = (sum(middles[k][axis] for k in beside) / len(beside) for axis in (0, 1))
        across, down = (x - u) / hypot(x - u, y - v), (y - v) / hypot(x - u, y - v)
        others = [(signs[k], hues[k], reach / crystals.GEM) for k in beside]
        others += [(corners[other], cuts[other], size * crystals.SETTING) for other in fixed]
        for _ in range(3):  # the distance depends on the direction
            away = 0.0
            for other in others:
                u, v = x - other[0][0], y - other[0][1]
                along = u * across + v * down
                away = max(away, (max(0.0, apart(gem, *other) ** 2 - u * u - v * v + along * along)) ** 0.5 - along)
            gems[gem] = x + away * across, y + away * down
    return Pattern(
        radius,
        tuple(zip(middles, hues, strict=True)),
        tuple(zip(corners, cuts, strict=True)),
        reach,
        size,
        tuple(signs),
        tuple(gems),
    )


def _reach(colour: str, way: Point) -> float:
    """Return how far the outline of a crystal of size 1 reaches in this direction."""
    return max(x * way[0] + y * way[1] for x, y in crystals.cut(colour))


def drawn(pattern: Pattern, theme: Theme, *, plain: bool = False) -> Iterator[AnyShape]:
    """Yield a pattern as on the board, without irrelevant parts; *plain*: as flat as possible."""
    radius = round(pattern.radius * 2) / 2
    for at, colour in pattern.hexes:
        if plain:
            yield Stamp(glass.plain(crystals.HUE[colour], radius), at)
            continue
        yield Stamp(glass.lead(radius), at)
        yield Stamp(glass.pane(crystals.HUE[colour], radius), at)
    for at, (_, colour) in zip(pattern.signs, pattern.hexes, strict=True):
        yield Stamp(glass.sign(colour, pattern.reach, theme), at)
    for at, (_, colour) in zip(pattern.gems, pattern.crystals, strict=True):
        yield Stamp(crystals.gem(colour, pattern.size), at)
