"""The spelling of an action in the reader's language.

A game's catalogue has it: ``typing.<kind>`` joins the parts of an action (``{0} {1}``), and ``typed.<letters>`` is a
word for letters of its parts. Without such texts an action is typed in its notation.
"""

from functools import cache
from string import Formatter, digits

import texts
from rules import Action


def kind(action: Action) -> str:
    """Return the name of an action's kind in the catalogues."""
    return type(action).__name__.lower()


def typed(game: str, action: Action, lang: str) -> str:
    """Return the text that a player types for *action*.

    >>> from rules import GAMES
    >>> typed("kabooom", GAMES["kabooom"].parse(None, "r@b3")[0], "de")
    'stein b3'
    """
    form, slots = _form(game, kind(action), lang)
    if slots != len(action.parts):
        return str(action)
    return form.format(*(typed_part(game, part, lang) for part in action.parts))


@cache
def _form(game: str, kind: str, lang: str) -> tuple[str, int]:
    """Return the pattern that joins the parts of an action of this kind, and the number of parts."""
    form = texts.find(game, f"typing.{kind}", lang) or ""
    return form, sum(field is not None for _, field, _, _ in Formatter().parse(form))


@cache
def typed_part(game: str, part: str, lang: str) -> str:
    """Return a part of the notation with a word for it, or for its first letters: "take4" is "nimm4" in German."""
    letters = part.rstrip(digits)
    word = texts.find(game, f"typed.{letters}", lang) if letters == part or len(letters) > 1 else None
    return part if word is None else word + part[len(letters) :]
