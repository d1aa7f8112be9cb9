"""The wire format of a button: at most 64 ASCII characters, no secrets, and enough to act without any memory.

verb:word-mark:number.number…        play:k3v7qpm2xa-b7q:17.4     join:k3v7qpm2xa     rules:kabooom:2

The word is a table's id, a game or a scope. The mark belongs to a save of the table, and the first number is then the
revision of that save. `bot.requests.registry` derives both directions from the fields of a request.
"""

import re

from msgspec import Struct

LONGEST = 64


class Payload(Struct, frozen=True):
    """A payload in its parts."""

    verb: str
    word: str = ""
    numbers: tuple[int, ...] = ()
    mark: str = ""


_FORM = re.compile(r"([a-z]{1,10}):([a-z0-9]{0,20})(?:-([a-z2-7]{3}))?(?::([0-9.]{1,40}))?")


def write(verb: str, word: str = "", *numbers: int) -> str:
    """Return the payload of a button.

    >>> write("history", "k3v7qpm2xa", 2)
    'history:k3v7qpm2xa:2'
    """
    payload = f"{verb}:{word}" + (f":{'.'.join(map(str, numbers))}" if numbers else "")
    if len(payload) > LONGEST:
        raise ValueError(f"a payload of {len(payload)} characters")
    return payload


def parts(account: str) -> tuple[int, ...]:
    """Return a long number in parts of nine digits, or () if *account* is no number.

    >>> parts("1234567890123456789"), parts("anna")
    ((1, 234567890, 123456789), ())
    """
    if not (account.isdecimal() and account.isascii()):
        return ()
    number, parts_ = int(account), list[int]()
    while number:
        number, part = divmod(number, 10**9)
        parts_.insert(0, part)
    return tuple(parts_)


def whole(numbers: tuple[int, ...]) -> str:
    """Return the inverse of `parts`.

    >>> whole((1, 234567890, 123456789))
    '1234567890123456789'
    """
    number = 0
    for part in numbers:
        number = number * 10**9 + part
    return str(number)


def is_one(text: str) -> bool:
    """Return whether *text* has the form of a payload, of any version of the bot.

    >>> is_one("oldverb:k3v7qpm2xa:2"), is_one("ticket_close")
    (True, False)
    """
    return len(text) <= LONGEST and _FORM.fullmatch(text) is not None


def read(payload: str) -> Payload | None:
    """Return the parts of a payload; None for any other text.

    >>> read("play:k3v7qpm2xa-b7q:17.4")
    Payload(verb='play', word='k3v7qpm2xa', numbers=(17, 4), mark='b7q')
    >>> read("play:<script>") is None
    True
    """
    form = _FORM.fullmatch(payload) if len(payload) <= LONGEST else None
    if form is None:
        return None
    numbers = form[4].split(".") if form[4] else []
    if not all(numbers) or any(len(number) > 9 for number in numbers):
        return None
    return Payload(form[1], form[2], tuple(map(int, numbers)), form[3] or "")
