"""The panels around the board: in its free corners round, decks, due action, price and goal; supply; seats.

A plate shows a race: jewels that fill up towards the goal, the three tools, and the seal of finished orange cards.
"""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from renderers.frame import GAP, SPACE, Word, badge, leading, least, named, row_of, seat_look
from renderers.games.kaleidoskop import crystals, glass, tokens
from renderers.games.kaleidoskop.window import BAR, window
from renderers.layout import Area
from renderers.lettering import width
from renderers.look import Look, SeatLook
from renderers.scene import TEXT_MIN, AnyShape, Box, Line, Polygon, Sprite, Stamp, Text, magnified
from renderers.signs import crown, house
from renderers.title import height, title
from rules.contract import Outcome
from rules.games.kaleidoskop import COLOURS, NONE, READY, Deck, Stage, State
from texts import say

GAME = "kaleidoskop"

SCARCE = 3
TALLEST = 126.0
"""The largest height of a plate."""
EDGE = 14.0
"""Margin of a plate's lines at the sides."""
EMBLEM = 2.4
"""The scale of the emblem in the title."""
FIRST, SECOND, BELOW = 13.0, 23.0, 5.0
"""Distances of a name's first line from the top of a plate, and of its second one from the first; and by how much the
line below moves down then."""
SLOT = 36.0
"""Distance of the tools of a plate."""
TOOLS = ("holder", "mirror", "glass")


# --- The corners ------------------------------------------------------------------------------------------------------

DECK = (92.0, 46.0)
"""Size of a deck in its corner."""
ROUND = 44.0
"""Height of the round over the decks."""
NOW = 44.0
"""Height of the actor with the due action."""
COUNT = 34
"""Size of the number of cards in a deck, and of crystals of a colour."""
LINE = 38.0
"""Height of a line in the lower corners."""


def corners(view: State, look: Look, hues: list[str], outcome: Outcome | None) -> Iterator[AnyShape]:
    """Yield the corners: upper left round and decks; upper right due action; lower left price; lower right goal; and
    the supply below."""
    area = window(view.seats).frame.board
    left, right, top, low = area.x, area.right, area.y, area.bottom - BAR
    decks = _round(view.round, len(view.decks.blue), len(view.decks.orange))
    yield Stamp(decks, (left + decks.reach[0], top + decks.reach[1]))
    if view.actor is not None and outcome is None:
        now = _now(say(GAME, f"stage.{view.stage}", look.lang), view.actor, hues[view.actor])
        yield Stamp(now, (right - now.reach[0], top + now.reach[1]))
    turns = None if view.final is None or view.stage == Stage.OVER else view.final - view.turn + 1
    swap, goal = _swap(view.swap_cost, look.lang), _goal(view.goal, turns, look.lang)
    yield Stamp(swap, (left + swap.reach[0], low - swap.reach[1]))
    yield Stamp(goal, (right - goal.reach[0], low - goal.reach[1]))
    for (colour, count), cell in zip(view.supply().items(), _supplies(view.seats), strict=True):
        yield Stamp(_supply(colour, count, cell.width), cell.middle)


def cells(seats: int) -> dict[str, Area]:
    """Return the areas of decks and colours, by their names."""
    area, (wide, high) = window(seats).frame.board, DECK
    decks = {str(deck): Area(area.x, area.y + ROUND + k * high, wide, high) for k, deck in enumerate(Deck)}
    return decks | {str(colour): cell for colour, cell in zip(COLOURS, _supplies(seats), strict=True)}


def _supplies(seats: int) -> Iterator[Area]:
    area = window(seats).frame.board
    wide = area.width / len(COLOURS)
    return (Area(area.x + k * wide, area.bottom - BAR, wide, BAR) for k in range(len(COLOURS)))


def _corner(name: str, size: tuple[float, float], shapes: list[AnyShape]) -> Sprite:
    return Sprite(name, (size[0] / 2, size[1] / 2), tuple(shapes), "ground")


@lru_cache(512)
def _round(number: int, blue: int, orange: int) -> Sprite:
    wide, high = DECK[0], ROUND + 2 * DECK[1]
    shapes: list[AnyShape] = [Text((6 - wide / 2, ROUND / 2 - high / 2), f"↻ {number}", 34)]
    for k, (deck, count) in enumerate(((Deck.BLUE, blue), (Deck.ORANGE, orange))):
        at = 8 - wide / 2, ROUND + (k + 0.5) * DECK[1] - high / 2
        shapes += row_of((tokens.back(deck), 4.0, Word(str(count), size=COUNT)), at)
    return _corner(f"round {number} decks {blue} {orange}", (wide, high), shapes)


@lru_cache(64)
def _now(stage: str, seat: int, hue: str) -> Sprite:
    """Return the actor, and the actions that are possible now."""
    row = (badge(seat, hue, 17.0), Word(stage))
    wide = least(row) + SPACE + 2
    return _corner(f"now {stage} {seat + 1} {hue}", (wide, NOW), row_of(row, (-wide / 2, 0)))


@lru_cache(256)
def _supply(colour: str, count: int, wide: float) -> Sprite:
    """Return the supply of a colour; scarce crystals have a warning, and a colour that is used up is crossed out."""
    x = -wide / 2
    shapes: list[AnyShape] = [
        Stamp(crystals.gem(colour, 0.56), (x + 34, 0)),
        Text((x + 60, 0), str(count), COUNT, "warn" if count <= SCARCE else "text"),
    ]
    if not count:
        shapes.append(Line(((x + 12, 17), (x + 88, -17)), "warn", 4))
    return _corner(f"supply {colour}{count}", (wide, BAR), shapes)


@lru_cache(8)
def _swap(cost: int, lang: str) -> Sprite:
    label = say(GAME, "swap", lang)
    wide = max(120.0, width(label, TEXT_MIN, bold=False) + 10)
    shapes: list[AnyShape] = [Text((5 - wide / 2, -LINE / 2), label, TEXT_MIN, "muted", bold=False)]
    shapes += row_of((Word("⇄", size=38), 4.0, Word(str(cost), size=34), tokens.score(13)), (5 - wide / 2, LINE / 2))
    return _corner(f"swap {cost}", (wide, 2 * LINE), shapes)


@lru_cache(512)
def _goal(goal: int, turns: int | None, lang: str) -> Sprite:
    """Return the score of the goal, and once the end is fixed the number of turns left."""
    label, wide = say(GAME, "goal", lang), 100.0
    right = wide / 2 - 5
    shapes: list[AnyShape] = [
        Text((right, 0), label, TEXT_MIN, "muted", bold=False, align="right"),
        Text((right - 34, LINE), str(goal), 34, align="right"),
        Stamp(tokens.score(13), (right - 14, LINE)),
    ]
    if turns is not None:
        shapes.append(Text((right, -LINE), f"⚑ {turns}", 36, "warn", align="right"))
    return _corner(f"goal {goal} {turns}", (wide, 3 * LINE), shapes)


# --- The seats --------------------------------------------------------------------------------------------------------


class Racer(Struct, frozen=True):
    """The contents of a plate: a seat, its *points* of the *goal*, the state of its *tools*, the backs of its *hand*,
    and the number of its finished *oranges*; whether it is to act, leads, or has won."""

    seat: int
    hue: str
    points: int
    goal: int
    tools: tuple[str, ...]
    hand: tuple[str, ...]
    oranges: int
    up: bool
    leads: bool
    won: bool


def areas(seats: int) -> tuple[Area, ...]:
    """Return the areas of the plates for so many seats."""
    area = window(seats).frame.panel
    high = min(TALLEST, (area.height - GAP * (seats - 1)) / seats)
    return tuple(Area(area.x, area.y + k * (high + GAP), area.width, high) for k in range(seats))


def plates(view: State, look: Look, hues: list[str], outcome: Outcome | None) -> Iterator[AnyShape]:
    """Yield the plates of the seats in turn order."""
    for seat, area in enumerate(areas(view.seats)):
        known = seat_look(look, seat) if seat < len(look.seats) else None
        yield Stamp(_plate(_racer(view, seat, hues[seat], outcome), known, area.width, area.height), area.middle)
    column, emblem = window(view.seats).frame.panel, magnified(glass.emblem(), EMBLEM)
    if column.bottom - area.bottom > height(emblem, 0) + GAP:
        name = title(emblem, say(GAME, "name", look.lang), (), column.width)
        yield Stamp(name, (column.middle[0], column.bottom - name.reach[1]))


def _racer(view: State, seat: int, hue: str, outcome: Outcome | None) -> Racer:
    player = view.players[seat]
    points = outcome.scores if outcome is not None else tuple(other.score for other in view.players)
    where = (getattr(player.tools, name) for name in TOOLS)
    return Racer(
        seat,
        hue,
        points[seat],
        view.goal,
        tuple(state if state in (NONE, READY) else "used" for state in where),
        tuple(card.back for card in player.hand),
        player.oranges,
        up=view.actor == seat and outcome is None,
        leads=seat in leading(points),
        won=outcome is not None and seat in outcome.winners,
    )


@lru_cache(256)
def _plate(racer: Racer, look: SeatLook | None, wide: float, high: float) -> Sprite:
    """Return a plate of three lines: mark and name; jewels and points; tools, seal and hand."""
    left, right, pitch = EDGE - wide / 2, wide / 2 - EDGE, (high - 8) / 3
    strong = racer.up or racer.won
    fill, line, pen = (f"{racer.hue}.up", "text", 4) if strong else ("panel", "panel.line", 2)
    shapes: list[AnyShape] = [Box((-wide / 2, -high / 2), (wide, high), fill, line, pen, round=12)]
    if racer.up:
        tip = tuple((4 - wide / 2 + dx, dy - pitch) for dx, dy in ((0, -10), (11, 0), (0, 10)))
        shapes.append(Polygon(tip, "text", "text"))
    shapes.append(Stamp(badge(racer.seat, racer.hue, 18.0), (left + 19, (6 if racer.won else 1) - pitch)))
    if racer.won:  # beside the name it would cut it
        shapes += crown((left + 19, -11 - pitch), 11, "yellow", "ink")
    end = right
    if look is not None and look.house:
        shapes += house((end - 11, -pitch), 11, "muted")
        end -= 30
    y, common = 0.0, len(shapes)
    if look is not None:
        first = FIRST - high / 2
        apart = (first + pitch, first + SECOND + pitch)
        name = tuple(named(look.name, (left + 44, -pitch), end - left - 44, size=TEXT_MIN, apart=apart))
        shapes += name
        y = BELOW if len(name) > 1 else 0.0
    number = str(racer.points)
    figure, ink = width(number, 34), "text"
    if racer.leads or racer.won:
        shapes.append(Box((right - figure - 12, y - 17), (figure + 18, 34), "text", round=9))
        ink = "panel"
    shapes.append(Text((right - 3, y), number, 34, ink, align="right"))
    shapes.append(Stamp(_jewels(racer.hue, min(racer.points, racer.goal), racer.goal), (left + JEWELS[0] / 2, y)))
    for k, (tool, state) in enumerate(zip(TOOLS, racer.tools, strict=True)):
        shapes.append(Stamp(tokens.tool(tool, state), (left + (k + 0.5) * SLOT, pitch)))
    shapes.append(Stamp(tokens.seal(racer.oranges), (left + 3.5 * SLOT, pitch)))
    shapes += tokens.hand(racer.hand, (right, pitch))
    return Sprite(f"plate {racer.seat + 1}", (wide / 2, high / 2), tuple(shapes), "ground", common=common)


JEWELS = (146.0, 30.0)
"""Size of the jewels of a plate."""
IN_A_ROW = 10


@lru_cache(512)
def _jewels(hue: str, count: int, goal: int) -> Sprite:
    """Return the jewels of the *goal* in one row or in two: *count* of them are lit, the lower row first."""
    (wide, high), rows = JEWELS, 1 + (goal > IN_A_ROW)
    columns = -(-goal // rows)
    step, tall = wide / columns, min(high / rows, 24.0)
    shapes: list[AnyShape] = []
    for k in range(goal):
        x, y = (k % columns + 0.5) * step - wide / 2, ((rows - 1) / 2 - k // columns) * tall
        half, reach = min(step / 2 - 1, 8.0), tall / 2 - 1
        top, side, low, other = (x, y - reach), (x + half, y), (x, y + reach), (x - half, y)
        if k < count:
            shapes += [Polygon((top, side, low, other), f"{hue}.light"), Polygon((side, low, other), hue)]
            shapes.append(Polygon((top, side, low, other), "", "text", 2))
        else:
            shapes.append(Polygon((top, side, low, other), "", "muted", 2))
    return Sprite(f"jewels {hue} {count}/{goal}", (wide / 2, high / 2), tuple(shapes))
