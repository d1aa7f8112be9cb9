"""Completing what somebody types: legal continuations, worked out on that person's view alone."""

from bot import menus
from bot.chat import Suggestion
from bot.table import Table
from rules import GAMES, BadNotation, IllegalAction, State
from rules.notation import plain

MOST = 25


def completions(table: Table, view: State, typed: str, lang: str) -> tuple[Suggestion, ...]:
    """Legal continuations of *typed*, several actions in a row too, for the actor of *view*."""
    *before, last = (plain(typed) + " " * typed[-1:].isspace()).lstrip().split(" ")  # after a blank comes the next one
    done, seat = list[str](), view.actor
    for word in before:
        try:
            for action in GAMES[table.game].parse(view, word):
                view = view.play(action)
                done.append(str(action))
        except (IllegalAction, BadNotation):
            return ()
    if view.actor != seat:
        return ()
    found = list[Suggestion]()
    for action in view.actions():
        text = str(action)
        if text.startswith(last) or "".join(action.parts).startswith(last):
            said = [menus.hint(table.game, view, action, part, lang) for part in range(len(action.parts))]
            value = " ".join((*done, text))
            found.append(Suggestion(" ".join(filter(None, (value, *said))), value))
            if len(found) == MOST:
                break
    return tuple(found)
