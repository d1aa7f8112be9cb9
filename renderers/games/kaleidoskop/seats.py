"""The panels around the board: in its free corners the round, the supply and the goal; below it the seats."""

from collections.abc import Iterator
from functools import lru_cache
from math import inf

from msgspec.structs import replace

from renderers.frame import ROOMY, SPACE, Item, Plate, Word, badge, leading, least, panel, places, row_of, seat_look
from renderers.games.kaleidoskop import crystals, tokens
from renderers.games.kaleidoskop.window import window
from renderers.layout import Area
from renderers.lettering import width
from renderers.look import Look, SeatLook
from renderers.scene import AnyShape, Box, Line, Point, Polygon, Sprite, Stamp, Text
from renderers.signs import crown, house
from rules.contract import Outcome
from rules.games.kaleidoskop import COLOURS, NONE, READY, Deck, Player, Stage, State
from texts import say

GAME = "kaleidoskop"

SCARCE = 3
LINES = (-39.0, 0.0, 36.0)
"""Places of the lines of a low plate, half-way up."""
EDGE = 13.0
"""Margin of the lines at the sides."""
FEW = 4
"""With at most so many seats each has a plate of the shared kind."""
MOST = 6
"""Seats with room for a low plate."""
SIDES = 34.0
"""Width that a row leaves free on such a plate."""
TOOLS = ("holder", "mirror", "glass")


# --- The corners ------------------------------------------------------------------------------------------------------

CELL = (92.0, 46.0)
"""Size of a colour in the supply, or of a deck."""
NOW = (190.0, 46.0)
"""Size of the actor with the due action."""
PRICE = 130.0
"""Width of a swap's price, beside the word for it."""


def corners(view: State, look: Look, hues: list[str], outcome: Outcome | None) -> Iterator[AnyShape]:
    """Yield the corners: upper left round, decks and due action; upper right supply; lower left price; lower right
    goal."""
    area = window(view.seats).frame.board
    if view.actor is not None and outcome is None:
        now = _now(say(GAME, f"stage.{view.stage}", look.lang), view.actor, hues[view.actor])
        yield Stamp(now, (area.x + now.reach[0], area.y + 2 * CELL[1] + now.reach[1]))
    turns = None if view.final is None or view.stage == Stage.OVER else view.final - view.turn + 1
    decks = _round(view.round, len(view.decks.blue), len(view.decks.orange))
    supply, swap, goal = (
        _supply(tuple(view.supply().items())),
        _swap(view.swap_cost, look.lang),
        _goal(view.goal, turns, look.lang),
    )
    left, right, top, low = area.x, area.right, area.y, area.bottom
    for sprite, x, y in ((decks, left, top), (supply, right, top), (swap, left, low), (goal, right, low)):
        wide, high = sprite.reach
        yield Stamp(sprite, (x + wide if x == left else x - wide, y + high if y == top else y - high))


def cells(seats: int) -> dict[str, Area]:
    """Return the areas of decks and colours, by their names."""
    area, (wide, high) = window(seats).frame.board, CELL
    decks = {deck: Area(area.x + k * wide, area.y + high, wide, high) for k, deck in enumerate(Deck)}
    left = area.right - 2 * wide
    colours = {
        colour: Area(left + k % 2 * wide, area.y + k // 2 * high, wide, high) for k, colour in enumerate(COLOURS)
    }
    return {str(name): cell for name, cell in (decks | colours).items()}


def _corner(name: str, size: tuple[float, float], shapes: list[AnyShape]) -> Sprite:
    return Sprite(name, (size[0] / 2, size[1] / 2), tuple(shapes), "ground")


@lru_cache(512)
def _round(number: int, blue: int, orange: int) -> Sprite:
    wide, high = CELL
    shapes: list[AnyShape] = [Text((8 - wide, -high / 2), f"↻ {number}", 36)]
    for k, (deck, count) in enumerate(((Deck.BLUE, blue), (Deck.ORANGE, orange))):
        shapes += row_of((tokens.back(deck), Word(str(count))), ((k - 1) * wide + 12, high / 2))
    return _corner(f"round {number} decks {blue} {orange}", (2 * wide, 2 * high), shapes)


@lru_cache(64)
def _now(stage: str, seat: int, hue: str) -> Sprite:
    """Return the actor, and the actions that are possible now."""
    row = row_of((badge(seat, hue, 19.0), Word(stage)), (2 - NOW[0] / 2, 0), NOW[0])
    return _corner(f"now {stage} {seat + 1} {hue}", NOW, row)


@lru_cache(256)
def _supply(supply: tuple[tuple[str, int], ...]) -> Sprite:
    """Return the supply; scarce crystals have a warning, and a colour that is used up is crossed out."""
    wide, high = CELL
    shapes: list[AnyShape] = []
    for k, (colour, count) in enumerate(supply):
        x, y = (k % 2 - 1) * wide, (k // 2 - 1) * high
        shapes += crystals.lettered(colour, (x + 23, y), 0.6)
        shapes.append(Text((x + 45, y), str(count), 26, "warn" if count <= SCARCE else "text"))
        if not count:
            shapes.append(Line(((x + 5, y + 18), (x + 63, y - 18)), "warn", 4))
    return _corner("supply " + " ".join(f"{colour}{count}" for colour, count in supply), (2 * wide, 3 * high), shapes)


@lru_cache(8)
def _swap(cost: int, lang: str) -> Sprite:
    label = Word(say(GAME, "swap", lang), "muted", bold=False)
    row: tuple[Item, ...] = (Word("⇄", size=40), label, 4.0, Word(str(cost), size=36), tokens.score(14))
    wide = PRICE + width(label.text, label.size, label.bold)
    return _corner(f"swap {cost}", (wide, 52), row_of(row, (4 - wide / 2, 0)))


@lru_cache(512)
def _goal(goal: int, turns: int | None, lang: str) -> Sprite:
    """Return the score of the goal, and once the end is fixed the number of turns left."""
    label = Word(say(GAME, "goal", lang), "muted", bold=False)
    row: tuple[Item, ...] = (label, 4.0, Word(str(goal), size=36), tokens.score(14))
    wide = least(row) + 2 * SPACE + 16
    shapes = row_of(row, (4 - wide / 2, 26))
    if turns is not None:
        shapes.append(Text((wide / 2 - 5, -26), f"⚑ {turns}", 40, "warn", align="right"))
    return _corner(f"goal {goal} {turns}", (wide, 104), shapes)


# --- The seats --------------------------------------------------------------------------------------------------------


def areas(seats: int) -> tuple[Area, ...]:
    """Return the areas of the plates for so many seats."""
    return places(window(seats).frame, seats if seats <= FEW else MOST)


def plates(view: State, look: Look, hues: list[str], outcome: Outcome | None) -> Iterator[AnyShape]:
    """Yield the seats in turn order: the shared plates, or low ones for five or six seats."""
    made = [_plate(view, seat, hues[seat], outcome, look.lang) for seat in range(view.seats)]
    frame = window(view.seats).frame
    if view.seats <= FEW:
        wide = areas(view.seats)[0].width
        yield from panel(frame, look, made if wide >= ROOMY else [_narrow(plate, wide - SIDES) for plate in made])
        return
    for plate, area in zip(made, areas(view.seats), strict=False):
        yield Stamp(_low_plate(plate, _known(look, plate.seat), area.width, area.height), area.middle)


def _narrow(plate: Plate, room: float) -> Plate:
    """Return *plate* with nothing beside the points: finished cards and the hand in one row."""
    hand, owned, done = plate.rows
    return replace(plate, rows=((), _fitting(owned, room - SPACE * len(owned)), _fitting((*done, 8.0, *hand), room)))


def own_plate(view: State, seat: int, look: Look, hue: str, outcome: Outcome | None, area: Area) -> AnyShape:
    """Return the plate of one seat in a line of its own."""
    return Stamp(
        _line_plate(_plate(view, seat, hue, outcome, look.lang), _known(look, seat), area.width, area.height),
        area.middle,
    )


def _known(look: Look, seat: int) -> SeatLook | None:
    return seat_look(look, seat) if seat < len(look.seats) else None


def _plate(view: State, seat: int, hue: str, outcome: Outcome | None, lang: str) -> Plate:
    player = view.players[seat]
    points = outcome.scores if outcome is not None else tuple(other.score for other in view.players)
    three, orange, enough = view.conditions(seat)
    owned, done = _tools(player, is_fulfilled=three), _done(player, is_fulfilled=orange)
    backs = [card.back for card in player.hand]
    hand: tuple[Item, ...] = (tokens.hand(*(backs.count(deck) for deck in Deck)),) if backs else ()
    return Plate(
        seat,
        hue,
        points=f"{points[seat]}/{view.goal}{'✓' if enough else ''}",
        up=view.actor == seat and outcome is None,
        won=outcome is not None and seat in outcome.winners,
        rows=((_word("hand", lang), *hand), owned, (_word("done", lang), *done)),
        leads=seat in leading(points),
    )


def _word(name: str, lang: str) -> Word:
    """Return the word for the cards beside it."""
    return Word(say(GAME, f"plate.{name}", lang), "muted", bold=False)


def _tools(player: Player, *, is_fulfilled: bool) -> tuple[Item, ...]:
    """Return the three tools, with their places on the board."""
    row: list[Item] = []
    for name in TOOLS:
        where = getattr(player.tools, name)
        row.append(tokens.tool(name, where if where in (NONE, READY) else "used"))
        if where not in (NONE, READY):
            row.append(Word(where, "muted", bold=False))
    return (*row, tokens.fulfilled()) if is_fulfilled else tuple(row)


def _fitting(row: tuple[Item, ...], room: float) -> tuple[Item, ...]:
    """Return *row*, without its words if they have no room; the board shows the places of tools, too."""
    return row if least(row) <= room else tuple(item for item in row if not isinstance(item, Word))


def _done(player: Player, *, is_fulfilled: bool) -> tuple[Item, ...]:
    """Return the numbers of finished blue and orange cards."""
    blue = tokens.pile(Deck.BLUE, len(player.done) - player.oranges)
    orange = tokens.pile(Deck.ORANGE, player.oranges)
    return (blue, orange, tokens.fulfilled()) if is_fulfilled else (blue, orange)


@lru_cache(256)
def _low_plate(plate: Plate, look: SeatLook | None, wide: float, high: float) -> Sprite:
    """Return a plate of three lines: badge, name and points; tools; finished cards and the hand."""
    left, room = EDGE - wide / 2, wide - 2 * EDGE
    hand, owned, done = plate.rows
    shapes = _head(plate, look, (left + 50, LINES[0]), -left, 26)
    shapes += row_of(_fitting(owned, room - SPACE * len(owned)), (left, LINES[1]), room)
    held = least(hand) + SPACE * (len(hand) - 1)
    shapes += row_of(done, (left, LINES[2]), room - held - SPACE)
    shapes += row_of(hand, (-left - held, LINES[2]))
    at = (left + 24, LINES[0] + (9 if plate.won else 3))
    shapes.append(Stamp(badge(plate.seat, plate.colour, 19.0), at))
    if plate.won:  # beside the points it would cut the name
        shapes += crown((at[0], at[1] - 15), 12, "yellow", "ink")
    return _sprite(plate, wide, high, tuple(shapes), LINES[0] + 3)


@lru_cache(64)
def _line_plate(plate: Plate, look: SeatLook | None, wide: float, high: float) -> Sprite:
    """Return a plate of one line: badge and name, tools, finished cards, points."""
    left, right = -wide / 2 + 76, wide / 2 - 18
    shapes = _head(plate, look, (left, 0), right, 36, room=250)
    shapes += row_of(plate.rows[1], (left + 270, 0), 330)
    room = right - width(plate.points, 36) - 28 - (left + 610)
    shapes += row_of(_fitting(plate.rows[2], room), (left + 610, 0), room)
    return _sprite(plate, wide, high, (*shapes, Stamp(badge(plate.seat, plate.colour, 23.0), (-wide / 2 + 42, 0))))


def _sprite(plate: Plate, wide: float, high: float, shapes: tuple[AnyShape, ...], y: float = 0) -> Sprite:
    """Return a plate with *shapes* on it, raised if its seat must act or has won; its badge at height *y*."""
    line, pen = ("text", 4) if plate.up or plate.won else ("panel.line", 2)
    under: list[AnyShape] = [Box((-wide / 2, -high / 2), (wide, high), plate.ground, line, pen, round=12)]
    if plate.up:
        tip = tuple((4 - wide / 2 + dx, y + dy) for dx, dy in ((0, -10), (11, 0), (0, 10)))
        under.append(Polygon(tip, "text", "text"))
    return Sprite(f"plate {plate.seat + 1}", (wide / 2, high / 2), (*under, *shapes), "ground")


def _head(plate: Plate, look: SeatLook | None, at: Point, right: float, size: int, room: float = inf) -> list[AnyShape]:
    """Return name, sign of the house and points on one line from *at* to *right*; the leader's on a light ground.

    *room*: the limit for the name, with which there is also a crown.
    """
    (left, y), wide = at, width(plate.points, size)
    shapes: list[AnyShape] = []
    pen, end = "text", right
    if plate.leads or plate.won:
        shapes.append(Box((right - wide - 14, y - size * 0.56), (wide + 16, size * 1.12), "text", round=9))
        pen, end = "panel", right - 6
    shapes.append(Text((end, y), plate.points, size, pen, align="right"))
    end -= wide + 12
    if plate.won and room < inf:
        shapes += crown((end - 15, y), 12, "yellow", "ink")
        end -= 36
    end = min(end, left + room)
    if look is not None and look.house:
        shapes += house((end - 13, y), 11, "muted")
        end -= 32
    if look is not None:
        shapes.append(Text((left, y), look.name, 24, "text", room=end - left))
    return shapes
