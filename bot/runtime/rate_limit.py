"""How much one person may ask for: plenty for playing, too little for flooding."""

from cachetools import LRUCache

from bot.chat import PersonId
from bot.runtime.clock import Clock

AT_ONCE = 40
A_MINUTE = 60
KEPT = 10_000


class RateLimit:
    """A bucket of requests for each person, filled steadily."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tokens = LRUCache[PersonId, tuple[float, float]](KEPT)  # when, and how many were left then

    def takes(self, person: PersonId) -> bool:
        """Take one request of *person*'s; False when there is none left just now."""
        now, tokens = self._now_and_tokens(person)
        allowed = tokens >= 1
        self._tokens[person] = (now, tokens - allowed)
        return allowed

    def allows(self, person: PersonId) -> bool:
        """Whether there is one left, which is not taken."""
        return self._now_and_tokens(person)[1] >= 1

    def _now_and_tokens(self, person: PersonId) -> tuple[float, float]:
        now = self._clock.monotonic()
        then, tokens = self._tokens.get(person) or (now, float(AT_ONCE))
        return now, min(AT_ONCE, tokens + (now - then) * A_MINUTE / 60)
