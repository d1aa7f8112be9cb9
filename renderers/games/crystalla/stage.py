"""The stage: stones to drop, the card to lay in its four corners, due pieces; between turns the game's name."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from renderers.frame import badge
from renderers.games.crystalla.gems import bare, loose, piece, stone
from renderers.games.crystalla.gems import turned as turned_point
from renderers.games.crystalla.homes import CARD, Table
from renderers.games.crystalla.stacks import HUES
from renderers.layout import Area
from renderers.lettering import width
from renderers.look import Look
from renderers.scene import AnyShape, Arrow, Box, Line, Point, Polygon, Sprite, Stamp, Text
from renderers.title import NAMES, title
from rules.games.crystalla import COLOURS, Cover, Give, Phase, State, Turn
from texts import say

PITCH = 74.0
"""Distance between stones one under another."""
CROSS = (("ink", 9), ("warn", 5))
"""The strokes over a piece that has left the game."""
PAD = 6
"""Distance from the edge of the stage to its contents."""
TURNED, APART = 80, 7
"""The largest side of the cards for choosing a corner, and the least distance between them."""
NAME = 30
"""Height of the sign of a corner under its card, or its width beside it."""
SIGN = 24.0
"""Side of that sign: the corner that the large crystal fills, as buttons show it."""
STONE, GRAND = 25.0, 36.0
"""Radius of a stone on the stage: usually, and of a few ones on a stage that is *HIGH*."""
HIGH = 280.0
GIVEN = 92
"""The largest side of the card for a piece that must be placed."""
EMBLEM = 46
"""Side of the card over the game's name."""
REACH = 36.0
"""Radius of the spot of a stone on the stage, with room for a mark around it."""
FEW = 3
LOW, SLIM, NEAR = 58.0, 22.0, 26.0
"""For stones two by two: distance of the rows, radius of a stone, radius of its spot."""
ROOM = 110.0
"""Width of a stone in a row with its word."""
MARK = 46.0
"""Width at the left for the mark of the seat with the stones in hand."""


# --- Where


def flat(stage: Area) -> bool:
    """Return whether a stage has no room for four things one under another."""
    return stage.width > stage.height


def turned(table: Table) -> int:
    """Return the side of the four cards for choosing a corner."""
    return _turned(table)[0]


def _turned(table: Table) -> tuple[int, int, bool]:
    """Return the largest side of these cards, their number in a row, and whether the sign of each is beside it."""
    stage = table.stage.inset(PAD)
    return max(
        (
            int(
                min(
                    TURNED,
                    stage.width / in_row - APART - NAME * is_beside,
                    stage.height * in_row / 4 - APART - NAME * (not is_beside),
                )
            ),
            in_row,
            is_beside,
        )
        for in_row in (2, 4)
        for is_beside in (False, True)
    )


def corners(table: Table) -> dict[str, Area]:
    """Return the four cards for choosing a corner, each with its sign, in a row or two by two."""
    stage, (side, in_row, is_beside) = table.stage.inset(PAD), _turned(table)
    across, down = (side + NAME, side) if is_beside else (side, side + NAME)
    wide, high = stage.width / in_row, min(1.15 * down, stage.height * in_row / 4)
    left, top = stage.x - across / 2, stage.middle[1] - (2 / in_row) * high - down / 2
    return {
        corner: Area(left + (k % in_row + 0.5) * wide, top + (k // in_row + 0.5) * high, across, down)
        for k, corner in enumerate(("nw", "ne", "sw", "se"))
    }


def carried(view: State, table: Table) -> dict[str, Point]:
    """Return the stones in hand: colour -> middle of its stone."""
    return _spread(dict.fromkeys(view.carry), table.stage, MARK)


def due(view: State, table: Table) -> dict[str, Point]:
    """Return the stones of the seats that are due a piece."""
    return _spread(view.due, table.stage)


def _spread(colours: Iterable[str], stage: Area, left: float = 0) -> dict[str, Point]:
    """Return places in a row, two by two or, if the stage is high, one under another; each with room for a word beside
    it. *left*: the width of the stage that they leave free."""
    shown = list(colours)
    in_row = 2 if crowded(len(shown), stage) else max(1, len(shown)) if flat(stage) else 1
    wide = min(124.0, (stage.width - left) / in_row)
    high = LOW if flat(stage) else PITCH + 2 * (_radius(len(shown), stage) - STONE)
    x0, y0 = stage.middle[0] + left / 2 - 20, stage.middle[1]
    down = -(-len(shown) // in_row)
    return {
        colour: (x0 + (k % in_row - (in_row - 1) / 2) * wide, y0 + (k // in_row - (down - 1) / 2) * high)
        for k, colour in enumerate(shown)
    }


def crowded(stones: int, stage: Area) -> bool:
    """Return whether so many stones are two by two."""
    return flat(stage) and stones > (stage.width - MARK) // ROOM


def reach(stones: int, stage: Area) -> float:
    """Return the radius of the spot of each of so many *stones*."""
    return NEAR if crowded(stones, stage) else REACH + _radius(stones, stage) - STONE


def _radius(stones: int, stage: Area) -> float:
    if crowded(stones, stage):
        return SLIM
    return GRAND if stage.height > HIGH and stones <= FEW else STONE


# --- What


CHOOSING = (Phase.PLACE, Phase.DROP, Phase.LAY, Phase.GIVE)
"""The phases in which a player chooses from the stage: it is raised."""


def shapes(view: State, look: Look, table: Table, hues: tuple[str, ...], turn: Turn | None) -> list[AnyShape]:
    """Return the stage; *turn*: the turn to show."""
    lying = _on_it(view, look, table, hues, turn)
    if view.phase not in CHOOSING or not lying:
        return lying
    return [Stamp(_floor(table.stage.width, table.stage.height), table.stage.middle), *lying]


@cache
def _floor(wide: float, high: float) -> Sprite:
    floor = Box((-wide / 2, -high / 2), (wide, high), "panel.up", "muted", 2, round=14)
    return Sprite("stage up", (wide / 2, high / 2), (floor,), "ground")


def _on_it(view: State, look: Look, table: Table, hues: tuple[str, ...], turn: Turn | None) -> list[AnyShape]:
    neutral = view.layout.neutral or ""
    match view.phase:
        case Phase.SWAP:
            return _deck(len(view.deck), table)
        case Phase.PLACE:
            code = held(view, look)
            return _cards(code, table) if code else []
        case Phase.REFILL | Phase.LAY:
            assert view.card is not None
            return _cards(view.card, table)
        case Phase.DROP:
            counts = Counter(view.carry)
            words = {colour: f"×{count}" if count > 1 else "" for colour, count in counts.items()}
            return [*_whose(view, table, hues), *_stones(carried(view, table), words, neutral, table.stage)]
        case Phase.GIVE:
            return _stones(due(view, table), dict.fromkeys(view.due, "?"), neutral, table.stage)
        case Phase.COVER:
            return _given(view, table)
        case _:
            return _lost(table, look, turn)


def _whose(view: State, table: Table, hues: tuple[str, ...]) -> list[AnyShape]:
    """Return the mark of the seat with the stones in hand, and a line to them."""
    assert view.actor is not None
    x, y = table.stage.x + MARK / 2 + 2, table.stage.middle[1]
    return [
        Stamp(badge(view.actor, hues[view.actor], 22), (x, y)),
        Line(((x + MARK / 2 + 2, y - 30), (x + MARK / 2 + 2, y + 30)), "muted", 2),
    ]


def _stones(places: Mapping[str, Point], words: Mapping[str, str], neutral: str, stage: Area) -> list[AnyShape]:
    """Return stones, each with a word beside it: their number, or a sign that a piece is due."""
    radius = _radius(len(places), stage)
    made: list[AnyShape] = []
    for colour, (x, y) in places.items():
        made.append(Stamp(stone(HUES[colour], colour, neutral=colour == neutral, radius=radius), (x, y)))
        if words[colour]:
            size = round(0.6 * radius + 13)
            made.append(Text((x + reach(len(places), stage) + 3, y), words[colour], size))  # beside the marks of a menu
    return made


def held(view: State, look: Look) -> str | None:
    """Return the card of the hand that is being laid: the chosen one, else the first; None in a menu of cards."""
    assert view.turn is not None
    hand = view.hands[view.turn]
    for part in look.chosen:
        if part.isdigit() and int(part) <= len(hand) and hand[int(part) - 1]:
            return hand[int(part) - 1]
    if any(part.isdigit() for part in look.choices):
        return None
    return next((card for card in hand if card), None)


def _deck(cards: int, table: Table) -> list[AnyShape]:
    """Return the deck, from which a card may be swapped, with its number of cards."""
    x, y = table.stage.middle
    return [Stamp(_backs(), (x - 30, y)), Text((x + 24, y), f"×{cards}", 32, "muted", bold=False)]


@cache
def _backs() -> Sprite:
    """Return a pile of cards, face down."""
    half = CARD / 2
    made: list[AnyShape] = [
        Box((-half + k, -half + k), (CARD, CARD), "pane.pale", "ink", 2, round=3) for k in (8, 4, 0)
    ]
    points = ((-half + 2, half - 2), (-half + 2, -half + 2), (half - 2, -half + 2))
    made.append(Polygon(points, "pane.light"))
    made.append(Line(((-half + 2, half - 2), (half - 2, -half + 2)), "muted", 3))
    return Sprite("deck", (half + 12, half + 12), tuple(made))


def _cards(code: str, table: Table) -> list[AnyShape]:
    made: list[AnyShape] = []
    for corner, place in corners(table).items():
        made.append(Stamp(_corner(code, corner, place.width, place.height), place.middle))
    return made


@cache
def _corner(code: str, corner: str, wide: float, high: float) -> Sprite:
    """Return a card turned to a corner, with the sign of the corner under it or beside it."""
    side, r = min(wide, high), SIGN / 2
    right, low = (wide - side) / 2, (high - side) / 2
    x, y = (wide - SIGN) / 2 if right else 0.0, (high - SIGN) / 2 if low else 0.0
    sign = tuple((x + a, y + b) for a, b in (turned_point(point, corner) for point in ((-r, -r), (r, -r), (-r, r))))
    return Sprite(
        f"corner {corner}",
        (wide / 2 + 1, high / 2 + 1),
        (
            Stamp(loose(code, corner, side), (-right, -low)),
            Polygon(sign, "text"),
        ),
        "panel.up",
    )


def _given(view: State, table: Table) -> list[AnyShape]:
    """Return the piece that must be placed, and its giver."""
    assert view.piece is not None
    assert view.receiver is not None
    x, y = table.stage.middle
    return [
        Stamp(stone(HUES[COLOURS[view.receiver]], COLOURS[view.receiver], radius=STONE), (x - 70, y)),
        Arrow((x - 2, y), (x - 34, y), "text", width=8),
        *piece(view.piece, min(GIVEN, table.stage.height - 2), (x + 54, y), view.piece),
    ]


def _lost(table: Table, look: Look, turn: Turn | None) -> list[AnyShape]:
    """Return the piece of the last turn that fitted nowhere, crossed out; else the game's name."""
    lost = next((given for given, where in placed(turn) if not where), None) if turn is not None else None
    x, y = table.stage.middle
    if lost is None:
        return [Stamp(_name(say("crystalla", "name", look.lang), table.stage), (x, y))]
    made: list[AnyShape] = piece(lost, 72, (x, y))
    return [
        *made,
        *(Line(((x - 28, y + 28 * s), (x + 28, y - 28 * s)), pen, wide) for pen, wide in CROSS for s in (-1, 1)),
    ]


@cache
def _name(name: str, stage: Area) -> Sprite:
    """Return the game's name with a card over it or, on a low stage, left of it."""
    emblem = bare("at", EMBLEM)
    under = title(emblem, name, (), stage.width)
    if stage.height > EMBLEM * 2:
        return under
    (across, high), wide = emblem.reach, width(name, NAMES[0])
    left = -across - wide / 2 - 9
    shapes = (Stamp(emblem, (left + across, 0)), Text((left + 2 * across + 18, 0), name, NAMES[0]))
    return Sprite(under.name, (-left, high), shapes, "ground")


def placed(turn: Turn) -> list[tuple[str, str]]:
    """Return the pieces of a turn, each with its cell; "" if it fitted nowhere."""
    pieces: list[tuple[str, str]] = []
    for action in turn.actions:
        match action:
            case Give(_, code):
                pieces.append((code, ""))
            case Cover(cell) if pieces:
                pieces[-1] = (pieces[-1][0], cell)
            case _:
                pass
    return pieces


__all__ = ["carried", "corners", "due", "held", "placed", "reach", "shapes", "turned"]
