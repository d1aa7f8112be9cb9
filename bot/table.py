"""A table as a value: one match of one game, with its people. Pure: no clock, no store, no chat in here.

    lobby ──start──▶ running ──last action, resignation, end──▶ over

Every accepted change raises the revision by one. Seed, options and the log of entries give the game again.
"""

from enum import StrEnum
from typing import NewType

import msgspec
from msgspec import Struct

from bot.chat import MessageId, PersonId, PlaceId
from rules import News

TableId = NewType("TableId", str)
"""Eight characters of a-z and 2-7."""


class Phase(StrEnum):
    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"


class By(StrEnum):
    """Who decided: a person, the house in a person's place, or the table itself (a forced action)."""

    PERSON = "person"
    HOUSE = "house"
    TABLE = "table"


class Seat(Struct, frozen=True, omit_defaults=True):
    """A person at a table. *colour*: chosen or given. *house*: the house plays on in this person's place."""

    person: PersonId
    name: str
    lang: str
    colour: str = ""
    house: bool = False


class Entry(Struct, frozen=True, omit_defaults=True):
    """One action in the log, in canonical notation. *ends_turn*: it completed a turn. *news*: what it told."""

    revision: int
    seat: int
    action: str
    at_ms: int
    by: By = By.PERSON
    ends_turn: bool = True
    news: tuple[News, ...] = ()


class Table(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The document of a table, as it is stored. ``schema`` is raised when older documents must be brought forward."""

    id: TableId
    game: str
    place: PlaceId
    host: PersonId
    lang: str
    created_ms: int
    seed: str = msgspec.field(default="")  # 32 hexadecimal digits; never shown before the game is over
    salt: str = msgspec.field(default="")
    schema: int = 1
    revision: int = 0
    phase: Phase = Phase.LOBBY
    options: dict[str, str] = {}
    seats: tuple[Seat, ...] = ()
    state: msgspec.Raw | None = None  # the game's own document, from start on


class Posted(Struct, frozen=True, omit_defaults=True):
    """The newest message that shows a table. *page*: what it is about; a new page is a new message."""

    message: MessageId
    revision: int
    page: str
