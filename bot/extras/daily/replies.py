"""The messages of the daily puzzle. The buttons carry the whole attempt."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

import texts
from bot.chat import (
    Button,
    Call,
    Card,
    Person,
    Picture,
    PictureKind,
    Post,
    PublicPicture,
    Reply,
    Role,
    Rows,
    Select,
    Style,
)
from bot.replies import menus, times, wording
from bot.replies.buttons import button, close
from bot.replies.decision import Decision
from bot.replies.tree import Path, Tree
from bot.replies.words import game_name, say, short
from bot.repository.daily import Solved
from bot.requests import (
    Daily,
    DailyHint,
    DailyRules,
    DailySolution,
    RemindDaily,
    Request,
    SendDaily,
    SolveDaily,
    WarmUp,
)
from bot.tables.daily import MARKS, DailyAnswer, DailyRecord, SolverDays, day_of, month_before
from renderers.charts import Bar, Chart
from rules import Action, BadNotation, IllegalAction
from rules.puzzles import HARDEST, Attempt, Goal, Puzzle, solved
from rules.puzzles import puzzle as puzzle_of

HINTS = 2
KEPT = 16
"""Solutions in words that are cached: the posts of a day need one in each language."""
IN_TABLE = 10
"""People in the table of a month."""
FULL, EMPTY = "◆", "◇"


class OfPuzzle(Decision):
    """The next decision of an attempt at the *puzzle* of day *number*. *made*: the numbers of the actions so far."""

    def __init__(self, number: int, puzzle: Puzzle, made: tuple[int, ...]) -> None:
        self._number = number
        self._game = puzzle.game
        self._is_last_turn = puzzle.goal == Goal.TURN
        self._made = made

    @property
    def game(self) -> str:
        return self._game

    @property
    def is_last_turn(self) -> bool:
        return self._is_last_turn

    def names(self, lang: str) -> Sequence[str]:  # noqa: ARG002
        return ()

    def part(self, path: Path, page: int = 0) -> Request:
        return Daily(self._number, len(self._made), page, (*self._made, *path))

    def play(self, index: int) -> Request:
        return Daily(self._number, len(self._made) + 1, 0, (*self._made, index))

    def undo(self) -> Request:
        return Daily(self._number, len(self._made) - 1, 0, self._made[:-1])


class Shown(Struct, frozen=True):
    """An attempt as its person sees it. *said*: what happened just now. *hints*: seen so far. *answer*: the one that
    counts, if the person may send none any more."""

    number: int
    attempt: Attempt
    made: tuple[int, ...]
    said: str = ""
    hints: int = 0
    answer: DailyAnswer | None = None
    is_today: bool = True

    @property
    def puzzle(self) -> Puzzle:
        return self.attempt.puzzle

    @property
    def may_send(self) -> bool:
        return self.is_today and self.answer is None

    @property
    def decision(self) -> OfPuzzle:
        return OfPuzzle(self.number, self.puzzle, self.made)


def choosing(shown: Shown, tree: Tree, path: Path, page: int, picture: Picture, lang: str) -> Reply:
    """Return the menu of the next action.

    Unlike in a game, the most promising choices do not come first: they would hint at the solution.
    """
    view = shown.attempt.state
    made, steps = len(shown.made), (*shown.made, *path)
    more = () if not shown.made else (_again(shown.number, lang),)
    if shown.may_send and shown.hints < HINTS:
        label = say("button.daily.hint", lang, n=shown.hints + 1, of=HINTS)
        more = (button(DailyHint(shown.number, shown.hints + 1, made, page, steps), lang, label=label), *more)
    rules = button(DailyRules(shown.number, 0, made, steps), lang)
    more = (*more, rules)
    menu = menus.menu(
        shown.decision,
        view,
        tree,
        path,
        page,
        lang,
        can_undo=bool(shown.made),
        more=more,
        first=hinted(shown),
        quick=True,
    )
    lasting = "" if shown.made else hint(shown, lang)  # after the first action, only if it is asked for
    said = (lasting, shown.said, _task(shown, lang), _line(shown.attempt, lang), menu.text)
    rows, narrow_rows = (_without_if_wide(rows, rules) for rows in (menu.rows, menu.narrow_rows))
    return _reply(shown, said, picture, rows, lang, narrow_rows)


def _without_if_wide(rows: Rows, least: Button) -> Rows:
    """Return *rows* without the *least* important button if its row is too wide."""
    return tuple(
        tuple(one for one in row if one != least) if not isinstance(row, Select) and len(row) > menus.WIDEST else row
        for row in rows
    )


def finished(shown: Shown, picture: Picture, lang: str, *, has_other: bool) -> Reply:
    """Return the end of an attempt. It counts only once it is sent. *has_other*: of the game's puzzles."""
    attempt, puzzle = shown.attempt, shown.puzzle
    assert attempt.result is not None
    if shown.may_send:
        first = button(SendDaily(shown.number, shown.made), lang, Style.MAIN)
        said = say("daily.send", lang)
    else:
        first = button(DailySolution(shown.number), lang)
        best = f"{puzzle.par:+d}".replace("-", "−") if puzzle.goal is Goal.GAME else puzzle.par  # ahead or behind
        said = say("daily.is_par" if attempt.result >= puzzle.par else "daily.is_less", lang, par=best)
    back = button(shown.decision.undo(), lang, label=say("button.undo", lang))
    other = _other(puzzle, shown.number, lang) if has_other and not shown.may_send else ()
    rows = ((first, _again(shown.number, lang), back, *other, close(lang)),)
    return _reply(
        shown, (shown.said, _line(attempt, lang), _result(puzzle.goal, attempt.result, lang), said), picture, rows, lang
    )


def answered(
    number: int,
    puzzle: Puzzle,
    answer: DailyAnswer,
    record: DailyRecord,
    card: PublicPicture,
    lang: str,
    *,
    is_reminded: bool,
    next_at: str,
) -> Reply:
    """Return the card of an answer, with a text that can be pasted anywhere. *next_at*: the time of the next puzzle."""
    again = _again(number, lang, "button.daily.practise")
    remind = _no_more(lang) if is_reminded else button(RemindDaily(on=True), lang)
    result = say("daily.par" if answer.is_par else "daily.below", lang, par=answer.par, result=answer.result)
    best = say("daily.best", lang, n=record.best) if record.best > record.streak else ""
    onward = f"{say('daily.streak', lang, n=record.streak)} {say('daily.next', lang, time=next_at)}"
    return Reply(
        title=_title(number, puzzle, lang),
        text="\n".join(filter(None, (result, best, onward))),
        picture=Card.of(card, pasted(number, puzzle.game, answer, record, lang)),
        rows=((button(DailySolution(number), lang), again, remind, close(lang)),),
        role=Role.MENU,
        secret=True,  # the channel has not asked
    )


def pasted(number: int, game: str, answer: DailyAnswer, record: DailyRecord, lang: str) -> str:
    """Return the result in one line without the solution.

    >>> pasted(41, "kabooom", DailyAnswer(7, 9, hints=1), DailyRecord(streak=6), "en")
    'Kaleidobot, day 41 · Kabooom! · 7 of 9 · ◆◆◆◇ · 💡 · streak 6'
    """
    marks = FULL * answer.marks + EMPTY * (MARKS - answer.marks)
    parts = [
        say("daily.pasted", lang, number=number),
        game_name(game, lang),
        say("card.day.result", lang, result=answer.result, par=answer.par),
        marks,
        "💡" * answer.hints,
        say("card.day.streak", lang, n=record.streak) if record.streak > 1 else "",
    ]
    return " · ".join(filter(None, parts))


def solution(number: int, puzzle: Puzzle, lang: str, *, has_card: bool, has_other: bool) -> Reply:
    """Return a solution of *puzzle*, with the reason why it is the best result; its film is still missing. *has_card*:
    the person has answered today's. *has_other*: there is another puzzle of the game to practise."""
    to_par, ways = puzzle.ways
    why = say("daily.proof", lang, par=puzzle.par, n=to_par, ways=ways)
    card = (button(Daily(), lang, label=say("button.daily.card", lang)),) if has_card else ()
    other = _other(puzzle, number, lang) if has_other else ()
    rows = ((*card, _again(number, lang, "button.daily.practise"), *other, close(lang)),)
    text = "\n".join((_line(solved(puzzle), lang), _result(puzzle.goal, puzzle.par, lang), why))
    return Reply(title=_title(number, puzzle, lang), text=text, rows=rows, role=Role.MENU, secret=True)


def hint(shown: Shown, lang: str) -> str:
    """Return the last hint that the person has seen, or "": 1 says where to look, 2 the first action. After the first
    action, it says so."""
    if not shown.hints:
        return ""
    game, action = shown.puzzle.game, _first(shown.puzzle)
    part, text = menus.word(game, action.parts[0], lang), wording.action_text(game, action, lang)
    said = say(f"daily.hint.{shown.hints}", lang, part=part, action=text)
    return f"{said} {say('daily.hint.back', lang)}" if shown.made else said


def hinted(shown: Shown) -> tuple[str, ...]:
    """Return the part at which the hints begin, as long as it is the next one."""
    return _first(shown.puzzle).parts[:1] if shown.hints and not shown.made else ()


def _first(puzzle: Puzzle) -> Action:
    """Return the first action of the solution."""
    (action,) = wording.read(puzzle.game, puzzle.start, puzzle.line[0])
    return action


def refused(shown: Shown, error: IllegalAction | BadNotation, text: str, lang: str) -> str:
    """Return why the rules refuse the typed *text*, with examples that are no advice."""
    game, view = shown.puzzle.game, shown.attempt.state
    if shown.attempt.result is not None:
        return say("daily.at_end", lang)
    if isinstance(error, IllegalAction):
        return texts.say(game, f"refused.{error.code}", lang, detail=menus.word(game, error.detail, lang))
    key, detail = (
        (f"refused.{error.code}", error.detail) if error.missing is None else (f"no_{error.sort}", error.missing)
    )
    why = texts.say(game, key, lang, detail=short(detail))
    if near := wording.similar(game, view, text):
        return f"{why} {say('refused.similar', lang, text=wording.commands(game, (near,), lang))}"
    return f"{why} {say('refused.example', lang, example=wording.examples(game, view, lang, text))}"


def post(
    number: int,
    puzzle: Puzzle,
    picture: PublicPicture,
    before: Solved | None,
    answered: int,
    lang: str,
    calls: Person | None = None,
) -> Post:
    """Return the post of puzzle *number* for a place. *before*: the result of the former puzzle there, which the post
    reveals; None: the former puzzle was not posted there. *answered*: the number of answers so far. *calls*: the person
    of a private chat who wants to be reminded."""
    yesterday = () if before is None else _yesterday(number - 1, before, lang)
    month = say("daily.post.month", lang) if picture.kind is PictureKind.CHART else ""
    return Post(
        title=_title(number, puzzle, lang),
        text="\n".join(filter(None, (*yesterday, month, _ask(puzzle, lang)))),
        small=say("daily.post.answered", lang, n=answered) if answered else "",
        picture=picture,
        rows=((button(SolveDaily(number), lang, Style.MAIN), *(() if calls is None else (_no_more(lang),))),),
        call=None if calls is None else Call(calls, say("daily.remind.call", lang, person="{person}")),
    )


def _yesterday(number: int, before: Solved, lang: str) -> tuple[str, str]:
    """Return the lines about puzzle *number*: who reached par, and the solution."""
    former = puzzle_of(number)
    facts = {"game": game_name(former.game, lang), "par": former.par}
    if before.names:
        names = [short(name) for name in before.names]
        if before.others:
            names.append(say("daily.post.others", lang, n=before.others))
        who = say("daily.post.found", lang, names=texts.listed(names, lang), **facts)
    elif before.others:
        who = say("daily.post.found.unnamed", lang, n=before.others, **facts)
    else:
        who = say("daily.post.found.none" if before.answered else "daily.post.unanswered", lang, **facts)
    if before.streak > 1:
        who += " " + say("daily.post.streak", lang, who=short(before.names[0]), n=before.streak)
    return who, say("daily.post.solution", lang, line=solution_line(number, lang))


@lru_cache(KEPT)
def solution_line(number: int, lang: str) -> str:
    """Return the actions of a solution of puzzle *number* in words. It may take a moment, the first time."""
    return _line(solved(puzzle_of(number)), lang)


def month(number: int, solvers: Sequence[SolverDays], lang: str) -> Chart | None:
    """Return the table of the month before puzzle *number*; None if it would be empty."""
    best = sorted((one for one in solvers if one.name), key=lambda one: (-one.solved, -len(one.answers), one.name))
    if not best:
        return None
    most = max(len(one.answers) for one in best[:IN_TABLE])
    return Chart(
        say("daily.month", lang, month=times.month(day_of(month_before(number)[0]), lang)),
        bars=tuple(
            Bar(
                short(one.name) or say("somebody", lang),
                len(one.answers) / most,
                say("daily.month.days", lang, n=len(one.answers), solved=one.solved),
                one.solved / len(one.answers),
                sign=str(rank),
            )
            for rank, one in enumerate(best[:IN_TABLE], 1)
        ),
    )


def _ask(puzzle: Puzzle, lang: str) -> str:
    """Return the question, in the game's own words if it has some."""
    key = f"daily.ask.{puzzle.goal}"
    return texts.say(puzzle.game, key, lang) if texts.knows(puzzle.game, key) else say(key, lang)


def _task(shown: Shown, lang: str) -> str:
    """Return the question, and whether an attempt counts."""
    ask = _ask(shown.puzzle, lang)
    if shown.answer is not None:
        return f"{ask} {say('daily.practice', lang, result=shown.answer.result, par=shown.answer.par)}"
    return ask if shown.is_today else f"{ask} {say('daily.former', lang)}"


def _line(attempt: Attempt, lang: str) -> str:
    """Return the actions so far: the person's, and in brackets the answers to them."""
    state, puzzle, said = attempt.puzzle.start, attempt.puzzle, list[str]()
    for action in attempt.actions:
        text = wording.action_text(puzzle.game, action, lang)
        said.append(text if state.actor == puzzle.seat else f"({text})")
        state = state.play(action)
    return " · ".join(said)


def _result(goal: Goal, result: int, lang: str) -> str:
    """Return the result of an attempt in words."""
    return say(f"daily.{goal}.{'minus' if result < 0 else 'plus'}", lang, n=abs(result))


def _again(number: int, lang: str, label: str = "button.daily.again") -> Button:
    return button(Daily(number), lang, label=say(label, lang))


def _other(puzzle: Puzzle, number: int, lang: str) -> tuple[Button, ...]:
    """Return the button to another puzzle of the same game."""
    return (button(WarmUp(puzzle.game, number), lang, label=say("button.daily.other", lang)),)


def _no_more(lang: str) -> Button:
    return button(RemindDaily(on=False), lang, label=say("button.daily.remind.off", lang))


def _title(number: int, puzzle: Puzzle, lang: str) -> str:
    marks = "★" * puzzle.difficulty + "☆" * (HARDEST - puzzle.difficulty)
    return say("daily.title", lang, number=number, game=game_name(puzzle.game, lang), marks=marks)


def _reply(shown: Shown, said: Iterable[str], picture: Picture, rows: Rows, lang: str, narrow: Rows = ()) -> Reply:
    return Reply(
        title=_title(shown.number, shown.puzzle, lang),
        text="\n".join(filter(None, said)),
        picture=picture,
        rows=rows,
        narrow_rows=narrow,
        role=Role.MENU,
        secret=True,  # an answer must not show the solution to others
    )
