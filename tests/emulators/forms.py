"""Multipart forms as a server receives them. aiohttp's own reader takes milliseconds for each because it handles
input that our clients never send; this reader refuses such input."""

import re
from collections.abc import Iterator

from aiohttp import web
from msgspec import Struct

WITH_FILES = "multipart/form-data; boundary="
_FIELD = re.compile(
    rb'(?:Content-Type: [^\r\n]+\r\n)?Content-Disposition: form-data; name="([^"\r\n]+)"(?:; filename="([^"\r\n]+)")?'
    rb"(?:\r\nContent-Type: [^\r\n]+)?"
)


class Upload(Struct, frozen=True):
    name: str
    content: bytes


def fields(content_type: str, body: bytes) -> Iterator[tuple[str, str | Upload]]:
    """Yield all fields of a form in order.

    >>> sent = b'--x\\r\\nContent-Disposition: form-data; name="{}"; filename="a.txt"\\r\\n\\r\\nb\\r\\n--x--\\r\\n'
    >>> list(fields("multipart/form-data; boundary=x", sent))
    [('{}', Upload(name='a.txt', content=b'b'))]
    """
    boundary = content_type.removeprefix(WITH_FILES).encode()
    before, *parts, after = (b"\r\n" + body).split(b"\r\n--" + boundary)
    assert (before, after) == (b"", b"--\r\n"), "a form that is cut off"
    for part in parts:
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        match = _FIELD.fullmatch(head)
        assert match is not None, f"a field that no client of ours sends: {head!r}"
        name, file = match[1].decode(), match[2]
        yield name, content.decode() if file is None else Upload(file.decode(), content)


async def whole(request: web.Request) -> bytes:
    """Return every byte of *request*: its line, its heads and its body."""
    heads = (b"%s: %s" % head for head in request.raw_headers)
    return b"\r\n".join((f"{request.method} {request.raw_path}".encode(), *heads, b"", await request.read()))
