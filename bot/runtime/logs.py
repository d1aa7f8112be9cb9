"""Output for operators: printed lines and log levels. Output never fails, even if no one can read it, and libraries log
no private texts, secrets, or people's words."""

import logging
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO


def prepare() -> None:
    """Let the output take every character, and ignore a log that cannot be written."""
    logging.raiseExceptions = False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # terminals and pipes need not be UTF-8


def say(line: str, to: TextIO | None = None) -> None:
    """Print a line for the operator, to stdout by default. A full disk or a closed pipe does not stop the bot."""
    with suppress(OSError, ValueError):
        print(line, file=to or sys.stdout, flush=True)


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
