"""Kaleidoskop: crystals between hexes, each hex in the colour of its majority, and tasks that ask for patterns.

Glossary (rulebook - here - code)::

    Hexfeld                         hex                         a1 … g4, see rules.hexes
    Mulde                           well                        1 … 72
    Farbkristall                    crystal                     r y g b p v; Crystal
    Wertungskristalle               score                       points and money at once
    Spezialwerkzeug                 tool
    Halterung, Spiegel, Mattglas    holder, mirror, glass       Hold, Mirror, Glass; Buy
    Auftragskarte, Auftrag          card, task                  b01 … b72, o01 … o48, each with tasks a and b; Claim
    Stelle                          place                       "27:c3", a well and a hex that touch
    Handkartenlimit                 hand limit                  Limit
    Runde                           round                       one turn of every seat

Readings, if the rulebook is silent or ambiguous:

 1. Cover A covers the six tips of the board, cover B the rest of the outermost ring.
 2. A well touches at least two hexes in play; other corners do not exist.
 3. Two players play on the board for three and four (a house rule).
 4. At the start of a turn the actor's own tools return, not those of others.
 5. Mirror and glass use a place beside any crystal; they stay when that crystal is swapped. One tool per place.
 6. A swap must change the colour.
 7. Hexes are recoloured after every action.
 8. Tools can be bought and the limit raised at any time of the own turn.
 9. A card that was just drawn can be claimed in the same turn.
10. After a claim a card is drawn as long as there is one, into the same position of the hand. With the option
    ``drawing`` a player may draw none ("darf"); the hand then stays smaller, because only a claim draws again. The
    fourth card is always drawn.
11. Colour tiles and scoring crystals are unlimited, crystals are not: 18 of each colour.
12. The conditions of victory are checked when a player ends the turn; the consequence is an option. Section
    "Spielende" adds a round, section "Spielablauf" finishes the running one, and with the introduction ("Wer als erster
    …") that player has won.
13. Candidates for victory meet the conditions when the game is over; if no seat does, all seats are compared.
14. After 40 rounds the game is over.
15. A pattern may be turned, not flipped.

The parts: ``board`` (hexes, wells, colours), ``cards`` (tasks and the search for patterns), ``actions``, ``typed``
(typed text), ``values`` (the parts of a position), ``state`` (the rules of play), ``nearness`` (the missing elements of
tasks), ``judging`` (the evaluation function), ``standings`` (turns left to the table), ``news`` (the events in posts),
``document`` (the JSON of a position).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.chance import Chance
from rules.contract import BadNotation, Game, Option, checked_options, checked_seats, checked_seed
from rules.games.kaleidoskop import document
from rules.games.kaleidoskop.actions import Action, Buy, Claim, Crystal, End, Glass, Hold, Limit, Mirror
from rules.games.kaleidoskop.badges import BADGES
from rules.games.kaleidoskop.board import (
    COLOURS,
    GRID,
    HEXES_OF,
    NOTHING,
    OF_EACH,
    PLACES,
    POINTS,
    WELLS,
    WELLS_OF,
    Board,
    board,
    changes,
    majority,
)
from rules.games.kaleidoskop.cards import BACK, IDS, TASKS, Deck, Task, occurrences, task
from rules.games.kaleidoskop.document import SEATS
from rules.games.kaleidoskop.news import Event
from rules.games.kaleidoskop.standings import STANDINGS
from rules.games.kaleidoskop.state import CODES, State, coloured
from rules.games.kaleidoskop.typed import HEX, parse
from rules.games.kaleidoskop.values import (
    FEW,
    GOALS,
    NONE,
    READY,
    Card,
    Decks,
    Done,
    Drawing,
    Ending,
    Length,
    Options,
    Player,
    Refusal,
    Stage,
    Tools,
)

_MIDDLE: Final = "d4"


class Kaleidoskop(Game):
    """The rules of Kaleidoskop, as a ``rules.contract.Game``."""

    id: Final = "kaleidoskop"
    seats: Final = SEATS
    badges: Final = BADGES
    options: Final = (
        Option("length", tuple(Length), Length.NORMAL),
        Option("ending", tuple(Ending), Ending.EXTRA_ROUND),
        Option("drawing", tuple(Drawing), Drawing.MUST, implied=True),
    )
    shortest: Final = MappingProxyType({"length": Length.SHORT})
    standings: Final = STANDINGS
    hides: Final = True
    asides: Final = frozenset((Event.END, Event.HOLDER, Event.BACK1, Event.BACK2))

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        return True

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """Return the position with six crystals around the middle, and two blue cards and an orange one for each seat.

        Raises ValueError.

        >>> state = GAME.start(seats=3)
        >>> state.actor, len(state.decks.blue), len(state.decks.orange)
        (0, 66, 45)
        """
        seats = checked_seats(self.seats, seats)
        chosen = checked_options(self.options, options)
        seed = checked_seed(seed)
        chance = Chance(seed)
        ring = dict(zip(WELLS_OF[GRID.number[_MIDDLE]], chance.shuffled(COLOURS), strict=True))
        blue, orange = (chance.shuffled(IDS[deck]) for deck in Deck)
        players = tuple(
            Player(
                score=1,
                limit=FEW,
                hand=(
                    *(Card(Deck.BLUE, card) for card in blue[2 * seat : 2 * seat + 2]),
                    Card(Deck.ORANGE, orange[seat]),
                ),
                done=(),
                tools=Tools(NONE, NONE, NONE),
            )
            for seat in range(seats)
        )
        neutral = NOTHING * len(GRID.fields)
        return State(
            seats=seats,
            options=Options(Length(chosen["length"]), Ending(chosen["ending"]), Drawing(chosen["drawing"])),
            seed=seed,
            turn=1,
            stage=Stage.PLACE,
            final=None,
            last=None,
            crystals="".join(ring.get(well, NOTHING) for well in range(WELLS)),
            hexes=neutral,
            before=neutral,
            players=players,
            decks=Decks(blue[2 * seats :], orange[seats:]),
        )

    def parse(self, state: State, text: str) -> tuple[Action, ...]:
        """Return the actions that *text* means, by their form only: ``play`` checks whether they are legal. Raises
        BadNotation, for a crystal on a hex with the wells around it."""
        try:
            return parse(text, {deck: state.decks.of(deck) for deck in Deck})
        except BadNotation as no:
            if no.code != HEX:
                raise
            there = board(state.seats)
            place = GRID.number[no.detail]
            wells = ", ".join(str(well + 1) for well in there.wells if place in there.touching[well])
            raise (BadNotation(wells, HEX) if wells else BadNotation(no.detail, Refusal.NOT_IN_PLAY)) from None

    def encode(self, state: State) -> bytes:
        return document.encode(state)

    def decode(self, data: bytes | str) -> State:
        return document.decode(data)


GAME: Final = Kaleidoskop()

__all__ = [
    "BACK",
    "CODES",
    "COLOURS",
    "GAME",
    "GOALS",
    "GRID",
    "HEXES_OF",
    "IDS",
    "NONE",
    "NOTHING",
    "OF_EACH",
    "PLACES",
    "POINTS",
    "READY",
    "TASKS",
    "WELLS",
    "WELLS_OF",
    "Action",
    "Board",
    "Buy",
    "Card",
    "Claim",
    "Crystal",
    "Deck",
    "Decks",
    "Done",
    "Drawing",
    "End",
    "Ending",
    "Glass",
    "Hold",
    "Length",
    "Limit",
    "Mirror",
    "Options",
    "Player",
    "Stage",
    "State",
    "Task",
    "Tools",
    "board",
    "changes",
    "coloured",
    "majority",
    "occurrences",
    "task",
]
