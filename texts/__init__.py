"""All sentences and words that people read: one folder per language, one gettext catalogue (.po) per domain.

A domain is "table", the id of a game, or the name of a platform. The keys are ids ("action.move"), so English is a
translation like any other. A catalogue is parsed when it is first used.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

HERE = Path(__file__).parent
DEFAULT = "en"


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


@cache
def catalogue(domain: str, lang: str) -> GNUTranslations | None:
    """Parse the catalogue of *domain* in *lang*; return None if there is none."""
    source = HERE / lang / f"{domain}.po"
    if not source.exists():
        return None
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        messages = read_po(file, locale=lang, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    translations = GNUTranslations(compiled)
    translations.add_fallback(_Missing())
    return translations


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


__all__ = ["DEFAULT", "catalogue", "find", "knows", "language", "languages", "listed", "say"]
