"""The daily puzzle: the same one everywhere on a UTC day, solved by taps in private, one answer a day.

The buttons carry the attempt. The newest one of a person is also stored, so that its next actions can be typed as
long as the person has no game to play; and the answer that counts, with the number of hints before it.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from msgspec.structs import replace

from bot.chat import MarkedPicture, PersonId, PlaceId, Reply, Role, Update
from bot.delivery.painting import Pictures
from bot.extras.daily import replies
from bot.extras.daily.posts import EDIT
from bot.extras.daily.replies import Shown
from bot.extras.short_films import MOST_FRAMES, Recap, ShortFilms
from bot.replies import notes, pages, pointing, wording
from bot.replies.buttons import button
from bot.replies.tree import Tree
from bot.replies.words import say, utc
from bot.repository.daily import DailyRecords, DailyWishes
from bot.repository.preferences import Preferences
from bot.requests import (
    AnswerDaily,
    Daily,
    DailyHint,
    DailyRules,
    DailySolution,
    RemindDaily,
    SendDaily,
    SolveDaily,
    WarmUp,
)
from bot.requests.arguments import LONGEST_TEXT
from bot.runtime.clock import from_ms
from bot.runtime.names import shown as shown_name
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.store.daily import DailyDue, DailyWork
from bot.store.store import Store
from bot.tables import logbook
from bot.tables.daily import MARKS, DailyAnswer, Solver, day_of
from bot.tables.preferences import DAILY, DAILY_MOVED, chosen
from bot.tables.table import Denied
from renderers import Look, Recent, SeatLook, Theme
from renderers.puzzle_cards import PuzzleResult
from rules import BadNotation, IllegalAction
from rules.puzzles import Attempt, Puzzle, begin, days_of, play, puzzle, solved

NAME = "daily"
"""The name of puzzles among exercises (`Preferences.exercise`); number and actions follow."""
SOON = timedelta(minutes=10)
"""A reminder does not come so soon after its wish."""


class DailyPuzzles(Feature):
    """Answers ``/daily``. *theme*: of pictures if neither the reader nor the place chose one."""

    def __init__(
        self,
        store: Store,
        records: DailyRecords,
        wishes: DailyWishes,
        preferences: Preferences,
        painter: Pictures,
        films: ShortFilms,
        theme: Theme,
    ) -> None:
        self._store = store
        self._answers = store.daily
        self._places = store.daily_places
        self._people = store.records
        self._records = records
        self._wishes = wishes
        self._preferences = preferences
        self._painter = painter
        self._films = films
        self._theme = theme

    @answers(Daily)
    async def daily(self, context: Context, request: Daily) -> Reply:
        """Show the puzzle, or the card if the person has answered today's."""
        update, lang, today = context.update, context.lang, self._records.today
        number = self._number(request.number)
        had = (await self._answers.of(update.person.id)).get(number)
        if request.number is None and had is not None:
            return await self._card(update, number, had, lang)
        made, path = request.steps[: request.made], request.steps[request.made :]
        shown = await self._shown(number, made)
        hints = await self._answers.hints(update.person.id, number)
        shown = replace(shown, hints=hints, answer=had, is_today=number == today)
        return await self._reply(update, shown, path, request.page, lang)

    async def move_request(self, update: Update, text: str, *, certain: bool) -> AnswerDaily | None:
        """Return the answer to the puzzle that the person saw last."""
        name, _, kept = (await self._preferences.exercise(update.person.id)).partition(".")
        numbers = kept.split(".")
        if name != NAME or not all(map(str.isdecimal, numbers)):
            return None
        number, *steps = map(int, numbers)
        answer = AnswerDaily(self._number(number), text, tuple(steps))
        if not certain:
            return answer
        _, played, _ = await asyncio.to_thread(_typed, answer, exact=True)
        return answer if len(played) > len(steps) else None

    @answers(AnswerDaily)
    async def answer_typed(self, context: Context, request: AnswerDaily) -> Reply:
        """Play typed actions, as far as they are legal."""
        update, lang, number = context.update, context.lang, request.number
        had = (await self._answers.of(update.person.id)).get(number)
        hints = await self._answers.hints(update.person.id, number)
        attempt, steps, no = await asyncio.to_thread(_typed, request)
        shown = Shown(number, attempt, steps, "", hints, had, number == self._records.today)
        if no is not None:
            shown = replace(shown, said=replies.refused(shown, no, request.text, lang))
        return await self._reply(update, shown, (), 0, lang)

    @answers(SolveDaily)
    async def solve(self, context: Context, request: SolveDaily) -> Reply:
        """Show the puzzle of a post. From then on the person counts as a solver in its place, or in the thread to which
        the puzzles of the place went."""
        update, number = context.update, request.number
        if not update.place.private:
            name = shown_name(update.person.name) or shown_name(update.person.handle)
            settings = await self._store.place_settings(update.place.id)
            place = PlaceId(settings.get(DAILY_MOVED) or update.place.id)
            await self._places.add_solver(place, update.person.id, Solver(name))
            await self._count_later(update, place)
        return await self.daily(context, Daily(None if number == self._records.today else number))

    @answers(DailyHint)
    async def hint(self, context: Context, request: DailyHint) -> Reply:
        """Show a hint, and leave the person where they are. It is counted before it is shown."""
        update, lang, number = context.update, context.lang, self._number(request.number)
        had = (await self._answers.of(update.person.id)).get(number)
        hint = min(max(request.hint, 1), replies.HINTS)
        if had is None:
            await self._answers.hinted(update.person.id, number, hint)
        shown = await self._shown(number, request.steps[: request.made])
        shown = replace(shown, hints=hint, answer=had, is_today=number == self._records.today)
        if shown.made:
            shown = replace(shown, said=replies.hint(shown, lang))
        return await self._reply(update, shown, request.steps[request.made :], request.page, lang)

    @answers(DailyRules)
    async def rules(self, context: Context, request: DailyRules) -> Reply:
        """Show a page of the rules, with a way back to the attempt."""
        lang, number = context.lang, self._number(request.number)
        game = puzzle(number).game
        page = min(max(request.page, 0), pages.rules_pages(game) - 1)
        theme = Theme(await self._preferences.theme(context.update, self._theme))
        picture = await self._painter.diagram(game, page + 1, Look(seats=(), theme=theme, lang=lang))
        to_puzzle = Daily(number, request.made, 0, request.steps)
        back = button(to_puzzle, lang, label=say("button.daily.back", lang))
        return pages.rules(game, page, picture, lang, lambda other: replace(request, page=other), back)

    @answers(SendDaily)
    async def send(self, context: Context, request: SendDaily) -> Reply:
        """Store the answer, if the day is not over and the person has not answered; show the card."""
        update, lang, number = context.update, context.lang, self._number(request.number)
        shown = await self._shown(number, request.steps)
        if number != self._records.today:
            return await self._reply(update, replace(shown, said=say("daily.over", lang), is_today=False), (), 0, lang)
        if shown.attempt.result is None:
            return await self._reply(update, shown, (), 0, lang)
        person = update.person.id
        hints = await self._answers.hints(person, number)
        answer = DailyAnswer(shown.attempt.result, shown.puzzle.par, hints)
        counted = await self._answers.add(person, number, answer)
        await self._preferences.set_exercise(person, "")
        for place in await self._places.places_of(person, await self._people.places(person)):
            await self._count_later(update, place)
        return await self._card(update, number, counted, lang)

    @answers(DailySolution)
    async def solution(self, context: Context, request: DailySolution) -> Reply:
        """Show the solution to a person who has answered, or if the day is over."""
        update, lang, number = context.update, context.lang, self._number(request.number)
        had = (await self._answers.of(update.person.id)).get(number)
        if had is None and number == self._records.today:
            shown = await self._shown(number, ())
            return await self._reply(update, replace(shown, said=say("daily.not_yet", lang)), (), 0, lang)
        one = puzzle(number)
        end = await asyncio.to_thread(solved, one)
        recap = _recap(end, await self._look(update, one, lang))
        has_card = had is not None and number == self._records.today
        other = None if has_card else await self._practice(update.person.id, one.game, number)
        reply = replies.solution(number, one, lang, has_card=has_card, has_other=other not in (None, number))
        film = await self._films.film(f"{one.game}-{number}", recap)
        if film is None:
            return replace(reply, picture=await self._painter.picture(recap.views[-1], recap.looks[-1]))
        return replace(reply, file=film)

    @answers(RemindDaily)
    async def remind(self, context: Context, request: RemindDaily) -> Reply:
        """Let the person get each puzzle in their private chat, at about this time, or no more."""
        update, lang = context.update, context.lang
        if not request.on:
            for place in await self._reminded(update.person.id):
                await self._wishes.switch(place, DAILY.choices[0], lang)
            return notes.note("daily.remind.off", lang)
        if not update.place.private:
            return replace(notes.note("daily.remind.alone", lang), role=Role.ALONE)
        now = from_ms(self._records.now_ms)
        hour = (now - SOON).hour // 2 * 2
        await self._people.add_own_place(update.person.id, update.place.id)
        await self._wishes.switch(update.place.id, str(hour), lang, update.person)
        soon = now.replace(hour=hour, minute=0)
        return notes.note("daily.remind.on", lang, time=utc(soon, await self._preferences.zone(update), lang))

    @answers(WarmUp)
    async def warm_up(self, context: Context, request: WarmUp) -> Reply:
        """Show a puzzle of the game that the person has not answered. Denied: stale."""
        number = await self._practice(context.update.person.id, request.game, request.before)
        if number is None:
            raise Denied("stale")
        return await self.daily(context, Daily(number))

    async def _practice(self, person: PersonId, game: str, before: int | None) -> int | None:
        """Return the newest puzzle of *game* that *person* has not answered, or the next older one than that of day
        *before*; after the oldest, the newest again. If all are answered, today's comes last. None: no puzzle."""
        days, answered = days_of(game, self._records.today), await self._answers.of(person)
        fresh = [day for day in days if day not in answered] or [day for day in days if day != self._records.today]
        older = [day for day in fresh if before is None or day < before]
        return next(iter(older or fresh or days), None)

    async def _count_later(self, update: Update, place: PlaceId) -> None:
        """Show the number of answers under the post in *place* soon, if the person has answered today's puzzle."""
        if self._records.today in await self._answers.of(update.person.id):
            due_ms = self._records.now_ms + round(1000 * EDIT.total_seconds())
            await self._places.schedule(DailyDue(DailyWork.EDIT, place), due_ms)

    async def _card(self, update: Update, number: int, answer: DailyAnswer, lang: str) -> Reply:
        one, kept = puzzle(number), await self._records.of(update.person.id)
        facts = PuzzleResult(number, answer.result, answer.par, answer.marks, MARKS, kept.streak, answer.hints)
        card = await self._painter.puzzle_card(one.start, await self._look(update, one, lang), facts)
        tomorrow = datetime.combine(day_of(self._records.today + 1), time(), UTC)
        next_at = utc(tomorrow, await self._preferences.zone(update), lang)
        is_reminded = bool(await self._reminded(update.person.id))
        return replies.answered(number, one, answer, kept, card, lang, is_reminded=is_reminded, next_at=next_at)

    async def _reminded(self, person: PersonId) -> Sequence[PlaceId]:
        """Return the private chats to which *person* gets the puzzles."""
        own = await self._people.own_places(person)
        hours = [chosen(DAILY, await self._preferences.place(place)) for place in own]
        return [place for place, hour in zip(own, hours, strict=True) if hour != DAILY.choices[0]]

    async def _reply(self, update: Update, shown: Shown, path: tuple[int, ...], page: int, lang: str) -> Reply:
        kept = ".".join(map(str, (NAME, shown.number, *shown.made)))
        await self._preferences.set_exercise(update.person.id, kept)
        attempt, look = shown.attempt, await self._look(update, shown.puzzle, lang)
        if attempt.result is not None:
            picture = await self._painter.picture(attempt.state, look)
            other = await self._practice(update.person.id, shown.puzzle.game, shown.number)
            return replies.finished(shown, picture, lang, has_other=other not in (None, shown.number))
        tree = Tree.of(shown.puzzle.game, attempt.state)
        look = replace(look, chosen=pointing.chosen(tree, path) or replies.hinted(shown))
        spots = await self._painter.spots(attempt.state, look)
        reach = pointing.reach(tree, path, spots)
        picture = await self._painter.picture(attempt.state, replace(look, choices=tuple(reach.choices)))
        targets = pointing.targets(shown.decision, attempt.state, reach, spots, lang)
        marked = MarkedPicture.of(picture, targets)
        return replies.choosing(shown, tree, path, page, marked, lang)

    async def _shown(self, number: int, made: Sequence[int]) -> Shown:
        """Return the attempt at puzzle *number* after the actions with these numbers, as far as they exist."""
        attempt, played = await asyncio.to_thread(_replayed, puzzle(number), made)
        return Shown(number, attempt, played)

    async def _look(self, update: Update, one: Puzzle, lang: str) -> Look:
        """Return the look of the solver's pictures; the house has the other seats."""
        theme = Theme(await self._preferences.theme(update, self._theme))
        me, other = shown_name(update.person.name) or shown_name(update.person.handle), say("house", lang)
        seats = tuple(SeatLook(me if seat == one.seat else other) for seat in range(one.start.seats))
        return Look(seats, one.seat, theme, lang, hand=one.seat)

    def _number(self, number: int | None) -> int:
        """Return the number of a day up to today; a later one would reveal its puzzle."""
        today = self._records.today
        return today if number is None or not 1 <= number <= today else number


def _replayed(one: Puzzle, made: Sequence[int]) -> tuple[Attempt, tuple[int, ...]]:
    """Return the attempt after the actions with these numbers, and the numbers that exist."""
    attempt, played = begin(one), list[int]()
    for index in made:
        actions = attempt.state.actions()
        if attempt.result is not None or not 0 <= index < len(actions):
            break
        attempt = play(attempt, actions[index])
        played.append(index)
    return attempt, tuple(played)


def _typed(
    request: AnswerDaily, *, exact: bool = False
) -> tuple[Attempt, tuple[int, ...], IllegalAction | BadNotation | None]:
    """Return the attempt after the typed actions, as far as they are legal; the numbers of all its actions; and the
    error in the rest."""
    attempt, played = _replayed(puzzle(request.number), request.steps)
    try:
        if attempt.result is not None:
            raise IllegalAction("over")
        if len(request.text) > LONGEST_TEXT:
            raise BadNotation(request.text[:20])
        for action in wording.read(attempt.puzzle.game, attempt.state, request.text, exact=exact):
            after = play(attempt, action)
            played += (attempt.state.actions().index(action),)
            attempt = after
            if attempt.result is not None:
                break
    except (IllegalAction, BadNotation) as no:
        return attempt, played, no
    return attempt, played, None


def _recap(end: Attempt, look: Look) -> Recap:
    """Return the frames of the solution *end*: the position, and that after each action, with few enough frames."""
    state, views, looks = end.puzzle.start, [end.puzzle.start], [look]
    for action in end.actions:
        assert state.actor is not None
        recent = (Recent(state.actor, str(action)),)
        state = state.play(action)
        views.append(state)
        looks.append(replace(look, recent=recent))
    kept = logbook.picked(range(len(views)), MOST_FRAMES)
    return Recap(tuple(views[number] for number in kept), tuple(looks[number] for number in kept))
