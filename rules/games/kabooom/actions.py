"""The three kinds of action, and the parser of typed text."""

import re
from typing import Final

from msgspec import Struct

from rules.contract import BadNotation
from rules.games.kabooom.towers import GRID
from rules.notation import LETTER_FIRST, NUMBER_FIRST, plain, stray


class Place(Struct, frozen=True, gc=False):
    """Put a stone with this symbol from the supply on an empty field.

    >>> str(Place("r", "b3"))
    'r@b3'
    """

    symbol: str
    field: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.symbol, self.field)

    def __str__(self) -> str:
        return f"{self.symbol}@{self.field}"


class Move(Struct, frozen=True, gc=False):
    """Climb with a whole own tower onto an adjacent one.

    >>> str(Move("b3", "c4"))
    'b3-c4'
    """

    source: str
    target: str

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.source, self.target)

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


class Pass(Struct, frozen=True, gc=False):
    """Do nothing in this turn."""

    @property
    def parts(self) -> tuple[str, ...]:
        return ("pass",)

    def __str__(self) -> str:
        return "pass"


Action = Place | Move | Pass

CANONICAL: Final = re.compile(r"[rpsd]@[a-f][1-4]|[a-f][1-4]-[a-f][1-4]|pass")
_PASSES: Final = frozenset({"pass", "passe", "passen", "skip", "aussetzen", "x"})
_KINDS: Final = {
    **dict.fromkeys(("r", "rock", "stein"), "r"),
    **dict.fromkeys(("p", "paper", "papier"), "p"),
    **dict.fromkeys(("s", "scissors", "schere"), "s"),
    **dict.fromkeys(("d", "dynamite", "dynamit"), "d"),
}
_FIELD: Final = r"([a-f]) ?([1-4])"
_PLACEMENT: Final = re.compile(rf"({'|'.join(_KINDS)}) ?[@>:-]? ?{_FIELD}")
_MOVE: Final = re.compile(rf"{_FIELD} ?(?:->|[->x:]|to|nach)? ?{_FIELD}")
_QUOTED: Final = 40


def parse(text: str) -> Action:
    """Return the action that *text* means, in English, German or notation. Raises BadNotation quoting the text.

    >>> str(parse("Rock b3")), str(parse("C2 x B2")), str(parse("x"))
    ('r@b3', 'c2-b2', 'pass')
    """
    typed = plain(text)
    if typed in _PASSES:
        return Pass()
    if form := _PLACEMENT.fullmatch(typed):
        word, column, row = form.groups()
        return Place(_KINDS[word], column + row)
    if form := _MOVE.fullmatch(typed):
        column, row, to_column, to_row = form.groups()
        return Move(column + row, to_column + to_row)
    raise BadNotation(
        typed[:_QUOTED], missing=stray(typed, LETTER_FIRST, GRID.fields) or stray(typed, NUMBER_FIRST, ())
    )
