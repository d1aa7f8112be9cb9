"""Payloads of requests, derived from their fields; `bot.requests.registry` has the rules."""

from collections.abc import Sequence
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from bot.requests import payload as wire
from bot.requests.payload import Payload
from bot.requests.stamps import QuestionStamp, Stamp, TurnStamp
from bot.tables.table import TableId


class FieldForm(Enum):
    """The form of a field in a payload, with the types of such fields."""

    WORD = (TableId, str)
    STAMP = (Stamp, TurnStamp, QuestionStamp)
    FLAG = (bool,)
    NUMBER = (int,)
    NUMBERS = (tuple[int, ...],)


class CarriedField(Struct, frozen=True):
    """A field that payloads carry. *required*: it has no default."""

    name: str
    type: Any
    form: FieldForm
    required: bool


class Codec:
    """Writes and reads the payloads of one kind of request."""

    def __init__(self, kind: Any, verbs: Sequence[str], by: str) -> None:
        """*verbs*, *by*: see `bot.requests.registry.Declaration`."""
        parts = [part for field in fields(kind) if field.name != by and (part := _carried(field)) is not None]
        self._kind = kind
        self._verbs = verbs
        self._by = by
        for part in parts:  # `Context` reads these by name
            assert part.type is not TableId or part.name == "table", f"{kind.__name__}.{part.name}: name it table"
            assert part.type not in (Stamp, TurnStamp) or part.name == "stamp", (
                f"{kind.__name__}.{part.name}: name it stamp"
            )
        self._word = next((part for part in parts if part.form is FieldForm.WORD), None)
        self._stamp = next((part for part in parts if part.form is FieldForm.STAMP), None)
        self._numbers = tuple(part for part in parts if part.form not in (FieldForm.WORD, FieldForm.STAMP))
        # A menu has hundreds of payloads, so writing one must be fast.
        self._written = tuple((part.name, part.form is FieldForm.FLAG, part.required) for part in self._numbers)

    def write(self, request: Any) -> str:
        """Return the payload of *request*."""
        verb = self._verbs[bool(getattr(request, self._by)) if self._by else 0]
        word = (getattr(request, self._word.name) or "") if self._word is not None else ""
        numbers = list[int]()
        if self._stamp is not None:
            stamp = getattr(request, self._stamp.name)
            if stamp is None:
                return wire.write(verb, word)
            if stamp.mark:
                word = f"{word}-{stamp.mark}"
            numbers.append(stamp.number)
        for name, is_flag, is_required in self._written:
            value = getattr(request, name)
            if value is None:
                break
            if value.__class__ is tuple:
                numbers += value
            elif not is_flag or is_required or value:
                numbers.append(int(value))
        return wire.write(verb, word, *numbers)

    def prefix(self, request: Any, before: str) -> str:
        """Return the payload of *request* without the field *before* and everything behind it."""
        payload = wire.read(self.write(request))
        assert payload is not None
        names = [part.name for part in self._numbers]
        return wire.write(payload.verb, payload.word, *payload.numbers[: names.index(before)])

    def read(self, payload: Payload) -> Any:
        """Return the request of a *payload* with a verb of this kind; None if its form is wrong."""
        numbers, values = list(payload.numbers), dict[str, object]()
        if self._word is not None and (payload.word or self._word.required):
            values[self._word.name] = payload.word
        if self._stamp is not None:
            if numbers:
                values[self._stamp.name] = self._stamp.type(numbers.pop(0), payload.mark)
            elif self._stamp.required:
                return None
        for part in self._numbers:
            if part.form is FieldForm.NUMBERS:
                values[part.name], numbers = tuple(numbers), []
            elif numbers:
                number = numbers.pop(0)
                values[part.name] = number == 1 if part.form is FieldForm.FLAG else number
            elif part.required:
                return None
        if self._by:
            values[self._by] = payload.verb == self._verbs[1]
        return None if numbers else self._kind(**values)


def _carried(field: FieldInfo) -> CarriedField | None:
    optional = get_origin(field.type) in (Union, UnionType)
    type_ = (
        next(type_arg for type_arg in get_args(field.type) if type_arg is not type(None)) if optional else field.type
    )
    form = next((form for form in FieldForm if type_ in form.value), None)
    return None if form is None else CarriedField(field.name, type_, form, field.required)
