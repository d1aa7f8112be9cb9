"""The column beside the board: a large plate for the seat whose turn it is, lines for the others, and the title."""

from collections.abc import Iterator
from functools import lru_cache
from math import inf

from msgspec import Struct

from renderers.frame import GAP, badge, crowned, leading, named, seat_look
from renderers.games.colorio import pieces, tiles
from renderers.games.colorio.mark import sign
from renderers.layout import Area
from renderers.lettering import width
from renderers.look import Look, SeatLook
from renderers.scene import TEXT_MIN, AnyShape, Box, Point, Polygon, Sprite, Stamp, Text
from renderers.signs import house
from renderers.title import title
from rules.contract import Outcome
from rules.games.colorio.position import Phase, Scoring
from rules.games.colorio.state import State
from texts import say

GAME = "colorio"

HEAD = 56.0
"""Height of the line with the name, which is the whole plate of a waiting seat."""
TURN = tiles.BOX[1] + 18
"""Height of the caps of a turn below it."""
SECOND = 40.0
"""Height of a second line with crown, rank and points."""
LEFT, RIGHT = 55.0, 10.0
"""Distance of the name from the left edge of a plate, and of the points from the right one."""
RANK, HOUSE = 34.0, 32.0
"""Width of a rank and of the sign of the house, with their gaps."""
CHIP, APART = 7.0, 10.0
"""Margin of the ground of the most points, and the space between points and rank."""
NAME = 27
POINTS = 29
MARK = 18.0
EMBLEM = 58.0


class Seat(Struct, frozen=True):
    """The contents of a plate: *points* and *place* may be missing."""

    number: int
    hue: str
    points: str = ""
    place: int | None = None
    up: bool = False
    leads: bool = False
    out: bool = False
    won: bool = False


def areas(column: Area, view: State, look: Look, outcome: Outcome | None) -> tuple[Area, ...]:
    """Return the areas of the plates in *column*: one line, or more for the seat whose turn it is and for winners.

    Rank and points have a line of their own if they would cut the name.
    """
    plates, y = list[Area](), column.y
    for number in range(view.seats):
        seat, known = _seat(view, number, "", outcome), _known(look, number)
        if seat.up and view.phase is Phase.PLAY:
            high = HEAD + TURN
        else:
            beside = bool(seat.points) or seat.place is not None
            room = _room(seat, known, column.width) if known is not None and beside else inf
            is_cut = known is not None and width(known.name, TEXT_MIN, bold=False) > room
            high = HEAD + (SECOND if seat.won or is_cut else 0)
        plates.append(Area(column.x, y, column.width, high))
        y += high + GAP
    return tuple(plates)


def _known(look: Look, seat: int) -> SeatLook | None:
    return seat_look(look, seat) if seat < len(look.seats) else None


def _room(seat: Seat, look: SeatLook, wide: float) -> float:
    """Return the width of the name on a plate of one line."""
    points = width(seat.points, POINTS) + APART + (2 * CHIP - 1 if seat.leads else 0) if seat.points else 0.0
    return wide - LEFT - RIGHT - points - (RANK if seat.place is not None else 0.0) - (HOUSE if look.house else 0.0)


def ground(hue: str) -> str:
    """Return the ground of the plate of the seat whose turn it is, or of a winner."""
    return f"{hue}.up"


def box_at(plate: Area, k: int) -> Point:
    """Return the middle of the *k*-th box of a turn in the large *plate*."""
    wide, high = tiles.BOX
    return plate.middle[0] + (k - 1) * (wide + 6), plate.bottom - 9 - high / 2


def shapes(view: State, look: Look, hues: list[str], column: Area, outcome: Outcome | None) -> Iterator[AnyShape]:
    """Yield the plates, and the title below them."""
    for seat, area in enumerate(areas(column, view, look, outcome)):
        plate = _plate(_seat(view, seat, hues[seat], outcome), _known(look, seat), area.width, area.height)
        yield Stamp(plate, area.middle)
    rounds = view.options.scoring.rounds(view.seats) if view.options.scoring is Scoring.ROUNDS else 1
    # The plaque of a final board has the number of turns.
    facts = [say(GAME, "picture.turn", look.lang, turn=view.turn + 1)] if outcome is None else []
    if rounds > 1:
        facts.insert(0, say(GAME, "picture.round", look.lang, round=view.round + 1, rounds=rounds))
    below = title(sign(EMBLEM, "ground"), say(GAME, "name", look.lang), tuple(facts), column.width)
    yield Stamp(below, (column.middle[0], column.bottom - below.reach[1]))


def _seat(view: State, seat: int, hue: str, outcome: Outcome | None) -> Seat:
    points = outcome.scores if outcome is not None else view.standing()
    in_rounds = view.standing() is not None
    return Seat(
        seat,
        hue,
        points=str(points[seat]) if points is not None and in_rounds else "",
        place=_place(view, seat, outcome),
        up=view.actor == seat and outcome is None,
        leads=in_rounds and seat in leading(points),
        out=seat in view.out and not (in_rounds and outcome is not None),
        won=outcome is not None and seat in outcome.winners,
    )


def _place(view: State, seat: int, outcome: Outcome | None) -> int | None:
    """Return the rank of a seat in this round, or None; after several rounds the points count, and the crown is
    enough."""
    if outcome is not None and (view.standing() is not None or seat in outcome.winners):
        return None
    if seat in view.out:
        return view.seats - view.out.index(seat)
    return None if view.phase is Phase.PLAY else 1


@lru_cache(256)
def _plate(seat: Seat, look: SeatLook | None, wide: float, high: float) -> Sprite:
    """Return a plate: mark, name, and at the right rank, points and crown; a large one has room for a turn below."""
    left, right, y = -wide / 2, wide / 2, (HEAD - high) / 2
    fill, line, pen = (ground(seat.hue), "text", 4) if seat.up or seat.won else ("panel", "panel.line", 2)
    shapes: list[AnyShape] = [Box((left, -high / 2), (wide, high), fill, line, pen, round=14)]
    ink = "muted" if seat.out else "text"
    if seat.up:
        tip = tuple((left + 4 + dx, y + dy) for dx, dy in ((0, -10), (11, 0), (0, 10)))
        shapes.append(Polygon(tip, ink, ink))
    shapes.append(Stamp(badge(seat.number, seat.hue, MARK, seat.out), (left + 30, y)))
    end, row = right - RIGHT, y
    if is_tall := high == HEAD + SECOND:
        row = y + SECOND - 2
    if seat.won:
        shapes.append(Stamp(crowned(), (left + 30, row)))
    if seat.points:
        figure, tone, at, around = width(seat.points, POINTS), ink, end, 0.0
        if seat.leads or seat.won:
            tone, at, around = "panel", end - CHIP + 1, CHIP
            shapes.append(Box((at - figure - CHIP, row - 17), (figure + 2 * CHIP, 34), ink, round=9))
        shapes.append(Text((at, row), seat.points, POINTS, tone, align="right"))
        end = at - figure - around - APART
    if seat.place is not None:
        shapes.append(Stamp(pieces.place(seat.place), (end - 16, row)))
        end -= RANK
    if is_tall:
        end = right - RIGHT
    if look is not None and look.house:
        shapes += house((end - 13, y), 12, ink)
        end -= HOUSE
    common = len(shapes)
    if look is not None:
        start = left + LEFT
        bold = seat.up or seat.won
        shapes += named(look.name, (start, y), end - start, size=NAME, bold=bold, out=seat.out)
    return Sprite(f"plate {seat.number + 1}", (wide / 2, high / 2), tuple(shapes), "ground", common=common)
