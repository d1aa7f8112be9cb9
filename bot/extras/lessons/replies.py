"""Lessons: small positions, each with one task, for the person who asked.

The buttons carry the whole state: the step and the answer.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import texts
from bot.chat import Button, Manner, Picture, Reply, Style, Target
from bot.replies import menus, wording
from bot.replies.choices import against_house_button
from bot.replies.pointing import Spots
from bot.replies.words import close, game_name, say
from bot.requests import payload
from bot.requests.payload import Verb
from rules import GAMES, Action
from rules.lessons import LessonStep


class Verdict(StrEnum):
    """Whether an answer was right."""

    RIGHT = "✓"
    WRONG = "✗"


def which(lang: str, key: str = "learn.which") -> Reply:
    """Return the question for which game's lesson to open."""
    buttons = [Button(game_name(game, lang), payload.write(Verb.LEARN, game), Style.MAIN) for game in GAMES]
    rows = (*_in_rows(buttons, 3), (close(lang),))
    return Reply(text=say(key, lang), rows=rows, manner=Manner.MENU, secret=True)


def step(game: str, steps: Sequence[LessonStep], number: int, picture: Picture, lang: str, said: str = "") -> Reply:
    """Return step *number* (from 0): the task and its choices. *said*: the result of the last answer."""
    here = steps[number]
    labels = [wording.told(game, action, lang) for action in here.offers]
    buttons = [
        Button(text, payload.write(Verb.LEARN, game, number, answer), Style.MAIN) for answer, text in enumerate(labels)
    ]
    widest = max(map(len, labels))
    columns = 4 if widest <= 9 else 3 if widest <= 14 else 2 if widest <= 22 else 1
    last = len(steps) - 1
    way = (
        *((Button("◀", payload.write(Verb.LEARN, game, number - 1)),) if number else ()),
        Button(f"{number + 1}/{len(steps)} ▶", payload.write(Verb.LEARN, game, min(number, last) + 1)),
        close(lang),
    )
    task = texts.say(game, f"lesson.{number + 1}.text", lang)
    return _reply(game, [said, task], picture, (*_in_rows(buttons, columns), way), lang)


def targets(
    game: str, number: int, offers: Sequence[Action], answers: Mapping[str, int], spots: Spots, lang: str
) -> tuple[Target, ...]:
    """Return the tappable places in the picture of step *number*: the parts of *answers*, each with its offer."""
    return tuple(
        Target(wording.told(game, offers[answer], lang), payload.write(Verb.LEARN, game, number, answer), spots[part])
        for part, answer in answers.items()
    )


def between(game: str, number: int, said: str, picture: Picture, lang: str) -> Reply:
    """Return the result of the right answer to step *number*, before the next position."""
    go_on = Button(say("button.next", lang), payload.write(Verb.LEARN, game, number + 1), Style.MAIN)
    return _reply(game, [said], picture, ((go_on, close(lang)),), lang)


def end(game: str, said: str, picture: Picture | None, is_free: bool, lang: str) -> Reply:
    """Return the end of the lesson, with a game against the house if the place *is_free*."""
    row = (
        *((against_house_button(game, lang),) if is_free else ()),
        Button(say("button.rules", lang), payload.write(Verb.RULES, game, 0)),
        Button(say("button.learn.again", lang), payload.write(Verb.LEARN, game)),
        close(lang),
    )
    onward = say("learn.end" if is_free else "learn.end.taken", lang, game=game_name(game, lang))
    return _reply(game, [said, onward], picture, (row,), lang)


def told(verdict: Verdict, text: str) -> str:
    return f"{verdict} {text}"


def _reply(game: str, said: Sequence[str], picture: Picture | None, rows: menus.Rows, lang: str) -> Reply:
    return Reply(
        title=say("learn.title", lang, game=game_name(game, lang)),
        text="\n\n".join(filter(None, said)),
        picture=picture,
        rows=rows,
        manner=Manner.MENU,
        secret=True,  # only the reader has asked
    )


def _in_rows(buttons: Sequence[Button], columns: int) -> menus.Rows:
    return tuple(tuple(buttons[first : first + columns]) for first in range(0, len(buttons), columns))
