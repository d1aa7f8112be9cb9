"""Colorio's board: 25 round fields, each under a cap of steel or open with coloured glass.

Right of it the seats, the turn before and the running turn, three boxes each; below it how many fields of each colour
are open, which is what everybody is afraid of. Page: section 11.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from msgspec import Struct

from renderers import Look
from renderers.frame import GAP, MARGIN, WIDTH, Frame, Item, Plate, panel, seat_colour
from renderers.games.colorio import pieces, tiles, trails
from renderers.games.colorio.words import alt_text
from renderers.layout import Area, Grid
from renderers.scene import AnyShape, Box, Point, Scene, Sprite, Stamp, Text
from rules.contract import Outcome
from rules.games.colorio.actions import Cover, TurnAction, Uncover
from rules.games.colorio.board import EACH, GRID, Cap, Colour, Side
from rules.games.colorio.state import TURN, Phase, Scoring, State

HANDED_OUT = ("violet", "teal", "pink", "white", "black")
"""The seats' hues: none of the five colours of the fields."""
PANEL = 250
LABEL = 30
EDGE = 21
TALLY = 92
BLOCK = 112
PLATE = 112
ROUND = 40
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


@cache
def _frame(seats: int, *, rounds: bool) -> Frame:
    board, _, column = _areas()
    room = column.height - 2 * (BLOCK + GAP) - (ROUND if rounds else 0)
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
    for k, letter in enumerate(GRID.columns):
        x, _ = grid.middle((k, 0))
        ends = (board.y - LABEL / 2 - 2, board.bottom + LABEL / 2 + 1)
        shapes += [Text((x, y), letter, 28, "muted", align="middle") for y in ends]
    for k, digit in enumerate(GRID.rows):
        _, y = grid.middle((0, k))
        for x, end, turn in ((board.x, -1, 1), (board.right, 1, -1)):
            shapes.append(Text((x + end * LABEL / 2, y), digit, 28, "muted", align="middle"))
            shapes.append(Stamp(pieces.triangle(side, turn), (x - end * (EDGE / 2 + 1), y)))
    return tuple(shapes)


def scene(view: State, look: Look) -> Scene:
    """The board of *view*; everybody sees the same, and nobody has a side of it."""
    outcome = look.ended or view.outcome
    hues = [seat_colour(look, seat, HANDED_OUT) for seat in range(view.seats)]
    frame = _frame(view.seats, rounds=view.options.scoring is Scoring.ROUNDS)
    tracks = _tracks(view)
    return Scene(
        frame.size,
        _still(view.side),
        (
            *_fields(view, tracks),
            *_tally(view),
            *panel(frame, look, [_plate(view, seat, hues[seat], outcome) for seat in range(view.seats)]),
            *_round(view, frame),
            *_turns(view, tracks, hues),
            *_trails(tracks, hues),
            *_locks(view),
        ),
    )


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
        yield Stamp(tiles.field(_side(), cap, hue, newest.get(field), mark, finished=finished), middle(field))


def _fatal(view: State) -> str:
    """The field that put somebody out in the turn before, "" where none did or the next turn has begun."""
    if view.last is None or len(view.last.actions) == TURN or view.log:
        return ""
    end = view.last.actions[-1]
    return end.field if isinstance(end, Uncover) else ""


def _trails(tracks: tuple[Track, ...], hues: list[str]) -> Iterator[AnyShape]:
    """From where a cap came to where it lies, those of the newest turn strong."""
    for track in tracks:
        for field, decision in track.steps:
            if isinstance(decision, Cover) and decision.field != field:  # a position by hand may say anything
                (column, row), (to_column, to_row) = _cell(field), _cell(decision.field)
                hue = hues[track.seat] if track.newest else ""
                yield from trails.trail(middle(field), to_column - column, row - to_row, _side(), hue)


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
    """A seat with its place in this round, once it has one; at the end of several rounds with its points alone."""
    points = outcome.scores if outcome is not None else view.standing()
    in_rounds = view.standing() is not None
    total = in_rounds and outcome is not None
    told = in_rounds or view.out or view.phase is not Phase.PLAY
    row: tuple[Item, ...] = ()
    if seat in view.out and not total:
        row = (pieces.place(view.seats - view.out.index(seat)),)
    elif view.phase is not Phase.PLAY and not total:
        row = (pieces.place(1),)
    return Plate(
        seat,
        hue,
        points=str(points[seat]) if points is not None and in_rounds else "",
        up=view.actor == seat and outcome is None,
        out=seat in view.out and not total,
        won=outcome is not None and seat in outcome.winners,
        rows=(row,) if told else (),
    )


def _round(view: State, frame: Frame) -> Iterator[AnyShape]:
    if view.options.scoring is Scoring.ROUNDS:
        x, _ = frame.panel.middle
        rounds = view.options.scoring.rounds(view.seats)
        yield Stamp(tiles.round_of(view.round + 1, rounds), (x, frame.panel.bottom + ROUND / 2 + 2))


def _turns(view: State, tracks: tuple[Track, ...], hues: list[str]) -> Iterator[AnyShape]:
    """The turn before and the running one, three boxes each."""
    column = _areas()[2]
    y = column.bottom - BLOCK
    if view.actor is not None and view.phase is Phase.PLAY:
        area = Area(column.x, y, column.width, BLOCK)
        yield from _boxes(view, Track(view.actor, _steps(view.log), newest=True), hues, area, running=True)
        y -= BLOCK + GAP
    if view.last is not None:
        yield from _boxes(view, tracks[0], hues, Area(column.x, y, column.width, BLOCK), running=False)


def _boxes(view: State, track: Track, hues: list[str], area: Area, *, running: bool) -> Iterator[AnyShape]:
    _, y = area.middle
    yield Stamp(tiles.seat(track.seat, hues[track.seat]), (area.x + 26, y))
    wide, gap = tiles.BOX[0], 6
    for k in range(3):
        at = (area.right - wide / 2 - (2 - k) * (wide + gap), y)
        if k < len(track.steps):
            field, decision = track.steps[k]
            yield Stamp(tiles.box(field, _became(view, decision, running=running), running=running), at)
        elif running:
            yield Stamp(tiles.empty(owed=_is_owed(view, k, track.steps)), at)


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


def sprites() -> Iterator[Sprite]:
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
    for seat, hue in enumerate(HANDED_OUT):
        yield tiles.seat(seat, hue)
    yield from trails.sprites(len(GRID.columns), len(GRID.rows), side, HANDED_OUT)


__all__ = ["alt_text", "scene", "sprites"]
