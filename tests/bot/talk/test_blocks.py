"""Blocks: two people never sit at a table together, and nobody else learns of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import cast

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.app import build
from bot.chat import (
    Body,
    Button,
    MessagePart,
    Person,
    PersonId,
    Place,
    PlaceGone,
    PlaceId,
    Post,
    Press,
    Reply,
    SlashCommand,
    Typed,
    Update,
    UpdateId,
)
from bot.delivery.painting import Pictures
from bot.replies.notes import denied, note
from bot.requests import Block, Blocked, Hide, Lift, RemindDaily, payload
from bot.runtime.blocklist import BlockList
from bot.runtime.metrics import Counted, Metrics
from bot.service import blocks
from bot.service.service import Service
from bot.store import keys
from bot.store.store import Store
from bot.tables.daily import Solver
from bot.tables.table import Denied
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_forgetting import FORGET, Talk, talk
from tests.bot.talk.test_playing_on import goes_on, over
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.turns import next_turn
from tests.bot.talk.worlds import World

__all__ = ["talk"]

FULL = denied(Denied("full"), "en")
"""The answer of a table without a free seat."""


@pytest.fixture
async def world(raw: Redis, server: str, painter: Pictures, caplog: pytest.LogCaptureFixture) -> AsyncIterator[World]:
    made = World(raw, server, painter, caplog)
    yield made
    await made.close()


async def meet(crowd: Crowd, *names: str) -> None:
    """Let people sit at a table, so that the bot knows them by name; then close it."""
    first, *others = names
    await crowd.says(first, "/newgame kabooom easy")
    for name in others:
        await crowd.says(name, "/join")


async def part(crowd: Crowd, *names: str) -> None:
    for name in names:
        await crowd.says(name, "/leave")


async def blocking(crowd: Crowd, who: str, whom: str) -> None:
    """Let *who* block *whom*; no table is open afterwards."""
    await meet(crowd, who, whom)
    assert "Done" in text(await crowd.says(who, f"/block {whom}"))
    await part(crowd, who, whom)


async def seated(store: Store) -> list[str]:
    return [seat.name for seat in (await table_here(store)).seats]


@pytest.mark.parametrize("blocker", ["anna", "ben"])
async def test_the_refusal_is_that_of_a_full_table_whoever_blocks(crowd: Crowd, store: Store, blocker: str) -> None:
    await blocking(crowd, blocker, "ben" if blocker == "anna" else "anna")
    await crowd.says("anna", "/newgame kabooom easy")
    said = len(crowd.chat.lines)
    assert await crowd.says("ben", "/join") == FULL
    assert await crowd.sends("ben", crowd.payload("ben", "Join")) == FULL
    assert [line for line in crowd.chat.lines[said:] if line.startswith("bot:") or "edit" in line] == []
    assert "in. Have fun" in text(await crowd.says("clara", "/join"))
    assert await seated(store) == ["Anna", "Clara"]


async def test_a_full_table_has_the_same_answer(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kalejdoschach")
    for name in ("ben", "clara"):
        await crowd.says(name, "/join")
    table = await table_here(store)
    kept = await store.load(table.id)
    assert kept is not None
    four = replace(table, seats=(*table.seats, replace(table.seats[0], person=PersonId("room:dan"), colour="")))
    await store.save(
        replace(four, revision=table.revision + 1), (), None, now_ms=1, repost_ms=1, due_ms=None, expire_ms=None
    )
    assert await crowd.says("zoe", "/join") == FULL


async def test_of_two_people_kept_apart_who_join_at_once_only_one_sits(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, store: Store
) -> None:
    await blocking(crowd, "ben", "clara")
    crowds = [Crowd(bots(), chat) for _ in range(2)]
    for number in range(3):
        await crowd.says("anna", "/newgame kabooom easy")
        joins = [
            crowds[n].says(name, "/join", update=f"room:join{n}{number}") for n, name in enumerate(("ben", "clara"))
        ]
        replies = await asyncio.gather(*joins)
        assert sorted(reply == FULL for reply in replies) == [False, True]
        assert len(await seated(store)) == 2
        await part(crowd, "anna", "ben", "clara")


HERE = Blocked(here=True).payload
ALONE = Place(PlaceId("room:@anna"), private=True)


async def test_a_manager_blocks_people_in_the_place_and_no_one_learns_why(crowd: Crowd, store: Store) -> None:
    await meet(crowd, "anna", "ben")
    await crowd.sends("ada", Typed("/block ben"), may_manage=True)
    done = await crowd.sends("ada", crowd.payload("ada", "Block here, too"), may_manage=True)
    assert "Ben gets no seat in this channel any more" in text(done)
    assert await seated(store) == ["Anna", "Ben"], "a seat that is taken stays"
    await part(crowd, "ben")
    assert await crowd.says("ben", "/join") == FULL
    await part(crowd, "anna")
    assert await crowd.says("ben", "/newgame kabooom easy") == FULL
    page = await crowd.sends("ada", Press(HERE), may_manage=True)
    assert page is not None
    assert page.secret
    assert "only moderators" in text(page).lower()
    await crowd.sends("ada", crowd.payload("ada", "Lift: Ben"), may_manage=True)
    assert "open" in text(await crowd.says("ben", "/newgame kabooom easy"))


async def test_only_managers_see_and_change_the_list_of_the_place(crowd: Crowd) -> None:
    await meet(crowd, "anna", "ben")
    refused = note("denied.managers_set", "en")
    for request in (Blocked(here=True), Block(here=True), Block(mark="a", here=True), Lift("a", here=True)):
        assert text(await crowd.sends("anna", Press(request.payload))) == text(refused)
        alone = await crowd.sends("anna", Press(request.payload), place=ALONE, may_manage=True)
        assert text(alone) == text(refused), "in a private chat there is no list"
    reply = await crowd.says("anna", "/block ben")
    assert [button.label for button in buttons(reply or Reply())] == ["Lift it again", "My blocks", "✕"]


async def test_the_list_of_a_place_moves_with_it_and_keeps_no_forgotten_name(talk: Talk, store: Store) -> None:
    old, new, ben = PlaceId("room:old"), PlaceId("room:new"), PersonId("room:ben")
    await store.blocks.add(keys.place_blocks(old), ben, "Ben")
    await store.blocks.move(keys.place_blocks(old), keys.place_blocks(new))
    assert not await store.blocks.of(keys.place_blocks(old))
    assert await store.blocks.keep_apart(ben, [], new)
    await store.blocks.forget(ben)
    assert [entry.name for entry in (await store.blocks.of(keys.place_blocks(new))).values()] == [""]
    assert await store.blocks.keep_apart(ben, [], new), "the block outlives the name"


async def test_whoever_is_blocked_during_a_game_plays_on(crowd: Crowd, store: Store) -> None:
    await meet(crowd, "anna", "ben")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/block ben")
    for _ in range(2):
        await crowd.says(*await next_turn(store, ROOM.id))
    assert len(await store.log((await table_here(store)).id)) == 2


async def test_a_rematch_has_no_free_seat_for_the_blocked_person(crowd: Crowd, store: Store) -> None:
    await meet(crowd, "anna", "ben", "clara")
    await crowd.says("anna", "/start")
    await crowd.says("anna", "/block ben")
    await crowd.sends("ada", Typed("/end"), may_manage=True)
    await crowd.sends("ada", crowd.payload("ada", "Yes, end it"), may_manage=True)
    await crowd.says("anna", "/rematch")
    lobby = crowd.chat.newest().text
    assert "Clara. Press" in lobby
    assert "Ben" not in lobby
    assert await crowd.says("ben", "/join") == FULL
    await crowd.says("clara", "/rematch")
    assert await seated(store) == ["Anna", "Clara"]


@pytest.mark.parametrize("way", ["rematch", "playing on", "substitute"])
@pytest.mark.parametrize("blocks", ["anna zoe", "zoe anna", "place zoe"])
async def test_no_invitation_gives_a_blocked_person_a_seat(crowd: Crowd, store: Store, way: str, blocks: str) -> None:
    """The invitation stays as it is; only the person who asks for a rematch does not invite people they block."""
    if way == "substitute":
        await meet(crowd, "anna", "ben")
        await crowd.says("anna", "/start")
    else:
        await over(crowd, store, other="zoe" if way == "rematch" else "ben")
    who, whom = blocks.split()
    list_ = keys.place_blocks(ROOM.id) if who == "place" else keys.person_blocks(PersonId(f"room:{who}"))
    await store.blocks.add(list_, PersonId(f"room:{whom}"), whom.capitalize())
    accepts = "[Join]"
    if way == "substitute":
        await crowd.says("ben", "/substitute")
        await crowd.says("ben", "[Look for somebody]")
        accepts = "[Take Ben's seat]"
    elif way == "rematch":
        await crowd.says("anna", "/rematch")
        assert ("Invited: Zoe" in crowd.chat.newest().text) == (who != "anna")
    else:
        await goes_on(crowd, 3, "Ben", "With other people")
    before, said = await seated(store), len(crowd.chat.lines)
    assert await crowd.says("zoe", accepts) == FULL
    assert [line for line in crowd.chat.lines[said:] if line.startswith("bot:") or "edit" in line] == []
    assert await seated(store) == before


def chosen(who: str, command: str, whom: str) -> Update:
    """Return a command with a person chosen from a list, as on Discord."""
    person = Person(PersonId(f"room:{whom}"), whom.capitalize(), "en")
    body = SlashCommand(command, {"person": "42"})
    author = Person(PersonId(f"room:{who}"), who.capitalize(), "en")
    return Update(UpdateId(f"room:{who}{command}{whom}"), author, ROOM, body, chosen_person=person)


async def test_a_person_chosen_from_a_list_need_not_have_played(crowd: Crowd) -> None:
    assert "Done: you and 77" in text(await crowd.service.handle(chosen("anna", "block", "77")))


async def test_an_invitation_mentions_only_a_block_of_the_inviting_person(crowd: Crowd) -> None:
    await crowd.service.handle(chosen("anna", "block", "77"))
    await crowd.service.handle(chosen("77", "block", "clara"))
    body = Press(payload.write("with", "kabooom", 77))
    assert "blocked this person" in text(await crowd.sends("anna", body))
    assert "table is open" in text(await crowd.sends("clara", body))


async def test_several_people_with_that_name_are_offered(crowd: Crowd) -> None:
    await meet(crowd, "anna", "ben", "benno")
    reply = await crowd.says("anna", "/block be")
    assert reply is not None
    assert [button.label for button in cast("tuple[Button, ...]", reply.rows[0])] == ["Ben", "Benno"]
    assert "Benno" in text(await crowd.sends("anna", crowd.payload("anna", "Benno")))


async def test_the_beginning_of_a_name_finds_nobody_who_hides(crowd: Crowd, store: Store) -> None:
    """Their whole name finds them, and its beginning while they sit at a table with the reader."""
    for name in ("Benno", "Bert"):
        await store.daily_places.add_solver(ROOM.id, PersonId(f"room:{name.lower()}"), Solver(name))
    await crowd.sends("benno", Press(Hide(on=True).payload))
    assert "you and Bert won't" in text(await crowd.says("zoe", "/block be"))
    assert "you and Benno won't" in text(await crowd.says("zoe", "/block benno"))
    await meet(crowd, "anna", "benno")
    assert "Benno" in repr(await crowd.says("anna", "/block be"))


async def test_an_unknown_name_and_an_old_button_get_a_kind_answer(crowd: Crowd) -> None:
    assert "I don't know zzz here yet" in text(await crowd.says("anna", "/block zzz"))
    assert "That's you" in text(await crowd.service.handle(chosen("anna", "block", "anna")))
    assert "no longer available" in text(await crowd.sends("anna", Press(payload.write("block", "0123456789abcdef"))))
    assert "blocked nobody" in text(await crowd.sends("anna", Press(payload.write("lift", "0123456789abcdef"))))


async def test_a_second_block_of_a_person_changes_nothing_and_one_tap_lifts_it(crowd: Crowd, raw: Redis) -> None:
    await meet(crowd, "anna", "ben")
    for _ in range(2):
        await crowd.says("anna", "/block ben")
    assert raw.hlen("kb:person:{room:anna}:blocks") == 1
    await crowd.sends("anna", crowd.payload("anna", "Lift it again"))
    assert raw.keys("kb:person:*block*") == []


async def test_a_list_has_pages_and_an_end(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST", 10)
    for number in range(10, 20):
        await crowd.service.handle(chosen("anna", "block", str(number)))
    assert "can't remember more" in text(await crowd.service.handle(chosen("anna", "block", "20")))
    first = await crowd.says("anna", "/blocked")
    second = await crowd.sends("anna", Press(payload.write("blocked", "", 1)))
    assert first is not None
    assert second is not None
    rows = cast("tuple[tuple[Button, ...], ...]", (*first.rows, *second.rows))
    assert sum(button.label.startswith("Lift: ") for row in rows for button in row) == 10


# Nobody else learns of it


async def test_a_block_changes_no_byte_that_others_get(world: World, raw: Redis) -> None:
    heard = []
    for blocker, other in (("anna", "ben"), ("ben", "anna")):

        async def talk_on(crowd: Crowd, blocker: str = blocker, other: str = other) -> None:
            await meet(crowd, "anna", "ben")
            await crowd.says(blocker, f"/block {other}")
            await part(crowd, "anna", "ben")
            await crowd.says("anna", "/newgame kabooom easy")
            for line in ("/join", "/board", "/games", "/rematch", "/stats anna", "/top", "/start", "/leave", "/help"):
                await crowd.says("ben", line)
            for line in ("/block zzz", "/block", "/stats ben", "/join", "/games", "/leave"):
                await crowd.says("zoe", line)
            for body in (EXPORT, Typed("/privacy"), Typed("/blocked")):
                await crowd.sends(other, body)

        raw.flushall()
        world.messages = {}
        public, private, _ = await world.hears(talk_on, 0)
        spoken = cast("list[tuple[str, Body, Reply | None]]", private)
        file, privacy, blocked = [reply for _, _, reply in spoken[-3:]]
        assert read(file)["blocked"] == []
        assert "/blocked" not in text(privacy)
        assert "blocked nobody" in text(blocked)
        others = [(who, body, reply) for who, body, reply in spoken[:-3] if f"/block {other}" not in repr(body)]
        assert len(spoken) - len(others) == 4
        assert FULL in [reply for who, _, reply in others if who == "ben"]
        heard.append((public, others))
    assert heard[0] == heard[1]


# Data


async def test_the_file_has_the_blocks_of_its_owner_alone(talk: Talk) -> None:
    await talk.begin("ben")
    await talk.zeb("/block ben")
    assert read(await talk.zeb(EXPORT))["blocked"] == [{"name": "Ben", "account": "room:ben"}]
    assert "You've blocked one person" in text(await talk.zeb("/privacy"))
    assert read(await talk.crowd.sends("ben", EXPORT))["blocked"] == []


async def test_a_block_outlives_the_data_of_the_blocked_person(talk: Talk, raw: Redis) -> None:
    await talk.begin("ben")
    await talk.crowd.says("ben", "/block zebulon")
    await talk.zeb(FORGET)
    assert "ebulon" not in repr(raw.hvals("kb:person:{room:ben}:blocks"))
    assert "someone unknown" in repr(await talk.crowd.says("ben", "/blocked"))
    await talk.crowd.sends("ben", Press(payload.write("end")), may_manage=True)
    await talk.crowd.says("ben", "/newgame kabooom easy")
    assert text(await talk.zeb("/join")) == FULL.text


async def test_whoever_is_forgotten_blocks_nobody_any_more(talk: Talk, raw: Redis) -> None:
    await talk.begin("ben")
    await talk.zeb("/block ben")
    await talk.zeb(FORGET)
    assert raw.keys("kb:person:*block*") == []


# The operator's list


async def blocking_bot(store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat, *ids: str) -> Crowd:
    service = build(store, painter, clock, draw=lambda n: "07" * n, blocked=BlockList(frozenset(ids)))
    service.add(chat)
    return Crowd(service, chat)


async def test_a_person_blocked_by_the_operator_can_only_see_and_delete_their_data(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat
) -> None:
    crowd = await blocking_bot(store, painter, clock, chat, "room:ben")
    assert "can't play with you" in text(await crowd.says("ben", "/newgame kabooom"))
    assert "table is open" in text(await crowd.says("anna", "/newgame kabooom"))
    assert "can't play with you" in text(await crowd.sends("ben", crowd.payload("ben", "Join")))
    assert read(await crowd.sends("ben", EXPORT))["account"] == "room:ben"
    alone = Place(PlaceId("room:ben"), private=True)  # some platforms give a private chat the id of its person
    assert "can't play with you" in text(await crowd.sends("ben", Typed("/newgame kabooom"), place=alone))
    assert read(await crowd.sends("ben", EXPORT, place=alone))["account"] == "room:ben"
    stop = Press(RemindDaily(on=False).payload)
    assert await crowd.sends("ben", stop, place=alone) == note("daily.remind.off", "en")
    assert "know nothing about you" in text(await crowd.sends("ben", FORGET))
    await crowd.service.stop()


async def test_a_place_blocked_by_the_operator_is_left_alone(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat
) -> None:
    crowd = await blocking_bot(store, painter, clock, chat)
    await meet(crowd, "anna", "ben")
    await crowd.says("anna", "/start")
    await crowd.service.stop()
    said = len(chat.lines)
    crowd = await blocking_bot(store, painter, clock, chat, ROOM.id)
    assert await crowd.says("anna", "/move pass") is None
    await clock.advance(timedelta(hours=13))
    await crowd.service.do_due()
    await crowd.service.idle()
    assert [line for line in chat.lines[said:] if line.startswith("bot")] == []
    await crowd.service.stop()


async def test_a_place_blocked_by_the_operator_takes_only_removals(chat: RecordingChat) -> None:
    message = await chat.post(ROOM.id, Post(text="board"), "n")
    said = len(chat.lines)
    counted = Counted(chat, Metrics().posts, blocked=BlockList(frozenset({ROOM.id})))
    for call in (
        lambda: counted.post(ROOM.id, Post(text="board"), "m"),
        lambda: counted.edit(ROOM.id, message, Post(text="other")),
        lambda: counted.show_typing(ROOM.id),
        lambda: counted.open_thread(ROOM.id, "Table"),
    ):
        with pytest.raises(PlaceGone):
            await call()
    assert chat.lines[said:] == []
    assert chat.written == []
    await counted.remove(ROOM.id, message, MessagePart.WHOLE)
    assert message not in chat.messages
