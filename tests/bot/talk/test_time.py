"""Time at the table, on a manual clock: no player waits for ever, and no player is pinged twice for one thing."""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from bot.app import build
from bot.chat import (
    MessageId,
    PersonId,
    Picture,
    Place,
    PlaceId,
    Post,
    Press,
    Priority,
    Select,
    TryLater,
    Typed,
)
from bot.delivery.painting import Pictures
from bot.repository.repository import LEASE_MS
from bot.requests import Decide, Stamp, payload
from bot.runtime.clock import to_ms
from bot.service.service import Service
from bot.store.store import Store
from bot.tables import logbook
from bot.tables.preferences import AWAY_DAYS_A_YEAR, Calm, away
from bot.tables.table import By, Table
from renderers import Look
from rules import GAMES, State
from rules.chance import Chance
from tests.bot.conftest import HandClock
from tests.bot.house.playing import AtOnce, best_action, followed
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, stamped
from tests.bot.talk.test_service import table_here
from tests.bot.talk.turns import next_turn

ANNA, BEN = PersonId("room:anna"), PersonId("room:ben")


async def begun(crowd: Crowd, *words: str, others: tuple[str, ...] = ("ben",)) -> None:
    await crowd.says("anna", f"/newgame kabooom easy {' '.join(words)}")
    for name in others:
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")


async def all_moved(crowd: Crowd, store: Store) -> None:
    """Play the first round: about a first move that is late, the others are always asked."""
    while (table := await table_here(store)).turn < len(table.seats):
        await crowd.says(*await next_turn(store, ROOM.id))


async def here(store: Store) -> Table | None:
    held = await store.at(ROOM.id)
    loaded = await store.load(held) if held is not None else None
    return loaded.table if loaded is not None else None


async def later(crowd: Crowd, clock: HandClock, **step: float) -> None:
    await clock.advance(timedelta(**step))
    await crowd.service.do_due()
    await crowd.service.idle()


async def test_the_one_person_is_reminded_at_half_time_and_when_a_tenth_is_left(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    assert chat.pings == [ANNA]
    await later(crowd, clock, hours=11)
    assert chat.pings == [ANNA]
    await later(crowd, clock, hours=2)
    assert chat.pings == [ANNA, ANNA]
    assert "11 hours left" in str(chat.newest().call)
    for _ in range(3):
        await later(crowd, clock, hours=1)
    assert len(chat.pings) == 2
    await later(crowd, clock, hours=6)
    assert len(chat.pings) == 3
    assert "almost up" in str(chat.newest().call)


@pytest.mark.parametrize(
    ("options", "others", "then"),
    [
        ("1d", ("ben", "clara"), "After that, the others can let the house play for you, this turn or for good."),
        ("1d", ("ben",), "After that, Ben can let the house play, or end the game and win it."),
        ("1d house", ("ben",), "After that, Ben can let the house play for you, this turn or for good."),
        ("1d house", (), "After that, the house plays this turn for you."),
        ("1d play", ("ben", "clara"), "After that, the house plays this turn for you."),
        ("1d seat", ("ben", "clara"), "After that, the house takes your seat for good."),
        ("1d seat", ("ben",), "After that, the game is over and Ben wins."),
        (
            "none",
            ("ben", "clara"),
            "After that, the others can let the house play for you, this turn or for good.",
        ),
        ("none", ("ben",), "After that, Ben can let the house play, or end the game and win it."),
        ("none house", ("ben",), "After that, Ben can let the house play, or end the game and win it."),
    ],
)
async def test_the_last_reminder_names_the_consequence(
    crowd: Crowd,
    chat: RecordingChat,
    clock: HandClock,
    store: Store,
    options: str,
    others: tuple[str, ...],
    then: str,
) -> None:
    length, _, what = options.partition(" ")
    await crowd.says("anna", f"/newgame kabooom easy {length} {'house' if what == 'house' else ''}")
    for name in others:
        await crowd.says(name, "/join")
    if label := {"play": "The house plays this turn", "seat": "The house takes over (two players: a loss)"}.get(what):
        await crowd.chooses("anna", f"When time is up: {label}")
    await crowd.says("anna", "/start")
    assert chat.pings == [ANNA]
    await all_moved(crowd, store)
    await later(crowd, clock, hours=23 if length == "1d" else 49)
    reply = chat.newest().call
    assert reply is not None
    assert reply.person.id == ANNA
    assert reply.text.endswith(then)


async def test_without_a_clock_a_game_against_the_house_has_no_reminders(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none", "house", others=())
    await later(crowd, clock, hours=200)
    assert len(chat.pings) <= 1


async def test_of_many_workers_one_reminds(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    await clock.advance(timedelta(hours=13))
    await asyncio.gather(*(bots().do_due() for _ in range(5)))
    assert chat.pings == [ANNA, ANNA]


async def test_of_many_workers_one_lets_the_time_run_out(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1h")
    posted = chat.posted
    await clock.advance(timedelta(hours=2))
    workers = [bots() for _ in range(5)]
    await asyncio.gather(*(worker.do_due() for worker in workers))
    await asyncio.gather(*(worker.idle() for worker in workers))
    assert chat.posted == posted + 1


async def test_a_process_without_the_platform_leaves_the_reminder_to_another(
    crowd: Crowd, store: Store, painter: Pictures, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    await clock.advance(timedelta(hours=13))
    await build(store, painter, clock).do_due()
    assert chat.pings == [ANNA]
    await later(crowd, clock, seconds=6)
    assert chat.pings == [ANNA, ANNA]


async def test_a_process_without_the_platform_leaves_the_board_to_another(
    crowd: Crowd, store: Store, painter: Pictures, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1h")
    posted = chat.posted
    await clock.advance(timedelta(hours=2))
    elsewhere = build(store, painter, clock)
    await elsewhere.do_due()
    await elsewhere.repost()
    await clock.advance(timedelta(seconds=6))
    await crowd.service.repost()
    await crowd.service.idle()
    assert chat.posted == posted + 1


async def test_a_reminder_whose_worker_died_is_sent_by_another_and_shown_once(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "1d")
    await clock.advance(timedelta(hours=13))
    claimed = await store.claim_due(to_ms(clock.now()), LEASE_MS, 10)  # by a worker that dies now
    assert len(claimed) == 1
    await bots().do_due()
    assert chat.pings == [ANNA]
    await clock.advance(timedelta(minutes=3))
    await bots().do_due()
    assert chat.pings == [ANNA, ANNA]


async def test_a_stopped_bots_reminders_are_sent_at_once_by_another(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    await clock.advance(timedelta(hours=13))
    waits = chat.full[Priority.REMINDER] = asyncio.Event()
    doing = asyncio.create_task(crowd.service.do_due())
    await asyncio.wait_for(waits.wait(), 60)
    other = bots()
    await other.do_due()
    assert chat.pings == [ANNA]
    await crowd.service.stop()
    await asyncio.wait_for(doing, 60)
    chat.full.clear()
    for _ in range(2):
        await other.do_due()
        assert chat.pings == [ANNA, ANNA]


async def test_a_reminder_that_the_platform_does_not_take_is_tried_again(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    chat.trouble = [TryLater(5)]
    await later(crowd, clock, hours=13)
    assert chat.pings == [ANNA]
    await later(crowd, clock, minutes=3)
    assert chat.pings == [ANNA, ANNA]


async def test_a_move_in_time_stops_the_reminders(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await begun(crowd, "8h")
    await crowd.says("anna", "/move b1-c1")
    assert chat.pings == [ANNA, BEN]
    await later(crowd, clock, hours=5)
    assert chat.pings == [ANNA, BEN, BEN]


@pytest.mark.parametrize(
    ("button", "words", "answer"),
    [
        ("[Keep waiting]", "it's your turn", "OK, noted!"),
        ("[Let the house play this turn]", "(played by the house).", "The house is playing this turn for Anna."),
        (
            "[End it: Ben wins]",
            "Anna ran out of time, and Ben didn't want to wait any longer.",
            "🎉 You won!",
        ),
    ],
)
async def test_after_a_timeout_the_others_decide_and_read_the_result(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, button: str, words: str, answer: str
) -> None:
    await begun(crowd, "8h")
    await all_moved(crowd, store)
    await later(crowd, clock, hours=9)
    assert "Anna has run out of time" in chat.newest().text
    assert "Ben has 8 hours to decide what happens next; otherwise the house plays this turn." in chat.newest().text
    assert chat.newest().call is None
    reply = await crowd.says("anna", button)
    assert reply is not None
    assert "others to decide" in reply.text
    decided = await crowd.says("ben", button)
    if button.startswith("[End it"):
        decided = await crowd.says("ben", "[Yes, end it]")
    assert decided is not None
    assert decided.text == answer
    assert words in chat.newest().text + str(chat.newest().call)


@pytest.mark.parametrize("clock_name", ["7d", "3d+1d", "1d seat", "1h play"])
async def test_a_late_first_move_lets_the_others_end_the_game_uncounted(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, clock_name: str
) -> None:
    name, _, rule = clock_name.partition(" ")
    await crowd.says("anna", f"/newgame kabooom easy {name}")
    await crowd.says("ben", "/join")
    if rule:
        label = {"play": "The house plays this turn", "seat": "The house takes over (two players: a loss)"}[rule]
        await crowd.chooses("anna", f"When time is up: {label}")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/move b1-c1")
    await later(crowd, clock, hours=0.95 if name == "1h" else 22)
    assert "Anna can find a substitute, let the house play, or end the game without counting it" in str(
        chat.newest().call
    )
    await later(crowd, clock, hours=2.1)
    assert "Ben hasn't made a first move in time." in chat.newest().text
    assert f"Anna has {'1 hour' if name == '1h' else '1 day'} to decide" in chat.newest().text
    assert "won't count for anybody" in str(await crowd.says("anna", "[End it: it doesn't count]"))
    await crowd.says("anna", "[Yes, end it]")
    assert await here(store) is None
    assert await store.records.of_person(ANNA, [ROOM.id], tuple(GAMES)) == {}


async def test_a_late_first_move_of_three_may_still_be_the_house_s(
    crowd: Crowd, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "7d", others=("ben", "clara"))
    await later(crowd, clock, hours=25)
    await crowd.says("ben", "[House takes the seat for good]")
    await crowd.says("ben", "[Yes, for good]")
    assert (await table_here(store)).seats[0].house


async def test_a_late_turn_after_the_first_round_cannot_end_the_game_uncounted(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "3d")
    await all_moved(crowd, store)
    await later(crowd, clock, hours=25)
    assert "run out of time" not in chat.newest().text
    await later(crowd, clock, hours=48)
    assert "run out of time" in chat.newest().text
    table = await table_here(store)
    assert "no longer available" in str(
        await crowd.sends("ben", Press(Decide(table.id, Stamp.of(table), 3, sure=True).payload))
    )


async def test_alone_against_the_house_a_first_move_has_the_whole_time(
    crowd: Crowd, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "7d", "house", others=())
    await later(crowd, clock, hours=100)
    assert (await table_here(store)).turn == 0
    assert not (await table_here(store)).is_overdue


async def test_giving_a_seat_to_the_house_is_confirmed(crowd: Crowd, clock: HandClock) -> None:
    await begun(crowd, "8h", others=("ben", "clara"))
    await later(crowd, clock, hours=9)
    await crowd.says("ben", "[House takes the seat for good]")
    decided = await crowd.says("ben", "[Yes, for good]")
    assert decided is not None
    assert decided.text == "The house takes over Anna's seat and plays on from here."


async def test_a_seat_is_taken_only_after_a_question_and_not_after_a_move(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "8h", others=("ben", "clara"))
    await later(crowd, clock, hours=9)
    board = chat.newest()
    asked = await crowd.says("ben", "[House takes the seat for good]")
    assert asked is not None
    assert asked.text.startswith("Really give Anna's seat to the house?")
    assert chat.newest() == board, "nobody else hears of a question"
    await crowd.says("anna", "/move pass")
    assert "That button is out of date." in str(await crowd.says("ben", "[Yes, for good]"))
    assert not any(seat.house for seat in (await table_here(store)).seats)


async def test_a_late_player_reads_why_the_seat_is_gone(crowd: Crowd, clock: HandClock) -> None:
    await begun(crowd, "8h", others=("ben", "clara", "dora"))
    await later(crowd, clock, hours=9)
    await crowd.says("ben", "[House takes the seat for good]")
    await crowd.says("ben", "[Yes, for good]")
    assert "Sorry, your time for that turn ran out" in str(await crowd.says("anna", "/move pass"))
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    assert "The house has taken over your seat, so you can't move" in str(await crowd.says("clara", "/move pass"))


async def test_agreeing_players_read_the_result_or_who_is_missing(crowd: Crowd) -> None:
    await begun(crowd, others=("ben", "clara", "dora"))
    await crowd.says("anna", "/end")
    again = [str(await crowd.says("anna", "/end")), str(await crowd.says("anna", "[I agree]"))]
    assert all("Your vote is in. Now it's up to Clara, Dora and Ben." in reply for reply in again)
    assert "OK, noted!" in str(await crowd.says("ben", "[I agree]"))
    assert "up to Clara and Dora." in str(await crowd.says("ben", "[I agree]"))
    assert "The game is over." in str(await crowd.says("clara", "[I agree]"))


async def test_a_withdrawn_or_refused_question_is_confirmed(
    crowd: Crowd,
) -> None:
    await begun(crowd, others=("ben",))
    for name, text in (("anna", "You've withdrawn your request, so the game goes on."), ("ben", "You said no, so")):
        await crowd.says("anna", "/end")
        assert text in str(await crowd.says(name, "[No]"))


async def test_a_decisive_no_is_shown_to_all_during_the_turn(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd, others=("ben", "clara"))
    await crowd.says("anna", "/end")
    await crowd.says("anna", "[No]")
    assert "so it goes on" not in chat.newest().text, "whoever takes it back is the only one who waits for it"
    await crowd.says("anna", "/end")
    await crowd.says("ben", "[No]")
    assert "so it goes on" not in chat.newest().text, "Clara may still agree"
    await crowd.says("clara", "[No]")
    assert "Not enough votes to end the game, so it goes on." in chat.newest().text
    await crowd.says("anna", "/move pass")
    assert "so it goes on" not in chat.newest().text
    await crowd.says("anna", "/undo")
    await crowd.says("clara", "[No]")
    assert "Clara doesn't agree, so the move stays." in chat.newest().text
    await crowd.says("anna", "/undo")
    assert "so the move stays" not in chat.newest().text, "it is asked once more"
    for name in ("ben", "clara"):
        await crowd.says(name, "[I agree]")
    await crowd.says("anna", "/move pass")
    assert "so the move stays" not in chat.newest().text, "the turn is a new one"


async def test_a_no_is_not_shown_after_another_event(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    async def turned_down() -> None:
        await crowd.says("ben", "/end")
        await crowd.says("clara", "[No]")
        await crowd.says("anna", "[No]")
        assert "Not enough votes to end the game" in chat.lines[-1]

    await begun(crowd, "none", others=("ben", "clara"))
    await turned_down()
    await crowd.says("ben", "/end")
    await crowd.says("ben", "[No]")
    assert "Not enough votes" not in chat.lines[-1], "Ben has taken it back"
    await turned_down()
    await later(crowd, clock, days=4)
    assert "Anna has had over three days" in chat.lines[-1]
    assert "Not enough votes" not in chat.lines[-1]
    await crowd.says("ben", "/end")
    await crowd.says("clara", "[No]")
    assert "Not enough votes" in chat.lines[-1]
    await crowd.says("clara", "[Keep waiting]")
    assert "Not enough votes" not in chat.lines[-1]
    await turned_down()
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    assert "Not enough votes" not in chat.lines[-1]


async def test_undoing_a_hidden_step_keeps_the_no_on_the_board(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    await crowd.says("anna", "/newgame crystalla")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    up, other = (seat.name.lower() for seat in (await table_here(store)).seats)
    await crowd.says(other, "/end")
    await crowd.says(up, "[No]")
    answer = chat.newest().text
    assert "Not enough votes" in answer
    await crowd.says(up, "/move keep")
    await crowd.says(up, "/undo")
    await crowd.says(other, "/board")
    assert "Not enough votes" in chat.newest().text


async def test_the_others_decide_although_the_late_player_began_a_hidden_turn(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    for name, line in (("anna", "/newgame crystalla 8h"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    await later(crowd, clock, hours=9)
    late = (await table_here(store)).turn
    board = chat.newest()
    assert board.picture is not None
    await crowd.says("anna", "/move keep")
    shown = chat.newest()
    assert shown.picture is not None
    assert (shown.text, shown.picture.png) == (board.text, board.picture.png), "nothing is told of the step"
    await crowd.says("ben", "[Let the house play this turn]")
    assert (await table_here(store)).turn > late


AGAINST_THE_CLOCK = {
    "the house plays": "[Let the house play this turn]",
    "the house sits": "[House takes the seat for good]",
}


@pytest.mark.parametrize("others", [("ben",), ("ben", "clara")], ids=["two", "three"])
@pytest.mark.parametrize("how", [*AGAINST_THE_CLOCK, "agreed", "a moderator", "forgotten", "nobody decides"])
async def test_an_unsent_draw_is_never_reported(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, how: str, others: tuple[str, ...]
) -> None:
    await crowd.says("anna", "/newgame kalejdoschach 8h")
    for name in others:
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")
    table = await table_here(store)
    late, *voting = (seat.name.lower() for seat in table.seats)
    await crowd.says(late, "/move draw")
    said = len(chat.lines)
    match how:
        case "agreed":
            await crowd.says(late, "/end")
            for name in voting:
                if await here(store) is not None:
                    await crowd.says(name, "[I agree]")
        case "a moderator":
            await crowd.ends("ada")
        case "forgotten":
            await crowd.sends(late, Press(payload.write("forget", "", 1)))
        case "nobody decides":
            await later(crowd, clock, hours=9)
            await later(crowd, clock, hours=9)
        case _:
            await later(crowd, clock, hours=9)
            ends = how == "the house sits" and len(others) == 1
            await crowd.says(voting[0], "[End it: it doesn't count]" if ends else AGAINST_THE_CLOCK[how])
            if how == "the house sits":
                await crowd.says(voting[0], "[Yes, end it]" if ends else "[Yes, for good]")
    lines = [line for line in chat.lines[said:] if line.startswith("bot") and not line.startswith(f"bot to {late}")]
    assert lines
    assert not any(" a draw" in line for line in lines), lines
    log = await store.log(table.id)
    assert [entry.action for entry in logbook.effective(log) if entry.by == By.PERSON] == []


async def test_without_a_decision_the_house_plays_and_no_table_is_stuck(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    """All players have left for ever: the game still ends."""
    await begun(crowd, "8h", others=("ben", "clara"))
    for _ in range(200):
        if await here(store) is None:
            break
        await later(crowd, clock, hours=9)
    assert await here(store) is None
    assert "[Rematch]" in "".join(chat.lines)


class Blank(Pictures):
    """A painter that paints nothing: this test shows many boards."""

    async def picture(self, view: State, look: Look) -> Picture:
        return Picture(b"\x89PNG", "a board")


@pytest.mark.parametrize("game", GAMES)
async def test_every_abandoned_game_comes_to_its_end(
    game: str, store: Store, chat: RecordingChat, clock: HandClock
) -> None:
    """Simulated weeks: no player acts or decides, and still no table gets stuck."""
    painter = Blank()
    service = build(store, painter, clock, draw=lambda n: "07" * n, thinker=AtOnce())
    service.add(chat)
    crowd = Crowd(service, chat)
    await crowd.says("anna", f"/newgame {game} 1h")
    for name in ("ben", "clara", "david")[: GAMES[game].seats[0] - 1]:
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")
    steps = 0
    while (table := await here(store)) is not None:
        assert steps < 2000, f"{table!r} is blocked"
        await later(crowd, clock, minutes=61)
        steps += 1
    assert chat.newest().call is None
    calls = Counter(chat.calls)
    assert max(calls.values()) == 1, "nobody is called twice for one thing"
    painter.close()


async def test_a_late_player_may_still_move(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await begun(crowd, "1h")
    await later(crowd, clock, hours=2)
    await crowd.says("anna", "/move b1-c1")
    call = chat.newest().call
    assert call is not None
    assert call.person.id == BEN


async def test_the_rule_chosen_in_the_lobby_happens_by_itself(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await crowd.says("anna", "/newgame kabooom easy 1h")
    await crowd.says("ben", "/join")
    await crowd.chooses("anna", "When time is up: The house takes over (two players: a loss)")
    await crowd.says("anna", "/start")
    await all_moved(crowd, store)
    await later(crowd, clock, hours=2)
    assert (chat.newest().title, chat.newest().text) == ("🏆 Ben wins", "Anna ran out of time.")


async def test_without_a_clock_silence_is_warned_after_two_days_decided_after_three(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none")
    posted, pings = chat.posted, list(chat.pings)
    await later(crowd, clock, hours=47.9)
    assert chat.posted == posted
    await later(crowd, clock, hours=0.2)
    assert (chat.posted, chat.pings) == (posted + 1, [*pings, ANNA])
    assert "it's still your turn (Kabooom!). You have 1 day left. After that, Ben can" in str(chat.newest().call)
    await later(crowd, clock, hours=23.8)
    assert chat.posted == posted + 1
    await later(crowd, clock, hours=0.2)
    assert chat.posted == posted + 2
    assert "Anna has had over three days to move." in chat.newest().text
    for _ in range(8):
        await later(crowd, clock, days=3)
    assert (chat.posted, chat.pings) == (posted + 2, [*pings, ANNA])
    await crowd.says("ben", "[End it: Ben wins]")
    await crowd.says("ben", "[Yes, end it]")
    assert (chat.newest().title, chat.newest().text) == ("🏆 Ben wins", "Anna hasn't moved for over three days.")


async def _one_has_resigned_and_one_is_silent(crowd: Crowd, clock: HandClock) -> None:
    """Let Anna be silent for four days after Clara's resignation, so that only Ben is left."""
    await begun(crowd, "none", others=("ben", "clara"))
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    await later(crowd, clock, days=4)


async def test_of_those_who_are_left_the_silent_one_has_lost_and_not_the_house(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await _one_has_resigned_and_one_is_silent(crowd, clock)
    assert "or end the game (under “More” or with /end) and win it" in chat.newest().text
    await crowd.says("ben", "[More]")
    await crowd.says("ben", "[End the game for all]")
    await crowd.says("ben", "[Yes, end it]")
    assert (chat.newest().title, chat.newest().text) == ("🏆 Ben wins", "Anna hasn't moved for over three days.")


async def test_of_three_the_last_active_player_wins_by_ending_the_game(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await _one_has_resigned_and_one_is_silent(crowd, clock)
    assert "Really end the game? You'll win" in str(await crowd.says("ben", "/end"))
    await crowd.says("ben", "[Yes, end it]")
    assert (chat.newest().title, chat.newest().text) == ("🏆 Ben wins", "Anna hasn't moved for over three days.")


async def test_without_a_clock_one_can_play_as_long_as_the_others_have_not_decided(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none")
    await later(crowd, clock, days=4)
    await crowd.says("anna", "/move b1-c1")
    assert "it's your turn" in str(chat.newest().call)
    assert "decide" not in chat.newest().text
    await later(crowd, clock, days=2.9)
    assert "Ben hasn't" not in chat.newest().text


def first_step(state: State) -> str:
    """Return an action after which the turn of *state* has another choice, or ""."""
    after = ((action, state.play(action)) for action in state.actions())
    goes_on = ((option, then) for option, then in after if then.actor == state.actor and not state.ends_turn(then))
    return next((str(action) for action, then in goes_on if then.forced is None and len(then.actions()) > 1), "")


OF_SEVERAL_STEPS = [game for game in GAMES if first_step(GAMES[game].start(2, {}, 7))]


async def begins_a_turn(game: str, clock_: str, crowd: Crowd, store: Store) -> tuple[str, str, str]:
    """Begin *game*. Return the actor, the other player, and a first step of the turn."""
    await crowd.says("anna", f"/newgame {game} {clock_}")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    seen = await crowd.service.repository.load((await table_here(store)).id)
    assert seen.state is not None
    up = str(seen.table.seats[0].person).removeprefix("room:")
    return up, "ben" if up == "anna" else "anna", f"/move {first_step(seen.state)}"


@pytest.mark.parametrize("game", OF_SEVERAL_STEPS)
async def test_without_a_clock_a_step_within_three_days_is_not_silence(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, game: str
) -> None:
    up, other, step = await begins_a_turn(game, "none", crowd, store)
    turn = (await table_here(store)).turn
    await later(crowd, clock, hours=71)
    await crowd.says(up, step)
    await later(crowd, clock, hours=2)
    await crowd.says(other, "/board")
    table = await table_here(store)
    assert (table.turn, table.is_overdue) == (turn, False)
    await later(crowd, clock, hours=69)
    assert not (await table_here(store)).is_overdue
    await later(crowd, clock, hours=2)
    assert (await table_here(store)).is_overdue
    assert f"{up.capitalize()} has had over three days to move." in chat.newest().text


@pytest.mark.parametrize("game", OF_SEVERAL_STEPS)
async def test_a_step_after_three_silent_days_ends_the_silence(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store, game: str
) -> None:
    up, other, step = await begins_a_turn(game, "none", crowd, store)
    await later(crowd, clock, days=4)
    assert (await table_here(store)).is_overdue
    await crowd.says(up, step)
    await crowd.service.idle()
    assert not (await table_here(store)).is_overdue
    assert "decide" not in chat.newest().text
    await crowd.says(other, "/end")
    assert (await table_here(store)).ask is not None, "it takes both of them again"


@pytest.mark.parametrize("game", OF_SEVERAL_STEPS)
async def test_steps_of_a_turn_add_no_time_to_a_clock(crowd: Crowd, clock: HandClock, store: Store, game: str) -> None:
    up, _, step = await begins_a_turn(game, "8h", crowd, store)
    await later(crowd, clock, hours=7)
    await crowd.says(up, step)
    await later(crowd, clock, hours=1.1)
    assert (await table_here(store)).is_overdue


@pytest.mark.parametrize(
    ("page", "setting", "more"),
    [(0, "Quiet hours (no pings, clock paused): 22:00 to 7:00", 50), (0, "Days off, starting today: 3 days", 60)],
)
async def test_silence_in_quiet_hours_and_on_days_off_is_no_silence(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, page: int, setting: str, more: int
) -> None:
    await crowd.sends("anna", Press(payload.write("settings", "me", page)))
    await crowd.says("anna", f"[{setting}]")
    await begun(crowd, "none")
    await later(crowd, clock, hours=72 + more / 2)
    await crowd.says("ben", "/end")
    said = [post.text for post in chat.messages.values()]
    assert not any("three days" in message for message in said)
    assert any("in favour so far: 1, still needed: 1" in message for message in said)
    await later(crowd, clock, hours=more)
    assert "three days" in chat.newest().text


async def test_alone_with_the_house_without_a_clock_no_one_decides(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await crowd.says("anna", "/newgame kabooom easy house none")
    await crowd.says("anna", "/start")
    posted = chat.posted
    await later(crowd, clock, days=30)
    assert chat.posted == posted


async def test_a_request_finds_a_silent_player_if_the_table_is_not_due_by_itself(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, raw: Redis, store: Store
) -> None:
    """As in a place that the bot only visits."""
    await begun(crowd, "none")
    for key in raw.keys("*:due"):
        raw.delete(key)
    await later(crowd, clock, days=4)
    assert "three days" not in chat.newest().text
    await crowd.says("ben", "/board")
    assert "Anna has had over three days to move." in chat.newest().text
    more = await crowd.sends("ben", Press(payload.write("more", (await table_here(store)).id)))
    assert more is not None
    assert "You'll win" in str(await crowd.says("ben", "[End the game for all]"))
    await crowd.says("ben", "[Yes, end it]")
    assert (chat.newest().title, chat.newest().text) == ("🏆 Ben wins", "Anna hasn't moved for over three days.")


async def test_the_silent_one_alone_ends_nothing(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await begun(crowd, "none", others=("ben", "clara"))
    await later(crowd, clock, days=4)
    await crowd.says("anna", "/end")
    assert "in favour so far: 1, still needed: 1" in chat.newest().text
    await crowd.says("ben", "[I agree]")
    assert "Anna and Ben ended the game." in chat.newest().text


async def test_no_vote_waits_for_the_silent_player(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await begun(crowd, "none", others=("ben", "clara", "david"))
    await later(crowd, clock, days=4)
    assert "Anna has had over three days to move." in chat.newest().text
    await crowd.says("ben", "/end")
    again = str(await crowd.says("ben", "/end"))
    assert "Your vote is in. Now it's up to " in again
    assert "Anna" not in again
    assert "Clara" in again
    assert "David" in again


async def test_the_yes_of_the_silent_one_brings_the_end_no_further_away(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none", others=("ben", "clara", "david"))
    await later(crowd, clock, days=4)
    await crowd.says("ben", "/end")
    assert "in favour so far: 1, still needed: 1" in chat.newest().text
    await crowd.says("anna", "[I agree]")
    assert "in favour so far: 2, still needed: 1" in chat.newest().text
    await crowd.says("clara", "[I agree]")
    assert "Ben, Anna and Clara ended the game." in chat.newest().text


async def test_the_silent_one_hears_that_only_a_move_says_no(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none", others=("ben", "clara", "david"))
    await later(crowd, clock, days=4)
    await crowd.says("ben", "/end")
    assert "only the others' votes count" in str(await crowd.says("anna", "[No]"))
    assert "can still outvote you" in str(await crowd.says("clara", "[No]"))
    assert "[I agree]" in chat.lines[-1], "it is still asked"
    await crowd.says("anna", "/move b1-c1")
    assert "[I agree]" not in chat.lines[-1]


async def test_of_two_a_question_before_the_silence_is_asked_anew_and_wins(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none")
    await later(crowd, clock, hours=70)
    await crowd.says("ben", "/end")
    assert "in favour so far" in chat.lines[-1]
    await later(crowd, clock, hours=3)
    assert "Anna has had over three days to move." in chat.newest().text
    assert "in favour so far" not in chat.newest().text
    assert "You'll win" in str(await crowd.says("ben", "/end"))
    await crowd.says("ben", "[Yes, end it]")
    assert (chat.newest().title, chat.newest().text) == ("🏆 Ben wins", "Anna hasn't moved for over three days.")


async def test_no_vote_on_the_end_outlasts_the_start_of_silence(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none", others=("ben", "clara", "david"))
    await later(crowd, clock, hours=70)
    await crowd.says("ben", "/end")
    await crowd.says("clara", "[I agree]")
    await later(crowd, clock, hours=3)
    assert "in favour so far" not in chat.newest().text
    assert "[I agree]" not in chat.lines[-1]
    await crowd.says("ben", "/end")
    await crowd.says("david", "[No]")
    assert "in favour so far: 1" in chat.newest().text
    await crowd.says("clara", "[I agree]")
    assert "Ben and Clara ended the game." in chat.newest().text


async def test_other_questions_survive_the_start_of_silence(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "none")
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("anna", "/undo")
    await later(crowd, clock, days=4)
    assert "Ben has had over three days to move." in chat.newest().text
    assert "undo the last move" in chat.newest().text


async def test_quiet_hours_stop_clock_and_calls(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Quiet hours (no pings, clock paused): 22:00 to 7:00]")
    await clock.advance(timedelta(hours=11))  # 23:00
    await begun(crowd, "8h")
    assert chat.pings == []
    assert "Anna, it's your turn" in chat.newest().text
    await later(crowd, clock, hours=7.5)  # 6:30
    assert chat.pings == []
    await later(crowd, clock, hours=1)  # 7:30
    assert chat.pings == [ANNA]
    await later(crowd, clock, hours=3)  # 10:30
    assert chat.pings == [ANNA]
    await later(crowd, clock, hours=1)  # 11:30, four of eight hours are gone
    assert chat.pings == [ANNA, ANNA]
    await later(crowd, clock, hours=3)
    table = await here(store)
    assert table is not None
    assert not table.is_overdue
    await later(crowd, clock, hours=1)
    assert "a first move in time" in chat.newest().text


async def test_a_reminder_in_quiet_hours_comes_after_them(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Quiet hours (no pings, clock paused): 22:00 to 7:00]")
    await clock.advance(timedelta(hours=6))  # 18:00: half of the time is over at 22:00
    await begun(crowd, "8h")
    await later(crowd, clock, hours=4)
    await later(crowd, clock, hours=8)  # 6:00
    assert chat.pings == [ANNA]
    await later(crowd, clock, hours=1)
    assert chat.pings == [ANNA, ANNA]
    assert "You have 4 hours left" in str(chat.newest().call)


async def test_days_away_stop_the_clock_also_of_a_turn_that_is_on(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "1d")
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Days off, starting today: 3 days]")
    for _ in range(5):
        await later(crowd, clock, hours=12)
    table = await here(store)
    assert table is not None
    assert not table.is_overdue
    assert chat.pings == [ANNA]


async def test_who_comes_back_early_has_the_whole_time_for_a_turn_that_waited(
    crowd: Crowd, chat: RecordingChat, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "8h")
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Days off, starting today: 3 days]")
    await later(crowd, clock, hours=30)
    await crowd.says("anna", "[Days off, starting today: none]")
    await later(crowd, clock, hours=7)
    table = await here(store)
    assert table is not None
    assert not table.is_overdue
    await later(crowd, clock, hours=2)
    assert "a first move in time" in chat.newest().text


async def test_when_the_days_away_are_over_the_settings_say_that_one_is_here(crowd: Crowd, clock: HandClock) -> None:
    await crowd.says("anna", "/settings")
    reply = await crowd.says("anna", "[Days off, starting today: 3 days]")
    assert reply is not None
    assert "You're off until the end of 7 January" in reply.text
    await clock.advance(timedelta(days=3))
    reply = await crowd.says("anna", "/settings")
    assert reply is not None
    away_from = next(row for row in reply.rows if isinstance(row, Select) and row.label.startswith("Days off"))
    assert [choice.label for choice in away_from.choices if choice.chosen] == ["none"]
    assert "You are back" not in reply.text
    assert "booked 3 of your 30 days" in reply.text


def test_a_day_away_that_has_begun_is_used() -> None:
    today = date(2026, 3, 1)
    for number in range(AWAY_DAYS_A_YEAR):
        settings = away({"away_used": f"2026:{number}"}, 1, today)
        assert settings is not None
        settings = away(settings, 0, today)
        assert settings == {"away_until": "", "away_used": f"2026:{number + 1}"}


async def test_the_host_can_open_a_table_without_pings(crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.chooses("anna", "Ping the player whose turn it is: No, post silently")
    assert "Ping the player whose turn it is ▸ No, post silently" in chat.newest().text
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/move pass")
    assert chat.pings == []


async def test_calls_of_a_place_are_switched_off_for_the_game_that_is_on(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    assert chat.pings == [ANNA]
    await crowd.sends("clara", Typed("/settings"), may_manage=True)
    await crowd.sends("clara", crowd.payload("clara", "Page 1/3 ▶"), may_manage=True)
    await crowd.sends(
        "clara", crowd.payload("clara", "Ping the player whose turn it is: No, post silently"), may_manage=True
    )
    await later(crowd, clock, hours=13)
    await crowd.says("anna", "/move pass")
    assert chat.pings == [ANNA]
    await crowd.sends(
        "clara", crowd.payload("clara", "Ping the player whose turn it is: Yes, each turn"), may_manage=True
    )
    await crowd.says("ben", "/board")
    assert chat.pings == [ANNA], "one call a turn at most, and this one began without"


async def test_a_player_without_pings_gets_none(crowd: Crowd, chat: RecordingChat, clock: HandClock) -> None:
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Ping me when it's my turn: off]")
    await begun(crowd, "8h")
    await later(crowd, clock, hours=5)
    assert chat.pings == []
    await crowd.says("anna", "/move b1-c1")
    assert chat.pings == [BEN]


async def test_in_a_rematch_people_are_called_as_they_want_it_by_then(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    for name in ("anna", "ben"):
        await crowd.says(name, "/end" if name == "anna" else "[I agree]")
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Ping me when it's my turn: off]")  # when that table was over
    calls = list(chat.pings)
    await crowd.says("anna", "/rematch")
    await crowd.says("ben", "/join")
    await crowd.says("ben", "/start")
    assert chat.pings == calls
    await crowd.says("anna", "/move b1-c1")
    assert chat.pings == [*calls, BEN]


async def test_only_who_manages_a_place_sets_it_and_it_holds_for_new_tables(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    reply = await crowd.sends("anna", Typed("/settings"))
    assert reply is not None
    assert "everyone here" not in str(reply.rows)
    await crowd.sends("clara", Typed("/settings"), may_manage=True)
    await crowd.sends("clara", crowd.payload("clara", "Language here: Deutsch"), may_manage=True)
    await crowd.says("anna", "/newgame kabooom")
    table = await here(store)
    assert table is not None
    assert table.lang == "de"


async def test_my_language_is_what_i_set(crowd: Crowd) -> None:
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Language: Deutsch]")
    reply = await crowd.says("anna", "/move x")
    assert reply is not None
    assert "keine Partie" in reply.text


async def test_a_year_has_so_many_days_away() -> None:
    settings: dict[str, str] = {}
    today = date(2026, 3, 1)
    for _ in range(AWAY_DAYS_A_YEAR // 10):
        result = away(settings, 10, today)
        assert result is not None
        settings, today = result, today + timedelta(days=20)
    assert away(settings, 1, today) is None
    assert away(settings, 14, date(2027, 1, 1)) is not None


MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
CALMS = st.builds(
    Calm,
    quiet=st.none() | st.sampled_from([(22, 7), (0, 8), (8, 17), (23, 8)]),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York", "Australia/Sydney"]),
    away_until=st.none() | st.dates(date(2026, 1, 1), date(2027, 6, 1)),
)


@given(CALMS, MOMENTS, st.integers(1, 7 * 24 * 60))
def test_time_ends_outside_calm_times_and_never_early(calm: Calm, start: datetime, minutes: int) -> None:
    length = timedelta(minutes=minutes)
    end = calm.after(start, length)
    assert end >= start + length
    assert calm.ends(end - timedelta(seconds=1)) is None
    assert calm.after(start, length / 2) <= end


@given(CALMS, MOMENTS)
def test_a_calm_time_ends_after_which_it_is_not_calm(calm: Calm, moment: datetime) -> None:
    end = calm.ends(moment)
    if end is not None:
        assert end > moment
        assert calm.ends(end) is None


def test_the_house_takes_the_best_move_at_once() -> None:
    """Dynamite can climb onto anything here, and only one of the climbs is worth a point more than the others."""
    state = GAMES["kabooom"].start(2, {"level": "easy"}, 11)
    action = best_action(state, 0, Chance(1))
    worth = {str(action): state.play(action).standing() for action in state.actions()}
    gain = {text: points[0] * 2 - points[1] for text, points in worth.items() if points is not None}
    assert gain[str(action)] == max(gain.values())


class Silent(RecordingChat):
    """A platform that never answers in the places in *silent*."""

    def __init__(self) -> None:
        super().__init__()
        self.silent: set[PlaceId] = set()

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        if place in self.silent:
            await asyncio.Event().wait()
        return await super().post(place, post, nonce)


async def test_a_place_that_does_not_answer_holds_up_no_other(
    store: Store, painter: Pictures, clock: HandClock
) -> None:
    chat = Silent()
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    service.add(chat)
    crowd = Crowd(service, chat)
    await begun(crowd, "1d")
    cellar = Place(PlaceId("room:cellar"))
    for name, text in (("anna", "/newgame kabooom easy 1d"), ("ben", "/join"), ("anna", "/start")):
        await crowd.sends(name, Typed(text), place=cellar)
    chat.silent = {ROOM.id}
    await clock.advance(timedelta(hours=13))
    await service.do_due()
    assert len(chat.pings) == 3, "the one reminder that could be posted"
    await service.stop()


@pytest.mark.parametrize("way", ["resigns", "is forgotten", *AGAINST_THE_CLOCK, "is up"])
async def test_the_house_never_thinks_on_the_event_loop(crowd: Crowd, clock: HandClock, store: Store, way: str) -> None:
    """With many seats the house may think for a tenth of a second; other requests are answered meanwhile."""
    await begun(crowd, "1h", others=("ben", "clara"))
    if way == "is up":
        for name in ("ben", "clara"):
            await crowd.says(name, "/resign")
            await crowd.says(name, "[Yes, I resign]")
    thought = list[str]()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in (best_action.__code__, followed.__code__):
            thought.append("here")

    entries = len(await store.log((await table_here(store)).id))
    sys.setprofile(look)  # of this thread alone
    try:
        if way == "resigns":
            await crowd.sends("anna", Press(stamped("resign", await table_here(store))))
        elif way == "is forgotten":
            await crowd.sends("anna", Press(payload.write("forget", "", 1)))
        else:
            await later(crowd, clock, hours=2)
            if way != "is up":
                await crowd.says("ben", AGAINST_THE_CLOCK[way])
            if way == "the house sits":
                await crowd.says("ben", "[Yes, for good]")
    finally:
        sys.setprofile(None)
    log = await store.log((await table_here(store)).id)
    assert any(entry.by == By.HOUSE for entry in log[entries:])
    assert not thought
