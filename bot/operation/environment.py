"""The only reader of the environment: all variables of the bot, checked together.

Variables are defined here and by the adapters (``VARIABLES``). A file ``.env`` in the working directory is read as
well; the environment overrides it.
"""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from bot.store import address


class Variable(Struct, frozen=True):
    """One variable. *about*: one line for operators. *check*: returns the problem with a value, or None."""

    name: str
    about: str
    default: str = ""
    secret: bool = False
    check: Callable[[str], str | None] | None = None


class Wrong(Exception):
    """The settings cannot be used; *sentences* names every problem."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def one_of(*choices: str) -> Callable[[str], str | None]:
    """Return a check that a value is one of *choices*.

    >>> one_of("on", "off")("maybe")
    'must be one of: on, off'
    """
    return lambda value: None if value in choices else f"must be one of: {', '.join(choices)}"


def number(least: int, most: int) -> Callable[[str], str | None]:
    """Return a check that a value is a whole number from *least* to *most*.

    >>> number(0, 65535)("eight")
    'must be a whole number from 0 to 65535'
    """

    def check(value: str) -> str | None:
        fine = value.isascii() and value.isdigit() and least <= int(value) <= most
        return None if fine else f"must be a whole number from {least} to {most}"

    return check


def port(value: str) -> str | None:
    """Return the problem with an optional port, or None; empty means off.

    >>> port("0")
    'must be a whole number from 1 to 65535'
    """
    return number(1, 65535)(value) if value else None


def listed(value: str) -> tuple[str, ...]:
    """Return the words of a list that is separated by blanks or commas.

    >>> listed("bot.lan, kaleidobot")
    ('bot.lan', 'kaleidobot')
    """
    return tuple(re.findall(r"[^\s,]+", value))


def host_names(value: str) -> str | None:
    """Return the problem with a list of host names, or None; it may be empty.

    >>> host_names("bot.lan kaleidobot") is None, host_names("http://bot.lan")
    (True, 'must be names such as bot.lan, without http:// or a port')
    """
    fine = all(re.fullmatch(r"[\w.-]+", name) for name in listed(value))
    return None if fine else "must be names such as bot.lan, without http:// or a port"


def url(*schemes: str) -> Callable[[str], str | None]:
    """Return a check that a value is empty or an address with one of *schemes*."""

    def check(value: str) -> str | None:
        fine = not value or any(value.startswith(f"{scheme}://") and len(value) > len(scheme) + 3 for scheme in schemes)
        return None if fine else f"must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}"

    return check


def store(value: str) -> str | None:
    """Return the problem with the address of a store, or None; it may be empty.

    >>> store("redis://localhost:port/0")
    'must be the address of a store: every host in the address needs a name and a port between 1 and 65535'
    """
    try:
        if value:
            address.parse(value)
    except ValueError as wrong:
        return f"must be the address of a store: {wrong}"
    return None


CORE = (
    Variable(
        "REDIS_URL",
        "The store, e.g. rediss://:password@host:6379/0; empty: the bot's own server, in DATA_DIR.",
        check=store,
        secret=True,
    ),
    Variable(
        "REDIS_TLS_VERIFY",
        "no: accept any certificate at a rediss:// address, for hosts that write REDIS_URL and sign their own.",
        "yes",
        check=one_of("yes", "no"),
    ),
    Variable("DATA_DIR", "Folder in which the bot's own server stores the games.", "data"),
    Variable("THEME", "The pictures' theme: dark or light.", "dark", check=one_of("dark", "light")),
    Variable("HEALTH_PORT", "Port for /healthz, /readyz and /metrics; empty: off.", check=port),
    Variable("HEALTH_HOST", "Address of that port.", "127.0.0.1"),
    Variable(
        "HEALTH_NAMES",
        "Host names of that port, besides localhost and IP addresses, e.g. kaleidobot.",
        check=host_names,
    ),
    Variable("KEEP_DAYS", "Days for which a finished game is stored.", "90", check=number(1, 3650)),
    Variable(
        "LEASE_SECONDS",
        "Seconds after which another process takes over work that one has claimed and not finished.",
        "120",
        check=number(5, 3600),
    ),
    Variable(
        "LOG_LEVEL",
        "Log level: DEBUG, INFO, WARNING or ERROR.",
        "INFO",
        check=one_of("DEBUG", "INFO", "WARNING", "ERROR"),
    ),
)


def read_file(path: Path) -> dict[str, str]:
    """Return the variables of a ``.env`` file: NAME=value lines, with ``#`` before remarks and optional quotes.

    Raises Wrong if the file is not UTF-8 text.
    """
    values: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines() if path.is_file() else []
    except (OSError, UnicodeDecodeError) as wrong:
        raise Wrong((f"The file {path.name} cannot be read as UTF-8 text: {wrong}.",)) from wrong
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            values[name.strip()] = _bare(value.strip())
    return values


def _bare(value: str) -> str:
    """Return a value without its quotes or its remark.

    >>> _bare("dark  # for Discord"), _bare("'a # b'")
    ('dark', 'a # b')
    """
    if value[:1] in ("'", '"') and value.endswith(value[0]) and len(value) > 1:
        return value[1:-1]
    return value.partition(" #")[0].strip()


def read(variables: tuple[Variable, ...], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every variable, with defaults. Raises Wrong with all problems."""
    values = {variable.name: environment.get(variable.name, "").strip() or variable.default for variable in variables}
    wrong = tuple(
        f"{variable.name} {problem}." + ("" if variable.secret else f" It is {values[variable.name]!r}.")
        for variable in variables
        if variable.check is not None and (problem := variable.check(values[variable.name]))
    )
    if wrong:
        raise Wrong(wrong)
    return values


def environment(directory: Path) -> dict[str, str]:
    """Return the variables of the ``.env`` file in *directory*, overridden by the environment."""
    return {**read_file(directory / ".env"), **{k: v for k, v in os.environ.items() if v.strip()}}
