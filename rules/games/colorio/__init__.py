"""Colorio: 25 caps hide 25 coloured fields; the player who uncovers the fifth visible field of a colour is out.

A game by Jacky Bonnet for two to five people (rulebook: Mindtwister, KOSMOS).

Glossary (German, English, code)::

    Feld        field       ``board.GRID``, "a1" … "e5": columns a-e, rows 1-5 from the bottom
    Kappe       cap         ``Cap.COVERED``; a field without one is ``Cap.OPEN``
    Farbe       colour      ``Colour``, on five fields each
    Streifen    strip       a row of five colours; ``board.STRIPS`` has the five of each ``Side``
    aufdecken   uncover     ``Uncover(field)``
    entfernen   remove      ``Remove()``, "x": the cap just lifted leaves the game
    versetzen   cover       ``Cover(field)``, ">d4": the cap just lifted covers an open field
    Runde       round       25 caps, until one seat is left; ``Deal()`` starts the next one
    ausscheiden being out   ``State.out``, in the order in which the seats went out

Readings, if the rulebook is silent:

1.  The faces of the strips are ours. Each of the 3840 boards of a side is equally likely: strips are shuffled, and each
    may be turned end to end. All players know the side in play.
2.  A turn uncovers three different caps: a cap that was moved cannot be lifted again in the same turn.
3.  A ban on the cap just moved exists only after a turn that ended with moving it. It restricts only the next player's
    first cap: the second may be that one, and if that player goes out at once, no player is barred from it.
4.  Every round has its starting player, and the first turn of every round takes three caps away.
5.  The field just uncovered cannot be covered with its own cap; a field uncovered earlier in the turn can.
6.  A player who completes a colour again after it was broken up is out.
7.  The survivor of a round gets one point more than the last player who went out; equal totals share the win.
8.  Seat 0 begins, seat r begins round r (from 0); between two rounds the finished board stays until "deal".
9.  With memory=off the board keeps every colour that was seen. With memory=on a cap reveals nothing.
10. A view can be played as long as it knows the next view, and it forgets a covered colour as all players do. It
    refuses ("hidden") to uncover an unknown field, to deal an unknown layout, and to end a round while a colour is
    unknown, because a finished board shows all.

The parts: ``board`` (fields, caps, colours, strips), ``state`` (the rules of play), ``typed`` (typed text),
``document`` (the JSON of a position).
"""

from collections.abc import Mapping
from typing import Final

from rules.chance import Chance
from rules.contract import Game, Option, checked_options, checked_seats, checked_seed
from rules.games.colorio import document, typed
from rules.games.colorio.actions import ColorioAction
from rules.games.colorio.badges import BADGES
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
    badges: Final = BADGES
    options: Final = (
        Option("scoring", tuple(Scoring), Scoring.SINGLE),
        Option("memory", tuple(Memory), Memory.ON),
    )
    host_begins: Final = True
    hides: Final = True
    shows_steps: Final = True
    grids: Final = (tuple(rows_of(GRID.fields)[::-1]),)

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        return True

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        """Return the first round with all caps on. The later rounds are drawn now and kept in ``to_come``.

        Raises ValueError for an unknown number of seats, option or seed.
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
        """Return the actions of a typed text, usually a whole turn. Raises BadNotation."""
        return typed.parse(state, text)

    def encode(self, state: State) -> bytes:
        """Return the position as JSON."""
        return document.encode(state)

    def decode(self, data: bytes | str) -> State:
        """Return the position of a document. Raises ValueError that names the inconsistency."""
        return document.decode(data)


GAME: Final = Colorio()

__all__ = ["CODES", "GAME"]
