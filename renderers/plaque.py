"""The plaque under a final board: the game, the winners with their points, and the length of the game.

It is as high as the strip under a film's boards (`renderers.animation`), which it replaces in the last frame.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from renderers import drawers, layout
from renderers.frame import CROWN, MARGIN, Score, badge, crowned, named, scored, seat_colour, seat_look
from renderers.lettering import width
from renderers.look import Look, SeatLook
from renderers.scene import TEXT_MIN, AnyShape, Box, Scene, Sprite, Stamp, Text, shifted
from texts import say

HEIGHT = 56
NAME = 30
EMBLEM = 24.0
GAP = 14.0
SHORTEST = 60
"""A name with less room is not readable."""

_UNITS = ((24 * 60, "plaque.days"), (60, "plaque.hours"), (1, "plaque.minutes"))


def with_plaque(board: Scene, game: str, view: Any, look: Look) -> Scene:
    """Return *board*, on which *view* of *game* is over, with the plaque under it."""
    (wide, high), beside = board.size, margin(board.size)
    wide += 2 * beside
    outcome = look.ended or view.outcome
    hues = drawers()[game].hues
    winners = tuple((seat, seat_look(look, seat), seat_colour(look, seat, hues)) for seat in outcome.winners)
    counted = view.standing() is not None and winners
    best = str(max(outcome.scores[seat] for seat in outcome.winners)) if counted else ""
    tile = _plaque(game, winners, best, took(look), wide)
    shapes = tuple(shifted(shape, (beside, 0)) for shape in board.shapes)
    plaque = Stamp(tile, (wide / 2, high + HEIGHT / 2))
    return replace(board, size=(wide, high + HEIGHT), shapes=(*shapes, plaque), ground=(beside, HEIGHT))


def margin(size: tuple[int, int]) -> int:
    """Return the width of the ground on both sides of a board that is high for its width with the plaque.

    >>> margin((1000, 800)), margin((1000, 900))
    (0, 32)
    """
    return layout.margin((size[0], size[1] + HEIGHT))


def took(look: Look) -> str:
    """Return the length of the game in words; "" if it is unknown."""
    turns = "" if look.turns is None else say("table", "plaque.turns", look.lang, n=look.turns)
    return " · ".join(filter(None, (turns, "" if look.minutes is None else lasted(look.minutes, look.lang))))


def lasted(minutes: int, lang: str) -> str:
    """Return a time in words: in hours from two hours on, in days from two days on.

    >>> lasted(0, "en"), lasted(100, "de"), lasted(150, "en"), lasted(2800, "de"), lasted(3 * 24 * 60, "en")
    ('1 minute', '100 Minuten', '2 hours', '47 Stunden', '3 days')
    """
    unit, key = next(entry for entry in _UNITS if minutes >= 2 * entry[0] or entry[0] == 1)
    return say("table", key, lang, n=max(1, round(minutes / unit)))


@lru_cache(64)
def _plaque(game: str, winners: tuple[tuple[int, SeatLook, str], ...], best: str, took: str, wide: int) -> Sprite:
    left, right = MARGIN - wide / 2, wide / 2 - MARGIN
    shapes: list[AnyShape] = [Box((-wide / 2, -HEIGHT / 2), (wide, 2), "panel.line")]
    shapes.append(Stamp(drawers()[game].emblem(), (left + EMBLEM, 1)))
    left += 2 * EMBLEM + GAP
    shapes.append(Text((right, 1), took, TEXT_MIN, "muted", bold=False, align="right"))
    right -= width(took, TEXT_MIN, bold=False) + 2 * GAP
    shapes += _result(winners, best, left, right)
    return Sprite(f"plaque {game}", (wide / 2, HEIGHT / 2), tuple(shapes), "panel")


def _result(winners: tuple[tuple[int, SeatLook, str], ...], best: str, left: float, right: float) -> Iterator[AnyShape]:
    """Yield the crown, the winners and their points between *left* and *right*."""
    if not winners:
        return
    yield Stamp(crowned(), (left + CROWN / 2, 0))
    left += CROWN + GAP / 2
    score = Score(best, ground=bool(best))
    right -= score.width + GAP if best else 0
    pitch = (right - left) / len(winners)
    for seat, look, colour in winners:
        yield Stamp(badge(seat, colour, 20.0), (left + 25, 0))
        room = pitch - 54 - GAP
        if room < SHORTEST:  # so many winners that there is room only for their marks
            left += 54
            continue
        yield from named(look.name, (left + 54, 1), room, size=NAME)
        left += 54 + min(room, width(look.name, NAME)) + GAP
    yield from scored(score, (left + score.width, 1))
