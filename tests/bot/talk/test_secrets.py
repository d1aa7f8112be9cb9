"""Every byte that leaves the bot follows from what its reader may see: where hidden things are otherwise, the bot says
the same to everybody, and to its log."""

import logging
import random
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from importlib import import_module
from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from redis import Redis

from bot import press
from bot.chat import Filled, MessageId, Opened, PlaceId, Press, Reply, Typed, Update, UpdateId
from bot.painting import Painter
from bot.press import Verb
from bot.service import Service
from bot.store import documents, keys
from bot.store.store import Store
from bot.table import Table
from rules import GAMES, Action, BadNotation, IllegalAction, State
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat

PEOPLE = ("anna", "ben", "clara", "david")
FEW_ACTIONS = 6  # of games that hide next to nothing
MOST_ACTIONS = 85  # of a game that forgets: a round, and how the next one begins
DRAWS = 40
SEED = int("07" * 16, 16)

LOOKING = (*map(Typed, ("/board", "/view", "/history", "/games", "/rules", "/undo")),)
CONCEIVABLE = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
CONCEIVABLE += [f">{field}" for field in CONCEIVABLE] + ["x", "deal", "pass", "zzz", "a1-b1", "r@a1"]
Act = Callable[[Crowd], Awaitable[None]]


class Scribe(RecordingChat):
    """Writes down everything that is said, in public and in private: texts, buttons, pictures, descriptions."""

    def __init__(self, messages: dict[MessageId, Reply]) -> None:
        super().__init__()
        self.messages = dict(messages)
        self._numbers = count(len(messages) + 100)
        self.public: list[object] = []  # in an order of its own: nobody waits for posts
        self.private: list[object] = []

    async def post(self, place: PlaceId, reply: Reply, nonce: str) -> MessageId:
        self.public.append(("post", reply, nonce))
        return await super().post(place, reply, nonce)

    async def edit(self, place: PlaceId, message: MessageId, reply: Reply) -> None:
        self.public.append(("edit", message, reply))
        await super().edit(place, message, reply)

    async def delete(self, place: PlaceId, message: MessageId) -> None:
        self.public.append(("delete", message))
        await super().delete(place, message)

    async def tell(self, name: str, body: Typed | Press | Opened, reply: Reply | None) -> MessageId | None:
        self.private.append((name, body, reply))
        return await super().tell(name, body, reply)


class World:
    """A room and a store that can be put back to how they were; every time a bot begins anew there."""

    def __init__(self, raw: Redis, server: str, painter: Painter, log: pytest.LogCaptureFixture) -> None:
        self._raw: Any = raw
        self._server = server
        self._painter = painter
        self._log = log
        self.clock = HandClock()
        self.messages: dict[MessageId, Reply] = {}

    async def table(self) -> Table:
        store = await Store.open(self._server)
        held = await store.at(ROOM.id)
        loaded = None if held is None else await store.load(held)
        await store.close()
        assert loaded is not None
        return loaded.table

    async def hears(
        self, act: Act, step: int, *, but: State | None = None, seed: int = SEED
    ) -> tuple[list[object], ...]:
        """What is said in public, in private, and logged while *act* happens. *but*: things happen as if the position
        were that one, and the world is put back afterwards. *seed*: of a table that is opened."""
        kept = {key: self._raw.dump(key) for key in self._raw.keys("*")}
        if but is not None:
            table = await self.table()
            changed = replace(table, state=msgspec.Raw(GAMES[table.game].encode(but)))
            key = keys.of_table(table.id, keys.shard(table.id))[0]
            self._raw.hset(key, "json", documents.encoded(changed))
        store, chat, self.clock = await Store.open(self._server), Scribe(self.messages), HandClock()
        service = Service(store, self._painter, self.clock, draw=lambda n: f"{seed:0{2 * n}x}")
        service.add(chat)
        self._log.clear()
        await act(Crowd(service, chat, updates=1000 * step))
        await service.stop()
        await store.close()
        if but is None:
            self.messages = chat.messages
        else:
            self._raw.flushall()
            for key, dump in kept.items():
                self._raw.restore(key, 0, dump)
        logged: list[object] = [(record.name, record.levelname, record.getMessage()) for record in self._log.records]
        return (chat.public, chat.private, logged)


@pytest.fixture
def world(raw: Redis, server: str, painter: Painter, caplog: pytest.LogCaptureFixture) -> World:
    for name in ("bot", "rules", "renderers"):
        caplog.set_level(logging.DEBUG, name)
    return World(raw, server, painter, caplog)


def otherwise(state: State, action: Action, luck: random.Random) -> State:
    """A position that looks the same to the actor before *action*, and to everybody after it; in the end any other."""
    resample = import_module(
        type(state).__module__.replace("rules.games.", "tests.rules.resampling.").split(".state")[0]
    )
    after = state.play(action)
    seats = (None, state.actor)
    for _ in range(DRAWS):
        other: State = resample.resample(state, state.actor, luck.getrandbits(64))
        found = other.play(action)
        if all(found.view(seat) == after.view(seat) for seat in seats) and other != state:
            return other
    return state


def wrong(state: State, conceivable: list[str]) -> list[str]:
    """Texts that are refused at once."""
    found = []
    for text in conceivable:
        try:
            first, *_ = GAMES[game_of(state)].parse(state.view(state.actor), text)
            state.play(first)
        except (BadNotation, IllegalAction):
            found.append(text)
    return found


def game_of(state: State) -> str:
    return type(state).__module__.split(".")[2]


def looks(world: World, table: Table, state: State, action: Action, refused: list[str], step: int) -> Act:
    """Everybody looks, the actor tries this and that, and then plays *action*."""
    assert state.actor is not None
    names = [seat.person.removeprefix("room:") for seat in table.seats]
    actor, idle = names[state.actor], names[state.actor - 1]
    text, number = str(action), state.actions().index(action)

    def pressed(verb: Verb, *numbers: int) -> Press:
        return Press(press.write(verb, table.id, *numbers))

    async def act(crowd: Crowd) -> None:
        assert isinstance(crowd.chat, Scribe)
        for typed in ("", f"{text} {text} ", *(f"{each} " for each in state.actions()[step % 6 :: 6])):
            body = Filled("move", {"notation": typed})
            update = Update(UpdateId("room:completion"), crowd.person(actor), ROOM, body)
            crowd.chat.private.append((typed, await crowd.service.complete(update, "notation")))
        await crowd.sends(actor, pressed(Verb.MENU))
        await crowd.sends(actor, pressed(Verb.PLAY, 0, 0))  # of an older board
        for each in refused:
            await crowd.sends(actor, Typed(f"/move {each}"))
        await crowd.sends(idle, Typed(f"/move {text}"))
        await crowd.sends("zoe", LOOKING[step % len(LOOKING)])
        if step % 5 == 0:
            await world.clock.advance(timedelta(hours=13))
            await crowd.service.do_due()  # a reminder
        by_tap = pressed(Verb.PLAY, table.revision, number)
        await crowd.sends(actor, by_tap if step % 2 else Typed(f"/move {text}"))

    return act


def hidden(state: State) -> object:
    """Everything but the seed, which would have been enough to make two positions different."""
    return {**msgspec.json.decode(GAMES[game_of(state)].encode(state)), "seed": None}


@pytest.mark.parametrize(("game", "words"), [(game, "rounds" if game == "colorio" else "") for game in GAMES])
async def test_what_is_hidden_changes_nothing_that_is_said_shown_or_logged(world: World, game: str, words: str) -> None:
    luck = random.Random(game)

    async def begin(crowd: Crowd) -> None:
        await crowd.says("anna", f"/newgame {game} 1d {words}")
        for name in PEOPLE[1 : GAMES[game].seats[0]]:
            await crowd.says(name, "/join")
        await crowd.says("anna", "/start")

    await world.hears(begin, 0)
    differed, remembering = 0, False
    for step in range(1, MOST_ACTIONS + 1):
        table = await world.table()
        assert isinstance(table.state, msgspec.Raw)
        state = GAMES[game].decode(bytes(table.state))
        remembering |= state.forgets
        if step > FEW_ACTIONS and not remembering:
            break
        action = luck.choice([each for each in state.actions() if state.warns(each) is None])
        refused = luck.sample(wrong(state, CONCEIVABLE), 2)
        act = looks(world, table, state, action, refused, step)
        other = otherwise(state, action, luck)
        there = await world.hears(act, step, but=other)
        here = await world.hears(act, step)
        assert there == here
        differed += hidden(other) != hidden(state)
    assert differed > MOST_ACTIONS // 2 or not remembering, "the other positions were the same"


async def test_what_was_missed_tells_only_what_came_to_light(world: World, raw: Redis) -> None:
    """Two games with other seeds, in which the same came to light."""
    turns = ("/move a2 b2 b5 x", "/move e2 x a1 >a2 c1 x")
    open_ = ("a2", "b2", "b5", "e2", "a1", "c1")
    game = GAMES["colorio"]

    async def play(crowd: Crowd) -> None:
        await crowd.says("anna", "/newgame colorio")
        await crowd.says("ben", "/join")
        await crowd.says("anna", "/start")
        await crowd.says("anna", turns[0])
        await crowd.says("ben", turns[1])
        await crowd.says("anna", "[What did I miss?]")
        for page in range(1, 1 + len(open_)):
            await crowd.says("anna", f"[{page}/{len(open_)} ▶]")
        await crowd.says("ben", "[What did I miss?]")
        await crowd.says("anna", "/history")
        await crowd.says("anna", "/undo")

    def colours(seed: int) -> dict[str, object]:
        state: Any = game.start(2, None, seed)
        fields = [field for row in reversed(game.grid) for field in row]
        return dict(zip(fields, state.colours, strict=True)) | {"side": state.side}

    one = colours(SEED)
    alike = (seed for seed in count(8) if all(colours(seed)[field] == one[field] for field in (*open_, "side")))
    other = next(seed for seed in alike if colours(seed) != one)
    here = await world.hears(play, 0)
    assert len(here[1]) == 15
    raw.flushall()
    world.messages = {}
    there = await world.hears(play, 0, seed=other)
    promises = [re.findall("[0-9a-f]{64}", repr(heard)) for heard in (here, there)]
    assert promises[0] != promises[1], "what commits the bot to its seed"
    assert re.sub("[0-9a-f]{64}", "", repr(there)) == re.sub("[0-9a-f]{64}", "", repr(here))
