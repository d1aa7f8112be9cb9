"""Names and lists in words: what every reply is made of."""

import texts
from bot.anonymous import is_gone, is_house
from bot.table import Seat, Table
from renderers import Look, SeatLook, Theme
from rules import Outcome

LONGEST_NAME = 40


def say(key: str, lang: str, /, **facts: object) -> str:
    """A text of the table's own catalogue."""
    return texts.say("table", key, lang, **facts)


def short(name: str) -> str:
    """A person's name on one line and not too long.

    >>> short("Anna" + chr(10) + "B.")
    'Anna B.'
    """
    line = " ".join(name.split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def names(table: Table, lang: str) -> tuple[str, ...]:
    """The seats' names; where two are called alike (or nothing at all) the player's number helps."""
    plain = [_name(seat, lang) for seat in table.seats]
    return tuple(
        name if name and plain.count(name) == 1 else f"{name} ({say('player', lang, number=number)})".strip()
        for number, name in enumerate(plain, 1)
    )


def _name(seat: Seat, lang: str) -> str:
    if is_gone(seat.person):
        return say("somebody", lang)
    return say("house", lang) if is_house(seat.person) else short(seat.name)


def game_name(game: str, lang: str) -> str:
    return texts.say(game, "name", lang)


def host_name(table: Table) -> str:
    return next((short(seat.name) for seat in table.seats if seat.person == table.host), "")


def within(table: Table, key: str, lang: str, /, **facts: object) -> str:
    """The table's text *key*; where somebody is to act in the middle of another's turn, the one that says whose."""
    if table.interrupted is None or texts.find("table", f"{key}.within", lang) is None:
        return say(key, lang, **facts)
    return say(f"{key}.within", lang, whose=names(table, lang)[table.interrupted], **facts)


def up(table: Table, actor: int, lang: str) -> str:
    """Whom everybody waits for: whose turn it is, or who is to act in the middle of another's."""
    return within(table, "view.theirs", lang, who=names(table, lang)[actor])


def look(table: Table, side: int | None, theme: Theme, lang: str) -> Look:
    """How a picture of the table looks from *side*."""
    ended = None
    if table.result is not None and table.result.of_table:
        scores = table.result.scores or (0,) * len(table.seats)
        ended = Outcome(scores, table.result.winners, table.result.reason)
    seats = tuple(
        SeatLook(name, seat.colour, seat.house) for name, seat in zip(names(table, lang), table.seats, strict=True)
    )
    return Look(seats=seats, side=side, theme=theme, lang=lang, ended=ended)
