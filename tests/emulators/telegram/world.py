"""The contents of the emulated Telegram: people, groups, topics, messages. Tests use these objects.

hall = telegram.group("Hall", anna, ben)
await anna.types("/newgame kabooom", hall)
await hall.shows("Kabooom")
answer = await ben.presses("Join", hall)
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from bot.chat import PlaceId
from tests.emulators.telegram.markup import Entity, units

if TYPE_CHECKING:
    from tests.emulators.telegram.server import Telegram

Json = dict[str, object]

RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)
"""The rights of an administrator."""


@dataclass(frozen=True)
class Key:
    """A button."""

    text: str
    data: str = ""
    url: str = ""
    style: str = ""

    def json(self) -> Json:
        said: Json = {"text": self.text}
        return said | ({"callback_data": self.data} if self.data else {"url": self.url})


@dataclass(frozen=True)
class Picture:
    png: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True)
class Attached:
    """An animation or a document, and its file's name."""

    kind: str
    name: str
    content: bytes = field(repr=False)


@dataclass
class Message:
    """A message in a chat. *by*: None for the bot. *thread*: the topic. *root*: the topic's first message. *rang*:
    numbers of the people that it pinged with a sound. *kept*: it is too old to delete; *fixed*: it cannot be edited.
    *alone*: the only reader beside the bot; such numbers are not unique. *at*: the time of arrival, on the loop's
    clock."""

    chat: Chat
    number: int
    by: Person | None
    text: str = ""
    entities: tuple[Entity, ...] = ()
    keys: tuple[tuple[Key, ...], ...] = ()
    picture: Picture | None = None
    file: Attached | None = None
    silent: bool = False
    rang: frozenset[int] = frozenset()
    thread: int | None = None
    quoted: Message | None = None
    root: bool = False
    deleted: bool = False
    kept: bool = False
    fixed: bool = False
    edits: int = 0
    alone: Person | None = None
    at: float = 0.0
    reactions: tuple[str, ...] = ()

    @property
    def labels(self) -> list[list[str]]:
        return [[key.text for key in row] for row in self.keys]

    @property
    def flat(self) -> list[str]:
        return [key.text for row in self.keys for key in row]

    def key(self, label: str) -> Key:
        """Return the button that reads *label*, or the only one whose text contains it."""
        keys = [key for row in self.keys for key in row]
        exact = [key for key in keys if key.text == label]
        near = exact or [key for key in keys if label.lower() in key.text.lower()]
        assert len(near) == 1, f"{len(near)} buttons read {label!r} among {self.flat}"
        return near[0]

    def has(self, label: str) -> bool:
        return any(label.lower() in text.lower() for text in self.flat)

    def pinged(self) -> set[int]:
        """Return the numbers of the mentioned people."""
        names = {entity.username.lower() for entity in self.entities if entity.username}
        people = self.chat.telegram.people
        return {entity.user for entity in self.entities if entity.user is not None} | {
            person.id for person in people if person.username.lower() in names
        }

    def json(self) -> Json:
        said: Json = {
            "message_id": 0 if self.alone else self.number,
            "date": 1_790_000_000,
            "chat": self.chat.json(),
            "from": self.chat.telegram.bot_json() if self.by is None else self.by.json(),
        }
        if self.alone is not None:
            to = self.alone.json() if self.by is None else self.chat.telegram.bot_json()
            said |= {"ephemeral_message_id": self.number, "receiver_user": to}
        entities = [entity.json() for entity in self.entities]
        if self.picture is not None:
            size = {"width": self.picture.width, "height": self.picture.height}
            said["photo"] = [{"file_id": f"photo{self.number}", "file_unique_id": f"p{self.number}", **size}]
        elif self.file is not None:
            number = {"file_id": f"file{self.number}", "file_unique_id": f"f{self.number}"}
            said["document"] = number | {"file_name": self.file.name, "file_size": len(self.file.content)}
            if self.file.kind == "animation":
                said["animation"] = number | {"width": 1, "height": 1, "duration": 1}
        if self.picture is not None or self.file is not None:
            if self.text:
                said |= {"caption": self.text, "caption_entities": entities}
        elif self.root:
            said["forum_topic_created"] = {"name": self.text, "icon_color": 7322096}
        else:
            said |= {"text": self.text, "entities": entities}
        if self.keys:
            said["reply_markup"] = {"inline_keyboard": [[key.json() for key in row] for row in self.keys]}
        if self.thread is not None:
            said |= {"message_thread_id": self.thread}
            if self.thread not in self.chat.channel_posts:
                said["is_topic_message"] = True
        if self.quoted is not None and not self.quoted.deleted:
            shown = {k: v for k, v in self.quoted.json().items() if k != "reply_to_message"}
            is_forward = self.quoted.number in self.chat.channel_posts
            said["reply_to_message"] = shown | ({"is_automatic_forward": True} if is_forward else {})
        return said


@dataclass(frozen=True)
class Answer:
    """The answer to a pressed button."""

    text: str = ""
    alert: bool = False
    url: str = ""


class Tap:
    """A pressed button, answered or not yet."""

    def __init__(self, person: Person, message: Message, key: Key, query: str) -> None:
        self.person = person
        self.message = message
        self.key = key
        self.query = query
        self.at = asyncio.get_running_loop().time()
        self.answer: Answer | None = None

    async def answered(self) -> Answer:
        telegram = self.message.chat.telegram
        return await telegram.until(lambda: self.answer, f"the press on {self.key.text!r} is answered")


class Where:
    """A chat, or a topic of one: something that can be written in and looked at."""

    telegram: Telegram

    @property
    def chat(self) -> Chat:
        raise AssertionError

    @property
    def thread(self) -> int | None:
        return None

    @property
    def place(self) -> PlaceId:
        """As the bot names it."""
        return PlaceId(f"telegram:{self.chat.id}" + (f"/{self.thread}" if self.thread else ""))

    def said(self) -> list[Message]:
        """Return the bot's messages here that it has not deleted, oldest first."""
        return [
            message
            for message in self.chat.messages
            if message.by is None and not message.deleted and message.thread == self.thread
        ]

    def newest(self) -> Message:
        said = self.said()
        assert said, f"the bot has said nothing in {self.place}"
        return said[-1]

    async def shows(self, *words: str) -> Message:
        """Wait until one of the bot's messages here has all of *words*; the newest such message."""

        def fitting() -> Message | None:
            return next(
                (message for message in reversed(self.said()) if all(word in message.text for word in words)), None
            )

        return await self.telegram.until(fitting, f"{self.place} shows {words}")

    async def offers(self, label: str) -> Message:
        """Wait until one of the bot's messages here has a button with *label*; the newest such message."""

        def fitting() -> Message | None:
            return next((message for message in reversed(self.said()) if message.has(label)), None)

        return await self.telegram.until(fitting, f"{self.place} offers {label!r}")


class Chat(Where):
    """A private chat (*with_* a person), a group, or a supergroup with or without topics."""

    def __init__(self, telegram: Telegram, id_: int, kind: str, title: str = "") -> None:
        self.telegram = telegram
        self.id = id_
        self.kind = kind
        self.title = title
        self.messages: list[Message] = []
        self.whispers: list[Message] = []  # messages for one member and the bot
        self.aired: list[Message] = []  # all public messages at any time, as they were
        self.bot_manages = False  # the bot is an administrator
        self.members: list[Person] = []
        self.admins: list[Person] = []
        self.former: list[Person] = []  # people who have left
        self.with_: Person | None = None
        self.forum = False
        self.opens_topics = True  # whether the bot may
        self.topics: list[Topic] = []
        self.channel_posts: dict[int, Message] = {}  # of the linked channel, whose comments are in this group
        self.closed = kind == "private"  # the bot may not write: not begun yet, blocked, thrown out
        self.blocked = False
        self.wordless = False  # members may not write at all
        self.reactionless = False  # no reactions here
        self.pictureless = False  # members may not send photos, and the bot is a member like others
        self.moved_to: Chat | None = None
        self.flooded = 0.0  # until then, on the loop's clock
        self.impatient = 0  # requests while flooded
        self._numbers = iter(range(1 if kind == "private" else 1001, 10**9))

    @property
    def chat(self) -> Chat:
        return self

    def number(self) -> int:
        return next(self._numbers)

    def airs(self, message: Message) -> None:
        """Record *message* as visible to all people here."""
        self.aired.append(replace(message))

    def whisper_number(self, person: Person) -> int:
        """Return the lowest number that no ephemeral message for *person* has now: numbers are per person and
        reused."""
        taken = {message.number for message in self.whispers if message.alone is person and not message.deleted}
        return next(number for number in range(1, 10**6) if number not in taken)

    def message(self, number: int) -> Message | None:
        return next((message for message in self.messages if message.number == number and not message.deleted), None)

    def topic(self, name: str) -> Topic:
        """Open a topic; the chat becomes a forum."""
        self.forum = True
        root = Message(self, self.number(), self.members[0], name, root=True)
        root.thread = root.number
        self.messages.append(root)
        topic = Topic(self, root)
        self.topics.append(topic)
        return topic

    def comments(self, post: str) -> Topic:
        """Let the linked channel post something. Return the thread of the comments on it."""
        root = Message(self, self.number(), self.members[0], post)
        root.thread = root.number
        self.messages.append(root)
        self.channel_posts[root.number] = root
        self.topics.append(Topic(self, root))
        return self.topics[-1]

    def takes_the_bot_in(self, by: Person) -> None:
        """Add the bot to the group as a person."""
        self.closed = False
        self._presence(by, "left", "member")

    def throws_the_bot_out(self) -> None:
        self.closed = True
        self._presence(self.members[0], "member", "kicked")

    def passes(self, person: Person, *, leaves: bool) -> None:
        """Let *person* leave the group, or come back. A bot that is an administrator hears it by an update as well."""
        (self.members.remove if leaves else self.members.append)(person)
        self.former = [each for each in self.former if each is not person] + ([person] if leaves else [])
        kind: Json = {"left_chat_member": person.json()} if leaves else {"new_chat_members": [person.json()]}
        said = Message(self, self.number(), person).json()
        self.telegram.arrives({"message": {k: v for k, v in said.items() if k != "text"} | kind})
        if self.bot_manages:
            statuses = ("member", "left") if leaves else ("left", "member")
            before, after = ({"user": person.json(), "status": status} for status in statuses)
            change = {"chat": self.json(), "from": person.json(), "date": 1_790_000_000}
            self.telegram.arrives({"chat_member": change | {"old_chat_member": before, "new_chat_member": after}})

    def _presence(self, by: Person, before: str, after: str) -> None:
        """Change the bot's status in this chat."""

        def member(status: str) -> Json:
            said: Json = {"user": self.telegram.bot_json(), "status": status}
            more: dict[str, Json] = {"kicked": {"until_date": 0}, "administrator": dict.fromkeys(RIGHTS, False)}
            return said | more.get(status, {})

        said = {"chat": self.json(), "from": by.json(), "date": 1_790_000_000}
        changed = said | {"old_chat_member": member(before), "new_chat_member": member(after)}
        self.telegram.arrives({"my_chat_member": changed})

    def becomes_supergroup(self) -> Chat:
        """Upgrade a basic group: the same people, another number."""
        new = self.telegram.chat(-1_000_000_000_000 + self.id, "supergroup", self.title)
        new.members, new.admins = self.members, self.admins
        self.moved_to = new
        for chat, said in ((self, {"migrate_to_chat_id": new.id}), (new, {"migrate_from_chat_id": self.id})):
            message = Message(chat, chat.number(), self.members[0]).json()
            self.telegram.arrives({"message": {k: v for k, v in message.items() if k != "text"} | said})
        return new

    def json(self) -> Json:
        if self.with_ is not None:
            return {"id": self.id, "type": "private", "first_name": self.with_.first_name}
        return {"id": self.id, "type": self.kind, "title": self.title} | ({"is_forum": True} if self.forum else {})


class Topic(Where):
    def __init__(self, chat: Chat, root: Message) -> None:
        self._chat = chat
        self.telegram = chat.telegram
        self.root = root

    @property
    def chat(self) -> Chat:
        return self._chat

    @property
    def thread(self) -> int:
        return self.root.number


class Corner(Where):
    """A place as far as the bot speaks there to one person alone."""

    def __init__(self, person: Person, where: Where) -> None:
        self.telegram = where.telegram
        self._person = person
        self._where = where

    @property
    def chat(self) -> Chat:
        return self._where.chat

    @property
    def thread(self) -> int | None:
        return self._where.thread

    def said(self) -> list[Message]:
        own = (message for message in self.chat.whispers if message.by is None and message.alone is self._person)
        return [message for message in own if not message.deleted and message.thread == self.thread]


class Person:
    """A person with an account, who types, presses and reads."""

    def __init__(
        self, telegram: Telegram, id_: int, first_name: str, last_name: str = "", username: str = "", lang: str = ""
    ) -> None:
        self.telegram = telegram
        self.id = id_
        self.first_name = first_name
        self.last_name = last_name
        self.username = username
        self.lang = lang
        self.modern = True  # this person's app knows commands that go to the bot alone
        self.taps: list[Tap] = []
        self._private = telegram.chat(id_, "private")
        self._private.with_ = self
        self._private.members = [self]

    @property
    def person(self) -> str:
        """As the bot names them."""
        return f"telegram:{self.id}"

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    def private(self) -> Chat:
        return self._private

    def alone_in(self, where: Where) -> Corner:
        """Return the messages that only this person sees there."""
        return Corner(self, where)

    @property
    def alerts(self) -> list[str]:
        """The boxes that were shown to this person."""
        return [tap.answer.text for tap in self.taps if tap.answer is not None and tap.answer.alert]

    @property
    def toasts(self) -> list[str]:
        return [
            tap.answer.text for tap in self.taps if tap.answer is not None and tap.answer.text and not tap.answer.alert
        ]

    def pings(self) -> list[Message]:
        """Return the bot's messages, in any chat, that mention this person and made a sound."""
        return [message for message in self._heard() if self.id in message.pinged()]

    def sounds(self) -> list[Message]:
        """Return the bot's messages that made a sound for this person."""
        return list(self._heard())

    def _heard(self) -> Iterator[Message]:
        for chat in self.telegram.chats.values():
            if self in chat.members:
                yield from (message for message in chat.messages if message.by is None and not message.silent)

    async def types(
        self,
        text: str,
        where: Where | None = None,
        quoting: Message | None = None,
        naming: Person | None = None,
    ) -> Message:
        """Write *text*, in the private chat without a place. Returns at once; the bot receives it later.

        *naming*: a person without a username, whose first name in *text* is a mention."""
        where = where or self._private
        message = self._says(text, where, quoting)
        if naming is not None:
            at, _, _ = text.partition(naming.first_name)
            mention = Entity("text_mention", units(at), units(naming.first_name), user=naming.id)
            message.entities = (*message.entities, mention)
        self.telegram.arrives({"message": message.json()}, hidden=self._hidden(message))
        return message

    async def names(self, text: str, by_bot: bool = False) -> Json:
        """Mention the bot in a chat without it; return its answer."""
        query = str(self.telegram.next_number())
        self.telegram.guests[query] = {}
        elsewhere = {"id": -1_009_999_999_999, "type": "supergroup", "title": "Elsewhere"}
        said: Json = {
            "message_id": 7,
            "date": 1_790_000_000,
            "chat": elsewhere,
            "from": self.json() | {"is_bot": by_bot},
        }
        self.telegram.arrives({"guest_message": said | {"text": text, "guest_query_id": query}})
        await self.telegram.handled()
        return {} if by_bot else await self.telegram.until(lambda: self.telegram.guests[query], "the bot answers")

    async def opens(self) -> None:
        """Open the private chat with the bot and press Start."""
        self._private.closed = False
        await self.types("/start")

    async def follows(self, url: str) -> None:
        """Open a link to the bot and press Start."""
        parts = urlsplit(url)
        assert (parts.scheme, parts.netloc, parts.path) == ("https", "t.me", f"/{self.telegram.username}"), url
        (ticket,) = parse_qs(parts.query)["start"]
        self._private.closed = False
        await self.types(f"/start {ticket}")

    async def edits(self, message: Message, text: str) -> None:
        message.text = text
        self.telegram.arrives({"edited_message": message.json() | {"edit_date": 1_790_000_100}})

    async def forwards(self, message: Message, where: Where) -> None:
        copy = self._says(message.text, where)
        assert message.by is not None
        origin = {"type": "user", "sender_user": message.by.json(), "date": 1_790_000_000}
        self.telegram.arrives({"message": copy.json() | {"forward_origin": origin}})

    async def lets_a_bot_say(self, text: str, where: Where, quoting: Message | None = None) -> None:
        """Choose an offer of another bot (its inline mode), which is posted in this person's name."""
        other = {"id": 99, "is_bot": True, "first_name": "Other", "username": "other_bot"}
        self.telegram.arrives({"message": self._says(text, where, quoting).json() | {"via_bot": other}})

    async def shows_photo(self, caption: str, where: Where) -> None:
        message = self._says(caption, where)
        message.picture = Picture(b"", 640, 480)
        self.telegram.arrives({"message": message.json()})

    async def types_anonymously(self, text: str, where: Where) -> None:
        """Type as an administrator who is hidden behind the group."""
        message = self._says(text, where)
        group = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
        self.telegram.arrives({"message": message.json() | {"from": group, "sender_chat": where.chat.json()}})

    def taps_on(self, label: str, where: Where | Message) -> Tap:
        """Press a button and do not wait: of a message, or of the newest message there that has it."""
        message = where if isinstance(where, Message) else self._with(label, where)
        return self.taps_key(message.key(label), message)

    def taps_key(self, key: Key, message: Message) -> Tap:
        """Press a button as it was, even if the message has changed."""
        tap = self.telegram.tapped(Tap(self, message, key, str(self.telegram.next_number())))
        self.taps.append(tap)
        query = {
            "id": tap.query,
            "from": self.json(),
            "message": message.json(),
            "chat_instance": "0" if message.alone else str(message.chat.id),
            "data": key.data,
        }
        self.telegram.arrives({"callback_query": query})
        return tap

    async def presses(self, label: str, where: Where | Message) -> Answer:
        """Press a button and wait for the answer."""
        if isinstance(where, Where):
            where = await where.offers(label)
        return await self.taps_on(label, where).answered()

    def jumps(self, label: str, on: Message) -> Message:
        """Press a button that leads to a message of a supergroup; that message."""
        key = next(key for row in on.keys for key in row if key.text == label)
        address = re.fullmatch(r"https://t\.me/c/(\d+)(?:/(\d+))?/(\d+)", key.url)
        assert address is not None, f"{key.url!r} leads nowhere"
        chat = self.telegram.chats[-(10**12) - int(address[1])]
        assert chat.kind == "supergroup", f"Telegram has no addresses in a {chat.kind}"
        message = chat.message(int(address[3]))
        assert message is not None, f"there is nothing at {key.url}"
        assert message.thread == (None if address[2] is None else int(address[2])), f"{key.url} is another topic"
        return message

    def json(self) -> Json:
        said: Json = {"id": self.id, "is_bot": False, "first_name": self.first_name}
        optional = {"last_name": self.last_name, "username": self.username, "language_code": self.lang}
        return said | {name: value for name, value in optional.items() if value}

    def _says(self, text: str, where: Where, quoting: Message | None = None) -> Message:
        chat = where.chat
        command = re.match(r"/([A-Za-z0-9_]{1,32})(@\w+)?", text)
        entities = (Entity("bot_command", 0, units(command[0])),) if command else ()
        quoted = quoting or (where.root if isinstance(where, Topic) else None)
        aside = (quoting is not None and quoting.alone is self) or (
            command is not None and self._asks_aside(command, chat)
        )
        number = chat.whisper_number(self) if aside else chat.number()
        message = Message(chat, number, self, text, entities, thread=where.thread, quoted=quoted)
        message.at = asyncio.get_running_loop().time()
        if aside:
            message.alone = self
            chat.whispers.append(message)
        else:
            chat.messages.append(message)
        return message

    def _asks_aside(self, command: re.Match[str], chat: Chat) -> bool:
        """Return whether this person's app sends the command as an ephemeral message."""
        to_us = command[2] in (None, f"@{self.telegram.username}")
        return to_us and chat.kind != "private" and self.modern and self.telegram.announces_aside(command[1], self.lang)

    def _hidden(self, message: Message) -> bool:
        """Return whether the message is hidden from a bot in privacy mode, which receives only commands and replies to
        its messages in groups."""
        if message.chat.kind == "private" or self.telegram.sees_all:
            return False
        to_another = re.match(r"/\w+@(\w+)", message.text)
        if to_another and to_another[1].lower() != self.telegram.username.lower():
            return True
        quotes_us = message.quoted is not None and message.quoted.by is None
        if message.alone is not None:
            return False
        return not message.text.startswith("/") and not quotes_us

    def _with(self, label: str, where: Where) -> Message:
        message = next((message for message in reversed(where.said()) if message.has(label)), None)
        assert message is not None, f"no button {label!r} in {where.place}"
        return message
