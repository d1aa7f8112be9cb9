"""The fields of a position, and values derived from them."""

from typing import Final

from msgspec import Struct

from rules.contract import Outcome
from rules.games.kaleidoskop.board import COLOURS, NOTHING, OF_EACH, WELLS, board
from rules.games.kaleidoskop.cards import Lights, lights
from rules.games.kaleidoskop.values import (
    GOALS,
    TOOL_COSTS,
    Decks,
    Ending,
    Options,
    Player,
    Reason,
    Stage,
)

# Cached, because access to enum members is slow.
_OVER: Final = Stage.OVER
_AT_ONCE: Final = Ending.AT_ONCE


class Position(Struct, frozen=True, gc=False):
    """A position of the game.

    *turn*: from 1. *final*: the number of the last turn, once it is fixed. *last*: the well (from 1) of the latest
    placement or swap. *crystals*, *hexes*: see ``board``; the hexes follow from the crystals and the tools. *before*:
    the hexes just before the latest crystal.
    """

    seats: int
    options: Options
    seed: int | None
    turn: int
    stage: Stage
    final: int | None
    last: int | None
    crystals: str
    hexes: str
    before: str
    players: tuple[Player, ...]
    decks: Decks

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name not in ("seed", "decks"))
        return f"State({', '.join(shown)})"

    @property
    def actor(self) -> int | None:
        return None if self.stage == _OVER else (self.turn - 1) % self.seats

    @property
    def goal(self) -> int:
        """The score needed to win."""
        return GOALS[self.options.length]

    def supply(self) -> dict[str, int]:
        """Return colour -> crystals that are not on the board."""
        return {colour: OF_EACH - self.crystals.count(colour) for colour in COLOURS}

    def tool_cost(self) -> int:
        """Return the cost of one more tool for the actor. Raises IndexError when all three are used."""
        return TOOL_COSTS[self._own.tools.used]

    def conditions(self, seat: int) -> tuple[bool, bool, bool]:
        """Return which conditions of victory *seat* meets: the three tools, an orange card, the score."""
        player = self.players[seat]
        return (player.tools.are_all_owned, player.oranges > 0, player.score >= self.goal)

    def meets(self, seat: int) -> bool:
        return self.players[seat].tools.are_all_owned and all(self.conditions(seat))

    @property
    def _own(self) -> Player:
        return self.players[(self.turn - 1) % self.seats]

    def lights(self) -> Lights:
        """Return the board in the form in which ``cards`` searches it for patterns."""
        return lights(self.hexes, self.crystals)

    def standing(self) -> tuple[int, ...]:
        """Return the scores."""
        return tuple(player.score for player in self.players)

    @property
    def outcome(self) -> Outcome | None:
        """Of the seats that meet the conditions (of all, if none does) the highest score wins, then the most orange
        cards; seats that are equal in both share the victory. With the ending `at_once`, the first that meets them."""
        if self.stage != _OVER:
            return None
        if self.options.ending == _AT_ONCE and self.final is not None:
            return Outcome(self.standing(), ((self.turn - 1) % self.seats,), Reason.CONDITIONS)
        meeting = [seat for seat in range(self.seats) if self.meets(seat)]
        candidates = meeting or list(range(self.seats))
        ranks = {seat: (self.players[seat].score, self.players[seat].oranges) for seat in candidates}
        winners = tuple(seat for seat in candidates if ranks[seat] == max(ranks.values()))
        return Outcome(self.standing(), winners, Reason.CONDITIONS if meeting else Reason.NOBODY)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return -(-self.turn // self.seats)

    @property
    def swap_cost(self) -> int:
        """The present cost of a swap: 1 while any well in play is empty."""
        return int(self.crystals.count(NOTHING) > WELLS - len(board(self.seats).wells))
