"""The table as a value: who may do what, and when."""

import ast
import random
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from bot import requests
from bot.chat import PersonId, PlaceId
from bot.extras.luck import proof_of
from bot.replies.history import history
from bot.requests import QuestionStamp, Request, Stamp, TurnStamp, payload, registry
from bot.requests.payload import Payload
from bot.requests.registry import DECLARATIONS, VERBS
from bot.store import documents
from bot.tables import absence, anonymous, logbook, seating, votes
from bot.tables import table as tables
from bot.tables.table import By, Denied, Entry, Phase, Step, Table, TableId
from bot.tables.waiting import OnClock, Overdue, StandIn
from rules import GAMES, IllegalAction, State, proof
from rules.chance import Chance
from rules.frozen import Frozen
from rules.games.colorio import GAME as COLORIO
from rules.games.colorio.board import GRID, Colour
from rules.lot import Player, draw_seats
from rules.proof import WON_AT_THE_TABLE
from tests.bot.house.playing import best_action, followed

ANNA, BEN, CLARA, DORA, EMIL = (PersonId(f"x:{name}") for name in ("anna", "ben", "clara", "dora", "emil"))


def lobby(*people: PersonId, **options: str) -> Table:
    table = Table(
        id=TableId("k3v7qpm2xa"),
        game="kabooom",
        place=PlaceId("x:hall"),
        host=people[0],
        lang="en",
        created_ms=0,
        seed=f"{7:032x}",
        salt="5a",
        options=options,
    )
    for person in people:
        table = seating.join(table, person, person[2:].capitalize(), "en")
    return table


def started(*people: PersonId, **options: str) -> Step:
    return seating.start(lobby(*people, **options), people[0])


def denial(code: str) -> "pytest.RaisesExc[Denied]":
    return pytest.raises(Denied, check=lambda no: isinstance(no, Denied) and no.code == code)


def test_what_is_true_of_a_lobby_or_a_game_expires_with_it() -> None:
    waiting, running = lobby(ANNA, BEN), started(ANNA, BEN).table
    for table, later in ((waiting, running), (running, replace(running, phase=Phase.OVER))):
        _, turn = tables.turn_of(tables.time_of_phase(table))
        assert not tables.is_expired(replace(table, turn=table.turn + 1), turn)
        assert tables.is_expired(later, turn)


def test_no_person_sits_twice() -> None:
    with denial("joined"):
        seating.join(lobby(ANNA, BEN), BEN, "Ben", "en")


def test_a_full_table_accepts_no_player() -> None:
    with denial("full"):
        seating.join(lobby(ANNA, BEN, CLARA, DORA), EMIL, "Emil", "en")


def test_a_joining_player_gets_the_first_free_colour_and_may_change_it() -> None:
    table = lobby(ANNA, BEN)
    assert [seat.colour for seat in table.seats] == ["red", "blue"]
    table = seating.choose_colour(table, ANNA, 3)
    assert [seat.colour for seat in table.seats] == ["green", "blue"]
    with denial("taken"):
        seating.choose_colour(table, ANNA, 1)
    assert [seat.colour for seat in seating.join(table, CLARA, "Clara", "en").seats] == ["green", "blue", "red"]


def test_only_the_host_sets_the_options() -> None:
    assert seating.choose_option(lobby(ANNA, BEN), ANNA, 0, 2).options == {"level": "hard"}
    with denial("not_host"):
        seating.choose_option(lobby(ANNA, BEN), BEN, 0, 2)


def test_a_choice_that_does_not_exist_is_stale() -> None:
    with denial("stale"):
        seating.choose_option(lobby(ANNA), ANNA, 0, 99)
    with denial("stale"):
        seating.choose_colour(lobby(ANNA), ANNA, 99)


def for_two(*people: PersonId) -> Table:
    """Return a lobby with a start position for two players, a text of its host."""
    return replace(lobby(*people, position="w1j.p1d/w5j.p5d"), game="kalejdoschach")


def test_a_start_position_has_as_many_seats_as_armies() -> None:
    assert (seating.missing(for_two(ANNA)), seating.is_full(for_two(ANNA, BEN))) == (1, True)
    with denial("full"):
        seating.join(for_two(ANNA, BEN), CLARA, "Clara", "en")
    with denial("stale"):
        seating.invite(for_two(ANNA, BEN), ANNA, 1)
    assert seating.start(for_two(ANNA, BEN), ANNA).position.seats == 2


def test_a_text_of_the_host_stays_or_is_dropped() -> None:
    game, table = GAMES["kalejdoschach"], for_two(ANNA)
    number = [option.name for option in game.options].index("position")
    assert seating.choose_option(table, ANNA, number, 1) == table
    usual = seating.choose_option(table, ANNA, number, 0)
    assert usual.options == {"position": "usual"}
    with denial("stale"):
        seating.choose_option(usual, ANNA, number, 1)
    assert seating.places(usual) == game.seats


def test_options_that_do_not_fit_the_players_are_explained() -> None:
    with denial("unfit") as refused:
        seating.start(replace(for_two(ANNA, BEN), options={"position": "w1j/w5j.w5j"}), ANNA)
    assert refused.value.facts["game"] == "kalejdoschach"


def test_the_second_hash_leaves_out_implied_defaults() -> None:
    """So a game that began before an option existed keeps its hash."""
    tables = [replace(lobby(ANNA, BEN, **options), game="crystalla") for options in ({}, {"refill": "tallest"})]
    assert {seating.start(table, ANNA).table.terms.split(" ")[1] for table in tables} == {""}
    chosen = replace(lobby(ANNA, BEN, refill="choice"), game="crystalla")
    assert seating.start(chosen, ANNA).table.terms.split(" ")[1] == "refill=choice"


def test_the_host_who_leaves_hands_the_table_on_and_the_last_one_closes_it() -> None:
    table = seating.leave(lobby(ANNA, BEN), ANNA)
    assert table.host == BEN
    table = seating.leave(table, BEN)
    assert table.phase == Phase.OVER
    with denial("over"):
        seating.join(table, ANNA, "Anna", "en")


def test_the_host_starts_when_enough_people_are_there() -> None:
    with denial("too_few"):
        seating.start(lobby(ANNA), ANNA)
    with denial("not_host"):
        seating.start(lobby(ANNA, BEN), BEN)
    assert started(ANNA, BEN).table.phase == Phase.RUNNING
    with denial("begun"):
        seating.join(started(ANNA, BEN).table, CLARA, "Clara", "en")


def test_the_host_begins_if_the_game_says_so() -> None:
    assert started(ANNA, BEN, CLARA, DORA).table.seats[0].person == ANNA


# The house as a guest


def test_the_host_invites_the_house_and_sends_it_away_again() -> None:
    table = seating.invite(lobby(ANNA, BEN), ANNA, 2)
    assert [(seat.house, seat.colour) for seat in table.seats[2:]] == [(True, "yellow"), (True, "green")]
    assert seating.invite(table, ANNA, 0).seats == lobby(ANNA, BEN).seats
    with denial("not_host"):
        seating.invite(table, BEN, 1)
    with denial("stale"):
        seating.invite(table, ANNA, 3)


def test_the_house_makes_room_for_a_joining_player() -> None:
    table = seating.join(seating.invite(lobby(ANNA), ANNA, 3), BEN, "Ben", "en")
    assert [seat.person for seat in table.seats] == [ANNA, "house:1", "house:2", BEN]
    assert not seating.is_full(table)
    for person in (CLARA, DORA):
        table = seating.join(table, person, "", "en")
    assert {seat.person for seat in table.seats} == {ANNA, BEN, CLARA, DORA}
    assert seating.is_full(table)


def test_a_lobby_where_only_the_house_is_left_closes() -> None:
    table = seating.invite(lobby(ANNA, BEN), ANNA, 2)
    table = seating.leave(table, ANNA)
    assert table.host == BEN
    assert seating.leave(table, BEN).phase == Phase.OVER


@pytest.mark.parametrize("game", GAMES)
def test_the_house_never_begins_and_plays_until_a_person_is_up(game: str) -> None:
    for seed in range(8):
        table = replace(lobby(ANNA, BEN), game=game, seed=f"{seed:032x}")
        table = replace(table, seats=tuple(replace(seat, colour="") for seat in table.seats))
        step = seating.start(seating.invite(table, ANNA, GAMES[game].seats[-1] - 2), ANNA)
        assert step.position.actor == 0
        assert not step.table.seats[0].house
        after = followed(absence.play_turn(step.table, step.position), 0)
        assert after.table.phase == Phase.OVER or not after.table.seats[after.position.actor or 0].house


def test_the_house_plays_again_in_a_rematch() -> None:
    over = replace(seating.start(seating.invite(lobby(ANNA), ANNA, 1), ANNA).table, phase=Phase.OVER)
    new = seating.again(over, replace(lobby(ANNA), seats=()))
    assert {(seat.person, seat.house) for seat in new.seats} == {(ANNA, False), ("house:1", True)}


def test_no_house_seat_is_doubled_when_reinvited_to_a_rematch() -> None:
    over = replace(seating.start(seating.invite(lobby(ANNA), ANNA, 2), ANNA).table, phase=Phase.OVER)
    for seats in (over.seats, over.seats[::-1]):
        new = seating.again(replace(over, seats=seats), replace(lobby(ANNA), seats=()))
        new = seating.invite(seating.invite(new, ANNA, 1), ANNA, 3)
        assert sorted(seat.person for seat in new.seats) == ["house:1", "house:2", "house:3", ANNA]


def test_no_vote_is_asked_if_only_the_house_plays_along() -> None:
    step = seating.start(seating.invite(lobby(ANNA), ANNA, 1), ANNA)
    late = followed(absence.time_is_up(replace(step.table, clock="1d"), step.position, 0), 0)
    assert not late.table.is_overdue
    assert [entry.event for entry in late.entries] == ["late"] + [""] * (len(late.entries) - 1)
    assert {entry.by for entry in late.entries[1:]} == {By.HOUSE}


def test_a_running_table_can_be_written_and_read() -> None:
    table = started(ANNA, BEN).table
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table


def test_the_seed_is_in_no_repr() -> None:
    table = started(ANNA, BEN, level="easy").table
    assert table.seed not in repr(table)
    assert table.salt not in repr(table)


def test_an_action_goes_into_the_log_with_its_turn() -> None:
    step = started(ANNA, BEN)
    step = tables.play(step.table, step.position, step.position.actions()[0], 5)
    (entry,) = step.entries
    assert (entry.seat, entry.action, entry.turn, entry.by, step.table.turn) == (0, "r@a1", 0, By.PERSON, 1)


def test_a_refused_action_changes_nothing() -> None:
    step = started(ANNA, BEN)
    (action,) = GAMES["kabooom"].parse(step.position, "a1-b1")
    before = msgspec.json.encode(step.table)
    with pytest.raises(IllegalAction):
        tables.play(step.table, step.position, action, 5)
    assert msgspec.json.encode(step.table) == before


def test_of_two_the_other_wins_when_one_resigns() -> None:
    step = started(ANNA, BEN)
    ended = absence.resign(step.table, step.position, ANNA, 5).table
    assert ended.result is not None
    assert (ended.phase, ended.result.reason, ended.result.winners) == (Phase.OVER, "resigned", (1,))


def test_of_three_the_house_plays_on_for_the_one_who_resigns() -> None:
    step = started(ANNA, BEN, CLARA, level="hard")
    seats = {seat.person: number for number, seat in enumerate(step.table.seats)}
    step = followed(absence.resign(step.table, step.position, ANNA, 5), 5)
    assert step.table.phase == Phase.RUNNING
    assert [(entry.event, entry.by) for entry in step.entries] == [("resigned", By.PERSON), ("", By.HOUSE)]
    assert step.position.actor == 1
    assert step.table.seat_of(ANNA) is None
    assert step.table.seats[seats[ANNA]].house
    with denial("house_plays"):
        absence.resign(step.table, step.position, ANNA, 6)
    with denial("not_playing"):
        absence.resign(step.table, step.position, EMIL, 6)


@pytest.mark.parametrize("clock", ["none", "1d"])
@pytest.mark.parametrize("has_channel", [True, False])
def test_the_house_plays_for_a_late_person_if_no_one_is_left_to_decide(clock: str, has_channel: bool) -> None:
    table = lobby(ANNA, BEN) if has_channel else lobby(ANNA, BEN, CLARA)
    table = seating.seat_channel(table, ANNA, "lobby") if has_channel else table
    step = seating.start(replace(table, clock=clock), ANNA)
    assert step.position.actor is not None
    late = next(n for n, seat in enumerate(step.table.seats) if seat.is_played_by_person)
    while step.position.actor != late:
        step = tables.play(step.table, step.position, step.position.actions()[0], 2)
    step = absence.time_is_up(step.table, step.position, 3)
    assert step.table.is_overdue
    for number, seat in enumerate(step.table.seats):
        if number != late and seat.is_played_by_person:
            assert step.table.is_overdue
            step = absence.resign(step.table, step.position, seat.person, 4)
    assert (step.table.phase, step.table.waiting) == (Phase.RUNNING, StandIn(3 if clock != "none" else 0))


def test_when_the_last_person_resigns_the_game_ends() -> None:
    step = started(ANNA, BEN, CLARA, level="easy")
    for person in (ANNA, BEN, CLARA):
        if step.table.phase == Phase.RUNNING:
            step = followed(absence.resign(step.table, step.position, person, 5), 5)
    assert step.table.phase == Phase.OVER


def test_who_ends_the_game_by_agreeing_to_a_draw_has_had_no_turn() -> None:
    state: State = GAMES["kalejdoschach"].start(2, {}, 3)
    step = Step(tables.with_state(replace(lobby(ANNA, BEN), game="kalejdoschach", phase=Phase.RUNNING), state), state)
    entries = list[Entry]()
    for text in ("draw", "1d-1b", "draw"):
        (action,) = GAMES["kalejdoschach"].parse(step.position, text)
        step = tables.play(step.table, step.position, action, 5)
        entries += step.entries
    assert step.table.phase == Phase.OVER
    assert step.table.turn == 1
    words = history(step.table, entries, logbook.positions(step.table, entries), 0, "en").text.split("\n")
    assert words == [
        "Ben agrees.",
        "1. Anna offers a draw. Anna: pawn 1d → 1b.",
    ]


def test_the_history_is_words_without_notation() -> None:
    state: State = GAMES["kaleidoskop"].start(2, {}, 3)
    step = Step(tables.with_state(replace(lobby(ANNA, BEN), game="kaleidoskop", phase=Phase.RUNNING), state), state)
    entries, states = list[Entry](), [state]
    for text in ("27r", "end"):
        (action,) = GAMES["kaleidoskop"].parse(step.position, text)
        step = tables.play(step.table, step.position, action, 5)
        entries += step.entries
        states.append(step.position)
    text = history(step.table, entries, states, 0, "en").text
    assert "into well 27" in text or "in well 27" in text
    assert "27r" not in text
    assert "end" not in text


def test_the_history_counts_no_setup_as_a_turn() -> None:
    state: State = GAMES["crystalla"].start(2, {}, 3)
    step = Step(tables.with_state(replace(lobby(ANNA, BEN), game="crystalla", phase=Phase.RUNNING), state), state)
    entries, states = list[Entry](), [state]
    while step.table.turn < 4:
        step = tables.play(step.table, step.position, step.position.actions()[0], 5)
        entries += step.entries
        states.append(step.position)
    words = history(step.table, entries, states, 0, "en").text.split("\n")
    assert [line.split(" ")[:2] for line in words] == [
        ["2.", "Ben"],
        ["1.", "Anna"],
        ["Ben", "keeps"],
        ["Anna", "keeps"],
    ]


def test_the_house_passes_if_it_may_and_otherwise_plays_a_legal_action() -> None:
    step = started(ANNA, BEN, CLARA, level="easy")
    step = followed(absence.resign(step.table, step.position, ANNA, 5), 5)
    assert [entry.action for entry in step.entries] == ["", "pass"]


@pytest.mark.parametrize("game", GAMES)
def test_the_house_offers_no_draw_and_agrees_to_none(game: str) -> None:
    state: State = GAMES[game].start(GAMES[game].seats[0], {}, 3)
    for _ in range(30):
        draws = [action for action in state.actions() if str(action) == "draw"]
        state = state.play(draws[0]) if draws else state
        if state.actor is None:
            break
        action = state.forced or best_action(state, state.actor, Chance(1))
        assert str(action) != "draw"
        state = state.play(action)
        if state.actor is None:
            break


def test_a_game_of_two_ends_when_both_agree() -> None:
    step = started(ANNA, BEN)
    step = votes.end(step.table, step.state, ANNA, may_manage=False)
    assert step.table.phase == Phase.RUNNING
    with denial("agreed"):
        votes.end(step.table, step.state, ANNA, may_manage=False)
    with denial("not_playing"):
        votes.end(step.table, step.state, CLARA, may_manage=False)
    assert votes.end(step.table, step.state, BEN, may_manage=False).table.phase == Phase.OVER


def test_a_majority_ends_a_game_and_no_single_player_can_forbid_it() -> None:
    step = started(ANNA, BEN, CLARA)
    asked = votes.end(step.table, step.state, ANNA, may_manage=False).table
    refused = votes.settled(votes.refuse(asked, BEN), step.position)
    assert refused.ask is not None
    with denial("refused"):
        votes.refuse(refused, BEN)
    assert votes.settled(votes.agree(refused, step.position, CLARA), step.position).phase == Phase.OVER
    assert votes.settled(votes.agree(refused, step.position, BEN), step.position).phase == Phase.OVER


def test_a_vote_that_cannot_pass_any_more_is_over() -> None:
    step = started(ANNA, BEN, CLARA)
    asked = votes.end(step.table, step.state, ANNA, may_manage=False).table
    assert votes.settled(votes.refuse(votes.refuse(asked, BEN), CLARA), step.position).ask is None
    assert votes.refuse(asked, ANNA).ask is None


def test_a_vote_on_the_end_replaces_earlier_questions() -> None:
    step = started(ANNA, BEN, CLARA)
    asked = votes.ask(step.table, ANNA, "undo")
    ended = votes.end(asked, step.state, BEN, may_manage=False).table
    assert ended.ask is not None
    assert (ended.ask.what, ended.ask.agreed) == ("end", (BEN,))


@given(st.integers(2, 4), st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=12))
def test_no_yes_brings_the_end_further_away_and_no_no_brings_it_about(seats: int, said: list[tuple[int, bool]]) -> None:
    step = started(*(ANNA, BEN, CLARA, DORA)[:seats])
    state, table = step.position, replace(step.table, waiting=Overdue())
    for number, yes in said:
        person = table.seats[number % seats].person
        before = None if table.ask is None else votes.votes_needed(table, state) - len(table.ask.agreed)
        try:
            if before is None:
                table = votes.ask(table, person, "end")
            else:
                table = votes.agree(table, state, person) if yes else votes.refuse(table, person)
        except Denied:
            continue
        if table.ask is None:
            continue
        missing = votes.votes_needed(table, state) - len(table.ask.agreed)
        assert before is None or (missing <= before if yes else missing >= before)
        table = votes.settled(table, state)
        assert yes or before is None or table.phase == Phase.RUNNING
        if table.phase == Phase.OVER:
            return
        assert table.ask is None or missing > 0, "it says how many more are needed"


def test_a_manager_of_the_place_ends_a_game_at_once() -> None:
    step = started(ANNA, BEN)
    assert votes.end(step.table, step.state, DORA, may_manage=True).table.phase == Phase.OVER


def test_a_new_turn_is_a_new_subject() -> None:
    step = started(ANNA, BEN)
    assert tables.subject(lobby(ANNA)) == "lobby"
    assert tables.subject(step.table) == "turn0"
    assert tables.subject(tables.play(step.table, step.position, step.position.actions()[0], 5).table) == "turn1"
    assert tables.subject(replace(step.table, phase=Phase.OVER)) == "over"


letters = "abcdefghijklmnopqrstuvwxyz234567"
marks = st.just("") | st.text(letters, min_size=3, max_size=3)


@given(
    st.builds(
        Payload,
        st.sampled_from(sorted(VERBS)),
        st.text(letters, max_size=13),
        st.lists(st.integers(0, 99_999), max_size=6).map(tuple),
        marks,
    )
)
def test_a_payload_is_read_as_it_was_written(pressed: Payload) -> None:
    word = f"{pressed.word}-{pressed.mark}" if pressed.mark else pressed.word
    carried = payload.write(pressed.verb, word, *pressed.numbers)
    assert len(carried.encode()) <= payload.LONGEST
    assert payload.read(carried) == pressed


@st.composite
def pressed(draw: st.DrawFn) -> Request:
    """Return any request that a button can make."""
    declaration = draw(st.sampled_from([declaration for declaration in DECLARATIONS if declaration.verbs]))
    numbers = st.integers(0, 999_999)
    words = st.text(letters, min_size=1, max_size=13)
    of_type: dict[Any, st.SearchStrategy[Any]] = {
        str: words,
        TableId: words,
        int: numbers,
        bool: st.booleans(),
        tuple[int, ...]: st.lists(numbers, max_size=2).map(tuple),
        **{kind: st.builds(kind, numbers, marks) for kind in (Stamp, TurnStamp, QuestionStamp)},
    }
    values, ends, has_word = dict[str, Any](), False, False
    for field in fields(declaration.kind):
        any_of = (field.type, *get_args(field.type)) if type(None) in get_args(field.type) else (field.type,)
        kind = next((kind_ for kind_ in any_of if kind_ in of_type), None)
        if kind is None or (ends and kind not in (str, TableId)) or (has_word and kind in (str, TableId)):
            continue  # a payload carries one word
        has_word |= kind in (str, TableId)
        if field.required or field.name == declaration.by or draw(st.booleans()):
            values[field.name] = draw(of_type[kind])
        else:  # no number can follow one that is missing
            ends = kind not in (str, TableId)
    return declaration.kind(**values)


@given(pressed())
def test_a_button_makes_the_request_for_which_it_was_made(request_: Request) -> None:
    assert registry.read(request_.payload) == request_


IN_WORDS = [
    (requests.Play(TableId("k3v7qpm2xa"), Stamp(17, "b7q"), 4), "play:k3v7qpm2xa-b7q:17.4"),
    (requests.Play(TableId("k3v7qpm2xa"), Stamp(17, "b7q"), 4, sure=True), "sure:k3v7qpm2xa-b7q:17.4"),
    (requests.Menu(TableId("k3v7qpm2xa")), "menu:k3v7qpm2xa"),
    (requests.Menu(TableId("k3v7qpm2xa"), Stamp(17, "b7q"), 1, (2, 0)), "menu:k3v7qpm2xa-b7q:17.1.2.0"),
    (requests.End(TableId("k3v7qpm2xa"), Stamp(17, "b7q")), "end:k3v7qpm2xa-b7q:17"),
    (requests.End(TableId("k3v7qpm2xa"), Stamp(17, "b7q"), sure=True), "end:k3v7qpm2xa-b7q:17.1"),
    (requests.Agree(TableId("k3v7qpm2xa"), QuestionStamp(17, "b7q"), True), "agree:k3v7qpm2xa-b7q:17"),
    (requests.Agree(TableId("k3v7qpm2xa"), QuestionStamp(17, "b7q"), False), "refuse:k3v7qpm2xa-b7q:17"),
    (requests.ChooseClock(TableId("k3v7qpm2xa"), 2, on_timeout=True), "late:k3v7qpm2xa:2"),
    (requests.Hide(False), "hide::0"),
    (requests.NewGame("kabooom", house=True), "new:kabooom:1"),
    (requests.NewGame(), "new:"),
    (requests.Learn("kabooom"), "learn:kabooom"),
    (requests.Help(), "help:"),
    (requests.Settings("me"), "settings:me:0"),
    (requests.Close(), "close:"),
]


@pytest.mark.parametrize(("request_", "carried"), IN_WORDS)
def test_payloads_keep_their_form(request_: Request, carried: str) -> None:
    assert request_.payload == carried
    assert registry.read(carried) == request_


@given(st.integers(0, 999_999_999), marks)
def test_a_stamp_fits_the_save_or_the_turn_for_which_it_was_made(number: int, mark: str) -> None:
    table = replace(lobby(ANNA), revision=number, mark=mark, turn=number, turn_mark=mark)
    assert Stamp.of(table).fits(table)
    assert not Stamp.of(table).fits(replace(table, revision=number + 1))
    assert TurnStamp.of(table).fits(replace(table, revision=number + 1))
    assert not TurnStamp.of(table).fits(replace(table, turn=number + 1))


@given(st.text(max_size=80))
def test_any_other_payload_is_nothing(carried: str) -> None:
    pressed = payload.read(carried)
    assert pressed is None or carried.startswith(f"{pressed.verb}:{pressed.word}")


def played(step: Step, *texts: str) -> tuple[Step, list[Entry]]:
    log: list[Entry] = []
    for text in texts:
        (action,) = GAMES[step.table.game].parse(step.position, text)
        step = tables.play(step.table, step.position, action, 5)
        step = replace(step, table=replace(step.table, revision=step.table.revision + 1))
        log += step.entries
    return step, log


def test_taking_back_leads_to_the_position_before_my_last_action() -> None:
    begun = started(ANNA, BEN)
    step, log = played(begun, "r@b2", "p@c3", "s@d1")
    undo = logbook.undo(step.table, log, BEN)
    assert not undo.freely
    assert undo.step.state == played(begun, "r@b2")[0].state
    assert undo.step.table.turn == 1
    log += undo.step.entries
    assert [entry.action for entry in logbook.effective(log)] == ["r@b2"]
    assert logbook.positions(step.table, logbook.effective(log))[-1] == undo.step.state


STEPS = (("22p",), ("22p", "buy:mirror"), ("22p", "buy:mirror", "mirror:27:d4"))


def rich() -> Step:
    """Return a game with turns of several steps, in which the first player can buy."""
    begun = seating.start(replace(lobby(ANNA, BEN), game="kaleidoskop"), ANNA)
    document = msgspec.json.decode(GAMES["kaleidoskop"].encode(begun.position))
    document["players"][0]["score"] = 9
    state = GAMES["kaleidoskop"].decode(msgspec.json.encode(document))
    return Step(tables.with_state(begun.table, state), state)


@pytest.mark.parametrize("steps", STEPS, ids=" ".join)
def test_a_table_knows_the_beginning_of_the_current_turn(steps: tuple[str, ...]) -> None:
    begun = rich()
    step, _ = played(begun, *steps)
    assert logbook.turn_began(begun.table) is None
    assert logbook.turn_began(step.table) == begun.state
    after, _ = played(step, "end")
    assert logbook.turn_began(after.table) is None


def test_a_known_turn_beginning_is_not_decoded_again() -> None:
    begun = rich()
    step, _ = played(begun, "22p")
    logbook.know_beginning(step.table, begun.position)
    assert logbook.turn_began(step.table) is begun.state


@pytest.mark.parametrize("steps", STEPS, ids=" ".join)
def test_undo_within_a_turn_does_not_replay_earlier_turns(steps: tuple[str, ...]) -> None:
    begun = rich()  # a position that seed and log do not lead to
    step, log = played(begun, *steps)
    before, _ = played(begun, *steps[:-1])
    undo = logbook.undo(step.table, log, begun.table.seats[0].person)
    assert undo.freely
    assert undo.step.state == before.state
    assert logbook.turn_began(undo.step.table) == logbook.turn_began(before.table)
    assert logbook.is_begun(undo.step.table, [*log, *undo.step.entries]) == (len(steps) > 1)


def test_the_newest_of_the_log_tell_this_turn_if_they_reach_back_to_the_one_before() -> None:
    begun = seating.start(replace(lobby(ANNA, BEN), game="kaleidoskop"), ANNA)
    step, log = played(begun, "22p", "end", "21r")
    assert [entry.action for entry in logbook.this_turn(step.table, log[1:]) or ()] == ["21r"]
    assert logbook.this_turn(step.table, log[2:]) is None
    assert logbook.this_turn(begun.table, log) is None  # nothing goes on


def test_undo_takes_back_all_of_a_turn_that_is_over() -> None:
    begun = seating.start(replace(lobby(ANNA, BEN), game="crystalla"), ANNA)
    step, log = played(begun, "keep")
    while step.table.turn == 0:
        step, entries = played(step, str(step.position.actions()[0]))
        log += entries
    undo = logbook.undo(step.table, log, begun.table.seats[0].person)
    assert not undo.freely
    assert undo.step.state == begun.state
    assert logbook.effective([*log, *undo.step.entries]) == ()


def test_undo_takes_back_the_former_turn_when_the_next_player_has_begun() -> None:
    begun = seating.start(replace(lobby(ANNA, BEN), game="kaleidoskop"), ANNA)
    step, log = played(begun, "22p", "end", "21r")
    undo = logbook.undo(step.table, log, begun.table.seats[0].person)
    assert not undo.freely
    assert undo.step.state == begun.state
    assert not logbook.is_begun(undo.step.table, [*log, *undo.step.entries])


def test_undo_past_a_resignation_leaves_the_seat_to_the_house() -> None:
    step, log = played(started(ANNA, BEN, CLARA), "r@b2", "r@b3", "r@c2")
    first, _, last = (seat.person for seat in step.table.seats)
    table = absence.resign(step.table, step.position, last, 1).table
    assert [seat.taken for seat in table.seats] == [0, 0, 3]
    undo = logbook.undo(table, log, first)
    assert undo.step.table.turn == 0
    assert [(seat.house, seat.taken) for seat in undo.step.table.seats] == [(False, 0), (False, 0), (True, 0)]


def test_a_player_without_actions_has_nothing_to_undo() -> None:
    step, log = played(started(ANNA, BEN), "r@b2")
    with denial("nothing_to_undo"):
        logbook.undo(step.table, log, BEN)


def test_a_new_action_closes_an_open_question() -> None:
    step, _ = played(started(ANNA, BEN), "r@b2")
    asked = votes.ask(step.table, ANNA, "undo")
    after, _ = played(Step(asked, step.state), "p@c3")
    assert after.table.ask is None
    with denial("not_asked"):
        votes.agree(after.table, after.state, BEN)


def test_an_action_that_shows_nothing_hidden_reveals_nothing() -> None:
    step, log = played(started(ANNA, BEN), "r@b2")
    before, after = logbook.positions(step.table, log)
    assert not logbook.reveals(step.table, before, "r@b2", after)


def test_options_and_settings_of_a_table_cannot_be_changed() -> None:
    table = seating.join(lobby(ANNA, level="hard"), BEN, "Ben", "en", {"quiet": "22-8"})
    stored = documents.table(documents.encoded(table), documents.SCHEMA)
    for value in (table, stored, lobby(ANNA)):
        for kept in (value.options, value.seats[-1].settings):
            assert isinstance(kept, Frozen)
            for change in ("clear", "popitem", "update", "pop", "setdefault"):
                with pytest.raises(TypeError):
                    getattr(kept, change)()
            with pytest.raises(TypeError):
                kept["level"] = "easy"
    assert stored == table
    assert b"options" not in documents.encoded(lobby(ANNA)), "what is not chosen is not stored"


HOST_ONLY: tuple[Callable[[Table, PersonId], Table], ...] = (
    lambda table, person: seating.choose_option(table, person, 0, 0),
    lambda table, person: seating.choose_clock(table, person, "1d", "play"),
    lambda table, person: seating.choose_level(table, person, "hard"),
    lambda table, person: seating.choose_calls(table, person, False),
    lambda table, person: seating.invite(table, person, 1),
)


@pytest.mark.parametrize("choose", HOST_ONLY)
def test_only_the_host_chooses_how_it_is_played_and_only_before_the_game(
    choose: Callable[[Table, PersonId], Table],
) -> None:
    assert choose(lobby(ANNA, BEN), ANNA) != lobby(ANNA, BEN)
    with denial("not_host"):
        choose(lobby(ANNA, BEN), BEN)
    begun = started(ANNA, BEN).table
    with denial("not_lobby"):
        choose(begun, ANNA)
    with denial("over"):
        choose(tables.over(begun, tables.Result("ended", of_table=True)), ANNA)


def test_a_lobby_waits_for_as_many_as_the_game_needs() -> None:
    people = (ANNA, BEN, CLARA, DORA)
    assert [seating.missing(lobby(*people[:count])) for count in (1, 2, 3, 4)] == [1, 0, 0, 0]


def test_chance_means_a_deal_or_a_lot_among_several_seats() -> None:
    assert not seating.uses_chance(lobby(ANNA, BEN)), "the host begins, and the stones are placed"
    assert seating.uses_chance(lobby(ANNA, BEN, level="easy")), "the stones are dealt"
    assert seating.uses_chance(lobby(ANNA, BEN, CLARA)), "who comes after the host"
    chess = replace(lobby(ANNA, BEN), game="kalejdoschach")
    assert seating.uses_chance(chess), "who begins"
    assert not seating.uses_chance(seating.invite(replace(chess, seats=chess.seats[:1]), ANNA, 1)), "never the house"
    assert not seating.uses_chance(replace(chess, order=(BEN, ANNA))), "as it was agreed"
    assert seating.uses_chance(replace(chess, order=(BEN, CLARA))), "somebody else plays"


def test_the_commitment_can_be_recomputed_from_the_published_facts() -> None:
    begun = started(ANNA, BEN, CLARA).table
    assert begun.commitment == sha256(f"{begun.seed}:{begun.salt}".encode()).hexdigest()
    assert begun.fixed == sha256(f"{begun.commitment} {begun.terms}".encode()).hexdigest()
    assert (lobby(ANNA).terms, lobby(ANNA).fixed) == ("", "")


def test_a_hidden_turn_is_reported_only_when_complete() -> None:
    def did(action: str, turn: int, back: int = 0) -> Entry:
        return Entry(1, 0, action, 0, turn=turn, back=back, event="" if action else "undone" if back else "resigned")

    table = replace(lobby(ANNA, BEN), game="crystalla", phase=Phase.RUNNING, turn=1)
    whole, begins, event = did("keep", 0), did("take1", 1), did("", 1)
    assert logbook.told_entries(table, (whole, event, begins)) == (whole, event)
    assert logbook.told_entries(replace(table, turn=2), (whole, begins)) == (whole, begins)
    assert logbook.told_entries(replace(table, phase=Phase.OVER), (whole, begins)) == (whole, begins)
    undone = did("", 1, back=1)
    assert logbook.told_entries(table, (whole, event, begins, undone)) == (whole, event), "nobody saw it"
    assert logbook.told_entries(table, (event, undone)) == (event, undone), "what it took back was told before"
    steps = replace(table, game=next(game for game in GAMES if GAMES[game].shows_steps))
    assert logbook.told_entries(steps, (begins, undone)) == (begins, undone), "every step was seen"


# Time is up


def late(step: Step, now_ms: int = 7) -> Step:
    return absence.time_is_up(replace(step.table, clock="1d"), step.position, now_ms)


def events(step: Step) -> list[tuple[str, int]]:
    return [(entry.event, entry.seat) for entry in step.entries]


def test_after_a_timeout_the_others_are_asked_and_then_the_house_plays() -> None:
    begun = started(ANNA, BEN, CLARA)
    asked = late(replace(begun, table=replace(begun.table, turn=3)))
    assert asked.table.waiting == Overdue(7)
    assert events(asked) == [("late", 0)]
    played = late(asked, 9)
    assert played.table.waiting == StandIn(7)
    assert events(played) == []


def test_a_player_alone_with_the_house_has_no_one_to_ask() -> None:
    table = seating.invite(lobby(ANNA), ANNA, 2)
    step = late(seating.start(table, ANNA))
    assert isinstance(step.table.waiting, StandIn)
    two = late(seating.start(seating.invite(lobby(ANNA, BEN), ANNA, 1), ANNA))
    assert two.table.is_overdue, "there is one to ask"


def test_the_agreed_consequence_happens_at_timeout() -> None:
    begun = started(ANNA, BEN, CLARA)
    played = late(replace(begun, table=replace(begun.table, on_timeout="play", turn=3)))
    assert (played.table.has_stand_in, events(played)) == (True, [("late", 0)])
    taken = late(replace(begun, table=replace(begun.table, on_timeout="seat", turn=3)))
    assert [seat.house for seat in taken.table.seats] == [True, False, False]
    assert (taken.table.phase, events(taken)) == (Phase.RUNNING, [("late", 0), ("taken", 0)])


def test_with_two_players_a_timeout_loses_if_agreed() -> None:
    begun = started(ANNA, BEN)
    step = late(replace(begun, table=replace(begun.table, on_timeout="seat", turn=2)))
    assert step.table.result == tables.Result("timeout", (1,), begun.position.standing(), of_table=True)


def test_about_a_first_move_the_others_are_asked_whatever_is_agreed() -> None:
    for consequence in ("play", "seat"):
        begun = started(ANNA, BEN)
        step = late(replace(begun, table=replace(begun.table, on_timeout=consequence, turn=1)))
        assert (step.table.is_overdue, events(step)) == (True, [("late.first", 0)])


def test_the_others_may_wait_again() -> None:
    asked = late(started(ANNA, BEN, CLARA))
    step = absence.wait_again(asked.table, asked.position, 1, 11)
    assert (step.table.waiting, events(step)) == (OnClock(11), [("waited", 1)])


def test_a_table_that_all_players_left_is_over() -> None:
    step = started(ANNA, BEN, CLARA)
    for person in (BEN, CLARA):
        step = absence.resign(step.table, step.position, person, 3)
    assert step.table.phase == Phase.RUNNING
    taken = absence.give_seat_to_house(step.table, step.position, 3)
    assert taken.table.result == tables.Result("left", (), step.position.standing(), of_table=True)
    gone = absence.resign(step.table, step.position, ANNA, 3)
    assert gone.table.result == tables.Result("left", (), step.position.standing(), of_table=True, by=(0,))
    assert [seat.house for seat in gone.table.seats] == [False, True, True], "the house plays on for the others only"


def test_a_game_that_was_ended_notes_by_whom() -> None:
    begun = started(ANNA, BEN, CLARA)
    asked = votes.end(begun.table, begun.position, BEN, may_manage=False)
    agreed = votes.end(asked.table, asked.position, ANNA, may_manage=False)
    assert agreed.table.result is not None
    assert agreed.table.result.by == (begun.table.seat_of(BEN), begun.table.seat_of(ANNA))
    for person, by in ((CLARA, (begun.table.seat_of(CLARA),)), (DORA, ())):
        ended = votes.end(asked.table, asked.position, person, may_manage=True)
        assert ended.table.result is not None
        assert ended.table.result.by == by


def test_seats_are_drawn_from_the_seed_by_player_number() -> None:
    table = replace(seating.invite(lobby(ANNA, BEN, CLARA), ANNA, 1), host=BEN)
    begun = seating.start(table, BEN).table
    people = (Player(1), Player(2, "host"), Player(3), Player(4, "house"))
    assert begun.lot == draw_seats(people, int(table.seed, 16), host_begins=True)
    assert [seat.person for seat in begun.seats] == [table.seats[player.number - 1].person for player in begun.lot]
    assert begun.terms == "kabooom dynamite=stone,level=medium " + ",".join(map(str, begun.lot))
    assert lobby(ANNA).lot == ()


def test_forgetting_a_person_leaves_no_trace_in_a_vote() -> None:
    asked = votes.refuse(votes.ask(started(ANNA, BEN, CLARA).table, ANNA, "end"), BEN)
    without = anonymous.without(asked, BEN, (), anonymous.gone("0f"))
    assert asked.ask is not None
    assert without.ask is not None
    assert (asked.ask.refused, without.ask.refused) == ((BEN,), (anonymous.gone("0f"),))
    assert BEN.encode() not in documents.encoded(without)


def test_forgetting_a_person_keeps_the_commitment() -> None:
    begun = started(ANNA, BEN, CLARA).table
    without = anonymous.without(begun, BEN, (), anonymous.gone("0f"))
    assert (without.terms, without.fixed) == (begun.terms, begun.fixed)
    assert seating.is_agreed(without) == seating.is_agreed(begun)


def test_a_rematch_of_the_same_people_is_agreed_and_no_lot() -> None:
    over = tables.over(started(ANNA, BEN, CLARA).table, tables.Result("ended", of_table=True))
    again = seating.again(over, lobby(ANNA))
    for person in (BEN, CLARA):
        again = seating.join(again, person, person, "en")
    begun = seating.start(again, ANNA).table
    assert seating.is_agreed(begun)
    assert begun.lot == (Player(1, "host"), *(player for player in begun.lot[1:]))
    assert sorted(player.number for player in begun.lot) == [1, 2, 3]


def test_the_proof_holds_where_of_two_that_are_left_of_three_the_silent_one_has_lost() -> None:
    step = started(ANNA, BEN, CLARA)
    left = absence.resign(step.table, step.position, CLARA, 3)
    asked = votes.ask(replace(left.table, waiting=Overdue()), BEN, "end")
    over = votes.settled(asked, step.position)
    assert over.result is not None
    assert (over.result.reason, len(over.result.winners)) == ("timeout", 1)
    assert proof.check(proof_of(over, left.entries)).outcome is None


def test_the_proof_knows_every_way_in_which_a_table_ends() -> None:
    """Missing facts would be reported as wrong although they happened."""
    ways = set[str]()
    for path in Path(tables.__file__).parent.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and any(
                word.arg == "of_table" and isinstance(word.value, ast.Constant) and word.value.value is True
                for word in node.keywords
            ):
                assert isinstance(node.args[0], ast.Constant)
                ways.add(str(node.args[0].value))
    assert ways == set(WON_AT_THE_TABLE)


def rematch(table: Table, asker: PersonId) -> Table:
    """Return the lobby that *asker* opens after the game of *table*."""
    over = tables.over(table, tables.Result("ended", of_table=True))
    return seating.again(over, replace(lobby(asker), seats=()))


def test_a_rematch_seats_the_asker_and_invites_the_others() -> None:
    step = started(ANNA, BEN, CLARA)
    over = tables.over(step.table, tables.Result("ended", of_table=True))
    again = seating.again(over, replace(lobby(BEN), game=""))
    assert (again.game, again.host, again.options) == (over.game, BEN, over.options)
    assert [seat.person for seat in again.seats] == [BEN]
    assert {seat.person for seat in again.invited} == {ANNA, CLARA}
    with denial("too_few"):
        seating.start(again, BEN)


def test_the_opener_begins_every_rematch_that_they_join_whoever_asks() -> None:
    again = started(ANNA, BEN, CLARA).table
    for asker in (BEN, CLARA, ANNA):
        again = rematch(again, asker)
        assert again.host == asker
        for seat in again.invited:
            again = seating.join(again, seat.person, "", "en")
        assert again.host == ANNA
        again = seating.start(again, BEN).table
        assert again.seats[0].person == ANNA
        assert [str(player) for player in again.lot if player.part] == [str(again.lot[0])]


def test_a_rematch_without_its_opener_passes_the_first_seat_to_its_host() -> None:
    again = seating.start(seating.join(rematch(started(ANNA, BEN, CLARA).table, BEN), CLARA, "", "en"), CLARA).table
    assert again.seats[0].person == BEN
    assert rematch(again, CLARA).opener == BEN


def test_only_the_opener_of_a_rematch_chooses_the_options_of_the_game() -> None:
    again = rematch(started(ANNA, BEN, CLARA).table, BEN)
    with denial("not_opener"):
        seating.choose_option(again, BEN, 0, 0)
    assert seating.choose_clock(again, BEN, "1d", "ask").clock == "1d"
    joined = seating.join(again, ANNA, "Anna", "en")
    with denial("not_host"):
        seating.choose_option(joined, BEN, 0, 0)
    assert seating.choose_option(joined, ANNA, 0, 0).options["level"] == "easy"
    left = seating.leave(joined, ANNA)
    assert seating.choose_option(left, BEN, 0, 0).options["level"] == "easy"
    assert seating.join(left, ANNA, "Anna", "en").host == ANNA


def test_a_rematch_waits_for_no_opener_where_a_lot_decides_or_they_are_forgotten() -> None:
    over = started(ANNA, BEN, CLARA).table
    forgotten = anonymous.present(anonymous.without(over, ANNA, (), anonymous.gone("0f")))
    for table in (replace(over, game="crystalla", options={}), forgotten):
        assert rematch(table, BEN).opener == ""
    without = anonymous.without(rematch(over, BEN), ANNA, (), anonymous.gone("0f"))
    assert seating.awaited_opener(without) is None
    assert ANNA.encode() not in documents.encoded(without)


def test_any_seated_player_may_start_a_rematch_and_no_other_person() -> None:
    over = tables.over(started(ANNA, BEN, CLARA).table, tables.Result("ended", of_table=True))
    again = seating.join(seating.again(over, lobby(BEN)), CLARA, "Clara", "en")
    for person in (ANNA, EMIL):
        with denial("not_at_table"):
            seating.start(again, person)
    assert seating.start(again, CLARA).table.phase == Phase.RUNNING


def test_a_complete_drawn_rematch_moves_the_first_seat_on() -> None:
    step = started(ANNA, BEN, CLARA)
    again = seating.again(tables.over(step.table, tables.Result("ended", of_table=True)), lobby(BEN))
    assert again.order == tuple(seat.person for seat in (*step.table.seats[1:], step.table.seats[0]))
    for person in (ANNA, CLARA):
        again = seating.join(again, person, person, "en")
    assert again.invited == ()
    assert {seat.person for seat in again.seats} == {ANNA, BEN, CLARA}


def test_a_joiner_of_a_rematch_gets_the_former_colour_if_free() -> None:
    before = started(ANNA, BEN, CLARA).table
    over = tables.over(before, tables.Result("ended", of_table=True))
    again = seating.join(seating.again(over, lobby(BEN)), CLARA, "Clara", "en")
    colours = {seat.person: seat.colour for seat in before.seats}
    assert {seat.person: seat.colour for seat in again.seats} == {person: colours[person] for person in (BEN, CLARA)}


def test_what_chance_brought_cannot_be_taken_back() -> None:
    """In a game with dice, a move is followed by a throw that no player could know."""
    table = replace(lobby(ANNA, BEN), game="kalejdoschach", options={"dice": "on"})
    step = seating.start(table, ANNA)
    person = step.table.seats[step.position.actor or 0].person
    action = next(action for action in step.position.actions() if str(action) != "draw")
    step = tables.play(step.table, step.position, action, 5)
    with denial("revealed"):
        logbook.undo(step.table, step.entries, person)


def test_revealed_information_cannot_be_undone() -> None:
    """Lifting a cap draws nothing: the colour under it was fixed, but unknown to all players."""
    step = seating.start(replace(lobby(ANNA, BEN), game="colorio", options={"memory": "off"}), ANNA)
    lifted, log = played(step, "b3")
    with denial("revealed"):
        logbook.undo(lifted.table, log, ANNA)


PRESENT = """keep 2cnw 1dne 3csw  swap2 2asw 1ane 3ase  take1 o4 o5 o2 dsw  take6 w5 w4 w1 bne  take2 o1 dnw
take1 w2 o5 dsw o+al"""
"""Crystalla, from the first action on: in seat 1's second turn seat 0 gets a piece."""


def test_a_turn_waits_for_a_player_who_acts_within_it() -> None:
    table = replace(lobby(ANNA, BEN), game="crystalla", seed="07" * 16, order=(ANNA, BEN))
    step, log, interrupted = seating.start(table, ANNA), list[Entry](), list[int | None]()
    for text in (*PRESENT.split(), "c2"):
        step = tables.play(step.table, step.position, logbook.action_of(step.position, text), 0)
        log += step.entries
        interrupted.append(step.table.interrupted)
    assert interrupted == [None] * (len(interrupted) - 2) + [1, None]
    assert step.position.actor == 0, "and then the turn passes"
    back = logbook.undo(step.table, log, ANNA).step
    assert (back.table.interrupted, back.position.actor) == (1, 0)


@given(st.integers(0, 2**64), st.sampled_from(["single", "rounds"]), st.floats(0, 1))
def test_look_ups_name_colours_of_past_rounds_only(seed: int, scoring: str, part: float) -> None:
    pick, colours = random.Random(seed), {colour.word for colour in Colour}
    states, entries = [COLORIO.start(3, {"scoring": scoring}, seed)], list[Entry]()
    while actions := states[-1].actions():
        action = pick.choice(actions)
        states.append(states[-1].play(action))
        news = states[-2].view(None).news(action, states[-1].view(None))
        entries.append(Entry(len(entries), 0, str(action), 0, news=news))
    table = replace(lobby(ANNA), game="colorio", phase=Phase.RUNNING)
    for done in (round(part * len(entries)), len(entries)):
        now = states[done]
        answer = logbook.recounted(table, entries[:done], states[: done + 1])
        for before, entry, then in zip(states, answer, entries, strict=False):
            if now.forgets and before.round == now.round:
                assert entry == then, "as it was told then"
            elif entry.action in GRID.fields:
                assert {fact for news in entry.news for _, fact in news.facts} & colours
