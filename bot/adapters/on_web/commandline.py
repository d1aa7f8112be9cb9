"""How a command line may go on: names of commands first, then their arguments."""

from collections.abc import Mapping

from msgspec import Struct

import texts
from bot.adapters.on_web.wire import Completion
from bot.requests.commands import BY_NAME, COMMANDS, Argument
from bot.tables.preferences import CLOCKS
from rules import GAMES
from rules.notation import plain

MOST = 25


class Begun(Struct, frozen=True):
    """A line whose command is known. *head*: what stands before the *argument* that is being typed."""

    command: str
    head: str
    argument: Argument
    arguments: Mapping[str, str]
    is_last: bool

    @property
    def typed(self) -> str:
        return self.arguments[self.argument.name]

    def line(self, value: str) -> str:
        """The whole line with *value* for the argument."""
        return self.head + value + ("" if self.is_last else " ")


def begun(line: str) -> Begun | None:
    """The argument that is being typed at the end of *line*: one word each, the last one takes the rest.

    >>> found = begun("/move  b3 c")
    >>> found.command, found.head, found.typed
    ('move', '/move ', 'b3 c')
    >>> begun("/move"), begun("/board "), begun("/nothing at all"), begun("hello")
    (None, None, None, None)
    """
    name, blank, rest = line.removeprefix("/").partition(" ")
    command = BY_NAME.get(plain(name))
    if not line.startswith("/") or not blank or command is None or not command.arguments:
        return None
    head, last = f"/{command.name} ", command.arguments[-1]
    values: dict[str, str] = {}
    rest = rest.lstrip()
    for argument in command.arguments:
        word, blank, after = rest.partition(" ")
        if argument == last or not blank:
            return Begun(command.name, head, argument, {**values, argument.name: rest}, argument == last)
        values[argument.name] = word
        head, rest = f"{head}{word} ", after.lstrip()
    return None


def names(line: str, lang: str) -> tuple[Completion, ...]:
    """The commands that *line*, a slash and perhaps some letters, can become.

    >>> [each.line for each in names("/mo", "en")], names("hello", "en")
    (['/move '], ())
    """
    if not line.startswith("/") or " " in line:
        return ()
    wish = plain(line[1:])
    return tuple(
        Completion(
            f"/{each.name}",
            f"/{each.name}{' ' if each.arguments else ''}",
            texts.find("table", f"command.{each.name}.about", lang) or "",
        )
        for each in COMMANDS
        if each.name.startswith(wish)
    )


def choices(found: Begun, lang: str) -> tuple[Completion, ...]:
    """The choices of an argument that has a fixed list of them."""
    wish = plain(found.typed)
    return tuple(
        Completion(label, found.line(value), about)
        for value, label, about in _listed(found.argument.choices, lang)
        if value.startswith(wish) or plain(label).startswith(wish)
    )[:MOST]


def _listed(kind: str, lang: str) -> list[tuple[str, str, str]]:
    """Value, label and description of every choice of this kind (`bot.requests.commands.Argument`)."""
    match kind:
        case "games":
            return [(each, texts.say(each, "name", lang), texts.say(each, "tagline", lang)) for each in GAMES]
        case "clocks":
            return [(each, each, texts.say("table", f"setting.clock.{each}", lang)) for each in CLOCKS]
        case _:
            return []
