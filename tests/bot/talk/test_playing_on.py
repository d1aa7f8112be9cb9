"""Play on from a position of a finished game: another table, unrated, with everything hidden dealt anew."""

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.chat import PersonId, Place, PlaceId, Press, Reply, Select
from bot.extras import luck
from bot.replies import choices, words
from bot.requests import ChooseOption, PlayOn
from bot.store.store import Store
from bot.tables import logbook, origins, rating, seating
from bot.tables import table as tables
from bot.tables.anonymous import is_house
from bot.tables.table import Entry, Phase, Seat, Table, TableId
from kaleidobot.testing import resampling
from kaleidobot.testing.playing import any_action
from renderers import Theme
from rules import GAMES, State, proof
from rules.beginning import Origin, first_position, leaves_open
from tests.bot.talk.recording import ROOM, Crowd, buttons
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.turns import next_turn
from tests.bot.talk.worlds import position


async def over(crowd: Crowd, store: Store, game: str = "kabooom easy", turns: int = 6, *, other: str = "ben") -> Table:
    """Play a game of Anna and an *other* person, who resigns."""
    await crowd.says("anna", f"/newgame {game}")
    await crowd.says(other, "/join")
    if (await table_here(store)).phase == Phase.LOBBY:
        await crowd.says("anna", "/start")
    for _ in range(turns):
        await crowd.says(*await next_turn(store, ROOM.id))
    held = (await table_here(store)).id
    await crowd.says(other, "/resign")
    await crowd.says(other, "[Yes, I resign]")
    loaded = await store.load(held)
    assert loaded is not None
    return loaded.table


async def goes_on(crowd: Crowd, turn: int, side: str, way: str, who: str = "anna") -> Reply | None:
    for tap in ("[More]", "[Play on from …]", f"[Turn {turn}]", f"[As {side}]"):
        await crowd.says(who, tap)
    return await crowd.says(who, f"[{way}]")


async def test_no_two_buttons_offer_the_same_turn(crowd: Crowd, store: Store) -> None:
    """A set-up leads to the first turn, as the position after it does."""
    await over(crowd, store, "crystalla", turns=4)
    await crowd.says("anna", "[More]")
    asked = await crowd.says("anna", "[Play on from …]")
    assert asked is not None
    labels = [button.label for button in buttons(asked)]
    assert "Turn 1" in labels
    assert len(labels) == len({*labels})


@pytest.mark.parametrize("game", GAMES)
def test_a_game_played_on_depends_on_the_common_view_only(game: str) -> None:
    """Positions that differ only in hidden things begin the same games."""
    luck, state, compared = random.Random(game), GAMES[game].start(2, seed=7), 0
    while state.actor is not None and compared < 40:
        alike: Any = resampling.module_of(game).resample(state, None, luck.getrandbits(64))
        begun = [
            first_position(game, 2, {}, 99, Origin("", 1, GAMES[game].encode(one.view(None)).decode(), 2, 0))
            for one in (state, alike)
        ]
        assert begun[0] == begun[1]
        assert begun[0].view(None) == state.view(None)
        assert begun[0].actor == state.actor
        state, compared = state.play(any_action(state, luck)), compared + 1


def turns_of(
    game: str, options: dict[str, str], origin: Origin | None, most: int
) -> tuple[Table, tuple[Entry, ...], tuple[State, ...]]:
    """Play up to so many turns at a table and return it, its actions and all positions."""
    state, luck = first_position(game, 2, options, 7, origin), random.Random(game)
    people = tuple(Seat(PersonId(f"room:{seat}"), str(seat), "en") for seat in range(2))
    table = Table(
        id=TableId("x"),
        game=game,
        place=ROOM.id,
        host=people[0].person,
        lang="en",
        created_ms=0,
        options=options,
        phase=Phase.RUNNING,
        seats=people,
        origin=origin,
    )
    states, entries = [state], list[Entry]()
    while table.turn < most and state.actor is not None:
        step = tables.play(tables.with_state(table, state), state, any_action(state, luck), 0)
        assert step.state is not None
        table, state, entries = step.table, step.state, [*entries, *step.entries]
        states.append(state)
    return table, tuple(entries), tuple(states)


LONG = {"colorio": ({"scoring": "rounds"}, 40)}
"""Options and turns of a game that is long enough to play on from twice."""


@pytest.mark.parametrize("game", GAMES)
def test_a_game_played_on_counts_on_and_its_length_is_its_own(game: str) -> None:
    """So does a game played on from that one."""
    (options, most), origin, number = LONG.get(game, ({}, 12)), None, 1
    for _ in range(3):
        table, entries, states = turns_of(game, options, origin, most)
        assert origins.number_of(table, entries, states, 0) == number
        start = origins.starts(states)[-1]
        number = origins.number_of(table, entries, states, start)
        ended = replace(table, phase=Phase.OVER, turn=origins.turns_before(entries, start))
        ended = tables.with_state(ended, states[start])
        length = number - origins.number_of(table, entries, states, 0)
        assert words.look(ended, None, Theme.DARK, "en").turns == (length or None)
        assert length >= 0
        seat, most = origins.seats(states[start])[0], 4
        origin = origins.origin(table, entries, states, start, seat)
        assert f"From turn {number} of an earlier game" in choices.from_where(replace(table, origin=origin), "en")[0]


async def test_the_house_takes_the_other_side(crowd: Crowd, store: Store) -> None:
    source = await over(crowd, store)
    positions = logbook.positions(source, logbook.effective(await store.log(source.id)))
    await goes_on(crowd, 2, "Ben", "Play against the house")
    table = await table_here(store)
    assert table.id != source.id
    assert (table.phase, table.origin and table.origin.game) == (Phase.RUNNING, source.fixed)
    assert [seat.house for seat in table.seats] == [True, False]
    states = logbook.positions(table, logbook.effective(await store.log(table.id)))
    assert states[0].view(None) == positions[1].view(None), "turn 2 has yet to be played"
    assert states[-1] == position(table)
    assert table.seed, "a seed of its own"
    said = "\n".join(crowd.chat.lines)
    assert "From turn 2 of an earlier game. This game doesn't count." in said


@pytest.mark.parametrize("game", GAMES)
def test_only_a_game_with_hidden_things_says_that_they_are_dealt_anew(game: str) -> None:
    view = GAMES[game].start(2, seed=7).view(None)
    assert leaves_open(view) == (game not in {"kabooom", "kalejdoschach"})


async def test_a_game_played_on_and_its_rematch_keep_the_level_of_the_house(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom easy house easy")
    await crowd.says("anna", "/start")
    levels = [(await table_here(store)).level]
    for _ in range(2):
        await crowd.says(*await next_turn(store, ROOM.id))
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    await goes_on(crowd, 2, "Anna", "Play against the house")
    levels.append((await table_here(store)).level)
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    await crowd.says("anna", "[Rematch]")
    levels.append((await table_here(store)).level)
    assert levels == ["easy"] * 3


def position_with_a_seat_out(game: str, options: dict[str, str]) -> State:
    """Return a position of three seats in which the first one has no more turns."""
    for seed in range(99):
        chance, state = random.Random(seed), GAMES[game].start(3, options, seed)
        while state.actor is not None:
            if state.is_out(0):
                return state
            state = state.play(any_action(state, chance))
    raise AssertionError(game)


def test_the_house_has_the_seats_that_are_out() -> None:
    view = position_with_a_seat_out("colorio", {}).view(None)
    origin = Origin("0" * 64, 5, GAMES["colorio"].encode(view).decode(), 3, 2)
    blank = Table(
        id=TableId("x"),
        game="colorio",
        place=ROOM.id,
        host=PersonId("room:anna"),
        lang="en",
        created_ms=0,
        seed="07",
        salt="1",
        origin=origin,
    )
    lobby = seating.join(blank, blank.host, "Anna", "en")
    assert (seating.places(lobby), seating.missing(lobby)) == (range(2, 3), 1)
    lobby = seating.join(lobby, PersonId("room:ben"), "Ben", "en")
    assert seating.is_full(lobby)
    step = seating.start(lobby, lobby.host)
    assert [seat.name for seat in step.table.seats] == ["", "Ben", "Anna"]
    assert is_house(step.table.seats[0].person)
    over = tables.abandoned(step.table, step.state)
    proof.check(luck.proof_of(over, ()))
    again = seating.again(over, replace(blank, origin=None))
    assert [seat.name for seat in (*again.seats, *again.invited)] == ["Anna", "Ben"]


async def test_another_person_takes_the_other_side_by_joining(crowd: Crowd, store: Store) -> None:
    await over(crowd, store)
    await goes_on(crowd, 3, "Ben", "With other people")
    lobby = await table_here(store)
    assert (lobby.phase, seating.places(lobby)) == (Phase.LOBBY, range(2, 3))
    await crowd.says("clara", "/join")
    table = await table_here(store)
    assert [seat.name for seat in table.seats] == ["Clara", "Anna"]
    await crowd.says("anna", "/undo")
    assert (await table_here(store)).revision == table.revision, "nothing to take back before the first turn"


async def test_its_options_and_seats_are_those_of_the_position(crowd: Crowd, store: Store) -> None:
    await over(crowd, store)
    await goes_on(crowd, 3, "Ben", "With other people")
    reply = await crowd.says("anna", "[Options]")
    assert reply is not None
    selects = [row.label for row in reply.rows if isinstance(row, Select)]
    assert "Time per turn" in selects
    assert "Variant" not in selects
    refused = await crowd.sends("anna", Press(ChooseOption((await table_here(store)).id, 0, 0).payload))
    assert "options stay as they were" in text(refused)


async def test_it_counts_for_no_one(crowd: Crowd, store: Store) -> None:
    await over(crowd, store)
    before = await store.records.of_person(PersonId("room:anna"), [ROOM.id], tuple(GAMES))
    await goes_on(crowd, 3, "Ben", "With other people")
    await crowd.says("clara", "/join")
    for _ in range(3):
        await crowd.says(*await next_turn(store, ROOM.id))
    held = (await table_here(store)).id
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    loaded = await store.load(held)
    assert loaded is not None
    assert loaded.table.phase == Phase.OVER
    assert rating.ranks(loaded.table) is None
    assert await store.records.of_person(PersonId("room:anna"), [ROOM.id], tuple(GAMES)) == before
    assert "This game doesn't count" in crowd.chat.newest().text


async def test_a_substitute_cannot_let_it_count(crowd: Crowd, store: Store) -> None:
    await over(crowd, store)
    await goes_on(crowd, 3, "Ben", "With other people")
    await crowd.says("clara", "/join")
    asked = await crowd.says("clara", "/substitute")
    await crowd.says("clara", "[Look for somebody]")
    taken = await crowd.says("zoe", "[Take Clara's seat]")
    assert "count" not in text(asked) + text(taken)
    assert [button.label for button in buttons(taken or Reply())] == ["Take the seat", "No, I'd rather not"]


async def test_its_proof_names_the_former_game_and_holds_without_it(crowd: Crowd, store: Store, raw: Redis) -> None:
    source = await over(crowd, store)
    await goes_on(crowd, 3, "Ben", "With other people")
    await crowd.says("clara", "/join")
    for key in raw.scan_iter(f"*{source.id}*"):  # the source has expired
        raw.delete(key)
    for _ in range(3):
        await crowd.says(*await next_turn(store, ROOM.id))
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    reply = await crowd.says("anna", "/verify")
    assert reply is not None
    assert "Played on from turn 3 of the game with this second hash" in text(reply)
    assert source.fixed in text(reply)
    assert reply.file is not None
    made = proof.decode(reply.file.content)
    assert made.origin is not None
    proof.check(made)
    assert source.seed not in reply.file.content.decode() or made.seed == source.seed
    for wrong in (
        replace(made, origin=None),
        replace(made, origin=replace(made.origin, seat=0)),
        replace(made, origin=replace(made.origin, game=made.sha256)),
        replace(made, origin=replace(made.origin, turns=4)),
    ):
        with pytest.raises(proof.Flawed):
            proof.check(wrong)


async def test_a_rematch_begins_at_the_same_position(crowd: Crowd, store: Store) -> None:
    await over(crowd, store)
    await goes_on(crowd, 3, "Ben", "With other people")
    await crowd.says("clara", "/join")
    first = await table_here(store)
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    await crowd.says("anna", "/rematch")
    await crowd.says("clara", "/join")
    again = await table_here(store)
    assert again.id != first.id
    assert again.origin == first.origin


async def test_replay_and_film_begin_there_and_offer_to_play_on(crowd: Crowd, store: Store) -> None:
    source = await over(crowd, store)
    reply = await crowd.says("anna", "/replay 4")
    assert "Play on from here" in [button.label for button in buttons(reply or Reply())]
    await crowd.says("anna", "/replay 0")
    assert "Play on from here" not in [button.label for button in buttons(crowd.chat.own[crowd.chat.reading["anna"]])]
    await crowd.says("anna", "/replay 4")
    for tap in ("[Play on from here]", "[As Ben]", "[With other people]"):
        await crowd.says("anna", tap)
    await crowd.says("clara", "/join")
    held = await table_here(store)
    states = logbook.positions(source, logbook.effective(await store.log(source.id)))
    first = await crowd.says("zoe", "/replay 0")
    assert first is not None
    assert first.picture is not None
    assert position(held).view(None) == states[4].view(None)


async def test_only_finished_games_and_turns_that_all_saw_are_offered(crowd: Crowd, store: Store) -> None:
    source = await over(crowd, store)
    entries = logbook.effective(await store.log(source.id))
    states = logbook.positions(source, entries)
    assert origins.starts(states) == (1, 2, 3, 4, 5, 6)
    for request in (PlayOn(source.id, 0), PlayOn(source.id, 7), PlayOn(source.id, 3, 2)):
        assert "no longer available" in text(await crowd.sends("anna", Press(request.payload)))
    await crowd.says("anna", "/newgame kabooom easy")
    running = await table_here(store)
    assert "isn't over" in text(await crowd.sends("anna", Press(PlayOn(running.id, 3).payload)))


async def test_a_game_without_such_a_position_offers_none(crowd: Crowd, store: Store) -> None:
    for turns, offers in ((0, False), (1, True)):
        await over(crowd, store, turns=turns)
        menu = await crowd.says("anna", "[More]")
        assert ("Play on from …" in [button.label for button in buttons(menu or Reply())]) == offers


async def test_its_place_must_be_free_and_open_to_the_person(crowd: Crowd, store: Store) -> None:
    source = await over(crowd, store)
    await crowd.says("clara", "/newgame kabooom easy")
    before = await table_here(store)
    await crowd.sends("anna", Press(PlayOn(source.id, 3, 0, 0).payload))
    assert (await table_here(store)).id == before.id


async def test_in_a_private_chat_the_house_is_the_opponent(crowd: Crowd, store: Store) -> None:
    source = await over(crowd, store)
    alone = Place(PlaceId("room:@anna"), private=True)
    await crowd.sends("anna", Press(PlayOn(source.id, 3, 1).payload), place=alone)
    await crowd.service.idle()
    held = await store.at(alone.id)
    assert held is not None
    table = (await crowd.service.repository.load(held)).table
    assert (table.phase, table.alone) == (Phase.RUNNING, True)
    assert [seat.house for seat in table.seats] == [True, False]


async def test_the_file_of_a_person_has_the_table(crowd: Crowd, store: Store) -> None:
    await over(crowd, store)
    await goes_on(crowd, 3, "Ben", "With other people")
    held = (await table_here(store)).id
    assert held in json.dumps(read(await crowd.sends("anna", EXPORT)))
