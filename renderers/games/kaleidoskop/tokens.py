"""Tools on the board and in the panel, the backs of cards, and scoring crystals; all around (0, 0)."""

from collections.abc import Iterator
from functools import cache

from renderers.palette import on
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text
from renderers.signs import regular
from rules.games.kaleidoskop import Deck

NUMBER = 25
COUNTED, COUNT = (31.0, 36.0), 28
"""Size of the back for the cards of a hand, and of their number."""
SLOT = (32.0, 31.0)
"""Size of the place of a tool on a plate."""


def _signed(seat: int, ground: str, at: Point = (0, 0)) -> AnyShape:
    return Text(at, str(seat + 1), NUMBER, on(ground), align="middle")


HALVES = {"mirror": ("paper", "2", 11.0), "glass": ("stone", "0", 2.0)}
"""For a token: the ground of its sign, the sign of its effect on a crystal, and the radius of its corners."""


@cache
def token(kind: str, seat: int, hue: str, upright: bool) -> Sprite:
    """Return a mirror (round, bright) or frosted glass (square, dull) with its owner, and ×2 or ×0.

    *upright*: one over the other instead of side by side.
    """
    ground, times, round_ = HALVES[kind]
    wide, high = token_size(upright)
    half = wide / 2, high / 2
    if upright:
        mine, sign, cut = (0.0, -9.5), (0.0, 10.0), Box((-half[0], 0), (wide, half[1]), ground, round=round_)
        fill: tuple[AnyShape, ...] = (cut, Box((-half[0], 0), (wide, half[1] - round_), ground))
    else:
        mine, sign, cut = (-15.5, 0.0), (9.5, 0.0), Box((-6, -half[1]), (half[0] + 6, high), ground, round=round_)
        fill = (cut, Box((-6, -half[1]), (half[0] + 6 - round_, high), ground))
    return Sprite(
        f"{kind} {seat + 1} {hue}{' upright' if upright else ''}",
        (half[0] + 3, half[1] + 3),
        (
            Box((-half[0] - 2, -half[1] - 2), (wide + 4, high + 4), "ink", round=round_ + 2),
            Box((-half[0], -half[1]), (wide, high), _bright(hue), round=round_),
            *fill,
            _signed(seat, _bright(hue), mine),
            Text((sign[0] - 7, sign[1]), "×", NUMBER, on(ground), align="middle"),
            Text((sign[0] + 7, sign[1]), times, NUMBER, on(ground), align="middle"),
        ),
        crisp=True,
    )


def token_size(upright: bool) -> tuple[float, float]:
    return (30.0, 40.0) if upright else (50.0, 22.0)


def _casing(hue: str) -> str:
    return "black.pale" if hue == "black" else "ink"


def _bright(hue: str) -> str:
    """Return a tone of a seat's colour that, with its casing, contrasts with every pane."""
    return f"{hue}.pale" if hue == "violet" else f"{hue}.light"


@cache
def holder(seat: int, hue: str, size: float) -> Sprite:
    """Return a holder around a crystal: a frame with four prongs in the seat's colour."""
    shapes: list[AnyShape] = []
    for k in range(4):
        outer, inner = (regular((0, 0), reach * size, 4, 45)[k] for reach in (42, 29))
        shapes += [Line((outer, inner), _casing(hue), 12), Line((outer, inner), _bright(hue), 7)]
    shapes += [Disc((0, 0), 38 * size, "", _casing(hue), 8), Disc((0, 0), 38 * size - 1, "", _bright(hue), 5)]
    return Sprite(f"holder {seat + 1} {hue} {size:g}", (46 * size, 46 * size), tuple(shapes))


@cache
def holder_number(seat: int, hue: str) -> Sprite:
    """Return the number of a holder's owner."""
    rims = Disc((0, 0), 16, "ink"), Disc((0, 0), 14, hue, "white", 2)
    return Sprite(f"holder's {seat + 1} {hue}", (17, 17), (*rims, _signed(seat, hue)), crisp=True)


# --- In the panel -----------------------------------------------------------------------------------------------------


@cache
def tool(name: str, state: str) -> Sprite:
    """Return a tool in the panel; *state*: "none" (empty place), "ready" (bright) or "used" (dim: it is on the
    board)."""
    at, size = (-SLOT[0] / 2, -SLOT[1] / 2), SLOT
    sign: tuple[AnyShape, ...]
    match state:
        case "none":
            slot, sign = Box(at, size, "", "muted", 2, round=7), ()
        case "ready":
            slot, sign = Box(at, size, "text", "text", 2, round=7), _tool(name, "panel")
        case _:
            slot, sign = Box(at, size, "panel.line", round=7), _tool(name, "text")
    return Sprite(f"{name} {state}", (SLOT[0] / 2 + 1, SLOT[1] / 2 + 1), (slot, *sign))


def _tool(name: str, pen: str) -> tuple[AnyShape, ...]:
    """Return the sign of a tool."""
    if name == "holder":
        prongs = zip(regular((0, 0), 13.5, 4, 45), regular((0, 0), 6, 4, 45), strict=True)
        return Disc((0, 0), 9, "", pen, 3.5), *(Line(pair, pen, 4.5) for pair in prongs)
    times = HALVES[name][1]
    return Text((-7, 0), "×", NUMBER, pen, align="middle"), Text((7, 0), times, NUMBER, pen, align="middle")


@cache
def back(deck: str) -> Sprite:
    """Return the back of a card."""
    return Sprite(f"back {deck}", (9, 14), _back(deck, 0))


def _back(deck: str, x: float) -> tuple[AnyShape, ...]:
    return (
        Box((x - 9, -14), (18, 28), deck, "ink", 2, round=4),
        Polygon(((x, -8), (x + 5, 0), (x, 8), (x - 5, 0)), f"{deck}.pale"),
    )


def hand(backs: tuple[str, ...], at: Point) -> Iterator[AnyShape]:
    """Yield a hand from behind, to the left of *at*, half-way up: for each deck one back with the number of cards."""
    decks = [deck for deck in Deck if deck in backs]
    for k, deck in enumerate(reversed(decks)):
        yield Stamp(_cards(deck, backs.count(deck)), (at[0] - COUNTED[0] / 2 - k * (COUNTED[0] + 3), at[1]))


@cache
def _cards(deck: str, count: int) -> Sprite:
    """Return the back of one card with a number; of more, with the edge of the next one."""
    wide, high = COUNTED
    shapes = [Box((-wide / 2 + 3, -high / 2), (wide - 3, high - 3), f"{deck}.pale", "ink", 2, round=5)] * (count > 1)
    shapes.append(Box((-wide / 2, -high / 2 + 3), (wide - 3, high - 3), deck, "ink", 2, round=5))
    number = Text((-1.5, 1.5), str(count), COUNT, on(deck), align="middle")
    return Sprite(f"hand {deck} {count}", (wide / 2 + 1, high / 2 + 1), (*shapes, number))


@cache
def seal(oranges: int) -> Sprite:
    """Return the seal of finished orange cards with their number; only its outline before the first one."""
    points = regular((0, 0), 17, 10, 0, 14.5)
    if not oranges:
        return Sprite("seal 0", (18, 18), (Polygon(points, "", "muted", 2),))
    number = Text((0, 0), str(oranges), NUMBER, on("orange"), align="middle")
    return Sprite(f"seal {oranges}", (18, 18), (Polygon(points, "orange", "orange.pale", 2), number))


@cache
def score(radius: float) -> Sprite:
    """Return a scoring crystal: clear, cut like a diamond."""
    points = ((-0.6, -0.85), (0.6, -0.85), (1.05, -0.25), (0, 1.05), (-1.05, -0.25))
    a, b, c, d, e = ((x * radius, y * radius) for x, y in points)
    left, right = (-0.42 * radius, -0.25 * radius), (0.42 * radius, -0.25 * radius)
    return Sprite(
        f"score {radius:g}",
        (radius * 1.1 + 2, radius * 1.1 + 2),
        (
            Polygon((a, b, c, d, e), "ink", "ink", 4),
            Polygon((a, left, e), "paper"),
            Polygon((a, b, right, left), "white.light"),
            Polygon((b, c, right), "white.dark"),
            Polygon((e, left, d), "white.light"),
            Polygon((left, right, d), "paper"),
            Polygon((right, c, d), "stone"),
        ),
        faceted=True,
    )
