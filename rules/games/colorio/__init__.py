"""Colorio: 25 caps hide 25 coloured fields; who uncovers the fifth visible field of a colour is out.

A game by Jacky Bonnet for two to five people (rulebook: Mindtwister, KOSMOS).

Glossary (German, English, code)::

    Feld        field       ``board.GRID``, "a1" … "e5": columns a-e, rows 1-5 from the bottom
    Kappe       cap         ``Cap.COVERED``; a field without one is ``Cap.OPEN``
    Farbe       colour      ``Colour``, on five fields each
    Streifen    strip       a row of five colours; ``board.STRIPS`` has the five of each ``Side``
    aufdecken   uncover     ``Uncover(field)``
    entfernen   remove      ``Remove()``, "x": the cap just lifted leaves the game
    versetzen   cover       ``Cover(field)``, ">d4": the cap just lifted goes onto an open field
    Runde       round       25 caps, until one seat is left; ``Deal()`` starts the next one
    ausscheiden being out   ``State.out``, in the order in which the seats went

Readings, where the rulebook is silent:

1.  The faces of the strips are ours; each of the 3840 boards of a side is as likely as any other: strips are shuffled,
    and each may be turned end to end. The side in play is known to all.
2.  A turn uncovers three different caps: one that was moved is not lifted again in the same turn.
3.  The ban on the cap just moved comes only from a turn that ended with moving it. The next player's first cap alone
    is restricted: the second may be that one, and if that player goes out at once, nobody is barred from it.
4.  Every round has its starting player, and every round's first turn takes three caps away.
5.  The field just uncovered cannot be covered with its own cap; one uncovered earlier in the turn can.
6.  A complete colour that was broken up and is completed anew puts out whoever does it.
7.  The survivor of a round gets one point more than the last who went out; equal totals share the win.
8.  Seat 0 begins, round r (from 0) is begun by seat r; between two rounds the finished board stays until "deal".
9.  With memory=off the board keeps every colour that was seen. With memory=on a cap gives nothing away.
10. A view plays on while it knows what the next view shows, and forgets what is covered as everybody does. It refuses
    ("hidden") to uncover an unknown field, to deal an unknown layout, and to end a round while a colour is unknown, as
    a finished board shows all.

The parts: ``board`` (fields, caps, colours, strips), ``state`` (the rules of play), ``typed`` (what people type),
``document`` (the JSON of a position).
"""

from collections.abc import Mapping
from typing import Final

from rules.chance import Chance
from rules.contract import Game, Option, checked_options, checked_seats, checked_seed
from rules.games.colorio import document, typed
from rules.games.colorio.actions import ColorioAction
from rules.games.colorio.board import GRID, Cap, draw_layout, rows_of
from rules.games.colorio.position import Memory, Options, Phase, Scoring
from rules.games.colorio.state import CODES, SEATS, State


class Colorio(Game):
    """The rules of Colorio, as a ``rules.contract.Game``.

    >>> state = GAME.start(seats=3, seed=7)
    >>> [str(action) for action in GAME.parse(state, "B3 c2 d1")]
    ['b3', 'x', 'c2', 'x', 'd1']
    >>> state.play(GAME.parse(state, "b3")[0]).actions()
    (Remove(),)
    """

    id: Final = "colorio"
    seats: Final = SEATS
    options: Final = (
        Option("scoring", tuple(Scoring), Scoring.SINGLE),
        Option("memory", tuple(Memory), Memory.ON),
    )
    host_begins: Final = True
    shows_steps: Final = True
    grids: Final = (tuple(rows_of(GRID.fields)[::-1]),)

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        return True

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """The first round with all caps on; the later rounds are draw_layout now and wait in ``to_come`` (page, section 3).

        Raises ValueError on a number of seats, an option or a seed that the game does not know.
        """
        checked_seats(self.seats, seats)
        chosen = checked_options(self.options, options)
        scoring = Scoring(chosen["scoring"])
        chance = Chance(checked_seed(seed))
        first, *later = (draw_layout(chance) for _ in range(scoring.rounds(seats)))
        return State(
            options=Options(scoring, Memory(chosen["memory"])),
            seed=seed,
            phase=Phase.PLAY,
            round=0,
            turn=0,
            actor=0,
            side=first.side,
            colours=first.colours,
            caps=(Cap.COVERED,) * len(GRID.fields),
            log=(),
            last=None,
            out=(),
            points=(0,) * seats,
            to_come=tuple(later),
        )

    def parse(self, state: State, text: str) -> tuple[ColorioAction, ...]:
        """The actions of a typed text, usually a whole turn. Raises BadNotation (page, section 8)."""
        return typed.parse(state, text)

    def encode(self, state: State) -> bytes:
        """JSON of the fields of the page's section 9."""
        return document.encode(state)

    def decode(self, data: bytes | str) -> State:
        """The state of a document; ValueError says what is inconsistent (page, section 9)."""
        return document.decode(data)


GAME: Final = Colorio()

__all__ = ["CODES", "GAME"]
