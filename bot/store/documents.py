"""Tables to and from JSON. The only place that knows how older documents become newer ones.

The schema's number is stored beside the document, not only in it: a document leaves out what has its default value, and
the default moves with the schema. Log entries and posted messages have no number of their own: their fields may only
be added to, with defaults.
"""

from collections.abc import Callable, Sequence

import msgspec

from bot.chat import PlaceId
from bot.store import NewerDocument
from bot.tables.board_message import BoardMessage
from bot.tables.table import Entry, Fading, Table

Forward = Callable[[dict[str, object]], dict[str, object]]


def _not_known_where_the_turn_began(fields: dict[str, object]) -> dict[str, object]:
    """A running table of schema 1 may be in the middle of a turn without telling where that began; its log does."""
    return {"began": None, **fields} if fields.get("phase") == "running" else fields


STEPS: tuple[Forward, ...] = (_not_known_where_the_turn_began,)
"""Step k brings a document from schema k + 1 to k + 2."""

SCHEMA = 1 + len(STEPS)

_encoder = msgspec.json.Encoder()
_table = msgspec.json.Decoder(Table)
_entries = msgspec.json.Decoder(tuple[Entry, ...])
_board_message = msgspec.json.Decoder(BoardMessage)
_by_place = msgspec.json.Decoder(dict[str, str])
_fading = msgspec.json.Decoder(Fading)


def encoded(document: Table | Entry | BoardMessage | Fading) -> bytes:
    return _encoder.encode(document)


def table(document: bytes, schema: int, steps: Sequence[Forward] = STEPS) -> Table:
    """The table that *document* of *schema* holds, brought forward by *steps*. Raises NewerDocument."""
    newest = 1 + len(steps)
    if schema > newest:
        raise NewerDocument(f"written with schema {schema}; this version of the bot knows schemas up to {newest}")
    if schema < newest:
        fields = msgspec.json.decode(document, type=dict[str, object])
        for step in steps[schema - 1 :]:
            fields = step(fields)
        document = _encoder.encode({**fields, "schema": newest})
    return _table.decode(document)


def entries(log: bytes) -> tuple[Entry, ...]:
    """The entries in a JSON array."""
    return _entries.decode(log)


def board_message(document: bytes) -> BoardMessage:
    return _board_message.decode(document)


def elsewhere(by_place: bytes) -> dict[PlaceId, BoardMessage]:
    """The messages in a JSON object of their documents, by place."""
    return {PlaceId(place): _board_message.decode(document) for place, document in _by_place.decode(by_place).items()}


def fading(document: bytes) -> Fading:
    return _fading.decode(document)
