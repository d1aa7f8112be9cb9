"""Discord. This module is light: `open` imports discord.py, which only happens if a token is set.

Documented for admins and operators in ``docs/discord.md``.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from bot.chat import PlaceId, Platform
from bot.operation.environment import Variable, url
from bot.operation.findings import Finding
from bot.runtime import network
from bot.runtime.network import Proxy

NAME = "discord"

Shards = tuple[range | None, int]
"""The shards of a process (None: the store hands them out) and the total number."""
MOST_SHARDS = 16
"""Shards that the store hands out to one process."""

_SHARDS = re.compile(r"(?:(\d{1,5})(?:-(\d{1,5}))?/)?(\d{1,5})")


def shards(text: str) -> Shards | None:
    """Return the shards that a setting means; None: all that Discord recommends. Raises ValueError.

    >>> shards("0-3/8"), shards("5/8"), shards("2"), shards("")
    ((range(0, 4), 8), (range(5, 6), 8), (range(0, 2), 2), None)
    >>> shards("auto/100")
    (None, 100)
    """
    if not text:
        return None
    by_itself, _, total = text.partition("/")
    if by_itself == "auto":
        if not re.fullmatch(r"[1-9]\d{0,4}", total, re.ASCII):
            raise ValueError("not a number of shards")
        return None, int(total)
    form = _SHARDS.fullmatch(text)
    if form is None:
        raise ValueError("not a range of shards")
    count = int(form[3])
    first = int(form[1] or 0)
    last = int(form[2]) if form[2] else first if form[1] else count - 1
    if not 0 <= first <= last < count:
        raise ValueError("not a range of shards")
    return range(first, last + 1), count


def ranges(total: int) -> tuple[range, ...]:
    """Return the ranges that the store hands out: as few as possible, and about equally long.

    >>> ranges(8), ranges(40)
    ((range(0, 8),), (range(0, 13), range(13, 26), range(26, 40)))
    >>> {len(shards) for shards in ranges(100)}, len(ranges(100))
    ({14, 15}, 7)
    """
    count = -(-total // MOST_SHARDS)
    bounds = [total * number // count for number in range(count + 1)]
    return tuple(range(first, after) for first, after in pairwise(bounds))


def _check_shards(value: str) -> str | None:
    try:
        shards(value)
    except ValueError:
        return "must be empty, a number of shards such as 4, a range of them such as 0-3/8, or auto/8"
    return None


def _token(value: str) -> str | None:
    """Return the error in a token, or None.

    >>> _token(_bare_token(" 'Bot abc.def'")) is None, _token("abc def")
    (True, 'must be the token from the Developer Portal, without blanks')
    """
    fine = re.fullmatch(r"[!-~]*", value)
    return None if fine else "must be the token from the Developer Portal, without blanks"


def _bare_token(value: str) -> str:
    """Return a token without quotes and without ``Bot``, which stands before it in the API's examples."""
    return re.sub(r"(?i)^bot\s+", "", value.strip(" '\"“”„‘’")).strip(" '\"")


VARIABLES = (
    Variable(
        "DISCORD_TOKEN",
        "The Discord bot's token; empty: no Discord.",
        secret=True,
        check=_token,
        clean=_bare_token,
    ),
    Variable(
        "DISCORD_API_URL",
        "Another address of Discord's API, with its version: http://127.0.0.1:8080/api/v10.",
        secret=True,
        check=url("http", "https", credentials=False),
    ),
    Variable(
        "DISCORD_GATEWAY_URL",
        "The same for its gateway: ws://127.0.0.1:8081.",
        secret=True,
        check=url("ws", "wss", credentials=False),
    ),
    Variable(
        "DISCORD_SHARDS",
        "Shards that this process runs: 0-3/8; auto/8: the store hands them out; empty: all, as many as Discord "
        "recommends.",
        check=_check_shards,
    ),
)


def proxy(values: Mapping[str, str]) -> Proxy | None:
    """Return the proxy to Discord, or None. Raises Unusable for unusable settings of the system."""
    url = values["DISCORD_API_URL"] or "https://discord.com"
    if url.startswith("https:"):
        network.check_certificates()
    return network.proxy(url)


def wanted(values: Mapping[str, str]) -> bool:
    """Return whether the settings have a token."""
    return bool(values["DISCORD_TOKEN"])


def open(values: Mapping[str, str]) -> Platform:  # noqa: A001  every adapter is opened by this name
    """Return the platform, not yet connected."""
    from bot.adapters.on_discord.chat import DiscordChat
    from bot.requests.commands import COMMANDS

    return DiscordChat(
        values["DISCORD_TOKEN"],
        COMMANDS,
        api_url=values["DISCORD_API_URL"],
        gateway_url=values["DISCORD_GATEWAY_URL"],
        shards=shards(values["DISCORD_SHARDS"]),
        proxy=proxy(values),
    )


async def examined(values: Mapping[str, str], places: Sequence[PlaceId]) -> Sequence[Finding]:
    """Return the doctor's findings."""
    from bot.adapters.on_discord.examining import examine
    from bot.requests.commands import COMMANDS

    return await examine(values, COMMANDS, places)
