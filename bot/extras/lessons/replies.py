"""Lessons: small positions, each with one task, for the person who asked.

The buttons carry the whole state: the step and the answer.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import texts
from bot.chat import Picture, Reply, Role, Style, Target
from bot.replies import menus, wording
from bot.replies.buttons import button, close, in_rows
from bot.replies.pointing import Spots, closed
from bot.replies.words import game_name, option_value, say
from bot.requests import Learn, NewGame, Rules
from rules import GAMES, Action
from rules.lessons import LessonStep


class Verdict(StrEnum):
    """Whether an answer was right."""

    RIGHT = "✓"
    WRONG = "✗"


def which(lang: str, key: str = "learn.which") -> Reply:
    """Return the question for which game's lesson to open."""
    buttons = [button(Learn(game), lang, Style.MAIN, label=game_name(game, lang)) for game in GAMES]
    rows = (*in_rows(buttons, 3), (close(lang),))
    return Reply(text=say(key, lang), rows=rows, role=Role.MENU, secret=True)


def step(game: str, steps: Sequence[LessonStep], number: int, picture: Picture, lang: str, said: str = "") -> Reply:
    """Return step *number* (from 0): the task and its choices. *said*: the result of the last answer."""
    here = steps[number]
    labels = [wording.action_text(game, action, lang) for action in here.offers]
    buttons = [button(Learn(game, number, answer), lang, Style.MAIN, label=text) for answer, text in enumerate(labels)]
    widest = max(map(len, labels))
    columns = 4 if widest <= 9 else 3 if widest <= 14 else 2 if widest <= 22 else 1
    last = len(steps) - 1
    way = (
        *((button(Learn(game, number - 1), lang, label="◀"),) if number else ()),
        button(
            Learn(game, min(number, last) + 1), lang, label=say("button.step", lang, step=number + 1, steps=len(steps))
        ),
        close(lang),
    )
    task = texts.say(game, f"lesson.{number + 1}.text", lang)
    return _reply(game, [said, task], picture, (*in_rows(buttons, columns), way), lang)


def targets(
    game: str, number: int, offers: Sequence[Action], answers: Mapping[str, int], spots: Spots, lang: str
) -> tuple[Target, ...]:
    """Return the places in the picture of step *number*: those of *answers*, each with its offer, and the others."""
    return (
        *(
            Target(wording.action_text(game, offers[answer], lang), Learn(game, number, answer).payload, spots[part])
            for part, answer in answers.items()
        ),
        *closed(spots, answers),
    )


def between(game: str, number: int, said: str, picture: Picture, lang: str) -> Reply:
    """Return the result of the right answer to step *number*, before the next position."""
    go_on = button(Learn(game, number + 1), lang, Style.MAIN, label=say("button.next", lang))
    return _reply(game, [said], picture, ((go_on, close(lang)),), lang)


def end(game: str, said: str, picture: Picture | None, is_free: bool, lang: str) -> Reply:
    """Return the end of the lesson, with the shortest game against the house if the place *is_free*."""
    play = button(NewGame(game, house=True, first=True), lang, Style.MAIN, label=say("button.against_house", lang))
    row = (
        *((play,) if is_free else ()),
        button(Rules(game), lang),
        button(Learn(game), lang, label=say("button.learn.again", lang)),
        close(lang),
    )
    onward = say("learn.end" if is_free else "learn.end.taken", lang, game=game_name(game, lang))
    chosen = [
        f"{texts.say(game, f'option.{name}', lang)} ▸ {option_value(game, name, value, lang)}"
        for name, value in GAMES[game].shortest.items()
    ]
    short = say("learn.end.short", lang, options=texts.listed(chosen, lang)) if is_free and chosen else ""
    return _reply(game, [said, " ".join(filter(None, (onward, short)))], picture, (row,), lang)


def judged(verdict: Verdict, text: str) -> str:
    return f"{verdict} {text}"


def _reply(game: str, said: Sequence[str], picture: Picture | None, rows: menus.Rows, lang: str) -> Reply:
    return Reply(
        title=say("learn.title", lang, game=game_name(game, lang)),
        text="\n\n".join(filter(None, said)),
        picture=picture,
        rows=rows,
        role=Role.MENU,
        secret=True,  # only the reader has asked
    )
