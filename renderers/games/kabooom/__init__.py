"""Kabooom!'s board: towers of glass on a leaded window.

A tower stands on the lower edge of its field and grows upwards: of its topmost stone one sees the face, of the next
two the sides with owner and symbol, of those below a thin slice each. Right of it the height, over it the counted
height where that differs, at the end the points. Page: section 11.
"""

from collections.abc import Iterator
from functools import cache

from renderers import Look
from renderers.frame import Frame, Item, Plate, Word, below, panel, seat_colour
from renderers.games.kabooom import stones
from renderers.games.kabooom.symbols import small
from renderers.layout import Area, Grid
from renderers.lettering import width
from renderers.palette import MARKS
from renderers.scene import AnyShape, Arrow, Box, Disc, Line, Point, Polygon, Scene, Sprite, Stamp, Text
from renderers.signs import skip, stuck
from rules.contract import Outcome
from rules.games.kabooom import GAME, GRID, SYMBOLS, Phase, State, height, owner, symbol
from rules.games.kabooom import counted as counted_height

ROWS_LEFT = 34
COLUMNS_BELOW = 34
LEAD = 8
FLOOR = 9
ASIDE = 20
SHOWN = 3
SLICES = 4


@cache
def _frame() -> Frame:
    return below(892, 160)


@cache
def _grid() -> Grid:
    area = _frame().board
    fields = Area(area.x + ROWS_LEFT, area.y, area.width - ROWS_LEFT, area.height - COLUMNS_BELOW)
    return Grid(len(GRID.columns), len(GRID.rows), fields.inset(LEAD / 2))


def _cell(field: str) -> tuple[int, int]:
    return GRID.columns.index(field[0]), GRID.rows.index(field[1])


def _middle(field: str) -> Point:
    return _grid().middle(_cell(field))


@cache
def _pane_size() -> tuple[float, float]:
    wide, high = _grid().cell
    return round(wide) - LEAD, round(high) - LEAD


@cache
def _still() -> tuple[AnyShape, ...]:
    grid, (wide, high) = _grid(), _pane_size()
    area = grid.area.inset(-LEAD / 2)
    shapes: list[AnyShape] = [
        *_frame().still,
        Box((area.x, area.y), (area.width, area.height), "lead", "lead.light", 2, round=10),
    ]
    for field in GRID.fields:
        column, row = _cell(field)
        shapes.append(Stamp(stones.pane(wide, high, 1 if column < 3 else -1, 1 if row < 2 else -1), _middle(field)))
    for k, letter in enumerate(GRID.columns):
        x, _ = grid.middle((k, 0))
        shapes.append(Text((x, area.bottom + COLUMNS_BELOW / 2), letter, 28, "muted", align="middle"))
    for k, digit in enumerate(GRID.rows):
        _, y = grid.middle((0, k))
        shapes.append(Text((area.x - ROWS_LEFT / 2, y), digit, 28, "muted", align="middle"))
    return tuple(shapes)


def scene(view: State, look: Look) -> Scene:
    """The board of *view*, whoever looks at it: nothing is hidden and nobody has a side of it."""
    colours = [seat_colour(look, seat, GAME.colours) for seat in range(view.seats)]
    outcome = look.ended or view.outcome
    shapes: list[AnyShape] = []
    wide, high = _pane_size()
    for field, tower in zip(GRID.fields, view.board, strict=True):
        if not tower and view.phase == Phase.PLACE:
            shapes.append(Disc(_middle(field), 9, "pane.pale"))
        elif not tower:
            shapes.append(Stamp(stones.pit(wide, high), _middle(field)))
    shapes += _tracks(view, colours)
    for field, tower in reversed(list(zip(GRID.fields, view.board, strict=True))):
        if tower:
            shapes += _tower(view, field, tower, colours, outcome)
    shapes += panel(_frame(), look, [_plate(view, seat, colours[seat], outcome) for seat in range(view.seats)])
    return Scene(_frame().size, _still(), tuple(shapes))


def _tower(view: State, field: str, tower: str, colours: list[str], outcome: Outcome | None) -> Iterator[AnyShape]:
    """The pile on *field*, from its lowest visible stone up, then its numbers."""
    x, y = _middle(field)
    wide, high = _pane_size()
    tall = height(tower)
    pile = [(int(tower[k]), tower[k + 1]) for k in range(0, len(tower), 2)]
    if tall > 1:
        x -= ASIDE
    # y is where the middle of a stone's face lies when its side ends on the floor.
    y += high / 2 - FLOOR - stones.DEEP
    yield Stamp(stones.light(colours[owner(tower)]), (x, y))
    for seat, _ in pile[:-SHOWN][-SLICES:]:
        y -= stones.SLICE
        yield Stamp(stones.slice_(colours[seat]), (x, y))
    for seat, kind in pile[-SHOWN:-1]:
        y -= stones.THICK
        yield Stamp(stones.under(seat, colours[seat], kind), (x, y))
    y -= stones.THICK
    seat, kind = pile[-1]
    yield Stamp(stones.top(seat, colours[seat], kind), (x, y))
    if tall > 1:
        yield from _numbers(view, field, tower, outcome)


def _numbers(view: State, field: str, tower: str, outcome: Outcome | None) -> Iterator[AnyShape]:
    x, y = _middle(field)
    wide, high = _pane_size()
    right, low = x + wide / 2 - 5, y + high / 2 - 5
    tall, counts = height(tower), counted_height(tower, view.options.dynamite)
    yield from _pill(str(tall), (right, low), "ink", "paper")
    if counts != tall:
        yield from _pill(f"·{counts}", (right, low - 36), "panel", "text")
    if outcome is not None:
        yield from _pill(f"+{view.points(tower)}", (right, low - 72), "paper", "ink")


def _pill(text: str, corner: Point, ground: str, pen: str) -> tuple[AnyShape, ...]:
    """Lettering on a flat ground whose lower right corner is given."""
    wide = max(34.0, width(text, 26) + 12)
    x, y = corner[0] - wide, corner[1] - 32
    return (
        Box((x, y), (wide, 32), ground, "panel.line", 2, round=9),
        Text((x + wide / 2, y + 16), text, 26, pen, align="middle"),
    )


def _newest(view: State) -> int | None:
    """The seat that acted last; None where the view does not tell."""
    if view.actor is None:
        return None
    for step in range(1, view.seats + 1):
        seat = (view.actor - step) % view.seats
        if view.last[seat] != "auto":
            return seat if view.last[seat] is not None else None
    return None


def _tracks(view: State, colours: list[str]) -> Iterator[AnyShape]:
    """What every seat did last, the newest strong."""
    newest = _newest(view)
    order = sorted(range(view.seats), key=lambda seat: seat == newest)
    for seat in order:
        action = view.last[seat]
        if action is None or action in ("auto", "pass"):
            continue
        strong = seat == newest
        if "@" in action:
            yield _ringed(action[2:], "accent" if strong else colours[seat], 5 if strong else 3)
        else:
            source, target = action.split("-")
            if strong:
                yield _ringed(target, "accent", 5)
            yield _arrow(source, target, colours[seat], strong=strong)


def _ringed(field: str, colour: str, pen: float) -> AnyShape:
    x, y = _middle(field)
    wide, high = _pane_size()
    return Box((x - wide / 2, y - high / 2), (wide, high), "", colour, pen, round=4)


def _arrow(source: str, target: str, colour: str, *, strong: bool) -> AnyShape:
    (x0, y0), (x1, y1) = _middle(source), _middle(target)
    start = (x0 - (x1 - x0) * 0.12, y0 - (y1 - y0) * 0.12)
    end = (x0 + (x1 - x0) * 0.56, y0 + (y1 - y0) * 0.56)
    if strong:
        return Arrow(start, end, colour, "accent", 18, 5)
    return Arrow(start, end, colour, "lead", 12, 2, strength=0.6)


@cache
def _sign(name: str, colour: str) -> Sprite:
    shapes = skip((0, 0), 12, colour) if name == "pass" else stuck((0, 0), 12, colour)
    return Sprite(f"{name} {colour}", (15, 15), shapes)


def _plate(view: State, seat: int, colour: str, outcome: Outcome | None) -> Plate:
    points = outcome.scores if outcome is not None else view.standing()
    return Plate(
        seat,
        colour,
        points=str(points[seat]),
        up=view.actor == seat and outcome is None,
        won=outcome is not None and seat in outcome.winners,
        rows=(_did(view, seat), _supply(view, seat) if view.phase == Phase.PLACE else ()),
    )


def _did(view: State, seat: int) -> tuple[Item, ...]:
    """What *seat* did last: a field, a move, or that it passed and as which of how many in succession."""
    action = view.last[seat]
    match action:
        case None:
            return ()
        case "pass" | "auto":
            order = _passed(view, seat)
            pen = "text" if order else "muted"
            count = (Word(f"{order}/{view.seats}", pen),) if order else ()
            return (_sign(action, pen), *count)
        case _ if "@" in action:
            return (small(action[0], 13), Word(action[2:], "muted"))
        case _:
            return (Word(action, "muted"),)


def _passed(view: State, seat: int) -> int:
    """Which of the passes in succession is the one of *seat*, from 1; 0 where it is none of them."""
    if view.actor is None:
        return view.passes if view.passes and view.last[seat] in ("pass", "auto") else 0
    back = (view.actor - seat - 1) % view.seats
    return view.passes - back if back < view.passes else 0


def _supply(view: State, seat: int) -> tuple[Item, ...]:
    """How many stones of each symbol *seat* can still place."""
    row: list[Item] = []
    for kind, left in view.supply(seat).items():
        row += [small(kind), Word(str(left), "text" if left else "muted"), 3.0]
    return tuple(row)


def alt_text(view: State, look: Look) -> str:
    return ""


def sprites() -> Iterator[Sprite]:
    """The stones of the usual colours."""
    for seat, colour in enumerate(GAME.colours):
        for kind in SYMBOLS:
            yield stones.top(seat, colour, kind)
            yield stones.under(seat, colour, kind)
        yield stones.slice_(colour)
        yield stones.light(colour)
