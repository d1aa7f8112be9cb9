"""Names and lists in words: what every reply is made of."""

from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

import texts
from bot.chat import Button, PersonId
from bot.requests import payload
from bot.requests.payload import Verb
from bot.runtime.names import alike, isolated, shown
from bot.tables.anonymous import is_gone, is_house
from bot.tables.seating import uses_chance
from bot.tables.table import Phase, Seat, Table
from renderers import Look, SeatLook, Theme, seat_rgb
from rules import Outcome

MINUTE_MS = 60 * 1000
KEPT = 64
"""Tables whose names are kept as they are shown: one answer says them some twenty times."""
Seated = tuple[PersonId, str]
"""Who sits somewhere, and their name."""


SHORT_HASH = 12
"""Characters of the hash that posts show."""


def close(lang: str) -> Button:
    """The one way to close what is about no table."""
    return Button(say("button.close", lang), payload.write(Verb.CLOSE))


def say(key: str, lang: str, /, **facts: object) -> str:
    """A text of the table's own catalogue."""
    return texts.say("table", key, lang, **facts)


def advise(key: str, lang: str, /, **facts: object) -> str:
    """What the house says about a game."""
    return texts.say("house", key, lang, **facts)


def short(text: str) -> str:
    """A name, or a few words of a person, to stand in a line: see `bot.runtime.names`.

    >>> short("Anna" + chr(10) + "B.")
    'Anna B.'
    """
    return isolated(shown(text))


def names(table: Table, lang: str) -> tuple[str, ...]:
    """The seats' names, to stand in a line; where two look alike (or show nothing) the player's number helps.
    The house's seats are numbered among themselves, and keep their numbers when the lot has decided who sits where."""
    return _numbered(_seated(table), table.level, lang, isolated)


def _seated(table: Table) -> tuple[Seated, ...]:
    return tuple((seat.person, seat.name) for seat in table.seats)


@lru_cache(KEPT)
def _numbered(seated: tuple[Seated, ...], level: str, lang: str, form: Callable[[str], str]) -> tuple[str, ...]:
    plain = [_name(each, level, lang) for each in seated]
    looks = [alike(name) for name in plain]
    houses = sorted(each for each, _ in seated if is_house(each))  # wherever they sit
    return tuple(
        form(name)
        if name and looks.count(look) == 1
        else form(_name(each, level, lang, houses.index(each[0]) + 1))
        if is_house(each[0])
        else f"{form(name)} ({say('player', lang, number=n)})".strip()
        for n, (name, look, each) in enumerate(zip(plain, looks, seated, strict=True), 1)
    )


def _name(seated: Seated, level: str, lang: str, number: int | None = None) -> str:
    """What is shown of a seat; where the house plays in several, they have a *number* of their own."""
    person, name = seated
    if is_gone(person):
        return say("somebody", lang)
    if is_house(person):
        house = say("house", lang) if number is None else f"{say('house', lang)} {number}"
        return say(f"house.{level}", lang, house=house)
    return shown(name)


def now_playing(table: Table, lang: str) -> tuple[str, ...]:
    """Who plays in the seats: a name as `names` has it, or the house for whoever had that seat."""
    return tuple(
        say("house.for", lang, who=name) if seat.house and not is_house(seat.person) else name
        for name, seat in zip(names(table, lang), table.seats, strict=True)
    )


def game_name(game: str, lang: str) -> str:
    return texts.say(game, "name", lang)


def person(name: str, lang: str) -> str:
    """The name of somebody who is at no table."""
    return short(name) or say("somebody", lang)


def host_name(table: Table, lang: str) -> str:
    return name_of(table, table.host, lang)


def thread_title(table: Table) -> str:
    """What the thread of a new *table* is called: everybody reads it."""
    return say("thread.title", table.lang, game=game_name(table.game, table.lang), who=host_name(table, table.lang))


def name_of(table: Table, person: PersonId, lang: str) -> str:
    """The name of one of those at the table, "" for anybody else."""
    return next((name for name, seat in zip(names(table, lang), table.seats, strict=True) if seat.person == person), "")


def within(table: Table, key: str, lang: str, /, **facts: object) -> str:
    """The table's text *key*; where somebody is to act in the middle of another's turn, the one that says whose."""
    if table.interrupted is None or texts.find("table", f"{key}.within", lang) is None:
        return say(key, lang, **facts)
    return say(f"{key}.within", lang, whose=names(table, lang)[table.interrupted], **facts)


def up(table: Table, actor: int, lang: str, *, reader: int | None = None) -> str:
    """Whom everybody waits for: whose turn it is, or who is to act in the middle of another's. *reader*: the seat of
    the only one who reads it."""
    if table.has_deputy:
        return say("deputy", lang, who=names(table, lang)[actor])
    key = "view.waiting" if reader is not None and reader == table.interrupted else "view.theirs"
    return within(table, key, lang, who=now_playing(table, lang)[actor])


def promise(table: Table, lang: str) -> str:
    """What fixes all that is drawn, and who plays with which options, shortened; the whole of it is told by whoever is
    asked to check the luck. Nothing where nothing is drawn."""
    if not uses_chance(table):
        return ""
    hashes = {"hash": table.commitment[:SHORT_HASH], "fixed": table.fixed[:SHORT_HASH]}
    return say("luck.promise" if table.lot else "luck.promise.draws", lang, **hashes)


def whole_promise(table: Table, lang: str) -> str:
    """What fixes all that may be drawn, from before anybody has joined, to be kept."""
    return say("luck.lobby", lang, hash=table.commitment)


def look(table: Table, side: int | None, theme: Theme, lang: str) -> Look:
    """How a picture of the table looks from *side*."""
    ended = None
    if table.result is not None and table.result.of_table:
        scores = table.result.scores or (0,) * len(table.seats)
        ended = Outcome(scores, table.result.winners, table.result.reason)
    called = zip(_numbered(_seated(table), table.level, lang, str), table.seats, strict=True)
    seats = tuple(_seat_look(name, seat, table.turn) for name, seat in called)
    look = Look(seats=seats, side=side, theme=theme, lang=lang, ended=ended)
    if table.phase != Phase.OVER or not table.turn:  # what was never played is not worth a plaque
        return look
    return replace(look, turns=table.turn, minutes=minutes(table))


def look_then(look: Look, table: Table, turn: int) -> Look:
    """*look*, one of *table*, for a position in an earlier *turn*: who played then, and nobody had won yet."""
    seats = tuple(_seat_look(known.name, seat, turn) for known, seat in zip(look.seats, table.seats, strict=True))
    return replace(look, seats=seats, ended=None, turns=None, minutes=None)


def _seat_look(name: str, seat: Seat, turn: int) -> SeatLook:
    """How *seat* looks in *turn*."""
    guest = is_house(seat.person)
    stands_in = seat.house and not guest and seat.taken <= turn
    return SeatLook(name, seat.colour, guest or stands_in, stands_in, just=stands_in and seat.taken == turn)


def accent(table: Table, seat: int | None) -> tuple[int, int, int] | None:
    """The colour of *seat*, as its pictures have it: red, green, blue; None where it is nobody's turn."""
    if seat is None:
        return None
    return seat_rgb(table.game, seat, Look(tuple(SeatLook("", each.colour) for each in table.seats)))


def minutes(table: Table) -> int:
    """For how many minutes the game of *table*, which is over, went on."""
    return round((table.since_ms - (table.begun_ms or table.created_ms)) / MINUTE_MS)
