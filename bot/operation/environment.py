"""The only reader of the environment: all variables of the bot, checked together.

Variables are defined here and by the adapters (``VARIABLES``). A file ``.env`` in the working directory is read as
well; the environment overrides it.
"""

import os
import re
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from bot.runtime import blocklist
from bot.store import address

LONGEST_SHOWN = 20  # characters of a wrong value; tokens and good passwords are longer
ALIKE = 0.86  # similarity of a misspelt name: DISCORD_BOT_TOKEN is one of DISCORD_TOKEN


class Variable(Struct, frozen=True):
    """One variable. *about*: one line for operators. *check*: returns the problem with a value, or None. *clean*:
    returns the value that another spelling means. *choices*: the only values, in capitals or not, if not empty."""

    name: str
    about: str
    default: str = ""
    secret: bool = False
    check: Callable[[str], str | None] | None = None
    clean: Callable[[str], str] | None = None
    choices: tuple[str, ...] = ()


class Wrong(Exception):
    """The settings cannot be used; *sentences* names every problem."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def host(value: str) -> str | None:
    """Return the problem with a name or address on which to listen, or None.

    >>> host("::1") is None, host("http://localhost")
    (True, 'must be a host name or an IP address, such as 127.0.0.1')
    """
    fine = bool(re.fullmatch(r"[\w.-]+", value))
    with suppress(ValueError):
        fine = fine or bool(ip_address(value))
    return None if fine else "must be a host name or an IP address, such as 127.0.0.1"


def without_brackets(value: str) -> str:
    """Return a host without the brackets that an IPv6 address has in a URL.

    >>> without_brackets("[::1]")
    '::1'
    """
    return value[1:-1] if value.startswith("[") and value.endswith("]") else value


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


def url(*schemes: str, credentials: bool = True) -> Callable[[str], str | None]:
    """Return a check that a value is empty or an address with one of *schemes*. *credentials*: may it have any?

    >>> url("https")("https://[::1"), url("https")("https://me:12#3@host")
    ('must be an address such as https://host:443', 'must be an address such as https://host:443')
    """

    def check(value: str) -> str | None:
        if value and not any(value.startswith(f"{scheme}://") and len(value) > len(scheme) + 3 for scheme in schemes):
            return f"must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}"
        try:
            parts = urlsplit(value)
            parts.port  # noqa: B018  # raises ValueError
        except ValueError:
            parts = None
        fine = not value or (
            parts is not None
            and parts.hostname
            and value.isprintable()
            and not set(value) & set("# ")
            and "@" not in parts.path + parts.query
        )
        if fine and parts is not None and parts.username is not None and not credentials:
            return "must be an address without user and password"
        return None if fine else f"must be an address such as {schemes[0]}://host:443"

    return check


def store(value: str) -> str | None:
    """Return the problem with the address of a store, or None; it may be empty.

    >>> store("redis://localhost:port/0")
    'must be the address of a store: every host in the address needs a name and a port between 1 and 65535'
    """
    try:
        ca = address.parse(value).ca if value else None
    except ValueError as wrong:
        return f"must be the address of a store: {wrong}"
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=ca) if ca else None
    except (OSError, ValueError):
        return "must name a readable file with certificates in its option ca"
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
        choices=("yes", "no"),
    ),
    Variable("DATA_DIR", "Folder in which the bot's own server stores the games.", "data"),
    Variable(
        "THEME",
        "The pictures' theme: dark or light.",
        "dark",
        choices=("dark", "light"),
    ),
    Variable("HEALTH_PORT", "Port for /healthz, /readyz and /metrics; empty: off.", check=port),
    Variable("HEALTH_HOST", "Address of that port.", "127.0.0.1", check=host, clean=without_brackets),
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
        "BLOCKED",
        "Ids of people and places that the bot leaves alone, e.g. discord:123, telegram:-100123.",
        check=lambda value: blocklist.problem(listed(value)),
    ),
    Variable(
        "LOG_LEVEL",
        "Log level: DEBUG, INFO, WARNING or ERROR.",
        "INFO",
        choices=("DEBUG", "INFO", "WARNING", "ERROR"),
    ),
    Variable(
        "LOG_FORMAT",
        "Format of the log and of printed lines: text or json.",
        "text",
        choices=("text", "json"),
    ),
)


def read_file(path: Path) -> dict[str, str]:
    """Return the variables of a ``.env`` file: NAME=value lines, with ``#`` before remarks and optional quotes.

    Raises Wrong if it is no file of UTF-8 text.
    """
    values: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines() if path.exists() else []
    except IsADirectoryError:
        raise Wrong((f"{path.name} is a folder. It must be a file with the settings.",)) from None
    except UnicodeDecodeError:
        raise Wrong((f"The file {path.name} must be UTF-8 text.",)) from None
    except OSError as wrong:
        raise Wrong((f"The file {path.name} cannot be read: {wrong.strerror}.",)) from None
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
    values = {variable.name: _value(variable, environment.get(variable.name, "")) for variable in variables}
    wrong = tuple(
        f"{variable.name} {problem}." + _shown(variable, values[variable.name])
        for variable in variables
        if (problem := _problem(variable, values[variable.name]))
    )
    if wrong:
        raise Wrong(wrong)
    return values


def _value(variable: Variable, written: str) -> str:
    value = written.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":  # some tools pass the quotes of a file on
        value = value[1:-1].strip()
    if variable.clean is not None:
        value = variable.clean(value)
    value = next((choice for choice in variable.choices if choice.casefold() == value.casefold()), value)
    return value or variable.default


def _problem(variable: Variable, value: str) -> str | None:
    if not value.isprintable():
        return "must not contain line breaks or other control characters"
    if variable.choices and value not in variable.choices:
        return f"must be one of: {', '.join(variable.choices)}"
    return variable.check(value) if variable.check is not None else None


def _shown(variable: Variable, value: str) -> str:
    """Return a sentence with the wrong value, unless it may be a secret: tokens end up in other variables, too."""
    return "" if variable.secret or len(value) > LONGEST_SHOWN else f" It is {value!r}."


def secrets(variables: tuple[Variable, ...], values: Mapping[str, str]) -> set[str]:
    """Return all secrets of the settings, and the passwords in them and in the system's proxies, in each spelling.

    >>> sorted(secrets((Variable("U", "", secret=True),), {"U": "redis://:pa%2Fss@h"}))
    ['pa%2Fss', 'pa/ss']
    """
    written = [values[variable.name] for variable in variables if variable.secret and values[variable.name]]
    proxies = [value for name, value in os.environ.items() if name.lower().endswith("_proxy")]
    pieces = {value for value in written if "://" not in value}
    for value in (*written, *proxies):
        credentials = value.partition("://")[2].rpartition("@")[0]
        password = credentials.partition(":")[2]
        pieces |= {password, unquote(password)}
        pieces.update(unquote(password) for password in re.findall(r"[?&]sentinel_password=([^&]*)", value))
    return pieces - {""}


def misspelt(variables: tuple[Variable, ...], environment: Mapping[str, str]) -> dict[str, str]:
    """Return names that resemble a variable and are none, each with that variable.

    >>> misspelt(CORE, {"REDIS_ULR": "x", "LOG_LEVEL": "INFO", "HF_LOG_LEVEL": "INFO"})
    {'REDIS_ULR': 'REDIS_URL'}
    """
    names = [variable.name for variable in variables]
    close = {}
    for name in sorted(environment.keys() - set(names)):
        matches = get_close_matches(name.upper(), names, 1, ALIKE)
        if matches and name[:3].upper() == matches[0][:3]:
            close[name] = matches[0]
    return close


def environment(directory: Path) -> dict[str, str]:
    """Return the variables of the ``.env`` file in *directory*, overridden by the environment."""
    return {**read_file(directory / ".env"), **{k: v for k, v in os.environ.items() if v.strip()}}
