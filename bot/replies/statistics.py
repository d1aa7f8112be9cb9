"""Private answers about people: records, the best of a place, stored personal data."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from msgspec import Struct

import texts
from bot.chat import File, PlaceId, Reply, Role, Style
from bot.house.levels import Level
from bot.replies.buttons import button, close, in_rows
from bot.replies.times import duration
from bot.replies.words import game_name, person, short
from bot.requests import Export, Forget, Hide, Privacy, Settings, Top
from bot.tables import rating, solo
from bot.tables.daily import DailyRecord
from bot.tables.rating import Reached, Record
from bot.tables.solo import SoloRecord
from renderers.charts import Bar, Chart, Curve
from rules import GAMES

MEDALS = ("🥇", "🥈", "🥉")

Records = Mapping[PlaceId, Mapping[str, Record]]
Alone = Mapping[str, Mapping[str, SoloRecord]]
"""Records against the house, by game and level."""


class Standing(Struct, frozen=True):
    """A person with their records by game."""

    name: str
    records: Mapping[str, Record]


class OwnData(Struct, frozen=True):
    """The stored data of the reader. *settings*: those that differ from the defaults. *votes*: running tables at which
    they have voted. *over*: finished tables, kept for *days* days."""

    settings: tuple[str, ...]
    tables: int
    votes: int
    over: int
    days: int
    records: Records
    alone: Alone
    hidden: bool
    blocks: int


def say(key: str, lang: str, /, **facts: object) -> str:
    return texts.say("people", key, lang, **facts)


def _counted(games: int, wins: int, lang: str) -> str:
    return f"{say('games', lang, n=games)}, {say('wins', lang, n=wins)}"


def _lines(records: Mapping[str, Record], lang: str) -> list[str]:
    """Return a line for each game."""
    return [
        f"{game_name(game, lang)}: {say('rating', lang, rating=record.rating)} · "
        f"{_counted(record.games, record.wins, lang)}"
        for game, record in records.items()
    ]


# Records


def mine(records: Records, alone: Alone, daily: DailyRecord, here: PlaceId | None, lang: str, *, hidden: bool) -> Reply:
    """Return the reader's own records: in this place, in total, against the house with the next goals, and in the
    daily puzzles.

    *here* None: outside of any place.
    """
    lines = [] if here is None else _lines(records.get(here, {}), lang)
    if not (lines or alone or daily.answered or here is None):
        lines = [say("stats.none", lang)]
    if records.keys() - {here}:
        lines += _everywhere(records, lang)
    if alone:
        lines += ([""] if lines else []) + _against_house(alone, lang)
    if daily.answered:
        facts = {"n": daily.answered, "solved": daily.solved, "streak": daily.streak, "best": daily.best}
        lines += [*([""] if lines else []), say("daily.stats", lang, **facts)]
    if not lines:
        lines = [say("stats.nothing", lang)]
    if hidden:
        lines.append(say("stats.hidden", lang))
    return Reply(title=say("stats.mine", lang), text="\n".join(lines))


def _everywhere(records: Records, lang: str) -> list[str]:
    total = rating.total(records.values())
    lines = [f"{game_name(game, lang)}: {_counted(games, wins, lang)}" for game, (games, wins) in total.items()]
    return [say("stats.everywhere", lang, n=len(records)), *lines]


def _against_house(alone: Alone, lang: str) -> list[str]:
    """Return a heading, and for each game a line by level and the next goal."""
    lines = [say("solo.title", lang)]
    for game, levels in alone.items():
        for level in Level:
            if level in levels:
                name = say("solo.game", lang, game=game_name(game, lang), level=say(f"level.{level}", lang))
                lines.append(f"{name}: {_solo(levels[level], lang)}")
        won = {badge for record in levels.values() for badge in record.badges}
        stories = [texts.say(game, f"badge.{badge.id}", lang) for badge in GAMES[game].badges if badge.id in won]
        if stories:
            lines.append(say("solo.badges", lang, badges=", ".join(stories)))
        goal = solo.next_goal(levels, tuple(Level))
        if goal is None:
            lines.append(say("solo.done", lang))
        else:
            wins = levels.get(goal, SoloRecord()).wins
            lines.append(say("solo.goal", lang, level=say(f"level.{goal}", lang), n=wins, most=solo.GOAL))
    return lines


def _solo(record: SoloRecord, lang: str) -> str:
    """Return a record against the house in words."""
    drawn = record.games - record.wins - record.losses
    parts = [say("wins", lang, n=record.wins), say("losses", lang, n=record.losses)]
    parts += [say("draws", lang, n=drawn)] if drawn else []
    parts += [] if record.best is None else [say("solo.best", lang, n=record.best)]
    parts += [say("solo.streak", lang, n=record.streak)] if record.streak > 1 else []
    return ", ".join(parts)


def theirs(people: Sequence[Standing], lang: str) -> Reply:
    """Return the records here of one person, or of several people with the same name."""
    if len(people) == 1:
        title = say("stats.theirs", lang, who=person(people[0].name, lang))
        return Reply(title=title, text="\n".join(_lines(people[0].records, lang)))
    lines = list[str]()
    for standing in people:
        lines += [person(standing.name, lang), *(f"• {line}" for line in _lines(standing.records, lang))]
    return Reply(title=say("stats.several", lang), text="\n".join(lines))


def nobody(text: str, lang: str) -> Reply:
    """Return the answer if no visible person here has that name."""
    return Reply(text=say("stats.unknown", lang, who=short(text)))


def top(game: str, best: Sequence[Reached], games: Sequence[str], lang: str) -> Reply:
    """Return the best players of *game* here; *games*: the games that have a list."""
    lines = [
        f"{MEDALS[rank] if rank < len(MEDALS) else f'{rank + 1}.'} {person(player.called.name, lang)} · "
        f"{say('rating', lang, rating=player.record.rating)} · "
        f"{_counted(player.record.games, player.record.wins, lang)}"
        for rank, player in enumerate(best)
    ] or [say("top.none", lang)]
    others = [button(Top(other), lang, label=game_name(other, lang)) for other in games if other != game]
    return Reply(
        title=say("top.title", lang, game=game_name(game, lang)),
        text="\n".join([*lines, "", say("top.about", lang, rating=rating.BEGINNING)]),
        rows=(*in_rows(others, 3), (close(lang),)),
        role=Role.MENU,
    )


# Figures


def course(title: str, records: Mapping[str, Record], lang: str) -> Chart:
    """Return a chart of ratings over the newest games, with bars for games and wins."""
    most = max(record.games for record in records.values())
    longest = max(records.values(), key=lambda record: len(record.course))
    return Chart(
        title,
        tuple(
            Curve(game_name(game, lang), tuple(map(float, record.course)), game=game)
            for game, record in records.items()
        ),
        tuple(
            Bar(
                game_name(game, lang),
                record.games / most,
                _counted(record.games, record.wins, lang),
                record.wins / record.games,
                game=game,
            )
            for game, record in records.items()
        ),
        steps=say("chart.games", lang),
        first=longest.games + 1 - len(longest.course),  # 0: the rating that all begin with
    )


def ranking(game: str, best: Sequence[Reached], lang: str) -> Chart:
    """Return a chart of the best in *game*, with bars from the lowest rating or the initial one."""
    ratings = [player.record.rating for player in best]
    low, high = min(*ratings, rating.BEGINNING), max(*ratings, rating.BEGINNING + 1)
    return Chart(
        say("top.title", lang, game=game_name(game, lang)),
        game=game,
        bars=tuple(
            Bar(
                short(player.called.name),
                0.1 + 0.9 * (player.record.rating - low) / (high - low),
                f"{player.record.rating} · {_counted(player.record.games, player.record.wins, lang)}",
                sign=str(rank),
            )
            for rank, player in enumerate(best, 1)
        ),
    )


def no_top(lang: str) -> Reply:
    return Reply(text=say("top.none", lang))


# Privacy


def privacy(kept: OwnData, lang: str) -> Reply:
    """Return the reader's stored data in plain words, with the buttons to export or delete it."""
    named = [texts.say("table", f"setting.{name}", lang) for name in kept.settings]
    total = rating.total(kept.records.values()).values()
    games, wins = sum(games for games, _ in total), sum(wins for _, wins in total)
    played = sum(record.games for levels in kept.alone.values() for record in levels.values())
    facts = [
        say("privacy.known", lang),
        say("privacy.settings", lang, settings=texts.listed(named, lang))
        if named
        else say("privacy.no_settings", lang),
        say("privacy.tables", lang, n=kept.tables) if kept.tables else "",
        say("privacy.votes", lang, n=kept.votes) if kept.votes else "",
        say("privacy.over", lang, n=kept.over, kept=duration(timedelta(days=kept.days), lang)) if kept.over else "",
        say("privacy.records", lang, n=len(kept.records), counted=_counted(games, wins, lang)) if kept.records else "",
        say("privacy.solo", lang, n=played) if played else "",
        say("privacy.blocks", lang, n=kept.blocks) if kept.blocks else "",
        say("privacy.hidden" if kept.hidden else "privacy.seen", lang),
    ]
    hide = button(Hide(not kept.hidden), lang, label=say("button.show" if kept.hidden else "button.hide", lang))
    rows = (
        (hide, button(Export(), lang)),
        (button(Forget(), lang, Style.DANGER),),
        (button(Settings("me"), lang, label=texts.say("table", "button.back", lang)), close(lang)),
    )
    return Reply(
        title=say("privacy.title", lang),
        text="\n".join(f"• {fact}" for fact in facts if fact),
        rows=rows,
        role=Role.MENU,
        secret=True,
    )


def exported(content: bytes, lang: str) -> Reply:
    """Return all stored data of the reader as a file."""
    title = say("exported.title", lang)
    return Reply(title=title, text=say("exported", lang), file=File("kaleidobot.json", content, alt=title), secret=True)


def forget(tables: int, lang: str) -> Reply:
    """Return the question before everything is deleted; *tables*: the number of tables with the reader."""
    lines = [say("forget", lang)] + ([say("forget.tables", lang, n=tables)] if tables else [])
    yes = button(Forget(sure=True), lang, Style.DANGER, label=say("button.forget.yes", lang))
    no = button(Privacy(), lang, label=say("button.forget.no", lang))
    return Reply(text="\n".join(lines), rows=((yes, no),), role=Role.MENU, secret=True)


def forgotten(lang: str) -> Reply:
    return Reply(text=say("forgotten", lang), role=Role.MENU, secret=True)
