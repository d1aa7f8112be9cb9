"""Colorio's board: 25 round fields, each under a cap of steel or open with coloured glass.

Right of it the seats, the turn before and the running turn, three boxes each; below it how many fields of each colour
are open, which is what everybody is afraid of. Page: section 11.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from renderers import Look
from renderers.frame import GAP, MARGIN, WIDTH, Frame, Item, Plate, badge, panel, seat_colour
from renderers.games.colorio import pieces
from renderers.games.colorio.words import alt_text
from renderers.layout import Area, Grid
from renderers.palette import on
from renderers.scene import AnyShape, Arrow, Box, Disc, Point, Scene, Sprite, Stamp, Text
from rules.contract import Outcome
from rules.games.colorio.board import EACH, GRID, Cap, Colour, Side
from rules.games.colorio.state import TURN, Cover, Phase, Scoring, State, TurnAction, Uncover

HANDED_OUT = ("violet", "teal", "pink", "white", "black")
"""The seats' hues: none of the five colours of the fields."""
PANEL = 250
LABEL = 30
EDGE = 21
TALLY = 92
BLOCK = 112
PLATE = 100
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


def middle(field: str) -> Point:
    """Where *field* is in the picture."""
    return _grid().middle((GRID.columns.index(field[0]), GRID.rows.index(field[1])))


@cache
def _frame(seats: int, *, rounds: bool) -> Frame:
    board, _, column = _areas()
    room = column.height - 2 * (BLOCK + GAP) - (ROUND if rounds else 0)
    high = min(room, seats * (PLATE + GAP) - GAP)
    return Frame((WIDTH, HEIGHT), board, Area(column.x, column.y, column.width, high), across=False)


@cache
def _still(side: Side) -> tuple[AnyShape, ...]:
    board, grid = _areas()[0], _grid()
    shapes: list[AnyShape] = [
        *_frame(2, rounds=False).still,
        Box((board.x, board.y), (board.width, board.height), "lead", "lead.light", 3, round=18),
    ]
    shapes += [Stamp(pieces.well(grid.cell[0]), middle(field)) for field in GRID.fields]
    for k, letter in enumerate(GRID.columns):
        x, _ = grid.middle((k, 0))
        for y in (board.y - LABEL / 2 - 2, board.bottom + LABEL / 2 + 1):
            shapes.append(Text((x, y), letter, 28, "muted", align="middle"))
    for k, digit in enumerate(GRID.rows):
        _, y = grid.middle((0, k))
        for x, end, turn in ((board.x, -1, 1), (board.right, 1, -1)):
            shapes.append(Text((x + end * LABEL / 2, y), digit, 28, "muted", align="middle"))
            shapes.append(Stamp(pieces.triangle(side, turn), (x - end * (EDGE / 2 + 1), y)))
    return (*shapes, *_counters())


def scene(view: State, look: Look) -> Scene:
    """The board of *view*; everybody sees the same, and nobody has a side of it."""
    outcome = look.ended or view.outcome
    hues = [seat_colour(look, seat, HANDED_OUT) for seat in range(view.seats)]
    frame = _frame(view.seats, rounds=view.options.scoring is Scoring.ROUNDS)
    return Scene(
        frame.size,
        _still(view.side),
        (
            *_fields(view),
            *_tracks(view, hues),
            *_locks(view),
            *_tally(view),
            *panel(frame, look, [_plate(view, seat, hues[seat], outcome) for seat in range(view.seats)]),
            *_round(view, frame),
            *_turns(view, hues),
        ),
    )


# --- The board --------------------------------------------------------------------------------------------------------


def _fields(view: State) -> Iterator[AnyShape]:
    for field, cap, colour in zip(GRID.fields, view.caps, view.colours, strict=True):
        at = middle(field)
        if cap is Cap.OPEN or view.phase is not Phase.PLAY:
            assert colour is not None
            yield Stamp(pieces.open_field(colour.word, _grid().cell[0]), at)
        if cap is Cap.OPEN:
            continue
        # A finished board shows what lay under the caps that were left.
        yield Stamp(pieces.cap(), at, 1.0 if view.phase is Phase.PLAY else 0.5)
        if cap is Cap.SEEN and colour is not None and view.phase is Phase.PLAY:
            yield Stamp(pieces.seen(colour.word), at)


def _caps(actions: Iterable[TurnAction]) -> list[tuple[str, TurnAction | None]]:
    """Each cap of a turn: the field from which it was lifted, and what became of it; None where that is not known."""
    steps: list[TurnAction | None] = [*actions, None]
    return [(step.field, decision) for step, decision in pairwise(steps) if isinstance(step, Uncover)]


def _tracks(view: State, hues: list[str]) -> Iterator[AnyShape]:
    """What the running turn and the one before did; the newer strong. Then the field that is to be decided on."""
    turns: list[tuple[int, tuple[TurnAction, ...]]] = []
    if view.last is not None:
        turns.append((view.last.seat, view.last.actions))
    if view.log and view.actor is not None:
        turns.append((view.actor, view.log))
    for place, (seat, actions) in enumerate(turns):
        strong = place == len(turns) - 1
        caps = _caps(actions)
        for field, _ in caps:
            yield Disc(middle(field), 58, "", "accent", 6 if strong else 2)
        for field, decision in caps:
            if isinstance(decision, Cover) and decision.field != field:  # a position by hand may say anything
                ends = middle(field), middle(decision.field)
                others = tuple(middle(other) for other in GRID.fields if other not in (field, decision.field))
                yield pieces.path(*ends, others, hues[seat], strong=strong)
    if view.lifted:
        x, y = middle(view.lifted)
        half = _grid().cell[0] / 2
        yield Box((x - half, y - half), (2 * half, 2 * half), "", "text", 7, round=16)


def _locks(view: State) -> Iterator[AnyShape]:
    """The caps that cannot be lifted now, and the field that put somebody out."""
    moved = {decision.field: field for field, decision in _caps(view.log) if isinstance(decision, Cover)}
    if view.banned and view.last is not None:
        moved[view.banned] = _caps(view.last.actions)[-1][0]
    for target, source in moved.items():
        # In the corner that the arrow does not come through.
        (x, y), (x0, y0) = middle(target), middle(source)
        yield Stamp(pieces.lock(), (x + (33 if x0 <= x else -33), y + (33 if y0 <= y else -33)))
    if view.last is not None and len(view.last.actions) < TURN and not view.log:
        end = view.last.actions[-1]
        if isinstance(end, Uncover):
            x, y = middle(end.field)
            yield Stamp(pieces.fatal(), (x + 35, y - 35))


# --- How many are in sight --------------------------------------------------------------------------------------------


def _counter(place: int) -> Area:
    """Where the *place*-th colour is counted."""
    area, gap = _areas()[1], 8
    wide = (area.width - 4 * gap) / len(Colour)
    return Area(area.x + place * (wide + gap), area.y, wide, area.height)


def _pip(area: Area, pip: int) -> Point:
    return area.middle[0] + (pip - 2) * 23, area.y + 76


def _counters() -> Iterator[AnyShape]:
    """The counters while nothing is in sight."""
    for place, colour in enumerate(Colour):
        area = _counter(place)
        yield Box((area.x, area.y), (area.width, area.height), "panel", "panel.line", 2, round=14)
        yield Stamp(pieces.medal(colour.word), (area.x + 42, area.y + 36))
        for pip in range(EACH):
            yield Disc(_pip(area, pip), 8, "panel.line")


def _tally(view: State) -> Iterator[AnyShape]:
    """How many fields of each colour are open: four are a trap, five are complete."""
    for place, colour in enumerate(Colour):
        hue, count, area = colour.word, view.in_sight(colour), _counter(place)
        at, size = (area.x, area.y), (area.width, area.height)
        pen, pips = "text", hue
        if count == EACH:
            pen = pips = on(hue)
            yield Box(at, size, hue, "text", 6, round=14)
            yield Stamp(pieces.medal(hue), (area.x + 42, area.y + 36))
        elif count == EACH - 1:
            pen = "warn"
            yield Box(at, size, "", "warn", 6, round=14)
        yield Text((area.right - 42, area.y + 36), str(count), 44, pen, align="middle")
        for pip in range(count):
            yield Disc(_pip(area, pip), 8, pips)


# --- The seats and their turns ----------------------------------------------------------------------------------------


def _plate(view: State, seat: int, hue: str, outcome: Outcome | None) -> Plate:
    """A seat with its place in this round, once it has one; at the end of several rounds with its points alone."""
    points = outcome.scores if outcome is not None else view.standing()
    in_rounds = view.standing() is not None
    total = in_rounds and outcome is not None
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
        rows=(row,),
    )


def _round(view: State, frame: Frame) -> Iterator[AnyShape]:
    if view.options.scoring is Scoring.ROUNDS:
        x, _ = frame.panel.middle
        rounds = view.options.scoring.rounds(view.seats)
        yield Text((x, frame.panel.bottom + ROUND / 2 + 2), f"↻ {view.round + 1}/{rounds}", 28, "text", align="middle")


def _turns(view: State, hues: list[str]) -> Iterator[AnyShape]:
    """The turn before and the running one, three boxes each."""
    column = _areas()[2]
    y = column.bottom - BLOCK
    if view.actor is not None and view.phase is Phase.PLAY:
        yield from _boxes(view, view.actor, view.log, hues, Area(column.x, y, column.width, BLOCK), running=True)
        y -= BLOCK + GAP
    if view.last is not None:
        area = Area(column.x, y, column.width, BLOCK)
        yield from _boxes(view, view.last.seat, view.last.actions, hues, area, running=False)


def _boxes(
    view: State, seat: int, actions: tuple[TurnAction, ...], hues: list[str], area: Area, *, running: bool
) -> Iterator[AnyShape]:
    yield Stamp(badge(seat, hues[seat]), (area.x + 26, area.y + area.height / 2))
    wide, gap = 62, 6
    caps = _caps(actions)
    left = area.right - 3 * wide - 2 * gap
    for k in range(3):
        x = left + k * (wide + gap)
        middle = x + wide / 2
        if k >= len(caps):
            if running:
                yield Box((x, area.y), (wide, area.height), "ground", "panel.line", 2, round=12)
                if _is_owed(view, k, caps):
                    yield Stamp(pieces.away("warn"), (middle, area.y + area.height / 2))
            continue
        field, decision = caps[k]
        due = running and decision is None
        line = "text" if due else "panel.line"
        yield Box((x, area.y), (wide, area.height), "panel.up" if running else "panel", line, 5 if due else 2, round=12)
        yield Text((middle, area.y + 28), field, 30, align="middle")
        low = (middle, area.y + 79)
        match decision:
            case None if due and view.must_remove:
                yield Stamp(pieces.away("warn"), low)
            case None if due:
                yield Text(low, "?", 40, align="middle")
            case None:
                yield Stamp(pieces.fatal(), low)
            case Cover(target):
                yield Arrow((middle, area.y + 46), (middle, area.y + 65), "text", width=7)
                yield Text((middle, area.y + 85), target, 30, align="middle")
            case _:
                yield Stamp(pieces.away("text"), low)


def _is_owed(view: State, k: int, caps: list[tuple[str, TurnAction | None]]) -> bool:
    """Whether the *k*-th cap of the running turn can only be taken away: all in turn 0, the last one if none is."""
    if view.turn == 0:
        return True
    return k == 2 and all(decision is None or isinstance(decision, Cover) for _, decision in caps)


def sprites() -> Iterator[Sprite]:
    """Everything that lies on a board."""
    yield from (pieces.cap(), pieces.lock(), pieces.fatal(), pieces.away("text"), pieces.away("warn"))
    for colour in Colour:
        yield from (
            pieces.open_field(colour.word, _grid().cell[0]),
            pieces.seen(colour.word),
            pieces.medal(colour.word),
        )
    for seat, hue in enumerate(HANDED_OUT):
        yield badge(seat, hue)


__all__ = ["alt_text", "scene", "sprites"]
