"""What people read: one folder a language, one gettext catalogue a domain ("table", or the id of a game).

The keys are ids ("action.move"), so English is a translation like any other. ``python -m texts`` compiles the
catalogues; one that is newer than its compiled form (or was never compiled) is compiled in memory when it is read.
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
    """The languages that have a folder here, English first."""
    found = sorted(path.name for path in HERE.iterdir() if any(path.glob("*.po")))
    return (DEFAULT, *(lang for lang in found if lang != DEFAULT))


@cache
def language(wish: str | None) -> str:
    """The best language we have for a tag such as ``de-AT`` or ``pt_BR``.

    >>> language("de-AT"), language("tlh"), language(None)
    ('de', 'en', 'en')
    """
    base = (wish or "").replace("_", "-").split("-")[0].lower()
    return base if base in languages() else DEFAULT


def compiled(source: Path) -> bytes:
    """The machine form of the catalogue *source* (a .po file)."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as text:
        catalogue = read_po(text, locale=source.parent.name, abort_invalid=True)
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


class _Missing(NullTranslations):
    """Says nothing: so a key without a text can be told from a text that reads like its key."""

    def gettext(self, message: str) -> str:  # noqa: ARG002
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:  # noqa: ARG002
        return ""


@cache
def catalogue(domain: str, lang: str) -> GNUTranslations | None:
    """The catalogue of *domain* in *lang*; None where there is none."""
    source = HERE / lang / f"{domain}.po"
    if not source.exists():
        return None
    ready = source.with_suffix(".mo")
    fresh = ready.exists() and ready.stat().st_mtime >= source.stat().st_mtime
    found = GNUTranslations(BytesIO(ready.read_bytes() if fresh else compiled(source)))
    found.add_fallback(_Missing())
    return found


def find(domain: str, key: str, lang: str, n: int | None = None) -> str | None:
    """The text of *key* as it stands in the catalogue, None when it has none; *n* picks the plural form."""
    return _found(domain, key, language(lang), n)


@lru_cache(8192)
def _found(domain: str, key: str, lang: str, n: int | None) -> str | None:
    for tongue in dict.fromkeys((lang, DEFAULT)):
        texts = catalogue(domain, tongue)
        if texts is None:
            continue
        text = ("" if n is None else texts.ngettext(key, key, n)) or texts.gettext(key)
        if text:
            return text
    return None


def say(domain: str, key: str, lang: str, /, **facts: object) -> str:
    """The text of *key* with *facts* filled in. A fact named ``n`` picks the plural form.

    Raises KeyError when no catalogue knows the key: a test looks at every key that can be asked for.
    """
    n = facts.get("n")
    text = find(domain, key, lang, n if isinstance(n, int) else None)
    if text is None:
        raise KeyError(f"{domain}: {key}")
    return text.format_map(facts) if facts else text


def listed(items: Iterable[str], lang: str) -> str:
    """*items*, one at least, as a list in words.

    >>> listed(["Anna", "Ben", "Clara"], "en"), listed(["Anna"], "de")
    ('Anna, Ben and Clara', 'Anna')
    """
    *first, last = items
    return f"{', '.join(first)} {say('table', 'and', lang)} {last}" if first else last


def knows(domain: str, key: str) -> bool:
    """Whether the English catalogue of *domain* has *key*."""
    return find(domain, key, DEFAULT) is not None


__all__ = ["DEFAULT", "catalogue", "compiled", "find", "knows", "language", "languages", "listed", "say"]
