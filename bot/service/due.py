"""Due work at tables: lobbies close, forced actions are played, people are reminded, time runs out."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.chat import Membership, PersonId, TryLater, Undelivered, platform
from bot.delivery.outbox import Outbox, give_back
from bot.replies import boards
from bot.repository.repository import FORCED_LONGEST_MS, FORCED_MS, HOUSE_MS, Repository
from bot.runtime.clock import Clock, from_ms, to_ms
from bot.runtime.metrics import Counted
from bot.runtime.retry import ELSEWHERE_S, OUTAGE_PAUSE_S
from bot.runtime.tasks import begin_gently, cancelled
from bot.service.feature import Feature
from bot.service.house_turns import HouseTurns
from bot.service.linking import Linking
from bot.service.voting import VoteAnswers
from bot.store import Conflict, GameMissing, NewerDocument, StoreDown
from bot.store.store import Store
from bot.tables import absence, deadlines, forced_actions
from bot.tables import table as tables
from bot.tables.deadlines import Stage
from bot.tables.linking import other_of
from bot.tables.preferences import hours
from bot.tables.snapshot import Snapshot
from bot.tables.table import By, Phase, Step, Table, TableId
from rules import State

log = logging.getLogger(__name__)

AT_ONCE = 200  # tables that are claimed together
MOST = 1000  # tasks; above it, because platforms refuse posts, only urgent tables are claimed
PATIENCE_S = 2.0  # slower tasks continue beside the next round
ASK_S = 5.0  # time for a platform to say what a person is in a place
TOLD_OUTAGE = "outage"  # attachment of a table: the end of the newest outage that was told there


class Due:
    """Claims due tables and does their work."""

    def __init__(
        self,
        repository: Repository,
        store: Store,
        clock: Clock,
        outbox: Outbox,
        house_turns: HouseTurns,
        chats: Mapping[str, Counted],
        votes: VoteAnswers,
        linking: Linking,
        features: Sequence[Feature] = (),
    ) -> None:
        """*features*: those that may play for a person."""
        self._features = features
        self._votes = votes
        self._linking = linking
        self._chats = chats
        self._house_turns = house_turns
        self._repository = repository
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._at_it: set[asyncio.Task[None]] = set()
        self._claimed: set[tuple[TableId, int]] = set()  # leases that this process holds

    async def stop(self) -> None:
        """Cancel all work and release the leases, so that other processes can claim the tables."""
        await cancelled(*self._at_it)
        now_ms = self._repository.now_ms()
        await give_back(self._store.done_due(table, revision, now_ms) for table, revision in self._claimed)

    async def do(self) -> None:
        """Do the due work of all tables. Raises StoreDown.

        First, each platform has its heartbeat: nothing is decided about the time of an outage that is not known yet.
        Urgent tables go first, and are looked for again after every few hundred reminders. Each table has its own
        task: a slow platform or place delays only its own tables.
        """
        for chat in self._chats.values():
            await self._repository.outages.beat(chat.name, reached=chat.is_reached)
        while True:
            full = len(self._at_it) > MOST
            now_ms = self._repository.now_ms()
            claimed = await self._store.claim_due(now_ms, self._repository.lease_ms, AT_ONCE, urgent_only=full)
            self._claimed.update(claimed)
            await begin_gently(
                (
                    asyncio.create_task(
                        self._do_due_of(table, revision, now_ms + self._repository.lease_ms), name=f"due {table}"
                    )
                    for table, revision in claimed
                ),
                self._at_it,
            )
            if len(claimed) < AT_ONCE:
                break
        if self._at_it:
            await asyncio.wait(tuple(self._at_it), timeout=PATIENCE_S)

    async def _do_due_of(self, table: TableId, revision: int, leased_ms: int) -> None:
        snapshot = later = None
        try:
            snapshot = await self._find(table)
            if snapshot is not None and snapshot.table.revision == revision:
                later = await self._due(snapshot)
            await self._store.done_due(table, revision, None if later is None else to_ms(later), leased_ms)
        except TryLater as no:
            log.info("reminder not posted, later retry: table=%s error=%s", table, no)
        except Conflict:
            log.debug("due work superseded: table=%s", table)
        except StoreDown as down:
            log.warning("due work waits for the store: table=%s error=%s", table, down)
        except GameMissing as missing:  # looked at again when the lease expires
            log.debug("due work waits for the game: table=%s error=%s", table, missing)
        except NewerDocument as newer:
            log.info("due work left to a newer version of the bot: table=%s error=%s", table, newer)
        except Exception:
            log.exception("due work failed: %s", f"table={table}" if snapshot is None else snapshot.table.facts)
        self._claimed.discard((table, revision))  # a cancelled task keeps it, for `stop`

    async def _find(self, table: TableId) -> Snapshot | None:
        """Return the table, or None. Raises GameMissing; the time of the table is stopped then."""
        try:
            return await self._repository.find(table)
        except GameMissing as missing:
            await self._repository.lose_game(missing)
            raise

    async def _due(self, snapshot: Snapshot) -> datetime | None:
        """Do the due work of one table. Return the next time to look, if nothing was changed. Raises TryLater,
        Conflict."""
        table, state = snapshot.table, snapshot.state
        if table.lacks_game:
            await self._repository.regain_game(snapshot)
            return None
        follows = None
        if table.phase != Phase.OVER and other_of(table) is not None:
            follows = await self._linking.due(snapshot)
            if follows is None:
                return None
        ends = deadlines.given_up(table)
        if table.phase in (Phase.LOBBY, Phase.RUNNING) and ends is not None:
            if ends <= self._clock.now():
                await self._repository.give_up(table.id)
                return None
            if table.phase == Phase.LOBBY:
                return min(ends, follows or ends)
        if table.phase == Phase.LOBBY:
            closes = deadlines.lobby_closes(table)
            if closes > self._clock.now():  # an outage has passed meanwhile
                return min(closes, follows or closes)
            await self._repository.advance(snapshot, Step(tables.abandoned(table)))
        elif table.phase == Phase.OVER:
            await self._repository.settle(table)
            for feature in self._features:
                later = await feature.due_after(snapshot)
                if later is not None:
                    return later
        elif state is not None:
            step, now = Step(table, state), self._clock.now()
            match forced_actions.decides(step):
                case By.HOUSE:  # the process that thinks for it has died, or still thinks
                    self._house_turns.play(snapshot)
                    return from_ms(to_ms(now) + HOUSE_MS)
                case By.TABLE if ends is not None:  # no player can see it before the place is back
                    return ends
                case By.TABLE if not could_be_seen(snapshot, to_ms(now)):
                    return from_ms(to_ms(now) + FORCED_MS)
                case By.TABLE:
                    await self._outbox.fade(table, this_turn_too=True)  # a menu for forced actions has no use any more
                    await self._repository.advance(snapshot, forced_actions.play_forced(step, to_ms(now)))
                case By.CHANNEL:
                    if await self._repository.outages.lasts(platform(table.place)):
                        return now + timedelta(seconds=OUTAGE_PAUSE_S)
                    return await self._votes.due(snapshot)
                case By.REMOTE:
                    return follows if ends is None or follows is None else min(ends, follows)
                case By.PERSON:
                    return await self._wait_for_person(snapshot, state, now)
                case None:  # it rests
                    return ends
        return None

    async def _wait_for_person(self, snapshot: Snapshot, state: State, now: datetime) -> datetime | None:
        """Play the actor's turn if they have planned it, remind them, or let their time run out. Return when to look
        again, if nothing was changed."""
        table, seat = snapshot.table, state.actor
        assert seat is not None
        if await self._repository.outages.lasts(platform(table.place)):  # told soon after it, and reminded then
            return now + timedelta(seconds=OUTAGE_PAUSE_S)
        for feature in self._features:
            if await feature.plays_for(snapshot):
                return None
        if table.replies_only:  # no reminders and clocks; a request finds the silence (`note_silence`)
            return None
        turn_time = deadlines.turn_time(table, state, now)
        match turn_time.stage:
            case Stage.UP:
                await self._time_is_up(snapshot, to_ms(now))
                return None
            case stage if (stage != Stage.EARLY or table.excused_ms) and not self._outbox.serves(table.place):
                return now + timedelta(seconds=ELSEWHERE_S)
            case stage if stage != Stage.EARLY and await self._has_left(table, seat):
                await self._repository.member_left(table.id, table.place, table.seats[seat].person)
                return None
            case _ if await self._tell_outage(table, seat, turn_time.up, now):
                pass
            case stage if stage != Stage.EARLY and deadlines.may_ping(table, table.seats[seat], now):
                up = turn_time.next if stage == Stage.SILENT else turn_time.up
                remaining = None if up is None else up - now
                reply = boards.reminder(table, seat, stage, remaining, table.lang)
                await self._outbox.remind(table, reply, f"{table.id}-{table.revision}{stage[0]}")
        return turn_time.next

    async def _has_left(self, table: Table, seat: int) -> bool:
        """Return whether the person of *seat* has left the place, as far as the platform says; asked if they are
        silent."""
        chat = self._chats.get(platform(table.place))
        if chat is None or table.alone or table.is_overdue or not absence.has_others(table, seat):
            return False
        try:
            async with asyncio.timeout(ASK_S):
                return await chat.membership(table.place, table.seats[seat].person) is Membership.GONE
        except (Undelivered, TimeoutError):
            return False

    async def _tell_outage(self, table: Table, seat: int, up: datetime | None, now: datetime) -> bool:
        """Tell players of an outage whose time was added in this turn, and remind *seat*. Return False if there is
        none, or if it was told before. *up*: when the clock runs out."""
        if not table.excused_ms:
            return False
        outage = await self._repository.outages.ended(platform(table.place), table.excused_ms)
        end = str(table.excused_ms).encode()
        if outage is None or await self._store.attachment(table.id, TOLD_OUTAGE) == end:
            return False
        pings = deadlines.may_ping(table, table.seats[seat], now)
        remaining = None if up is None else up - now
        post = boards.after_outage(table, seat, outage.length, remaining, table.lang, pings=pings)
        await self._outbox.remind(table, post, f"{table.id}-{table.excused_ms}")
        await self._store.attach(table.id, TOLD_OUTAGE, end)
        return True

    async def note_silence(self, snapshot: Snapshot, person: PersonId) -> Snapshot:
        """Return *snapshot*, changed if its actor has been silent for long: the others may decide then.

        A table in a visited place is not due by itself, so requests for the board check it.
        """
        table, state, now = snapshot.table, snapshot.state, self._clock.now()
        if table.phase != Phase.RUNNING or state is None or table.is_overdue or hours(table.clock) is not None:
            return snapshot
        if table.seat_of(person) in (None, state.actor) or deadlines.turn_time(table, state, now).stage != Stage.UP:
            return snapshot
        await self._time_is_up(snapshot, to_ms(now))
        return await self._repository.load(table.id)

    async def _time_is_up(self, snapshot: Snapshot, now_ms: int) -> None:
        step = await self._repository.without_unsent(
            snapshot, lambda table, state: absence.time_is_up(table, state, now_ms)
        )
        await self._repository.advance(snapshot, step)


def could_be_seen(snapshot: Snapshot, now_ms: int) -> bool:
    """Return whether the board was posted or cannot be posted: forced actions wait until people have seen it."""
    posted = snapshot.board_message is not None and snapshot.board_message.revision >= snapshot.table.revision
    return posted or not snapshot.recent or now_ms - snapshot.recent[-1].at_ms > FORCED_LONGEST_MS
