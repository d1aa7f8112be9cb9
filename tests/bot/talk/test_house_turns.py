"""Turns of the house: the order of saves and posts, and moves that come too late."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from typing import Never

import pytest

from bot.app import build
from bot.chat import Post, Press, Role
from bot.delivery.painting import Pictures
from bot.requests import payload
from bot.runtime.clock import to_ms
from bot.service.house_turns import POST_S, WRITING_S
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import By, Phase, time_of
from tests.bot.conftest import HandClock
from tests.bot.house.playing import AtOnce, Slow
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons, drawn
from tests.bot.talk.test_service import table_here
from tests.bot.talk.turns import next_turn, saved


@pytest.fixture
def thinker() -> Slow:
    return Slow()


@pytest.fixture
async def service(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat, thinker: Slow
) -> AsyncIterator[Service]:
    made = build(store, painter, clock, draw=lambda n: "07" * n, thinker=thinker)
    made.add(chat)
    yield made
    await made.stop()


@pytest.fixture
async def crowd(service: Service, chat: RecordingChat) -> Crowd:
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kabooom house hard")
    await crowd.says("anna", "/start")
    return crowd


class Broken(AtOnce):
    """A house whose processes always die."""

    asked = 0

    async def action(self, *_: object) -> Never:
        self.asked += 1
        raise BrokenProcessPool


async def moves(crowd: Crowd, thinker: Slow, text: str = "/move r@a1") -> None:
    """Let Anna move, so that the house begins to think."""
    await crowd.service.handle(crowd.update("anna", text))
    await thinker.began.wait()


async def test_a_persons_move_is_stored_before_the_house_thinks(crowd: Crowd, thinker: Slow, store: Store) -> None:
    await moves(crowd, thinker)
    table = await table_here(store)
    assert [entry.action for entry in await store.log(table.id)] == ["r@a1"]
    thinker.may_go_on.set()
    await crowd.service.idle()
    assert [(entry.seat, entry.by) for entry in await store.log(table.id)] == [(0, By.PERSON), (1, By.HOUSE)]


async def test_a_turn_of_the_house_is_urgent_and_goes_before_reminders(
    crowd: Crowd, thinker: Slow, store: Store, clock: HandClock
) -> None:
    await moves(crowd, thinker)
    table, much_later = await table_here(store), to_ms(clock.now() + timedelta(minutes=5))
    assert await store.claim_due(much_later, 1000, 10, urgent_only=True) == ((table.id, table.revision),)
    thinker.may_go_on.set()
    await crowd.service.idle()
    assert await store.claim_due(much_later + 2000, 1000, 10, urgent_only=True) == ()


async def test_a_turn_and_the_answer_of_the_house_are_one_post(
    crowd: Crowd, thinker: Slow, chat: RecordingChat
) -> None:
    posted = chat.posted
    await moves(crowd, thinker)
    await asyncio.sleep(0.1)
    assert chat.posted == posted
    thinker.may_go_on.set()
    await crowd.service.idle()
    assert chat.posted == posted + 1
    assert "a1" in chat.newest().text
    assert "House (hard)" in chat.newest().text


async def test_the_own_move_is_the_first_thing_that_changes_and_calls_no_one(
    crowd: Crowd, thinker: Slow, chat: RecordingChat
) -> None:
    before, posted = chat.newest(), chat.posted
    assert before.call is not None
    await moves(crowd, thinker)
    async with asyncio.timeout(POST_S):
        while chat.newest() == before:
            await asyncio.sleep(0.01)
    shown = chat.newest()
    assert (chat.posted, shown.call) == (posted, None), "the same post, and it is nobody's turn"
    assert "Anna puts 🪨 Rock on a1." in shown.text
    assert shown.text.endswith("House (hard) is thinking …")
    assert shown.picture != before.picture
    assert "Move" not in [button.label for button in buttons(shown)]
    thinker.may_go_on.set()
    await crowd.service.idle()
    assert chat.newest().call is not None
    assert "Anna puts 🪨 Rock on a1." in chat.newest().text, "the answer is told with the move"


async def test_the_pressed_menu_becomes_the_board_with_the_own_move(
    crowd: Crowd, thinker: Slow, store: Store, chat: RecordingChat
) -> None:
    await crowd.says("anna", "[Move]")
    await crowd.says("anna", "[🪨 Rock…]")
    begun = len(chat.lines)
    reply = await crowd.service.handle(crowd.pressing("anna", crowd.payload("anna", "a1…")))
    assert reply is not None
    assert reply.board is not None
    assert "on a1" in reply.board.alt
    assert reply.text.splitlines() == ["Played: 🪨 Rock → a1", "House (hard) is thinking …"]
    assert reply.expires is not None
    assert reply.expires.time == time_of(await table_here(store)), "it goes with the house's answer"
    assert not any(line.startswith("bot: ") for line in chat.lines[begun:]), "the house has not answered"
    thinker.may_go_on.set()
    await crowd.service.idle()


async def test_an_answer_of_the_house_never_overtakes_the_own_move(
    crowd: Crowd, thinker: Slow, chat: RecordingChat
) -> None:
    thinker.may_go_on.set()
    since = len(chat.lines)
    await crowd.says("anna", "/move r@a1")
    edit, post, ended = (line for line in chat.lines[since:] if line.startswith(("bot: ", "bot, edit: ")))
    assert edit.startswith("bot, edit: ")
    assert "is thinking …" in edit
    assert post.startswith("bot: ")
    assert ended.startswith("bot, edit: ")
    assert "is thinking …" not in ended


async def test_once_the_game_is_over_no_post_says_that_the_house_thinks(
    crowd: Crowd, thinker: Slow, chat: RecordingChat, store: Store
) -> None:
    thinker.may_go_on.set()
    held = (await table_here(store)).id
    while (await saved(store, held)).phase == Phase.RUNNING:
        who, line = await next_turn(store, ROOM.id)
        reply = await crowd.says(who, line)
        if reply is not None and reply.role is Role.MENU:  # a pass that loses
            await crowd.says(who, "[Yes, …]")
    assert (await store.log(held))[-1].by == By.HOUSE, "else it did not think before the end"
    assert "is thinking …" in "".join(chat.lines)
    last, final = [post for post in chat.messages.values() if post.picture is not None][-2:]
    assert "wins" in final.title
    assert "is thinking …" not in last.text
    assert "Anna" in last.text, "the move that it shows is still told"
    assert not last.rows


async def test_a_waiting_player_sees_that_the_bot_is_typing(crowd: Crowd, thinker: Slow, chat: RecordingChat) -> None:
    now, posted = asyncio.get_running_loop().time, chat.posted
    begun = now()
    await moves(crowd, thinker)
    while not chat.written:
        await asyncio.sleep(0.01)
    assert now() - begun >= WRITING_S
    assert chat.written == [ROOM.id]
    thinker.may_go_on.set()
    await crowd.service.idle()
    assert chat.posted == posted + 1


async def test_a_thought_is_dropped_when_the_table_has_gone_on(crowd: Crowd, thinker: Slow, store: Store) -> None:
    await moves(crowd, thinker)
    await crowd.service.handle(crowd.update("anna", "/undo"))
    thinker.may_go_on.set()
    await crowd.service.idle()
    table = await table_here(store)
    assert [entry.action for entry in await store.log(table.id)] == ["r@a1", ""]
    assert table.phase == Phase.RUNNING


async def test_when_the_bot_dies_while_the_house_thinks_another_one_lets_it_play(
    crowd: Crowd, thinker: Slow, store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat
) -> None:
    await moves(crowd, thinker)
    await crowd.service.stop()
    thinker.may_go_on.set()
    other = build(store, painter, clock, draw=lambda n: "07" * n, thinker=thinker)
    other.add(chat)
    await clock.advance(timedelta(seconds=30))
    await other.do_due()
    await other.idle()
    table = await table_here(store)
    assert [entry.by for entry in await store.log(table.id)] == [By.PERSON, By.HOUSE]
    assert "House (hard)" in chat.newest().text
    await other.stop()


@pytest.mark.parametrize("game", ["crystalla", "kabooom"])
async def test_a_house_that_cannot_think_plays_on_at_once(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat, caplog: pytest.LogCaptureFixture, game: str
) -> None:
    thinker = Broken()
    made = build(store, painter, clock, draw=lambda n: "07" * n, thinker=thinker)
    made.add(chat)
    crowd = Crowd(made, chat)
    await crowd.says("anna", f"/newgame {game} house easy")
    await crowd.says("anna", "/start")
    while not thinker.asked:
        await crowd.says(*await next_turn(store, ROOM.id))
    played = [entry for entry in await store.log((await table_here(store)).id) if entry.by == By.HOUSE]
    assert len(played) > 1 or game == "kabooom"
    assert thinker.asked == len({entry.turn for entry in played}), "one turn asks once, however many actions it has"
    assert (await next_turn(store, ROOM.id))[0] == "anna", "it is her turn again"
    assert "house cannot think" in caplog.text
    await made.stop()


async def test_the_house_plays_as_well_as_was_chosen(crowd: Crowd, thinker: Slow, store: Store) -> None:
    """The word after the house's name is its strength; a game's option of the same name stays usable."""
    table = await table_here(store)
    assert (table.level, table.options) == ("hard", {})
    await moves(crowd, thinker)
    ((game, seen, seat, level, _),) = thinker.asked
    assert (game, len(seen), seat, level) == ("kabooom", 1, 1, "hard")
    assert seen[-1].seed is None


async def test_all_turns_in_a_row_share_the_time_of_one(
    service: Service, chat: RecordingChat, thinker: Slow, store: Store
) -> None:
    thinker.may_go_on.set()
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kabooom house hard")
    await crowd.sends("anna", Press(payload.write("house", (await table_here(store)).id, 3)))
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/move r@a1")
    times = [seconds for *_, seconds in thinker.asked]
    assert len(times) == 3
    assert sum(times) <= 3.0
    assert len(set(times)) == 1


async def test_how_well_the_house_plays_is_chosen_by_the_host_in_the_lobby(
    service: Service, chat: RecordingChat, store: Store
) -> None:
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame colorio house leicht")
    table = await table_here(store)
    assert table.level == "easy"
    await crowd.sends("ben", Press(payload.write("level", table.id, 2)))
    await crowd.sends("anna", Press(payload.write("level", table.id, 7)))
    assert (await table_here(store)).level == "easy", "that is the host's to choose, among those that there are"
    reply = await crowd.sends("anna", Press(payload.write("level", table.id, 2)))
    assert reply is not None
    assert "• Hard" in drawn(reply)
    assert "House (hard)" in chat.newest().text


async def test_a_seat_that_the_house_takes_over_plays_medium(
    service: Service, chat: RecordingChat, thinker: Slow
) -> None:
    thinker.may_go_on.set()
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kabooom house hard")
    for name in ("ben", "clara"):
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")
    resigning = await crowd.says("clara", "/resign")
    assert resigning is not None
    await crowd.says("clara", "[Yes, I resign]")
    for name, text in (("anna", "/move r@a1"), ("ben", "/move r@b1"), ("anna", "/move r@c1"), ("ben", "/move r@d1")):
        await crowd.says(name, text)
    assert {"hard", "medium"} == {level for _, _, _, level, _ in thinker.asked}


async def test_in_a_memory_game_the_house_gets_what_its_seat_saw(
    service: Service, chat: RecordingChat, thinker: Slow, store: Store
) -> None:
    thinker.may_go_on.set()
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame colorio house")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/move a1 x b1 x c1 x")
    await service.do_due()
    await service.idle()
    game, seen, _, level, _ = thinker.asked[0]
    assert (game, level) == ("colorio", "medium")
    assert [str(view.lifted) for view in seen[:7]] == ["None", "a1", "None", "b1", "None", "c1", "None"]
    assert all(view.seed is None for view in seen)
    assert all(colour is None for colour in seen[0].colours)


async def shown_again(crowd: Crowd, name: str) -> Post:
    """Return the board that *name* requests while the house thinks."""
    posted = crowd.chat.posted
    await crowd.service.handle(crowd.update(name, "/board"))
    async with asyncio.timeout(60):
        while crowd.chat.posted == posted:
            await asyncio.sleep(0.01)
    return crowd.chat.newest()


async def runs_out(crowd: Crowd, clock: HandClock, *others: str) -> None:
    """Let Anna and *others* begin Colorio with eight hours per turn, and let her first turn time out."""
    await crowd.says("anna", "/newgame colorio 8h")
    for name in others:
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")
    assert crowd.chat.newest().offers
    await clock.advance(timedelta(hours=9))
    await crowd.service.do_due()
    await crowd.service.idle()


async def test_a_player_replaced_for_a_turn_reads_it_and_is_not_pinged(
    service: Service, chat: RecordingChat, thinker: Slow, clock: HandClock
) -> None:
    crowd = Crowd(service, chat)
    await runs_out(crowd, clock, "dora")
    await service.handle(crowd.pressing("dora", crowd.payload("dora", "Let the house play this turn")))
    await thinker.began.wait()
    board = await shown_again(crowd, "dora")
    assert "The house is playing this turn for Anna." in board.text
    assert (board.offers, board.call) == ((), None)
    results = [await service.handle(crowd.update("anna", line)) for line in ("/move a1", "/move", "/games")]
    assert ["he house is playing this turn" in drawn(reply) for reply in results if reply is not None] == 3 * [True]
    thinker.may_go_on.set()
    await service.idle()
    assert chat.newest().call is not None
    assert chat.newest().offers, "it is somebody's turn again"


async def test_whose_seat_the_house_has_taken_is_not_called_while_it_thinks(
    service: Service, chat: RecordingChat, thinker: Slow, clock: HandClock
) -> None:
    crowd = Crowd(service, chat)
    await runs_out(crowd, clock, "ben", "clara")
    asked = await service.handle(crowd.pressing("ben", crowd.payload("ben", "House takes the seat for good")))
    assert asked is not None
    yes = next(button for button in buttons(asked) if button.label == "Yes, for good")
    await service.handle(crowd.pressing("ben", Press(yes.payload)))
    await thinker.began.wait()
    board = await shown_again(crowd, "ben")
    assert "Anna's stand-in is thinking …" in board.text
    assert (board.offers, board.call) == ((), None)
    thinker.may_go_on.set()
    await service.idle()


async def test_my_view_is_for_those_who_see_the_board_turned(
    service: Service, chat: RecordingChat, thinker: Slow, store: Store
) -> None:
    thinker.may_go_on.set()
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kalejdoschach")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    first, _ = (await table_here(store)).seats
    (view,) = (button for button in buttons(chat.newest()) if button.label == "My view")
    assert view.done == (first.person,), "the board is drawn from the first seat's side"


@pytest.mark.parametrize("seed", range(2))
async def test_my_view_is_not_offered_against_the_house_if_it_shows_the_board(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat, thinker: Slow, seed: int
) -> None:
    thinker.may_go_on.set()
    made = build(store, painter, clock, draw=lambda n: f"{seed:02}" * n, thinker=thinker)
    made.add(chat)
    crowd = Crowd(made, chat)
    await crowd.says("anna", "/newgame kalejdoschach house easy")
    await crowd.says("anna", "/start")
    differs = (await table_here(store)).seats[0].house
    assert differs == ("My view" in [button.label for button in buttons(chat.newest())])
    await made.stop()
