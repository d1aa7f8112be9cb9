"""Ephemeral messages in a group, seen by one member and the bot: their readers, times and numbers.

An older server ignores these parameters, so the same request posts publicly.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.emulators.telegram.world import Chat, Json, Message, Person

if TYPE_CHECKING:
    from tests.emulators.telegram.server import Telegram

SENDING = "ephemeral_message_parameters"
METHODS = {  # required and optional parameters
    "editEphemeralMessageText": (
        "chat_id receiver_user_id ephemeral_message_id text",
        "parse_mode entities link_preview_options reply_markup",
    ),
    "editEphemeralMessageCaption": (
        "chat_id receiver_user_id ephemeral_message_id",
        "caption parse_mode caption_entities show_caption_above_media reply_markup",
    ),
    "editEphemeralMessageMedia": ("chat_id receiver_user_id ephemeral_message_id media", "reply_markup"),
    "editEphemeralMessageReplyMarkup": ("chat_id receiver_user_id ephemeral_message_id", "reply_markup"),
    "deleteEphemeralMessage": ("chat_id receiver_user_id ephemeral_message_id", ""),
}
LONGEST_EDIT = 1024
WINDOW_S = 15.0


class Unentitled(Exception):
    """Why a message for one person is not sent. *violation*: the bot should have known."""

    def __init__(self, description: str, violation: bool = False) -> None:
        super().__init__(description)
        self.violation = violation


def receiver(telegram: Telegram, chat: Chat, given: Json, quoting: Json) -> Person:
    """Return the person in *given* (EphemeralMessageParameters). Raises Unentitled."""
    unknown = given.keys() - {"receiver_user_id", "callback_query_id", "replace_callback_query_message"}
    if unknown or not isinstance(given.get("receiver_user_id"), int) or chat.kind not in ("group", "supergroup"):
        raise Unentitled("EPHEMERAL_INVALID", violation=True)
    person = next((member for member in chat.members if member.id == given["receiver_user_id"]), None)
    if person is None:
        raise Unentitled("USER_NOT_PARTICIPANT")
    if given.get("callback_query_id"):
        tap = telegram.taps.get(str(given["callback_query_id"]))
        if tap is None or tap.person is not person or tap.message.chat is not chat or _age_s(tap.at) > WINDOW_S:
            raise Unentitled("query is too old and response timeout expired or query ID is invalid")
        return person
    if quoting.get("ephemeral_message_id"):
        asked = command(chat, person, quoting["ephemeral_message_id"])
        if asked is None or _age_s(asked.at) > WINDOW_S:
            raise Unentitled("MESSAGE_ID_INVALID")
        return person
    if not chat.bot_manages:
        raise Unentitled("MESSAGE_NOT_COMMAND")
    return person


def command(chat: Chat, person: Person, number: object) -> Message | None:
    """Return an ephemeral command of *person* by its number."""
    return next((message for message in chat.whispers if message.by is person and message.number == number), None)


def whisper(chat: Chat, person: Person, number: int) -> Message | None:
    """Return the bot's ephemeral messages to *person*, by number."""
    alive = (message for message in chat.whispers if message.alone is person and not message.deleted)
    return next((message for message in alive if message.by is None and message.number == number), None)


def _age_s(at: float) -> float:
    return asyncio.get_running_loop().time() - at
