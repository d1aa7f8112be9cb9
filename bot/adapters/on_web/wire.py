"""The messages between the page and its server over the WebSocket: one JSON object each, told apart by ``kind``.

Sizes of incoming messages are limited here, before any other code reads them.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from bot.chat import Button, MessageId, Outline, PersonId, PictureKind, PlaceId, Select, Target

LINE = 2000
"""Most characters that a person may send at once."""

Id = Annotated[str, Meta(max_length=80)]
Name = Annotated[str, Meta(max_length=400)]
Lang = Annotated[str, Meta(max_length=40)]
RequestId = Annotated[str, Meta(pattern="^[0-9a-f]{16,40}$")]
"""Made by the page. A request that is sent again has the same id."""


# ---- Content -----------------------------------------------------------------------------------------------------


class Somebody(Struct, frozen=True):
    """A person. *number*: their position, which gives them their colour. *lang* None: the browser's language.
    *manages*: a moderator of every channel."""

    id: PersonId
    name: str
    number: int
    lang: str | None = None
    manages: bool = False


class Channel(Struct, frozen=True):
    """A channel, or a person's own chat with the bot. *called*: the person whom the newest post of the bot calls."""

    id: PlaceId
    name: str
    private: bool = False
    called: PersonId | None = None


class Image(Struct, frozen=True):
    """A picture by its address on this server. Sizes in pixels; 0 if they could not be read. *shines*, *kind*: see
    `bot.chat.PublicPicture`."""

    src: str
    alt: str
    width: int
    height: int
    shines: tuple[Outline, ...] = ()
    kind: PictureKind = PictureKind.BOARD


class Download(Struct, frozen=True):
    """A file: its address on this server, the name under which it is saved, and its size in bytes."""

    src: str
    name: str
    size: int


class Ping(Struct, frozen=True):
    """A line that calls one person, whose name is between *before* and *after*."""

    person: PersonId
    name: str
    before: str
    after: str


class Message(Struct, frozen=True):
    """One message. *at*: milliseconds since 1970. *author* None: the bot. *only*: the one person who may see it.

    *quote*: the command that it answers. *paste*: a text to copy. *parts*: the places on its image that can be tapped.
    *closed*: the other places. *elsewhere*: the payload of a tap anywhere else, or "". *own*: words for single people,
    who see theirs alone.
    """

    id: MessageId
    at: int
    author: Somebody | None = None
    only: PersonId | None = None
    quote: str = ""
    title: str = ""
    text: str = ""
    paste: str = ""
    small: str = ""
    image: Image | None = None
    parts: tuple[Target, ...] = ()
    closed: tuple[Outline, ...] = ()
    elsewhere: str = ""
    file: Download | None = None
    rows: tuple[tuple[Button, ...] | Select, ...] = ()
    call: Ping | None = None
    own: Mapping[PersonId, str] = {}


# ---- From the page -----------------------------------------------------------------------------------------------


class KnownPerson(Struct, frozen=True):
    """A person as a page remembers them, or as they were entered."""

    name: Name
    lang: Lang | None = None
    manages: bool = False


class Hello(Struct, frozen=True, tag_field="kind", tag="hello"):
    """The first message of a page: its language and time zone, the people and channels that it remembers, its last
    person and place."""

    lang: Lang
    zone: Lang = ""
    people: Annotated[tuple[KnownPerson, ...], Meta(max_length=100)] = ()
    channels: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    person: Id = ""
    place: Id = ""


class LookAt(Struct, frozen=True, tag_field="kind", tag="look"):
    """Become this person and show this place."""

    person: Id
    place: Id


class SentLine(Struct, frozen=True, tag_field="kind", tag="say"):
    """A line that a person sent. *payload*: of the button that began it, or ""."""

    id: RequestId
    person: Id
    place: Id
    text: Annotated[str, Meta(max_length=LINE)]
    payload: Annotated[str, Meta(max_length=64, pattern="^[ -~]*$")] = ""


class ButtonPress(Struct, frozen=True, tag_field="kind", tag="press"):
    """A press of a button of *message*, or a choice of its list."""

    id: RequestId
    person: Id
    place: Id
    message: Id
    payload: Annotated[str, Meta(max_length=64, pattern="^[ -~]*$")]


class Incomplete(Struct, frozen=True, tag_field="kind", tag="complete"):
    """Ask how a line can go on. The answer repeats *n*."""

    n: int
    person: Id
    place: Id
    text: Annotated[str, Meta(max_length=LINE)]


class Point(Struct, frozen=True, tag_field="kind", tag="point"):
    """Ask for the parts of the newest board that this person can tap. The answer repeats *message*."""

    person: Id
    place: Id
    message: Id


class Elsewhere(Struct, frozen=True, tag_field="kind", tag="elsewhere"):
    """A tap at a place of a picture that is no part. *payload*: the picture's `Message.elsewhere`. *at*: in pixels."""

    person: Id
    place: Id
    payload: Annotated[str, Meta(max_length=64, pattern="^[ -~]*$")]
    at: tuple[float, float]


class Dismiss(Struct, frozen=True, tag_field="kind", tag="dismiss"):
    """Close a private message."""

    person: Id
    place: Id
    message: Id


class AddPerson(Struct, frozen=True, tag_field="kind", tag="person"):
    """Add a person, or change the one of that name, and become them."""

    who: KnownPerson


class AddChannel(Struct, frozen=True, tag_field="kind", tag="channel"):
    """Add a channel, or go to the one of that name."""

    name: Name


FromPage = Hello | LookAt | SentLine | ButtonPress | Incomplete | Point | Elsewhere | Dismiss | AddPerson | AddChannel

read = msgspec.json.Decoder(FromPage).decode
"""Return a message of the page. Raises msgspec.ValidationError or DecodeError."""


# ---- To the page -------------------------------------------------------------------------------------------------


class Everything(Struct, frozen=True, tag_field="kind", tag="here"):
    """All that the page shows. *run* changes with every start of the bot."""

    run: str
    lang: str
    person: PersonId
    place: PlaceId
    people: tuple[Somebody, ...]
    places: tuple[Channel, ...]
    messages: tuple[Message, ...]


class Roster(Struct, frozen=True, tag_field="kind", tag="roster"):
    """People and places, after a change of one of them."""

    people: tuple[Somebody, ...]
    places: tuple[Channel, ...]


class Put(Struct, frozen=True, tag_field="kind", tag="put"):
    """A message: a new one goes to the end, a known one is replaced."""

    place: PlaceId
    message: Message
    new: bool = False


class Parts(Struct, frozen=True, tag_field="kind", tag="parts"):
    """The parts of the board of *message* that the window's person can tap. *closed*, *elsewhere*: see `Message`."""

    person: PersonId
    place: PlaceId
    message: MessageId
    parts: tuple[Target, ...]
    closed: tuple[Outline, ...] = ()
    elsewhere: str = ""


class Removed(Struct, frozen=True, tag_field="kind", tag="removed"):
    """Messages that are gone."""

    place: PlaceId
    ids: tuple[MessageId, ...]


class Nudge(Struct, frozen=True, tag_field="kind", tag="nudge"):
    """News in the private chat of a person who is not this window's person now."""

    person: PersonId


class Brief(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="toast"):
    """A line that vanishes, with links to messages. *promises*: a post, with whose arrival it goes. *thinks*: the
    house, so the line is left out after its answer."""

    text: str
    links: tuple[Button, ...] = ()
    promises: bool = False
    thinks: bool = False


class LineBegun(Struct, frozen=True, tag_field="kind", tag="begin"):
    """A line that the person goes on typing. *payload*: of the button that began it."""

    text: str
    payload: str


class Done(Struct, frozen=True, tag_field="kind", tag="done"):
    """The request *id* was carried out or rejected for good; the page stops repeating it."""

    id: str


class Completion(Struct, frozen=True, omit_defaults=True):
    """A way to go on with a line. *line*: the whole line then. *sends*: the line is sent at once."""

    label: str
    line: str
    about: str = ""
    sends: bool = False


class Completions(Struct, frozen=True, tag_field="kind", tag="completions"):
    """Ways to go on with a line. *names*: they complete a command, not its arguments."""

    n: int
    items: tuple[Completion, ...]
    names: bool = False


ToPage = Everything | Roster | Put | Parts | Removed | Nudge | Brief | LineBegun | Done | Completions

_encode = msgspec.json.Encoder().encode


def written(event: ToPage) -> str:
    """Return *event* as JSON."""
    return _encode(event).decode()
