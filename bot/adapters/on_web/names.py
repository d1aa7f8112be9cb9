"""Names that people enter, made fit to show and to be part of an id."""

import re
import unicodedata
from hashlib import sha256

from bot.adapters.on_web.wire import NAME

_JOINER = "\u200d"  # holds emoji together


def shown(name: str) -> str:
    """*name* on one line, without control and direction characters, at most 40 characters.

    >>> shown("  Anna\\tLena \\u202e ")
    'Anna Lena'
    """
    kept = "".join(
        " " if c.isspace() else c for c in name if c == _JOINER or c.isspace() or unicodedata.category(c)[0] != "C"
    )
    line = " ".join(kept.split())
    return line if len(line) <= NAME else line[: NAME - 1].rstrip() + "…"


def slug(name: str) -> str:
    """*name* as lower-case ASCII words joined by hyphens; a short hash where nothing of it is left.

    >>> slug("Table 2"), slug("Küche")
    ('table-2', 'kuche')
    >>> slug("♞") == slug("♞") != slug("♜")
    True
    """
    flat = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", flat).strip("-")[:32].strip("-") or _mark(name)


def own_slug(name: str) -> str:
    """As `slug`, with a hash wherever something was lost, so that two names never meet.

    >>> own_slug("Anna"), own_slug("ANNA")
    ('anna', 'anna')
    >>> own_slug("Änna") == "anna"
    False
    """
    plain = slug(name)
    return plain if plain == name.casefold() else f"{plain}-{_mark(name)}"


def _mark(name: str) -> str:
    return sha256(name.casefold().encode("utf-8", "surrogatepass")).hexdigest()[:8]
