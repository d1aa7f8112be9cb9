"""Deletion of personal data: nothing of the person remains, despite concurrent requests, and other people keep
theirs."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.app import build
from bot.chat import Person, PersonId, Place, PlaceId, Press, Reply, Role, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.repository.results import Results
from bot.requests import payload
from bot.runtime.clock import to_ms
from bot.service.service import Service
from bot.store import keys
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables import rating
from bot.tables.anonymous import is_gone
from bot.tables.table import Phase, Table, TableId
from tests.bot.conftest import HandClock
from tests.bot.scanning import where
from tests.bot.servers import wait_for, wired
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, stamped
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.turns import next_turn

ZEB = Person(PersonId("room:q4711q"), "Zebulon", "en", "zeb_u_lon")
WORDS = ("q4711q", "zebulon", "zeb_u_lon")
OWN = Place(PlaceId("room:@q4711q"), private=True)
FORGET = Press(payload.write("forget", "", 1))
RESIGN, SET = "resign", "set"


class Talk:
    """The room with Zebulon in it; no other name contains this one."""

    def __init__(self, crowd: Crowd, store: Store) -> None:
        self.crowd = crowd
        self.store = store
        self._updates = count(1)

    async def zeb(self, body: Typed | Press | str, place: Place = ROOM, update: str = "") -> Reply | None:
        said = Typed(body) if isinstance(body, str) else body
        id_ = UpdateId(update or f"room:z{next(self._updates)}")
        reply = await self.crowd.service.handle(Update(id_, ZEB, place, said, place.private))
        await self.crowd.service.idle()
        return reply

    async def begin(self, *others: str, place: Place = ROOM) -> Table:
        """Begin a game at Zebulon's table with the others."""
        await self.zeb("/newgame kabooom easy", place)
        for name in others:
            await self.crowd.says(name, "/join", place=place)
        await self.zeb("/start", place)
        return await table_here(self.store, place)

    async def everybody_moves(self, table: TableId) -> None:
        """Let every player move, so that no other person is rated."""
        while len(rating.moved(await self.store.log(table))) < len((await self.table(table)).seats):
            now = await self.table(table)
            place = Place(now.place)
            name, line = await next_turn(self.store, place.id)
            zebs = now.seats[[seat.name.lower() for seat in now.seats].index(name)].person == ZEB.id
            await (self.zeb(line, place) if zebs else self.crowd.says(name, line, place=place))

    async def resigns(self, name: str, table: TableId) -> None:
        await self.everybody_moves(table)
        body = Press(stamped(RESIGN, await self.table(table)))
        await (self.zeb(body) if name == "zeb" else self.crowd.sends(name, body))

    async def table(self, id_: TableId) -> Table:
        loaded = await self.store.load(id_)
        assert loaded is not None
        return loaded.table


@pytest.fixture
def talk(crowd: Crowd, store: Store) -> Talk:
    return Talk(crowd, store)


def places(name: str) -> Place:
    return Place(PlaceId(f"room:{name}"))


# Nothing is left


async def test_nothing_of_a_forgotten_person_remains(talk: Talk, raw: Redis, clock: HandClock) -> None:
    await talk.zeb(Press(payload.write(SET, "me", 0, 1)))
    await talk.zeb(Press(payload.write(SET, "me", 4, 3)))
    await talk.zeb(Press(payload.write(SET, "place", 1, 1)), OWN)
    await talk.zeb("/newgame kabooom", OWN)
    won = await talk.begin("ben")
    await talk.resigns("ben", won.id)
    lost = await talk.begin("ben", "clara", place=places("cellar"))
    await talk.resigns("zeb", lost.id)
    await talk.zeb("/newgame kabooom", places("garden"))
    await talk.zeb("/leave", places("garden"))
    running = await talk.begin("ben", "clara", place=places("attic"))
    await talk.zeb("/note Zebulon thinks twice", places("attic"))
    await talk.zeb("/plan r@a1", places("attic"))
    asking = await talk.begin("ben", "clara", place=places("balcony"))
    await talk.zeb("/end", places("balcony"))
    two = await talk.begin("dora", place=places("kitchen"))
    await talk.zeb("/newgame kabooom", places("porch"))
    await talk.crowd.says("ben", "/join", place=places("porch"))
    await talk.zeb(Press(payload.write("again", won.id)))
    again = await table_here(talk.store)
    assert again.order
    await talk.zeb(Press(payload.write("hide", "", 1)))
    await clock.advance(timedelta(hours=13))
    await talk.crowd.service.do_due()
    await talk.zeb("/block clara")
    await talk.crowd.says("ben", "/block zebulon")
    assert len(where(raw, *WORDS)) > 15

    reply = await talk.zeb(FORGET)

    assert "know nothing about you" in text(reply)
    assert where(raw, *WORDS) == []
    assert (await talk.table(two.id)).phase == Phase.OVER
    for table in (running, lost, asking):
        seats = (await talk.table(table.id)).seats
        assert [(seat.house, seat.name) for seat in seats if is_gone(seat.person)] == [(True, "")]
    assert [seat.name for seat in (await table_here(talk.store, places("porch"))).seats] == ["Ben"]
    await clock.advance(timedelta(days=3))
    await talk.crowd.service.do_due()
    await talk.crowd.service.repost(everything=True)
    await talk.crowd.service.idle()
    assert where(raw, *WORDS) == []


async def test_a_rematch_of_an_abandoned_lobby_remembers_no_person(talk: Talk, raw: Redis) -> None:
    table = await talk.begin("ben")
    await talk.resigns("ben", table.id)
    await talk.crowd.sends("ben", Press(payload.write("again", table.id)))
    await talk.zeb("/leave")
    await talk.zeb(FORGET)
    assert where(raw, *WORDS) == []
    assert (await table_here(talk.store)).phase == Phase.LOBBY


async def test_nothing_is_left_in_the_files_of_the_server(
    data: Path, painter: Pictures, clock: HandClock, chat: RecordingChat
) -> None:
    async with Embedded(data) as server:
        store = await Store.open(server.url)
        service = build(store, painter, clock)
        service.add(chat)
        talk = Talk(Crowd(service, chat), store)
        table = await talk.begin("ben")
        await talk.resigns("ben", table.id)
        files = [path for path in data.rglob("*") if path.is_file()]
        assert any(b"Zebulon" in path.read_bytes() for path in files)
        await talk.zeb(FORGET)

        def is_clean() -> bool:
            contents = [path.read_bytes().lower() for path in data.rglob("*") if path.is_file()]
            return not any(word.encode() in content for content in contents for word in WORDS)

        await asyncio.to_thread(wait_for, is_clean)
        await service.stop()
        await store.close()


async def test_an_unknown_person_can_ask_to_be_forgotten(talk: Talk, raw: Redis) -> None:
    assert "know nothing about you" in text(await talk.zeb(FORGET))
    assert where(raw, *WORDS) == []


async def test_asking_twice_or_being_heard_twice_changes_nothing_more(talk: Talk, raw: Redis) -> None:
    table = await talk.begin("ben", "clara")
    for update in ("room:once", "room:once", "room:again"):
        assert "know nothing" in text(await talk.zeb(FORGET, update=update))
    assert where(raw, *WORDS) == []
    assert sum(entry.event == "resigned" for entry in await talk.store.log(table.id)) == 1


async def test_forgetting_that_was_interrupted_goes_on_when_asked_again(
    talk: Talk, raw: Redis, server: str, painter: Pictures, clock: HandClock, chat: RecordingChat, folder: Path
) -> None:
    for name in ("one", "two", "three"):
        table = await talk.begin("ben", place=places(name))
        await talk.resigns("ben", table.id)
    await talk.begin("ben", "clara")
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}", timeout_s=1.0, patience_s=0.1)
        dying = build(far, painter, clock)
        dying.add(chat)

        async def dies() -> None:
            wire.silent = True

        wire.lose_answer(b"gone:", dies)
        reply = await dying.handle(Update(UpdateId("room:dies"), ZEB, ROOM, FORGET))
        assert "memory" in text(reply)
        await dying.stop()
        await far.close()
    assert where(raw, *WORDS)
    await talk.zeb(FORGET)
    assert where(raw, *WORDS) == []


# While the others play on


async def test_a_game_that_ends_while_one_of_its_people_is_forgotten_leaves_nothing(
    talk: Talk, bots: Callable[[], Service], raw: Redis
) -> None:
    others = [talk.crowd.again(bots()) for _ in range(2)]
    for n in range(12):
        place = places(f"room{n}")
        table = await talk.begin("ben", "clara", place=place)
        body = Press(stamped(RESIGN, table))
        await asyncio.gather(
            others[0].sends("ben", body, f"room:b{n}", place),
            talk.zeb(FORGET),
            others[1].sends("clara", body, f"room:c{n}", place),
        )
        assert where(raw, *WORDS) == []
        for name in ("ben", "clara"):  # a late player reads it and presses again
            if (await talk.table(table.id)).phase != Phase.OVER:
                again = Press(stamped(RESIGN, await talk.table(table.id)))
                await others[0].sends(name, again, f"room:{name}{n}", place)
        assert (await talk.table(table.id)).phase == Phase.OVER


async def test_a_late_recorded_result_restores_no_forgotten_person(
    talk: Talk, raw: Redis, store: Store, clock: HandClock
) -> None:
    """The worker had loaded the table before, and comes to the records afterwards."""
    table = await talk.begin("ben")
    await talk.resigns("ben", table.id)
    known = await talk.table(table.id)
    await talk.zeb(FORGET)
    raw.delete(f"kb:place:{{{ROOM.id}}}:rated")  # as if it had not been recorded
    await store.records.forget_in(ROOM.id, PersonId("room:ben"), ("kabooom",))
    await Results(store, lambda: to_ms(clock.now())).settle(known)
    assert where(raw, *WORDS) == []
    assert (await store.records.of(ROOM.id, "kabooom", [PersonId("room:ben")]))[0].games == 1


async def test_a_result_that_waits_to_be_recorded_still_counts_for_the_others(
    talk: Talk, store: Store, raw: Redis, clock: HandClock
) -> None:
    table = await talk.begin("ben")
    await talk.resigns("zeb", table.id)
    over = await talk.table(table.id)
    raw.delete(*raw.keys(f"kb:place:{{{ROOM.id}}}:r*"))
    raw.zadd(keys.DUE[keys.shard(table.id)], {f"{table.id}:{over.revision}": to_ms(clock.now()) + 1000})
    await talk.zeb(FORGET)
    await clock.advance(timedelta(minutes=3))
    await talk.crowd.service.do_due()
    assert "1 win" in text(await talk.crowd.says("ben", "/stats"))
    assert where(raw, *WORDS) == []


async def test_the_game_goes_on_with_the_house_in_the_seat(talk: Talk, chat: RecordingChat) -> None:
    await talk.begin("ben", "clara")
    await talk.zeb(FORGET)
    assert "Zebulon" not in chat.newest().text
    assert "Somebody resigns" in chat.newest().text
    for _ in range(9):
        called = chat.newest().call
        if called is None:
            break
        name = called.person.id.removeprefix("room:")
        assert name in ("ben", "clara")
        await talk.crowd.says(name, "/move pass")
        if chat.newest().call == called:
            await talk.crowd.says(name, "[Yes, …]")
    assert "Rematch" in str(chat.newest().rows)


@pytest.mark.parametrize("before", [True, False], ids=["resigned before", "at once"])
async def test_a_seat_that_was_given_up_still_passes_when_its_person_is_forgotten(talk: Talk, before: bool) -> None:
    table = await talk.begin("ben", "clara")
    if before:
        await talk.resigns("zeb", table.id)
    await talk.zeb(FORGET)
    assert [(seat.house, seat.resigned) for seat in (await talk.table(table.id)).seats if is_gone(seat.person)] == [
        (True, True)
    ]


# What stays


async def test_the_others_keep_their_results_and_their_games(talk: Talk) -> None:
    table = await talk.begin("ben")
    await talk.resigns("zeb", table.id)
    before = text(await talk.crowd.says("ben", "/stats"))
    assert "1 win" in before
    await talk.zeb(FORGET)
    assert text(await talk.crowd.says("ben", "/stats")) == before
    assert (await talk.table(table.id)).result is not None


async def test_a_finished_game_can_still_be_looked_at_and_played_again(talk: Talk, chat: RecordingChat) -> None:
    table = await talk.begin("ben")
    called = chat.newest().call
    assert called is not None
    await (talk.zeb("/move pass") if called.person.id == ZEB.id else talk.crowd.says("ben", "/move pass"))
    await talk.resigns("ben", table.id)
    await talk.zeb(FORGET)
    history = await talk.crowd.sends("ben", Press(payload.write("history", table.id, 0)))
    assert "Somebody passes." in text(history)
    assert "Zebulon" not in text(history)
    assert "open" in text(await talk.crowd.sends("ben", Press(payload.write("again", table.id))))
    assert [seat.name for seat in (await table_here(talk.store)).seats] == ["Ben"]
    assert (await table_here(talk.store)).host == "room:ben"


async def test_a_forgotten_person_cannot_play_the_old_seat(talk: Talk) -> None:
    table = await talk.begin("ben")
    await talk.resigns("ben", table.id)
    await talk.zeb(FORGET)
    assert "weren't in this game" in text(await talk.zeb(Press(payload.write("again", table.id))))


async def test_a_forgotten_person_is_no_longer_invited_to_a_rematch(talk: Talk, raw: Redis) -> None:
    table = await talk.begin("ben")
    await talk.resigns("zeb", table.id)
    await talk.crowd.says("ben", "/rematch")
    assert [seat.person for seat in (await table_here(talk.store)).invited] == [ZEB.id]
    await talk.zeb(FORGET)
    assert (await table_here(talk.store)).invited == ()
    assert where(raw, *WORDS) == []


async def test_a_returning_person_starts_anew(talk: Talk) -> None:
    table = await talk.begin("ben")
    await talk.resigns("ben", table.id)
    await talk.zeb(FORGET)
    assert "No games on your record" in text(await talk.zeb("/stats"))
    table = await talk.begin("ben")
    await talk.resigns("ben", table.id)
    assert "1 game, 1 win" in text(await talk.zeb("/stats"))
    assert "2 games, 0 wins" in text(await talk.crowd.says("ben", "/stats"))


async def test_two_people_at_one_table_can_both_be_forgotten(talk: Talk, raw: Redis) -> None:
    table = await talk.begin("ben", "clara")
    await talk.zeb(FORGET)
    await talk.crowd.sends("ben", FORGET)
    await talk.crowd.sends("clara", FORGET)
    assert where(raw, *WORDS, "room:ben", "room:clara") == []
    over = await talk.table(table.id)
    assert over.phase == Phase.OVER
    assert all(is_gone(seat.person) for seat in over.seats)


# Asking


async def test_stored_data_is_described_plainly_to_its_owner_only(talk: Talk) -> None:
    await talk.zeb(Press(payload.write(SET, "me", 0, 1)))
    table = await talk.begin("ben")
    await talk.resigns("ben", table.id)
    await talk.begin("ben", "clara")
    reply = await talk.zeb(Press(payload.write("privacy")))
    assert reply is not None
    assert (reply.role, reply.secret) == (Role.MENU, True)
    for part in ("Language", "at one table", "for 90 days", "1 game, 1 win"):
        assert part in reply.text
    assert reply.rows


async def test_nothing_is_deleted_before_it_was_asked_once_more(talk: Talk, raw: Redis) -> None:
    await talk.begin("ben")
    before = where(raw, *WORDS)
    reply = await talk.zeb(Press(payload.write("forget")))
    assert "at one table" in text(reply)
    assert where(raw, *WORDS) == before


async def test_abandoned_tables_are_off_the_lists(talk: Talk, store: Store) -> None:
    await talk.begin("ben")
    assert len(await store.tables_of(ZEB.id)) == 1
    await talk.zeb(FORGET)
    assert await store.tables_of(ZEB.id) == await store.records.played(ZEB.id) == ()


async def test_a_name_leads_to_its_table_before_the_table_has_the_name(
    talk: Talk, raw: Redis, server: str, painter: Pictures, clock: HandClock, chat: RecordingChat, folder: Path
) -> None:
    """A worker that dies right after the save leaves a table that can be found and freed of the name."""
    await talk.crowd.says("ben", "/newgame kabooom")
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}", timeout_s=1.0, patience_s=0.1)
        dying = build(far, painter, clock)
        dying.add(chat)

        async def dies() -> None:
            wire.silent = True

        wire.lose_answer(b'"Zebulon"', dies)
        await dying.handle(Update(UpdateId("room:dies"), ZEB, ROOM, Typed("/join")))
        await dying.stop()
        await far.close()
    assert len((await table_here(talk.store)).seats) == 2
    await talk.zeb(FORGET)
    assert where(raw, *WORDS) == []
    assert [seat.name for seat in (await table_here(talk.store)).seats] == ["Ben"]


async def test_a_list_that_leads_to_a_table_without_the_name_is_no_game_of_mine(talk: Talk, store: Store) -> None:
    table = await talk.begin("ben")
    await store.add_table(PersonId("room:clara"), table.id, 0)
    reply = await talk.crowd.says("clara", "/games")
    assert reply is not None
    assert reply.rows == ()


def test_a_seat_without_a_person_has_a_placeholder() -> None:
    assert is_gone("gone:07")
    assert not is_gone(ZEB.id)
    assert not is_gone(replace(ZEB, id=PersonId("x:gone:7")).id)
