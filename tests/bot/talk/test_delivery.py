"""Delivery of boards: each once, the newest, with one ping, despite failures of bots, store and platform."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from hashlib import sha1
from pathlib import Path
from typing import Any, cast

import pytest
from redis import Redis
from redis.asyncio.connection import AbstractConnection

from bot.app import build
from bot.chat import (
    Limited,
    MessageId,
    MessagePart,
    PersonId,
    Place,
    PlaceId,
    PlaceSwept,
    Post,
    Priority,
    Refused,
    TryLater,
    Undelivered,
    Unexplained,
)
from bot.delivery import outbox
from bot.delivery.painting import Pictures
from bot.delivery.posting import Posting
from bot.repository.preferences import FRESH
from bot.repository.repository import LEASE_MS
from bot.runtime.clock import to_ms
from bot.runtime.retry import BOARDS, WAITING_BOARDS
from bot.runtime.tasks import cancelled
from bot.service import due, reposting, upkeep
from bot.service.service import Service
from bot.store import keys
from bot.store import store as store_module
from bot.store.store import Store
from bot.tables.board_message import BoardMessage, Venue
from bot.tables.showing import PendingPost, seen_at
from bot.tables.table import TableId
from renderers import Theme
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_service import begun, table_here, text

ANNA, BEN = PersonId("room:anna"), PersonId("room:ben")


def live(chat: RecordingChat) -> list[Post]:
    """Return the posts with active buttons."""
    return [message for message in chat.messages.values() if message.rows]


def called(chat: RecordingChat) -> PersonId | None:
    """Return the person that the newest post calls."""
    call = chat.newest().call
    return None if call is None else call.person.id


def readable(chat: RecordingChat) -> list[Post]:
    """Return the posts with a visible board of Colorio."""
    return [
        message
        for message in chat.messages.values()
        if message.picture is not None and "Open spaces" in message.picture.alt
    ]


class Held:
    """Lets posts wait, as a slow platform does: each arrives, and goes on when it is let go.

    *readable*: how many boards could be read at most, at any moment after a post.
    """

    def __init__(self, chat: RecordingChat) -> None:
        self.arrived = 0
        self.readable = 0
        self._chat = chat
        self._post = chat.post
        self._goes_on = asyncio.Event()
        self._each = list[asyncio.Event]()
        self._more = asyncio.Event()
        chat.post = self  # type: ignore[method-assign]

    async def __call__(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        self.arrived += 1
        mine = asyncio.Event()
        self._each.append(mine)
        self._more.set()
        if not self._goes_on.is_set():
            await mine.wait()
        message = await self._post(place, post, nonce)
        self.readable = max(self.readable, len(readable(self._chat)))
        return message

    async def until(self, arrived: int) -> None:
        """Wait until so many posts are on their way."""
        async with asyncio.timeout(60):
            while self.arrived < arrived:
                self._more.clear()
                await self._more.wait()

    def let_go(self, *numbers: int) -> None:
        """Release the posts with these arrival *numbers*, from 0; without numbers, all of them and later ones."""
        for number in numbers or range(self.arrived):
            self._each[number].set()
        if not numbers:
            self._goes_on.set()


# Two bots


@pytest.mark.parametrize("game", ["kabooom easy", "colorio"])
@pytest.mark.parametrize("dedupes_posts", [True, False])
async def test_two_bots_that_post_the_same_board_at_the_same_moment_leave_one(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, game: str, *, dedupes_posts: bool
) -> None:
    chat.dedupes_posts = dedupes_posts
    for name, line in (("anna", f"/newgame {game}"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    other = crowd.again(bots())
    held = Held(chat)
    both = [asyncio.create_task(person.says(name, "/board")) for person, name in ((crowd, "anna"), (other, "ben"))]
    await held.until(2)
    held.let_go()
    await asyncio.gather(*both)
    assert len(live(chat)) == 1
    if game == "colorio":
        assert readable(chat) == live(chat)


TURNS = {"kabooom easy": "/move b1-c1", "colorio": "/move a2 b2 b5 x"}
"""The first turn of each game, typed as a whole."""


async def saved(store: Store, than: int) -> None:
    """Wait until the table in the room has a newer revision *than* that."""
    async with asyncio.timeout(60):
        while (await table_here(store)).revision == than:
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("game", TURNS)
async def test_a_move_while_the_board_that_is_shown_again_is_on_its_way_leaves_one_board(
    crowd: Crowd, chat: RecordingChat, store: Store, game: str
) -> None:
    """That board counts, and not the one before it, of which the move has heard from the store."""
    for name, line in (("anna", f"/newgame {game}"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    revision = (await table_here(store)).revision
    held = Held(chat)
    shown = asyncio.create_task(crowd.says("clara", "/board"))
    await held.until(1)
    moved = asyncio.create_task(crowd.says("anna", TURNS[game]))
    await saved(store, revision)
    held.let_go()
    await asyncio.gather(shown, moved)
    assert live(chat) == [chat.newest()]
    assert called(chat) == BEN
    if game == "colorio":
        assert readable(chat) == live(chat)
        assert held.readable == 1, "not for a moment"


async def test_a_step_during_a_repost_appears_on_the_reposted_board(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    for name, line in (("anna", "/newgame colorio"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    revision, posted, calls = (await table_here(store)).revision, chat.posted, len(chat.pings)
    held = Held(chat)
    shown = asyncio.create_task(crowd.says("clara", "/board"))
    await held.until(1)
    stepped = asyncio.create_task(crowd.says("anna", "/move a2"))
    await saved(store, revision)
    held.let_go()
    await asyncio.gather(shown, stepped)
    assert (chat.posted, len(chat.pings)) == (posted + 1, calls), "once, and nobody is called again"
    assert live(chat) == readable(chat) == [chat.newest()]
    assert "a2" in chat.newest().text


@pytest.mark.parametrize("game", TURNS)
@pytest.mark.parametrize("first", ["the board", "the move"])
async def test_a_move_at_one_bot_while_another_one_shows_the_board_again_leaves_one_board(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, store: Store, game: str, first: str
) -> None:
    """In either order of arrival."""
    for name, line in (("anna", f"/newgame {game}"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    other = crowd.again(bots())
    held = Held(chat)
    shown = asyncio.create_task(crowd.says("clara", "/board"))
    await held.until(1)
    moved = asyncio.create_task(other.says("anna", TURNS[game]))
    await held.until(2)
    (early, late), number = ((shown, moved), 0) if first == "the board" else ((moved, shown), 1)
    held.let_go(number)
    await early
    held.let_go()
    await late
    (board,) = live(chat)
    assert board.call is not None
    assert board.call.person.id == BEN
    if game == "colorio":
        assert readable(chat) == live(chat)


# A store that has lost its newest saves


class Past:
    """The server's contents at one moment, to be restored later."""

    def __init__(self, raw: Redis) -> None:
        self._raw = raw
        self._kept = {key: cast("bytes", raw.dump(key)) for key in cast("list[bytes]", raw.keys("kb:*"))}

    def comes_back(self) -> None:
        self._raw.flushall()
        for key, dumped in self._kept.items():
            self._raw.restore(key, 0, dumped, replace=True)


async def test_a_board_with_a_reused_revision_is_posted_and_pings(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, raw: Redis
) -> None:
    """A platform that knows repetitions takes it for no repetition of the lost one."""
    await begun(crowd)
    past = Past(raw)
    await crowd.says("anna", "/move b1-c1")
    lost, calls = chat.newest(), len(chat.pings)
    past.comes_back()
    await crowd.service.stop()
    crowd = crowd.again(bots())
    await crowd.says("anna", "/move pass")
    assert chat.newest() != lost
    assert "Anna passes" in chat.newest().text
    assert chat.pings[calls:] == [BEN]


async def test_a_move_is_posted_although_later_lost_boards_were_shown(
    crowd: Crowd, chat: RecordingChat, raw: Redis
) -> None:
    await begun(crowd)
    past = Past(raw)
    for name, line in (("anna", "/move b1-c1"), ("ben", "/move pass")):
        await crowd.says(name, line)
    posted, calls = chat.posted, len(chat.pings)
    past.comes_back()
    await crowd.says("anna", "/move pass")
    assert chat.posted == posted + 1
    assert chat.pings[calls:] == [BEN]
    assert live(chat) == [chat.newest()]


async def test_memories_of_a_lost_save_are_never_shown(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, store: Store, raw: Redis
) -> None:
    """The position and the menus are those that another bot has saved under the same revision."""
    await begun(crowd)
    past = Past(raw)
    await crowd.says("anna", "/move b1-c1")
    lost = await table_here(store)
    past.comes_back()
    other = crowd.again(bots())
    await other.says("anna", "/move pass")
    assert (await table_here(store)).revision == lost.revision
    crowd = other.again(crowd.service)
    for line in ("/view", "/move"):
        for name in ("anna", "ben"):
            here = await crowd.says(name, line)
            assert here == await crowd.again(other.service).says(name, line)
    seen = await crowd.says("ben", "/view")
    assert seen is not None
    assert seen.picture is not None
    assert "Last move: Anna passed" in seen.picture.alt


async def test_what_another_bot_has_set_is_heard_of_in_time_though_the_clock_is_set_back(
    crowd: Crowd, bots: Callable[[], Service], clock: HandClock
) -> None:
    assert "no game" in text(await crowd.says("anna", "/move x"))
    other = crowd.again(bots())
    await other.says("anna", "/settings")
    await other.says("anna", "[Language: Deutsch]")
    clock.set(clock.now() - timedelta(hours=1))
    await clock.advance(FRESH)
    assert "keine Partie" in text(await other.again(crowd.service).says("anna", "/move x"))


# A platform that is away, or has had enough


async def done(clock: HandClock, *tasks: asyncio.Task[object]) -> None:
    """Let time pass while tasks sleep; it stops while commands to the store are under way."""
    async with asyncio.timeout(30):
        while not all(task.done() for task in tasks):
            if clock.is_waited_for:
                await clock.advance(timedelta(seconds=1))
            await asyncio.sleep(0.001)


async def test_a_newer_board_is_tried_at_once_however_long_the_former_one_has_waited(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    chat.trouble = [TryLater() for _ in range(1000)]
    waiting = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await done(clock, waiting)  # the board is left for much later
    chat.trouble = []
    async with asyncio.timeout(60):  # no time passes
        await crowd.says("ben", "/move pass")
        await crowd.service.idle()
    assert (called(chat), chat.trouble) == (ANNA, [])
    assert "Anna climbs" in "".join(chat.lines), "nothing that happened is left out"


def waits_s(raw: Redis, table: TableId, clock: HandClock) -> float:
    """Return the remaining lease on the board of *table*."""
    result = cast("float", raw.zscore(keys.UNPOSTED[keys.shard(table)], table))
    return result / 1000 - to_ms(clock.now()) / 1000


async def test_a_newer_board_is_tried_as_often_as_if_nothing_had_been_refused_before(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    chat.trouble = [TryLater() for _ in range(1000)]
    first = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    while len(chat.trouble) > 1000 - (BOARDS.tries - 1):
        await clock.slept()
        await clock.advance(timedelta(minutes=1))
    await clock.slept()
    before = len(chat.trouble)
    newer = asyncio.create_task(crowd.says("ben", "/move pass"))
    while len(chat.trouble) == before:  # no time passes for the former one before the newer one arrives
        await asyncio.sleep(0.001)
    await done(clock, first, newer)
    assert before - len(chat.trouble) == BOARDS.tries


async def test_a_newer_board_that_is_refused_too_is_left_for_no_longer_than_a_first_one(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, clock: HandClock
) -> None:
    await begun(crowd)
    table = (await table_here(store)).id
    chat.trouble = [TryLater() for _ in range(1000)]
    await done(clock, asyncio.create_task(crowd.says("anna", "/move b1-c1")))
    pauses = [waits_s(raw, table, clock)]
    for _ in range(2):
        await clock.advance(timedelta(seconds=pauses[-1]))
        await crowd.service.repost()
        await done(clock, asyncio.create_task(crowd.service.idle()))
        pauses.append(waits_s(raw, table, clock))
    assert pauses == pytest.approx([WAITING_BOARDS.pause_s(times) for times in range(3)], abs=2)
    await done(clock, asyncio.create_task(crowd.says("ben", "/move pass")))
    assert waits_s(raw, table, clock) == pytest.approx(WAITING_BOARDS.first_s, abs=2)


async def test_while_a_board_waits_for_room_no_other_process_begins_with_it(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "RENEWALS", LEASE_MS / 10)  # by the clock of the loop, which no test can move
    await begun(crowd)
    table = (await table_here(store)).id
    waits = chat.full[Priority.BOARD] = asyncio.Event()
    moving = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await waits.wait()
    for _ in range(3):
        await clock.advance(timedelta(milliseconds=LEASE_MS - 1000))
        async with asyncio.timeout(30):
            while waits_s(raw, table, clock) < LEASE_MS / 1000:
                await asyncio.sleep(0.01)
        assert await store.claim_unposted(to_ms(clock.now()), LEASE_MS, 9) == ()
    await cancelled(moving)


async def test_of_the_old_buttons_that_could_not_be_taken_away_the_newest_go_first(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(crowd)
    chat.refuses["strip"] = TryLater()
    for name, line in (("anna", "/move b1-c1"), ("ben", "/move pass")):
        await done(clock, asyncio.create_task(crowd.says(name, line)))
    assert len(live(chat)) == 3
    taken, remove = list[MessageId](), chat.remove

    async def noted(place: PlaceId, message: MessageId, part: MessagePart) -> None:
        taken.append(message)
        await remove(place, message, part)

    monkeypatch.setattr(chat, "remove", noted)
    chat.refuses.clear()
    await crowd.says("anna", "/move pass")
    await done(clock, asyncio.create_task(crowd.says("anna", "[Yes, count them]")))
    assert len(taken) == 3
    assert taken == sorted(taken, key=int, reverse=True)


async def test_a_lost_board_is_reposted_once_despite_pending_cleanup(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    chat.dedupes_posts = False
    chat.messages.clear()
    chat.refuses, posted, calls = {"delete": TryLater(), "strip": TryLater()}, chat.posted, len(chat.pings)
    await crowd.service.place_changed(PlaceSwept(ROOM.id))
    await done(clock, asyncio.create_task(crowd.service.idle()))
    assert (chat.posted, len(chat.pings)) == (posted + 1, calls + 1)


async def test_a_rate_limit_is_not_a_failed_attempt(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await begun(crowd)
    posted = chat.posted
    chat.trouble = [Limited(10) for _ in range(3 * BOARDS.tries)]
    waiting = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await done(clock, waiting)
    assert (chat.posted, called(chat)) == (posted + 1, BEN)


async def test_pauses_grow_if_a_rate_limit_names_no_time(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    """Seventeen tables with a request a second would reach Discord's limit of invalid requests in ten minutes."""
    await begun(crowd)
    posted, begin = chat.posted, clock.now()
    chat.trouble = [Limited(seconds) for seconds in (None, 0.0, None, None, None)]
    await done(clock, asyncio.create_task(crowd.says("anna", "/move b1-c1")))
    assert (chat.posted, called(chat)) == (posted + 1, BEN)
    assert clock.now() - begin >= timedelta(seconds=1 + 2 + 4 + 8 + 16)


@pytest.mark.parametrize("refusal", [Unexplained("canceled by new editMessageMedia request"), Unexplained()])
async def test_an_edit_with_an_unknown_refusal_is_posted_anew(
    crowd: Crowd, chat: RecordingChat, store: Store, refusal: Unexplained
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    chat.refuses["edit"] = refusal
    await crowd.says("ben", "/join")
    assert "Ben" in chat.newest().text
    assert (chat.posted, len(live(chat))) == (2, 1)
    assert not (await table_here(store)).is_unreachable


async def test_a_refused_edit_is_posted_anew_and_a_refused_post_cuts_off(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    chat.refuses["edit"] = Refused("thread is archived")
    await crowd.says("ben", "/join")
    assert "Ben" in chat.newest().text
    assert (chat.posted, len(live(chat))) == (2, 1)
    assert not (await table_here(store)).is_unreachable
    chat.trouble = [Refused("thread is archived"), Refused("thread is locked")]
    await crowd.says("cleo", "/join")
    assert chat.posted == 2
    assert (await table_here(store)).is_unreachable


async def test_an_unknown_refusal_of_a_post_is_retried_and_cuts_no_place_off(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, clock: HandClock
) -> None:
    await begun(crowd)
    posted = chat.posted
    chat.trouble = [Unexplained("status 400, code 0") for _ in range(BOARDS.tries)]
    await done(clock, asyncio.create_task(crowd.says("anna", "/move b1-c1")))
    table = await table_here(store)
    assert (chat.posted, table.is_unreachable) == (posted, False)
    assert waits_s(raw, table.id, clock) == pytest.approx(WAITING_BOARDS.first_s, abs=2)
    await watched(crowd.service, clock, raw)
    assert (chat.posted, called(chat)) == (posted + 1, BEN)


@pytest.mark.parametrize("counting", [False, True])
async def test_a_limited_edit_delays_a_new_board_only_if_edits_count(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, counting: bool
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    chat.counting = {ROOM.id} if counting else set()
    chat.trouble = [Limited(100)]
    joining = asyncio.create_task(crowd.says("ben", "/join"))
    await clock.slept()
    begin = clock.now()
    starting = asyncio.create_task(crowd.says("anna", "/start"))
    if counting:
        await done(clock, joining, starting)
    await asyncio.wait_for(asyncio.gather(joining, starting), 60)
    assert (clock.now() - begin >= timedelta(seconds=100)) == counting
    assert chat.posted == 2


async def test_a_newer_edit_does_not_come_before_the_end_of_a_limit(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    chat.trouble = [Limited(100)]
    joining = [asyncio.create_task(crowd.says("ben", "/join"))]
    await clock.slept()
    begin = clock.now()
    joining.append(asyncio.create_task(crowd.says("cleo", "/join")))
    await done(clock, *joining)
    assert clock.now() - begin >= timedelta(seconds=100)
    assert (chat.posted, "Cleo" in chat.newest().text) == (1, True)


async def test_all_due_work_is_done_in_one_go(
    crowd: Crowd, store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "AT_ONCE", 3)
    rooms = [Place(PlaceId(f"room:{number}")) for number in range(10)]
    for number, room in enumerate(rooms):
        await crowd.says(f"host{number}", "/newgame kabooom", place=room)
    await clock.advance(timedelta(days=1, hours=1))
    await crowd.service.do_due()
    async with asyncio.timeout(60):
        while any([await store.at(room.id) for room in rooms]):
            await asyncio.sleep(0.01)


async def test_only_urgent_work_starts_if_too_many_reminders_run(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "AT_ONCE", 2)
    monkeypatch.setattr(due, "MOST", 1)
    monkeypatch.setattr(due, "PATIENCE_S", 0.1)
    rooms = [Place(PlaceId(f"room:{number}")) for number in range(5)]
    for number, room in enumerate(rooms):
        for name, line in ((f"host{number}", "/newgame kabooom 1d"), ("ben", "/join"), (f"host{number}", "/start")):
            await crowd.says(name, line, place=room)
    await clock.advance(timedelta(hours=13))
    chat.full[Priority.REMINDER] = asyncio.Event()
    await crowd.service.do_due()
    assert len(await store.claim_due(to_ms(clock.now()), LEASE_MS, 9)) == len(rooms) - due.AT_ONCE


async def test_all_boards_that_wait_are_posted_in_one_go_however_many_they_are(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reposting, "AT_ONCE", 3)
    rooms = [Place(PlaceId(f"room:{number}")) for number in range(10)]
    chat.flooded = {room.id for room in rooms}
    opened = [
        asyncio.create_task(crowd.says(f"host{number}", "/newgame kabooom", place=room))
        for number, room in enumerate(rooms)
    ]
    await done(clock, *opened)
    await crowd.service.stop()
    chat.flooded, posted = set(), chat.posted
    again = bots()
    await clock.advance(timedelta(minutes=20))
    assert await again.repost() == len(rooms)
    await again.idle()
    assert chat.posted == posted + len(rooms)


# A table at two venues


async def test_a_second_venue_shows_a_table_in_its_own_language(
    crowd: Crowd, chat: RecordingChat, store: Store, painter: Pictures, clock: HandClock
) -> None:
    """The attic follows a game played in the hall: with messages, a language and pictures of its own. A new turn
    ends the former message there and no other."""
    for name, line in (("anna", "/newgame kabooom easy"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    repository, attic = crowd.service.repository, Venue(PlaceId("room:attic"), "de", "light")
    posting = Posting({"room": chat}, painter, clock, Theme.DARK)
    at_home = chat.newest()
    stands: BoardMessage | None = None

    async def follow() -> Post:
        nonlocal stands
        seen = await repository.load((await table_here(store)).id)
        posted = await posting.sync(seen_at(attic, PendingPost(seen)), stands)
        assert posted.hidden is None, "nothing has to be recorded early"
        stands = await posting.end_former(seen.table, posted)
        assert chat.places[stands.message] == attic.place
        await store.record_post(seen.table.id, stands, elsewhere=attic.place)
        return chat.messages[stands.message]

    first = await follow()
    assert "Reihenfolge" in first.text
    assert "Turn order" in at_home.text
    assert first.picture is not None
    assert at_home.picture is not None
    assert first.picture.png != at_home.picture.png
    assert first is await follow()  # nothing new
    await crowd.says("anna", "/move b1-c1")
    second = await follow()
    assert stands is not None
    assert stands.at == attic
    assert [chat.places[message] for message, post in chat.messages.items() if post.rows] == [ROOM.id, attic.place]
    assert second is not first
    table = await store.load((await table_here(store)).id)
    assert table is not None
    assert table.board_message is not None
    assert chat.places[table.board_message.message] == ROOM.id
    assert table.elsewhere == {attic.place: stands}


# A library that stumbles


class Stumbles:
    """Let the store's client fail once in the script *name*, with an exception that a library may raise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        script = sha1((Path(store_module.__file__).parent / f"{name}.lua").read_bytes(), usedforsecurity=False)
        sha, pack = script.hexdigest(), AbstractConnection.pack_command
        self.done = False

        def packed(connection: AbstractConnection, *words: Any) -> list[bytes]:
            if sha in words and not self.done:
                self.done = True
                raise AttributeError("'NoneType' object has no attribute 'writelines'")
            return pack(connection, *words)

        monkeypatch.setattr(AbstractConnection, "pack_command", packed)


def is_noted(raw: Redis, place: Place) -> bool:
    """Return whether the server has a message that shows the newest save of the table in *place*."""
    held = TableId(cast("bytes", raw.get(keys.place(place.id))).decode())
    revision, shown = cast(
        "list[bytes]", raw.hmget(keys.of_table(held, keys.shard(held))[0], "revision", "posted_revision")
    )
    return shown == revision


async def test_no_periodic_work_outlives_its_watcher(
    crowd: Crowd, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client of the store may swallow a cancellation; what goes on would call a store that is closed."""
    asks = asyncio.Event()

    async def swallows() -> None:
        asks.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    before = asyncio.all_tasks()
    with monkeypatch.context() as odd:
        odd.setattr(crowd.service, "do_due", swallows)
        odd.setattr(crowd.service, "repost", lambda **_: asyncio.Event().wait())
        watching = asyncio.create_task(upkeep.watch(crowd.service, clock, alone=True))
        await asks.wait()
        await cancelled(watching)
        assert asyncio.all_tasks() == before


async def watched(service: Service, clock: HandClock, raw: Redis, place: Place = ROOM) -> None:
    """Let time pass while *service* does due work, until the board in *place* is posted and recorded."""
    watching = asyncio.create_task(upkeep.watch(service, clock, alone=True))
    try:
        async with asyncio.timeout(60):
            while not is_noted(raw, place):
                await clock.advance(timedelta(seconds=5))
                await asyncio.sleep(0.001)
    finally:
        await cancelled(watching)
    await service.idle()


async def test_a_process_without_the_platform_does_not_take_its_boards_every_time(
    crowd: Crowd, chat: RecordingChat, store: Store, painter: Pictures, clock: HandClock, raw: Redis
) -> None:
    """The one without it looks two seconds before the other, and gives the board back for later."""
    await begun(crowd)
    posted, other, watching = chat.posted, build(store, painter, clock), list[asyncio.Task[None]]()

    async def passes(seconds: int) -> None:
        for _ in range(seconds):
            await clock.advance(timedelta(seconds=1))
            await asyncio.sleep(0.05)

    for service in (other, crowd.service):
        watching.append(asyncio.create_task(upkeep.watch(service, clock, alone=False)))
        await clock.slept()
        await passes(2)
    await crowd.again(other).says("anna", "/move b1-c1")
    await passes(30)
    await cancelled(*watching)
    await crowd.service.idle()
    assert (chat.posted, is_noted(raw, ROOM)) == (posted + 1, True)


async def unposted(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    """Save a move and stop the bot before it posts the board."""
    chat.trouble = [TryLater(3600)]
    moved = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await clock.slept()
    await crowd.service.stop()
    await asyncio.wait_for(moved, 60)


@pytest.mark.parametrize("script", ["claim", "load", "posted"])
async def test_a_board_is_posted_once_if_the_store_client_fails(
    crowd: Crowd,
    bots: Callable[[], Service],
    chat: RecordingChat,
    raw: Redis,
    clock: HandClock,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
) -> None:
    """While it is looked for, while its table is loaded, while it is noted."""
    chat.dedupes_posts = False
    await begun(crowd)
    posted, calls = chat.posted, len(chat.pings)
    await unposted(crowd, chat, clock)
    stumbles, other = Stumbles(monkeypatch, script), bots()
    await watched(other, clock, raw)
    assert stumbles.done
    assert (chat.posted, chat.pings[calls:]) == (posted + 1, [BEN])
    assert live(chat) == [chat.newest()]
    assert await bots().repost(everything=True) == 0


async def test_a_board_is_posted_once_if_the_platform_library_fails(
    crowd: Crowd, chat: RecordingChat, raw: Redis, clock: HandClock
) -> None:
    await begun(crowd)
    posted, calls = chat.posted, len(chat.pings)
    chat.trouble = [cast("Undelivered", AttributeError("'NoneType' object has no attribute 'writelines'"))]
    await crowd.says("anna", "/move b1-c1")
    assert chat.posted == posted
    await watched(crowd.service, clock, raw)
    assert (chat.posted, chat.pings[calls:]) == (posted + 1, [BEN])


async def test_a_table_that_cannot_be_read_keeps_no_other_from_being_posted(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock, store: Store, raw: Redis
) -> None:
    rooms = [Place(PlaceId(f"room:{number}")) for number in range(3)]
    chat.flooded, posted = {room.id for room in rooms}, chat.posted
    opened = [asyncio.create_task(crowd.says("anna", "/newgame kabooom", place=room)) for room in rooms]
    await done(clock, *opened)
    await crowd.service.stop()
    chat.flooded = set()
    for room in rooms[:2]:
        broken = await table_here(store, room)
        raw.hset(keys.of_table(broken.id, keys.shard(broken.id))[0], mapping={"json": "{", "save": "broken"})
    await watched(bots(), clock, raw, rooms[2])
    assert chat.posted == posted + 1
    assert {chat.places[message] for message in chat.messages} == {rooms[2].id}
