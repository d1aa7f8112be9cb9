"""The only reader of the environment: every variable that the bot knows, checked at once.

Variables come from here and from the adapters (their ``VARIABLES``). A ``.env`` file beside the project is read too;
the environment wins over it.
"""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from bot.store import address


class Variable(Struct, frozen=True):
    """One variable. *about*: one line for people. *check*: gives a sentence on what is wrong with a value, or None."""

    name: str
    about: str
    default: str = ""
    secret: bool = False
    check: Callable[[str], str | None] | None = None


class Wrong(Exception):
    """Settings that cannot be used; *sentences* names all that is wrong."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def one_of(*choices: str) -> Callable[[str], str | None]:
    """A check that a value is one of *choices*.

    >>> one_of("on", "off")("maybe")
    'must be one of: on, off'
    """
    return lambda value: None if value in choices else f"must be one of: {', '.join(choices)}"


def number(least: int, most: int) -> Callable[[str], str | None]:
    """A check that a value is a whole number from *least* to *most*.

    >>> number(0, 65535)("eight")
    'must be a whole number from 0 to 65535'
    """

    def check(value: str) -> str | None:
        fine = value.isascii() and value.isdigit() and least <= int(value) <= most
        return None if fine else f"must be a whole number from {least} to {most}"

    return check


def port(value: str) -> str | None:
    """What is wrong with the port of something that is off without one; empty is fine.

    >>> port("0")
    'must be a whole number from 1 to 65535'
    """
    return number(1, 65535)(value) if value else None


def listed(value: str) -> tuple[str, ...]:
    """Words with blanks or commas between them.

    >>> listed("bot.lan, kaleidobot")
    ('bot.lan', 'kaleidobot')
    """
    return tuple(re.findall(r"[^\s,]+", value))


def host_names(value: str) -> str | None:
    """What is wrong with names of hosts; empty is fine.

    >>> host_names("bot.lan kaleidobot") is None, host_names("http://bot.lan")
    (True, 'must be names such as bot.lan, without http:// or a port')
    """
    fine = all(re.fullmatch(r"[\w.-]+", name) for name in listed(value))
    return None if fine else "must be names such as bot.lan, without http:// or a port"


def url(*schemes: str) -> Callable[[str], str | None]:
    """A check that a value is an address with one of *schemes*; empty is fine."""

    def check(value: str) -> str | None:
        fine = not value or any(value.startswith(f"{scheme}://") and len(value) > len(scheme) + 3 for scheme in schemes)
        return None if fine else f"must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}"

    return check


def store(value: str) -> str | None:
    """What is wrong with the address of a store; empty is fine.

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
        "The store, e.g. rediss://:password@host:6379/0; empty: a server of the bot's own, in DATA_DIR.",
        check=store,
        secret=True,
    ),
    Variable(
        "REDIS_TLS_VERIFY",
        "no: trust any certificate at a rediss:// address, for hosts that write REDIS_URL and sign their own.",
        "yes",
        check=one_of("yes", "no"),
    ),
    Variable("DATA_DIR", "Where the bot's own server keeps the games.", "data"),
    Variable("THEME", "The pictures' theme: dark or light.", "dark", check=one_of("dark", "light")),
    Variable("HEALTH_PORT", "Port for /healthz, /readyz and /metrics; empty: none.", check=port),
    Variable("HEALTH_HOST", "Address that they listen on.", "127.0.0.1"),
    Variable(
        "HEALTH_NAMES",
        "Names that they are asked by, besides localhost and addresses, e.g. kaleidobot.",
        check=host_names,
    ),
    Variable("KEEP_DAYS", "Days that a finished game is kept.", "90", check=number(1, 3650)),
    Variable(
        "LOG_LEVEL",
        "How much is logged: DEBUG, INFO, WARNING or ERROR.",
        "INFO",
        check=one_of("DEBUG", "INFO", "WARNING", "ERROR"),
    ),
)


def read_file(path: Path) -> dict[str, str]:
    """The variables of a ``.env`` file: NAME=value lines; ``#`` begins a remark, quotes round a value go.

    Raises Wrong where the file is no text.
    """
    found: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines() if path.is_file() else []
    except (OSError, UnicodeDecodeError) as wrong:
        raise Wrong((f"The file {path.name} cannot be read as UTF-8 text: {wrong}.",)) from wrong
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            found[name.strip()] = _bare(value.strip())
    return found


def _bare(value: str) -> str:
    """A value without its quotes, or without the remark behind it.

    >>> _bare("dark  # for Discord"), _bare("'a # b'")
    ('dark', 'a # b')
    """
    if value[:1] in ("'", '"') and value.endswith(value[0]) and len(value) > 1:
        return value[1:-1]
    return value.partition(" #")[0].strip()


def read(variables: tuple[Variable, ...], environment: Mapping[str, str]) -> dict[str, str]:
    """The value of every variable, defaults filled in. Raises Wrong, naming everything that is wrong at once."""
    values = {each.name: environment.get(each.name, "").strip() or each.default for each in variables}
    wrong = tuple(
        f"{each.name} {problem}." + ("" if each.secret else f" It is {values[each.name]!r}.")
        for each in variables
        if each.check is not None and (problem := each.check(values[each.name]))
    )
    if wrong:
        raise Wrong(wrong)
    return values


def environment(directory: Path) -> dict[str, str]:
    """What the ``.env`` file in *directory* and the process' environment say, the latter winning."""
    return {**read_file(directory / ".env"), **{k: v for k, v in os.environ.items() if v.strip()}}
