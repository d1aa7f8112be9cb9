"""Find daily puzzles in games of the house against itself: ``python -m tools.mine_days GAME [SEED] [WANTED]``.

Every position in which a puzzle of this kind may begin is searched completely. A position is kept if it is a good
puzzle (see `judged`). One game yields at most one puzzle. Each line of the output is a document of `rules.puzzles`; the
same seed always gives the same puzzles. ``python -m tools.mine_days sort FILE`` makes the file of a game from such
lines: its puzzles get their difficulties, and easy and hard ones alternate.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.house.thinking import think
from rules import GAMES
from rules.chance import Chance
from rules.contract import State
from rules.puzzles import (
    HARDEST,
    MOST_LUCK,
    Attempt,
    Goal,
    Puzzle,
    Search,
    TooLarge,
    begin,
    decode,
    encode,
    greed,
    play,
)

LEAST_WAYS: Final = 15
LEAST_RESULTS: Final = 4
LEAST_PAR: Final = 2
MOST_PAR_WAYS: Final = 0.08
"""Largest share of the ways that reach par."""
MOST_TAPS: Final = 6
FEW: Final = 8
"""A menu with at most so many actions has one button for each."""
ITERATIONS: Final = 200
WANTED: Final = 125


class Kind(Struct, frozen=True):
    """How puzzles of a game are mined. *largest*: positions of a search. *options*: one of these for each game.

    *begins*: what the document of a position contains if a puzzle may begin there; the default is the beginning of a
    turn. *changes*: what it contains in a puzzle instead, so that no action turns up a hidden fact.
    """

    goal: Goal
    seats: int
    largest: int
    level: str = "easy"
    options: tuple[Mapping[str, str], ...] = ({},)
    begins: Mapping[str, Any] = {}
    changes: Mapping[str, Any] = {}


KINDS: Final = {
    "kaleidoskop": Kind(Goal.TURN, 3, 2_000),
    "kabooom": Kind(Goal.GAME, 2, 400, options=({}, {"level": "medium"}, {"level": "hard"})),
    "crystalla": Kind(Goal.TURN, 2, 2_000, begins={"phase": "lay"}, changes={"piles": {"l": [], "s": []}}),
}


def mined(game: str, seed: int) -> Iterator[Puzzle]:
    """Yield puzzles of *game* without end, at most one of each game of the house against itself."""
    kind, chance = KINDS[game], Chance(seed, label="mine")
    while True:
        views = _beginnings(game, kind, chance)
        later_first = views[::-1] if kind.goal == Goal.GAME else chance.shuffled(views)
        try:
            found = next(filter(None, (judged(game, kind, view) for view in later_first)), None)
        except TooLarge:  # earlier positions of a game are larger still
            continue
        if found is not None:
            yield found


def _beginnings(game: str, kind: Kind, chance: Chance) -> list[State]:
    """Return the positions in which puzzles may begin, each as its actor sees it, in a game of the house against
    itself."""
    state, views, is_fresh = GAMES[game].start(kind.seats, chance.choice(kind.options), chance.seed()), [], True
    while state.actor is not None:
        view = state.view(state.actor)
        document = msgspec.json.decode(GAMES[game].encode(view))
        if kind.begins.items() <= document.items() if kind.begins else is_fresh:
            views.append(GAMES[game].decode(msgspec.json.encode({**document, **kind.changes})))
        after = state.play(think(game, [view], state.actor, kind.level, chance, iterations=ITERATIONS))
        state, is_fresh = after, state.ends_turn(after)
    return views


def judged(game: str, kind: Kind, view: State) -> Puzzle | None:
    """Return the puzzle of a position, or None if it is none. Raises TooLarge if the rest of a game is too large.

    A puzzle has enough ways and results, few ways to par, and few taps; and greed seldom reaches par. In a puzzle of a
    turn only the solver acts.
    """
    search = Search(view, kind.goal, kind.largest)
    try:
        search.value(view)
    except TooLarge:
        if kind.goal == Goal.GAME:
            raise
        return None
    if kind.goal == Goal.TURN and search.has_answers:
        return None
    ways = search.ways(view)
    par, total = max(ways), ways.total()
    if total < LEAST_WAYS or len(ways) < LEAST_RESULTS or ways[par] > MOST_PAR_WAYS * total or par < LEAST_PAR:
        return None
    puzzle = Puzzle(game, view, kind.goal, par, ways=(ways[par], total))
    taps, line = fewest_taps(begin(puzzle), search)
    if taps > MOST_TAPS or greed(puzzle, search) > MOST_LUCK:
        return None
    return replace(puzzle, line=line)


def fewest_taps(attempt: Attempt, search: Search) -> tuple[int, tuple[str, ...]]:
    """Return the fewest taps of a solution that goes on from *attempt*, and the solver's actions in it.

    The tap that ends a turn of several actions does not count: it only sends the answer.
    """
    if attempt.result is not None:
        return 0, ()
    actions = attempt.state.actions()
    solutions = []
    for action in search.bests(attempt.state):
        taps, line = fewest_taps(play(attempt, action, search), search)
        taps += 1 if len(actions) <= FEW else len(action.parts)
        sends = attempt.puzzle.goal == Goal.TURN and not line and len(attempt.actions) > 0
        solutions.append((taps - sends, (str(action), *line)))
    return min(solutions)


def ordered(found: list[Puzzle]) -> list[Puzzle]:
    """Return the puzzles with their difficulties, by rank among them, in an order in which these alternate."""
    ranked = sorted(found, key=lambda one: (-one.ways[0] / one.ways[1], encode(one)))
    graded = [replace(one, difficulty=1 + number * HARDEST // len(ranked)) for number, one in enumerate(ranked)]
    piles = [[one for one in graded if one.difficulty == grade] for grade in range(1, HARDEST + 1)]
    return [pile[row] for row in range(max(map(len, piles))) for pile in piles if row < len(pile)]


def main(words: list[str]) -> int:
    match words:
        case ["sort", name]:
            listed = b",\n".join(map(encode, ordered([*map(decode, Path(name).read_bytes().splitlines())])))
            sys.stdout.write(f"[\n{listed.decode()}\n]\n")
        case [game, *numbers] if game in KINDS and len(numbers) <= 2 and all(number.isdecimal() for number in numbers):
            seed, wanted = [*map(int, numbers), *(0, WANTED)[len(numbers) :]]
            for _, one in zip(range(wanted), mined(game, seed), strict=False):
                sys.stdout.write(f"{encode(one).decode()}\n")
                sys.stdout.flush()
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
