"""Plans of next turns: kept in secret, played once like a turn by hand, or dropped with a reason."""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from typing import Any, cast

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.app import build
from bot.chat import PersonId, Press, Reply, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.repository.repository import Applied
from bot.requests import Agree, KeepStanding, QuestionStamp, Resign, Stamp
from bot.service.service import Service
from bot.store import keys
from bot.store.store import Store
from bot.tables import logbook, plans
from bot.tables import table as tables
from bot.tables.plans import Plan
from bot.tables.table import By, Entry, Phase, Table, TableId
from kaleidobot.testing import resampling
from rules import GAMES, State
from tests.bot.conftest import HandClock
from tests.bot.scanning import where
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_service import at_position, table_here, text
from tests.bot.talk.test_since import TABLE
from tests.bot.talk.turns import a_turn, saved
from tests.bot.talk.worlds import Scribe, World, position
from tests.rules import kaleidoskop

LONGEST_S = 91
MISSED = "didn't fit"


async def begin(crowd: Crowd, game: str = "kabooom easy", *others: str) -> None:
    await crowd.says("anna", f"/newgame {game}")
    for name in others or ("ben",):
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")


async def passes(crowd: Crowd, clock: HandClock, seconds: float = LONGEST_S) -> None:
    await clock.advance(timedelta(seconds=seconds))
    await crowd.service.do_due()
    await crowd.service.idle()


async def actions(store: Store) -> list[str]:
    return [entry.action for entry in await store.log((await table_here(store)).id)]


def planned_turn(
    table: Table,
    state: State,
    entries: tuple[Entry, ...],
    seat: int,
    luck: random.Random,
    later: State | None = None,
) -> str:
    """Return a random whole turn that *seat* can plan, as it is typed, or "". *later*: a view that it fits, too."""
    seen = logbook.public_position(table, state, entries).view(seat)
    start = plans.base(seen, seat)
    if start is None:
        return ""
    chosen = list[int]()
    for _ in range(30):
        walk = plans.walked(table, start, seat, chosen)
        if walk.is_whole and walk.misfit is None:
            return " ".join(walk.steps)
        if walk.misfit is not None:
            chosen = chosen[:-2]
            continue
        usable = [
            number
            for number, action in enumerate(walk.view.actions())
            if tables.question_before(table, walk.view, action) is None
            and (later is None or plans.walked(table, later, seat, (*walk.steps, str(action))).misfit is None)
        ]
        if not usable:
            return ""
        chosen.append(luck.choice(usable))
    return ""


# Whole games


class Evening:
    """Two people with bots that can be killed. Nothing is posted, so nothing is painted."""

    def __init__(self, store: Store, painter: Pictures, clock: HandClock) -> None:
        self.store, self.clock, self._painter = store, clock, painter
        self._updates = count(100)
        self._crowd = Crowd(self.bot(), RecordingChat())
        self.services = [self.bot(), self.bot()]

    async def begins(self, game: str, *others: str) -> TableId:
        """Begin a game, with a bot that posts."""
        opening = self._crowd.service
        opening.add(self._crowd.chat)
        await begin(self._crowd, game, *others)
        await opening.stop()
        return (await table_here(self.store)).id

    def bot(self) -> Service:
        return build(self.store, self._painter, self.clock, draw=lambda n: "07" * n)

    async def stop(self) -> None:
        for service in self.services:
            await service.stop()

    async def dies(self) -> None:
        """Kill both bots, one of them just before it plays a plan, and start others."""
        await self.store.claim_due(self._now_ms(), 120_000, 9)
        await self.stop()
        self.services = [self.bot(), self.bot()]
        await self.clock.advance(timedelta(seconds=121))

    def _now_ms(self) -> int:
        return self.services[0].repository.now_ms()

    async def says(self, name: str, line: str) -> Reply | None:
        update = Update(UpdateId(f"room:{next(self._updates)}"), self._crowd.person(name), ROOM, Typed(line))
        reply = await self.services[0].handle(update)
        await self.services[0].idle()
        return reply

    async def presses(self, name: str, payload: str) -> Reply | None:
        update = Update(UpdateId(f"room:{next(self._updates)}"), self._crowd.person(name), ROOM, Press(payload))
        reply = await self.services[0].handle(update)
        await self.services[0].idle()
        return reply

    async def takes_back(self, held: TableId, name: str) -> bool:
        """Let *name* take back their last turn, if the others have to agree: they do. Return whether they have."""
        await self.says(name, "/undo")
        table = await saved(self.store, held)
        for other in table.seats:
            if table.ask is not None and not other.house and other.person not in table.ask.agreed:
                agrees = Agree(held, QuestionStamp.of(table.ask), yes=True).payload
                await self.presses(other.name.lower(), agrees)
                table = await saved(self.store, held)
        return any(entry.back for entry in (await self.store.log(held))[-1:])

    async def passes(self, seconds: float) -> None:
        """Both bots do the due work at once."""
        await self.clock.advance(timedelta(seconds=seconds))
        await asyncio.gather(*(service.do_due() for service in self.services))
        for service in self.services:
            await service.idle()


@pytest.fixture
async def evening(store: Store, painter: Pictures, clock: HandClock) -> AsyncIterator[Evening]:
    made = Evening(store, painter, clock)
    yield made
    await made.stop()


def by_hand(table: Table, log: tuple[Entry, ...]) -> State:
    """Return the last position of a log in which each action is legal and has the turn and the facts that it would
    have by hand."""
    state: Any = GAMES[table.game].start(len(table.seats), table.options, int(table.seed, 16))
    at = replace(table, phase=Phase.RUNNING, turn=0, interrupted=None, result=None, question=None)
    for entry in logbook.effective(log):
        at = replace(at, turn=entry.turn) if at.turn > entry.turn else at
        step = tables.play(at, state, logbook.action_of(state, entry.action), entry.at_ms, entry.by)
        (same,) = step.entries
        assert (same.seat, same.action, same.turn, same.news) == (entry.seat, entry.action, entry.turn, entry.news)
        at, state = replace(step.table, phase=Phase.RUNNING), step.position
    return cast("State", state)


class Promises:
    """Acknowledged plans that are not played, dropped or replaced yet, by name: the turn in which they were made and
    their steps."""

    def __init__(self, evening: Evening, held: TableId) -> None:
        self._evening, self._held = evening, held
        self.open: dict[str, tuple[int, str]] = {}
        self.played = self.missed = self.replaced = self.delayed = 0
        self.played_without_leaver = 0

    async def settle(self) -> None:
        """Check each plan whose turn has come: it was played once, or its person alone reads why not."""
        for name, (turn, steps) in list(self.open.items()):
            content = await self._evening.store.attachment(self._held, keys.own(plans.NAME, PersonId(f"room:{name}")))
            known = plans.decoded(content or b"")
            if isinstance(known, Plan):
                continue
            del self.open[name]
            if known is not None:
                assert MISSED in text(await self._evening.says(name, "/games")).splitlines()[0]
                for other in {*PEOPLE} - {name}:
                    assert MISSED not in text(await self._evening.says(other, "/games"))
                self.missed += 1
                continue
            table = await saved(self._evening.store, self._held)
            seat = [one.name.lower() for one in table.seats].index(name)
            done = dict[int, list[Entry]]()
            for entry in logbook.effective(await self._evening.store.log(self._held)):
                if entry.turn > turn and entry.seat == seat and entry.by != By.HOUSE:
                    done.setdefault(entry.turn, []).append(entry)
            whole = [entries for entries in done.values() if " ".join(entry.action for entry in entries) == steps]
            if not whole:
                assert table.phase == Phase.OVER or table.seats[seat].house, f"{steps} is lost"
                self.replaced += 1
                continue
            assert len(whole) == 1
            self.played += 1
            self.played_without_leaver += any(one.house for one in table.seats)

    def is_due(self, name: str, table: Table) -> bool:
        return name in self.open and table.turn > self.open[name][0] and table.interrupted is None


PEOPLE = ("anna", "ben", "clara")


GAMES_WITH_PLANS = ("kabooom easy", "crystalla", "kaleidoskop short", "kalejdoschach", "colorio off")


@pytest.mark.parametrize("game", GAMES_WITH_PLANS)
async def test_games_with_half_of_the_turns_planned_could_be_played_by_hand(evening: Evening, game: str) -> None:
    """Anna and Ben plan, Clara does not. Bots die, turns are taken back, clocks run out, and all three resign one after
    another: after the first two the house plays on."""
    luck, held = random.Random(f"{game}a"), await evening.begins(game, *PEOPLE[1:])
    promises = Promises(evening, held)
    leaving = dict(zip(luck.sample(PEOPLE, 3), (luck.randrange(9, 18), luck.randrange(24, 34), 40), strict=True))
    for number in range(41):
        await promises.settle()
        loaded = await evening.store.load(held)
        assert loaded is not None
        table = loaded.table
        if table.phase == Phase.OVER:
            break
        state, names = position(table), [seat.name.lower() for seat in table.seats]
        assert state.actor is not None
        actor = names[state.actor]
        people = [name for name, seat in zip(names, table.seats, strict=True) if not seat.house]
        if table.is_resting:
            await evening.says(people[0], "/board")
            continue
        if (leaver := next((name for name in people if number >= leaving[name]), "")) and table.ask is None:
            await evening.presses(leaver, Resign(held, Stamp.of(table)).payload)
            left = await saved(evening.store, held)
            assert left.seats[names.index(leaver)].house or left.phase == Phase.OVER
            continue
        if state.forced is not None or actor not in people:
            await evening.passes(65)
            continue
        for idle in sorted({*PEOPLE[:2]} & {*people} - {actor} - {*promises.open}):
            seat = names.index(idle)
            if luck.random() < 0.7 and plans.may_plan(table, state, table.seats[seat].person):
                turn = planned_turn(table, state, loaded.recent, seat, luck)
                if turn:
                    assert text(await evening.says(idle, f"/plan {turn}")).startswith("🗓 ")
                    promises.open[idle] = (table.turn, turn)
        if number % 5 == 4:
            await evening.dies()
        if number % 7 == 6:
            await evening.passes(luck.choice((13, 25)) * 3600)
        elif luck.random() < 0.2 or (not promises.delayed and promises.is_due(actor, table)):
            former = [names[entry.seat] for entry in logbook.effective(loaded.recent) if names[entry.seat] in people]
            undone = await evening.takes_back(held, former[-1] if former else actor)
            promises.delayed += promises.is_due(actor, table) and undone
        elif promises.is_due(actor, table):
            before = await evening.store.log(held)
            await evening.passes(LONGEST_S)
            after = await evening.store.log(held)
            own = {entry.seat for entry in after[len(before) :] if entry.action and entry.by == By.PERSON}
            assert own <= {state.actor, *(names.index(name) for name in promises.open)}
        else:
            if actor in promises.open and table.interrupted is None:
                del promises.open[actor]
                promises.replaced += 1
            await evening.says(actor, f"/move {a_turn(state, luck)}")
    await promises.settle()
    over = await saved(evening.store, held)
    assert over.phase == Phase.OVER
    assert by_hand(over, await evening.store.log(held)) == position(over)
    for name in PEOPLE:
        assert not await evening.store.owned(held, PersonId(f"room:{name}"))
    assert promises.played
    assert promises.played_without_leaver
    assert promises.delayed


# In secret


def fitting(table: Table, state: State) -> tuple[str, str]:
    """Return a planned turn of the other one of two seats, and a turn of the actor after which it fits."""
    assert state.actor is not None
    other = 1 - state.actor
    played, after = a_turn(state, random.Random(8)), cast("Any", state)
    for word in played.split():
        after = after.play(logbook.action_of(after, word))
    for number in count():
        planned = planned_turn(table, state, (), other, random.Random(number), after.view(other))
        walk = plans.walked(table, after.view(other), other, planned.split())
        if walk.is_whole and walk.misfit is None:
            return planned, played
    raise AssertionError("no plan fits")


def without_marks(heard: object) -> str:
    """Return the text without the marks of saves and the nonces of posts, which depend on the cause of a save."""
    return re.sub(r"(?<=[a-z2-7]{10})-[a-z2-7]{3}\b|'[0-9a-f]{24}'", "", repr(heard))


@pytest.mark.parametrize("game", GAMES_WITH_PLANS)
async def test_no_byte_tells_others_that_a_turn_was_planned(world: World, raw: Redis, game: str) -> None:
    """All that others see and read: with a plan that is played, one that is dropped, and the same turn by hand at the
    same moment."""
    turns, heard = list[str](), list[str]()
    for way in ("by hand", "planned", "dropped"):
        others = list[object]()

        async def play(crowd: Crowd, way: str = way, others: list[object] = others) -> None:
            async def look(*lines: str) -> None:
                for name in (actor, "zoe"):
                    for line in lines:
                        await crowd.says(name, line)

            await begin(crowd, game)
            loaded = await world.newest()
            table, state = loaded.table, position(loaded.table)
            assert state.actor is not None
            actor, idle = (table.seats[seat].name.lower() for seat in (state.actor, 1 - state.actor))
            if not turns:
                turns.extend(fitting(table, state))
            planned, played = turns
            plan = f"/plan {planned} if {state.actions()[-1] if way == 'dropped' else played}"
            reply = await crowd.says(idle, "/view" if way == "by hand" else plan)
            assert way == "by hand" or "🗓" in text(reply)
            await look("/view", "/more", "/board", "/games", "/undo", "/plan")
            await crowd.says(actor, f"/move {played}")
            await passes(crowd, world.clock, 19)
            await look("/view", "/more", "/history", "/games")
            await passes(crowd, world.clock)
            if way != "planned":
                await crowd.says(idle, f"/move {planned}")
            await look("/view", "/history", "/games")
            assert isinstance(crowd.chat, Scribe)
            others += [said for said in crowd.chat.private if idle not in repr(said)[:9]]

        raw.flushall()
        world.messages = {}
        public, _, logged = await world.hears(play, 0)
        assert not any(word in repr(logged) for word in (MISSED, "🗓", *turns[0].split()))
        heard.append(without_marks((public, others)))
    assert heard[0] == heard[1]
    assert heard[0] == heard[2]


async def test_the_delay_of_a_planned_turn_is_random(store: Store, painter: Pictures, clock: HandClock) -> None:
    """From 20 to 90 seconds, drawn anew for each turn."""
    delays = set[int]()
    for number in (0, 35_000, 70_000):

        def draw(length: int, number: int = number) -> str:
            return f"{number:0{2 * length}x}"

        service, chat = build(store, painter, clock, draw=draw), RecordingChat()
        service.add(chat)
        crowd = Crowd(service, chat, updates=1000 * number + 1)
        await begin(crowd)
        table = await table_here(store)
        turn = planned_turn(table, position(table), (), 1, random.Random(1))
        await crowd.says("ben", f"/plan {turn}")
        await crowd.says("anna", "/move pass")
        waited = 0
        for second in (19, 20, 54, 55, 89, 90):
            await passes(crowd, clock, second - waited)
            waited = second
            if len(await actions(store)) > 1:
                delays.add(second)
                break
        await crowd.ends("ada")
        await service.stop()
    assert delays == {20, 55, 90}


# Once


async def test_a_plan_is_kept_only_while_another_seat_acts(crowd: Crowd, store: Store) -> None:
    await begin(crowd)
    table = await table_here(store)
    before = await crowd.service.repository.load(table.id)
    await crowd.says("anna", "/move b1-b2")
    ben = PersonId("room:ben")
    assert not await crowd.service.repository.keep_plan(before, ben, plans.encoded(Plan(0, ("f2-e1",))))
    assert await crowd.service.repository.plan(before, ben) == b""


async def test_the_note_about_a_plan_outlasts_the_turns_of_others(crowd: Crowd, store: Store) -> None:
    await begin(crowd)
    standing = Press(KeepStanding((await table_here(store)).id, 0).payload)
    for kept in (await crowd.says("ben", "/plan f2-e1"), await crowd.sends("ben", standing)):
        assert kept is not None
        assert kept.expires is None


async def test_a_plan_that_is_withdrawn_at_the_last_moment_is_not_played(crowd: Crowd, store: Store) -> None:
    await begin(crowd)
    await crowd.says("ben", "/plan f2-e1")
    await crowd.says("anna", "/move b1-b2")
    repository, ben = crowd.service.repository, PersonId("room:ben")
    snapshot = await repository.load((await table_here(store)).id)
    content = await repository.plan(snapshot, ben)
    plan = plans.decoded(content)
    assert isinstance(plan, Plan)
    step = plans.played(plan, snapshot.table, position(snapshot.table), snapshot.recent, repository.now_ms())
    await crowd.says("ben", "/plan")
    await crowd.says("ben", "[Withdraw the plan]")
    done = await repository.play_plan(snapshot, ben, step, content)
    assert done is not None
    assert not done.is_saved
    assert await actions(store) == ["b1-b2"]


async def test_the_clock_goes_on_if_the_plan_is_withdrawn_as_it_is_played(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(crowd)
    await crowd.says("ben", "/plan f2-e1")
    await crowd.says("anna", "/move b1-b2")
    repository, ben = crowd.service.repository, PersonId("room:ben")
    play_plan = repository.play_plan

    async def withdrawn(*args: Any, **more: Any) -> Applied | None:
        await repository.withdraw_plan((await table_here(store)).id, ben)
        return await play_plan(*args, **more)

    monkeypatch.setattr(repository, "play_plan", withdrawn)
    await passes(crowd, clock)
    assert await repository.plan(await repository.load((await table_here(store)).id), ben) == b""
    assert await actions(store) == ["b1-b2"]
    chat.pings.clear()
    await passes(crowd, clock, 13 * 3600)
    assert chat.pings == [ben]


async def test_a_turn_by_hand_replaces_the_plan(crowd: Crowd, store: Store, clock: HandClock) -> None:
    await begin(crowd)
    await crowd.says("ben", "/plan f2-e1")
    await crowd.says("anna", "/move b1-b2")
    await crowd.says("ben", "/move c2-d1")
    await crowd.says("anna", "/move a3-b4")
    await passes(crowd, clock)
    assert await actions(store) == ["b1-b2", "c2-d1", "a3-b4"]


async def test_a_plan_waits_for_an_open_question(crowd: Crowd, store: Store, clock: HandClock) -> None:
    """A turn that is about to be taken back is not answered by a plan."""
    await begin(crowd)
    await crowd.says("ben", "/plan f2-e1")
    await crowd.says("anna", "/move b1-b2")
    await crowd.says("anna", "/undo")
    await passes(crowd, clock)
    assert await actions(store) == ["b1-b2"]
    table = await table_here(store)
    assert table.ask is not None
    await crowd.sends("ben", Press(Agree(table.id, QuestionStamp.of(table.ask), yes=False).payload))
    await passes(crowd, clock)
    assert (await actions(store))[-1] == "f2-e1"


@pytest.mark.parametrize(
    ("plan", "played", "why"),
    [
        ("f2-e1", "e1-f2", "The tower on f2 isn't yours."),
        ("pass", "pass", "Pass needs your own yes."),
        ("f2-e1 if b1-b2", "pass", "Anna began with something else."),
    ],
)
async def test_private_answers_begin_with_the_reason_of_a_dropped_plan(
    crowd: Crowd, store: Store, clock: HandClock, plan: str, played: str, why: str
) -> None:
    await begin(crowd)
    await crowd.says("ben", f"/plan {plan}")
    await crowd.says("anna", f"/move {played}")
    for waits_s in (0, LONGEST_S):
        await passes(crowd, clock, waits_s)
        for line in ("[Move]", "/view", "/games"):
            assert why in text(await crowd.says("ben", line)).splitlines()[0]
    assert await actions(store) == [played]


async def test_a_turn_that_needs_a_yes_is_no_plan(crowd: Crowd, store: Store) -> None:
    await begin(crowd, "kalejdoschach")
    planned: Any = position(await table_here(store)).turn_of(1)
    own = next(action for action in planned.actions() if planned.warns(action))
    assert "needs your own yes" in text(await crowd.says("ben", f"/plan {own}"))
    assert not await store.owned((await table_here(store)).id, PersonId("room:ben"))


PASSING = "c1-d2 c2-d1 b1-a1 d3-e4 d2-c3 f2-e1 b2-a2 f4-e3 c4-b4 e1-d1"


async def test_a_standing_turn_is_played_each_time_until_its_person_moves(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    await begin(crowd)
    for number, move in enumerate(PASSING.split()):
        await crowd.says("anna" if number % 2 == 0 else "ben", f"/move {move}")
    await crowd.says("anna", "/move a1-a2")
    for line in ("/move pass", "[Yes, pass]", "/plan", "[Pass until…]"):  # asked once, as he would lose
        await crowd.says("ben", line)
    for move in ("a3-b3", "b4-a4"):
        await crowd.says("anna", f"/move {move}")
        await passes(crowd, clock)
        assert (await actions(store))[-2:] == [move, "pass"]
    await crowd.says("anna", "/move b3-a4")
    await crowd.says("ben", "/move d1-e2")
    assert (await actions(store))[-1] == "d1-e2"
    assert not await store.owned((await table_here(store)).id, PersonId("room:ben"))


async def test_a_standing_turn_may_end_turns_that_its_person_begins(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    """Ben has tools and places crystals only; his turns end without another tap until he uses a tool."""
    await begin(crowd, "kaleidoskop")
    tools = kaleidoskop.player(score=9, tools=kaleidoskop.READY)
    await at_position(crowd, store, kaleidoskop.position("27r", tools, tools, seats=2))
    await crowd.says("ben", "/plan")
    await crowd.says("ben", "[End my turns…]")
    await crowd.says("anna", "/move 10g end")
    await passes(crowd, clock)
    assert (await actions(store))[-1] == "end", "the crystal is Ben's own decision"
    reply = text(await crowd.says("ben", "/move 11y"))
    assert "End my turns without tools" in reply
    assert "within a minute and a half" in reply
    await passes(crowd, clock, 19)
    assert (await actions(store))[-1] == "11y"
    await passes(crowd, clock)
    assert (await actions(store))[-2:] == ["11y", "end"]
    await crowd.says("anna", "/move 20g end")
    await crowd.says("ben", "/move 21y hold")
    await passes(crowd, clock)
    assert (await actions(store))[-1] == "hold"
    assert "Your plan has ended: A task is complete, or you've used a tool." in text(await crowd.says("ben", "/view"))


async def test_a_turn_that_its_person_ends_ends_their_standing_turn(crowd: Crowd, store: Store) -> None:
    await begin(crowd, "kaleidoskop")
    tools = kaleidoskop.player(score=9, tools=kaleidoskop.READY)
    await at_position(crowd, store, kaleidoskop.position("27r", tools, tools, seats=2))
    await crowd.says("ben", "/plan")
    await crowd.says("ben", "[End my turns…]")
    await crowd.says("anna", "/move 10g end")
    held = (await table_here(store)).id
    await crowd.says("ben", "/move 11y")
    assert await store.owned(held, PersonId("room:ben"))
    await crowd.says("ben", "/move end")
    assert not await store.owned(held, PersonId("room:ben"))


# Only the view of the seat


@pytest.mark.parametrize(("game", "options"), [("colorio", {"memory": "off"}), ("kaleidoskop", {}), ("crystalla", {})])
def test_hidden_facts_decide_nothing_about_a_plan(game: str, options: dict[str, str]) -> None:
    """A plan is no question to the bot about cards and colours that its person cannot see."""
    luck, judged = random.Random(game), 0
    state: Any = GAMES[game].start(2, options, 7)
    table = replace(TABLE, game=game, seats=TABLE.seats[:2])
    while state.actor is not None and judged < 60:
        seat, alike = state.actor, state
        listed = [str(action) for action in state.actions()]
        for steps in (
            luck.sample(listed, min(2, len(listed))),
            [luck.choice(listed), "x"],
            a_turn(state, luck).split(),
        ):
            alike = resampling.module_of(game).resample(state, seat, luck.getrandbits(64))
            plan = Plan(-1, tuple(steps))
            assert plans.misfit(plan, table, state, ()) == plans.misfit(plan, table, alike, ())
            judged += 1
        for text_ in a_turn(state, luck).split():
            state = state.play(logbook.action_of(state, text_))
    assert judged > 30


async def test_a_game_of_remembering_has_no_plans(crowd: Crowd) -> None:
    await begin(crowd, "colorio")
    for name in ("anna", "ben"):
        assert "Plan" not in [button.label for button in buttons((await crowd.says(name, "/more")) or Reply())]
    said = [text(await crowd.says(name, "/plan a1")) for name in ("anna", "ben")]
    assert sum("what you still know" in one for one in said) == 1
    assert sum("just move" in one for one in said) == 1


# Gone


async def test_a_plan_is_in_its_owners_file_only(crowd: Crowd) -> None:
    await begin(crowd)
    await crowd.says("ben", "/plan f2-e1")
    (own,) = read(await crowd.sends("ben", EXPORT))["tables"]
    assert json.loads(own["plan"])["steps"] == ["f2-e1"]
    assert "f2-e1" not in json.dumps(read(await crowd.sends("anna", EXPORT)))


async def test_a_plan_is_deleted_with_its_seat(crowd: Crowd, raw: Redis) -> None:
    await begin(crowd, "kabooom easy", "ben", "clara")
    for name in ("anna", "ben", "clara"):
        await crowd.says(name, "/plan pass")
    assert where(raw, '"steps"')
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    assert not where(raw, '"steps"')


async def test_a_plan_costs_one_tap_more_than_a_turn(crowd: Crowd, store: Store) -> None:
    await begin(crowd)
    taps = ("[b1 🧨]", "[b2…]")
    for tap in ("[Move]", *taps):
        await crowd.says("anna", tap)
    assert await actions(store) == ["b1-b2"]
    await crowd.says("anna", "/view")
    for tap in ("[Plan]", "[a3 🧨]", "[b4…]", "[Keep this plan]"):
        reply = await crowd.says("anna", tap)
    assert "a3 → b4" in text(reply)
