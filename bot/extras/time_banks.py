"""The reader's bank of time, as a line of their own view and of the menu of their turn."""

from bot.chat import PersonId
from bot.replies import words
from bot.runtime.clock import Clock
from bot.service.feature import Beside, Feature
from bot.tables.snapshot import Snapshot


class TimeBanks(Feature):
    """Shows the bank of a seat to its person."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def beside(self, snapshot: Snapshot, person: PersonId, lang: str) -> Beside:
        table, seat = snapshot.table, snapshot.table.seat_of(person)
        if snapshot.state is None or seat is None:
            return Beside()
        line = words.own_bank(table, snapshot.state.view(None), seat, self._clock.now(), lang)
        return Beside((line,) if line else ())
