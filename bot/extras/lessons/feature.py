"""Lessons: small positions in which a reader learns a game. They touch no table, no place and no record.

The buttons carry the step and the answer. The newest step of a person is also stored, so that an answer can be typed
as long as the person has no game to play.
"""

from contextlib import suppress

from msgspec.structs import replace

import texts
from bot.chat import MarkedPicture, Picture, Reply, ThreadAccess, Update
from bot.delivery.painting import Pictures
from bot.extras.lessons import replies as lessons
from bot.extras.lessons.replies import Verdict, judged
from bot.replies import pointing, wording
from bot.replies.words import say, short
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.requests import AnswerLesson, Learn
from bot.requests.arguments import LONGEST_TEXT
from bot.runtime.names import shown
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.store import StoreDown
from bot.tables import seating
from bot.tables.table import Phase
from renderers import Look, SeatLook, Theme
from rules import GAMES, Action, BadNotation, IllegalAction, State
from rules.lessons import LessonStep, has_lesson, lesson

NEXT = ".next"
"""Suffix of a step that the person has not seen yet."""


def under_way(exercise: str, text: str = "") -> AnswerLesson | None:
    """Return the answer that *text* is to the *exercise*; None if it is no step of a lesson."""
    game, _, step = exercise.removesuffix(NEXT).partition(".")
    if game not in GAMES or not has_lesson(game) or not step.isdecimal():
        return None
    return AnswerLesson(game, int(step), text, shown=not exercise.endswith(NEXT))


def is_answer(answer: AnswerLesson) -> bool:
    """Return whether a text without a command is a possible answer: an action that can be played in the step."""
    steps = lesson(answer.game)
    if answer.step >= len(steps):
        return False
    try:
        return _typed(answer.game, steps[answer.step].state, answer.text, exact=True) is not None
    except BadNotation:
        return False


class Lessons(Feature):
    """Answers ``/learn`` and answers to lessons. *theme*: of pictures if neither the reader nor the place chose one."""

    def __init__(self, repository: Repository, preferences: Preferences, painter: Pictures, theme: Theme) -> None:
        self._repository = repository
        self._preferences = preferences
        self._painter = painter
        self._theme = theme

    async def move_request(self, update: Update, text: str, *, certain: bool) -> AnswerLesson | None:
        """Return the answer to the person's unfinished lesson."""
        answer = under_way(await self._preferences.exercise(update.person.id), text)
        return None if answer is None or (certain and not is_answer(answer)) else answer

    @answers(AnswerLesson)
    async def answer_typed(self, context: Context, request: AnswerLesson) -> Reply:
        """Judge a typed answer."""
        update, game, number, lang = context.update, request.game, request.step, context.lang
        steps = lesson(game)
        if number >= len(steps):
            return await self._end(update, game, "", None, lang)
        if not request.shown or not request.text:
            return await self._step(update, game, number, lang)
        try:
            action = _typed(game, steps[number].state, request.text)
        except BadNotation as no:
            return await self._step(update, game, number, lang, _misread(game, steps[number], request.text, no, lang))
        return await self._judged(update, game, number, action, lang)

    @answers(Learn)
    async def answer(self, context: Context, request: Learn) -> Reply:
        """Show a step of a lesson, or judge an answer to it."""
        update, game, lang = context.update, request.game, context.lang
        if game is None:
            on = await self._repository.on(update.place.id)
            if on is None:
                return lessons.which(lang)
            game = on.table.game
        if game not in GAMES or not has_lesson(game):
            return lessons.which(lang, "denied.no_such_game")
        steps, number = lesson(game), request.step or 0
        if number >= len(steps):
            return await self._end(update, game, "", None, lang)
        if request.offer is None:
            return await self._step(update, game, number, lang)
        if request.offer >= len(steps[number].offers):
            return await self._step(update, game, number, lang, say("stale.lesson", lang))
        return await self._judged(update, game, number, steps[number].offers[request.offer], lang)

    async def _judged(self, update: Update, game: str, number: int, action: Action, lang: str) -> Reply:
        """Return the verdict on *action* in step *number*, with the next step."""
        step = lesson(game)[number]
        try:
            after = step.state.play(action)
        except IllegalAction as no:
            detail = texts.find(game, f"part.{no.detail}", lang) or no.detail
            taught = no.code not in step.later
            why = texts.say(game, f"refused.{no.code}", lang, detail=detail) if taught else say("learn.later", lang)
            return await self._step(update, game, number, lang, judged(Verdict.WRONG, why))
        if action not in (step.offers[index] for index in step.right):
            why = texts.say(game, f"lesson.{number + 1}.hint", lang)
            return await self._step(update, game, number, lang, judged(Verdict.WRONG, why))
        done = judged(Verdict.RIGHT, texts.say(game, f"lesson.{number + 1}.done", lang))
        if number + 1 == len(lesson(game)):
            return await self._end(update, game, done, await self._picture(update, step, after, lang), lang)
        if step.goes_on:
            return await self._step(update, game, number + 1, lang, done)
        await self._preferences.set_exercise(update.person.id, f"{game}.{number + 1}{NEXT}")
        return lessons.between(game, number, done, await self._picture(update, step, after, lang), lang)

    async def _step(self, update: Update, game: str, number: int, lang: str, said: str = "") -> Reply:
        await self._preferences.set_exercise(update.person.id, f"{game}.{number}")
        step = lesson(game)[number]
        view, look = step.state.view(step.seat), await self._look(update, step, lang)
        spots = await self._painter.spots(view, look)
        answers = pointing.answers(step.offers, step.right, spots)
        picture = await self._painter.picture(view, replace(look, choices=tuple(answers)))
        picture = MarkedPicture.of(picture, lessons.targets(game, number, step.offers, answers, spots, lang))
        return lessons.step(game, lesson(game), number, picture, lang, said)

    async def _end(self, update: Update, game: str, said: str, picture: Picture | None, lang: str) -> Reply:
        """End the lesson. The reply offers a game if the person can begin one here, or in a thread beside."""
        await self._preferences.set_exercise(update.person.id, "")
        is_free = update.thread_access is ThreadAccess.ALLOWED or await self._is_free(update, game)
        return lessons.end(game, said, picture, is_free, lang)

    async def _is_free(self, update: Update, game: str) -> bool:
        """Return whether the person can begin *game* here: no table, one that may rest, or their own lobby of it."""
        on = await self._repository.on(update.place.id)
        if on is None or on.table.phase == Phase.OVER:
            return True
        if on.table.phase == Phase.LOBBY:
            return seating.waits_alone(on.table, game, update.person.id)
        return await self._repository.may_rest(on.table)

    async def closed(self, update: Update) -> None:
        """Leave the lesson or puzzle: later texts are no answers to it."""
        with suppress(StoreDown):  # the menu closes anyway
            await self._preferences.set_exercise(update.person.id, "")

    async def _picture(self, update: Update, step: LessonStep, state: State, lang: str) -> Picture:
        return await self._painter.picture(state.view(step.seat), await self._look(update, step, lang))

    async def _look(self, update: Update, step: LessonStep, lang: str) -> Look:
        """Return the look of a step from its seat; the house has the others."""
        theme = Theme(await self._preferences.theme(update, self._theme))
        me, other = shown(update.person.name) or shown(update.person.handle), say("house", lang)
        seats = tuple(SeatLook(me if seat == step.seat else other) for seat in range(step.state.seats))
        return Look(seats, step.seat, theme, lang, hand=step.seat)


def _typed(game: str, state: State, text: str, *, exact: bool = False) -> Action:
    """Return the first typed action. Raises BadNotation."""
    if len(text) > LONGEST_TEXT:
        raise BadNotation(text[:20])
    first, *_ = wording.read(game, state, text, exact=exact)
    return first


def _misread(game: str, step: LessonStep, text: str, no: BadNotation, lang: str) -> str:
    """Return the refusal of an unreadable text, with an example or the text that the person may have meant."""
    key, detail = (f"refused.{no.code}", no.detail) if no.missing is None else (f"no_{no.sort}", no.missing)
    if near := wording.similar(game, step.state, text):
        similar = say("refused.similar", lang, text=wording.commands(game, (near,), lang))
        return judged(Verdict.WRONG, f"{texts.say(game, key, lang, detail=short(detail))} {similar}")
    examples = wording.commands(game, ((action,) for action in step.offers[: wording.MOST_EXAMPLES]), lang)
    example = say("refused.example", lang, example=examples)
    return judged(Verdict.WRONG, f"{texts.say(game, key, lang, detail=short(detail))} {example}")
