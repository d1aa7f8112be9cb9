"""The picture of a lobby: the game's own pieces, its name, and the seats as they fill.

All shapes but the seats are one cached layer per game and theme, so that a lobby is quick to paint.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from math import ceil

from renderers import drawers
from renderers.cards import RIMS, framed, of_sample
from renderers.frame import GAP, MARGIN, WIDTH, named, seat_look
from renderers.layout import SQRT3
from renderers.lettering import NOTHING
from renderers.look import Look, SeatLook
from renderers.palette import SIGNS
from renderers.scene import AnyShape, Box, Line, Polygon, Scene, Sprite, Stamp, Text, magnified
from renderers.signs import crowd, figure, house, person
from texts import listed, say

BAND = 260
"""Height of the faceted band behind the game's pieces."""
TITLE = 72
NAMED = 46
EYE, RADIUS, RIM = (WIDTH // 2, BAND // 2), 120, 10
"""The rosette: its middle, its radius, and the width of the cut glass around it."""
PLATE = 60
EMBLEM = 24.0
SIDE = 26.0
"""Distance from the left end of a plate to the middle of its sign, and from there to the name."""


def scene(game: str, look: Look) -> Scene:
    """Return the lobby of *game* with the people of *look* in its first seats."""
    places = _places(game, look)
    columns = places if places < 5 else 3
    lines = -(-places // columns)
    size = (WIDTH, BAND + TITLE + lines * (PLATE + GAP) + MARGIN - GAP)
    wide = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
    shapes: list[AnyShape] = []
    for seat in range(places):
        x = MARGIN + (seat % columns) * (wide + GAP) + wide / 2
        y = BAND + TITLE + (seat // columns) * (PLATE + GAP) + PLATE / 2
        taken = seat_look(look, seat) if seat < len(look.seats) else None
        shapes.append(Stamp(_free(wide) if taken is None else _taken(taken, wide), (x, y)))
    shapes += _title(game, look, places)
    rosette = of_sample(game, EYE, RADIUS - RIM)
    shapes += framed(RIMS[list(drawers()).index(game) % len(RIMS)], EYE, RADIUS, RIM)
    return Scene(size, _banner(game, size), tuple(shapes), rosettes=(rosette,))


def _places(game: str, look: Look) -> int:
    """Return the largest possible number of seats."""
    from rules import GAMES

    return look.places or GAMES[game].seats[-1]


def _title(game: str, look: Look, places: int) -> Iterator[AnyShape]:
    """Yield the game's emblem and name, and the number of taken *places*."""
    y = BAND + TITLE / 2
    yield Stamp(drawers()[game].emblem(), (MARGIN + EMBLEM, y))
    yield Text((MARGIN + 2 * EMBLEM + 14, y), say(game, "name", look.lang), NAMED)
    yield Text((WIDTH - MARGIN - 6, y), f"{len(look.seats)}/{places}", 36, "muted", align="right")


def alt_text(game: str, look: Look) -> str:
    """Return the lobby in words."""
    names = [" ".join(seat.name.split()) for seat in look.seats]
    return say(
        "table",
        "alt.lobby",
        look.lang,
        game=say(game, "name", look.lang),
        names=listed(names or [NOTHING], look.lang),
        n=len(names),
        most=_places(game, look),
    )


@cache
def _banner(game: str, size: tuple[int, int]) -> tuple[AnyShape, ...]:
    """Return pieces of the game on both sides of its rosette, on cut glass, and flat ground below."""
    pieces = drawers()[game].banner()
    left = len(pieces) // 2
    wide = (EYE[0] - RADIUS - MARGIN) / max(1, len(pieces) - left)
    xs = (k * wide if k < left else WIDTH - 2 * MARGIN - (len(pieces) - k) * wide for k in range(len(pieces)))
    return (
        *_band(),
        *(
            Stamp(magnified(piece, min(1, (wide / 2 - 4) / piece.reach[0])), (MARGIN + x + wide / 2, BAND / 2))
            for piece, x in zip(pieces, xs, strict=True)
        ),
        Box((0, BAND), (size[0], size[1] - BAND), "ground"),
        Box((0, BAND), (size[0], 3), "lead"),
    )


_TONES = ("pane", "pane.light", "pane.dark", "pane.cut", "pane.light", "pane")


def _band() -> Iterator[AnyShape]:
    """Yield two rows of triangles, mirrored in the middle as in a kaleidoscope."""
    high = BAND / 2
    half = high / SQRT3
    many = ceil(WIDTH / 2 / half) + 1
    for row, k in product(range(2), range(-many, many + 1)):
        x, top, low = WIDTH / 2 + k * half, row * high, (row + 1) * high
        level, tip = (low, top) if (k + row) % 2 == 0 else (top, low)
        triangle = ((x - half, level), (x + half, level), (x, tip))
        yield Polygon(triangle, _TONES[(2 * abs(k) + row) % len(_TONES)], "lead", 3)


@lru_cache(256)
def _taken(who: SeatLook, wide: float) -> Sprite:
    """Return a taken seat, with the sign of the colour that the person chose; the order of seats is not decided
    yet."""
    left = -wide / 2
    middle = (left + 2 * SIDE - 8, 0.0)
    sign: tuple[AnyShape, ...]
    if who.crowd:
        sign = crowd(middle, 19, "text", "panel.up")
    elif who.house:
        sign = house(middle, 17, "muted")
    elif who.colour in SIGNS:
        sign = (figure(SIGNS[who.colour], middle, 17, who.colour, "ink"),)
    else:
        sign = person(middle, 18, "text")
    name = named(who.name, (left + 4 * SIDE - 22, 0), wide - 4 * SIDE + 12)
    plate = Box((left, -PLATE / 2), (wide, PLATE), "panel.up", "panel.line", 2, round=14)
    return Sprite("taken", (wide / 2, PLATE / 2), (plate, *sign, *name), "ground")


@cache
def _free(wide: float) -> Sprite:
    """Return a free seat."""
    left, top = -wide / 2 + 2, -PLATE / 2 + 2
    right, low = -left, -top
    upper = ((left + 12, top), (right - 12, top), (right, top + 12))
    lower = ((right, low - 12), (right - 12, low), (left + 12, low), (left, low - 12), (left, top + 12))
    rim = Line((*upper, *lower, upper[0]), "muted", 3, dash=10)
    return Sprite("free", (wide / 2, PLATE / 2), (rim, *person((left + 2 * SIDE - 10, 0), 18, "muted")), "ground")
