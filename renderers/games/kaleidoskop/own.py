"""The private part under the board: the plate of one seat, and its cards with the tasks that it can claim now."""

from collections.abc import Iterator
from functools import cache

from renderers.frame import GAP, MARGIN, WIDTH
from renderers.games.kaleidoskop import cards, seats
from renderers.games.kaleidoskop.window import window
from renderers.layout import Area
from renderers.look import Look
from renderers.scene import AnyShape
from rules.contract import Outcome
from rules.games.kaleidoskop import State

PLATE = 64
TALL = {True: 390, False: 440}
"""Height of a card, by whether labels are beside the patterns; three cards leave room for that."""
ROOMY = 3
HIGHEST = 1298
"""The largest height of the picture; cards under a large board are lower."""


def size(view: State, seat: int) -> tuple[int, int]:
    """Return the size of the whole picture."""
    return WIDTH, round(_cards(view.seats, len(view.players[seat].hand))[0].bottom + MARGIN)


def shapes(view: State, seat: int, look: Look, hue: str, outcome: Outcome | None) -> Iterator[AnyShape]:
    """Yield the plate of *seat*, and its cards."""
    panel = window(view.seats).frame.panel
    yield seats.own_plate(view, seat, look, hue, outcome, Area(panel.x, panel.y, panel.width, PLATE))
    areas = _cards(view.seats, len(view.players[seat].hand))
    yield from cards.laid(view, seat, areas, look.theme, cards.LOW_HEAD)


def tasks(view: State, seat: int) -> dict[str, Area]:
    """Return the areas of the tasks of *seat* in the picture, by name ("2a"), of the cards that *view* shows."""
    hand = view.players[seat].hand
    return {
        f"{number}{name}": room
        for number, (card, area) in enumerate(zip(hand, _cards(view.seats, len(hand)), strict=True), 1)
        if card.id is not None
        for name, room in cards.tasks_on(area, cards.LOW_HEAD).items()
    }


@cache
def _cards(of: int, count: int) -> tuple[Area, ...]:
    top = window(of).frame.panel.y + PLATE + GAP
    return cards.side_by_side(count, top, min(TALL[count <= ROOMY], HIGHEST - MARGIN - top))
