"""Colorio's board: 25 round fields, each covered by a steel cap or open with coloured glass.

Right of it are the seats; the one whose turn it is has a large plate with three boxes for its caps. Below it are the
counts of open fields by colour, which show the danger. Page: section 11.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby, pairwise
from types import MappingProxyType

from msgspec import Struct

from renderers.contract import Drawer
from renderers.frame import GAP, MARGIN, WIDTH, Frame, seat_colour
from renderers.games.colorio import caps, diagrams, pieces, seats, tiles, trails, words
from renderers.games.colorio.mark import sign
from renderers.layout import Area, Grid
from renderers.look import Look
from renderers.outlines import Outline, box
from renderers.scene import AnyShape, Box, Point, Polygon, Scene, Sprite, Stamp, Text, magnified
from rules.games.colorio.actions import Cover, Remove, TurnAction, Uncover
from rules.games.colorio.board import EACH, GRID, Cap, Colour, Side
from rules.games.colorio.position import ACTIONS_PER_TURN, Phase
from rules.games.colorio.state import COVER, UNCOVER, State

HUES = ("violet", "teal", "pink", "white", "black")
"""The seats' hues: none of the five colours of the fields."""
PANEL = 250
LARGE = 1.65
"""The scale of caps and glass in a lobby."""
LABEL = 30
EDGE = 21
TALLY = 92
BAND = 3, 9, 17
"""The outer end, the bend and the inner end of the board's coloured edge, from outside."""
SLIVERS = 6
"""Number of slivers of glass along each side of the edge."""
HEIGHT = 842


@cache
def _areas() -> tuple[Area, Area, Area]:
    """Return the areas of the board with its edge, of the tally, and of the panel."""
    left = WIDTH - MARGIN - PANEL
    width = left - GAP - MARGIN
    tally = Area(MARGIN, HEIGHT - MARGIN - TALLY, width, TALLY)
    board = Area(MARGIN + LABEL, MARGIN + LABEL, width - 2 * LABEL, tally.y - GAP - 2 * LABEL - MARGIN)
    return board, tally, Area(left, MARGIN, PANEL, HEIGHT - 2 * MARGIN)


@cache
def _grid() -> Grid:
    board = _areas()[0]
    return Grid(5, 5, board.inset(EDGE))


@cache
def _side() -> float:
    """Return the side of a field."""
    return _grid().cell[0]


def _cell(field: str) -> tuple[int, int]:
    return GRID.columns.index(field[0]), GRID.rows.index(field[1])


@cache
def middle(field: str) -> Point:
    """Return the middle of *field* in the picture."""
    return _grid().middle(_cell(field))


@cache
def _frame() -> Frame:
    board, _, column = _areas()
    return Frame((WIDTH, HEIGHT), board, column, across=False)


@cache
def _still(side: Side) -> tuple[AnyShape, ...]:
    """Return the shapes below the fields and the counters."""
    (board, tally, _), grid = _areas(), _grid()
    shapes: list[AnyShape] = [
        *_frame().still,
        Box((0, tally.y - GAP / 2), (WIDTH, HEIGHT - tally.y + GAP / 2), "ground"),
        Box((board.x, board.y), (board.width, board.height), "lead", "lead.light", 3, round=18),
    ]
    shapes += _band(board)
    for k, letter in enumerate(GRID.columns):
        x, _ = grid.middle((k, 0))
        ends = (board.y - LABEL / 2 - 2, board.bottom + LABEL / 2 + 1)
        shapes += [Text((x, y), letter, 28, "muted", bold=False, align="middle") for y in ends]
    for k, digit in enumerate(GRID.rows):
        _, y = grid.middle((0, k))
        for x, end, turn in ((board.x, -1, 1), (board.right, 1, -1)):
            shapes.append(Text((x + end * LABEL / 2, y), digit, 28, "muted", bold=False, align="middle"))
            shapes.append(Stamp(pieces.triangle(side, turn), (x - end * (EDGE / 2 + 1), y)))
    return tuple(shapes)


def _band(board: Area) -> Iterator[AnyShape]:
    """Yield slivers of glass in the colours of the fields all around the board, bevelled to its middle."""
    rims = [
        ((a.x, a.y), (a.right, a.y), (a.right, a.bottom), (a.x, a.bottom)) for a in (board.inset(by) for by in BAND)
    ]
    hues = [colour.word for colour in Colour]
    for tone, outer, inner in (("gleam", rims[0], rims[1]), ("light", rims[1], rims[2])):
        for side in range(4):
            after = (side + 1) % 4
            for k in range(SLIVERS):
                ends = k / SLIVERS, (k + 1) / SLIVERS
                outside = (_along(outer[side], outer[after], part) for part in ends)
                inside = (_along(inner[side], inner[after], part) for part in reversed(ends))
                yield Polygon((*outside, *inside), f"{hues[(k + side) % len(hues)]}.pane.{tone}")


def _along(start: Point, end: Point, part: float) -> Point:
    """Return the point at *part* of the way, in whole pixels, so that upright edges stay sharp."""
    return round(start[0] + (end[0] - start[0]) * part), round(start[1] + (end[1] - start[1]) * part)


# --- The board --------------------------------------------------------------------------------------------------------

_TURN_ACTIONS: tuple[TurnAction, ...] = (*UNCOVER, *COVER, Remove())
ACTIONS = {str(action): action for action in _TURN_ACTIONS}
Step = tuple[str, TurnAction | None]
"""The field of a lifted cap, and the decision about the cap; None if there is none yet."""


class Track(Struct, frozen=True):
    """A turn that the board shows: its seat, its decision about each cap, and whether it is the newest."""

    seat: int
    steps: tuple[Step, ...]
    newest: bool


def _steps(actions: tuple[TurnAction, ...]) -> tuple[Step, ...]:
    after = pairwise((*actions, None))
    return tuple((lift.field, decision) for lift, decision in after if isinstance(lift, Uncover))


def _tracks(view: State, look: Look) -> tuple[Track, ...]:
    """Return the recent turns of this round; if *look* does not know them, the last one and the running one."""
    tracks: list[Track] = []
    if look.recent:
        for (seat, is_faint), group in groupby(look.recent, lambda recent: (recent.seat, recent.is_faint)):
            words = [recent.action for recent in group]
            if "deal" in words:
                tracks, words = [], words[words.index("deal") + 1 :]
            actions = tuple(ACTIONS[word] for word in words)
            tracks += [Track(seat, _steps(actions), newest=not is_faint)] if actions else []
        return tuple(tracks)
    if view.last is not None:
        tracks.append(Track(view.last.seat, _steps(view.last.actions), newest=not view.log or view.actor is None))
    if view.log and view.actor is not None:
        tracks.append(Track(view.actor, _steps(view.log), newest=True))
    return tuple(tracks)


def _fields(view: State, tracks: tuple[Track, ...]) -> Iterator[AnyShape]:
    """Yield every field with its cap or glass, and a ring if the running or the last turn touched it."""
    newest = {field: track.newest for track in tracks for field, _ in track.steps}
    finished = view.phase is not Phase.PLAY
    fatal = _fatal(view)
    almost = () if finished else tuple(colour for colour in Colour if view.in_sight(colour) == EACH - 1)
    for field, cap, colour in zip(GRID.fields, view.caps, view.colours, strict=True):
        # Players must remember the colour below a cap: it is visible only if the board remembers it, or after the
        # game.
        hue = colour.word if colour is not None and (finished or cap is not Cap.COVERED) else ""
        mark = tiles.Mark.DUE if field == view.lifted else tiles.Mark.FATAL if field == fatal else None
        danger = cap is Cap.OPEN and colour in almost
        tile = tiles.field(_side(), cap, hue, newest.get(field), mark, finished=finished, danger=danger)
        yield Stamp(tile, middle(field))


def _fatal(view: State) -> str:
    """Return the field that eliminated a seat in the last turn; "" if there is none or the next turn has begun."""
    if view.last is None or len(view.last.actions) == ACTIONS_PER_TURN or view.log:
        return ""
    end = view.last.actions[-1]
    return end.field if isinstance(end, Uncover) else ""


def _trails(view: State, tracks: tuple[Track, ...]) -> Iterator[AnyShape]:
    """Yield arrows from the field of a cap to its target, those of the newest turn strong."""
    for track in tracks:
        for field, decision in track.steps:
            if isinstance(decision, Cover) and decision.field != field:  # a position made by hand may contain anything
                (column, row), (to_column, to_row) = _cell(field), _cell(decision.field)
                onto = view.caps[GRID.number[decision.field]] is not Cap.OPEN and view.phase is Phase.PLAY
                steps = to_column - column, row - to_row
                yield from trails.trail(middle(field), *steps, _side(), newest=track.newest, onto=onto)


def _locks(view: State) -> Iterator[AnyShape]:
    """Yield locks on the caps that cannot be lifted now."""
    moved = {decision.field: field for field, decision in _steps(view.log) if isinstance(decision, Cover)}
    if view.banned and view.last is not None:
        moved[view.banned] = _steps(view.last.actions)[-1][0]
    for target, source in moved.items():
        # The arrow comes through the opposite corner.
        (x, y), (x0, y0) = middle(target), middle(source)
        yield Stamp(pieces.lock(), (x + (33 if x0 <= x else -33), y + (33 if y0 <= y else -33)))


# --- How many are in sight --------------------------------------------------------------------------------------------


@cache
def _counter(place: int) -> Area:
    """Return the area in which the *place*-th colour is counted."""
    area, gap = _areas()[1], 8
    wide = (area.width - 4 * gap) / len(Colour)
    return Area(area.x + place * (wide + gap), area.y, wide, area.height)


def _tally(view: State) -> Iterator[AnyShape]:
    """Yield the number of open fields of each colour: four are a trap, five are complete."""
    for place, colour in enumerate(Colour):
        area = _counter(place)
        yield Stamp(tiles.counter((area.width, area.height), colour.word, view.in_sight(colour)), area.middle)


# --- The running turn -------------------------------------------------------------------------------------------------


def _turn(view: State, plate: Area, ground: str) -> Iterator[AnyShape]:
    """Yield the three caps of the running turn, in the *plate* of its seat, which has *ground*."""
    steps = _steps(view.log)
    for k in range(3):
        at = seats.box_at(plate, k)
        if k < len(steps):
            field, decision = steps[k]
            yield Stamp(tiles.box(field, _became(view, decision), ground, running=True), at)
        else:
            yield Stamp(tiles.empty(ground, owed=_is_owed(view, k, steps)), at)


def _became(view: State, decision: TurnAction | None) -> str:
    """Return the text of a box below the field: another field, or a sign of ``tiles.box``."""
    match decision:
        case Cover(target):
            return target
        case None:
            return "owed" if view.must_remove else "due"
        case _:
            return "away"


def _is_owed(view: State, k: int, steps: tuple[Step, ...]) -> bool:
    """Return whether the *k*-th cap of the running turn must be removed: all in turn 0; the last one if no other
    was."""
    if view.turn == 0:
        return True
    return k == 2 and all(decision is None or isinstance(decision, Cover) for _, decision in steps)


@cache
def _outline(at: Point, size: tuple[float, float]) -> Outline:
    return box((at[0] - size[0] / 2, at[1] - size[1] / 2), size)


class Colorio(Drawer[State]):
    """The drawer of Colorio."""

    sample = "shared"
    hues = HUES
    off_board = MappingProxyType({"deal": "the next round is dealt when the board has been seen"})

    def scene(self, view: State, look: Look) -> Scene:
        """Return the board of *view*. It is the same from all sides."""
        outcome = look.ended or view.outcome
        hues = [seat_colour(look, seat, HUES) for seat in range(view.seats)]
        column, tracks = _areas()[2], _tracks(view, look)
        running = (view.actor,) if view.phase is Phase.PLAY and outcome is None and view.actor is not None else ()
        plates = seats.areas(column, view, look, outcome)
        return Scene(
            _frame().size,
            _still(view.side),
            (
                *_fields(view, tracks),
                *_tally(view),
                *seats.shapes(view, look, hues, column, outcome),
                *(shape for seat in running for shape in _turn(view, plates[seat], seats.ground(hues[seat]))),
                *_trails(view, tracks),
                *_locks(view),
            ),
        )

    def alt_text(self, view: State, look: Look) -> str:
        return words.alt_text(view, look)

    def spots(self, view: State, look: Look) -> Mapping[str, Outline]:
        """Return the fields from which or onto which a cap can go; removing it is the box of the cap in the hand."""
        if view.phase is not Phase.PLAY:
            return {}
        if not view.decides:
            return {str(lift): _outline(middle(lift.field), _grid().cell) for lift in UNCOVER}
        assert view.actor is not None
        plate = seats.areas(_areas()[2], view, look, look.ended or view.outcome)[view.actor]
        hand = seats.box_at(plate, len(view.log) // 2)
        fields = {str(cover): _outline(middle(cover.field), _grid().cell) for cover in COVER}
        return {str(Remove()): _outline(hand, tiles.BOX)} | fields

    def pieces(self, view: State, seat: int, look: Look) -> tuple[Outline]:
        """Return the plate of *seat*: caps belong to no seat."""
        plate = seats.areas(_areas()[2], view, look, look.ended or view.outcome)[seat]
        return (_outline(plate.middle, (plate.width, plate.height)),)

    def diagram(self, page: int, look: Look) -> Scene | None:
        """Return the diagram of the four limits for its page; the other pages show positions."""
        return diagrams.limits(HUES) if page == diagrams.LIMITS else None

    def emblem(self) -> Sprite:
        """Return the mark of the game in the size of its name."""
        return sign(21)

    def banner(self) -> tuple[Sprite, ...]:
        """Return open fields of all colours, and a cap."""
        return tuple(
            magnified(piece, LARGE) for piece in (*(pieces.glass(colour.word) for colour in Colour), caps.cap())
        )

    def sprites(self) -> Iterator[Sprite]:
        """Yield all fields, the counters, and the links and tips of the trails."""
        yield from (pieces.lock(), pieces.fatal(), pieces.away("text"), pieces.away("warn"))
        side, counter = _side(), _counter(0)
        for newest in (None, False, True):
            yield tiles.field(side, Cap.COVERED, "", newest)
            for colour in Colour:
                yield tiles.field(side, Cap.OPEN, colour.word, newest)
                yield tiles.field(side, Cap.SEEN, colour.word, newest)
                yield tiles.field(side, Cap.COVERED, colour.word, newest, finished=True)
        for colour in Colour:
            yield from (tiles.counter((counter.width, counter.height), colour.word, count) for count in range(EACH + 1))
        yield from trails.sprites(len(GRID.columns), len(GRID.rows), side)


DRAWER = Colorio()
