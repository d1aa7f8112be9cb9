"""How a command line may go on: names of commands first, then their arguments."""

from collections.abc import Mapping

from msgspec import Struct

import texts
from bot.adapters.on_web.wire import Completion
from bot.requests.commands import COMMANDS, called, command_named
from bot.requests.registry import Argument
from bot.tables.preferences import CLOCKS
from rules import GAMES
from rules.notation import plain

MOST = 25
LEFT_OUT = "clocks"
"""What words of the next argument may stand in place of."""


class Begun(Struct, frozen=True):
    """A line whose command is known. *head*: what stands before the *argument* that is being typed.

    *asked*: the argument that what is typed is completed for by asking, where that is another one, as this one may be
    left out; None where nothing is asked.
    """

    command: str
    head: str
    argument: Argument
    arguments: Mapping[str, str]
    is_last: bool
    asked: Argument | None = None

    @property
    def is_whole(self) -> bool:
        """Whether something was chosen before, and this argument may be left out: the line can be sent as it is."""
        return not self.typed and len(self.arguments) > 1 and not self.argument.required

    @property
    def typed(self) -> str:
        return self.arguments[self.argument.name]

    def line(self, value: str) -> str:
        """The whole line with *value* for the argument."""
        return self.head + value + ("" if self.is_last else " ")


def begun(line: str) -> Begun | None:
    """The argument that is being typed at the end of *line*: one word each, the last one takes the rest. A time for a
    turn may be left out.

    >>> found = begun("/move  b3 c")
    >>> found.command, found.head, found.typed
    ('move', '/move ', 'b3 c')
    >>> begun("/move"), begun("/board "), begun("/nothing at all"), begun("hello")
    (None, None, None, None)
    >>> begun("/newgame kabooom hard to").arguments
    {'game': 'kabooom', 'options': 'hard to'}
    """
    name, blank, rest = line.removeprefix("/").partition(" ")
    command = command_named(name)
    if not line.startswith("/") or not blank or command is None or not command.arguments:
        return None
    head, last = f"/{command.name} ", command.arguments[-1]
    values: dict[str, str] = {}
    rest = rest.lstrip()
    for number, argument in enumerate(command.arguments):
        word, blank, after = rest.partition(" ")
        if argument == last or not blank:
            may_be = command.arguments[number + 1] if argument.choices == LEFT_OUT else argument
            asked = may_be if may_be.completes else None
            return Begun(command.name, head, argument, {**values, argument.name: rest}, argument == last, asked)
        if argument.choices == LEFT_OUT and plain(word) not in CLOCKS:
            continue
        values[argument.name] = word
        head, rest = f"{head}{word} ", after.lstrip()
    return None


def names(line: str, lang: str) -> tuple[Completion, ...]:
    """The commands that *line*, a slash and perhaps some letters of what the reader's language calls them or of their
    English names, can become.

    >>> [each.line for each in names("/mo", "en")], names("hello", "en")
    (['/move '], ())
    >>> [each.line for each in names("/neu", "de")], [each.line for each in names("/regeln", "de")]
    (['/newgame '], ['/regeln '])
    """
    if not line.startswith("/") or " " in line:
        return ()
    wish = plain(line[1:])
    # A name that is complete stays as it is typed: Enter then sends it.
    return tuple(
        Completion(
            f"/{each.name}",
            f"/{wish if wish == called(each, lang) else each.name}{' ' if each.arguments else ''}",
            texts.find("table", f"command.{each.name}.about", lang) or "",
        )
        for each in COMMANDS
        if each.name.startswith(wish) or called(each, lang).startswith(wish)
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
    """Value, label and description of every choice of this kind (`bot.requests.registry.Argument`)."""
    match kind:
        case "games":
            return [(each, texts.say(each, "name", lang), texts.say(each, "tagline", lang)) for each in GAMES]
        case "clocks":
            called = texts.say("table", "setting.clock", lang)
            times = {each: texts.say("table", f"setting.clock.{each}", lang) for each in CLOCKS}
            return [(each, f"{called}: {time}", "") for each, time in times.items()]
        case _:
            return []
