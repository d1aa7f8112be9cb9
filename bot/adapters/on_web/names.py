"""Names that people enter, as parts of ids."""

import re
import unicodedata
from hashlib import sha256


def slug(name: str) -> str:
    """Return *name* as lower-case ASCII words joined by hyphens, or a short hash if nothing of it is left.

    >>> slug("Table 2"), slug("Küche")
    ('table-2', 'kuche')
    >>> slug("♞") == slug("♞") != slug("♜")
    True
    """
    flat = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", flat).strip("-")[:32].strip("-") or _mark(name)


def own_slug(name: str) -> str:
    """Return `slug`, with a hash if characters were lost, so that two names never have the same.

    >>> own_slug("Anna"), own_slug("ANNA")
    ('anna', 'anna')
    >>> own_slug("Änna") == "anna"
    False
    """
    plain = slug(name)
    return plain if plain == name.casefold() else f"{plain}-{_mark(name)}"


def _mark(name: str) -> str:
    return sha256(name.casefold().encode("utf-8", "surrogatepass")).hexdigest()[:8]
