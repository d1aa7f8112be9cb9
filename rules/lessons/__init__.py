"""Lessons: small positions, each with one thing to do. Data alone: ``rules/lessons/<game>.json`` makes a game's lesson.

A file is a list of steps, one object each::

    position   a document of the game (`Game.decode`); missing: the one that the former step led to
    offers     actions to choose from, in canonical notation, in the order in which they are shown
    wants      those of them that are right: legal, and the first one is what the lesson goes on with

What is said of step n (from 1) are texts of the game's catalogue: ``lesson.<n>.text`` tells what to do,
``lesson.<n>.done`` what came of it, ``lesson.<n>.hint`` why another legal action is not it. What the rules refuse they
explain themselves (``refused.<code>``). The contract's tests play every lesson.
"""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from rules import GAMES
from rules.contract import Action, State

HERE = Path(__file__).parent


class LessonStep(Struct, frozen=True):
    """One position and what can be chosen in it. *right*: the numbers of those offers that the lesson wants.

    *goes_on*: the next step begins with the position to which the first right one leads.
    """

    state: State
    offers: tuple[Action, ...]
    right: tuple[int, ...]
    goes_on: bool = False

    @property
    def seat(self) -> int:
        """Whose turn it is: the reader's seat."""
        assert self.state.actor is not None
        return self.state.actor

    @property
    def after(self) -> State:
        """The position to which the first right action leads."""
        after: State = self.state.play(self.offers[self.right[0]])
        return after


class _Document(Struct, forbid_unknown_fields=True):
    """A step as it is written."""

    offers: tuple[str, ...]
    wants: tuple[str, ...]
    position: msgspec.Raw = msgspec.Raw(b"")


def has_lesson(game: str) -> bool:
    return (HERE / f"{game}.json").exists()


@cache
def lesson(game: str) -> tuple[LessonStep, ...]:
    """The steps of the lesson of *game*. Raises ValueError with the number of the step where one is wrong."""
    steps: list[LessonStep] = []
    for number, written in enumerate(_read(game), 1):
        try:
            begins = bytes(written.position)
            state = GAMES[game].decode(begins) if begins else steps[-1].after
            offers = tuple(_action(game, state, text) for text in written.offers)
            right = tuple(written.offers.index(text) for text in written.wants)
        except (ValueError, IndexError) as wrong:
            raise ValueError(f"step {number} of the lesson of {game}: {wrong}") from wrong
        if steps and not begins:
            steps[-1] = msgspec.structs.replace(steps[-1], goes_on=True)
        steps.append(LessonStep(state, offers, right))
    return tuple(steps)


def _read(game: str) -> list[_Document]:
    return msgspec.json.decode((HERE / f"{game}.json").read_bytes(), type=list[_Document])


def _action(game: str, state: State, text: str) -> Action:
    """The one action that *text* means, legal or not."""
    (action,) = GAMES[game].parse(state, text)
    if str(action) != text:
        raise ValueError(f"{text} reads as {action}")
    parsed: Action = action
    return parsed
