"""The review of a finished game: the chart of all chances and the turning points in words."""

import re
from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct

from bot.chat import Button, Picture, Post, PublicPicture, Reply, Role, Style
from bot.extras.reviews.review import Review, TurningPoint, most_changed
from bot.replies import news, wording
from bot.replies.buttons import button, close
from bot.replies.words import advise, game_name, names
from bot.requests import PlayOn, ShowReview
from bot.runtime.names import isolated
from bot.tables import logbook, origins
from bot.tables.table import By, Entry, Table
from renderers import Look, seat_hue
from renderers.charts import Chart, Curve
from rules import GAMES, Action, State

LONGEST_PLAYED = 190
"""Maximum length, in characters, of the moves of a turning point in the overview: the overview is a picture's
caption. Nearly every turn fits."""


class Reviewed(Struct, frozen=True):
    """A finished game with its review. *entries*: its actions. *views*: all positions as spectators saw them."""

    table: Table
    review: Review
    entries: tuple[Entry, ...]
    views: tuple[State, ...]


def chart(game: Reviewed, look: Look) -> Chart:
    """Return the chart of all chances over the turns, in the colours of the board. *look* has the names."""
    lang = look.lang
    return Chart(
        title=advise("review.chances", lang),
        curves=tuple(
            Curve(
                isolated(seat.name),
                tuple(chances[number] for chances in game.review.chances),
                seat_hue(game.table.game, number, look),
            )
            for number, seat in enumerate(look.seats)
        ),
        unit="%",
        steps=advise("review.turns", lang),
        first=0,
        numbers=_numbers(game),
        marks=tuple(point.turn + 1 for point in game.review.points),
        game=game.table.game,
    )


def _numbers(game: Reviewed) -> tuple[int, ...]:
    """Return the turns begun at each step of the chart, as people count them; () if that is 0, 1, 2, …"""
    ends = [number for number in logbook.ends_of_turns(game.entries) if number < len(game.views)]
    numbers = tuple(origins.begun(game.table, game.entries, game.views, number) for number in ends)
    return () if numbers == tuple(range(len(numbers))) else numbers


def post(game: Reviewed, picture: PublicPicture, lang: str) -> Post:
    """Return the chart with the turning points in words as a public post."""
    title, points = advise("review.title", lang, game=game_name(game.table.game, lang)), _points(game, None, lang)
    return Post(title=title, text=_overview(game, lang), picture=picture, rows=(points,) if points else ())


def overview(game: Reviewed, picture: Picture, lang: str) -> Reply:
    """Return the same for one person."""
    title = advise("review.title", lang, game=game_name(game.table.game, lang))
    rows = ((*_points(game, None, lang), close(lang)),)
    return Reply(title=title, text=_overview(game, lang), picture=picture, rows=rows, role=Role.MENU)


def _overview(game: Reviewed, lang: str) -> str:
    lines = [news.headline(game.table, game.views[-1], game.entries, lang)]
    if game.table.result is not None and game.table.result.of_table:  # no turn shows it; a post has six lines
        lines = [f"{lines[0]}. {news.decided(game.table, game.entries, lang)}"]
    for number, point in enumerate(game.review.points, 1):
        parts = _moved(game, point, lang), _played(game, point, lang), _instead(game, point, lang)
        lines.append(f"{number}) {' '.join(filter(None, parts))}")
    if not game.review.points:
        lines.append(advise("review.even", lang))
    lines.append(advise("review.guess", lang))
    return "\n".join(lines)


def point(game: Reviewed, number: int, picture: Picture, lang: str) -> Reply:
    """Return turning point *number* (from 0); *picture*: the board after that turn."""
    point_ = game.review.points[number]
    lines = [_moved(game, point_, lang), _played(game, point_, lang, whole=True), _instead(game, point_, lang)]
    return Reply(
        title=advise("review.point", lang, game=game_name(game.table.game, lang), number=number + 1),
        text="\n".join(filter(None, lines)),
        picture=picture,
        rows=((*_points(game, number, lang), close(lang)), *_onward(game, point_, lang)),
        role=Role.MENU,
    )


def _onward(game: Reviewed, point: TurningPoint, lang: str) -> tuple[tuple[Button, ...], ...]:
    """Return the button to play on from the position before a turning point, if a game can."""
    if point.first not in origins.starts(game.views):
        return ()
    before = advise("button.review.play_on", lang)
    return ((button(PlayOn(game.table.id, point.first), lang, label=before),),)


def _points(game: Reviewed, shown: int | None, lang: str) -> tuple[Button, ...]:
    """Return the buttons to the turning points, and back to the chart from one of them."""
    table = game.table.id
    points = tuple(
        button(
            ShowReview(table, number + 1),
            lang,
            Style.MAIN if number == shown else Style.PLAIN,
            label=advise("button.review.point", lang, number=number + 1),
        )
        for number in range(len(game.review.points))
    )
    chart = button(ShowReview(table, 0), lang, label=advise("button.review.chart", lang))
    return points if shown is None else (chart, *points)


def _moved(game: Reviewed, point: TurningPoint, lang: str) -> str:
    """Return the line about the seat with the largest change of chances."""
    before, after = game.review.chances[point.turn : point.turn + 2]
    seat = most_changed(before, after, game.entries[point.first].seat)
    facts = {"before": round(before[seat]), "after": round(after[seat]), "who": names(game.table, lang)[seat]}
    number = (_numbers(game) or range(point.turn + 2))[point.turn + 1]
    return advise("review.moved", lang, turn=number, **facts) if number else advise("review.moved.setup", lang, **facts)


def _played(game: Reviewed, point: TurningPoint, lang: str, *, whole: bool = False) -> str:
    entries = game.entries[point.first : point.last]
    if whole:
        return " ".join(news.lines(game.table, entries, lang))
    beside = [news.beside_headline(game.table, entry) for entry in entries]
    return shortened(news.posted(game.table, beside, lang))


def shortened(lines: Sequence[str]) -> str:
    """Return *lines* as one, cut after a whole part or sentence before the last one, which tells what decided the turn;
    else at the end. No bracket stays open. A single long part is cut after a word.

    >>> shortened(["Anna: one, two, " + "three " * 30 + "(3, 4), five."])
    'Anna: one, two … five.'
    >>> shortened(["Anna moves a lot: " + "x y " * 50 + "z.", "Anna is out."])[-20:]
    'x y x … Anna is out.'
    >>> shortened(["Anna moves " + "x y " * 43 + "z (for 1 point)."])[-9:]
    'y x y z …'
    """
    text = " ".join(lines)
    if len(text) <= LONGEST_PLAYED:
        return text
    gaps = [gap.start() for gap in re.finditer(r" (?![^(]*\))", text)]  # outside brackets
    ends = [gap for gap in gaps if text[gap - 1] in ",."]
    last = text[ends[-1] :] if ends else ""
    end = f" …{last}" if 0 < len(last) < LONGEST_PLAYED / 2 else " …"
    fits = range(LONGEST_PLAYED - len(end) + 1)
    cut = max([gap for gap in ends if gap in fits] or [gap for gap in gaps if gap in fits], default=0)
    return text[:cut].rstrip(" ,+→") + end


def _instead(game: Reviewed, point: TurningPoint, lang: str) -> str:
    """Return the move that the house would have played, or "" if the house played, or if the turn won for sure, or if
    only the beginning of the move is known and was played."""
    entries = game.entries[point.first : point.last]
    played = tuple(entry.action for entry in entries)
    if not point.instead:
        return advise("review.nothing_else", lang)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(played, point.instead, strict=False))
    begun = len(list(same))  # only what differs is told
    if begun == len(point.instead):
        return "" if begun < len(played) or entries[0].by == By.HOUSE else advise("review.same", lang)
    seat, (before, after) = entries[0].seat, game.review.chances[point.turn : point.turn + 2]
    if round(after[seat]) >= 100:
        return ""
    moves = _moves(game, point.first + begun, point.instead[begun:], lang)
    if begun:
        beginning = _moves(game, point.first + begun - 1, played[begun - 1 : begun], lang)
        return advise("review.later", lang, after=beginning, moves=moves)
    return advise("review.even_better" if after[seat] > before[seat] else "review.instead", lang, moves=moves)


def _moves(game: Reviewed, number: int, texts: Sequence[str], lang: str) -> str:
    """Return actions in notation from position *number* on, in words."""
    view = game.views[number]
    return wording.actions_text(game.table.game, view, actions_of(game.table.game, view, texts), lang)


def actions_of(game: str, view: State, texts: Sequence[str]) -> tuple[Action, ...]:
    """Return the actions of notation that the bot itself wrote."""
    return tuple(GAMES[game].parse(view, " ".join(texts)))


def said(key: str, lang: str, /, **facts: object) -> Reply:
    """Return a short answer about a review."""
    return Reply(text=advise(key, lang, **facts))


def under_way(table: Table, percent: int) -> Post:
    """Return the public post while the review is made."""
    title = advise("review.title", table.lang, game=game_name(table.game, table.lang))
    return Post(title=title, text=advise("review.progress", table.lang, percent=percent))


def failed(table: Table) -> Post:
    """Return the public post if the review failed."""
    return Post(text=advise("review.failed", table.lang))


def to_it(link: str | None, table: Table, lang: str) -> Reply:
    """Return the answer if the review was posted before; *link* leads there if the platform has links."""
    there = () if link is None else (Button(advise("button.review.there", lang), link=link),)
    here = button(ShowReview(table.id, 0), lang, label=advise("button.review.mine", lang))
    return Reply(text=advise("review.posted", lang), rows=((*there, here),))
