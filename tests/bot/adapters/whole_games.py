"""A whole game of any kind: the actor, the action, and the buttons that lead to it.

The platform decides how people press and type: see `Match.to_the_end`.
"""

import random
from collections.abc import Awaitable, Callable, Container
from datetime import timedelta

from msgspec import Raw, Struct
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.replies.tree import Tree
from bot.requests import payload
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Phase, Table, TableId
from rules import GAMES, Action, State
from tests.bot.conftest import HandClock

MOST_ACTIONS = 600
MOST_TAPS = 12  # for one action
MOST_SEATS = 4  # of a whole game
QUICK = {"hex": "7"}
"""Wishes for a quick game, for installed games."""
ENDS = 0.5
"""Probability of ending a turn that could go on."""
NAMES = ("Anna", "Ben", "Clara", "David", "Eva", "Finn")


class Choice(Struct, frozen=True):
    """The next input of *person* at this revision of the table: the number of the action among *actions*. *line*:
    the same as typed text, with all actions that are typed together."""

    person: PersonId
    revision: int
    actions: tuple[Action, ...]
    number: int
    line: str

    def __str__(self) -> str:
        return str(self.actions[self.number])

    def is_offered(self, payloads: list[str]) -> bool:
        """Return whether one of these buttons belongs to a menu for this revision."""
        read = [payload.read(encoded) for encoded in payloads]
        return any(content is not None and content.numbers[:1] == (self.revision,) for content in read)

    def is_played(self, payloads: list[str]) -> bool:
        """Return whether one of these buttons belongs to the next menu: single possibilities are skipped."""
        return replace(self, revision=self.revision + 1).is_offered(payloads)

    def next_tap(self, payloads: list[str], been: list[str]) -> str:
        """Return the button to press in a menu: one that plays, else one that leads furthest, else another page. It is
        added to *been*, the buttons that were pressed before."""
        best, depth = "", -1
        for encoded in payloads:
            result = payload.read(encoded)
            if result is None or result.numbers[:1] != (self.revision,) or encoded in been:
                continue
            if result.verb == "play" and result.numbers[1] == self.number:
                return encoded
            path = result.numbers[2:]
            leads = any(number == self.number for number, _ in Tree(self.actions).under(path))
            if result.verb == "menu" and leads and len(path) >= depth:
                best, depth = encoded, len(path)
        assert best, f"{self} cannot be chosen among {payloads}"
        been.append(best)
        return best


def asked(payloads: list[str]) -> str | None:
    """Return the button that confirms a questioned action, if there is one."""
    return next((payload for payload in payloads if payload.startswith("sure:")), None)


Plays = Callable[[Choice], Awaitable[object]]


class Match:
    """A table in the store, and people who play it to its end."""

    def __init__(self, store: Store, service: Service, clock: HandClock, place: PlaceId, luck: int) -> None:
        """*luck*: the random source of all choices."""
        self._store = store
        self._service = service
        self._clock = clock
        self._place = place
        self._luck = random.Random(luck)

    async def to_the_end(self, plays: Plays, *, in_one_go: Container[PersonId] = ()) -> Table:
        """Let the actor play legal actions until the table is over. *in_one_go*: people who play all their
        consecutive actions at once."""
        held = await self._store.at(self._place)
        assert held is not None
        for number in range(MOST_ACTIONS):
            table = await self._table(held)
            if table.phase == Phase.OVER:
                return table
            assert isinstance(table.state, Raw)
            state: State = GAMES[table.game].decode(bytes(table.state))
            await self._clock.advance(timedelta(seconds=13))
            if state.forced is not None:
                await self._service.do_due()
            else:
                assert state.actor is not None
                person, actions = table.seats[state.actor].person, state.actions()
                line = self._line(state, number, person in in_one_go)
                typed = " ".join(map(str, line))
                await plays(Choice(person, table.revision, actions, actions.index(line[0]), typed))
            await self._service.idle()
            assert (await self._table(held)).revision > table.revision, f"{table!r} did not go on"
        raise AssertionError("the game does not end")

    def _line(self, state: State, number: int, whole_turn: bool) -> list[Action]:
        """Return all actions that the actor plays at once."""
        line = [self._choice(state, number)]
        after = state.play(line[0])
        while whole_turn and after.actor == state.actor and after.forced is None:
            line.append(self._choice(after, number))
            after = after.play(line[-1])
        return line

    def _choice(self, state: State, number: int) -> Action:
        """Return a legal action that advances the game: turns end, long games are drawn, no piece is given away."""
        actions: dict[str, Action] = {str(action): action for action in state.actions()}
        if number < 40:
            actions.pop("draw", None)
        actions = {
            notation: action
            for notation, action in actions.items()
            if notation == "draw" or (state.warns(action) or state.cautions(action)) is None
        }
        if "draw" in actions:
            return actions["draw"]
        if "end" in actions and self._luck.random() < ENDS:
            return actions["end"]
        return self._luck.choice(list(actions.values()))

    async def _table(self, table: TableId) -> Table:
        loaded = await self._store.load(table)
        assert loaded is not None
        return loaded.table
