"""The store on servers of other kinds: behind a password and TLS, on a Cluster, under Sentinels, through a failover."""

import asyncio
import gc
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis.asyncio import RedisCluster

from bot.chat import MessageId, PersonId, PlaceId, UpdateId
from bot.operation.readiness import Readiness
from bot.runtime.metrics import Metrics
from bot.store import Conflict, Repeated, StoreDown, keys
from bot.store.address import parse
from bot.store.calls import Calls
from bot.store.store import Store
from bot.tables.board_message import BoardMessage
from bot.tables.rating import Called, Reached, Record
from bot.tables.snapshot import Snapshot
from bot.tables.table import Entry, Table, TableId
from tests.bot.servers import Server, free_port, secured, serving, wait_for

NOW = 1_767_614_400_000
PLACE, PERSON = PlaceId("discord:5"), PersonId("discord:1")


async def save(store: Store, name: str, revision: int, update: str | None = None) -> None:
    id_ = TableId(name)
    table = Table(id=id_, game="any", place=PLACE, host=PERSON, lang="en", created_ms=NOW, revision=revision)
    applied = UpdateId(update or f"u:{revision}")
    await store.save(
        table, (Entry(revision, 0, "b3", NOW),), applied, now_ms=NOW, repost_ms=NOW, due_ms=NOW, expire_ms=None
    )


async def one_of_everything(store: Store, names: list[str]) -> None:
    """Run every operation of the store for each of the tables *names*."""
    for name in names:
        id_, place = TableId(name), PlaceId(f"telegram:{name}")
        await save(store, name, 1)
        await save(store, name, 2)
        with pytest.raises(Repeated):
            await save(store, name, 2)
        with pytest.raises(Conflict):
            await save(store, name, 2, "u:other")
        await store.record_post(id_, BoardMessage(MessageId("m"), 1, "turn1"))
        await store.done_unposted(id_, 1)
        loaded = await store.load(id_)
        assert loaded is not None
        assert (loaded.table.revision, len(loaded.recent)) == (2, 2)
        assert loaded.board_message is not None
        assert [entry.revision for entry in await store.log(id_)] == [1, 2]
        assert await store.take_place(place, id_) == id_
        assert await store.at(place) == id_
        await store.leave_place(place, id_)
        assert await store.at(place) is None
        await store.add_table(PERSON, id_, NOW)
    assert sorted(await store.tables_of(PERSON)) == sorted(names)
    due = await store.claim_due(NOW, 60_000, 1000)
    assert sorted(due) == sorted((TableId(name), 2) for name in names)
    assert sorted(await store.claim_unposted(NOW, 60_000, 1000)) == sorted(names)
    for table, revision in due:
        await store.done_due(table, revision)
        await store.remove_table(PERSON, table)
        await store.record_post(table, BoardMessage(MessageId("m"), 2, "turn2"))
    assert await store.claim_due(NOW + 99_999, 60_000, 1000) == ()
    assert await store.claim_unposted(NOW + 99_999, 60_000, 1000) == ()
    await store.set_place_setting(PLACE, "lang", "de")
    await store.set_person_setting(PERSON, "lang", "en")
    assert (await store.place_settings(PLACE), await store.person_settings(PERSON)) == ({"lang": "de"}, {"lang": "en"})
    await people_of_many_places(store, names)
    await store.counting.played((PERSON,), NOW)
    assert (await store.counting.figures(NOW)).players == 1
    await store.compact()
    await store.ping()


async def people_of_many_places(store: Store, names: list[str]) -> None:
    """Run every operation on people, for a place and a person for each of *names*."""
    people, games = store.records, ("chess", "go")
    everybody = tuple(PersonId(f"x:{name}") for name in names)
    for name, person in zip(names, everybody, strict=True):
        place, table = PlaceId(f"x:{name}"), TableId(name)
        await people.rate(place, "chess", table, [Reached(person, Called(name), Record(1))], NOW)
        await people.rate(PLACE, "go", table, [Reached(person, Called(name), Record(1))], NOW)
        await people.add_own_place(person, place)
        await people.move(place, PlaceId(f"y:{name}"), games)
        assert await people.own_places(person) == (place,)
        other = f"other{name}"
        await save(store, other, 1)
        await store.rewrite(replace((await loaded(store, TableId(other))).table, revision=2))
    await people.add_played(everybody, TableId("any"), NOW, NOW + 99_999)
    assert len(await people.best(PLACE, "go", 0, 999)) == len(await people.called(PLACE)) == len(names)
    assert await people.settings([*everybody, PERSON], "lang") == (*[None] * len(names), "en")
    for name, person in zip(names, everybody, strict=True):
        places = (PLACE, PlaceId(f"y:{name}"))
        assert await people.places(person) == places
        assert await people.played(person) == ("any",)
        assert await people.of_person(person, places, games) == {
            PLACE: {"go": Record(1)},
            places[1]: {"chess": Record(1)},
        }
        assert await people.of(places[1], "chess", [person]) == (Record(1),)
        for place in places:
            await people.forget_in(place, person, games)
            assert await people.games(place, ("chess",)) == ()
        await people.forget_place(places[1], games)
        await people.forget(person)
        assert await people.played(person) == ()
        assert await people.places(person) == ()
    assert await people.called(PLACE) == {}


async def loaded(store: Store, table: TableId) -> Snapshot:
    result = await store.load(table)
    assert result is not None
    return result


# A password, TLS


async def test_a_server_with_a_password(tmp_path: Path) -> None:
    with serving(tmp_path / "data", password="let me/in") as server:
        store = await Store.open(f"redis://:let%20me%2Fin@127.0.0.1:{server.port}/1")
        await one_of_everything(store, ["abcdefgh"])
        await store.close()
        for wrong in (":let%20me@", "anna:let%20me%2Fin@", ""):
            with pytest.raises(StoreDown, match="refuses the user or password"):
                await Store.open(f"redis://{wrong}127.0.0.1:{server.port}/1")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Return key and self-signed certificate of a server on 127.0.0.1."""
    openssl = shutil.which("openssl")
    assert openssl is not None, "openssl makes the certificate of this test"
    key, made, both = tmp_path / "key.pem", tmp_path / "made.pem", tmp_path / "both.pem"
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", made),
        ],
        check=True,
        capture_output=True,
    )
    both.write_bytes(key.read_bytes() + made.read_bytes())
    return both


async def test_tls_and_a_password(tmp_path: Path, certificate: Path) -> None:
    with serving(tmp_path / "data", password="secret") as server:
        async with secured(server.port, certificate) as port:
            for trust in (f"ca={certificate}", "verify=no"):
                server.raw.flushall()
                store = await Store.open(f"rediss://:secret@127.0.0.1:{port}/0?{trust}")
                await one_of_everything(store, ["abcdefgh"])
                await store.close()


async def test_an_untrusted_certificate_is_refused(tmp_path: Path, certificate: Path) -> None:
    with serving(tmp_path / "data", password="secret") as server:
        async with secured(server.port, certificate) as port:
            with pytest.raises(StoreDown, match="certificate"):
                await Store.open(f"rediss://:secret@127.0.0.1:{port}", patience_s=0.1)


# Cluster


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Yield two masters with half of the slots each: a script that touches keys of different slots fails."""
    directory, bus = tmp_path_factory.mktemp("cluster"), free_port()
    settings = "cluster-enabled yes\ncluster-node-timeout 1000\n"
    with (
        serving(directory / "one", f"{settings}cluster-port {free_port()}\n") as one,
        serving(directory / "two", f"{settings}cluster-port {bus}\n") as two,
    ):
        one.ask("CLUSTER", "ADDSLOTSRANGE", 0, 8191)
        two.ask("CLUSTER", "ADDSLOTSRANGE", 8192, 16383)
        one.ask("CLUSTER", "MEET", "127.0.0.1", two.port, bus)
        wait_for(lambda: all("cluster_state:ok" in str(server.ask("CLUSTER", "INFO")) for server in (one, two)))
        yield one, two


@pytest.fixture
def cluster(both: tuple[Server, Server]) -> tuple[Server, Server]:
    """Return the same cluster, empty."""
    for server in both:
        server.raw.flushall()
    return both


async def test_everything_works_on_a_cluster(cluster: tuple[Server, Server]) -> None:
    one, two = cluster
    names = [f"table{number:03}" for number in range(100)]
    assert len({keys.shard(TableId(name)) for name in names}) > 48
    store = await Store.open(f"redis+cluster://127.0.0.1:{one.port},127.0.0.1:{two.port}")
    await one_of_everything(store, names)
    await store.close()
    assert min(one.raw.dbsize(), two.raw.dbsize()) > 100  # both of them had their share


async def test_one_node_is_enough_to_find_the_cluster(cluster: tuple[Server, Server]) -> None:
    down = free_port()
    store = await Store.open(f"redis+cluster://127.0.0.1:{down},127.0.0.1:{cluster[1].port}")
    await one_of_everything(store, ["abcdefgh", "hgfedcba"])
    await store.close()


async def test_who_takes_a_cluster_for_one_node_hears_how_its_address_begins(cluster: tuple[Server, Server]) -> None:
    for node in cluster:
        with pytest.raises(StoreDown, match=r"redis\+cluster://"):
            await Store.open(f"redis://127.0.0.1:{node.port}")
        store = Store(parse(f"redis://127.0.0.1:{node.port}"))  # it joined the Cluster later
        assert await store.refusal() == "is part of a Cluster, but not addressed as one"
        await store.close()


async def test_a_connection_closed_between_check_and_use_is_temporary(
    cluster: tuple[Server, Server],
) -> None:
    """The client closes the connections of a node that is a master no more, also those that are about to be used."""
    calls = Calls(parse(f"redis+cluster://127.0.0.1:{cluster[0].port}"), 2.0, 60.0, Metrics())
    assert isinstance(calls.client, RedisCluster)

    async def put(number: int) -> None:
        await calls.patiently(lambda: calls.client.set(f"key{number}", number))

    await put(0)
    putting = asyncio.gather(*(put(number) for number in range(1, 400)))
    for _ in range(50):
        await asyncio.gather(*(node.disconnect() for node in calls.client.get_nodes()))
        await asyncio.sleep(0)
    await putting
    assert sum(int(server.raw.dbsize()) for server in cluster) == 400
    await calls.close()


async def test_saves_go_on_through_a_failover_of_a_cluster_and_no_board_is_forgotten(tmp_path: Path) -> None:
    settings = "cluster-enabled yes\ncluster-node-timeout 2000\nrepl-diskless-sync-delay 0\n"
    with (
        serving(tmp_path / "one", f"{settings}cluster-port {free_port()}\n") as one,
        serving(tmp_path / "two", f"{settings}cluster-port {(two_bus := free_port())}\n") as two,
        serving(tmp_path / "replica", f"{settings}cluster-port {(replica_bus := free_port())}\n") as replica,
    ):
        one.ask("CLUSTER", "ADDSLOTSRANGE", 0, 8191)
        two.ask("CLUSTER", "ADDSLOTSRANGE", 8192, 16383)
        one.ask("CLUSTER", "MEET", "127.0.0.1", two.port, two_bus)
        one.ask("CLUSTER", "MEET", "127.0.0.1", replica.port, replica_bus)
        everybody = (one, two, replica)
        wait_for(lambda: all("cluster_known_nodes:3" in str(server.ask("CLUSTER", "INFO")) for server in everybody))
        replica.ask("CLUSTER", "REPLICATE", str(one.ask("CLUSTER", "MYID")))
        wait_for(lambda: replica.raw.info("replication").get("master_link_status") == "up")
        wait_for(lambda: all("cluster_state:ok" in str(server.ask("CLUSTER", "INFO")) for server in everybody))
        store = await Store.open(f"redis+cluster://127.0.0.1:{two.port}", patience_s=60)
        names = [f"table{number:03}" for number in range(40)]
        for name in names:
            await save(store, name, 1)
        saved = await while_it_switches(store, names, replica, lambda: replica.ask("CLUSTER", "FAILOVER"))
        for name in names:
            assert (await loaded(store, TableId(name))).table.revision == saved[name]
        assert sorted(await store.claim_unposted(NOW, 60_000, 1000)) == names
        await store.close()
        _lose_former_nodes()


def _lose_former_nodes() -> None:
    """Close the connections to former nodes here and not in the middle of the next test.

    redis-py drops a node that has left the topology and closes its idle connections. A command that was about to use
    one connects again to a node that no code closes any more.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


async def while_it_switches(
    store: Store, names: list[str], replica: Server, switch: Callable[[], object]
) -> dict[str, int]:
    """Save all of *names* again and again while *replica* takes over; return their revisions."""
    saved = dict.fromkeys(names, 1)

    def is_master() -> bool:
        return bool(replica.raw.info("replication")["role"] == "master")

    async def go_on(name: str) -> None:
        more = 20
        while more:
            await save(store, name, saved[name] + 1)
            saved[name] += 1
            more -= await asyncio.to_thread(is_master)

    going = asyncio.gather(*(go_on(name) for name in names))
    await asyncio.to_thread(switch)
    await going
    return saved


# Sentinels


@contextmanager
def under_sentinels(directory: Path) -> Iterator[tuple[Server, Server, Server]]:
    """Yield a master, its replica, and a Sentinel that watches them, all behind passwords.

    The Sentinel tolerates delays of a busy machine.
    """
    with serving(directory / "master", "masterauth secret\nrepl-diskless-sync-delay 0\n", password="secret") as master:
        follows = f"masterauth secret\nreplicaof 127.0.0.1 {master.port}\n"
        watches = (
            f"sentinel monitor games 127.0.0.1 {master.port} 1\nsentinel auth-pass games secret\n"
            "sentinel down-after-milliseconds games 60000\nsentinel failover-timeout games 5000\n"
        )
        with (
            serving(directory / "replica", follows, password="secret") as replica,
            serving(directory / "sentinel", watches, password="sesame", sentinel=True) as sentinel,
        ):
            wait_for(lambda: replica.raw.info("replication")["master_link_status"] == "up")
            wait_for(lambda: len(sentinel.raw.sentinel_slaves("games")) == 1)
            yield master, replica, sentinel


async def test_after_the_master_dies_saves_go_to_the_promoted_replica(tmp_path: Path) -> None:
    with under_sentinels(tmp_path) as (master, replica, sentinel):
        url = f"redis+sentinel://:secret@127.0.0.1:{sentinel.port}/games?sentinel_password=sesame"
        store = await Store.open(url, patience_s=60)
        await one_of_everything(store, ["abcdefgh"])
        await save(store, "abcdefgh", 3)
        assert master.raw.wait(1, 0) == 1  # the replica has heard of it
        master.process.kill()
        sentinel.ask("SENTINEL", "SET", "games", "down-after-milliseconds", 300)
        await save(store, "abcdefgh", 4)
        with pytest.raises(Repeated):
            await save(store, "abcdefgh", 4)
        assert [entry.revision for entry in await store.log(TableId("abcdefgh"))] == [1, 2, 3, 4]
        assert replica.raw.info("replication")["role"] == "master"
        await store.close()


async def test_no_save_is_lost_if_a_replica_replaces_a_running_master(
    tmp_path: Path,
) -> None:
    """The former master takes saves until it hears that it is none any more, ten seconds later."""
    with under_sentinels(tmp_path) as (master, replica, sentinel):
        url = f"redis+sentinel://:secret@127.0.0.1:{sentinel.port}/games?sentinel_password=sesame"
        store = await Store.open(url, patience_s=60)
        await save(store, "abcdefgh", 1)
        assert master.raw.wait(1, 0) == 1
        saved = await while_it_switches(
            store, ["abcdefgh"], replica, lambda: sentinel.ask("SENTINEL", "FAILOVER", "games")
        )
        log = await store.log(TableId("abcdefgh"))
        assert [entry.revision for entry in log] == list(range(1, saved["abcdefgh"] + 1))
        assert replica.raw.llen(keys.of_table(TableId("abcdefgh"), keys.shard(TableId("abcdefgh")))[1]) == len(log)
        await store.close()


async def test_a_failover_that_the_sentinels_give_up_holds_nothing_up_for_long(tmp_path: Path) -> None:
    with under_sentinels(tmp_path) as (_, replica, sentinel):
        url = f"redis+sentinel://:secret@127.0.0.1:{sentinel.port}/games?sentinel_password=sesame"
        store = await Store.open(url, patience_s=60)
        await save(store, "abcdefgh", 1)
        replica.ask("CONFIG", "SET", "requirepass", "another")  # it cannot be told that it is the master
        sentinel.ask("SENTINEL", "FAILOVER", "games")
        for revision in range(2, 9):
            await save(store, "abcdefgh", revision)
        await store.close()


# Servers that are not fit for it


async def test_the_operator_is_warned_of_a_server_that_forgets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path / "data", "maxmemory 100mb\nappendonly yes\n") as server:
        url = f"redis://127.0.0.1:{server.port}"
        store = await Store.open(url)
        await store.close()
        assert (caplog.messages, store.keeps_games) == ([], True)
        server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        store = await Store.open(url)
        await store.close()
        assert "will forget games" in caplog.text
        assert not store.keeps_games
        server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
        server.ask("CONFIG", "SET", "appendonly", "no")
        store = await Store.open(url)
        await store.close()
        assert "will lose moves" in caplog.text
        assert not store.keeps_games


async def test_a_user_with_too_few_rights_is_reported(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        server.ask("ACL", "SETUSER", "anna", "on", ">secret", "~*", "+@all", "-evalsha", "-info")
        store = await Store.open(f"redis://anna:secret@127.0.0.1:{server.port}")
        with pytest.raises(StoreDown, match="lets this user do too little"):
            await save(store, "abcdefgh", 1)
        await store.close()


# Servers that cannot work just now


@pytest.mark.parametrize(
    ("trouble", "relief", "refusal"),
    [
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", "is a replica"),
        ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0", "has too few replicas"),
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "its memory is full"),
        ("BGSAVE", "BGSAVE", "its disk takes no writes"),
    ],
)
async def test_a_server_that_answers_and_refuses_writes_is_not_ready(
    tmp_path: Path, trouble: str, relief: str, refusal: str
) -> None:
    with serving(tmp_path / "data", "save 3600 1\ndbfilename folder.rdb\n") as server:
        (tmp_path / "data" / "folder.rdb").mkdir()
        store = await Store.open(f"redis://127.0.0.1:{server.port}", patience_s=0.1)
        readiness = Readiness(metrics := Metrics(), ("room",))
        readiness.watch(store, ())
        assert await readiness.troubles() == ()
        server.ask(*trouble.split())
        wait_for(lambda: not server.raw.info("persistence")["rdb_bgsave_in_progress"])
        assert await readiness.troubles() == (f"store: {refusal}",)
        assert metrics.registry.get_sample_value("kaleidobot_ready", {"part": "store"}) == 0
        with pytest.raises(StoreDown):
            await store.records.add_played([PERSON], TableId("abcdefgh"), NOW, NOW + 1)  # a pipeline is refused, too
        with pytest.raises(StoreDown):
            await store.set_person_setting(PERSON, "lang", "de")
        if "disk" in refusal:  # as with full memory, a person waits for the answer
            patient = Store(parse(f"redis://127.0.0.1:{server.port}"), patience_s=60)
            async with asyncio.timeout(6):
                with pytest.raises(StoreDown, match="MISCONF"):
                    await patient.set_person_setting(PERSON, "lang", "de")
            await patient.close()
        (tmp_path / "data" / "folder.rdb").rmdir()
        server.ask(*relief.split())
        wait_for(lambda: server.raw.info("persistence")["rdb_last_bgsave_status"] == "ok")
        assert await readiness.troubles() == ()
        assert server.raw.dbsize() == 0, "the check writes nothing"
        await store.close()


@pytest.mark.parametrize(
    ("trouble", "relief"),
    [
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
        ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"),
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    ],
)
async def test_a_save_waits_until_the_server_can_work_again(tmp_path: Path, trouble: str, relief: str) -> None:
    with serving(tmp_path / "data") as server:
        store = await Store.open(f"redis://127.0.0.1:{server.port}", patience_s=60)
        impatient = await Store.open(f"redis://127.0.0.1:{server.port}", patience_s=0)
        await save(store, "abcdefgh", 1)
        server.ask(*trouble.split())
        with pytest.raises(StoreDown, match="cannot work now"):
            await save(impatient, "abcdefgh", 2)
        saving = asyncio.ensure_future(save(store, "abcdefgh", 2))
        await asyncio.sleep(0.05)
        assert not saving.done()
        server.ask(*relief.split())
        await saving
        await store.close()
        await impatient.close()
