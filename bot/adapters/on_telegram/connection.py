"""The library's connection to Telegram. Unreadable answers neither stop the bot nor get into a log."""

import json
import logging
import re
import ssl
from functools import cache
from typing import Any

import httpx
import telegram
from telegram.error import InvalidToken, TelegramError
from telegram.request import HTTPXRequest

from bot.runtime import network

log = logging.getLogger(__name__)

DEEPEST = 50  # a message in a message in a message is some ten deep
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[{\]}]|[^"\[{\]}]+', re.DOTALL)


def ways_to(url: str) -> dict[str, Any]:
    """Return the `httpx_kwargs` for the server at *url*. Raises Unusable for unusable settings of the system."""
    network.check_certificates()
    by = network.proxy(url)
    proxy = None if by is None else httpx.Proxy(by.url_with_credentials)
    return {"trust_env": False, "verify": _trusted(), "proxy": proxy}


def refuses_token(error: BaseException) -> bool:
    """Return whether *error* is Telegram's own answer to a wrong token, not an unreadable page of a server between."""
    while isinstance(error, InvalidToken) and error.__cause__ is not None:
        error = error.__cause__  # the library repeats it with a text of its own
    return isinstance(error, InvalidToken)


@cache
def _trusted() -> ssl.SSLContext:
    """Return the TLS context of all connections. To load the authorities is the most expensive part of a start."""
    return httpx.create_ssl_context()


class Connection(HTTPXRequest):
    """The connection for all calls except updates."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, object]:
        try:
            answer = parsed(payload)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise TelegramError("Invalid server response")
        return answer


class UpdatesConnection(Connection):
    """The connection for updates. An update that the library cannot read becomes an empty one and blocks no others."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, object]:
        answer = Connection.parse_json_payload(payload)
        updates = answer.get("result")
        if isinstance(updates, list):
            answer["result"] = [
                raw if readable(raw) is not None else {"update_id": raw["update_id"]}
                for raw in updates
                if isinstance(raw, dict) and isinstance(raw.get("update_id"), int)
            ]
        return answer


def readable(raw: dict[str, object]) -> telegram.Update | None:
    """Return the update, or None if the library cannot read it."""
    try:
        return telegram.Update.de_json(raw, None)
    except Exception as error:
        log.warning("update not readable: id=%s error=%s", raw.get("update_id"), type(error).__name__)
        return None


def parsed(document: bytes) -> object:
    """Return the JSON value, without parts that are nested too deep. Raises ValueError."""
    text = document.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except RecursionError:
        return json.loads(shallow(document).decode("utf-8", "replace"))


def shallow(document: bytes) -> bytes:
    """Return JSON without parts that are nested deeper than any message, where parsers give up.

    >>> shallow(b'{"id": 7, "deep": ' + b"[" * 99 + b"]" * 99 + b"}").count(b"[")
    49
    """
    kept, depth = bytearray(), 0
    for token in _TOKEN.findall(document):
        opens, closes = token in (b"[", b"{"), token in (b"]", b"}")
        depth += opens
        if depth <= DEEPEST:
            kept += token
        if closes and depth == DEEPEST + 1:
            kept += b"null"
        depth -= closes
    return bytes(kept)
