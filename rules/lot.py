"""Who sits where: the lot, drawn from the seed of the game, so that whoever knows the seed can draw it again."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from rules.chance import Chance


class Player(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody at the table, as far as the lot needs to know. *number*: in the order in which they joined, from 1."""

    number: int
    part: Literal["", "host", "house"] = ""

    def __str__(self) -> str:
        return f"{self.number}{self.part}"


def drawn(players: Sequence[Player], seed: int, *, host_begins: bool) -> tuple[Player, ...]:
    """*players*, who are in the order in which they joined, in the order in which they sit.

    >>> [str(player) for player in drawn((Player(1, "host"), Player(2), Player(3, "house")), 7, host_begins=False)]
    ['1host', '3house', '2']
    """
    return placed(Chance(seed, label="seats").shuffled(players), host_begins=host_begins)


def placed(players: Sequence[Player], *, host_begins: bool) -> tuple[Player, ...]:
    """*players* in this order, but for who begins: the host where the game wants that, and never the house.

    >>> [str(player) for player in placed((Player(3, "house"), Player(2), Player(1, "host")), host_begins=False)]
    ['2', '1host', '3house']
    """
    seats = tuple(players)
    if host_begins:
        seats = tuple(sorted(seats, key=lambda player: player.part != "host"))
    first = next((number for number, player in enumerate(seats) if player.part != "house"), 0)
    return (*seats[first:], *seats[:first])
