"""Guesses of spectators: one for each, told only at the end, and only the first right one of the first half."""

import re

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.chat import PersonId, Press
from bot.requests import CastVote, GuessWinner, Stamp
from bot.store.store import Store
from bot.tables import guesses, voting
from bot.tables.guesses import Guessed
from bot.tables.table import Guess, Phase, Result, Table, TableId
from tests.bot.scanning import where
from tests.bot.talk.recording import ROOM, Crowd
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_service import table_here, text

MOVES = ("b1-a1", "d2-c3", "c1-b2", "f2-e2")


async def begins(crowd: Crowd, store: Store) -> Table:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    return await table_here(store)


async def test_a_spectator_calls_the_winner_by_one_tap_and_once(crowd: Crowd, store: Store) -> None:
    await begins(crowd, store)
    await crowd.says("cleo", "[More]")
    assert "Ben wins" in text(await crowd.says("cleo", "[🔮 Tip: Ben wins]"))
    reply = await crowd.says("cleo", "[More]")
    assert "🔮" not in "\n".join(crowd.chat.lines[-1:])
    assert reply is not None


async def test_another_call_of_the_same_person_does_not_count(crowd: Crowd, store: Store) -> None:
    table = await begins(crowd, store)
    for seat, answer in ((1, "Ben wins"), (0, "already"), (1, "Ben wins")):
        assert answer in text(await crowd.sends("cleo", Press(GuessWinner(table.id, seat).payload)))


async def test_people_who_play_do_not_call_the_winner(crowd: Crowd, store: Store) -> None:
    table = await begins(crowd, store)
    assert "yourself" in text(await crowd.sends("anna", Press(GuessWinner(table.id, 0).payload)))
    await crowd.says("anna", "[More]")
    assert "🔮" not in crowd.chat.lines[-1]


async def test_more_offers_a_call_only_to_people_whose_call_counts(crowd: Crowd, store: Store) -> None:
    await crowd.says("ada", "/newgame kabooom easy channel house")
    await crowd.says("ada", "/start")
    table = await table_here(store)
    await crowd.says("anna", "[More]")
    assert "🔮" in crowd.chat.lines[-1]
    stamp = Stamp(*voting.moment(await crowd.service.repository.load(table.id)))
    assert "Your vote" in text(await crowd.sends("anna", Press(CastVote(table.id, stamp, (0,)).payload)))
    await crowd.says("anna", "[More]")
    assert "🔮" not in crowd.chat.lines[-1]


async def test_people_who_have_played_do_not_call_the_winner(crowd: Crowd, store: Store) -> None:
    table = await begins(crowd, store)
    await crowd.sends("cleo", Press(GuessWinner(table.id, 0).payload))
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Look for somebody]")
    await crowd.says("cleo", "[Take Anna's seat]")
    await crowd.says("cleo", "[Take the seat]")
    assert "yourself" in text(await crowd.sends("anna", Press(GuessWinner(table.id, 0).payload)))
    over = replace(await table_here(store), phase=Phase.OVER, turn=9, result=Result("points", (0,)))
    guess = guesses.encoded(Guessed("Cleo", 0, 0, 1))
    assert guesses.first_right(over, {PersonId("room:cleo"): guess, PersonId("room:anna"): guess}) is None


async def test_the_final_post_tells_the_first_right_call_and_nothing_before_does(crowd: Crowd, store: Store) -> None:
    table = await begins(crowd, store)
    await crowd.sends("dora", Press(GuessWinner(table.id, 0).payload))
    await crowd.sends("cleo", Press(GuessWinner(table.id, 1).payload))
    await crowd.says("anna", "/move b2-c3")
    await crowd.says("ben", "/move c2-d1")
    assert all("Cleo" not in post.text for post in crowd.chat.messages.values())
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    assert "🔮 Cleo called it on turn 1." in crowd.chat.newest().text


@pytest.mark.parametrize(("turn", "counts"), [(0, True), (4, True), (5, False), (9, False)])
def test_a_call_in_the_second_half_does_not_count(turn: int, counts: bool) -> None:
    result = Result("points", (1,))
    table = Table(
        id=TableId("x"),
        game="kabooom",
        place=ROOM.id,
        host=PersonId("room:anna"),
        lang="en",
        created_ms=0,
        phase=Phase.OVER,
        turn=10,
        result=result,
    )
    known = {
        PersonId("room:cleo"): guesses.encoded(Guessed("Cleo", 1, turn, 5)),
        PersonId("room:dan"): guesses.encoded(Guessed("Dan", 0, 0, 1)),
    }
    right = Guess(PersonId("room:cleo"), "Cleo", turn)
    assert guesses.first_right(table, known) == (right if counts else None)


async def test_a_call_is_in_its_persons_file_and_goes_with_it(crowd: Crowd, store: Store, raw: Redis) -> None:
    table = await begins(crowd, store)
    await crowd.sends("zeb", Press(GuessWinner(table.id, 1).payload))
    (entry,) = read(await crowd.sends("zeb", EXPORT))["tables"]
    assert '"seat":1' in entry["guess"]
    await crowd.says("anna", "/move b2-c3")
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    assert "Zeb" in crowd.chat.newest().text
    await crowd.says("zeb", "/privacy")
    await crowd.says("zeb", "[Delete everything about me]")
    await crowd.says("zeb", "[Yes, delete everything]")
    assert where(raw, "Zeb", "room:zeb") == []


async def test_a_review_adds_how_unlikely_it_was(crowd: Crowd, store: Store) -> None:
    table = await begins(crowd, store)
    await crowd.sends("cleo", Press(GuessWinner(table.id, 1).payload))
    await crowd.says("anna", "/move b2-c3")
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    await crowd.says("ben", "[How it went]")
    said = "\n".join(post.text for post in crowd.chat.messages.values())
    assert re.search(r"🔮 Cleo called it on turn 1, at \d+ %\.", said)
