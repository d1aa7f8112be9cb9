"""A person's own data as a file: all of theirs, nothing of others, nothing that the game still hides."""

import json
from typing import Any

import pytest
from redis import Redis

from bot.chat import Press, Reply
from bot.requests import payload
from bot.store.store import Store
from rules import GAMES
from tests.bot.talk.recording import ROOM, Crowd
from tests.bot.talk.test_forgetting import OWN, ZEB, Talk, places, talk
from tests.bot.talk.test_service import table_here

__all__ = ["talk"]

EXPORT = Press(payload.write("export"))


def read(reply: Reply | None) -> dict[str, Any]:
    assert reply is not None
    assert reply.secret, "for nobody else"
    assert reply.file is not None
    result: dict[str, Any] = json.loads(reply.file.content)
    return result


async def test_the_command_describes_stored_data_and_offers_a_file(talk: Talk) -> None:
    reply = await talk.zeb("/privacy")
    assert reply is not None
    assert reply.secret
    assert payload.write("export") in [button.payload for row in reply.rows if isinstance(row, tuple) for button in row]


async def test_a_person_without_data_gets_a_file_that_says_so(talk: Talk, raw: Redis) -> None:
    before = set(raw.scan_iter())
    data = read(await talk.zeb(EXPORT))
    assert data["account"] == ZEB.id
    assert (data["settings"], data["private_chats"], data["records"], data["tables"]) == ({}, [], [], [])
    assert set(raw.scan_iter()) == before, "asking leaves nothing behind"


async def test_all_stored_data_of_a_person_is_in_the_file(talk: Talk, store: Store) -> None:
    await talk.zeb(Press(payload.write("set", "me", 0, 1)))
    await talk.zeb(Press(payload.write("set", "place", 1, 1)), OWN)
    await talk.zeb("/newgame kabooom", OWN)
    won = await talk.begin("ben")
    await talk.resigns("ben", won.id)
    running = await talk.begin("ben", "clara", place=places("attic"))
    data = read(await talk.zeb(EXPORT))
    assert data["settings"]
    assert [place["place"] for place in data["private_chats"]] == [OWN.id]
    assert data["private_chats"][0]["settings"]
    (record,) = data["records"]
    assert (record["place"], record["name"]) == (ROOM.id, ZEB.name)
    assert (record["games"][won.game]["games"], record["games"][won.game]["wins"]) == (1, 1)
    tables = {table_["table"]: table_ for table_ in data["tables"]}
    mine = await store.at(OWN.id)
    assert tables.keys() == {won.id, running.id, mine}
    assert tables[won.id]["phase"] == "over"
    assert tables[running.id]["name"] == ZEB.name
    assert all(table["host"] for table in tables.values())


async def test_no_other_person_is_in_the_file(talk: Talk) -> None:
    await talk.begin("ben", "clara")
    await talk.zeb("/move pass")
    content = json.dumps(read(await talk.zeb(EXPORT))).lower()
    for word in ("ben", "clara"):
        assert f'"{word}' not in content
        assert f":{word}" not in content


async def test_own_moves_are_in_the_file_and_others_are_not(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    moves: dict[str, list[str]] = {"anna": [], "ben": []}
    for _ in range(4):
        table = await table_here(store)
        state = (await crowd.service.repository.load(table.id)).state
        assert state is not None
        assert state.actor is not None
        who = table.seats[state.actor].name.lower()
        moves[who].append(str(state.actions()[0]))
        await crowd.says(who, f"/move {state.actions()[0]}")
    for who, own in moves.items():
        (own_table,) = read(await crowd.sends(who, EXPORT))["tables"]
        assert [move["move"] for move in own_table["moves"]] == own
        assert {move["by"] for move in own_table["moves"]} == {"person"}


@pytest.mark.parametrize("game", GAMES)
async def test_while_a_game_is_about_remembering_its_moves_are_left_out(crowd: Crowd, store: Store, game: str) -> None:
    await crowd.says("anna", f"/newgame {game}")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    loaded = await crowd.service.repository.load((await table_here(store)).id)
    assert loaded.state is not None
    (own_table,) = read(await crowd.sends("anna", EXPORT))["tables"]
    assert (own_table["moves"] is None) == loaded.state.forgets
    secrets = (loaded.table.seed, loaded.table.salt)
    assert not [secret for secret in secrets if secret and secret in json.dumps(own_table)]


async def test_an_invitation_is_in_the_file_of_the_invited_person(talk: Talk) -> None:
    table = await talk.begin("ben")
    await talk.resigns("zeb", table.id)
    await talk.crowd.says("ben", "/rematch")
    asked = {table_["table"]: table_ for table_ in read(await talk.zeb(EXPORT))["tables"]}
    assert asked[(await table_here(talk.store)).id]["invited"] is True


async def test_forgotten_data_is_in_no_file(talk: Talk) -> None:
    await talk.begin("ben")
    await talk.zeb("/newgame kabooom", OWN)
    await talk.zeb(Press(payload.write("forget", "", 1)))
    data = read(await talk.zeb(EXPORT))
    assert (data["settings"], data["private_chats"], data["records"], data["tables"]) == ({}, [], [], [])
