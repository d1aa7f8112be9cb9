"""Messages without a command: a move, or not for the bot."""

from typing import Any, cast

import pytest
from msgspec import Raw
from redis import Redis

from bot.chat import MessageId, Place, PlaceId, PlainMessage, Reply, Typed
from bot.replies.words import say
from bot.runtime.rate_limit import AT_ONCE
from bot.store.store import Store
from bot.tables.table import Table
from rules import GAMES
from tests.bot.talk.recording import ROOM, Crowd

TALK = (
    *("ok", "pass", "x", "X!", "draw", "draw?", "remis", "end", "ende", "fertig", "done", "weiter", "next", "keep"),
    *("3", "17", "1 2 3", "what about b3?", "b3 is nice", "see you at 8", "I am 2nd", "lol", "", " ", "🎲", "b3-"),
    *("@anna b1", "10%", "1:1", "2 of 3", "a1!"),
)


async def said(crowd: Crowd, name: str, text: str, place: Place = ROOM) -> Reply | None:
    return await crowd.sends(name, PlainMessage(text), place=place)


async def here(store: Store) -> Table:
    held = await store.at(ROOM.id)
    assert held is not None
    loaded = await store.load(held)
    assert loaded is not None
    return loaded.table


async def position(store: Store) -> Any:
    table = await here(store)
    assert isinstance(table.state, Raw)
    return GAMES[table.game].decode(bytes(table.state))


async def begun(crowd: Crowd, game: str) -> None:
    for name, line in (("anna", f"/newgame {game}"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)


async def test_a_bare_move_of_the_actor_is_a_move(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    reply = await said(crowd, "anna", "B1 - c1")
    assert reply is not None
    assert reply.text == "Played: b1 → c1"
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1"]


@pytest.mark.parametrize("name", ["anna", "ben", "clara"])
async def test_illegal_moves_and_other_peoples_words_are_ignored(crowd: Crowd, store: Store, name: str) -> None:
    await begun(crowd, "kabooom easy")
    before = await here(store)
    assert await said(crowd, name, "b1-d1" if name == "anna" else "b1-c1") is None
    assert await here(store) == before


@pytest.mark.parametrize("words", ["put {}", "Put onto {}", "lege auf {}", "to {}"])
async def test_a_move_in_words_needs_no_command(crowd: Crowd, store: Store, words: str) -> None:
    """A cap that was lifted in Colorio goes onto an open field."""
    await begun(crowd, "colorio")
    await said(crowd, "anna", "a1 x b1 x c1 x")
    await said(crowd, "ben", "e5")
    cover = next(action for action in (await position(store)).actions() if str(action) != "x")
    assert await said(crowd, "ben", words.format(cover.field.upper())) is not None
    assert [entry.action for entry in await store.log((await here(store)).id)][-1] == str(cover)


@pytest.mark.parametrize("game", GAMES)
async def test_nobodys_small_talk_is_taken_for_a_move(crowd: Crowd, store: Store, game: str) -> None:
    await begun(crowd, game)
    before = await here(store)
    for text in (*TALK, "x" * 10_000, "b3 " * 3_000):
        for name in ("anna", "ben", "clara"):
            assert await said(crowd, name, text) is None, text
    assert await here(store) == before


async def answers(crowd: Crowd, name: str, text: str, post: MessageId) -> Reply | None:
    return await crowd.sends(name, PlainMessage(text, post))


async def board(store: Store) -> MessageId:
    """Return the newest board."""
    held = await store.at(ROOM.id)
    assert held is not None
    loaded = await store.load(held)
    assert loaded is not None
    assert loaded.board_message is not None
    return loaded.board_message.message


async def test_a_move_of_one_word_is_one_in_answer_to_the_newest_board_alone(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    older = await board(store)
    await said(crowd, "anna", "b1-c1")
    newest = await board(store)
    assert newest != older
    assert await said(crowd, "ben", "pass") is None
    assert await answers(crowd, "ben", "pass", older) is None
    assert await answers(crowd, "anna", "pass", newest) is None, "Ben is up"
    for talk in ("nice", "ok", "rock", "3", "pass!", "pass pass", "lol", "end"):
        assert await answers(crowd, "ben", talk, newest) is None, talk
    reply = await answers(crowd, "ben", "Pass", newest)
    assert reply is not None
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1", "pass"]


async def test_what_names_a_field_may_answer_anything_that_the_bot_has_posted(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    assert await answers(crowd, "anna", "b1-c1", MessageId("reminder")) is not None
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1"]


async def test_words_after_a_move_are_not_part_of_it_in_a_chat(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "colorio")
    before = await here(store)
    for text in ("a1 xxx", "a1 XX", "a1 x xx", "a1..."):
        assert await said(crowd, "anna", text) is None, text
    assert await here(store) == before
    assert await said(crowd, "anna", "a1 x") is not None


@pytest.mark.parametrize("text", ["b1-c1.", "“b1-c1”", "`b1`-`c1`", "(b1-c1)", "«b1-c1.»", "\u200eb1-c1\u200f"])
async def test_punctuation_around_a_move_is_not_part_of_it(crowd: Crowd, store: Store, text: str) -> None:
    await begun(crowd, "kabooom easy")
    assert await said(crowd, "anna", text) is not None
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1"]


@pytest.mark.parametrize(
    ("name", "line", "answer"),
    [
        ("anna", "/mvoe b1-c1", "I don't know /mvoe. Did you mean /move?"),
        ("dora", "`/regel`", "/regel kenne ich nicht. Meintest du /regeln?"),
        ("anna", "/weather", "I don't understand “/weather”. /help shows what I can do."),
    ],
)
async def test_a_misspelt_command_is_answered_with_the_similar_one(
    crowd: Crowd, name: str, line: str, answer: str
) -> None:
    reply = await crowd.says(name, line)
    assert reply is not None
    assert reply.text == answer


async def test_dots_behind_a_move_are_a_thought(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kalejdoschach")
    before = await here(store)
    for text in ("1d-1b...", "1d-1b …", "1d-1b .."):
        assert await said(crowd, "anna", text) is None, text
        assert await said(crowd, "ben", text) is None, text
    assert await here(store) == before


async def test_without_a_game_nothing_is_said(crowd: Crowd) -> None:
    assert await said(crowd, "anna", "b1-c1") is None
    assert await said(crowd, "anna", "hello", Place(PlaceId("room:cellar"))) is None


async def test_alone_with_the_bot_a_bare_move_is_one_and_the_rest_is_asked_back(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    alone = Place(PlaceId("room:@anna"), private=True)
    assert "I don't understand" in str(await crowd.says("anna", "hello", place=alone))
    reply = await crowd.says("anna", "b1-c1", place=alone)
    assert reply is not None
    assert reply.text == "Played: b1 → c1"


def commands(raw: Redis) -> int:
    """Return the number of commands that the store has received."""
    statistics = cast("dict[str, dict[str, int]]", raw.info("commandstats"))
    ours = ("cmdstat_info", "cmdstat_config", "cmdstat_ping")
    return sum(command["calls"] for name, command in statistics.items() if not name.startswith(ours))


async def test_what_cannot_be_a_move_is_never_looked_up(crowd: Crowd, raw: Redis) -> None:
    await begun(crowd, "kabooom easy")
    before = commands(raw)
    assert await said(crowd, "anna", "good morning") is None
    assert commands(raw) == before


async def test_a_person_without_allowance_costs_the_store_nothing(crowd: Crowd, raw: Redis) -> None:
    await begun(crowd, "kabooom easy")
    for _ in range(AT_ONCE):
        await crowd.sends("anna", Typed("/help"))
    before = commands(raw)
    fast = say("trouble.fast", "en")
    for reply in (await said(crowd, "anna", "b1-c1"), await crowd.sends("anna", Typed("/help"))):
        assert reply is not None
        assert reply.text == fast
    assert await said(crowd, "anna", "good morning") is None, "nobody's small talk is answered"
    alone = Place(PlaceId("room:@anna"), private=True)
    reply = await crowd.sends("anna", Typed("good morning"), place=alone)
    assert reply is not None
    assert reply.text == fast
    assert commands(raw) == before
