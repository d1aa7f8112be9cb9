"""The first position of a game: as its options say, or dealt anew from a position of an earlier game.

A game that plays on from an earlier one begins with that position as all players could see it. Its own seed deals the
rest, as a player infers it from what all could see, so nothing of the earlier game comes to light.
"""

from collections.abc import Mapping
from hashlib import sha256

from msgspec import Struct

from rules import GAMES
from rules.chance import Chance
from rules.contract import State


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """The position from which a game plays on.

    *game*: the second hash of the earlier game (`rules.proof.fixed`). *turns*: the turns before this position, also
    those before the earlier game's own origin. *view*: its document as a spectator sees it. *seats*: in this position.
    *seat*: the one of the host; the others take the remaining seats in the order of joining, and AI players the seats
    that are out of the game.
    """

    game: str
    turns: int
    view: str
    seats: int
    seat: int

    def __str__(self) -> str:
        """Return it as a part of the text of a second hash: the SHA-256 of its values, the host's seat from 1."""
        return sha256(f"{self.game} {self.turns} {self.seat + 1} {self.view}".encode()).hexdigest()


def seats_out(game: str, origin: Origin) -> tuple[int, ...]:
    """Return the seats that have no more turns in the position of *origin*. Raises ValueError as `Game.decode` does."""
    view = GAMES[game].decode(origin.view)
    return tuple(seat for seat in range(view.seats) if view.is_out(seat))


def first_position(game: str, seats: int, options: Mapping[str, str], seed: int, origin: Origin | None = None) -> State:
    """Return the first position. Raises ValueError as `rules.contract.Game.start` and `decode` do, or for a number of
    *seats* that does not fit the *origin*."""
    if origin is None:
        return GAMES[game].start(seats, options, seed)
    view = GAMES[game].decode(origin.view)
    fits = view.seats == seats == origin.seats and 0 <= origin.seat < seats and not view.is_out(origin.seat)
    if not fits or view.actor is None or view != view.view(None):
        raise ValueError("no game can play on from there")
    return view.deal_anew(Chance(seed, label="origin"))


def leaves_open(view: State) -> bool:
    """Return whether a spectator's *view* lacks anything that is then dealt anew, other than later chance."""
    dealt = view.deal_anew(Chance(0, label="origin"))
    fields = (name for name in view.__struct_fields__ if name != "seed")  # it decides later chance only
    return any(getattr(dealt, name) != getattr(view, name) for name in fields)
