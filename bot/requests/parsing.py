"""Reads updates: typed text, named arguments and pressed buttons become requests. Knows no platform."""

from collections.abc import Mapping
from typing import assert_never

from bot import requests
from bot.chat import Opened, PlainMessage, Press, SlashCommand, Typed, Update
from bot.requests import Request, registry
from bot.requests.arguments import LONGEST_TEXT
from bot.requests.commands import command_named
from bot.requests.registry import Declaration
from rules.notation import unwrapped


def parse(update: Update) -> Request:
    """Return the request that *update* makes; `Unknown` for anything that cannot be read.

    >>> from bot.chat import Person, Place
    >>> def typed(text): return parse(Update("x:1", Person("x:anna", "Anna"), Place("x:hall"), Typed(text)))
    >>> typed("/move b3-c4")
    Move(text='b3-c4')
    >>> typed("“/join.”"), typed("/move /move b3-c4")
    (Join(table=None), Move(text='b3-c4'))
    >>> typed("/NEWGAME  Nothing hard")
    NewGame(game='nothing', house=False, first=False, wishes=('hard',))
    >>> typed("/regeln colorio")
    Rules(game='colorio', page=0)
    """
    match update.body:
        case Press(payload, text):
            request = registry.read(payload) or requests.Unknown("")
            return request if text is None else request.with_text(text)
        case SlashCommand(name, arguments):
            declaration = registry.BY_COMMAND.get(name)
            if declaration is None:
                return requests.Unknown(name[:80])
            return declaration.kind.from_command(_unrepeated(declaration, _by_present_names(declaration, arguments)))
        case Typed(text):
            name, rest = _split(text)
            command = command_named(name)
            if command is None:
                return requests.Unknown(text[:80])
            declaration = registry.BY_COMMAND[command.name]
            first = {argument.name: rest for argument in command.arguments[:1]}
            return declaration.kind.from_command(_unrepeated(declaration, first))
        case PlainMessage(text):
            return requests.Move(text)
        case Opened():
            return requests.Welcome()
        case other:
            assert_never(other)


def _split(text: str) -> tuple[str, str]:
    """Return the name of the command in *text*, and the rest."""
    name, _, rest = text[: LONGEST_TEXT + 100].strip().partition(" ")
    return unwrapped(name).removeprefix("/"), rest.strip()


def _unrepeated(declaration: Declaration, arguments: Mapping[str, str]) -> dict[str, str]:
    """Return *arguments* without the command itself, which people also write into the box of its first argument."""
    command = declaration.command
    first = command.arguments[0].name if command and command.arguments else ""
    value = arguments.get(first, "")
    name, rest = _split(value)
    if not unwrapped(value[:LONGEST_TEXT]).startswith("/") or command_named(name) != command:
        return {**arguments}
    return {**arguments, first: rest}


def _by_present_names(declaration: Declaration, arguments: Mapping[str, str]) -> dict[str, str]:
    """Return *arguments* by their present names; clients may still send the former ones."""
    command = declaration.command
    present = {argument.former: argument.name for argument in command.arguments if argument.former} if command else {}
    return {present.get(name, name): value for name, value in arguments.items()}
