"""What is told round the board: in its free corners the round, the supply and the goal; below it the seats."""

from collections.abc import Iterator
from functools import lru_cache

from renderers import Look, SeatLook
from renderers.frame import GAP, Item, Plate, Word, badge, panel, row_of, seat_look
from renderers.games.kaleidoskop import glass
from renderers.games.kaleidoskop.window import window
from renderers.lettering import width
from renderers.scene import AnyShape, Box, Line, Polygon, Sprite, Stamp, Text
from renderers.signs import crown, house
from rules.contract import Outcome
from rules.games.kaleidoskop import NONE, READY, Deck, Player, Stage, State

SCARCE = 3
TOOLS = ("holder", "mirror", "glass")


# --- The corners ------------------------------------------------------------------------------------------------------


def corners(view: State) -> Iterator[AnyShape]:
    """Upper left round and decks, upper right the crystals left, lower left what a swap costs, lower right the goal."""
    area = window(view.seats).frame.board
    turns = None if view.final is None or view.stage == Stage.OVER else view.final - view.turn + 1
    decks = _round(view.round, len(view.decks.blue), len(view.decks.orange))
    supply, swap, goal = _supply(tuple(view.supply().items())), _swap(view.swap_cost), _goal(view.goal, turns)
    left, right, top, low = area.x, area.right, area.y, area.bottom
    for sprite, x, y in ((decks, left, top), (supply, right, top), (swap, left, low), (goal, right, low)):
        wide, high = sprite.reach
        yield Stamp(sprite, (x + wide if x == left else x - wide, y + high if y == top else y - high))


def _corner(name: str, size: tuple[float, float], shapes: list[AnyShape]) -> Sprite:
    return Sprite(name, (size[0] / 2, size[1] / 2), tuple(shapes), "ground")


@lru_cache(512)
def _round(number: int, blue: int, orange: int) -> Sprite:
    row: tuple[Item, ...] = (
        glass.back(Deck.BLUE),
        Word(str(blue)),
        12.0,
        glass.back(Deck.ORANGE),
        Word(str(orange)),
    )
    count = Text((-76, -26), f"↻ {number}", 36)
    return _corner(f"round {number} decks {blue} {orange}", (160, 104), [count, *row_of(row, (-76, 22))])


@lru_cache(512)
def _supply(supply: tuple[tuple[str, int], ...]) -> Sprite:
    """Scarce crystals are warned of, and a colour that is used up is crossed out."""
    shapes: list[AnyShape] = []
    for k, (colour, left) in enumerate(supply):
        x, y = -88 + 90 * (k % 2), -42 + 42 * (k // 2)
        shapes.append(Stamp(glass.lettered(colour, 0.6), (x + 20, y)))
        shapes.append(Text((x + 42, y), str(left), 26, "warn" if left <= SCARCE else "text"))
        if not left:
            shapes.append(Line(((x + 2, y + 18), (x + 60, y - 18)), "warn", 4))
    return _corner("supply " + " ".join(f"{colour}{left}" for colour, left in supply), (180, 126), shapes)


@lru_cache(8)
def _swap(cost: int) -> Sprite:
    row: tuple[Item, ...] = (Word("⇄", size=40), Word(str(cost), size=36), glass.score(14))
    return _corner(f"swap {cost}", (130, 52), row_of(row, (-61, 0)))


@lru_cache(512)
def _goal(goal: int, turns: int | None) -> Sprite:
    """The score that is needed, and once the end is fixed how many turns are left."""
    shapes: list[AnyShape] = [Stamp(glass.score(14), (46, 26)), Text((26, 26), str(goal), 36, align="right")]
    if turns is not None:
        shapes.append(Text((60, -26), f"⚑ {turns}", 40, "warn", align="right"))
    return _corner(f"goal {goal} {turns}", (130, 104), shapes)


# --- The seats --------------------------------------------------------------------------------------------------------


def plates(view: State, look: Look, hues: list[str], outcome: Outcome | None) -> Iterator[AnyShape]:
    """The seats in turn order: the kit's plates; where there are five or six, low ones."""
    made = [_plate(view, seat, hues[seat], outcome) for seat in range(view.seats)]
    frame = window(view.seats).frame
    if view.seats <= 4:
        yield from panel(frame, look, made)
        return
    area, (columns, lines) = frame.panel, (3, 2)
    wide, high = (area.width - GAP * (columns - 1)) / columns, (area.height - GAP) / lines
    for seat, plate in enumerate(made):
        x = area.x + (seat % columns) * (wide + GAP) + wide / 2
        y = area.y + (seat // columns) * (high + GAP) + high / 2
        known = seat_look(look, seat) if seat < len(look.seats) else None
        yield Stamp(_low_plate(plate, known, wide, high), (x, y))


def _plate(view: State, seat: int, hue: str, outcome: Outcome | None) -> Plate:
    player = view.players[seat]
    points = outcome.scores[seat] if outcome is not None else player.score
    three, orange, enough = view.conditions(seat)
    few = view.seats <= 4
    owned, done = _tools(player, met=three, places=few), _done(player, met=orange)
    backs = tuple(card.back for card in player.hand)
    hand: tuple[Item, ...] = (glass.fan(backs, 22 if view.seats < 4 else 11),) if backs else ()
    return Plate(
        seat,
        hue,
        points=f"{points}/{view.goal}{'✓' if enough else ''}",
        up=view.actor == seat and outcome is None,
        won=outcome is not None and seat in outcome.winners,
        rows=(hand, owned, done) if few else ((*owned, 8.0, *done, 8.0, *hand),),
    )


def _tools(player: Player, *, met: bool, places: bool) -> tuple[Item, ...]:
    """The three tools; of those on the board, where there is room, also the places."""
    row: list[Item] = []
    for name in TOOLS:
        where = getattr(player.tools, name)
        row.append(glass.tool(name, where if where in (NONE, READY) else "used"))
        if places and where not in (NONE, READY):
            row.append(Word(where, "muted"))
    return (*row, Word("✓")) if met else tuple(row)


def _done(player: Player, *, met: bool) -> tuple[Item, ...]:
    """How many blue and orange cards are finished."""
    blue = glass.pile(Deck.BLUE, len(player.done) - player.oranges)
    orange = glass.pile(Deck.ORANGE, player.oranges)
    return (blue, orange, Word("✓")) if met else (blue, orange)


@lru_cache(1024)
def _low_plate(plate: Plate, look: SeatLook | None, wide: float, high: float) -> Sprite:
    """A plate of two lines: name and points, then the row; the badge left of both."""
    strong = plate.up or plate.won
    fill, line, pen = ("panel.up", "text", 4) if strong else ("panel", "panel.line", 2)
    left, right, upper = -wide / 2 + 62, wide / 2 - 12, -high / 2 + 18
    shapes: list[AnyShape] = [
        Box((-wide / 2, -high / 2), (wide, high), fill, line, pen, round=12),
        Stamp(badge(plate.seat, plate.colour, 20.0), (-wide / 2 + 36, 0)),
        Text((right, upper), plate.points, 26, align="right"),
        *row_of(plate.rows[0], (left, high / 2 - 18), right - left),
    ]
    end = right - width(plate.points, 26) - 10
    if plate.up:
        shapes.append(
            Polygon(tuple((4 - wide / 2 + dx, dy) for dx, dy in ((0, -10), (11, 0), (0, 10))), "text", "text")
        )
    if plate.won:
        shapes += crown((end - 15, upper), 12, "yellow", "ink")
        end -= 36
    if look is not None and look.house:
        shapes += house((end - 13, upper), 11, "muted")
        end -= 32
    if look is not None:
        shapes.append(Text((left, upper), look.name, 24, "text", room=end - left))
    return Sprite(f"plate {plate.seat + 1}", (wide / 2, high / 2), tuple(shapes), "ground")
