"""Substitutes: a person takes a seat with all that belongs to the seat, and nothing that belongs to its person."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import cast

import pytest
from redis import Redis

from bot.chat import Body, PersonId, Place, PlaceId, Press, Refused, Reply
from bot.requests import TakeSeat
from bot.service.lobbies import MOST_LOBBIES
from bot.service.service import Service
from bot.store import documents
from bot.store.store import Store
from bot.tables import logbook
from bot.tables.banks import bank
from bot.tables.table import Offer, Table
from bot.tables.waiting import OnClock
from kaleidobot.testing import resampling
from tests.bot.conftest import HandClock
from tests.bot.scanning import where
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_blocks import FULL, blocking
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_forgetting import FORGET
from tests.bot.talk.test_records import record
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.test_time import begun, later
from tests.bot.talk.turns import next_turn
from tests.bot.talk.worlds import Instead, World, position
from tests.bot.test_table import ANNA, BEN, started

TAKEN = "You have a seat in Kabooom! now."
LEFT = "Somebody else has taken over your seat"


async def offered(crowd: Crowd, *, others: tuple[str, ...] = ("ben",), clock: str = "none") -> None:
    """Begin a game in which Anna looks for a substitute."""
    await begun(crowd, clock, others=others)
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Look for somebody]")


async def takes(crowd: Crowd, name: str, whose: str = "Anna", how: str = "Take the seat") -> str:
    await crowd.says(name, f"[Take {whose}'s seat]")
    return text(await crowd.says(name, f"[{how}]"))


async def sit(store: Store) -> list[str]:
    return [seat.name for seat in (await table_here(store)).seats]


# Who takes it


async def test_the_first_person_who_accepts_takes_the_seat(crowd: Crowd, store: Store) -> None:
    await offered(crowd)
    assert TAKEN in await takes(crowd, "clara")
    assert await sit(store) == ["Clara", "Ben"]
    assert "Played" in text(await crowd.says("clara", "/move b1-c1"))


async def test_of_two_who_press_at_once_one_takes_the_seat(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat, store: Store
) -> None:
    await offered(crowd)
    press = Press(TakeSeat((await table_here(store)).id, 0, 0).payload)
    crowds = [(Crowd(bots(), chat), name) for name in ("clara", "zoe")]
    replies = await asyncio.gather(*(one.sends(name, press, update=f"room:take-{name}") for one, name in crowds))
    assert sorted(reply == FULL for reply in replies) == [False, True]
    assert len((await table_here(store)).leavers) == 1


@pytest.mark.parametrize("is_member", [True, False])
async def test_in_a_private_chat_only_members_of_the_place_take_a_seat(
    crowd: Crowd, store: Store, chat: RecordingChat, is_member: bool
) -> None:
    await offered(crowd)
    if not is_member:
        chat.departed.add(PersonId("room:clara"))
    press = Press(TakeSeat((await table_here(store)).id, 0, 0).payload)
    alone = Place(PlaceId("room:@clara"), private=True)
    answer = text(await crowd.sends("clara", press, place=alone))
    assert (TAKEN in answer) == is_member
    assert is_member or "Only the people playing" in answer


async def test_a_repeated_press_takes_the_seat_once(crowd: Crowd, store: Store) -> None:
    await offered(crowd)
    press = Press(TakeSeat((await table_here(store)).id, 0, 0).payload)
    for _ in range(2):
        await crowd.sends("clara", press, update="room:once")
    assert len((await table_here(store)).leavers) == 1


async def test_no_person_sits_twice_and_no_leaver_returns(crowd: Crowd, store: Store) -> None:
    await offered(crowd, others=("ben", "clara", "dan"))
    anna = [seat.name for seat in (await table_here(store)).seats].index("Anna")
    take = Press(TakeSeat((await table_here(store)).id, anna, 0).payload)
    assert "already have a seat" in text(await crowd.sends("ben", take))
    assert "already have a seat" in text(await crowd.sends("anna", take))
    await crowd.says("dan", "/resign")
    await crowd.says("dan", "[Yes, I resign]")
    assert "already had a seat" in text(await crowd.sends("dan", take))
    assert TAKEN in await takes(crowd, "zoe")
    await crowd.says("zoe", "/substitute")
    await crowd.says("zoe", "[Look for somebody]")
    assert "already had a seat" in text(await crowd.sends("anna", take))


async def test_open_lobbies_keep_no_one_from_taking_a_seat(crowd: Crowd, store: Store) -> None:
    await offered(crowd)
    for number in range(MOST_LOBBIES):
        await crowd.says("clara", "/newgame colorio", place=Place(PlaceId(f"room:{number}")))
    assert TAKEN in await takes(crowd, "clara")


async def test_people_who_are_kept_apart_read_that_no_seat_is_free(crowd: Crowd, store: Store) -> None:
    await blocking(crowd, "ben", "clara")
    await offered(crowd)
    said = len(crowd.chat.lines)
    press = TakeSeat((await table_here(store)).id, 0)
    assert await crowd.says("clara", "[Take Anna's seat]") == FULL
    assert await crowd.sends("clara", Press(press.payload)) == FULL
    assert await crowd.sends("clara", Press(TakeSeat(press.table, 0, 1).payload)) == FULL
    assert [line for line in crowd.chat.lines[said:] if line.startswith("bot:") or "edit" in line] == []
    assert await sit(store) == ["Anna", "Ben"]


async def test_a_block_between_the_leaver_and_the_substitute_does_not_matter(crowd: Crowd, store: Store) -> None:
    await blocking(crowd, "anna", "clara")
    await offered(crowd)
    assert TAKEN in await takes(crowd, "clara")


async def test_a_seat_that_is_not_offered_is_not_free(crowd: Crowd, store: Store) -> None:
    await offered(crowd)
    table = (await table_here(store)).id
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Stop looking]")
    for seat in (0, 1, 9):
        assert await crowd.sends("clara", Press(TakeSeat(table, seat, 0).payload)) == FULL


async def test_a_game_that_ends_meanwhile_has_no_seats(crowd: Crowd, store: Store) -> None:
    await offered(crowd)
    await crowd.says("clara", "[Take Anna's seat]")
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    assert "This game is over." in text(await crowd.says("clara", "[Take the seat]"))


async def test_a_person_with_the_house_alone_needs_no_substitute(crowd: Crowd) -> None:
    await begun(crowd, "none", "house", others=())
    assert "Nobody else is playing here" in text(await crowd.says("anna", "/substitute"))


async def test_a_place_that_takes_no_posts_shows_the_invitation_later(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    await begun(crowd, "1d")
    chat.refuses["post"] = chat.refuses["edit"] = Refused("missing permissions")
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Look for somebody]")
    assert (await table_here(store)).is_unreachable
    chat.refuses.clear()
    await crowd.says("ben", "/board")
    assert "Anna is looking for a substitute" in chat.newest().text
    assert TAKEN in await takes(crowd, "clara")


# What belongs to the person


async def test_plan_and_note_of_the_leaver_are_gone_and_shown_to_no_one(crowd: Crowd, raw: Redis) -> None:
    await begun(crowd)
    await crowd.says("ben", "/note watch b3")
    await crowd.says("ben", "/plan f1-e1")
    assert where(raw, "watch b3")
    await crowd.says("ben", "/substitute")
    await crowd.says("ben", "[Look for somebody]")
    await takes(crowd, "clara", "Ben")
    assert where(raw, "watch b3") == []
    assert where(raw, "f1-e1") == []
    for line in ("/note", "/view", "/plan", "/games"):
        assert "b3" not in text(await crowd.says("clara", line)).replace("Watch the left corner", "")


async def test_the_leaver_cannot_act_any_more(crowd: Crowd, store: Store) -> None:
    await offered(crowd)
    await takes(crowd, "clara")
    before = await table_here(store)
    for line in ("/move b1-c1", "/undo", "/resign", "/end", "/note x", "/plan", "/substitute"):
        assert LEFT in text(await crowd.says("anna", line))
    assert await table_here(store) == before


async def test_unsent_actions_of_the_leaver_are_taken_back(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame crystalla")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    table = await table_here(store)
    state = position(table)
    assert state.actor is not None
    leaver = table.seats[state.actor].name
    await crowd.says(leaver.lower(), f"/move {state.actions()[0]}")
    table = await table_here(store)
    assert logbook.is_begun(table, await store.log(table.id))
    await crowd.says(leaver.lower(), "/substitute")
    await crowd.says(leaver.lower(), "[Look for somebody]")
    await takes(crowd, "zoe", leaver)
    table = await table_here(store)
    assert not logbook.is_begun(table, await store.log(table.id))
    assert position(table) == state


async def test_a_substitute_takes_back_only_their_own_moves(crowd: Crowd) -> None:
    await begun(crowd)
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Look for somebody]")
    await takes(crowd, "clara")
    assert "nothing" in text(await crowd.says("clara", "/undo")).lower()


async def test_since_my_turn_begins_anew_for_the_substitute(crowd: Crowd, store: Store) -> None:
    await begun(crowd, others=("ben", "clara"))
    for _ in range(5):
        await crowd.says(*await next_turn(store, ROOM.id))
    table = await table_here(store)
    idle = next(n for n in range(3) if n != position(table).actor)
    name = table.seats[idle].name
    await crowd.says(name.lower(), "/substitute")
    await crowd.says(name.lower(), "[Look for somebody]")
    await takes(crowd, "zoe", name)
    table = await table_here(store)
    assert logbook.since_left(table, logbook.effective(await store.log(table.id)), idle) == ()
    await crowd.says(*await next_turn(store, ROOM.id))
    table = await table_here(store)
    assert len(logbook.since_left(table, logbook.effective(await store.log(table.id)), idle)) == 1


async def test_hidden_things_move_to_the_new_owner_alone(world: World) -> None:
    """All that others see and read is the same with another hand in the seat."""

    async def opening(crowd: Crowd) -> None:
        await crowd.says("anna", "/newgame kaleidoskop")
        await crowd.says("ben", "/join")
        await crowd.says("anna", "/start")
        await crowd.says("anna", "/substitute")

    async def change(crowd: Crowd) -> None:
        await crowd.says("anna", "[Look for somebody]")
        await takes(crowd, "zoe")
        for name in ("anna", "ben", "clara", "zoe"):
            for line in ("/view", "/board", "/games", "/more", "/history", "/substitute"):
                await crowd.says(name, line)

    await world.hears(opening, 0)
    table = (await world.newest()).table
    seat = next(number for number, sits in enumerate(table.seats) if sits.name == "Anna")
    state = position(table)
    other = resampling.module_of(table.game).resample(state, 1 - seat, 3)
    assert other != state
    assert other.view(1 - seat) == state.view(1 - seat)

    async def changes(crowd: Crowd) -> None:
        await crowd.says("anna", "/substitute")
        await change(crowd)

    heard = [await world.hears(changes, 1, but=Instead(state)), await world.hears(changes, 1, but=Instead(other))]
    spoken = [cast("list[tuple[str, Body, Reply | None]]", private) for _, private, _ in heard]
    after = [[said for said in one if said[0] != "zoe"] for one in spoken]
    assert heard[0][0] == heard[1][0], "in public"
    assert after[0] == after[1], "to the leaver, the other player and a spectator"
    assert heard[0][2] == heard[1][2], "in the log"
    own = [[said for said in one if said[0] == "zoe"] for one in spoken]
    assert own[0] != own[1], "the new owner sees the hand"


# The silent


async def test_the_others_look_for_a_substitute_of_a_silent_player(
    crowd: Crowd, clock: HandClock, store: Store, chat: RecordingChat
) -> None:
    await begun(crowd, "12h+12h", others=("ben", "clara"))
    await later(crowd, clock, hours=13)
    await crowd.says("ben", "[Find a substitute]")
    assert "A substitute is wanted for Anna" in chat.newest().text
    assert TAKEN in await takes(crowd, "zoe")
    table = await table_here(store)
    assert isinstance(table.waiting, OnClock)
    assert bank(table, 0) == timedelta(hours=12)
    assert table.leavers[0].rated


@pytest.mark.parametrize("how", ["she moves", "they wait"])
async def test_a_silent_player_who_is_back_keeps_the_seat(
    crowd: Crowd, clock: HandClock, store: Store, how: str
) -> None:
    await begun(crowd, "8h")
    await later(crowd, clock, hours=9)
    await crowd.says("ben", "[Find a substitute]")
    await crowd.says(*(("anna", "/move b1-c1") if how == "she moves" else ("ben", "[Keep waiting]")))
    assert (await table_here(store)).offered == ()


async def test_the_house_plays_on_while_a_substitute_is_looked_for(
    crowd: Crowd, clock: HandClock, store: Store
) -> None:
    await begun(crowd, "8h")
    await later(crowd, clock, hours=9)
    await crowd.says("ben", "[Find a substitute]")
    await crowd.says("ben", "[Let the house play this turn]")
    table = await table_here(store)
    assert (table.turn, table.offered, table.seats[0].offer) == (1, (0,), Offer.SILENT)
    assert TAKEN in await takes(crowd, "zoe")


# Ratings


async def finished(crowd: Crowd, store: Store, how: str) -> None:
    """Anna and Ben move, Clara takes Anna's seat and moves, and Ben resigns."""
    await begun(crowd)
    for _ in range(2):
        await crowd.says(*await next_turn(store, ROOM.id))
    await crowd.says("anna", "/substitute")
    if "agreed" in how:
        await crowd.says("anna", "[Ask that it doesn't count]")
        await crowd.says("ben", "[I agree]")
    else:
        await crowd.says("anna", "[Look for somebody]")
    await takes(crowd, "clara", how="Take it, and let it count" if "counts" in how else "Take the seat")
    await crowd.says(*await next_turn(store, ROOM.id))
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")


@pytest.mark.parametrize(
    ("how", "games"),
    [
        ("left", {"anna": 1, "ben": 1}),
        ("left, it counts", {"anna": 1, "ben": 1, "clara": 1}),
        ("agreed", {}),
        ("agreed, it counts", {"ben": 1, "clara": 1}),
    ],
)
async def test_a_game_with_a_substitute_counts_for_whom_it_should(
    crowd: Crowd, store: Store, how: str, games: dict[str, int]
) -> None:
    await finished(crowd, store, how)
    records = {name: await record(store, name) for name in ("anna", "ben", "clara")}
    assert {name: one.games for name, one in records.items() if one is not None} == games
    anna, ben = records["anna"], records["ben"]
    if anna is not None:
        assert ben is not None
        assert anna.wins == 0
        assert ben.rating > anna.rating, "a leaver comes last"


async def test_a_substitute_who_has_not_moved_is_not_rated(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    for _ in range(2):
        await crowd.says(*await next_turn(store, ROOM.id))
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Look for somebody]")
    await takes(crowd, "clara", how="Take it, and let it count")
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    assert [await record(store, name) is not None for name in ("anna", "ben", "clara")] == [True, True, False]


async def test_a_move_is_a_no_and_the_search_has_not_begun(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Ask that it doesn't count]")
    await crowd.says("anna", "/move b1-c1")
    table = await table_here(store)
    assert (table.ask, table.offered) == (None, ())


# Data


async def test_a_leaver_finds_the_game_in_their_file_and_can_be_forgotten(
    crowd: Crowd, store: Store, raw: Redis
) -> None:
    await offered(crowd)
    await crowd.says(*await next_turn(store, ROOM.id))
    await takes(crowd, "clara")
    for _ in range(2):
        await crowd.says(*await next_turn(store, ROOM.id))
    await crowd.says("clara", "/substitute")
    await crowd.says("clara", "[Look for somebody]")
    await takes(crowd, "zoe", "Clara")
    for name, turns in (("anna", [1]), ("clara", [3]), ("zoe", [])):
        (entry,) = read(await crowd.sends(name, EXPORT))["tables"]
        assert [move["turn"] for move in entry["moves"] if "move" in move] == turns
    (entry,) = read(await crowd.sends("anna", EXPORT))["tables"]
    assert (entry["left_seat"], entry["name"]) == (1, "Anna")
    await crowd.sends("anna", FORGET)
    assert where(raw, "room:anna") == []
    assert (await table_here(store)).leavers[0].name == ""


async def test_the_file_of_a_substitute_has_their_own_moves_only(crowd: Crowd) -> None:
    await begun(crowd)
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("anna", "/substitute")
    await crowd.says("anna", "[Look for somebody]")
    await takes(crowd, "clara")
    (entry,) = read(await crowd.sends("clara", EXPORT))["tables"]
    assert [move for move in entry["moves"] if "move" in move] == []


async def test_a_rematch_invites_the_substitute(crowd: Crowd, store: Store) -> None:
    await offered(crowd)
    await takes(crowd, "clara")
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    await crowd.says("ben", "/rematch")
    await crowd.says("clara", "/rematch")
    table = await table_here(store)
    assert sorted(seat.name for seat in table.seats) == ["Ben", "Clara"]
    assert all(seat.since == 0 and seat.rated and seat.offer is None for seat in table.seats)
    assert table.leavers == ()


def test_a_table_of_an_older_version_has_no_leavers_and_no_offers() -> None:
    table: Table = started(ANNA, BEN).table
    stored = documents.encoded(table)
    assert not any(word in stored for word in (b"leavers", b"offer", b'since"', b"rated"))
    assert (table.leavers, table.offered, table.sat) == ((), (), {ANNA, BEN})
