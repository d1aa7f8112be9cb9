"""Crystalla's table: the stacks and the walk over them, everybody's display, the open pieces, the points.

The display of whoever is to act is large; in a private view one's own. Page: section 10.
"""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from renderers import Look
from renderers.frame import MARGIN, WIDTH, seat_colour, seat_look
from renderers.games.crystalla import displays, gems, sheet, stacks, tray
from renderers.games.crystalla.displays import BIG, MEDIUM, SMALL, Signs
from renderers.games.crystalla.words import alt_text
from renderers.layout import Area
from renderers.scene import AnyShape, Scene, Sprite
from rules.contract import Outcome
from rules.games.crystalla import CARDS, COLOURS, CORNERS, CRYSTALS, Drop, Give, Phase, State, Take, Turn, cells_for
from rules.games.crystalla import sheet as points_of

HUES = ("orange", "white", "pink", "black")
GAP = 8
KILOBYTES = 90
"""Four displays of two-coloured cards are more than other boards show."""
STRIP = 84
"""Width of the pieces where they lie beside the stacks."""


class Layout(Struct, frozen=True):
    """Where everything lies for one number of seats. *displays*: the large one, then the others, with their sizes.

    *left*: beside the large display, for stacks, hands or the score sheet. A finished game shows no hand, no pieces
    and no table.
    """

    size: tuple[int, int]
    displays: tuple[tuple[Area, int], ...]
    left: Area
    stacks: Area
    hand: Area | None = None
    pieces: Area | None = None
    table: Area | None = None


INNER = WIDTH - 2 * MARGIN
_SMALL = displays.box(SMALL)


def _right(size: int) -> Area:
    """The large display in the upper right corner."""
    wide, high = displays.box(size)
    return Area(WIDTH - MARGIN - wide, MARGIN, wide, high)


def _row(count: int, y: float, columns: int) -> tuple[tuple[Area, int], ...]:
    """So many small displays side by side, where *columns* would have room."""
    pitch = _SMALL[0] + (INNER - columns * _SMALL[0]) / (columns - 1)
    return tuple((Area(MARGIN + k * pitch, y, *_SMALL), SMALL) for k in range(count))


@cache
def playing(seats: int) -> Layout:
    """The stacks at the upper left, the large display right of them, the small ones and the table below.

    With two seats the hand lies under the stacks, the pieces under the table. With more the hand lies beside the table;
    the pieces beside two small displays or, with four seats, in a strip beside the stacks.
    """
    big, size = (_right(MEDIUM), MEDIUM) if seats == 4 else (_right(BIG), BIG)
    left = Area(MARGIN, MARGIN, big.x - GAP - MARGIN, big.height)
    y = big.bottom + GAP
    beside = Area(MARGIN + _SMALL[0] + GAP, y, INNER - _SMALL[0] - GAP, sheet.high(seats))
    match seats:
        case 2:
            walk = Area(left.x, left.y, left.width, 2 * stacks.HIGH + stacks.GAP)
            hand = Area(left.x, walk.bottom + GAP, left.width, left.bottom - walk.bottom - GAP)
            small, table = _row(1, y, 3), beside
            pieces = Area(table.x, table.bottom + GAP, table.width, _SMALL[1] - table.height - GAP)
            bottom = y + _SMALL[1]
        case 3:
            walk = left
            hand, table = Area(MARGIN, y, _SMALL[0], beside.height), beside
            small = _row(2, table.bottom + GAP, 3)
            last = small[-1][0]
            pieces = Area(last.right + GAP, last.y, WIDTH - MARGIN - last.right - GAP, _SMALL[1])
            bottom = pieces.bottom
        case _:
            pieces = Area(left.right - STRIP, left.y, STRIP, left.height)
            walk = Area(left.x, left.y, left.width - STRIP - GAP, left.height)
            small = _row(3, y, 3)
            table = Area(beside.x, y + _SMALL[1] + GAP, beside.width, beside.height)
            hand = Area(MARGIN, table.y, _SMALL[0], table.height)
            bottom = table.bottom
    return Layout((WIDTH, round(bottom + MARGIN)), ((big, size), *small), left, walk, hand, pieces, table)


@cache
def finished(seats: int) -> Layout:
    """The score sheet with the displays: with two seats both are large and the sheet lies under them."""
    big = _right(BIG)
    left = Area(MARGIN, MARGIN, big.x - GAP - MARGIN, big.height)
    y = big.bottom + GAP
    if seats == 2:
        below = Area(MARGIN, y, INNER, sheet.SHEET)
        first = Area(MARGIN, MARGIN, big.width, big.height)
        return Layout((WIDTH, round(below.bottom + MARGIN)), ((first, BIG), (big, BIG)), below, below)
    if seats == 3:
        wide, high = displays.box(MEDIUM)
        pitch = wide + (INNER - 2 * wide) / 3
        others = tuple((Area(MARGIN + pitch - wide + k * pitch, y, wide, high), MEDIUM) for k in range(2))
    else:
        others = _row(3, y, 3)
    table = Area(MARGIN, others[0][0].bottom + GAP, INNER, sheet.KEY + 6)
    return Layout((WIDTH, round(table.bottom + MARGIN)), ((big, BIG), *others), left, left, table=table)


@cache
def _still(there: Layout) -> tuple[AnyShape, ...]:
    shapes: list[AnyShape] = []
    for area, size in there.displays:
        shapes += displays.board(area, size)
    if there.table is not None:
        shapes += sheet.key(there.table)
    return tuple(shapes)


def scene(view: State, look: Look) -> Scene:
    """The table of *view*: everybody sees the same, but in a private view the own display is the large one."""
    outcome = look.ended or view.outcome
    there = playing(view.seats) if outcome is None else finished(view.seats)
    hues = tuple(seat_colour(look, seat, HUES) for seat in range(view.seats))
    table = points_of(view)
    shapes: list[AnyShape] = []
    for seat, (area, size) in zip(_order(view, look, outcome), there.displays, strict=True):
        told = displays.head_of(
            seat,
            hues[seat],
            seat_look(look, seat) if seat < len(look.seats) else None,
            view.displays[seat],
            table[seat]["total"],
            up=view.actor == seat and outcome is None,
            won=outcome is not None and seat in outcome.winners,
        )
        shapes.append(displays.head(area, size, told))
        shapes += displays.cells(area, size, view.displays[seat], _signs(view, seat, outcome))
    if outcome is not None:
        shapes += sheet.score_sheet(there.left, hues, view.displays, table, outcome.winners)
    elif view.phase in (Phase.SWAP, Phase.PLACE):
        shapes += tray.hands(view, there.stacks, hues)
    else:
        walk, fallen, seat = _walk(view)
        shapes += stacks.shapes(view, there.stacks, hues[seat], walk, fallen)
    if there.hand is not None and there.pieces is not None and there.table is not None:
        shapes += sheet.rows(there.table, hues, table, view.actor)
        shapes += tray.hand(view, there.hand, hues)
        shapes += tray.pieces(view, there.pieces)
    return Scene(there.size, _still(there), tuple(shapes), dense=True)


def _order(view: State, look: Look, outcome: Outcome | None) -> list[int]:
    """Who is shown large, then the others in seat order; two large ones at the end of a game of two."""
    if outcome is not None and view.seats == 2:
        return [0, 1]
    if look.side is not None and look.side < view.seats:
        first = look.side
    elif view.actor is not None and outcome is None:
        first = view.actor
    else:
        first = outcome.winners[0] if outcome is not None and outcome.winners else 0
    return [first, *(seat for seat in range(view.seats) if seat != first)]


def _turn(view: State) -> Turn | None:
    """The turn that is shown: the running one or, where it has just begun, the one before."""
    return Turn(view.turn, view.now) if view.now and view.turn is not None else view.last


def _walk(view: State) -> tuple[tuple[int, ...], tuple[str, ...], int]:
    """The walk of the turn that is shown: its stacks, the stones that fell, whose turn; nothing where it was none."""
    turn = _turn(view)
    if turn is None:
        return (), (), 0
    walk = tuple(action.stack for action in turn.actions if isinstance(action, Take | Drop))
    fallen = tuple(action.colour for action in turn.actions if isinstance(action, Drop))
    if len(walk) != len(fallen) + 1 or max(walk) > len(view.stacks):
        return (), (), turn.seat  # a log by hand
    return walk, fallen, turn.seat


def _signs(view: State, seat: int, outcome: Outcome | None) -> Signs:
    """What to point at in a display."""
    laid, covered = "", []
    turn = _turn(view)
    if turn is not None:
        landed = tray.landed(view, turn)
        if landed is not None and turn.seat == seat:
            laid = landed[0]
        gifts = [action for action in turn.actions if isinstance(action, Give)]
        for gift, (piece, cell) in zip(gifts, tray.placed(turn), strict=True):
            if cell and COLOURS.index(gift.colour) == seat:
                covered.append((cell, piece[1]))
    if view.piece is None or view.receiver != seat:
        return Signs(laid, tuple(covered), inviting=outcome is None)
    return Signs(laid, tuple(covered), tuple(cells_for(view.displays[seat], view.piece)), view.piece[1], inviting=True)


def sprites() -> Iterator[Sprite]:
    """Every segment in the sizes in which it occurs, and every card as it lies on a stack."""
    yield from (gems.loose(code, "nw", stacks.CARD) for code in CARDS)
    for size in (BIG, MEDIUM, SMALL, tray.THUMB):
        for corner in CORNERS:
            for shape in "ls":
                yield gems.rim(shape, corner, size)
                for crystal in CRYSTALS:
                    yield gems.segment(crystal, shape, corner, size)


__all__ = ["KILOBYTES", "alt_text", "scene", "sprites"]
