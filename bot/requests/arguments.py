"""Arguments of commands, as people type them."""

from collections.abc import Mapping

from rules import GAMES
from rules.notation import plain, unwrapped

LONGEST_TEXT = 400
"""Characters of a text that are read: more than any turn of any game needs."""
LONGEST_NOTE = 200
"""Characters of a note to oneself."""


def game_named(word: str) -> str | None:
    """Return the id of the game that *word* is or begins, in any case and without marks; None for no or several games.

    >>> game_named("Kabo"), game_named("ka"), game_named("")
    ('kabooom', None, None)
    """
    wish = "".join(c for c in plain(word[:LONGEST_TEXT]) if c.isalnum())
    if wish in GAMES:
        return wish
    games = [game for game in GAMES if wish and game.startswith(wish)]
    return games[0] if len(games) == 1 else None


def game_of(arguments: Mapping[str, str]) -> str | None:
    """Return the id of the game in the argument ``game``; None for no or several games."""
    return game_named(arguments.get("game", ""))


def word_of(arguments: Mapping[str, str], name: str) -> str:
    """Return an argument as one plain line without quotes around it; "" if it is missing."""
    return plain(unwrapped(arguments.get(name, "")[:LONGEST_TEXT]))


def position_of(arguments: Mapping[str, str]) -> int | None:
    """Return the argument ``position``: a number, None if it is missing, -1 if it is no position.

    >>> position_of({"position": "12"}), position_of({}), position_of({"position": "last"})
    (12, None, -1)
    """
    wish = word_of(arguments, "position")
    if not wish:
        return None
    return int(wish) if wish.isdecimal() and wish.isascii() and len(wish) < 6 else -1
