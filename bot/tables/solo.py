"""Results of one person against the house alone, unrated. Pure."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from bot.tables import rating
from bot.tables.anonymous import is_house, is_nobody
from bot.tables.table import Phase, Table
from rules import GAMES

GOAL = 2
"""Wins over a level of the house before the next level is the goal."""


class SoloRecord(Struct, frozen=True, omit_defaults=True):
    """A person's results against the house in one game at one level. The other games were drawn.

    *best*: the most points, or None in a game without points. *streak*: wins in a row, up to the newest game.
    """

    games: int = 0
    wins: int = 0
    losses: int = 0
    best: int | None = None
    streak: int = 0


class SoloResult(Struct, frozen=True):
    """How a table ended for the only person at it. *points*: None without a complete game with points."""

    seat: int
    is_won: bool
    is_lost: bool
    points: int | None = None


def result(table: Table) -> SoloResult | None:
    """Return the result of the person who played alone against the house, or None for a table that does not count.

    A person who resigns has lost, also if the house plays in several seats. A game that was ended without a winner does
    not count, nor one with a second person in it.
    """
    ended, people = table.result, [number for number, seat in enumerate(table.seats) if not is_house(seat.person)]
    if table.phase != Phase.OVER or ended is None or len(people) != 1 or len(table.seats) == 1:
        return None
    (seat,) = people
    resigned = ended.of_table and ended.reason == "left" and ended.by == (seat,)
    if is_nobody(table.seats[seat].person) or (ended.of_table and not resigned and ended.reason not in rating.OF_TABLE):
        return None
    is_won = seat in rating.won(table)
    return SoloResult(seat, is_won, resigned or seat not in ended.winners, _points(table, seat))


def _points(table: Table, seat: int) -> int | None:
    ended = table.result
    if ended is None or ended.of_table or ended.scores is None or isinstance(table.state, msgspec.UnsetType):
        return None
    has_points = GAMES[table.game].decode(bytes(table.state)).standing() is not None
    return ended.scores[seat] if has_points else None


def next_goal(levels: Mapping[str, SoloRecord], order: Sequence[str]) -> str | None:
    """Return the level to beat next, or None if the hardest one is beaten. *order*: the levels, the easiest first.

    >>> next_goal({"easy": SoloRecord(3, 2), "hard": SoloRecord(1, 1)}, ("easy", "medium", "hard"))
    'medium'
    """
    beaten = [number for number, level in enumerate(order) if levels.get(level, SoloRecord()).wins >= GOAL]
    return next(iter(order[max(beaten, default=-1) + 1 :]), None)
