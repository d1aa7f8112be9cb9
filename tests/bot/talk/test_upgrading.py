"""Two versions of the bot on one store: a newer one continues the older one's tables, an older one refuses newer tables
and says so."""

import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from redis import Redis

from bot.app import build
from bot.chat import (
    MessageId,
    Opened,
    PersonId,
    Place,
    PlaceId,
    PlaceLost,
    PlaceMoved,
    PlaceSwept,
    Post,
    Press,
    Role,
    SlashCommand,
    Typed,
    Update,
    UpdateId,
)
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.requests import payload
from bot.service.service import Service
from bot.store import NewerDocument, documents, keys
from bot.store.store import Store
from bot.tables.table import Phase, Table, TableId
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.scanning import written
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons, stamped
from tests.bot.talk.test_backup import restored, written_to
from tests.bot.talk.test_service import begun, table_here, text
from tests.bot.talk.turns import typed

GARDEN = Place(PlaceId("room:garden"))
ALONE = Place(PlaceId("room:anna"), private=True)


def handed_on(raw: Redis, table: TableId, **fields: str | int) -> None:
    """Change the stored table as a newer version of the bot would save it, with these *fields* in the store."""
    key = keys.of_table(table, keys.shard(table))[0]
    for field, value in {"save": "newer:1", "schema": documents.SCHEMA + 1, **fields}.items():
        raw.hset(key, field, value)


def without_leases(raw: Redis) -> dict[str, str]:
    """Return the whole store without leases and short-lived keys."""
    passing = (":due", ":urgent", ":unposted", ":seats", keys.heartbeat("room"))
    return {name: value for name, value in written(raw).items() if not name.endswith(passing)}


@pytest.fixture
async def older(
    server: str, raw: Redis, painter: Pictures, clock: HandClock, chat: RecordingChat
) -> AsyncIterator[Callable[[], Service]]:
    """Yield a function that starts this version in processes of their own on the same store."""
    made: list[tuple[Service, Store]] = []
    store = await Store.open(server)

    def make() -> Service:
        service = build(store, painter, clock, draw=lambda n: "0a" * n)
        service.add(chat)
        made.append((service, store))
        return service

    yield make
    for service, _ in made:
        await service.stop()
    await store.close()


Older = Callable[[], Service]


async def test_a_table_of_a_newer_version_is_kept_untouched_and_told_kindly(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, older: Older, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd)
    await crowd.service.idle()
    table = await table_here(store)
    handed_on(raw, table.id)
    before, posted, old = without_leases(raw), chat.posted, crowd.again(older())
    buttons = (
        stamped("play", table, 0),
        stamped("menu", table, 0),
        payload.write("leave", table.id),
        payload.write("view", table.id),
    )
    words = ("/move pass", "/board", "/end", "/resign", "/undo", "/newgame kabooom", "/history")
    bodies: list[Press | Typed] = [*map(Press, buttons), *map(Typed, words)]
    for body in bodies:
        assert text(await old.sends("anna", body)) == say("trouble.newer", "en"), body
    assert without_leases(raw) == before
    assert chat.posted == posted
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_due_work_of_a_newer_table_waits_for_that_version(
    crowd: Crowd,
    chat: RecordingChat,
    store: Store,
    raw: Redis,
    older: Older,
    clock: HandClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await begun(crowd)
    await crowd.service.idle()
    table = await table_here(store)
    handed_on(raw, table.id)
    old, before, posted = older(), without_leases(raw), chat.posted
    await clock.advance(timedelta(hours=13))
    for _ in range(2):
        await old.do_due()
        await old.repost(everything=True)
        await old.idle()
    assert (without_leases(raw), chat.posted) == (before, posted)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    handed_on(raw, table.id, schema=documents.SCHEMA)
    await clock.advance(timedelta(minutes=3))
    await crowd.service.do_due()
    assert chat.posted == posted + 1, "the newer version calls whoever is up"


async def test_other_games_of_its_players_go_on(crowd: Crowd, store: Store, raw: Redis, older: Older) -> None:
    await begun(crowd)
    await crowd.says("anna", "/newgame kabooom", place=GARDEN)
    await crowd.service.idle()
    handed_on(raw, (await table_here(store)).id)
    old = crowd.again(older())
    listed = await old.says("anna", "/games", place=ALONE)
    assert text(listed).count("Kabooom!") == 1
    assert "at 2 tables" in text(await old.sends("anna", Press(payload.write("privacy")), place=ALONE))
    assert text(await old.says("ben", "/join", place=GARDEN)) != say("trouble.newer", "en")
    assert len((await table_here(store, GARDEN)).seats) == 2


async def test_nothing_can_be_completed_or_tapped_there(
    crowd: Crowd, store: Store, raw: Redis, older: Older, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd)
    handed_on(raw, (await table_here(store)).id)
    old = older()
    asks = Update(UpdateId("room:asks"), crowd.person("anna"), ROOM, SlashCommand("move", {"move": ""}))
    assert await old.complete(asks, "move") == ()
    assert await old.targets(Update(UpdateId("room:asks"), crowd.person("anna"), ROOM, Opened())) == ()
    await old.place_changed(PlaceMoved(ROOM.id, GARDEN.id))
    await old.place_changed(PlaceLost(ROOM.id))
    await old.place_changed(PlaceSwept(ROOM.id))
    assert await store.at(ROOM.id) is not None
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_forgetting_is_not_confirmed_if_newer_tables_remain(
    crowd: Crowd, store: Store, raw: Redis, older: Older
) -> None:
    await begun(crowd)
    handed_on(raw, (await table_here(store)).id)
    old, sure = crowd.again(older()), Press(payload.write("forget", "", 1))
    assert text(await old.sends("anna", sure, place=ALONE)) == say("trouble.newer", "en")
    held = await store.at(ROOM.id)
    assert held is not None
    handed_on(raw, held, schema=documents.SCHEMA)
    assert "know nothing about you" in text(await crowd.again(older()).sends("anna", sure, place=ALONE))


def test_an_unknown_newer_field_is_ignored_and_lost_with_the_next_save() -> None:
    """So a field needs a new schema unless its default is right for older tables, too."""
    host = PersonId("room:anna")
    table = Table(id=TableId("abcdefgh"), game="kabooom", place=ROOM.id, host=host, lang="en", created_ms=5)
    newer = documents.encoded(table)[:-1] + b',"mood":"good"}'
    read = documents.table(newer, documents.SCHEMA)
    assert read == table
    assert b"mood" not in documents.encoded(read)


async def test_a_newer_button_is_reported_as_outdated(crowd: Crowd, older: Older) -> None:
    await begun(crowd)
    answered = await crowd.again(older()).sends("anna", Press("zz:from:the:future"))
    assert text(answered) == say("stale", "en")


async def test_two_processes_are_exchanged_one_after_the_other_while_games_go_on(
    crowd: Crowd, chat: RecordingChat, store: Store, older: Older
) -> None:
    """No turn is lost or doubled, and both processes know every board exactly once."""
    rooms = [Place(PlaceId(f"room:{number}")) for number in range(10)]
    processes = [crowd, crowd.again(older())]
    for number, room in enumerate(rooms):
        one, other = processes[number % 2], processes[1 - number % 2]
        await one.says("anna", "/newgame kabooom easy", place=room)
        await other.says("ben", "/join", place=room)
        await one.says("anna", "/start", place=room)
    for exchanged in (0, 1):
        for number, room in enumerate(rooms):
            table = await table_here(store, room)
            state = (await crowd.service.repository.load(table.id)).state
            assert state is not None
            assert state.actor is not None
            who = table.seats[state.actor].name.lower()
            await processes[(number + exchanged) % 2].says(who, f"/move {state.actions()[0]}", place=room)
            if number == len(rooms) // 2:
                await processes[exchanged].service.stop()
                processes[exchanged] = crowd.again(older())
    for process in processes:
        await process.service.repost(everything=True)
        await process.service.idle()
    for room in rooms:
        table = await table_here(store, room)
        assert table.turn == 2
        assert len({entry.revision for entry in await store.log(table.id)}) == len(await store.log(table.id)) == 2
        shown = [message for message, place in chat.places.items() if place == room.id and chat.messages[message].rows]
        assert len(shown) == 1, "one board with buttons"


async def test_a_backup_with_newer_tables_is_refused_before_writing(
    crowd: Crowd, store: Store, server: str, raw: Redis, clock: HandClock, tmp_path: Path
) -> None:
    await begun(crowd)
    handed_on(raw, (await table_here(store)).id)
    await written_to(tmp_path / "b", server, clock)
    raw.flushall()
    with pytest.raises(NewerDocument, match="knows schemas up to"):
        await restored(tmp_path / "b", server, clock)
    assert written(raw) == {}


# A store with schema 2, and the buttons in it: recorded by the last version that wrote that schema.

RECORDED = json.loads((Path(__file__).parent / "stored" / "schema-2.json").read_text(encoding="utf-8"))
PLACES = [*RECORDED["buttons"]]
"""Rooms with a lobby, and with games in every state of waiting, in the middle of a turn, with open questions, over."""
BUTTONS = [(place, *button) for place, recorded in RECORDED["buttons"].items() for button in recorded]
RESUME = say("button.resume", "en")
OF_SAVE = {"play", "agree", "refuse", "decide"}
"""Buttons that carry the save for which they were made; menu buttons do if they lead to another menu."""
LOBBY = {"join", "leave", "start", "option", "clock", "late"}
CHANGING = OF_SAVE | LOBBY | {"draw", "undo", "again"}


def room(name: str) -> Place:
    return Place(PlaceId(f"room:{name}"))


@pytest.fixture
def stored(raw: Redis, clock: HandClock, chat: RecordingChat) -> None:
    """Restore the recorded store, with the time of the recording and the boards of that time."""
    clock.set(datetime.fromisoformat(RECORDED["now"]))
    chat._numbers = count(100)  # newer than those of recorded posts
    for key, kept in RECORDED["store"].items():
        ((kind, value),) = kept.items()
        match kind:
            case "string":
                raw.set(key, value)
            case "hash":
                raw.hset(key, mapping=value)
            case "list":
                raw.rpush(key, *value)
            case "set":
                raw.sadd(key, *value)
            case "zset":
                raw.zadd(key, value)
        if kind == "hash" and (posted := json.loads(value.get("posted", "{}"))):
            message = MessageId(posted["message"])
            chat.messages[message] = Post(text="as the older version posted it")
            chat.places[message] = PlaceId(json.loads(value["json"])["place"])


@pytest.fixture
def later(stored: None, older: Older, chat: RecordingChat) -> Crowd:
    """Return the same people with this version on that store."""
    return Crowd(older(), chat, updates=1000)


async def stands(store: Store, carried: str) -> Table:
    """Return the table that is named on a button."""
    pressed = payload.read(carried)
    assert pressed is not None
    loaded = await store.load(TableId(pressed.word))
    assert loaded is not None
    return loaded.table


@pytest.mark.parametrize(("place", "when", "who", "label", "carried"), BUTTONS)
async def test_a_button_of_the_older_version_works_or_is_out_of_date(
    place: str,
    when: str,
    who: str,
    label: str,
    carried: str,
    later: Crowd,
    chat: RecordingChat,
    store: Store,
    caplog: pytest.LogCaptureFixture,
) -> None:
    pressed = payload.read(carried)
    assert pressed is not None, label
    if pressed.verb == "rules":
        assert text(await later.sends(who, Press(carried), place=room(place)))
        return
    before, held = await stands(store, carried), await store.at(room(place).id)
    name = "zoe" if pressed.verb == "join" else who
    reply = await later.sends(name, Press(carried), place=room(place))
    after = await stands(store, carried)
    said = text(reply)
    leads_on = pressed.verb == "menu" and pressed.numbers
    if when == "old" and (pressed.verb in OF_SAVE or leads_on) and before.phase != Phase.OVER:
        assert "out of date" in said
    if when == "old" and pressed.verb in CHANGING - {"undo"}:
        assert after == before
    if when == "now" and pressed.verb == "again":
        assert await store.at(room(place).id) != held, "another table is open"
    elif when == "now" and pressed.verb in CHANGING:
        yes = {"draw": "sure", "decide": "decide"}.get(pressed.verb)
        asks = [button for button in buttons(reply) if button.payload.startswith(f"{yes}:")] if reply and yes else []
        assert after.revision > before.revision or asks
    elif when == "now" and pressed.verb == "menu":
        assert reply is not None
        assert reply.rows
    assert "out of date" not in said or when == "old"
    assert reply is None or said or reply.picture is not None or reply.role is Role.CLOSING
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("place", PLACES)
async def test_a_table_of_the_older_version_is_played_on_and_ended(
    place: str, later: Crowd, chat: RecordingChat, store: Store, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    here = room(place)
    if place == "over":
        await later.says("anna", "/rematch", place=here)
        await later.says("ben", "/join", place=here)
    elif place == "rests":  # another table has its room
        here, resume = (
            room("cellar"),
            next(carried for *_, label, carried in RECORDED["buttons"][place] if label == RESUME),
        )
        await later.sends("dan", Press(resume), place=here)
    elif place == "stand-in":
        await later.service.do_due()
        await later.service.idle()
    table = await table_here(store, here)
    if table.phase == Phase.LOBBY:
        await later.says("anna", "/start", place=here)
        table = await table_here(store, here)
    first = table.turn
    while table.turn < first + 3 and table.phase != Phase.OVER:
        await later.says(*typed(table), place=here)
        await clock.advance(timedelta(seconds=10))
        await later.service.do_due()
        await later.service.idle()
        table = await stands(store, payload.write("board", table.id))
    log = [entry.revision for entry in await store.log(table.id)]
    assert log == sorted(log) != []
    shown = [message for message, post in chat.messages.items() if chat.places[message] == here.id and post.rows]
    assert len(shown) == 1, "one board with buttons"
    if await store.at(here.id) is not None:
        await later.ends("ada", here)
    assert await store.at(here.id) is None
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_due_work_of_the_older_version_becomes_due(
    later: Crowd, chat: RecordingChat, store: Store, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The house plays for late people and in turns that it has taken over; reminders arrive, lobbies close."""
    late, lobby = await table_here(store, room("late")), await table_here(store, room("lobby"))
    stand_in, away = await table_here(store, room("stand-in")), await table_here(store, room("away"))
    up = (await table_here(store, room("middle"))).seats
    for _ in range(9):
        await clock.advance(timedelta(hours=6))
        await later.service.do_due()
        await later.service.idle()
    assert (await table_here(store, room("late"))).turn > late.turn
    assert (await table_here(store, room("stand-in"))).turn > stand_in.turn
    assert await table_here(store, room("away")) == away, "its time does not run"
    assert {seat.person for seat in up} & {*chat.pings}
    assert await store.at(room("lobby").id) != lobby.id
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_the_recorded_store_has_every_game_and_every_kind_of_button() -> None:
    """The recording must not become thinner unnoticed."""
    verbs = {carried.partition(":")[0] for *_, carried in BUTTONS}
    assert verbs >= CHANGING | {"menu", "view", "resign", "history", "replay", "verify", "options"}
    games = re.findall(r'"game":"(\w+)","place"', json.dumps(RECORDED).replace("\\", ""))
    assert {*games} == {*GAMES}
