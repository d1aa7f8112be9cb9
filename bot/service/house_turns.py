"""The house's turns: the search runs beside everything else, and the result is applied like a player's move.

    saved ──▶ the house is up ──▶ it thinks ──▶ saved ──▶ posted
                  │    at once: the former post shows the player's move (`showing.is_interim`)
                  │    1 s: the platform shows that the bot is typing
                  └    4 s: the board so far is posted if no former post shows it

So a player's turn and the house's answer are one post, and the player's own move is the first thing that changes. If
the table changes meanwhile, the result is dropped. If the search fails, the house plays any legal actions for the rest
of its turn, so no player waits for a search that cannot work. If the process dies, the turn becomes due in the store,
and another process lets the house play it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from msgspec.structs import replace

from bot.chat import Chat, Undelivered, platform
from bot.house.levels import LEVELS
from bot.house.thinking import any_action, share_of
from bot.house.workers import Thinker
from bot.repository.repository import Listener, Repository
from bot.runtime.tasks import cancelled
from bot.store import Conflict, NewerDocument, StoreDown
from bot.tables import absence, forced_actions, house, logbook, showing
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import By, Step, TableId
from rules import State
from rules.chance import Chance

log = logging.getLogger(__name__)

WRITING_S = 1.0
POST_S = 4.0
SHOWN_S = 1.0
"""How long the house's answer waits until the post shows the player's own move."""
LEAST_S = 0.02  # for one decision, however many follow


class HouseTurns:
    """Plays the house's turns. *show*: posts a board. *until_shown*: waits until the boards of a table are posted."""

    def __init__(
        self,
        repository: Repository,
        thinker: Thinker,
        chats: Mapping[str, Chat],
        show: Listener,
        until_shown: Callable[[TableId], Awaitable[None]],
    ) -> None:
        self._until_shown = until_shown
        self._repository = repository
        self._thinker = thinker
        self._chats = chats
        self._show = show
        self._playing: dict[TableId, tuple[str, asyncio.Task[None]]] = {}

    async def published(self, snapshot: Snapshot) -> None:
        """Show a changed board. If the house is the actor, it plays first, and only the beginning of the game and a
        person's own move are shown."""
        if forced_actions.decides(Step(snapshot.table, snapshot.state)) == By.HOUSE:
            if showing.is_interim(snapshot) or not snapshot.recent:
                await self._show(snapshot)
            self.play(snapshot)
        else:
            await self._show(snapshot)

    def play(self, snapshot: Snapshot) -> None:
        """Let the house play at this table, unless it already does."""
        table = snapshot.table.id
        if table in self._playing:
            save, task = self._playing[table]
            if save == snapshot.save:
                return
            task.cancel()  # the table has changed since
        task = asyncio.create_task(self._play(snapshot), name=f"house at {table}")
        self._playing[table] = (snapshot.save, task)
        task.add_done_callback(lambda done: self._forget(table, done))

    def _forget(self, table: TableId, done: asyncio.Task[None]) -> None:
        if table in self._playing and self._playing[table][1] is done:
            del self._playing[table]

    async def idle(self) -> None:
        """Wait until the house has played everywhere."""
        while self._playing:
            await asyncio.wait([task for _, task in self._playing.values()])

    async def stop(self) -> None:
        """Cancel all searches and close the workers."""
        await cancelled(*(task for _, task in self._playing.values()))
        await self._thinker.close()

    async def _play(self, snapshot: Snapshot) -> None:
        planning = asyncio.create_task(self._planned(snapshot))
        try:
            await self._wait(snapshot, planning)
            step = await planning
            with suppress(TimeoutError):
                async with asyncio.timeout(SHOWN_S):
                    await self._until_shown(snapshot.table.id)
            await self._repository.advance(snapshot, step)
        except (StoreDown, Conflict, NewerDocument) as down:
            log.warning("house turn waits: %s error=%s", snapshot.table.facts, down)
        except Exception:
            log.exception("house turn failed: %s", snapshot.table.facts)
            await self._show(snapshot)
        finally:
            planning.cancel()

    async def _wait(self, snapshot: Snapshot, planning: asyncio.Task[Step]) -> None:
        """Show that the bot is typing while *planning* lasts, then post the board so far."""
        await asyncio.wait((planning,), timeout=WRITING_S)
        chat = self._chats.get(platform(snapshot.table.place))
        if planning.done():
            return
        if chat is not None:
            try:
                await chat.show_typing(snapshot.table.place)
            except Undelivered as no:
                log.debug("typing not shown: place=%s error=%s", snapshot.table.place, no)
        await asyncio.wait((planning,), timeout=POST_S - WRITING_S)
        if not planning.done():
            await self._show(snapshot)

    async def _planned(self, snapshot: Snapshot) -> Step:
        """Return all actions of the house until a player is up or the game is over.

        All its turns in a row share the time of one.
        """
        assert snapshot.state is not None
        step, before = Step(snapshot.table, snapshot.state), list[State]()
        if snapshot.state.forgets:
            played = logbook.effective(await self._repository.log(snapshot.table))
            before += (await asyncio.to_thread(logbook.positions, snapshot.table, played))[:-1]
        houses = max(1, sum(seat.house for seat in snapshot.table.seats))
        turn, budget_s, thinks = -1, 0.0, True
        while forced_actions.decides(step) == By.HOUSE:
            state, seat = step.position, step.position.actor
            assert seat is not None
            if step.table.turn != turn:
                turn, budget_s = step.table.turn, LEVELS[house.level(step.table, seat)].seconds / houses
            action = house.given(step)
            if action is None:
                level, number = house.level(step.table, seat), step.table.turn << 12 | len(step.entries)
                seconds = share_of(state.view(seat), budget_s)
                budget_s -= seconds
                chance = Chance(Chance(int(step.table.seed, 16), number, "house").seed())
                views = [position.view(seat) for position in (*before, state)]
                wanted = max(seconds, LEAST_S)
                if thinks:
                    try:
                        action = await self._thinker.action(step.table.game, views, seat, level, chance, wanted)
                    except Exception:  # if every process dies, no player may wait for ever
                        log.exception("house cannot think, plays on without search: %s", step.table.facts)
                        thinks = False
                if action is None:
                    action = any_action(views[-1], seat, chance)
            following = tables.play(step.table, state, action, self._repository.now_ms(), By.HOUSE)
            step = replace(following, entries=step.entries + following.entries)
            if state.forgets:
                before.append(state)
        return absence.rest_if_unattended(step, self._repository.now_ms())
