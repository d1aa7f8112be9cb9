"""Encode and decode tables as JSON; the only module that knows how older documents become newer ones.

The schema's number is stored beside the document: a document leaves out fields with their default value, and defaults
change with the schema. Log entries and board messages have no number of their own: their fields may only be added to,
with defaults.

Raise the schema if a field changes its meaning or its name. First record a store of the version before
(`tests/bot/talk/test_recording_a_store.py`), then append a step.
"""

from collections.abc import Callable, Sequence

import msgspec

from bot.chat import PlaceId
from bot.store import NewerDocument
from bot.tables.board_message import BoardMessage
from bot.tables.table import Entry, Fading, Table

Fields = dict[str, object]
Forward = Callable[[Fields], Fields]


def _one_state_of_waiting(fields: Fields) -> Fields:
    """Schema 2 had eight fields that combined freely: for the state of waiting, the question, and the former place."""
    former = {"since_ms", "hushed", "overdue", "deputy", "away_ms", "resting", "ask", "declined", "left", "schema"}
    newer = {name: value for name, value in fields.items() if name not in former}
    turn: Fields = {"type": "clock", "since_ms": fields.get("since_ms", 0), "is_hushed": fields.get("hushed", False)}
    if fields.get("phase") == "running":
        if fields.get("deputy") == fields.get("turn", 0):
            turn["type"] = "stand-in"
        elif fields.get("overdue"):
            turn["type"] = "overdue"
    newer["waiting"] = turn
    if fields.get("resting"):
        newer["waiting"] = {"type": "resting"}
    elif fields.get("away_ms"):
        newer["waiting"] = {"type": "away", "since_ms": fields["away_ms"], "turn": turn}
    for question, name in (("declined", "declined"), ("open", "ask")):
        asked = fields.get(name)
        if isinstance(asked, dict):
            newer["question"] = {"type": question, **asked}
    if fields.get("left"):
        newer["former_place"] = fields["left"]
    return newer


def _channels(fields: Fields) -> Fields:
    """Schema 3 had no seats of channels: such a process would call nobody's turn, and lose the votes."""
    return fields


def _origins(fields: Fields) -> Fields:
    """Schema 4 had no games that play on from an earlier one: such a process would begin them at the start."""
    return fields


def _twins(fields: Fields) -> Fields:
    """Schema 5 had no linked tables: such a process would let the people of one place vote for both channels."""
    return fields


OLDEST = 2
"""The oldest schema that can be read."""

STEPS: tuple[Forward, ...] = (_one_state_of_waiting, _channels, _origins, _twins)
"""Step k brings a document from schema OLDEST + k to OLDEST + k + 1."""

SCHEMA = OLDEST + len(STEPS)

_encoder = msgspec.json.Encoder()
_table = msgspec.json.Decoder(Table)
_entries = msgspec.json.Decoder(tuple[Entry, ...])
_board_message = msgspec.json.Decoder(BoardMessage)
_by_place = msgspec.json.Decoder(dict[str, str])
_fading = msgspec.json.Decoder(Fading)


def encoded(document: Table | Entry | BoardMessage | Fading) -> bytes:
    return _encoder.encode(document)


def table(document: bytes, schema: int, steps: Sequence[Forward] = STEPS) -> Table:
    """Return the table in *document* of *schema*, brought forward by *steps*. Raises NewerDocument, ValueError."""
    newest = OLDEST + len(steps)
    if schema > newest:
        raise NewerDocument(f"written with schema {schema}; this version of the bot knows schemas up to {newest}")
    if schema < OLDEST:
        raise ValueError(f"written with schema {schema}; this version of the bot reads schemas from {OLDEST} on")
    if schema < newest:
        fields = msgspec.json.decode(document, type=Fields)
        for step in steps[schema - OLDEST :]:
            fields = step(fields)
        document = _encoder.encode(fields)
    return _table.decode(document)


def entries(log: bytes) -> tuple[Entry, ...]:
    """Return the entries in a JSON array."""
    return _entries.decode(log)


def board_message(document: bytes) -> BoardMessage:
    return _board_message.decode(document)


def elsewhere(by_place: bytes) -> dict[PlaceId, BoardMessage]:
    """Return the messages in a JSON object of their documents, by place."""
    return {PlaceId(place): _board_message.decode(document) for place, document in _by_place.decode(by_place).items()}


def fading(document: bytes) -> Fading:
    return _fading.decode(document)
