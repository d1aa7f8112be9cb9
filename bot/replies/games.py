"""The list of a person's tables everywhere: whose turn, since when, the time that is left, and a link."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import Button, PersonId, Reply, Role, Select
from bot.replies.boards import own_label, resume
from bot.replies.buttons import button, close, in_rows, pager
from bot.replies.menus import WIDEST
from bot.replies.notes import unreachable
from bot.replies.times import duration, largest
from bot.replies.words import game_name, name_of, names, now_playing, own_bank, say
from bot.requests import Games, View
from bot.runtime.clock import from_ms
from bot.tables import deadlines
from bot.tables.preferences import hours
from bot.tables.table import Phase, Table
from rules import State

PER_PAGE = 8  # four rows of two buttons; one row remains for paging


class MyGame(Struct, frozen=True):
    """A table of the reader, with a spectator's view (None in a lobby). *link*: to its newest board, or None."""

    table: Table
    view: State | None
    link: str | None = None


def my_games(person: PersonId, tables: Sequence[MyGame], page: int, now: datetime, lang: str) -> Reply:
    """Return a page of a person's tables, sorted by `in_order`; only the tables of that page need links."""
    if not tables:
        return Reply(text=say("games.none", lang), role=Role.MENU, secret=True)
    pages = pages_of(tables)
    page = min(max(page, 0), pages - 1)
    shown = list(enumerate(tables, 1))[page * PER_PAGE : (page + 1) * PER_PAGE]
    mine = sum(waits_for(person, game.table, game.view) for game in tables)
    lines = [line for number, game in shown for line in _lines(person, game, number, len(tables), now, lang)]
    buttons = [button for number, game in shown for button in _way(game, number, len(tables), lang)]
    columns = 1 if len(tables) <= PER_PAGE // 2 else 2
    rows = [*in_rows(buttons, columns)]
    turn = pager(Games, page, pages, lang)
    rows.append((*(turn if pages > 1 else ()), close(lang)))
    begun = all(game.view is not None for game in tables)
    title = say("games.title" if begun else "games.tables", lang, n=len(tables))
    several = say("games.mine" if begun else "games.mine.tables", lang, n=mine)
    waiting = say("games.it", lang) if len(tables) == 1 else several
    return Reply(
        title=f"{title} {waiting}" if mine else title,
        text="\n".join(lines),
        rows=tuple(rows),
        role=Role.MENU,
        secret=True,  # other people must not see where a person plays
    )


def with_more(reply: Reply, lines: Sequence[str], buttons: Sequence[Button]) -> Reply:
    """Return the list with *lines* above it, and as many of *buttons* in its last row as there is room for."""
    if not lines and not buttons:
        return reply
    *rows, last = reply.rows
    assert not isinstance(last, Select)
    room = WIDEST - len(last)
    return replace(reply, text="\n".join((*lines, reply.text)), rows=(*rows, (*buttons[:room], *last)))


def onward(reply: Reply, table: Table, waiting: int, link: str | None, lang: str) -> Reply:
    """Return *reply* with a line that so many other tables wait for its reader. *table* has waited longest; *link*
    leads to it."""
    way = () if link is None else (Button(f"{game_name(table.game, lang)} ↗", link=link),)
    text = "\n".join(filter(None, (reply.text, say("games.next", lang, n=waiting))))
    return replace(reply, text=text, links=way, expires=reply.expires if reply.board else None)


def pages_of(tables: Sequence[MyGame]) -> int:
    return -(-len(tables) // PER_PAGE)


def in_order(person: PersonId, tables: Sequence[MyGame], now: datetime) -> list[MyGame]:
    """Return the tables that wait for *person* first: by least time left, then (without a clock) by longest wait;
    then the others by newest turn."""

    def key(mine: MyGame) -> tuple[bool, float, float]:
        since = float(mine.table.waits_since_ms)
        if not waits_for(person, mine.table, mine.view):
            return True, -since, 0
        up = None if mine.view is None else deadlines.turn_time(mine.table, mine.view, now).up
        return False, float("inf") if up is None else up.timestamp(), since

    return sorted(tables, key=key)


def waits_for(person: PersonId, table: Table, view: State | None) -> bool:
    """Return whether *person* has to act: play, answer a question, or decide about a late player."""
    seat = table.seat_of(person)
    if table.phase != Phase.RUNNING or view is None or seat is None or table.is_resting:
        return False
    asked = table.ask is not None and person not in table.ask.agreed
    return (view.actor == seat and not table.has_stand_in) or table.is_overdue or asked


def _lines(person: PersonId, mine: MyGame, number: int, all_: int, now: datetime, lang: str) -> list[str]:
    """Return two lines: the game with its turn, since when and how long; and the other players, with a note if no
    link exists."""
    table, view = mine.table, mine.view
    mark = "👉 " if waits_for(person, table, view) else ""
    count = f"{number}. " if all_ > 1 else ""
    people = names(table, lang)
    others = [name for name, seat in zip(now_playing(table, lang), table.seats, strict=True) if seat.person != person]
    waits = [_state(person, table, view, people, lang)]
    if view is not None and view.actor is not None and not table.is_resting:
        waits += _time(person, table, view, now, lang)
    facts = [say("games.with", lang, names=_shortened(texts.listed(others, lang)))] if others else []
    if table.is_unreachable and not table.lacks_game:
        facts.append(unreachable(table, now, lang))
    elif mine.link is None and not table.is_resting:
        facts.append(say("games.no_link", lang))
    first = f"{mark}{count}{game_name(table.game, lang)} – {' · '.join(waits)}"
    return [first, " · ".join(facts)] if facts else [first]


LONGEST_LIST = 60


def _shortened(people: str) -> str:
    return people if len(people) <= LONGEST_LIST else people[: LONGEST_LIST - 1] + "…"


def _state(person: PersonId, table: Table, view: State | None, people: Sequence[str], lang: str) -> str:
    """Return the reason why the table waits, in words."""
    if view is None or view.actor is None:
        return say("games.lobby", lang, n=len(table.seats))
    if table.is_resting:
        return say("games.rests.unattended" if table.is_unattended else "games.rests", lang)
    seat, who = table.seat_of(person), people[view.actor]
    if table.has_stand_in:
        return say("games.deputy", lang)
    if view.actor == seat:
        return say("games.late" if table.is_overdue and hours(table.clock) else "games.yours", lang)
    if table.is_overdue:
        if table.seats[view.actor].departed:
            return say("games.departed", lang, who=who)
        return say("games.decide" if hours(table.clock) else "games.silent", lang, who=who)
    if table.ask is not None and person not in table.ask.agreed:
        return say("games.asked", lang, who=name_of(table, table.ask.agreed[0], lang))
    return say("games.theirs", lang, who=who)


def _time(person: PersonId, table: Table, view: State, now: datetime, lang: str) -> list[str]:
    """Return how long the turn has lasted and how much time is left; if the time is up, the time for *person* or the
    others to decide.

    The duration is what people experienced: it includes days away and a clock that began anew.
    """
    late = table.is_overdue and hours(table.clock) is not None
    unit, n = largest(now - from_ms(table.waits_since_ms))
    facts = [say(f"games.since.{unit}", lang, n=n)]
    up = deadlines.turn_time(table, view, now).up
    if up is not None:
        own = "games.left.late" if view.actor == table.seat_of(person) else "games.left.decide"
        remaining = max(up - now, timedelta(0))
        running = "games.left.paused" if deadlines.is_hushed(table, view, now) else "games.left"
        key = "games.no_time" if not remaining else own if late else running
        facts.append(say(key, lang, left=duration(remaining, lang)))
    seat = table.seat_of(person)
    if seat is not None and seat != view.actor and (own := own_bank(table, view, seat, now, lang)):
        facts.append(own)
    return facts


def _way(mine: MyGame, number: int, all_: int, lang: str) -> tuple[Button, ...]:
    """Return the button to the newest board, or to the reader's own view if there is no link."""
    count = f"{number}. " if all_ > 1 else ""
    name = game_name(mine.table.game, lang)
    if mine.link is not None and not mine.table.is_resting:
        return (Button(f"{count}{name} ↗", link=mine.link),)
    if mine.view is None:
        return ()
    if mine.table.is_resting:
        # Not "here": if another table is there by now, the answer says how to go on.
        return (replace(resume(mine.table.id, lang), label=f"{count}{say('button.resume.game', lang, game=name)}"),)
    own = own_label(mine.table.game, lang)
    return (button(View(mine.table.id), lang, label=f"{count}{name}: {own}"),)
