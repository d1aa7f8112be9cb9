"""Reads updates: typed text, named arguments and pressed buttons become requests. Knows no platform."""

from collections.abc import Mapping
from typing import assert_never

from bot import requests
from bot.chat import Opened, PlainMessage, Press, SlashCommand, Typed, Update
from bot.requests import Request, registry
from bot.requests.arguments import LONGEST_TEXT
from bot.requests.commands import command_named
from bot.requests.registry import Declaration


def parse(update: Update) -> Request:
    """Return the request that *update* makes; `Unknown` for anything that cannot be read.

    >>> from bot.chat import Person, Place
    >>> def typed(text): return parse(Update("x:1", Person("x:anna", "Anna"), Place("x:hall"), Typed(text)))
    >>> typed("/move b3-c4")
    Move(text='b3-c4')
    >>> typed("/NEWGAME  Nothing hard")
    NewGame(game='nothing', house=False, wishes=('hard',))
    >>> typed("/regeln colorio")
    Rules(game='colorio', page=0)
    """
    match update.body:
        case Press(payload):
            return registry.read(payload) or requests.Unknown("")
        case SlashCommand(name, arguments):
            declaration = registry.BY_COMMAND.get(name)
            if declaration is None:
                return requests.Unknown(name[:80])
            return declaration.kind.from_command(_by_present_names(declaration, arguments))
        case Typed(text):
            name, _, rest = text[: LONGEST_TEXT + 100].strip().removeprefix("/").partition(" ")
            command = command_named(name)
            if command is None:
                return requests.Unknown(text[:80])
            first = {argument.name: rest.strip() for argument in command.arguments[:1]}
            return registry.BY_COMMAND[command.name].kind.from_command(first)
        case PlainMessage(text):
            return requests.Move(text)
        case Opened():
            return requests.Welcome()
        case other:
            assert_never(other)


def _by_present_names(declaration: Declaration, arguments: Mapping[str, str]) -> dict[str, str]:
    """Return *arguments* by their present names; clients may still send the former ones."""
    command = declaration.command
    present = {argument.former: argument.name for argument in command.arguments if argument.former} if command else {}
    return {present.get(name, name): value for name, value in arguments.items()}
