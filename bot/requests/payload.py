"""What a button carries: at most 64 ASCII characters, no secrets, and enough to act on without any memory.

verb:table-or-word:number.number…        play:k3v7qpm2xa-b7q:17.4     join:k3v7qpm2xa     rules:kabooom:2

Whatever changes a running game is stamped: it carries the revision of the table, first of the numbers, and behind the
table's id the mark of that save. What only looks, joins or leaves is not: two may do that at once.
"""

import re
from enum import StrEnum

from msgspec import Struct

from bot.tables.table import Ask, Table, TableId

LONGEST = 64


class Verb(StrEnum):
    NEW = "new"
    THREAD = "thread"
    WITH = "with"
    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    OPTIONS = "options"
    OPTION = "option"
    COLOUR = "colour"
    CLOCK = "clock"
    LATE = "late"
    HOUSE = "house"
    LEVEL = "level"
    CALLS = "calls"
    DECIDE = "decide"
    SETTINGS = "settings"
    SET = "set"
    PLAY = "play"
    SURE = "sure"
    MENU = "menu"
    CLOSE = "close"
    NONE = "none"
    BOARD = "board"
    VIEW = "view"
    MISSED = "missed"
    MORE = "more"
    HINT = "hint"
    FOLLOW = "follow"
    RESIGN = "resign"
    END = "end"
    DRAW = "draw"
    UNDO = "undo"
    AGREE = "agree"
    REFUSE = "refuse"
    AGAIN = "again"
    GAMES = "games"
    HISTORY = "history"
    TOP = "top"
    PRIVACY = "privacy"
    EXPORT = "export"
    HIDE = "hide"
    FORGET = "forget"
    REPLAY = "replay"
    VERIFY = "verify"
    REVIEW = "review"
    RULES = "rules"
    LEARN = "learn"
    HELP = "help"


class Payload(Struct, frozen=True):
    """*word* is a table's id, or a game's where the verb is about games; *numbers* belong to the verb; *mark*: of the
    save of a table."""

    verb: Verb
    word: str = ""
    numbers: tuple[int, ...] = ()
    mark: str = ""

    @property
    def table(self) -> TableId:
        return TableId(self.word)


_FORM = re.compile(r"([a-z]{1,10}):([a-z0-9]{0,20})(?:-([a-z2-7]{3}))?(?::([0-9.]{1,40}))?")
_VERBS = frozenset(Verb)


def write(verb: Verb, word: str = "", *numbers: int) -> str:
    """The payload of a button.

    >>> write(Verb.HISTORY, "k3v7qpm2xa", 2)
    'history:k3v7qpm2xa:2'
    """
    payload = f"{verb}:{word}" + (f":{'.'.join(map(str, numbers))}" if numbers else "")
    if len(payload) > LONGEST:
        raise ValueError(f"a payload of {len(payload)} characters")
    return payload


def stamped(verb: Verb, table: Table, *numbers: int) -> str:
    """The payload of a button that changes *table* as it is now, and only that."""
    return write(verb, f"{table.id}-{table.mark}" if table.mark else table.id, table.revision, *numbers)


def of_turn(verb: Verb, table: Table) -> str:
    """The payload of a button that changes *table* as long as this turn goes on."""
    return write(verb, f"{table.id}-{table.turn_mark}" if table.turn_mark else table.id, table.turn)


def asked(verb: Verb, table: TableId, ask: Ask) -> str:
    """The payload of an answer to what somebody asked, and to nothing else that is asked later."""
    return write(verb, f"{table}-{ask.mark}" if ask.mark else table, ask.revision)


def parts(account: str) -> tuple[int, ...]:
    """A long number for a button, in parts of nine digits; () for what is no number.

    >>> parts("1234567890123456789"), parts("anna")
    ((1, 234567890, 123456789), ())
    """
    if not (account.isdecimal() and account.isascii()):
        return ()
    number, found = int(account), list[int]()
    while number:
        number, part = divmod(number, 10**9)
        found.insert(0, part)
    return tuple(found)


def whole(numbers: tuple[int, ...]) -> str:
    """The inverse of `parts`.

    >>> whole((1, 234567890, 123456789))
    '1234567890123456789'
    """
    number = 0
    for part in numbers:
        number = number * 10**9 + part
    return str(number)


def is_one(text: str) -> bool:
    """Whether *text* looks like a payload, of whatever version of the bot.

    >>> is_one("oldverb:k3v7qpm2xa:2"), is_one("ticket_close")
    (True, False)
    """
    return len(text) <= LONGEST and _FORM.fullmatch(text) is not None


def read(payload: str) -> Payload | None:
    """The inverse of `write`; None for anything else.

    >>> read("play:k3v7qpm2xa-b7q:17.4")
    Payload(verb=<Verb.PLAY: 'play'>, word='k3v7qpm2xa', numbers=(17, 4), mark='b7q')
    >>> read("play:<script>") is None
    True
    """
    form = _FORM.fullmatch(payload) if len(payload) <= LONGEST else None
    if form is None or form[1] not in _VERBS:
        return None
    numbers = form[4].split(".") if form[4] else []
    if not all(numbers) or any(len(number) > 9 for number in numbers):
        return None
    return Payload(Verb(form[1]), form[2], tuple(map(int, numbers)), form[3] or "")
