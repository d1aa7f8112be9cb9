"""Two versions of the bot on one store: what a newer one goes on with, an older one leaves alone, and says so."""

import logging
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis

from bot.chat import Filled, Opened, PersonId, Place, PlaceId, Press, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.requests import payload
from bot.requests.payload import Verb
from bot.service.service import Service
from bot.store import NewerDocument, documents, keys
from bot.store.store import Store
from bot.tables.table import Table, TableId
from tests.bot.conftest import HandClock
from tests.bot.scanning import written
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_backup import restored, written_to
from tests.bot.talk.test_service import begun, table_here, text

GARDEN = Place(PlaceId("room:garden"))
ALONE = Place(PlaceId("room:anna"), private=True)


def handed_on(raw: Redis, table: TableId, **fields: str | int) -> None:
    """A newer version of the bot has saved the table; *fields* are what it has in the store then."""
    key = keys.of_table(table, keys.shard(table))[0]
    for field, value in {"save": "newer:1", "schema": documents.SCHEMA + 1, **fields}.items():
        raw.hset(key, field, value)


def without_leases(raw: Redis) -> dict[str, str]:
    """All that is stored, but for when whose turn it is to look, and what lives for moments."""
    passing = (":due", ":urgent", ":unposted", ":seats")
    return {name: value for name, value in written(raw).items() if not name.endswith(passing)}


@pytest.fixture
async def older(
    server: str, raw: Redis, painter: Pictures, clock: HandClock, chat: RecordingChat
) -> AsyncIterator[Callable[[], Service]]:
    """This version, in processes of their own on the same store."""
    made: list[tuple[Service, Store]] = []
    store = await Store.open(server)

    def make() -> Service:
        service = Service(store, painter, clock, draw=lambda n: "0a" * n)
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
        payload.stamped(Verb.PLAY, table, 0),
        payload.stamped(Verb.MENU, table, 0),
        payload.write(Verb.LEAVE, table.id),
        payload.write(Verb.VIEW, table.id),
    )
    words = ("/move pass", "/board", "/end", "/resign", "/undo", "/newgame kabooom", "/history")
    bodies: list[Press | Typed] = [*map(Press, buttons), *map(Typed, words)]
    for body in bodies:
        assert text(await old.sends("anna", body)) == say("trouble.newer", "en"), body
    assert without_leases(raw) == before
    assert chat.posted == posted
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


async def test_what_is_due_at_a_table_of_a_newer_version_waits_for_that_version(
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
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
    handed_on(raw, table.id, schema=documents.SCHEMA)
    await clock.advance(timedelta(minutes=3))
    await crowd.service.do_due()
    assert chat.posted == posted + 1, "the newer version calls whoever is up"


async def test_the_other_games_of_its_people_go_on_where_they_are(
    crowd: Crowd, store: Store, raw: Redis, older: Older
) -> None:
    await begun(crowd)
    await crowd.says("anna", "/newgame kabooom", place=GARDEN)
    await crowd.service.idle()
    handed_on(raw, (await table_here(store)).id)
    old = crowd.again(older())
    listed = await old.says("anna", "/games", place=ALONE)
    assert text(listed).count("Kabooom!") == 1
    assert "at 2 tables" in text(await old.sends("anna", Press(payload.write(Verb.PRIVACY)), place=ALONE))
    assert text(await old.says("ben", "/join", place=GARDEN)) != say("trouble.newer", "en")
    assert len((await table_here(store, GARDEN)).seats) == 2


async def test_nothing_can_be_completed_or_tapped_there(
    crowd: Crowd, store: Store, raw: Redis, older: Older, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd)
    handed_on(raw, (await table_here(store)).id)
    old = older()
    asks = Update(UpdateId("room:asks"), crowd.person("anna"), ROOM, Filled("move", {"move": ""}))
    assert await old.complete(asks, "move") == ()
    assert await old.targets(Update(UpdateId("room:asks"), crowd.person("anna"), ROOM, Opened())) == ()
    await old.moved(ROOM.id, GARDEN.id)
    await old.lost(ROOM.id)
    await old.swept(ROOM.id)
    assert await store.at(ROOM.id) is not None
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


async def test_whoever_wants_to_be_forgotten_is_not_told_that_it_is_done(
    crowd: Crowd, store: Store, raw: Redis, older: Older
) -> None:
    await begun(crowd)
    handed_on(raw, (await table_here(store)).id)
    old, sure = crowd.again(older()), Press(payload.write(Verb.FORGET, "", 1))
    assert text(await old.sends("anna", sure, place=ALONE)) == say("trouble.newer", "en")
    held = await store.at(ROOM.id)
    assert held is not None
    handed_on(raw, held, schema=documents.SCHEMA)
    assert "know nothing about you" in text(await crowd.again(older()).sends("anna", sure, place=ALONE))


async def test_a_game_that_this_version_does_not_know_is_a_newer_versions(
    crowd: Crowd, store: Store, raw: Redis, older: Older, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd)
    await crowd.service.idle()
    table = await table_here(store)
    document = documents.encoded(table).replace(b'"kabooom"', b'"a sixth game"')
    assert b"a sixth game" in document
    handed_on(raw, table.id, schema=documents.SCHEMA, json=document.decode())
    before, old = without_leases(raw), crowd.again(older())
    for words in ("/move pass", "/board", "/newgame crystalla"):
        assert text(await old.says("anna", words)) == say("trouble.newer", "en")
    await old.service.repost(everything=True)
    await old.service.idle()
    assert without_leases(raw) == before
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


def test_a_field_that_a_newer_version_added_is_read_over_and_gone_with_the_next_save_of_an_older_one() -> None:
    """Why fields may be added without a new schema only where their default is right for tables of before, too."""
    host = PersonId("room:anna")
    table = Table(id=TableId("abcdefgh"), game="kabooom", place=ROOM.id, host=host, lang="en", created_ms=5)
    newer = documents.encoded(table)[:-1] + b',"mood":"good"}'
    read = documents.table(newer, documents.SCHEMA)
    assert read == table
    assert b"mood" not in documents.encoded(read)


async def test_a_button_that_only_a_newer_version_knows_is_told_to_be_old(crowd: Crowd, older: Older) -> None:
    await begun(crowd)
    answered = await crowd.again(older()).sends("anna", Press("zz:from:the:future"))
    assert text(answered) == say("stale", "en")


async def test_two_processes_are_exchanged_one_after_the_other_while_games_go_on(
    crowd: Crowd, chat: RecordingChat, store: Store, older: Older
) -> None:
    """No turn is lost or doubled, and every board is there once, whoever of the two is asked."""
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
    for each in processes:
        await each.service.repost(everything=True)
        await each.service.idle()
    for room in rooms:
        table = await table_here(store, room)
        assert table.turn == 2
        assert len({entry.revision for entry in await store.log(table.id)}) == len(await store.log(table.id)) == 2
        shown = [message for message, place in chat.places.items() if place == room.id and chat.messages[message].rows]
        assert len(shown) == 1, "one board with buttons"


async def test_a_backup_with_tables_of_a_newer_version_is_refused_before_anything_is_written(
    crowd: Crowd, store: Store, server: str, raw: Redis, clock: HandClock, tmp_path: Path
) -> None:
    await begun(crowd)
    handed_on(raw, (await table_here(store)).id)
    await written_to(tmp_path / "b", server, clock)
    raw.flushall()
    with pytest.raises(NewerDocument, match="knows schemas up to"):
        await restored(tmp_path / "b", server, clock)
    assert written(raw) == {}
