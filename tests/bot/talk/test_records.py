"""Finished games become records: the rated ones, once, in their own place."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.chat import Moved, PersonId, Place, PlaceId, PlaceMoved, Press, SlashCommand, Typed, Update, UpdateId
from bot.replies.words import say
from bot.repository.results import Results
from bot.requests import payload
from bot.runtime.clock import to_ms
from bot.service.service import Service
from bot.store import documents, keys
from bot.store.store import Store
from bot.tables.rating import Record
from bot.tables.table import Entry, Phase, Result, Table, TableId
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons, stamped
from tests.bot.talk.test_service import begun as opened
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.turns import next_turn, saved

ALL = tuple(GAMES)
CELLAR = Place(PlaceId("room:cellar"))


async def record(store: Store, name: str, place: Place = ROOM) -> Record | None:
    """Return the record in the one game that was played."""
    result = await store.records.of_person(PersonId(f"room:{name}"), [place.id], ALL)
    return next(iter(result.get(place.id, {}).values()), None)


async def begun(crowd: Crowd, store: Store, *others: str) -> None:
    """Play a game in which all players move; otherwise they would not be rated."""
    await opened(crowd, *others)
    await all_move(crowd, store, ROOM)


async def all_move(crowd: Crowd, store: Store, place: Place) -> None:
    for _ in (await table_here(store, place)).seats:
        name, typed = await next_turn(store, place.id)
        await crowd.says(name, typed, place=place)


def moved(raw: Redis, *tables: TableId) -> None:
    """Note in the logs of *tables*, which are only made up, that both of their people have made a move."""
    for table in tables:
        _, log, _ = keys.of_table(table, keys.shard(table))
        raw.rpush(log, *(documents.encoded(Entry(number + 1, number, "pass", 0)) for number in (0, 1)))


async def resign(crowd: Crowd, store: Store, name: str, place: Place = ROOM) -> None:
    table = await table_here(store, place)
    await crowd.sends(name, Press(stamped("resign", table)), place=place)


# What counts


async def test_a_finished_game_counts_for_all_players(crowd: Crowd, store: Store) -> None:
    await opened(crowd, "ben", "clara")
    for name in ("anna", "clara", "ben"):
        reply = await crowd.says(name, "/move pass")
    assert reply is not None
    await crowd.says("ben", "[Yes, …]")
    records = [await record(store, name) for name in ("anna", "ben", "clara")]
    assert [record.games for record in records if record is not None] == [1, 1, 1]
    assert sum(record.wins for record in records if record is not None) == 1
    winner = max(records, key=lambda record: record.rating if record is not None else 0)
    assert winner is not None
    assert winner.wins == 1


async def test_resigning_loses_a_game_of_two(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    anna, ben = await record(store, "anna"), await record(store, "ben")
    assert anna is not None
    assert ben is not None
    assert (anna.games, anna.wins, ben.games, ben.wins) == (1, 0, 1, 1)
    assert anna.rating < 1000 < ben.rating


async def test_running_out_of_time_loses_a_game_of_two(crowd: Crowd, store: Store, clock: HandClock) -> None:
    await crowd.says("anna", "/newgame kabooom easy 1h")
    await crowd.says("ben", "/join")
    await crowd.chooses("anna", "When time is up: The house takes over (two players: a loss)")
    await crowd.says("anna", "/start")
    await all_move(crowd, store, ROOM)
    await clock.advance(timedelta(hours=2))
    await crowd.service.do_due()
    ben = await record(store, "ben")
    assert ben is not None
    assert ben.wins == 1


async def test_a_game_ended_by_agreement_does_not_count(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await crowd.says("anna", "/end")
    await crowd.says("ben", "[I agree]")
    assert await store.at(ROOM.id) is None
    assert await record(store, "anna") is await record(store, "ben") is None


async def test_an_abandoned_game_does_not_count(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store, "ben", "clara")
    for name in ("anna", "ben", "clara"):
        if await store.at(ROOM.id) is not None:
            await resign(crowd, store, name)
    assert await store.at(ROOM.id) is None
    assert await record(store, "anna") is None


async def test_a_lobby_that_closes_does_not_count(crowd: Crowd, store: Store, raw: Redis) -> None:
    await crowd.says("anna", "/newgame kabooom")
    await crowd.says("anna", "/leave")
    assert await record(store, "anna") is None
    assert not [key for key in raw.scan_iter() if b":due" in key]


async def test_places_have_records_of_their_own(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    for name, said in (("anna", "/newgame kabooom"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, said, place=CELLAR)
    await all_move(crowd, store, CELLAR)
    await resign(crowd, store, "ben", CELLAR)
    here, there = await record(store, "anna"), await record(store, "anna", CELLAR)
    assert here is not None
    assert there is not None
    assert (here.wins, there.wins) == (0, 1)
    assert "1 game, 0 wins" in text(await crowd.says("ben", "/stats anna"))
    assert "1 game, 1 win" in text(await crowd.says("ben", "/stats anna", place=CELLAR))
    assert "In total, in 2 chats" in text(await crowd.says("anna", "/stats"))


async def test_records_go_along_when_a_place_gets_another_id(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    await crowd.service.place_changed(PlaceMoved(ROOM.id, CELLAR.id))
    assert await record(store, "ben") is None
    assert "1 win" in text(await crowd.says("ben", "/stats", place=CELLAR))


async def test_a_player_without_a_move_is_not_rated_and_the_others_are(crowd: Crowd, store: Store) -> None:
    await opened(crowd, "ben", "clara")
    for _ in range(2):
        name, typed = await next_turn(store, ROOM.id)
        await crowd.says(name, typed)
    table = await table_here(store)
    (idle,) = {"anna", "ben", "clara"} - {table.seats[seat].name.lower() for seat in (0, 1)}
    await resign(crowd, store, idle)  # the house goes on in that seat
    while await store.at(ROOM.id) is not None:
        await crowd.says(*await next_turn(store, ROOM.id))
    assert await record(store, idle) is None
    results = [await record(store, name) for name in {"anna", "ben", "clara"} - {idle}]
    assert sorted(record.games for record in results if record is not None) == [1, 1]


async def test_if_only_one_player_moved_no_one_is_rated(crowd: Crowd, store: Store) -> None:
    await opened(crowd)
    await crowd.says(*await next_turn(store, ROOM.id))
    await resign(crowd, store, "ben")
    assert await record(store, "anna") is await record(store, "ben") is None


async def test_an_unsent_draw_is_no_move_of_a_resigning_player(crowd: Crowd, store: Store) -> None:
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    name, typed = await next_turn(store, ROOM.id)
    await crowd.says(name, typed)
    (idle,) = {"anna", "ben"} - {name}
    assert text(await crowd.says(idle, "/draw")).startswith(say("draw.said", "en"))
    await resign(crowd, store, idle)
    assert await record(store, "anna") is await record(store, "ben") is None


async def test_agreeing_to_a_draw_without_moving_is_no_move(crowd: Crowd, store: Store) -> None:
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    name, typed = await next_turn(store, ROOM.id)
    await crowd.says(name, typed.replace("/move ", "/move draw "))
    (idle,) = {"anna", "ben"} - {name}
    await crowd.says(idle, "/draw")
    await crowd.says(idle, "[Yes, …]")
    assert await store.at(ROOM.id) is None
    assert await record(store, "anna") is await record(store, "ben") is None


async def test_a_move_that_was_taken_back_is_none(crowd: Crowd, store: Store) -> None:
    await opened(crowd)
    for name, line in (("anna", "/move b1-c1"), ("ben", "/move pass"), ("ben", "/undo"), ("anna", "[I agree]")):
        await crowd.says(name, line)
    await resign(crowd, store, "ben")
    assert await record(store, "anna") is await record(store, "ben") is None


async def test_a_rematch_costs_invited_people_nothing(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "ben")
    before = await record(store, "ben")
    await crowd.says("anna", "/rematch")
    lobby = await table_here(store)
    assert [seat.name for seat in lobby.seats] == ["Anna"]
    await crowd.says("anna", "/start")
    assert (await table_here(store)).phase == Phase.LOBBY
    await crowd.says("clara", "/join")
    await crowd.says("anna", "/start")
    assert [seat.name for seat in (await table_here(store)).seats] == ["Anna", "Clara"]
    await all_move(crowd, store, ROOM)
    await resign(crowd, store, "clara")
    assert await record(store, "ben") == before


# Once


async def test_a_turn_asks_the_store_no_more_often_than_before(crowd: Crowd, store: Store, raw: Redis) -> None:
    await begun(crowd, store)
    await crowd.says("anna", "/move b1-c1")
    before = raw.info("stats")["total_reads_processed"]
    await crowd.says("ben", "/move pass")
    assert raw.info("stats")["total_reads_processed"] == before + 4 + 1
    # load, save, record the post, and look up the person's other tables


@pytest.fixture
async def left_behind(
    bots: Callable[[], Service], store: Store, dying_at_the_end: Callable[[], AbstractAsyncContextManager[Crowd]]
) -> TableId:
    """Return a table that Ben has won, saved by a worker that died right after the save."""
    async with dying_at_the_end() as crowd:
        await begun(crowd, store)
        table = await table_here(store)
        await resign(crowd, store, "anna")
    assert (await saved(store, table.id)).phase == Phase.OVER
    assert await record(store, "ben") is None
    return table.id


async def test_a_result_of_a_dead_worker_is_recorded_once_by_the_next(
    left_behind: TableId, bots: Callable[[], Service], store: Store, clock: HandClock
) -> None:
    others = [bots(), bots()]
    await clock.advance(timedelta(minutes=3))
    await asyncio.gather(*(other.do_due() for other in others))
    for _ in range(3):
        await clock.advance(timedelta(minutes=3))
        await others[0].do_due()
    ben = await record(store, "ben")
    assert ben is not None
    assert (ben.games, ben.wins) == (1, 1)


async def test_a_result_is_recorded_in_its_own_place_despite_a_move(
    left_behind: TableId, bots: Callable[[], Service], store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    other = bots()
    await clock.advance(timedelta(minutes=3))
    chat.trouble = [Moved(CELLAR.id)]
    assert await other.repost() == 1
    await other.idle()
    await other.do_due()
    assert (await saved(store, left_behind)).place == CELLAR.id
    ben = await record(store, "ben")
    assert ben is not None
    assert (ben.games, ben.wins) == (1, 1)
    assert await record(store, "ben", CELLAR) is None


async def test_many_workers_settle_one_table_and_it_counts_once(
    crowd: Crowd, store: Store, server: str, clock: HandClock
) -> None:
    await begun(crowd, store)
    table = await table_here(store)
    await resign(crowd, store, "anna")
    before = await record(store, "anna"), await record(store, "ben")
    stores = [store, await Store.open(server)]
    over = await saved(store, table.id)
    await asyncio.gather(
        *(Results(stores[n % 2], lambda: to_ms(clock.now())).settle(over) for n in range(20)),
    )
    assert (await record(store, "anna"), await record(store, "ben")) == before
    await stores[1].close()


async def test_tables_of_one_place_that_end_at_once_all_count(
    crowd: Crowd, store: Store, clock: HandClock, raw: Redis
) -> None:
    await begun(crowd, store)
    one = await table_here(store)
    tables = [
        replace(one, id=TableId(f"table{n:03}"), phase=Phase.OVER, result=Result("resigned", (n % 2,), None, True))
        for n in range(8)
    ]
    moved(raw, *(table.id for table in tables))
    records = Results(store, lambda: to_ms(clock.now()))
    await asyncio.gather(*map(records.settle, tables))
    results = [await record(store, name) for name in ("anna", "ben")]
    assert [record and (record.games, record.wins) for record in results] == [(8, 4), (8, 4)]


async def test_a_place_that_moves_while_its_last_board_is_posted_counts_every_game_once(
    crowd: Crowd, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    await begun(crowd, store)
    chat.trouble = [Moved(CELLAR.id)]
    await resign(crowd, store, "anna")
    await crowd.service.place_changed(PlaceMoved(ROOM.id, CELLAR.id))
    for _ in range(3):
        await clock.advance(timedelta(minutes=3))
        await crowd.service.do_due()
    assert await record(store, "ben") is None
    ben = await record(store, "ben", CELLAR)
    assert ben is not None
    assert ben.games == 2


# Asking


async def test_a_name_a_mention_and_a_handle_find_the_same_person(crowd: Crowd, store: Store) -> None:
    for name, said in (("anna", "/newgame kabooom"), ("ben", "/join"), ("anna", "/start")):
        person = replace(crowd.person(name), id=PersonId(f"room:{ord(name[0])}"), handle=f"{name}_99")
        await crowd.service.handle(Update(UpdateId(f"room:{name}{said}"), person, ROOM, Typed(said)))
    for _ in range(2):
        name, typed = await next_turn(store, ROOM.id)
        person = replace(crowd.person(name), id=PersonId(f"room:{ord(name[0])}"))
        await crowd.service.handle(Update(UpdateId(f"room:{name} moves"), person, ROOM, Typed(typed)))
    table = await table_here(store)
    ben = replace(crowd.person("ben"), id=PersonId("room:98"))
    body = Press(stamped("resign", table))
    await crowd.service.handle(Update(UpdateId("room:resigns"), ben, ROOM, body))
    for asked in ("Anna", " anna ", "@anna_99", "<@97>", "<@!97>", "an"):
        update = Update(UpdateId("room:asks"), ben, ROOM, SlashCommand("stats", {"person": asked}))
        reply = await crowd.service.handle(update)
        assert "1 game, 1 win" in text(reply), asked
    for asked in ("9", "@", "nobody", "<@>", "{who}", "x" * 5000, "*", "Anna Anna"):
        reply = await crowd.service.handle(Update(UpdateId("room:asks"), ben, ROOM, Typed(f"/stats {asked}")))
        assert "There are no results to show for" in text(reply), asked
        assert len(text(reply)) < 200


async def test_people_of_another_place_are_not_known_here(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    assert "There are no results to show for" in text(await crowd.says("ben", "/stats anna", place=CELLAR))
    assert "Nobody to show" in text(await crowd.says("ben", "/top", place=CELLAR))


async def test_a_private_chat_shows_records_of_all_places(crowd: Crowd, store: Store) -> None:
    private = Place(PlaceId("room:@anna"), private=True)
    assert "No games on your record" in text(await crowd.says("anna", "/stats", place=private))
    await begun(crowd, store)
    await resign(crowd, store, "ben")
    assert "1 game, 1 win" in text(await crowd.says("anna", "/stats", place=private))


async def test_a_hidden_person_looks_like_an_unknown_one(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    await crowd.sends("ben", Press(payload.write("hide", "", 1)))
    said = text(await crowd.says("anna", "/stats ben"))
    assert said.replace("ben", "dan") == text(await crowd.says("anna", "/stats dan"))
    assert "Ben" not in text(await crowd.says("anna", "/top"))
    assert "1 win" in text(await crowd.says("ben", "/stats"))
    await crowd.sends("ben", Press(payload.write("hide", "", 0)))
    assert "1 win" in text(await crowd.says("anna", "/stats ben"))


async def test_hiding_applies_to_every_worker_at_once(crowd: Crowd, bots: Callable[[], Service], store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    other = crowd.again(bots())
    assert "1 win" in text(await other.says("ben", "/stats"))  # this worker remembers ben's settings now
    assert "Ben" in text(await other.says("anna", "/top"))
    await crowd.sends("ben", Press(payload.write("hide", "", 1)))
    assert "Ben" not in text(await other.says("anna", "/top"))
    assert "There are no results to show for" in text(await other.says("anna", "/stats ben"))


async def test_the_top_list_has_ten_people_despite_hidden_ones(
    crowd: Crowd, store: Store, clock: HandClock, raw: Redis
) -> None:
    await begun(crowd, store)
    table = await table_here(store)
    people = [f"p{n:02}" for n in range(30)]
    records = Results(store, lambda: to_ms(clock.now()))
    for n, (one, other) in enumerate(zip(people[::2], people[1::2], strict=True)):
        seats = tuple(
            replace(seat, person=PersonId(f"room:{name}"), name=name)
            for seat, name in zip(table.seats, (one, other), strict=True)
        )
        result = Result("resigned", (0,), None, of_table=True)
        moved(raw, TableId(f"t{n:03}"))
        await records.settle(replace(table, id=TableId(f"t{n:03}"), phase=Phase.OVER, result=result, seats=seats))
    for name in people[::2][:12]:
        await store.set_person_setting(PersonId(f"room:{name}"), "hidden", "on")
    listed = [line for line in text(await crowd.says("clara", "/top kabooom")).splitlines() if " · " in line]
    assert len(listed) == 10
    assert listed[0].startswith("🥇 p")
    assert [("1 win" in line) for line in listed] == [True] * 3 + [False] * 7


async def test_the_list_turns_from_game_to_game(crowd: Crowd, store: Store, clock: HandClock, raw: Redis) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    other = next(game for game in GAMES if game != "kabooom")
    reply = await crowd.says("ben", "/top")
    assert reply is not None
    assert [button.label for button in buttons(reply)] == ["✕"]
    await begun(crowd, store)
    seats = (await table_here(store)).seats
    over = Table(
        id=TableId("elsewhere"),
        game=other,
        place=ROOM.id,
        host=seats[0].person,
        lang="en",
        created_ms=0,
        phase=Phase.OVER,
        seats=seats,
        result=Result("points", (0,), (2, 1)),
    )
    moved(raw, over.id)
    await Results(store, lambda: to_ms(clock.now())).settle(over)
    reply = await crowd.says("ben", "/top")
    assert reply is not None
    assert reply.title.startswith("Kabooom!")  # the game that is on here
    assert reply.role.is_menu
    turned = await crowd.sends("ben", Press(payload.write("top", other)))
    assert turned is not None
    assert not turned.title.startswith("Kabooom!")
    assert "Kabooom!" in str(turned.rows)


@pytest.mark.parametrize("asked", ["/top nothing", "/top 🎲", "/top " + "x" * 10_000])
async def test_a_game_that_there_is_not_is_answered_with_one_that_there_is(
    crowd: Crowd, store: Store, asked: str
) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    reply = await crowd.says("ben", asked)
    assert reply is not None
    assert reply.title.startswith("Kabooom!")
