"""The days of the daily puzzles, and the records of people in them."""

from collections.abc import Sequence

from msgspec import Struct

from bot.chat import Person, PersonId, PlaceId, platform
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.runtime.clock import Clock, from_ms, to_ms
from bot.store.daily import DailyDue, DailyWork
from bot.store.store import Store
from bot.tables.daily import DailyRecord, SolverDays, next_time, number_of, record
from bot.tables.outages import Outage
from bot.tables.preferences import DAILY, DAILY_CALLS, DAILY_LANG, DAILY_MOVED, DAILY_NAME, HIDDEN

NAMED = 5
"""Number of people whom a post names."""
WEIGHED = 50
"""Number of people whose streaks are compared to name the longest ones."""


class Solved(Struct, frozen=True):
    """The result of a puzzle in a place. *names*: people with par, the longest streak first. *others*: the number of
    further people with par. *streak*: of the first one. *answered*: the number of all answers."""

    names: tuple[str, ...] = ()
    others: int = 0
    streak: int = 0
    answered: int = 0


class DailyRecords:
    """Records of people, by the clock of *repository*. Calls may raise StoreDown."""

    def __init__(self, store: Store, repository: Repository) -> None:
        self._answers = store.daily
        self._places = store.daily_places
        self._people = store.records
        self._repository = repository

    @property
    def now_ms(self) -> int:
        return self._repository.now_ms()

    @property
    def today(self) -> int:
        """The number of today's puzzle."""
        return max(1, number_of(from_ms(self.now_ms).date()))

    async def of(self, person: PersonId) -> DailyRecord:
        """Return the record of *person*. Days on which their platform was away, or on which the puzzle was not posted
        where they solve it, do not end a streak."""
        (answers, unposted), today = await self._answers.days(person), self.today
        outages = await self._repository.outages.of(platform(person))
        return record(answers, today, unposted | excused(outages, min(answers, default=today), today))

    async def excuse(self, place: PlaceId, number: int) -> None:
        """Store that puzzle *number* was not posted in *place*: its solvers lose no streak."""
        solvers = await self._places.solvers(place)
        if solvers:
            await self._answers.excuse(sorted(solvers), number)

    async def in_place(self, place: PlaceId, numbers: Sequence[int]) -> dict[PersonId, SolverDays]:
        """Return the solvers of *place* who have answered any of the puzzles *numbers*, with these answers."""
        solvers = await self._places.solvers(place)
        people = sorted(solvers)
        answers = dict(zip(people, await self._answers.of_days(people, numbers), strict=True))
        people = [person for person in people if answers[person]]
        hidden = await self._people.settings(people, HIDDEN.name) if people else ()
        return {
            person: SolverDays("" if is_hidden == "on" else solvers[person].name, answers[person])
            for person, is_hidden in zip(people, hidden, strict=True)
        }

    async def solved(self, place: PlaceId, number: int) -> Solved:
        """Return the result of puzzle *number* in *place*."""
        days = await self.in_place(place, (number,))
        solved = {person: day.name for person, day in days.items() if day.solved}
        named = [person for person, name in solved.items() if name][:WEIGHED]
        streaks = {person: (await self.of(person)).streak for person in named}
        named = sorted(named, key=lambda person: -streaks[person])[:NAMED]
        names = tuple(solved[person] for person in named)
        return Solved(names, len(solved) - len(names), streaks[named[0]] if named else 0, len(days))


class DailyWishes:
    """The places that get the puzzles as posts. Calls may raise StoreDown."""

    def __init__(self, store: Store, preferences: Preferences, clock: Clock) -> None:
        self._places = store.daily_places
        self._preferences = preferences
        self._clock = clock

    async def move(self, place: PlaceId, thread: PlaceId, hour: str, lang: str) -> None:
        """Let *thread* get the puzzles of *place* from now on. The thread begins before the place ends: a failure
        between them leaves no one without puzzles."""
        await self.switch(thread, hour, lang)
        await self._places.move(place, thread, messages_stay=True)
        await self._preferences.set_place(place, **{DAILY_MOVED: thread})
        await self.switch(place, DAILY.choices[0], lang)

    async def switch(self, place: PlaceId, hour: str, lang: str, calls: Person | None = None) -> None:
        """Let *place* get the puzzles at this *hour*, a choice of `DAILY`, first at the next one. *lang*: of the posts.
        *calls*: the person whom they call. If the place had a thread for them, it is theirs no more."""
        caller = {} if calls is None else {DAILY_CALLS: calls.id, DAILY_NAME: calls.name}
        caller = {DAILY_CALLS: "", DAILY_NAME: "", **caller}
        await self._preferences.set_place(place, **{DAILY.name: hour, DAILY_LANG: lang}, **caller)
        if hour == DAILY.choices[0]:
            await self._places.cancel(place)
        else:
            await self._preferences.set_place(place, **{DAILY_MOVED: ""})
            due_ms = to_ms(next_time(place, int(hour), self._clock.now()))
            await self._places.schedule(DailyDue(DailyWork.POST, place), due_ms)


def excused(outages: Sequence[Outage], first: int, last: int) -> frozenset[int]:
    """Return the days from *first* to *last* that an outage touches: nobody knows when a person would have come."""
    dates = ((from_ms(gap.start_ms).date(), from_ms(gap.end_ms).date()) for gap in outages)
    return frozenset(
        number
        for begins, ends in dates
        for number in range(max(first, number_of(begins)), min(last, number_of(ends)) + 1)
    )
