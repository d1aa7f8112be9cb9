"""Backups: their contents, the restored store, and people who must not return with it."""

import asyncio
import gzip
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from redis import Redis

from bot.app import build
from bot.chat import MessageId, PersonId, Place, PlaceId, Press
from bot.delivery.painting import Pictures
from bot.operation import commandline
from bot.requests import CastVote, Stamp, payload
from bot.runtime.clock import to_ms
from bot.runtime.metrics import Metrics
from bot.store import Restoring, StoreError, client, keys
from bot.store.address import parse
from bot.store.backup import Backup, Checked, KeptTable, NotEmpty, NotPlain, Tail, Unreadable, check
from bot.store.calls import Calls
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables import voting
from bot.tables.board_message import RESTORED, BoardMessage, Venue
from bot.tables.table import Phase
from tests.bot.conftest import HandClock
from tests.bot.scanning import where, written
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_forgetting import FORGET, OWN, WORDS, Talk, places, talk
from tests.bot.talk.test_service import table_here

__all__ = ["talk"]


@asynccontextmanager
async def backup_of(url: str, patience_s: float = 5.0) -> AsyncIterator[Backup]:
    calls = Calls(parse(url), patience_s, patience_s, Metrics())
    try:
        yield Backup(calls)
    finally:
        await client.close(calls.client)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of another server."""
    embedded = Embedded(tmp_path_factory.mktemp("other"), fsync="everysec")
    with asyncio.Runner() as runner:
        runner.run(embedded.__aenter__())
        yield embedded.url
        runner.run(embedded.__aexit__(None, None, None))


@pytest.fixture
def target(other: str) -> str:
    """Return the address of an empty server."""
    with Redis.from_url(other) as raw:
        raw.flushall()
    return other


async def written_to(file: Path, url: str, clock: HandClock) -> Tail:
    async with backup_of(url) as backup:
        return await backup.write(file, to_ms(clock.now()))


async def restored(file: Path, url: str, clock: HandClock, *others: Path) -> Tail:
    async with backup_of(url) as backup:
        return await backup.restore(file, to_ms(clock.now()), others)


def lines(file: Path) -> list[bytes]:
    with gzip.open(file) as packed:
        return packed.read().splitlines(keepends=True)


async def some_of_everything(talk: Talk, clock: HandClock) -> None:
    """Create lobbies, running and finished games, settings, records and a private chat."""
    await talk.zeb(Press(payload.write("set", "me", 4, 3)))
    await talk.zeb(Press(payload.write("set", "place", 1, 1)), OWN)
    await talk.zeb("/newgame kabooom", OWN)
    won = await talk.begin("ben")
    await talk.zeb("/move pass")
    await talk.crowd.says("ben", "/move pass")
    await talk.resigns("ben", won.id)
    await talk.begin("ben", "clara", place=places("attic"))
    await talk.zeb("/note Zebulon thinks twice", places("attic"))
    await talk.zeb("/block clara")
    await talk.crowd.says("ben", "/block zebulon")
    await talk.zeb(Press(payload.write("set", "place", 5, 7)), OWN)
    await talk.zeb(Press(payload.write("today", "", 5)))
    await talk.zeb("/newgame crystalla", places("porch"))
    await vote(talk, places("cellar"))
    await talk.crowd.service.do_due()
    await talk.crowd.service.idle()


async def vote(talk: Talk, place: Place) -> None:
    """Begin a game of a channel, for which Zeb votes."""
    await talk.crowd.says("clara", "/newgame kabooom channel house", place=place)
    await talk.crowd.says("clara", "/start", place=place)
    snapshot = await talk.crowd.service.repository.on(place.id)
    assert snapshot is not None
    stamp = Stamp(*voting.moment(snapshot))
    await talk.zeb(Press(CastVote(snapshot.table.id, stamp, (0,)).payload), place)


def comparable(raw: Redis) -> dict[str, str]:
    """Return all stored keys, without those that a restored store builds anew: boards are posted again."""
    kept = {name: value for name, value in written(raw).items() if not name.endswith(":unposted")}
    return {name: value for name, value in kept.items() if not name.startswith("kb:{s") or ":t:" not in name}


async def test_a_restored_store_equals_the_other(
    talk: Talk, raw: Redis, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    await some_of_everything(talk, clock)
    answer = await written_to(tmp_path / "b", server, clock)
    assert (answer.tables, answer.keys > 8) == (5, True)
    assert await restored(tmp_path / "b", target, clock) == answer
    with Redis.from_url(target) as there:
        assert comparable(there) == comparable(raw)
        assert all(":running" not in key or raw.smembers(key) == there.smembers(key) for key in written(raw))
        here, result = written(raw), written(there)
        assert here.keys() - {key for key in here if key.endswith(":unposted")} <= result.keys()
        for name in (name for name in here if ":t:" in name):
            before, after = raw.hgetall(name), there.hgetall(name)
            assert {k: v for k, v in before.items() if k != b"posted"} == {
                k: v for k, v in after.items() if k != b"posted"
            }
            assert abs(int(raw.pttl(name)) - int(there.pttl(name))) < 60_000


async def test_a_restored_game_goes_on_with_a_board_of_its_own(
    talk: Talk, server: str, target: str, clock: HandClock, painter: Pictures, tmp_path: Path
) -> None:
    table = await talk.begin("ben")
    await written_to(tmp_path / "b", server, clock)
    for _ in range(2):  # lost: seen in the chat, but in no backup
        state = await talk.table(table.id)
        name = "zeb" if state.seats[0].name == "Zebulon" else "ben"
        await (talk.zeb("/move pass") if name == "zeb" else talk.crowd.says("ben", "/move pass"))
    await restored(tmp_path / "b", target, clock)
    store, chat = await Store.open(target), RecordingChat()
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    service.add(chat)
    later = Talk(Crowd(service, chat, updates=1000), store)
    await service.repost(everything=True)
    await service.idle()
    called = chat.newest().call
    assert called is not None, "the board of the restored position is posted, and its person called"
    assert (await later.table(table.id)).turn == table.turn
    await (
        later.zeb("/move pass", update="room:z900")
        if called.person.name == "Zebulon"
        else later.crowd.says("ben", "/move pass")
    )
    assert (await later.table(table.id)).turn == table.turn + 1
    await service.stop()
    await store.close()


async def test_restored_board_messages_count_as_unknown(
    talk: Talk, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    table, hall = await talk.begin("ben"), PlaceId("room:other")
    there = BoardMessage(MessageId("77"), table.revision, "turn0", mark=table.mark, at=Venue(hall, "de"))
    before = await Store.open(server)
    await before.record_post(table.id, there, elsewhere=hall)
    await before.close()
    await written_to(tmp_path / "b", server, clock)
    await restored(tmp_path / "b", target, clock)
    after = await Store.open(target)
    result = await after.load(table.id)
    await after.close()
    assert result is not None
    assert result.board_message is not None
    assert result.board_message.mark == RESTORED
    assert result.elsewhere == {hall: replace(there, subject="", mark=RESTORED)}


async def test_every_table_is_taken_at_one_moment_while_games_go_on(
    talk: Talk, server: str, clock: HandClock, tmp_path: Path
) -> None:
    for number in range(4):
        await talk.begin("ben", place=places(f"p{number}"))
    playing = True

    async def plays() -> None:
        number = 0
        while playing:
            place = places(f"p{number % 4}")
            await clock.advance(timedelta(seconds=5))
            await talk.zeb("/move pass", place)
            await talk.crowd.says("ben", "/move pass", place=place)
            number += 1

    busy = asyncio.create_task(plays())
    taken = 0
    for round_ in range(6):
        await written_to(tmp_path / "b", server, clock)
        for line in lines(tmp_path / "b")[1:-1]:
            if b'"type":"table"' in line:
                kept = msgspec.json.decode(line, type=KeptTable)
                document = msgspec.json.decode(kept.fields["json"])
                newest = msgspec.json.decode(kept.log[-1])["revision"] if kept.log else 0
                assert newest <= document["revision"] == int(kept.fields["revision"]), round_
                assert kept.fields["save"] in kept.updates.values()
                taken += 1
    playing = False
    await busy
    assert taken == 24


async def test_a_person_forgotten_since_the_backup_stays_forgotten(
    talk: Talk, raw: Redis, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    await some_of_everything(talk, clock)
    await written_to(tmp_path / "before", server, clock)
    await clock.advance(timedelta(hours=1))
    await talk.zeb(FORGET)
    assert where(raw, *WORDS) == []
    await written_to(tmp_path / "after", server, clock)

    await restored(tmp_path / "before", target, clock, tmp_path / "after")

    with Redis.from_url(target) as there:
        assert where(there, *WORDS) == []
        assert len(where(there, "Ben")) > 3, "the others are all there"
    store = await Store.open(target)
    results = [await store.load(table) for table in await store.tables_of(PersonId("room:ben"))]
    running = [snapshot.table for snapshot in results if snapshot is not None and snapshot.table.phase == Phase.RUNNING]
    assert [sum(seat.house for seat in table.seats) for table in running] == [1], "the house has taken the seat"
    await store.close()


async def test_the_store_itself_remembers_who_was_forgotten(
    talk: Talk, raw: Redis, server: str, clock: HandClock, tmp_path: Path
) -> None:
    await some_of_everything(talk, clock)
    await written_to(tmp_path / "b", server, clock)
    await clock.advance(timedelta(hours=1))
    await talk.zeb(FORGET)
    for name in raw.keys("kb:{s*") + raw.keys("kb:p*"):
        raw.delete(name)
    await restored(tmp_path / "b", server, clock)
    assert where(raw, *WORDS) == []
    assert "Ben" in " ".join(written(raw).values())


async def test_a_person_who_returned_before_the_backup_is_in_it(
    talk: Talk, raw: Redis, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    await talk.zeb(FORGET)
    await clock.advance(timedelta(hours=1))
    await talk.begin("ben")
    await written_to(tmp_path / "b", server, clock)
    await restored(tmp_path / "b", target, clock)
    with Redis.from_url(target) as there:
        assert where(there, "zebulon") != []


async def test_a_board_that_was_on_its_way_when_its_backup_was_made_is_posted_anew(
    talk: Talk,
    chat: RecordingChat,
    raw: Redis,
    server: str,
    target: str,
    clock: HandClock,
    painter: Pictures,
    tmp_path: Path,
) -> None:
    """The platform still knows the message that was posted after the backup, and would not post it once more."""
    table = await talk.begin("ben")
    key = keys.of_table(table.id, keys.shard(table.id))[0]
    noted = raw.hget(key, "posted")
    assert noted is not None
    zeb_is_up = (await talk.table(table.id)).seats[0].name == "Zebulon"
    await (talk.zeb("/move pass") if zeb_is_up else talk.crowd.says("ben", "/move pass"))
    raw.hset(key, "posted", noted)
    await written_to(tmp_path / "b", server, clock)
    await restored(tmp_path / "b", target, clock)
    store, later = await Store.open(target), RecordingChat()
    later.nonces.update(chat.nonces)
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    service.add(later)
    await service.repost(everything=True)
    await service.idle()
    assert later.calls, "its person is called below everything that is lost"
    await service.stop()
    await store.close()


async def test_a_partly_restored_store_is_not_usable_until_complete(
    talk: Talk, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    await some_of_everything(talk, clock)
    answer = await written_to(tmp_path / "b", server, clock)
    await restored(tmp_path / "b", target, clock)
    with Redis.from_url(target) as there:
        there.set(keys.RESTORING, "b")
        there.delete(next(name for name in there.scan_iter("kb:{s*:t:*")))
    with pytest.raises(Restoring, match="once more"):
        await Store.open(target)
    assert await restored(tmp_path / "b", target, clock) == answer
    await (await Store.open(target)).close()


async def test_only_an_empty_store_is_filled(talk: Talk, server: str, clock: HandClock, tmp_path: Path) -> None:
    await talk.begin("ben")
    await written_to(tmp_path / "b", server, clock)
    with pytest.raises(NotEmpty):
        await restored(tmp_path / "b", server, clock)


async def test_a_file_that_is_cut_off_or_something_else_fills_nothing(
    talk: Talk, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    await some_of_everything(talk, clock)
    whole, bad = tmp_path / "whole", tmp_path / "bad"
    await written_to(whole, server, clock)
    content, rows = whole.read_bytes(), lines(whole)
    wrong = (content[: len(content) // 2], b"", b"hello", gzip.compress(b"[1]\n"), gzip.compress(b"".join(rows[:-1])))
    newer = rows[0].replace(b'"format":1', b'"format":2')
    for damaged in (*wrong, gzip.compress(b"".join(rows[1:])), gzip.compress(b"".join((newer, *rows[1:])))):
        bad.write_bytes(damaged)
        with pytest.raises(Unreadable):
            await restored(bad, target, clock)
    with Redis.from_url(target) as there:
        assert written(there) == {}


async def test_the_file_is_its_owners_alone_and_replaces_another_only_when_it_is_whole(
    talk: Talk, server: str, clock: HandClock, tmp_path: Path
) -> None:
    await talk.begin("ben")
    file = tmp_path / "b"
    file.write_text("the one from yesterday")
    file.chmod(0o644)
    async with backup_of("redis://127.0.0.1:1", patience_s=0.2) as backup:
        with pytest.raises(StoreError):
            await backup.write(file, 0)
    assert file.read_text() == "the one from yesterday"
    await written_to(file, server, clock)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


async def test_only_a_plain_file_is_replaced_or_read(
    talk: Talk, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "device").symlink_to("/dev/full")
    before = {path.name: path.lstat().st_mode for path in tmp_path.iterdir()}
    for name in before:
        with pytest.raises(NotPlain, match=f"{name} is not a plain file"):
            await written_to(tmp_path / name, server, clock)
        with pytest.raises(NotPlain):
            await restored(tmp_path / name, target, clock)  # a pipe would be empty at the second reading
        with pytest.raises(NotPlain):
            check(tmp_path / name)
    assert {path.name: path.lstat().st_mode for path in tmp_path.iterdir()} == before
    (tmp_path / "file").write_text("the one from yesterday")
    (tmp_path / "newest").symlink_to("file")
    await written_to(tmp_path / "newest", server, clock)
    assert (tmp_path / "newest").is_symlink()
    assert check(tmp_path / "file").at_ms == to_ms(clock.now())


async def test_a_backup_can_be_checked_without_a_store(
    talk: Talk, server: str, clock: HandClock, tmp_path: Path
) -> None:
    await some_of_everything(talk, clock)
    totals = await written_to(tmp_path / "b", server, clock)
    assert check(tmp_path / "b") == Checked(to_ms(clock.now()), totals)
    whole = lines(tmp_path / "b")
    for lacking in (whole[:-1], [*whole[:1], *whole[2:]]):
        (tmp_path / "part").write_bytes(gzip.compress(b"".join(lacking)))
        with pytest.raises(Unreadable):
            check(tmp_path / "part")


async def command_on(server: str, *words: str) -> int:
    values = {"REDIS_URL": server, "REDIS_TLS_VERIFY": "yes"}
    return await commandline.run(commandline.parsed(["backup", *words]), values, (), {})


async def test_a_folder_keeps_the_newest_backups_and_all_other_files(
    talk: Talk, server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await talk.begin("ben")
    folder = tmp_path / "new" / "backups"
    assert await command_on(server, "--keep", "2", str(folder)) == 0
    (today,) = folder.iterdir()
    assert re.fullmatch(r"games-\d{4}-\d\d-\d\d", today.name)
    for name in ("games-2020-01-01", "games-2020-01-03", "games-2020-01-02", "games-now", "notes.txt"):
        (folder / name).write_text("older")
    assert await command_on(server, "--keep", "2", str(folder)) == 0
    assert {path.name for path in folder.iterdir()} == {today.name, "games-2020-01-03", "games-now", "notes.txt"}
    assert "Deleted 2 older backups." in capsys.readouterr().out
    assert await command_on("redis://127.0.0.1:1", "--check", str(today)) == 0
    assert "is complete: 1 table," in capsys.readouterr().out
    assert await command_on("redis://127.0.0.1:1", "--check", str(folder / "notes.txt")) == 1


async def test_a_backup_goes_to_stdout_alone(
    talk: Talk, server: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    await talk.begin("ben")
    assert await command_on(server, "-") == 0
    said, errors = capfdbinary.readouterr()
    (tmp_path / "b").write_bytes(said)
    assert check(tmp_path / "b").totals.tables == 1
    assert b"1 table," in errors


async def test_the_store_knows_when_its_last_complete_backup_began(
    talk: Talk, server: str, target: str, clock: HandClock, tmp_path: Path
) -> None:
    store = await Store.open(server)
    assert (await store.counting.figures(to_ms(clock.now()))).backup_ms == 0
    await written_to(tmp_path / "b", server, clock)
    begun_ms = to_ms(clock.now())
    await clock.advance(timedelta(days=1))
    with pytest.raises(OSError, match="nowhere"):
        await written_to(tmp_path / "nowhere" / "b", server, clock)
    assert (await store.counting.figures(to_ms(clock.now()))).backup_ms == begun_ms
    await store.close()


async def test_a_running_bot_is_backed_up_and_a_new_one_plays_on(
    painter: Pictures, clock: HandClock, tmp_path: Path
) -> None:
    async def command(*words: str, data: str) -> tuple[int | None, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", *words),
            cwd=Path(__file__).parents[3],
            env={"PATH": "", "DATA_DIR": str(tmp_path / data)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        return process.returncode, output.decode()

    file = str(tmp_path / "b")
    async with Embedded(tmp_path / "old") as old:
        store, chat = await Store.open(old.url), RecordingChat()
        service = build(store, painter, clock)
        service.add(chat)
        await Talk(Crowd(service, chat), store).begin("ben")
        code, said = await command("backup", file, data="old")
        assert (code, "1 table," in said) == (0, True), said
        code, said = await command("restore", file, data="old")
        assert (code, "End it" in said) == (1, True), said
        await service.stop()
        await store.close()
    code, said = await command("restore", file, data="new")
    assert (code, "Start the bot" in said) == (0, True), said
    code, said = await command("restore", file, data="new")
    assert (code, "empty" in said) == (1, True), said
    async with Embedded(tmp_path / "new") as new:
        store = await Store.open(new.url)
        assert (await table_here(store, ROOM)).phase == Phase.RUNNING
        await store.close()
    code, said = await command("backup", str(tmp_path / "nowhere" / "b"), data="new")
    assert (code, "did not work" in said) == (1, True), said
    code, said = await command("sing", data="new")
    assert (code, "invalid choice" in said) == (2, True), said
