"""A note to oneself: for its owner alone, and gone with the table or with the seat."""

import json
from typing import cast

import pytest
from redis import Redis

from bot.chat import Body, Press, Reply, Typed
from bot.requests import payload
from bot.store.store import Store
from tests.bot.scanning import where
from tests.bot.talk.recording import Crowd, RecordingChat
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_service import table_here
from tests.bot.talk.worlds import World

GAMES_APART = ("kabooom easy", "kaleidoskop", "colorio")
"""A game without hidden facts, one with hands, and one that forgets."""


async def begin(crowd: Crowd, game: str = "kabooom easy") -> None:
    await crowd.says("anna", f"/newgame {game}")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")


def text(reply: Reply | None) -> str:
    assert reply is not None
    return reply.text


@pytest.mark.parametrize("game", GAMES_APART)
async def test_a_note_changes_no_byte_that_others_can_see(world: World, raw: Redis, game: str) -> None:
    heard = []
    for secret in ("qwertz", "a longer one, with yxcvbn"):

        async def play(crowd: Crowd, secret: str = secret) -> None:
            await begin(crowd, game)
            for name in ("anna", "ben"):
                await crowd.says(name, f"/note {secret} of {name}")
                assert secret in text(await crowd.says(name, "/note"))
            seats = [seat.name.lower() for seat in (await world.newest()).table.seats]
            for name in (*seats, "zoe"):
                for line in ("/view", "/move", "/more", "/board", "/history", "/games", "/hint", "/undo", "/move zzz"):
                    await crowd.says(name, line)

        raw.flushall()
        world.messages = {}
        public, private, logged = await world.hears(play, 0)
        spoken = cast("list[tuple[str, Body, Reply | None]]", private)
        own = {name: [repr(reply) for who, _, reply in spoken if who == name] for name in ("anna", "ben", "zoe")}
        assert f"{secret} of ben" not in repr(own["anna"])
        assert f"{secret} of anna" not in repr(own["ben"])
        assert sum(f"{secret} of anna" in reply for reply in own["anna"]) >= 4
        assert secret not in repr((public, logged, own["zoe"]))
        heard.append((public, own["zoe"], logged))
    assert heard[0] == heard[1]


async def test_whoever_has_no_seat_has_no_note(crowd: Crowd) -> None:
    assert "no game here" in text(await crowd.says("anna", "/note first"))
    await begin(crowd)
    assert "don't have a seat" in text(await crowd.says("zoe", "/note second"))


async def test_a_note_is_a_single_plain_line(crowd: Crowd) -> None:
    await begin(crowd)
    await crowd.says("anna", "/note one\n\ntwo\u202e \u0007three")
    assert "📝 one two three" in text(await crowd.says("anna", "/note")).splitlines()


async def test_a_long_note_is_refused_and_the_former_one_stays(crowd: Crowd) -> None:
    await begin(crowd)
    longest = "ä" * 200
    assert longest in text(await crowd.says("anna", f"/note {longest}"))
    assert "201" in text(await crowd.says("anna", f"/note {longest}ä"))
    assert longest in text(await crowd.says("anna", "/note"))


async def test_a_note_is_never_shown_where_others_can_read(crowd: Crowd, store: Store) -> None:
    await begin(crowd)
    table = await table_here(store)
    actor = table.seats[0].name.lower()
    menu = await crowd.sends(actor, Press(payload.write("menu", table.id)))
    assert menu is not None
    assert not menu.secret
    for body in (Typed("/note watch b3"), Press(payload.write("menu", table.id)), Typed("/view"), Typed("/note")):
        reply = await crowd.sends(actor, body)
        assert "watch b3" in text(reply)
        assert reply is not None
        assert reply.secret


async def test_a_note_is_two_taps_away(crowd: Crowd) -> None:
    await begin(crowd)
    await crowd.says("ben", "/note watch b3")
    await crowd.says("ben", "[More]")
    assert "watch b3" in text(await crowd.says("ben", "[Note]"))


async def test_a_note_changes_nothing_at_the_table(crowd: Crowd, store: Store, chat: RecordingChat) -> None:
    await begin(crowd)
    before, posted = await table_here(store), chat.posted
    await crowd.says("anna", "/note watch b3")
    assert (await table_here(store), chat.posted) == (before, posted)


async def test_a_note_is_in_its_owners_file_only(crowd: Crowd) -> None:
    await begin(crowd)
    await crowd.says("anna", "/note watch b3")
    (own,) = read(await crowd.sends("anna", EXPORT))["tables"]
    assert own["note"] == "watch b3"
    assert "watch b3" not in json.dumps(read(await crowd.sends("ben", EXPORT)))


async def test_a_seat_that_was_given_up_shows_its_note_to_no_one(crowd: Crowd, raw: Redis) -> None:
    await crowd.says("anna", "/newgame kabooom easy")
    for name in ("ben", "clara"):
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")
    await crowd.says("ben", "/note watch b3")
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    assert "watch b3" not in text(await crowd.says("ben", "/view"))
    assert "watch b3" not in text(await crowd.says("ben", "/note"))
    assert where(raw, "watch b3"), "it goes with the table"
