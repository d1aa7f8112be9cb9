"""The daily puzzle: "What is the most that you can get here?", with a *par* that an exhaustive search proves.

A puzzle is data only: ``rules/puzzles/<game>.json`` is a list of them, one object each::

    position    a document of the game (`Game.decode`), as the solver's seat sees it
    goal        "turn": points that the seat earns in its turn; "game": its final lead over the best other seat
    par         the best result that the seat can force
    line        the seat's actions of a solution, in canonical notation
    ways        the numbers of sequences of the seat's actions: those that reach par, and all
    difficulty  from 1 to 5

In a puzzle of a whole game the other seats answer so that the solver's result is as small as possible; the first of
several such answers in the game's order. So every attempt of the same actions has the same result.

Greed misses par: a player who takes the most with every action, before or after the answers to it, hardly reaches it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from rules import GAMES
from rules.contract import State

HERE = Path(__file__).parent
HARDEST: Final = 5
LARGEST: Final = 200_000
"""Positions that a search may visit."""
MOST_LUCK: Final = 0.1
"""Largest chance that greed reaches par, see `greed`."""


class Goal(StrEnum):
    """What counts as the result."""

    TURN = "turn"
    GAME = "game"


class Unproved(ValueError):
    """A puzzle says something that the search does not find."""


class TooLarge(ValueError):
    """A search would visit more positions than allowed."""


class Puzzle(Struct, frozen=True):
    """One puzzle. *seat*: of the solver, the actor of *start*. The other fields are those of the file."""

    game: str
    start: State
    goal: Goal
    par: int
    line: tuple[str, ...] = ()
    ways: tuple[int, int] = (0, 0)
    difficulty: int = 1

    @property
    def seat(self) -> int:
        assert self.start.actor is not None
        return self.start.actor


class Attempt(Struct, frozen=True):
    """A puzzle with the *actions* played so far, all seats in order. *result*: None as long as the solver acts."""

    puzzle: Puzzle
    state: State
    actions: tuple[Any, ...] = ()
    result: int | None = None


def begin(puzzle: Puzzle) -> Attempt:
    """Return the attempt without an action."""
    return Attempt(puzzle, puzzle.start)


def solved(puzzle: Puzzle) -> Attempt:
    """Return the attempt that follows the line of *puzzle*."""
    attempt = begin(puzzle)
    for text in puzzle.line:
        (action,) = GAMES[puzzle.game].parse(attempt.state, text)
        attempt = play(attempt, action)
    return attempt


def play(attempt: Attempt, action: Any, search: "Search | None" = None) -> Attempt:
    """Return the attempt after the solver's *action* and the answers to it. *search*: one of this puzzle, which spares
    another one. Raises IllegalAction."""
    puzzle = attempt.puzzle
    search = search or Search(puzzle.start, puzzle.goal)
    before, state, actions = attempt.state, attempt.state.play(action), [*attempt.actions, action]
    while not search.is_over(before, state) and state.actor != puzzle.seat:
        answer = search.bests(state)[0]
        before, state = state, state.play(answer)
        actions.append(answer)
    result = search.result(state) if search.is_over(before, state) else None
    return Attempt(puzzle, state, tuple(actions), result)


class Search:
    """Exhaustive search from the position in which the solver acts first. Raises TooLarge at *largest* positions."""

    def __init__(self, start: State, goal: Goal, largest: int = LARGEST) -> None:
        assert start.actor is not None
        self._seat, self._goal, self._largest = start.actor, goal, largest
        self._earned = self._points(start) if goal == Goal.TURN else 0
        self._values: dict[State, int] = {}
        self._ways: dict[State, Counter[int]] = {}

    def is_over(self, before: State, after: State) -> bool:
        """Return whether the attempt ends with *after*, which an action in *before* led to."""
        if after.outcome is not None:
            return True
        return self._goal == Goal.TURN and before.ends_turn(after)

    def result(self, after: State) -> int:
        """Return the result of an attempt that ends with *after*, or that of the moment."""
        return self._points(after) - self._earned

    def value(self, state: State) -> int:
        """Return the best result that the solver can force from *state*."""
        if state not in self._values:
            if len(self._values) >= self._largest:
                raise TooLarge
            choose = max if state.actor == self._seat else min
            self._values[state] = choose(self.best(state, action) for action in state.actions())
        return self._values[state]

    @property
    def has_answers(self) -> bool:
        """Whether another seat acts in a position searched so far."""
        return any(state.actor != self._seat for state in self._values)

    def bests(self, state: State) -> list[Any]:
        """Return the actor's best actions: the solver's, or the answers of another seat."""
        best = self.value(state)
        return [action for action in state.actions() if self.best(state, action) == best]

    def ways(self, state: State) -> Counter[int]:
        """Return how many sequences of the solver's actions lead to each result, with the best answers to them."""
        if state not in self._ways:
            count = Counter[int]()
            if state.actor != self._seat:
                count = self._continued(state, self.bests(state)[0])
            else:
                for action in state.actions():
                    count.update(self._continued(state, action))
            self._ways[state] = count
        return self._ways[state]

    def _continued(self, state: State, action: Any) -> Counter[int]:
        after = state.play(action)
        return Counter({self.result(after): 1}) if self.is_over(state, after) else self.ways(after)

    def best(self, state: State, action: Any) -> int:
        """Return the best result that the solver can force after *action*."""
        after = state.play(action)
        return self.result(after) if self.is_over(state, after) else self.value(after)

    def _points(self, state: State) -> int:
        points = state.standing()
        assert points is not None, "a puzzle needs a game with points"
        own = points[self._seat]
        if self._goal == Goal.TURN:
            return own
        return own - max(score for seat, score in enumerate(points) if seat != self._seat)


def greed(puzzle: Puzzle, search: Search) -> float:
    """Return the chance that greed reaches par: the larger one of two players, who draw lots among equals. One takes
    the best result of the moment with every action; the other one also sees the answers to that action."""
    return max(_luck(begin(puzzle), search, sees_answers=sees) for sees in (False, True))


def _luck(attempt: Attempt, search: Search, *, sees_answers: bool) -> float:
    if attempt.result is not None:
        return float(attempt.result >= attempt.puzzle.par)
    tries = list[tuple[int, Attempt]]()
    for action in attempt.state.actions():
        after = play(attempt, action, search)
        tries.append((search.result(after.state if sees_answers else attempt.state.play(action)), after))
    most = max(gained for gained, _ in tries)
    best = [after for gained, after in tries if gained == most]
    return sum(_luck(after, search, sees_answers=sees_answers) for after in best) / len(best)


def prove(puzzle: Puzzle) -> str:
    """Return one line with the proof of *puzzle*: its par, a solution, the ways, and the chance of greed. Raises
    Unproved."""
    search = Search(puzzle.start, puzzle.goal)
    ways = search.ways(puzzle.start)
    par, reached = max(ways), solved(puzzle).result
    if par != puzzle.par or reached != par or puzzle.ways != (ways[par], ways.total()):
        proved = f"par {par} with {ways[par]} of {ways.total()} ways, and the line leads to {reached}"
        raise Unproved(f"{proved}, but the puzzle says par {puzzle.par} with {puzzle.ways[0]} of {puzzle.ways[1]}")
    luck = greed(puzzle, search)
    if luck > MOST_LUCK:
        raise Unproved(f"greed reaches par {par} in {luck:.0%} of its tries")
    return f"par {par}: {' '.join(puzzle.line)} ({ways[par]} of {ways.total()} ways, greed {luck:.0%})"


class _Document(Struct, forbid_unknown_fields=True):
    """A puzzle in a file."""

    position: msgspec.Raw
    goal: Goal
    par: int
    line: tuple[str, ...]
    ways: tuple[int, int]
    difficulty: int


def decode(data: bytes | str) -> Puzzle:
    """Return the puzzle of a document. Raises ValueError."""
    return _puzzle(msgspec.json.decode(data, type=_Document))


def encode(puzzle: Puzzle) -> bytes:
    """Return the document of a *puzzle*: the inverse of `decode`."""
    position = msgspec.Raw(GAMES[puzzle.game].encode(puzzle.start))
    return msgspec.json.encode(
        _Document(position, puzzle.goal, puzzle.par, puzzle.line, puzzle.ways, puzzle.difficulty)
    )


def _puzzle(document: _Document) -> Puzzle:
    position = bytes(document.position)
    game: str = msgspec.json.decode(position)["game"]
    start = GAMES[game].decode(position)
    if start.actor is None or start != start.view(start.actor):
        raise ValueError("the position must be the view of the seat that acts")
    return Puzzle(game, start, document.goal, document.par, document.line, document.ways, document.difficulty)


@cache
def puzzles(game: str) -> Sequence[Puzzle]:
    """Return the puzzles of *game* in their order; () if it has none."""
    source = HERE / f"{game}.json"
    if not source.exists():
        return ()
    return tuple(map(_puzzle, msgspec.json.decode(source.read_bytes(), type=list[_Document])))


class _Rotation(Struct, forbid_unknown_fields=True):
    """The *games* that take turns in the days from number *since* on."""

    since: int
    games: tuple[str, ...]


@cache
def _rotations() -> Sequence[_Rotation]:
    return msgspec.json.decode((HERE / "rotation.json").read_bytes(), type=tuple[_Rotation, ...])


def _rotation(number: int) -> _Rotation:
    first, *later = _rotations()
    return next((one for one in reversed(later) if one.since <= number), first)


def _game(number: int) -> str:
    rotation = _rotation(number)
    return rotation.games[(number - rotation.since) % len(rotation.games)]


@cache
def puzzle(number: int) -> Puzzle:
    """Return the puzzle of day *number*, from 1: the next one of the game whose turn it is, after its last the first.

    The games take turns as ``rotation.json`` says. A new one joins from a later day on, so no earlier day changes.
    """
    game = _game(number)
    listed = puzzles(game)
    return listed[sum(_game(day) == game for day in range(1, number)) % len(listed)]


def has_puzzles(game: str, number: int) -> bool:
    """Return whether *game* is one of those that take turns on day *number*."""
    return game in _rotation(number).games


def days_of(game: str, number: int) -> Sequence[int]:
    """Return the numbers of the puzzles of *game* up to day *number*, the newest first."""
    if not has_puzzles(game, number):
        return ()
    return [day for day in range(number, 0, -1) if _game(day) == game]


def all_puzzles() -> Mapping[str, Sequence[Puzzle]]:
    """Return the puzzles of all games that have some."""
    return {game: listed for game in GAMES if (listed := puzzles(game))}
