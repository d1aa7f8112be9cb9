"""The daily puzzle: one answer a day counts, no one sees the solution before, and streaks forgive."""

import asyncio
from datetime import date, timedelta
from io import BytesIO

import pytest
from msgspec.structs import replace
from PIL import Image

from bot.chat import FileKind, MarkedPicture, PersonId, Press, Reply
from bot.extras.daily import replies
from bot.extras.short_films import MOST_FRAMES
from bot.repository.daily import excused
from bot.requests import Close, CloseAll, Daily, DailyHint, DailySolution, Request, SendDaily, WarmUp
from bot.store.store import Store
from bot.tables.daily import DailyAnswer, day_of, number_of, record
from bot.tables.outages import Outage
from rules.puzzles import puzzle
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import Crowd, buttons
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_forgetting import FORGET
from tests.bot.talk.test_service import begun, table_here
from tests.puzzles import best, worst

ANNA = PersonId("room:anna")
HOUR_MS = 60 * 60 * 1000
PAR = DailyAnswer(9, 9)


def today(clock: HandClock) -> int:
    return number_of(clock.now().date())


async def asks(crowd: Crowd, request: Request | str, name: str = "anna") -> Reply:
    """Press the button of a *request*, or the newest one with this label."""
    press = crowd.payload(name, request) if isinstance(request, str) else Press(request.payload)
    reply = await crowd.sends(name, press)
    assert reply is not None
    return reply


# Answers


async def test_only_the_first_answer_counts(crowd: Crowd, store: Store, clock: HandClock) -> None:
    number = today(clock)
    first = await asks(crowd, SendDaily(number, worst(number)))
    again = await asks(crowd, SendDaily(number, best(number)))
    assert first.paste == again.paste
    assert (await store.daily.of(ANNA))[number].result < puzzle(number).par


async def test_of_two_answers_at_once_one_counts(crowd: Crowd, store: Store, clock: HandClock) -> None:
    number = today(clock)
    sent = [SendDaily(number, steps) for steps in (best(number), worst(number)) * 3]
    answered = await asyncio.gather(*(asks(crowd, request) for request in sent))
    assert len({reply.paste for reply in answered}) == 1
    assert len(await store.daily.of(ANNA)) == 1


async def test_an_answer_after_midnight_does_not_count(crowd: Crowd, store: Store, clock: HandClock) -> None:
    number = today(clock)
    await clock.advance(timedelta(days=1))
    assert "is over" in (await asks(crowd, SendDaily(number, best(number)))).text
    assert await store.daily.of(ANNA) == {}


async def test_an_unfinished_attempt_is_no_answer(crowd: Crowd, store: Store, clock: HandClock) -> None:
    await asks(crowd, SendDaily(today(clock), best(today(clock))[:1]))
    assert await store.daily.of(ANNA) == {}


async def test_hints_are_counted_until_the_answer(crowd: Crowd, store: Store, clock: HandClock) -> None:
    number = today(clock)
    for hint in (1, 2, 1):
        assert "💡" in (await asks(crowd, DailyHint(number, hint))).text
    assert "💡💡" in (await asks(crowd, SendDaily(number, best(number)))).paste
    assert await store.daily.of(ANNA) == {number: DailyAnswer(puzzle(number).par, puzzle(number).par, hints=2)}


@pytest.mark.parametrize(
    ("later", "request_"), [(0, Daily(5, 0, 0, (0,))), (0, Daily(5, 1, 0, (3,))), (1, Daily(6, 0, 1))]
)
async def test_a_hint_leaves_its_reader_where_they_are(
    crowd: Crowd, clock: HandClock, later: int, request_: Daily
) -> None:
    await clock.advance(timedelta(days=later))
    before = after = await asks(crowd, request_)
    for number in range(1, replies.HINTS + 1):
        after = await asks(crowd, f"Hint ({number} of {replies.HINTS})")
        assert after.text.partition("\n")[2].startswith(before.text.partition("Showing")[0])
        assert ("about the first move" in after.text) == bool(request_.made)
    assert {button.payload for button in buttons(before) if not button.label.startswith("Hint")} <= {
        button.payload for button in buttons(after)
    }


async def test_a_hint_stays_and_its_part_comes_first_and_is_marked(crowd: Crowd, clock: HandClock) -> None:
    await clock.advance(timedelta(days=1))
    plain = await asks(crowd, Daily(6))
    hinted = await asks(crowd, "Hint (1 of 2)")
    assert hinted.text.startswith("💡 Begin at 40.")
    assert buttons(hinted)[0].label.startswith("40")
    assert isinstance(hinted.picture, MarkedPicture)
    assert isinstance(plain.picture, MarkedPicture)
    assert hinted.picture.png != plain.picture.png
    assert (await asks(crowd, "▶ …")).text.startswith("💡 Begin at 40.")
    assert (await asks(crowd, Daily(6))).text.startswith("💡 Begin at 40.")


async def test_the_rules_are_read_during_an_attempt_and_lead_back_to_it(crowd: Crowd) -> None:
    before = await asks(crowd, Daily(5, 1, 0, (3,)))
    pages = [await asks(crowd, "Rules"), await asks(crowd, "Page 1/…")]
    assert [page.title.partition(" –")[0] for page in pages] == ["Kabooom!"] * 2
    assert (await asks(crowd, "Back to the puzzle")).text == before.text


async def test_a_puzzle_of_one_turn_is_silent_about_later_turns(crowd: Crowd, clock: HandClock) -> None:
    await clock.advance(timedelta(days=1))
    number, texts = today(clock), list[str]()
    for made in range(len(best(number))):
        texts.append((await asks(crowd, Daily(number, made, 0, best(number)[:made]))).text)
    assert "Place a crystal at …" in texts[0]
    assert not any("until your next turn" in text for text in texts)


# The card


async def test_the_card_says_the_streak_and_when_the_next_puzzle_comes(crowd: Crowd, clock: HandClock) -> None:
    update = crowd.pressing("anna", Press(SendDaily(5, best(5)).payload))
    reply = await crowd.service.handle(replace(update, person=replace(update.person, zone="Asia/Tokyo")))
    assert reply is not None
    assert "Streak: 1 day. The next puzzle comes at 00:00 UTC (now 09:00 in Tokyo)." in reply.text
    assert reply.paste.startswith("Kaleidobot, day 5 · Kabooom! · 16 of 16")


@pytest.mark.parametrize("command", ["/daily", "/daily card"])
async def test_the_command_shows_the_card_again(crowd: Crowd, command: str) -> None:
    card = await asks(crowd, SendDaily(5, best(5)))
    again = await crowd.says("anna", command)
    assert again is not None
    assert again.paste == card.paste


async def test_the_solution_leads_back_to_the_card(crowd: Crowd) -> None:
    card = await asks(crowd, SendDaily(5, best(5)))
    await asks(crowd, "Solution")
    assert (await asks(crowd, "Card")).paste == card.paste


async def test_few_actions_are_one_tap_each_even_on_a_board(crowd: Crowd) -> None:
    shown, steps = await asks(crowd, Daily(5)), best(5)
    for made in range(1, len(steps) + 1):
        request = Daily(5, made, 0, steps[:made])
        assert request.payload in [button.payload for button in buttons(shown)]
        shown = await asks(crowd, request)
    assert buttons(shown)[0].payload == SendDaily(5, steps).payload


# Typed answers


async def test_actions_of_the_puzzle_can_be_typed_in_the_private_chat(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna, alone", "/daily")
    for text, said in (
        ("b3 c4", "b3 → c4 · (b1 → a2)"),
        ("c4-d3", "c4 → d3"),
        ("d3-e2", "d3 → e2"),
        ("E2-F1.", "16 points ahead"),
    ):
        reply = await crowd.says("anna, alone", text)
        assert reply is not None
        assert said in reply.text
    await crowd.says("anna, alone", "[Send this answer]")
    assert (await store.daily.of(ANNA))[5].is_par


@pytest.mark.parametrize(("name", "word"), [("anna", "pass"), ("dora", "aussetzen")])
async def test_words_of_both_languages_can_be_typed_with_the_command(crowd: Crowd, name: str, word: str) -> None:
    await crowd.says(name, "/daily")
    reply = await crowd.says(name, f"/move {word}")
    assert reply is not None
    assert reply.secret
    assert buttons(reply)[0].payload == SendDaily(5, (4,)).payload


@pytest.mark.parametrize(
    ("text", "why"),
    [("b3-b4", "b4 is empty"), ("sicssors", "understand"), ("e9-e8", "e9"), ("b3-c4 a1-a2", "a1"), ("x" * 999, "xxx")],
)
async def test_an_impossible_text_is_refused_kindly(crowd: Crowd, text: str, why: str) -> None:
    await crowd.says("anna", "/daily")
    reply = await crowd.says("anna", f"/move {text}")
    assert reply is not None
    assert why in reply.text
    assert "Play to the end" in reply.text


async def test_a_typed_action_after_the_last_one_is_refused(crowd: Crowd) -> None:
    await crowd.says("anna", "/daily")
    await crowd.says("anna", "/move pass")
    reply = await crowd.says("anna", "/move b3-c4")
    assert reply is not None
    assert reply.text.startswith("This try is over")


async def test_talk_in_the_private_chat_is_no_answer(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna, alone", "/daily")
    for text in ("b7-b8", "is b3 right?", "pass..."):
        reply = await crowd.says("anna, alone", text)
        assert reply is not None
        assert "Day 5" not in reply.title


async def test_a_game_takes_the_moves_of_its_player(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    await crowd.says("anna", "/daily")
    await crowd.says("anna", "/move b1-c1")
    assert [entry.action for entry in await store.log((await table_here(store)).id)] == ["b1-c1"]


@pytest.mark.parametrize("close", [Close(), CloseAll()])
async def test_after_a_puzzle_is_closed_nothing_more_is_typed(crowd: Crowd, close: Request) -> None:
    await crowd.says("anna", "/daily")
    await crowd.sends("anna", Press(close.payload))
    reply = await crowd.says("anna", "/move b3-c4")
    assert reply is not None
    assert "Day 5" not in reply.title


async def test_after_the_answer_nothing_more_is_typed(crowd: Crowd) -> None:
    await crowd.says("anna", "/daily")
    await crowd.says("anna", "/move pass")
    await crowd.says("anna", "[Send this answer]")
    reply = await crowd.says("anna", "/move b3-c4")
    assert reply is not None
    assert "Day 5" not in reply.title


# Secrets


async def test_the_solution_waits_for_the_answer(crowd: Crowd, clock: HandClock) -> None:
    number = today(clock)
    assert "ways to play" not in (await asks(crowd, DailySolution(number))).text
    await asks(crowd, SendDaily(number, worst(number)))
    assert "ways to play" in (await asks(crowd, DailySolution(number))).text
    assert "ways to play" not in (await asks(crowd, DailySolution(number), "ben")).text


async def test_a_film_shows_the_solution_from_the_position_to_its_end(crowd: Crowd, clock: HandClock) -> None:
    number = today(clock)
    await asks(crowd, SendDaily(number, worst(number)))
    reply = await asks(crowd, DailySolution(number))
    assert reply.file is not None
    assert reply.file.kind is FileKind.ANIMATION
    with Image.open(BytesIO(reply.file.content)) as film:
        assert 3 <= getattr(film, "n_frames", 1) <= MOST_FRAMES


async def test_warming_up_shows_the_newest_puzzle_of_the_game(crowd: Crowd, clock: HandClock) -> None:
    days = [(await asks(crowd, WarmUp(game))).title.partition(" ·")[0] for game in ("kabooom", "kaleidoskop")]
    assert days == ["Day 5", "Day 4"]
    for request in (WarmUp("chess"), WarmUp("colorio"), WarmUp("crystalla")):
        assert not (await asks(crowd, request)).rows


async def test_warming_up_shows_a_puzzle_that_is_not_answered(crowd: Crowd) -> None:
    await asks(crowd, SendDaily(5, worst(5)))
    assert (await asks(crowd, WarmUp("kabooom"))).title.startswith("Day 3 ")


async def test_warming_up_in_a_game_whose_puzzles_are_all_answered_shows_one(crowd: Crowd, clock: HandClock) -> None:
    await clock.advance(timedelta(days=330))  # to the first puzzle of Crystalla
    await asks(crowd, SendDaily(335, worst(335)))
    assert (await asks(crowd, WarmUp("crystalla"))).title.startswith("Day 335 ")


async def test_practice_ends_with_another_puzzle_of_the_game(crowd: Crowd) -> None:
    days = list[str]()
    for number in (5, 3, 1):
        end = await asks(crowd, Daily(number, len(worst(number)), 0, worst(number)))
        assert ("Another one" in [button.label for button in buttons(end)]) == (number != 5)
        days.append((await asks(crowd, WarmUp("kabooom", number))).title.partition(" ·")[0])
    assert days == ["Day 3", "Day 1", "Day 5"]
    solution = await asks(crowd, DailySolution(3))
    assert "Another one" in [button.label for button in buttons(solution)]


@pytest.mark.parametrize("ahead", [1, 2, 400])
async def test_no_later_puzzle_can_be_seen(crowd: Crowd, clock: HandClock, ahead: int) -> None:
    now = today(clock)
    for request in (Daily(now + ahead), DailyHint(now + ahead, 2), DailySolution(now + ahead)):
        assert f"Day {now} " in (await asks(crowd, request)).title


async def test_before_the_answer_nothing_says_how_good_an_attempt_is(crowd: Crowd, clock: HandClock) -> None:
    number = today(clock)
    for steps in (best(number), worst(number)):
        reply = await asks(crowd, Daily(number, len(steps), 0, steps))
        assert "best possible" not in reply.text
        assert reply.secret


@pytest.mark.parametrize("steps", [(99_999,), (0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (1, 99_999)])
async def test_any_numbers_in_a_button_lead_back_to_the_puzzle(
    crowd: Crowd, clock: HandClock, steps: tuple[int, ...]
) -> None:
    for request in (Daily(today(clock), len(steps), 9, steps), Daily(0, 0, 0, steps), SendDaily(0, steps)):
        assert "Day" in (await asks(crowd, request)).title


# Records


def test_two_missed_days_of_a_month_do_not_end_a_streak() -> None:
    answers = dict.fromkeys((1, 2, 5, 6), PAR)
    assert record(answers, today=6).streak == 4
    assert record({**answers, 8: PAR}, today=8).streak == 1


def test_a_new_month_has_two_new_missed_days() -> None:
    first = number_of(date(2026, 2, 1))
    assert record(dict.fromkeys((first - 4, first - 1, first + 2), PAR), today=first + 2).streak == 3


def test_a_day_without_the_bot_is_not_missed() -> None:
    answers = dict.fromkeys((1, 5), PAR)
    assert record(answers, today=5, excused={2}).streak == 2


@pytest.mark.parametrize(("hours", "days"), [(1, {3}), (23, {3}), (30, {3, 4})])
def test_an_outage_excuses_every_day_that_it_touches(hours: int, days: set[int]) -> None:
    begins = (day_of(3).toordinal() - date(1970, 1, 1).toordinal()) * 24 * HOUR_MS
    assert excused([Outage(begins, begins + hours * HOUR_MS)], 1, 9) == days
    assert excused([Outage(begins, begins + hours * HOUR_MS)], 4, 9) == days - {3}


async def test_a_person_sees_the_record_in_their_statistics(crowd: Crowd, clock: HandClock) -> None:
    for _ in range(3):
        await asks(crowd, SendDaily(today(clock), best(today(clock))))
        await clock.advance(timedelta(days=1))
    reply = await crowd.says("anna", "/stats")
    assert reply is not None
    assert "3 answers, 3 with the best result, streak 3 (longest 3)" in reply.text


async def test_answers_are_exported_and_forgotten(crowd: Crowd, store: Store, clock: HandClock) -> None:
    number = today(clock)
    await asks(crowd, DailyHint(number, 1))
    await asks(crowd, SendDaily(number, best(number)))
    par = puzzle(number).par
    exported = read(await crowd.sends("anna", EXPORT))["daily_puzzles"]
    assert exported == {str(number): {"result": par, "par": par, "hints": 1}}
    await crowd.sends("anna", FORGET)
    assert await store.daily.of(ANNA) == {}
