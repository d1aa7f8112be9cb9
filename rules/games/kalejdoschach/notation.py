"""The parser of typed text."""

import re
from typing import Final

from rules.contract import BadNotation
from rules.games.kalejdoschach.board import NUMBER
from rules.games.kalejdoschach.moves import Move
from rules.games.kalejdoschach.position import Action, Draw
from rules.games.kalejdoschach.state import State, Unread
from rules.notation import LETTER_FIRST, NUMBER_ALONE, NUMBER_FIRST, plain, stray

CALLED: Final = {
    "w": ("wizard", "zauberer", "trollkarl"),
    "d": ("dragon", "drache", "drake"),
    "r": ("roc", "ruch", "rok"),
    "e": ("eagle", "adler", "örn"),
    "v": ("raven", "rabe", "korp"),
    "l": ("elephant", "elefant"),
    "t": ("tiger",),
    "h": ("horse", "pferd", "häst"),
    "p": ("pawn", "bauer", "bonde"),
}
"""The names of the pieces in English, German and Swedish (reading 25)."""

NAMED: Final = {word: letter for letter, words in CALLED.items() for word in (letter, *words)}
"""Letter or name -> letter of the kind."""

_FIELD: Final = r"00|[1-8][a-k]|\b(?:centre|center|mitte|mitten)\b"
_MOVE: Final = rf"""
    (?:(?P<kind>{"|".join(sorted(NAMED, key=len, reverse=True))})\ ?)?
    (?P<source>{_FIELD})
    (?:\ ?(?:->|[-+x:>])\ ?|\ (?:to|nach|till)\ |\ ?)
    (?P<target>{_FIELD})
"""
_DRAW: Final = r"\b(?:draw|remis)\b[?!]?"
_GAP: Final = r"[\ ,.;]*+"  # possessive, so that a long row of commas does not backtrack
_TEXT: Final = re.compile(
    rf"{_GAP}(?P<before>{_DRAW})?{_GAP}(?P<move>{_MOVE})?{_GAP}(?P<behind>{_DRAW})?{_GAP}",
    re.VERBOSE,
)

_QUOTED: Final = 40


def parse(state: State, text: str) -> tuple[Action, ...]:
    """Return at most one draw and at most one move, the draw first. The position tells whether the move takes a piece.

    Raises BadNotation: ``notation``, or ``wrong-piece`` if the first field does not have the named piece.
    """
    typed = plain(text)
    form = _TEXT.fullmatch(typed)
    if form is None:
        forms = ((NUMBER_FIRST, NUMBER), (LETTER_FIRST, ()), (NUMBER_ALONE, NUMBER))
        missing = next(filter(None, (stray(typed, name, fields) for name, fields in forms)), None)
        raise BadNotation(typed[:_QUOTED], missing=missing)
    said: tuple[Action, ...] = tuple(Draw() for offer in (form["before"], form["behind"]) if offer)
    moved: tuple[Action, ...] = (_move(state, form),) if form["move"] else ()
    if len(said) > 1 or not said + moved:
        raise BadNotation(typed[:_QUOTED])
    return said + moved


def _move(state: State, form: re.Match[str]) -> Move:
    source, target = (name if name in NUMBER else "00" for name in (form["source"], form["target"]))
    piece = state.at(source)
    if form["kind"] and (piece is None or piece.kind != NAMED[form["kind"]]):
        raise BadNotation(source, code=Unread.WRONG_PIECE)
    return Move(source, target, takes=state.at(target) is not None)
