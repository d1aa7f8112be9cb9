"""Which places are given up: those that are gone for certain, and those that have taken nothing for long."""

from datetime import datetime, timedelta

from bot.chat import PlaceGone, PlaceId, Refused
from bot.runtime.cache import Cache

ENOUGH = 5
LONG = timedelta(days=1)  # time for an admin to see what is missing
KEPT = 10_000


class Refusals:
    """Counts the refusals of each place since it last took something."""

    def __init__(self) -> None:
        self._since = Cache[PlaceId, tuple[datetime, int]](KEPT)

    def took(self, place: PlaceId) -> None:
        """*place* takes messages."""
        self._since.pop(place)

    def are_enough(self, place: PlaceId, refused: Refused, now: datetime) -> bool:
        """Count one more refusal; whether *place* is to be given up now.

        >>> refusals, noon = Refusals(), datetime(2026, 1, 5, 12)
        >>> refusals.are_enough(PlaceId("x:1"), PlaceGone(), noon)
        True
        >>> [refusals.are_enough(PlaceId("x:2"), Refused(), noon + timedelta(hours=h)) for h in (0, 8, 16, 24, 32)]
        [False, False, False, False, True]
        >>> [refusals.are_enough(PlaceId("x:3"), Refused(), noon) for _ in range(9)][-1]
        False
        """
        first, count = self._since.pop(place) or (now, 0)
        if isinstance(refused, PlaceGone) or (count + 1 >= ENOUGH and now - first >= LONG):
            return True
        self._since[place] = (first, count + 1)
        return False
