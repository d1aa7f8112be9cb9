"""The frame that all games share: the area of the board, and the panel with the seats.

A drawer gets a frame (``below``: the panel under a wide board; ``beside``: to the right of a round or square one),
draws its board in ``frame.board``, and passes one ``Plate`` per seat to ``panel``::

    frame = below(880, 160)
    Scene(frame.size, (*frame.still, ...), (..., *panel(frame, look, plates)))

Seats differ by number, mark and colour. The plate of the seat to act has its colour and a pointer. The leader's points
have a light ground. The name of a seat that is out is struck through, and its mark is hollow. A winner has the crown
next to the points, or on the mark if there is no room.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from renderers.layout import Area
from renderers.lettering import ELLIPSIS, IF_CUT, LONGEST, fitted, is_drawable, lines, width
from renderers.look import Look, SeatLook
from renderers.palette import HUES, MARKS, on
from renderers.scene import TEXT_MIN, Align, AnyShape, Box, Line, Point, Polygon, Sprite, Stamp, Text, magnified
from renderers.signs import crowd, crown, figure, house
from rules.contract import Outcome
from texts import listed, say

WIDTH = 1000
MARGIN = 14
GAP = 10
BADGE = 25.0
TALLEST = 1.18  # reach of a seat's mark with its outline, per unit of its radius
ROW = 40
NAME = 27
POINTS = 36
NAME_LEFT = 82
NAMED = 24
SHORTEST = 6
"""The least letters of a name that has room for so few."""
ISOLATE = "\u2068\u2069"
"""The isolating characters around a name in a right-to-left script."""
_WHICH = re.compile(rf" \((?:[^()]* )?([0-9])\){ISOLATE[1]}?$")
"""The number at the end of a name that tells two people apart; it stays when the name is cut."""
TWO_LINES, TALL = (-13.0, 13.0), 45
"""Distances of both lines of a name from its middle, and the height of a place for them."""
SPACE = 4.0
PILL = (11.0, float(ROW))
"""Margin of the ground beyond a leader's points on each side, and its height."""
CROWN = 46.0
LINE = 50
"""Distance between the rows of a plate that has room."""
ROOMY = 400
"""A plate of this width has the points beside the name if the name leaves room; a narrower one under it."""


class Word(Struct, frozen=True):
    """A number, coordinate or sign in a row of a plate."""

    text: str
    colour: str = "text"
    size: int = TEXT_MIN
    bold: bool = True


Item = Word | Sprite | float
"""An item in a row, from left to right; a float widens the gap by that much."""


class Plate(Struct, frozen=True):
    """One seat in the panel: *points* (any short text), its state, and up to two rows of the game's own.

    *colour*: a hue; "" for the hue of the seat's look. *up*: it must act now. *leads*: it has the most points
    (`leading`). *out*: it no longer plays. *before*, *room*: free width left of the mark (then there is no pointer) and
    free height below name and rows, for shapes of the game.
    """

    seat: int
    colour: str = ""
    points: str = ""
    up: bool = False
    out: bool = False
    won: bool = False
    rows: tuple[tuple[Item, ...], ...] = ()
    before: float = 0
    room: float = 0
    leads: bool = False

    @property
    def ground(self) -> str:
        """The tone of its ground: the hue's own for a seat that must act or has won."""
        return f"{self.colour}.up" if self.up or self.won else "panel"


class Score(Struct, frozen=True):
    """The right end of a row: *points*, on light *ground* or not, and the crown left of them."""

    points: str = ""
    ground: bool = False
    crown: bool = False

    @property
    def width(self) -> float:
        """Its width; 0 if it is empty."""
        wide = width(self.points, POINTS) if self.points else 0.0
        return wide + (2 * PILL[0] if self.ground and self.points else 0.0) + (CROWN if self.crown else 0.0)


class Frame(Struct, frozen=True):
    """A picture's *size*, the area of the board and that of the panel; *across*: plates are side by side."""

    size: tuple[int, int]
    board: Area
    panel: Area
    across: bool

    @property
    def light(self) -> tuple[AnyShape, ...]:
        """Faint light on the ground, as through cut glass."""
        return _rays(self.size)

    @property
    def still(self) -> tuple[AnyShape, ...]:
        """The lowest shapes of every picture: the light, and flat ground under the panel."""
        x, y, edge = self.panel.x, self.panel.y, GAP / 2
        if self.across:
            flat = Box((0, y - edge), (self.size[0], self.size[1] - y + edge), "ground")
        else:
            flat = Box((x - edge, 0), (self.size[0] - x + edge, self.size[1]), "ground")
        return (*self.light, flat)


@cache
def below(height: int = 880, panel: int = 160, wide: int = WIDTH) -> Frame:
    """Return the frame with the board over the whole width, and the panel of the given height under it."""
    top = height - MARGIN - panel
    return Frame(
        (wide, height),
        Area(MARGIN, MARGIN, wide - 2 * MARGIN, top - MARGIN - GAP),
        Area(MARGIN, top, wide - 2 * MARGIN, panel),
        True,
    )


@cache
def beside(height: int = 780, panel: int = 250, wide: int = WIDTH) -> Frame:
    """Return the frame with the panel of the given width to the right of the board, over the whole height."""
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


def leading(points: Sequence[int] | None) -> frozenset[int]:
    """Return the seats with the most of *points*; none if there are no points or all are equal.

    >>> sorted(leading((3, 7, 7))), sorted(leading((2, 2)))
    ([1, 2], [])
    """
    if points is None or len(set(points)) < 2:
        return frozenset()
    return frozenset(seat for seat, own in enumerate(points) if own == max(points))


def seat_look(look: Look, seat: int) -> SeatLook:
    """Return the look of *seat* with a drawable name: if the fonts know none of its letters, it is "Player 2".

    The name is empty if the seat is free. If it is equal to another one, the player's number is at its end; if it would
    be equal when cut, the number is drawn then (`lettering.IF_CUT`).

    >>> seat_look(Look((SeatLook("Ada"), SeatLook("王小明"))), 1).name
    'Player 2'
    >>> fitted(seat_look(Look((SeatLook("Maria Anna"), SeatLook("Maria Lena"))), 1).name, 24, True, 115)
    'Mar… (2)'
    """
    return _shown(look.seats, look.lang)[seat] if seat < len(look.seats) else SeatLook(name="")


@lru_cache(256)
def _shown(seats: tuple[SeatLook, ...], lang: str) -> tuple[SeatLook, ...]:
    """Return the looks of all seats with names that can be drawn and told apart."""
    looks = [_drawable(look, seat, lang) for seat, look in enumerate(seats)]
    names = told_apart(tuple(look.name for look in looks))
    return tuple(replace(look, name=name) for look, name in zip(looks, names, strict=True))


@lru_cache(256)
def told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return *names* with the player's number at the end of equal ones, and of those that would be equal when cut."""
    lines = tuple(" ".join(name[:LONGEST].replace(IF_CUT, "").split()) for name in names)
    whole, least = (distinct_names(lines, most) for most in (LONGEST, SHORTEST))
    return tuple(
        same if same != line else f"{line}{IF_CUT} ({n})" if short.endswith(f" ({n})") else line
        for n, (line, same, short) in enumerate(zip(lines, whole, least, strict=True), 1)
    )


def _drawable(look: SeatLook, seat: int, lang: str) -> SeatLook:
    if is_drawable(look.name):
        return look
    name = say("table", "player", lang, number=seat + 1)
    return replace(look, name=name[:1].upper() + name[1:])


def seat_colour(look: Look, seat: int, hues: Sequence[str] = HUES) -> str:
    """Return the hue of *seat*: the chosen one if the palette knows it, else the next of *hues* by seat."""
    chosen = look.seats[seat].colour if seat < len(look.seats) else ""
    return chosen if chosen in HUES else hues[seat % len(hues)]


def seat_name(look: Look, seat: int) -> str:
    """Return the name of *seat* for texts: one line of at most ``NAMED`` characters, or "player 2".

    If the house stands in for that person, the name says so.

    >>> seat_name(Look((SeatLook(" Ada\\nL. "),)), 0), seat_name(Look(()), 1)
    ('Ada L.', 'player 2')
    >>> seat_name(Look((SeatLook("Ada", house=True, stands_in=True),)), 0)
    "Ada's stand-in"
    """
    name = _person(look, seat)
    stands_in = seat < len(look.seats) and look.seats[seat].stands_in
    return say("table", "house.for", look.lang, who=name) if stands_in else name


def mover_name(look: Look, seat: int) -> str:
    """Return the name of the player of the seat's last action: the person, if the house has taken over only since.

    >>> mover_name(Look((SeatLook("Ada", house=True, stands_in=True, just=True),)), 0)
    'Ada'
    """
    return _person(look, seat) if seat < len(look.seats) and look.seats[seat].just else seat_name(look, seat)


def _person(look: Look, seat: int) -> str:
    names = distinct_names(tuple(shown.name for shown in look.seats), NAMED)
    return (seat < len(names) and names[seat]) or say("table", "player", look.lang, number=seat + 1)


@lru_cache(512)
def distinct_names(names: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the seats' *names*, each in one line of at most *most* characters.

    Names that would be equal get the player's number at the end.

    >>> distinct_names(("Annika Westermann-Groß", "Annika Westermann-Klein", "Ben"), 16)
    ('Annika West… (1)', 'Annika West… (2)', 'Ben')
    """
    lines = [" ".join(name[: 10 * NAMED].split()) for name in names]
    numbered = set[int]()
    while True:  # a person may be called like another one with a number
        short = [cut(f"{line} ({n})" if n in numbered else line, most) for n, line in enumerate(lines, 1)]
        same = {n for n, name in enumerate(short, 1) if name and short.count(name) > 1} - numbered
        if not same:
            return tuple(short)
        numbered |= same


def cut(name: str, most: int) -> str:
    """Return *name* with at most *most* characters, with its isolating characters and the number at its end.

    With both of these it has at least eight characters.

    >>> cut("Wilhelmina", 8), cut("\\u2068" + 9 * "\\u05e9" + "\\u2069", 6) == "\\u2068" + 3 * "\\u05e9" + "…\\u2069"
    ('Wilhelm…', True)
    >>> cut("Maximilian Huber (player 1)", 24), cut("Maximilian Huber (player 1)", 10)
    ('Maximilian Huber (1)', 'Maxim… (1)')
    """
    if len(name) <= most:
        return name
    which = _WHICH.search(name)
    plain, number = (name[: which.start()], f" ({which[1]})") if which else (name, "")
    start, end = (ISOLATE[0], ISOLATE[1]) if name.startswith(ISOLATE[0]) else ("", "")
    plain = plain.strip(ISOLATE)
    room = max(2, most - len(start + end + number))
    if len(plain) > room:
        plain = plain[: room - 1].rstrip() + ELLIPSIS
    return f"{start}{plain}{end}{number}"


def end_sentence(look: Look, outcome: Outcome) -> str:
    """Return a sentence that the game is over, and who has won."""
    if not outcome.winners:
        return say("table", "alt.ended", look.lang)
    winners = listed((seat_name(look, seat) for seat in outcome.winners), look.lang)
    return say("table", "alt.over", look.lang, winners=winners, n=len(outcome.winners))


@cache
def badge(seat: int, colour: str, radius: float = BADGE, out: bool = False) -> Sprite:
    """Return a seat's mark in its colour, with the player's number; only the outline if the seat is *out*."""
    low = {"triangle": 0.2, "pentagon": 0.06, "star": 0.08}.get(MARKS[seat % 6], 0) * radius
    fill, rim, pen = (colour, "text", on(colour))
    if out:
        fill, rim, pen = "", "muted", "muted"
    return Sprite(
        f"badge {seat + 1} {colour} {radius:g}{' out' if out else ''}",
        (radius * 1.35, radius * 1.35),
        (
            figure(MARKS[seat % 6], (0, 0), radius, fill, rim, 2.5),
            Text((0, low), str(seat + 1), TEXT_MIN, pen, align="middle"),
        ),
    )


@cache
def _house() -> Sprite:
    return Sprite("house", (15, 15), house((0, 0), 13, "muted"))


@cache
def _crowd(ground: str) -> Sprite:
    return Sprite("crowd", (19, 15), crowd((0, 0), 14, "muted", ground))


@cache
def crowned() -> Sprite:
    """Return the winner's crown."""
    return Sprite("crown", (24, 20), crown((0, 2), 19, "yellow", "ink"))


def panel(frame: Frame, look: Look, plates: Sequence[Plate]) -> tuple[AnyShape, ...]:
    """Return the plates in the panel of *frame*, in seat order: side by side (two rows from five on), or in a column.

    Each plate is a tile ("plate 2"), and so is each of its rows ("plate 2 row 1"), as rows change with every turn.
    """
    rows = max((len(plate.rows) for plate in plates), default=0)
    shapes: list[AnyShape] = []
    for plate, place in zip(plates, places(frame, len(plates)), strict=True):
        pitch = _pitch(place, rows, plate.room)
        shapes += _plate(plate, look, place, place.middle[1] - (pitch * rows + plate.room) / 2, pitch)
    return tuple(shapes)


def _pitch(area: Area, rows: int, room: float = 0) -> float:
    """Return the distance between the rows of a plate in *area*, if *room* stays free below."""
    return min(LINE, (area.height - room - 8) / (1 + rows))


def row_at(area: Area, rows: int, row: int) -> tuple[Point, float]:
    """Return the left end (half-way up) and the width of a *row* (from 0) without points, on a plate in *area* with
    *rows*."""
    y = area.middle[1] + _pitch(area, rows) * (row + 1 - rows / 2)
    return (area.x + 20, y), area.width - 34


def places(frame: Frame, seats: int) -> tuple[Area, ...]:
    """Return the areas of the plates of so many seats in the panel of *frame*."""
    area = frame.panel
    columns = (seats if seats < 5 else 3) if frame.across else 1
    lines = -(-seats // columns)
    wide = (area.width - GAP * (columns - 1)) / columns
    high = (area.height - GAP * (lines - 1)) / lines
    return tuple(
        Area(area.x + (k % columns) * (wide + GAP), area.y + (k // columns) * (high + GAP), wide, high)
        for k in range(seats)
    )


def _plate(plate: Plate, look: Look, area: Area, name_y: float, pitch: float) -> Iterator[AnyShape]:
    """Yield one plate in *area*: its ground with the name, then points and rows, each *pitch* below the one before."""
    seat = seat_look(look, plate.seat) if plate.seat < len(look.seats) else None
    plate = replace(plate, colour=plate.colour or seat_colour(look, plate.seat))
    score = Score(plate.points, plate.leads or plate.won, plate.won)
    beside_name = bool(plate.points) and (not plate.rows or _is_roomy(area, plate.before, seat, score))
    hat = plate.won and not _has_place(plate, score, area, seat)
    if hat:
        score = replace(score, crown=False)
    by_name = score if beside_name or not plate.points else Score()
    taken = by_name.width + 14 if by_name.width else 0.0
    size = (area.width, area.height)
    middle = area.middle
    radius = max(20.0, min(BADGE, (pitch - ROW / 2) / TALLEST))  # the first row does not overlap it
    y = name_y - middle[1]
    tall = min(pitch, 2 * (y + size[1] / 2)) >= TALL
    base = _ground(replace(plate, points="", rows=()), seat, hat, size, y, taken, radius, tall)
    yield Stamp(base, middle)
    # Rows that would overlap the badge are not tiles.
    name, ground = f"plate {plate.seat + 1}", "" if pitch < ROW + 4 else plate.ground
    if by_name.width:
        right = area.right - 12
        yield from _row(f"{name} points", (), by_name, taken, (right - taken / 2, name_y), ground)
    for k, row in enumerate(plate.rows):
        row_score = score if k == 0 and plate.points and not beside_name else Score()
        if row or row_score.width:
            at = (middle[0], name_y + (k + 1) * pitch)
            yield from _row(f"{name} row {k + 1}", row, row_score, area.width - 24, at, ground)


def _has_place(plate: Plate, score: Score, area: Area, seat: SeatLook | None) -> bool:
    """Return whether there is room for the crown beside the points or the name, without cutting the name."""
    if not plate.points:
        return _name_fits(area, plate.before, seat, score)
    if not plate.rows or _is_roomy(area, plate.before, seat, score):
        return _is_roomy(area, plate.before, seat, score)
    return least(plate.rows[0]) + score.width <= area.width - 42


def _is_roomy(area: Area, before: float, seat: SeatLook | None, score: Score) -> bool:
    """Return whether *score* fits beside the name without cutting it."""
    return area.width >= ROOMY and _name_fits(area, before, seat, score)


def _name_fits(area: Area, before: float, seat: SeatLook | None, score: Score) -> bool:
    sign = 38 if seat is not None and (seat.house or seat.crowd) else 0
    room = area.width - NAME_LEFT - before - 2 * 14 - score.width - sign
    return seat is None or width(seat.name, TEXT_MIN) <= room


@lru_cache(256)
def _ground(
    plate: Plate,
    look: SeatLook | None,
    hat: bool,
    size: tuple[float, float],
    y: float,
    taken: float,
    radius: float,
    tall: bool,
) -> Sprite:
    """Return the plate itself with badge and name at height *y*; *hat*: the mark wears the crown.

    *taken*: width right of the name; *tall*: there is room for two lines of it.
    """
    wide, high = size
    mark, left = -wide / 2 + 50 + plate.before, -wide / 2 + NAME_LEFT + plate.before
    right = wide / 2 - 10 - taken
    line, pen = ("text", 4) if plate.up or plate.won else ("panel.line", 2)
    shapes: list[AnyShape] = [
        Box((-wide / 2, -high / 2), size, plate.ground, line, pen, round=14),
        Stamp(badge(plate.seat, plate.colour, radius, plate.out), (mark, y)),
    ]
    if plate.up and not plate.before:
        shapes.append(
            Polygon(tuple((4 - wide / 2 + dx, y + dy) for dx, dy in ((0, -12), (14, 0), (0, 12))), "text", "text")
        )
    if hat:
        shapes.append(Stamp(magnified(crowned(), 0.65), (mark, y - radius + 4)))
    if look is not None and (look.house or look.crowd):
        sign = _house() if look.house else _crowd(plate.ground)
        shapes.append(Stamp(sign, (right - sign.reach[0], y)))
        right -= 38
    common = len(shapes)
    if look is not None:
        shapes += named(look.name, (left, y), right - left, out=plate.out, tall=tall)
    return Sprite(f"plate {plate.seat + 1}", (wide / 2, high / 2), tuple(shapes), "ground", common=common)


def named(
    name: str,
    at: Point,
    room: float,
    *,
    size: int = NAME,
    bold: bool = True,
    out: bool = False,
    tall: bool = True,
    align: Align = "left",
    apart: tuple[float, float] = TWO_LINES,
) -> Iterator[AnyShape]:
    """Yield a name at its left end *at*, half-way up, struck through if its seat is *out*.

    A long one is smaller, then in regular letters, which are narrower, then in two lines if the place is *tall*; these
    are bold again if they have room for it.
    *apart*: distances of the two lines from the middle.
    """
    ways = ((size, bold), (TEXT_MIN, bold), (TEXT_MIN, False))
    letters, weight = next((way for way in ways if width(name, *way) <= room), ways[-1])
    written = lines(name, letters, weight, room) if tall else (name,)
    if len(written) > 1 and all(width(line, letters, bold) <= room for line in written):
        weight = bold
    pen, (x, y) = "muted" if out else "text", at
    for line, down in zip(written, apart if len(written) > 1 else (0.0,), strict=True):
        yield Text((x, y + down if down else y), line, letters, pen, weight, align, room)
        if out:
            end = width(fitted(line, letters, weight, room), letters, weight) * (-1 if align == "right" else 1)
            step = 3 if end > 0 else -3
            yield Line(((x - step, y + down), (x + end + step, y + down)), pen, 3)


def _row(name: str, row: tuple[Item, ...], score: Score, wide: float, at: Point, ground: str) -> tuple[AnyShape, ...]:
    """Return a row of a plate around *at*, with *score* at its right end; without *ground* it is not a tile."""
    if ground:
        return (Stamp(_tile(name, row, score, wide, ground), at),)
    return _line(row, score, wide, at)


@lru_cache(512)
def _tile(name: str, row: tuple[Item, ...], score: Score, wide: float, ground: str) -> Sprite:
    return Sprite(name, (wide / 2, ROW / 2), _line(row, score, wide, (0, 0)), ground)


def _line(row: tuple[Item, ...], score: Score, wide: float, at: Point) -> tuple[AnyShape, ...]:
    x, y = at
    end = x + wide / 2 - 2
    return (
        *scored(score, (end, y)),
        *row_of(row, (x - wide / 2 + 8, y), wide - 10 - (score.width + 8 if score.width else 0)),
    )


def scored(score: Score, at: Point) -> Iterator[AnyShape]:
    """Yield *score* with its right end *at*, half-way up."""
    x, y = at
    if score.points:
        pen = "text"
        if score.ground:
            wide = width(score.points, POINTS) + 2 * PILL[0]
            yield Box((x - wide, y - PILL[1] / 2), (wide, PILL[1]), "text", round=12)
            x, pen = x - PILL[0], "panel"
        yield Text((x, y), score.points, POINTS, pen, align="right")
    if score.crown:
        yield Stamp(crowned(), (at[0] - score.width + 20, y))


def least(items: Sequence[Item]) -> float:
    """Return the least width of *items*, without gaps."""
    return sum(2 * item.reach[0] if isinstance(item, Sprite) else _wide(item) for item in items)


def _wide(item: Word | float) -> float:
    return width(item.text, item.size, item.bold) if isinstance(item, Word) else 0.0


def _gaps(items: Sequence[Item]) -> float:
    """Return the width of the gaps between *items*."""
    return sum(
        (item for item in items if isinstance(item, float)),
        SPACE * max(0, sum(not isinstance(item, float) for item in items) - 1),
    )


def full_width(items: Sequence[Item]) -> float:
    """Return the width of *items* with their gaps."""
    return least(items) + _gaps(items)


def row_of(items: Sequence[Item], at: Point, room: float = inf) -> list[AnyShape]:
    """Return *items* one after another to the right of *at*, half-way up; closer together if *room* is short."""
    gaps = _gaps(items)
    close = max(0.0, min(1.0, (room - least(items)) / gaps)) if gaps else 1.0
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
