"""Findings of the doctor, as texts of the catalogues. They contain no token, password or name."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from enum import StrEnum

from msgspec import Struct

import texts

DOMAIN = "operator"
AHEAD_S = 5.0
"""A clock that deviates more should be set; times of an HTTP answer are whole seconds."""
WRONG_S = 60.0
"""A clock that deviates more calls people at wrong times and breaks leases."""


class Grade(StrEnum):
    """FINE: in order. BETTER: the bot runs, but something could be better. WRONG: the bot cannot work."""

    FINE = "fine"
    BETTER = "better"
    WRONG = "wrong"


class Finding(Struct, frozen=True):
    """The result of one check: the text ``doctor.<key>`` of the catalogue *domain* with *facts*.

    *words*: keys of that catalogue, whose texts become the fact ``listed``.
    """

    grade: Grade
    domain: str
    key: str
    facts: Mapping[str, object] = {}
    words: tuple[str, ...] = ()

    def text(self, lang: str) -> str:
        """Return the finding as a sentence."""
        facts = dict(self.facts)
        if self.words:
            facts["listed"] = texts.listed((texts.say(self.domain, word, lang) for word in self.words), lang)
        return texts.say(self.domain, f"doctor.{self.key}", lang, **facts)


def fine(domain: str, key: str, **facts: object) -> Finding:
    return Finding(Grade.FINE, domain, key, facts)


def better(domain: str, key: str, **facts: object) -> Finding:
    return Finding(Grade.BETTER, domain, key, facts)


def wrong(domain: str, key: str, **facts: object) -> Finding:
    return Finding(Grade.WRONG, domain, key, facts)


def of_clock(theirs: str, ahead_s: float) -> Finding:
    """Return the finding for our clock if the clock of *theirs* (a store, a platform) is *ahead_s* ahead."""
    off = abs(ahead_s)
    if off <= AHEAD_S:
        return fine(DOMAIN, "clock", theirs=theirs)
    return (better if off <= WRONG_S else wrong)(DOMAIN, "clock.off", theirs=theirs, seconds=round(off))


def ahead_s(date: str | None, now: float) -> float | None:
    """Return how far the ``Date`` of an HTTP answer is ahead of *now* (seconds since 1970), or None if unreadable.

    >>> ahead_s("Mon, 05 Jan 2026 12:01:00 GMT", 1767614400), ahead_s("soon", 0), ahead_s(None, 0)
    (60.0, None, None)
    """
    try:
        return None if date is None else parsedate_to_datetime(date).timestamp() - now
    except ValueError:
        return None
