"""The store: saves are atomic and applied once; work is claimed once; places and people have settings."""

import asyncio
import gzip
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import msgspec
import pytest
from msgspec.structs import replace
from redis import Redis

from bot.chat import MessageId, PersonId, PlaceId, UpdateId
from bot.runtime.metrics import Metrics
from bot.store import Conflict, NewerDocument, Repeated, StoreDown, documents, keys
from bot.store.address import parse
from bot.store.backup import Backup
from bot.store.calls import Calls
from bot.store.client import CONNECTIONS
from bot.store.platform_storage import has_died, machine
from bot.store.store import RECENT, SEEN_MS, Store
from bot.tables.board_message import BoardMessage, Venue
from bot.tables.snapshot import Snapshot
from bot.tables.table import Entry, Fading, Phase, Seat, Table, TableId
from rules import News
from tests.bot.conftest import HandClock
from tests.bot.servers import wired

NOW = 1_767_614_400_000
MINUTE = 60_000
ID = TableId("abcdefgh")


def a_table(revision: int = 1, id_: TableId = ID, **fields: Any) -> Table:
    written: dict[str, Any] = {
        "id": id_,
        "game": "kabooom",
        "place": PlaceId("discord:55"),
        "host": PersonId("discord:1"),
        "lang": "en",
        "created_ms": NOW,
        "seed": "0f" * 16,
        "revision": revision,
        "phase": Phase.RUNNING,
        "options": {"speed": "slow"},
        "seats": (Seat(PersonId("discord:1"), "Anna", "de"), Seat(PersonId("telegram:2"), "Böb 🎲", "en", house=True)),
        "state": msgspec.Raw(b'{"cells":[1,2,3],"note":"\\u00e4"}'),
    }
    return Table(**{**written, **fields})


def an_entry(revision: int = 1, **fields: Any) -> Entry:
    written: dict[str, Any] = {"revision": revision, "seat": 0, "action": "b3-c4", "at_ms": NOW, "turn": revision}
    return Entry(**{**written, **fields})


async def save(
    store: Store,
    table: Table,
    update: str | None = None,
    entries: Sequence[Entry] = (),
    *,
    repost_ms: int = NOW + MINUTE,
    due_ms: int | None = None,
    expire_ms: int | None = None,
    before: str | None = None,
    urgent: bool = False,
) -> str:
    id_ = None if update is None else UpdateId(update)
    times: dict[str, Any] = {"now_ms": NOW, "repost_ms": repost_ms, "due_ms": due_ms, "expire_ms": expire_ms}
    return await store.save(table, entries, id_, before=before, urgent=urgent, **times)


async def loaded(store: Store, id_: TableId = ID) -> Snapshot:
    result = await store.load(id_)
    assert result is not None
    return result


def contents(raw: Redis) -> dict[str, bytes | None]:
    """Return everything in the server as it would be written to disk."""
    return {key.decode(): raw.dump(key) for key in raw.scan_iter() if isinstance(key, bytes)}


# A table


async def test_a_saved_table_can_be_loaded(store: Store) -> None:
    table = a_table()
    entry = an_entry(news=(News("takes", 1, (("what", "rock"),)),))
    await save(store, table, "u:1", [entry])
    result = await loaded(store)
    assert msgspec.json.encode(result.table) == msgspec.json.encode(table)
    assert result.recent == (entry,)
    assert result.board_message is None


async def test_a_table_that_was_never_saved_is_not_there(store: Store) -> None:
    assert await store.load(ID) is None
    assert await store.log(ID) == ()


async def test_a_table_without_a_state_is_loaded_without_one(store: Store) -> None:
    await save(store, a_table(phase=Phase.LOBBY, state=msgspec.UNSET))
    assert (await loaded(store)).table.state is msgspec.UNSET


async def test_a_table_comes_with_the_newest_entries_of_its_log_and_the_log_has_all(store: Store) -> None:
    entries = tuple(an_entry(number) for number in range(1, RECENT + 8))
    await save(store, a_table(1), "u:1", entries[:5])
    await save(store, a_table(2), "u:2", entries[5:])
    assert (await loaded(store)).recent == entries[-RECENT:]
    assert await store.log(ID) == entries


async def test_save_load_and_posted_are_one_round_trip_each(store: Store, raw: Redis) -> None:
    async def step(revision: int) -> None:
        await save(store, a_table(revision), f"u:{revision}", [an_entry(revision)] * 3, due_ms=NOW)
        await store.load(ID)
        await store.record_post(ID, message(revision))

    await step(1)  # the server meets the scripts
    before = raw.info("stats")["total_reads_processed"]
    await step(2)
    assert raw.info("stats")["total_reads_processed"] == before + 3 + 1  # the last one asks this


async def test_a_state_already_on_the_server_is_not_sent_again(store: Store, server: str, raw: Redis) -> None:
    other = await Store.open(server)
    long_name = "x" * 100_000
    await save(other, a_table(1, host=PersonId(long_name)))
    first = await loaded(store)
    sent = raw.info("stats")["total_net_output_bytes"]
    assert (await loaded(store)) == first
    await save(store, a_table(2, host=PersonId(long_name)), "u:2", [an_entry(2)], before=first.save)
    assert (await loaded(store)).recent == (an_entry(2),)
    assert raw.info("stats")["total_net_output_bytes"] - sent < 50_000
    await other.close()


async def handed_out_twice(store: Store, raw: Redis) -> tuple[str, str]:
    """Return the names of two saves with revision 2: of turn 7, which was lost, and of turn 8, which exists."""
    first = await save(store, a_table(1), before="")
    key = keys.of_table(ID, keys.shard(ID))[0]
    behind = cast("bytes", raw.dump(key))
    lost = await save(store, a_table(2, turn=7), before=first)
    raw.restore(key, 0, behind, replace=True)
    return lost, await save(store, a_table(2, turn=8), before=first)


async def test_a_reused_revision_does_not_accept_saves_based_on_the_lost_one(store: Store, raw: Redis) -> None:
    """A server that comes back from a backup, or a replica that was behind, has lost its newest saves."""
    lost, again = await handed_out_twice(store, raw)
    with pytest.raises(Conflict):
        await save(store, a_table(3, turn=9), before=lost)
    seen = await loaded(store)
    assert (seen.table.turn, seen.save) == (8, again)


async def test_stores_that_take_turns_all_see_the_newest_table(store: Store, server: str, raw: Redis) -> None:
    others = [await Store.open(server, known=known) for known in (1, 500)]
    for revision in range(1, 60):
        writer, reader = (store, *others)[revision % 3], (store, *others)[revision % 7 % 3]
        await save(writer, a_table(revision, turn=revision), f"u:{revision}", [an_entry(revision)])
        await save(writer, a_table(1, TableId(f"table{revision:03}")))  # a full cache drops old entries
        if revision % 5 == 0:
            await writer.record_post(ID, message(revision))
        fresh = await Store.open(server, known=1)
        seen, true = await loaded(reader), await loaded(fresh)
        assert (seen.table.turn, seen.board_message, seen.recent) == (revision, true.board_message, true.recent)
        assert msgspec.json.encode(seen.table) == msgspec.json.encode(true.table)
        await fresh.close()
    raw.flushall()
    for other in (store, *others):
        assert await other.load(ID) is None
    for other in others:
        await other.close()


async def test_the_table_in_the_server_is_readable_json_under_the_keys_of_its_shard(store: Store, raw: Redis) -> None:
    await save(store, a_table(), "u:1", [an_entry()], due_ms=NOW + 5)
    tag = f"kb:{{s{keys.shard(ID):02}}}"
    assert set(contents(raw)) == {
        f"{tag}:t:{ID}",
        f"{tag}:log:{ID}",
        f"{tag}:seen:{ID}",
        f"{tag}:due",
        f"{tag}:unposted",
        f"{tag}:running",
    }
    document = raw.hget(f"{tag}:t:{ID}", "json")
    assert isinstance(document, bytes)
    assert msgspec.json.decode(document)["seats"][1]["name"] == "Böb 🎲"


def test_tables_are_spread_over_all_shards() -> None:
    shards = [keys.shard(TableId(f"table{number:03}")) for number in range(1000)]
    assert set(shards) == set(range(64))


# Two at once


async def test_the_stored_revision_must_be_the_one_before(store: Store, raw: Redis) -> None:
    await save(store, a_table(1), "u:1")
    await save(store, a_table(2), "u:2")
    before = contents(raw)
    for revision in (1, 2, 4):
        with pytest.raises(Conflict):
            await save(store, a_table(revision), f"u:other{revision}", [an_entry()], due_ms=NOW)
    assert contents(raw) == before


async def test_a_new_table_has_revision_1(store: Store, raw: Redis) -> None:
    with pytest.raises(Conflict):
        await save(store, a_table(2), "u:1", [an_entry()], due_ms=NOW)
    assert contents(raw) == {}


async def test_fifty_saves_at_once_on_one_revision_and_one_wins(store: Store) -> None:
    await save(store, a_table(1), "u:1")

    async def press(number: int) -> int | None:
        try:
            await save(store, a_table(2, turn=number), f"u:press{number}", [an_entry(2, seat=number)])
        except Conflict:
            return None
        return number

    winners = [number for number in await asyncio.gather(*map(press, range(50))) if number is not None]
    assert len(winners) == 1
    result = await loaded(store)
    assert result.table.turn == winners[0]
    assert [entry.seat for entry in await store.log(ID)] == winners


async def test_fifty_people_change_a_table_one_after_another_by_loading_again(store: Store) -> None:
    await save(store, a_table(1))

    async def join(number: int) -> None:
        while True:
            table = (await loaded(store)).table
            seats = (*table.seats, Seat(PersonId(f"p:{number}"), "", "en"))
            try:
                await save(store, a_table(table.revision + 1, seats=seats), f"u:{number}")
            except Conflict:
                continue
            return

    await asyncio.gather(*map(join, range(50)))
    result = await loaded(store)
    assert result.table.revision == 51
    assert len({seat.person for seat in result.table.seats}) == 52


# An update is applied once


async def test_the_same_update_twice_is_repeated(store: Store, raw: Redis) -> None:
    await save(store, a_table(1), "u:1")
    await save(store, a_table(2), "u:2", [an_entry(2)])
    before = contents(raw)
    for table in (a_table(2), a_table(3), a_table(9)):  # for any revision
        with pytest.raises(Repeated):
            await save(store, table, "u:2", [an_entry(2)])
    assert contents(raw) == before


async def test_fifty_deliveries_of_one_update_at_once_and_one_is_applied(store: Store) -> None:
    await save(store, a_table(1), "u:1")

    async def deliver() -> bool:
        try:
            await save(store, a_table(2), "u:2", [an_entry(2)])
        except Repeated:
            return False
        return True

    assert sum(await asyncio.gather(*(deliver() for _ in range(50)))) == 1
    assert len(await store.log(ID)) == 1


async def test_one_update_may_change_two_tables(store: Store) -> None:
    await save(store, a_table(1), "u:1")
    await save(store, a_table(1, TableId("zzzzzzzz")), "u:1")
    assert (await loaded(store, TableId("zzzzzzzz"))).table.revision == 1


async def test_saves_without_an_update_are_always_applied(store: Store) -> None:
    await save(store, a_table(1))
    await save(store, a_table(2))
    assert (await loaded(store)).table.revision == 2


async def test_applied_updates_are_remembered_for_two_days_after_the_last_save(store: Store, raw: Redis) -> None:
    await save(store, a_table(1), "u:1")
    seen = keys.of_table(ID, keys.shard(ID))[2]
    assert raw.hkeys(seen) == [b"u:1"]
    assert 0 < raw.pttl(seen) <= SEEN_MS


# Lost answers


async def nothing() -> None:
    pass


async def test_a_save_whose_answer_was_lost_is_not_taken_for_a_repeated_update(
    store: Store, server: str, folder: Path
) -> None:
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}")
        await save(far, a_table(1), "u:1")
        wire.lose_answer(b"u:2", nothing)
        await save(far, a_table(2), "u:2", [an_entry(2)])
        assert wire.lost == 1
        assert len(await store.log(ID)) == 1
        with pytest.raises(Repeated):
            await save(far, a_table(2), "u:2", [an_entry(2)])
        await far.close()


async def test_a_save_without_an_update_whose_answer_was_lost_is_no_conflict(
    store: Store, server: str, folder: Path
) -> None:
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}")
        await save(far, a_table(1))
        wire.lose_answer(b"lost-turn", nothing)
        await save(far, a_table(2), None, [an_entry(2, action="lost-turn")])
        assert wire.lost == 1
        assert len(await store.log(ID)) == 1
        await far.close()


async def test_a_save_whose_answer_was_lost_counts_even_if_another_one_followed_at_once(
    store: Store, server: str, folder: Path
) -> None:
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}")
        await save(far, a_table(1), "u:1")
        wire.lose_answer(b"u:2", lambda: save(store, a_table(3), "u:3", [an_entry(3)]))
        await save(far, a_table(2), "u:2", [an_entry(2)])
        assert [entry.revision for entry in await store.log(ID)] == [2, 3]
        assert (await loaded(store)).table.revision == 3
        await far.close()


async def test_a_repeated_update_is_rejected_even_at_the_expected_revision(store: Store, server: str) -> None:
    other = await Store.open(server)
    await save(store, a_table(1), "u:1")
    with pytest.raises(Repeated):
        await save(other, a_table(1), "u:1")
    await other.close()


# No store


async def test_a_store_that_is_not_there_is_down(folder: Path) -> None:
    with pytest.raises(StoreDown, match="does not answer"):
        await Store.open(f"unix://{folder}/nobody", patience_s=0.05)


async def test_a_client_error_on_a_closed_connection_is_temporary(server: str) -> None:
    """It has no words of its own for that. Nothing else that there is not is looked for again."""
    calls, answers, tried = Calls(parse(server), 2.0, 60.0, Metrics()), list[Callable[[], str]](), 0

    async def asked() -> str:
        nonlocal tried
        tried += 1
        return answers.pop(0)()

    closed: Any = None
    answers[:] = [lambda: closed.writelines(()), lambda: closed.readuntil(b""), lambda: "answered"]
    assert (await calls.patiently(asked), tried) == ("answered", 3)
    for flaw in (lambda: closed.a_word_of_ours, lambda: calls.__getattribute__("writelines")):
        answers[:], tried = [flaw], 0
        with pytest.raises(AttributeError):
            await calls.patiently(asked)
        assert tried == 1
    await calls.close()


async def test_a_store_that_never_answers_is_down(server: str, store: Store, folder: Path) -> None:
    near = folder / "wire"
    async with wired(near, server.removeprefix("unix://")) as wire:
        far = await Store.open(f"unix://{near}", timeout_s=0.05, patience_s=60)
        wire.silent, far._calls._patience_s = True, 0.2
        with pytest.raises(StoreDown):
            await save(far, a_table(1), "u:1")
        with pytest.raises(StoreDown):
            await far.claim_due(NOW, MINUTE, 5)
        wire.silent, far._calls._patience_s = False, 60
        await save(far, a_table(1), "u:1")
        await far.close()


async def test_a_late_answer_is_not_taken_for_the_next_calls_answer(server: str, raw: Redis) -> None:
    store = await Store.open(server, timeout_s=0.1)
    for name in ("here", "there"):
        await store.take_place(PlaceId(f"room:{name}"), TableId(name))
    raw.client_pause(250)
    given_up = asyncio.create_task(store.at(PlaceId("room:here")))
    await asyncio.sleep(0.02)
    given_up.cancel()
    assert await store.at(PlaceId("room:there")) == "there"  # tried until the server answers
    assert [await store.at(PlaceId(f"room:{name}")) for name in ("here", "there")] == ["here", "there"]
    await store.close()


async def test_no_secret_is_in_the_error_of_a_store_that_is_down() -> None:
    with pytest.raises(StoreDown) as down:
        await Store.open("redis://anna:hunter2@127.0.0.1:1/0", patience_s=0)
    assert "hunter2" not in f"{down.value!r} {down.value} {down.value.__cause__!r}"


async def test_a_wrong_address_is_refused() -> None:
    with pytest.raises(ValueError, match="must begin with"):
        await Store.open("http://localhost")


async def test_a_server_that_forgot_the_scripts_gets_them_again(store: Store, raw: Redis) -> None:
    await save(store, a_table(1), "u:1")
    raw.script_flush()
    await save(store, a_table(2), "u:2")
    assert (await loaded(store)).table.revision == 2


async def test_a_hundred_and_more_calls_at_once_share_the_connections(store: Store, raw: Redis) -> None:
    await asyncio.gather(*(store.set_place_setting(PlaceId("p:1"), str(number), "x") for number in range(300)))
    assert len(await store.place_settings(PlaceId("p:1"))) == 300
    others = 2  # this one, and the one that watches the server
    assert raw.info("clients")["connected_clients"] <= CONNECTIONS + others


async def test_a_socket_with_odd_characters_in_its_path_has_an_address(server: str, folder: Path, raw: Redis) -> None:
    near = folder / "so cket#?%"
    async with wired(near, server.removeprefix("unix://")):
        far = await Store.open(f"unix://{quote(str(near))}")
        await far.ping()
        await far.close()


# Boards to post


def message(revision: int, name: str = "m1") -> BoardMessage:
    return BoardMessage(MessageId(name), revision, f"turn{revision}", news_since=revision)


async def test_another_process_may_post_a_saved_board_after_its_lease(store: Store) -> None:
    await save(store, a_table(1), repost_ms=NOW + MINUTE)
    assert await store.claim_unposted(NOW + MINUTE - 1, MINUTE, 10) == ()
    assert await store.claim_unposted(NOW + MINUTE, MINUTE, 10) == (ID,)


async def test_unposted_boards_are_claimed_longest_waiting_first_on_any_shard(store: Store) -> None:
    ids = [TableId(f"table{number:03}") for number in range(12)]
    assert len({keys.shard(table_id) for table_id in ids}) > 2
    for number, table_id in enumerate(ids):
        await save(store, a_table(1, table_id), repost_ms=NOW + (number * 5 % 12) * MINUTE)
    longest_first = sorted(ids, key=lambda table_id: ids.index(table_id) * 5 % 12)
    assert await store.claim_unposted(NOW + 12 * MINUTE, MINUTE, 99) == tuple(longest_first)


async def test_a_posted_board_is_not_posted_again(store: Store) -> None:
    await save(store, a_table(1))
    await store.record_post(ID, message(1))
    assert await store.claim_unposted(NOW + 9 * MINUTE, MINUTE, 10) == ()
    assert (await loaded(store)).board_message == message(1)


async def test_a_post_of_a_save_that_was_lost_leaves_the_one_with_its_revision_unposted(
    store: Store, raw: Redis
) -> None:
    lost, there = await handed_out_twice(store, raw)
    await store.record_post(ID, message(2), save=lost)
    assert await store.claim_unposted(NOW + 9 * MINUTE, MINUTE, 10) == (ID,)
    await store.record_post(ID, message(2), save=there)
    assert await store.claim_unposted(NOW + 99 * MINUTE, MINUTE, 10) == ()


async def test_a_post_of_a_later_save_that_was_lost_is_followed_by_those_that_there_are(store: Store) -> None:
    await save(store, a_table(1))
    await store.record_post(ID, message(9, "lost"), save="lost")
    await store.record_post(ID, message(1, "there"))
    assert (await loaded(store)).board_message == message(1, "there")


async def test_a_post_of_an_older_board_leaves_the_newer_one_unposted(store: Store) -> None:
    await save(store, a_table(1))
    await save(store, a_table(2))
    await store.record_post(ID, message(1))
    assert await store.claim_unposted(NOW + 9 * MINUTE, MINUTE, 10) == (ID,)
    assert (await loaded(store)).board_message == message(1)


async def test_an_older_message_never_takes_the_place_of_a_newer_one(store: Store) -> None:
    for revision in (1, 2, 3):
        await save(store, a_table(revision))
    await store.record_post(ID, message(2, "new"))
    await store.record_post(ID, message(1, "old"))
    assert (await loaded(store)).board_message == message(2, "new")
    await store.record_post(ID, message(2, "moved to the bottom"))
    assert (await loaded(store)).board_message == message(2, "moved to the bottom")


async def test_a_table_may_be_shown_in_several_places_and_each_message_is_kept_for_itself(
    store: Store, server: str
) -> None:
    """A board message at another venue survives a save by the same rules, and does not count as the posted board."""
    await save(store, a_table(1))
    hall = replace(message(1, "m7"), at=Venue(PlaceId("t:hall"), "de", "dark"))
    await store.record_post(ID, hall, elsewhere=PlaceId("t:hall"))
    assert await store.claim_unposted(NOW + 9 * MINUTE, MINUTE, 10) == (ID,)
    await store.record_post(ID, message(1))
    await store.record_post(ID, message(1, "m9"), elsewhere=PlaceId("t:attic"))
    await save(store, a_table(2))
    await store.record_post(ID, replace(hall, revision=0), elsewhere=PlaceId("t:hall"))  # an older one
    other, _ = await store.record_post(ID, message(1, "m8"), former=None, elsewhere=PlaceId("t:attic"))
    assert other == message(1, "m9")
    fresh = await Store.open(server)
    for seen in (await loaded(store), await loaded(fresh)):
        assert seen.board_message == message(1)
        assert seen.elsewhere == {PlaceId("t:hall"): hall, PlaceId("t:attic"): message(1, "m9")}
    await fresh.close()


async def test_a_save_keeps_the_newest_message(store: Store) -> None:
    await save(store, a_table(1))
    await store.record_post(ID, message(1))
    await save(store, a_table(2))
    assert (await loaded(store)).board_message == message(1)


async def test_a_refused_board_is_given_up_until_the_next_save(store: Store) -> None:
    await save(store, a_table(1))
    await store.done_unposted(ID, 1)
    assert await store.claim_unposted(NOW + 9 * MINUTE, MINUTE, 10) == ()
    await save(store, a_table(2))
    await store.done_unposted(ID, 1)
    assert await store.claim_unposted(NOW + 9 * MINUTE, MINUTE, 10) == (ID,)
    assert (await loaded(store)).board_message is None


async def test_a_table_that_is_gone_is_no_longer_unposted_and_does_not_come_back(store: Store, raw: Redis) -> None:
    await save(store, a_table(1))
    raw.delete(*keys.of_table(ID, keys.shard(ID)))
    await store.record_post(ID, message(1))
    assert await store.claim_unposted(NOW + 9 * MINUTE, MINUTE, 10) == ()
    assert await store.load(ID) is None
    assert [name for name in contents(raw) if not name.endswith(":running")] == []


# Reminders


async def test_a_reminder_names_table_and_revision_and_comes_when_it_is_due(store: Store) -> None:
    await save(store, a_table(1), due_ms=NOW + MINUTE)
    assert await store.claim_due(NOW + MINUTE - 1, MINUTE, 10) == ()
    assert await store.claim_due(NOW + MINUTE, MINUTE, 10) == ((ID, 1),)


async def test_the_next_save_replaces_the_reminder(store: Store) -> None:
    await save(store, a_table(1), due_ms=NOW + MINUTE)
    await save(store, a_table(2), due_ms=NOW + 2 * MINUTE)
    assert await store.claim_due(NOW + MINUTE, MINUTE, 10) == ()
    await save(store, a_table(3), due_ms=None)
    assert await store.claim_due(NOW + 9 * MINUTE, MINUTE, 10) == ()


async def test_a_claimed_reminder_comes_again_after_the_lease_unless_it_is_done(store: Store) -> None:
    await save(store, a_table(1), due_ms=NOW)
    assert await store.claim_due(NOW, MINUTE, 10) == ((ID, 1),)
    assert await store.claim_due(NOW + MINUTE - 1, MINUTE, 10) == ()
    assert await store.claim_due(NOW + MINUTE, MINUTE, 10) == ((ID, 1),)
    await store.done_due(ID, 1)
    assert await store.claim_due(NOW + 9 * MINUTE, MINUTE, 10) == ()


async def test_a_reminder_may_be_put_off_but_not_after_a_save_replaced_it(store: Store) -> None:
    await save(store, a_table(1), due_ms=NOW)
    await store.claim_due(NOW, MINUTE, 10)
    await store.done_due(ID, 1, next_ms=NOW + 5 * MINUTE)
    assert await store.claim_due(NOW + 4 * MINUTE, MINUTE, 10) == ()
    assert await store.claim_due(NOW + 5 * MINUTE, MINUTE, 10) == ((ID, 1),)
    await save(store, a_table(2))
    await store.done_due(ID, 1, next_ms=NOW)
    assert await store.claim_due(NOW + 9 * MINUTE, MINUTE, 10) == ()


async def test_of_many_workers_one_gets_each_entry(store: Store) -> None:
    tables = [TableId(f"table{number:03}") for number in range(120)]
    await asyncio.gather(*(save(store, a_table(1, table), due_ms=NOW, repost_ms=NOW) for table in tables))

    async def work() -> list[TableId]:
        got: list[TableId] = []
        while claimed := await store.claim_due(NOW, MINUTE, 7):
            assert len(claimed) <= 7
            got += [table for table, _ in claimed]
        return got

    each_got = await asyncio.gather(*(work() for _ in range(12)))
    assert sorted(table for got in each_got for table in got) == tables
    unposted = await asyncio.gather(*(store.claim_unposted(NOW, MINUTE, 50) for _ in range(12)))
    assert sorted(table for got in unposted for table in got) == tables


async def test_urgent_work_goes_first_and_a_save_removes_it_too(store: Store) -> None:
    tables = [TableId(f"table{number:03}") for number in range(40)]
    urgent, ours = TableId("urgent2222"), 10
    await asyncio.gather(*(save(store, a_table(1, table), due_ms=NOW) for table in tables))
    await save(store, a_table(1, urgent), due_ms=NOW + MINUTE, urgent=True)
    assert (await store.claim_due(NOW + MINUTE, MINUTE, ours))[0] == (urgent, 1)
    assert await store.claim_due(NOW + MINUTE, MINUTE, ours, urgent_only=True) == ()
    await store.done_due(urgent, 1, next_ms=NOW + MINUTE)
    assert await store.claim_due(NOW + MINUTE, MINUTE, ours, urgent_only=True) == ((urgent, 1),)
    await save(store, a_table(2, urgent), due_ms=NOW + MINUTE)  # it is a reminder like others now
    assert await store.claim_due(NOW + 9 * MINUTE, MINUTE, ours, urgent_only=True) == ()
    await save(store, a_table(3, urgent), due_ms=NOW + MINUTE, urgent=True)
    assert await store.claim_due(NOW + 9 * MINUTE, MINUTE, ours, urgent_only=True) == ((urgent, 3),)
    assert urgent not in dict(await store.claim_due(NOW + 9 * MINUTE, MINUTE, 99))


async def test_with_more_due_than_the_limit_every_shard_has_its_turn(store: Store) -> None:
    tables = [TableId(f"table{number:03}") for number in range(64)]
    await asyncio.gather(*(save(store, a_table(1, table), due_ms=NOW) for table in tables))
    got = [table for now in range(64) for table, _ in await store.claim_due(NOW + now, 1, 1)]
    assert len({keys.shard(table) for table in got}) == len({keys.shard(table) for table in tables})


# Forgetting


def times_left(raw: Redis) -> list[int]:
    """Return the remaining milliseconds of table and log, -1 for no expiry."""
    return [int(raw.pttl(key)) for key in keys.of_table(ID, keys.shard(ID))[:2]]


async def test_lobbies_and_finished_tables_expire_and_running_ones_never(store: Store, raw: Redis) -> None:
    await save(store, a_table(1), "u:1", [an_entry()], expire_ms=NOW + MINUTE)
    assert all(0 < left <= MINUTE for left in times_left(raw))
    await save(store, a_table(2), "u:2", [an_entry(2)], expire_ms=None)
    assert times_left(raw) == [-1, -1]
    await store.record_post(ID, message(2))
    assert times_left(raw) == [-1, -1]
    await save(store, a_table(3), "u:3", [an_entry(3)], expire_ms=NOW + 2 * MINUTE)
    assert all(MINUTE < left <= 2 * MINUTE for left in times_left(raw))
    await store.record_post(ID, message(3))
    assert all(MINUTE < left <= 2 * MINUTE for left in times_left(raw))


async def test_an_expired_table_is_gone_with_its_log(store: Store) -> None:
    await save(store, a_table(1), "u:1", [an_entry()], expire_ms=NOW + 1)
    while await store.load(ID) is not None or await store.log(ID):
        await asyncio.sleep(0.001)
    await save(store, a_table(1), "u:2")


async def test_a_table_cannot_expire_in_the_past(store: Store) -> None:
    with pytest.raises(ValueError, match="future"):
        await save(store, a_table(1), expire_ms=MINUTE)


# Places and persons

PLACE = PlaceId("telegram:-100/7")
OTHER = TableId("otherone")


async def test_a_place_holds_one_table(store: Store) -> None:
    assert await store.at(PLACE) is None
    assert await store.take_place(PLACE, ID) == ID
    assert await store.take_place(PLACE, OTHER) == ID
    assert await store.take_place(PLACE, ID) == ID
    assert await store.at(PLACE) == ID


async def test_a_place_is_taken_over_only_from_the_table_that_still_holds_it(store: Store) -> None:
    await store.take_place(PLACE, ID)
    assert await store.take_place(PLACE, OTHER, instead_of=ID) == OTHER
    assert await store.take_place(PLACE, TableId("thirdone"), instead_of=ID) == OTHER


async def test_a_place_is_left_only_by_the_table_that_holds_it(store: Store) -> None:
    await store.take_place(PLACE, ID)
    await store.leave_place(PLACE, OTHER)
    assert await store.at(PLACE) == ID
    await store.leave_place(PLACE, ID)
    assert await store.at(PLACE) is None


async def test_fifty_tables_want_one_place_and_all_hear_who_has_it(store: Store) -> None:
    said = await asyncio.gather(*(store.take_place(PLACE, TableId(f"table{n:03}")) for n in range(50)))
    assert len(set(said)) == 1
    assert await store.at(PLACE) == said[0]


async def test_a_person_sits_at_tables_the_newest_first(store: Store) -> None:
    anna = PersonId("discord:1")
    assert await store.tables_of(anna) == ()
    await store.add_table(anna, ID, NOW)
    await store.add_table(anna, OTHER, NOW + 1)
    assert await store.tables_of(anna) == (OTHER, ID)
    await store.remove_table(anna, OTHER)
    assert await store.tables_of(anna) == (ID,)


async def test_places_and_persons_have_settings(store: Store) -> None:
    anna = PersonId("discord:1")
    await store.set_place_setting(PLACE, "lang", "de")
    await store.set_person_setting(anna, "lang", "en")
    await store.set_person_setting(anna, "pings", "näher 🎲")
    assert await store.place_settings(PLACE) == {"lang": "de"}
    assert await store.person_settings(anna) == {"lang": "en", "pings": "näher 🎲"}
    await store.set_person_setting(anna, "lang", None)
    assert await store.person_settings(anna) == {"pings": "näher 🎲"}


async def test_short_lived_messages_are_kept_no_longer_than_they_can_be_sent(store: Store, raw: Redis) -> None:
    """A token that lives for minutes stays in the server for these minutes, despite later writes."""
    first = Fading(1, PlaceId("discord:5"), MessageId("secret-token/1"))
    lasting = Fading(1, PlaceId("telegram:5"), MessageId("7"))
    await store.fading.add(ID, first, 5 * MINUTE)
    await store.fading.add(ID, lasting, None)
    storage = store.platform_storage("discord", HandClock())
    await storage.put("discord:1", b"secret-token", ttl_s=300, claimable_in_s=0)
    with_it = [key for key in raw.keys("*") if b"secret-token" in _content(raw, key)]
    assert len(with_it) == 2
    for key in with_it:
        assert 0 < raw.pttl(key) <= 5 * MINUTE
        raw.delete(key)  # as the server does in time
    assert await store.fading.of(ID) == (lasting,)
    assert await storage.claim(lease_s=60, limit=10) == ()
    await store.fading.done(ID, lasting)
    assert await store.fading.of(ID) == ()
    assert raw.keys("*") == []


async def test_backups_skip_short_lived_keys_and_keep_urgent_work(
    store: Store, server: str, raw: Redis, tmp_path: Path
) -> None:
    lasting = Fading(1, PlaceId("telegram:5"), MessageId("7"))
    await save(store, a_table(1), due_ms=NOW + MINUTE, urgent=True)
    await store.fading.add(ID, Fading(1, PlaceId("discord:5"), MessageId("secret-token/1")), MINUTE)
    await store.fading.add(ID, lasting, None)
    storage = store.platform_storage("discord", HandClock())
    await storage.put("discord:1", b"secret-token", ttl_s=60, claimable_in_s=0)
    calls = Calls(parse(server), 2.0, 8.0, Metrics())
    file = tmp_path / "backup"
    await Backup(calls).write(file, NOW)
    await calls.close()
    written = gzip.decompress(file.read_bytes()).decode()
    assert "secret-token" not in written
    assert "telegram:5" in written
    assert f'"due_ms":{NOW + MINUTE}' in written


def _content(raw: Any, key: object) -> bytes:
    read = {b"string": raw.get, b"set": raw.smembers, b"zset": lambda key: raw.zrange(key, 0, -1)}
    return str(read[raw.type(key)](key)).encode()


async def test_a_fading_reply_without_ttl_is_kept_in_the_set_itself(store: Store, raw: Redis) -> None:
    old = Fading(1, PlaceId("telegram:5"), MessageId("7"))
    raw.sadd(keys.fading(ID), documents.encoded(old))
    assert await store.fading.of(ID) == (old,)
    await store.fading.done(ID, old)
    assert await store.fading.of(ID) == ()


async def test_a_stored_value_is_claimed_once_per_lease(store: Store) -> None:
    clock = HandClock()
    discord, telegram = (store.platform_storage(name, clock) for name in ("discord", "telegram"))
    await discord.put("discord:1", b"value", ttl_s=600, claimable_in_s=5)
    assert await discord.claim(lease_s=60, limit=10) == ()
    await clock.advance(timedelta(seconds=5))
    assert await telegram.claim(lease_s=60, limit=10) == ()
    assert await discord.claim(lease_s=60, limit=10) == (b"value",)
    assert await discord.claim(lease_s=60, limit=10) == ()
    await clock.advance(timedelta(seconds=60))
    assert await discord.claim(lease_s=60, limit=10) == (b"value",)
    await discord.delete("discord:1")
    await clock.advance(timedelta(minutes=9))
    assert await discord.claim(lease_s=60, limit=10) == ()


# Documents of other versions


def first_step(fields: dict[str, object]) -> dict[str, object]:
    """Return the document as if tables of schema 2 had named their place "channel"."""
    rest = {name: value for name, value in fields.items() if name != "channel"}
    return {**rest, "place": f"discord:{fields['channel']}"}


def second_step(fields: dict[str, object]) -> dict[str, object]:
    return {**fields, "lang": "de"}


OLD = msgspec.json.encode(
    {"id": ID, "game": "kabooom", "channel": 55, "host": "discord:1", "created_ms": 5, "state": {"a": 1}}
)


def test_an_older_document_is_brought_forward_step_by_step() -> None:
    table = documents.table(OLD, 2, (first_step, second_step))
    assert (table.place, table.lang) == ("discord:55", "de")
    assert msgspec.json.encode(table.state) == b'{"a":1}'


def test_steps_that_were_done_already_are_not_done_again() -> None:
    newer = msgspec.json.encode(first_step(msgspec.json.decode(OLD)))
    assert documents.table(newer, 3, (first_step, second_step)).place == "discord:55"


def test_a_document_of_an_unknown_older_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="reads schemas from 2 on"):
        documents.table(OLD, 1)


async def test_a_document_of_a_newer_version_is_refused(store: Store, server: str, raw: Redis) -> None:
    newer = await Store.open(server)
    await save(newer, a_table(1))
    await newer.close()
    raw.hset(keys.of_table(ID, keys.shard(ID))[0], "schema", documents.SCHEMA + 1)
    with pytest.raises(NewerDocument, match="knows schemas up to"):
        await store.load(ID)


async def test_attachments_of_a_table_are_not_saves(store: Store) -> None:
    await save(store, a_table())
    before = await loaded(store)
    assert await store.attachment(ID, "hints 0") is None
    assert await store.attach(ID, "hints 0", b"one", before=None) == b"one"
    assert await store.attachment(ID, "hints 0") == b"one"
    assert await loaded(store) == before
    await save(store, a_table(2))
    assert await store.attachment(ID, "hints 0") == b"one"


async def test_of_two_that_keep_something_beside_a_table_one_hears_of_the_other(store: Store) -> None:
    await save(store, a_table())
    result = await asyncio.gather(*(store.attach(ID, "x", text, before=None) for text in (b"one", b"two")))
    assert len(set(result)) == 1
    assert await store.attach(ID, "x", b"three", before=b"none") == result[0]
    assert await store.attach(ID, "x", b"three", before=result[0]) == b"three"


async def test_nothing_is_kept_beside_a_table_that_is_not_there(store: Store, raw: Redis) -> None:
    assert await store.attach(ID, "x", b"one") is None
    assert not contents(raw)


async def test_attachments_expire_with_their_table(store: Store, raw: Redis) -> None:
    await save(store, a_table())
    await store.attach(ID, "x", b"one")
    await save(store, a_table(2), expire_ms=NOW + 50)
    await asyncio.sleep(0.2)
    assert await store.attachment(ID, "x") is None


# The storage of a platform


async def test_one_process_holds_the_leader_lease(store: Store, server: str, raw: Redis) -> None:
    clock, other = HandClock(), await Store.open(server)
    ours, theirs = store.platform_storage("x", clock), other.platform_storage("x", clock)
    assert await ours.lease(60)
    assert not await theirs.lease(60)
    assert await ours.lease(60), "the holder renews it"
    assert await other.platform_storage("y", clock).lease(60), "each platform has its own lease"
    await theirs.release()
    assert not await theirs.lease(60), "only the holder can release it"
    await ours.release()
    assert await theirs.lease(60)
    raw.pexpire(keys.leader("x"), 1)  # the holder has died, and its lease expires
    while not await ours.lease(60):
        await asyncio.sleep(0.005)
    assert not await theirs.lease(60)
    died = subprocess.Popen([sys.executable, "-c", ""])
    died.wait()
    raw.set(keys.leader("z"), f"its-name {machine()} {died.pid} 00000000")
    assert await store.platform_storage("z", clock).lease(60), "no waiting for a process that died on this machine"
    await other.close()


async def test_the_only_process_of_a_store_waits_for_no_lease(server: str, raw: Redis) -> None:
    """The lease is its own, from before a crash in another container."""
    raw.set(keys.leader("x"), "its-name elsewhere 1 00000000", px=60_000)
    store = await Store.open(server, alone=True)
    assert await store.platform_storage("x", HandClock()).lease(60)
    await store.close()


def test_a_killed_process_that_its_parent_has_not_noticed_has_died() -> None:
    killed = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    killed.kill()
    os.waitid(os.P_PID, killed.pid, os.WEXITED | os.WNOWAIT)
    assert has_died(f"x {machine()} {killed.pid} 00000000") == (sys.platform == "linux")
    killed.communicate()


def test_process_in_another_container_with_the_same_host_name_has_not_died() -> None:
    died = subprocess.Popen([sys.executable, "-c", ""])
    died.wait()
    host, _, rest = machine().partition("/")
    assert has_died(f"x {machine()} {died.pid} 00000000")
    assert not has_died(f"x {host}/another-{rest} {died.pid} 00000000")
    assert not has_died(f"x {host} {died.pid} 00000000")
    assert sys.platform != "linux" or rest.count("/") == 1


async def test_slots_of_a_queue_follow_one_another(store: Store, server: str) -> None:
    clock, other = HandClock(), await Store.open(server)
    ours, theirs = store.platform_storage("x", clock), other.platform_storage("x", clock)
    assert await ours.reserve_slot("a", 60) == 0
    assert 50 < await theirs.reserve_slot("a", 60) <= 60
    assert 110 < await ours.reserve_slot("a", 60) <= 120
    assert await theirs.reserve_slot("b", 60) == 0, "each queue has its own slots"
    elsewhere = other.platform_storage("y", clock)
    assert await elsewhere.reserve_slot("a", 0.001) == 0
    await asyncio.sleep(0.01)
    assert await elsewhere.reserve_slot("a", 60) == 0, "the queue has emptied"
    await other.close()


async def test_a_full_store_is_given_up_soon(server: str, raw: Redis) -> None:
    """A person waits for the answer, and memory is not freed in seconds."""
    store = await Store.open(server)
    raw.config_set("maxmemory", "1mb")
    try:
        async with asyncio.timeout(6):
            with pytest.raises(StoreDown, match="maxmemory"):
                await store.fading.add(TableId("t"), Fading(1, PlaceId("room:hall"), MessageId("1")), None)
    finally:
        raw.config_set("maxmemory", "0")
        await store.close()
