"""Kabooom! Two to four people fill a board with stones, then climb onto each other; the best towers win.

Glossary (rulebook - here - code)::

    Spielfeld, Feld                 board, field                a1 … f4, see rules.squares
    Stein                           stone                       "1d": seat 1's dynamite
    Turm                            tower                       "0r1s1d": stones from bottom to top; "" an empty field
    Stein, Papier, Schere, Dynamit  rock, paper, ...            r p s d
    Schwierigkeit                   level                       easy, medium, hard
    Aufstellung                     placing                     Phase.PLACE, Place
    Schlagen, ziehen                moving onto another tower   Phase.MOVE, Move
    Aussetzen, passen               passing                     Pass

Readings, if the rulebook is silent or ambiguous:

 1. The board has 6 columns and 4 rows, and every seat owns three stones of each symbol.
 2. All seats place the same number of stones, in turn; the remaining stones are out of play. No seat passes meanwhile.
 3. At random (easy), each seat's stones are drawn from its own twelve, and all stones are spread evenly.
 4. Seat 0 begins the moves: the order of turns continues.
 5. Dynamite removes nothing. It climbs onto everything, and only dynamite climbs onto dynamite.
 6. A seat that cannot move passes automatically, which counts as a pass. A seat that passed may move again later.
 7. The game is over as soon as no seat can move, and after as many passes in succession as there are seats.
 8. "Dynamite never counts": its stones are not counted (option "stone"), or no tower topped by it is ("tower").
 9. Equal points: the counted heights decide, the highest first; seats that are equal in these too share the win.

The parts: ``towers`` (towers and what a symbol beats), ``actions`` (and the parser of typed text), ``state`` (the rules
of play), ``document`` (the JSON of a position).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.chance import Chance
from rules.contract import Game, Option, checked_options, checked_seats, checked_seed
from rules.games.kabooom import document
from rules.games.kabooom.actions import Action, Move, Pass, Place, parse
from rules.games.kabooom.badges import BADGES
from rules.games.kabooom.position import Options
from rules.games.kabooom.standings import STANDINGS
from rules.games.kabooom.state import CODES, State, begun
from rules.games.kabooom.towers import (
    BEATS,
    GRID,
    OF_EACH,
    SEATS,
    SYMBOLS,
    Dynamite,
    Level,
    Phase,
    counted,
    height,
    owner,
    symbol,
)


class Kabooom(Game):
    """The rules of Kabooom!, as a ``rules.contract.Game``."""

    id: Final = "kabooom"
    seats: Final = SEATS
    badges: Final = BADGES
    options: Final = (
        Option("level", tuple(Level), Level.MEDIUM),
        Option("dynamite", tuple(Dynamite), Dynamite.STONE),
    )
    shortest: Final = MappingProxyType({"level": Level.EASY})
    host_begins: Final = True
    colours: Final = ("red", "blue", "yellow", "green")
    standings: Final = STANDINGS
    grids: Final = (tuple(tuple(f"{column}{row}" for column in GRID.columns) for row in reversed(GRID.rows)),)

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        return checked_options(self.options, options)["level"] == Level.EASY

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """Return the empty board; at level easy the full one, spread by the seed. Raises ValueError.

        >>> GAME.start(seats=3).actor
        0
        """
        seats = checked_seats(self.seats, seats)
        chosen = checked_options(self.options, options)
        rules = Options(Level(chosen["level"]), Dynamite(chosen["dynamite"]))
        seed = checked_seed(seed)
        if rules.level == Level.EASY:
            return begun(seats, rules, seed, _spread(seats, seed))
        return State(seats, rules, seed, Phase.PLACE, 0, 0, ("",) * len(GRID.fields), (None,) * seats)

    def parse(self, state: State, text: str) -> tuple[Action]:
        """Return the one action that *text* means, by its form only: ``play`` checks whether it is legal. Raises
        BadNotation."""
        return (parse(text),)

    def encode(self, state: State) -> bytes:
        return document.encode(state)

    def decode(self, data: bytes | str) -> State:
        return document.decode(data)


def _spread(seats: int, seed: int | None) -> tuple[str, ...]:
    """Return a full board: each seat's quota drawn from its twelve stones, then all stones spread. Reading 3."""
    chance = Chance(seed)
    quota = len(GRID.fields) // seats
    stones: list[str] = []
    for seat in range(seats):
        own = [f"{seat}{kind}" for kind in SYMBOLS for _ in range(OF_EACH)]
        stones += chance.shuffled(own)[:quota]
    return chance.shuffled(stones)


GAME: Final = Kabooom()

__all__ = [
    "BEATS",
    "CODES",
    "GAME",
    "GRID",
    "SYMBOLS",
    "Action",
    "Dynamite",
    "Level",
    "Move",
    "Options",
    "Pass",
    "Phase",
    "Place",
    "State",
    "counted",
    "height",
    "owner",
    "symbol",
]
