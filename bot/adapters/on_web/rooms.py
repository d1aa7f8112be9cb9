"""The content of the page, in memory and bounded: people, places, their messages and pictures.

A restart loses all of it. Ids of messages begin with an id of the run, so no id is used twice.
"""

import secrets
import struct
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple

from cachetools import LRUCache
from msgspec import structs

import texts
from bot.adapters.on_web import names
from bot.adapters.on_web.wire import (
    Channel,
    Download,
    Image,
    KnownPerson,
    Message,
    Ping,
    Somebody,
)
from bot.chat import (
    Content,
    File,
    FileKind,
    Gone,
    MessageId,
    Outline,
    PersonId,
    Picture,
    PictureKind,
    PlaceId,
    Post,
    PublicPicture,
    Refused,
    Reply,
    Target,
    call_of,
)
from bot.runtime.names import shown

NAME = "web"
MESSAGES = 300  # in a place
NOTES = 20  # of these, private ones for one person in a channel
PLACES = 60
PEOPLE = 40
NONCES = 600
PICTURE_BYTES = 64 * 2**20
LEAVES_MS = 10_000
"""How long a private picture can be fetched after its message has gone."""
LONGEST_ALT = 1000

FIRST_PEOPLE = ("Anna", "Ben", "Clara", "David", "Emil", "Frida")
FIRST_CHANNELS = ("lobby", "table-2", "daily")

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF = b"GIF89a"


class _Kept(NamedTuple):
    content: bytes
    lingers: bool


class Attachments:
    """Pictures and files under names that cannot be guessed. The oldest ones go if there are too many bytes."""

    def __init__(self, limit: int = PICTURE_BYTES, now_ms: Callable[[], int] = lambda: 0) -> None:
        self._kept = LRUCache[str, _Kept](limit, lambda kept: min(len(kept.content), limit))
        self._now_ms = now_ms
        self._leaving = deque[tuple[int, str]]()

    def keep(self, picture: Picture | File, *, lingers: bool = False) -> Image:
        """Add an image for a message. *lingers*: after `drop` it stays for a moment, for a window that has just heard
        of it and is about to fetch it."""
        match picture:
            case Picture(png=content):
                src = self._add(content, "png", lingers)
            case File(content=content):
                src = self._add(content, "gif", lingers)
        width, height = _size(content)
        shines = picture.shines if isinstance(picture, PublicPicture) else ()
        kind = picture.kind if isinstance(picture, Picture) else PictureKind.BOARD
        return Image(src, _alt(picture.alt), width, height, shines, kind)

    def keep_file(self, file: File) -> Download:
        """Add a download."""
        return Download(self._add(file.content, "file"), file.name, len(file.content))

    def _add(self, content: bytes, kind: str, lingers: bool = False) -> str:
        src = f"/picture/{secrets.token_urlsafe(18)}.{kind}"
        self._kept[src] = _Kept(content, lingers)
        return src

    def drop(self, src: str) -> None:
        """Forget the attachment of a message that is gone."""
        kept = self._kept.get(src)
        if kept is not None and kept.lingers:
            self._leaving.append((self._now_ms() + LEAVES_MS, src))
        else:
            self._kept.pop(src, None)

    def content(self, src: str) -> bytes | None:
        while self._leaving and self._leaving[0][0] <= self._now_ms():
            self._kept.pop(self._leaving.popleft()[1], None)
        kept = self._kept.get(src)
        return kept and kept.content

    def shows(self, message: Message, said: Content) -> bool:
        """Return whether *message* has the picture or file of *said* already."""
        match said.picture or said.file:
            case None:
                return message.image is None and message.file is None
            case File(kind=FileKind.DOCUMENT, content=content, name=name):
                return message.file is not None and message.file.name == name and self._is(message.file.src, content)
            case Picture(png=content, alt=alt) | File(content=content, alt=alt):
                image = message.image
                return image is not None and image.alt == _alt(alt) and self._is(image.src, content)

    def _is(self, src: str, content: bytes) -> bool:
        kept = self._kept.get(src)
        return kept is not None and kept.content == content


def _alt(alt: str) -> str:
    return alt if len(alt) <= LONGEST_ALT else alt[: LONGEST_ALT - 1] + "…"


def _size(content: bytes) -> tuple[int, int]:
    """Return width and height in pixels, from the header; (0, 0) for anything but PNG and GIF.

    >>> _size(b"not a picture")
    (0, 0)
    """
    if len(content) < 24 or not content.startswith((_PNG, _GIF)):
        return 0, 0
    is_png = content.startswith(_PNG)
    width, height = struct.unpack(">II", content[16:24]) if is_png else struct.unpack("<HH", content[6:10])
    return width, height


class Room:
    """A place with its messages, oldest first."""

    def __init__(self, place: PlaceId, name: str, owner: PersonId | None = None) -> None:
        self.id = place
        self.name = name
        self.owner = owner
        self.messages: OrderedDict[MessageId, Message] = OrderedDict()
        self.menus: set[MessageId] = set()
        """The private menus."""
        self.origins: dict[MessageId, str] = {}
        """By private answer that a later one replaces: the button or command."""
        self.nonces = LRUCache[str, MessageId](NONCES)

    @property
    def spot(self) -> Channel:
        return Channel(self.id, self.name, self.owner is not None, self.called)

    @property
    def called(self) -> PersonId | None:
        """The person whom the newest post of the bot calls."""
        for message in reversed(self.messages.values()):
            if message.author is None and message.only is None:
                return message.call.person if message.call else None
        return None

    def seen_by(self, person: PersonId) -> tuple[Message, ...]:
        return tuple(message for message in self.messages.values() if message.only in (None, person))


class Rooms:
    """All people and places. *now_ms* returns the time."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.run = secrets.token_hex(4)
        self.pictures = Attachments(now_ms=now_ms)
        self.people: dict[PersonId, Somebody] = {}
        self._as_at_first: set[PersonId] = set()
        self.rooms: dict[PlaceId, Room] = {}
        self._now_ms = now_ms
        self._count = 0
        for number, name in enumerate(FIRST_PEOPLE):
            self.person(KnownPerson(name, manages=number == 0))
        self._as_at_first |= self.people.keys()
        for name in FIRST_CHANNELS:
            self.channel(name)

    # ---- people and places -------------------------------------------------------------------------------------

    def person(self, known: KnownPerson, change: bool = True) -> Somebody | None:
        """Add the person of that name, or (with *change*) change them. Return None if the name is empty or there is no
        room. A person of the first hour is always changed the first time: after a restart the page knows better.
        """
        name = shown(known.name)
        if not name:
            return None
        id_ = PersonId(f"{NAME}:{names.own_slug(name)}")
        there = self.people.get(id_)
        change = change or id_ in self._as_at_first
        if (there is None and len(self.people) >= PEOPLE) or (there is not None and not change):
            return there
        self._as_at_first.discard(id_)
        lang = known.lang if known.lang in texts.languages() else None
        called, number = (there.name, there.number) if there else (name, len(self.people))
        self.people[id_] = Somebody(id_, called, number, lang, known.manages)
        self._private(id_)
        return self.people[id_]

    def channel(self, name: str) -> Room | None:
        """Return the channel of that name, new or known; None if the name is empty or there are too many."""
        name = shown(name.replace("#", " "))
        if not name:
            return None
        slug = names.slug(name)
        id_ = PlaceId(f"{NAME}:{slug}")
        if id_ not in self.rooms:
            if sum(room.owner is None for room in self.rooms.values()) >= PLACES:
                return None
            self.rooms[id_] = Room(id_, "-".join(name.lower().split()))
        return self.rooms[id_]

    def _private(self, person: PersonId) -> Room:
        id_ = private_place(person)
        if id_ not in self.rooms:
            self.rooms[id_] = Room(id_, "", person)
        return self.rooms[id_]

    def room(self, place: PlaceId) -> Room:
        """Return the room of *place*, new after a restart. Raises Refused if no room of ours has such an id."""
        room = self.rooms.get(place)
        if room is None:
            platform, _, rest = place.partition(":")
            if platform == NAME and rest.startswith("@") and names.slug(rest[1:]) == rest[1:]:
                room = self._private(PersonId(f"{NAME}:{rest[1:]}"))
            elif platform == NAME and rest and names.slug(rest) == rest:
                room = self.channel(rest)
        if room is None:
            raise Refused(f"no place {place!r} on this page")
        return room

    def spots(self, person: PersonId) -> tuple[Channel, ...]:
        """Return the places that *person* can see: all channels and their own chat with the bot."""
        spots = [room.spot for room in self.rooms.values() if room.owner in (None, person)]
        return tuple(sorted(spots, key=lambda spot: spot.private))

    def open_to(self, person: PersonId, place: PlaceId) -> Room | None:
        room = self.rooms.get(place)
        return room if room is not None and room.owner in (None, person) else None

    # ---- messages ----------------------------------------------------------------------------------------------

    def add(self, room: Room, message: Message) -> tuple[MessageId, ...]:
        """Put *message* at the end. Return the ids of those that had to make room."""
        room.messages[message.id] = message
        crowd = list(room.messages)[: max(0, len(room.messages) - MESSAGES)]
        if message.only is not None and room.owner is None:  # notes never push the boards out
            notes = [note.id for note in room.messages.values() if note.only == message.only]
            crowd += notes[: max(0, len(notes) - NOTES)]
        for id_ in crowd:
            self.remove(room, id_)
        return tuple(crowd)

    def remove(self, room: Room, id_: MessageId) -> Message | None:
        message = room.messages.pop(id_, None)
        room.menus.discard(id_)
        room.origins.pop(id_, None)
        if message is not None:
            self._drop(message)
        return message

    def _drop(self, message: Message) -> None:
        for attached in (message.image, message.file):
            if attached is not None:
                self.pictures.drop(attached.src)

    def _attached(self, said: Content) -> tuple[Image | None, Download | None]:
        match said.picture or said.file:
            case None:
                return None, None
            case File(kind=FileKind.DOCUMENT) as file:
                return None, self.pictures.keep_file(file)
            case picture:
                # Public pictures never linger: they may belong to a game that forgets.
                return self.pictures.keep(picture, lingers=isinstance(said, Reply) and not said.expires_strictly), None

    def said(self, author: Somebody, text: str, only: PersonId | None = None) -> Message:
        """Return a line of a person as a message."""
        return Message(self._next(), self._now_ms(), author=author, text=text, only=only)

    def message(self, said: Content, only: PersonId | None = None, quote: str = "") -> Message:
        """Return *said* as a new message."""
        message = Message(self._next(), self._now_ms(), only=only, quote=quote)
        return _reading(message, said, *self._attached(said))

    def change(self, room: Room, id_: MessageId, said: Content) -> Message | None:
        """Let the message *id_* read *said*. Return None if it did already. Raises Gone."""
        old = _message(room, id_)
        image, file = old.image, old.file
        if not self.pictures.shows(old, said):
            image, file = self._attached(said)
            self._drop(old)
        room.messages[id_] = new = _reading(old, said, image, file)
        return None if new == old else new

    def strip(self, room: Room, id_: MessageId) -> Message | None:
        """Remove the buttons of a message. Return None if it had none. Raises Gone."""
        old = _message(room, id_)
        room.messages[id_] = new = structs.replace(old, rows=())
        return None if new == old else new

    def _next(self) -> MessageId:
        self._count += 1
        return MessageId(f"{self.run}-{self._count}")


def _message(room: Room, id_: MessageId) -> Message:
    if id_ not in room.messages:
        raise Gone(f"no message {id_!r} in {room.id!r}")
    return room.messages[id_]


def _reading(message: Message, said: Content, image: Image | None, file: Download | None) -> Message:
    """Return *message* with the content of *said*."""
    parts, closed, elsewhere = split(said.targets if isinstance(said, Reply) else ())
    return structs.replace(
        message,
        title=said.title,
        text=said.text,
        paste=said.paste,
        small=said.small if isinstance(said, Post) else "",
        image=image,
        parts=parts,
        closed=closed,
        elsewhere=elsewhere,
        file=file,
        rows=said.rows,
        call=_ping(said),
        own=dict(said.own) if isinstance(said, Post) else {},
    )


def split(targets: tuple[Target, ...]) -> tuple[tuple[Target, ...], tuple[Outline, ...], str]:
    """Return the targets that can be tapped, the outlines of those that cannot, and the payload of the rest of the
    picture, or ""."""
    parts = tuple(target for target in targets if target.outline and target.payload)
    closed = tuple(target.outline for target in targets if not target.payload)
    return parts, closed, next((target.payload for target in targets if not target.outline), "")


def private_place(person: PersonId) -> PlaceId:
    """Return the id of the chat of *person* with the bot.

    >>> private_place(PersonId("web:anna"))
    'web:@anna'
    """
    platform, _, slug = person.partition(":")
    return PlaceId(f"{platform}:@{slug}")


def _ping(said: Content) -> Ping | None:
    call = call_of(said)
    if call is None:
        return None
    before, _, after = call.text.partition("{person}")
    return Ping(call.person.id, shown(call.person.name), before, after)
