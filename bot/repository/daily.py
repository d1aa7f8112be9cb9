"""The days of the daily puzzles, and the records of people in them."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from bot.chat import PersonId, platform
from bot.repository.repository import Repository
from bot.runtime.clock import from_ms, to_ms
from bot.store.store import Store
from bot.tables.daily import DailyRecord, day_of, number_of, record
from bot.tables.outages import Outage

AWAY = timedelta(hours=6)
"""Outages of a day, in all, that excuse a missed puzzle."""


class DailyRecords:
    """Records of people, by the clock of *repository*. Calls may raise StoreDown."""

    def __init__(self, store: Store, repository: Repository) -> None:
        self._answers = store.daily
        self._repository = repository

    @property
    def today(self) -> int:
        """The number of today's puzzle."""
        return max(1, number_of(from_ms(self._repository.now_ms()).date()))

    async def of(self, person: PersonId) -> DailyRecord:
        """Return the record of *person*. Days in which their platform was away do not end a streak."""
        answers, today = await self._answers.of(person), self.today
        outages = await self._repository.outages.of(platform(person))
        return record(answers, today, excused(outages, min(answers, default=today), today))


def excused(outages: Sequence[Outage], first: int, last: int) -> frozenset[int]:
    """Return the days from *first* to *last* in which the *outages* lasted at least `AWAY` in all."""
    day_ms, least_ms = (round(1000 * length.total_seconds()) for length in (timedelta(days=1), AWAY))
    days = set[int]()
    for number in range(first, last + 1):
        begins_ms = to_ms(datetime.combine(day_of(number), time(), UTC))
        ends_ms = begins_ms + day_ms
        lost_ms = sum(max(0, min(ends_ms, gap.end_ms) - max(begins_ms, gap.start_ms)) for gap in outages)
        if lost_ms >= least_ms:
            days.add(number)
    return frozenset(days)
