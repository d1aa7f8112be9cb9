"""The frame that all games share: where the board lies, and the panel that tells about the seats.

A drawer asks for a frame (``below``: the panel under a wide board; ``beside``: to the right of a round or square one),
draws its board in ``frame.board``, and hands one ``Plate`` per seat to ``panel``::

    frame = below(880, 160)
    Scene(frame.size, (*frame.still, ...), (..., *panel(frame, look, plates)))

Everybody is told apart by number, mark and colour; who is up has the raised plate with the pointer, who is out is
struck through, who has won wears the crown.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from renderers import Look, SeatLook
from renderers.layout import Area
from renderers.lettering import ELLIPSIS, width
from renderers.palette import HUES, MARKS, on
from renderers.scene import TEXT_MIN, AnyShape, Box, Line, Point, Polygon, Sprite, Stamp, Text
from renderers.signs import crown, figure, house
from texts import say

WIDTH = 1000
MARGIN = 14
GAP = 10
BADGE = 25
NAME = 27
POINTS = 36
NAME_LEFT = 84
NAMED = 24
SPACE = 4.0
LINE = 50
"""From one line of a plate to the next, where there is room."""
ROOMY = 400
"""Plates of this width have the points beside the name; narrower ones under it."""


class Word(Struct, frozen=True):
    """A number, coordinate or sign in a row of a plate."""

    text: str
    colour: str = "text"
    size: int = TEXT_MIN
    bold: bool = True


Item = Word | Sprite | float
"""What stands in a row, from left to right; a number (a float) widens the gap by that much."""


class Plate(Struct, frozen=True):
    """What the panel tells of one seat: *points* (any short text), its state, and up to two rows of the game's own.

    *colour*: a hue; where it is "", the one of the seat's look. *up*: is to act now. *out*: no longer plays.
    """

    seat: int
    colour: str = ""
    points: str = ""
    up: bool = False
    out: bool = False
    won: bool = False
    rows: tuple[tuple[Item, ...], ...] = ()


class Frame(Struct, frozen=True):
    """A picture's *size*, the area of the board and the one of the panel; *across*: plates lie side by side."""

    size: tuple[int, int]
    board: Area
    panel: Area
    across: bool

    @property
    def still(self) -> tuple[AnyShape, ...]:
        """What lies under every picture: faint light, as through cut glass, and flat ground under the panel."""
        x, y, edge = self.panel.x, self.panel.y, GAP / 2
        if self.across:
            flat = Box((0, y - edge), (self.size[0], self.size[1] - y + edge), "ground")
        else:
            flat = Box((x - edge, 0), (self.size[0] - x + edge, self.size[1]), "ground")
        return (*_rays(self.size), flat)


@cache
def below(height: int = 880, panel: int = 160, wide: int = WIDTH) -> Frame:
    """The board over the whole width, the panel of the given height under it."""
    top = height - MARGIN - panel
    return Frame(
        (wide, height),
        Area(MARGIN, MARGIN, wide - 2 * MARGIN, top - MARGIN - GAP),
        Area(MARGIN, top, wide - 2 * MARGIN, panel),
        True,
    )


@cache
def beside(height: int = 780, panel: int = 250, wide: int = WIDTH) -> Frame:
    """The panel of the given width to the right of the board, over the whole height."""
    left = wide - MARGIN - panel
    return Frame(
        (wide, height),
        Area(MARGIN, MARGIN, left - MARGIN - GAP, height - 2 * MARGIN),
        Area(left, MARGIN, panel, height - 2 * MARGIN),
        False,
    )


@cache
def _rays(size: tuple[int, int]) -> tuple[AnyShape, ...]:
    wide, high = size
    middle = (wide * 0.5, high * 0.42)
    rim = [(wide * k / 8, 0.0) for k in range(8)] + [(float(wide), high * k / 6) for k in range(6)]
    rim += [(wide - wide * k / 8, float(high)) for k in range(8)] + [(0.0, high - high * k / 6) for k in range(6)]
    return tuple(Polygon((middle, rim[k], rim[(k + 1) % len(rim)]), "ground.light") for k in range(0, len(rim), 2))


def seat_look(look: Look, seat: int) -> SeatLook:
    """The look of *seat*; a nameless one where nobody is known to sit there."""
    return look.seats[seat] if seat < len(look.seats) else SeatLook(name="")


def seat_colour(look: Look, seat: int, handed_out: Sequence[str] = HUES) -> str:
    """The hue of *seat*: the chosen one where the palette knows it, else the next of *handed_out* by seat."""
    chosen = seat_look(look, seat).colour
    return chosen if chosen in HUES else handed_out[seat % len(handed_out)]


def seat_name(look: Look, seat: int) -> str:
    """How *seat* is called in a text: its name in one line of at most ``NAMED`` characters, else "player 2".

    >>> seat_name(Look((SeatLook(" Ada\\nL. "),)), 0), seat_name(Look(()), 1)
    ('Ada L.', 'player 2')
    """
    name = " ".join(seat_look(look, seat).name[: 10 * NAMED].split())
    if not name.strip():
        return say("table", "player", look.lang, number=seat + 1)
    return name if len(name) <= NAMED else name[: NAMED - 1].rstrip() + ELLIPSIS


@cache
def badge(seat: int, colour: str, radius: float = BADGE) -> Sprite:
    """A seat's mark in its colour, with the player's number."""
    low = {"triangle": 0.2, "pentagon": 0.06, "star": 0.08}.get(MARKS[seat % 6], 0) * radius
    rim = "black.pale" if colour == "black" else "ink"
    return Sprite(
        f"badge {seat + 1} {colour} {radius:g}",
        (radius * 1.35, radius * 1.35),
        (
            figure(MARKS[seat % 6], (0, 0), radius, colour, rim, 2.5),
            Text((0, low), str(seat + 1), TEXT_MIN, on(colour), align="middle"),
        ),
    )


@cache
def _house() -> Sprite:
    return Sprite("house", (15, 15), house((0, 0), 13, "muted"))


@cache
def _crown() -> Sprite:
    return Sprite("crown", (24, 20), crown((0, 2), 19, "yellow", "ink"))


def panel(frame: Frame, look: Look, plates: Sequence[Plate]) -> tuple[AnyShape, ...]:
    """The plates in the panel of *frame*, in seat order: side by side (two rows from five on), or one above another."""
    area = frame.panel
    columns = (len(plates) if len(plates) < 5 else 3) if frame.across else 1
    lines = -(-len(plates) // columns)
    wide = (area.width - GAP * (columns - 1)) / columns
    high = (area.height - GAP * (lines - 1)) / lines
    lines_each = 1 + max((len(plate.rows) for plate in plates), default=0)
    shapes: list[AnyShape] = []
    for k, plate in enumerate(plates):
        x = area.x + (k % columns) * (wide + GAP)
        y = area.y + (k // columns) * (high + GAP)
        seat = seat_look(look, plate.seat) if plate.seat < len(look.seats) else None
        if not plate.colour:
            plate = replace(plate, colour=seat_colour(look, plate.seat))
        shapes.append(Stamp(_plate(plate, seat, wide, high, lines_each), (x + wide / 2, y + high / 2)))
    return tuple(shapes)


@lru_cache(512)
def _plate(plate: Plate, look: SeatLook | None, wide: float, high: float, lines: int) -> Sprite:
    """A tile with all about one seat; *lines*: of text in the tallest plate of the panel."""
    area = Area(-wide / 2, -high / 2, wide, high)
    ground, line = ("panel.up", "text") if plate.up or plate.won else ("panel", "panel.line")
    pitch = min(LINE, (high - 8) / lines)
    y = -pitch * (lines - 1) / 2
    shapes: list[AnyShape] = [
        Box((area.x, area.y), (wide, high), ground, line, 4 if line == "text" else 2, round=14),
        Stamp(badge(plate.seat, plate.colour), (area.x + 50, y), 0.4 if plate.out else 1.0),
    ]
    if plate.up:
        shapes.append(Polygon(((area.x + 4, y - 12), (area.x + 18, y), (area.x + 4, y + 12)), "text", "text"))
    left, right = area.x + NAME_LEFT, area.right - 14
    if plate.won:
        shapes.append(Stamp(_crown(), (right - 22, y)))
        right -= 52
    if look is not None and look.house:
        shapes.append(Stamp(_house(), (right - 15, y)))
        right -= 38
    rows_right = [area.right - 14] * len(plate.rows)
    if plate.points and wide < ROOMY and plate.rows:
        shapes.append(Text((area.right - 14, y + pitch), plate.points, POINTS, align="right"))
        rows_right[0] -= width(plate.points, POINTS) + 8
    elif plate.points:
        shapes.append(Text((right, y), plate.points, POINTS, align="right"))
        right -= width(plate.points, POINTS) + 14
    if look is not None:
        pen = "muted" if plate.out else "text"
        shapes.append(Text((left, y), look.name, NAME, pen, room=right - left))
        if plate.out:
            shapes.append(Line(((left - 3, y), (min(right, left + width(look.name, NAME)) + 3, y)), pen, 3))
    for k, (row, end) in enumerate(zip(plate.rows, rows_right, strict=True)):
        shapes.extend(row_of(row, (area.x + 20, y + (k + 1) * pitch), end - area.x - 20))
    return Sprite(f"plate {plate.seat + 1}", (wide / 2, high / 2), tuple(shapes), "ground")


def row_of(items: Sequence[Item], at: Point, room: float = inf) -> list[AnyShape]:
    """*items* one after another to the right of *at*, half-way up; closer together where *room* is short."""
    taken, gaps = 0.0, SPACE * max(0, sum(not isinstance(item, float) for item in items) - 1)
    for item in items:
        match item:
            case Word(text, _, size, bold):
                taken += width(text, size, bold)
            case Sprite(reach=(half, _)):
                taken += 2 * half
            case _:
                gaps += item
    close = max(0.0, min(1.0, (room - taken) / gaps)) if gaps else 1.0
    x, y = at
    shapes: list[AnyShape] = []
    for item in items:
        match item:
            case Word(text, colour, size, bold):
                shapes.append(
                    Text((x, y), text, size, colour, bold, room=max(size, at[0] + room - x) if room < inf else None)
                )
                x += width(text, size, bold) + SPACE * close
            case Sprite(reach=(half, _)):
                shapes.append(Stamp(item, (x + half, y)))
                x += 2 * half + SPACE * close
            case _:
                x += item * close
    return shapes
