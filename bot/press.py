"""What a button carries: at most 64 ASCII characters, no secrets, and enough to act on without any memory.

verb:table-or-word:number.number…        play:k3v7qpm2xa:17.4      menu:k3v7qpm2xa:17.0.3      rules:kabooom:2
"""

import re
from enum import StrEnum

from msgspec import Struct

from bot.table import TableId

LONGEST = 64


class Verb(StrEnum):
    NEW = "new"
    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    OPTIONS = "options"
    OPTION = "option"
    COLOUR = "colour"
    CLOCK = "clock"
    LATE = "late"
    HOUSE = "house"
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
    HIDE = "hide"
    FORGET = "forget"
    REPLAY = "replay"
    VERIFY = "verify"
    RULES = "rules"
    HELP = "help"


class Pressed(Struct, frozen=True):
    """*word* is a table's id, or a game's where the verb is about games; *numbers* belong to the verb."""

    verb: Verb
    word: str = ""
    numbers: tuple[int, ...] = ()

    @property
    def table(self) -> TableId:
        return TableId(self.word)


_FORM = re.compile(r"([a-z]{1,10}):([a-z0-9]{0,20})(?::([0-9.]{1,40}))?")
_VERBS = frozenset(Verb)


def write(verb: Verb, word: str = "", *numbers: int) -> str:
    """The payload of a button.

    >>> write(Verb.PLAY, "k3v7qpm2xa", 17, 4)
    'play:k3v7qpm2xa:17.4'
    """
    payload = f"{verb}:{word}" + (f":{'.'.join(map(str, numbers))}" if numbers else "")
    if len(payload) > LONGEST:
        raise ValueError(f"a payload of {len(payload)} characters")
    return payload


def read(payload: str) -> Pressed | None:
    """The inverse of `write`; None for anything else.

    >>> read("play:k3v7qpm2xa:17.4")
    Pressed(verb=<Verb.PLAY: 'play'>, word='k3v7qpm2xa', numbers=(17, 4))
    >>> read("play:<script>") is None
    True
    """
    form = _FORM.fullmatch(payload) if len(payload) <= LONGEST else None
    if form is None or form[1] not in _VERBS:
        return None
    numbers = form[3].split(".") if form[3] else []
    if not all(numbers) or any(len(number) > 9 for number in numbers):
        return None
    return Pressed(Verb(form[1]), form[2], tuple(map(int, numbers)))
