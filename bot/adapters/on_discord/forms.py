"""Texts that people write into a form of Discord: a button opens it, and its text arrives with the button's payload.

button "modal:note:k3v7qpm2xa"  ──press──▶  a form (type 9)  ──text──▶  a press of "note:k3v7qpm2xa" with that text
"""

from collections.abc import Iterator, Mapping
from typing import Any

import discord
from discord import ui

import texts
from bot.adapters.on_discord import NAME
from bot.chat import Button, Press, Reply, Update
from bot.requests.commands import written_with

PREFIX = "modal:"


def offering_form(reply: Reply, update: Update) -> Reply:
    """Return *reply* with a button that opens a form, if it shows a text that the person can write."""
    payload = update.body.payload if isinstance(update.body, Press) else ""
    if written_with(payload) is None or not reply.role.is_menu:
        return reply
    return reply.offering(Button(texts.say(NAME, "write", update.person.lang or ""), f"{PREFIX}{payload}"))


def asked_for(custom_id: str) -> str | None:
    """Return the payload whose text a button or form is for.

    >>> asked_for("modal:note:k3v7qpm2xa#2"), asked_for("note:k3v7qpm2xa"), asked_for("modal:close:")
    ('note:k3v7qpm2xa', None, None)
    """
    payload = custom_id.partition("#")[0].removeprefix(PREFIX) if custom_id.startswith(PREFIX) else ""
    return None if written_with(payload) is None else payload


def form_of(payload: str, lang: str) -> ui.Modal:
    """Return the form for the text of a button. It is stopped at once, so discord.py does not store it."""
    command = written_with(payload)
    assert command is not None
    label, argument = texts.say("table", f"button.{command.name}", lang), command.arguments[0]
    made = ui.Modal(title=label, custom_id=f"{PREFIX}{payload}", timeout=None)
    made.add_item(
        ui.TextInput(label=label, style=discord.TextStyle.paragraph, max_length=argument.most, custom_id=argument.name)
    )
    made.stop()
    return made


def written(data: Mapping[str, Any]) -> Press | None:
    """Return the press with the text of a filled form, or None if no version of the bot has made it."""
    payload = asked_for(str(data.get("custom_id", "")))
    return None if payload is None else Press(payload, "".join(_values(data.get("components", ()))))


def _values(parts: Any) -> Iterator[str]:
    for part in parts:
        if "value" in part:
            yield str(part["value"])
        yield from _values(part.get("components", ()))
        if isinstance(part.get("component"), Mapping):
            yield from _values((part["component"],))
