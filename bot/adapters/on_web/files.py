"""The page's files and words, as they are served: read once, when the page is opened."""

import html
import re
from pathlib import Path

import msgspec

import texts

PAGE = Path(__file__).parent / "page"
DOMAIN = "web"

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

WORDS = (
    "add",
    "below",
    "bot",
    "cancel",
    "channel.add",
    "channel.begin",
    "channel.hint",
    "channel.lobby",
    "channel.name",
    "channel.second",
    "channels",
    "close",
    "command",
    "command.placeholder",
    "command.send",
    "completions",
    "cut",
    "describe",
    "dismiss",
    "drawer.close",
    "drawer.open",
    "enlarge",
    "file.save",
    "fresh",
    "fresh.board",
    "lang.browser",
    "lang.legend",
    "messages",
    "messages.new",
    "notice",
    "offline",
    "only",
    "people",
    "person.add",
    "person.change",
    "person.manages",
    "person.name",
    "person.switch",
    "person.you",
    "picture.size",
    "private",
    "private.begin",
    "quick",
    "save",
    "script",
    "tap",
    "tap.miss",
    "theme",
    "title",
    "turn.mine",
    "turn.theirs",
    "unread",
    "waiting",
)
"""Every text that the page itself shows."""


def words(lang: str) -> bytes:
    """The page's words and the names of the languages, as JSON."""
    said = {key: texts.say(DOMAIN, key, lang) for key in WORDS}
    tongues = {each: texts.say(DOMAIN, "language", each) for each in texts.languages()}
    return msgspec.json.encode({"words": said, "languages": tongues})


def index(lang: str) -> bytes:
    """The page with its words in: into elements with ``data-say``, and as the label of those with ``data-label``."""

    def text(found: re.Match[str]) -> str:
        return found[0] + html.escape(texts.say(DOMAIN, found[1], lang))

    def label(found: re.Match[str]) -> str:
        return f'{found[0]} aria-label="{html.escape(texts.say(DOMAIN, found[1], lang))}"'

    page = (PAGE / "index.html").read_text(encoding="utf-8").replace('lang="en"', f'lang="{lang}"', 1)
    page = re.sub(r'data-say="([a-z.]+)"[^>]*>', text, page)
    return re.sub(r'data-label="([a-z.]+)"', label, page).encode()


def still() -> dict[str, tuple[bytes, str]]:
    """Content and type of the files that are the same for everybody, by path."""
    return {
        f"/{path.name}": (path.read_bytes(), TYPES[path.suffix])
        for path in sorted(PAGE.iterdir())
        if path.suffix in TYPES
    }


def preferred(accepted: str) -> str:
    """The first of our languages in an ``Accept-Language`` header.

    >>> preferred("fr-FR, de-AT;q=0.8, en;q=0.5"), preferred("")
    ('de', 'en')
    """
    for tag in accepted.split(","):
        wish = tag.partition(";")[0].strip()
        if wish and texts.language(wish) == wish.replace("_", "-").split("-")[0].lower():
            return texts.language(wish)
    return texts.DEFAULT
