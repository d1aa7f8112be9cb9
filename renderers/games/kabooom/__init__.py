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
from renderers.games.kabooom.words import alt_text, newest_of
from renderers.layout import Area, Grid
from renderers.lettering import width
from renderers.scene import AnyShape, Arrow, Box, Disc, Point, Scene, Sprite, Stamp, Text
from renderers.signs import skip, stuck
from rules.contract import Outcome
from rules.games.kabooom import BEATS, GAME, GRID, SYMBOLS, Phase, State, height, owner
from rules.games.kabooom import counted as counted_height

ROWS_LEFT = 34
COLUMNS_BELOW = 34
LEAD = 8
FLOOR = 8
ASIDE = 18
SHOWN = 3
SLICES = 3
NUMBER = 24
PILL = 32
CLIMBING = 3
"""The page of /rules that tells what beats what."""


@cache
def _frame() -> Frame:
    return below(900, 152)


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


def _pane(field: str, hue: str = "") -> Sprite:
    column, row = _cell(field)
    wide, high = _pane_size()
    return stones.pane(
        wide, high, 1 if 2 * column < len(GRID.columns) else -1, 1 if 2 * row < len(GRID.rows) else -1, hue
    )


@cache
def _still() -> tuple[AnyShape, ...]:
    grid = _grid()
    area = grid.area.inset(-LEAD / 2)
    shapes: list[AnyShape] = [
        *_frame().still,
        Box((area.x, area.y), (area.width, area.height), "lead", "lead.light", 2, round=10),
    ]
    shapes += [Stamp(_pane(field), _middle(field)) for field in GRID.fields]
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
    counted = outcome is not None and view.phase != Phase.PLACE
    shapes: list[AnyShape] = []
    wide, high = _pane_size()
    for field, tower in zip(GRID.fields, view.board, strict=True):
        if not tower and view.phase == Phase.PLACE:
            shapes.append(Disc(_middle(field), 9, "pane.pale"))
        elif not tower:
            shapes.append(Stamp(stones.pit(wide, high), _middle(field)))
        else:
            hue = colours[owner(tower)]
            shapes += [Stamp(_pane(field, hue), _middle(field)), Stamp(stones.light(hue), _foot(field, tower, counted))]
    shapes += _tracks(view, colours)
    for field, tower in reversed(list(zip(GRID.fields, view.board, strict=True))):
        if tower:
            shapes += _tower(view, field, tower, colours, counted=counted)
    shapes += panel(_frame(), look, [_plate(view, seat, colours[seat], outcome) for seat in range(view.seats)])
    return Scene(_frame().size, _still(), tuple(shapes))


def _foot(field: str, tower: str, counted: bool) -> Point:
    """Where a stone that lies on the floor of *field* has the middle of its face; aside where numbers need room."""
    x, y = _middle(field)
    aside = ASIDE if height(tower) > 1 or counted else 0
    return x - aside, y + _pane_size()[1] / 2 - FLOOR - stones.DEEP


def _tower(view: State, field: str, tower: str, colours: list[str], *, counted: bool) -> Iterator[AnyShape]:
    """The pile on *field*, from its lowest visible stone up, then its numbers."""
    x, y = _foot(field, tower, counted)
    pile = [(int(tower[k]), tower[k + 1]) for k in range(0, len(tower), 2)]
    for seat, _ in pile[:-SHOWN][-SLICES:]:
        y -= stones.SLICE
        yield Stamp(stones.slice_(colours[seat]), (x, y))
    for seat, kind in pile[-SHOWN:-1]:
        y -= stones.THICK
        yield Stamp(stones.under(seat, colours[seat], kind), (x, y))
    y -= stones.THICK
    seat, kind = pile[-1]
    yield Stamp(stones.top(seat, colours[seat], kind), (x, y))
    if height(tower) > 1 or counted:
        yield from _numbers(view, field, tower, counted=counted)


def _numbers(view: State, field: str, tower: str, *, counted: bool) -> Iterator[AnyShape]:
    """Lower right the height, and the counted height where some stones do not count; upper right the points."""
    x, y = _middle(field)
    wide, high = _pane_size()
    right, low = x + wide / 2 - 4, y + high / 2 - 4
    tall, counts = height(tower), counted_height(tower, view.options.dynamite)
    texts = [str(tall)] if tall > 1 else []
    if counts != tall and tall > 1:
        texts = [f"{tall}·{counts}"] if tall < 10 else [str(tall), f"·{counts}"]
    for text in reversed(texts):
        yield from _pill(text, (right, low), "ink", "paper")
        low -= PILL + 2
    if counted:
        yield from _pill(f"+{view.points(tower)}", (right, y - high / 2 + 4 + PILL), "paper", "ink")


def _pill(text: str, corner: Point, ground: str, pen: str) -> tuple[AnyShape, ...]:
    """Lettering on a flat ground whose lower right corner is given."""
    wide = max(34.0, width(text, NUMBER) + 8)
    x, y = corner[0] - wide, corner[1] - PILL
    return (
        Box((x, y), (wide, PILL), ground, "lead.light", 2, round=9),
        Text((x + wide / 2, y + PILL / 2), text, NUMBER, pen, align="middle"),
    )


def _tracks(view: State, colours: list[str]) -> Iterator[AnyShape]:
    """What every seat did last, the newest strong."""
    newest = newest_of(view)
    order = sorted(range(view.seats), key=lambda seat: seat == newest)
    for seat in order:
        action = view.last[seat]
        if action is None or action in ("auto", "pass"):
            continue
        strong = seat == newest
        if "@" in action:
            yield from _ringed(action[2:], "accent" if strong else colours[seat], 5 if strong else 3)
        else:
            source, target = action.split("-")
            if strong:
                yield from _ringed(target, "accent", 5)
            yield from _arrow(source, target, colours[seat], strong=strong)


def _ringed(field: str, colour: str, pen: float) -> Iterator[AnyShape]:
    x, y = _middle(field)
    wide, high = _pane_size()
    for reach, line, thick in ((2, "ink", 2.0), (0, colour, pen)):
        corner, size = (x - wide / 2 - reach, y - high / 2 - reach), (wide + 2 * reach, high + 2 * reach)
        yield Box(corner, size, "", line, thick, round=4 + reach)


def _arrow(source: str, target: str, colour: str, *, strong: bool) -> Iterator[AnyShape]:
    (x0, y0), (x1, y1) = _middle(source), _middle(target)
    start = (x0 - (x1 - x0) * 0.12, y0 - (y1 - y0) * 0.12)
    end = (x0 + (x1 - x0) * 0.52, y0 + (y1 - y0) * 0.52)
    if strong:
        yield Arrow(start, end, "ink", "ink", 18, 7)
        yield Arrow(start, end, colour, "accent", 18, 5)
    else:
        yield Arrow(start, end, colour, "lead", 12, 2, strength=0.6)


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
        rows=(_did(view, seat), _supply(view, seat) if view.phase == Phase.PLACE else _worth(view, seat)),
    )


def _did(view: State, seat: int) -> tuple[Item, ...]:
    """What *seat* did last: a field, a move, or that it passed and as which of how many in succession."""
    action = view.last[seat]
    pen = "text" if seat == newest_of(view) else "muted"
    match action:
        case None:
            return ()
        case "pass" | "auto":
            order = _passed(view, seat)
            pen = "text" if order else "muted"
            count = (Word(f"{order}/{view.seats}", pen),) if order else ()
            return (_sign(action, pen), *count)
        case _ if "@" in action:
            return (small(action[0], 13), Word(action[2:], pen))
        case _:
            return (Word(action, pen),)


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
        row += [small(kind, 10), Word(str(left), "text" if left else "muted"), 10.0]
    return tuple(row[:-1])


def _worth(view: State, seat: int) -> tuple[Item, ...]:
    """What makes up the points of *seat*: those of each of its towers, highest first."""
    worth = sorted((view.points(tower) for tower in view.board if tower and owner(tower) == seat), reverse=True)
    return (Word("+".join(str(points) for points in worth if points), "muted"),) if sum(map(bool, worth)) > 1 else ()


def diagram(page: int, _look: Look) -> Scene | None:
    """The page about climbing shows who beats whom; the others show positions."""
    return _beating() if page == CLIMBING else None


@cache
def _beating() -> Scene:
    """A row for every symbol: the stone that climbs, and those that it may climb onto."""
    wide, high = 1000, 800
    pitch = high / len(SYMBOLS)
    shapes: list[AnyShape] = []
    for row, mover in enumerate(SYMBOLS):
        y = pitch * (row + 0.5)
        places = [(160.0, mover, 0)]
        places += [(392.0 + 152 * column, prey, 1) for column, prey in enumerate(SYMBOLS) if prey in BEATS[mover]]
        for x, kind, seat in places:
            hue = GAME.colours[seat]
            shapes.append(Stamp(stones.pane(*_pane_size(), 1, 1, hue), (x, y)))
            shapes.append(Stamp(stones.light(hue), (x, y + 16)))
            shapes.append(Stamp(stones.top(seat, hue, kind), (x, y + 16)))
        shapes.append(Arrow((244, y), (308, y), "text", width=14))
    return Scene((wide, high), below(high).still, tuple(shapes))


def sprites() -> Iterator[Sprite]:
    """The stones of the usual colours."""
    for seat, colour in enumerate(GAME.colours):
        for kind in SYMBOLS:
            yield stones.top(seat, colour, kind)
            yield stones.under(seat, colour, kind)
        yield stones.slice_(colour)
        yield stones.light(colour)
        yield from (_pane(field, colour) for field in ("a1", "f1", "a4", "f4"))


__all__ = ["alt_text", "diagram", "scene", "sprites"]
