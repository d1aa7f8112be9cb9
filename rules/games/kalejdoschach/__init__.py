"""KalejdoSchach: a chess-like fight for five castles on a round board, invented by Patrick Hassel Zein.

Glossary (German rulebook, English, meaning or code):

============== ================ ==========================================================
Feld           field            one of 89 places, ``00`` and ``1a`` to ``8k``
Kreis          ring             0 (the centre field) to 5 (outer)
Tortenstück    slice            one of eight equal wedges, 1 to 8 clockwise
Kreislinie     circle line      the line between two neighbouring rings; crossing it is a *crossing*
Burg           castle           ``00``, ``1j``, ``3j``, ``5j``, ``7j``
Stadt          town             a field that touches a castle
Stein, Figur   piece            of a `Kind`; flies or walks
angrenzend     edge             two fields with a common piece of border
Eckkontakt     corner           two fields with only a point in common
Schritt        step             going from a field to a neighbouring one
Zug            move             one piece makes all its steps and stops
Kapitulation   capitulation     leaving one's last castle
Einschluß      blocked          having no legal move
Remis          draw             by agreement
============== ================ ==========================================================

Seats go clockwise; seat 0 begins. A seat is *in* until it holds no castle (or cannot move), then it is *out*.

Readings, if the rulebook is silent or its figures are lost:

 1. Fields per ring and slice: 1, 2, 2, 3, 3.
 2. The outer castles are the ``j`` fields of slices 1, 3, 5, 7.
 3. The letters of a slice begin at the centre, clockwise in each ring.
 4. Towns are the fields that touch a castle, by a corner too.
 5. Nine kinds of pieces with these steps; ``board`` has the armies.
 6. A move may cross one circle line; the wizard crosses any number, even the same one again.
 7. A corner step changes the ring, so it crosses a line.
 8. ``00`` is a castle like the others, its border is the innermost line.
 9. "One direction" means in or out; within a ring a piece may turn back.
10. Any path is allowed; the notation has only the two ends of a move.
11. Castles are counted after each move; there is no chance to retake the last one.
12. Player 1 begins.
13. Two players: mirrored armies, turned for the opponent.
14. Leaving the last castle is capitulation even if nothing else was possible.
15. More than two players: no castle, no seat; the last one in wins, the others rank by the order of going out.
16. Three and four players: nine pieces round one castle each.
17. The pieces of a seat that goes out leave the board.
18. Three players: the player between the two others has a pawn on ``00``.
19. An own piece may be taken; it counts like any capture.
20. A game without captures ends in a draw after a number of rounds (option ``quiet``).
21. Draws are offered together with a move and answered in the next turn.
22. The die: one to four steps, walkers, flyers.
23. With dice, if no seat can ever move, the game is drawn (``stalled``).
24. One option names the handicap army and its player.
25. Besides English and German names, a typed move may use the Swedish ones (trollkarl, drake, rok, örn, korp,
    elefant, tiger, häst, bonde), ``till`` between its fields and ``mitten`` for ``00``: the author is a Swede.
26. A move of a program with a field that does not exist is refused like an empty field or one out of reach.
27. A document also needs counters below 2**53, ``rolled`` 0 without dice, and with dice at least as many throws as its
    ``rolls`` while it runs.
28. A free start position ("experiment with the start positions") is for as many players as it has armies, each with a
    castle, a move, and at most 18 pieces of any kinds; 36 pieces at most are on the board.
"""

from collections.abc import Mapping

from rules.contract import Badge, Game, Option, checked_options
from rules.games.kalejdoschach import document, notation, setups, start
from rules.games.kalejdoschach.badges import BADGES
from rules.games.kalejdoschach.board import (
    ALLOWED,
    CASTLES,
    FIELDS,
    KINDS,
    NAMES,
    NUMBER,
    UNITS,
    Kind,
    Piece,
    towns,
)
from rules.games.kalejdoschach.moves import Move, landings
from rules.games.kalejdoschach.news import Event
from rules.games.kalejdoschach.position import Action, Draw, Last, Options, Out, Reason
from rules.games.kalejdoschach.state import CODES, Refusal, State


class KalejdoSchach(Game):
    """The rules of KalejdoSchach, as a ``rules.contract.Game``."""

    id: str = start.ID
    seats: range = setups.SEATS
    options: tuple[Option, ...] = start.OPTIONS
    badges: tuple[Badge, ...] = BADGES
    asides: frozenset[str] = frozenset((Event.CASTLE_LEFT, Event.DIE))

    def seats_with(self, options: Mapping[str, str]) -> range:
        return start.seats_with(checked_options(start.OPTIONS, options)["position"])

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        return Options(**checked_options(start.OPTIONS, options)).dice == "on"

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        return start.start(seats, options, seed)

    def parse(self, state: State, text: str) -> tuple[Action, ...]:
        return notation.parse(state, text)

    def encode(self, state: State) -> bytes:
        return document.encode(state)

    def decode(self, data: bytes | str) -> State:
        return document.decode(data)


GAME = KalejdoSchach()

__all__ = [
    "ALLOWED",
    "CASTLES",
    "CODES",
    "FIELDS",
    "GAME",
    "KINDS",
    "NAMES",
    "NUMBER",
    "UNITS",
    "Action",
    "Draw",
    "Kind",
    "Last",
    "Move",
    "Options",
    "Out",
    "Piece",
    "Reason",
    "Refusal",
    "State",
    "landings",
    "towns",
]
