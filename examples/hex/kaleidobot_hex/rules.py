"""Hex: two seats put stones on a rhombus of hexagons; each joins its two edges, and exactly one of them can.

Readings, if the rules are silent or differ:

 1. Seat 0 joins the upper with the lower edge and begins; seat 1 joins the left with the right edge.
 2. Instead of its first stone, seat 1 may swap: the first stone becomes its own, on the field with row and number
    exchanged. So both seats keep their edges.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal

import msgspec
from msgspec import Struct

from kaleidobot_hex import judging
from kaleidobot_hex.board import Board, board, mirrored
from rules import contract
from rules.chance import Chance
from rules.contract import BadNotation, Game, IllegalAction, News, Option, Outcome, require
from rules.notation import LETTER_FIRST, plain, stray

CODES: Final[Mapping[str, tuple[str, ...]]] = {
    "refused": ("over", "off_board", "occupied", "no_swap", "notation"),
    "news": ("aim", "place", "swap"),
    "reason": ("joined",),
    "why": ("wins", "saves", "blocks", "shortens", "takes"),
    "part": ("swap",),
}
"""All codes that have a text in the catalogues, by the first word of the text's id."""


class Place(Struct, frozen=True, gc=False):
    """Put a stone on an empty field."""

    field: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.field[0], self.field[1:])

    def __str__(self) -> str:
        return self.field


class Swap(Struct, frozen=True, gc=False):
    """Take over the first stone. Reading 2."""

    @property
    def parts(self) -> tuple[str, ...]:
        return ("swap",)

    def __str__(self) -> str:
        return "swap"


Action = Place | Swap
SWAP: Final = Swap()


@cache
def _places(size: int) -> tuple[tuple[int, Place], ...]:
    """Return every placement with the bit of its field, in field order."""
    return tuple((bit, Place(name)) for name, bit in board(size).bits.items())


class Options(Struct, frozen=True):
    size: Literal["11", "7"]
    swap: Literal["on", "off"]


class Position(Struct, frozen=True):
    """A position. *actor*: None once the game is over. *last*: the latest action in notation, None before the first."""

    seats: int
    options: Options
    seed: int | None
    actor: int | None
    stones: tuple[int, int]
    last: str | None

    @property
    def board(self) -> Board:
        return board(int(self.options.size))

    @property
    def newest(self) -> str | None:
        """The field of the newest stone."""
        return next(self.board.each(self.stones[1]), None) if self.last == "swap" else self.last

    @property
    def may_swap(self) -> bool:
        return self.options.swap == "on" and self.actor == 1 and self.stones[0] > 0 == self.stones[1]

    @property
    def mover(self) -> int | None:
        """The seat of the newest stone."""
        return next((seat for seat in (0, 1) if self.newest and self.stones[seat] & self.board.bits[self.newest]), None)

    def chain(self, seat: int) -> int:
        """Return the stones of *seat* that join its edges; 0 if none do."""
        return self.board.chain(seat, self.stones[seat])

    def way(self, seat: int) -> judging.Way:
        return judging.way(self.board, seat, self.stones[seat], self.stones[1 - seat])


class State(Position, contract.State, frozen=True):
    """A position with the rules of play."""

    @property
    def outcome(self) -> Outcome | None:
        if self.actor is not None:
            return None
        winner = 0 if self.chain(0) else 1
        return Outcome((1 - winner, winner), (winner,), "joined")

    def actions(self) -> tuple[Action, ...]:
        if self.actor is None:
            return ()
        taken = self.stones[0] | self.stones[1]
        free = [place for bit, place in _places(self.board.size) if not taken & bit]
        return (SWAP, *free) if self.may_swap else tuple(free)

    def play(self, action: Action) -> "State":
        if self.actor is None:
            raise IllegalAction("over")
        if isinstance(action, Swap):
            if not self.may_swap:
                raise IllegalAction("no_swap")
            stones = (0, self.board.bits[mirrored(self.board.names[self.stones[0]])])
            return msgspec.structs.replace(self, actor=0, stones=stones, last="swap")
        bit = self.board.bits.get(action.field)
        if bit is None:
            raise IllegalAction("off_board", action.field)
        if (self.stones[0] | self.stones[1]) & bit:
            raise IllegalAction("occupied", action.field)
        stones = (self.stones[0] | bit, self.stones[1]) if self.actor == 0 else (self.stones[0], self.stones[1] | bit)
        actor = None if self.board.chain(self.actor, stones[self.actor]) else 1 - self.actor
        return State(2, self.options, self.seed, actor, stones, action.field)

    def turn_of(self, seat: int) -> "State | None":
        return None if self.actor is None else msgspec.structs.replace(self, actor=seat)

    def view(self, seat: int | None) -> "State":
        """Return the position without its seed; nothing else is hidden."""
        return msgspec.structs.replace(self, seed=None)

    def deal_anew(self, chance: Chance, before: Sequence["State"] = ()) -> "State":
        return msgspec.structs.replace(self, seed=chance.seed())

    def win_probability(self, seat: int) -> float:
        return judging.win_probability(self.way(seat), self.way(1 - seat), to_move=self.actor == seat)

    def tactical_actions(self) -> Sequence[Action]:
        """Return the fields that bring a seat across if bridges hold: the actor, else the other one."""
        if self.actor is None:
            return ()
        for seat in (self.actor, 1 - self.actor):
            way = self.way(seat)
            if way.needs == 1:
                return tuple(Place(field) for field in self.board.each(way.fields))
        return ()

    def search_actions(self) -> Sequence[Action]:
        """Return the fields on a shortest way of either seat and beside the newest stone, and the swap.

        A first stone that may be swapped is on an edge of the other seat: elsewhere it would be too good.
        """
        actions = self.actions()
        if self.newest is None:
            weak = self.board.edges[1][0] << 1 | self.board.edges[1][1] >> 1 if self.options.swap == "on" else -1
            return tuple(place for bit, place in _places(self.board.size) if weak & bit)
        near = self.board.around(self.board.bits[self.newest])
        ways = self.way(0).fields | self.way(1).fields | near
        return tuple(action for action in actions if isinstance(action, Swap) or ways & self.board.bits[action.field])

    def opening_news(self) -> tuple[News, ...]:
        return (News("aim", 0, (), 1),)

    def news(self, action: Action, after: "State") -> tuple[News, ...]:
        if isinstance(action, Swap):
            return (News("swap", self.actor, (("field", after.newest or ""),)),)
        return (News("place", self.actor, (("field", action.field),)),)

    def reasons(self, action: Action, before: Sequence["State"] = ()) -> tuple[News, ...]:
        seat, after = self.actor, self.play(action)
        if seat is None:
            return ()
        if isinstance(action, Swap):
            return (News("takes", seat),)
        if after.actor is None:
            return (News("wins", seat),)
        mine, theirs = self.way(seat).needs, self.way(1 - seat).needs
        found = []
        if after.way(1 - seat).needs > theirs:
            found.append(News("saves" if theirs == 1 else "blocks", seat, (), 1 - seat))
        if after.way(seat).needs < mine:
            found.append(News("shortens", seat))
        return tuple(found)


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["hex"]
    seats: int
    options: Options
    seed: int | None
    actor: int | None
    stones: tuple[tuple[str, ...], tuple[str, ...]]
    last: str | None


_SWAPS: Final = frozenset({"swap", "tausch", "tauschen"})
_FIELD: Final = re.compile(r"([a-k]) ?([0-9]{1,2})")


class Hex(Game):
    """The rules of Hex, as a ``rules.contract.Game``."""

    id: Final = "hex"
    seats: Final = range(2, 3)
    options: Final = (Option("size", ("11", "7"), "11"), Option("swap", ("on", "off"), "on"))
    shortest: Final = {"size": "7"}

    def uses_chance(self, options: Mapping[str, str]) -> bool:
        return False

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int | None = None) -> State:
        chosen = msgspec.convert(contract.checked_options(self.options, options), Options)
        seats, seed = contract.checked_seats(self.seats, seats), contract.checked_seed(seed)
        return State(seats, chosen, seed, 0, (0, 0), None)

    def parse(self, state: State, text: str) -> tuple[Action]:
        typed = plain(text)
        if typed in _SWAPS:
            return (SWAP,)
        form = _FIELD.fullmatch(typed)
        if form and form[1] + form[2] in state.board.bits:
            return (Place(form[1] + form[2]),)
        raise BadNotation(typed[:40], missing=stray(typed, LETTER_FIRST, state.board.bits))

    def encode(self, state: State) -> bytes:
        begun = state.seats, state.options, state.seed
        own, other = (tuple(state.board.each(stones)) for stones in state.stones)
        return msgspec.json.encode(_Document("hex", *begun, state.actor, (own, other), state.last))

    def decode(self, data: bytes | str) -> State:
        """Return the position of a document. Raises ValueError that names the first error."""
        read = msgspec.json.decode(data, type=_Document)
        bits = board(int(read.options.size)).bits
        for field in (*read.stones[0], *read.stones[1]):
            require(field in bits, f"there is no field {field!r}")
        require(len({*read.stones[0], *read.stones[1]}) == sum(map(len, read.stones)), "a field has two stones")
        one, two = (sum(bits[field] for field in own) for own in read.stones)
        seats, seed = contract.checked_seats(self.seats, read.seats), contract.checked_seed(read.seed)
        state = State(seats, read.options, seed, read.actor, (one, two), read.last)
        _check_turn(state)
        return state


def _check_turn(state: State) -> None:
    """Check that the seats have put stones in turn, and that the actor and the last action fit them."""
    first, second = state.stones
    require(state.actor in (None, 0, 1), "there is no such actor")
    joined = [seat for seat in (0, 1) if state.chain(seat)]
    require((state.actor is None) == bool(joined), "the game is over once edges are joined, and not before")
    mover = joined[0] if state.actor is None else 1 - state.actor
    ahead = first.bit_count() - second.bit_count() + mover
    swapped = ahead == 0 and second > 0 and state.options.swap == "on"
    require(ahead == 1 or swapped, "the seats have not put stones in turn")
    if swapped and not first:
        require(state.last == "swap", "the last action was the swap")
    elif first or state.last is not None:
        put = state.board.bits.get(state.last or "", 0)
        require(state.stones[mover] & put != 0, "the last action put no stone there")
        require(not state.board.chain(mover, state.stones[mover] & ~put), "the last stone joined no edges")


GAME: Final = Hex()
