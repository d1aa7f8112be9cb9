"""Names and lists in words, used by all replies."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import lru_cache

import msgspec
from msgspec.structs import replace

import texts
from bot.chat import PersonId
from bot.replies.times import city, clock, duration
from bot.runtime.clock import to_ms
from bot.runtime.names import alike, isolated, shown
from bot.tables import origins, seating
from bot.tables.anonymous import is_channel, is_gone, is_house
from bot.tables.banks import bank, charged
from bot.tables.logbook import effective
from bot.tables.table import DRAW, REMOTE, Entry, Phase, Seat, Table
from renderers import Look, Recent, SeatLook, Theme, seat_rgb
from rules import GAMES, Outcome, State

MINUTE_MS = 60 * 1000
KEPT = 64
"""Number of tables whose displayed names are cached: one answer uses them about twenty times."""
Seated = tuple[PersonId, str]
"""A person at a seat and their name."""


def utc(moment: datetime, zone: str | None, lang: str) -> str:
    """Return the time of day in UTC, and in the reader's time *zone* if it is known and another one.

    >>> from datetime import UTC
    >>> utc(datetime(2026, 7, 1, 8, tzinfo=UTC), "Europe/Berlin", "en")
    '08:00 UTC (now 10:00 in Berlin)'
    """
    time, local = (clock(moment, name, lang) for name in ("UTC", zone or "UTC"))
    if zone is None or time == local:
        return say("time.utc", lang, time=time)
    return say("time.utc.zone", lang, time=time, local=local, zone=city(zone, lang))


def say(key: str, lang: str, /, **facts: object) -> str:
    """Return a text of the catalogue ``table``."""
    return texts.say("table", key, lang, **facts)


def advise(key: str, lang: str, /, **facts: object) -> str:
    """Return a text of the catalogue ``house``."""
    return texts.say("house", key, lang, **facts)


def confirmation(game: str, code: str, lang: str) -> str:
    """Return the question before an action that the actor may regret: its price, and whether they are sure."""
    return f"{texts.say(game, f'warn.{code}', lang)} {say('sure', lang)}"


def short(text: str) -> str:
    """Return a name, or a few words of a person, for use in a line: see `bot.runtime.names`.

    >>> short("Anna" + chr(10) + "B.")
    'Anna B.'
    """
    return isolated(shown(text))


def option_value(game: str, option: str, value: str, lang: str) -> str:
    """Return the value of an option in words; a person's text, which is in its canonical form, with blanks."""
    label = texts.find(game, f"option.{option}.{value}", lang)
    return value.replace(".", " ").replace("/", " / ") if label is None else label


def names(table: Table, lang: str) -> tuple[str, ...]:
    """Return the seats' names for use in a line. If two look alike (or are empty), the player's number is added. The
    house's seats have their own numbers, which do not depend on the drawn order."""
    return _numbered(_seated(table), table.level, lang, isolated)


def _seated(table: Table) -> tuple[Seated, ...]:
    return tuple((seat.person, seat.name) for seat in table.seats)


@lru_cache(KEPT)
def _numbered(seated: tuple[Seated, ...], level: str, lang: str, form: Callable[[str], str]) -> tuple[str, ...]:
    plain = [_name(seat, level, lang) for seat in seated]
    looks = [alike(name) for name in plain]
    houses = sorted(person for person, _ in seated if is_house(person))  # independent of the seats' order
    return tuple(
        form(name)
        if name and looks.count(look) == 1
        else form(_name(seat, level, lang, houses.index(seat[0]) + 1))
        if is_house(seat[0])
        else f"{form(name)} ({say('player', lang, number=n)})".strip()
        for n, (name, look, seat) in enumerate(zip(plain, looks, seated, strict=True), 1)
    )


def _name(seated: Seated, level: str, lang: str, number: int | None = None) -> str:
    """Return the displayed name of a seat; if the house plays several seats, each has a *number*."""
    person, name = seated
    if is_gone(person):
        return say("somebody", lang)
    if is_house(person):
        house = say("house", lang) if number is None else f"{say('house', lang)} {number}"
        return say(f"house.{level}", lang, house=house)
    if person == REMOTE:
        return shown(name) or say("channel.other", lang)
    if is_channel(person):
        return shown(name) or say("channel", lang)
    return shown(name)


def now_playing(table: Table, lang: str) -> tuple[str, ...]:
    """Return the seats' names as `names`, with the house for the seats that it has taken over."""
    return tuple(
        say("house.for", lang, who=name) if seat.house and not is_house(seat.person) else name
        for name, seat in zip(names(table, lang), table.seats, strict=True)
    )


def game_name(game: str, lang: str) -> str:
    return texts.say(game, "name", lang)


def person(name: str, lang: str) -> str:
    """Return the name of a person without a table."""
    return short(name) or say("somebody", lang)


def host_name(table: Table, lang: str) -> str:
    return name_of(table, table.host, lang) or say("somebody", lang)


def thread_title(table: Table) -> str:
    """Return the public title of the thread of a new *table*."""
    return say("thread.title", table.lang, game=game_name(table.game, table.lang), who=host_name(table, table.lang))


def name_of(table: Table, person: PersonId, lang: str) -> str:
    """Return the name of a person at the table, or ""."""
    return next((name for name, seat in zip(names(table, lang), table.seats, strict=True) if seat.person == person), "")


def within(table: Table, key: str, lang: str, /, **facts: object) -> str:
    """Return the table's text *key*; if a player acts in the middle of another player's turn, the variant that names
    that turn."""
    if table.interrupted is None or texts.find("table", f"{key}.within", lang) is None:
        return say(key, lang, **facts)
    return say(f"{key}.within", lang, whose=names(table, lang)[table.interrupted], **facts)


def up(table: Table, actor: int, lang: str, *, reader: int | None = None) -> str:
    """Return the line that says whose turn it is, that the house thinks, or who acts in the middle of another player's
    turn. *reader*: the seat of its only reader."""
    if table.has_stand_in:
        return say("deputy", lang, who=names(table, lang)[actor])
    if table.seats[actor].house:
        return say("thinking", lang, who=now_playing(table, lang)[actor])
    if table.seats[actor].is_channel:
        return say("voting", lang, who=names(table, lang)[actor])
    key = "view.waiting" if reader is not None and reader == table.interrupted else "view.theirs"
    return within(table, key, lang, who=now_playing(table, lang)[actor])


def banks_of_all(table: Table, lang: str) -> str:
    """Return the line with the bank of each person as it was when this turn began, or "" without banks."""
    left = [
        (name, bank(table, seat))
        for seat, name in enumerate(names(table, lang))
        if table.seats[seat].is_played_by_person
    ]
    said = " · ".join(f"{name} {_left(length, lang)}" for name, length in left if length is not None)
    return say("bank.all", lang, banks=said) if said else ""


def own_bank(table: Table, view: State, seat: int, now: datetime, lang: str) -> str:
    """Return the line with the bank of *seat* at *now*, for its person alone, or "" without banks."""
    left = bank(table, seat)
    if left is None or table.is_resting:
        return ""
    if view.actor != seat or table.is_overdue or table.has_stand_in:
        return say("bank.own", lang, left=_left(left, lang))
    now_left = bank(charged(table, seat, to_ms(now)), seat)
    return say("bank.own.running", lang, left=_left(now_left or timedelta(0), lang))


def _left(length: timedelta, lang: str) -> str:
    return duration(length, lang) if length else say("bank.empty", lang)


def promise(table: Table, lang: str) -> str:
    """Return the line that says how to see the hashes that fix the draws, the players and the options, or "" without
    chance."""
    return fair(lang) if seating.uses_chance(table) else ""


def fair(lang: str) -> str:
    """Return the line that says how to see the hash of the seed, shown before any player has joined."""
    return say("luck.lobby", lang)


def look(table: Table, side: int | None, theme: Theme, lang: str) -> Look:
    """Return the look of a picture of the table from *side*."""
    ended = None
    if table.result is not None and table.result.of_table:
        scores = table.result.scores or (0,) * len(table.seats)
        ended = Outcome(scores, table.result.winners, table.result.reason)
    called = zip(_numbered(_seated(table), table.level, lang, str), table.seats, strict=True)
    seats = tuple(_seat_look(name, seat, table.turn) for name, seat in called)
    places = seating.places(table)
    fixed = None if places == GAMES[table.game].seats else places[-1]
    look = Look(seats=seats, side=side, theme=theme, lang=lang, ended=ended, places=fixed)
    turns = _turns(table) if table.phase == Phase.OVER else 0
    return replace(look, turns=turns, minutes=minutes(table)) if turns else look  # no result line without a turn


def _turns(table: Table) -> int:
    """Return the length of the finished game of *table* in turns of its players."""
    if isinstance(table.state, msgspec.UnsetType):
        return table.turn
    try:
        return origins.length(table, GAMES[table.game].decode(bytes(table.state)))
    except ValueError:  # another version of an installed game wrote it
        return table.turn


def with_recent(look: Look, entries: Iterable[Entry], reader: int | None) -> Look:
    """Return *look* with the actions since the turn in which seat *reader* acted last; *entries*: the newest of the
    log that the reader may see.

    The reader's own turn is faint; once a new one has begun, the answers to the former are, which the reader has seen.
    *reader* None: the actions of the newest turn.
    """
    actions = [entry for entry in effective(entries) if entry.action != DRAW]
    if not actions:
        return look
    newest, up = actions[-1].turn, actions[-1].seat
    former = [entry.turn for entry in actions if entry.seat == reader and entry.turn < newest]
    since = max(former) + (up == reader) if former else newest + 1 - len(look.seats)
    if reader is None:
        since = newest
    return replace(
        look,
        recent=tuple(
            Recent(
                entry.seat,
                entry.action,
                entry.turn < newest if up == reader else entry.seat == reader,
                tuple(fact for news in entry.news for fact in news.facts),
            )
            for entry in actions
            if entry.turn >= since
        ),
    )


def look_then(look: Look, table: Table, turn: int) -> Look:
    """Return *look* of *table* for a position in an earlier *turn*: the players of that turn, without a winner."""
    seats = tuple(_seat_look(known.name, seat, turn) for known, seat in zip(look.seats, table.seats, strict=True))
    return replace(look, seats=seats, ended=None, turns=None, minutes=None)


def _seat_look(name: str, seat: Seat, turn: int) -> SeatLook:
    """Return the look of *seat* in *turn*."""
    guest = is_house(seat.person)
    stands_in = seat.house and not guest and seat.taken <= turn
    just = stands_in and seat.taken == turn
    return SeatLook(name, seat.colour, guest or stands_in, stands_in, just=just, crowd=seat.is_channel)


def accent(table: Table, seat: int | None) -> tuple[int, int, int] | None:
    """Return the colour of *seat* in its pictures (red, green, blue), or None if *seat* is None."""
    if seat is None:
        return None
    return seat_rgb(table.game, seat, Look(tuple(SeatLook("", other.colour) for other in table.seats)))


def minutes(table: Table) -> int:
    """Return the length of the finished game of *table* in minutes."""
    return round((table.turn_ms - (table.begun_ms or table.created_ms)) / MINUTE_MS)
