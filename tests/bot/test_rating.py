"""Which games count, how players rank in them, and how ratings change."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.replies.statistics import course
from bot.tables.anonymous import house
from bot.tables.rating import BEGINNING, RECENT, Record, ranks, rated, won
from bot.tables.table import Phase, Result, Seat, Table, TableId


def over(reason: str, winners: str = "", scores: str = "", left: str = "", *, of_table: bool = False) -> Table:
    """Return a finished table of the seats with *scores*: "3 1 2"; *winners* and *left* by their numbers."""
    points = tuple(map(int, scores.split()))
    seats = tuple(Seat(PersonId(f"x:{seat}"), "", "en", house=str(seat) in left) for seat in range(len(points)))
    return Table(
        id=TableId("abcdefgh"),
        game="any",
        place=PlaceId("x:hall"),
        host=PersonId("x:0"),
        lang="en",
        created_ms=0,
        phase=Phase.OVER,
        seats=seats,
        result=Result(reason, tuple(map(int, winners)), points, of_table),
    )


# What counts


def test_a_game_that_its_rules_ended_counts() -> None:
    assert ranks(over("points", "1", "3 9")) == (1, 0)


@pytest.mark.parametrize("reason", ["resigned", "timeout"])
def test_giving_up_and_running_out_of_time_lose_a_game_of_two(reason: str) -> None:
    assert ranks(over(reason, "0", "1 9", of_table=True)) == (0, 1)


@pytest.mark.parametrize("reason", ["ended", "left"])
def test_a_game_ended_by_agreement_or_left_by_all_does_not_count(reason: str) -> None:
    assert ranks(over(reason, "", "1 9", of_table=True)) is None


def test_a_game_that_goes_on_does_not_count() -> None:
    table = over("points", "1", "3 9")
    assert ranks(replace(table, phase=Phase.RUNNING, result=None)) is None


def test_a_lobby_that_closed_does_not_count() -> None:
    assert ranks(replace(over("left", "", "0 0", of_table=True), result=Result("left", of_table=True))) is None


def test_a_game_with_the_house_as_a_guest_is_for_fun() -> None:
    table = over("points", "1", "3 9")
    assert ranks(replace(table, seats=(replace(table.seats[0], person=house(1), house=True), table.seats[1]))) is None


def test_a_person_alone_is_not_rated() -> None:
    assert ranks(over("points", "0", "3")) is None


# The ranks


def test_winners_come_first_and_the_others_by_their_points() -> None:
    assert ranks(over("points", "2", "3 1 9 5")) == (2, 3, 0, 1)


def test_equal_points_are_equal_ranks() -> None:
    assert ranks(over("points", "2", "3 3 9 1")) == (1, 1, 0, 3 - 1)


def test_shared_winners_rank_equal_although_points_may_differ() -> None:
    assert ranks(over("points", "02", "3 4 9 1")) == (0, 1, 0, 2)


def test_of_equal_points_the_winner_is_first() -> None:
    assert ranks(over("points", "1", "7 7")) == (1, 0)


def test_without_points_all_who_did_not_win_are_equal() -> None:
    table = over("last", "1", "0 0 0")
    assert table.result is not None
    assert ranks(replace(table, result=replace(table.result, scores=None))) == (1, 0, 1)


def test_a_seat_given_to_the_house_ranks_last_with_any_result() -> None:
    assert ranks(over("points", "0", "9 1 5", left="0")) == (2, 1, 0)
    assert ranks(over("points", "1", "9 10 5 0", left="02")) == (2, 0, 2, 1)


# Wins


def test_a_win_may_be_shared_but_not_by_all() -> None:
    assert won(over("points", "02", "9 1 9")) == {0, 2}
    assert won(over("agreed", "01", "1 1")) == set()


def test_the_house_wins_nothing_for_a_player_who_left() -> None:
    assert won(over("points", "0", "9 1 5", left="0")) == set()


# The ratings

skills = st.builds(Record, games=st.integers(0, 99), mu=st.floats(0, 50), sigma=st.floats(0.5, 8.3))


@st.composite
def games(draw: st.DrawFn, fresh: bool = False) -> tuple[tuple[Record, ...], tuple[int, ...]]:
    """Records of two to six people, and the ranks that a game of theirs ended with."""
    n = draw(st.integers(2, 6))
    records = (Record(),) * n if fresh else tuple(draw(st.lists(skills, min_size=n, max_size=n)))
    result = draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    order = sorted(set(result))
    return records, tuple(order.index(record) for record in result)


def test_all_ratings_start_at_a_round_number() -> None:
    assert Record().rating == BEGINNING


@given(games())
def test_a_sole_winner_rises_and_the_last_one_falls(
    game: tuple[tuple[Record, ...], tuple[int, ...]],
) -> None:
    before, ranks = game
    after = rated(before, ranks)
    for rank in (0, max(ranks)):
        if ranks.count(rank) == 1 and max(ranks) > 0:
            seat = ranks.index(rank)
            assert (after[seat].mu > before[seat].mu) == (rank == 0)
            assert rank > 0 or after[seat].skill > before[seat].skill


@given(games(fresh=True))
def test_of_equal_people_the_better_rank_gets_the_better_rating(
    game: tuple[tuple[Record, ...], tuple[int, ...]],
) -> None:
    before, ranks = game
    after = rated(before, ranks)
    for one, rank in zip(after, ranks, strict=True):
        for other, other_rank in zip(after, ranks, strict=True):
            if rank < other_rank:
                assert one.mu > other.mu
            elif rank == other_rank:
                assert one.mu == pytest.approx(other.mu)


@given(games())
def test_no_rating_is_less_certain_after_a_game(game: tuple[tuple[Record, ...], tuple[int, ...]]) -> None:
    before, ranks = game
    for one, other in zip(before, rated(before, ranks), strict=True):
        assert other.sigma <= one.sigma
        assert other.games == one.games + 1


@given(games())
def test_it_does_not_matter_who_sits_where(game: tuple[tuple[Record, ...], tuple[int, ...]]) -> None:
    before, ranks = game
    after = rated(before, ranks)
    for one, other in zip(after, rated(before[::-1], ranks[::-1])[::-1], strict=True):
        assert (one.mu, one.sigma) == pytest.approx((other.mu, other.sigma))


def test_a_draw_brings_two_people_closer_together() -> None:
    strong, weak = rated((Record(9, 9, 30, 3), Record(9, 0, 20, 3)), (0, 0))
    assert strong.mu < 30
    assert weak.mu > 20
    assert (strong.wins, weak.wins) == (9, 0)


def test_beating_a_strong_player_counts_more() -> None:
    by_strong, _ = rated((Record(), Record(9, 9, 35, 3)), (0, 1))
    by_weak, _ = rated((Record(), Record(9, 0, 15, 3)), (0, 1))
    assert by_strong.rating > by_weak.rating


GOLDEN = (
    ((0, 1), (0, 1), ((27.635389, 8.065901), (22.364611, 8.065901))),
    ((0, 1), (0, 0), ((27.122494, 7.822887), (22.877506, 7.822887))),
    ((0, 1, 2), (0, 1, 1), ((31.338061, 7.359884), (21.041596, 7.359884), (22.299701, 7.750158))),
    (
        (0, 1, 2, 3),
        (0, 0, 1, 2),
        ((33.474248, 6.811421), (26.782247, 6.777295), (20.712547, 7.041875), (16.736972, 7.421088)),
    ),
    (
        (0, 1, 2, 3, 4, 5),
        (0, 1, 1, 2, 2, 2),
        (
            (39.230679, 6.104609),
            (29.457190, 5.970814),
            (26.640936, 6.144717),
            (13.861624, 6.445135),
            (16.331920, 6.720735),
            (16.331920, 6.720735),
        ),
    ),
    ((3, 4), (0, 0), ((14.072019, 6.284446), (16.103150, 6.530304))),
    ((0, 5, 2), (1, 0, 1), ((35.201389, 5.943068), (23.059793, 6.478868), (25.099132, 5.918543))),
    ((1, 2, 3), (0, 0, 0), ((28.030361, 5.742577), (24.645676, 5.675596), (16.163897, 6.046507))),
    (
        (5, 4, 3, 2),
        (1, 0, 2, 1),
        ((22.053859, 5.947082), (23.485048, 5.995542), (12.177544, 5.636623), (23.353734, 5.353287)),
    ),
)
"""Games one after another: who played, their ranks, and (mu, sigma) afterwards. Recorded with openskill 6.2.0."""


def test_a_newer_openskill_changes_no_rating() -> None:
    """This justifies the upper bound of openskill in pyproject.toml: its next version changes ties."""
    records = [Record() for _ in range(6)]
    for people, ranks_, expected in GOLDEN:
        after = rated([records[person] for person in people], ranks_)
        for person, record, (mu, sigma) in zip(people, after, expected, strict=True):
            assert (record.mu, record.sigma) == pytest.approx((mu, sigma), abs=1e-6)
            records[person] = record


def test_the_arithmetic_is_loaded_only_when_a_game_has_ended() -> None:
    program = "import sys, bot.app, bot.service.service; print('openskill' in sys.modules)"
    top = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=top)
    assert done.stdout.strip() == "False"


# How the rating got there


def test_a_record_keeps_the_ratings_of_the_newest_games() -> None:
    anna, ben = Record(), Record()
    lines = []
    for _ in range(RECENT + 5):
        anna, ben = rated((anna, ben), (0, 1), frozenset({0}))
        lines.append(anna.rating)
    assert anna.recent == tuple(lines[-RECENT:])
    assert anna.course == anna.recent


def test_the_course_of_a_rating_begins_where_all_begin_if_every_game_is_known() -> None:
    anna, _ = rated((Record(), Record()), (0, 1))
    assert anna.course == (BEGINNING, anna.rating)
    old = Record(30, 12, 28.0, 3.0)  # ratings were not recorded then
    assert old.course == (old.rating,)
    assert rated((old, Record()), (0, 1))[0].course == (rated((old, Record()), (0, 1))[0].rating,)


@pytest.mark.parametrize(("games", "first"), [(1, 0), (RECENT, 0), (RECENT + 1, 2), (RECENT + 9, 10)])
def test_the_rating_chart_numbers_games_and_may_start_before_the_first(games: int, first: int) -> None:
    record = Record(games, recent=tuple(range(1001, 1001 + min(games, RECENT))))
    chart = course("Anna", {"kabooom": Record(1, recent=(1010,)), "colorio": record}, "en")
    assert (chart.first, chart.first + max(len(curve.values) for curve in chart.curves) - 1) == (first, games)
