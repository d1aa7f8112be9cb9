"""Telegram's HTML as its server reads it: strictly, into text and entities with offsets in UTF-16 units."""

import re
from dataclasses import dataclass
from html import unescape

TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "s": "strikethrough",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-spoiler": "spoiler",
    "a": "text_link",
}
TOKEN = re.compile(r"<(/?)([a-zA-Z-]+)((?:\s[^<>]*)?)>|&(?:lt|gt|amp|quot|#\d+|#x[0-9a-fA-F]+);|[^<&]+|[<&]")
FOUND = re.compile(r"(?<![\w@/])(?:@(?P<mention>[A-Za-z]\w{3,31})|(?P<command>/[A-Za-z0-9_]{1,32}))\b")


class Unparsable(Exception):
    """HTML that Telegram refuses."""


@dataclass(frozen=True)
class Entity:
    """*user*: whom a mention by number names; *username*: whom one by name does."""

    type: str
    offset: int
    length: int
    url: str = ""
    user: int | None = None
    username: str = ""

    def json(self) -> dict[str, object]:
        described: dict[str, object] = {"type": self.type, "offset": self.offset, "length": self.length}
        if self.user is not None:
            described["user"] = {"id": self.user, "is_bot": False, "first_name": "…"}
        elif self.url:
            described["url"] = self.url
        return described


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def parse(html: str) -> tuple[str, tuple[Entity, ...]]:
    """Return text and entities. Raises Unparsable.

    >>> parse('<b>A &amp; B</b>')
    ('A & B', (Entity(type='bold', offset=0, length=5, url='', user=None, username=''),))
    """
    text, entities = "", []
    open_: list[tuple[str, int, str]] = []
    for token in TOKEN.finditer(html):
        piece = token[0]
        if piece in ("<", "&"):
            raise Unparsable(f"unexpected {piece!r} at {token.start()}")
        if token[2] is None:
            text += unescape(piece)
            continue
        tag = token[2].lower()
        if tag not in TAGS:
            raise Unparsable(f'unsupported start tag "{tag}" at byte offset {token.start()}')
        if not token[1]:
            link = re.fullmatch(r'\s+href="([^"]*)"', token[3] or "")
            open_.append((tag, units(text), unescape(link[1]) if link else ""))
        else:
            if not open_ or open_[-1][0] != tag:
                raise Unparsable(f'unmatched end tag at byte offset {token.start()}, found "</{tag}>"')
            _, offset, url = open_.pop()
            if units(text) > offset:
                user = re.fullmatch(r"tg://user\?id=(\d+)", url)
                kind = "text_mention" if user else TAGS[tag]
                entities.append(Entity(kind, offset, units(text) - offset, url, int(user[1]) if user else None))
    if open_:
        raise Unparsable(f'can\'t find end tag corresponding to start tag "{open_[-1][0]}"')
    return text, (*entities, *mentions(text, entities))


def plain(text: str) -> tuple[str, tuple[Entity, ...]]:
    """Return text without parse mode: only entities that Telegram finds by itself."""
    return text, mentions(text, [])


def mentions(text: str, entities: list[Entity]) -> tuple[Entity, ...]:
    """Return mentions and commands that Telegram finds in plain text."""
    taken = [
        (entity.offset, entity.offset + entity.length) for entity in entities if entity.type in ("text_mention", "code")
    ]
    more = []
    for match in FOUND.finditer(text):
        offset = units(text[: match.start()])
        if not any(first <= offset < last for first, last in taken):
            kind = "mention" if match["mention"] else "bot_command"
            more.append(Entity(kind, offset, units(match[0]), username=match["mention"] or ""))
    return tuple(more)
