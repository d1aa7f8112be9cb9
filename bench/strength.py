"""The strength of the house: games against yardsticks and between its levels, with 95 % intervals, as one table.

    python -m bench.strength [GAME ...] [--games N] [--seats N] [--only WORDS] [--first N]

A yardstick has 0.1 s a decision, and so has the house against it; between levels each has a tenth of its time. Seats
are taken in turn. All time is CPU time of the thread that thinks, so a busy machine makes it take longer and changes
nothing else. The whole table takes about three hours of one core (its last column has the time of each row);
``make bench`` plays a few games, and a claim needs 60 and more of each pair.

Of an installed game, *hard* plays against *easy*, too, and the most frequent openings are listed, each with its number
of games: one that is always the same, or always taken over, shows a fault of the evaluation function.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from math import inf, sqrt
from typing import Any, Final

from msgspec import Struct, field

from bench import Row, yardsticks
from bench.yardsticks import Player
from bot.house import LEVELS, Level, limit, think
from rules import GAMES, PACKAGES
from rules.chance import Chance

A_DECISION = 0.1
TENTH = 0.1
DECISIONS = 3
"""Between levels the time of a turn is for so many decisions."""
ENDLESS = 3000
MOST_FREQUENT = 8


class Tally(Struct):
    """Games of one player against others of another kind. *won*: a shared win counts as its share. *openings*: the
    first two actions, with the number of games."""

    games: int = 0
    won: float = 0.0
    turns: int = 0
    seconds: float = 0.0
    openings: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return self.won / self.games

    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share (Wilson)."""
        z, n, p = 1.96, self.games, self.share
        middle, width = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)


def house(game: str, level: str, seconds: float | None = None) -> Player:
    """Return the house at a *level*, with *seconds* for each decision."""

    def player(seen: Any, seat: int, chance: Chance) -> Any:
        return think(game, seen, seat, level, chance, seconds=seconds)

    return player


def winners(game: str, players: list[Player], seed: int, spent: Tally | None = None, timed: int = 0) -> tuple[int, ...]:
    """Play a game and return its winners; all seats win an endless one. *spent*: gets the time of the seat *timed*."""
    state: Any = GAMES[game].start(len(players), None, seed)
    seen: list[list[Any]] = [[] for _ in players]
    opening = list[str]()
    for number in range(ENDLESS):
        if state.actor is None:
            won: tuple[int, ...] = state.outcome.winners
            return won
        for seat, views in enumerate(seen):
            views.append(state.view(seat))
        actor, begun = state.actor, time.thread_time()
        action = players[actor](seen[actor], actor, Chance(seed, number << 8, f"seat {actor}"))
        after = state.play(action)
        opening += [str(action)] * (number < 2)
        if spent is not None and number == 1:
            spent.openings[" ".join(opening)] += 1
        if spent is not None and actor == timed:
            spent.seconds += time.thread_time() - begun
            spent.turns += state.ends_turn(after)
        state = after
    return tuple(range(len(players)))


def match(game: str, ours: Player, theirs: Player, games: int, seats: int = 2, first: int = 0) -> Tally:
    """Play *games* of one of ours against theirs, at each seat in turn; each seed is played once at each seat."""
    tally = Tally()
    for number in range(first, first + games):
        seat = number % seats
        players = [ours if seat_ == seat else theirs for seat_ in range(seats)]
        won = winners(game, players, 1000 + number // seats, tally, seat)
        tally.games += 1
        tally.won += (seat in won) / len(won)
    return tally


class Pair(Struct, frozen=True):
    """Two kinds of players, and the share of games of two seats that *ours* has to win: "hard-flat". With more seats,
    it has to win at least twice its share."""

    better: str
    worse: str
    goal: float
    ours: Player
    theirs: Player

    @property
    def name(self) -> str:
        return f"{self.better}-{self.worse}"


FLAT: Final = ("kabooom", "colorio", "crystalla")
DEEP: Final = ("kalejdoschach",)
"""Games with a yardstick besides those that all games have."""
GOALS: Final = {"kaleidoskop": 0.75, "colorio": 0.75}
"""Of *hard* against looking one action ahead; else 0.9."""
CROWDED: Final = (3, 4)


def pairs(game: str) -> Iterator[Pair]:
    """Yield the pairs of players in *game*."""

    def measured(level: str) -> Player:
        return house(game, level, A_DECISION)

    def tenth(level: Level) -> Player:
        return house(game, level, LEVELS[level].seconds * TENTH / DECISIONS)

    yield Pair("hard", "one action", GOALS.get(game, 0.9), measured("hard"), yardsticks.one_action)
    if game in FLAT:
        yield Pair("hard", "flat", 0.75, measured("hard"), yardsticks.flat(A_DECISION))
    if game in DEEP:
        yield Pair("hard", "depth two", 0.7, measured("hard"), yardsticks.two_actions)
    yield Pair("hard", "medium", 0.65, tenth(Level.HARD), tenth(Level.MEDIUM))
    yield Pair("medium", "easy", 0.75, tenth(Level.MEDIUM), tenth(Level.EASY))
    if game in PACKAGES:
        yield Pair("hard", "easy", 0.95, tenth(Level.HARD), tenth(Level.EASY))
    yield Pair("easy", "random", 0.6, measured("easy"), yardsticks.at_random)


def measurements(game: str) -> Iterator[tuple[Pair, int, float]]:
    """Yield the measurements of *game*: the pair, the number of seats, the goal."""
    for pair in pairs(game):
        yield pair, 2, pair.goal
    against_old = next(pairs(game))
    for seats in CROWDED:
        if seats in GAMES[game].seats:
            yield against_old, seats, 2 / seats


def rows(*, small: bool = False) -> Iterator[Row]:
    """A few games of *hard* against a search of depth one."""
    games = 1 if small else 2
    for game in ["kabooom"] if small else GAMES:
        seconds = 0.001 if small else A_DECISION
        tally = match(game, house(game, Level.HARD, seconds), yardsticks.one_action, games)
        figure = f"{tally.won:.0f} of {games} games, {tally.seconds / tally.turns:.2f} s CPU a turn"
        yield f"house, hard, {game}", figure, "against looking one action ahead", "≥ 75 % of 60, see `make strength`"


HEAD: Final = """\
| game | seats | players | won | of games | 95 % interval | goal | seconds a turn | minutes |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def row(game: str, pair: Pair, seats: int, goal: float, games: int, first: int, openings: Counter[str]) -> str:
    """Measure, and return a line of the table. *openings*: gets those of these games."""
    begun = time.process_time()
    tally = match(game, pair.ours, pair.theirs, games, seats, first)
    openings.update(tally.openings)
    low, high = tally.interval()
    cells = (
        game,
        f"{seats}",
        f"*{pair.better}* against {pair.worse}",
        f"{tally.share:.0%}",
        f"{tally.games}",
        f"{low:.0%} to {high:.0%}",
        f"≥ {goal:.0%}",
        f"{tally.seconds / tally.turns:.2f}",
        f"{(time.process_time() - begun) / 60:.1f}",
    )
    return f"| {' | '.join(cells)} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description="Measure the strength of the house.")
    parser.add_argument("game", nargs="*", default=[*GAMES], help="all of them, if none is named")
    parser.add_argument("--games", type=int, default=60, help="number of games of each pair")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--only", default="", help='only this pair: "hard-flat"')
    parser.add_argument("--first", type=int, default=0, help="number of the first game, to play other games")
    wish = parser.parse_args()
    limit.OVERRUN_S = inf  # other load on the machine cuts no thought short
    sys.stdout.write(HEAD)
    openings: dict[str, Counter[str]] = {game: Counter() for game in wish.game}
    for game in wish.game:
        for pair, seats, goal in measurements(game):
            if wish.only in pair.name and wish.seats in (None, seats):
                sys.stdout.write(row(game, pair, seats, goal, wish.games, wish.first, openings[game]))
                sys.stdout.flush()
    for game in [game for game in wish.game if game in PACKAGES]:
        most = ", ".join(f"{begun} ({number})" for begun, number in openings[game].most_common(MOST_FREQUENT))
        sys.stdout.write(f"\nOpenings of {game}: {most}\n")


if __name__ == "__main__":
    main()
