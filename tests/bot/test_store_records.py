"""Records of people in the store: written once and atomically, by place; all of them can be found and deleted."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from redis import Redis
from redis.crc import key_slot

from bot.chat import PersonId, PlaceId
from bot.store import Conflict, keys
from bot.store.embedded import Embedded
from bot.store.records import RATED_MS
from bot.store.store import Store
from bot.tables.rating import Called, Reached, Record
from bot.tables.table import Phase, TableId
from tests.bot.scanning import where
from tests.bot.servers import wait_for, wired
from tests.bot.test_store import ID, NOW, a_table, contents, loaded, nothing, save

HALL, CELLAR = PlaceId("x:hall"), PlaceId("x:cellar")
ANNA, BEN, CLARA = PersonId("x:anna"), PersonId("x:ben"), PersonId("x:clara")
CHESS, GO = "chess", "go"
GAMES = (CHESS, GO)
DAY = 24 * 3600 * 1000


def reached(person: PersonId, games: int = 1, wins: int = 0, mu: float = 25.0, name: str = "") -> Reached:
    return Reached(person, Called(name or person[2:].capitalize(), person[2:]), Record(games, wins, mu, 8.0))


async def rate(
    store: Store,
    *people: Reached,
    place: PlaceId = HALL,
    game: str = CHESS,
    table: str = "table001",
    now_ms: int = NOW,
) -> None:
    await store.records.rate(place, game, TableId(table), people, now_ms)


async def names(store: Store, place: PlaceId = HALL, game: str = CHESS) -> list[str]:
    return [record.called.name for record in await store.records.best(place, game, 0, 99)]


# Records


async def test_a_person_without_a_record_starts_anew(store: Store) -> None:
    assert await store.records.of(HALL, CHESS, [ANNA]) == (Record(),)
    assert await store.records.of_person(ANNA, [HALL], GAMES) == {}


async def test_a_record_is_read_as_it_was_written(store: Store) -> None:
    anna, ben = reached(ANNA, wins=1, mu=27.635231382297), reached(BEN, mu=22.364)
    await rate(store, anna, ben)
    assert await store.records.of(HALL, CHESS, [BEN, CLARA, ANNA]) == (ben.record, Record(), anna.record)
    assert await store.records.of_person(ANNA, [HALL, CELLAR], GAMES) == {HALL: {CHESS: anna.record}}
    assert await store.records.called(HALL) == {ANNA: Called("Anna", "anna"), BEN: Called("Ben", "ben")}
    assert await store.records.places(ANNA) == (HALL,)


async def test_the_result_of_a_table_counts_once(store: Store, raw: Redis) -> None:
    await rate(store, reached(ANNA), reached(BEN))
    before = contents(raw)
    await rate(store, reached(ANNA), reached(BEN))
    await rate(store, reached(ANNA, games=2), reached(BEN, games=2))
    assert contents(raw) == before


async def test_a_result_worked_out_from_an_older_record_is_a_conflict_and_changes_nothing(
    store: Store, raw: Redis
) -> None:
    await rate(store, reached(ANNA), reached(BEN))
    before = contents(raw)
    for other in ((reached(CLARA), reached(ANNA, games=1)), (reached(CLARA), reached(BEN, games=3))):
        with pytest.raises(Conflict):
            await rate(store, *other, table="table002")
    raw.srem(keys.person_places(CLARA), HALL)  # that it may be found here is written before
    assert contents(raw) == before


async def test_fifty_workers_record_one_table_at_once_and_it_counts_once(store: Store, server: str) -> None:
    stores = [store, await Store.open(server), await Store.open(server)]
    await asyncio.gather(*(rate(stores[n % 3], reached(ANNA), reached(BEN)) for n in range(50)))
    assert [record.record.games for record in await store.records.best(HALL, CHESS, 0, 9)] == [1, 1]
    for other in stores[1:]:
        await other.close()


async def test_a_result_whose_answer_was_lost_counts_once(store: Store, server: str, folder: Path) -> None:
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}")
        wire.lose_answer(b"table001", nothing)
        await rate(far, reached(ANNA))
        assert wire.lost == 1
        assert (await store.records.of(HALL, CHESS, [ANNA]))[0].games == 1
        await far.close()


async def test_places_and_games_are_apart(store: Store) -> None:
    await rate(store, reached(ANNA, mu=30))
    await rate(store, reached(ANNA, mu=20), place=CELLAR)
    await rate(store, reached(ANNA, mu=10), reached(BEN), game=GO, table="table002")
    result = await store.records.of_person(ANNA, await store.records.places(ANNA), GAMES)
    assert {(place, game): record.mu for place, records in result.items() for game, record in records.items()} == {
        (HALL, CHESS): 30,
        (CELLAR, CHESS): 20,
        (HALL, GO): 10,
    }
    assert await store.records.games(HALL, GAMES) == (CHESS, GO)
    assert await store.records.games(CELLAR, GAMES) == (CHESS,)
    assert list(await store.records.called(CELLAR)) == [ANNA]


async def test_the_best_come_first_and_as_many_as_are_wanted(store: Store) -> None:
    people = [reached(PersonId(f"x:p{number:02}"), mu=float(number)) for number in range(30)]
    await rate(store, *random.Random(7).sample(people, 30))
    assert [record.record.mu for record in await store.records.best(HALL, CHESS, 0, 3)] == [29, 28, 27]
    assert [record.record.mu for record in await store.records.best(HALL, CHESS, 28, 10)] == [1, 0]
    assert await store.records.best(HALL, CHESS, 30, 10) == ()
    assert await store.records.best(HALL, GO, 0, 10) == ()


async def test_people_are_called_as_they_were_last(store: Store) -> None:
    await rate(store, reached(ANNA, name='Änna {1} "2" 🎲\n'))
    assert await names(store) == ['Änna {1} "2" 🎲\n']
    await rate(store, reached(ANNA, name="Anna B."), game=GO, table="table002")
    assert await names(store) == ["Anna B."]


async def test_a_place_remembers_its_tables_for_a_while(store: Store, raw: Redis) -> None:
    await rate(store, reached(ANNA))
    await rate(store, reached(ANNA, games=2), table="table002", now_ms=NOW + RATED_MS)
    assert raw.zrange(keys.place_rated(HALL), 0, -1) == [b"table001", b"table002"]
    await rate(store, reached(ANNA, games=3), table="table003", now_ms=NOW + RATED_MS + 1)
    assert raw.zrange(keys.place_rated(HALL), 0, -1) == [b"table002", b"table003"]
    assert 0 < raw.pttl(keys.place_rated(HALL)) <= RATED_MS


async def test_a_setting_of_several_people_is_read_at_once(store: Store) -> None:
    await store.set_person_setting(BEN, "hidden", "on")
    assert await store.records.settings([ANNA, BEN], "hidden") == (None, "on")
    assert await store.records.settings([], "hidden") == ()


async def test_records_go_along_when_a_place_gets_another_id(store: Store, raw: Redis) -> None:
    await rate(store, reached(ANNA, mu=30), reached(BEN))
    await rate(store, reached(ANNA), game=GO, table="table002")
    await store.records.move(HALL, CELLAR, GAMES)
    assert await names(store, CELLAR) == ["Anna", "Ben"]
    assert await store.records.games(CELLAR, GAMES) == (CHESS, GO)
    assert await store.records.places(ANNA) == await store.records.places(BEN) == (CELLAR,)
    assert where(raw, HALL) == []
    await rate(store, reached(ANNA, games=2), place=CELLAR)
    assert (await store.records.of(CELLAR, CHESS, [ANNA]))[0].games == 1  # this table is in there already
    before = contents(raw)
    await store.records.move(HALL, CELLAR, GAMES)
    assert contents(raw) == before


async def test_results_already_in_the_new_place_stay(store: Store) -> None:
    await rate(store, reached(ANNA, games=1), reached(BEN))
    await rate(store, reached(ANNA, games=1, mu=40), place=CELLAR, table="table002")
    await store.records.move(HALL, CELLAR, GAMES)
    assert (await store.records.of(CELLAR, CHESS, [ANNA]))[0].mu == 40
    assert await names(store, CELLAR) == ["Anna", "Ben"]


def test_keys_touched_by_one_script_share_a_hash_slot() -> None:
    place = [keys.place_people, keys.place_records, keys.place_rated, keys.place, keys.place_settings]
    rankings = [keys.place_ranking(HALL, game) for game in GAMES]
    assert len({key_slot(key.encode()) for key in [*(kind(HALL) for kind in place), *rankings]}) == 1
    assert len({key_slot(key.encode()) for key in keys.of_person(ANNA)}) == 1


# Forgetting


async def test_a_forgotten_person_leaves_no_trace_in_a_place(store: Store, raw: Redis) -> None:
    await rate(store, reached(ANNA, name="Hidden Name"), reached(BEN))
    await rate(store, reached(ANNA, name="Hidden Name"), game=GO, table="table002")
    await rate(store, reached(ANNA), place=CELLAR)
    await store.records.forget_in(HALL, ANNA, GAMES)
    assert not [text for text in where(raw, "anna", "hidden name") if text.startswith(keys.place(HALL))]
    assert await names(store) == ["Ben"]
    assert await names(store, CELLAR) == ["Anna"]
    assert await store.records.places(ANNA) == (CELLAR,)


async def test_a_returning_forgotten_person_starts_anew(store: Store) -> None:
    await rate(store, reached(ANNA, games=1))
    await rate(store, reached(ANNA, games=2), table="table002")
    await store.records.forget_in(HALL, ANNA, GAMES)
    with pytest.raises(Conflict):
        await rate(store, reached(ANNA, games=3), table="table003")
    await rate(store, reached(ANNA, games=1), table="table003")


async def test_everything_of_a_person_and_of_a_place_goes(store: Store, raw: Redis) -> None:
    await rate(store, reached(ANNA))
    await store.set_person_setting(ANNA, "lang", "de")
    await store.set_place_setting(HALL, "lang", "de")
    await store.take_place(HALL, ID)
    await store.add_table(ANNA, ID, NOW)
    await store.records.add_played([ANNA], ID, NOW, NOW + DAY)
    await store.records.add_own_place(ANNA, HALL)
    assert await store.records.own_places(ANNA) == (HALL,)
    await store.records.forget_place(HALL, GAMES)
    await store.records.forget(ANNA)
    assert contents(raw) == {}


async def test_where_somebodys_name_is_is_known_until_it_expires(store: Store, raw: Redis) -> None:
    await store.records.add_played([ANNA, BEN], TableId("table001"), NOW, NOW + DAY)
    await store.records.add_played([ANNA], TableId("table002"), NOW + DAY // 2, NOW + 2 * DAY)
    assert await store.records.played(ANNA) == ("table001", "table002")
    await store.records.add_played([ANNA], TableId("table003"), NOW + DAY + 1, NOW + 3 * DAY)
    assert await store.records.played(ANNA) == ("table002", "table003")
    assert await store.records.played(BEN) == ("table001",)
    assert 0 < raw.pttl(keys.person_played(BEN)) <= DAY


# Rewriting a table


async def test_a_table_that_is_over_can_read_otherwise_and_nothing_else_changes(store: Store, raw: Redis) -> None:
    await save(store, a_table(1), "u:1", due_ms=NOW + 5, expire_ms=NOW + DAY)
    shard = keys.shard(ID)
    ttl, unposted = raw.pttl(keys.of_table(ID, shard)[0]), raw.zrange(keys.UNPOSTED[shard], 0, -1, withscores=True)
    await store.rewrite(a_table(2, seats=(), phase=Phase.OVER))
    table = (await loaded(store)).table
    assert (table.revision, table.seats) == (2, ())
    assert 0 < raw.pttl(keys.of_table(ID, shard)[0]) <= ttl
    assert raw.zrange(keys.UNPOSTED[shard], 0, -1, withscores=True) == unposted
    assert await store.claim_due(NOW + 5, 1000, 9) == ((ID, 2),)


async def test_rewriting_without_a_reminder_makes_none(store: Store, raw: Redis) -> None:
    await save(store, a_table(1))
    await store.rewrite(a_table(2))
    assert raw.zcard(keys.DUE[keys.shard(ID)]) == 0


async def test_a_table_that_was_saved_meanwhile_is_not_rewritten(store: Store, raw: Redis) -> None:
    with pytest.raises(Conflict):
        await store.rewrite(a_table(1))
    assert contents(raw) == {}
    await save(store, a_table(1))
    await save(store, a_table(2))
    with pytest.raises(Conflict):
        await store.rewrite(a_table(2))
    await store.rewrite(a_table(3, turn=9))
    with pytest.raises(Conflict):
        await save(store, a_table(3))


async def test_every_store_sees_that_a_table_was_rewritten(store: Store, server: str) -> None:
    other = await Store.open(server)
    await save(store, a_table(1))
    assert (await loaded(other)).table.turn == (await loaded(store)).table.turn == 0
    await other.rewrite(a_table(2, turn=9))
    assert (await loaded(other)).table.turn == (await loaded(store)).table.turn == 9
    await other.close()


async def test_a_rewriting_whose_answer_was_lost_is_no_conflict(store: Store, server: str, folder: Path) -> None:
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}")
        await save(far, a_table(1))
        wire.lose_answer(b"rewritten", nothing)
        await far.rewrite(a_table(2, options={"is": "rewritten"}))
        assert wire.lost == 1
        assert (await loaded(store)).table.revision == 2
        await far.close()


# The server's file


def on_disk(directory: Path) -> Sequence[Path]:
    """Return the files that contain Zebulon's data; a file that disappears during the search counts until the next
    one."""

    def tells(path: Path) -> bool:
        try:
            return b"zebulon" in path.read_bytes()
        except FileNotFoundError:
            return True

    return [path for path in (directory / "appendonlydir").iterdir() if tells(path)]


async def test_deleted_data_is_not_in_the_servers_file(data: Path) -> None:
    async with Embedded(data) as server:
        store = await Store.open(server.url)
        for round_ in range(5):  # the next comes while the file is still being written
            person = PersonId(f"x:zebulon{round_}")
            await store.set_person_setting(person, "lang", "de")
            await rate(store, reached(person), table=f"table{round_:03}")
            await store.records.forget_in(HALL, person, GAMES)
            await store.records.forget(person)
            await store.compact()
        await asyncio.to_thread(wait_for, lambda: not on_disk(data))
        await store.close()


async def test_a_record_in_the_server_is_readable_json(store: Store, raw: Redis) -> None:
    await rate(store, reached(ANNA, wins=1))
    result = raw.hget(keys.place_records(HALL), f"{CHESS} {ANNA}")
    assert isinstance(result, bytes)
    assert msgspec.json.decode(result) == {"games": 1, "wins": 1, "mu": 25.0, "sigma": 8.0, "recent": []}
