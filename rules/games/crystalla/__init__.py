"""Crystalla. Two to four people lay twelve crystal cards each; seven crystals count in seven ways.

Glossary (rulebook - here - code)::

    Turmalin, Amethyst, Rubin      tourmaline, amethyst, ruby     t a r
    Smaragd, Zitrin                emerald, citrine               e c
    Diamant, Hämatit               diamond, hematite              d h
    Karte                          card                           "ta": large tourmaline, small amethyst
    großes, kleines Segment        large, small segment           l s
    Kristallstück                  crystal piece, piece           "rl": the large ruby
    Spielstein                     stone                          o w p k, by colour
    Auslage                        display                        cells a1 … d3; "cd-ne+hl+hs": a card laid in it
    Kartenstapel                   stack                          1 … 9
    offene Auslage, Stapel         open pieces, piles             open, piles
    tauschen                       swapping                       Phase.SWAP, Swap
    Starttableau, anlegen          laying the hand, laying        Phase.PLACE, Place; Phase.LAY, Lay
    laufen                         walking                        Take, Drop, one stone a step
    auffüllen                      refilling                      Phase.REFILL, Fill
    zusammenlegen                  a pair, an award               State.due
    abdecken                       covering                       Phase.COVER, Cover
    Blume                          flower                         ruby_flowers, emerald_flowers

Readings, if the rulebook is silent or ambiguous:

 1. A card is cut along a diagonal. A segment owns the corner of its right angle and the two sides that meet there;
    segments touch if both own the sides of an edge; the two of a card touch along the diagonal.
 2. The deck has every pair of crystals twice, in either order, and six of them three times. Of the 18 pieces of each
    shape six are hematite and two of every other crystal.
 3. Tourmalines score triangular numbers, up to seven segments.
 4. A group of diamonds scores the sum of the scores of the two sizes below, up to eight segments.
 5. A ruby is half a flower, the other half is one across an edge. An emerald is a quarter of a flower, in the corner
    that it owns. No segment is in two flowers, and several emerald flowers count, too.
 6. Groups of citrines and diamonds hold together across edges and along diagonals.
 7. The starting stacks are fixed, and seat 0 begins; with three seats each of them has a neutral stone. The option
    ``corner`` rotates them ("Wählt eure Startecken"), or a lot decides ("zufällig").
 8. The stones have their own colours and letters, which no crystal and no column has.
 9. A piece is compared only with the crystal printed under it. Its receiver places it at once, in another's turn, too.
10. So the actor is the receiver while a piece waits to be placed, else the seat whose turn it is.
11. Hands are open. Seat by seat: swap one card or none, then lay all three. The swapped card leaves the game. Then the
    deck is dealt to the stacks in rotation until it is empty.
12. An empty stack gets the three lowest cards of the highest stack, which keeps one; the lowest number on a tie. With
    the option ``refill`` the seat whose turn it is chooses another stack of two cards or more ("eines anderen
    Stapels"), before it lays its card.
13. A walk may return to its first stack or pass a stack twice, but no step goes straight back.
14. A pair counts only if one of its stones fell in this turn. A slot is refilled with the same shape, else with the
    other one. Awards lapse without an open piece; a piece that fits no segment leaves the game.

The parts: ``components`` (the contents of the box), ``displays`` (the cards of a seat), ``scoring`` (their points),
``actions``, ``stacks`` (the cards and awards of a walk), ``state`` (the rules of play), ``news`` (the events in posts),
``typed`` (typed text), ``document`` (the JSON of a position), ``consistency`` (the checks of a document), ``codes``
(phases, refusals and other codes that have a text).
"""

from collections.abc import Mapping
from typing import Final

from rules.chance import Chance
from rules.contract import Game, Option, checked_options, checked_seats, checked_seed
from rules.games.crystalla import document
from rules.games.crystalla.actions import Action, Cover, Drop, Fill, Give, Keep, Lay, Place, Swap, Take
from rules.games.crystalla.badges import BADGES
from rules.games.crystalla.codes import Corner, Phase, Refill
from rules.games.crystalla.components import (
    CARDS,
    CELLS,
    COLOURS,
    COLUMNS,
    CRYSTALS,
    HAND,
    LAYOUTS,
    NAMES,
    PIECES,
    ROWS,
    SEATS,
    SHAPES,
    STONES_EACH,
    Layout,
)
from rules.games.crystalla.displays import (
    CORNERS,
    EMPTY,
    FULL,
    OPPOSITE,
    Display,
    Segment,
    cards_in,
    carries,
    cells_for,
    printed,
    segments,
    shown,
)
from rules.games.crystalla.news import Event
from rules.games.crystalla.position import Options, Turn
from rules.games.crystalla.scoring import count, emerald_flowers, groups, ruby_flowers
from rules.games.crystalla.scoring import sheet as _sheet
from rules.games.crystalla.state import CODES, State
from rules.games.crystalla.typed import parse

_TURNED_UP: Final = 2
"""Number of open pieces of each shape when the game begins."""


class Crystalla(Game):
    """The rules of Crystalla, as a ``rules.contract.Game``."""

    id: Final = "crystalla"
    seats: Final = SEATS
    badges: Final = BADGES
    options: Final = (
        Option("refill", tuple(Refill), Refill.TALLEST, implied=True),
        Option("corner", tuple(Corner), Corner.TOP_LEFT, implied=True),
    )
    grids: Final = (
        tuple(tuple(f"{column}{row}" for column in COLUMNS) for row in range(ROWS, 0, -1)),
        (("nw", "ne"), ("sw", "se")),  # the corners of a card
    )
    asides: Final = frozenset((Event.REFILL, Event.FILL, Event.OWN, Event.LAPSE))

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        return True

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """Return the position with dealt hands and stones on their stacks; seat 0 may swap. Raises ValueError.

        All chance of the game is drawn here. Rulebook: Spielvorbereitung.

        >>> [str(action) for action in GAME.start(seats=3).actions()]
        ['keep', 'swap1', 'swap2', 'swap3']
        """
        seats = checked_seats(self.seats, seats)
        chosen = checked_options(self.options, options)
        corner = Corner(chosen["corner"])
        seed = checked_seed(seed)
        chance = Chance(seed)
        deck = chance.shuffled(card for card, number in CARDS.items() for _ in range(number))
        piles = [
            chance.shuffled(piece for piece, number in PIECES.items() if piece[1] == shape for _ in range(number))
            for shape in SHAPES
        ]
        dealt = deck[: -seats * HAND - 1 : -1]
        large, small = (pile[:-_TURNED_UP] for pile in piles)
        return State(
            seats=seats,
            options=Options(Refill(chosen["refill"]), corner),
            seed=seed,
            phase=Phase.SWAP,
            turn=0,
            deck=deck[: -seats * HAND],
            hands=tuple(dealt[first : first + HAND] for first in range(0, seats * HAND, HAND)),
            stacks=((),) * len(LAYOUTS[seats].stacks),
            stones=_stones(LAYOUTS[seats], corner, Chance(seed, label="corners")),
            carry="",
            card=None,
            due="",
            piece=None,
            receiver=None,
            open=tuple(piece for pile in piles for piece in pile[: -_TURNED_UP - 1 : -1]),
            piles=(large, small),
            displays=(EMPTY,) * seats,
            now=(),
            last=None,
        )

    def parse(self, state: State, text: str) -> tuple[Action, ...]:
        """Return the actions that *text* means, in order. Raises BadNotation."""
        return parse(state, text)

    def encode(self, state: State) -> bytes:
        return document.encode(state)

    def decode(self, data: bytes | str) -> State:
        return document.decode(data)


def _stones(layout: Layout, corner: Corner, chance: Chance) -> tuple[str, ...]:
    """Return every seat's stones on its starting stack, each with a neutral one if there are any. Reading 7."""
    stones = [""] * len(layout.stacks)
    if corner == Corner.LOT:
        start = chance.shuffled(chance.choice(layout.corners))
    else:
        start = layout.corners[tuple(Corner).index(corner)]
    for stack, colour in zip(start, COLOURS, strict=False):
        stones[stack - 1] = colour * STONES_EACH + (layout.neutral or "")
    return tuple(stones)


def sheet(state: State) -> tuple[Mapping[str, int], ...]:
    """Return the score sheet: for each seat the points under t a r e c d h and ``total``. h is its income from the
    others' hematite.

    >>> sheet(GAME.start(2))[1]["total"]
    0
    """
    return _sheet(state.displays)


GAME: Final = Crystalla()

__all__ = [
    "CARDS",
    "CELLS",
    "CODES",
    "COLOURS",
    "COLUMNS",
    "CORNERS",
    "CRYSTALS",
    "FULL",
    "GAME",
    "LAYOUTS",
    "NAMES",
    "OPPOSITE",
    "PIECES",
    "ROWS",
    "SHAPES",
    "Action",
    "Corner",
    "Cover",
    "Display",
    "Drop",
    "Fill",
    "Give",
    "Keep",
    "Lay",
    "Layout",
    "Options",
    "Phase",
    "Place",
    "Refill",
    "Segment",
    "State",
    "Swap",
    "Take",
    "Turn",
    "cards_in",
    "carries",
    "cells_for",
    "count",
    "emerald_flowers",
    "groups",
    "printed",
    "ruby_flowers",
    "segments",
    "sheet",
    "shown",
]
