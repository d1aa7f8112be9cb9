"""Colorio's board: 25 round fields, each under a cap of steel or open with coloured glass.

Right of it the seats, the turn before and the running turn, three boxes each; below it how many fields of each colour
are open, which is what everybody is afraid of. Page: section 11.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from msgspec import Struct

from renderers.contract import Drawer
from renderers.frame import GAP, MARGIN, WIDTH, Frame, Plate, leading, panel, places, seat_colour
from renderers.games.colorio import caps, diagrams, pieces, tiles, trails, words
from renderers.games.colorio.mark import sign
from renderers.layout import Area, Grid
from renderers.look import Look
from renderers.outlines import Outline, box
from renderers.scene import AnyShape, Box, Point, Polygon, Scene, Sprite, Stamp, Text, magnified
from rules.contract import Outcome
from rules.games.colorio.actions import Cover, Remove, TurnAction, Uncover
from rules.games.colorio.board import EACH, GRID, Cap, Colour, Side
from rules.games.colorio.position import ACTIONS_PER_TURN, Phase, Scoring
from rules.games.colorio.state import COVER, UNCOVER, State

HUES = ("violet", "teal", "pink", "white", "black")
"""The seats' hues: none of the five colours of the fields."""
PANEL = 250
LARGE = 1.65
"""How large a lobby shows caps and glass."""
LABEL = 30
EDGE = 21
TALLY = 92
PLATE = 150
ROUND = 40
BAND = 3, 9, 17
"""Where the coloured edge of the board begins, bends and ends, from outside."""
MARK = 42
SLIVERS = 6
"""Of glass along each side of it."""
RANK = 22.0
"""From the left edge of a plate to the middle of its seat's place."""
BEFORE = 18.0
"""By so much the mark of a seat makes room for it."""
INSIDE = 8
"""From the lower edge of a plate to the boxes of a turn."""
HEIGHT = 842


@cache
def _areas() -> tuple[Area, Area, Area]:
    """Of the board with its edge, of the tally, and of the panel."""
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
    """Of a field."""
    return _grid().cell[0]


def _cell(field: str) -> tuple[int, int]:
    return GRID.columns.index(field[0]), GRID.rows.index(field[1])


@cache
def middle(field: str) -> Point:
    """Where *field* is in the picture."""
    return _grid().middle(_cell(field))


def _frame_of(view: State) -> Frame:
    return _frame(view.seats, rounds=view.options.scoring is Scoring.ROUNDS)


@cache
def _frame(seats: int, *, rounds: bool) -> Frame:
    board, _, column = _areas()
    room = column.height - (ROUND if rounds else 0)
    high = min(room, seats * (PLATE + GAP) - GAP)
    return Frame((WIDTH, HEIGHT), board, Area(column.x, column.y, column.width, high), across=False)


@cache
def _still(side: Side) -> tuple[AnyShape, ...]:
    """All but the fields and the counters, which are laid on it in every picture."""
    (board, tally, _), grid = _areas(), _grid()
    shapes: list[AnyShape] = [
        *_frame(2, rounds=False).still,
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
    """Slivers of glass in the colours of the fields all round the board, bevelled to its middle."""
    rims = [
        ((a.x, a.y), (a.right, a.y), (a.right, a.bottom), (a.x, a.bottom)) for a in (board.inset(by) for by in BAND)
    ]
    hues = [colour.word for colour in Colour]
    for tone, outer, inner in (("gleam", rims[0], rims[1]), ("light", rims[1], rims[2])):
        for side in range(4):
            after = (side + 1) % 4
            for k in range(SLIVERS):
                ends = k / SLIVERS, (k + 1) / SLIVERS
                there = (_along(outer[side], outer[after], part) for part in ends)
                back = (_along(inner[side], inner[after], part) for part in reversed(ends))
                yield Polygon((*there, *back), f"{hues[(k + side) % len(hues)]}.pane.{tone}")


def _along(start: Point, end: Point, part: float) -> Point:
    """*part* of the way, in whole pixels: upright edges stay sharp."""
    return round(start[0] + (end[0] - start[0]) * part), round(start[1] + (end[1] - start[1]) * part)


# --- The board --------------------------------------------------------------------------------------------------------

Step = tuple[str, TurnAction | None]
"""The field from which a cap was lifted, and what became of it; None where that is not known."""


class Track(Struct, frozen=True):
    """A turn that the board shows: whose it is, what it did with each cap, and whether it is the newest."""

    seat: int
    steps: tuple[Step, ...]
    newest: bool


def _steps(actions: tuple[TurnAction, ...]) -> tuple[Step, ...]:
    after = pairwise((*actions, None))
    return tuple((lift.field, decision) for lift, decision in after if isinstance(lift, Uncover))


def _tracks(view: State) -> tuple[Track, ...]:
    """The turn before and the running one, as far as there are any."""
    tracks: list[Track] = []
    if view.last is not None:
        tracks.append(Track(view.last.seat, _steps(view.last.actions), newest=not view.log or view.actor is None))
    if view.log and view.actor is not None:
        tracks.append(Track(view.actor, _steps(view.log), newest=True))
    return tuple(tracks)


def _fields(view: State, tracks: tuple[Track, ...]) -> Iterator[AnyShape]:
    """Every field with what lies on it, and with a ring where the running turn or the one before touched it."""
    newest = {field: track.newest for track in tracks for field, _ in track.steps}
    finished = view.phase is not Phase.PLAY
    fatal = _fatal(view)
    for field, cap, colour in zip(GRID.fields, view.caps, view.colours, strict=True):
        # What lies below a cap is to be remembered: it is shown only where the board does that, and when all is over.
        hue = colour.word if colour is not None and (finished or cap is not Cap.COVERED) else ""
        mark = tiles.Mark.DUE if field == view.lifted else tiles.Mark.FATAL if field == fatal else None
        danger = cap is Cap.OPEN and not finished and colour is not None and view.in_sight(colour) == EACH - 1
        tile = tiles.field(_side(), cap, hue, newest.get(field), mark, finished=finished, danger=danger)
        yield Stamp(tile, middle(field))


def _fatal(view: State) -> str:
    """The field that put somebody out in the turn before, "" where none did or the next turn has begun."""
    if view.last is None or len(view.last.actions) == ACTIONS_PER_TURN or view.log:
        return ""
    end = view.last.actions[-1]
    return end.field if isinstance(end, Uncover) else ""


def _trails(view: State, tracks: tuple[Track, ...]) -> Iterator[AnyShape]:
    """From where a cap came to where it lies, those of the newest turn strong."""
    for track in tracks:
        for field, decision in track.steps:
            if isinstance(decision, Cover) and decision.field != field:  # a position by hand may say anything
                (column, row), (to_column, to_row) = _cell(field), _cell(decision.field)
                onto = view.caps[GRID.number[decision.field]] is not Cap.OPEN and view.phase is Phase.PLAY
                steps = to_column - column, row - to_row
                yield from trails.trail(middle(field), *steps, _side(), newest=track.newest, onto=onto)


def _locks(view: State) -> Iterator[AnyShape]:
    """The caps that cannot be lifted now."""
    moved = {decision.field: field for field, decision in _steps(view.log) if isinstance(decision, Cover)}
    if view.banned and view.last is not None:
        moved[view.banned] = _steps(view.last.actions)[-1][0]
    for target, source in moved.items():
        # In the corner that the arrow does not come through.
        (x, y), (x0, y0) = middle(target), middle(source)
        yield Stamp(pieces.lock(), (x + (33 if x0 <= x else -33), y + (33 if y0 <= y else -33)))


# --- How many are in sight --------------------------------------------------------------------------------------------


@cache
def _counter(place: int) -> Area:
    """Where the *place*-th colour is counted."""
    area, gap = _areas()[1], 8
    wide = (area.width - 4 * gap) / len(Colour)
    return Area(area.x + place * (wide + gap), area.y, wide, area.height)


def _tally(view: State) -> Iterator[AnyShape]:
    """How many fields of each colour are open: four are a trap, five are complete."""
    for place, colour in enumerate(Colour):
        area = _counter(place)
        yield Stamp(tiles.counter((area.width, area.height), colour.word, view.in_sight(colour)), area.middle)


# --- The seats and their turns ----------------------------------------------------------------------------------------


def _plate(view: State, seat: int, hue: str, outcome: Outcome | None) -> Plate:
    """A seat, with points where there are several rounds, and room for what its turn does with the three caps."""
    points = outcome.scores if outcome is not None else view.standing()
    in_rounds = view.standing() is not None
    return Plate(
        seat,
        hue,
        points=str(points[seat]) if points is not None and in_rounds else "",
        up=view.actor == seat and outcome is None,
        out=seat in view.out and not (in_rounds and outcome is not None),
        won=outcome is not None and seat in outcome.winners,
        leads=in_rounds and seat in leading(points),
        before=BEFORE if _place(view, seat, outcome) else 0,
        room=tiles.BOX[1] + INSIDE,
    )


def _place(view: State, seat: int, outcome: Outcome | None) -> int | None:
    """The place of a seat in this round, if it has one; at the end of several rounds the points alone count, and the
    crown tells who is first."""
    if outcome is not None and (view.standing() is not None or seat in outcome.winners):
        return None
    if seat in view.out:
        return view.seats - view.out.index(seat)
    return None if view.phase is Phase.PLAY else 1


def _ranks(view: State, frame: Frame, outcome: Outcome | None) -> Iterator[AnyShape]:
    """The places, each before the mark of its seat as in a table of results: two numbers, so neither on the other."""
    for seat, area in enumerate(places(frame, view.seats)):
        place = _place(view, seat, outcome)
        if place is not None:
            yield Stamp(pieces.place(place), (area.x + RANK, area.y + (area.height - tiles.BOX[1] - INSIDE) / 2))


def _round(view: State, frame: Frame) -> Iterator[AnyShape]:
    if view.options.scoring is Scoring.ROUNDS:
        x, _ = frame.panel.middle
        rounds = view.options.scoring.rounds(view.seats)
        yield Stamp(tiles.round_of(view.round + 1, rounds), (x, frame.panel.bottom + ROUND / 2 + 2))


def _mark(frame: Frame) -> Iterator[AnyShape]:
    """The mark of the game, where the seats leave room."""
    column = _areas()[2]
    if column.bottom - frame.panel.bottom > 2.6 * MARK:
        yield Stamp(sign(MARK, "ground"), (column.middle[0], column.bottom - MARK - 3))


def _turns(view: State, tracks: tuple[Track, ...], frame: Frame) -> Iterator[AnyShape]:
    """What became of the three caps, in the plates of those whose turns they were: the one before, the running one."""
    running = view.actor if view.phase is Phase.PLAY else None
    if running is not None and not view.log:
        tracks = (*tracks, Track(running, (), newest=True))
    for track in tracks:
        for k in range(3):
            at = _box_at(places(frame, view.seats)[track.seat], k)
            if k < len(track.steps):
                field, decision = track.steps[k]
                became = _became(view, decision, running=track.seat == running)
                yield Stamp(tiles.box(field, became, running=track.seat == running), at)
            elif track.seat == running:
                yield Stamp(tiles.empty(owed=_is_owed(view, k, track.steps)), at)


def _box_at(plate: Area, k: int) -> Point:
    """The middle of the *k*-th box of a turn in the *plate* of its seat."""
    wide, high = tiles.BOX
    return plate.middle[0] + (k - 1) * (wide + 6), plate.bottom - INSIDE - high / 2


def _became(view: State, decision: TurnAction | None, *, running: bool) -> str:
    """What a box tells below the field: another field, or a sign of ``tiles.box``."""
    match decision:
        case Cover(target):
            return target
        case None if running:
            return "owed" if view.must_remove else "due"
        case None:
            return "fatal"
        case _:
            return "away"


def _is_owed(view: State, k: int, steps: tuple[Step, ...]) -> bool:
    """Whether the *k*-th cap of the running turn can only be taken away: all in turn 0, the last one if none is."""
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
        """The board of *view*; everybody sees the same, and nobody has a side of it."""
        outcome = look.ended or view.outcome
        hues = [seat_colour(look, seat, HUES) for seat in range(view.seats)]
        frame = _frame_of(view)
        tracks = _tracks(view)
        return Scene(
            frame.size,
            _still(view.side),
            (
                *_fields(view, tracks),
                *_tally(view),
                *panel(frame, look, [_plate(view, seat, hues[seat], outcome) for seat in range(view.seats)]),
                *_round(view, frame),
                *_mark(frame),
                *_turns(view, tracks, frame),
                *_ranks(view, frame, outcome),
                *_trails(view, tracks),
                *_locks(view),
            ),
        )

    def alt_text(self, view: State, look: Look) -> str:
        return words.alt_text(view, look)

    def spots(self, view: State, look: Look) -> Mapping[str, Outline]:
        """Where the next choice lies: the fields, to lift a cap from or to put it onto; to take it away, the box of the
        cap that is in the hand."""
        if view.phase is not Phase.PLAY:
            return {}
        if not view.decides:
            return {str(lift): _outline(middle(lift.field), _grid().cell) for lift in UNCOVER}
        assert view.actor is not None
        hand = _box_at(places(_frame_of(view), view.seats)[view.actor], len(view.log) // 2)
        fields = {str(cover): _outline(middle(cover.field), _grid().cell) for cover in COVER}
        return {str(Remove()): _outline(hand, tiles.BOX)} | fields

    def diagram(self, page: int, look: Look) -> Scene | None:
        """The page about the four limits shows each of them; the others show positions."""
        return diagrams.limits(HUES) if page == diagrams.LIMITS else None

    def emblem(self) -> Sprite:
        """The mark of the game, as small as it stands beside its name."""
        return sign(21)

    def banner(self) -> tuple[Sprite, ...]:
        """A cap among fields that lie open."""
        glasses = [magnified(pieces.glass(colour.word), LARGE) for colour in Colour]
        return (*glasses[:2], magnified(caps.cap(), LARGE), *glasses[2:4])

    def sprites(self) -> Iterator[Sprite]:
        """What lies on boards: all fields, the counters, and the links and tips of the trails."""
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
