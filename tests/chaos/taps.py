"""What a platform hears from the bot: every request."""

import re
from collections.abc import Awaitable, Callable
from hashlib import blake2b

from aiohttp import web
from aiohttp.typedefs import Middleware

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

QUESTIONS = ("getUpdates", "getMe", "getChatMember", "getMyCommands")
"""Requests that tell nothing to people, and whose times and numbers vary."""
SHORT = 200
"""Characters of a record that a person reads after a failure; its hash covers all bytes."""
HEAD = 400
"""Bytes in which the head of a form's part ends."""
_BOUNDARY = re.compile(r"boundary=\"?([^\";]+)")
_VARIES = re.compile(rb"day\d+[0-9a-f]{16}|attached[0-9a-f]+|(?<=message_id)(\W{1,40})\d+|\d{4,}|token-of-")
"""Nonces, which contain the place, names of attachments, and numbers that a platform gives: they differ from run to
run."""


def noted(text: str, *parts: bytes) -> str:
    """Return the record of *parts*: the hash of all of their bytes but those that vary, and the beginning."""
    plain = b"".join(map(_plain, parts))
    return f"{text} {blake2b(plain, digest_size=16).hexdigest()} {plain[:SHORT].decode('utf-8', 'replace')}"


def _plain(part: bytes) -> bytes:
    """Return *part* without the bytes that vary; in a picture, which a head may precede, none do."""
    head = part[:HEAD]
    at = max(head.find(b"\x89PNG"), head.find(b"GIF89a"))
    return _VARIES.sub(b"#", part) if at < 0 else _VARIES.sub(b"#", part[:at]) + part[at:]


class Tap:
    """The records of all requests to an emulated platform so far, made by its *middleware*."""

    def __init__(self) -> None:
        self.records: list[str] = []

    @property
    def middleware(self) -> Middleware:
        @web.middleware
        async def note(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not request.path.endswith(QUESTIONS) and "Upgrade" not in request.headers:
                self.records.append(_record(request, await request.read()))
            return await handler(request)

        return note


def _record(request: web.Request, body: bytes) -> str:
    boundary = _BOUNDARY.search(request.headers.get("Content-Type", ""))
    parts = body.split(boundary[1].encode()) if boundary else [body]
    path = re.sub(r"token-of-\d+|\d{4,}|:[\w-]{20,}", "#", request.path)
    return noted(f"{request.method} {path}", *parts)
