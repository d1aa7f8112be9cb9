"""The lot for the seats. It is drawn from the seed of the game, so everyone who knows the seed can repeat it."""

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from rules.chance import Chance


class Player(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A player as the lot sees it. *number*: in the order of joining, from 1. *part*: whether it is the host or an AI
    player."""

    number: int
    part: Literal["", "host", "house"] = ""

    def __str__(self) -> str:
        return f"{self.number}{self.part}"


def draw_seats(players: Sequence[Player], seed: int, *, host_begins: bool) -> tuple[Player, ...]:
    """Return *players*, given in the order of joining, in the order of their seats.

    >>> [str(player) for player in draw_seats((Player(1, "host"), Player(2), Player(3, "house")), 7, host_begins=False)]
    ['1host', '3house', '2']
    """
    return order_seats(Chance(seed, label="seats").shuffled(players), host_begins=host_begins)


def seats_around(players: Sequence[Player], seat: int, out: Collection[int] = ()) -> tuple[Player, ...]:
    """Return *players*, given in the order of joining, in the order of their seats: the host has *seat*, and the last
    ones have the seats that are *out* of the game.

    >>> [str(player) for player in seats_around((Player(1, "host"), Player(2), Player(3, "house")), 1)]
    ['2', '1host', '3house']
    >>> [str(player) for player in seats_around((Player(1, "host"), Player(2), Player(3, "house")), 2, {0})]
    ['3house', '2', '1host']
    """
    line = sorted(players, key=lambda player: player.part != "host")
    plays = [seat, *(number for number in range(len(line)) if number != seat and number not in out)]
    taken = dict(zip((*plays, *sorted(out)), line, strict=True))
    return tuple(taken[number] for number in range(len(line)))


def order_seats(players: Sequence[Player], *, host_begins: bool) -> tuple[Player, ...]:
    """Return *players* in this order, rotated so that an AI player never begins; if *host_begins*, the host does.

    >>> [str(player) for player in order_seats((Player(3, "house"), Player(2), Player(1, "host")), host_begins=False)]
    ['2', '1host', '3house']
    """
    seats = tuple(players)
    if host_begins:
        seats = tuple(sorted(seats, key=lambda player: player.part != "host"))
    first = next((number for number, player in enumerate(seats) if player.part != "house"), 0)
    return (*seats[first:], *seats[:first])
