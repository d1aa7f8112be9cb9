"""How strong the house is: games against yardsticks and between its levels, with 95 % intervals.

    python -m bench.strength [GAME ...] [--games N] [--seats N] [--only WORD]

A yardstick has 0.1 s a decision, and so has the house against it; between levels each has a tenth of its time. Seats
are taken in turn. ``make bench`` plays a few games; 60 and more of each pair are what a claim needs.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import sqrt
from typing import Any

from msgspec import Struct

from bench import yardsticks
from bench.yardsticks import Player
from bot.house import LEVELS, Level, think
from rules import GAMES
from rules.chance import Chance

A_DECISION = 0.1
TENTH = 0.1
ENDLESS = 3000


class Tally(Struct):
    """Games of one player against others of another kind; *won*: a shared win counts as its share."""

    games: int = 0
    won: float = 0.0
    turns: int = 0
    seconds: float = 0.0

    @property
    def share(self) -> float:
        return self.won / self.games

    def interval(self) -> tuple[float, float]:
        """The share's 95 % interval by Wilson."""
        z, n, p = 1.96, self.games, self.share
        middle, width = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)


def house(game: str, level: str, seconds: float | None = None) -> Player:
    """The house at a *level*, with so many *seconds* a decision."""

    def player(seen: Any, seat: int, chance: Chance) -> Any:
        return think(game, seen, seat, level, chance, seconds=seconds)

    return player


def winners(game: str, players: list[Player], seed: int, spent: Tally | None = None, timed: int = 0) -> tuple[int, ...]:
    """One game; who won it. What the seat *timed* needs is added to *spent*. An endless game is everybody's."""
    state: Any = GAMES[game].start(len(players), None, seed)
    seen: list[list[Any]] = [[] for _ in players]
    for number in range(ENDLESS):
        if state.actor is None:
            won: tuple[int, ...] = state.outcome.winners
            return won
        for seat, views in enumerate(seen):
            views.append(state.view(seat))
        actor, begun = state.actor, time.thread_time()
        after = state.play(players[actor](seen[actor], actor, Chance(seed, number << 8, f"seat {actor}")))
        if spent is not None and actor == timed:
            spent.seconds += time.thread_time() - begun
            spent.turns += state.ends_turn(after)
        state = after
    return tuple(range(len(players)))


def match(game: str, ours: Player, theirs: Player, games: int, seats: int = 2, first: int = 0) -> Tally:
    """So many *games* of one of ours against theirs, at each seat in turn; a seed goes round the seats."""
    tally = Tally()
    for number in range(first, first + games):
        seat = number % seats
        players = [ours if each == seat else theirs for each in range(seats)]
        won = winners(game, players, 1000 + number // seats, tally, seat)
        tally.games += 1
        tally.won += (seat in won) / len(won)
    return tally


def _same(player: Player, game: str) -> Player:
    """A yardstick plays every *game* alike."""
    assert game in GAMES
    return player


Pair = tuple[str, str, Callable[[str], Player], Callable[[str], Player]]


def pairs() -> Iterator[Pair]:
    """Who plays against whom."""
    opponents: dict[str, Player] = {
        "random": yardsticks.at_random,
        "one action": yardsticks.one_action,
        "flat": yardsticks.flat(A_DECISION),
        "depth two": yardsticks.two_actions,
    }
    for name, opponent in opponents.items():
        yield "hard", name, partial(house, level="hard", seconds=A_DECISION), partial(_same, opponent)
    yield "easy", "random", partial(house, level="easy", seconds=A_DECISION), partial(_same, yardsticks.at_random)
    for better, worse in ((Level.MEDIUM, Level.EASY), (Level.HARD, Level.MEDIUM)):
        ours, theirs = (
            partial(house, level=level, seconds=LEVELS[level].seconds * TENTH / 3) for level in (better, worse)
        )
        yield better, worse, ours, theirs


def rows(games: int = 2) -> Iterator[tuple[str, str, str, str]]:
    """A few games of *hard* against the house of old, as `bench` shows its figures."""
    for game in GAMES:
        tally = match(game, house(game, Level.HARD, A_DECISION), yardsticks.one_action, games)
        figure = f"{tally.won:.0f} of {games} games, {tally.seconds / tally.turns:.2f} s CPU a turn"
        yield f"house, hard, {game}", figure, "against looking one action ahead", "≥ 75 % of 60, see `make strength`"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.strength")
    parser.add_argument("game", nargs="*", default=[*GAMES])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="")
    wish = parser.parse_args()
    for game in wish.game:
        for better, worse, ours, theirs in pairs():
            if wish.only in f"{better}-{worse}":
                tally = match(game, ours(game), theirs(game), wish.games, wish.seats, wish.first)
                low, high = tally.interval()
                sys.stdout.write(
                    f"{game:14} {better:>7} - {worse:11} {tally.share:4.0%} of {tally.games} ({low:.0%} to {high:.0%})"
                    f"  {tally.seconds / tally.turns:.2f} s a turn\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
