"""The card of an answered daily puzzle: a rosette of its position, and beside it the result. It shows no solution."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from renderers import drawers, game_of
from renderers.cards import EYE, RADIUS, RIM, SIZE, framed, rosette, tone
from renderers.look import Look
from renderers.scene import AnyShape, Polygon, Scene, Stamp, Text
from texts import say

KILOBYTES = 51
HUE = "blue"
LEFT, RIGHT = 586.0, 966.0
"""The sides of the words."""
ROOM = RIGHT - LEFT
MARK = 24.0
"""Half the height of a mark."""


class PuzzleResult(Struct, frozen=True):
    """What the card tells. *marks* of *of*: how near the result is to par. *streak*: answered days in a row. *hints*:
    seen before the answer."""

    number: int
    result: int
    par: int
    marks: int
    of: int
    streak: int
    hints: int = 0


def scene(view: Any, look: Look, answer: PuzzleResult) -> Scene:
    """Return the card of the puzzle that begins with *view*, a spectator's view."""
    rim = framed(HUE, EYE, RADIUS, RIM)
    shapes = (*rim, *_words(game_of(view), look, answer))
    return Scene(SIZE, (), shapes, KILOBYTES, (rosette(view, look, EYE, RADIUS - RIM),))


def _words(game: str, look: Look, answer: PuzzleResult) -> Iterator[AnyShape]:
    lang = look.lang
    yield Text((LEFT, 84), say("table", "card.day", lang, number=answer.number), 32, "muted", room=ROOM)
    result = say("table", "card.day.result", lang, result=answer.result, par=answer.par)
    yield Text((LEFT, 176), result, 76, tone(HUE, look.theme), room=ROOM)
    for k in range(answer.of):
        x, y = LEFT + MARK + k * 2.6 * MARK, 276.0
        rhomb = ((x, y - MARK), (x + MARK, y), (x, y + MARK), (x - MARK, y))
        yield Polygon(rhomb, tone(HUE, look.theme) if k < answer.marks else "", tone(HUE, look.theme), 3)
    facts = [say("table", "card.day.streak", lang, n=answer.streak)] if answer.streak > 1 else []
    facts += [say("table", "card.day.hints", lang, n=answer.hints)] if answer.hints else []
    for row, fact in enumerate(facts):
        yield Text((LEFT, 352 + 48 * row), fact, 36, room=ROOM)
    yield Stamp(drawers()[game].emblem(), (LEFT + 24, 482))
    yield Text((LEFT + 60, 482), say(game, "name", lang), 38, room=ROOM - 60)


def alt_text(view: Any, look: Look, answer: PuzzleResult) -> str:
    """Return the card in words."""
    facts = {"game": say(game_of(view), "name", look.lang), "result": answer.result, "par": answer.par}
    return say("table", "alt.card.day", look.lang, number=answer.number, **facts)
