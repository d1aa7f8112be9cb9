"""The private part under the board: the cards of one seat, with the tasks that it can claim now."""

from collections.abc import Iterator
from functools import cache

from renderers.frame import MARGIN, WIDTH
from renderers.games.kaleidoskop import cards
from renderers.games.kaleidoskop.window import HIGH
from renderers.layout import Area
from renderers.look import Look
from renderers.scene import AnyShape
from rules.games.kaleidoskop import State

TALL = {True: 300, False: 340}
"""Height of a card, by whether labels are beside the patterns; three cards leave room for that."""
ROOMY = 3


def size(view: State, seat: int) -> tuple[int, int]:
    """Return the size of the whole picture."""
    return WIDTH, round(_cards(len(view.players[seat].hand))[0].bottom + MARGIN)


def shapes(view: State, seat: int, look: Look) -> Iterator[AnyShape]:
    """Yield the cards of *seat*."""
    areas = _cards(len(view.players[seat].hand))
    yield from cards.laid(view, seat, areas, look.theme, cards.LOW_HEAD)


def tasks(view: State, seat: int) -> dict[str, Area]:
    """Return the areas of the tasks of *seat* in the picture, by name ("2a"), of the cards that *view* shows."""
    hand = view.players[seat].hand
    return {
        f"{number}{name}": room
        for number, (card, area) in enumerate(zip(hand, _cards(len(hand)), strict=True), 1)
        if card.id is not None
        for name, room in cards.tasks_on(area, cards.LOW_HEAD).items()
    }


@cache
def _cards(count: int) -> tuple[Area, ...]:
    return cards.side_by_side(count, HIGH, TALL[count <= ROOMY])
