"""The commands with their names and arguments, and facts about buttons. Knows no platform.

Adapters import this module and no other one of the requests.
"""

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from msgspec import Struct

import texts
from bot import requests
from bot.chat import Body, Opened, PlainMessage, Press, SlashCommand, Typed
from bot.requests import registry
from bot.requests.arguments import game_named
from bot.requests.payload import is_one as is_payload
from bot.requests.registry import Argument, Command
from bot.tables.preferences import CLOCKS
from rules import GAMES
from rules.notation import plain, unwrapped

__all__ = [
    "COMMANDS",
    "FILLER",
    "INVITE",
    "Argument",
    "ArgumentChoice",
    "Command",
    "argument_choices",
    "asks_to_manage",
    "called",
    "closes_all",
    "command_named",
    "game_named",
    "is_close",
    "is_in_menu",
    "is_payload",
    "written_with",
]

COMMANDS = tuple(registry.COMMANDS)
"""All commands, in the order in which menus list them."""
BY_NAME: Mapping[str, Command] = {command.name: command for command in COMMANDS}
INVITE = "invite"
"""The command that is given to a person rather than typed, on platforms with such commands."""


class ArgumentChoice(Struct, frozen=True):
    """A fixed choice of an argument. *name*, *about* and *heading* are texts: a domain and a key.

    *heading*: stands before the name in a list of different things.
    """

    value: str
    name: tuple[str, str]
    about: tuple[str, str] | None = None
    heading: tuple[str, str] | None = None


def argument_choices(argument: Argument) -> tuple[ArgumentChoice, ...]:
    """Return the fixed choices of *argument*, or () for free text and people."""
    match argument.choices:
        case "games":
            return tuple(ArgumentChoice(game, (game, "name"), (game, "tagline")) for game in GAMES)
        case "clocks":
            heading = ("table", "setting.clock")
            return tuple(
                ArgumentChoice(clock, ("table", f"setting.clock.{clock}"), heading=heading) for clock in CLOCKS
            )
        case _:
            return ()


def command_named(word: str) -> Command | None:
    """Return the command that *word* names, in English or in another language.

    >>> command_named("NeuesSpiel").name, command_named("nothing")
    ('newgame', None)
    """
    name = plain(word)
    return BY_NAME.get(name) or _translated().get(name)


def called(command: Command, lang: str) -> str:
    """Return the name of *command* in a language, as it can be typed."""
    return plain(texts.find("table", f"command.{command.name}.name", lang) or command.name)


@cache
def _translated() -> Mapping[str, Command]:
    return {called(command, lang): command for lang in texts.languages() for command in COMMANDS}


def asks_to_manage(body: Body) -> bool:
    """Return whether *body* does more for people who manage the place; to find that out may cost the adapter a call.

    >>> asks_to_manage(Press("set:place:0.1")), asks_to_manage(Typed("/move a1-b1"))
    (True, False)
    """
    match body:
        case Press(payload):
            request = registry.read(payload)
            return request is not None and request.declaration.gate.manages
        case SlashCommand(name):
            return name in BY_NAME and BY_NAME[name].manages
        case Typed(text):
            command = command_named(unwrapped(text[:40].strip().partition(" ")[0]).removeprefix("/"))
            return command is not None and command.manages
        case Opened() | PlainMessage():
            return False
        case other:
            assert_never(other)


def is_in_menu(payload: str) -> bool:
    """Return whether a button goes on in a menu of its own, not under a board.

    >>> is_in_menu("menu:k3v7qpm2xa"), is_in_menu("menu:k3v7qpm2xa-b7q:17.0"), is_in_menu("close:")
    (False, True, True)
    """
    request = registry.read(payload)
    if isinstance(request, requests.Close):
        return request.table is None  # boards have no such button
    if isinstance(request, requests.CloseAll):
        return True
    return request is not None and request.declaration.in_menu and getattr(request, "stamp", None) is not None


def is_close(payload: str) -> bool:
    """Return whether a button only closes its menu."""
    return isinstance(registry.read(payload), requests.Close)


def closes_all(payload: str) -> bool:
    """Return whether a button closes all private replies."""
    return isinstance(registry.read(payload), requests.CloseAll)


def written_with(payload: str) -> Command | None:
    """Return the command with which a person writes the text that a button shows, or None.

    >>> written_with("note:k3v7qpm2xa").name, written_with("unnote:k3v7qpm2xa"), written_with("close:")
    ('note', None, None)
    """
    request = registry.read(payload)
    return BY_NAME["note"] if isinstance(request, requests.Note) and not request.removes else None


FILLER = requests.Nothing().payload
"""The payload of a button without a function."""
