"""How much one person may ask for: plenty for playing, too little for flooding."""

from collections import OrderedDict
from datetime import datetime

from bot.chat import PersonId
from bot.clock import Clock

AT_ONCE = 40
A_MINUTE = 60
KEPT = 10_000


class Allowance:
    """A bucket of requests for each person, filled steadily."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left: OrderedDict[PersonId, tuple[datetime, float]] = OrderedDict()

    def takes(self, person: PersonId) -> bool:
        """Take one request of *person*'s; False when there is none left just now."""
        now = self._clock.now()
        then, left = self._left.get(person, (now, float(AT_ONCE)))
        left = min(AT_ONCE, left + (now - then).total_seconds() * A_MINUTE / 60)
        allowed = left >= 1
        self._left[person] = (now, left - allowed)
        self._left.move_to_end(person)
        if len(self._left) > KEPT:
            self._left.popitem(last=False)
        return allowed
