"""Invariants of every step of a turn, for any input in any order and number."""

import asyncio
import logging
import re
from collections.abc import Callable
from datetime import timedelta
from typing import cast

import pytest
from msgspec.structs import replace
from redis import Redis

from bot import requests
from bot.app import build
from bot.chat import (
    Gone,
    Limited,
    MessageId,
    Moved,
    Opened,
    Person,
    PersonId,
    Place,
    PlaceId,
    Post,
    Press,
    Refused,
    Reply,
    Role,
    SlashCommand,
    Style,
    TryLater,
    Typed,
    Update,
    UpdateId,
)
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.repository.repository import LEASE_MS, Repository
from bot.requests import payload
from bot.requests.parsing import parse
from bot.requests.registry import DECLARATIONS, VERBS, Scope
from bot.runtime.clock import to_ms
from bot.runtime.metrics import Metrics
from bot.runtime.retry import BOARDS
from bot.runtime.tasks import cancelled
from bot.service.service import Service
from bot.store import documents, keys
from bot.store.store import Store
from bot.tables import table as tables
from bot.tables.preferences import OF_PERSON, PINGS
from bot.tables.snapshot import Snapshot
from bot.tables.table import Step, Table
from rules import GAMES, State
from rules.games.kalejdoschach import NAMES
from tests.bot.conftest import HandClock
from tests.bot.scanning import written
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons, drawn, marked, stamped
from tests.bot.talk.worlds import position
from tests.rules.test_kalejdoschach import document


async def table_here(store: Store, place: Place = ROOM) -> Table:
    held = await store.at(place.id)
    assert held is not None
    loaded = await store.load(held)
    assert loaded is not None
    return loaded.table


async def begun(crowd: Crowd, *others: str, level: str = "easy") -> None:
    await crowd.says("anna", f"/newgame kabooom {level}")
    for name in others or ("ben",):
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")


def text(reply: Reply | None) -> str:
    return "" if reply is None else reply.text


async def test_an_update_delivered_twice_is_applied_once(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    for _ in range(2):
        await crowd.says("anna", "/move b1-c1", update="room:again")
    table = await table_here(store)
    assert [entry.action for entry in await store.log(table.id)] == ["b1-c1"]


async def test_a_new_game_delivered_twice_opens_one_table(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    for _ in range(2):
        await crowd.says("anna", "/newgame kabooom", update="room:again")
    assert len(chat.messages) == 1
    assert (await table_here(store)).revision == 1


async def test_a_tap_for_an_older_board_is_answered_with_the_newest(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    table = await table_here(store)
    old = Press(stamped("play", table, 0))
    await crowd.sends("anna", old)
    reply = await crowd.sends("anna", old)
    assert reply is not None
    assert "out of date" in reply.text
    assert reply.picture is not None
    assert len(await store.log(table.id)) == 1


async def next_up(store: Store) -> tuple[str, str]:
    """Return the actor and an action that is no draw and needs no confirmation."""
    table = await table_here(store)
    state = position(table)
    assert state.actor is not None
    quiet = next(
        action
        for action in state.actions()
        if str(action) != "draw" and (state.warns(action) or state.cautions(action)) is None
    )
    return table.seats[state.actor].name.lower(), str(quiet)


async def test_a_player_who_wants_a_draw_reads_whether_it_is_an_offer(crowd: Crowd, store: Store) -> None:
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("clara", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    first, move = await next_up(store)
    assert text(await crowd.says(first, "/move draw")).startswith(say("draw.said", "en"))
    await crowd.says(first, f"/move {move}")
    for line in ("/draw", "/move draw"):
        second, move = await next_up(store)
        assert text(await crowd.says(second, line)).startswith(say("draw.agreed", "en"))
        await crowd.says(second, "/undo")
    await crowd.says(second, f"/move {move}")
    third, move = await next_up(store)
    assert text(await crowd.says(third, f"/move draw {move}")).endswith(", with a draw offer")


async def test_the_yes_to_the_second_step_of_a_typed_turn_counts(crowd: Crowd, store: Store) -> None:
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    await crowd.says("anna", "/move draw 1j-2e")  # it leaves a castle
    await crowd.says("anna", "[Yes, leave it]")
    assert [entry.action for entry in await store.log((await table_here(store)).id)] == ["draw", "1j-2e"]


async def test_a_draw_button_kept_from_an_earlier_turn_offers_nothing_in_a_later_one(
    crowd: Crowd, store: Store
) -> None:
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)

    async def up() -> tuple[str, str]:
        who, move = await next_up(store)
        return who, f"/move {move}"

    first, _ = await up()
    await crowd.says(first, "[More]")
    kept = crowd.payload(first, "½ Offer a draw")
    for _ in range(2):
        await crowd.says(*(await up()))
    assert (await up())[0] == first
    table = await table_here(store)
    log = await store.log(table.id)
    reply = await crowd.sends(first, kept)
    assert say("moved_on", "en") in text(reply)
    assert (await store.log(table.id), await table_here(store)) == (log, table)
    await crowd.says(first, "[More]")
    await crowd.says(first, "[½ Offer a draw]")
    assert [entry.action for entry in await store.log(table.id)][len(log) :] == ["draw"], "that of this turn does"


async def at_position(crowd: Crowd, store: Store, state: State) -> str:
    """Let Anna's and Ben's game continue from *state*; return the actor."""
    seen = await crowd.service.repository.load((await table_here(store)).id)

    async def apply(seen: Snapshot) -> tuple[Step, None]:
        return Step(tables.with_state(seen.table, state), state), None

    await crowd.service.repository.change(seen, apply)
    await crowd.service.idle()
    assert state.actor is not None
    return seen.table.seats[state.actor].name.lower()


@pytest.mark.parametrize("offers", [["/draw"], ["[More]", "[½ Offer a draw]"], ["/move draw"]])
@pytest.mark.parametrize(
    ("own", "empty", "then"),
    [
        (("1j", "1a"), ("1c", "2a", "2b"), ["1a+1b"]),
        (("1j",), ("1g", "1h", "1k"), []),  # it would leave the last castle, so it is asked about
    ],
)
async def test_a_draw_that_forces_the_next_action_plays_it_either_way(
    crowd: Crowd, store: Store, own: tuple[str, ...], empty: tuple[str, ...], then: list[str], offers: list[str]
) -> None:
    """A board full of elephants: one of them has the three empty fields before it that it needs."""
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    board = {field: f"{int(field not in own)}l" for field in NAMES if field not in empty}
    first = await at_position(crowd, store, document(board=board))
    table = await table_here(store)
    for line in offers:
        reply = await crowd.says(first, line)
    assert ("make your move" in text(reply)) == (not then)
    assert [entry.action for entry in await store.log(table.id)] == ["draw", *then]
    assert (await table_here(store)).turn == table.turn + len(then)


async def test_a_repeated_tap_is_answered_with_the_next_menu(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, store: Store
) -> None:
    """Without reproach: it was that tap which has changed the board."""
    for name, line in (("anna", "/newgame crystalla"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    call = chat.newest().call
    assert call is not None
    up = call.person.name.lower()
    await crowd.says(up, "[Move]")
    taps = crowd.payload(up, "Keep all three")
    asks = await crowd.sends(up, taps, update="room:tap")
    assert asks is not None
    assert asks.picture is not None
    after = crowd.again(bots())  # the bot has died before it could answer
    assert await after.sends(up, taps, update="room:tap") == asks
    late = await after.sends(up, taps)
    assert late is not None
    assert "out of date" in late.text
    assert [entry.action for entry in await store.log((await table_here(store)).id)] == ["keep"]


async def test_a_tap_that_comes_once_more_when_its_turn_is_over_says_nothing(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    taps = Press(stamped("play", await table_here(store), 0))
    assert await crowd.sends("anna", taps, update="room:tap") is not None
    assert await crowd.sends("anna", taps, update="room:tap") is None
    assert len(await store.log((await table_here(store)).id)) == 1


async def test_fifty_people_press_join_at_once_for_the_last_seats(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom")
    replies = await asyncio.gather(*(crowd.says(f"guest{n}", "/join") for n in range(50)))
    said = [text(reply) for reply in replies]
    assert sum("in. Have fun" in line for line in said) == 3
    assert all("in. Have fun" in line or "full" in line or "already started" in line for line in said)
    assert len((await table_here(store)).seats) == 4


async def test_two_people_who_press_the_same_button_at_once_both_sit(crowd: Crowd, store: Store) -> None:
    """*Join* is not bound to a save of the lobby: the second person to press it is not refused as late."""
    await crowd.says("anna", "/newgame kabooom")
    joins = crowd.payload("ben", "Join")
    replies = await asyncio.gather(*(crowd.sends(name, joins) for name in ("ben", "clara")))
    assert [text(reply) for reply in replies] == [say("lobby.joined", "en")] * 2
    seats = (await table_here(store)).seats
    assert {seat.name for seat in seats} == {"Anna", "Ben", "Clara"}


async def test_fifty_people_press_join_in_many_processes_at_once(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, store: Store
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    crowds = [Crowd(bots(), chat) for _ in range(5)]
    replies = await asyncio.gather(
        *(crowds[n % 5].says(f"guest{n}", "/join", update=f"room:join{n}") for n in range(50))
    )
    said = [text(reply) for reply in replies]
    assert sum("in. Have fun" in line for line in said) == 3
    assert not any("wrong" in line or "memory" in line for line in said)
    assert len((await table_here(store)).seats) == 4


async def test_two_people_opening_a_table_at_once_get_one(crowd: Crowd, chat: RecordingChat) -> None:
    await asyncio.gather(crowd.says("anna", "/newgame kabooom"), crowd.says("ben", "/newgame kabooom"))
    assert len(chat.messages) == 1


async def test_only_the_actor_is_called_and_only_once_a_turn(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    assert chat.pings == [PersonId("room:anna")]
    await crowd.says("anna", "/move b1-c1")
    assert chat.pings == [PersonId("room:anna"), PersonId("room:ben")]
    await crowd.says("ben", "/move a1-a1")
    await crowd.says("ben", "/view")
    assert len(chat.pings) == 2


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "/",
        "   ",
        "🎲🎲🎲",
        "/move " + "x" * 10_000,
        "/move مرحبا بالعالم",
        "/move <b>@everyone</b> **a1**",
        "/newgame ../../etc",
        "/newgame 🎲",
        "/newgame kabooom nonsense",
        "/rules nothing",
        "/move {0}{who}%s",
        "\x00\x01",
    ],
)
async def test_nonsense_gets_a_kind_answer_and_changes_nothing(
    crowd: Crowd, store: Store, nonsense: str, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd)
    before = await table_here(store)
    reply = await crowd.says("anna", nonsense)
    assert reply is not None
    assert 0 < len(reply.text) <= 2000
    assert await table_here(store) == before
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("game", GAMES)
async def test_a_text_too_long_for_any_turn_is_refused_in_every_game(crowd: Crowd, store: Store, game: str) -> None:
    await crowd.says("anna", f"/newgame {game} house")
    await crowd.says("anna", "/start")
    before = await table_here(store)
    reply = await crowd.says("anna", "/move " + "x" * 10_000)
    assert re.search(r"For example: /move \w+", text(reply))
    assert await table_here(store) == before


@pytest.mark.parametrize("given", [{"clock": "8h"}, {"options": "house"}, {"game": " ", "clock": "8h"}, {}])
async def test_a_request_without_a_game_asks_which_one(crowd: Crowd, given: dict[str, str]) -> None:
    """Where arguments come by name, each of them can be left out."""
    said = Update(UpdateId("room:x"), crowd.person("anna"), ROOM, SlashCommand("newgame", given))
    assert text(await crowd.service.handle(said)).startswith(say("newgame", "en"))


@pytest.mark.parametrize("payload", ["", "play:", "play:nosuchtable:1.2", "menu:nosuchtable", "new:nothing", "x" * 64])
async def test_a_button_that_never_was_is_answered_kindly(crowd: Crowd, payload: str) -> None:
    reply = await crowd.sends("anna", Press(payload))
    assert reply is not None
    assert reply.text


async def test_names_of_people_are_shown_as_they_are_and_break_nothing(crowd: Crowd, chat: RecordingChat) -> None:
    for number, name in enumerate(["", "a{who}b", "مرحبا", "x" * 5000, "two\nlines", "🎲" * 50]):
        place = Place(PlaceId(f"room:{number}"))
        for who in (Person(PersonId("room:odd"), name), crowd.person("ben")):
            body = Typed("/newgame kabooom easy" if who.name == name else "/join")
            await crowd.service.handle(Update(UpdateId(f"room:{number}{who.id}"), who, place, body))
        await crowd.service.handle(
            Update(UpdateId(f"room:{number}s"), Person(PersonId("room:odd"), name), place, Typed("/start"))
        )
        await crowd.service.idle()
        assert len(chat.newest().text) < 600
        assert chat.newest().picture is not None


async def test_the_wrong_person_hears_whose_turn_it_is(crowd: Crowd) -> None:
    await begun(crowd)
    assert "Anna's turn" in text(await crowd.says("ben", "/move b1-c1"))
    assert "Anna's turn" in text(await crowd.says("ben", "[Move]"))
    assert "have a seat" in text(await crowd.says("clara", "/move b1-c1"))


async def test_the_line_about_the_turn_vanishes_or_goes_with_it(crowd: Crowd) -> None:
    await begun(crowd)
    tapped, typed = await crowd.says("ben", "[Move]"), await crowd.says("ben", "/move b1-c1")
    assert tapped is not None
    assert typed is not None
    assert (tapped.role, typed.role) == (Role.TOAST, Role.NOTE), "no nod for what was not done"
    assert tapped.must_go == typed.must_go != ""
    await crowd.says("anna", "/move b1-c1")
    again = await crowd.says("anna", "[Move]")
    assert again is not None
    assert again.must_go != tapped.must_go


async def test_options_and_a_missing_seat_are_shown_until_the_game_begins(crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.says("anna", "/newgame kabooom")
    options, no_seat = await crowd.says("anna", "[Options]"), await crowd.says("ben", "[Leave]")
    assert "don't have a seat" in text(no_seat)
    for number, reply in enumerate((options, no_seat)):
        assert reply is not None
        assert reply.expires is not None
        message = MessageId(f"lobby/{number}")
        chat.own[message] = reply
        await crowd.service.delete_later(reply.expires.time, ROOM.id, message)
    await crowd.says("ben", "/join")
    assert {*chat.own} >= {"lobby/0", "lobby/1"}
    await crowd.says("anna", "/start")
    assert not {*chat.own} & {"lobby/0", "lobby/1"}


async def test_a_refusal_is_private_and_names_an_alternative(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    posted = len(chat.messages)
    reply = await crowd.says("anna", "/move a1-b1")
    assert "Your move can start with" in text(reply)
    assert len(chat.messages) == posted


async def test_who_wants_another_game_can_end_theirs_right_there(crowd: Crowd) -> None:
    await begun(crowd)
    reply = await crowd.says("anna", "/newgame colorio")
    assert reply is not None
    assert [button.label for button in buttons(reply)] == ["Show the board", "Ask to end the game"]
    assert "asked" in text(await crowd.says("anna", "[Ask to end the game]"))
    outsider = await crowd.says("emil", "/newgame colorio")
    assert outsider is not None
    assert [button.label for button in buttons(outsider)] == ["Brett zeigen"]


async def test_a_lone_player_is_asked_before_their_game_makes_room(crowd: Crowd) -> None:
    await crowd.says("anna", "/newgame kabooom bot")
    await crowd.says("anna", "[Start]")
    await crowd.says("anna", "/newgame colorio")
    assert "Really end the game" in text(await crowd.says("anna", "[End the game]"))


async def test_a_pass_that_ends_the_game_is_asked_about(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    await crowd.says("anna", "/move pass")
    reply = await crowd.says("ben", "/move pass")
    assert reply is not None
    assert reply.rows
    assert (await table_here(store)).result is None
    table = await table_here(store)
    label = reply.rows[0][0].label if isinstance(reply.rows[0], tuple) else ""
    await crowd.says("ben", f"[{label}]")
    loaded = await store.load(table.id)
    assert loaded is not None
    assert loaded.table.result is not None
    assert await store.at(ROOM.id) is None


async def test_a_whole_game_by_taps_alone(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    await begun(crowd, "ben", "clara")
    table = await table_here(store)
    while (called := chat.newest().call) is not None:
        name = called.person.id.removeprefix("room:")
        reply = await crowd.says(name, "[Move]")
        while reply is not None and reply.role.is_menu:
            first = next(button for button in buttons(reply) if button.style is not Style.BLANK)
            reply = await crowd.sends(name, Press(first.payload))
    loaded = await store.load(table.id)
    assert loaded is not None
    assert loaded.table.result is not None
    assert "Rematch" in str(chat.newest().rows)


async def test_a_board_saved_but_not_posted_is_posted_after_the_restart_once(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    posted = len(chat.messages)
    chat.trouble = [TryLater(3600)]
    handled = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await clock.slept()
    await crowd.service.stop()  # it dies while the platform makes it wait
    await asyncio.wait_for(handled, 60)
    assert len(chat.messages) == posted
    for _ in range(2):
        crowd = crowd.again(bots())
        await crowd.service.repost(everything=True)
        await crowd.service.idle()
    assert len(chat.messages) == posted + 1
    assert chat.newest().call is not None


async def test_another_worker_posts_only_when_the_lease_has_run_out(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd)
    chat.trouble = [TryLater(3600)]
    handled = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await clock.slept()
    await crowd.service.stop()
    await asyncio.wait_for(handled, 60)
    assert len(await store.claim_unposted(to_ms(clock.now()), LEASE_MS, 10)) == 1  # by a worker that dies now
    other = bots()
    assert await other.repost() == 0
    await clock.advance(timedelta(minutes=3))
    assert await other.repost() == 1
    assert await bots().repost() == 0
    await other.idle()


async def test_a_stopped_bots_unposted_boards_are_posted_at_once_by_another(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    posted = chat.posted
    chat.trouble = [TryLater(3600)]
    handled = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await clock.slept()
    other = bots()
    assert await other.repost() == 0
    await crowd.service.stop()
    await asyncio.wait_for(handled, 60)
    assert await other.repost() == 1
    await other.idle()
    assert chat.posted == posted + 1


async def test_a_board_that_is_on_its_way_when_the_bot_ends_is_known_to_the_next_one(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, store: Store
) -> None:
    """A move on the old board, before the next bot starts, would leave a second playable board."""
    await begun(crowd)
    posted, arrived, goes_on = chat.post, asyncio.Event(), asyncio.Event()

    async def slow(place: PlaceId, post: Post, nonce: str) -> MessageId:
        message = await posted(place, post, nonce)
        arrived.set()
        await goes_on.wait()
        return message

    chat.post = slow  # type: ignore[method-assign]
    handled = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await arrived.wait()
    stopping = asyncio.create_task(crowd.service.stop())
    await asyncio.sleep(0.05)
    goes_on.set()
    await asyncio.gather(stopping, handled)
    known = await store.load((await table_here(store)).id)
    assert known is not None
    assert known.board_message is not None
    assert known.board_message.message == list(chat.messages)[-1]
    crowd = crowd.again(bots())
    await crowd.says("ben", "/move pass")
    await crowd.service.idle()
    assert sum(bool(message.rows) for message in chat.messages.values()) == 1


@pytest.mark.parametrize("arrives", [True, False])
async def test_a_board_whose_bot_died_over_it_is_nobodys_no_longer_than_to_the_next_one(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, *, arrives: bool
) -> None:
    """It may stand there, or not; the next board tells its news anyway."""
    await begun(crowd)
    posted, begins = chat.post, asyncio.Event()

    async def lost(place: PlaceId, post: Post, nonce: str) -> MessageId:
        if arrives:
            await posted(place, post, nonce)
        begins.set()
        return await asyncio.Future()

    chat.post = lost  # type: ignore[method-assign]
    handled = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await begins.wait()
    await crowd.service.stop()
    await handled
    chat.post = posted  # type: ignore[method-assign]
    crowd = crowd.again(bots())
    await crowd.says("ben", "/move pass")
    await crowd.service.idle()
    boards = [message for message in chat.messages.values() if message.rows]
    assert len(boards) == 1
    assert "Anna" in boards[0].text
    assert list(chat.messages.values())[-1] is boards[0]


async def test_saves_during_shutdown_are_posted_at_once_by_another_bot(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat
) -> None:
    await begun(crowd)
    posted = chat.posted
    await crowd.service.stop()
    await crowd.says("anna", "/move b1-c1")
    assert chat.posted == posted
    other = bots()
    assert await other.repost() == 1
    await other.idle()
    assert chat.posted == posted + 1


async def test_a_bot_that_stops_while_claiming_boards_releases_them(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(crowd)
    await crowd.service.stop()
    await crowd.says("anna", "/move b1-c1")
    other = bots()
    with monkeypatch.context() as slow:
        slow.setattr(other.repository, "find", lambda table: asyncio.Event().wait())
        looking = asyncio.create_task(other.repost())
        await asyncio.wait((looking,), timeout=0.2)
        looking.cancel()
        await asyncio.wait((looking,))
    assert await other.repost() == 1
    await other.idle()


async def test_a_platforms_refusal_is_one_log_line(
    crowd: Crowd, chat: RecordingChat, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd)
    chat.trouble = [Refused("no permission to post")]
    caplog.clear()
    await crowd.says("anna", "/move b1-c1")
    lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(lines) == 1
    assert "no permission to post" in lines[0]
    await crowd.says("ben", "/move pass")
    assert chat.newest().call is not None  # the next board is tried anew


async def test_trouble_in_one_place_delays_that_place_alone(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    chat.trouble = [TryLater(30)]
    waiting = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await clock.slept()
    before = len(chat.messages)
    elsewhere = Place(PlaceId("room:cellar"))
    update = Update(UpdateId("room:e"), crowd.person("clara"), elsewhere, Typed("/newgame kabooom"))
    await crowd.service.handle(update)
    async with asyncio.timeout(60):
        while len(chat.messages) == before:
            await asyncio.sleep(0.01)
    await clock.advance(timedelta(seconds=31))
    await asyncio.wait_for(waiting, 60)
    assert len(chat.messages) == before + 2


async def test_events_beside_a_hidden_turn_appear_in_a_delayed_post(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    for name, line in (("anna", "/newgame crystalla"), ("ben", "/join"), ("clara", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    call = chat.newest().call
    assert call is not None
    up = call.person.name.lower()
    other = next(name for name in ("ben", "clara") if name != up)
    table = await table_here(store)
    chat.trouble = [TryLater(5)]
    resigns = asyncio.create_task(crowd.sends(other, Press(stamped("resign", table))))
    await clock.slept()
    steps = asyncio.create_task(crowd.says(up, "/move keep"))
    async with asyncio.timeout(60):
        while (await store.log(table.id))[-1].action != "keep":
            await asyncio.sleep(0.01)
    await clock.advance(timedelta(seconds=6))
    await asyncio.gather(resigns, steps)
    assert f"{other.capitalize()} resigns" in chat.newest().text


async def test_a_board_whose_message_is_gone_is_posted_anew(crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.says("anna", "/newgame kabooom")
    chat.trouble = [Gone()]
    await crowd.says("ben", "/join")
    assert len(chat.messages) == 2


async def test_a_table_goes_along_when_its_place_gets_another_id(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    await begun(crowd)
    cellar = Place(PlaceId("room:cellar"))
    chat.trouble = [Moved(cellar.id)]
    await crowd.says("anna", "/move b1-c1")
    assert await store.at(ROOM.id) is None
    assert (await table_here(store, cellar)).place == cellar.id
    reply = await crowd.says("ben", "/move pass", place=cellar)
    assert "You passed" in text(reply)


async def test_a_table_moves_once_despite_concurrent_changes(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    await begun(crowd)
    table = (await table_here(store)).id
    move = crowd.service.repository.move
    for number in range(1, 7):
        cellar = Place(PlaceId(f"room:cellar{number}"))
        pings = Press(payload.write("set", "me", OF_PERSON.index(PINGS), number % 2))
        setting = Update(UpdateId(f"room:set{number}"), crowd.person("anna"), ROOM, pings)
        await asyncio.gather(move(table, cellar.id), crowd.service.handle(setting))
        await crowd.service.idle()
        after = await table_here(store, cellar)
        assert (after.place, after.relocations) == (cellar.id, number)
        assert after.seats[0].settings == {"pings": PINGS.choices[number % 2]}
        assert chat.places[max(chat.messages, key=int)] == cellar.id
        posted = chat.posted
        await move(table, cellar.id)  # as in a repeated delivery
        await crowd.service.idle()
        assert chat.posted == posted
        assert (await table_here(store, cellar)).relocations == number


async def test_the_former_board_loses_its_buttons(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    await crowd.says("anna", "/move b1-c1")
    assert [bool(reply.rows) for reply in chat.messages.values()] == [False, False, True]


async def test_an_untouched_lobby_ends_after_a_day(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    await clock.advance(timedelta(hours=23))
    await crowd.service.do_due()
    assert (await table_here(store)).phase == tables.Phase.LOBBY
    await crowd.says("ben", "/join")
    await clock.advance(timedelta(hours=2))
    await crowd.service.do_due()
    assert (await table_here(store)).phase == tables.Phase.LOBBY
    await clock.advance(timedelta(hours=23))
    await crowd.service.do_due()
    await crowd.service.idle()
    assert await store.at(ROOM.id) is None
    assert "closed" in chat.newest().text


@pytest.mark.parametrize("refuses", [True, False])
async def test_of_a_lobby_that_closed_no_free_seats_are_left(
    crowd: Crowd, chat: RecordingChat, *, refuses: bool
) -> None:
    """The message is deleted; if that fails, it says that it is closed."""
    chat.refuses = {"delete": Refused()} if refuses else {}
    for name, said in (("anna", "/newgame kabooom"), ("ben", "/join"), ("ben", "/leave"), ("anna", "/leave")):
        await crowd.says(name, said)
    assert len(chat.messages) == 1 + refuses
    assert all("This table is closed" in post.text for post in chat.messages.values())
    assert [bool(post.rows) for post in chat.messages.values()] == [False] * refuses + [True]


async def test_a_client_that_knows_the_argument_by_its_former_name_plays_and_completes(crowd: Crowd) -> None:
    await begun(crowd)
    typed = Update(UpdateId("room:older"), crowd.person("anna"), ROOM, SlashCommand("move", {"notation": "b1-c"}))
    assert "b1-c1" in [suggestion.value for suggestion in await crowd.service.complete(typed, "notation")]
    played = Update(UpdateId("room:played"), crowd.person("anna"), ROOM, SlashCommand("move", {"notation": "b1-c1"}))
    reply = await crowd.service.handle(played)
    assert reply is not None
    assert reply.text == "Played: b1 → c1"


async def test_completions_are_legal_continuations_for_the_actor_alone(crowd: Crowd) -> None:
    await begun(crowd)

    async def complete(name: str, typed: str) -> list[str]:
        body = SlashCommand("move", {"move": typed})
        update = Update(UpdateId("room:complete"), crowd.person(name), ROOM, body)
        return [suggestion.value for suggestion in await crowd.service.complete(update, "move")]

    assert "b1-c1" in await complete("anna", "B1")
    assert await complete("anna", "zz") == []
    assert await complete("ben", "") == []
    assert len(await complete("anna", "")) == 25


async def test_a_whole_game_is_played_by_first_completions(crowd: Crowd, store: Store) -> None:
    for name, line in (("anna", "/newgame kabooom"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    table = await table_here(store)
    while table.phase == tables.Phase.RUNNING:
        state = position(table)
        assert state.actor is not None
        name = table.seats[state.actor].person.removeprefix("room:")
        body = SlashCommand("move", {"move": ""})
        update = Update(UpdateId("room:complete"), crowd.person(name), ROOM, body)
        first, *_ = await crowd.service.complete(update, "move")
        reply = await crowd.says(name, f"/move {first.value}")
        for button in [] if reply is None else buttons(reply):
            if button.payload is not None and button.payload.startswith("sure:"):
                await crowd.sends(name, Press(button.payload))
        now = await store.load(table.id)
        assert now is not None
        assert now.table.turn == table.turn + 1, first.value
        table = now.table
    assert table.result is not None


async def test_options_of_a_new_game_are_completed_for_the_game_that_is_chosen(crowd: Crowd) -> None:
    async def complete(**typed: str) -> list[str]:
        update = Update(UpdateId("room:complete"), crowd.person("anna"), ROOM, SlashCommand("newgame", typed))
        return [suggestion.value for suggestion in await crowd.service.complete(update, "options")]

    assert await complete(game="kabooom", options="har") == ["hard", "house hard"]
    assert await complete(game="crystalla", options="har") == ["house hard"]
    assert await complete(options="har") == []
    await crowd.sends("anna", Typed("/newgame kabooom level:hard"))
    assert (await table_here(crowd.service.repository.store)).options == {"level": "hard"}


async def test_in_a_private_chat_a_move_goes_to_the_one_table_that_waits(crowd: Crowd) -> None:
    await begun(crowd)
    private = Place(PlaceId("room:@anna"), private=True)
    assert "Played" in text(await crowd.says("anna", "/move b1-c1", place=private))
    assert "no game" in text(await crowd.says("anna", "/move b1-c1", place=private))


async def test_in_a_private_chat_a_move_that_could_be_for_several_tables_is_asked_back(crowd: Crowd) -> None:
    for room in ("room:hall", "room:cellar"):
        place = Place(PlaceId(room))
        for name, line in (("anna", "/newgame kabooom easy"), ("ben", "/join"), ("anna", "/start")):
            await crowd.says(name, line, place=place)
    private = Place(PlaceId("room:@anna"), private=True)
    for line in ("/move b1-c1", "/view"):
        assert "/games takes you to each" in text(await crowd.says("anna", line, place=private))
    assert "no game" in text(await crowd.says("ben", "/move pass", place=replace(private, id=PlaceId("room:@ben"))))


async def test_a_manager_of_the_place_can_end_the_game(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    assert "have a seat" in text(await crowd.sends("clara", Typed("/end")))
    await crowd.ends("clara")
    assert await store.at(ROOM.id) is None


async def test_a_flooding_person_is_slowed_down_and_others_are_not(crowd: Crowd, clock: HandClock) -> None:
    replies = [await crowd.says("anna", "/help") for _ in range(60)]
    assert "Take a breath" in text(replies[-1])
    assert "Take a breath" not in text(await crowd.says("ben", "/help"))
    await clock.advance(timedelta(seconds=30))
    assert "Take a breath" not in text(await crowd.says("anna", "/help"))


async def test_managing_another_place_does_not_end_a_game(crowd: Crowd, store: Store) -> None:
    """In a private chat every person is a manager; that must not apply to the channel."""
    await begun(crowd)
    private = Place(PlaceId("room:@anna"), private=True)
    reply = await crowd.sends("anna", Typed("/end"), place=private, may_manage=True)
    assert "I've asked" in text(reply)
    stranger = Place(PlaceId("room:@clara"), private=True)
    table = await table_here(store)
    forged = Press(stamped("end", table))
    assert "Only the people playing" in text(await crowd.sends("clara", forged, place=stranger, may_manage=True))
    assert (await table_here(store)).phase == tables.Phase.RUNNING


async def test_a_manager_ends_the_game_by_a_private_button_if_known(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    private = Place(PlaceId("room:@ada"), private=True)
    await crowd.says("ada", "/newgame kabooom easy")
    await crowd.says("anna", "/join")
    await crowd.says("ada", "/start")

    async def ends() -> Reply | None:
        return await crowd.sends("ada", Press(stamped("end", await table_here(store))), place=private)

    assert "for everyone?" in text(await ends())
    chat.refuses["manages"] = Refused()
    assert "I've asked" in text(await ends())


async def test_an_outsider_cannot_close_a_lobby(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom")
    assert "Only the host or a moderator" in text(await crowd.says("clara", "/end"))
    assert (await table_here(store)).phase == tables.Phase.LOBBY


async def test_a_lobby_that_expired_leaves_its_place_free(crowd: Crowd, store: Store, raw: Redis) -> None:
    await crowd.says("anna", "/newgame kabooom")
    table = await table_here(store)
    for key in raw.scan_iter(f"*{table.id}*"):
        raw.delete(key)
    await crowd.again(crowd.service).service.idle()
    assert "open" in text(await crowd.says("ben", "/newgame kabooom"))
    assert (await table_here(store)).host == PersonId("room:ben")


async def test_a_lost_race_for_a_place_leaves_no_ghost_table(
    bots: Callable[[], Service], chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    crowds = [Crowd(bots(), chat) for _ in range(2)]
    await asyncio.gather(
        crowds[0].says("anna", "/newgame kabooom", update="room:a"),
        crowds[1].says("ben", "/newgame kabooom", update="room:b"),
    )
    await clock.advance(timedelta(minutes=5))
    for crowd in crowds:
        await crowd.service.repost()
        await crowd.service.idle()
    assert chat.posted == 1


@pytest.mark.parametrize("phase", [tables.Phase.LOBBY, tables.Phase.OVER])
async def test_an_unshown_lobby_ends_despite_a_concurrent_change(
    crowd: Crowd, store: Store, clock: HandClock, phase: tables.Phase
) -> None:
    """The opener may change a setting at the same moment, or be forgotten."""
    await crowd.says("anna", "/newgame kabooom")
    repository, lobbies = crowd.service.repository, crowd.service._reposting._lobbies
    seen = await repository.load((await table_here(store)).id)

    async def apply(now: Snapshot) -> tuple[Step, None]:
        return Step(replace(now.table, pings=False, phase=phase)), None

    await repository.change(seen, apply)
    await lobbies.close_unseen(seen)
    after = await repository.load(seen.table.id)
    assert after.table.phase == tables.Phase.OVER
    assert await store.claim_unposted(repository.now_ms() + LEASE_MS, LEASE_MS, 9) == ()


async def test_a_menu_that_is_put_away_leaves_a_closed_lobby_the_buttons_that_it_has(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    await crowd.says("anna", "[Start]")
    wait = crowd.payload("anna", say("button.wait_others", "en"))
    await crowd.says("anna", "/leave")
    reply = await crowd.sends("anna", wait)
    assert reply is not None
    assert reply.rows == chat.newest().rows


async def test_an_answer_counts_for_the_question_that_was_asked(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("anna", "/undo")
    old = crowd.payload("ben", "I agree")
    assert "already" not in text(await crowd.says("ben", "[No]"))
    await crowd.says("anna", "/end")
    assert "no longer available" in text(await crowd.sends("ben", old))
    assert (await table_here(store)).phase == tables.Phase.RUNNING
    assert "Another question is still open" in text(await crowd.says("anna", "/undo"))


async def test_a_tapped_pass_that_ends_the_game_is_asked_about_too(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    await crowd.says("anna", "/move pass")
    await crowd.says("ben", "[Move]")
    reply = await crowd.says("ben", "[Pass…]")
    assert reply is not None
    assert any(button.style == Style.DANGER for button in buttons(reply))
    assert (await table_here(store)).result is None


@pytest.mark.parametrize(
    ("who", "answer"), [("anna", "Time per turn ▸ No clock"), ("dora", "Bedenkzeit pro Zug ▸ Ohne Uhr")]
)
async def test_a_game_without_a_clock_can_be_typed_despite_an_option_name(
    crowd: Crowd, chat: RecordingChat, who: str, answer: str
) -> None:
    await crowd.says(who, "/newgame kalejdoschach none")
    assert answer in chat.newest().text


async def test_a_rematch_keeps_the_clock_and_any_joined_player_starts_it(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom easy none")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    await crowd.says("ben", "/rematch")
    assert (await table_here(store)).clock == "none"
    await crowd.says("anna", "/join")
    await crowd.says("anna", "/start")
    assert (await table_here(store)).phase == tables.Phase.RUNNING


async def test_a_rematch_awaits_its_opener_who_alone_chooses_the_options(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    await begun(crowd, "ben", "clara")
    await crowd.says("ben", "/end")
    await crowd.says("anna", "[I agree]")
    await crowd.says("ben", "/rematch")
    assert "Anna opened the last game" in chat.newest().text
    menu = await crowd.says("ben", "[Options]")
    assert "Anna opened the last game" in text(menu)
    assert "Variant" not in str(menu)
    await crowd.says("anna", "/rematch")
    assert "opened the last game" not in chat.newest().text
    assert "★ Anna" in chat.newest().text
    assert "Variant" in str(await crowd.says("anna", "[Options]"))
    await crowd.says("ben", "[Start]")
    assert (await table_here(store)).seats[0].person == "room:anna"


async def test_a_guest_reads_the_values_of_all_options(crowd: Crowd) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    for name in ("ben", "clara"):
        said = text(await crowd.says(name, "[Options]"))
        for value in ("Variant ▸ Easy: random set-up", "Dynamite ▸ Adds no points", "Time per turn ▸ 1 day"):
            assert value in said.splitlines()


async def test_the_lobby_of_colorio_says_that_its_host_begins_and_whose_rule_that_is(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await crowd.says("anna", "/newgame colorio")
    assert "The host goes first. That's our version" in chat.newest().text


async def test_asking_for_the_same_rematch_joins_it(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "ben", "clara", "david")
    await crowd.says("anna", "/end")
    await crowd.says("ben", "[I agree]")
    await crowd.says("clara", "[I agree]")
    again = crowd.payload("ben", "Rematch")
    await crowd.sends("anna", again)
    assert "You're in" in text(await crowd.sends("ben", again))
    assert "You're in" in text(await crowd.says("clara", "/rematch"))
    table = await table_here(store)
    assert [seat.person for seat in table.seats] == ["room:anna", "room:ben", "room:clara"]
    assert [seat.person for seat in table.invited] == ["room:david"]
    assert "already at" in text(await crowd.sends("ben", again)), "nobody sits twice"


async def test_an_invitation_to_another_game_is_not_accepted_by_asking_for_a_rematch(
    crowd: Crowd, store: Store
) -> None:
    await begun(crowd, "ben")
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    former = crowd.payload("ben", "Rematch")
    await crowd.says("anna", "/newgame colorio")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    await crowd.says("anna", "/rematch")
    assert "already open" in text(await crowd.sends("ben", former))
    assert [seat.person for seat in (await table_here(store)).seats] == ["room:anna"]


async def test_a_late_yes_to_ending_reads_why_the_game_goes_on(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    await begun(crowd, "ben")
    await crowd.says("ben", "/end")
    assert "Really end the game" in text(await crowd.says("anna", "/end"))
    await crowd.says("ben", "[No]")
    said = await crowd.says("anna", "[Yes, end it]")
    assert "Something has happened in the game since you were asked, so it goes on." in text(said)
    assert (await table_here(store)).phase == tables.Phase.RUNNING


async def test_alone_with_the_house_no_end_for_all_is_offered(crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.says("anna", "/newgame kabooom easy house")
    await crowd.says("anna", "/start")
    more = await crowd.says("anna", "[More]")
    assert more is not None
    assert "End the game" in [button.label for button in buttons(more)]
    assert "Really end the game? Then nobody wins." in text(await crowd.says("anna", "[End the game]"))
    await crowd.says("anna", "[Yes, end it]")
    assert "Anna ended the game." in chat.newest().text


async def test_the_question_how_well_the_house_is_to_play_can_be_closed_in_a_private_chat(crowd: Crowd) -> None:
    await crowd.says("anna", "/newgame kabooom", place=Place(PlaceId("room:@anna"), private=True))
    asks = await crowd.says("anna", "/start", place=Place(PlaceId("room:@anna"), private=True))
    assert asks is not None
    assert [button.label for button in buttons(asks)][-1] == say("button.close", "en")


async def test_the_last_board_can_be_looked_at_when_the_game_is_over(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    reply = await crowd.says("anna", "/view")
    assert reply is not None
    assert reply.picture is not None


async def test_a_board_can_be_shown_again_and_again(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    for name in ("anna", "ben", "clara"):
        before = set(chat.messages)
        await crowd.says(name, "/board")
        assert len(chat.messages.keys() - before) == 1
        assert chat.newest().rows
        assert sum(bool(message.rows) for message in chat.messages.values()) == 1


async def test_completions_go_on_after_a_blank(crowd: Crowd) -> None:
    await crowd.says("anna", "/newgame colorio")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/move b3")

    async def complete(typed: str) -> list[str]:
        update = Update(UpdateId("room:complete"), crowd.person("anna"), ROOM, SlashCommand("move", {"move": typed}))
        return [suggestion.value for suggestion in await crowd.service.complete(update, "move")]

    assert await complete("x") == ["x"]
    assert "x a1" in await complete("X ")
    assert await complete("x a1 ") == [], "nobody knows yet what is there"


async def test_opening_a_private_chat_with_a_lobby_starts_it(crowd: Crowd, store: Store) -> None:
    """Telegram calls both /start."""
    alone = Place(PlaceId("room:@anna"), private=True)
    welcome = await crowd.sends("anna", Opened(), place=alone)
    assert welcome is not None
    assert say("welcome.title", "en") in drawn(welcome)
    await crowd.sends("anna", Typed("/newgame kabooom house"), place=alone)
    await crowd.sends("anna", Opened(), place=alone)
    assert (await table_here(store, alone)).phase == tables.Phase.RUNNING


async def test_a_rate_limited_command_is_answered_in_lasting_words(crowd: Crowd) -> None:
    replies = [await crowd.sends("anna", Typed("/help")) for _ in range(60)]
    assert replies[-1] is not None
    assert replies[-1].role is Role.NOTE
    assert text(replies[-1]) == say("trouble.fast", "en")


async def test_a_clock_set_back_an_hour_blocks_no_person(crowd: Crowd, clock: HandClock) -> None:
    for _ in range(30):
        await crowd.sends("anna", Typed("/help"))
    clock.set(clock.now() - timedelta(hours=1))
    await clock.advance(timedelta(minutes=1))
    replies = [await crowd.sends("anna", Typed("/help")) for _ in range(30)]
    assert all(text(reply) != say("trouble.fast", "en") for reply in replies)


async def test_a_running_table_never_expires_and_one_that_is_over_does(crowd: Crowd, store: Store, raw: Redis) -> None:
    await crowd.says("anna", "/newgame kabooom")
    table = await table_here(store)
    result = keys.of_table(table.id, keys.shard(table.id))
    assert raw.ttl(result[0]) > 0  # a lobby does
    await crowd.says("anna", "/leave")
    await begun(crowd)
    await crowd.says("anna", "/move b1-c1")
    table = await table_here(store)
    result = keys.of_table(table.id, keys.shard(table.id))
    assert [raw.ttl(key) for key in result[:2]] == [-1, -1]
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    assert all(raw.ttl(key) > 0 for key in result[:2])


async def test_old_buttons_that_could_not_be_taken_away_are_tried_again(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    old = max(chat.messages, key=int)
    chat.refuses["strip"] = TryLater()
    moves = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await clock.slept()
    assert buttons(chat.messages[old])
    chat.refuses.clear()
    await clock.advance(timedelta(seconds=3))
    await moves
    assert not buttons(chat.messages[old])


async def test_a_board_is_not_late_after_two_crashes_in_a_row(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    """A player alone takes at once the decisions for which others would wait, but for no longer than they would."""
    await begun(crowd)
    chat.trouble = [TryLater()] * 99
    dies = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    await clock.slept()
    await crowd.service.stop()
    await cancelled(dies)
    chat.trouble = []
    for _ in range(2):  # they take it, and die before they can post it
        assert await store.claim_unposted(to_ms(clock.now()), LEASE_MS, 9, LEASE_MS)
        await clock.advance(timedelta(seconds=3))
    posted = chat.posted
    await clock.advance(timedelta(milliseconds=LEASE_MS))
    shared = bots()
    await shared.repost()
    await shared.idle()
    assert chat.posted == posted + 1


async def test_old_buttons_are_removed_later_by_any_process(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    old = max(chat.messages, key=int)
    chat.refuses["strip"] = TryLater()
    moves = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    for _ in range(BOARDS.tries - 1):
        await clock.slept()
        await clock.advance(timedelta(minutes=2))
    await moves
    assert buttons(chat.messages[old])
    await crowd.service.stop()
    chat.refuses.clear()
    await clock.advance(timedelta(minutes=10))
    other = bots()
    await other.repost()
    await other.idle()
    assert not buttons(chat.messages[old])
    assert await other.repost() == 0, "nothing is left to do"


async def test_while_there_is_no_room_for_tidying_up_new_boards_are_posted(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    chat.refuses["strip"] = Limited(3600)
    for name, line in (("anna", "/move b1-c1"), ("ben", "/move pass")):
        before = chat.posted
        moves = asyncio.create_task(crowd.says(name, line))
        async with asyncio.timeout(60):
            while chat.posted == before:  # the platform reports no posts
                await asyncio.sleep(0.005)
        await clock.slept()
        await cancelled(moves)
    chat.refuses.clear()
    await clock.advance(timedelta(hours=2))
    await crowd.service.idle()
    assert sum(bool(buttons(message)) for message in chat.messages.values()) == 1


async def test_a_board_that_is_shown_again_and_played_on_leaves_one_live_board(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    await begun(crowd)
    for line in ("/move b1-c1", "/move pass", "/move pass"):
        name = "anna" if line != "/move pass" else "ben"
        await asyncio.gather(crowd.says("clara", "/board"), crowd.says(name, line))
    await crowd.service.idle()
    assert sum(bool(buttons(message)) for message in chat.messages.values()) == 1


async def test_two_bots_that_show_the_same_board_leave_one_live_board(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat
) -> None:
    await begun(crowd)
    other = crowd.again(bots())
    for _ in range(4):
        await asyncio.gather(crowd.says("anna", "/board"), other.says("ben", "/board"))
        await asyncio.gather(crowd.service.idle(), other.service.idle())
        assert sum(bool(buttons(message)) for message in chat.messages.values()) == 1


# Who may come from elsewhere

AWAY = Place(PlaceId("room:street"))
KINDS = [declaration.kind for declaration in DECLARATIONS]


def copied(crowd: Crowd, table: Table) -> dict[str, requests.Request]:
    """Yield every button about the current *table*, with all possible payloads, and its request."""
    result = dict[str, requests.Request]()
    for verb in VERBS:
        carried = {marked(verb, table, table.turn_mark, table.turn), payload.write(verb, table.id)}
        for numbers in ((), (0,), (1,), (0, 0)):
            carried |= {payload.write(verb, table.id, 0, *numbers), stamped(verb, table, *numbers)}
        if table.ask is not None:
            carried.add(marked(verb, table, table.ask.mark, table.ask.revision))
        for content in sorted(carried):
            request = parse(crowd.pressing("zoe", Press(content)))
            if getattr(request, "table", None) == table.id and not isinstance(request, requests.Nothing):
                result[content] = request
    return result


async def at_phase(crowd: Crowd, store: Store, phase: str) -> Table:
    """Return a table in a phase: lobby, running, with an open question, over."""
    if phase == "lobby":
        await crowd.says("anna", "/newgame kabooom")
        return await table_here(store)
    await begun(crowd)
    table = await table_here(store)
    await crowd.says("anna", "/move b1-c1")
    if phase == "asked":
        await crowd.says("anna", "/end")
    if phase == "over":
        await crowd.says("anna", "/resign")
        await crowd.says("anna", "[Yes, I resign]")
    loaded = await store.load(table.id)
    assert loaded is not None
    return loaded.table


PRIVATE = Place(PlaceId("room:@zoe"), private=True)


@pytest.mark.parametrize("place", [AWAY, PRIVATE], ids=["elsewhere", "alone"])
@pytest.mark.parametrize("phase", ["lobby", "on", "asked", "over"])
async def test_a_stranger_with_a_copied_button_reaches_no_table_of_another_place(
    crowd: Crowd, chat: RecordingChat, store: Store, raw: Redis, clock: HandClock, phase: str, place: Place
) -> None:
    """For any request, and even for managers of all places: nothing changes, and nothing about the table is
    revealed."""
    table = await at_phase(crowd, store, phase)
    before, posts = written(raw), dict(chat.messages)
    result = copied(crowd, table)
    about_tables = {kind for kind in KINDS if kind.declaration.gate.scope is not Scope.NONE}
    assert {type(request) for request in result.values()} >= {requests.Rematch, *about_tables} - {requests.Move}
    refused = say("denied.elsewhere", "en")
    for carried in result:
        await clock.advance(timedelta(minutes=1))  # no person presses that fast
        for stranger in ("zoe", "ada"):
            reply = await crowd.sends(stranger, Press(carried), place=place, may_manage=True)
            assert reply is not None, carried
            assert (reply.text, reply.title, reply.picture, reply.file) == (refused, "", None, None), carried
            assert (reply.rows, reply.targets, reply.links) == ((), (), ()), carried
    assert (written(raw), chat.messages) == (before, posts)


@pytest.mark.parametrize("phase", ["lobby", "on", "asked"])
async def test_a_button_left_behind_by_a_table_that_moved_only_leads_to_its_new_place(
    crowd: Crowd, chat: RecordingChat, store: Store, phase: str, clock: HandClock
) -> None:
    cellar = PlaceId("room:cellar")
    await crowd.service.repository.move((await at_phase(crowd, store, phase)).id, cellar)
    await crowd.service.idle()
    table, posts = await table_here(store, Place(cellar)), dict(chat.messages)
    bound = tuple(kind for kind in KINDS if kind.declaration.gate.bound_to_place)
    results = {payload: request for payload, request in copied(crowd, table).items() if isinstance(request, bound)}
    assert {type(request) for request in results.values()} == {*bound} - {requests.Move}
    assert requests.Close not in bound, "a menu can be closed anywhere"
    for carried in results:
        await clock.advance(timedelta(minutes=1))  # no person presses that fast
        for name in ("anna", "ben") if phase != "lobby" else ("anna",):
            reply = await crowd.sends(name, Press(carried))
            assert text(reply) == say("denied.moved_away", "en"), carried
    assert (await table_here(store, Place(cellar)), chat.messages) == (table, posts)


async def test_in_its_new_place_a_table_that_moved_is_played_on(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    cellar = PlaceId("room:cellar")
    await crowd.service.repository.move((await table_here(store)).id, cellar)
    table = await table_here(store, Place(cellar))
    reply = await crowd.sends("anna", Press(stamped("play", table, 0)), place=Place(cellar))
    assert "Played" in text(reply)


async def test_one_table_of_a_newer_version_keeps_no_other_from_being_posted(
    crowd: Crowd, chat: RecordingChat, store: Store, server: str, raw: Redis, clock: HandClock, painter: Pictures
) -> None:
    rooms = [Place(PlaceId(f"room:{number}")) for number in range(3)]
    chat.flooded = {room.id for room in rooms}
    opening = [asyncio.create_task(crowd.says("anna", "/newgame kabooom", place=room)) for room in rooms]
    while not all([await store.at(room.id) for room in rooms]):
        await asyncio.sleep(0.01)
    await clock.slept()
    await crowd.service.stop()
    await asyncio.gather(*opening, return_exceptions=True)
    newer = await table_here(store, rooms[1])
    raw.hset(keys.of_table(newer.id, keys.shard(newer.id))[0], "schema", documents.SCHEMA + 1)
    chat.flooded = set()
    again = await Store.open(server)  # one that remembers nothing
    other = build(again, painter, clock)
    other.add(chat)
    await clock.advance(timedelta(minutes=5))
    await other.repost()
    await other.idle()
    await other.stop()
    await again.close()
    assert {chat.places[message] for message in chat.messages} == {rooms[0].id, rooms[2].id}


async def test_stopping_waits_for_running_work(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await begun(crowd)

    async def never(place: PlaceId, post: Post, nonce: str) -> MessageId:
        await asyncio.Event().wait()
        raise AssertionError

    chat.post = never  # type: ignore[method-assign]
    await clock.advance(timedelta(hours=13))
    doing = asyncio.create_task(crowd.service.do_due())
    while not any(task.get_name().startswith("due ") for task in asyncio.all_tasks()):
        await asyncio.sleep(0.01)
    await crowd.service.stop()
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith(("due ", "post "))]
    await cancelled(doing)


async def test_a_player_reaches_the_table_from_elsewhere(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    table = await table_here(store)
    reply = await crowd.sends("anna", Press(payload.write("view", table.id)), place=AWAY)
    assert reply is not None
    assert reply.picture is not None


async def test_the_id_of_a_table_cannot_be_worked_out_from_the_update_that_opened_it(
    crowd: Crowd, store: Store, raw: Redis
) -> None:
    first = await store.secret("a" * 64)
    assert await store.secret("b" * 64) == first  # every bot of this store has the same
    update = UpdateId("telegram:848301")
    ids = {await Repository(store, HandClock(), 90, Metrics()).new_id(update) for _ in range(3)}
    assert len(ids) == 1
    raw.flushall()
    assert await Repository(store, HandClock(), 90, Metrics()).new_id(update) not in ids


async def test_a_copied_rematch_button_does_nothing_elsewhere(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    await begun(crowd)
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    again = crowd.payload("ben", say("button.again", "en"))
    posted = chat.posted
    reply = await crowd.sends("ben", again, place=AWAY)
    assert say("denied.elsewhere", "en") in text(reply)
    assert chat.posted == posted


async def test_a_tap_for_a_lost_board_does_not_play_on_another_one_with_the_same_revision(
    crowd: Crowd, store: Store, raw: Redis, chat: RecordingChat
) -> None:
    """A server that comes back from a backup has lost its newest saves, and hands out their revisions anew."""
    await begun(crowd)
    behind = {key: cast("bytes", raw.dump(key)) for key in cast("list[bytes]", raw.keys("kb:*"))}
    await crowd.says("anna", "/move b1-c1")
    lost = await table_here(store)
    await crowd.says("ben", "/move")
    tap = next(button.payload for button in buttons(chat.own[chat.reading["ben"]]) if button.payload.startswith("menu"))
    raw.flushall()
    for key, dumped in behind.items():
        raw.restore(key, 0, dumped, replace=True)
    await crowd.says("anna", "/move pass")
    again = await table_here(store)
    assert again.revision == lost.revision
    assert say("moved_on", "en") in text(await crowd.sends("ben", Press(tap)))
    assert (await table_here(store)).revision == again.revision
    assert "Anna passes" in chat.newest().text  # the board that there is is shown, not the lost one


async def after_an_outage(crowd: Crowd, chat: RecordingChat, clock: HandClock, minutes: int) -> int:
    """Let every post fail for so many minutes while time passes; return the number of attempts."""
    chat.trouble = [TryLater() for _ in range(1000)]
    waiting = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    for second in range(minutes * 60):
        await clock.advance(timedelta(seconds=1))
        if second % 5 == 0:
            await crowd.service.repost()
    tries, chat.trouble = 1000 - len(chat.trouble), []
    for _ in range(150):
        await clock.advance(timedelta(seconds=5))
        await crowd.service.repost()
    await asyncio.wait_for(waiting, 60)
    await crowd.service.idle()
    return tries


async def test_a_board_is_posted_and_its_person_called_however_long_the_outage_lasted(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    posted = chat.posted
    tries = await after_an_outage(crowd, chat, clock, 25)
    assert chat.posted == posted + 1
    assert chat.newest().call is not None
    assert 8 < tries < 40  # with growing pauses


async def test_a_board_that_was_refused_is_posted_by_itself_once_the_right_is_back(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    posted = chat.posted
    chat.trouble = [Refused("no permission to post")]
    await crowd.says("anna", "/move b1-c1")
    assert chat.posted == posted
    await clock.advance(timedelta(minutes=1))
    assert await crowd.service.repost() == 1
    await crowd.service.idle()
    assert chat.posted == posted + 1


async def test_while_a_board_is_tried_here_no_other_process_begins_with_it(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    await begun(crowd)
    chat.trouble = [TryLater(100), TryLater(100), TryLater(100)]
    waiting = asyncio.create_task(crowd.says("anna", "/move b1-c1"))
    for _ in range(3):
        await clock.slept()
        await clock.advance(timedelta(seconds=99))
        assert await store.claim_unposted(to_ms(clock.now()), LEASE_MS, 9) == ()
        await clock.advance(timedelta(seconds=1))
    await asyncio.wait_for(waiting, 60)


async def test_without_picture_rights_the_board_is_in_words(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.pictureless = {ROOM.id}
    await crowd.says("anna", "/move b1-c1")
    said = chat.newest()
    assert said.picture is None
    assert said.call is not None
    assert "Last move, Anna: b1-c1." in said.text  # as the picture's description has it
    assert say("board.unpictured", "en") in said.text
    await crowd.says("ben", "/move pass")
    assert chat.newest().picture is None
    assert say("board.unpictured", "en") not in chat.newest().text  # reported once
    chat.pictureless = set()
    await crowd.says("anna", "/board")
    assert chat.newest().picture is not None


async def test_an_event_beside_the_game_is_reported_once(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd, "ben", "clara")
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    assert "Ben resigns" in chat.newest().text
    await crowd.says("anna", "/move pass")
    assert "Anna passes" in chat.newest().text
    assert "Ben resigns" not in chat.newest().text


async def test_an_open_question_goes_from_the_board_without_a_ping(crowd: Crowd, chat: RecordingChat) -> None:
    """The steps of a hidden turn are reported when it is complete; the first step closes an open question."""
    for name, said in (("anna", "/newgame crystalla"), ("ben", "/join"), ("anna", "/start"), ("ben", "/end")):
        await crowd.says(name, said)
    board, posted, calls = chat.newest(), chat.posted, len(chat.pings)
    assert "I agree" in [button.label for button in buttons(board)]
    await crowd.says("anna", "/move keep")
    after = chat.newest()
    assert "I agree" not in [button.label for button in buttons(after)]
    assert (after.picture, after.text) == (board.picture, board.text.rpartition("\n")[0])
    assert (chat.posted, len(chat.pings)) == (posted, calls)
    edited = len([line for line in chat.lines if line.startswith("bot, edit")])
    await crowd.says("anna", "/move 2cnw")
    assert len([line for line in chat.lines if line.startswith("bot, edit")]) == edited
