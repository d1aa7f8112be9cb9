"""Our commands as Discord's application commands.

Names and descriptions come from the table's catalogue in English; every other language becomes a localization for
all of Discord's locales that it serves. Shapes: Discord's developer documentation, "Application Commands".
"""

from collections.abc import Iterable, Mapping
from typing import Any

import discord

import texts
from bot.adapters.on_discord import NAME
from bot.requests.commands import Argument, Command, argument_choices

CHAT_INPUT = 1
ON_PERSON = 2
ENTRY_POINT = 4
STRING = 3
USER = 6
EVERYWHERE = [0, 1, 2]
"""Servers, the private chat with the bot, other private chats."""
INSTALLED_BY = [0, 1]
"""A server, or a person."""

LONGEST = 32
"""Characters in a name."""
ABOUT = 100
CHOICE = 100


AMONG_OTHERS = [0, 2]
"""Contexts with other people."""


def menu(commands: Iterable[Command]) -> list[dict[str, Any]]:
    """Return all commands in Discord's form: the typed ones, and the user command."""
    invite = {
        "type": ON_PERSON,
        "name": texts.say(NAME, "invite.name", texts.DEFAULT),
        "name_localizations": _localized(NAME, "invite.name", LONGEST),
        "integration_types": INSTALLED_BY,
        "contexts": AMONG_OTHERS,
    }
    return [*_typed(commands), invite]


def _typed(commands: Iterable[Command]) -> list[dict[str, Any]]:
    return [
        {
            "type": CHAT_INPUT,
            **_named(f"command.{command.name}", command.name),
            "options": [_option(command, argument) for argument in command.arguments],
            "integration_types": INSTALLED_BY,
            "contexts": EVERYWHERE,
        }
        for command in commands
    ]


def _option(command: Command, argument: Argument) -> dict[str, Any]:
    return {
        "type": USER if argument.choices == "people" else STRING,
        **_named(f"command.{command.name}.{argument.name}", argument.name),
        "autocomplete": argument.completes,
        "choices": _choices(argument),
    }


def _named(key: str, name: str) -> dict[str, Any]:
    """Return the four fields that name a command or an argument. Updates carry the untranslated name."""
    return {
        "name": name,
        "name_localizations": _localized("table", f"{key}.name", LONGEST),
        "description": texts.say("table", f"{key}.about", texts.DEFAULT)[:ABOUT],
        "description_localizations": _localized("table", f"{key}.about", ABOUT),
    }


def _choices(argument: Argument) -> list[dict[str, Any]]:
    """Return the fixed choices of *argument* as Discord takes them."""
    return [
        {
            "name": texts.say(*choice.name, texts.DEFAULT)[:CHOICE],
            "name_localizations": _localized(*choice.name, CHOICE),
            "value": choice.value,
        }
        for choice in argument_choices(argument)
    ]


def _localized(domain: str, key: str, room: int) -> dict[str, str]:
    """Return the text of *key* in every language but the default, by Discord's locales."""
    translations = {}
    for locale in discord.Locale:
        lang = texts.language(locale.value)
        if lang != texts.DEFAULT:
            translations[locale.value] = texts.say(domain, key, lang)[:room]
    return translations


_PLAIN = ("type", "name", "name_localizations", "description", "description_localizations", "value", "autocomplete")
_SETS = ("integration_types", "contexts")
_LISTS = ("options", "choices")


def essence(command: Mapping[str, Any]) -> dict[str, Any]:
    """Return our fields of a command, option or choice, without Discord's additions. Empty, false and missing are
    equal."""
    said = {key: command[key] for key in _PLAIN if command.get(key)}
    said |= {key: sorted(command[key]) for key in _SETS if command.get(key)}
    return said | {key: [essence(item) for item in command[key]] for key in _LISTS if command.get(key)}


def known(wanted: Iterable[Mapping[str, Any]], fetched: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether the *fetched* commands are the *wanted* ones, apart from entry points.

    >>> known([{"name": "join", "options": []}], [{"name": "join", "id": "7", "version": "1"}])
    True
    """
    others = {command["name"]: essence(command) for command in fetched if command.get("type") != ENTRY_POINT}
    return {command["name"]: essence(command) for command in wanted} == others


def entry_points(fetched: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the commands that open an application's activity. Discord refuses a list without them (50240)."""
    return [command for command in fetched if command.get("type") == ENTRY_POINT]
