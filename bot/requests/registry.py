"""The registry of requests. A declaration has everything about a kind of request except its answer.

    @request("history", gate=LOOK, command=Command("history", alone=True), label="button.history")
    class History(Request, frozen=True):
        table: TableId | None = None
        page: int = 0

The handler is a method with ``@answers(History)`` (`bot.service.feature`). A button carries ``History(table,
2).payload``. Its form follows from the fields, in this order:

    TableId, str        the word; None: no word
    Stamp               the mark behind the word, and the first number; None: no number follows
    int                 a number; None: no number follows
    bool                with a default: a 1 if it is true, else nothing; without: 1 or 0
    tuple of ints       the rest of the numbers

Only commands and the bot itself fill fields of other types.
"""

from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from functools import cache
from types import UnionType
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from bot.requests import payload as wire
from bot.requests.payload import Payload
from bot.tables.table import Ask, Table, TableId


class Scope(StrEnum):
    """The table that a request is about.

    LOBBY, GAME: the current table of the place, or the one that the request names. LAST: also the table that was there
    before.
    """

    NONE = "none"
    LOBBY = "lobby"
    GAME = "game"
    LAST = "last"


class Gate(Struct, frozen=True):
    """Where and by whom requests of a kind can be made; `bot.service.gates` evaluates it.

    *only_if_named*: a request that names no table is about none. *bound_to_board*: a button under an older board only
    leads to the newest one. *bound_to_place*: a button in a place that the table has left only leads to its new place.
    *manages*: does more for people who manage the place.
    """

    scope: Scope = Scope.NONE
    only_if_named: bool = False
    bound_to_board: bool = False
    bound_to_place: bool = False
    manages: bool = False


ANYWHERE = Gate()
LOBBY = Gate(Scope.LOBBY, bound_to_place=True)
GAME = Gate(Scope.GAME, bound_to_board=True, bound_to_place=True)
LOOK = Gate(Scope.LAST)


class Argument(Struct, frozen=True):
    """An argument of a command.

    *choices*: "games" for the ids of all games, "clocks" for times of a turn, "people" for a person here (by name or
    mention, if the platform cannot choose people), "" for free text. *completes*: has completions. *former*: its former
    name, which clients send until they have learned the new one.
    """

    name: str
    required: bool = False
    choices: str = ""
    completes: bool = False
    former: str = ""


class Command(Struct, frozen=True):
    """A command. Its names and descriptions are the texts ``command.<name>…`` of the table's catalogue.

    *manages*: as of its `Gate`. *alone*: others need not see that it was given, because the answer is private or a post
    of its own. *listed*: is in menus of commands, and can be typed.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    alone: bool = False
    manages: bool = False
    listed: bool = True


class Stamp(Struct, frozen=True):
    """The save of a table that a button was made for."""

    number: int
    mark: str = ""

    @classmethod
    def of(cls, table: Table) -> "Stamp":
        return cls(table.revision, table.mark)

    def fits(self, table: Table) -> bool:
        """Return whether *table* has not changed since."""
        return (self.number, self.mark) == (table.revision, table.mark)


class TurnStamp(Stamp, frozen=True):
    """The turn that a button was made for: its board stays while the turn goes on, step by step, unseen by others."""

    @classmethod
    def of(cls, table: Table) -> "TurnStamp":
        return cls(table.turn, table.turn_mark)

    def fits(self, table: Table) -> bool:
        return (self.number, self.mark) == (table.turn, table.turn_mark)


class QuestionStamp(Struct, frozen=True):
    """The question that a button answers."""

    number: int
    mark: str = ""

    @classmethod
    def of(cls, ask: Ask) -> "QuestionStamp":
        return cls(ask.revision, ask.mark)


class Request(Struct, frozen=True):
    """Something that a person asks for. Every kind is declared by `request`."""

    declaration: ClassVar["Declaration"]

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Request":  # noqa: ARG003
        """Return the request that the command of this kind makes."""
        return cls()

    @property
    def payload(self) -> str:
        """The payload of a button that makes this request."""
        return self.declaration.write(self)


Kind = TypeVar("Kind", bound=type[Request])


class _Form(Enum):
    WORD = (TableId, str)
    STAMP = (Stamp, TurnStamp, QuestionStamp)
    FLAG = (bool,)
    NUMBER = (int,)
    NUMBERS = (tuple[int, ...],)


class _Field(Struct, frozen=True):
    """A field that buttons carry. *required*: it has no default."""

    name: str
    type: Any
    form: _Form
    required: bool


class Declaration(Struct, frozen=True):
    """Everything about a kind of request except its answer.

    *verbs*: of its buttons: one, or two, for *by* false and true. *label*: text id of its usual button, in
    *catalogue*. *step*: a stamped button goes on in a menu. *plays*: a person with such a request counts as a
    player.
    """

    kind: type[Request]
    verbs: tuple[str, ...] = ()
    by: str = ""
    gate: Gate = ANYWHERE
    command: Command | None = None
    label: str = ""
    catalogue: str = "table"
    step: bool = False
    plays: bool = False

    def write(self, request: Request) -> str:
        """Return the payload of *request*."""
        word, numbers = "", list[int]()
        for field in _carried(self.kind, self.by):
            value = getattr(request, field.name)
            match field.form:
                case _Form.WORD:
                    word = value or ""
                case _ if value is None:
                    break
                case _Form.STAMP:
                    word += f"-{value.mark}" if value.mark else ""
                    numbers.append(value.number)
                case _Form.FLAG:
                    numbers += [int(value)] if value or field.required else []
                case _Form.NUMBER:
                    numbers.append(value)
                case _Form.NUMBERS:
                    numbers += value
        return wire.write(self.verbs[bool(getattr(request, self.by)) if self.by else 0], word, *numbers)

    def read(self, payload: Payload) -> Request | None:
        """Return the request of a *payload* with a verb of this kind; None if its form is wrong."""
        numbers, values = list(payload.numbers), dict[str, object]()
        for field in _carried(self.kind, self.by):
            if field.form is _Form.WORD and (payload.word or field.required):
                values[field.name] = payload.word
            elif field.form is _Form.NUMBERS:
                values[field.name], numbers = tuple(numbers), []
            elif field.form is not _Form.WORD and numbers:
                number = numbers.pop(0)
                match field.form:
                    case _Form.STAMP:
                        values[field.name] = field.type(number, payload.mark)
                    case _Form.FLAG:
                        values[field.name] = number == 1
                    case _:
                        values[field.name] = number
            elif field.required:
                return None
        if self.by:
            values[self.by] = payload.verb == self.verbs[1]
        return None if numbers else self.kind(**values)


@cache
def _carried(kind: type[Request], by: str) -> tuple[_Field, ...]:
    """Return the fields that buttons carry; the verb tells *by*."""
    return tuple(carried for field in fields(kind) if field.name != by and (carried := _field(field)) is not None)


def _field(field: FieldInfo) -> _Field | None:
    optional = get_origin(field.type) in (Union, UnionType)
    type_ = next(each for each in get_args(field.type) if each is not type(None)) if optional else field.type
    form = next((form for form in _Form if type_ in form.value), None)
    return None if form is None else _Field(field.name, type_, form, field.required)


DECLARATIONS: list[Declaration] = []
"""Of all requests, in the order in which menus list their commands."""
VERBS: dict[str, Declaration] = {}
COMMANDS: list[Command] = []
BY_COMMAND: dict[str, Declaration] = {}


def request(
    *verbs: str,
    by: str = "",
    gate: Gate = ANYWHERE,
    command: Command | None = None,
    label: str = "",
    catalogue: str = "table",
    step: bool = False,
    plays: bool = False,
) -> Callable[[Kind], Kind]:
    """Declare the decorated class as a kind of request; see `Declaration`."""
    if command is not None and gate.manages:
        command = Command(command.name, command.arguments, command.alone, True, command.listed)

    def declare(kind: Kind) -> Kind:
        declaration = Declaration(kind, verbs, by, gate, command, label, catalogue, step, plays)
        kind.declaration = declaration
        DECLARATIONS.append(declaration)
        for verb in verbs:
            assert verb not in VERBS, f"two requests have the verb {verb}"
            VERBS[verb] = declaration
        if command is not None:
            BY_COMMAND[command.name] = declaration
            if command.listed:
                COMMANDS.append(command)
        return kind

    return declare


def read(payload: str) -> Request | None:
    """Return the request that a button with this *payload* makes; None if no kind of request has such a payload."""
    parsed = wire.read(payload)
    declaration = None if parsed is None else VERBS.get(parsed.verb)
    return None if parsed is None or declaration is None else declaration.read(parsed)


def select_payload(choice: Request) -> str:
    """Return the payload of a select of which *choice* is one of the choices: it ends before the field ``choice``."""
    parsed = wire.read(choice.payload)
    assert parsed is not None
    names = [field.name for field in _carried(type(choice), choice.declaration.by) if field.form is not _Form.WORD]
    return wire.write(parsed.verb, parsed.word, *parsed.numbers[: names.index("choice")])
