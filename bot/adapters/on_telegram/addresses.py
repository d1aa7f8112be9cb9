"""Our ids of places, people and messages as Telegram's numbers, and back."""

import re
from enum import StrEnum

from msgspec import Struct

from bot.chat import Gone, MessageId, PersonId, PlaceId, Refused, UpdateId


class Spot(Struct, frozen=True):
    """A chat, and in a forum its topic (None: the general topic, or no forum). Private chats have positive numbers."""

    chat: int
    thread: int | None = None

    def __post_init__(self) -> None:
        """Raises TypeError: the library does not check the types of what it reads."""
        if type(self.chat) is not int or type(self.thread) not in (int, type(None)):
            raise TypeError("not a chat")

    @property
    def private(self) -> bool:
        return self.chat > 0


class Form(StrEnum):
    """The kind of a message, which no edit changes. The value begins its id."""

    TEXT = "t"
    PHOTO = "p"
    ANIMATION = "a"
    DOCUMENT = "d"


class Addressed(Struct, frozen=True):
    """A message of the bot, and its form. *receiver*: the only member of a group who sees it. Such messages are
    numbered per receiver."""

    number: int
    form: Form
    receiver: int | None = None


def place_id(spot: Spot) -> PlaceId:
    """
    >>> place_id(Spot(-100123, 7)), place_id(Spot(42))
    ('telegram:-100123/7', 'telegram:42')
    """
    return PlaceId(f"telegram:{spot.chat}" + (f"/{spot.thread}" if spot.thread else ""))


def spot(place: PlaceId) -> Spot:
    """Return the inverse of `place_id`. Raises Refused for an id of another platform.

    >>> spot("telegram:-100123/7")
    Spot(chat=-100123, thread=7)
    """
    form = re.fullmatch(r"telegram:(-?[0-9]{1,18})(?:/([0-9]{1,18}))?", place)
    if form is None:
        raise Refused(f"no place of Telegram: {place[:60]!r}")
    return Spot(int(form[1]), int(form[2]) if form[2] else None)


def message_id(shown: Addressed, stamp: int = 0) -> MessageId:
    """*stamp*: distinguishes a message for one person from a later one with the same number.

    >>> message_id(Addressed(815, Form.PHOTO)), message_id(Addressed(816, Form.TEXT))
    ('p815', 't816')
    >>> message_id(Addressed(3, Form.TEXT, 42), 17)
    't3@42.17'
    """
    return MessageId(f"{shown.form}{shown.number}" + ("" if shown.receiver is None else f"@{shown.receiver}.{stamp}"))


def shown(message: MessageId) -> Addressed:
    """Return the inverse of `message_id`, without the stamp. Raises Gone for an id of another platform."""
    form = re.fullmatch(r"([tpad])([0-9]{1,18})(?:@([0-9]{1,18})\.[0-9]{1,20})?", message)
    if form is None:
        raise Gone(f"no message of Telegram: {message[:60]!r}")
    return Addressed(int(form[2]), Form(form[1]), int(form[3]) if form[3] else None)


def stamp(message: MessageId) -> int:
    """Return the stamp in *message*, or 0.

    >>> stamp(MessageId("t3@42.17")), stamp(MessageId("t816"))
    (17, 0)
    """
    number = message.rpartition(".")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


SUPERGROUPS = -(10**12)
"""Numbers of supergroups and channels are below this: their own number with the prefix -100."""


def link(spot: Spot, shown: Addressed) -> str | None:
    """Return the address of a message for members of the group. Basic groups and private chats have none.

    >>> photo = Addressed(815, Form.PHOTO)
    >>> link(Spot(-1001234567890, 7), photo), link(Spot(-1001234567890), photo)
    ('https://t.me/c/1234567890/7/815', 'https://t.me/c/1234567890/815')
    >>> link(Spot(-4321), Addressed(815, Form.PHOTO)) is link(Spot(42), Addressed(815, Form.PHOTO)) is None
    True
    """
    if spot.chat >= SUPERGROUPS:
        return None
    topic = "" if spot.thread is None else f"/{spot.thread}"
    return f"https://t.me/c/{SUPERGROUPS - spot.chat}{topic}/{shown.number}"


def topic_link(spot: Spot) -> str:
    """Return the address of a topic for members of the group.

    >>> topic_link(Spot(-1001234567890, 7))
    'https://t.me/c/1234567890/7'
    """
    return f"https://t.me/c/{SUPERGROUPS - spot.chat}/{spot.thread}"


def person_id(user: int) -> PersonId:
    return PersonId(f"telegram:{user}")


def user(person: PersonId) -> int | None:
    """Return Telegram's number of a person; None for other platforms.

    >>> user("telegram:42"), user("house:1")
    (42, None)
    """
    form = re.fullmatch(r"telegram:([0-9]{1,18})", person)
    return int(form[1]) if form else None


def update_id(number: int) -> UpdateId:
    return UpdateId(f"telegram:{number}")
