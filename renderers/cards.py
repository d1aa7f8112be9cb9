"""The card of a finished game: a rosette of its final board, and beside it winners, points, names, game and length.

The rosette is one wedge of the board without lettering, mirrored twelve times: no other game has the same. The card of
a final position is always the same.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from math import cos, pi, sin
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

import texts
from renderers import drawer, drawers, game_of, position, positions_of
from renderers.frame import badge, crowned, end_sentence, named, seat_colour, seat_look, seat_name
from renderers.layout import Area
from renderers.lettering import IF_CUT, width
from renderers.look import Look, Theme
from renderers.palette import TONES, colours, contrast
from renderers.plaque import took
from renderers.scene import (
    AnyShape,
    Disc,
    Point,
    Polygon,
    Rosette,
    Scene,
    Sprite,
    Stamp,
    Text,
    Wedge,
    magnified,
    unlettered,
)
from renderers.signs import crowd, house
from rules.contract import Outcome
from texts import say

SIZE = (1000, 560)
KILOBYTES = 51
EYE, RADIUS = (280, 280), 264
"""The rosette: its middle and its radius."""
RIM = 18
"""Width of the cut glass around it."""
RIMS = ("violet", "orange", "teal", "pink", "yellow")
"""Hues of the cut glass around rosettes of the games' samples, in the order of the games."""
FACETS = 36
RAYS = 9
COLUMN = LEFT, RIGHT = 586.0, 966.0
"""The sides of the words."""
HEAD = 66.0
"""The line with the crown and the points, half-way up."""
HEADS = (40, 36, 32, 28)
"""Sizes of its text, the largest that fits first."""
FOOT = (482.0, 526.0)
"""The lines with the game's name and its length."""
EMBLEM = 24.0
WEDGES = 40
"""Number of wedges from which the most colourful one is chosen."""
PART, REACHES = 0.8, (340.0, 240.0)
"""The reach of a wedge is at most this part of the shorter side of its area; wide wedges, and narrow ones for boards
with few pieces."""
PLACES = 7
"""The tips of wedges are on a grid of so many columns and rows."""
READABLE = 4.5
"""The least contrast of lettering."""
WHOLE = (76, 70, 64, 58, 52, 46)
"""Sizes of the only winner's name in one line, the largest that fits first."""
BROKEN = (48, 42, 38, 34)
"""The same in two lines."""
ROOMY = 4
"""With at most so many seats there is room for two large names."""
BESIDE = 54.0
"""Width of a seat's mark before its name."""
ROW = 32
"""Size of the other names."""
PITCH = 52.0
"""The largest distance of rows."""


# The rosette


def rosette(view: Any, look: Look, at: tuple[int, int], radius: int) -> Rosette:
    """Return the rosette of the board of *view*, or that of the game's sample while nothing is on the board."""
    own = drawer(view)
    shown = mirrored(own.scene(view, look), own.rosette_areas(view, look), at, radius)
    return replace(shown, spare=of_sample(game_of(view), at, radius))


@lru_cache(32)
def of_sample(game: str, at: tuple[int, int], radius: int) -> Rosette:
    """Return the rosette of the sample position of *game*."""
    own, look = drawers()[game], Look(())
    view = next(position(game, source) for source in positions_of(game) if source.stem == own.sample)
    return mirrored(own.scene(view, look), own.rosette_areas(view, look), at, radius)


def mirrored(board: Scene, areas: Sequence[Area], at: tuple[int, int], radius: int) -> Rosette:
    """Return the rosette of *board*, taken from within *areas*."""
    bare = Scene(board.size, unlettered(board.still), unlettered(board.shapes))
    return Rosette(at, radius, bare, wedges(areas))


def wedges(areas: Sequence[Area]) -> tuple[Wedge, ...]:
    """Return wedges within *areas*, about ``WEDGES`` in all."""
    count = max(1, WEDGES // (len(areas) * len(REACHES)))
    return tuple(wedge for area in areas for reach in REACHES for wedge in _within(area, reach, count))


def _within(area: Area, reach: float, count: int) -> Iterator[Wedge]:
    """Yield *count* wedges within *area* from all of its parts and in all directions."""
    reach = min(PART * min(area.width, area.height), reach)
    steps = [k / (PLACES - 1) for k in range(PLACES)]
    fitting = [
        wedge
        for down, across, turn in product(steps, steps, range(0, 360, 30))
        if _fits(wedge := Wedge((area.x + area.width * across, area.y + area.height * down), turn, reach), area)
    ]
    return (fitting[k * len(fitting) // count] for k in range(count))


def _fits(wedge: Wedge, area: Area) -> bool:
    corners = (wedge.apex, *wedge.bow(30, 2))
    return all(area.x - 1 <= x <= area.right + 1 and area.y - 1 <= y <= area.bottom + 1 for x, y in corners)


@cache
def _rays() -> tuple[AnyShape, ...]:
    """Return faint light from the rosette on the ground."""
    far = [(900 * sin(k * pi / RAYS), -900 * cos(k * pi / RAYS)) for k in range(RAYS + 1)]
    rays = tuple(Polygon(((0, 0), far[k], far[k + 1]), "ground.light") for k in range(0, RAYS, 2))
    return (Stamp(Sprite("rays", (900, 900), rays, crisp=True), EYE),)


def framed(hue: str, at: tuple[int, int], radius: int, wide: float) -> tuple[AnyShape, ...]:
    """Return cut glass of *hue* around a rosette, from *radius* inward *wide* units."""
    return Disc(at, radius + 3, "", "lead", wide + 6), Stamp(_rim(hue, radius, wide), at)


@cache
def _rim(hue: str, radius: int, wide: float) -> Sprite:
    """Return the facets around a rosette, lit from the upper left."""

    def at(radius: float, k: float) -> Point:
        turn = 2 * pi * k / FACETS
        return radius * sin(turn), -radius * cos(turn)

    def facet(points: tuple[Point, ...], k: float) -> AnyShape:
        light = (1 + cos(2 * pi * k / FACETS + pi / 4)) / 2  # 1 at the upper left
        return Polygon(points, hue + TONES[round(light * (len(TONES) - 1))])

    inner, facets = radius - wide, list[AnyShape]()
    for k in range(FACETS):
        facets.append(facet((at(radius, k - 0.5), at(radius, k + 0.5), at(inner, k)), k - 3))
        facets.append(facet((at(inner, k), at(inner, k + 1), at(radius, k + 0.5)), k + 3))
    return Sprite(f"rim {hue}", (radius, radius), tuple(facets), crisp=True, faceted=True)


# The words


class Seat(Struct, frozen=True):
    """A seat on the card. *figure*: its points or its place, or ""."""

    number: int
    name: str
    hue: str
    house: bool
    crowd: bool
    won: bool
    figure: str


def scene(view: Any, look: Look) -> Scene:
    """Return the card of *view*, a spectator's view of a finished game."""
    game, outcome = game_of(view), look.ended or view.outcome
    seats = _seats(game, view, outcome, look)
    winners = [seat for seat in seats if seat.won]
    rim = framed(winners[0].hue if winners else "black", EYE, RADIUS, RIM)
    shapes = (*rim, *_result(view, outcome, seats, look), *_foot(game, look))
    return Scene(SIZE, _rays(), shapes, KILOBYTES, (rosette(view, look, EYE, RADIUS - RIM),))


def _counts(view: Any, look: Look) -> bool:
    """Return whether the points say who won: they do not if the table ended the game, and a loser has more."""
    if view.standing() is None or look.ended is None:
        return view.standing() is not None
    most = max(look.ended.scores)
    return most > 0 and all(look.ended.scores[seat] == most for seat in look.ended.winners)


def _seats(game: str, view: Any, outcome: Outcome, look: Look) -> list[Seat]:
    """Return the seats: winners first, then the others, those with more points first."""
    hues, scores = drawers()[game].hues, outcome.scores
    counted = _counts(view, look)
    placed = view.standing() is None and view.seats > 2 and len(set(scores)) > 2

    def figure(seat: int) -> str:
        if counted:
            return str(scores[seat])
        if seat in outcome.winners or not placed:
            return ""
        place = 1 + sum(other > scores[seat] for other in scores)
        return say("table", f"card.place.{place}", look.lang)

    def seated(seat: int) -> Seat:
        known = seat_look(look, seat)
        name = known.name or seat_name(look, seat).capitalize()
        won = seat in outcome.winners
        return Seat(seat, name, seat_colour(look, seat, hues), known.house, known.crowd, won, figure(seat))

    order = sorted(range(view.seats), key=lambda seat: (seat not in outcome.winners, -scores[seat], seat))
    return [seated(seat) for seat in order]


def _result(view: Any, outcome: Outcome, seats: list[Seat], look: Look) -> Iterator[AnyShape]:
    """Yield the crown with the points of the winners, and the names below."""
    winners = [seat for seat in seats if seat.won]
    y = HEAD - 20
    if winners:
        yield Stamp(magnified(crowned(), 1.35), (LEFT + 30, HEAD - 3))
        head, room = _headline(view, outcome, look), RIGHT - LEFT - 74
        size = next((size for size in HEADS if width(head, size) <= room), HEADS[-1])
        yield Text((LEFT + 74, HEAD), head, size, tone(winners[0].hue, look.theme), room=room)
        y = HEAD + 34
    large = winners if len(winners) == 1 or (len(winners) == 2 and len(seats) <= ROOMY) else []
    if len(large) == 1 or not winners:
        y = yield from _large(large[0].name if large else say("table", "card.none", look.lang), WHOLE, LEFT, y)
    else:
        for seat in large:
            yield Stamp(badge(seat.number, seat.hue, 22.0), (LEFT + 22, y + 29))
            y = 6 + (yield from _large(seat.name, WHOLE[-1:], LEFT + BESIDE, y))
    yield from _rows(seats[len(large) :], y + 10)


def _large(name: str, whole: Sequence[int], left: float, y: float) -> Generator[AnyShape, None, float]:
    """Yield a large name below *y*; return its lower edge."""
    size, lines = name_lines(name, RIGHT - left, whole)
    for line in lines:
        yield Text((left, y + size * 0.58), line, size, room=RIGHT - left)
        y += size * 1.14
    return y


def _headline(view: Any, outcome: Outcome, look: Look) -> str:
    n, game = len(outcome.winners), game_of(view)
    if n > 1 and texts.knows(game, f"headline.{outcome.reason}"):
        return say("table", "card.draw", look.lang)
    if not _counts(view, look):
        return say("table", "card.won", look.lang, n=n)
    points = max(outcome.scores[seat] for seat in outcome.winners)
    return say("table", "card.points" if n == 1 else "card.points.each", look.lang, n=points)


def name_lines(name: str, room: float, whole: Sequence[int] = WHOLE) -> tuple[int, tuple[str, ...]]:
    """Return the size of a winner's *name* and its lines: one line of a size of *whole*, two, or one that is cut.

    Two lines are split at a blank or hyphen if they fit so, else anywhere.

    >>> name_lines("Wilhelmina Hohenstein", 380), name_lines("Ada", 380)
    ((48, ('Wilhelmina', 'Hohenstein')), (76, ('Ada',)))
    """
    for size in whole:
        if width(name, size) <= room:
            return size, (name,)
    name, number = name.partition(IF_CUT)[::2]
    for pattern in (r"(?<=[ -])", ""):
        places = [gap.start() for gap in re.finditer(pattern, name)]
        halves = [pair for place in places if all(pair := (name[:place].strip(), name[place:].strip()))]
        for size in BROKEN:
            wide = {max(width(half, size) for half in pair): pair for pair in halves}
            if wide and min(wide) <= room:
                return size, wide[min(wide)]
    return BROKEN[-1], (name + IF_CUT + number,)


def _rows(seats: Sequence[Seat], y: float) -> Iterator[AnyShape]:
    """Yield seats below *y*, one in a line: mark, name, sign of the house or of a crowd, figure."""
    pitch = min(PITCH, (FOOT[0] - 34 - y) / max(1, len(seats)))
    for seat in seats:
        figure = width(seat.figure, ROW) + 14 if seat.figure else 0.0
        room = RIGHT - LEFT - BESIDE - figure - (40 if seat.house or seat.crowd else 0)
        yield Stamp(badge(seat.number, seat.hue, 18.0), (LEFT + 22, y + pitch / 2))
        yield from named(seat.name, (LEFT + BESIDE, y + pitch / 2), room, size=ROW, bold=seat.won, tall=False)
        at = (LEFT + BESIDE + room + 22, y + pitch / 2)
        if seat.house:
            yield from house(at, 13, "muted")
        elif seat.crowd:
            yield from crowd(at, 14, "muted", "ground")
        if seat.figure:
            yield Text((RIGHT, y + pitch / 2), seat.figure, ROW, align="right")
        y += pitch


def _foot(game: str, look: Look) -> Iterator[AnyShape]:
    """Yield the game's emblem and name, and its length."""
    yield Stamp(drawers()[game].emblem(), (LEFT + EMBLEM, FOOT[0]))
    yield Text((LEFT + 2 * EMBLEM + 12, FOOT[0]), say(game, "name", look.lang), 38, room=RIGHT - LEFT - 2 * EMBLEM - 12)
    if length := took(look):
        yield Text((LEFT, FOOT[1]), length, 28, "muted", bold=False, room=RIGHT - LEFT)


@cache
def tone(hue: str, theme: Theme) -> str:
    """Return the tone of *hue* that is nearest to it and readable on the ground.

    >>> tone("blue", Theme.DARK), tone("black", Theme.DARK)
    ('blue.light', 'text')
    """
    known = colours(theme)
    tones = ("", ".light", ".pale") if theme == Theme.DARK else ("", ".dark", ".deep")
    grounds = known["ground"], known["ground.light"]
    readable = (
        hue + tone for tone in tones if min(contrast(known[hue + tone], ground) for ground in grounds) >= READABLE
    )
    return next(readable, "text")


def alt_text(view: Any, look: Look) -> str:
    """Return the card of *view* in words."""
    game, outcome = game_of(view), look.ended or view.outcome
    seats = _seats(game, view, outcome, look)
    points = ", ".join(f"{seat_name(look, seat.number)} {seat.figure}".strip() for seat in seats)
    facts = {"game": say(game, "name", look.lang), "points": points, "result": end_sentence(look, outcome)}
    return " ".join(filter(None, (say("table", "alt.card", look.lang, **facts), took(look) and f"{took(look)}.")))


__all__ = [
    "COLUMN",
    "EYE",
    "RADIUS",
    "RIM",
    "RIMS",
    "SIZE",
    "alt_text",
    "framed",
    "mirrored",
    "name_lines",
    "of_sample",
    "rosette",
    "scene",
]
