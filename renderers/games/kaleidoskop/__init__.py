"""Kaleidoskop's board: a window of hexagonal panes, and crystals that light them.

In the corners that a board of hexagons leaves free: round and decks, the crystals that are left, what a swap costs, the
goal or how many turns are left. Below it the seats. Page: section 14.
"""

from collections.abc import Iterator

from renderers import POSITIONS, Look
from renderers.frame import seat_colour
from renderers.games.kaleidoskop import glass, seats, window
from renderers.games.kaleidoskop.cards import hand, majorities
from renderers.games.kaleidoskop.words import alt_text, hand_text
from renderers.scene import Scene, Sprite
from rules.games.kaleidoskop import GAME, NOTHING, WELLS, State

KILOBYTES = 90
"""Of a picture at most: a full board for six has 72 crystals with letters and numbers."""
CROWDED = 60
"""With so many crystals a board is so full of edges that it pays to pack it harder."""
HANDED_OUT = ("teal", "orange", "white", "black", "violet", "pink")
"""The seats' hues: at small tables none of the colours of the crystals."""


def scene(view: State, look: Look) -> Scene:
    """The board of *view*: everybody sees the same, and nobody has a side of it."""
    hues = [seat_colour(look, seat, HANDED_OUT) for seat in range(view.seats)]
    return Scene(
        window.window(view.seats).frame.size,
        window.still(view.seats, look.theme),
        (
            *window.live(view, hues, look.theme),
            *seats.corners(view),
            *seats.plates(view, look, hues, look.ended or view.outcome),
        ),
        dense=WELLS - view.crystals.count(NOTHING) >= CROWDED,
    )


COLOURS, CARDS = 3, 6
"""The pages of /rules about the colour of a hex and about tasks."""


def diagram(page: int, look: Look) -> Scene | None:
    """How majorities are counted, and a hand of which some tasks lie on the board; the other pages show positions."""
    if page == COLOURS:
        return majorities(look.theme)
    if page == CARDS:
        state = GAME.decode((POSITIONS / GAME.id / f"rules-{CARDS}.json").read_bytes())
        return None if state.actor is None else hand(state.view(state.actor), state.actor, look)
    return None


def sprites() -> Iterator[Sprite]:
    """Panes, rays and crystals."""
    yield from window.sprites()
    for colour in glass.HUE:
        yield glass.lettered(colour, 0.66)


__all__ = ["KILOBYTES", "alt_text", "diagram", "hand", "hand_text", "scene", "sprites"]
