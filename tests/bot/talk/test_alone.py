"""Records against the house: every game counts once, only its person sees them, and they can be deleted."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.chat import PersonId, Press
from bot.repository.results import Results
from bot.requests import payload
from bot.runtime.clock import to_ms
from bot.service.service import Service
from bot.store import keys
from bot.store.records import RATED_MS
from bot.store.store import Store
from bot.tables.solo import SoloRecord, SoloResult
from bot.tables.table import Phase, Table, TableId
from tests.bot.conftest import HandClock
from tests.bot.scanning import where
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, stamped
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_forgetting import FORGET, WORDS, ZEB, Talk, talk
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.turns import next_turn, saved

__all__ = ["talk"]

ANNA = PersonId("room:anna")
FIRST = "beats the house (easy) in Kabooom! for the first time"


async def records(store: Store, person: PersonId = ANNA) -> dict[str, SoloRecord]:
    """Return the records by level, in the one game that was played."""
    return dict((await store.solo.of(person)).get("kabooom", {}))


async def begins(crowd: Crowd, store: Store) -> Table:
    await crowd.says("anna", "/newgame kabooom easy house easy")
    await crowd.says("anna", "/start")
    return await table_here(store)


async def loses(crowd: Crowd, store: Store, update: str | None = None) -> Table:
    """Make a move and resign. Return the finished table."""
    table = await begins(crowd, store)
    await crowd.says("anna", "/move pass")
    await crowd.sends("anna", Press(stamped("resign", await table_here(store))), update)
    return await saved(store, table.id)


async def wins(crowd: Crowd, store: Store) -> None:
    await begins(crowd, store)
    while await store.at(ROOM.id) is not None:
        await crowd.says(*await next_turn(store, ROOM.id))


LOST = SoloRecord(1, 0, 1)
WON = SoloRecord(1, 1, 0, best=15, streak=1, badges=("skyscraper",))


# Once


@pytest.fixture
async def left_behind(store: Store, dying_at_the_end: Callable[[], AbstractAsyncContextManager[Crowd]]) -> TableId:
    """Return a table that Anna has lost, saved by a worker that died right after the save."""
    async with dying_at_the_end() as crowd:
        table = await begins(crowd, store)
        await crowd.says("anna", "/move pass")
        await crowd.sends("anna", Press(stamped("resign", await table_here(store))))
    assert (await saved(store, table.id)).phase == Phase.OVER
    assert await records(store) == {}
    return table.id


async def test_a_result_of_a_dead_worker_is_recorded_once_by_the_next(
    left_behind: TableId, bots: Callable[[], Service], store: Store, clock: HandClock
) -> None:
    others = [bots(), bots()]
    await clock.advance(timedelta(minutes=3))
    await asyncio.gather(*(other.do_due() for other in others))
    assert await records(store) == {"easy": LOST}
    await clock.advance(timedelta(minutes=3))
    await others[0].do_due()
    assert await records(store) == {"easy": LOST}


async def test_many_workers_and_a_repeated_update_count_one_game_once(
    crowd: Crowd, store: Store, server: str, clock: HandClock
) -> None:
    over = await loses(crowd, store, "room:resigned")
    await crowd.sends("anna", Press(stamped("resign", over)), "room:resigned")
    stores = [store, await Store.open(server)]
    await asyncio.gather(*(Results(stores[n % 2], lambda: to_ms(clock.now())).settle(over) for n in range(20)))
    assert await records(store) == {"easy": LOST}
    await stores[1].close()


async def test_a_record_sums_games_and_keeps_the_best_and_the_streak(
    crowd: Crowd, store: Store, raw: Redis, clock: HandClock
) -> None:
    table = await loses(crowd, store)
    now_ms = to_ms(clock.now())

    async def ends(number: int, result: SoloResult, at_ms: int = now_ms) -> None:
        await store.solo.add(ANNA, replace(table, id=TableId(f"table{number:03}")), result, at_ms)

    await ends(0, SoloResult(0, is_won=True, is_lost=False, points=-2))
    await ends(1, SoloResult(0, is_won=True, is_lost=False, points=-4))
    assert await records(store) == {"easy": SoloRecord(3, 2, 1, -2, 2)}
    await ends(2, SoloResult(0, is_won=False, is_lost=False, points=3), now_ms + RATED_MS + 1)
    assert await records(store) == {"easy": SoloRecord(4, 2, 1, 3, 0)}
    assert raw.zrange(keys.person_counted(ANNA), 0, -1) == [b"table002"], "older tables cannot come again"


async def test_a_person_without_a_move_has_no_result(crowd: Crowd, store: Store) -> None:
    await begins(crowd, store)
    await crowd.sends("anna", Press(stamped("resign", await table_here(store))))
    assert await records(store) == {}


# The first win


async def test_the_first_win_over_a_level_is_told_once(crowd: Crowd, store: Store, chat: RecordingChat) -> None:
    await wins(crowd, store)
    assert FIRST in chat.newest().text
    assert await records(store) == {"easy": WON}
    await wins(crowd, store)
    assert FIRST not in chat.newest().text
    assert await records(store) == {"easy": SoloRecord(2, 2, 0, 15, 2, ("skyscraper",))}


async def test_a_new_badge_is_a_small_picture_below_the_final_board(
    crowd: Crowd, store: Store, chat: RecordingChat
) -> None:
    await wins(crowd, store)
    board, badge = [*chat.messages.values()][-2:]
    assert board.title.startswith("🏆 Anna wins")
    assert badge.text.splitlines()[1] == "🏅 Anna wins a badge: A tower of seven or more."
    assert badge.picture is not None
    assert len(badge.picture.png) < 15_000
    assert "Badges: A tower of seven or more" in text(await crowd.says("anna", "/stats"))
    await wins(crowd, store)
    assert chat.newest().title.startswith("🏆 Anna wins"), "no badge is won twice"


async def test_a_badge_that_the_game_has_no_more_is_kept_and_not_shown(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    table = await loses(crowd, store)
    won = SoloResult(0, is_won=True, is_lost=False, points=9, badges=("no_dynamite", "forgotten"))
    await store.solo.add(ANNA, replace(table, id=TableId("another")), won, to_ms(clock.now()))
    assert "Badges: Without a stick of dynamite\n" in text(await crowd.says("anna", "/stats"))
    assert (await records(store))["easy"].badges == ("no_dynamite", "forgotten")


async def test_without_pictures_a_badge_is_told_in_words(crowd: Crowd, store: Store, chat: RecordingChat) -> None:
    chat.pictureless.add(ROOM.id)
    await wins(crowd, store)
    assert chat.newest().text.startswith("🏅 Anna beats the house")


async def test_a_hidden_persons_first_win_is_counted_but_not_told(
    crowd: Crowd, store: Store, chat: RecordingChat
) -> None:
    await crowd.sends("anna", Press(payload.write("hide", "", 1)))
    await wins(crowd, store)
    assert FIRST not in chat.newest().text
    assert await records(store) == {"easy": WON}


# Own data


async def test_only_the_person_sees_the_record_and_it_is_in_the_file(crowd: Crowd, store: Store) -> None:
    await loses(crowd, store)
    assert "0 wins, 1 loss" in text(await crowd.says("anna", "/stats"))
    assert "house" not in text(await crowd.says("ben", "/stats anna"))
    data = read(await crowd.sends("anna", EXPORT))
    lost: dict[str, object] = {"games": 1, "wins": 0, "losses": 1, "best": None, "streak": 0, "badges": []}
    assert data["against_the_house"] == {"kabooom": {"easy": lost}}
    assert "Your result in one game against the house" in text(await crowd.says("anna", "/privacy"))


async def test_a_forgotten_person_has_no_record_against_the_house(
    talk: Talk, store: Store, raw: Redis, clock: HandClock
) -> None:
    await talk.zeb("/newgame kabooom easy house easy")
    await talk.zeb("/start")
    await talk.zeb("/move pass")
    table = await table_here(store)
    await talk.zeb(Press(stamped("resign", table)))
    known = await talk.table(table.id)
    assert await records(store, ZEB.id) == {"easy": LOST}
    await talk.zeb(FORGET)
    assert where(raw, *WORDS) == []
    await Results(store, lambda: to_ms(clock.now())).settle(known)  # a worker that had loaded the table before
    assert where(raw, *WORDS) == []
