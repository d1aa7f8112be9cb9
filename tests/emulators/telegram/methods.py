"""The methods of the Bot API that a bot like ours calls, with the checks that Telegram documents."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from tests.emulators.forms import Upload
from tests.emulators.telegram import ephemeral, markup
from tests.emulators.telegram.ephemeral import Unentitled
from tests.emulators.telegram.markup import Entity
from tests.emulators.telegram.world import Answer, Attached, Chat, Json, Key, Message, Person, Picture

if TYPE_CHECKING:
    from tests.emulators.telegram.server import Telegram


Params = dict[str, str | Upload]


class Failure(Exception):
    """An answer that is not ok. *violation*: the bot should have known. *is_reused*: unless it lost a record, as the
    number of the message was another one's before."""

    is_reused = False

    def __init__(self, code: int, description: str, violation: bool = False, parameters: Json | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.violation = violation
        self.parameters = parameters


SENDING = (
    "message_thread_id parse_mode disable_notification protect_content reply_parameters reply_markup"
    " business_connection_id message_effect_id allow_paid_broadcast direct_messages_topic_id suggested_post_parameters"
    f" {ephemeral.SENDING}"  # one that knows nothing of it lets it pass
)
METHODS: Mapping[str, tuple[str, str]] = {  # required and optional parameters
    "getMe": ("", ""),
    "getUpdates": ("", "offset limit timeout allowed_updates"),
    "setWebhook": ("url", "certificate ip_address max_connections allowed_updates drop_pending_updates secret_token"),
    "deleteWebhook": ("", "drop_pending_updates"),
    "sendMessage": ("chat_id text", f"{SENDING} entities link_preview_options"),
    "sendPhoto": ("chat_id photo", f"{SENDING} caption caption_entities show_caption_above_media has_spoiler"),
    "sendAnimation": (
        "chat_id animation",
        f"{SENDING} caption caption_entities show_caption_above_media has_spoiler duration width height thumbnail",
    ),
    "sendDocument": (
        "chat_id document",
        f"{SENDING} caption caption_entities disable_content_type_detection thumbnail",
    ),
    "editMessageText": ("chat_id message_id text", "parse_mode entities link_preview_options reply_markup"),
    "editMessageCaption": (
        "chat_id message_id",
        "caption parse_mode caption_entities show_caption_above_media reply_markup",
    ),
    "editMessageMedia": ("chat_id message_id media", "reply_markup"),
    "editMessageReplyMarkup": ("chat_id message_id", "reply_markup"),
    "deleteMessage": ("chat_id message_id", ""),
    "deleteMessages": ("chat_id message_ids", ""),
    "sendChatAction": ("chat_id action", "message_thread_id"),
    "answerCallbackQuery": ("callback_query_id", "text show_alert url cache_time"),
    "setMyCommands": ("commands", "scope language_code"),
    "getMyCommands": ("", "scope language_code"),
    "getChatMember": ("chat_id user_id", ""),
    "createForumTopic": ("chat_id name", "icon_color icon_custom_emoji_id"),
    "getChat": ("chat_id", ""),
    "getWebhookInfo": ("", ""),
    "answerGuestQuery": ("guest_query_id result", ""),
    "getMyDescription": ("", "language_code"),
    "setMyDescription": ("", "description language_code"),
    "getMyShortDescription": ("", "language_code"),
    "setMyShortDescription": ("", "short_description language_code"),
    "setMessageReaction": ("chat_id message_id", "reaction is_big"),
} | ephemeral.METHODS
STYLES = ("primary", "success", "danger")


def allowed(method: str, params: Params) -> None:
    """Raise unless *params* are those of *method* (files of multipart requests have names of their own)."""
    required, optional = (names.split() for names in METHODS[method])
    strange = [name for name in params if name not in (*required, *optional) and not isinstance(params[name], Upload)]
    missing = [name for name in required if name not in params]
    if strange or missing:
        raise Failure(400, f"Bad Request: parameters missing {missing}, unknown {strange}", violation=True)


def bad(description: str, violation: bool = False) -> Failure:
    return Failure(400, f"Bad Request: {description}", violation)


def _without(part: str, message: Message) -> Failure:
    """Return the refusal to edit a part that *message* does not have."""
    failure = bad(f"there is no {part} in the message to edit", violation=True)
    numbered = [
        other for other in message.chat.whispers if (other.alone, other.number) == (message.alone, message.number)
    ]
    failure.is_reused = message.alone is not None and len(numbered) > 1
    return failure


class Methods:
    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram
        self._now: Params = {}

    def carry_out(self, method: str, params: Params) -> object:
        """Return the result of a request. Raises Failure."""
        if method not in METHODS:
            raise Failure(404, "Not Found", violation=True)
        if method in ephemeral.METHODS and not self._telegram.knows_ephemeral:
            raise Failure(404, "Not Found: method not found", violation=True)
        allowed(method, params)
        self._now = params
        work = getattr(self, f"_{re.sub('[A-Z]', lambda match: '_' + match[0].lower(), method)}")
        result: object = work()
        return result

    # The bot itself

    def _get_me(self) -> Json:
        telegram = self._telegram
        return telegram.bot_json() | {
            "can_join_groups": telegram.joins_groups,
            "can_read_all_group_messages": telegram.sees_all,
        }

    def _get_webhook_info(self) -> Json:
        telegram = self._telegram
        said: Json = {
            "url": telegram.webhook,
            "has_custom_certificate": False,
            "pending_update_count": telegram.waiting,
        }
        return said | telegram.webhook_trouble

    def _set_webhook(self) -> bool:
        secret = self._text("secret_token")
        if secret and not re.fullmatch("[A-Za-z0-9_-]{1,256}", secret):
            raise bad("secret token contains illegal characters", violation=True)
        self._telegram.webhook, self._telegram.secret = self._text("url"), secret
        return True

    def _delete_webhook(self) -> bool:
        self._telegram.webhook = ""
        return True

    def _set_my_commands(self) -> bool:
        commands = self._json("commands")
        for command in commands:
            if not re.fullmatch("[a-z0-9_]{1,32}", command["command"]):
                raise bad("BOT_COMMAND_INVALID", violation=True)
            if not 1 <= len(command["description"]) <= 256:
                raise bad("BOT_COMMAND_DESCRIPTION_INVALID", violation=True)
        if len(commands) > 100:
            raise bad("too many commands", violation=True)
        if not self._telegram.keeps_flags:
            commands = [{key: command[key] for key in ("command", "description")} for command in commands]
        self._telegram.menus[self._scope()] = commands
        return True

    def _get_my_commands(self) -> list[Json]:
        return self._telegram.menus.get(self._scope(), [])

    def _set_my_description(self) -> bool:
        return self._describes("description", 512)

    def _set_my_short_description(self) -> bool:
        return self._describes("short_description", 120)

    def _describes(self, what: str, most: int) -> bool:
        said = self._text(what)
        if markup.units(said) > most:
            raise bad("description is too long", violation=True)
        self._telegram.about[what, self._text("language_code")] = said
        return True

    def _get_my_description(self) -> Json:
        return self._described("description")

    def _get_my_short_description(self) -> Json:
        return self._described("short_description")

    def _described(self, what: str) -> Json:
        about = self._telegram.about
        return {what: about.get((what, self._text("language_code"))) or about.get((what, ""), "")}

    def _scope(self) -> tuple[str, str]:
        scope = self._json("scope") or {"type": "default"}
        return scope["type"], self._text("language_code")

    # Messages

    def _send_message(self) -> Json:
        chat = self._chat()
        text, entities = self._words("text", 4096)
        if not text:
            raise bad("message text is empty", violation=True)
        return self._put(chat, text, entities, None)

    def _send_photo(self) -> Json:
        if self._chat().pictureless:
            raise bad("not enough rights to send photos to the chat")
        chat = self._chat()
        caption, entities = self._words("caption", 1024)
        return self._put(chat, caption, entities, self._picture(self._now["photo"]))

    def _send_animation(self) -> Json:
        chat = self._chat()
        caption, entities = self._words("caption", 1024)
        return self._put(chat, caption, entities, None, self._file("animation", self._now["animation"]))

    def _send_document(self) -> Json:
        chat = self._chat()
        caption, entities = self._words("caption", 1024)
        return self._put(chat, caption, entities, None, self._file("document", self._now["document"]))

    def _put(
        self,
        chat: Chat,
        text: str,
        entities: tuple[Entity, ...],
        picture: Picture | None,
        file: Attached | None = None,
    ) -> Json:
        if chat.wordless:
            raise bad("not enough rights to send text messages to the chat")
        keys = self._keys()
        thread = int(self._text("message_thread_id") or 0) or None
        if thread is not None and not any(topic.thread == thread for topic in chat.topics):
            raise bad("message thread not found")
        quoting = self._json("reply_parameters") or {}
        alone = self._alone(chat, quoting)
        if alone is not None:
            return self._whisper(
                chat, alone, Message(chat, 0, None, text, entities, keys, picture, file, thread=thread)
            )
        if quoting and not quoting.get("message_id"):
            raise bad("message to be replied not found", violation=True)
        quoted = chat.message(quoting["message_id"]) if quoting else None
        if quoting and quoted is None and not quoting.get("allow_sending_without_reply"):
            raise bad("message to be replied not found")
        root = next((topic.root for topic in chat.topics if topic.thread == thread), None)
        message = Message(
            chat, chat.number(), None, text, entities, keys, picture, file, thread=thread, quoted=quoted or root
        )
        message.silent = self._text("disable_notification") == "true"
        message.rang = frozenset() if message.silent else frozenset(message.pinged())
        chat.messages.append(message)
        chat.airs(message)
        return message.json()

    def _alone(self, chat: Chat, quoting: Json) -> Person | None:
        """Return the only reader of a message, or None if it is public."""
        given = self._json(ephemeral.SENDING)
        if not self._telegram.knows_ephemeral or given is None:
            return None
        try:
            return ephemeral.receiver(self._telegram, chat, given, quoting)
        except Unentitled as no:
            raise bad(str(no), no.violation) from None

    def _whisper(self, chat: Chat, person: Person, message: Message) -> Json:
        message.number, message.alone, message.silent = chat.whisper_number(person), person, True
        chat.whispers.append(message)
        return message.json()

    def _edit_message_text(self) -> Json:
        message = self._own()
        text, entities = self._words("text", 4096)
        if message.picture is not None or message.file is not None:
            raise _without("text", message)
        if not text:
            raise bad("message text is empty", violation=True)
        return self._edit(message, text, entities, None, None)

    def _edit_message_caption(self) -> Json:
        message = self._own()
        if message.picture is None and message.file is None:
            raise _without("caption", message)
        return self._edit(message, *self._words("caption", 1024), message.picture, message.file)

    def _edit_message_media(self) -> Json:
        message = self._own()
        media = self._json("media")
        if message.picture is None and message.file is None:
            raise _without("media", message)
        if media["type"] not in ("photo", "animation", "document") or not media["media"].startswith("attach://"):
            raise bad("no photo or file that was sent along", violation=True)
        self._now = self._now | {"caption": media.get("caption", ""), "parse_mode": media.get("parse_mode", "")}
        upload = self._now[media["media"].removeprefix("attach://")]
        if media["type"] == "photo":
            return self._edit(message, *self._words("caption", 1024), self._picture(upload), None)
        return self._edit(message, *self._words("caption", 1024), None, self._file(media["type"], upload))

    def _edit_message_reply_markup(self) -> Json:
        message = self._own()
        return self._edit(message, message.text, message.entities, message.picture, message.file)

    def _edit(
        self,
        message: Message,
        text: str,
        entities: tuple[Entity, ...],
        picture: Picture | None,
        file: Attached | None,
    ) -> Json:
        keys = self._keys()
        same = picture is message.picture and file is message.file
        if (message.text, message.entities, message.keys) == (text, entities, keys) and same:
            raise bad(
                "message is not modified: specified new message content and reply markup are exactly the same as a"
                " current content and reply markup of the message"
            )
        message.text, message.entities, message.keys = text, entities, keys
        message.picture, message.file = picture, file
        message.edits += 1
        if message.alone is None:
            message.chat.airs(message)
        return message.json()

    def _edit_ephemeral_message_text(self) -> bool:
        self._words("text", ephemeral.LONGEST_EDIT)
        return bool(self._edit_message_text())

    def _edit_ephemeral_message_caption(self) -> bool:
        return bool(self._edit_message_caption())

    def _edit_ephemeral_message_media(self) -> bool:
        return bool(self._edit_message_media())

    def _edit_ephemeral_message_reply_markup(self) -> bool:
        return bool(self._edit_message_reply_markup())

    def _delete_ephemeral_message(self) -> bool:
        self._own().deleted = True
        return True

    def _set_message_reaction(self) -> bool:
        message = self._chat().message(int(self._text("message_id")))
        if message is None:
            raise bad("message to react not found")
        given = self._json("reaction") or []
        if len(given) > 1 or any(reaction["type"] != "emoji" for reaction in given):
            raise bad("REACTION_INVALID", violation=True)
        if message.chat.reactionless:
            raise bad("REACTION_INVALID")
        message.reactions = tuple(reaction["emoji"] for reaction in given)
        return True

    def _delete_message(self) -> bool:
        chat = self._chat()
        message = chat.message(int(self._text("message_id")))
        if message is None:
            raise bad("message to delete not found")
        if message.by is not None:
            raise bad("message can't be deleted")
        if message.kept:
            raise bad("message can't be deleted for everyone")
        message.deleted = True
        return True

    def _delete_messages(self) -> bool:
        """Messages that are gone are skipped."""
        chat, numbers = self._chat(), self._json("message_ids")
        if not 1 <= len(numbers) <= 100:
            raise bad("wrong number of messages", violation=True)
        messages = [message for number in numbers if (message := chat.message(number)) is not None]
        if any(message.by is not None or message.kept for message in messages):
            raise bad("message can't be deleted")
        for message in messages:
            message.deleted = True
        return True

    def _send_chat_action(self) -> bool:
        self._chat()
        if self._text("action") != "typing":
            raise bad("wrong parameter action in request", violation=True)
        return True

    def _create_forum_topic(self) -> Json:
        chat, name = self._chat(), self._text("name")
        if not chat.forum:
            raise bad("the chat is not a forum")
        if not chat.opens_topics:
            raise bad("not enough rights to create a topic")
        if not 1 <= len(name) <= 128:
            raise bad("wrong name of a topic", violation=True)
        return {"message_thread_id": chat.topic(name).thread, "name": name, "icon_color": 7322096}

    def _get_chat_member(self) -> Json:
        chat = self._chat()
        number = int(self._text("user_id"))
        if number == self._telegram.bot_json()["id"]:
            return {"status": "member", "user": self._telegram.bot_json()}
        person = next((member for member in chat.members if member.id == number), None)
        if person is None and (former := next((each for each in chat.former if each.id == number), None)) is not None:
            return {"status": "left", "user": former.json()}
        if person is None:
            raise bad("PARTICIPANT_ID_INVALID")
        if person in chat.admins:
            return {"status": "creator", "user": person.json(), "is_anonymous": False}
        return {"status": "member", "user": person.json()}

    def _get_chat(self) -> Json:
        chat = self._chat()
        rights = {"can_send_messages": not chat.wordless, "can_send_photos": not chat.pictureless}
        return chat.json() | {"permissions": rights}

    # Presses

    def _answer_callback_query(self) -> bool:
        tap = self._telegram.taps.get(self._text("callback_query_id"))
        if tap is None or tap.answer is not None:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        text, url = self._text("text"), self._text("url")
        if markup.units(text) > 200:
            raise bad("MESSAGE_TOO_LONG", violation=True)
        if url and not self._opens_us(url):
            raise bad("URL_INVALID", violation=True)
        tap.answer = Answer(text, self._text("show_alert") == "true", url)
        return True

    def _answer_guest_query(self) -> Json:
        query = self._text("guest_query_id")
        if self._telegram.guests.get(query) != {}:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        result = self._json("result")
        keys = [self._key(label) for row in result["reply_markup"]["inline_keyboard"] for label in row]
        if any(not key.url for key in keys):
            raise bad("BUTTON_DATA_INVALID", violation=True)
        if result["type"] == "photo" and not re.fullmatch(r"photo\d+", result["photo_file_id"]):
            raise bad("wrong file identifier", violation=True)
        said = result if result["type"] == "photo" else result["input_message_content"]
        self._now = {"words": said.get("caption") or said.get("message_text"), "parse_mode": said["parse_mode"]}
        text, _ = self._words("words", 1024)
        self._telegram.guests[query] = {"text": text, "type": result["type"], "keys": keys}
        return {"inline_message_id": f"inline{query}"}

    def _opens_us(self, url: str) -> bool:
        parts = urlsplit(url)
        start = parse_qs(parts.query).get("start", [""])[0]
        to_us = (parts.netloc, parts.path) == ("t.me", f"/{self._telegram.username}")
        return to_us and re.fullmatch("[A-Za-z0-9_-]{1,64}", start) is not None

    # Reading parameters

    def _text(self, name: str) -> str:
        value = self._now.get(name, "")
        assert isinstance(value, str)
        return value

    def _json(self, name: str) -> Any:
        text = self._text(name)
        return json.loads(text) if text else None

    def _chat(self) -> Chat:
        """Return the chat of a request in which the bot may write. Reading members and deleting need that, too."""
        chat = self._telegram.chats.get(int(self._text("chat_id")))
        if chat is None:
            raise bad("chat not found")
        if chat.moved_to is not None:
            description = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Failure(400, description, parameters={"migrate_to_chat_id": chat.moved_to.id})
        if chat.closed and chat.kind != "private":
            raise Failure(403, f"Forbidden: bot was kicked from the {chat.kind} chat")
        if chat.blocked:
            raise Failure(403, "Forbidden: bot was blocked by the user")
        if chat.closed:
            raise Failure(403, "Forbidden: bot can't initiate conversation with a user")
        return chat

    def _own(self) -> Message:
        if "ephemeral_message_id" in self._now:
            return self._told_alone()
        message = self._chat().message(int(self._text("message_id")))
        if message is None:
            raise bad("message to edit not found")
        if message.by is not None or message.fixed:
            raise bad("message can't be edited")
        return message

    def _told_alone(self) -> Message:
        chat = self._chat()
        person = next((member for member in chat.members if member.id == int(self._text("receiver_user_id"))), None)
        number = int(self._text("ephemeral_message_id"))
        message = None if person is None else ephemeral.whisper(chat, person, number)
        if message is None:
            raise bad("MESSAGE_ID_INVALID")
        return message

    def _words(self, name: str, most: int) -> tuple[str, tuple[Entity, ...]]:
        """Return text and its entities, at most *most* characters long after parsing."""
        mode = self._text("parse_mode")
        if mode not in ("", "HTML"):
            raise bad("unsupported parse_mode", violation=True)
        try:
            text, entities = (markup.parse if mode else markup.plain)(self._text(name))
        except markup.Unparsable as error:
            raise bad(f"can't parse entities: {error}", violation=True) from None
        if markup.units(text) > most:
            raise bad("message caption is too long" if most < 4096 else "message is too long", violation=True)
        if len(entities) > 100:
            raise bad("too many entities", violation=True)
        return text.strip(), entities

    def _picture(self, photo: str | Upload) -> Picture:
        if not isinstance(photo, Upload):
            raise bad("wrong file identifier/HTTP URL specified", violation=True)
        if not photo.content.startswith(b"\x89PNG\r\n\x1a\n"):
            raise bad("IMAGE_PROCESS_FAILED", violation=True)
        width, height = struct.unpack(">II", photo.content[16:24])
        small_enough = len(photo.content) <= 10_000_000 and width + height <= 10_000
        if not small_enough or max(width, height) > 20 * min(width, height):
            raise bad("PHOTO_INVALID_DIMENSIONS", violation=True)
        return Picture(photo.content, width, height)

    def _file(self, kind: str, file: str | Upload) -> Attached:
        if not isinstance(file, Upload):
            raise bad("wrong file identifier/HTTP URL specified", violation=True)
        if not file.name or len(file.content) > 50_000_000:
            raise Failure(413, "Request Entity Too Large", violation=True)
        if kind == "animation" and not file.content.startswith(b"GIF89a"):
            raise bad("an animation is a GIF, or a film without sound", violation=True)
        return Attached(kind, file.name, file.content)

    def _keys(self) -> tuple[tuple[Key, ...], ...]:
        markup_ = self._json("reply_markup")
        if markup_ is None:
            return ()
        rows = tuple(tuple(self._key(label) for label in row) for row in markup_["inline_keyboard"])
        if sum(map(len, rows)) > 100 or any(not 1 <= len(row) <= 8 for row in rows):
            raise bad("reply markup is too large", violation=True)
        return rows

    def _key(self, given: Mapping[str, str]) -> Key:
        key = Key(given.get("text", ""), given.get("callback_data", ""), given.get("url", ""), given.get("style", ""))
        if not key.text.strip():
            raise bad("text buttons are unallowed without text", violation=True)
        if bool(key.data) == bool(key.url) or len(key.data.encode()) > 64:
            raise bad("BUTTON_DATA_INVALID", violation=True)
        if key.url and not re.match(r"https?://|tg://", key.url):
            raise bad("BUTTON_URL_INVALID", violation=True)
        if key.style and key.style not in STYLES:
            raise bad("invalid button style", violation=True)
        return key
