"""The events at a table as lines of text."""

from collections.abc import Iterable, Sequence
from itertools import groupby, zip_longest

from msgspec.structs import replace

import texts
from bot.replies.words import game_name, names, now_playing, person, say
from bot.tables.preferences import ON_TIMEOUT, hours
from bot.tables.table import By, Entry, Result, Table
from rules import GAMES, News, State


def lines(table: Table, entries: Iterable[Entry], lang: str) -> list[str]:
    """Return the events as lines; one seat's turn is one line if the game has brief texts for it."""
    lines: list[str] = []
    for (seat, _, house, event), group in groupby(
        entries, lambda entry: (entry.seat, entry.turn, entry.by == By.HOUSE, entry.event)
    ):
        if event:
            lines += [_event_line(table, entry, lang) for entry in group]
            continue
        people = now_playing(table, lang) if house else names(table, lang)
        said = _turn_lines(table, [news for entry in group for news in entry.news], people, lang)
        if house and said:
            said[0] = _by_house(table, seat, said[0], lang)
        lines += said
    return lines


def posted(table: Table, entries: Iterable[Entry], lang: str) -> list[str]:
    """Return the events as lines of a post: one line per player and turn, without what the picture shows."""
    return [line for _, line in posted_turns(table, entries, lang)]


def posted_turns(table: Table, entries: Iterable[Entry], lang: str) -> list[tuple[list[Entry], str]]:
    """Return the lines of `posted`, each with its entries."""
    turns: dict[object, list[Entry]] = {}
    for number, entry in enumerate(entries):
        key = number if entry.event else (entry.seat, entry.turn, entry.by == By.HOUSE)
        turns.setdefault(key, []).append(entry)
    lines: list[tuple[list[Entry], str]] = []
    for group in turns.values():
        first, is_house = group[0], group[0].by == By.HOUSE
        if first.event:
            lines.append((group, _event_line(table, first, lang)))
            continue
        people = now_playing(table, lang) if is_house else names(table, lang)
        line = _turn_line(table, [news for entry in group for news in entry.news], people, lang)
        if line:
            lines.append((group, _by_house(table, first.seat, line, lang) if is_house else line))
    return lines


def _event_line(table: Table, entry: Entry, lang: str) -> str:
    """Return an event beside the game as a line; of a substitute it names the person who had the seat."""
    before = (one.name for one in table.leavers if (one.seat, one.until) == (entry.seat, entry.revision))
    former = person(next(before, ""), lang)
    return say(f"event.{entry.event}", lang, who=names(table, lang)[entry.seat], n=entry.back, former=former)


def _by_house(table: Table, seat: int, line: str, lang: str) -> str:
    """Return *line* with the words that the house has played, unless *seat* is its own."""
    if table.seats[seat].house:
        return line
    return say("news.house", lang, line=line[:-1]) + "." if line.endswith(".") else say("news.house", lang, line=line)


def _turn_line(table: Table, turn: Sequence[News], people: Sequence[str], lang: str) -> str:
    """Return the news of one seat's turn as one line, or ""; see `rules.contract.News`. *people*: the seats' names."""
    kept = [news for news in turn if news.code not in GAMES[table.game].asides]
    counts = [
        news
        for news, after in zip_longest(kept, kept[1:])
        if after is None or not (_is_brief(table, news) and _is_brief(table, after) and _tells(after, news))
    ]
    short = [(news, _short(table, news, people, lang)) for news in counts]
    parts = [words for _, words in short if words]
    if not parts or len(kept) < 2:  # nothing to combine
        return " ".join(_news_line(table, news, people, lang) for news in counts)
    seat = next(news.seat for news, words in short if words)
    line = say("news.turn", lang, who="" if seat is None else people[seat], turn=", ".join(parts))
    return " ".join((line, *(_news_line(table, news, people, lang) for news, words in short if not words)))


def _short(table: Table, news: News, people: Sequence[str], lang: str) -> str:
    """Return one event as a part of a line, or "" if the game has only a sentence for it."""
    if news.seat is None:
        return ""
    keys = f"post.{news.code}", f"brief.{news.code}"
    key = next((key for key in keys if texts.knows(table.game, key)), "")
    return texts.say(table.game, key, lang, **_facts(table, news, people, lang)) if key else ""


def beside_headline(table: Table, entry: Entry) -> Entry:
    """Return *entry* without the news that the `headline` of the finished game shows."""
    news = (item for item in entry.news if not texts.knows(table.game, f"headline.by.{item.code}"))
    return replace(entry, news=tuple(news))


def _turn_lines(table: Table, turn: Sequence[News], people: Sequence[str], lang: str) -> list[str]:
    """Return the news of one seat's turn. News with a text ``brief.<code>`` are joined; if one of them has all facts
    of the one before, only the later one counts. *people*: the seats' names."""
    counts = [
        news
        for news, after in zip_longest(turn, turn[1:])
        if after is None or not (_is_brief(table, news) and _is_brief(table, after) and _tells(after, news))
    ]
    lines: list[str] = []
    for brief, group in groupby(counts, lambda news: _is_brief(table, news)):
        items = list(group)
        if brief and len(turn) > 1:
            parts = [
                texts.say(table.game, f"brief.{news.code}", lang, **_facts(table, news, people, lang)) for news in items
            ]
            who = "" if items[0].seat is None else people[items[0].seat]
            lines.append(say("news.turn", lang, who=who, turn=", ".join(parts)))
        else:
            lines += [_news_line(table, news, people, lang) for news in items]
    return lines


def _is_brief(table: Table, news: News) -> bool:
    return news.seat is not None and texts.knows(table.game, f"brief.{news.code}")


def _tells(news: News, other: News) -> bool:
    """Return whether *news* has all facts of *other*."""
    return news.seat == other.seat and set(other.facts) <= set(news.facts)


def _facts(table: Table, news: News, people: Sequence[str], lang: str) -> dict[str, object]:
    facts: dict[str, object] = {
        name: " ".join(texts.find(table.game, f"part.{word}", lang) or word for word in words.split(" "))
        for name, words in news.facts
    }
    facts |= {name: int(number) for name, number in news.facts if name == "n"}
    return facts | {name: people[seat] for name, seat in (("who", news.seat), ("to", news.to)) if seat is not None}


def news_line(table: Table, news: News, lang: str) -> str:
    """Return one event as a line."""
    return _news_line(table, news, names(table, lang), lang)


def _news_line(table: Table, news: News, people: Sequence[str], lang: str) -> str:
    return texts.say(table.game, f"news.{news.code}", lang, **_facts(table, news, people, lang))


def why(table: Table, reason: News, lang: str) -> str:
    """Return the game's reason as a line."""
    return texts.say(table.game, f"why.{reason.code}", lang, **_facts(table, reason, names(table, lang), lang))


def result(table: Table, view: State, entries: Iterable[Entry], lang: str) -> str:
    """Return how the table ended, in two lines: `headline` and `decided`."""
    entries = tuple(entries)
    return f"{headline(table, view, entries, lang)}\n{decided(table, entries, lang)}"


def points(table: Table, view: State) -> tuple[int, ...] | None:
    """Return the points by seat with which the game of *table* ended; None in a game without points, or if the table
    ended it. *view*: any view of the last position."""
    ended = table.result
    return None if ended is None or ended.of_table or view.standing() is None else ended.scores


def ranked(table: Table, points: Sequence[int]) -> list[int]:
    """Return the seats: winners first, then those with more *points*."""
    winners = () if table.result is None else table.result.winners
    return sorted(range(len(points)), key=lambda seat: (seat not in winners, -points[seat]))


def headline(table: Table, view: State, entries: Iterable[Entry], lang: str, *, pointed: bool = True) -> str:
    """Return the winners, their points, and what broke a tie, without a full stop. *view*: any view of the last
    position. *entries*: the newest of the log are enough. *pointed*: the points are told."""
    ended = table.result
    assert ended is not None
    if not ended.winners:
        return say("headline.nobody", lang)
    people = now_playing(table, lang)
    facts = {"n": len(ended.winners), "winners": texts.listed([people[seat] for seat in ended.winners], lang)}
    line = texts.say(table.game, _draw(table), lang, **facts) if is_draw(table) else say("headline.won", lang, **facts)
    if pointed and (scores := points(table, view)) is not None:
        order = ranked(table, scores)
        line = say("headline.points", lang, headline=line, points=" : ".join(str(scores[seat]) for seat in order))
    for reason in _explaining(entries):
        if by := texts.find(table.game, f"headline.by.{reason.code}", lang):
            line = say("headline.by", lang, headline=line, by=by)
    return line


def decided(table: Table, entries: Iterable[Entry], lang: str) -> str:
    """Return how the game was decided: the events of one entry that explain the end, or the reason. A reason may
    name the game's options."""
    ended = table.result
    assert ended is not None
    people, finished = names(table, lang), now_playing(table, lang)
    for entry in reversed((*entries,)):
        if explaining := _explaining((entry,)):
            who = finished if entry.by == By.HOUSE else people
            return " ".join(_news_line(table, item, who, lang) for item in explaining)
    lost = [seat for seat in range(len(people)) if seat not in ended.winners]
    others = [people[seat] for seat in lost if not (ended.of_table and table.seats[seat].house)]
    if ended.by is not None:
        others = [people[seat] for seat in ended.by]
    last = [finished[seat] for seat in _next_best(lost, ended.scores or ())]
    facts = {option.name: table.options.get(option.name, option.default) for option in GAMES[table.game].options} | {
        "n": len(ended.winners) if ended.by is None else len(others),
        "winners": texts.listed([finished[seat] for seat in ended.winners], lang) if ended.winners else "",
        "who": texts.listed(others, lang) if others else "",
        "last": texts.listed(last, lang) if last else "",
    }
    key = f"result.{_of_table(table, ended)}" if ended.of_table else f"reason.{ended.reason}"
    return texts.say("table" if ended.of_table else table.game, key, lang, **facts)


def turned(table: Table, lang: str) -> str:
    """Return the line about the turning point of a finished game, or "" before its analysis."""
    point = table.turned
    if point is None:
        return ""
    people = names(table, lang)
    line = " ".join(_turn_lines(table, point.news, people, lang))
    facts = {"turn": point.number or point.turn + 1, "line": line, "who": people[point.seat]}
    return say("turned", lang, before=point.before, after=point.after, **facts)


def guessed(table: Table, lang: str) -> str:
    """Return the line about the first right guess of the winner, or ""."""
    guess = table.guess
    if guess is None:
        return ""
    key = "guess.first" if guess.chance is None else "guess.first.chance"
    return say(key, lang, who=person(guess.name, lang), turn=guess.number or guess.turn + 1, n=guess.chance or 0)


def awards(table: Table, lang: str) -> list[str]:
    """Return the lines about a person's first win over the house at this level, and about badges that are new to them;
    () for most games."""
    if table.result is None or not (table.first_win or table.badges):
        return []
    people, winners = names(table, lang), table.result.winners
    who = texts.listed([people[seat] for seat in winners if not table.seats[seat].house], lang)
    game = game_name(table.game, lang)
    first = [say(f"first_win.{table.level}", lang, who=who, game=game)] if table.first_win else []
    stories = (texts.say(table.game, f"badge.{badge}", lang) for badge in table.badges)
    return [*first, *(say("badge.new", lang, who=who, badge=story) for story in stories)]


def own_result(table: Table, view: State, seat: int, lang: str) -> str:
    """Return how the game ended for the person of *seat*, in words for them alone. *view*: any view of the last
    position."""
    ended = table.result
    assert ended is not None
    if not ended.winners:
        return say("own.nobody", lang)
    if seat in ended.winners:
        return say("own.draw" if is_draw(table) else "own.won" if len(ended.winners) == 1 else "own.shared", lang)
    if (scores := points(table, view)) is None:
        return say("own.lost", lang)
    behind = max(scores[winner] for winner in ended.winners) - scores[seat]
    if behind < 0:  # the points did not decide
        return say("own.lost", lang)
    return say("own.lost.points" if behind else "own.lost.tie", lang, n=behind)


def is_draw(table: Table) -> bool:
    """Return whether a finished game of *table* ended in a draw: the game has a headline for its reason."""
    return table.result is not None and not table.result.of_table and texts.knows(table.game, _draw(table))


def _draw(table: Table) -> str:
    """Return the key of the headline of a draw."""
    assert table.result is not None
    return f"headline.{table.result.reason}"


def _explaining(entries: Iterable[Entry]) -> list[News]:
    """Return the events that explain the end of the game."""
    return [item for entry in entries for item in entry.news if item.explains]


def _next_best(lost: Sequence[int], scores: Sequence[int]) -> list[int]:
    """Return the seats with most points among *lost*: in elimination games the last opponents."""
    if not scores:
        return []
    most = max((scores[seat] for seat in lost), default=0)
    return [seat for seat in lost if scores[seat] == most]


def _of_table(table: Table, ended: Result) -> str:
    """Return the reason code of a table that ended by its people or by its clock."""
    if ended.by is not None:
        return f"{ended.reason}.by" if ended.by else f"{ended.reason}.managed"
    if table.twin is not None and ended.reason == "left":
        return "left.link"
    if ended.reason != "timeout":
        return ended.reason
    if hours(table.clock) is None:
        return "silent"
    return "timeout.chosen" if table.on_timeout == ON_TIMEOUT.choices[0] else "timeout"
