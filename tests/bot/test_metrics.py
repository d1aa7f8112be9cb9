"""The figures that the bot gives out, read from its own port as Prometheus reads them."""

import asyncio
import logging
import random
import re
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec import Raw
from prometheus_client import Counter, Gauge
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from bot import __version__
from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.app import build
from bot.chat import (
    Gone,
    Limited,
    MessageId,
    MessagePart,
    Moved,
    Place,
    PlaceGone,
    PlaceId,
    Platform,
    Post,
    Refused,
    StorageDown,
    TryLater,
)
from bot.delivery.painting import Pictures
from bot.operation.health import serving as answering
from bot.operation.readiness import Readiness
from bot.requests.commands import COMMANDS
from bot.runtime import metrics as figures
from bot.runtime.clock import RealClock
from bot.runtime.gc_tuning import measure
from bot.runtime.http_server import Limits
from bot.runtime.metrics import Counted, Metrics
from bot.service.watching import Watching
from bot.store import StoreDown
from bot.store.store import Store
from renderers import Look, SeatLook
from rules import GAMES, State
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.conftest import HandClock
from tests.bot.scanning import written
from tests.bot.servers import free_port, page, serving
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.emulators.discord import Discord
from tests.emulators.telegram.server import Telegram

TOP = Path(__file__).parents[2]
NAMES = ("Ζωή 🎲🧑‍🚀", "עֲנָת בֶּן־עַמִּי", '\u202eevil\u202c {}"\\\n')
"""Emoji, right to left, and one that would break out of a label."""

Read = Callable[[], Awaitable["Page"]]


class Page:
    """The metrics page as read. ``page["name", "label=value", ...]`` is the value, 0 if the series is missing."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]

    def __getitem__(self, wanted: str | tuple[str, ...]) -> float:
        """Return the sum of all samples with that name and at least these labels."""
        name, *pairs = (wanted,) if isinstance(wanted, str) else wanted
        labels = dict(pair.split("=") for pair in pairs)
        return sum(
            sample.value
            for sample in self.samples
            if sample.name == f"kaleidobot_{name}" and labels.items() <= sample.labels.items()
        )


def values(metric: Counter | Gauge) -> dict[tuple[str, ...], float]:
    """Return the value of each combination of labels."""
    samples = (sample for family in metric.collect() for sample in family.samples)
    return {tuple(sample.labels.values()): sample.value for sample in samples}


@asynccontextmanager
async def read_from(metrics: Metrics) -> AsyncIterator[Read]:
    port = free_port()

    async def read() -> Page:
        status, text = await page(f"http://127.0.0.1:{port}/metrics")
        assert status == 200
        return Page(text)

    async with answering("127.0.0.1", port, Readiness(), metrics):
        yield read


@pytest.fixture
async def counted(server: str, raw: Redis) -> AsyncIterator[tuple[Metrics, Store, Pictures]]:
    """Yield metrics with the store and pictures that record them."""
    metrics = Metrics()
    store, painter = await Store.open(server, metrics=metrics), Pictures(metrics)
    yield metrics, store, painter
    painter.close()
    await store.close()


Counting = tuple[Metrics, Store, Pictures]


def crowded(counted: Counting, clock: HandClock) -> Crowd:
    """Return people in a room, and the bot that records metrics; its seeds are always the same."""
    metrics, store, painter = counted
    chat, service = RecordingChat(), build(store, painter, clock, draw=lambda n: "07" * n, metrics=metrics)
    service.add(chat)
    return Crowd(service, chat)


async def position(store: Store, place: PlaceId) -> State:
    """Return the position of the running game."""
    held = await store.at(place)
    assert held is not None
    loaded = await store.load(held)
    assert loaded is not None
    assert isinstance(loaded.table.state, Raw)
    return GAMES[loaded.table.game].decode(bytes(loaded.table.state))


async def test_a_game_that_was_played_is_counted(counted: Counting, clock: HandClock) -> None:
    metrics, store, _ = counted
    crowd = crowded(counted, clock)
    async with read_from(metrics) as read:
        before = await read()
        await crowd.says("anna", "/newgame kabooom easy")
        await crowd.says("ben", "/join")
        await crowd.says("anna", "/start")
        assert (await read())["turns_total"] == 0
        luck, turns = random.Random(3), 0
        while (call := crowd.chat.newest().call) is not None:
            name = call.person.name.lower()
            await crowd.says(name, "/move z9")  # refused by the rules, and answered
            state = await position(store, ROOM.id)
            unasked = [action for action in state.actions() if not (state.warns(action) or state.cautions(action))]
            await crowd.says(name, f"/move {luck.choice(unasked)}")
            turns += 1
        await crowd.says("clara", "/undo")  # no table is on here any more
        after = await read()
    await crowd.service.stop()
    assert after["turns_total", "game=kabooom"] == turns > 5
    assert after["tables_total", "game=kabooom", "kind=running"] == 1
    assert after["tables_total", "game=kabooom", "kind=over"] == 1
    assert after["update_seconds_count", "platform=room", "outcome=done"] == 3 + 2 * turns
    assert after["update_seconds_count", "platform=room", "outcome=refused"] == 1
    assert after["update_seconds_bucket", "outcome=done", "le=+Inf"] == 3 + 2 * turns
    assert after["posts_total", "platform=room", "kind=post", "outcome=done"] == crowd.chat.posted == turns + 2
    assert after["posts_total", "kind=strip"] == turns, "every board but the last loses its buttons"
    assert after["painting_seconds_count", "kind=board"] == turns + 1
    assert after["painting_queue"] == 0
    assert after["store_seconds_count"] - before["store_seconds_count"] >= 4 * turns
    assert after["store_errors_total"] == 0
    assert after["due_late_seconds_count"] == 0


async def test_a_lobby_that_closes_was_no_game(counted: Counting, clock: HandClock) -> None:
    metrics, store, _ = counted
    crowd = crowded(counted, clock)
    await crowd.says("anna", "/newgame kabooom")
    await crowd.says("anna", "/leave")
    await crowd.service.stop()
    assert await store.at(ROOM.id) is None
    assert values(metrics.tables) == {}


TABLE = r"table=(\w{10}|-) revision=(\d+|-)( game=\w+( package=\S+)?)?"
UPDATE_LINE = (
    r"update: id=(discord|telegram):\d+ place=(private|(discord|telegram):-?\d+) kind=\w+ request=(\w+|-)"
    rf" {TABLE} outcome=[a-z]+ reason=([\w.]+|-) ms=\d+"
)
POST_LINE = rf"post: platform=(discord|telegram) kind=[a-z]+ {TABLE} outcome=[a-z]+ ms=\d+"


async def test_no_person_can_be_recognised_in_the_metrics_and_the_log(
    counted: Counting, raw: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    metrics, store, painter = counted
    service = build(store, painter, RealClock(), metrics=metrics)
    async with Discord() as discord, Telegram() as telegram, read_from(metrics) as read:
        home = discord.server("Würfelhöhle 🎲")
        hall = discord.channel("گروه بازی 🎉", home)
        people = [discord.person(name, hall) for name in NAMES]
        members = [telegram.person(name, username=f"user_{n}") for n, name in enumerate(NAMES)]
        group = telegram.group("חדר 🎲", *members)
        chats: list[Platform] = [
            on_discord.open(discord.environment),
            TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED),
        ]
        for chat in chats:
            service.add(chat)
            await chat.start(service, MemoryStorage())
        await discord.connected()
        await people[0].types("/newgame", game="kabooom")
        lobby = await hall.reads("who's playing?")
        for person, seen in zip(people[1:], ("עֲנָת", "evil"), strict=True):
            await person.presses("Join", on=lobby)
            await hall.reads(seen)
        await people[0].presses("Start", on=lobby)
        board = await hall.reads("Turn order")
        for person in people:
            await person.types("/move", move=f"{person.name} a1-b2 {person.id}")
        await people[0].types("/stats")
        actor = next(person for person in people if person.id in board.pinged)
        _, move = (await actor.completes("/move", move=""))[0]
        await actor.types("/move", move=move)
        await members[0].types(f"/newgame kalejdoschach {members[1].name}", group)
        await members[0].types("/newgame kalejdoschach", group)
        await group.offers("Join")
        for member in members[1:]:
            await member.presses("Join", group)
        await members[0].presses("Start", group)
        await telegram.handled()
        await service.idle()
        (mover,) = (member for member in members if member.id in group.newest().pinged())
        await mover.types(f"/move {random.Random(1).choice((await position(store, group.place)).actions())}", group)
        await members[1].types("/help עזרה", group)
        await members[2].types("/settings", group)
        await telegram.handled()
        await service.idle()
        read_at_last = await read()
        stored = " ".join((*written(raw), *written(raw).values()))
        for chat in chats:
            await chat.stop()
        await service.stop()

    text = read_at_last.text
    assert read_at_last["turns_total", "game=kabooom"] == 1
    assert read_at_last["turns_total", "game=kalejdoschach"] == 1
    assert read_at_last["update_seconds_count", "platform=discord"] == 9
    assert read_at_last["update_seconds_count", "platform=telegram"] == 8
    tables = re.findall(r"kb:\{s\d\d\}:t:(\w+)", stored)
    assert len(tables) == 2
    lines = [record.getMessage() for record in caplog.records if record.levelno == logging.DEBUG]
    lines = [line for line in lines if line.startswith(("update:", "post:"))]
    assert [line for line in lines if not re.fullmatch(f"{UPDATE_LINE}|{POST_LINE}", line)] == []
    for table in tables:  # one game can be followed from its first update to its last post
        about = [line for line in lines if f"table={table} revision=" in line]
        assert {line.partition(":")[0] for line in about} == {"update", "post"}
    assert any("outcome=refused reason=no_such_option" in line for line in lines)
    for name in (*NAMES, discord.token, telegram.token, *(f"user_{n}" for n in range(3))):
        assert name not in caplog.text
    ids = [*(str(person.id) for person in people), *(str(member.id) for member in members)]
    assert [table_id for table_id in (*ids, NAMES[0], NAMES[1]) if table_id not in stored] == [], (
        "there is something to be found"
    )
    places = (str(hall.id), str(home.id), str(group.id), str(board.id), "Würfelhöhle", "חדר", "گروه")
    secrets = (discord.token, telegram.token, str(discord.application_id))
    parts = (part for name in NAMES for part in re.findall(r"\w{3,}", name))
    for word in (*ids, *NAMES, *parts, *places, *secrets, *tables, *(member.username for member in members)):
        assert word not in text
    assert text.isascii()
    assert not set(re.findall(r"\d{9,}", text)) & set(re.findall(r"\d{9,}", stored)), "no number that is kept"

    words = set(figures.Handling) | set(GAMES) | {"discord", "telegram"}
    words |= {"post", "edit", "strip", "delete", "running", "over", "again", "given_up"}
    words |= {"board", "hand", "lobby", "diagram", "store"}
    for sample in read_at_last.samples:
        said = {label: value for label, value in sample.labels.items() if label != "le"}
        if sample.name == "kaleidobot_build_info":
            assert said == {"version": __version__}
            continue
        if sample.name == "kaleidobot_game_info":
            assert said == {"game": said["game"], "package": "kaleidobot", "version": __version__}
            assert said["game"] in GAMES
            continue
        assert said.keys() <= {"platform", "game", "kind", "outcome", "part"}, sample
        assert set(said.values()) <= words, sample


@pytest.mark.parametrize(
    ("trouble", "outcome"),
    [
        (Limited(5), "limited"),
        (TryLater(5), "later"),
        (Gone(), "gone"),
        (Moved(PlaceId("room:attic")), "moved"),
        (Refused("no permission"), "refused"),
        (PlaceGone(), "refused"),
    ],
)
async def test_posts_are_counted_by_outcome(trouble: Exception, outcome: str) -> None:
    metrics, chat = Metrics(), RecordingChat()
    chat.trouble = [trouble, trouble]  # type: ignore[list-item]  # all of them are Undelivered
    posting = Counted(chat, metrics.posts)
    with pytest.raises(type(trouble)):
        await posting.post(ROOM.id, Post(text="board"), "n1")
    with pytest.raises(type(trouble)):
        await posting.edit(ROOM.id, MessageId("1"), Post(text="board"))
    message = await posting.post(ROOM.id, Post(text="board"), "n2")
    await posting.remove(ROOM.id, message, MessagePart.BUTTONS)
    await posting.remove(ROOM.id, message, MessagePart.WHOLE)
    async with read_from(metrics) as read:
        data = await read()
    for kind in ("post", "edit"):
        assert data["posts_total", "platform=room", f"kind={kind}", f"outcome={outcome}"] == 1
    for kind in ("post", "strip", "delete"):
        assert data["posts_total", "platform=room", f"kind={kind}", "outcome=done"] == 1
    assert data["posts_total"] == 5


async def test_rate_limited_requests_are_counted_as_limited(counted: Counting, clock: HandClock) -> None:
    metrics, store, painter = counted
    service = build(store, painter, clock, metrics=metrics)
    crowd = Crowd(service, RecordingChat())
    for _ in range(100):
        await service.handle(crowd.update("anna", "/help"))
    async with read_from(metrics) as read:
        result = await read()
    assert 0 < result["update_seconds_count", "outcome=limited"] < 100
    assert result["update_seconds_count", "platform=room"] == 100
    await service.stop()


async def test_a_store_that_is_away_is_counted(tmp_path: Path) -> None:
    metrics = Metrics()
    with serving(tmp_path) as server:
        store = await Store.open(f"redis://127.0.0.1:{server.port}/0", patience_s=0.1, metrics=metrics)
        service = build(store, Pictures(metrics), RealClock(), metrics=metrics)
        crowd = Crowd(service, RecordingChat())
        assert (metrics.registry.get_sample_value("kaleidobot_store_seconds_sum") or 0) > 0
    await service.handle(crowd.update("anna", "/games"))
    with pytest.raises(StoreDown):
        await store.ping()
    async with read_from(metrics) as read:
        result = await read()
    assert result["update_seconds_count", "outcome=later"] == 1
    assert result["store_errors_total", "kind=given_up"] == 2
    assert result["store_errors_total", "kind=again"] >= 2
    await service.stop()
    await store.close()


async def test_delays_are_measured(counted: Counting, clock: HandClock) -> None:
    metrics, store, _ = counted
    crowd = crowded(counted, clock)
    await crowd.says("anna", "/newgame kabooom easy")
    table = await store.at(ROOM.id)
    assert table is not None
    loaded = await store.load(table)
    assert loaded is not None
    day_ms = 24 * 3600 * 1000
    assert await store.claim_due(loaded.table.created_ms + day_ms - 1, 1000, 9) == ()
    assert await store.claim_due(loaded.table.created_ms + day_ms + 7000, 1000, 9) == ((table, 1),)
    async with read_from(metrics) as read:
        data = await read()
    assert (data["due_late_seconds_count"], data["due_late_seconds_sum"]) == (1, 7)
    assert (data["due_late_seconds_bucket", "le=5.0"], data["due_late_seconds_bucket", "le=10.0"]) == (0, 1)
    await crowd.service.stop()


async def test_stored_and_waiting_work_is_counted_by_the_store(counted: Counting, clock: HandClock, raw: Redis) -> None:
    metrics, store, _ = counted
    crowd = crowded(counted, clock)
    watching = Watching(crowd.service, store, (), metrics, clock)
    attic = Place(PlaceId("room:attic"))
    for place in (ROOM, attic):
        await crowd.says("anna", "/newgame kabooom easy", place=place)
        await crowd.says("ben", "/join", place=place)
    await crowd.says("anna", "/start")
    await crowd.says("clara", "/help")
    await crowd.service.idle()
    async with read_from(metrics) as read:
        assert "\nkaleidobot_running_tables " not in (await read()).text, "nobody has looked yet"
        await watching.look()
        data = await read()
        assert (data["running_tables"], data["players_of_day"], data["boards_unposted"]) == (1, 2, 0)
        assert (data["due_waiting", "kind=urgent"], data["due_waiting", "kind=reminder"]) == (0, 0)
        crowd.chat.flooded = {attic.id}
        asking = asyncio.create_task(crowd.says("anna", "/start", place=attic))
        await clock.slept()
        await watching.look()
        data = await read()
        assert (data["running_tables"], data["boards_unposted"]) == (2, 1)
        crowd.chat.flooded = set()
        await clock.advance(timedelta(hours=13))
        await asking
        await watching.look()
        data = await read()
        assert (data["boards_unposted"], data["due_waiting", "kind=reminder"]) == (0, 2)
        await clock.advance(timedelta(hours=12))
        await crowd.says("ben", "/resign")
        await crowd.sends("ben", crowd.payload("ben", "Yes, I resign"))
        await watching.look()
        data = await read()
        assert (data["running_tables"], data["players_of_day"]) == (1, 0), "to resign is not to play"
    assert [key for key in raw.scan_iter("kb:{players}:*") if raw.ttl(key) < 0] == []
    assert not [key for key in raw.scan_iter("kb:{players}:*") if b"anna" in (raw.get(key) or b"")]
    await crowd.service.stop()


async def test_a_board_that_waits_here_has_an_age_until_it_is_posted(counted: Counting, clock: HandClock) -> None:
    crowd = crowded(counted, clock)
    assert crowd.service.outbox_age_s == 0
    crowd.chat.flooded = {ROOM.id}
    asking = asyncio.create_task(crowd.says("anna", "/newgame kabooom easy"))
    await clock.slept()
    await clock.advance(timedelta(seconds=20))
    assert crowd.service.outbox_age_s == 20
    crowd.chat.flooded = set()
    while not asking.done() or crowd.service.outbox_age_s:  # its pause may begin after the clock has moved
        await clock.advance(timedelta(minutes=2))
        await asyncio.sleep(0.01)
    await asking
    await crowd.service.idle()
    await crowd.service.stop()


async def test_servers_are_counted_as_the_bot_comes_and_goes(counted: Counting, clock: HandClock) -> None:
    metrics, store, painter = counted
    service = build(store, painter, clock, metrics=metrics)
    async with Discord() as discord:
        chat = on_discord.open(discord.environment)
        watching = Watching(service, store, (chat,), metrics, clock)
        await watching.look()
        assert values(metrics.servers) == {}
        await chat.start(service, MemoryStorage())
        await discord.connected()
        other = discord.server("Other")
        await discord.adds_the_bot(other)
        while chat.servers != 2:
            await asyncio.sleep(0.01)
        await watching.look()
        assert values(metrics.servers) == {("discord",): 2}
        await discord.removes_the_bot(discord.home, unavailable=True)
        await discord.removes_the_bot(other)
        while chat.servers != 1:
            await asyncio.sleep(0.01)
        await chat.stop()
    await service.stop()


async def test_a_held_event_loop_is_seen() -> None:
    metrics = Metrics()

    def late(than_s: float) -> float:
        seconds = "kaleidobot_loop_late_seconds"
        measured, below = (
            metrics.registry.get_sample_value(f"{seconds}_{name}", labels) or 0
            for name, labels in (("count", {}), ("bucket", {"le": str(than_s)}))
        )
        return measured - below

    measuring = asyncio.create_task(measure(metrics.loop_late_seconds, every_s=0.001))
    while not metrics.registry.get_sample_value("kaleidobot_loop_late_seconds_count"):
        await asyncio.sleep(0.001)
    time.sleep(0.2)
    while not late(than_s=0.1):
        await asyncio.sleep(0.001)
    measuring.cancel()


async def test_pictures_that_wait_can_be_counted(counted: Counting) -> None:
    metrics, _, painter = counted
    start = GAMES["kabooom"].start(2, None, 0).view(None)
    looks = [Look((SeatLook(name), SeatLook("Ben"))) for name in ("Anna", "Clara", "Dora")]
    may_paint = threading.Event()
    painter._thread.submit(may_paint.wait)
    asked = [asyncio.create_task(painter.picture(start, look)) for look in looks]
    while values(metrics.painting_queue)[()] < 3:
        await asyncio.sleep(0)
    assert values(metrics.painting_queue)[()] == 3
    may_paint.set()
    async with read_from(metrics) as read:
        await asyncio.gather(*asked)
        data = await read()
    assert (data["painting_queue"], data["painting_seconds_count", "kind=board"]) == (0, 3)


@pytest.mark.parametrize(
    "said", [b"", b"GET /healthz HTTP/1.1\r\nX: ", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"]
)
async def test_clients_that_stay_connected_are_disconnected(said: bytes) -> None:
    """A connection that stays open uses up file descriptors that the store and the platforms need."""
    port = free_port()
    soon = Limits(head_s=0.5, answer_s=0.5)
    async with answering("127.0.0.1", port, Readiness(), Metrics(), limits=soon):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        answer = await reader.read()
        assert answer.endswith(b"alive\n") == said.endswith(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()


def test_every_figure_is_described_for_operators() -> None:
    described = (TOP / "docs" / "metrics.md").read_text(encoding="utf-8")
    for name, metric in Metrics():
        suffix = "_total" if isinstance(metric, Counter) else ""
        assert f"| `kaleidobot_{name}{suffix}` |" in described
        for label in metric._labelnames:
            (row,) = [line for line in described.splitlines() if line.startswith(f"| `kaleidobot_{name}{suffix}`")]
            assert label in row
    for outcome in figures.Handling:
        assert f"`{outcome}`" in described
    assert "| `kaleidobot_build_info` | version |" in described
    assert "| `kaleidobot_game_info` | game, package, version |" in described


async def test_the_leader_gauge_keeps_its_value_while_the_store_is_down(tmp_path: Path) -> None:
    metrics = Metrics(), Metrics()
    with serving(tmp_path) as server:
        url = f"redis://127.0.0.1:{server.port}/0"
        stores = [await Store.open(url, patience_s=0.1, metrics=metric) for metric in metrics]
        storages = [store.platform_storage("room", RealClock()) for store in stores]
        assert [await storage.lease(15.0) for storage in storages] == [True, False]
        assert [values(metric.leader) for metric in metrics] == [{("room",): 1}, {("room",): 0}]
    for storage in storages:
        with pytest.raises(StorageDown):
            await storage.lease(15.0)
    assert [values(metric.leader) for metric in metrics] == [{("room",): 1}, {("room",): 0}]
    with pytest.raises(StorageDown):  # a store that is away from the beginning: the alert needs the series
        await stores[0].platform_storage("hall", RealClock()).lease(15.0)
    assert values(metrics[0].leader) == {("room",): 1, ("hall",): 0}
    for store in stores:
        await store.close()
