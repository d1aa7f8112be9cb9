"""Output for operators: printed lines and log levels. Output never fails, even if no one can read it, and libraries log
no private texts, secrets, or people's words."""

import json
import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from io import TextIOWrapper
from typing import TextIO

SHORTEST = 8  # characters of a secret to hide; a shorter one may be an ordinary word

OURS = "bot"  # the parent of our loggers
_FACT = re.compile(r"(?<!\S)([a-z_]+)=(.*?)(?= [a-z_]+=|$)", re.DOTALL)

_hidden: set[str] = set()
_subject: ContextVar[str] = ContextVar("subject", default="table=- revision=-")


class Text(logging.Formatter):
    """One line of text, and a traceback."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return _without_secrets(super().format(record))


class Json(logging.Formatter):
    """One object per line, in ASCII: every output can take it. The facts of our own lines are fields, too."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = dict(_FACT.findall(message)) if record.name.partition(".")[0] == OURS else {}
        fields |= {"time": moment, "level": record.levelname, "logger": record.name, "message": message}
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps({name: _without_secrets(value) for name, value in fields.items()})


_lines: list[Json] = []
"""The formatter of printed lines, if they are JSON, too."""


def begin(level: str, form: str = "text") -> None:
    """Log to stderr. *form*: ``text``, or ``json`` for the log and for all printed lines."""
    handler = logging.StreamHandler()
    _lines[:] = [Json()] if form == "json" else []
    handler.setFormatter(_lines[0] if _lines else Text())
    logging.basicConfig(level=level, handlers=[handler])


@contextmanager
def about(facts: str) -> Iterator[None]:
    """Let log lines of calls to a platform name these *facts* about a table."""
    token = _subject.set(facts)
    try:
        yield
    finally:
        _subject.reset(token)


def subject() -> str:
    """Return the facts about the table of this task's work, for a log line.

    >>> with about("table=abcdefgh revision=7"):
    ...     subject()
    'table=abcdefgh revision=7'
    """
    return _subject.get()


def hide(secrets: Iterable[str]) -> None:
    """Replace *secrets* in all further output. Code must not print any; this covers the texts of libraries' errors."""
    _hidden.update(secret for secret in secrets if len(secret) >= SHORTEST)


def _without_secrets(text: str) -> str:
    for secret in sorted(_hidden, key=len, reverse=True):
        text = text.replace(secret, "…")
    return text


def prepare() -> None:
    """Let the output take every character, and ignore a log that cannot be written."""
    logging.raiseExceptions = False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # terminals and pipes need not be UTF-8


def say(line: str, to: TextIO | None = None) -> None:
    """Print a line for the operator, to stdout by default. A full disk or a closed pipe does not stop the bot."""
    text = _without_secrets(line)
    for formatter in _lines:
        level = logging.ERROR if to is sys.stderr else logging.INFO
        text = formatter.format(logging.LogRecord(OURS, level, "", 0, "%s", (line.strip(),), None))
    with suppress(OSError, ValueError):
        print(text, file=to or sys.stdout, flush=True)


def settle() -> None:
    """Drop output that cannot be written: otherwise Python's flush at the end would change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def hold(*libraries: str, least: int) -> None:
    """Raise the log level of these libraries to at least *least*."""
    for name in libraries:
        logging.getLogger(name).setLevel(max(least, logging.getLogger().level))
