"""The history of a game: one line in words for each seat's go."""

from collections.abc import Iterable, Sequence
from itertools import chain, groupby

from bot.chat import Reply, Role, Style
from bot.replies import news, wording
from bot.replies.buttons import close, pager
from bot.replies.words import game_name, names, say
from bot.requests import History
from bot.tables import logbook, origins
from bot.tables.table import Entry, Phase, Table
from rules import GAMES, State

PER_PAGE = 8
"""Maximum number of lines on a page."""
LONGEST_PAGE = 900
"""Maximum length, in characters, of a page of several lines: a phone shows it at once."""


def history(table: Table, entries: Sequence[Entry], states: Sequence[State], page: int, lang: str) -> Reply:
    """Return a page of the history, newest first, a line for each seat's go with the number of its turn; from page 0.
    A setup, a deal and agreeing to a draw are no turns and have no number. *states*: the first position, and the one
    after each action."""
    lines = list[str]()
    for _, go in groupby(enumerate(entries), lambda numbered: (numbered[1].turn, numbered[1].seat)):
        numbers = [number for number, _ in go]
        there = slice(numbers[0], numbers[-1] + 1)
        agreed = logbook.is_agreement(table, entries[numbers[0]])
        number = None if agreed else origins.number_after(table, entries, states, numbers[0])
        lines.append(line(table, number, entries[there], states[there], lang))
    pages = _pages(lines)
    page = min(max(page, 0), len(pages) - 1)
    turn = pager(lambda shown: History(table.id, shown), page, len(pages), lang, Style.PLAIN)
    return Reply(
        title=say(
            "history.title.over" if table.phase == Phase.OVER else "history.title",
            lang,
            game=game_name(table.game, lang),
        ),
        text="\n".join(pages[page]) or say("history.empty", lang),
        rows=((*(turn if len(pages) > 1 else ()), close(lang)),),
        role=Role.MENU,
    )


def line(table: Table, number: int | None, go: Sequence[Entry], before: Sequence[State], lang: str) -> str:
    """Return one seat's go in words. *number*: of the turn, or None. *before*: the position before each action. In the
    middle of a turn that is published as a whole, there are no news yet; the line lists the actions instead."""
    said = " ".join(news.lines(table, go, lang))
    if not said:
        steps = (GAMES[table.game].parse(state, entry.action) for state, entry in zip(before, go, strict=True))
        done = wording.all_done(table.game, chain.from_iterable(steps), lang, goes_on=True)
        said = f"{names(table, lang)[go[0].seat]}: {done}"
    return said if number is None else f"{number}. {said}"


def _pages(lines: Iterable[str]) -> list[list[str]]:
    """Return the lines in pages, the newest first."""
    pages: list[list[str]] = [[]]
    room = LONGEST_PAGE
    for text in reversed(list(lines)):
        if pages[-1] and (len(pages[-1]) == PER_PAGE or len(text) > room):
            pages.append([])
            room = LONGEST_PAGE
        pages[-1].append(text)
        room -= len(text) + 1
    return pages
