"""The page's files and words. They are read when the page is opened."""

import html
import re
from functools import cache
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


@cache
def keys() -> frozenset[str]:
    """Return the keys of the texts that the page shows: all that its files quote."""
    sources = (path.read_text(encoding="utf-8") for path in PAGE.iterdir() if path.suffix in (".js", ".html"))
    quoted = {key for source in sources for key in re.findall(r'"([a-z]+(?:\.[a-z]+)*)"', source)}
    return frozenset(key for key in quoted if texts.knows(DOMAIN, key))


def words(lang: str) -> bytes:
    """Return the page's words and the names of the languages, as JSON."""
    said = {key: texts.say(DOMAIN, key, lang) for key in keys()}
    languages = {language: texts.say(DOMAIN, "language", language) for language in texts.languages()}
    return msgspec.json.encode({"words": said, "languages": languages})


def index(lang: str) -> bytes:
    """Return the page in *lang*: with texts in elements with ``data-say``, and labels on those with ``data-label``."""

    def text(tag: re.Match[str]) -> str:
        return tag[0] + html.escape(texts.say(DOMAIN, tag[1], lang))

    def label(attribute: re.Match[str]) -> str:
        return f'{attribute[0]} aria-label="{html.escape(texts.say(DOMAIN, attribute[1], lang))}"'

    page = (PAGE / "index.html").read_text(encoding="utf-8").replace('lang="en"', f'lang="{lang}"', 1)
    page = re.sub(r'data-say="([a-z.]+)"[^>]*>', text, page)
    return re.sub(r'data-label="([a-z.]+)"', label, page).encode()


def static() -> dict[str, tuple[bytes, str]]:
    """Return content and type of the files that are the same for every reader, by path."""
    return {
        f"/{path.name}": (path.read_bytes(), TYPES[path.suffix])
        for path in sorted(PAGE.iterdir())
        if path.suffix in TYPES
    }


def preferred(accepted: str) -> str:
    """Return the first of our languages in an ``Accept-Language`` header.

    >>> preferred("fr-FR, de-AT;q=0.8, en;q=0.5"), preferred("")
    ('de', 'en')
    """
    for tag in accepted.split(","):
        wish = tag.partition(";")[0].strip()
        if wish and texts.language(wish) == wish.replace("_", "-").split("-")[0].lower():
            return texts.language(wish)
    return texts.DEFAULT
