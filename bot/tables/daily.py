"""The answers of one person to the daily puzzles, and the values derived from them. Pure."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zlib import crc32

from msgspec import Struct

from bot.chat import MessageId, PlaceId

FIRST: Final = date(2026, 1, 1)
"""The date of puzzle number 1, in UTC."""
FREEZES: Final = 2
"""Days of a month that a person may miss without an end of the streak."""
MARKS: Final = 4
SPREAD_S: Final = 480
"""Seconds over which the posts of all places with the same hour are spread."""
LATE: Final = timedelta(hours=6)
"""A post that is later is skipped."""


class DailyAnswer(Struct, frozen=True, omit_defaults=True):
    """The answer that counts: its *result*, the *par* of the puzzle, and the *hints* that the person had asked for."""

    result: int
    par: int
    hints: int = 0

    @property
    def is_par(self) -> bool:
        return self.result >= self.par

    @property
    def marks(self) -> int:
        """How near the result is to par: from 0 to `MARKS`, which only par reaches.

        >>> DailyAnswer(7, 9).marks, DailyAnswer(9, 9).marks, DailyAnswer(-1, 9).marks
        (3, 4, 0)
        """
        return min(MARKS, max(0, MARKS * self.result // self.par)) if self.result > 0 else 0


class DailyRecord(Struct, frozen=True):
    """A person's record. *answered*, *solved*: puzzles answered, and of these with par. *streak*: days in a row up to
    now; *best*: the longest such row."""

    answered: int = 0
    solved: int = 0
    streak: int = 0
    best: int = 0


class Solver(Struct, frozen=True):
    """A person who solves the puzzles in a place, with the *name* that the others there see."""

    name: str


class DailyPost(Struct, frozen=True, omit_defaults=True):
    """The post of a puzzle in a place. *begun_ms*: when a process was about to post it. *message*: "" until it is known
    to be posted. *token*: of the call that began it. *elsewhere*: the place of the message; "": the place itself."""

    begun_ms: int
    message: MessageId = MessageId("")
    token: str = ""
    elsewhere: PlaceId = PlaceId("")


class SolverDays(Struct, frozen=True):
    """The answers of a solver to some puzzles, by number. *name*: "" for a person who is hidden from statistics."""

    name: str
    answers: Mapping[int, DailyAnswer]

    @property
    def solved(self) -> int:
        return sum(answer.is_par for answer in self.answers.values())


def record(answers: Mapping[int, DailyAnswer], today: int, excused: Collection[int] = ()) -> DailyRecord:
    """Return the record of *answers*, by number of the puzzle, on day *today*.

    A missed day does not end a streak if it is *excused* (the bot was away), or one of the first `FREEZES` that the
    person misses in its month. Today is not missed yet.

    >>> done = DailyAnswer(9, 9)
    >>> record({1: done, 2: done, 4: done}, today=5)
    DailyRecord(answered=3, solved=3, streak=3, best=3)
    >>> record({1: done, 5: done}, today=5).streak
    1
    """
    streak = best = frozen = 0
    month = None
    for number in range(min(answers, default=today), today + 1):
        day = day_of(number)
        if (day.year, day.month) != month:
            month, frozen = (day.year, day.month), 0
        if number in answers:
            streak += 1
            best = max(best, streak)
        elif number not in excused and number != today and streak:
            frozen += 1
            if frozen > FREEZES:
                streak = 0
    solved = sum(answer.is_par for answer in answers.values())
    return DailyRecord(len(answers), solved, streak, best)


def number_of(day: date) -> int:
    """Return the number of the puzzle of *day* (UTC): 1 for the first one.

    >>> number_of(date(2026, 1, 1)), number_of(date(2027, 1, 1))
    (1, 366)
    """
    return (day - FIRST).days + 1


def day_of(number: int) -> date:
    """Return the date of puzzle *number*: the inverse of `number_of`."""
    return FIRST + timedelta(days=number - 1)


def month_before(number: int) -> range:
    """Return the puzzles of the month before that of puzzle *number*.

    >>> month_before(number_of(date(2026, 2, 1)))
    range(1, 32)
    """
    first = day_of(number).replace(day=1)
    last = first - timedelta(days=1)
    return range(number_of(last.replace(day=1)), number_of(first))


def newest_time(place: PlaceId, hour: int, now: datetime) -> datetime:
    """Return the newest time up to *now* at which *place* was to get its post. Places of one *hour* (UTC) are spread.

    >>> newest_time(PlaceId("room:hall"), 8, datetime(2026, 1, 5, 12, tzinfo=UTC))
    datetime.datetime(2026, 1, 5, 8, 5, 58, tzinfo=datetime.timezone.utc)
    """
    offset = timedelta(hours=hour, seconds=crc32(place.encode()) % SPREAD_S)
    today = datetime.combine(now.astimezone(UTC).date(), time(), UTC) + offset
    return today if today <= now else today - timedelta(days=1)


def next_time(place: PlaceId, hour: int, now: datetime) -> datetime:
    """Return the first time after *now* at which *place* is to get its post."""
    return newest_time(place, hour, now) + timedelta(days=1)
