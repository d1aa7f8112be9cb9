"""What there is at Discord: servers, channels, messages, interactions. Identities are Discord's own (snowflakes)."""

import itertools
import mimetypes
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.emulators.discord.limits import (
    ATTACHMENT,
    BUTTON,
    COMPONENTS_V2,
    CONTAINER,
    EPHEMERAL,
    FILE,
    GALLERY,
    LOADING,
    ROW,
    TEXT_DISPLAY,
    parts_of,
)

if TYPE_CHECKING:
    from tests.emulators.discord.people import Person
    from tests.emulators.discord.server import Discord

EPOCH_MS = 1420070400000
_counter = itertools.count()

VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
MENTION_EVERYONE = 1 << 17
CREATE_PUBLIC_THREADS = 1 << 35
SEND_MESSAGES_IN_THREADS = 1 << 38
USE_EXTERNAL_APPS = 1 << 50
MANAGE_CHANNELS = 1 << 4
MANAGE_GUILD = 1 << 5

INVITED = VIEW_CHANNEL | SEND_MESSAGES | SEND_MESSAGES_IN_THREADS | ATTACH_FILES | CREATE_PUBLIC_THREADS
"""The permissions of the invite link in ``docs/discord.md``."""

TEXT, DIRECT, GROUP, THREAD = 0, 1, 3, 11
GUILD, BOT_DM, PRIVATE_CHANNEL = 0, 1, 2


def snowflake() -> int:
    """Return a new id, greater than all before it."""
    return (int(time.time() * 1000) - EPOCH_MS << 22) + next(_counter)


def iso(moment: datetime) -> str:
    return moment.isoformat()


@dataclass(eq=False)
class Server:
    """A guild. *member*: the bot is in it, since *joined*. *hello*: the channel for messages of the system."""

    name: str
    locale: str = "en-US"
    member: bool = True
    joined: datetime = field(default_factory=lambda: datetime.now(UTC) - timedelta(days=100))
    hello: "Channel | None" = field(default=None, repr=False)
    id: int = field(default_factory=snowflake)
    roles: dict[int, int] = field(init=False, repr=False)  # permissions of the everyone role and of the bot's role
    of_bot: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.of_bot = (snowflake(),)
        self.roles = {self.id: VIEW_CHANNEL, **dict.fromkeys(self.of_bot, INVITED)}

    def payload(self) -> dict[str, Any]:
        return {"id": str(self.id), "locale": self.locale, "features": []}

    def whole(self, channels: "Iterable[Channel]") -> dict[str, Any]:
        """Return the server as the gateway sends it."""
        mine = [channel for channel in channels if channel.server is self and not channel.deleted]
        return {
            "id": str(self.id),
            "name": self.name,
            "preferred_locale": self.locale,
            "joined_at": iso(self.joined),
            "system_channel_id": str(self.hello.id) if self.hello else None,
            "channels": [channel.listed() for channel in mine if channel.kind == TEXT],
            "threads": [channel.listed() for channel in mine if channel.kind == THREAD],
            "members": [],
            "roles": [],
            "emojis": [],
            "stickers": [],
            "features": [],
            "owner_id": "1",
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "afk_timeout": 300,
            "unavailable": False,
        }


@dataclass(eq=False)
class Channel:
    """A channel, thread or private chat. *allowed*: the bot's permissions in it."""

    discord: "Discord" = field(repr=False)
    name: str
    kind: int = TEXT
    server: Server | None = None
    allowed: int = INVITED
    archived: bool = False
    locked: bool = False  # only the server's moderators can wake it
    deleted: bool = False
    overwrites: dict[int, tuple[int, int]] | None = None  # by role or member: allowed, denied; None: as *allowed* says
    parent: "Channel | None" = field(default=None, repr=False)
    closed: int = 0  # the error code with which a private chat refuses the bot's posts; 0: it accepts them
    id: int = field(default_factory=snowflake)
    messages: "list[Message]" = field(default_factory=list, repr=False)

    @property
    def place(self) -> str:
        """Our name of it."""
        return f"discord:{self.id}"

    @property
    def has_bot(self) -> bool:
        """Whether the bot is a member there."""
        return self.server.member if self.server is not None else self.kind == DIRECT

    @property
    def context(self) -> int:
        return {TEXT: GUILD, THREAD: GUILD, DIRECT: BOT_DM, GROUP: PRIVATE_CHANNEL}[self.kind]

    @property
    def public(self) -> "list[Message]":
        """Return the messages that all people there can see, oldest first."""
        return [message for message in self.messages if message.reader is None and not message.deleted]

    def newest(self) -> "Message":
        """Return the newest public message."""
        assert self.public, f"nothing was posted in {self.name}"
        return self.public[-1]

    async def reads(self, text: str) -> "Message":
        """Wait until the newest public message has *text*."""
        return await self.discord.until(
            lambda: self.public[-1] if self.public and text in self.public[-1].text else None,
            f"{self.name} reads {text!r}",
        )

    async def counts(self, posts: int) -> None:
        """Wait until there are so many public messages."""
        await self.discord.until(lambda: len(self.public) == posts or None, f"{self.name} has {posts} messages")

    async def disappears(self) -> None:
        """Delete the channel as a person does."""
        assert self.server is not None
        self.deleted = True
        said = {"id": str(self.id), "guild_id": str(self.server.id), "type": self.kind}
        said |= {} if self.parent is None else {"parent_id": str(self.parent.id)}
        event = "THREAD_DELETE" if self.kind == THREAD else "CHANNEL_DELETE"
        await self.discord.gateway.tell(self.server, event, said)

    def listed(self) -> dict[str, Any]:
        """Return the channel as the gateway lists it with its server."""
        assert self.server is not None
        said: dict[str, Any] = {"id": str(self.id), "type": self.kind, "name": self.name}
        said["guild_id"] = str(self.server.id)
        if self.kind == TEXT:
            return said | {"parent_id": None, "position": 0, "nsfw": False, "permission_overwrites": []}
        assert self.parent is not None
        times = {"archive_timestamp": iso(self.server.joined), "auto_archive_duration": 1440}
        return said | {
            "parent_id": str(self.parent.id),
            "owner_id": "1",
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "thread_metadata": {"archived": self.archived, "locked": self.locked, **times},
        }

    def described(self) -> dict[str, Any]:
        """Return the channel as the REST API returns it."""
        said: dict[str, Any] = {"id": str(self.id), "type": self.kind, "flags": 0, "last_message_id": None}
        if self.server is None:
            return said
        said |= {"guild_id": str(self.server.id), "name": self.name}
        if self.parent is not None:
            return said | {"parent_id": str(self.parent.id), "thread_metadata": {"archived": self.archived}}
        own = {self.discord.application_id: (self.allowed, INVITED & ~self.allowed)}
        overwrites = own if self.overwrites is None else self.overwrites
        return said | {
            "permission_overwrites": [
                {"id": str(id_), "type": int(id_ == self.discord.application_id), "allow": str(yes), "deny": str(no)}
                for id_, (yes, no) in overwrites.items()
            ]
        }

    def payload(self, person: "Person") -> dict[str, Any]:
        """Return the channel as an interaction contains it."""
        said: dict[str, Any] = {
            "id": str(self.id),
            "type": self.kind,
            "name": self.name,
            "flags": 0,
            "last_message_id": None,
            "permissions": str(person.permissions),
        }
        if self.server is not None:
            said |= {"guild_id": str(self.server.id), "parent_id": None, "position": 0, "nsfw": False, "topic": None}
        if self.kind == THREAD:
            assert self.parent is not None
            said |= {
                "parent_id": str(self.parent.id),
                "owner_id": str(person.id),
                "member_count": 2,
                "message_count": 1,
                "total_message_sent": 1,
                "rate_limit_per_user": 0,
                "thread_metadata": {
                    "archived": self.archived,
                    "auto_archive_duration": 1440,
                    "archive_timestamp": iso(datetime.now(UTC)),
                    "locked": self.locked,
                },
            }
        if self.server is None:
            said["recipients"] = [person.payload()]
        if self.kind == GROUP:
            said |= {"owner_id": str(person.id), "icon": None}
        return said


@dataclass(frozen=True)
class Attachment:
    id: int
    name: str
    alt: str
    content: bytes = field(repr=False)

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "filename": self.name,
            "description": self.alt,
            "size": len(self.content),
            "url": f"https://cdn.invalid/{self.id}/{self.name}",
            "proxy_url": f"https://media.invalid/{self.id}/{self.name}",
            "content_type": mimetypes.guess_type(self.name)[0],
            "width": 1,
            "height": 1,
        }


@dataclass(eq=False)
class Message:
    """A message of the bot's. *reader*: the only person who sees it. *loading*: "… is thinking"."""

    channel: Channel = field(repr=False)
    author: dict[str, Any] = field(repr=False)
    content: str = ""
    attachments: list[Attachment] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list, repr=False)
    flags: int = 0
    nonce: str | None = None
    reader: "Person | None" = None
    brought_by: "Person | None" = field(default=None, repr=False)  # the installing person, in a place without the bot
    loading: bool = False
    deleted: bool = False
    edits: int = 0
    pinged: tuple[int, ...] = ()
    id: int = field(default_factory=snowflake)
    since: datetime = field(default_factory=lambda: datetime.now(UTC), repr=False)

    @property
    def is_v2(self) -> bool:
        """Whether it is made of Components V2: its words are among its components."""
        return bool(self.flags & COMPONENTS_V2)

    @property
    def accent(self) -> int | None:
        """The colour of the frame, or None."""
        frames = (part for part in self.components if part["type"] == CONTAINER)
        return next((frame.get("accent_color") for frame in frames), None)

    @property
    def words(self) -> str:
        """Its text, unformatted."""
        said = (part["content"] for part in parts_of(self.components) if part["type"] == TEXT_DISPLAY)
        return "\n".join(said) if self.is_v2 else self.content

    @property
    def text(self) -> str:
        """Its text as read: without marks of bold and escapes, commands by name."""
        said = re.sub(r"(?<!\\)<(/\w+):\d+>", r"\1", self.words)
        return re.sub(r"\\([^\w\s])|\*\*", lambda match: match[1] or "", said)

    @property
    def alt(self) -> str:
        """The alternative text of its only picture."""
        (picture,) = self.attachments
        return picture.alt

    @property
    def lines(self) -> list[list[dict[str, Any]]]:
        """Its buttons and selects, row by row."""
        return [part["components"] for part in parts_of(self.components) if part["type"] == ROW]

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Its buttons and selects."""
        return [part for line in self.lines for part in line]

    @property
    def buttons(self) -> list[str]:
        """The labels of its buttons."""
        return [part["label"] for part in self.parts if part["type"] == BUTTON]

    @property
    def rows(self) -> list[list[str]]:
        """Labels of buttons row by row; a select is the list of its options' labels."""
        return [[option["label"] for part in line for option in (part.get("options") or [part])] for line in self.lines]

    def _resolved(self, components: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return *components* as Discord returns them: with numbers, and with the addresses of their pictures."""
        there = {f"{ATTACHMENT}{attachment.name}": attachment.payload() for attachment in self.attachments}

        def media(shown: dict[str, Any], key: str) -> dict[str, Any]:
            data = there[shown[key]["url"]]
            resolved = {text: data[text] for text in ("url", "proxy_url", "width", "height", "content_type")}
            return shown | {key: resolved | {"attachment_id": data["id"]}}

        given: list[dict[str, Any]] = []
        for number, button in enumerate(components, 1):
            part = {"id": number, **button}
            if button["type"] == GALLERY:
                part["items"] = [media(item, "media") for item in button["items"]]
            elif button["type"] == FILE:
                part = media(part, "file")
            elif "components" in button:
                part["components"] = self._resolved(button["components"])
            given.append(part)
        return given

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "author": self.author,
            "content": self.content,
            "timestamp": iso(self.since),
            "edited_timestamp": iso(datetime.now(UTC)) if self.edits else None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [attachment.payload() for attachment in self.attachments],
            "embeds": [],
            "components": self._resolved(self.components),
            "pinned": False,
            "type": 0,
            "flags": self.flags | (EPHEMERAL if self.reader else 0) | (LOADING if self.loading else 0),
            "nonce": self.nonce,
        }


@dataclass(eq=False)
class Interaction:
    """Something that a person did, and how it was answered."""

    discord: "Discord" = field(repr=False)
    person: "Person"
    kind: int
    channel: Channel
    data: dict[str, Any]
    message: Message | None = None
    id: int = field(default_factory=snowflake)
    sent_at: float = 0.0
    first_answer: dict[str, Any] | None = None
    original: Message | None = field(default=None, repr=False)
    answers: int = 0  # messages made or changed after the first answer
    followups: list[Message] = field(default_factory=list, repr=False)
    expired: bool = False
    calls: list[str] = field(default_factory=list, repr=False)  # requests about it, in order

    @property
    def brought_by(self) -> "Person | None":
        """The installing person, in a place without the bot: the one who typed, or who typed the command that led to
        the button."""
        if self.channel.has_bot:
            return None
        return self.person if self.message is None else self.message.brought_by

    @property
    def token(self) -> str:
        return f"token-of-{self.id}"

    @property
    def settled(self) -> bool:
        """A command's "thinking" has become an answer, or is gone."""
        return self.original is not None and (self.original.deleted or not self.original.loading)

    @property
    def answer(self) -> Message | None:
        """The newest private message that it caused, or None."""
        result = [*([self.original] if self.original and self.kind == 2 else []), *self.followups]
        visible = [
            message for message in result if message.reader is not None and not message.deleted and not message.loading
        ]
        return visible[-1] if visible else None

    async def answered(self) -> Message:
        """Wait until a private message was made or changed for it."""
        await self.discord.until(lambda: self.answers > 0 or None, f"{self.person.name} gets an answer")
        result = self.answer or self.original
        assert result is not None
        return result

    def expires(self) -> None:
        """Expire the token, as after 15 minutes."""
        self.expired = True

    def payload(self) -> dict[str, Any]:
        person, channel, server = self.person, self.channel, self.channel.server
        installed = server is not None and server.member
        said: dict[str, Any] = {
            "id": str(self.id),
            "application_id": str(self.discord.application_id),
            "type": self.kind,
            "token": self.token,
            "version": 1,
            "channel_id": str(channel.id),
            "channel": channel.payload(person),
            "data": self.data,
            "locale": person.locale,
            "entitlements": [],
            "context": channel.context,
            "attachment_size_limit": 10485760,
            "authorizing_integration_owners": {"0": str(server.id)}
            if installed and server is not None
            else {"0": "0"}
            if channel.kind == DIRECT
            else {"1": str(self.brought_by.id if self.brought_by else 0)},
            "app_permissions": str(channel.allowed if installed else EMBED_LINKS | ATTACH_FILES | MENTION_EVERYONE),
        }
        if server is not None:
            said |= {
                "guild_id": str(server.id),
                "guild": server.payload(),
                "guild_locale": server.locale,
                "member": person.member_payload(),
            }
        else:
            said["user"] = person.payload()
        if self.message is not None:
            said["message"] = self.message.payload()
        return said
