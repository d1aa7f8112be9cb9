"""Completions of a command line: first the names of commands, then their arguments."""

from collections.abc import Mapping

from msgspec import Struct

import texts
from bot.adapters.on_web.wire import Completion
from bot.requests.commands import COMMANDS, Argument, ArgumentChoice, argument_choices, called, command_named
from rules.notation import plain

MOST = 25
OPTIONAL = "clocks"
"""The kind of argument that may be left out in the middle of a line."""


class Begun(Struct, frozen=True):
    """A line whose command is known. *head*: the text before the *argument* that is being typed.

    *core_argument*: the argument for which the core completes the typed text, or None. It is the next argument if this
    one may be left out.
    """

    command: str
    head: str
    argument: Argument
    arguments: Mapping[str, str]
    is_last: bool
    core_argument: Argument | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the line can be sent as it is: it has an argument, and the next one may be left out."""
        return not self.typed and len(self.arguments) > 1

    @property
    def typed(self) -> str:
        return self.arguments[self.argument.name]

    def line(self, value: str) -> str:
        """Return the whole line with *value* for the argument."""
        return self.head + value + ("" if self.is_last else " ")


def begun(line: str) -> Begun | None:
    """Return the command of *line* and the argument that is being typed at its end, or None.

    An argument is one word; the last one takes the rest of the line. A time for a turn may be left out.

    >>> move = begun("/move  b3 c")
    >>> move.command, move.head, move.typed
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
            candidate = command.arguments[number + 1] if argument.choices == OPTIONAL else argument
            core_argument = candidate if candidate.completes else None
            return Begun(command.name, head, argument, {**values, argument.name: rest}, argument == last, core_argument)
        if argument.choices == OPTIONAL and plain(word) not in {choice.value for choice in argument_choices(argument)}:
            continue
        values[argument.name] = word
        head, rest = f"{head}{word} ", after.lstrip()
    return None


def names(line: str, lang: str) -> tuple[Completion, ...]:
    """Return the commands that begin like *line*, by their English name or their name in the reader's language.

    >>> [each.line for each in names("/mo", "en")], names("hello", "en")
    (['/move '], ())
    >>> [each.line for each in names("/neu", "de")], [each.line for each in names("/regeln", "de")]
    (['/newgame '], ['/regeln '])
    """
    if not line.startswith("/") or " " in line:
        return ()
    typed = plain(line[1:])
    # A complete name stays as it is typed, so that Enter sends it.
    return tuple(
        Completion(
            f"/{command.name}",
            f"/{typed if typed == called(command, lang) else command.name}{' ' if command.arguments else ''}",
            texts.find("table", f"command.{command.name}.about", lang) or "",
        )
        for command in COMMANDS
        if command.name.startswith(typed) or called(command, lang).startswith(typed)
    )


def choices(line: Begun, lang: str) -> tuple[Completion, ...]:
    """Return the choices of an argument that has a fixed list of them."""
    typed = plain(line.typed)
    labelled = [(choice, _label(choice, lang)) for choice in argument_choices(line.argument)]
    return tuple(
        Completion(label, line.line(choice.value), texts.say(*choice.about, lang) if choice.about else "")
        for choice, label in labelled
        if choice.value.startswith(typed) or plain(label).startswith(typed)
    )[:MOST]


def _label(choice: ArgumentChoice, lang: str) -> str:
    heading = f"{texts.say(*choice.heading, lang)}: " if choice.heading else ""
    return heading + texts.say(*choice.name, lang)
