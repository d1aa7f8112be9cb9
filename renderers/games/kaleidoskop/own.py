"""The private part under the board: the cards of one seat, with the tasks that it can claim now.

The picture is as wide as the board alone and at most 900 high: a chat shrinks a larger one, and its letters with it.
"""

from collections.abc import Iterator
from functools import cache

from renderers.frame import MARGIN, WIDTH
from renderers.games.kaleidoskop import cards
from renderers.games.kaleidoskop.window import HIGH
from renderers.layout import Area
from renderers.look import Look
from renderers.scene import AnyShape
from rules.games.kaleidoskop import State

SIZE = WIDTH, 900
"""Size of the whole picture."""
GAP = 6
"""Distance of the cards from the board and from the lower edge."""
TOP = HIGH - MARGIN + GAP


def is_shown(view: State, look: Look) -> bool:
    """Return whether the picture has the cards of *look.hand*."""
    return look.hand is not None and cards.is_known(view, look.hand)


def shapes(view: State, seat: int, look: Look) -> Iterator[AnyShape]:
    """Yield the cards of *seat*."""
    areas = _cards(len(view.players[seat].hand))
    yield from cards.laid(view, seat, areas, look.theme, low=True)


def tasks(view: State, seat: int) -> dict[str, Area]:
    """Return the areas of the tasks of *seat* in the picture, by name ("2a"), of the cards that *view* shows."""
    hand = view.players[seat].hand
    return {
        f"{number}{name}": room
        for number, (card, area) in enumerate(zip(hand, _cards(len(hand)), strict=True), 1)
        if card.id is not None
        for name, room in cards.tasks_on(area, low=True).items()
    }


@cache
def _cards(count: int) -> tuple[Area, ...]:
    return cards.side_by_side(count, TOP, SIZE[1] - GAP - TOP)
