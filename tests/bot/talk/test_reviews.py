"""Analyses: computed once, stored with the table, posted once, despite concurrent events."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from functools import cache
from itertools import cycle
from typing import Any

import pytest
from msgspec.structs import replace
from redis import Redis

import texts
from bot.app import build
from bot.chat import PersonId, Place, PlaceId, Post, Press, PublicPicture, Reply, Role
from bot.delivery.painting import Pictures
from bot.extras.reviews import replies
from bot.extras.reviews.replies import Reviewed
from bot.extras.reviews.review import Review, TurningPoint
from bot.house import reviewing
from bot.house.workers import Urgency
from bot.replies import words
from bot.requests import payload
from bot.service.service import Service
from bot.store import keys
from bot.store.store import Store
from bot.tables import logbook
from bot.tables.preferences import OF_PLACE, PINGS
from bot.tables.table import Entry, Phase, Seat, Table, TableId, play, with_state
from kaleidobot.testing.playing import games
from renderers import Theme, chart_text
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_hints import Patient
from tests.bot.talk.test_service import table_here
from tests.bot.talk.turns import next_turn
from texts import languages

WENT = "– analysis"


@pytest.fixture
def thinker() -> Patient:
    return Patient()


@pytest.fixture
async def services(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat, thinker: Patient
) -> AsyncIterator[Callable[[], Service]]:
    """Return a function that starts bots on one store."""
    made: list[Service] = []

    def make() -> Service:
        made.append(build(store, painter, clock, draw=lambda n: "07" * n, thinker=thinker))
        made[-1].add(chat)
        return made[-1]

    yield make
    for service in made:
        await service.stop()


@pytest.fixture
async def crowd(services: Callable[[], Service], chat: RecordingChat) -> Crowd:
    return Crowd(services(), chat)


@pytest.fixture
async def table(crowd: Crowd, store: Store) -> TableId:
    """Return a game that Anna and Ben have ended after four moves."""
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    for name, text in (("anna", "b1-c2"), ("ben", "f2-e3"), ("anna", "b2-a2"), ("ben", "d4-c4")):
        await crowd.says(name, f"/move {text}")
    ended = (await table_here(store)).id
    await crowd.ends("ada")
    return ended


def press(table: TableId, *page: int) -> Press:
    return Press(payload.write("review", table, *page))


def text(reply: Reply | None) -> str:
    assert reply is not None
    return reply.text


def reviews(chat: RecordingChat) -> list[Post]:
    return [reply for reply in chat.messages.values() if WENT in reply.title]


async def begins(crowd: Crowd, thinker: Patient, name: str, table: TableId) -> Reply | None:
    """Press the button as *name*; the house begins the review and waits."""
    thinker.may_go_on.clear()
    thinker.began.clear()
    reply = await crowd.service.handle(crowd.pressing(name, press(table)))
    await thinker.began.wait()
    return reply


async def test_it_has_a_chart_and_the_houses_alternative(crowd: Crowd, chat: RecordingChat, table: TableId) -> None:
    await crowd.sends("anna", press(table))
    (post,) = reviews(chat)
    assert post.picture is not None
    assert "Anna: " in post.picture.alt
    assert "Turn " in post.text


def finals(chat: RecordingChat) -> list[Post]:
    return [post for post in chat.messages.values() if post.title.startswith("🏆")]


@pytest.fixture
async def won(crowd: Crowd, store: Store) -> TableId:
    """Return a game that Anna has won by a mistake of Ben, who resigned later."""
    return await resigned(crowd, store, "a3-a4", "c3-c2")


async def resigned(crowd: Crowd, store: Store, *moves: str) -> TableId:
    """Return a game in which Anna and Ben made these *moves* before Ben resigned."""
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    for name, move in zip(cycle(("anna", "ben")), moves, strict=False):
        reply = await crowd.says(name, f"/move {move}")
        if reply is not None and reply.role is Role.MENU:  # a pass that loses
            await crowd.says(name, "[Yes, …]")
    game = (await table_here(store)).id
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    return game


async def test_the_final_board_tells_its_turning_point_after_the_analysis(
    crowd: Crowd, chat: RecordingChat, won: TableId
) -> None:
    (before,) = finals(chat)
    assert before.text == "Ben resigned."
    await crowd.sends("anna", press(won))
    (after,) = finals(chat)
    assert after.text.startswith("Ben resigned.\nTurn 2 turned it: Ben climbs from c3 onto c2")
    assert (after.title, after.rows) == (before.title, before.rows)


async def test_a_resignation_is_named_and_judged_as_no_turn(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    """The house expected little of the only move, so there is no turning point, drop or better move."""
    await crowd.sends("anna", press(await resigned(crowd, store, "a3-a4")))
    (post,) = reviews(chat)
    assert post.text.startswith("🏆 Anna wins. Ben resigned.\nIt never turned")
    assert post.picture is not None
    assert not re.search(r"Marked|\b(0|100)%", post.picture.alt)
    assert [button.label for button in buttons(post)] == []


async def test_a_deleted_final_board_is_not_posted_anew_after_the_analysis(
    crowd: Crowd, chat: RecordingChat, won: TableId
) -> None:
    chat.messages = {key: post for key, post in chat.messages.items() if post not in finals(chat)}
    await crowd.sends("anna", press(won))
    assert len(reviews(chat)) == 1
    assert not finals(chat)


@pytest.mark.parametrize("lang", languages())
async def test_the_words_about_a_turn_match_the_chart_in_games_of_any_length(
    store: Store, table: TableId, lang: str
) -> None:
    loaded = await store.load(table)
    assert loaded is not None
    entries = logbook.effective(await store.log(table))
    points = tuple(TurningPoint(turn, 0, 1) for turn in (7, 8, 30))
    review = Review(tuple((100.0 - turn, float(turn)) for turn in range(42)), points)
    game = Reviewed(loaded.table, review, entries, logbook.public_positions(loaded.table, entries))
    look = words.look(loaded.table, None, Theme.LIGHT, lang)
    chart = chart_text(replies.chart(game, look), look)
    picture = PublicPicture(b"", chart)
    values = dict[str, list[str]]()
    for part in chart.rstrip(".").split(". "):
        name, _, rest = part.partition(": ")
        values[name] = rest.split(", ")
    _, turns, *_ = values.values()
    text = replies.post(game, picture, lang).text
    said = re.findall(r"(?:Turn|Zug) (\d+): (.*)", text)
    assert len(said) == len(points)
    for turn, sentence in said:
        who, *_ = re.findall("Anna|Ben", sentence)
        ((before, after),) = re.findall(r"(\d+) → (\d+)\D?%", sentence)
        there = turns.index(turn)
        assert turns[there - 1] == str(int(turn) - 1)
        assert [re.sub(r"\D", "", value) for value in values[who][there - 1 : there + 1]] == [before, after]


class Judge(Patient):
    """Values a game from position *costly* on as nearly lost for the first seat, for which the decision before it is
    to blame most. *sought*: the positions for which the house sought its own choice."""

    def __init__(self, costly: int) -> None:
        super().__init__()
        self.costly = costly
        self.sought = list[int]()

    async def ask(self, urgency: Urgency, think: Callable[..., Any], /, *asked: Any, seconds: float) -> Any:
        if think is reviewing.chances:
            return (0.8, 0.2) if asked[1] < self.costly else (0.1, 0.9)
        if think is reviewing.regret:
            return 0.7 if asked[1] == self.costly - 1 else 0.1
        self.sought.append(asked[1])
        return await super().ask(urgency, think, *asked, seconds=seconds)


async def test_a_better_choice_is_sought_at_the_costly_decision_of_a_turn(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat
) -> None:
    judge = Judge(costly=3)
    service = build(store, painter, clock, draw=lambda n: "07" * n, thinker=judge)
    service.add(chat)
    crowd = Crowd(service, chat)
    for name, line in (("anna", "/newgame crystalla"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    await crowd.says(*await next_turn(store, ROOM.id))
    table = (await table_here(store)).id
    assert len(await store.log(table)) >= judge.costly, "the first turn is several decisions"
    await crowd.ends("ada")
    await crowd.sends("anna", press(table))
    await service.stop()
    assert judge.sought[0] == judge.costly - 1


async def test_agreeing_to_a_draw_is_no_turn_of_it(crowd: Crowd, chat: RecordingChat, store: Store) -> None:
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    for draw in ("", "", "draw "):
        name, typed = await next_turn(store, ROOM.id)
        await crowd.says(name, typed.replace("/move ", f"/move {draw}"))
    ended = await table_here(store)
    (idle,) = {"anna", "ben"} - {name}
    await crowd.says(idle, "/draw")
    await crowd.says(idle, "[Yes, …]")
    await crowd.sends("anna", press(ended.id))
    (post,) = reviews(chat)
    assert post.picture is not None
    curve = re.search(r"Anna: ([^.]*)", post.picture.alt)
    assert curve is not None
    assert curve[1].count("%") == 1 + 3
    assert curve[1].endswith("50%"), "the last of the three ended in a draw"


async def test_pressed_by_two_people_it_is_posted_once_and_the_second_hears_how_far_it_is(
    crowd: Crowd, chat: RecordingChat, table: TableId, thinker: Patient
) -> None:
    assert "post my analysis here" in text(await begins(crowd, thinker, "anna", table))
    assert "I'm already looking back" in text(await crowd.service.handle(crowd.pressing("ben", press(table))))
    thinker.may_go_on.set()
    await crowd.service.idle()
    assert len(reviews(chat)) == 1
    reply = await crowd.sends("ben", press(table))
    assert reply is not None
    assert reply.rows[0][0].link  # type: ignore[index]
    assert len(reviews(chat)) == 1


async def test_turns_go_first(crowd: Crowd, table: TableId, thinker: Patient) -> None:
    await crowd.sends("anna", press(table))
    assert {urgency for urgency, _ in thinker.asked} == {Urgency.REVIEW}


async def test_two_bots_on_one_store_post_it_once(
    services: Callable[[], Service], crowd: Crowd, chat: RecordingChat, table: TableId, thinker: Patient
) -> None:
    chat.dedupes_posts = False
    other = Crowd(services(), chat, updates=500)
    await begins(crowd, thinker, "anna", table)
    await begins(other, thinker, "ben", table)
    thinker.may_go_on.set()
    await asyncio.gather(crowd.service.idle(), other.service.idle())
    assert len(reviews(chat)) == 1


async def test_when_the_bot_dies_meanwhile_it_begins_anew_when_asked(
    services: Callable[[], Service], crowd: Crowd, chat: RecordingChat, table: TableId, thinker: Patient
) -> None:
    await begins(crowd, thinker, "anna", table)
    await crowd.service.stop()
    thinker.may_go_on.set()
    assert not reviews(chat)
    again = crowd.again(services())
    assert "post my analysis here" in text(await again.sends("anna", press(table)))
    assert len(reviews(chat)) == 1


async def test_the_analysis_is_stored_with_the_table(
    services: Callable[[], Service], crowd: Crowd, chat: RecordingChat, table: TableId, thinker: Patient
) -> None:
    await crowd.sends("anna", press(table))
    asked = len(thinker.asked)
    again = crowd.again(services())
    shown = await again.sends("anna", press(table, 0))
    assert shown is not None
    assert shown.text == reviews(chat)[0].text
    assert "already posted" in text(await again.sends("ben", press(table)))
    assert len(thinker.asked) == asked


async def test_it_goes_when_the_table_goes(crowd: Crowd, table: TableId, raw: Redis) -> None:
    await crowd.sends("anna", press(table))
    (key, *_) = keys.of_table(table, keys.shard(table))
    assert raw.hexists(key, keys.attachment("review"))
    left: object = raw.pttl(key)
    assert isinstance(left, int)
    assert left > 0


async def test_a_table_that_is_gone_meanwhile_leaves_nothing_to_be_posted(
    crowd: Crowd, chat: RecordingChat, table: TableId, thinker: Patient, raw: Redis
) -> None:
    await begins(crowd, thinker, "anna", table)
    raw.delete(*keys.of_table(table, keys.shard(table)))
    thinker.may_go_on.set()
    await crowd.service.idle()
    assert not reviews(chat)
    assert not raw.exists(keys.of_table(table, keys.shard(table))[0])


async def test_a_person_forgotten_meanwhile_is_not_named(
    crowd: Crowd, chat: RecordingChat, table: TableId, thinker: Patient
) -> None:
    await begins(crowd, thinker, "anna", table)
    await crowd.service.handle(crowd.pressing("ben", Press(payload.write("forget", "", 1))))
    thinker.may_go_on.set()
    await crowd.service.idle()
    (post,) = reviews(chat)
    assert post.picture is not None
    assert "Ben" not in post.text + post.picture.alt
    assert "Anna" in post.picture.alt


async def test_a_crashed_analysis_is_reported_and_can_be_repeated(
    crowd: Crowd, chat: RecordingChat, table: TableId, thinker: Patient, caplog: pytest.LogCaptureFixture
) -> None:
    thinker.dies = 1
    await crowd.sends("anna", press(table))
    assert "couldn't look back" in chat.newest().text
    assert "review failed" in caplog.text
    await crowd.sends("anna", press(table))
    assert len(reviews(chat)) == 1


async def test_a_quiet_place_gets_private_analyses(crowd: Crowd, chat: RecordingChat, table: TableId) -> None:
    silently = Press(payload.write("set", "place", OF_PLACE.index(PINGS), PINGS.choices.index("off")))
    await crowd.sends("ada", silently, may_manage=True)
    posted = chat.posted
    assert "you alone" in text(await crowd.sends("anna", press(table)))
    shown = await crowd.sends("anna", press(table))
    assert shown is not None
    assert shown.picture is not None
    assert chat.posted == posted


async def test_asked_elsewhere_it_is_shown_there_to_players_alone(
    crowd: Crowd, chat: RecordingChat, table: TableId
) -> None:
    posted, elsewhere = chat.posted, Place(PlaceId("room:@anna"), private=True)
    await crowd.sends("anna", press(table), place=elsewhere)
    shown = await crowd.sends("anna", press(table), place=elsewhere)
    assert shown is not None
    assert shown.picture is not None
    assert "Only the people playing" in text(await crowd.sends("clara", press(table), place=elsewhere))
    assert chat.posted == posted


async def test_a_place_without_pictures_gets_the_words(crowd: Crowd, chat: RecordingChat, table: TableId) -> None:
    chat.pictureless.add(ROOM.id)
    await crowd.sends("anna", press(table))
    (post,) = reviews(chat)
    assert post.picture is None
    assert "Chances of winning" in post.text


async def test_during_a_game_nothing_is_revealed(crowd: Crowd, store: Store, thinker: Patient) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    table = (await table_here(store)).id
    for page in ((), (0,), (1,)):
        assert "isn't over" in text(await crowd.sends("anna", press(table, *page)))
    assert not thinker.asked


async def test_a_game_without_moves_has_nothing_to_analyse(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    table = (await table_here(store)).id
    await crowd.ends("ada")
    assert "Nobody made a move" in text(await crowd.sends("anna", press(table)))


async def test_a_turning_point_that_is_not_there_is_the_chart(crowd: Crowd, table: TableId) -> None:
    await crowd.sends("anna", press(table))
    shown = await crowd.sends("anna", press(table, 99))
    assert shown is not None
    assert WENT in shown.title


async def test_the_stored_analysis_names_no_person(crowd: Crowd, table: TableId, raw: Redis) -> None:
    await crowd.sends("anna", press(table))
    (key, *_) = keys.of_table(table, keys.shard(table))
    kept = b"".join(raw.hget(key, keys.attachment(name)) or b"" for name in ("review", "review post"))  # type: ignore[misc]
    for word in (b"nna", b"room:", PersonId("room:ben").encode()):
        assert word not in kept


async def test_a_private_analysis_can_be_closed_and_a_public_one_cannot(
    crowd: Crowd, chat: RecordingChat, table: TableId
) -> None:
    await crowd.sends("anna", press(table))
    (post,) = reviews(chat)
    assert post.rows
    alone = [await crowd.sends("anna", press(table, page)) for page in (0, 1)]
    for said, ways in ((post, 0), *((reply, 1) for reply in alone)):
        assert said is not None
        assert [button.label for button in buttons(said)].count("✕") == ways


@cache
def crystalla() -> Reviewed:
    """Return a random game of Crystalla, reviewed without turning points."""
    played = games("crystalla")[0]
    people = tuple(Seat(PersonId(f"room:{seat}"), str(seat), "en") for seat in range(played.seats))
    table = Table(
        id=TableId("t"),
        game="crystalla",
        place=PlaceId("room"),
        host=people[0].person,
        lang="en",
        created_ms=0,
        seats=people,
        phase=Phase.RUNNING,
    )
    entries = list[Entry]()
    for state, action, _ in played.steps():
        step = play(with_state(table, state), state, action, 0)
        table, entries = step.table, [*entries, *step.entries]
    review = Review(((50.0,) * played.seats,) * (table.turn + 1), ())
    return Reviewed(table, review, tuple(entries), tuple(played.states))


def test_the_chart_of_crystalla_numbers_the_turns_of_its_players() -> None:
    """The table counts the set-up, and the placing of pieces in the turns of others, as turns of its own."""
    game = crystalla()
    look = words.look(game.table, None, Theme.LIGHT, "en")
    numbers = replies.chart(game, look).numbers
    assert len(numbers) == game.table.turn + 1
    assert numbers == tuple(sorted(numbers))
    assert numbers[-1] == look.turns == 9 * len(game.table.seats) < game.table.turn


def advised(first: int, last: int, *instead: str) -> str:
    """Return what the review says about a turn of that game between two positions."""
    game = crystalla()
    turn = game.entries[first].turn
    point = TurningPoint(turn, first, last, instead)
    review = Review(game.review.chances, (point,))
    return replies.point(replace(game, review=review), 0, PublicPicture(b"", ""), "en").text.splitlines()[-1]


def test_a_better_choice_after_the_same_beginning_says_after_which_action() -> None:
    game = crystalla()
    first = next(number for number, state in enumerate(game.views) if str(state.actions()[0]).startswith("take"))
    last = next(number for number in range(first, 99) if game.entries[number].turn > game.entries[first].turn)
    took, dropped, *_ = (entry.action for entry in game.entries[first:last])
    other = next(str(action) for action in game.views[first + 1].actions() if str(action) != dropped)
    told = advised(first, last, took, other)
    assert told.startswith(f"A stronger choice after “Stack {took[-1]}”, I think, would have been: ")
    assert took not in told


def test_a_better_setup_names_its_cards_by_their_crystals() -> None:
    setup: Any = crystalla().views[0]
    told = advised(0, 4, "keep", "3ane", "1bse", "2csw")
    crystals = [texts.say("crystalla", f"hint.{setup.hands[0][slot]}", "en") for slot in (2, 0, 1)]
    columns = ("a (◥)", "b (◢)", "c (◣)")
    laid = (f"{card} in column {column}" for card, column in zip(crystals, columns, strict=True))
    assert told.endswith(f"{', '.join(laid)}.")
    assert f"swap {crystals[1]}" in advised(0, 4, "swap1")


def test_nothing_is_said_of_a_turn_of_which_only_the_good_beginning_is_known() -> None:
    game = crystalla()
    whole = [entry.action for entry in game.entries[:4]]
    assert advised(0, 4, *whole) == "I found nothing stronger."
    assert not re.search("stronger|well", advised(0, 4, *whole[:2]))
