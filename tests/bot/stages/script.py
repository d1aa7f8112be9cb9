"""A conversation (see `tests.bot.talk.recording`) as steps, each with the expected messages of the bot."""

import re
from collections.abc import Iterator, Sequence, Set
from datetime import timedelta
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

REMARK, RESTART = "#", "--- restart"
INDENT = "    "
LONG = 200
"""Longest text that fits into every kind of message of every platform, in characters."""

_PASSES = re.compile(r"--- (\d+) (seconds|hours)")
_TURNS = re.compile(r"--- (\d+) turns(?:: (.+))?")
_ELSEWHERE = re.compile(r"--- (\w+) and (\w+) (play|wait) elsewhere")
_GARDEN = re.compile(r"--- the garden (\w+)(?:: (.+))?")
_ALOUD = ", aloud"
_TOLD = re.compile(r"bot to (\w+): (.*)")
_TAKES_BACK = re.compile(r"bot takes back what it told (\w+)")
_DELETES = "bot deletes the former board"
_ATTACHED = re.compile(r"\((picture|animation|document): (.*)\)")
_PRESSED = re.compile(r"\[(.+)\]")
_BECOMES = re.compile(r"\(becomes: (.*)\)")
_ONWARD = re.compile(r"\(leads to: (.*)\)")
_BUTTON = re.compile(r"\[(.*?)\](?= \[|$)")
_SELECT = re.compile(r"<(.*?): (.*)>")
_CHOSEN = "• "
_TABLE = re.compile(r"-[a-z2-7]{10}\.")


class Picks(Struct, frozen=True):
    """A select and its choices."""

    label: str
    choices: tuple[str, ...]
    chosen: str | None

    def __str__(self) -> str:
        return f"<{self.label}: {' | '.join(_CHOSEN * (choice == self.chosen) + choice for choice in self.choices)}>"


Row = tuple[str, ...] | Picks
Way = tuple[str, ...]
"""The kind of a message: its cause, its readers and its parts."""


class Said(Struct, frozen=True):
    """An expected message of the bot. *text*: title and text, in lines. *alt*: the first line of the picture's
    description, or None without a picture. *file*: kind and name. *call*: the line that pings *called*. *onward*:
    labels of links beside it, if possible. *board*: the first line of the description of the board that the pressed
    menu becomes until the house has played."""

    text: tuple[str, ...] = ()
    alt: str | None = None
    file: tuple[str, str] | None = None
    call: str = ""
    called: str = ""
    rows: tuple[Row, ...] = ()
    onward: tuple[str, ...] = ()
    board: str | None = None

    @property
    def labels(self) -> list[str]:
        """Return the labels of buttons and choices, in order; a choice reads "label: choice"."""
        return [
            label
            for row in self.rows
            for label in ([f"{row.label}: {choice}" for choice in row.choices] if isinstance(row, Picks) else row)
        ]

    @property
    def made_of(self) -> Iterator[str]:
        """Return the kinds of its parts."""
        parts: dict[str, object] = {"text": self.text, "long": len("\n".join(self.text)) > LONG, "call": self.call}
        parts |= {"picture": self.alt is not None, "onward": self.onward}
        parts["list"] = [row for row in self.rows if isinstance(row, Picks)]
        parts["buttons"] = [row for row in self.rows if not isinstance(row, Picks)]
        parts[self.file[0] if self.file is not None else ""] = self.file
        return (name for name, there in parts.items() if there)


class Kind(StrEnum):
    POST = "bot"
    EDIT = "bot, edit"
    DELETES = "bot deletes"
    TOLD = "bot to"
    TAKES_BACK = "bot takes back"


class Event(Struct, frozen=True):
    """One message or deletion of the bot. *to*: the only person who sees it."""

    kind: Kind
    said: Said = Said()
    to: str = ""


class Step(Struct, frozen=True):
    """A line of a person, a restart, a time, some turns or a deed of another channel, with the expected messages.
    *number*: of the line in its file."""

    number: int
    line: str
    events: tuple[Event, ...]

    @property
    def who(self) -> str:
        """Return the person of this line, or ""."""
        return "" if self.line.startswith("---") else _who(self.line)

    @property
    def does(self) -> str:
        return self.line.partition(": ")[2]

    @property
    def pressed(self) -> str | None:
        """Return the label of the button, or None for typed text. "Jo…" matches a label that begins with "Jo"."""
        match = _PRESSED.fullmatch(self.does)
        return match and match[1]

    @property
    def aloud(self) -> bool:
        """Return whether the line is talk to the others."""
        return self.line.partition(": ")[0].endswith(_ALOUD)

    @property
    def passes(self) -> timedelta | None:
        """Return the time that passes."""
        match = _PASSES.fullmatch(self.line)
        return timedelta(**{match[2]: int(match[1])}) if match else None

    @property
    def turns(self) -> int:
        """Return the number of turns that all players play on, or 0."""
        match = _TURNS.fullmatch(self.line)
        return int(match[1]) if match else 0

    @property
    def moves(self) -> tuple[str, ...]:
        """Return the lines that they repeat, or () for the moves of the house."""
        match = _TURNS.fullmatch(self.line)
        return tuple(match[2].split(", ")) if match and match[2] else ()

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Return the people who join a table in another place, or ()."""
        match = _ELSEWHERE.fullmatch(self.line)
        return match.groups()[:2] if match else ()

    @property
    def waits(self) -> bool:
        """Return whether the game there has not begun."""
        return bool(self.elsewhere) and " wait " in self.line

    @property
    def garden(self) -> tuple[str, str] | None:
        """Return what the other channel does, and for which move it votes."""
        match = _GARDEN.fullmatch(self.line)
        return (match[1], match[2] or "") if match else None

    @property
    def posts(self) -> list[Event]:
        return [event for event in self.events if not event.to]

    def reply_to(self, who: str) -> Said | None:
        """Return the private messages to *who*."""
        return next((event.said for event in self.events if event.kind is Kind.TOLD and event.to == who), None)

    def taken_back(self, who: str) -> int:
        """Return how many private messages of *who* are deleted."""
        return sum(event.kind is Kind.TAKES_BACK and event.to == who for event in self.events)


def ways(step: Step) -> Iterator[Way]:
    """Return the kinds of messages in *step*: their cause, readers and parts. Equal kinds in different conversations
    take the same paths through a platform.

    >>> (step,) = read("anna: [Join]\\nbot to anna: Have fun!\\nbot: *Go*\\n    @Anna, begin.\\n    [Move] [Rules]\\n")
    >>> list(ways(step))
    [('press', 'bot to, who did it', 'text'), ('press', 'bot', 'text', 'call', 'buttons')]
    """
    if step.pressed is not None:
        how = "choice" if ": " in step.pressed else "press"
    elif step.who:
        how = "command" if step.does.startswith("/") else "talk"
    else:
        how = next(name for name in ("passes", "turns", "elsewhere", "garden", "line") if getattr(step, name))
    if not step.events:
        yield (how,)
    for event in step.events:
        to = event.kind + (", who did it" if event.to == step.who else ", another") * bool(event.to)
        yield how, to, *event.said.made_of


def fits(label: str, wanted: str) -> bool:
    """Return whether a button with this *label* is the one named by a conversation.

    >>> fits("Join", "Jo…"), fits("Join", "Jo")
    (True, False)
    """
    return label == wanted or (wanted.endswith("…") and label.startswith(wanted[:-1]))


def read(text: str) -> tuple[Step, ...]:
    """Return the steps of a conversation.

    >>> (step,) = read("anna: [Join]\\nbot to anna: Have fun!\\nbot: *Go*\\n    @Anna, begin.\\n    [Move] [Rules]\\n")
    >>> step.who, step.pressed, step.reply_to("anna").text, [str(event.kind) for event in step.posts]
    ('anna', 'Join', ('Have fun!',), ['bot'])
    >>> step.posts[0].said.called, step.posts[0].said.labels
    ('anna', ['Move', 'Rules'])
    """
    blocks = _blocks(text)
    cast = {_who(block.line) for block in blocks if not block.line.startswith(("bot", "---"))}
    steps: list[Step] = []
    for block in blocks:
        if block.line.startswith("bot"):
            steps[-1] = replace(steps[-1], events=(*steps[-1].events, _event(block, cast)))
        else:
            steps.append(Step(block.number, block.line, ()))
    return tuple(steps)


def people(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the acting people, in order of their first line."""
    return tuple(dict.fromkeys(who for step in steps for who in (step.who, *step.elsewhere) if who))


def _who(line: str) -> str:
    return line.partition(": ")[0].removesuffix(_ALOUD)


class _Block(Struct):
    """A line and its continuation lines. *number*: of the line in its file."""

    number: int
    line: str
    more: list[str]


def _blocks(text: str) -> list[_Block]:
    results: list[_Block] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(INDENT):
            results[-1].more.append(line.removeprefix(INDENT))
        elif line and not line.startswith(REMARK):
            results.append(_Block(number, line, []))
    return results


def _event(block: _Block, cast: Set[str]) -> Event:
    line = block.line
    if line == _DELETES:
        return Event(Kind.DELETES)
    if match := _TAKES_BACK.fullmatch(line):
        return Event(Kind.TAKES_BACK, to=match[1])
    if match := _TOLD.fullmatch(line):
        return Event(Kind.TOLD, _said([match[2], *block.more], cast), match[1])
    kind, _, first = line.partition(": ")
    return Event(Kind(kind), _said([first, *block.more], cast))


def _said(lines: Sequence[str], cast: Set[str]) -> Said:
    text: list[str] = []
    said = Said()
    for line in lines:
        if match := _ATTACHED.fullmatch(line):
            kind, answer = match.groups()
            said = replace(said, alt=answer) if kind == "picture" else replace(said, file=(kind, nameless(answer)))
        elif match := _BECOMES.fullmatch(line):
            said = replace(said, board=match[1])
        elif match := _ONWARD.fullmatch(line):
            said = replace(said, onward=(match[1],))
        elif match := _SELECT.fullmatch(line):
            choices = match[2].split(" | ")
            chosen = next((choice.removeprefix(_CHOSEN) for choice in choices if choice.startswith(_CHOSEN)), None)
            picks = Picks(match[1], tuple(choice.removeprefix(_CHOSEN) for choice in choices), chosen)
            said = replace(said, rows=(*said.rows, picks))
        elif line.startswith("[") and line.endswith("]"):
            said = replace(said, rows=(*said.rows, tuple(_BUTTON.findall(line))))
        elif called := next((text for text in cast if re.match(rf"@{text.capitalize()}\b", line)), None):
            said = replace(said, call=line, called=called)
        else:
            text.append("" if line == "·" else line)
    if text and len(text[0]) > 2 and text[0].startswith("*") and text[0].endswith("*"):
        text[0] = text[0][1:-1]
    return replace(said, text=tuple(text))


def nameless(file: str) -> str:
    """Return a file's name without the table's id, which depends on the update that opened the table.

    >>> nameless("kabooom-g4ujo2wjs3.gif")
    'kabooom-….gif'
    """
    return _TABLE.sub("-….", file)
