"""Output for operators: printed lines and log levels. Output never fails, even if no one can read it, and libraries log
no private texts, secrets, or people's words."""

import logging
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

SHORTEST = 8  # characters of a secret to hide; a shorter one may be an ordinary word


_hidden: set[str] = set()


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return _without_secrets(super().format(record))


def begin(level: str) -> None:
    """Log to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


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
    with suppress(OSError, ValueError):
        print(_without_secrets(line), file=to or sys.stdout, flush=True)


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
