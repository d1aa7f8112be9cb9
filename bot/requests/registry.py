"""The registry of requests. A declaration has everything about a kind of request except its answer.

    @request("history", gate=LOOK, command=Command("history", unseen=True), label="button.history")
    class History(Request, frozen=True):
        table: TableId | None = None
        page: int = 0

The handler is a method with ``@answers(History)`` (`bot.service.feature`). A button carries ``History(table,
2).payload``. Its form follows from the fields, in this order:

    TableId, str        the word, of the first such field; None: no word
    Stamp               the mark behind the word, and the first number; None: no number follows
    int                 a number; None: no number follows
    bool                with a default: a 1 if it is true, else nothing; without: 1 or 0
    tuple of ints       the rest of the numbers

Only commands and the bot itself fill fields of other types. Three names are reserved: ``table`` for the table's id,
``stamp`` for the stamp, and ``choice`` for the number that a select adds.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bot.requests import payload as wire
from bot.requests.arguments import LONGEST_TEXT
from bot.requests.codec import Codec


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
    *manages*: does more for people who manage the place. *crowd*: is open to all people of the table's place, also from
    elsewhere, if a channel plays or a substitute is looked for. *own_data*: is open to people whom the operator has
    blocked.
    """

    scope: Scope = Scope.NONE
    only_if_named: bool = False
    bound_to_board: bool = False
    bound_to_place: bool = False
    manages: bool = False
    own_data: bool = False
    crowd: bool = False


ANYWHERE = Gate()
OWN_DATA = Gate(own_data=True)
LOBBY = Gate(Scope.LOBBY, bound_to_place=True)
GAME = Gate(Scope.GAME, bound_to_board=True, bound_to_place=True)
LOOK = Gate(Scope.LAST)


class Argument(Struct, frozen=True):
    """An argument of a command.

    *choices*: "games" for the ids of all games, "clocks" for times of a turn, "people" for a person here (by name or
    mention, if the platform cannot choose people), "" for free text. *completes*: has completions. *former*: its former
    name, which clients send until they have learned the new one. *most*: the maximum number of characters.
    """

    name: str
    choices: str = ""
    completes: bool = False
    former: str = ""
    most: int = LONGEST_TEXT


class Command(Struct, frozen=True):
    """A command. Its names and descriptions are the texts ``command.<name>…`` of the table's catalogue.

    *manages*: as of its `Gate`. *unseen*: others need not see that it was given, because the answer is private or a
    post of its own. *listed*: is in menus of commands, and can be typed.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    unseen: bool = False
    manages: bool = False
    listed: bool = True


class Request(Struct, frozen=True):
    """Something that a person asks for. Every kind is declared by `request`."""

    declaration: ClassVar["Declaration"]

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Request":  # noqa: ARG003
        """Return the request that the command of this kind makes."""
        return cls()

    def with_text(self, text: str) -> "Request":  # noqa: ARG002
        """Return this request with a text that the person wrote for its button."""
        return self

    @property
    def payload(self) -> str:
        """The payload of a button that makes this request."""
        return self.declaration.codec.write(self)


Kind = TypeVar("Kind", bound=type[Request])


class Declaration(Struct, frozen=True):
    """Everything about a kind of request except its answer.

    *verbs*: of its buttons: one, or two, for *by* false and true. *label*: text id of its usual button, in
    *catalogue*. *in_menu*: a stamped button goes on in a menu. *plays*: a person with such a request counts as a
    player.
    """

    kind: type[Request]
    codec: Codec
    verbs: tuple[str, ...] = ()
    by: str = ""
    gate: Gate = ANYWHERE
    command: Command | None = None
    label: str = ""
    catalogue: str = "table"
    in_menu: bool = False
    plays: bool = False


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
    in_menu: bool = False,
    plays: bool = False,
) -> Callable[[Kind], Kind]:
    """Declare the decorated class as a kind of request; see `Declaration`."""
    if command is not None and gate.manages:
        command = replace(command, manages=True)

    def declare(kind: Kind) -> Kind:
        declaration = Declaration(
            kind, Codec(kind, verbs, by), verbs, by, gate, command, label, catalogue, in_menu, plays
        )
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
    request: Request | None = None if parsed is None or declaration is None else declaration.codec.read(parsed)
    return request


def select_payload(choice: Request) -> str:
    """Return the payload of a select of which *choice* is one of the choices: it ends before the field ``choice``."""
    return choice.declaration.codec.prefix(choice, "choice")
