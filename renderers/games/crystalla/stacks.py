"""The stacks on their bed: each with its number, a pile of cards and stones, and the walk over them."""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from msgspec import Struct

from renderers.games.crystalla.gems import loose, stone
from renderers.games.crystalla.homes import ACROSS, CARD, LARGER, Table
from renderers.scene import TEXT_MIN, AnyShape, Arrow, Box, Line, Polygon, Sprite, Stamp, Text, moved
from rules.games.crystalla import COLOURS, LAYOUTS, Drop, Fill, State, Take

HUES = {"o": "orange", "w": "white", "p": "pink", "k": "black"}
BED = "panel"
"""The ground of the stacks."""
RADII = {CARD: (17.0, 15.0), LARGER: (15.0, 12.0)}
"""Radii of stones, the best first, by the side of the cards on the stacks."""
SLIM, SLIM_FRESH = 11.5, 9.5
"""Radius of a stone if there are so many that each has its number close to it; and of a fresh one, without its ring."""
DIGIT = 13.0
"""Width of a number."""
APART = 2.0
"""Distance between rows of stones, if there is room."""
FRESH, TIGHT = 4.0, 2.5
"""Distance of the ring of a stone that just fell, and of one among many stones."""
HEAD = 26
"""Height of the number over a card."""
EDGE = 5
"""Distance from the rim of a key to card and stones."""
AROUND = 7
"""Distance from a key to the edge of its tile, for the signs of the walk."""
CLEAR = 11.0
"""Distance from the edge of a key to its number, which keeps off the broken frame."""
INSIDE = 3.5
"""Distance from the edge of a key to the broken frame in it, if the unbroken one is around it."""
THICK, MOST = 0.5, 14
"""Thickness of a card in the visible pile, and the largest number of cards that add to it."""
ARROW = {CARD: 11.5, LARGER: 10.0}
"""Width of the arrows of a walk, by the side of the cards on the stacks."""


class Stack(Struct, frozen=True):
    """A stack on the table. *fresh*: stones that fell in the shown walk; *heap*: the other stones.

    *able*: the actor may begin or continue here, or refill from here. *ended*: the last stack of the walk, *began*: its
    first one. A walk that has not left yet, or has come back, begins and ends at one stack.
    """

    number: int
    card: str
    cards: int
    heap: str
    fresh: str
    neutral: str
    able: bool
    began: bool
    ended: bool


def shapes(view: State, table: Table, walk: Sequence[int], fallen: Sequence[str]) -> list[AnyShape]:
    """Return all stacks and a walk (stacks, the first one first) with the stones that fell on its steps.

    The stacks that the actor may take are raised, during the walk those to which it may continue, and those that may
    refill an empty one.
    """
    neutral = view.layout.neutral or ""
    able = {action.stack for action in view.actions() if isinstance(action, Take | Drop | Fill)}
    drawn: list[AnyShape] = []
    for number, (cards, heap) in enumerate(zip(view.stacks, view.stones, strict=True), 1):
        fresh = "".join(colour for colour, step in zip(fallen, walk[1:], strict=True) if step == number)
        old = heap
        for colour in fresh:
            old = old.replace(colour, "", 1)
        ended = walk[-1:] == (number,)
        began = walk[:1] == (number,)
        top = cards[-1] or "" if cards else ""
        stack = Stack(number, top, len(cards), old, fresh, neutral, number in able, began, ended)
        drawn.append(Stamp(_key(stack, *table.key, table.card), table.stack(number).middle))
    return [*drawn, *_steps(table, walk)]


@cache
def ways(table: Table) -> tuple[AnyShape, ...]:
    """Return the bed of the stacks, and the links between neighbours."""
    last = ACROSS * LAYOUTS[len(table.homes)].rows
    pairs = [(here, here + 1) for here in range(1, last) if here % ACROSS]
    pairs += [(here, here + ACROSS) for here in range(1, last + 1 - ACROSS)]
    bed = table.bed
    return (
        Box((bed.x, bed.y + 3), (bed.width, bed.height), "lead", round=16),
        Box((bed.x, bed.y), (bed.width, bed.height), BED, "panel.line", 2, round=16),
        *(Line((table.stack(a).middle, table.stack(b).middle), "panel.line", 6) for a, b in pairs),
    )


@lru_cache(256)
def _key(stack: Stack, wide: float, high: float, card: int) -> Sprite:
    """Return a stack with the signs of the walk around it; its stones are beside the card or, in a high key, under
    it."""
    left, top = -wide / 2, -high / 2
    made: list[AnyShape] = []
    stayed = stack.began and stack.ended
    rim = 3 if stack.ended and not stayed else 0  # the broken frame needs all of the key
    if stack.ended:
        made.append(Box((left - AROUND, top - AROUND), (wide + 2 * AROUND, high + 2 * AROUND), "ink", round=16))
        made.append(Box((left - 5, top - 5), (wide + 10, high + 10), "accent", round=15))
        made.append(Box((left + rim - 1, top + rim - 1), (wide - 2 * rim + 2, high - 2 * rim + 2), "ink", round=12))
    if stack.began and not stack.ended:
        made += _dashes(left - 2.5, top - 2.5, 8)
    under = high > wide
    fill, line = ("panel.up", "muted") if stack.able else (BED, "lead.light" if under else "panel.line")
    made.append(Box((left + rim, top + rim), (wide - 2 * rim, high - 2 * rim), fill, line, 2.5, round=12 - rim))
    if stayed:
        made += _dashes(left + INSIDE, top + INSIDE, 5)
    label = left + CLEAR, top + HEAD / 2 + 5
    made.append(Text(label, str(stack.number), 28, bold=False))
    if stack.cards or stack.ended:  # before the deal there is nothing to count
        size = 28 if stack.cards < 10 else TEXT_MIN
        made.append(Text((label[0] + 20, label[1]), f"×{stack.cards}", size))
    x, y = 0.0 if under else left + EDGE + card / 2, top + HEAD + EDGE + card / 2
    if stack.cards:
        made += _pile(stack.cards, x, y, card)
        made.append(Stamp(loose(stack.card, "nw", card), (x, y)))
    beside, below = left + EDGE + card + 9, top + HEAD + EDGE + card + 4
    if under:
        zone = left, below, wide, high / 2 - 1 - below
    else:
        zone = beside, top + 2, wide / 2 - (8 if stayed else 3) - beside, high - 4
    made += _heap(stack, zone, RADII[card])
    around = AROUND if stack.ended or stack.began else 0
    return Sprite(f"stack {stack.number}", (wide / 2 + around, high / 2 + around), tuple(made), BED)


def _dashes(left: float, top: float, wide: float) -> list[AnyShape]:
    """Return a broken frame, *wide*, at the beginning of the walk."""
    corners = ((left, top), (-left, top), (-left, -top), (left, -top), (left, top))
    return [
        Line(side, colour, pen, dash=dash)
        for colour, pen, dash in (("ink", wide, 0), ("accent", wide - 3, 12))
        for side in pairwise(corners)
    ]


def _pile(cards: int, x: float, y: float, side: int) -> list[AnyShape]:
    """Return the cards under the top one, a pile that grows with their number, and its shadow."""
    half, off = side / 2 + 1, THICK * min(cards - 1, MOST) + 1
    edge = ((-half, half), (half, -half), (half + off, off - half), (half + off, half + off), (off - half, half + off))
    shadow = Box((x - half + off + 2, y - half + off + 2), (2 * half, 2 * half), "lead", round=4)
    return [shadow, Polygon(moved(edge, (x, y)), "stone", "ink", 2)] if cards > 1 else [shadow]


# --- Stones


class Chip(Struct, frozen=True):
    """Stones of one colour: their number, their *radius*, and whether they fell in this walk. *tight*: number and stone
    without a sign."""

    colour: str
    count: int
    fresh: bool
    neutral: bool
    radius: float
    tight: bool = False

    @property
    def ring(self) -> float:
        """The width of the ring around it."""
        return (TIGHT if self.tight else FRESH) if self.fresh else 0.0

    @property
    def wide(self) -> float:
        around = 2 * self.radius + 2 * self.ring
        if self.count == 1:
            return max(TEXT_MIN, around) + 0.5
        return around + (DIGIT if self.tight else 24.5)

    @property
    def high(self) -> float:
        return max(TEXT_MIN, 2 * self.radius + 2 * self.ring) + 1


def _heap(stack: Stack, zone: tuple[float, float, float, float], radii: Sequence[float]) -> list[AnyShape]:
    """Return the stones of a stack in a zone (left, top, width, height): the older ones of a colour, then the fresh
    ones.

    Equal stones are drawn together if there are many. The stones are as large as the zone allows.
    """

    def chips(radius: float, *, together: bool, tight: bool = False) -> list[Chip]:
        heaps = [(stack.heap, False), (stack.fresh, True)]
        return [
            Chip(
                colour,
                stones.count(colour),
                fresh,
                colour == stack.neutral,
                SLIM_FRESH if tight and fresh else radius,
                tight,
            )
            for colour in COLOURS
            for stones, fresh in ([(stack.heap + stack.fresh, colour in stack.fresh)] if together else heaps)
            if colour in stones
        ]

    _, _, wide, high = zone
    # In a high zone they are one under another if there is room, else in rows that are as close as necessary.
    layouts = [[[chip] for chip in chips(radius, together=False)] for radius in radii if high > wide]
    for together in (False, True):
        layouts += [_rows(chips(radius, together=together), wide) for radius in radii]
        layouts.append(_rows(chips(SLIM, together=together, tight=True), wide))
    fitting = (rows for rows in layouts if sum(map(_high, rows)) <= high and max(map(_wide, rows), default=0) <= wide)
    return _flow(next(fitting, layouts[-1]), zone)


def _wide(row: Sequence[Chip]) -> float:
    return sum(chip.wide for chip in row)


def _high(row: Sequence[Chip]) -> float:
    return max(chip.high for chip in row)


def _rows(chips: Sequence[Chip], room: float) -> list[list[Chip]]:
    """Return *chips* in few rows of at most *room*."""
    rows: list[list[Chip]] = []
    for chip in sorted(chips, key=lambda item: (-item.count, not item.fresh)):
        for row in rows:
            if _wide(row) + chip.wide <= room:
                row.append(chip)
                break
        else:
            rows.append([chip])
    return rows


def _flow(rows: Sequence[Sequence[Chip]], zone: tuple[float, float, float, float]) -> list[AnyShape]:
    """Return rows of chips in the middle of a zone."""
    left, top, wide, high = zone
    needed = sum(map(_high, rows))
    apart = min(APART, (high - needed) / max(1, len(rows) - 1))
    y = top + (high - needed - apart * (len(rows) - 1)) / 2
    made: list[AnyShape] = []
    for row in rows:
        x = left + (wide - _wide(row)) / 2
        y += _high(row) / 2
        for chip in row:
            made += _drawn(chip, (x + (chip.wide / 2 if chip.count == 1 else chip.radius + chip.ring), y))
            x += chip.wide
        y += _high(row) / 2 + apart
    return made


def _drawn(chip: Chip, at: tuple[float, float]) -> list[AnyShape]:
    """Return a stone, with its number if there are several."""
    x, y = at
    lying = stone(HUES[chip.colour], chip.colour, fresh=chip.fresh, neutral=chip.neutral, radius=chip.radius)
    made: list[AnyShape] = [Stamp(lying, (x, y))]
    if chip.count > 1 and chip.tight:
        made.append(Text((x + chip.radius + chip.ring, y), str(chip.count)))
    elif chip.count > 1:
        cross, arm = x + chip.radius + chip.ring + 5.5, 3.0
        made += [Line(((cross - arm, y + s * arm), (cross + arm, y - s * arm)), "text", 2.5) for s in (-1, 1)]
        made.append(Text((cross + arm + 2, y), str(chip.count)))
    return made


# --- The walk


def _steps(table: Table, walk: Sequence[int]) -> list[AnyShape]:
    """Return an arrow from each stack to the next in the gap between them; side by side if the walk crosses it
    again."""
    crossed: dict[frozenset[int], int] = {}
    arrows: list[AnyShape] = []
    for here, there in pairwise(walk):
        gap = frozenset((here, there))
        times = crossed.get(gap, 0)
        crossed[gap] = times + 1
        (x0, y0), (x1, y1) = table.stack(here).middle, table.stack(there).middle
        across, down = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        wide = ARROW[table.card]
        aside = (-3 * wide, 0.0, 3 * wide)[(times + 1) % 3]
        reach = max((table.gap[0] if across else table.gap[1]) / 2, 1.2 * wide)
        arrows.append(Stamp(_step(across, down, reach, wide), (x, y + aside) if across else (x + aside, y)))
    return arrows


@cache
def _step(across: int, down: int, reach: float, wide: float) -> Sprite:
    start, end = (-across * reach, -down * reach), (across * reach, down * reach)
    made = (Arrow(start, end, "ink", "ink", wide, 3.5), Arrow(start, end, "accent", "accent", wide, 1))
    return Sprite(f"step {across:+d}{down:+d}", (reach + 20, reach + 20), made)


__all__ = ["BED", "HUES", "Stack", "shapes", "ways"]
