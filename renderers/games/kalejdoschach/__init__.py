"""KalejdoSchach's board: a round window of cut glass, pieces as stones on it, and a corner for every seat.

Page: section 12. For each seat the window is turned by quarters, so that its army is in the place of player 1's.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from math import sqrt
from types import MappingProxyType

from renderers.contract import Drawer
from renderers.frame import seat_colour
from renderers.games.kalejdoschach import choices, diagrams, places, signs, words
from renderers.games.kalejdoschach.emblem import emblem
from renderers.games.kalejdoschach.gems import HUES, gem, halo, mark
from renderers.games.kalejdoschach.panes import held, still
from renderers.games.kalejdoschach.seats import HOME, corners
from renderers.games.kalejdoschach.tags import near, tag
from renderers.games.kalejdoschach.track import TURNS, end, pill, tip, track
from renderers.games.kalejdoschach.window import CENTRE, RADII, SIZE, Window
from renderers.layout import Area
from renderers.look import Look
from renderers.scene import AnyShape, Point, Scene, Sprite, Stamp
from rules.games.kalejdoschach import ALLOWED, CASTLES, FIELDS, KINDS, Piece, State

LEFT = (38, 290)
"""The place of the sign beside the window."""


MOVE = re.compile("[-+]")
"""Between both fields of a move; no other action has it."""
LARGE = 2.5
"""The scale of pieces in a lobby."""


@cache
def _outlines(window: Window) -> Mapping[str, tuple[Point, ...]]:
    return MappingProxyType({field: window.border(field, 0.5) for field in FIELDS})


def _turned(view: State, look: Look) -> int:
    """Return the number of slices by which the window is turned."""
    return 0 if look.side is None else -HOME[view.seats][look.side]


# --- On the window


def _held(view: State, window: Window, hues: tuple[str, ...]) -> Iterator[AnyShape]:
    """Yield castles in the colour of their holders."""
    for castle in CASTLES:
        piece = view.at(castle)
        if piece is not None:
            yield Stamp(held(window, castle, hues[piece.seat]), window.corner(castle))


def _pieces(view: State, look: Look, window: Window, hues: tuple[str, ...]) -> Iterator[AnyShape]:
    ends = _ends(view, look)
    taken = [field for field in FIELDS if view.at(field) is not None]
    for field in taken:
        if field not in ends and field not in CASTLES:  # these names have dark ground
            yield Stamp(tag(field), places.label(window, field))
    for field in taken:
        yield from _piece(view, window, hues, field)
    last = view.last
    if last is not None and last.target in ends and view.at(last.target) is None:  # its seat went out by this move
        yield Stamp(signs.captured(last.kind, 1, newest=True), places.seat(window, last.target))
    yield from (_name(ends, window, name) for name in _near(window, _bright(view, tuple(FIELDS))))


def _bright(view: State, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of *fields* whose pieces have a bright edge."""
    return tuple(field for field in fields if (piece := view.at(field)) is not None and _allowed(view, piece))


def _near(window: Window, bright: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields whose names the bright edges would cover."""
    return tuple(dict.fromkeys(name for field in bright for name in near(window, field)))


def _name(ends: frozenset[str], window: Window, field: str) -> Stamp:
    """Return the name of a field again, to paint over a bright edge."""
    return Stamp(pill(field) if field in ends else tag(field), places.label(window, field))


def _piece(view: State, window: Window, hues: tuple[str, ...], field: str) -> Iterator[AnyShape]:
    piece, at = view.at(field), places.seat(window, field)
    assert piece is not None
    if _allowed(view, piece):
        yield Stamp(halo(mark(piece.seat)), at)
    yield Stamp(gem(mark(piece.seat), hues[piece.seat], piece.kind), at)


def _allowed(view: State, piece: Piece) -> bool:
    """Return whether the die allows a piece to move."""
    return view.die is not None and piece.seat == view.actor and piece.kind in ALLOWED[view.die]


def _recent(view: State, look: Look) -> tuple[tuple[tuple[str, str], bool], ...]:
    """Return both fields of each recent move, and whether it is faint; the faint ones first."""
    if look.recent:
        moves = [(MOVE.split(recent.action), recent.is_faint) for recent in look.recent]
        known = [((move[0], move[-1]), is_faint) for move, is_faint in moves if len(move) > 1]
        return tuple(sorted(known, key=lambda move: not move[1]))
    return () if view.last is None else (((view.last.source, view.last.target), False),)


def _ends(view: State, look: Look) -> frozenset[str]:
    """Return both fields of the new moves."""
    return frozenset(field for ends, is_faint in _recent(view, look) if not is_faint for field in ends)


# --- At the sides


def _sides(view: State) -> Iterator[AnyShape]:
    """Yield the sign at the left: rounds without a capture once they matter, or the reason of a draw."""
    if view.end is not None and len(view.playing) > 1:
        yield Stamp(signs.drawn(view.end), LEFT)
    elif view.quiet_limit is not None and 2 * view.quiet > view.quiet_limit:
        seats = len(view.playing)
        yield Stamp(signs.quiet(view.quiet // seats, view.quiet_limit // seats), LEFT)


class Kalejdoschach(Drawer[State]):
    """The drawer of KalejdoSchach."""

    sample = "three"
    hues = HUES
    is_turned = True
    off_board = MappingProxyType({"draw": "an offer of a draw, or taking it, stands on no field"})

    def scene(self, view: State, look: Look) -> Scene:
        turned = _turned(view, look)
        window = Window(turned)
        hues = tuple(seat_colour(look, seat, HUES) for seat in range(view.seats))
        shapes, taken = [*_held(view, window, hues)], [field for field in FIELDS if view.at(field) is not None]
        for ends, is_faint in _recent(view, look):
            shapes += track(ends, window, is_faint=is_faint, taken=taken)
            if is_faint:  # its tip may cover a name
                shapes += [Stamp(tag(field), places.label(window, field)) for field in ends]
        shapes += [*_pieces(view, look, window, hues), *_sides(view), *corners(view, look, turned, hues)]
        return Scene(SIZE, still(window, look.theme), tuple(shapes), is_dense=True)

    def alt_text(self, view: State, look: Look) -> str:
        return words.alt_text(view, look)

    def spots(self, view: State, look: Look) -> Mapping[str, tuple[Point, ...]]:
        """Return every field with its outline, whose middle is on the field. The words of a draw have no spot."""
        return _outlines(Window(_turned(view, look)))

    def pieces(self, view: State, seat: int, look: Look) -> Iterator[tuple[Point, ...]]:
        """Yield the fields with pieces of *seat*."""
        for field, outline in self.spots(view, look).items():
            piece = view.at(field)
            if piece is not None and piece.seat == seat:
                yield outline

    def rosette_areas(self, view: State, look: Look) -> tuple[Area, ...]:
        """Return the square in the round window."""
        (x, y), half = CENTRE, RADII[-1] * sqrt(0.5)
        return (Area(x - half, y - half, 2 * half, 2 * half),)

    def marks(self, view: State, look: Look) -> Iterator[AnyShape]:
        """Yield the marks of *look.choices* and *look.chosen*; corners and frames are below the piece of their
        field."""
        window = Window(_turned(view, look))
        hues = tuple(seat_colour(look, seat, HUES) for seat in range(view.seats))
        fields, chosen = choices.possible(look), choices.chosen(look)
        taken, framed = ([field for field in some if view.at(field) is not None] for some in (fields, chosen))
        for field in taken:
            yield choices.offered(window, field, taken=True)
            yield from _piece(view, window, hues, field)
        for field in chosen:
            yield choices.framed(window, field)
            if field in framed:
                yield from _piece(view, window, hues, field)
        bright = _bright(view, (*taken, *framed))
        ends = _ends(view, look)
        yield from (_name(ends, window, name) for name in _near(window, bright) if name not in (*taken, *chosen))
        for field in fields:
            yield choices.named(window, field) if field in taken else choices.offered(window, field, taken=False)
        yield from (choices.renamed(window, field) for field in chosen)

    def diagram(self, page: int, look: Look) -> Scene | None:
        return diagrams.diagram(page, look)

    def emblem(self) -> Sprite:
        return emblem()

    def banner(self) -> tuple[Sprite, ...]:
        """Return a piece of each seat."""
        seated = ((1, "e"), (2, "w"), (3, "h"), (0, "d"))
        return tuple(gem(mark(seat), HUES[seat], kind, LARGE) for seat, kind in seated)

    def sprites(self) -> Iterator[Sprite]:
        yield emblem()
        for seat, hue in enumerate(HUES):
            yield halo(mark(seat))
            for kind in KINDS:
                yield gem(mark(seat), hue, kind)
            for castle in CASTLES:
                yield held(Window(), castle, hue)
        for turn in range(TURNS):
            yield tip(turn)
        for field in FIELDS:
            yield end(Window(), field)
            yield pill(field)
            yield tag(field)
            yield choices.dot(field)
            yield choices.name(field)
        for kind in KINDS:
            for number in range(1, 5):
                yield signs.captured(kind, number)
        for number in range(1, 7):
            yield signs.die(number)
            yield signs.die(number, used=False)


DRAWER = Kalejdoschach()
