"""Hints: who gets them, how many, their source, and hints that come too late."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import msgspec
import pytest

import texts
from bot.app import build
from bot.chat import Expiry, PersonId, Press, Reply, Role
from bot.delivery.painting import Pictures
from bot.extras.hints.feature import Hints
from bot.extras.hints.replies import Advice, hint
from bot.house.suggesting import only_way, suggest
from bot.house.workers import Urgency
from bot.replies import news
from bot.replies.wording import actions_text
from bot.requests import payload
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Seat, Table, TableId, time_of
from kaleidobot.testing.playing import games, some_states
from rules import GAMES
from rules.chance import Chance
from rules.games import crystalla, kabooom
from rules.games.crystalla import COLOURS
from tests.bot.conftest import HandClock
from tests.bot.house.playing import AtOnce, T, best_action
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons, stamped
from tests.bot.talk.test_service import table_here
from tests.rules import kaleidoskop


class Patient(AtOnce):
    """Gives hints when it may. *asked*: how urgently, and what; *dies*: so often its process does."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.asked: list[tuple[Urgency, tuple[Any, ...]]] = []
        self.began = asyncio.Event()
        self.dies = 0

    async def ask(self, urgency: Urgency, think: Callable[..., T], /, *asked: Any, seconds: float) -> T:
        self.asked.append((urgency, asked))
        self.began.set()
        await self.may_go_on.wait()
        if self.dies:
            self.dies -= 1
            raise BrokenProcessPool
        return await super().ask(urgency, think, *asked, seconds=seconds)


@pytest.fixture
def thinker() -> Patient:
    return Patient()


@pytest.fixture
async def service(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat, thinker: Patient
) -> AsyncIterator[Service]:
    made = build(store, painter, clock, draw=lambda n: "07" * n, thinker=thinker)
    made.add(chat)
    yield made
    await made.stop()


@pytest.fixture
async def crowd(service: Service, chat: RecordingChat) -> Crowd:
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kabooom house easy")
    await crowd.says("anna", "/start")
    return crowd


def text(reply: Reply | None) -> str:
    assert reply is not None
    return reply.text


async def test_a_hint_changes_nothing_at_the_table_and_posts_nothing(
    crowd: Crowd, store: Store, chat: RecordingChat
) -> None:
    before, posted = await table_here(store), chat.posted
    assert "I'd play" in text(await crowd.says("anna", "/hint"))
    assert (await table_here(store), chat.posted) == (before, posted)


async def test_a_hint_has_a_board_and_goes_with_its_turn(crowd: Crowd, store: Store) -> None:
    reply = await crowd.says("anna", "/hint")
    assert reply is not None
    assert reply.expires == Expiry(time_of(await table_here(store)))
    assert reply.picture is not None


async def test_the_house_uses_only_facts_its_seat_saw_and_turns_go_first(crowd: Crowd, thinker: Patient) -> None:
    await crowd.says("anna", "/hint")
    ((urgency, (game, seen, seat, _)),) = thinker.asked
    assert urgency is Urgency.HINT
    assert (game, seat) == ("kabooom", 0)
    assert all(view.seed is None for view in seen)


async def test_asked_for_twice_at_once_it_is_thought_about_and_counted_once(
    crowd: Crowd, thinker: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking, had = 0, Hints._had

    async def looked_up(hints: Hints, table: TableId, seat: int) -> object:
        nonlocal asking
        result = await had(hints, table, seat)
        asking += 1
        return result

    monkeypatch.setattr(Hints, "_had", looked_up)
    thinker.may_go_on.clear()
    both = [asyncio.create_task(crowd.service.handle(crowd.update("anna", "/hint"))) for _ in range(2)]
    while asking < 2:
        await asyncio.sleep(0.01)
    thinker.may_go_on.set()
    results = [text(reply) for reply in await asyncio.gather(*both)]
    assert results[0] == results[1]
    assert "2 more hints" in results[0]
    assert len(thinker.asked) == 1


async def test_a_hint_that_comes_when_the_table_went_on_says_so_and_does_not_count(
    crowd: Crowd, thinker: Patient
) -> None:
    thinker.may_go_on.clear()
    hint = asyncio.create_task(crowd.service.handle(crowd.update("anna", "/hint")))
    await thinker.began.wait()
    await crowd.service.handle(crowd.update("anna", "/move r@a1"))
    await crowd.service.idle()
    thinker.may_go_on.set()
    assert "went on" in text(await hint)
    assert "2 more hints" in text(await crowd.says("anna", "/hint"))


async def test_a_move_does_not_wait_for_a_hint(crowd: Crowd, thinker: Patient, store: Store) -> None:
    thinker.may_go_on.clear()
    hint = asyncio.create_task(crowd.service.handle(crowd.update("anna", "/hint")))
    await thinker.began.wait()  # a hint is given up after thirty
    before = (await table_here(store)).turn
    async with asyncio.timeout(60):
        await crowd.service.handle(crowd.update("anna", "/move r@a1"))
    assert (await table_here(store)).turn > before
    thinker.may_go_on.set()
    await hint


async def test_a_crashed_hint_is_reported_and_not_counted(crowd: Crowd, thinker: Patient) -> None:
    thinker.dies = 1
    assert "Nothing is lost" in text(await crowd.says("anna", "/hint"))
    assert "2 more hints" in text(await crowd.says("anna", "/hint"))


async def test_each_player_has_three_hints(crowd: Crowd, service: Service, store: Store) -> None:
    other = Crowd(service, crowd.chat, updates=1000)
    await crowd.ends("ada")
    await other.says("anna", "/newgame kabooom house easy")
    await other.says("anna", "/end")
    await other.says("anna", "/newgame colorio")
    table = await table_here(store)
    await other.says("ben", "/join")
    await other.sends("anna", Press(payload.write("house", table.id, 1)))
    await other.says("anna", "/start")
    up = "anna" if "I'd play" in text(await other.says("anna", "/hint")) else "ben"
    assert "2 more hints" in text(await other.says(up, "/hint"))


async def test_only_the_actor_gets_a_hint(crowd: Crowd, thinker: Patient) -> None:
    assert "have a seat" in text(await crowd.says("ben", "/hint"))
    assert not thinker.asked


async def test_more_offers_a_hint_if_one_is_available(crowd: Crowd) -> None:
    await crowd.says("anna", "[More]")
    assert "I'd play" in text(await crowd.says("anna", "[Hint]"))


async def test_a_rated_game_offers_no_hint(service: Service, chat: RecordingChat) -> None:
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "[More]")
    with pytest.raises(AssertionError, match="sees no button"):
        await crowd.says("anna", "[Hint]")
    assert "counts towards the statistics" in text(await crowd.says("anna", "/hint"))


async def test_with_the_house_as_stand_in_there_is_no_hint_or_promise(service: Service, chat: RecordingChat) -> None:
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("clara", "/join")
    await crowd.says("anna", "/start")
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    answer = text(await crowd.says("anna", "/hint"))
    assert "counts towards the statistics" in answer
    assert "played in from the start" in answer


async def test_a_hint_is_played_with_one_tap_all_of_it(service: Service, chat: RecordingChat, store: Store) -> None:
    """A turn of Kaleidoskop has several actions."""
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame kaleidoskop house easy")
    await crowd.says("anna", "/start")
    before = await table_here(store)
    hint = text(await crowd.says("anna", "/hint"))
    played = await crowd.says("anna", "[Play it]")
    assert played is not None
    assert played.role is Role.TOAST
    after = await table_here(store)
    assert after.turn > before.turn
    assert isinstance(before.state, msgspec.Raw)
    state: Any = GAMES["kaleidoskop"].decode(bytes(before.state))
    actions = [entry.action for entry in await store.log(before.id) if entry.seat == 0 and entry.turn == before.turn]
    assert (
        actions_text("kaleidoskop", state.view(0), GAMES["kaleidoskop"].parse(state, " ".join(actions)), "en") in hint
    )


async def test_a_hint_for_a_board_that_has_gone_on_plays_nothing(crowd: Crowd, store: Store) -> None:
    reply = await crowd.says("anna", "/hint")
    assert reply is not None
    await crowd.says("anna", "/move r@a1")
    await crowd.service.idle()
    before = await table_here(store)
    (button,) = buttons(reply)
    assert "out of date" in text(await crowd.sends("anna", Press(button.payload)))
    assert await table_here(store) == before


async def test_no_player_can_play_another_players_hint(crowd: Crowd, store: Store) -> None:
    reply = await crowd.says("anna", "/hint")
    assert reply is not None
    before = await table_here(store)
    (button,) = buttons(reply)
    assert "have a seat" in text(await crowd.sends("ben", Press(button.payload)))
    assert await table_here(store) == before


async def test_a_player_without_a_hint_cannot_play_one(crowd: Crowd, store: Store) -> None:
    """A payload that was put together by hand."""
    before = await table_here(store)
    forged = stamped("follow", before)
    assert "no longer works" in text(await crowd.sends("anna", Press(forged)))
    assert await table_here(store) == before


async def test_a_hint_in_a_game_about_memory_fades_with_the_turn(service: Service, chat: RecordingChat) -> None:
    crowd = Crowd(service, chat)
    await crowd.says("anna", "/newgame colorio house easy")
    await crowd.says("anna", "/start")
    reply = await crowd.says("anna", "/hint")
    assert reply is not None
    assert reply.expires_strictly


def test_a_suggestion_goes_as_far_as_the_seat_can_see() -> None:
    state: Any = GAMES["crystalla"].start(2, None, 1)
    result = suggest("crystalla", [state.view(0)], 0, Chance(1), iterations=2)
    assert result[0] in state.actions()
    for action in result:
        assert state.actor == 0
        state = state.play(action)


def positions(game: str) -> Iterator[tuple[list[Any], int]]:
    """Yield some decisions of sensible games: the views of the actor so far, the last one to act in, and its seat."""
    luck = random.Random(game)
    for seats in GAMES[game].seats:
        state: Any = GAMES[game].start(seats, None, seats)
        seen: list[list[Any]] = [[] for _ in range(seats)]
        for step in range(120):
            if state.actor is None:
                break
            for seat, views in enumerate(seen):
                views.append(state.view(seat))
            own = seen[state.actor] if state.forgets else seen[state.actor][-1:]
            if luck.random() < 0.15 and not only_way(own[-1]):
                yield [*own], state.actor
            state = state.play(best_action(state, state.actor, Chance(seats, step)))


def table_of(game: str, view: Any, lang: str) -> Table:
    names = ("Anna", "Ben", "Clara", "Dora", "Emil", "Finn")
    people = tuple(Seat(PersonId(f"room:{name}"), name, lang) for name in names[: view.seats])
    return Table(
        id=TableId("t"), game=game, place=ROOM.id, host=people[0].person, lang=lang, created_ms=0, seats=people
    )


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("left", [1, None])
def test_a_hint_names_the_price_of_its_moves(game: str, lang: str, left: int | None) -> None:
    """Whatever the game would ask about before the move."""
    priced = 0
    for state in some_states(game):
        if state.actor is None:
            continue
        view = state.view(state.actor)
        for action in view.actions():
            if code := view.warns(action) or view.cautions(action):
                given = hint(table_of(game, view, lang), Advice((view,), (action,)), left, lang, secret=True)
                assert texts.say(game, f"warn.{code}", lang) in given.text
                priced += 1
    assert priced or game != "kalejdoschach"


@pytest.mark.parametrize("lang", texts.languages())
def test_a_hint_names_one_piece_at_risk_after_the_purpose(lang: str) -> None:
    for state in some_states("kalejdoschach"):
        if state.actor is None:
            continue
        view = state.view(state.actor)
        for action in view.actions()[::7]:
            given = hint(table_of("kalejdoschach", view, lang), Advice((view,), (action,)), 1, lang, secret=True)
            risks = [news.why(table_of("kalejdoschach", view, lang), risk, lang) for risk in view.risks(action)]
            assert given.text.splitlines()[-1 - len(risks) : -1] == risks


@pytest.mark.parametrize("lang", texts.languages())
def test_a_hint_for_a_climb_without_points_begins_with_that(lang: str) -> None:
    begun = tuple(
        texts.say("kabooom", f"why.{code}", lang, field="").partition(".")[0] for code in ("no_points", "idle")
    )
    later = texts.say("kabooom", "why.later", lang, field="").partition(",")[0]
    told = 0
    for state in some_states("kabooom"):
        climbs = [action for action in state.actions() if isinstance(action, kabooom.Move)]
        for climb in climbs:
            view, after = state.view(state.actor), state.play(climb)
            if after.outcome is None and after.standing()[state.actor] == state.standing()[state.actor]:
                given = hint(table_of("kabooom", view, lang), Advice((view,), (climb,)), 1, lang, secret=True)
                assert given.text.splitlines()[1].startswith((*begun, later))
                told += 1
    assert told > 10


@pytest.mark.parametrize("lang", texts.languages())
def test_a_hint_for_a_walk_names_each_other_seat_with_a_pair(lang: str) -> None:
    told = 0
    for played in games("crystalla"):
        for state, action, after in played.steps():
            if isinstance(action, crystalla.Drop) and after.due and any(state.open):
                view = state.view(state.actor)
                table = table_of("crystalla", view, lang)
                given = hint(table, Advice((view,), (action,)), 1, lang, secret=True)
                others = [COLOURS.index(colour) for colour in after.due if COLOURS.index(colour) != state.actor]
                presents = [item for item in view.reasons(action) if item.code.startswith("present")]
                assert [item.to for item in presents] == others
                assert {news.why(table, item, lang) for item in presents} <= {*given.text.splitlines()}
                told += len(others)
    assert told > 20


def advised(state: Any, actions: str) -> str:
    """Return the hint to play *actions* in a game of Kaleidoskop."""
    view = state.view(0)
    advice = Advice((view,), GAMES["kaleidoskop"].parse(view, actions))
    return hint(table_of("kaleidoskop", view, "en"), advice, 1, "en", secret=True).text


def test_each_step_of_a_hint_has_its_points_and_the_sum_is_what_happens() -> None:
    cards = [kaleidoskop.BLUE_01, {"back": "orange", "id": "o01"}]
    state = kaleidoskop.position("15r 20r 16y 22y 46p 40p 62r", kaleidoskop.player(hand=cards, score=5))
    actions = "62g claim1a>orange buy:mirror limit>blue end"
    steps, total, *reasons, _ = advised(state, actions).splitlines()
    assert re.findall(r"\((.\d)\)", steps) == ["−1", "+1", "−3", "−2"]
    assert total == "In all: −5 points."
    assert kaleidoskop.act(state, actions).players[0].score == 5 - 5
    assert reasons[0].startswith("Your task 1A is on the board: ")
    assert "💎" not in " ".join(reasons), "one account"


def test_a_hint_with_one_gain_or_price_tells_it_once() -> None:
    state = kaleidoskop.lit_for_b01(score=5)
    steps, total, *_ = advised(state, "10v buy:mirror end").splitlines()
    assert "(" not in steps
    assert total == "It costs you 3 points."


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_nearly_every_hint_has_a_reason(game: str, lang: str) -> None:
    """Beyond the chances that the house has worked out."""
    generic = {texts.say("house", f"hint.{key}", lang) for key in ("chances", "rest")}
    generic |= {texts.find(game, "why.idle", lang) or ""}
    hints, without = 0, list[str]()
    for seen, seat in positions(game):
        actions = suggest(game, seen, seat, Chance(0, label=game), iterations=1)
        given = hint(table_of(game, seen[-1], lang), Advice(tuple(seen), actions), 1, lang, secret=True)
        hints += 1
        if not {*given.text.splitlines()[1:-1]} - generic:
            without.append(" ".join(map(str, actions)))
    assert hints > 10
    assert len(without) <= hints * 0.05, without
