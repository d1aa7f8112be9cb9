"""The stacks with their top cards and stones, and the walk over them."""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from msgspec import Struct

from renderers.games.crystalla import gems
from renderers.games.crystalla.gems import loose, stone
from renderers.layout import Area
from renderers.scene import AnyShape, Arrow, Box, Line, Point, Sprite, Stamp, Text
from rules.games.crystalla import COLOURS, Drop, State, Take

ACROSS = 3
GAP = 12
HIGH = 128
"""A stack in a game of two."""
CARD = 72
FAN = 36
"""From one stone of a colour to the next, where there is room."""
HUES = {"o": "orange", "w": "white", "p": "pink", "k": "black"}


class Stack(Struct, frozen=True):
    """What a stack shows. *fresh*: stones that fell in the walk that is shown; *heap*: the others.

    *ring*: what is pointed at: "text" where the actor may begin or go on, "accent" where the walk has come to.
    *began*: the walk began here, and is somewhere else by now.
    """

    number: int
    card: str
    cards: int
    heap: str
    fresh: str
    neutral: str
    ring: str
    began: bool


def size(area: Area, rows: int) -> tuple[float, float]:
    return (area.width - (ACROSS - 1) * GAP) / ACROSS, (area.height - (rows - 1) * GAP) / rows


def middle(area: Area, rows: int, number: int) -> Point:
    """The middle of a stack."""
    wide, high = size(area, rows)
    row, column = divmod(number - 1, ACROSS)
    return area.x + column * (wide + GAP) + wide / 2, area.y + row * (high + GAP) + high / 2


def shapes(view: State, area: Area, hue: str, walk: Sequence[int], fallen: Sequence[str]) -> list[AnyShape]:
    """All stacks and a walk (stacks, the one that was taken first) with the stones that fell on its steps.

    Those that the actor may take are marked, and during the walk those where it may go on.
    """
    neutral, rows = view.layout.neutral or "", view.layout.rows
    able = {action.stack for action in view.actions() if isinstance(action, Take | Drop)}
    found: list[AnyShape] = []
    for number, (cards, heap) in enumerate(zip(view.stacks, view.stones, strict=True), 1):
        fresh = "".join(colour for colour, step in zip(fallen, walk[1:], strict=True) if step == number)
        old = heap
        for colour in fresh:
            old = old.replace(colour, "", 1)
        ring = "text" if number in able else "accent" if walk[-1:] == (number,) else ""
        began = walk[:1] == (number,) != walk[-1:]
        told = Stack(number, cards[-1] or "" if cards else "", len(cards), old, fresh, neutral, ring, began)
        found.append(Stamp(_tile(told, *size(area, rows)), middle(area, rows, number)))
    return [*found, *_steps([middle(area, rows, number) for number in walk], hue)]


@lru_cache(512)
def _tile(told: Stack, wide: float, high: float) -> Sprite:
    left, top = -wide / 2, -high / 2
    strong = told.ring == "text"
    number = 34 if high > 120 else 30
    line = told.ring or "panel.line"
    made: list[AnyShape] = [
        Box(
            (left, top),
            (wide, high),
            "panel.up" if strong else "panel",
            line,
            2 if line == "panel.line" else 4,
            round=12,
        ),
        Text((left + 12, top + (high - CARD - 8) / 2), str(told.number), number),
    ]
    if told.began:
        made += [Line(((left + 12, y), (-left - 12, y)), "accent", 4, dash=10) for y in (top + 2, -top - 2)]
        made += [Line(((x, top + 12), (x, -top - 12)), "accent", 4, dash=10) for x in (left + 2, -left - 2)]
    if told.cards:
        count = f"×{told.cards}"
        made.append(Text((left + 86, top + (high - CARD - 8) / 2), count, 24, "muted", bold=False, align="right"))
        at = (left + 8 + CARD / 2, top + high - 8 - CARD / 2)
        if told.cards > 1:
            made.append(Box((at[0] - CARD / 2 + 4, at[1] - CARD / 2 + 4), (CARD, CARD), "lead", "lead.light", 2))
        made.append(Stamp(loose(told.card, "nw", CARD), at))
    made += _heap(told, left + 87, left + wide - 4, top + 5, top + high - 5)
    return Sprite(f"stack {told.number}", (wide / 2, high / 2), tuple(made), "ground")


def _heap(told: Stack, left: float, right: float, top: float, low: float) -> list[AnyShape]:
    """A row a colour, the older stones in the middle of the stack, fresh ones at its rim."""
    colours = [colour for colour in COLOURS if colour in told.heap + told.fresh]
    if not colours:
        return []
    reach = gems.STONE + 2
    pitch = min(2 * reach + 1, (low - top - 2 * reach) / max(1, len(colours) - 1))
    y = (top + low) / 2 - pitch * (len(colours) - 1) / 2
    made: list[AnyShape] = []
    for colour in colours:
        neutral = colour == told.neutral
        old, fresh = told.heap.count(colour), told.fresh.count(colour)
        fan = min(FAN, (right - left - 2 * reach) / max(1, old + fresh - 1))
        made += [Stamp(stone(HUES[colour], colour, neutral=neutral), (left + reach + k * fan, y)) for k in range(old)]
        late = stone(HUES[colour], colour, fresh=True, neutral=neutral)
        made += [Stamp(late, (right - reach - k * fan, y)) for k in reversed(range(fresh))]
        y += pitch
    return made


def _steps(walk: Sequence[Point], hue: str) -> list[AnyShape]:
    """An arrow from each stack to the next; beside one another where the walk crosses a gap again."""
    crossed: dict[frozenset[Point], int] = {}
    found: list[AnyShape] = []
    for here, there in pairwise(walk):
        times = crossed.get(frozenset((here, there)), 0)
        crossed[frozenset((here, there))] = times + 1
        (x0, y0), (x1, y1) = here, there
        across, down = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        # Beside card and number, where nothing is hidden.
        x, y = (x, y + 38 - 40 * times) if across else (x + 50 - 25 * times, y)
        found.append(Stamp(_step(across, down, hue), (x, y)))
    return found


@cache
def _step(across: int, down: int, hue: str) -> Sprite:
    reach = 19
    start, end = (-across * reach, -down * reach), (across * reach, down * reach)
    made = (Arrow(start, end, "ink", "ink", 10, 6), Arrow(start, end, hue, "accent", 10, 4))
    return Sprite(f"step {across:+d}{down:+d} {hue}", (reach + 26, reach + 26), made)
