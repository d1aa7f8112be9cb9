"""Kabooom!'s board: towers of glass on a leaded window.

A tower begins at the lower edge of its field and grows upwards: slabs in the colours of their owners, charred if they
do not count, and the top stone with its face. Right of it are the mark of its owner and its height, and after the game
its points between them. All of these keep off the edges of the field, which have the marks of menus. Page: section 11.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product
from types import MappingProxyType

from renderers.contract import Drawer
from renderers.frame import (
    Frame,
    Item,
    Plate,
    Score,
    Word,
    badge,
    below,
    full_width,
    leading,
    panel,
    places,
    row_at,
    row_of,
    seat_colour,
)
from renderers.games.kabooom import choices, stones, words
from renderers.games.kabooom.symbols import small
from renderers.games.kabooom.words import newest_of
from renderers.layout import Area, Grid
from renderers.lettering import ELLIPSIS, width
from renderers.look import Look
from renderers.outlines import Outline, box
from renderers.scene import TEXT_MIN, AnyShape, Arrow, Box, Disc, Point, Scene, Sprite, Stamp, Text, magnified
from renderers.signs import skip, stuck
from rules.contract import Outcome
from rules.games.kabooom import BEATS, GAME, GRID, SYMBOLS, Phase, State, owner, symbol

HIGH = 844
"""Height of the picture, clearly less than its width, also with the plaque of a final board."""
PANEL = 104
ROWS_LEFT = 34
COLUMNS_BELOW = 30
LEAD = 8
"""Distance between two panes."""
MARK = 18.5
"""Reach of the owner's mark, which distinguishes seats without colour."""
NUMBER, POINTS, PILL = 30, 28, 34.0
"""Size of the height of a tower and of its points, and height of the ground of both."""
APART = 7
"""Distance of the points below the owner's mark."""
CLEAR = 7
"""Distance from the edge of a pane to tower and numbers; the marks of a menu are in between."""
ROWS = 1
"""Rows of a plate: the stones left to place; or a pass, and the sources of points."""
BESIDE, TALL = 14.0, 44.0
"""For the spot of a symbol with its number: the largest margin at the sides, and the height."""
WORTH_INSET, WORTH_GAP = 44.0, 9.0
"""For a plate's row of towers: the width that it leaves free beside the points, and the gap between two of them."""
CLIMBING = 3
"""The page of /rules about which symbol beats which."""
ROSETTES = 4
"""The highest towers, from whose fields the rosette is taken."""
LARGE = 1.75
"""The scale of stones in a lobby."""


class Ring(StrEnum):
    """The line around a field: the newest action led there, with a bang for climbing dynamite; or a seat's last
    stone was placed there."""

    NEWEST = "newest"
    BANG = "bang"
    PLACED = "placed"


@cache
def _frame() -> Frame:
    return below(HIGH, PANEL)


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
    return wide - LEAD, high - LEAD


def _pane(field: str, hue: str = "") -> Sprite:
    """Return the pane of *field*, cut towards the middle of the board, so that all cuts together make a diamond."""
    column, row = _cell(field)
    rising = (2 * column < len(GRID.columns)) == (2 * row < len(GRID.rows))
    return stones.pane(*_pane_size(), rising=rising, hue=hue)


@cache
def _still(placing: bool) -> tuple[AnyShape, ...]:
    """Return the board without towers: panes with a faint dot while stones are placed, else holes."""
    grid = _grid()
    area = grid.area.inset(-LEAD / 2)
    shapes: list[AnyShape] = [
        *_frame().still,
        Box((area.x, area.y), (area.width, area.height), "lead", "lead.light", 2, round=10),
    ]
    for field in GRID.fields:
        if placing:
            shapes += [Stamp(_pane(field), _middle(field)), Disc(_middle(field), 9, "pane.pale")]
        else:
            shapes.append(Stamp(stones.broken(*_pane_size(), GRID.number[field]), _middle(field)))
    corner = (area.x - ROWS_LEFT / 2, area.bottom + COLUMNS_BELOW / 2)
    shapes.append(Stamp(stones.bang(ROWS_LEFT / 2 - 2), corner))
    for k, letter in enumerate(GRID.columns):
        x, _ = grid.middle((k, 0))
        shapes.append(Text((x, area.bottom + COLUMNS_BELOW / 2), letter, 28, "muted", bold=False, align="middle"))
    for k, digit in enumerate(GRID.rows):
        _, y = grid.middle((0, k))
        shapes.append(Text((area.x - ROWS_LEFT / 2, y), digit, 28, "muted", bold=False, align="middle"))
    return tuple(shapes)


def _counted(view: State, seat: int) -> Iterator[tuple[str, Outline]]:
    """Yield the outlines of the stones that *seat* can still place, as the panel counts them."""
    at, room = row_at(places(_frame(), view.seats)[seat], ROWS, ROWS - 1)
    row = row_of(_supply(view, seat), at, room)
    left = [sign.at[0] - sign.sprite.reach[0] for sign in row if isinstance(sign, Stamp)]
    right = [word.at[0] + width(word.text, word.size, word.bold) for word in row if isinstance(word, Text)]
    beside = min(BESIDE, *((start - end) / 2 for start, end in zip(left[1:], right, strict=False)))
    for kind, start, end in zip(view.supply(seat), left, right, strict=True):
        yield kind, box((start - beside, at[1] - TALL / 2), (end - start + 2 * beside, TALL))


@cache
def _panes() -> Mapping[str, Outline]:
    wide, high = _grid().cell
    places = ((field, _middle(field)) for field in GRID.fields)
    return MappingProxyType({field: box((x - wide / 2, y - high / 2), (wide, high)) for field, (x, y) in places})


@lru_cache(512)
def _tile(pane: Sprite, tower: str, hues: tuple[str, ...], points: int | None, ring: Ring | None) -> Sprite:
    """Return a field with its tower: the pane, the ring, the pile from its lowest stone up, owner and number.

    *points*: the tower's points, None before the end.
    """
    wide, high = _pane_size()
    pile = [(int(tower[k]), tower[k + 1]) for k in range(0, len(tower), 2)]
    # The middle of the face of a stone on the floor.
    x, y = -stones.ASIDE, high / 2 - stones.FLOOR - stones.DEEP
    shapes: list[AnyShape] = [Stamp(pane, (0, 0))]
    if ring is Ring.BANG:
        shapes.append(Stamp(stones.burst(wide, high), (0, 0)))
    if ring is Ring.PLACED:
        shapes.append(Box((-wide / 2 - 2, -high / 2 - 2), (wide + 4, high + 4), "", "ink", 7, round=6))
        shapes.append(Box((-wide / 2, -high / 2), (wide, high), "", hues[pile[-1][0]], 3, round=4))
    elif ring is not None:
        shapes.append(Box((-wide / 2 - 4, -high / 2 - 4), (wide + 8, high + 8), "", "ink", 13, round=7))
        shapes.append(Box((-wide / 2 - 2, -high / 2 - 2), (wide + 4, high + 4), "", "accent", 8, round=5))
    for k, ((seat, kind), thick) in enumerate(zip(pile, stones.slabs(len(pile) - 1), strict=False)):
        y -= thick
        lean = stones.LEANS[k % len(stones.LEANS)]
        shapes.append(Stamp(stones.slab(seat, hues[seat], thick, spent=kind == "d"), (x + lean, y)))
    seat, kind = pile[-1]
    shapes.append(Stamp(stones.top(seat, hues[seat], kind), (x, y - stones.THICK)))
    shapes.append(Stamp(badge(seat, hues[seat], MARK), (wide / 2 - CLEAR - MARK, CLEAR + MARK - high / 2)))
    shapes += _numbers(len(pile), points)
    name = " ".join(map(str, (pane.name.split()[1], tower, points, ring or "")))
    return Sprite(f"field {name}".rstrip(), (wide / 2 + LEAD / 2, high / 2 + LEAD / 2), tuple(shapes), "lead")


def _numbers(tall: int, points: int | None) -> Iterator[AnyShape]:
    """Yield the height of a tower in the lower right corner of the pane, none for a single stone; and over it, below
    the mark of the owner, the points that the tower brings."""
    across, down = _pane_size()
    right = across / 2 - CLEAR
    if tall > 1:
        yield from _pill(str(tall), NUMBER, (right, down / 2 - CLEAR - PILL / 2), "ink", "paper")
    if points is not None:
        yield from _pill(f"+{points}", POINTS, (right, CLEAR + 2 * MARK + APART + PILL / 2 - down / 2), "paper", "ink")


def _pill(line: str, size: int, at: Point, ground: str, pen: str) -> Iterator[AnyShape]:
    """Yield a number on its ground, to the left of *at*."""
    wide = max(PILL, width(line, size) + 6)
    yield Box((at[0] - wide, at[1] - PILL / 2), (wide, PILL), ground, "lead.light", 2, round=9)
    yield Text((at[0] - wide / 2, at[1]), line, size, pen, align="middle")


def _tracks(view: State, hues: tuple[str, ...], newest: tuple[int, ...]) -> tuple[dict[str, Ring], list[AnyShape]]:
    """Return the last action of every seat: rings by field, and arrows, the newest on top and strong."""
    rings: dict[str, Ring] = {}
    arrows: list[AnyShape] = []
    for seat in (*(seat for seat in range(view.seats) if seat not in newest), *newest):
        action, strong = view.last[seat] or "", seat in newest
        if "@" in action:
            rings[action[2:]] = Ring.NEWEST if strong else Ring.PLACED
        elif "-" in action:
            source, target = action.split("-")
            arrows.append(_arrow(_middle(source), _middle(target), hues[seat], strong=strong))
            if strong:
                tower = view.board[GRID.number[target]]
                rings[target] = Ring.BANG if tower and symbol(tower) == "d" else Ring.NEWEST
    return rings, arrows


def _arrow(source: Point, target: Point, hue: str, *, strong: bool) -> AnyShape:
    (x0, y0), (x1, y1) = source, target
    return Stamp(stones.arrow((x1 - x0, y1 - y0), hue, strong=strong), ((x0 + x1) / 2, (y0 + y1) / 2))


@cache
def _sign(name: str, colour: str, newest: bool) -> Sprite:
    """Return the sign of a pass or of an automatic pass; the newest action has the ground of changes."""
    pen = "ink" if newest else colour
    shapes = skip((0, 0), 12, pen) if name == "pass" else stuck((0, 0), 12, pen)
    if not newest:
        return Sprite(f"{name} {colour}", (15, 15), shapes)
    ground = (Box((-23, -19), (46, 38), "ink", round=10), Box((-21, -17), (42, 34), "accent", round=8))
    return Sprite(f"{name} newest", (23, 19), (*ground, *shapes))


def _plate(view: State, seat: int, hue: str, outcome: Outcome | None, newest: tuple[int, ...]) -> Plate:
    points = outcome.scores if outcome is not None else view.standing()
    placing = view.phase == Phase.PLACE
    score = "" if placing and outcome is None else str(points[seat])
    leads, won = seat in leading(points), outcome is not None and seat in outcome.winners
    row = _supply(view, seat) if placing else _row(view, seat, newest, Score(score, leads or won, won))
    return Plate(seat, hue, score, up=view.actor == seat and outcome is None, won=won, leads=leads, rows=(row,))


def _row(view: State, seat: int, newest: tuple[int, ...], score: Score) -> tuple[Item, ...]:
    """Return the sign of a pass of *seat*, with its number in the row of passes; then the towers that bring points.

    *score*: the points beside them.
    """
    action = view.last[seat]
    taken = score.width + WORTH_INSET
    if action not in ("pass", "auto"):
        return _worth(view, seat, taken)
    order = _passed(view, seat)
    pen = "text" if order or seat in newest else "muted"
    count = (Word(f"{order}/{view.seats}", pen),) if order else ()
    passed = (_sign(action, pen, seat in newest), *count, WORTH_GAP)
    return (*passed, *_worth(view, seat, taken + full_width(passed)))


def _passed(view: State, seat: int) -> int:
    """Return the number of the seat's pass in the row of passes, from 1; 0 if it is not in it."""
    if view.actor is None:
        return view.passes if view.passes and view.last[seat] in ("pass", "auto") else 0
    back = (view.actor - seat - 1) % view.seats
    return view.passes - back if back < view.passes else 0


def _supply(view: State, seat: int) -> tuple[Item, ...]:
    """Return the stones of each symbol that *seat* can still place."""
    radius, gap = (10, 34.0) if view.seats == 2 else (9, 24.0)
    row: list[Item] = []
    for kind, remaining in view.supply(seat).items():
        row += [small(kind, radius), Word(str(remaining), "text" if remaining else "muted"), gap]
    return tuple(row[:-1])


def _worth(view: State, seat: int, taken: float) -> tuple[Item, ...]:
    """Return the towers that bring points to *seat*, highest first, each with its field; *taken*: width of the rest."""
    own = [
        (view.points(tower), field)
        for field, tower in zip(GRID.fields, view.board, strict=True)
        if tower and owner(tower) == seat and view.points(tower)
    ]
    room = places(_frame(), view.seats)[seat].width - taken
    row: list[Item] = []
    for k, (points, field) in enumerate(sorted(own, key=lambda entry: -entry[0])):
        items = (Word(field, "muted", bold=False), Word(f"+{points}"), WORTH_GAP)
        room -= full_width(items)
        if room < (0 if k + 1 == len(own) else width(ELLIPSIS, TEXT_MIN)):
            return (*row, Word(ELLIPSIS, "muted"))
        row += items
    return tuple(row[:-1])


@cache
def _beating() -> Scene:
    """Return a row for every symbol: the stone that climbs, and those that it may climb onto."""
    wide, high = 1000, 800
    pitch = high / len(SYMBOLS)
    shapes: list[AnyShape] = []
    for row, mover in enumerate(SYMBOLS):
        y = pitch * (row + 0.5)
        places = [(160.0, mover, 0)]
        places += [(392.0 + 152 * column, prey, 1) for column, prey in enumerate(SYMBOLS) if prey in BEATS[mover]]
        for x, kind, seat in places:
            hue = GAME.colours[seat]
            tile = _tile(_pane("c2", hue), f"{seat}{kind}", GAME.colours, None, None)
            shapes.append(Stamp(tile, (x, y)))
        shapes.append(Arrow((244, y), (308, y), "text", width=14))
    return Scene((wide, high), below(high).light, tuple(shapes))


class Kabooom(Drawer[State]):
    """The drawer of Kabooom!."""

    sample = "at-random"
    hues = GAME.colours
    off_board = MappingProxyType({"pass": "to pass is to leave the board as it is"})

    def scene(self, view: State, look: Look) -> Scene:
        """Return the board of *view*; it is the same for every viewer and from all sides."""
        hues = tuple(seat_colour(look, seat, GAME.colours) for seat in range(view.seats))
        outcome = look.ended or view.outcome
        placing = view.phase == Phase.PLACE
        newest = newest_of(view, look)
        rings, arrows = _tracks(view, hues, newest)
        shapes: list[AnyShape] = []
        for field, tower in zip(GRID.fields, view.board, strict=True):
            if tower:
                points = view.points(tower) if outcome is not None and not placing else None
                pane = _pane(field, hues[owner(tower)])
                tile = _tile(pane, tower, hues, points, rings.get(field))
                shapes.append(Stamp(tile, _middle(field)))
        plates = [_plate(view, seat, hues[seat], outcome, newest) for seat in range(view.seats)]
        shapes += panel(_frame(), look, plates)
        return Scene(_frame().size, _still(placing), (*shapes, *arrows))

    def alt_text(self, view: State, look: Look) -> str:
        return words.alt_text(view, look)

    def spots(self, view: State, look: Look) -> Mapping[str, Outline]:
        """Return every pane with half of the leads around it; while stones are placed, also the actor's symbols.

        The symbols are those that the panel counts, of the stones that the actor can still place.
        """
        if view.phase != Phase.PLACE or view.actor is None or look.ended is not None:
            return _panes()
        return MappingProxyType({**_panes(), **dict(_counted(view, view.actor))})

    def pieces(self, view: State, seat: int, look: Look) -> Iterator[Outline]:
        """Yield the panes of the towers of *seat*."""
        owned = zip(GRID.fields, view.board, strict=True)
        yield from (_panes()[field] for field, tower in owned if tower and owner(tower) == seat)

    def rosette_areas(self, view: State, look: Look) -> tuple[Area, ...]:
        """Return the panes of the highest towers: most of the other fields are broken, and dark."""
        towers = sorted(zip(view.board, GRID.fields, strict=True), key=lambda entry: -len(entry[0]))[:ROSETTES]
        (wide, high), middles = _pane_size(), [_middle(field) for tower, field in towers if tower]
        areas = tuple(Area(x - wide / 2, y - high / 2, wide, high) for x, y in middles)
        return areas or super().rosette_areas(view, look)

    def marks(self, view: State, look: Look) -> Iterator[AnyShape]:
        """Return the marks of *look.choices* and *look.chosen*."""
        return choices.marks(self.spots(view, look), look)

    def diagram(self, page: int, look: Look) -> Scene | None:
        """Return the diagram of climbing for its page; the other pages show positions."""
        return _beating() if page == CLIMBING else None

    def emblem(self) -> Sprite:
        """Return the mark of the game in the size of its name."""
        return stones.bang(21)

    def banner(self) -> tuple[Sprite, ...]:
        """Return one stone of each symbol."""
        return tuple(
            magnified(stones.whole(seat, GAME.colours[seat], kind), LARGE) for seat, kind in enumerate(SYMBOLS)
        )

    def sprites(self) -> Iterator[Sprite]:
        """Yield the stones of the usual colours, and all fields with a single one."""
        hues, thick = GAME.colours, {high for count in range(1, len(GRID.fields)) for high in stones.slabs(count)}
        for seat, hue in enumerate(hues):
            yield from (stones.slab(seat, hue, high, spent=spent) for high in thick for spent in (False, True))
            for kind in SYMBOLS:
                yield from (_tile(_pane(corner, hue), f"{seat}{kind}", hues, None, None) for corner in ("a1", "f1"))
            wide, high = _grid().cell
            for across, up in product((-1, 0, 1), repeat=2):
                if across or up:
                    yield from (
                        stones.arrow((across * wide, up * high), hue, strong=strong) for strong in (True, False)
                    )


DRAWER = Kabooom()
