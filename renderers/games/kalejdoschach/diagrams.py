"""The diagrams of the rules: the empty board, the steps of pieces, the nine kinds."""

from collections.abc import Iterator
from itertools import pairwise
from math import atan2, hypot, pi

from msgspec import Struct

from renderers.games.kalejdoschach.gems import HUES, RADIUS, edge, gem, mark, outline
from renderers.games.kalejdoschach.panes import name, still
from renderers.games.kalejdoschach.places import label, seat
from renderers.games.kalejdoschach.window import CENTRE, RADII, SIZE, Window
from renderers.layout import Rings
from renderers.look import Look
from renderers.palette import on
from renderers.scene import TEXT_MIN, AnyShape, Disc, Line, Point, Polygon, Scene, Stamp, Text, moved
from rules.games.kalejdoschach import FIELDS, KINDS, Piece
from rules.games.kalejdoschach.moves import moves
from texts import say

WINDOW = Window()


class Way(Struct, frozen=True):
    """A piece and the fields of its way, with its own first; *reach*: all fields that it can reach are framed."""

    piece: Piece
    fields: tuple[str, ...]
    reach: bool = False
    allowed: bool = True


WAYS = (
    Way(Piece(2, "t"), ("2d", "2e", "3d", "3f"), reach=True),
    Way(Piece(3, "r"), ("6d", "6c", "7b", "7c"), reach=True),
    Way(Piece(0, "w"), ("4j", "4g", "4e", "4c")),
    Way(Piece(1, "e"), ("8j", "8g", "8d"), allowed=False),
)
"""The ways: a walker and a flyer with equal steps, the wizard, who alone crosses several lines, and a forbidden
way."""
BETWEEN = {"2c": Piece(0, "p"), "2g": Piece(1, "h"), "6c": Piece(1, "p"), "6g": Piece(0, "h")}
"""The pieces that block the walker and the flyer."""
BOARD = BETWEEN | {way.fields[0]: way.piece for way in WAYS}

GATE = 420.0
"""Length of the bright piece of a crossed circle line."""
GOAL = 9.0
CROSS = 15.0
STEP = 15.0


def diagram(page: int, look: Look) -> Scene | None:
    """Return the scene for a page of the rules."""
    match page:
        case 1:
            return Scene(SIZE, still(WINDOW, look.theme), ())
        case 2:
            return Scene(SIZE, still(WINDOW, look.theme), (*_ways(), *_names(), *_stones(), *_reached(), *_steps()))
        case 3:
            return Scene((SIZE[0], 5 * ROW + 2 * MARGIN), (), tuple(_kinds(look.lang)))
    return None


def _stones() -> Iterator[AnyShape]:
    for field, piece in BOARD.items():
        yield Stamp(gem(mark(piece.seat), HUES[piece.seat], piece.kind), seat(WINDOW, field))


def _reached() -> Iterator[AnyShape]:
    """Yield a small mark of the seat on every field that the walker or the flyer may reach, beside pieces to
    capture."""
    board = tuple(BOARD.get(field) for field in FIELDS)
    for way in WAYS:
        number = way.piece.seat
        for move in moves(board, number, None) if way.reach else ():
            x, y = seat(WINDOW, move.target)
            if move.target in BOARD:
                x, y = x - RADIUS, y - RADIUS + 6
            yield Polygon(moved(outline(mark(number), GOAL), (x, y)), HUES[number], edge(HUES[number]), 2.5)


def _ways() -> Iterator[AnyShape]:
    """Yield every way, and bright pieces of the circle lines that it crosses; a cross at a forbidden line."""
    for way in WAYS:
        hue = HUES[way.piece.seat]
        places = [seat(WINDOW, field) for field in way.fields]
        yield from (Line(tuple(places), edge(hue), 9), Line(tuple(places), hue, 5))
        gates = [
            (start, stop, RADII[max(FIELDS[one].ring, FIELDS[other].ring)])
            for (one, start), (other, stop) in pairwise(zip(way.fields, places, strict=True))
            if FIELDS[one].ring != FIELDS[other].ring
        ]
        for gate in gates:
            yield from _gate(*gate)
        if not way.allowed:
            x, y = _crossed(*gates[-1])
            for pen, wide in (("ink", 10), ("warn", 6)):
                yield Line(((x - CROSS, y - CROSS), (x + CROSS, y + CROSS)), pen, wide)
                yield Line(((x + CROSS, y - CROSS), (x - CROSS, y + CROSS)), pen, wide)


def _names() -> Iterator[AnyShape]:
    """Yield the names of all fields again, over the ways."""
    return (name(field, label(WINDOW, field)) for field in FIELDS)


def _steps() -> Iterator[AnyShape]:
    """Yield the steps of every way, numbered."""
    for way in WAYS:
        hue = HUES[way.piece.seat]
        for k, field in enumerate(way.fields[1:], 1):
            x, y = seat(WINDOW, field)
            if field in BOARD:
                x, y = x + RADIUS + 2, y - 8
            yield Disc((x, y), STEP, hue, edge(hue), 2.5)
            yield Text((x, y), str(k), TEXT_MIN, on(hue), align="middle")


def _crossed(start: Point, stop: Point, radius: float) -> Point:
    """Return the point at which a step crosses a circle line."""
    (x0, y0), (x1, y1) = start, stop
    far, reach = (hypot(x - CENTRE[0], y - CENTRE[1]) for x, y in (start, stop))
    part = (radius - far) / (reach - far)
    return x0 + (x1 - x0) * part, y0 + (y1 - y0) * part


def _gate(start: Point, stop: Point, radius: float) -> Iterator[AnyShape]:
    """Yield the bright piece of the circle line that a step crosses."""
    x, y = _crossed(start, stop, radius)
    angle = atan2(x - CENTRE[0], CENTRE[1] - y) * 180 / pi
    arc = tuple(Rings(CENTRE).place(radius, angle + k * GATE / radius) for k in range(-5, 6))
    yield from (Line(arc, "mark.case", 12), Line(arc, "mark", 7))


ROW = 118
MARGIN = 16
LARGE = 1.7


def _kinds(lang: str) -> Iterator[AnyShape]:
    """Yield every kind as a large piece with its name and its number of steps: flyers left, walkers right."""
    for column, flies in enumerate((True, False)):
        kinds = [letter for letter, kind in KINDS.items() if kind.flies == flies]
        for row, letter in enumerate(kinds):
            x, y = 80 + 490 * column, MARGIN + ROW * (row + 0.5)
            yield Stamp(gem(mark(column), HUES[column], letter, LARGE), (x, y))
            yield Text((x + 84, y), say("kalejdoschach", f"part.{KINDS[letter].name}", lang), 34, bold=False)
            yield Text((x + 380, y), str(KINDS[letter].steps), 34, "muted", align="right")
