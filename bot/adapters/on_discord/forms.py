"""Texts that people write into a form of Discord: a button opens it, and its text arrives as a command.

button "modal:note"  ──press──▶  a form (type 9)  ──text──▶  a command: /note with that text
"""

from collections.abc import Iterator, Mapping
from typing import Any

import discord
from discord import ui

import texts
from bot.adapters.on_discord import NAME
from bot.chat import Button, Press, Reply, SlashCommand, Update
from bot.requests.commands import COMMANDS, Command, written_with

PREFIX = "modal:"
MOST = 1000
"""Characters of a text; the core says which texts are too long."""


def offering_form(reply: Reply, update: Update) -> Reply:
    """Return *reply* with a button that opens a form, if it shows a text that the person can write."""
    command = written_with(update.body.payload) if isinstance(update.body, Press) else None
    if command is None or not reply.role.is_menu:
        return reply
    return reply.offering(Button(texts.say(NAME, "write", update.person.lang or ""), f"{PREFIX}{command.name}"))


def asked_for(custom_id: str) -> Command | None:
    """Return the command whose text a button or form is for.

    >>> asked_for("modal:note").name, asked_for("note:k3v7qpm2xa")
    ('note', None)
    """
    name = custom_id.partition("#")[0].removeprefix(PREFIX) if custom_id.startswith(PREFIX) else ""
    return next((command for command in COMMANDS if command.name == name and command.arguments), None)


def form_of(command: Command, lang: str) -> ui.Modal:
    """Return the form for the text of *command*. It is stopped at once, so discord.py does not store it."""
    label = texts.say("table", f"button.{command.name}", lang)
    made = ui.Modal(title=label, custom_id=f"{PREFIX}{command.name}", timeout=None)
    made.add_item(
        ui.TextInput(
            label=label, style=discord.TextStyle.paragraph, max_length=MOST, custom_id=command.arguments[0].name
        )
    )
    made.stop()
    return made


def written(data: Mapping[str, Any]) -> SlashCommand | None:
    """Return the command of a filled form, or None if no version of the bot has made it."""
    command = asked_for(str(data.get("custom_id", "")))
    if command is None:
        return None
    return SlashCommand(command.name, {command.arguments[0].name: "".join(_values(data.get("components", ())))})


def _values(parts: Any) -> Iterator[str]:
    for part in parts:
        if "value" in part:
            yield str(part["value"])
        yield from _values(part.get("components", ()))
        if isinstance(part.get("component"), Mapping):
            yield from _values((part["component"],))
