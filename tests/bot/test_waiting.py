"""The state of waiting: which state follows which, and how documents of schema 2 become one of them."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bot.store import documents
from bot.tables import absence
from bot.tables.table import Ask, Declined, Step
from bot.tables.waiting import OnClock, Overdue, Resting, StandIn, Unreachable, Waiting, of_turn
from tests.bot.test_table import ANNA, BEN, CLARA, played, started

HALL = "room:hall"


def waiting(state: Waiting) -> Step:
    step = started(ANNA, BEN, CLARA)
    return replace(step, table=replace(step.table, clock="1d", waiting=state))


@pytest.mark.parametrize("turn", [OnClock(3), Overdue(3, True), StandIn(3)])
def test_a_place_that_is_unreachable_stops_the_time_of_the_turn(turn: OnClock | Overdue | StandIn) -> None:
    away = absence.lose_place(waiting(turn).table, 10)
    assert away.waiting == Unreachable(10, turn)
    assert absence.lose_place(away, 15) is away
    assert absence.regain_place(away, 30).waiting == replace(turn, since_ms=23)


def test_a_turn_that_began_while_the_place_was_away_keeps_its_whole_time() -> None:
    away = replace(waiting(OnClock()).table, waiting=Unreachable(10, OnClock(20)))
    assert absence.regain_place(away, 30).waiting == OnClock(30)


def test_a_place_that_was_not_away_changes_no_time() -> None:
    table = waiting(OnClock(3)).table
    assert absence.regain_place(table, 30) is table


def test_a_table_that_rests_and_wakes_gives_the_turn_its_whole_time() -> None:
    resting = absence.rest(waiting(Unreachable(5, Overdue(3))).table)
    assert resting.waiting == Resting()
    assert absence.lose_place(resting, 7) is resting
    assert absence.wake(resting, None, resting.place, 9).waiting == OnClock(9)


def test_time_that_is_up_while_the_place_is_unreachable_leaves_it_so() -> None:
    step = waiting(Unreachable(5, OnClock(3, True)))
    late = absence.time_is_up(step.table, step.position, 9)
    assert late.table.waiting == Unreachable(5, Overdue(9, True))
    again = absence.wait_again(late.table, late.position, 1, 11)
    assert again.table.waiting == Unreachable(5, OnClock(11, True))


def test_a_game_that_is_back_begins_a_late_turn_anew() -> None:
    """The others, who were to decide, may have left meanwhile."""
    table = absence.lose_game(waiting(Overdue(3, True)).table, 5)
    assert absence.regain_place(table, 9).waiting == OnClock(9, True)


@pytest.mark.parametrize("state", [OnClock(3), Overdue(3), StandIn(3), Unreachable(5, StandIn(3))])
def test_a_new_turn_begins_on_the_clock(state: Waiting) -> None:
    step = waiting(state)
    after, _ = played(step, str(step.position.actions()[0]))
    assert after.table.turn == step.table.turn + 1
    assert isinstance(of_turn(after.table.waiting), OnClock)
    assert after.table.is_unreachable == step.table.is_unreachable


def test_only_a_declined_question_of_this_turn_is_told() -> None:
    table = replace(waiting(OnClock()).table, question=Declined("undo", 1, 0))
    assert (table.ask, table.declined) == (None, Declined("undo", 1, 0))
    assert replace(table, turn=1).declined is None
    assert replace(table, question=Ask("end", (ANNA,))).declined is None


TURN = {"since_ms": 3, "hushed": True}
SCHEMA_2: dict[str, tuple[dict[str, Any], Waiting]] = {
    "lobby": ({"phase": "lobby"}, OnClock()),
    "clock": (TURN, OnClock(3, True)),
    "overdue": ({**TURN, "overdue": True}, Overdue(3, True)),
    "stand-in": ({**TURN, "deputy": 4}, StandIn(3, True)),
    "stand-in of an earlier turn": ({**TURN, "deputy": 3}, OnClock(3, True)),
    "stand-in of a silent person": ({**TURN, "deputy": 4, "overdue": True}, StandIn(3, True)),
    "away": ({**TURN, "away_ms": 9}, Unreachable(9, OnClock(3, True))),
    "away and overdue": ({**TURN, "away_ms": 9, "overdue": True}, Unreachable(9, Overdue(3, True))),
    "resting": ({**TURN, "resting": True, "away_ms": 9}, Resting()),
    "over": ({**TURN, "phase": "over", "overdue": True}, OnClock(3, True)),
}


@pytest.mark.parametrize(("fields", "state"), SCHEMA_2.values(), ids=SCHEMA_2)
def test_a_document_of_schema_2_has_one_state_of_waiting(fields: dict[str, Any], state: Waiting) -> None:
    step = started(ANNA, BEN)
    document = {**msgspec.json.decode(documents.encoded(step.table)), "turn": 4, **fields}
    document.pop("waiting", None)
    assert documents.table(msgspec.json.encode(document), 2).waiting == state


def test_a_document_of_schema_2_keeps_its_question_and_its_former_place() -> None:
    document = msgspec.json.decode(documents.encoded(started(ANNA, BEN).table))
    asked = {"what": "end", "agreed": [ANNA], "revision": 5, "mark": "abc", "refused": []}
    table = documents.table(msgspec.json.encode({**document, "ask": asked, "left": HALL}), 2)
    assert (table.ask, table.former_place) == (Ask("end", (ANNA,), 5, "abc"), HALL)
    declined = {"what": "undo", "seat": 1, "turn": 0}
    table = documents.table(msgspec.json.encode({**document, "declined": declined}), 2)
    assert table.question == Declined("undo", 1, 0)
