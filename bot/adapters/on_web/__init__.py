"""The local chat page: a platform like the others, served on this machine. The server is imported when it opens."""

from collections.abc import Mapping, Sequence

from bot.chat import PlaceId, Platform
from bot.operation.environment import Variable, host, host_names, listed, number, without_brackets
from bot.operation.findings import Finding, better, fine

NAME = "web"

VARIABLES: tuple[Variable, ...] = (
    Variable(
        "WEB",
        "The local chat page: on, off, or auto (on when no other platform is).",
        "auto",
        choices=("auto", "on", "off"),
    ),
    Variable(
        "WEB_HOST",
        "Address that the chat page listens on; anybody who reaches it can be anybody there.",
        "127.0.0.1",
        check=host,
        clean=without_brackets,
    ),
    Variable(
        "WEB_NAMES",
        "Names that people reach the page by, besides localhost and addresses, e.g. games.lan.",
        check=host_names,
    ),
    Variable(
        "WEB_PORT",
        "Port of the chat page; empty: 8080, or a free one if that is taken.",
        check=lambda value: number(0, 65535)(value) if value else None,
    ),
)


def wanted(values: Mapping[str, str]) -> bool | None:
    """Return whether the operator wants the page; None: only if there is no other platform.

    >>> [wanted({"WEB": value}) for value in ("on", "off", "auto")]
    [True, False, None]
    """
    return {"on": True, "off": False}.get(values["WEB"])


def open(values: Mapping[str, str]) -> Platform:  # noqa: A001  # the name that every adapter has for it
    """Return the page with these settings, not yet listening."""
    from bot.adapters.on_web.chat import WebChat

    port = int(values["WEB_PORT"]) if values["WEB_PORT"] else None
    return WebChat(values["WEB_HOST"], port, names=listed(values["WEB_NAMES"]))


async def examined(values: Mapping[str, str], places: Sequence[PlaceId]) -> Sequence[Finding]:  # noqa: ARG001
    """Return the doctor's finding: whether other machines can reach the page. The bot may post in all its places."""
    address = values["WEB_HOST"]
    local = address == "localhost" or address.startswith("127.") or address == "::1"
    return (fine(NAME, "local"),) if local else (better(NAME, "open", host=address),)
