"""What the page and its server say to each other over the WebSocket: one JSON object a message, by its ``kind``.

Everything that comes in is bounded here, before anybody looks at it.
"""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from bot.chat import MessageId, PersonId, PlaceId

LINE = 2000
"""How many characters a person may send at once."""

Id = Annotated[str, Meta(max_length=80)]
Name = Annotated[str, Meta(max_length=400)]
Lang = Annotated[str, Meta(max_length=40)]


# ---- What is shown ---------------------------------------------------------------------------------------------


class Somebody(Struct, frozen=True):
    """A person to be switched to. *number*: the how-manieth; it gives them their colour.

    *lang* None: as the browser. *manages*: the place lets them manage it.
    """

    id: PersonId
    name: str
    number: int
    lang: str | None = None
    manages: bool = False


class Channel(Struct, frozen=True):
    """A channel, or a person's own chat with the bot. *called*: whom the newest post of the bot here calls."""

    id: PlaceId
    name: str
    private: bool = False
    called: PersonId | None = None


class Image(Struct, frozen=True):
    """A picture by its address on this server. Sizes in pixels; 0 where they could not be read."""

    src: str
    alt: str
    width: int
    height: int


class Download(Struct, frozen=True):
    """A file by its address on this server, the name under which it is saved, and its size in bytes."""

    src: str
    name: str
    size: int


class Knob(Struct, frozen=True):
    """A button. *link*: it has no payload, it leads to a message: ``#<place>/<message>``.

    *done*: people whom it leads no further; the page does not show it to them.
    """

    label: str
    payload: str
    style: str
    link: str = ""
    done: tuple[PersonId, ...] = ()


class Pick(Struct, frozen=True):
    """One choice of a list."""

    label: str
    payload: str
    chosen: bool


class Picks(Struct, frozen=True):
    """A list to choose one from."""

    label: str
    choices: tuple[Pick, ...]


class Part(Struct, frozen=True):
    """A part of a picture that can be tapped, which is to press a button of this label. *points*: the corners of its
    outline as SVG writes them, in pixels of the picture. *beside*: it is not among what is marked."""

    label: str
    payload: str
    points: str
    beside: bool = False


class Ping(Struct, frozen=True):
    """A line that calls one person, whose name goes between *before* and *after*."""

    person: PersonId
    name: str
    before: str
    after: str


class Message(Struct, frozen=True):
    """One message. *author* None: the bot. *only*: the one person who may see it. *quote*: the command it answers.

    *at*: milliseconds since 1970. A row is a tuple of buttons or one list.
    """

    id: MessageId
    at: int
    author: Somebody | None = None
    only: PersonId | None = None
    quote: str = ""
    title: str = ""
    text: str = ""
    small: str = ""
    image: Image | None = None
    parts: tuple[Part, ...] = ()
    file: Download | None = None
    rows: tuple[tuple[Knob, ...] | Picks, ...] = ()
    call: Ping | None = None


# ---- From the page ---------------------------------------------------------------------------------------------


class KnownPerson(Struct, frozen=True):
    """A person as a page remembers them, or as they were just entered."""

    name: Name
    lang: Lang | None = None
    manages: bool = False


class Hello(Struct, frozen=True, tag_field="kind", tag="hello"):
    """The first message: what the page remembers of people and channels, who it was and where it looked."""

    lang: Lang
    people: Annotated[tuple[KnownPerson, ...], Meta(max_length=100)] = ()
    channels: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    person: Id = ""
    place: Id = ""


class LookAt(Struct, frozen=True, tag_field="kind", tag="look"):
    """Be this person from now on, and look at this place."""

    person: Id
    place: Id


class SentLine(Struct, frozen=True, tag_field="kind", tag="say"):
    """A line that was sent. *id* is made by the page: the same line sent again has the same."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{16,40}$")]
    person: Id
    place: Id
    text: Annotated[str, Meta(max_length=LINE)]


class ButtonPress(Struct, frozen=True, tag_field="kind", tag="press"):
    """A button, or a choice of a list. *message*: where it stands."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{16,40}$")]
    person: Id
    place: Id
    message: Id
    payload: Annotated[str, Meta(max_length=64, pattern="^[ -~]*$")]


class Incomplete(Struct, frozen=True, tag_field="kind", tag="complete"):
    """How may this line go on? *n* comes back with the answer."""

    n: int
    person: Id
    place: Id
    text: Annotated[str, Meta(max_length=LINE)]


class Point(Struct, frozen=True, tag_field="kind", tag="point"):
    """Where can this person tap on the newest board of the place? *message* comes back with the answer."""

    person: Id
    place: Id
    message: Id


class Dismiss(Struct, frozen=True, tag_field="kind", tag="dismiss"):
    """Close a private message."""

    person: Id
    place: Id
    message: Id


class AddPerson(Struct, frozen=True, tag_field="kind", tag="person"):
    """Add a person, or change the one of that name; the page becomes them."""

    who: KnownPerson


class AddChannel(Struct, frozen=True, tag_field="kind", tag="channel"):
    """Add a channel, or go to the one of that name."""

    name: Name


FromPage = Hello | LookAt | SentLine | ButtonPress | Incomplete | Point | Dismiss | AddPerson | AddChannel

read = msgspec.json.Decoder(FromPage).decode
"""A message from the page. Raises msgspec.ValidationError or DecodeError."""


# ---- To the page -----------------------------------------------------------------------------------------------


class Everything(Struct, frozen=True, tag_field="kind", tag="here"):
    """Everything that the page shows. *run* is another after each start of the bot."""

    run: str
    lang: str
    person: PersonId
    place: PlaceId
    people: tuple[Somebody, ...]
    places: tuple[Channel, ...]
    messages: tuple[Message, ...]


class Roster(Struct, frozen=True, tag_field="kind", tag="roster"):
    """People and places, when one of them changed."""

    people: tuple[Somebody, ...]
    places: tuple[Channel, ...]


class Put(Struct, frozen=True, tag_field="kind", tag="put"):
    """A message: a new one goes to the end, one that is there already is replaced where it stands."""

    place: PlaceId
    message: Message
    new: bool = False


class Parts(Struct, frozen=True, tag_field="kind", tag="parts"):
    """Where the person of this window can tap on the board of *message*."""

    person: PersonId
    place: PlaceId
    message: MessageId
    parts: tuple[Part, ...]


class Removed(Struct, frozen=True, tag_field="kind", tag="removed"):
    place: PlaceId
    ids: tuple[MessageId, ...]


class Nudge(Struct, frozen=True, tag_field="kind", tag="nudge"):
    """Something waits in the private chat of a person whom this page is not just now."""

    person: PersonId


class Brief(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="toast"):
    """A line that may vanish. *links*: ways from it to messages."""

    text: str
    links: tuple[Knob, ...] = ()


class Done(Struct, frozen=True, tag_field="kind", tag="done"):
    """A line or press was carried out, or refused for good: the page need not send it again."""

    id: str


class Completion(Struct, frozen=True, omit_defaults=True):
    """*line*: what the command line reads when it is taken. *sends*: it goes off then."""

    label: str
    line: str
    about: str = ""
    sends: bool = False


class Completions(Struct, frozen=True, tag_field="kind", tag="completions"):
    """*names*: commands are completed, not their arguments."""

    n: int
    items: tuple[Completion, ...]
    names: bool = False


ToPage = Everything | Roster | Put | Parts | Removed | Nudge | Brief | Done | Completions

_encode = msgspec.json.Encoder().encode


def written(event: ToPage) -> str:
    """*event* as it goes over the wire."""
    return _encode(event).decode()
