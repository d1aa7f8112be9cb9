"""How good people are at a game, as far as its results tell: pure, with openskill's arithmetic behind it.

A finished game ranks its people; the ranks move what is believed of everybody's skill: *mu*, how good it probably is,
and *sigma*, how far off that may be. The rating that people read takes the doubt off, so that one lucky game tops
nothing, and begins at 1000.
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
"""What is believed of somebody who is new: openskill's own beginning."""
BEGINNING = 1000
SCALE = 20
"""Rating for each unit of skill."""
RECENT = 20
DOUBT = 3
"""So many sigmas are taken off: with more than 99 % the true skill is higher."""

OF_TABLE = frozenset({"resigned", "timeout"})
"""How a game can end that the rules did not end, and yet somebody has won it. One ended by agreement, or left by all,
tells nothing."""


class Record(Struct, frozen=True):
    """What somebody has reached in one game in one place. *wins*: alone or shared, but never with everybody.

    *recent*: the rating after each of the newest games, at most ``RECENT``; of older ones nobody noted it.
    """

    games: int = 0
    wins: int = 0
    mu: float = MU
    sigma: float = SIGMA
    recent: tuple[int, ...] = ()

    @property
    def skill(self) -> float:
        """What can be counted on: the order of a list of the best."""
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
        """How the rating got to where it is: from the beginning, where all games are known, else as far as they are.

        >>> Record(2, 1, recent=(1020, 1010)).course, Record(50).course
        ((1000, 1020, 1010), (1000,))
        """
        return (BEGINNING, *self.recent) if len(self.recent) == self.games else self.recent or (self.rating,)


class Called(Struct, frozen=True, omit_defaults=True):
    """What somebody was called when last seen in a place. *handle*: as `bot.chat.Person` has it."""

    name: str
    handle: str = ""


class Reached(Struct, frozen=True):
    """Somebody's record in one game in one place."""

    person: PersonId
    called: Called
    record: Record


def counts(table: Table) -> bool:
    """Whether the result of *table* will go into the records: with the house as a guest one plays for fun."""
    return len(table.seats) > 1 and not any(is_house(seat.person) for seat in table.seats)


def ranks(table: Table) -> tuple[int, ...] | None:
    """The rank of every seat, 0 for the best, equal ones for equals; None for a table that does not count.

    Winners come first, then the others by their points, at the end whoever left a seat to the house: together, and
    whatever the house made of it.
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
    return tuple(order.index(each) for each in worth)


def moved(log: Iterable[Entry]) -> frozenset[int]:
    """The seats whose people made a move of their own, by the whole *log*: nobody else is rated. What was taken back is
    none, and to offer a draw, or to agree to one, moves nothing."""
    return frozenset(each.seat for each in effective(log) if each.by == By.PERSON and each.action != DRAW)


def won(table: Table) -> frozenset[int]:
    """The seats whose people have won: none of them in a game that all won together, which is a draw."""
    winners = () if table.result is None else table.result.winners
    if len(winners) == len(table.seats):
        return frozenset()
    return frozenset(seat for seat in winners if not table.seats[seat].house)


def total(places: Iterable[Mapping[str, Record]]) -> dict[str, tuple[int, int]]:
    """Games and wins in each game, over several places; there is no rating over places, as other people play there.

    >>> total([{"chess": Record(2, 1)}, {"chess": Record(3), "go": Record(1, 1)}])
    {'chess': (5, 1), 'go': (1, 1)}
    """
    found: dict[str, tuple[int, int]] = {}
    for records in places:
        for game, record in records.items():
            games, wins = found.get(game, (0, 0))
            found[game] = (games + record.games, wins + record.wins)
    return found


def rated(records: Sequence[Record], ranks: Sequence[int], won: frozenset[int] = frozenset()) -> tuple[Record, ...]:
    """These *records* after a game that ended in these *ranks*; those with the numbers *won* have won it.

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
    """*record* after one more game."""
    made = Record(record.games + 1, record.wins + won, mu, sigma)
    return replace(made, recent=(*record.recent, made.rating)[-RECENT:])


@cache
def _model() -> "BradleyTerryFull":
    """Everybody against everybody: the one of openskill's models in which an equal rank never pays less than a worse
    one (Weng and Lin, JMLR 12, 2011, algorithm 1). A game never adds to the doubt, so whoever wins alone never falls.

    Loaded with the first game that ends, as that costs 30 ms and some megabytes.
    """
    from openskill.models import BradleyTerryFull

    return BradleyTerryFull(mu=MU, sigma=SIGMA, limit_sigma=True)
