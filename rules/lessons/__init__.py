"""Lessons: small positions with one task each. They are data only: ``rules/lessons/<game>.json`` is a game's lesson, or
``lesson.json`` in an installed package.

A file is a list of steps, one object each::

    position   a document of the game (`Game.decode`); if missing, the position after the previous step
    offers     actions to choose from, in canonical notation, in the order in which they are shown
    wants      the right ones among them: legal, and the lesson continues with the first
    later      codes of refusals whose reason a later step teaches; may be missing

The texts of step n (from 1) are in the game's catalogue: ``lesson.<n>.text`` is the task, ``lesson.<n>.done`` explains
the result, ``lesson.<n>.hint`` why another legal action is wrong. An illegal action gets its usual text
(``refused.<code>``), or one without a reason if a later step teaches it. The contract's tests play every lesson.
"""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from rules import GAMES, PACKAGES
from rules.contract import Action, BadNotation, State

HERE = Path(__file__).parent


class LessonStep(Struct, frozen=True):
    """One position and its offers. *right*: the indexes of the right offers.

    *goes_on*: the next step begins with the position after the first right offer. *later*: the codes of refusals whose
    reason a later step teaches.
    """

    state: State
    offers: tuple[Action, ...]
    right: tuple[int, ...]
    goes_on: bool = False
    later: tuple[str, ...] = ()

    @property
    def seat(self) -> int:
        """The actor: the reader's seat."""
        assert self.state.actor is not None
        return self.state.actor

    @property
    def after(self) -> State:
        """The position after the first right action."""
        after: State = self.state.play(self.offers[self.right[0]])
        return after


class _Document(Struct, forbid_unknown_fields=True):
    """A step in the file."""

    offers: tuple[str, ...]
    wants: tuple[str, ...]
    later: tuple[str, ...] = ()
    position: msgspec.Raw = msgspec.Raw(b"")


def has_lesson(game: str) -> bool:
    return _source(game).exists()


def _source(game: str) -> Path:
    return PACKAGES[game].folder / "lesson.json" if game in PACKAGES else HERE / f"{game}.json"


@cache
def lesson(game: str) -> tuple[LessonStep, ...]:
    """Return the steps of the lesson of *game*. Raises ValueError with the number of a wrong step."""
    steps: list[LessonStep] = []
    for number, written in enumerate(_read(game), 1):
        for text in written.wants:
            if text not in written.offers:
                raise ValueError(f"step {number} of the lesson of {game} wants {text}, which is not offered")
        try:
            begins = bytes(written.position)
            if not begins and not steps:
                raise ValueError("the first one needs a position")
            state = GAMES[game].decode(begins) if begins else steps[-1].after
            offers = tuple(_action(game, state, text) for text in written.offers)
            right = tuple(written.offers.index(text) for text in written.wants)
        except ValueError as wrong:
            raise ValueError(f"step {number} of the lesson of {game}: {wrong}") from wrong
        if steps and not begins:
            steps[-1] = msgspec.structs.replace(steps[-1], goes_on=True)
        steps.append(LessonStep(state, offers, right, later=written.later))
    return tuple(steps)


def _read(game: str) -> list[_Document]:
    return msgspec.json.decode(_source(game).read_bytes(), type=list[_Document])


def _action(game: str, state: State, text: str) -> Action:
    """Return the one action that *text* means, legal or not."""
    try:
        (action,) = GAMES[game].parse(state, text)
    except BadNotation as no:
        raise ValueError(f"parse refuses the offer {text} ({no}) before play can: offer only what it reads") from no
    if str(action) != text:
        raise ValueError(f"{text} reads as {action}")
    parsed: Action = action
    return parsed
