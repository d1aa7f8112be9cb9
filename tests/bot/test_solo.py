"""Which games against the house count, and for whom."""

import pytest
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.house.levels import Level
from bot.tables import solo
from bot.tables.anonymous import gone, house
from bot.tables.solo import SoloRecord, SoloResult
from bot.tables.table import Phase, Result, Seat, Table, TableId, with_state
from rules import GAMES

ANNA, BEN = Seat(PersonId("x:a"), "Anna", "en"), Seat(PersonId("x:b"), "Ben", "en")
HOUSE, OTHER = (Seat(house(number), "", "en", house=True) for number in (1, 2))


def ended(result: Result, *seats: Seat, game: str = "kabooom") -> Table:
    table = Table(
        id=TableId("k3v7qpm2xa"),
        game=game,
        place=PlaceId("x:hall"),
        host=ANNA.person,
        lang="en",
        created_ms=0,
        seats=seats or (HOUSE, ANNA),
        phase=Phase.OVER,
        result=result,
    )
    return with_state(table, GAMES[game].start(len(table.seats), seed=1))


WON = Result("stuck", (1,), (5, 9))


def test_a_person_wins_loses_or_draws_against_the_house() -> None:
    won = solo.result(ended(WON))
    assert won is not None
    assert replace(won, badges=()) == SoloResult(1, is_won=True, is_lost=False, points=9)
    assert solo.result(ended(Result("stuck", (0,), (5, 4)))) == SoloResult(1, is_won=False, is_lost=True, points=4)
    assert solo.result(ended(Result("stuck", (0, 1), (5, 5)))) == SoloResult(1, is_won=False, is_lost=False, points=5)


def test_a_game_without_points_has_no_best() -> None:
    assert solo.result(ended(WON, game="kalejdoschach")) == SoloResult(1, is_won=True, is_lost=False)


def test_resigning_is_a_loss_also_against_several_seats_of_the_house() -> None:
    lost = SoloResult(1, is_won=False, is_lost=True)
    assert solo.result(ended(Result("resigned", (0,), (5, 9), of_table=True))) == lost
    left = Result("left", (), (5, 9, 5), of_table=True, by=(1,))
    assert solo.result(ended(left, HOUSE, ANNA, OTHER)) == lost


@pytest.mark.parametrize(
    "result",
    [Result("ended", (), (5, 9), of_table=True, by=(1,)), Result("left", (), (5, 9), of_table=True)],
    ids=["ended by the person", "abandoned"],
)
def test_a_game_that_ended_without_a_decision_does_not_count(result: Result) -> None:
    assert solo.result(ended(result)) is None


def test_a_game_of_two_people_or_of_none_does_not_count() -> None:
    assert solo.result(ended(WON, ANNA, BEN)) is None
    assert solo.result(ended(WON, HOUSE, ANNA, BEN)) is None
    assert solo.result(ended(WON, replace(ANNA, house=True), BEN)) is None, "the house stands in, but Anna began"
    assert solo.result(ended(WON, HOUSE, replace(ANNA, person=gone("1f")))) is None
    assert solo.result(replace(ended(WON), phase=Phase.RUNNING)) is None


def test_the_next_goal_is_the_level_above_the_hardest_beaten_one() -> None:
    once, twice = SoloRecord(1, 1), SoloRecord(3, 2)
    order = tuple(Level)
    assert solo.next_goal({}, order) == solo.next_goal({"hard": once, "easy": once}, order) == Level.EASY
    assert solo.next_goal({"easy": twice}, order) == Level.MEDIUM
    assert solo.next_goal({"medium": twice}, order) == Level.HARD
    assert solo.next_goal({"hard": twice}, order) is None
