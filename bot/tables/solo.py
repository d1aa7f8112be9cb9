"""Results of one person against the house alone, unrated. Pure."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from bot.tables import rating
from bot.tables.anonymous import is_house, is_nobody
from bot.tables.table import Phase, Table
from rules import GAMES, State

GOAL = 2
"""Wins over a level of the house before the next level is the goal."""


class SoloRecord(Struct, frozen=True, omit_defaults=True):
    """A person's results against the house in one game at one level. The other games were drawn.

    *best*: the most points, or None in a game without points. *streak*: wins in a row, up to the newest game. *badges*:
    the ids of the game's badges (`rules.contract.Badge`) that were won at this level.
    """

    games: int = 0
    wins: int = 0
    losses: int = 0
    best: int | None = None
    streak: int = 0
    badges: tuple[str, ...] = ()


class SoloResult(Struct, frozen=True):
    """How a table ended for the only person at it. *points*: None without a complete game with points. *badges*: that
    the person has won, also if not for the first time."""

    seat: int
    is_won: bool
    is_lost: bool
    points: int | None = None
    badges: tuple[str, ...] = ()


def result(table: Table) -> SoloResult | None:
    """Return the result of the person who played alone against the house, or None for a table that does not count.

    A person who resigns has lost, also if the house plays in several seats. A game that was ended without a winner does
    not count, nor one with a second person in it.
    """
    ended, people = table.result, [number for number, seat in enumerate(table.seats) if not is_house(seat.person)]
    if table.phase != Phase.OVER or ended is None or table.origin is not None:
        return None
    if len(people) != 1 or len(table.seats) == 1:
        return None
    (seat,) = people
    if table.seats[seat].since:  # a substitute
        return None
    resigned = ended.of_table and ended.reason == "left" and ended.by == (seat,)
    if is_nobody(table.seats[seat].person) or (ended.of_table and not resigned and ended.reason not in rating.OF_TABLE):
        return None
    is_won = seat in rating.won(table)
    is_lost, state = resigned or seat not in ended.winners, _last_position(table)
    if state is None:
        return SoloResult(seat, is_won, is_lost)
    points = ended.scores[seat] if ended.scores is not None and state.standing() is not None else None
    badges = tuple(badge.id for badge in GAMES[table.game].badges if is_won and badge.is_earned(state, seat))
    return SoloResult(seat, is_won, is_lost, points, badges)


def _last_position(table: Table) -> State | None:
    """Return the last position of a game that was played to its end, or None."""
    if table.result is None or table.result.of_table or isinstance(table.state, msgspec.UnsetType):
        return None
    return GAMES[table.game].decode(bytes(table.state))


def next_goal(levels: Mapping[str, SoloRecord], order: Sequence[str]) -> str | None:
    """Return the level to beat next, or None if the hardest one is beaten. *order*: the levels, the easiest first.

    >>> next_goal({"easy": SoloRecord(3, 2), "hard": SoloRecord(1, 1)}, ("easy", "medium", "hard"))
    'medium'
    """
    beaten = [number for number, level in enumerate(order) if levels.get(level, SoloRecord()).wins >= GOAL]
    return next(iter(order[max(beaten, default=-1) + 1 :]), None)
