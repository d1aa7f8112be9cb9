"""What is in hand and what can be given: hands, stones, the card to be laid, open pieces; and the turn before."""

from collections.abc import Sequence
from functools import cache, lru_cache

from renderers.frame import badge
from renderers.games.crystalla.displays import BIG, SMALL
from renderers.games.crystalla.gems import loose, outline, piece, stone
from renderers.games.crystalla.stacks import HUES
from renderers.layout import Area
from renderers.scene import AnyShape, Arrow, Box, Polygon, Sprite, Stamp, Text, moved
from rules.games.crystalla import (
    COLOURS,
    COLUMNS,
    CORNERS,
    SHAPES,
    Action,
    Cover,
    Drop,
    Give,
    Lay,
    Phase,
    State,
    Take,
    Turn,
)

THUMB = 60
STEP = 52
"""From one step of a walk to the next."""
Card = str | None


# --- Open pieces


def pieces(view: State, area: Area) -> list[AnyShape]:
    """The four slots with their codes, and the heights of the piles; framed while one is to be chosen."""
    up = view.phase == Phase.GIVE
    return [Stamp(_pieces(view.open, tuple(map(len, view.piles)), area.width, area.height, up=up), area.middle)]


@lru_cache(256)
def _pieces(slots: tuple[Card, ...], piles: tuple[int, ...], wide: float, high: float, *, up: bool) -> Sprite:
    """One above the other in a narrow tray, in a row in a flat one, else two by two; then the piles."""
    made: list[AnyShape] = [_tray(wide, high, up=up)]
    if wide < 100:
        columns, side, pitch, at = 1, 72, 74.0, (0.0, -high / 2 + 40)
        rest = [(-22.0, high / 2 - 44 + 27 * k) for k in range(2)]
    elif high < 200:
        columns, side, pitch, at = 4, 90, 104.0, (-wide / 2 + 60, 0.0)
        rest = [(wide / 2 - 80, (-0.2 + 0.4 * k) * high) for k in range(2)]
    else:
        columns, side, pitch, at = 2, 104, 118.0, (-59.0, -high / 2 + 66)
        rest = [(-64 + 110.0 * k, high / 2 - 24) for k in range(2)]
    for k, code in enumerate(slots):
        x, y = at[0] + (k % columns) * pitch, at[1] + (k // columns) * pitch
        if code is None:
            made.append(Box((x - side / 2, y - side / 2), (side, side), "", "pane.pale", 2, round=8))
            made.append(Text((x, y), "–", 24, "muted", align="middle"))
        else:
            made += piece(code, side, (x, y), code)
    for shape, pile, (x, y) in zip(SHAPES, piles, rest, strict=True):
        made.append(Stamp(_pile(shape, 22 if wide < 100 else 34), (x, y)))
        made.append(Text((x + (14 if wide < 100 else 20), y), f"×{pile}", 24, "muted", bold=False))
    return Sprite("pieces", (wide / 2, high / 2), tuple(made), "ground")


def _tray(wide: float, high: float, *, up: bool) -> Box:
    fill, line = ("panel.up", "text") if up else ("panel", "panel.line")
    return Box((-wide / 2, -high / 2), (wide, high), fill, line, 4 if up else 2, round=12)


@cache
def _pile(shape: str, size: float) -> Sprite:
    """A face-down pile, of large or of small pieces."""
    corners = tuple((x * 0.9, y * 0.9) for x, y in outline(shape, "nw", size))
    off = size / 12
    steps = (off, 0) if shape == "l" else (-off, -2 * off)
    shapes = tuple(Polygon(moved(corners, (step, step)), "pane.light", "muted", 2) for step in steps)
    return Sprite(f"pile {shape} {size:g}", (0.66 * size, 0.66 * size), shapes)


# --- In hand


def hand(view: State, area: Area, hues: tuple[str, ...]) -> list[AnyShape]:
    """What the seat whose turn it is holds: a card to be laid, stones, pieces due; before that, the turn before."""
    tile = _hand(view, area.width, area.height, hues)
    return [Stamp(tile, area.middle)]


def _hand(view: State, wide: float, high: float, hues: tuple[str, ...]) -> Sprite:
    made: list[AnyShape] = [Box((-wide / 2, -high / 2), (wide, high), "panel", "panel.line", 2, round=12)]
    box = Area(-wide / 2 + 12, -high / 2 + 8, wide - 24, high - 16)
    neutral = view.layout.neutral or ""
    match view.phase:
        case Phase.SWAP:
            made += _beginning(view, neutral, box)
        case Phase.PLACE:
            assert view.turn is not None
            code = next(card for card in view.hands[view.turn] if card is not None)
            made += _turnable(code, box)
        case Phase.LAY:
            assert view.card is not None
            made += _turnable(view.card, box)
        case Phase.DROP:
            made += _walk(view.now, neutral, box)
            made += _carried(view.carry, neutral, box)
        case Phase.GIVE | Phase.COVER:
            made += _walk(view.now, neutral, box)
            made += _due(view, box)
        case _:
            if view.last is not None:
                made += _last(view, view.last, hues, neutral, box)
    return Sprite("hand", (wide / 2, high / 2), tuple(made), "ground")


def _turnable(code: str, box: Area) -> list[AnyShape]:
    """A card, large, and small in each of its four corners, with the words for them."""
    flat = box.width > 400
    columns, corners = (4, CORNERS) if flat else (2, ("nw", "ne", "sw", "se"))
    wide, high = THUMB + 18, THUMB + 24
    made: list[AnyShape] = [Stamp(loose(code, "nw", BIG), (box.x + BIG / 2, box.middle[1]))]
    left = box.right - columns * wide + 6
    top = box.middle[1] - high * (4 / columns) / 2 + 1
    for k, corner in enumerate(corners):
        x, y = left + (k % columns + 0.5) * wide, top + (k // columns) * high + THUMB / 2
        made.append(Stamp(loose(code, corner, THUMB), (x, y)))
        made.append(Text((x, y + THUMB / 2 + 13), corner, 24, align="middle"))
    return made


def _stone(colour: str, neutral: str, radius: float = 17) -> Sprite:
    return stone(HUES[colour], colour, neutral=colour == neutral, radius=radius)


def _walk(actions: Sequence[Action], neutral: str, box: Area) -> list[AnyShape]:
    """The walk in signs: the stack that was taken, then each stone with the stack where it fell."""
    steps = [action for action in actions if isinstance(action, Take | Drop)]
    columns = max(1, int(box.width // STEP))
    made: list[AnyShape] = []
    for k, action in enumerate(steps):
        x, y = box.x + (k % columns) * STEP, box.y + 22 + (k // columns) * 40
        if isinstance(action, Take):
            made.append(Text((x + 2, y), str(action.stack), 30))
            made.append(Arrow((x + 24, y), (x + 46, y), "muted", width=6))
        else:
            made.append(Stamp(_stone(action.colour, neutral, 16), (x + 16, y)))
            made.append(Text((x + 34, y), str(action.stack), 26))
    return made


def _carried(carry: str, neutral: str, box: Area) -> list[AnyShape]:
    """The stones in hand."""
    y = box.bottom - 28
    pitch = min(54.0, (box.width - 54) / max(1, len(carry) - 1))
    return [Stamp(_stone(colour, neutral, 23), (box.x + 27 + k * pitch, y)) for k, colour in enumerate(carry)]


def _due(view: State, box: Area) -> list[AnyShape]:
    """The piece that is to be placed, and by whom; whose piece is still due."""
    x, y = box.x + 24, box.bottom - 36
    made: list[AnyShape] = []
    if view.piece is not None and view.receiver is not None:
        made.append(Stamp(_stone(COLOURS[view.receiver], "", 22), (x, y)))
        made.append(Arrow((x + 62, y), (x + 34, y), "text", width=8))
        made += piece(view.piece, 80, (x + 112, y - 2), view.piece)
        x += 190
    for colour in view.due:
        made.append(Stamp(_stone(colour, "", 22), (x, y)))
        made.append(Arrow((x + 62, y), (x + 34, y), "text", width=8))
        made.append(Text((x + 78, y), "?", 34, align="middle"))
        x += 124
    return made


def _last(view: State, last: Turn, hues: tuple[str, ...], neutral: str, box: Area) -> list[AnyShape]:
    """The turn before: whose, the walk, the card and where it went, pieces and where they went."""
    made: list[AnyShape] = [Stamp(badge(last.seat, hues[last.seat], 17), (box.x + 18, box.y + 22))]
    made += _walk(last.actions, neutral, Area(box.x + 50, box.y, box.width - 50, box.height))
    x, y = box.x, box.bottom - THUMB / 2 - 2
    cell = landed(view, last)
    if cell is not None:
        name, laid = cell
        made.append(Stamp(loose(laid[:2], laid[3:5], THUMB), (x + THUMB / 2, y)))
        made.append(Text((x + THUMB + 8, y), name, 28))
        x += THUMB + 64
    for given, where in placed(last):
        made += piece(given, THUMB, (x + THUMB / 2, y))
        made.append(Text((x + THUMB + 6, y), where or "×", 28))
        x += THUMB + 56
    return made


def landed(view: State, turn: Turn) -> tuple[str, str] | None:
    """The cell and the laid card of a turn's card, as far as the display still tells; None for a setup."""
    for action in turn.actions:
        if isinstance(action, Lay):
            column = view.displays[turn.seat][COLUMNS.index(action.column)]
            if column and column[-1][3:5] == action.corner:
                return f"{action.column}{len(column)}", column[-1]
    return None


def placed(turn: Turn) -> list[tuple[str, str]]:
    """The pieces of a turn, each with the cell where it lies; "" where it fitted nowhere."""
    found: list[tuple[str, str]] = []
    for action in turn.actions:
        match action:
            case Give(_, code):
                found.append((code, ""))
            case Cover(cell) if found:
                found[-1] = (found[-1][0], cell)
            case _:
                pass
    return found


# --- Hands, while everybody sets up


def hands(view: State, area: Area, hues: tuple[str, ...]) -> list[AnyShape]:
    """Every seat's cards with the numbers of their slots, and the stack where its stones begin."""
    high = min(130.0, area.height / view.seats - 8)
    made: list[AnyShape] = []
    for seat in range(view.seats):
        y = area.y + seat * (high + 8) + high / 2
        tile = _row(view, seat, hues[seat], area.width, high)
        made.append(Stamp(tile, (area.x + area.width / 2, y)))
    return made


def _row(view: State, seat: int, hue: str, wide: float, high: float) -> Sprite:
    left, up = -wide / 2, view.turn == seat
    ground, line = ("panel.up", "text") if up else ("panel", "panel.line")
    made: list[AnyShape] = [
        Box((left, -high / 2), (wide, high), ground, line, 4 if up else 2, round=12),
        Stamp(badge(seat, hue, 20), (left + 38, 0)),
    ]
    for slot, code in enumerate(view.hands[seat]):
        x = left + 140 + slot * 124
        made.append(Text((x - 50, 0), str(slot + 1), 34, "text" if code else "muted", align="middle"))
        if code is None:
            made.append(Box((x - 32, -32), (64, 64), "", "pane.pale", 2, round=8))
        else:
            made.append(Stamp(loose(code, "nw", SMALL), (x, 0)))
    return Sprite(f"hand {seat + 1}", (wide / 2, high / 2), tuple(made), "ground")


def _beginning(view: State, neutral: str, box: Area) -> list[AnyShape]:
    """Where the stacks will lie, and the stones on them."""
    rows = view.layout.rows
    wide, high = box.width / 3, min(56.0, box.height / rows)
    top = box.middle[1] - high * rows / 2
    made: list[AnyShape] = []
    for number, heap in enumerate(view.stones, 1):
        row, column = divmod(number - 1, 3)
        x, y = box.x + column * wide, top + row * high
        made.append(Box((x + 3, y + 3), (wide - 6, high - 6), "pane.dark", "panel.line", 2, round=8))
        made.append(Text((x + 17, y + high / 2), str(number), 24, "text" if heap else "muted", align="middle"))
        at, fan = x + 43, 30.0 if wide > 150 else 4.0
        for colour in dict.fromkeys(heap):  # a colour beside the other, so that both letters are seen
            for _ in range(heap.count(colour)):
                made.append(Stamp(_stone(colour, neutral, 14), (at, y + high / 2)))
                at += fan
            at += 28 - fan
    return made


__all__ = ["THUMB", "hand", "hands", "landed", "pieces", "placed"]
