"""All sentences and words that people read: one folder per language, one gettext catalogue (.po) per domain.

A domain is "table", the id of a game, or the name of a platform. An installed game brings its catalogues along (`add`).
The keys are ids ("action.move"), so English is a
translation like any other. A catalogue is parsed when it is first used.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages import Catalog

HERE = Path(__file__).parent
DEFAULT = "en"
INTRODUCING = ("name", "tagline", "players", "credits", "rules.1.title", "rules.1.text")
"""Keys that every game needs, because lists of all games use them."""

_added: dict[str, Path] = {}  # by domain: the folder with <lang>.po


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a folder here, English first."""
    names = sorted(path.name for path in HERE.iterdir() if any(path.glob("*.po")))
    return (DEFAULT, *(name for name in names if name != DEFAULT))


@cache
def language(tag: str | None) -> str:
    """Return the available language that fits a tag such as ``de-AT`` or ``pt_BR`` best.

    >>> language("de-AT"), language("tlh"), language(None)
    ('de', 'en', 'en')
    """
    base = (tag or "").replace("_", "-").split("-")[0].lower()
    return base if base in languages() else DEFAULT


class _Missing(NullTranslations):
    """Fallback that returns "", so a missing text differs from a text that equals its key."""

    def gettext(self, message: str) -> str:  # noqa: ARG002
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:  # noqa: ARG002
        return ""


def add(domain: str, folder: Path) -> None:
    """Add the catalogues ``<lang>.po`` in *folder* as *domain*: those of an installed game.

    Raises ValueError if the domain exists, or if a catalogue is missing, cannot be read, or does not introduce a game.
    """
    if domain in _added or any((HERE / lang / f"{domain}.po").exists() for lang in languages()):
        raise ValueError(f"there are texts for {domain} already")
    _added[domain] = folder
    try:
        if catalogue(domain, DEFAULT) is None:
            raise ValueError(f"there is no {DEFAULT}.po")
        for lang in languages():
            own = catalogue(domain, lang)
            missing = [] if own is None else [key for key in INTRODUCING if not own.gettext(key)]
            if missing:
                raise ValueError(f"{lang}.po has no text for {', '.join(missing)}")
    except Exception as wrong:
        del _added[domain]
        catalogue.cache_clear()
        raise wrong if isinstance(wrong, ValueError) else ValueError(f"{type(wrong).__name__}: {wrong}") from wrong


def source(domain: str, lang: str) -> Path:
    """Return the file of a catalogue, which may not exist."""
    return _added[domain] / f"{lang}.po" if domain in _added else HERE / lang / f"{domain}.po"


@cache
def catalogue(domain: str, lang: str) -> GNUTranslations | None:
    """Parse the catalogue of *domain* in *lang*; return None if there is none."""
    if not source(domain, lang).exists():
        return None
    from babel.messages.mofile import write_mo

    messages = _messages(domain, lang)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    translations = GNUTranslations(compiled)
    translations.add_fallback(_Missing())
    return translations


def _messages(domain: str, lang: str) -> "Catalog":
    from babel.messages.pofile import read_po

    with source(domain, lang).open("rb") as file:
        return read_po(file, locale=lang, abort_invalid=True)


def labels(domain: str, *kinds: str) -> list[str]:
    """Return the texts of *domain* in all languages whose keys are a name of one of *kinds*: ``part.rock``."""
    catalogues = (_messages(domain, lang) for lang in languages() if source(domain, lang).exists())
    messages = ((str(message.id).split("."), message.string) for messages in catalogues for message in messages)
    return [str(text) for key, text in messages if len(key) == 2 and key[0] in kinds]


def find(domain: str, key: str, lang: str, n: int | None = None) -> str | None:
    """Return the text of *key* with its placeholders, or None if there is none; *n* picks the plural form."""
    return _find(domain, key, language(lang), n)


@lru_cache(8192)
def _find(domain: str, key: str, lang: str, n: int | None) -> str | None:
    for candidate in dict.fromkeys((lang, DEFAULT)):
        texts = catalogue(domain, candidate)
        if texts is None:
            continue
        text = ("" if n is None else texts.ngettext(key, key, n)) or texts.gettext(key)
        if text:
            return text
    return None


def say(domain: str, key: str, lang: str, /, **facts: object) -> str:
    """Return the text of *key* with *facts* filled in. A fact named ``n`` picks the plural form.

    Raises KeyError if no catalogue has the key; a test checks every key that the code can ask for.
    """
    n = facts.get("n")
    text = find(domain, key, lang, n if isinstance(n, int) else None)
    if text is None:
        raise KeyError(f"{domain}: {key}")
    return text.format_map(facts) if facts else text


def listed(items: Iterable[str], lang: str) -> str:
    """Return *items*, one at least, as a list in words.

    >>> listed(["Anna", "Ben", "Clara"], "en"), listed(["Anna"], "de")
    ('Anna, Ben and Clara', 'Anna')
    """
    *first, last = items
    return f"{', '.join(first)} {say('table', 'and', lang)} {last}" if first else last


def knows(domain: str, key: str) -> bool:
    """Return whether the English catalogue of *domain* has *key*."""
    return find(domain, key, DEFAULT) is not None


__all__ = ["DEFAULT", "add", "catalogue", "find", "knows", "labels", "language", "languages", "listed", "say", "source"]
