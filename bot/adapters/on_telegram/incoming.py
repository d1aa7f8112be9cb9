"""Telegram's updates as `bot.chat.Update`. Pure: no calls.

Taken: commands, any text in private chats, replies to the bot, and pressed buttons. Ignored: edited messages, captions,
forwarded messages, messages sent through another bot, commands for another bot, and unknown commands in groups (they
may be for other bots).
"""

import logging
import re
from collections.abc import Collection

import msgspec
import telegram
from msgspec import Struct
from telegram.constants import ChatType, MessageEntityType

from bot.adapters.on_telegram.addresses import Addressed, Form, Spot, message_id, person_id, place_id, update_id
from bot.adapters.on_telegram.apart import number
from bot.adapters.on_telegram.links import Links
from bot.adapters.on_telegram.rights import is_inside
from bot.adapters.on_telegram.topics import Comments
from bot.chat import MessageId, Opened, Person, Place, PlaceMoved, PlainMessage, Press, Typed, Update

log = logging.getLogger(__name__)

TAKEN = ("message", "callback_query", "my_chat_member", "chat_member", "guest_message")
"""The kinds of updates that the bot requests."""
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{3,64}))?(?:\s+(.*))?", re.DOTALL)
_OPENS = Opened()


class Pressed(Struct, frozen=True):
    """A pressed button. *query*: takes the answer. *shown*: the message with the button; None: too old for Telegram.

    *quotes*: the message that *shown* quotes. Only answers quote messages, posts do not.
    """

    query: str
    shown: Addressed | None
    quotes: int | None = None


class Envelope(Struct, frozen=True):
    """An update with the facts for its answer. *message_number*: of a typed message; *command_number*: of one in
    a group that only the bot received. *nameless*: see `read`. *is_forum*: the group has topics.

    *opens*: the private chat was opened without a request.
    """

    update: Update
    user: int
    spot: Spot
    message_number: int | None = None
    pressed: Pressed | None = None
    nameless: bool = False
    opens: bool = False
    command_number: int | None = None
    is_forum: bool = False

    @property
    def lang(self) -> str:
        return self.update.person.lang or ""

    @property
    def unseen(self) -> bool:
        """Whether no other person can see the request or an answer in its place."""
        pressed = (
            self.pressed is not None and self.pressed.shown is not None and self.pressed.shown.receiver is not None
        )
        return self.spot.private or self.command_number is not None or pressed


def contents(
    raw: telegram.Update, bot: str, links: Links, commands: Collection[str], comments: Comments
) -> tuple[Envelope | None, PlaceMoved | None, "Presence | None"]:
    """Return the results of `read`, `moved` and `presence`, or None for all if *raw* is not as documented: the library
    does not check types."""
    try:
        envelope = read(raw, bot, links, commands, comments)
        if envelope is not None:
            envelope = msgspec.convert(msgspec.to_builtins(envelope), Envelope)
        return envelope, moved(raw), presence(raw)
    except (AttributeError, TypeError, ValueError) as error:
        log.warning("update not understood: id=%s error=%s", raw.update_id, type(error).__name__)
        return None, None, None


def read(
    raw: telegram.Update, bot: str, links: Links, commands: Collection[str], comments: Comments
) -> Envelope | None:
    """Return the request in *raw*, or None. *bot*: our username. *commands*: the names of our commands.

    An anonymous administrator has no identity: the result is `Envelope.nameless` and must not be handled.
    """
    if raw.callback_query is not None:
        return _pressed(raw.update_id, raw.callback_query, comments)
    if raw.message is not None:
        return _typed(raw.update_id, raw.message, bot, links, commands, comments)
    return None


def moved(raw: telegram.Update) -> PlaceMoved | None:
    """Return the move of a group that became a supergroup; Telegram reports it in both chats."""
    message = raw.message
    if message is not None and message.migrate_to_chat_id is not None:
        return PlaceMoved(place_id(Spot(message.chat.id)), place_id(Spot(message.migrate_to_chat_id)))
    if message is not None and message.migrate_from_chat_id is not None:
        return PlaceMoved(place_id(Spot(message.migrate_from_chat_id)), place_id(Spot(message.chat.id)))
    return None


class Presence(Struct, frozen=True):
    """The bot was added to a group, or removed from it."""

    place: Place
    added: bool


def presence(raw: telegram.Update) -> Presence | None:
    """Return the change of the bot's own membership in a group, or None."""
    change = raw.my_chat_member
    if change is None or change.chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
        return None
    before, after = (is_inside(member) for member in (change.old_chat_member, change.new_chat_member))
    if before == after:
        return None
    return Presence(Place(place_id(Spot(change.chat.id)), spoken(change.from_user)), after)


class Passage(Struct, frozen=True):
    """A person came into a group, or left it."""

    chat: int
    user: int
    came: bool


def moves_of_people(raw: telegram.Update) -> tuple[Passage, ...]:
    """Return who came into a group or left it, or () if *raw* is not as documented.

    A bot that is an administrator hears it by an update of its own, others by a message in the group.
    """
    try:
        return msgspec.convert(msgspec.to_builtins(_passages(raw)), tuple[Passage, ...])
    except (AttributeError, TypeError, ValueError) as error:
        log.warning("update not understood: id=%s error=%s", raw.update_id, type(error).__name__)
        return ()


def _passages(raw: telegram.Update) -> tuple[Passage, ...]:
    message, change = raw.message, raw.chat_member
    if change is not None:
        before, after = (is_inside(member) for member in (change.old_chat_member, change.new_chat_member))
        user = change.new_chat_member.user
        return (Passage(change.chat.id, user.id, after),) if before != after and not user.is_bot else ()
    if message is None:
        return ()
    came = tuple(Passage(message.chat.id, user.id, True) for user in message.new_chat_members if not user.is_bot)
    user_left = message.left_chat_member
    if user_left is None or user_left.is_bot:
        return came
    return (*came, Passage(message.chat.id, user_left.id, False))


def spoken(user: telegram.User) -> str | None:
    """Return the language tag of *user*, or None."""
    return user.language_code if isinstance(user.language_code, str) else None


def _pressed(update: int, query: telegram.CallbackQuery, comments: Comments) -> Envelope | None:
    message = query.message
    if message is None or query.data is None:
        return None
    if isinstance(message, telegram.Message):
        spot = _spot(message, comments)
        root = spot.thread  # every message of a topic quotes its first one
        quoted = message.reply_to_message
        quotes = None if quoted is None or quoted.message_id == root else quoted.message_id
        apart = number(message)
        if apart is not None:
            shown, quotes = Addressed(apart, _form(message), query.from_user.id), None
        else:
            shown = Addressed(message.message_id, _form(message))
        pressed = Pressed(query.id, shown, quotes)
    else:
        spot = Spot(message.chat.id)
        pressed = Pressed(query.id, None)
    person = _person(query.from_user)
    place = _place(spot, person, message.chat)
    said = Update(update_id(update), person, place, Press(query.data), spot.private)
    return Envelope(said, query.from_user.id, spot, pressed=pressed, is_forum=bool(message.chat.is_forum))


def _form(message: telegram.Message) -> Form:
    if message.photo:
        return Form.PHOTO
    if message.animation is not None:  # an animation has a document too
        return Form.ANIMATION
    return Form.TEXT if message.document is None else Form.DOCUMENT


def _typed(
    update: int, message: telegram.Message, bot: str, links: Links, commands: Collection[str], comments: Comments
) -> Envelope | None:
    user, text = message.from_user, (message.text or "").strip()
    nameless = message.sender_chat is not None
    if user is None or not text or message.forward_origin is not None or message.via_bot is not None:
        return None
    if user.is_bot and not nameless:
        return None
    private = message.chat.type == ChatType.PRIVATE
    body: Typed | PlainMessage | Press | Opened | None = _body(text, private, user.id, bot, links, commands)
    if body is None and not nameless and _answers(message, bot):  # other messages are no updates
        body = PlainMessage(text, _answered(message))
    if body is None:
        return None
    spot, person = _spot(message, comments), _person(user)
    chosen = None if isinstance(body, PlainMessage) or nameless else _chosen(message)
    place = _place(spot, person, message.chat)
    said = Update(update_id(update), person, place, body, spot.private, chosen_person=chosen)
    command = number(message)
    typed = message.message_id if command is None else None
    return Envelope(
        said,
        user.id,
        spot,
        message_number=typed,
        nameless=nameless,
        opens=body is _OPENS,
        command_number=command,
        is_forum=bool(message.chat.is_forum),
    )


def _chosen(message: telegram.Message) -> Person | None:
    """Return the person whom a command mentions without a username, or, if it has no arguments, whose message it
    answers."""
    users = [entity.user for entity in message.entities if entity.type == MessageEntityType.TEXT_MENTION]
    to = message.reply_to_message
    if not users and to is not None and to.sender_chat is None and len((message.text or "").split()) == 1:
        users = [to.from_user] if to.message_id != message.message_thread_id else []
    user = next((user for user in users if user is not None and not user.is_bot), None)
    return None if user is None else _person(user)


def _answers(message: telegram.Message, bot: str) -> bool:
    """Return whether *message* replies to the bot, without a command."""
    to = message.reply_to_message
    ours = to is not None and to.from_user is not None and (to.from_user.username or "").lower() == bot.lower()
    return ours and not (message.text or "").lstrip().startswith("/")


def _answered(message: telegram.Message) -> MessageId | None:
    """Return the post that *message* replies to; None if only one person sees it, as it is no post then."""
    to = message.reply_to_message
    return None if to is None or number(to) is not None else message_id(Addressed(to.message_id, _form(to)))


def _body(
    text: str, private: bool, user: int, bot: str, links: Links, commands: Collection[str]
) -> Typed | Press | Opened | None:
    form = _COMMAND.fullmatch(text)
    if form is None:
        return Typed(text) if private else None
    name, addressee, rest = form[1].lower(), form[2], (form[3] or "").strip()
    if addressee is not None and addressee.lower() != bot.lower():
        return None
    if private and name == "start":  # Telegram sends it when a person opens the chat
        return links.read(user, rest) or _OPENS
    if not private and name == "start" and rest:
        return None  # from a link that adds the bot to a group, which is an update of its own
    if not private and addressee is None and name not in commands:
        return None
    return Typed(f"/{name} {rest}".rstrip())


def _spot(message: telegram.Message, comments: Comments) -> Spot:
    return Spot(message.chat.id, message.message_thread_id if message.is_topic_message else comments.thread(message))


def _place(spot: Spot, person: Person, chat: telegram.Chat) -> Place:
    lang = person.lang if spot.private else None
    return Place(place_id(spot), lang, spot.private, "" if spot.private else chat.title or "")


def _person(user: telegram.User) -> Person:
    """A deleted account has no name."""
    return Person(person_id(user.id), user.full_name or "", spoken(user), user.username or "")
