"""Ratings from the results of games, computed by openskill. Pure.

A finished game ranks its people, and the ranks change the estimate of each skill: *mu*, its mean, and *sigma*, its
standard deviation. The rating that people read subtracts the doubt, so that one lucky game does not lead a list, and
begins at 1000.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from bot.chat import PersonId
from bot.tables.anonymous import is_house
from bot.tables.logbook import effective
from bot.tables.table import DRAW, By, Entry, Phase, Table

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

MU = 25.0
SIGMA = MU / 3
"""The estimate for a new player: openskill's default."""
BEGINNING = 1000
SCALE = 20
"""Rating points for a unit of skill."""
RECENT = 20
DOUBT = 3
"""Sigmas that are subtracted: with more than 99 % probability the true skill is higher."""

OF_TABLE = frozenset({"resigned", "timeout"})
"""Reasons for which a table ends before the game does and yet has a winner. Other such ends do not count."""


class Record(Struct, frozen=True):
    """A person's results in one game in one place. *wins*: alone or shared, but never by all players.

    *recent*: the rating after each of the newest games, at most `RECENT`.
    """

    games: int = 0
    wins: int = 0
    mu: float = MU
    sigma: float = SIGMA
    recent: tuple[int, ...] = ()

    @property
    def skill(self) -> float:
        """The cautious estimate, by which a ranking is ordered."""
        return self.mu - DOUBT * self.sigma

    @property
    def rating(self) -> int:
        """The skill as people read it.

        >>> Record().rating
        1000
        """
        return round(BEGINNING + SCALE * self.skill)

    @property
    def course(self) -> tuple[int, ...]:
        """The ratings over time: from the beginning if all games are known, else as far back as they are.

        >>> Record(2, 1, recent=(1020, 1010)).course, Record(50).course
        ((1000, 1020, 1010), (1000,))
        """
        return (BEGINNING, *self.recent) if len(self.recent) == self.games else self.recent or (self.rating,)


class Called(Struct, frozen=True, omit_defaults=True):
    """A person's names when last active in a place. *handle*: as in `bot.chat.Person`."""

    name: str
    handle: str = ""


class Reached(Struct, frozen=True):
    """A person's record in one game in one place."""

    person: PersonId
    called: Called
    record: Record


def counts(table: Table) -> bool:
    """Return whether the result of *table* counts for the records: not if the house is a guest, a channel
    plays, or it plays on from an earlier game."""
    if table.origin is not None or len(table.seats) < 2:
        return False
    return not any(is_house(seat.person) or seat.is_channel for seat in table.seats)


def ranks(table: Table) -> tuple[int, ...] | None:
    """Return the rank of each seat, 0 for the best and equal ranks for ties, or None for a table that does not count.

    Winners come first, then the others by points, and last, all tied, the people whose seats the house took.
    """
    result = table.result
    if table.phase != Phase.OVER or result is None or (result.of_table and result.reason not in OF_TABLE):
        return None
    if not counts(table):
        return None
    scores = result.scores or (0,) * len(table.seats)
    worth = [
        (0, 0) if seat.house else (2, 0) if number in result.winners else (1, scores[number])
        for number, seat in enumerate(table.seats)
    ]
    order = sorted(set(worth), reverse=True)
    return tuple(order.index(key) for key in worth)


class Rated(Struct, frozen=True):
    """A person for whom a finished game counts. *rank*: 0 for the best."""

    person: PersonId
    called: Called
    rank: int
    has_won: bool = False


def players(table: Table, log: Sequence[Entry]) -> tuple[Rated, ...]:
    """Return the people for whom *table* counts: those with a move of their own. *log*: the whole log.

    A leaver is last, like a person whose seat the house took. A substitute is rated if they wanted it.
    """
    order = ranks(table)
    if order is None:
        return ()
    acts, winners = _moves(log), won(table)
    last = max(order) + all(not seat.house for seat in table.seats)
    sit = [
        Rated(seat.person, Called(seat.name, seat.handle), order[number], number in winners)
        for number, seat in enumerate(table.seats)
        if seat.rated and any(act.seat == number and act.revision > seat.since for act in acts)
    ]
    since = dict.fromkeys(range(len(table.seats)), 0)
    for leaver in table.leavers:
        has_moved = any(act.seat == leaver.seat and since[leaver.seat] < act.revision <= leaver.until for act in acts)
        since[leaver.seat] = leaver.until
        if leaver.rated and has_moved:
            sit.append(Rated(leaver.person, Called(leaver.name, leaver.handle), last))
    return tuple(sit)


def _moves(log: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in effective(log) if entry.by == By.PERSON and entry.action != DRAW]


def moved(log: Iterable[Entry]) -> frozenset[int]:
    """Return the seats of people who made a move; only these are rated. *log*: the whole log.

    Moves that were taken back do not count, nor do offers of a draw and agreements to one.
    """
    return frozenset(entry.seat for entry in _moves(log))


def won(table: Table) -> frozenset[int]:
    """Return the seats of people who won; a game that all won together is a draw without winners."""
    winners = () if table.result is None else table.result.winners
    if len(winners) == len(table.seats):
        return frozenset()
    return frozenset(seat for seat in winners if not table.seats[seat].house)


def total(places: Iterable[Mapping[str, Record]]) -> dict[str, tuple[int, int]]:
    """Return games and wins by game, over several places. Ratings of different places are not comparable.

    >>> total([{"chess": Record(2, 1)}, {"chess": Record(3), "go": Record(1, 1)}])
    {'chess': (5, 1), 'go': (1, 1)}
    """
    totals: dict[str, tuple[int, int]] = {}
    for records in places:
        for game, record in records.items():
            games, wins = totals.get(game, (0, 0))
            totals[game] = (games + record.games, wins + record.wins)
    return totals


def rated(records: Sequence[Record], ranks: Sequence[int], won: frozenset[int] = frozenset()) -> tuple[Record, ...]:
    """Return *records* after a game with these *ranks*; the players with the numbers *won* have won it.

    >>> anna, ben = rated((Record(), Record()), (0, 1), frozenset({0}))
    >>> anna.wins, ben.wins, anna.rating > 1000 > ben.rating
    (1, 0, True)
    """
    model = _model()
    teams = [[model.rating(mu=record.mu, sigma=record.sigma)] for record in records]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return tuple(
        _played(record, seat in won, believed.mu, believed.sigma)
        for seat, (record, (believed,)) in enumerate(zip(records, after, strict=True))
    )


def _played(record: Record, won: bool, mu: float, sigma: float) -> Record:
    """Return *record* after one more game."""
    made = Record(record.games + 1, record.wins + won, mu, sigma)
    return replace(made, recent=(*record.recent, made.rating)[-RECENT:])


@cache
def _model() -> "BradleyTerryFull":
    """Return the model of full pairing (Weng and Lin, JMLR 12, 2011, algorithm 1).

    It is openskill's only model in which a tied rank never pays less than a worse one. ``limit_sigma``: a game never
    increases the doubt, so a sole winner never loses points.

    Imported with the first game that ends: the import takes 30 ms and some megabytes.
    """
    from openskill.models import BradleyTerryFull

    return BradleyTerryFull(mu=MU, sigma=SIGMA, limit_sigma=True)
